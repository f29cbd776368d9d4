"""Two who write, those who read meanwhile, and one who is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from graphscore import Store
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from tests.conftest import ROOT
from tests.databases import query
from tests.store.conftest import bark, put, read, rows

WRITES = """
import sys
from tests.store.conftest import bark, put, read
from graphscore import Store
url, name = sys.argv[1:]
with Store(url, mode="write") as store:
    for n in range(6):
        graphs = [bark(f"{name}{n}-{i}", f"v{i}") for i in range(9)]
        put(store._database, read(*graphs), name, f"{name}{n}")
        store.add([bark(f"{name}{n}-{i}", f"w{i}") for i in range(9)], f"{name}-system")
        print(store.score(name, f"{name}-system", "mrp").pairs, flush=True)
"""


@contextmanager
def python(code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_two_write_and_others_read(url: str, database: Database) -> None:
    """Ingest and score in turns; whoever reads meanwhile sees whole files."""
    states = set()
    count = (
        "select count(*), count(distinct i.path), count(distinct g.ingest) "
        "from graph g join ingest i on i.id = g.ingest"
    )
    with (
        python(WRITES, url, "a") as one,
        python(WRITES, url, "b") as other,
        open_store(url, read_only=True) as reader,
    ):
        while one.poll() is None or other.poll() is None:
            with reader.reading() as connection:
                first = connection.exec_driver_sql(count).one()
                items = "select count(*), count(distinct evaluation) from pair"
                pairs, _ = connection.exec_driver_sql(items).one()
                time.sleep(0.02)
                assert connection.exec_driver_sql(count).one() == first
                assert connection.exec_driver_sql(items).one()[0] == pairs
            assert first[0] % 9 == 0
            assert pairs % 9 == 0
            states.add(tuple(first))
        assert [one.wait(), other.wait()] == [0, 0]
    assert len(states) > 3
    for name in "ab":
        sql = f"select count(*), sum(proven) from v_items where gold = '{name}'"
        assert rows(database, sql) == [(54, 54)]
    symbols = "select 1 from symbol group by text, type having count(*) > 1"
    assert rows(database, symbols) == []


HOLDS = """
import sys
from graphscore.store.opening import open_store
from tests.store.conftest import bark, put, read
from tests.databases import query
from tests.databases import query
with open_store(sys.argv[1]) as database, database.writing() as connection:
    connection.exec_driver_sql("delete from graph")
    print("writing", flush=True)
    connection.exec_driver_sql(sys.argv[2]).all()
"""


@pytest.mark.parametrize(
    "busy", ["select pg_sleep(60)", "select count(*) from generate_series(1, 1e12)"]
)
def test_who_is_killed_blocks_nobody(url: str, database: Database, busy: str) -> None:
    """Even in the middle of a long statement, of which the server knows nothing."""
    put(database, read(bark("1")))
    with python(HOLDS, url, busy) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        put(database, read(bark("2")), path="b.mrp")
    assert rows(database, "select item from v_graphs order by item") == [("1",), ("2",)]


def test_the_server_looks_after_its_clients(
    url: str, ask: Callable[[str], list[tuple[Any, ...]]]
) -> None:
    with Store(url, mode="create") as store:
        setting = "select current_setting('client_connection_check_interval') as s"
        [(interval,)] = store.query(setting)[1]
    assert interval == "1s"
    assert list(query(url, "select 1")[1]) == [(1,)]
