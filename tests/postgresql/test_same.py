"""A store on PostgreSQL says what one in SQLite says, to the last count."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from graphscore.cli.main import cli
from graphscore.store.database import Database
from graphscore.store.maintenance import clear_results, collections, remove
from graphscore.store.migration import upgrade
from graphscore.store.opening import open_store
from graphscore.store.read.frequent import frequent_errors
from graphscore.store.read.load import identities, load_graphs
from graphscore.store.read.outcomes import load_outcomes
from graphscore.store.views import VIEWS
from tests.conftest import ROOT
from tests.databases import query
from tests.store.conftest import bark, put, read, reject, rows, score
from tests.store.earlier import earlier_known, make_earlier

DATA = ROOT / "data"

NOT_EMPTY = "v_errors", "v_tuples", "v_rejected", "v_changes"

TIMES = {"microseconds", "created"}


def fill(database: Database) -> None:
    """A gold standard, two systems, their scores: everything that tables hold."""
    odd = bark("ä", "x" * 5000, document="é", text="日本\t\n\\N\\.")
    many = [bark(str(n), f"v{n}") for n in (10, 9, 2)]
    put(database, [*read(odd, bark("B"), bark("a"), *many)])
    put(database, read(bark("B", "run"), bark("a"), bark("zz")), "peking")
    put(database, [*read(bark("a")), reject(7)], "kept", "b.mrp", keep_going=True)
    for system in ("peking", "kept"):
        score(database, system)
    score(database, "peking", "edm")


def everything(database: Database) -> dict[str, list[str]]:
    """What each view says, in an order of its own."""
    said = {}
    for view in VIEWS:
        columns, found = query_of(database, f"select * from {view}")
        kept = [n for n, name in enumerate(columns) if name not in TIMES]
        said[view] = sorted(repr([row[n] for n in kept]) for row in found)
    return said


def query_of(database: Database, sql: str) -> tuple[Any, list[tuple[Any, ...]]]:
    with database.reading() as connection:
        result = connection.exec_driver_sql(sql)
        return tuple(result.keys()), [tuple(row) for row in result]


@pytest.fixture
def pair(database: Database, tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    with open_store(tmp_path / "runs.db", create=True) as other:
        for each in (database, other):
            fill(each)
        yield database, other


def test_every_view(pair: tuple[Database, Database]) -> None:
    ours, theirs = map(everything, pair)
    assert ours == theirs
    assert all(theirs[view] for view in NOT_EMPTY)


def test_graphs_outcomes_and_overviews(pair: tuple[Database, Database]) -> None:
    said = []
    for each in pair:
        with each.reading() as connection:
            known = [each for each in identities(connection, "gold")]
            graphs = load_graphs(connection, [one.graph for one in known])
            [(number,)] = connection.exec_driver_sql("select max(id) from result")
            outcomes = load_outcomes(connection, [number])
            overview = [
                one._replace(created="", scored=()) for one in collections(connection)
            ]
        said.append((known, graphs, outcomes, overview))
        [outcome] = outcomes.values()
        assert {type(value) for value in outcome.raw_counts.values()} == {int}
    assert said[0] == said[1]


def test_frequent_errors_and_order(
    pair: tuple[Database, Database], url: str, tmp_path: Path
) -> None:
    for by in (
        ("framework", "tuple_type", "error_type", "name", "value"),
        ("item", "label"),
    ):
        ours, theirs = (
            frequent_errors(lambda sql, store=store: query(store, sql), {}, by)
            for store in (url, tmp_path / "runs.db")
        )
        assert ours == theirs
    sql = "select item from v_graphs order by item"
    assert query_of(pair[0], sql) == query_of(pair[1], sql)


def test_clearing_and_removing(pair: tuple[Database, Database]) -> None:
    done = []
    for each in pair:
        with each.writing() as connection:
            cleared = clear_results(connection, {"edm": 2}.get)
            gone = remove(connection, "peking", {}.get)
        done.append((cleared, gone, everything(each)))
    assert done[0] == done[1]
    assert done[0][0].outdated == 1


def columns(ask: Callable[[str], list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    return ask(
        "select table_name, column_name, data_type, is_nullable, collation_name "
        "from information_schema.columns where table_schema = 'public' order by 1, 2"
    ) + ask(
        "select tablename, replace(indexdef, 'public.', '') from pg_indexes "
        "where schemaname = 'public' order by 1, 2"
    )


def test_migrated_is_new(
    url: str,
    ask: Callable[[str], list[tuple[Any, ...]]],
    do: Callable[..., None],
    tmp_path: Path,
) -> None:
    open_store(url, create=True).close()
    new = columns(ask)
    with earlier_known(tmp_path / "migrations"):
        make_earlier(url)
        assert columns(ask) != new
        open_store(url).close()
    assert columns(ask) == new
    do("drop schema public cascade", "create schema public")
    upgrade(url)
    assert columns(ask) == new


def graphscore(*words: str) -> str:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_line(url: str, tmp_path: Path) -> None:
    """Ingest, score, score again, errors: the same scores and signatures."""
    answers = []
    sides = ("--gold", "gold", "--system", "system")
    for store in (url, str(tmp_path / "runs.db")):
        graphscore("ingest", store, str(DATA / "gold.mrp"), "--as", "gold")
        graphscore("ingest", store, str(DATA / "alder.mrp"), "--as", "system")
        scored = ("score", store, *sides, "-m", "mrp,smatch", "--json")
        first, again = graphscore(*scored), graphscore(*scored)
        assert json.loads(again)["results"][0]["reused"] == 73
        worst = graphscore("items", store, *sides, "-m", "mrp", "--json")
        errors = graphscore("errors", store, *sides, "-m", "mrp", "--json")
        answers.append((first, again, *map(json.loads, (worst, errors))))
    for ours, theirs in zip(*answers, strict=True):
        assert ours == theirs


def test_two_writers_wait_for_each_other(url: str, database: Database) -> None:
    script = (
        "import sys\n"
        "from tests.store.conftest import bark, put, read\n"
        "from graphscore.store.opening import open_store\n"
        "with open_store(sys.argv[1], create=True) as database:\n"
        "    for n in range(8):\n"
        "        graphs = read(*(bark(f'{sys.argv[2]}{n}-{i}') for i in range(9)))\n"
        "        put(database, graphs, 'gold', f'{sys.argv[2]}{n}')\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, url, name], cwd=ROOT)
        for name in "ab"
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    assert rows(database, "select count(*), count(distinct id) from graph") == [
        (144, 144)
    ]
    assert rows(
        database,
        "select count(*) from (select 1 from symbol group by text, "
        "type having count(*) > 1) t",
    ) == [(0,)]


def test_who_only_reads_is_told_what_is_outdated(
    database: Database, url: str, do: Callable[..., None]
) -> None:
    fill(database)
    later = {"mrp": 2, "edm": 1}.get
    asked = "select distinct metric, evaluation from v_scores order by metric"
    said = lambda: list(query(url, asked, revision_of=later)[1])  # noqa: E731
    assert said() == [("edm", "done"), ("mrp", "outdated")]
    assert list(query(url, asked)[1]) == [("edm", "done"), ("mrp", "done")]
    # A role that may make no views asks all the same.
    do(
        "create role asker login",
        f"revoke temporary on database {make_url(url).database} from public",
        "grant select on all tables in schema public to asker",
    )
    try:
        url = make_url(url).set(username="asker").render_as_string(False)
        assert said() == [("edm", "done"), ("mrp", "done")]
    finally:
        do("drop owned by asker", "drop role asker")
