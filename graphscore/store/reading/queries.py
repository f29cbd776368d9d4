"""Asking the store: any SQL, read-only, and the usual questions about errors.

The helpers say their SQL, with all values written in, so that it can be copied
and changed.  They only use the public views.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from graphscore.errors import UsageError
from graphscore.store.database import BUSY_TIMEOUT, Database
from graphscore.store.failures import error_code
from graphscore.store.opening import open_store


class ErrorRow(NamedTuple):
    """A row of ``v_errors``."""

    gold: str
    system: str
    metric: str
    framework: str
    language: str
    document: str
    item: str
    side: str
    kind: str
    object: str
    gold_ordinal: int | None
    system_ordinal: int | None
    label: str | None
    name: str
    value: str | None
    type: str | None
    compared: str | None
    reason: str
    credit: float


_ORDER = ("kind", "side", "gold_ordinal", "system_ordinal", "name", "value")


def query(
    store: str | os.PathLike[str], sql: str, *, busy_timeout: float = BUSY_TIMEOUT
) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
    """Ask the store in SQL; the database refuses to change anything.

    Args:
        store: path or URL.
        sql: one statement.
        busy_timeout: seconds to wait for a lock.

    Returns:
        Names of the columns, and the rows, read as they are asked for.

    Raises:
        UsageError: the statement is wrong, or gives no rows.
        StoreError: the store cannot be read, or the statement would write.
    """
    database = open_store(store, read_only=True, busy_timeout=busy_timeout)
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


def errors(
    connection: Connection,
    *,
    gold: str | None = None,
    system: str | None = None,
    metric: str | None = None,
    framework: str | None = None,
    document: str | None = None,
    item: str | None = None,
    kind: str | None = None,
    side: str | None = None,
    limit: int | None = None,
) -> Iterator[ErrorRow]:
    """Single errors, filtered.

    Args:
        connection: an open store.
        gold: name of the gold collection.
        system: name of the system collection.
        metric: canonical string of the metric.
        framework: short name of the framework.
        document: the document.
        item: the item.
        kind: the kind of tuple, as ``edges``.
        side: ``missing``, ``surplus`` or ``partial``.
        limit: at most so many.

    Yields:
        The errors, by evaluation, unit, kind and side.
    """
    where = _where(
        gold=gold,
        system=system,
        metric=metric,
        framework=framework,
        document=document,
        item=item,
        kind=kind,
        side=side,
    )
    columns = ", ".join(ErrorRow._fields)
    order = ", ".join((*ErrorRow._fields[:7], *_ORDER))
    sql = f"select {columns}\nfrom v_errors{where}\norder by {order}{_limit(limit)}"
    for row in connection.exec_driver_sql(sql):
        yield ErrorRow(*row)


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


def _where(**wanted: str | None) -> str:
    given = [
        f"{name} = {literal(value)}"
        for name, value in wanted.items()
        if value is not None
    ]
    return f"\nwhere {' and '.join(given)}" if given else ""


def _limit(limit: int | None) -> str:
    return "" if limit is None else f"\nlimit {int(limit)}"
