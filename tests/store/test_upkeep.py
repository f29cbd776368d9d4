"""What a store takes, what of it nothing needs, and taking that out."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select

from graphscore.store import pruning, sizes
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.pruning import Choice, Pruned, prunable, prune
from graphscore.store.schema import metadata
from graphscore.store.status import Status, status
from tests.conftest import ROOT
from tests.store.conftest import bark, put, read, rows, score

RISEN = {"edm": 2}.get
"""A metric has another revision by now."""


def look(database: Database) -> Status:
    with database.reading() as connection:
        return status(connection, "runs", "1.0", RISEN)


def would_go(database: Database, choice: Choice = pruning.OUTDATED) -> Pruned:
    with database.reading() as connection:
        return prunable(connection, RISEN, choice)


@pytest.fixture
def lived(scored: Database) -> Database:
    """A store with an outdated and a stale evaluation, and what nothing uses."""
    score(scored, metric="edm")
    put(scored, read(bark("1", "x")), "spare", "spare.mrp")
    # A new version of a file leaves a text that no graph has any more.
    put(scored, read(bark("9", text="Gone.")), "spare", "old.mrp")
    put(scored, read(bark("9", text="New.")), "spare", "old.mrp", replace=True)
    return scored


def test_status_counts_what_is_there(lived: Database) -> None:
    found = look(lived)
    with lived.reading() as connection:
        counted = {
            name: connection.execute(select(func.count()).select_from(table)).scalar()
            for name, table in metadata.tables.items()
        }
    assert {each.table: each.rows for each in found.size.tables} == counted
    assert [each.name for each in found.collections] == ["gold", "peking", "spare"]
    assert found.unused == ("spare",)
    assert [(each.metric, each.status) for each in found.evaluations] == [
        ("mrp", "done"),
        ("edm", "done"),
    ]
    assert found.last_score == found.evaluations[-1].created
    said = found.to_dict()
    assert said["unused"] == {"collections": ["spare"], "results": 0}
    [old] = [each for each in said["evaluations"]["done"] if each["metric"] == "edm"]
    assert (old["revision"], old["now"]) == (1, 2)
    assert found.flat()["rows/node"] == counted["node"]
    assert said["prunable"]["texts"] == 1


def test_bytes_add_up(lived: Database) -> None:
    prune(lived, RISEN)  # Nothing is left in a log beside the file.
    found = look(lived).size
    told = [each.bytes for each in found.tables]
    if lived.engine.dialect.name == "sqlite" and None in told:
        pytest.skip("this SQLite was compiled without dbstat")
    assert all(each is not None and each > 0 for each in told)
    # The rest are the definitions of tables and views.
    assert 0 <= found.bytes - sum(filter(None, told)) < 80_000


def test_without_dbstat_only_the_whole_is_known(
    lived: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "_has_dbstat", lambda _: False)
    if lived.engine.dialect.name == "sqlite":
        found = look(lived)
        assert {each.bytes for each in found.size.tables} == {None}
        assert found.size.bytes > 0
        assert would_go(lived, Choice(collections=True)).bytes is None


def test_what_is_said_before_is_what_goes(lived: Database) -> None:
    put(lived, read(bark("new")), path="more.mrp")
    assert [each.status for each in look(lived).evaluations] == ["stale", "stale"]
    before = rows(lived, "select count(*) from v_graphs")
    for choice in (
        pruning.OUTDATED,
        Choice(stale=True),
        Choice(results=True),
        Choice(collections=True),
    ):
        said = would_go(lived, choice)
        if choice == pruning.OUTDATED:
            # No store was opened since, which would have noticed.
            assert said.evaluations == 0
            assert rows(lived, "select count(*) from v_graphs") == before
            gone = prune(lived, RISEN, choice)
            assert gone[:3] == (1, 3, 9)
        else:
            gone = prune(lived, RISEN, choice)
            assert gone._replace(bytes=0) == said._replace(bytes=0)
            assert not gone.nothing
    # The last of these took the collection of gold, too: nothing had used it then.
    assert rows(lived, "select count(*) from v_graphs") == [(0,)]
    assert rows(lived, "select count(*) from text") == [(0,)]
    assert prune(lived, RISEN, Choice(True, True, True)).nothing


def test_an_outdated_evaluation_still_uses_its_collections(lived: Database) -> None:
    gone = prune(lived, RISEN, Choice(collections=True))
    assert gone.evaluations == 1
    assert (gone.collections, gone.graphs, gone.texts) == (("spare",), 2, 2)
    assert look(lived).unused == ()


@pytest.mark.sqlite("the size of its file")
def test_bytes_that_would_be_free_are_about_what_is_freed(path: Path) -> None:
    with open_store(path, create=True) as database:
        put(database, read(*(bark(str(n), f"v{n}") for n in range(900))))
        other = read(*(bark(str(n), f"w{n}") for n in range(900)))
        put(database, other, "peking", "peking.mrp")
        score(database)
        score(database, metric="edm")
        database.close()
    with open_store(path, revision_of=RISEN) as database:
        said = would_go(database)
        assert said[:3] == (1, 900, 2700)
        if said.bytes is None:
            pytest.skip("this SQLite was compiled without dbstat")
        gone = prune(database, RISEN)
        assert gone.bytes is not None
        assert 0.6 < said.bytes / gone.bytes < 1.6


KILLED = """
import os, signal, sys
from graphscore.store import pruning
from graphscore.store.opening import open_store

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

delete = pruning._delete
if sys.argv[2] == "deleted":
    pruning._delete = lambda *given: (delete(*given), die())
else:
    pruning._compact = die
with open_store(sys.argv[1]) as database:
    pruning.prune(database, {"edm": 2}.get, pruning.Choice(collections=True))
"""


@pytest.mark.parametrize("moment", ["deleted", "kept"])
def test_killed_while_pruning(lived: Database, path: Path, moment: str) -> None:
    lived.close()
    command = [sys.executable, "-c", KILLED, str(path), moment]
    assert subprocess.run(command, cwd=ROOT).returncode == -signal.SIGKILL
    with open_store(path) as database:
        if database.engine.dialect.name == "sqlite":
            assert rows(database, "pragma integrity_check") == [("ok",)]
            assert rows(database, "pragma foreign_key_check") == []
        there = len(look(database).evaluations), len(look(database).collections)
        assert there == ((2, 3) if moment == "deleted" else (1, 2))
