"""Databases of the server, and ways past graphscore."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from sqlalchemy import URL

from graphscore.store.database import Database
from graphscore.store.opening import open_store
from tests.databases import execute, said

_numbers = count()


@pytest.fixture
def url(server: URL) -> str:
    """The URL of a new, empty database."""
    name = f"runs{next(_numbers)}"
    execute(server, f"create database {name}")
    return said(server.set(database=name))


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with open_store(url, create=True) as opened:
        yield opened


@pytest.fixture
def do(url: str) -> Callable[..., None]:
    """Runs statements as the owner of the server."""

    def run(*statements: str, on: str = url) -> None:
        execute(on, *statements)

    return run


@pytest.fixture
def ask(url: str) -> Callable[[str], list[tuple[Any, ...]]]:
    """Asks the server itself, past graphscore."""

    def run(sql: str) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(url) as connection:
            return connection.execute(sql.encode()).fetchall()

    return run
