"""How long a page may ask, and how much it may be told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from graphscore.errors import GraphscoreError
from graphscore.store.database import LISTENING, listen
from graphscore.store.failures import error_code, sql_state

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
    rows: int
    cell: int = 0
    """Bytes of the longest value that may be made; 0 is as many as SQLite allows."""


PAGE = Limits(30.0, 100_000)
"""Of what pages ask by themselves."""

ITEMS = Limits(60.0, 5_000_000)
"""Of what is asked once about every item."""

BOX = Limits(5.0, 1_000, 500_000)
"""Of statements that users write."""

DOWNLOAD = Limits(120.0, 5_000_000)
"""Of everything that a table has, in a file."""


@contextmanager
def bounded(
    connection: Connection, limits: Limits, stopped: Event | None = None
) -> Iterator[None]:
    """Have statements end when their time is over; their thread is free then.

    Args:
        connection: of the store; afterwards it is as it was.
        limits: how long, and how long a value.
        stopped: ends everything when it is set, as when the server does.

    Raises:
        TooLongError: when the time is over.
    """
    raw = connection.connection.driver_connection
    said = f"stopped after {limits.seconds:g} seconds, which is the limit"
    if not isinstance(raw, sqlite3.Connection):
        milliseconds = int(limits.seconds * 1000)
        connection.exec_driver_sql(f"set local statement_timeout = {milliseconds:d}")
        try:
            yield
        except DBAPIError as error:
            if sql_state(error) == _CANCELLED:
                raise TooLongError(said) from None
            raise
        return
    deadline = monotonic() + limits.seconds
    ended = (stopped or Event()).is_set
    raw.set_progress_handler(lambda: ended() or monotonic() > deadline, _STEP)
    longest = raw.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    if limits.cell:
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.cell)
    try:
        yield
    except DBAPIError as error:
        if error_code(error) == sqlite3.SQLITE_INTERRUPT:
            raise TooLongError(said) from None
        raise
    finally:
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
        raw.set_progress_handler(listen, LISTENING)
