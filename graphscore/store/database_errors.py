"""Translation of database errors into graphscore's.

Nothing above the store knows SQLAlchemy's or sqlite3's exceptions: every door
of the store is a :func:`guarded` block, which turns them into one
:class:`~graphscore.exceptions.StoreError` with one sentence.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from graphscore.exceptions import StoreError, UsageError, truncate
from graphscore.store.integrity import FaultError, changed, damaged, shown
from graphscore.store.passwords import hidden, without_secrets
from graphscore.store.postgres import ASKED_TO_WRITE, SENTENCES

LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
"""Codes of what another process is doing; the last where it is opening the log."""

_SENTENCES = {
    **dict.fromkeys(LOCKED, "is locked by another process; try again when it is done"),
    sqlite3.SQLITE_NOTADB: "is not an SQLite database",
    sqlite3.SQLITE_READONLY: "cannot be written: it is read-only",
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full; "
    "the change was rolled back",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; a store with a log (-wal) has to be "
    "in a writable folder",
    sqlite3.SQLITE_AUTH: ASKED_TO_WRITE,
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error, or is "
    "full",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
}


_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        # Of our own statements: a table or column that is gone, a sum that is too
        # large.  What users ask is judged before it comes here.
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_TOOBIG,
    }
)

_UNFINISHED = frozenset(
    {
        sqlite3.SQLITE_READONLY_ROLLBACK,
        sqlite3.SQLITE_READONLY_RECOVERY,
        sqlite3.SQLITE_READONLY_CANTINIT,
        sqlite3.SQLITE_READONLY_CANTLOCK,
    }
)
"""Extended codes of a log or journal that only a writer can deal with."""

_MISSING = frozenset({"42P01", "42703", "42883"})
"""PostgreSQL's codes of tables, columns and functions that are not there."""

_CONTRADICTIONS = (
    "NOT NULL constraint failed",
    "UNIQUE constraint failed",
    "CHECK constraint failed",
)
"""SQLite's messages about rows that contradict existing ones.

Its writers come one after another, so that no other one can have been the reason.
"""

_RAISED = "user-defined function raised exception"
"""SQLite's message about a Python function that raised an exception.

It is the same for all; the function that stores have raises none of its own.
"""

_UNDECODED = "Could not decode to UTF-8"
"""Beginning of the message of Python's SQLite driver about an undecodable cell."""


def error_code(error: BaseException | None) -> int | None:
    """SQLite's primary result code behind an exception.

    Args:
        error: an exception of sqlite3 or SQLAlchemy, or anything else.

    Returns:
        The code, or ``None`` where SQLite is not behind it.
    """
    original = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(original, "sqlite_errorcode", None)
    # The upper bits of an extended code tell details of the same failure.
    return None if code is None else int(code) & 0xFF


def explain(error: BaseException, store: str) -> StoreError:
    """The error to raise in place of *error*.

    Args:
        error: an exception of sqlite3 or SQLAlchemy.
        store: the store as its user named it.

    Returns:
        An error of one sentence that names the store.
    """
    original = error.orig if isinstance(error, DBAPIError) else error
    code, state, name = error_code(error), sql_state(error), hidden(store)
    primary = getattr(getattr(original, "diag", None), "message_primary", None)
    message = without_secrets(" ".join(str(primary or original).split()), store)
    message = truncate(message)
    if getattr(original, "sqlite_errorcode", None) in _UNFINISHED:
        return StoreError(
            f"{name}: a writer was interrupted, and its log cannot be cleaned up "
            "here; open the store once where it is writable"
        )
    if code in _DAMAGE or state in _MISSING or _UNDECODED in message:
        return StoreError(f"{name}: {damaged(message)}")
    if code in _SENTENCES:
        return StoreError(f"{name}: {_SENTENCES[code]}")
    if state in SENTENCES:
        return StoreError(f"{name}: {SENTENCES[state]} ({message})")
    if state[:2] == "23" or isinstance(error, (sqlite3.IntegrityError, IntegrityError)):
        if any(kind in message for kind in _CONTRADICTIONS):
            return StoreError(f"{name}: {damaged(message)}")
        return StoreError(f"{name}: {changed(message)}")
    return StoreError(f"{name}: the database says: {message}")


_NO_ROOM = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
)
"""SQLite's error codes where a file beside the store cannot grow."""


def is_full(error: Exception) -> bool:
    """True if a database could not be read, maybe for want of room beside it.

    Args:
        error: of SQLAlchemy, or what :func:`explain` gave for it.
    """
    cause = error.__cause__ if isinstance(error, StoreError) else error
    return error_code(cause) in _NO_ROOM


def sql_state(error: BaseException | None) -> str:
    """The five characters by which a server tells its errors apart.

    Args:
        error: an exception of psycopg or SQLAlchemy, or anything else.

    Returns:
        The code, empty where there is none.
    """
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlstate", None) or ""


def _driver_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of databases whose driver has been imported."""
    psycopg = sys.modules.get("psycopg")
    more = () if psycopg is None else (psycopg.Error,)
    return SQLAlchemyError, sqlite3.Error, *more


@contextmanager
def guarded(store: str) -> Iterator[None]:
    """Turn database exceptions inside the block into store errors.

    Args:
        store: the store as its user named it.

    Raises:
        StoreError: in place of any exception of sqlite3 or SQLAlchemy, and of any
            :class:`~graphscore.store.integrity.FaultError`.
        KeyboardInterrupt: if that is what ended a statement.
    """
    try:
        yield
    except FaultError as fault:
        raise StoreError(f"{hidden(store)}: {fault}") from fault
    except _driver_errors() as error:
        if error_code(error) == sqlite3.SQLITE_INTERRUPT or _RAISED in str(error):
            raise KeyboardInterrupt from None
        raise explain(error, store) from error
    except UnicodeEncodeError as error:
        character = f"U+{ord(error.object[error.start]):04X}"
        raise StoreError(
            f"{hidden(store)}: no database holds the character {character}, half of "
            "a pair of surrogates"
        ) from error
    except OverflowError as error:
        if "SQLite" not in str(error):
            raise
        raise StoreError(f"{store}: no database holds a number this large") from error


@contextmanager
def guarded_driver(store: str) -> Iterator[None]:
    """Turn what goes wrong before there is a connection into store errors.

    Args:
        store: the store as its user named it.

    Raises:
        StoreError: for a URL that is none, or whose driver is not installed.
    """
    try:
        yield
    except NoSuchModuleError as error:
        raise StoreError(
            f"{hidden(store)}: no driver for this database: {error}"
        ) from error
    except ImportError as error:
        raise StoreError(
            f"{hidden(store)}: the driver of this database is not installed; "
            f"run: pip install 'graphscore[postgres]' ({error})"
        ) from error
    except (ArgumentError, ValueError) as error:
        # What cannot be taken apart is quoted by whoever tried to.
        message = without_secrets(str(error), store)
        raise StoreError(f"{hidden(store)}: not a database URL: {message}") from None


def judge_values(engine: Engine) -> None:
    """Have said what drivers raise of values: not of the database, but of Python.

    Args:
        engine: whose statements and rows are meant.
    """

    @event.listens_for(engine, "handle_error")
    def judge(context: ExceptionContext) -> None:
        error = context.original_exception
        if isinstance(error, UnicodeEncodeError):
            raise UsageError(
                f"found {shown(error.object)}, expected text that UTF-8 can hold"
            ) from error
        if isinstance(error, UnicodeDecodeError):
            raise damaged(f"found {shown(error.object)}, expected UTF-8") from error
        if isinstance(error, OverflowError):
            raise FaultError(
                "cannot hold a number beyond 64 bits; ask for a smaller one, or "
                "restore the store from a copy if none was asked for"
            ) from error
        if isinstance(error, MemoryError):
            raise FaultError("needs more memory than there is") from error
