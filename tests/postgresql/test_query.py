"""A query only reads, one statement at a time, whoever asks."""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from graphscore.exceptions import StoreError, UsageError
from graphscore.store.database import Database
from tests.conftest import ROOT
from tests.databases import query
from tests.store.conftest import bark, put, read, score

HOSTILE = (
    "commit; delete from error_count",
    "select 1; delete from error_count",
    "select 1; commit; delete from error_count",
    "rollback; begin read write; delete from error_count; commit",
    "delete from error_count",
    "/* select */ delete from error_count",
    "-- select\ndelete from error_count returning *",
    "with x as (delete from error_count returning 1) select * from x",
    "with x as (select 1) delete from error_count",
    "with x as (values (1)) insert into error_count select 1, 'a', 'b', 1",
    "select * into stolen from error_count",
    "create table stolen as select * from error_count",
    "explain analyze delete from error_count",
    "set transaction read write",
    "set default_transaction_read_only = off",
    "set session characteristics as transaction read write",
    "reset all",
    "begin",
    "commit",
    "copy error_count to program 'touch /tmp/stolen'",
    "copy error_count from program 'true'",
    "do $$ begin delete from error_count; end $$",
    "call nothing()",
    "prepare x as delete from error_count",
    "execute x",
    "declare c cursor for select 1",
    "truncate error_count",
    "lock table error_count",
    "notify x",
    "listen x",
    "vacuum",
    "select * from error_count for update",
    "select set_config('transaction_read_only', 'off', false)",
    "select pg_catalog.set_config('transaction_read_only', 'off', false)",
    "select \"set_config\"('transaction_read_only', 'off', false)",
    "select PG_Terminate_Backend (pg_backend_pid())",
    "select pg_sleep/**/(1)",
    "select lo_import('/etc/passwd')",
    "select lo_create(0)",
    "select pg_read_file('/etc/passwd')",
    "select nextval('counter')",
    "select pg_advisory_lock(1)",
    "select pg_notify('x', 'y')",
    "select query_to_xml('select pg_sleep(1)', true, true, '')",
    'select U&"pg\\005fsleep"(1)',
    "select public.wipe()",
)


@pytest.fixture
def filled(database: Database) -> Database:
    put(database, read(*(bark(str(n), f"100%x{n}") for n in range(3))))
    put(database, read(*(bark(str(n)) for n in range(3))), "peking")
    score(database)
    return database


@pytest.mark.parametrize("hostile", [HOSTILE], ids=["all"])
def test_nothing_but_reading(
    filled: Database,
    url: str,
    do: Callable[..., None],
    ask: Callable[[str], list[tuple[Any, ...]]],
    hostile: tuple[str, ...],
) -> None:
    do(
        "create sequence counter",
        "create function wipe() returns int language plpgsql as "
        "'begin delete from error_count; return 1; end'",
    )
    sql = "select * from error_count order by 1, 2, 3"
    before = ask(sql)
    assert before
    for each in hostile:
        with pytest.raises((StoreError, UsageError)) as raised:
            list(query(url, each)[1])
        assert "\n" not in str(raised.value), each
    assert ask(sql) == before
    assert ask("select last_value, is_called from counter") == [(1, False)]
    assert ask("select count(*) from pg_largeobject_metadata") == [(0,)]
    assert ask("select to_regclass('stolen')") == [(None,)]
    assert ask("select count(*) from pg_locks where locktype = 'advisory'") == [(0,)]


@pytest.mark.parametrize(
    ("sql", "answer"),
    [
        ("select '100%' like '%0\\%'", 1),
        ("select null = true", None),
        ("select '12:30'", "12:30"),
        ("select 7 % 4", 3),
        ("select '%s %(x)s :name ?'", "%s %(x)s :name ?"),
        ("select 1;", 1),
        ("(select 1)", 1),
        ("values (1)", 1),
        ("with x as (select 1) select * from x", 1),
        ("select sum(errors) from v_error_counts", 9),
        ("-- first\nselect 1 /* second */", 1),
    ],
)
def test_signs_stand_for_themselves(
    filled: Database, url: str, sql: str, answer: object
) -> None:
    [(found,)] = query(url, sql)[1]
    assert found == answer
    assert type(found) is type(answer)


def test_wrong_sql(filled: Database, url: str) -> None:
    for sql, said in (
        ("select nonsense from v_graphs", "no such column: nonsense (did you"),
        ("select g.itm from v_graphs g", "no such column: g.itm (did you mean 'item'"),
        ("select * from nowhere", "no such table: nowhere"),
        ("select * from v_graph", "no such table: v_graph (did you mean 'v_graphs'?"),
        ("select nothing(1)", "no such function: nothing(integer)"),
        ("selekt 1", "begins with select"),
        ("select 1; select 2", "one statement"),
        ("", "begins with select"),
        ("select 1 / 0", "division by zero"),
        ("select 'a\x00b'", "U+0000"),
        ("select '\ud800'", "U+D800"),
    ):
        with pytest.raises(UsageError, match=re.escape(said)):
            list(query(url, sql)[1])


def test_rows_come_as_they_are_asked_for(url: str, database: Database) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, found = query(url, "select repeat('x', 1000) from generate_series(1, 200000)")
    assert sum(len(text) for (text,) in found) == 200_000_000
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 30_000  # KiB


def test_an_interrupt_ends_it(url: str, database: Database) -> None:
    code = "from graphscore.cli.main import main; main()"
    sql = "select count(*) from generate_series(1, 100000000000)"
    with subprocess.Popen(
        [sys.executable, "-c", code, "query", url, sql],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        busy = (
            "select 1 from pg_stat_activity "
            "where query like 'FETCH%' and pid <> pg_backend_pid()"
        )
        deadline = time.monotonic() + 30
        while not list(query(url, busy)[1]) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr is not None
        assert process.stderr.read() == "interrupted\n"
    time.sleep(0.1)
    assert not list(query(url, busy)[1])
