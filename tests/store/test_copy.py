"""Collections and their evaluations on the way from one store into another."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphscore.errors import InputError, UsageError
from graphscore.store.database import Database
from graphscore.store.evaluations import find_evaluations
from graphscore.store.opening import open_store
from graphscore.store.reading.load import identities, load_graphs
from graphscore.store.transfer.api import Copied, copy
from graphscore.store.views import VIEWS
from tests.conftest import ROOT
from tests.store.conftest import bark, put, read, reject, rows, score

DATED = {"microseconds", "created"}


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Database]:
    """A store in which there is something else, so that all ids differ."""
    with open_store(tmp_path / "other.db", create=True) as opened:
        put(opened, read(bark("z", "howl"), bark("y", "whine")), "before", "z.mrp")
        put(opened, read(bark("z", "whine")), "earlier", "y.mrp")
        yield opened


@pytest.fixture
def full(scored: Database) -> Database:
    """A store with all that tables hold, and symbols that nothing uses."""
    put(scored, read(bark("1", "unused")), "gone", "g.mrp")
    odd = bark("ä", "x" * 3000, text="日本\t\n\\N\\.", extra={"a": [1, "\x00"]})
    put(scored, [*read(odd, bark("")), reject(7)], "kept", "b.mrp", keep_going=True)
    score(scored, "kept")
    score(scored, "peking", "edm", proven=False)
    score(scored, "gone")
    return scored


def views(database: Database, *collections: str) -> dict[str, list[str]]:
    """What each view says of collections."""
    said = {}
    names = ", ".join(map(repr, collections))
    for view in VIEWS:
        with database.reading() as connection:
            result = connection.exec_driver_sql(f"select * from {view}")
            columns, found = [*result.keys()], [tuple(row) for row in result]
        kept = [
            dict(zip(columns, row, strict=True))
            for row in found
            if {row[columns.index(c)] for c in OWNERS if c in columns} <= {*collections}
        ]
        said[view] = sorted(
            repr([plain(v) for k, v in row.items() if k not in DATED]) for row in kept
        )
        assert names
    return said


OWNERS = ("collection", "gold", "system", "baseline")


def plain(value: Any) -> Any:
    return float(value) if isinstance(value, (bool, int, float)) else value


def check(database: Database) -> None:
    if database.engine.dialect.name == "sqlite":
        assert rows(database, "pragma integrity_check") == [("ok",)]
        assert rows(database, "pragma foreign_key_check") == []


ALL = ("gold", "peking", "kept")


def test_everything_is_equal_where_it_goes(full: Database, other: Database) -> None:
    done = copy(full, other, ALL)
    assert [(each.name, each.graphs, each.files) for each in done.collections] == [
        ("gold", 3, 1),
        ("peking", 3, 1),
        ("kept", 2, 1),
    ]
    assert [(each.system, each.metric, each.fate) for each in done.evaluations] == [
        ("peking", "mrp", "new"),
        ("kept", "mrp", "new"),
        ("peking", "edm", "new"),
    ]
    assert [each.results for each in done.evaluations] == [3, 2, 3]
    assert done.evaluations[1].known == 1
    ours, theirs = views(full, *ALL), views(other, *ALL)
    assert ours == theirs
    assert all(ours[name] for name in ("v_errors", "v_rejected", "v_changes"))
    check(other)
    with full.reading() as one, other.reading() as two:
        for name in ALL:
            sides = [identities(each, name) for each in (one, two)]
            kept = [[each._replace(graph=0) for each in side] for side in sides]
            assert kept[0] == kept[1]
            graphs = [
                [*load_graphs(each, [x.graph for x in side]).values()]
                for each, side in zip((one, two), sides, strict=True)
            ]
            assert graphs[0] == graphs[1]
        made = [
            [each._replace(id=0, created="") for each in find_evaluations(x)]
            for x in (one, two)
        ]
    assert [each for each in made[0] if each.system != "gone"] == made[1]
    # What nothing uses stays behind.
    said = "select count(*) from symbol where text = 'unused'"
    assert (rows(full, said), rows(other, said)) == ([(1,)], [(0,)])
    same = "select text, type from symbol group by text, type having count(*) > 1"
    assert rows(other, same) == []


def test_the_same_again_changes_nothing(full: Database, other: Database) -> None:
    copy(full, other)
    before = views(other, *ALL)
    again = copy(full, other)
    assert {
        (each.graphs, each.files, each.unchanged) for each in again.collections
    } == {(0, 0, 1)}
    assert {each.fate for each in again.evaluations} == {"unchanged"}
    assert views(other, *ALL) == before
    assert {each.status for each in evaluations(other)} == {"done"}


def evaluations(database: Database) -> list[Any]:
    with database.reading() as connection:
        return find_evaluations(connection)


def test_there_and_back(full: Database, other: Database, tmp_path: Path) -> None:
    copy(full, other)
    with open_store(tmp_path / "back.db", create=True) as back:
        copy(other, back, [*ALL, "gone"])
        assert views(back, *ALL) == views(full, *ALL)


def test_only_what_is_chosen(full: Database, other: Database) -> None:
    done = copy(full, other, ["gold", "kept", "gold"])
    assert [each.name for each in done.collections] == ["gold", "kept"]
    assert [each.system for each in done.evaluations] == ["kept"]
    assert copy(full, other, ["peking"]).evaluations == ()
    assert copy(full, other, ["gold", "peking"], evaluations=False).evaluations == ()
    with pytest.raises(UsageError, match="no collection 'pekin'"):
        copy(full, other, ["gold", "pekin"])


def test_another_name(full: Database, other: Database) -> None:
    [done] = copy(full, other, ["peking"], rename="north").collections
    assert (done.collection, done.name, done.graphs) == ("peking", "north", 3)
    for wrong in ([], ["gold", "peking"]):
        with pytest.raises(UsageError, match="a new name is for one collection"):
            copy(full, other, wrong, rename="north")
    with pytest.raises(UsageError, match="expected a name"):
        copy(full, other, ["peking"], rename="")


def test_a_store_into_itself(full: Database, path: Path) -> None:
    with pytest.raises(UsageError, match="into another one"):
        copy(full, full)


def test_items_that_are_there_already(full: Database, other: Database) -> None:
    put(other, read(bark("0", "other"), bark("7", "w7")), "peking", "mine.mrp")
    before = views(other, "peking", "gold")
    with pytest.raises(InputError) as refused:
        copy(full, other, ["gold", "peking"])
    # Nothing was written of the other collection, either.
    assert views(other, "peking", "gold") == before
    first, second = refused.value.problems
    assert (first.file, first.line) == ("peking.mrp", 1)
    assert "dm item '0', which 'peking' has already from mine.mrp:1" in first.found
    assert "--replace" in second.expected
    done = copy(full, other, ["gold", "peking"], replace=True)
    assert done.collections[1].replaced == 2
    assert views(other, "gold", "peking") == views(full, "gold", "peking")
    check(other)


def test_files_come_together_in_one_collection(full: Database, other: Database) -> None:
    for database, items in ((full, "ab"), (other, "cd")):
        for name in ("gold", "peking"):
            more = read(*(bark(item, f"{name}{item}") for item in items))
            put(database, more, name, f"{name}-{items}.mrp")
        score(database)
    done = copy(full, other, ["gold", "peking"])
    assert [each.graphs for each in done.collections] == [5, 5]
    # Neither evaluation is of all that there is now.
    [made] = [each for each in done.evaluations if each.metric == "mrp"]
    assert (made.status, made.fate, made.results) == ("stale", "kept", 5)
    assert {each.status for each in evaluations(other)} == {"stale"}
    assert rows(other, "select count(*) from result r join metric m on r.metric = m.id "
                "where m.name = 'mrp'") == [(7,)]  # fmt: skip
    assert copy(full, other, ["gold", "peking"]).collections[0].unchanged == 2


def test_stale_and_outdated_stay_so(full: Database, other: Database) -> None:
    put(full, read(bark("8")), "kept", "more.mrp")
    with full.writing() as connection:
        connection.exec_driver_sql(
            "update evaluation set outdated = true where metric = 'edm'"
        )
    done = copy(full, other, ALL).evaluations
    assert [each.status for each in done] == ["done", "stale", "outdated"]
    assert [each.status for each in evaluations(other)] == [
        "done",
        "stale",
        "outdated",
    ]


def test_an_evaluation_that_was_made_otherwise(full: Database, other: Database) -> None:
    copy(full, other, ["gold", "peking"])
    with full.writing() as connection:
        connection.exec_driver_sql(
            "update evaluation set signature = 'pair:order' where metric = 'edm'"
        )
    with pytest.raises(InputError, match="edm already, made in another way"):
        copy(full, other, ["gold", "peking"])
    [first, second] = copy(full, other, ["gold", "peking"], replace=True).evaluations
    assert (first.fate, second.fate) == ("unchanged", "replaced")
    assert evaluations(other)[-1].signature == "pair:order"


def test_numbers_of_graphs_without_ids_replace_no_others(
    full: Database, other: Database
) -> None:
    put(other, read(bark("")), "kept", "own.mrp")
    for replace in (False, True):
        with pytest.raises(InputError, match="dm item '0', which 'kept' has already"):
            copy(full, other, ["kept"], replace=replace)


def test_damage_is_said_of_the_store_that_has_it(
    full: Database, other: Database, path: Path
) -> None:
    with full.writing() as connection:
        connection.exec_driver_sql("update node set label = 99999 where ordinal = 1")
    with pytest.raises(Exception, match="has no row 99999") as refused:
        copy(full, other, ["gold"])
    assert full.name in str(refused.value)
    assert other.name not in str(refused.value)
    assert rows(other, "select count(*) from collection where name = 'gold'") == [(0,)]


def test_memory_does_not_grow_with_the_store(
    full: Database, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many rows at a time, however many there are."""
    from graphscore.store.transfer import carrying, collections, evaluations

    for module in (collections, evaluations):
        monkeypatch.setattr(module, "BATCH", 2)
    monkeypatch.setattr(carrying, "STREAMED", 2)
    monkeypatch.setattr(carrying, "REMEMBERED", 3)
    seen: list[tuple[int, int]] = []
    found: Copied = copy(full, other, ALL, progress=lambda *at: seen.append(at))
    assert views(other, *ALL) == views(full, *ALL)
    assert len(found.evaluations) == 3
    assert seen == sorted(seen)
    assert seen[-1] == (8 + 9, 8 + 9)


KILLED = """
import os, signal, sys
from graphscore.store.opening import open_store
from graphscore.store.transfer import carrying
from graphscore.store.transfer.api import copy

left = int(sys.argv[3])
write = carrying.bulk_insert

def counted(*given):
    global left
    write(*given)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

carrying.bulk_insert = counted
with open_store(sys.argv[1], read_only=True) as a, open_store(sys.argv[2]) as b:
    copy(a, b, sys.argv[4:])
"""


@pytest.mark.parametrize(("steps", "whole"), [(4, 0), (9, 1), (21, 3)])
def test_killed_while_copying(
    full: Database, other: Database, path: Path, tmp_path: Path, steps: int, whole: int
) -> None:
    """Six tables of graphs a collection, five of results an evaluation."""
    target = tmp_path / "other.db"
    command = [sys.executable, "-c", KILLED, str(path), str(target), str(steps), *ALL]
    assert subprocess.run(command, cwd=ROOT).returncode == -signal.SIGKILL
    check(other)
    there = rows(other, "select name from collection where name like '%' order by id")
    assert [name for [name] in there][2:] == list(ALL[:whole])
    assert rows(other, "select count(*) from result") == [(0,)]
    done = copy(full, other, ALL)
    assert [each.unchanged for each in done.collections] == [
        1 if n < whole else 0 for n in range(3)
    ]
    assert views(other, *ALL) == views(full, *ALL)
