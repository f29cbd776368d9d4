"""Check that rows are as they were written, and report those that are not.

A database file can be damaged below the database's notice, and other programs can write
into it.  So rows are looked at where they come out, all of a table's at once and in C,
before anything is made of them.  What does not fit is a :class:`FaultError`: it names
table, row and column; the open store puts its name before it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    LargeBinary,
    Table,
    Text,
)
from sqlalchemy.exc import DBAPIError

from graphscore.exceptions import truncate

REMEDY = "restore the store from a copy, or ingest and score again"

LONGEST = 80
"""Characters of a value that a message shows."""

_NAMES: dict[Any, str] = {
    bool: "a truth value",
    str: "text",
    bytes: "bytes",
    float: "a number",
    int: "an integer",
}

_UNDECODED = re.compile(r"Could not decode to UTF-8 column '(.*?)'", re.DOTALL)
"""Message of Python's SQLite driver about an undecodable cell."""

_PLACE = re.compile(r"\$\[(\d+)\]\[(\d+)\]")

UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Errors of making objects out of rows that graphscore did not write."""


class FaultError(Exception):
    """Fault of a store whose name is not known yet."""


def damaged(what: str) -> FaultError:
    """The fault of a store that is not as it was written.

    Args:
        what: the place, and what is wrong there.

    Example:
        >>> print(damaged("table graph, row 7: no text"))  # doctest: +ELLIPSIS
        is damaged: table graph, row 7: no text; restore the store from a copy, or ...
    """
    return FaultError(f"is damaged: {what}; {REMEDY}")


def changed(what: str) -> FaultError:
    """The fault of a store in which something that was there is there no more.

    Args:
        what: what that is.
    """
    return FaultError(f"changed while it was being worked on ({what}); run again")


def misfit(
    table: str, key: Iterable[Any], column: str, found: Any, expected: str
) -> FaultError:
    """The fault of one cell.

    Args:
        table: its table.
        key: the row, by its key.
        column: its column.
        found: what stands there.
        expected: what should stand there.

    Example:
        >>> print(misfit("node", (3, 0), "label", b"x", "an integer"))
        ... # doctest: +ELLIPSIS
        is damaged: table node, row 3, 0, column label: found b'x', expected an ...
    """
    row = ", ".join(map(shown, key))
    return damaged(
        f"table {table}, row {row}, column {column}: "
        f"found {shown(found)}, expected {expected}"
    )


def shown(value: Any) -> str:
    """A cell as a message shows it, however long it is.

    Args:
        value: anything a database gives.

    Example:
        >>> shown(None), shown("a" * 1000)[-22:]
        ('NULL', "aa' (1,000 characters)")
    """
    if value is None:
        return "NULL"
    if isinstance(value, (str, bytes)):
        # What is shown is cut at once: it may be a gigabyte.
        return truncate(repr(value[:LONGEST]), LONGEST, len(value))
    return repr(value)


def kind_of(column: Column[Any]) -> Any:
    """The Python type of a column's cells, as msgspec is told it.

    Args:
        column: of the schema.
    """
    result: Any
    if isinstance(column.type, Boolean):
        # The driver of SQLite gives numbers, others give truth values.
        result = bool | int
    elif isinstance(column.type, BigInteger) or column.name in ("start", "stop"):
        result = int
    elif isinstance(column.type, Integer):
        # Ids, positions and counts: a negative one would count from the end.
        result = Annotated[int, msgspec.Meta(ge=0)]
    elif isinstance(column.type, Text):
        result = str
    elif isinstance(column.type, LargeBinary):
        result = bytes
    else:
        result = float if isinstance(column.type, Float) else int | float
    return result | None if column.nullable else result


@lru_cache(maxsize=256)
def _rows(kinds: tuple[Any, ...]) -> Any:
    return list[tuple[kinds]]  # type: ignore[valid-type]


def checked(
    rows: Iterable[Sequence[Any]],
    columns: Sequence[Column[Any]],
    kinds: Sequence[Any] | None = None,
    key: int = 1,
) -> list[tuple[Any, ...]]:
    """Rows, each cell of which has the type of its column.

    Args:
        rows: as the database gives them.
        columns: of the schema, one for each cell.
        kinds: types of the cells where they are not those of their columns.
        key: how many of the first cells name the row.

    Returns:
        The rows as tuples.

    Raises:
        FaultError: naming the first cell that does not fit.
    """
    try:
        # Of the database all rows at once, as one by one is dear.
        fetch = getattr(rows, "fetchall", None)
        result: list[Any] = list(rows) if fetch is None else fetch()
        if result and type(result[0]) is not tuple:
            result = list(map(tuple, result))
    except (DBAPIError, sqlite3.Error) as error:
        name = _UNDECODED.search(str(error))
        named = [column for column in columns if name and column.name == name[1]]
        if not named:
            raise
        raise damaged(
            f"table {named[0].table}, column {named[0].name}: found text that is not "
            "UTF-8, expected UTF-8"
        ) from error
    expected = tuple(map(kind_of, columns) if kinds is None else kinds)
    try:
        msgspec.convert(result, _rows(expected))
    except msgspec.ValidationError as error:
        match = _PLACE.search(str(error))
        if match is None:
            raise damaged(f"table {columns[0].table}: {error}") from error
        row, cell = map(int, match.groups())
        column = columns[cell]
        raise misfit(
            str(column.table),
            result[row][:key],
            column.name,
            result[row][cell],
            _expected(expected[cell]),
        ) from error
    return result


def _expected(kind: Any) -> str:
    """A type in words."""
    names = []
    for member in getattr(kind, "__args__", None) or (kind,):
        plain = getattr(member, "__origin__", member)
        if plain is not type(None):
            names.append(_NAMES.get(plain, str(plain)))
    if names == ["an integer"] and "ge=0" in str(kind):
        return "an integer of 0 or more"
    return " or ".join(names)


def whole_rows(rows: Iterable[Sequence[Any]], table: Table) -> list[tuple[Any, ...]]:
    """All columns of a table's rows, each cell of its column's type.

    Args:
        rows: as the database gives them.
        table: of the schema, whose key comes first.

    Raises:
        FaultError: naming the first cell that does not fit.
    """
    columns = tuple(table.columns)
    return checked(rows, columns, key=len(table.primary_key.columns))


@contextmanager
def understood(what: Callable[[], str]) -> Iterator[None]:
    """Turn failures to make objects from rows into faults of the store.

    Nothing but that may happen inside, lest a defect of the library is taken for one
    of the store.

    Args:
        what: says what was being read.

    Raises:
        FaultError: in place of any of :data:`UNREADABLE`.
    """
    try:
        yield
    except UNREADABLE as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise damaged(f"{what()} cannot be read: {truncate(reason)}") from error
