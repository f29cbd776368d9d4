"""Limits of what is asked of a store: its time, its rows, how long a value may be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError

from graphscore.errors import GraphscoreError
from graphscore.store.database import LISTENING, listen
from graphscore.store.failures import error_code, sql_state
from graphscore.store.reading.expressions import watched

T = TypeVar("T")

_STEP = 2_000
"""Instructions of SQLite after which the time is looked at."""

_CANCELLED = "57014"
"""What PostgreSQL says of a statement that took too long."""


class TooLongError(GraphscoreError):
    """A question that was not answered in its time."""

    exit_code = 3


class Limits(NamedTuple):
    """What a question may cost."""

    seconds: float
    rows: int = 0
    cell: int = 0
    """Bytes of the longest value that may be made; 0 is as many as SQLite allows."""


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
            raise TooLongError(_said(seconds))
        yield row


def _said(seconds: float) -> str:
    return f"stopped after {seconds:g} seconds, which is the limit"


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
    said = _said(limits.seconds)
    deadline = monotonic() + limits.seconds
    if not isinstance(raw, sqlite3.Connection):
        with _timed(connection, raw, deadline):
            try:
                yield
            except DBAPIError as error:
                if sql_state(error) == _CANCELLED:
                    raise TooLongError(said) from None
                raise
        return
    ended = (stopped or Event()).is_set

    def over() -> bool:
        return ended() or monotonic() > deadline

    raw.set_progress_handler(over, _STEP)
    longest = raw.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    if limits.cell:
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.cell)
    try:
        with watched(raw, over):
            yield
    except DBAPIError as error:
        # An interrupt from the keyboard ends a statement in the same way.
        if error_code(error) == sqlite3.SQLITE_INTERRUPT and over():
            raise TooLongError(said) from None
        raise
    finally:
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
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
