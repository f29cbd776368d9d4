"""Asking the store: any SQL, read-only."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator
from typing import Any

from sqlalchemy.exc import DBAPIError

from graphscore.errors import UsageError
from graphscore.store.database import BUSY_TIMEOUT, Database
from graphscore.store.failures import error_code
from graphscore.store.opening import open_store
from graphscore.store.revisions import RevisionOf


def query(
    store: str | os.PathLike[str],
    sql: str,
    *,
    busy_timeout: float = BUSY_TIMEOUT,
    revision_of: RevisionOf | None = None,
) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
    """Ask the store in SQL; the database refuses to change anything.

    Args:
        store: path or URL.
        sql: one statement.
        busy_timeout: seconds to wait for a lock.
        revision_of: the revision that a metric has now, by its canonical string.

    Returns:
        Names of the columns, and the rows, read as they are asked for.

    Raises:
        UsageError: the statement is wrong, or gives no rows.
        StoreError: the store cannot be read, or the statement would write.
    """
    database = open_store(
        store, read_only=True, busy_timeout=busy_timeout, revision_of=revision_of
    )
    rows = _answer(database, sql)
    try:
        columns = next(rows)
    except BaseException:
        rows.close()
        raise
    return columns, rows


def _answer(database: Database, sql: str) -> Generator[Any, None, None]:
    """The columns, then the rows; the store is closed behind the last."""
    with database, database.reading() as connection:
        try:
            result = connection.exec_driver_sql(sql)
        except DBAPIError as error:
            if error_code(error) == sqlite3.SQLITE_ERROR or isinstance(
                error.orig, sqlite3.ProgrammingError
            ):
                raise UsageError(f"in the SQL: {error.orig}") from error
            raise
        if not result.returns_rows:
            raise UsageError("the SQL gives no rows; a query begins with select")
        yield tuple(result.keys())
        for row in result:
            yield tuple(row)


def literal(value: str) -> str:
    """A string as SQL writes it.

    Args:
        value: any string.

    Returns:
        The literal, quoted.

    Example:
        >>> print(literal("it's"))
        'it''s'
    """
    if "\x00" in value:
        raise UsageError("a name cannot hold the NUL character")
    return "'" + value.replace("'", "''") + "'"
