"""What is in a store, and taking it out again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from graphscore.exceptions import UsageError
from graphscore.store import sizes
from graphscore.store.database import Database, file_of
from graphscore.store.evaluations import find_evaluations
from graphscore.store.maintenance import Removal, clear_results, collections, remove
from graphscore.store.opening import open_store
from graphscore.store.sizes import Size, size_of
from tests.conftest import ROOT
from tests.store.conftest import bark, put, read, reject, rows, score

SAME = {"mrp": 1, "edm": 1}.get
"""Metrics have the revision that evaluations were made under."""

RISEN = {"mrp": 1, "edm": 2}.get
"""One of them has another revision by now."""

TABLES = ("graph", "node", "property", "anchor", "edge", "attribute", "top", "text")


def counts(database: Database) -> dict[str, int]:
    tables = (*TABLES, "result", "raw_count", "error", "correspondence", "error_count")
    return {
        table: rows(database, f"select count(*) from {table}")[0][0] for table in tables
    }


def test_overview(scored: Database) -> None:
    records = [*read(bark("1"), bark("1", framework="eds", document="e")), reject(3)]
    put(scored, records, "spoilt", keep_going=True)
    with scored.reading() as connection:
        gold, peking, spoilt = collections(connection)
    assert gold[:6] == ("gold", {"dm": 3}, 1, 1, 0, 1)
    assert peking[:6] == ("peking", {"dm": 3}, 1, 1, 0, 1)
    assert spoilt[:6] == ("spoilt", {"dm": 1, "eds": 1}, 2, 1, 1, 0)
    assert len(gold.created) == len("2026-01-31 12:00:00")


def test_empty_store_has_no_collections(database: Database) -> None:
    with database.reading() as connection:
        assert collections(connection) == []


def test_removing_takes_out_all_that_nothing_else_needs(scored: Database) -> None:
    with scored.writing() as connection:
        assert remove(connection, "peking", SAME) == ("peking", 3, 1, 3, 0)
    assert rows(scored, "select distinct collection from v_graphs") == [("gold",)]
    found = counts(scored)
    assert [found[table] for table in TABLES] == [3, 6, 3, 6, 3, 3, 3, 1]
    assert found["result"] == found["raw_count"] == found["error"] == 0
    assert found["correspondence"] == found["error_count"] == 0
    if scored.engine.dialect.name == "sqlite":
        assert rows(scored, "pragma foreign_key_check") == []


def test_removing_keeps_results_that_others_use(scored: Database) -> None:
    put(scored, read(bark("0", "w0")), "same")
    score(scored, "same")
    with scored.writing() as connection:
        assert remove(connection, "peking", SAME).results == 1
    with scored.reading() as connection:
        (kept,) = find_evaluations(connection)
    assert kept.system == "same"
    assert len(rows(scored, "select * from v_errors")) == 9


def test_removing_all_leaves_only_symbols(scored: Database) -> None:
    for name in ("gold", "peking"):
        with scored.writing() as connection:
            remove(connection, name, SAME)
    assert set(counts(scored).values()) == {0}
    put(scored, read(bark("1")))
    assert rows(scored, "select value from v_tuples where tuple_type = 'labels'") == [
        ("dog",),
        ("bark",),
    ]


def test_removing_what_is_not_there(scored: Database) -> None:
    with (
        pytest.raises(UsageError, match=r"no collection 'x'.*'gold', 'peking'"),
        scored.writing() as connection,
    ):
        remove(connection, "x", SAME)


@pytest.fixture
def lived(scored: Database) -> Database:
    """A store with evaluations by two metrics, and what nothing uses."""
    score(scored, metric="edm")
    put(scored, read(bark("1", "x")), "spare", "spare.mrp")
    score(scored, "spare")
    # A new version of a file leaves a text that no graph has any more.
    put(scored, read(bark("9", text="Gone.")), "other", "old.mrp")
    put(scored, read(bark("9", text="New.")), "other", "old.mrp", replace=True)
    return scored


def test_nothing_is_cleared_that_is_needed(lived: Database) -> None:
    before = counts(lived)
    with lived.writing() as connection:
        assert clear_results(connection, SAME) == (0, 0)
        assert clear_results(connection, {}.get) == (0, 0)
    # The text that no graph has is cleared all the same.
    assert counts(lived) == before | {"text": before["text"] - 1}


def test_outdated_evaluations_and_their_results_are_cleared(lived: Database) -> None:
    of_mrp = "select * from v_errors where metric = 'mrp' order by system, item"
    kept = rows(lived, of_mrp)
    with lived.writing() as connection:
        assert clear_results(connection, RISEN) == (3, 1)
        assert clear_results(connection, RISEN) == (0, 0)
    assert rows(lived, of_mrp) == kept
    assert rows(lived, "select name from metric") == [("mrp",)]
    assert rows(lived, "select distinct metric from v_scores") == [("mrp",)]


def test_results_that_no_evaluation_refers_to_are_cleared(lived: Database) -> None:
    put(lived, read(bark("1", "y")), "spare", "spare.mrp", replace=True)
    score(lived, "spare")
    with lived.writing() as connection:
        assert clear_results(connection, SAME) == (1, 0)


def test_removing_clears_what_other_evaluations_left(lived: Database) -> None:
    before = counts(lived)["result"]
    with lived.writing() as connection:
        gone = remove(connection, "spare", RISEN)
    assert gone == Removal("spare", 1, 1, before - counts(lived)["result"], 1)
    assert counts(lived)["result"] == 3
    assert rows(lived, "select distinct system, metric from v_scores") == [
        ("peking", "mrp")
    ]


KILLED = """
import os, signal, sys
from graphscore.store import maintenance
from graphscore.store.opening import open_store

with open_store(sys.argv[1]) as database, database.writing() as connection:
    maintenance.remove(connection, "spare", {"mrp": 1, "edm": 2}.get)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_while_removing(lived: Database, path: Path) -> None:
    before = counts(lived)
    lived.close()
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    with open_store(path) as database:
        assert counts(database) == before
        if database.engine.dialect.name == "sqlite":
            assert rows(database, "pragma integrity_check") == [("ok",)]


def measured(database: Database) -> Size:
    with database.reading() as connection:
        return size_of(connection)


def test_bytes_add_up(lived: Database) -> None:
    found = measured(lived)
    if lived.engine.dialect.name == "postgresql":
        assert found.total == found.graphs + found.results
        return
    if found.graphs is None:
        pytest.skip("this SQLite was compiled without dbstat")
    assert found.graphs > 0
    assert found.results > 0
    rows(lived, "pragma wal_checkpoint(truncate)")
    found = measured(lived)
    assert found.total == Path(file_of(lived.engine)).stat().st_size
    # The rest are the definitions of tables and views.
    rest = found.total - found.graphs - found.results - found.free
    assert 0 <= rest < 80_000
    put(lived, read(*(bark(f"m{number}") for number in range(300))), "many", "m.mrp")
    with lived.writing() as connection:
        remove(connection, "many", SAME)
    assert measured(lived).free > found.free


def test_without_dbstat_only_the_whole_is_known(
    lived: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "_has_dbstat", lambda _: False)
    if lived.engine.dialect.name == "sqlite":
        found = measured(lived)
        assert (found.graphs, found.results) == (None, None)
        assert found.total > 0
