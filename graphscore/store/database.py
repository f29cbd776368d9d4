"""Opening a store: which database, how it is set up, and whether it may be used.

A store is opened for reading or for writing.  Reading is enforced by the
database, not by looking at statements.  Writing happens in transactions that take
the write lock at once, so that a reader's snapshot never has to be upgraded and
ids can be handed out in memory; readers are not blocked by it (write-ahead log).

Opening reads the revision with one statement.  An older store is migrated when
it is opened for writing, a newer one is refused.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool, StaticPool

from graphscore.errors import StoreError
from graphscore.store.detect import is_url
from graphscore.store.failures import error_code, explain, guarded, guarded_driver
from graphscore.store.schema import HEAD, REVISIONS, metadata, version_metadata
from graphscore.store.views import create_views

logger = logging.getLogger(__name__)

Notify = Callable[[str], None]
"""Takes a sentence for the user."""

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another process to let go of the store."""

_OLDEST_SQLITE = (3, 37, 0)

_WRITING = "graphscore_writing"


class Database:
    """An open store.

    Attributes:
        name: the store as its user named it.
        engine: the SQLAlchemy engine behind it.
        read_only: whether the database refuses writes.
    """

    def __init__(self, name: str, engine: Engine, read_only: bool) -> None:
        self.name = name
        self.engine = engine
        self.read_only = read_only

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the store throughout.

        Yields:
            The connection; it is given back afterwards.

        Raises:
            StoreError: when the database fails.
        """
        # Ended by a commit, as a rollback makes the connection forget symbols.
        with guarded(self.name), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, kept as a whole or not at all.

        Yields:
            A connection that holds the write lock.

        Raises:
            StoreError: when the store is open for reading only, is locked, or
                the database fails; nothing has changed then.
        """
        if self.read_only:
            raise StoreError(f"{self.name}: is open for reading only")
        with guarded(self.name), self.engine.connect() as plain:
            connection = plain.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection

    def close(self) -> None:
        """Give all connections back; the last one out tidies up the log."""
        self.engine.dispose()
        if self.read_only and self.engine.dialect.name == "sqlite":
            _remove_empty_log(self.name)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(
    operand: str | os.PathLike[str],
    *,
    create: bool = False,
    read_only: bool = False,
    busy_timeout: float = BUSY_TIMEOUT,
    notify: Notify | None = None,
) -> Database:
    """Open a store, or make one.

    Args:
        operand: a path (``runs.db``) or any SQLAlchemy URL
            (``sqlite:///runs.db``).
        create: whether a store is made where there is none.
        read_only: whether the database shall refuse every write.
        busy_timeout: seconds to wait for a lock.
        notify: is told when an older store is migrated; the log otherwise.

    Returns:
        The open store, at the current revision.

    Raises:
        StoreError: no such store, not a store, of another revision and not to be
            migrated here, locked, or not writable.
    """
    name = os.fspath(operand)
    with guarded(name):
        engine = open_engine(
            name, create=create, read_only=read_only, busy_timeout=busy_timeout
        )
        try:
            _admit(name, engine, create, read_only, notify or logger.warning)
        except BaseException:
            engine.dispose()
            raise
    return Database(name, engine, read_only)


def open_engine(
    name: str,
    *,
    create: bool = False,
    read_only: bool = False,
    busy_timeout: float = BUSY_TIMEOUT,
    migrating: bool = False,
) -> Engine:
    """An engine for the database, whatever is in it.

    Args:
        name: a path or URL.
        create: whether a missing file is made.
        read_only: whether the database shall refuse every write.
        busy_timeout: seconds to wait for a lock.
        migrating: whether tables are going to be rebuilt: then neither foreign
            keys nor views are looked after while a table is away.

    Returns:
        The engine; nothing has been read yet.

    Raises:
        StoreError: a missing file, or SQLite is too old.
    """
    with guarded_driver(name):
        url = _url_of(name)
        if url.get_backend_name() != "sqlite":
            options = {"postgresql_readonly": True} if read_only else {}
            engine = create_engine(url, execution_options=options)
            _forget_on_rollback(engine)
            return engine
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(
            f"{name}: needs SQLite 3.37 or newer, "
            f"this Python has {sqlite3.sqlite_version}"
        )
    if url.database in (None, "", ":memory:"):
        engine = create_engine(url, poolclass=StaticPool)
    else:
        engine = create_engine(
            _file_url(url, name, create, read_only),
            connect_args={"timeout": busy_timeout},
            poolclass=QueuePool,
        )
    _set_up_sqlite(engine, read_only, migrating)
    return engine


def _url_of(name: str) -> URL:
    return make_url(name) if is_url(name) else URL.create("sqlite", database=name)


def _remove_empty_log(name: str) -> None:
    """Take away the files that a reader leaves beside a store that none writes.

    SQLite removes its log when the last connection closes, but only if that one
    may write.  With nothing in the log, nothing else is changed by it.
    """
    path = os.path.abspath(_url_of(name).database or "")
    try:
        if os.path.getsize(f"{path}-wal") == 0:
            with closing(sqlite3.connect(_file_uri(path) + "?mode=rw", uri=True)) as it:
                it.execute("select 1 from sqlite_master").fetchone()
    except (OSError, sqlite3.Error):
        pass  # Not there, or not ours to take away.


def _file_uri(path: str) -> str:
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}"


def _file_url(url: URL, name: str, create: bool, read_only: bool) -> URL:
    """The URL that makes SQLite itself keep to what is allowed."""
    assert url.database is not None
    path = os.path.abspath(url.database)
    if os.path.isdir(path):
        raise StoreError(f"{name}: is a directory, not a store")
    if not os.path.exists(path):
        if not create or read_only:
            raise StoreError(f"{name}: no such store")
        if not os.path.isdir(os.path.dirname(path)):
            raise StoreError(f"{name}: the directory of the store does not exist")
    query = {"uri": "true", "mode": "rw"}
    if read_only:
        query["mode"] = "ro"
        # A log needs a place beside the store.  On a read-only disk there is
        # neither, and no writer either, so the file is all there is to read.
        if not os.access(os.path.dirname(path), os.W_OK) and not os.path.exists(
            f"{path}-wal"
        ):
            query["immutable"] = "1"
    elif create:
        query["mode"] = "rwc"
    return URL.create("sqlite", database=_file_uri(path), query=query)


def _set_up_sqlite(engine: Engine, read_only: bool, migrating: bool) -> None:
    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        # Transactions are begun below; the driver must not begin its own.
        connection.isolation_level = None
        if read_only:
            connection.execute("pragma query_only = on")
            # An attached file could be written, and so could a copy of this one.
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        else:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
        connection.execute(f"pragma foreign_keys = {'off' if migrating else 'on'}")
        if migrating:
            connection.execute("pragma legacy_alter_table = on")
        connection.execute("pragma cache_size = -65536")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get(_WRITING, False)
        connection.exec_driver_sql("begin immediate" if writing else "begin")

    _forget_on_rollback(engine)


def _forget_on_rollback(engine: Engine) -> None:
    @event.listens_for(engine, "rollback")
    def forget(connection: Connection) -> None:
        # Ids remembered there may have been handed out by what is taken back.
        connection.info.clear()


def found_revision(name: str, engine: Engine) -> str | None:
    """The revision of the store, read with one statement.

    Args:
        name: the store as its user named it.
        engine: an engine for it.

    Returns:
        The revision, or ``None`` if the database is empty.

    Raises:
        StoreError: the database is something else than a store.
    """
    with engine.connect() as connection:
        try:
            return connection.exec_driver_sql(
                "select version_num from alembic_version"
            ).scalar_one_or_none()
        except DBAPIError as error:
            if error_code(error) not in (None, sqlite3.SQLITE_ERROR):
                raise explain(error, name) from error
    with engine.connect() as connection:
        if engine.dialect.has_table(connection, "graph") or (
            engine.dialect.name == "sqlite"
            and connection.exec_driver_sql("select 1 from sqlite_master").first()
        ):
            raise StoreError(f"{name}: a database, but not a graphscore store")
    return None


def _admit(
    name: str, engine: Engine, create: bool, read_only: bool, notify: Notify
) -> None:
    revision = found_revision(name, engine)
    if revision is None:
        if not create or read_only:
            raise StoreError(f"{name}: an empty database, not a graphscore store")
        create_schema(engine)
    elif revision not in REVISIONS:
        raise StoreError(
            f"{name}: made by a newer graphscore (revision {revision}, "
            f"this one knows {HEAD}); upgrade graphscore"
        )
    elif revision != HEAD:
        if read_only:
            raise StoreError(
                f"{name}: made by an older graphscore (revision {revision}, "
                f"now {HEAD}); run: graphscore migrate {name}"
            )
        notify(f"{name}: migrating from revision {revision} to {HEAD}")
        from graphscore.store.migration import upgrade

        upgrade(name)


def create_schema(engine: Engine) -> None:
    """Make all tables and views, in one transaction.

    Args:
        engine: an engine for an empty database; if another process has made a
            store of it meanwhile, that store stays.
    """
    with engine.connect() as plain:
        connection = plain.execution_options(**{_WRITING: True})
        with connection.begin():
            if engine.dialect.has_table(connection, "alembic_version"):
                return
            metadata.create_all(connection, checkfirst=False)
            create_views(connection)
            version_metadata.create_all(connection, checkfirst=False)
            connection.exec_driver_sql(
                f"insert into alembic_version (version_num) values ('{HEAD}')"
            )
