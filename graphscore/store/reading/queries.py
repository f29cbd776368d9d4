"""Asking the store: any SQL, read-only."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Generator, Iterator
from typing import Any

from sqlalchemy.exc import DBAPIError

from graphscore.errors import StoreError, UsageError
from graphscore.store.database import BUSY_TIMEOUT, Database
from graphscore.store.failures import error_code, sql_state
from graphscore.store.opening import open_store
from graphscore.store.postgres import refuse_effects, wrong_sql
from graphscore.store.revisions import RevisionOf

_UNSAYABLE = re.compile("[\\x00\\ud800-\\udfff]")


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
    _refuse_unsayable(sql)
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


def _refuse_unsayable(sql: str) -> None:
    """Refuse what no database is told: it would be cut off there, or cannot be sent."""
    found = _UNSAYABLE.search(sql)
    if found is not None:
        raise UsageError(f"in the SQL: found the character U+{ord(found[0]):04X}")


def _answer(database: Database, sql: str) -> Generator[Any, None, None]:
    """The columns, then the rows; the store is closed behind the last."""
    with database, database.reading() as connection:
        # Signs of parameters, of which there are none, stand for themselves.
        options = {"no_parameters": True}
        if connection.dialect.name == "postgresql":
            refuse_effects(connection, sql)
            # A cursor of the server takes one statement, and only one that reads;
            # rows are fetched as they are asked for.
            options["stream_results"] = True
        try:
            result = connection.execution_options(**options).exec_driver_sql(sql)
            if not result.returns_rows:
                raise UsageError("the SQL gives no rows; a query begins with select")
            yield tuple(result.keys())
            for row in result:
                yield tuple(row)
        except DBAPIError as error:
            raise _blamed(error, sql, database.name) from error


def _blamed(error: DBAPIError, sql: str, store: str) -> Exception:
    """What to raise: the query is wrong, or something is with the store."""
    if error_code(error) == sqlite3.SQLITE_ERROR or isinstance(
        error.orig, sqlite3.ProgrammingError
    ):
        return UsageError(f"in the SQL: {error.orig}")
    if sql_state(error):
        found = wrong_sql(error.orig, sql)
        if isinstance(found, StoreError):
            return StoreError(f"{store}: {found}")
        if found is not None:
            return found
    return error


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
