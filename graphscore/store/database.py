"""An open store: which database, how it is set up, and its transactions.

A store is opened for reading or for writing.  Reading is enforced by the
database, not by looking at statements.  Writing happens in transactions that take
the write lock at once, so that a reader's snapshot never has to be upgraded and
ids can be handed out in memory; readers are not blocked by it (write-ahead log), and
other writers wait for their turn (:mod:`graphscore.store.turns`).
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import QueuePool, StaticPool

from graphscore.exceptions import StoreError
from graphscore.store import WAIT
from graphscore.store.database_errors import (
    LOCKED,
    error_code,
    guarded,
    guarded_driver,
    judge_values,
)
from graphscore.store.detect import is_url
from graphscore.store.integrity import changed, damaged
from graphscore.store.passwords import hidden
from graphscore.store.postgres import describe_client, open_postgres, try_to_write
from graphscore.store.turns import UNKNOWN, Turns, describe_writer

logger = logging.getLogger(__name__)

BUSY_TIMEOUT = 5.0
"""Seconds at most to wait for locks that nobody has for long, as while a store is
opened.  For another writer one waits longer."""

_OLDEST_SQLITE = (3, 37, 0)

HEARING = 0.1
"""Seconds after which an interrupt is heard while a writer waits."""

SHORTLY = 0.01
"""Seconds after which is tried again what SQLite does not wait for."""

LISTENING = 100_000
"""Instructions of SQLite after which signals are looked at: some milliseconds."""

WRITING = "graphscore_writing"
"""Option of a connection whose transactions take the write lock at once."""


class Database:
    """An open store.

    Attributes:
        name: the store as its user named it, without a password.
        engine: the SQLAlchemy engine behind it.
        read_only: whether the database refuses writes.
        migrated: whether it was of an older revision when it was opened.
        made: whether it was made when it was opened.
    """

    migrated = False
    made = False

    def __init__(self, name: str, engine: Engine, read_only: bool) -> None:
        self.name = name
        self.engine = engine
        self.read_only = read_only
        self._closed = False
        alone = engine.dialect.name == "sqlite" and _ALONE in engine.url.query
        self._state = state_of(engine) if alone else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the store throughout.

        Yields:
            The connection; it is given back afterwards.

        Raises:
            StoreError: when the database fails, or has been closed.
        """
        if self._closed:
            raise StoreError(f"{self.name}: has been closed")
        with guarded(self.name), self.engine.connect() as plain:
            connection = plain
            if self.engine.dialect.name == "postgresql":
                connection = plain.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            # Ended by a commit, as a rollback makes the connection forget symbols.
            with connection.begin():
                yield connection
        if self._state is not None and state_of(self.engine) != self._state:
            raise StoreError(f"{self.name}: {changed('another process wrote it')}")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, kept as a whole or not at all.

        Yields:
            A connection that holds the write lock.

        Raises:
            LockedError: another process still writes when the time to wait is up.
            StoreError: when the store is open for reading only, or the database
                fails; nothing has changed then.
        """
        if self.read_only:
            raise StoreError(f"{self.name}: is open for reading only")
        with guarded(self.name), self.engine.connect() as plain:
            connection = plain.execution_options(**{WRITING: True})
            if self.engine.dialect.name == "postgresql":
                # It sees what others wrote before its turn came.
                connection = connection.execution_options(
                    isolation_level="READ COMMITTED"
                )
            with connection.begin():
                yield connection

    def close(self) -> None:
        """Give all connections back; the last one out tidies up the log."""
        self._closed = True
        self.engine.dispose()
        if self.read_only and self.engine.dialect.name == "sqlite":
            remove_empty_log(self.name)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_engine(
    name: str,
    *,
    create: bool = False,
    read_only: bool = False,
    alone: bool = False,
    migrating: bool = False,
    turns: Turns | None = None,
) -> Engine:
    """An engine for the database, whatever is in it.

    Args:
        name: a path or URL.
        create: whether a missing file is made.
        read_only: whether the database shall refuse every write.
        alone: whether SQLite looks at nothing but the file, as far as a writer has
            left nothing beside it, and makes nothing itself.
        migrating: whether tables are going to be rebuilt: then neither foreign
            keys nor views are looked after while a table is away.
        turns: how to wait for other writers; :data:`~graphscore.store.WAIT`
            seconds by default.

    Returns:
        The engine; nothing has been read yet.

    Raises:
        StoreError: a missing file, or SQLite is too old.
    """
    turns = turns or Turns(hidden(name), WAIT, logger.warning)
    with guarded_driver(name):
        url = _url_of(name)
        if url.drivername.startswith("postgres"):
            return _open_postgres(name, url, read_only, turns)
        if url.get_backend_name() != "sqlite":
            raise StoreError(
                f"{hidden(name)}: no driver for this database; "
                "a store is kept in SQLite or in PostgreSQL"
            )
    refuse_old_sqlite(name)
    if url.database in (None, "", ":memory:"):
        engine = create_engine(url, poolclass=StaticPool)
    else:
        engine = create_engine(
            _file_url(url, name, create, read_only, alone),
            connect_args={"timeout": min(turns.seconds, BUSY_TIMEOUT)},
            poolclass=QueuePool,
        )
    judge_values(engine)
    _set_up_sqlite(engine, read_only, migrating)
    if not read_only:
        _take_turns(engine, turns)
    return engine


def refuse_old_sqlite(name: str) -> None:
    """Refuse a library of SQLite that lacks what stores need.

    Args:
        name: the store as its user named it.

    Raises:
        StoreError: if it is too old.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"{name}: needs SQLite 3.37 or newer, "
            f"this Python has {sqlite3.sqlite_version}"
        )


def _open_postgres(name: str, url: URL, read_only: bool, turns: Turns) -> Engine:
    engine = open_postgres(name, url, read_only=read_only, busy_timeout=BUSY_TIMEOUT)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get(WRITING, False):
            turns.take(
                lambda seconds: try_to_write(connection, seconds, BUSY_TIMEOUT),
                lambda: describe_client(connection) or UNKNOWN,
            )

    _forget_on_rollback(engine)
    return engine


def _take_turns(engine: Engine, turns: Turns) -> None:
    """Have transactions that write take the write lock at once."""
    path = file_of(engine)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get(WRITING, False):
            return
        driver: Any = connection.connection.driver_connection

        def attempt(seconds: float) -> bool:
            end = monotonic() + seconds
            while True:
                # SQLite hears no interrupt while it waits, so it waits briefly.
                left = min(max(end - monotonic(), 0), HEARING)
                driver.execute(f"pragma busy_timeout = {left * 1000:.0f}")
                try:
                    driver.execute("begin immediate")
                    return True
                except sqlite3.OperationalError as error:
                    if error_code(error) not in LOCKED:
                        raise
                if monotonic() >= end:
                    return False

        try:
            turns.take(attempt, lambda: describe_writer(path))
        finally:
            usual = min(turns.seconds, BUSY_TIMEOUT)
            driver.execute(f"pragma busy_timeout = {usual * 1000:.0f}")

    _forget_on_rollback(engine)


def use_log(engine: Engine, turns: Turns) -> None:
    """Have SQLite write to a log beside the store, so that nobody blocks readers.

    That changes the file, for good: it is a store, or is going to be one.

    Args:
        engine: of a store that is open for writing.
        turns: how to wait for others, who may be making the same store.

    Raises:
        LockedError: another process still writes when the time to wait is up.
    """
    if engine.dialect.name != "sqlite":
        return
    path = file_of(engine)
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()

        def attempt(seconds: float) -> bool:
            # SQLite does not wait here by itself where two would wait for each other.
            end = monotonic() + seconds
            while True:
                try:
                    cursor.execute("pragma journal_mode = wal")
                    return True
                except sqlite3.OperationalError as error:
                    if error_code(error) not in LOCKED:
                        raise
                if monotonic() >= end:
                    return False
                sleep(SHORTLY)

        turns.take(attempt, lambda: describe_writer(path))


def _url_of(name: str) -> URL:
    if not is_url(name):
        return URL.create("sqlite", database=name)
    url = make_url(name)
    return url.set(drivername=url.drivername.lower())


def remove_empty_log(name: str) -> None:
    """Take away the files that a reader leaves beside a store that none writes.

    SQLite removes its log when the last connection closes, but only if that one
    may write.  With nothing in the log, nothing else is changed by it.

    Args:
        name: the store as its user named it.
    """
    path = path_of(name)
    try:
        if path and os.path.getsize(f"{path}-wal") == 0:
            with closing(sqlite3.connect(_file_uri(path) + "?mode=rw", uri=True)) as it:
                it.execute("select 1 from sqlite_master").fetchone()
    except (OSError, UnicodeDecodeError, sqlite3.Error):
        pass  # Not there, or not ours to take away.


_BESIDE = ("-wal", "-journal")
"""Files of a writer beside the store: what is in them belongs to it."""

_FILE = "file://"

_ALONE = "immutable"
"""The option by which SQLite looks at nothing but the file, and locks nothing."""


def _is_filled(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:
        return False  # Not there, or taken away at this moment.


def file_of(engine: Engine) -> str:
    """The path of the file that holds a store of SQLite; empty where none does.

    Args:
        engine: of the store.
    """
    uri = engine.url.database or ""
    if engine.dialect.name != "sqlite" or not uri.startswith(_FILE):
        return ""
    return os.fsdecode(unquote_to_bytes(uri.removeprefix(_FILE)))


def identity_of(path: str) -> tuple[int, int] | None:
    """Return the device and inode of the file at a path, if any.

    Args:
        path: of a file.
    """
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def path_of(name: str) -> str:
    """The path of a store in a file; empty for any other.

    Args:
        name: a path or URL.

    Raises:
        StoreError: for a URL that is none.
    """
    with guarded_driver(name):
        url = _url_of(name)
    path = url.database or ""
    if url.get_backend_name() != "sqlite" or path in ("", ":memory:") or "\0" in path:
        return ""
    return os.path.abspath(path)


def holds_file(name: str) -> bool:
    """True if a store in a file is named, and there is something in the file.

    Args:
        name: a path or URL.

    Raises:
        StoreError: for a URL that is none.
    """
    path = path_of(name)
    return os.path.isfile(path) and _is_filled(path)


def has_log(name: str) -> bool:
    """True if a writer has left something beside a store in a file.

    Args:
        name: a path or URL.
    """
    path = path_of(name)
    return any(_is_filled(f"{path}{end}") for end in _BESIDE)


def uri_of(engine: Engine) -> str:
    """Return the URI by which SQLite opens the file of a store, with its access rights.

    Args:
        engine: of a store in a file.
    """
    query = "&".join(
        f"{key}={value}" for key, value in engine.url.query.items() if key != "uri"
    )
    return f"{engine.url.database}?{query}"


def state_of(engine: Engine) -> tuple[object, ...]:
    """The state of a file, which changes when a store is written that none locks.

    Args:
        engine: of a store in a file.
    """
    path = file_of(engine)
    status = os.stat(path)
    beside = tuple(_is_filled(f"{path}{end}") for end in _BESIDE)
    return status.st_ino, status.st_size, status.st_mtime_ns, beside


def _file_uri(path: str) -> str:
    # An empty authority, as a path may begin with two slashes; its bytes may be any.
    return f"{_FILE}{quote(os.fsencode(path))}"


def _file_url(url: URL, name: str, create: bool, read_only: bool, alone: bool) -> URL:
    """The URL that makes SQLite itself keep to what is allowed."""
    assert url.database is not None
    path = os.path.abspath(url.database)
    folder = os.path.dirname(path)
    if "\0" in path:
        raise StoreError(f"{name}: no file can have a NUL character in its name")
    if os.path.isdir(path):
        raise StoreError(f"{name}: is a directory, not a store")
    if not os.path.exists(path):
        if not create or read_only:
            raise StoreError(f"{name}: no such store")
        if not os.path.isdir(folder):
            raise StoreError(f"{name}: the directory of the store does not exist")
    query = {"uri": "true", "mode": "rw"}
    if read_only:
        query["mode"] = "ro"
        # A log needs a place beside the store, and somebody who takes it away again.
        # Who may not write has neither, so the file is all there is to read, unless
        # a writer has left something beside it.
        writable = all(os.access(location, os.W_OK) for location in (path, folder))
        # To look at it alone no journal is rolled back, which would write the file.
        left = _BESIDE[:1] if alone else _BESIDE
        if (alone or not writable) and not any(_is_filled(path + end) for end in left):
            query[_ALONE] = "1"
    elif create:
        query["mode"] = "rwc"
    return URL.create("sqlite", database=_file_uri(path), query=query)


def _set_up_sqlite(engine: Engine, read_only: bool, migrating: bool) -> None:
    settings = ["pragma cache_size = -65536"]
    settings += [f"pragma foreign_keys = {'off' if migrating else 'on'}"]
    settings += ["pragma legacy_alter_table = on"] * migrating
    settings += [f"pragma {'query_only = on' if read_only else 'synchronous = normal'}"]

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        # Transactions are begun below; the driver must not begin its own.
        connection.isolation_level = None
        # An interrupt is raised in Python code only, so some has to run now and then.
        connection.set_progress_handler(listen, LISTENING)
        if read_only:
            # An attached file could be written, and so could a copy of this one.
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        try:
            for setting in settings:
                connection.execute(setting)
        except UnicodeDecodeError as error:
            # What SQLite says of a damaged schema quotes it.
            raise damaged("its schema holds text that is not UTF-8") from error

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get(WRITING, False):
            connection.exec_driver_sql("begin")

    @event.listens_for(engine, "handle_error")
    def keep_open(context: ExceptionContext) -> None:
        # An interrupt leaves SQLite's connection whole.  SQLAlchemy would close it
        # under those who have cursors to close and settings to put back.
        if not isinstance(context.original_exception, Exception):
            context.is_disconnect = False


def listen() -> int:
    """Go on; unless an interrupt is raised here, which ends the statement."""
    return 0


def _forget_on_rollback(engine: Engine) -> None:
    @event.listens_for(engine, "rollback")
    def forget(connection: Connection) -> None:
        # Ids remembered there may have been handed out by what is taken back.
        # A connection that broke has nothing left to forget.
        if not connection.invalidated:
            connection.info.clear()
