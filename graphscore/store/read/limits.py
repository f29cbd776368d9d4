"""Limits of what is asked of a store: its time, its rows, how long a value may be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from threading import Event
from time import monotonic
from typing import Any, NamedTuple, TypeVar, cast

from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError

from graphscore.exceptions import GraphscoreError
from graphscore.store.database import LISTENING, listen
from graphscore.store.database_errors import error_code, sql_state
from graphscore.store.read.expressions import watched

T = TypeVar("T")

_STEP = 2_000
"""Instructions of SQLite after which the time is looked at."""

_CANCELLED = "57014"
"""PostgreSQL's code of a statement that took too long."""


_NUMBER = 8
"""Bytes that a number counts, and what is no value."""


class TooLongError(GraphscoreError):
    """A question that was not answered in its time."""

    exit_code = 3


class TooLargeError(GraphscoreError):
    """An answer that is longer than it may be."""

    exit_code = 3


class Limits(NamedTuple):
    """Limits on the cost of a query."""

    seconds: float = inf
    rows: int = 0
    cell: int = 0
    """Bytes of the longest value that may be made; 0 is as many as SQLite allows."""
    bytes: int = 0
    """Bytes of all rows together; 0 is any number."""
    memory: int = 0
    """Bytes that SQLite may take in this process, from the question on and whatever
    is asked next; 0 is as many as there are."""


def in_time(rows: Iterable[T], seconds: float) -> Iterator[T]:
    """Rows as they come, until their time is over.

    A server is asked for some rows after others, each time anew.

    Args:
        rows: anything that is asked for bit by bit.
        seconds: how long they may be asked for.

    Raises:
        TooLongError: when the time is over.
    """
    deadline = monotonic() + seconds
    for row in rows:
        if monotonic() > deadline:
            raise TooLongError(stopped_after(seconds))
        yield row


def stopped_after(seconds: float) -> str:
    """Return what is said of a question that took too long.

    Args:
        seconds: the limit.
    """
    return f"stopped after {seconds:g} seconds, which is the limit"


def size_of(row: Iterable[Any]) -> int:
    """Return the bytes of a row: of texts in UTF-8, and eight of any other value.

    Args:
        row: its values.

    Example:
        >>> size_of(("naïve", b"123", 7, None))
        25
    """
    total = 0
    for value in row:
        if isinstance(value, str) and not value.isascii():
            total += len(value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, str | bytes):
            total += len(value)
        elif value is None or isinstance(value, int | float):
            total += _NUMBER
        else:
            # Databases with more types than SQLite give lists and the like.
            total += len(str(value))
    return total


def whole(rows: Iterable[T], most: int, remedy: str) -> Iterator[T]:
    """Yield rows as they come, unless all of them together are too long.

    Args:
        rows: of an answer.
        most: bytes that they may have; 0 is any number.
        remedy: what to do, for the error.

    Raises:
        TooLargeError: in place of the row with which there are too many.
    """
    total = 0
    for number, row in enumerate(rows):
        total += size_of(cast(Iterable[Any], row)) if most else 0
        if total > most:
            raise TooLargeError(
                f"stopped after {number:,} rows: the answer is longer than "
                f"{most:,} bytes, which is the limit; {remedy}"
            )
        yield row


def taken(
    rows: Iterable[tuple[Any, ...]], limits: Limits
) -> tuple[list[tuple[Any, ...]], str]:
    """Return the first rows, and the limit that left others out.

    Args:
        rows: of an answer.
        limits: how many rows there may be, and how many bytes.

    Raises:
        TooLargeError: the first row alone is too long.

    Example:
        >>> taken([(1,), (2,), (3,)], Limits(rows=2))
        ([(1,), (2,)], '2 rows')
    """
    kept: list[tuple[Any, ...]] = []
    total = 0
    for row in rows:
        if len(kept) == limits.rows:
            return kept, f"{limits.rows:,} rows"
        total += size_of(row) if limits.bytes else 0
        if total > limits.bytes:
            if not kept:
                raise TooLargeError(
                    f"the first row is longer than {limits.bytes:,} bytes, which is "
                    "the limit of an answer"
                )
            return kept, f"{limits.bytes:,} bytes"
        kept.append(row)
    return kept, ""


@contextmanager
def sized(connection: Connection, limits: Limits) -> Iterator[None]:
    """Let SQLite make no longer values, and take no more memory, than it may.

    Args:
        connection: of the store; afterwards its values may be as long as before.
        limits: how long a value, and how much memory.
    """
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        yield
        return
    if limits.memory:
        raw.execute(f"pragma hard_heap_limit = {limits.memory:d}")
    longest = raw.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    if limits.cell:
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.cell)
    try:
        yield
    finally:
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


@contextmanager
def bounded(
    connection: Connection, limits: Limits, stopped: Event | None = None
) -> Iterator[None]:
    """Have statements end when their time is over; their thread is free then.

    Args:
        connection: of the store; afterwards it is as it was.
        limits: how long all of them together, and how long a value.
        stopped: ends everything when it is set, as when the server does.

    Raises:
        TooLongError: when the time is over.
    """
    raw = connection.connection.driver_connection
    message = stopped_after(limits.seconds)
    deadline = monotonic() + limits.seconds
    if not isinstance(raw, sqlite3.Connection):
        with _timed(connection, raw, deadline):
            try:
                yield
            except DBAPIError as error:
                if sql_state(error) == _CANCELLED:
                    raise TooLongError(message) from None
                raise
        return
    ended = (stopped or Event()).is_set

    def over() -> bool:
        return ended() or monotonic() > deadline

    raw.set_progress_handler(over, _STEP)
    try:
        with sized(connection, limits), watched(raw, over):
            yield
    except DBAPIError as error:
        # An interrupt from the keyboard ends a statement in the same way.
        if error_code(error) == sqlite3.SQLITE_INTERRUPT and over():
            raise TooLongError(message) from None
        raise
    finally:
        raw.set_progress_handler(listen, LISTENING)


@contextmanager
def _timed(connection: Connection, raw: Any, deadline: float) -> Iterator[None]:
    """Give each statement of PostgreSQL the time that is left; 0 would be no limit."""

    def set_time(*_: object) -> None:
        left = max(1, int((deadline - monotonic()) * 1000))
        raw.execute(f"set local statement_timeout = {left:d}")

    event.listen(connection, "before_cursor_execute", set_time)
    try:
        yield
    finally:
        event.remove(connection, "before_cursor_execute", set_time)
