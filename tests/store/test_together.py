"""Two who score one store at once, and eight who read it while it is written."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.store import opening
from graphscore.store.opening import open_store
from graphscore.store.views import VIEWS
from tests.forking import ended, started
from tests.store.conftest import bark, put, read

pytestmark = pytest.mark.sqlite("several processes have one file")

GRAPHS = 30
METRICS = ["mrp", "predications", "sdp"]

TIMES = {"microseconds", "created"}
"""How long each took, and when."""


def filled(path: Path) -> Path:
    with Store(str(path), mode="create") as store:
        store.add([bark(str(n), f"v{n}") for n in range(GRAPHS)], "gold")
        store.add([bark(str(n), f"v{n % 7}") for n in range(GRAPHS)], "system")
    return path


def views_of(path: Path) -> dict[str, list[str]]:
    found = {}
    with open_store(path, read_only=True) as database, database.reading() as connection:
        for view in VIEWS:
            result = connection.exec_driver_sql(f"select * from {view}")
            kept = [n for n, name in enumerate(result.keys()) if name not in TIMES]
            found[view] = sorted(repr([row[n] for n in kept]) for row in result)
    return found


def score(path: Path) -> None:
    with Store(str(path), mode="write") as store:
        for metric in METRICS:
            [result] = store.score("gold", "system", [metric], Options(jobs=1))
            assert result.pairs == GRAPHS


def test_two_scorers_at_once_leave_what_one_does(tmp_path: Path) -> None:
    alone, shared = (filled(tmp_path / name) for name in ("alone.db", "shared.db"))
    score(alone)
    two = [started(lambda: score(shared)) for _ in range(2)]
    assert [ended(each) for each in two] == ["", ""]
    assert views_of(shared) == views_of(alone)
    with open_store(shared) as database, database.reading() as connection:
        check = connection.exec_driver_sql("pragma integrity_check").all()
        count = connection.exec_driver_sql("select count(*) from result").scalar_one()
        twice = connection.exec_driver_sql(
            "select metric, gold, system from result group by 1, 2, 3 "
            "having count(*) > 1"
        ).all()
    assert (check, twice) == ([("ok",)], [])
    assert count > 0


def watch(path: Path, done: Path) -> None:
    """Read until there is nothing more to come; all that is there is whole."""
    states = set()
    sql = "select file, count(*), sum(nodes), sum(edges) from v_graphs group by 1"
    while True:
        last = done.exists()
        # Nobody waits for a write; but SQLite has a file alone for moments, as when the
        # last one closes it and another opens it, so readers have their usual patience.
        with (
            open_store(path, read_only=True) as database,
            database.reading() as connection,
        ):
            found = connection.exec_driver_sql(sql).all()
            time.sleep(0.002)
            # Within one question nothing comes or goes.
            assert connection.exec_driver_sql(sql).all() == found
        assert all(tuple(row[1:]) == (GRAPHS, 2 * GRAPHS, GRAPHS) for row in found)
        states.add(len(found))
        path.with_name(f"ready-{os.getpid()}").touch()
        if last:
            break
    assert (min(states), max(states)) == (0, 6)


def test_a_store_made_between_two_looks_at_it_is_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"
    sqlite3.connect(path).close()
    judged = opening._says_no_such_table

    def meanwhile(error: DBAPIError) -> bool:
        monkeypatch.undo()
        open_store(path, create=True).close()
        return judged(error)

    monkeypatch.setattr(opening, "_says_no_such_table", meanwhile)
    with open_store(path, create=True) as database:
        assert views_of(path)["v_graphs"] == []
        assert not database.migrated


def test_eight_readers_during_a_write_see_whole_files(tmp_path: Path) -> None:
    path, done = tmp_path / "runs.db", tmp_path / "done"
    open_store(path, create=True).close()
    readers = [started(lambda: watch(path, done)) for _ in range(8)]
    deadline = time.monotonic() + 60
    while len([*tmp_path.glob("ready-*")]) < len(readers):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    with open_store(path) as database:
        for number in range(6):
            graphs = [bark(f"{number}-{n}", f"v{n}") for n in range(GRAPHS)]
            put(database, read(*graphs), path=f"{number}.mrp")
            time.sleep(0.05)
    done.touch()
    assert [ended(each) for each in readers] == [""] * 8


@pytest.mark.parametrize("meanwhile", [False, True])
def test_without_links_a_new_store_never_takes_the_place_of_another(
    meanwhile: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"

    def no_links(*_: object) -> None:
        monkeypatch.undo()
        if meanwhile:
            filled(path)
        raise OSError("no links on this file system")

    monkeypatch.setattr(os, "link", no_links)
    with open_store(path, create=True) as database:
        assert database.made is not meanwhile
    assert bool(views_of(path)["v_graphs"]) is meanwhile
    assert sorted(os.listdir(tmp_path)) == ["runs.db"]
