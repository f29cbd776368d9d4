"""What databases complain about, said in graphscore's words.

Nothing above the store knows SQLAlchemy's or sqlite3's exceptions: every door
of the store is a :func:`guarded` block, which turns them into one
:class:`~graphscore.errors.StoreError` with one sentence.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
)

from graphscore.errors import StoreError
from graphscore.store.passwords import hidden, without_secrets
from graphscore.store.postgres import SENTENCES

_SENTENCES = {
    sqlite3.SQLITE_NOTADB: "is not an SQLite database",
    sqlite3.SQLITE_BUSY: "is locked by another process; try again when it is done",
    sqlite3.SQLITE_LOCKED: "is locked by another process; try again when it is done",
    sqlite3.SQLITE_READONLY: "cannot be written: it is read-only",
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full; "
    "what was being written was taken back",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
}


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
    code, state, shown = error_code(error), sql_state(error), hidden(store)
    if code in _SENTENCES:
        return StoreError(f"{shown}: {_SENTENCES[code]}")
    told = getattr(getattr(original, "diag", None), "message_primary", None)
    said = without_secrets(" ".join(str(told or original).split()), store)
    if state in SENTENCES:
        return StoreError(f"{shown}: {SENTENCES[state]} ({said})")
    if state[:2] == "23" or isinstance(error, (sqlite3.IntegrityError, IntegrityError)):
        return StoreError(
            f"{shown}: changed while it was being worked on ({said}); run again"
        )
    return StoreError(f"{shown}: the database says: {said}")


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
    """What databases raise; whose driver raises it has been imported."""
    psycopg = sys.modules.get("psycopg")
    more = () if psycopg is None else (psycopg.Error,)
    return DBAPIError, sqlite3.Error, *more


@contextmanager
def guarded(store: str) -> Iterator[None]:
    """Turn database exceptions inside the block into store errors.

    Args:
        store: the store as its user named it.

    Raises:
        StoreError: in place of any exception of sqlite3 or SQLAlchemy.
        KeyboardInterrupt: if that is what ended a statement.
    """
    try:
        yield
    except _driver_errors() as error:
        if error_code(error) == sqlite3.SQLITE_INTERRUPT:
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
        said = without_secrets(str(error), store)
        raise StoreError(f"{hidden(store)}: not a database URL: {said}") from None
