"""Writing what was made of collections only while they are what they were.

Scoring reads for long and writes now and then, and others may write in between.  Ids of
graphs that were removed are given to others, so what is known of them is looked at
again, under the lock, before anything that was made of them is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, func, select

from graphscore.store import schema
from graphscore.store.database import Database

Contents = list[tuple[Any, ...]]
"""The files that collections were made from, and which graphs are left of each."""


class ChangedContentsError(Exception):
    """Another process took out, or put in, what was being worked on."""


def contents(database: Database, names: Sequence[str]) -> Contents:
    """The state of collections, which is another whenever graphs come or go.

    Args:
        database: an open store.
        names: of the collections.
    """
    with database.reading() as connection:
        return _contents(connection, names)


def _contents(connection: Connection, names: Sequence[str]) -> Contents:
    file, held, graph = schema.ingest, schema.collection, schema.graph
    columns = (file.c.id, held.c.id, file.c.digest)
    left = func.count(graph.c.id), func.min(graph.c.id), func.max(graph.c.id)
    rows = connection.execute(
        select(*columns, *left)
        .join_from(file, held, held.c.id == file.c.collection)
        .join(graph, graph.c.ingest == file.c.id, isouter=True)
        .where(held.c.name.in_(names))
        .group_by(*columns)
        .order_by(file.c.id)
    )
    return [tuple(row) for row in rows]


class WatchedDatabase(Database):
    """An open store that is written only while collections are what they were.

    Args:
        database: the store.
        names: of the collections.
        before: their state when they were first read.
    """

    def __init__(
        self, database: Database, names: Sequence[str], before: Contents
    ) -> None:
        super().__init__(database.name, database.engine, database.read_only)
        self._database = database
        self._names = names
        self._before = before

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the store throughout.

        Yields:
            The connection; it is given back afterwards.
        """
        with self._database.reading() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, kept as a whole or not at all.

        Yields:
            A connection that holds the write lock.

        Raises:
            ChangedContentsError: graphs have come or gone; nothing is written.
        """
        with self._database.writing() as connection:
            if _contents(connection, self._names) != self._before:
                raise ChangedContentsError
            yield connection
