"""Killed at any moment: the store opens, holds whole files only, and goes on."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphscore.store.database import Database
from graphscore.store.opening import open_store
from tests.conftest import ROOT
from tests.databases import Stores
from tests.store.conftest import rows
from tests.store.worker import CHUNK, FILES, GRAPHS, evaluate, fill

TUPLES = "select * from v_tuples order by 1, 2, 3, 4, 5, 6, 7, 8"


def run(task: str, path: Path, steps: int | None) -> list[str]:
    """Run the worker; kill it after so many steps, wherever it is by then."""
    command = [sys.executable, "-m", "tests.store.worker", task, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line.strip())
            if steps is not None and len(said) >= steps:
                process.kill()
                break
        process.wait()
    if steps is None:
        assert process.returncode == 0
    return said


def check(database: Database) -> None:
    if database.engine.dialect.name == "sqlite":
        assert rows(database, "pragma integrity_check") == [("ok",)]
        assert rows(database, "pragma foreign_key_check") == []


def whole_files(database: Database) -> int:
    """The number of files in the store, none of which lacks a graph or tuple."""
    files = rows(
        database,
        "select collection, file, count(*), sum(nodes), sum(edges), sum(tops) "
        "from v_graphs group by 1, 2",
    )
    for row in files:
        assert row[2:] == (GRAPHS, 2 * GRAPHS, GRAPHS, GRAPHS)
    assert rows(database, "select count(*) from ingest") == [(len(files),)]
    return len(files)


@pytest.fixture(scope="module")
def expected(stores: Stores) -> Iterator[Database]:
    """The store of a run that nothing interrupted."""
    place = stores.new()
    with open_store(place, create=True) as database:
        fill(database)
        evaluate(database)
        yield database
    stores.drop(place)


@pytest.mark.parametrize("seed", range(3))
def test_killed_while_ingesting(path: Path, expected: Database, seed: int) -> None:
    chance = random.Random(seed)
    reached = 0
    for _ in range(4):
        run("fill", path, chance.randint(1, 25))
        with open_store(path, read_only=True) as database:
            check(database)
            found = whole_files(database)
        assert found >= reached
        reached = found
    said = run("fill", path, None)
    assert said.count("unchanged 0") == reached
    assert said.count(f"ingested {GRAPHS}") == 2 * FILES - reached
    with open_store(path) as database:
        check(database)
        assert rows(database, TUPLES) == rows(expected, TUPLES)


def results(database: Database) -> int:
    """The number of results in the store, all of them complete."""
    counts = {
        table: rows(database, f"select count(*) from {table}")[0][0]
        for table in ("result", "raw_count", "error", "correspondence", "error_count")
    }
    number = counts["result"]
    assert number % CHUNK == 0
    assert counts["raw_count"] == 6 * number
    assert counts["error"] == counts["error_count"] == 3 * number
    assert counts["correspondence"] == 2 * number
    return int(number)


@pytest.mark.parametrize("seed", range(3))
def test_killed_while_scoring(path: Path, expected: Database, seed: int) -> None:
    chance = random.Random(seed)
    with open_store(path, create=True) as database:
        fill(database)
    pairs = FILES * GRAPHS
    for _ in range(4):
        run("evaluate", path, chance.randint(1, pairs // CHUNK // 3))
        with open_store(path, read_only=True) as database:
            check(database)
            saved = results(database)
            evaluations = rows(database, "select count(*) from v_items")
            assert evaluations in ([(0,)], [(pairs,)])
    said = run("evaluate", path, None)
    assert said[0] == f"reused {saved}"
    assert said[-1] == "evaluated"
    with open_store(path) as database:
        for view in ("v_scores", "v_errors", "v_error_counts", "v_correspondences"):
            sql = f"select * from {view}"

            def ordered(found: list[tuple[Any, ...]]) -> list[str]:
                return sorted(map(repr, found))

            assert ordered(rows(database, sql)) == ordered(rows(expected, sql))
