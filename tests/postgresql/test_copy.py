"""From SQLite to PostgreSQL and back: nothing is lost, nothing computed again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.errors import InputError
from graphscore.store.opening import open_store
from graphscore.store.pruning import Choice, prune
from graphscore.store.transfer.api import copy
from graphscore.store.views import VIEWS
from tests.conftest import ROOT
from tests.store.conftest import bark, put, read, rows, score

DATA = ROOT / "data"

SIDES = ("--gold", "gold", "--system", "alder", "-m", "mrp,smatch")

ASKED: tuple[tuple[str, ...], ...] = (
    ("score", "STORE", *SIDES, "--per-item"),
    ("errors", "STORE", *SIDES[:5], "mrp"),
    ("items", "STORE", *SIDES[:5], "smatch"),
    ("show", "sample-02", "STORE", *SIDES[:5], "mrp", "--framework", "amr"),
)

TIMES = {"microseconds", "created"}


def run(*words: object) -> Any:
    done = CliRunner().invoke(cli, [*map(str, words), "--json"])
    assert done.exit_code in (0, 4), done.output
    return json.loads(done.stdout)


def everything(store: object) -> list[Any]:
    """What verbs and views say of a store."""
    said = [run(*(store if x == "STORE" else x for x in words)) for words in ASKED]
    for view in VIEWS:
        found = run("query", store, f"select * from {view}")
        plain = [
            {k: float(v) if isinstance(v, (bool, int)) else v for k, v in row.items()}
            for row in found
        ]
        kept = [{k: v for k, v in row.items() if k not in TIMES} for row in plain]
        said.append(sorted(map(repr, kept)))
    return said


def test_there_and_back(url: str, tmp_path: Path) -> None:
    first, back = tmp_path / "first.db", tmp_path / "back.db"
    for name in ("gold", "alder"):
        run("ingest", first, DATA / f"{name}.mrp", "--as", name)
    run("score", first, *SIDES)
    said = everything(first)
    there = run("copy", first, url)
    assert [each["graphs"] for each in there["collections"]] == [73, 73]
    assert everything(url) == said
    assert run("copy", url, back)["evaluations"] == there["evaluations"]
    assert everything(back) == said
    for store in (url, back):
        for result in run("score", store, *SIDES)["results"]:
            assert result["reused"] == result["pairs"]
    assert {each["fate"] for each in run("copy", back, url)["evaluations"]} == {
        "unchanged"
    }
    sizes = [
        {each["table"]: each["rows"] for each in run("status", store)["tables"]}
        for store in (url, back)
    ]
    assert sizes[0] == sizes[1]
    assert run("status", url)["bytes"] > 100_000


@pytest.mark.parametrize(
    ("spoilt", "where"),
    [
        (bark("1", "ba\0rk"), "its node"),
        (bark("1", text="Dogs\0bark"), "its text"),
        (bark("1", document="do\0gs"), "its head"),
    ],
)
def test_what_a_server_cannot_hold(
    url: str, tmp_path: Path, spoilt: Any, where: str
) -> None:
    with (
        open_store(tmp_path / "runs.db", create=True) as source,
        open_store(url, create=True) as target,
    ):
        put(source, read(bark("0"), spoilt))
        with pytest.raises(InputError) as refused:
            copy(source, target)
        [problem] = refused.value.problems
        assert (problem.file, problem.line) == ("a.mrp", 2)
        assert problem.found == f"the character U+0000 in {where} (item '1')"
        assert rows(target, "select count(*) from collection") == [(0,)]
        # Within a record that could not be read it is spelled out, as ingesting does.
        with source.writing() as connection:
            connection.exec_driver_sql("update ingest set rejected = 1")
            connection.exec_driver_sql("delete from graph where item = '1'")
            connection.exec_driver_sql(
                "insert into rejected values (1, 0, 3, 'dm', 'x', 'bad', 'a' || "
                "char(0) || 'b')"
            )
        assert copy(source, target).collections[0].rejected == 1
        assert rows(target, "select raw from rejected") == [("a\\x00b",)]


def test_pruning_gives_space_to_the_tables(url: str) -> None:
    with open_store(url, create=True) as database:
        put(database, read(*(bark(str(n), f"v{n}") for n in range(300))))
        put(database, read(*(bark(str(n)) for n in range(300))), "peking", "b")
        score(database)
        gone = prune(database, {"mrp": 2}.get, Choice(collections=True))
        assert gone[:3] == (1, 300, 900)
        assert gone.bytes is not None
        assert gone.bytes > 0
        assert prune(database, {}.get, Choice(collections=True)).graphs == 600
        dead = "select n_dead_tup from pg_stat_user_tables where relname = 'node'"
        assert rows(database, dead) in ([(0,)], [])
