"""What goes wrong with a server: one sentence each, and never a password."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from graphscore import Graph, Store
from graphscore.cli.main import cli
from graphscore.exceptions import InputError, LockedError, StoreError, UsageError
from graphscore.formats.base import Record
from graphscore.model.graph import Anchor, Node
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.read.load import identities, load_graphs
from graphscore.store.write.ingestion import ingest
from tests.databases import query
from tests.store.conftest import bark, put, read, rows

PASSWORD = "Xq7%@ :/w?Zk9"
"""Everything that has a meaning in a URL."""


@pytest.fixture
def guarded(url: str, do: Callable[..., None]) -> Iterator[str]:
    """The URL of a role that has to say its password."""
    [(data,)] = _settings(url, "data_directory")
    rules = Path(data) / "pg_hba.conf"
    before = rules.read_text()
    do(f"create role secretive login password '{PASSWORD}'")
    rules.write_text("local all secretive scram-sha-256\n" + before)
    do("select pg_reload_conf()")
    shown = make_url(url).set(username="secretive", password=PASSWORD)
    yield shown.render_as_string(hide_password=False)
    rules.write_text(before)
    do("select pg_reload_conf()", "drop owned by secretive", "drop role secretive")


def _settings(url: str, name: str) -> list[tuple[str]]:
    import psycopg

    with psycopg.connect(url) as connection:
        return connection.execute(b"select current_setting(%s)", (name,)).fetchall()


def graphscore(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, words)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def refused(url: str) -> str:
    with pytest.raises(StoreError) as raised:
        open_store(url, create=True)
    said = str(raised.value)
    assert "\n" not in said
    return said


def test_what_cannot_be_reached(url: str) -> None:
    there = make_url(url)
    for other, told in (
        (there.set(database="nowhere"), 'database "nowhere" does not exist'),
        (there.set(username="nobody"), 'role "nobody" does not exist'),
        (there.set(query={"host": "/nowhere"}), "No such file"),
        (make_url("postgresql://127.0.0.1:1/runs"), "refused"),
        (make_url("postgresql://host.invalid/runs"), "host.invalid"),
    ):
        assert told in refused(other.render_as_string(hide_password=False))
    with pytest.raises(StoreError, match="an empty database"):
        open_store(url)


def test_passwords_stay_secret(guarded: str, do: Callable[..., None], url: str) -> None:
    secret = quote(PASSWORD, safe="")
    right = make_url(guarded)
    wrong = right.set(password=PASSWORD + "wrong")
    plain = right.set(password=None).render_as_string(hide_password=False)
    urls = [
        guarded,
        wrong.render_as_string(hide_password=False),
        f"{plain}&password={secret}wrong",
        f"{plain}&%70assword={secret}wrong",
        f"{plain}&passfile=/{secret}&sslpassword={secret}",
        f"postgres://secretive:{PASSWORD}@/runs",
        f"postgresql+asyncpg://secretive:{secret}@/runs",
        f"mysql://secretive:{secret}@host/runs",
        f"postgresql://secretive:{secret}@host:port/runs",
    ]
    for each in urls:
        for verb in (
            ("store", "list", each),
            ("query", each, "select 1"),
            ("score", each, "--gold", "a", "--system", "b"),
            ("store", "migrate", each),
        ):
            code, said = graphscore(*verb)
            assert code in (2, 3), (verb, said)
            for piece in (PASSWORD, secret, "Xq7", "Zk9", "wrong"):
                assert piece not in said, (verb, said)
    do("grant all on schema public to secretive")
    with Store(guarded, mode="create") as store:
        report = store.add([Graph("1", "amr", 2)], "gold")
        shown = [repr(store), store.url, repr(store._database.engine), repr(report)]
        assert list(store.query("select item from v_graphs")[1]) == [("1",)]
    for verb in ("migrate", "list"):
        for form in ("--json", "--jsonl", "--csv", "--table", "--markdown", "--latex"):
            code, said = graphscore("store", verb, guarded, form)
            assert code == 0, (verb, said)
            shown.append(said)
    for piece in (PASSWORD, secret, "Xq7", "Zk9"):
        assert piece not in "".join(shown)


def test_a_server_that_goes_away(database: Database, do: Callable[..., None]) -> None:
    def interrupted() -> None:
        with database.writing() as connection:
            [(number,)] = connection.exec_driver_sql("select pg_backend_pid()")
            do(f"select pg_terminate_backend({number})")
            connection.exec_driver_sql("select 1")

    with pytest.raises(StoreError, match="server") as raised:
        interrupted()
    assert "\n" not in str(raised.value)
    put(database, read(bark("1")))
    assert rows(database, "select count(*) from graph") == [(1,)]


def test_a_server_that_goes_away_between_rows(database: Database, url: str) -> None:
    _, found = query(url, "select pg_backend_pid() from generate_series(1, 100000)")
    [number] = next(found)
    with database.engine.connect() as connection:
        connection.exec_driver_sql(f"select pg_terminate_backend({number})")
    with pytest.raises(StoreError) as raised:
        list(found)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("gone", [True, False], ids=["server", "interrupt"])
def test_half_a_file_leaves_nothing(
    database: Database, do: Callable[..., None], gone: bool
) -> None:
    def records() -> Iterator[Record]:
        yield from read(*(bark(str(n)) for n in range(600)))
        if not gone:
            raise KeyboardInterrupt
        do(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where pid <> pg_backend_pid() and datname = current_database()"
        )
        yield from read(*(bark(str(n)) for n in range(600, 1200)))

    options = {"path": "a", "format": "mrp", "digest": b"1", "collection": "gold"}
    with pytest.raises((StoreError, KeyboardInterrupt)) as raised:
        ingest(database, records(), **options)  # type: ignore[arg-type]
    assert raised.type is (StoreError if gone else KeyboardInterrupt)
    assert rows(database, "select count(*) from graph") == [(0,)]
    assert rows(database, "select count(*) from symbol") == [(0,)]
    put(database, read(bark("1")))
    with database.reading() as connection:
        known = [one.graph for one in identities(connection, "gold")]
        assert list(load_graphs(connection, known).values()) == [bark("1")]


def test_names_that_text_cannot_hold(database: Database) -> None:
    for name, told in (("a\x00", "NUL"), ("a\ud800", r"U\+D800")):
        with pytest.raises(UsageError, match=told):
            put(database, read(bark("1")), name)
    item = "".join(map(chr, range(300, 9000)))
    with pytest.raises(StoreError, match="longer than the database can look up"):
        put(database, read(bark(item)))


def test_who_writes_meanwhile_is_waited_for(url: str, database: Database) -> None:
    with open_store(url, wait=0.2) as other, database.writing():
        with pytest.raises(LockedError, match=rf"process {os.getpid()} on "):
            put(other, read(bark("1")))
        assert rows(other, "select count(*) from graph") == [(0,)]


def test_nul_is_named(database: Database) -> None:
    label, text = bark("2", "a\x00b"), bark("3", text="x\x00")
    with pytest.raises(InputError) as raised:
        put(database, read(bark("1"), label, text, bark("4\x00")))
    told = [str(problem) for problem in raised.value.problems]
    assert [problem.line for problem in raised.value.problems] == [2, 3, 4]
    assert "U+0000 in node 1 (item '2')" in told[0]
    assert "U+0000 in its text (item '3')" in told[1]
    assert rows(database, "select count(*) from graph") == [(0,)]
    report = put(database, read(bark("1"), label), keep_going=True)
    assert (report.graphs, report.rejected) == (1, 1)


def test_wide_numbers_and_long_labels(database: Database) -> None:
    node = Node(0, 2**80, (("n", 10**30),), (Anchor(2**40, 2**62),))
    graph = bark("1", nodes=(node,), edges=(), tops=(0,), flavor=2**40)
    long = bark("2", "".join(map(chr, range(300, 9000))))
    put(database, read(graph, long))
    with database.reading() as connection:
        known = [one.graph for one in identities(connection, "gold")]
        assert list(load_graphs(connection, known).values()) == [graph, long]
    lone = bark("3", "\ud800")
    with pytest.raises(InputError):
        put(database, read(lone), path="b.mrp")
