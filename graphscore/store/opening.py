"""Opening a store, or making one: whether a database may be used.

Opening reads the revision with one statement.  An older store is migrated when
it is opened for writing; one of a revision that nothing leads on from is refused.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from time import sleep, time
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from graphscore.exceptions import StoreError, UsageError, truncate
from graphscore.files import neighbour_of, remove_left
from graphscore.store import WAIT, schema
from graphscore.store.database import (
    Database,
    file_of,
    has_log,
    holds_file,
    identity_of,
    open_engine,
    path_of,
    refuse_old_sqlite,
    remove_empty_log,
    state_of,
    use_log,
)
from graphscore.store.database_errors import (
    error_code,
    explain,
    guarded,
    is_full,
    sql_state,
)
from graphscore.store.integrity import damaged, shown
from graphscore.store.passwords import hidden
from graphscore.store.revisions import RevisionOf, changes, mark_outdated, show
from graphscore.store.schema import (
    HEAD,
    REVISIONS,
    alembic_version,
    metadata,
    version_metadata,
)
from graphscore.store.turns import Notify, Turns
from graphscore.store.views import create_views

logger = logging.getLogger(__name__)

FRESH = 0.05
"""Seconds since a file was written in which somebody may still be writing it."""

ATTEMPTS = 5
"""Number of tries to open a store that others create and remove at the same time."""

_REVISION = re.compile(r"[\w.-]{1,32}")

OURS = (schema.collection, schema.ingest, schema.graph, schema.node, schema.symbol)
"""Tables by which a store is known that has lost its revision."""


def open_store(
    operand: str | os.PathLike[str],
    *,
    create: bool = False,
    read_only: bool = False,
    wait: float = WAIT,
    notify: Notify | None = None,
    revision_of: RevisionOf | None = None,
) -> Database:
    """Open a store, or make one.

    Args:
        operand: a path (``runs.db``) or any SQLAlchemy URL
            (``sqlite:///runs.db``).
        create: whether a store is made where there is none.
        read_only: whether the database shall refuse every write.
        wait: seconds to wait for another process that writes; 0 not to wait.
        notify: is told when an older store is migrated, and for whom is waited; the
            log otherwise.
        revision_of: the revision that a metric has now, by its canonical string;
            evaluations of another one are outdated, here and in the views.

    Returns:
        The open store, at the current revision.

    Raises:
        StoreError: no such store, not a store, of another revision and not to be
            migrated here, or not writable; nothing is written then.
        LockedError: another process still writes when the time to wait is up.
        UsageError: *wait* is no time.
    """
    name = os.fspath(operand)
    if not wait >= 0:
        raise UsageError(f"wait: found {wait}, expected seconds, from 0 on")
    turns = Turns(hidden(name), wait, notify or logger.warning)
    with guarded(name):
        for attempt in range(ATTEMPTS):
            made = create and not read_only and _make(name, turns)
            path = path_of(name)
            before = identity_of(path)
            engine = _engine_of(name, create, read_only, turns)
            database = Database(hidden(name), engine, read_only)
            database.made = made
            try:
                if not read_only:
                    _admit(name, database, create, turns)
                if revision_of is not None:
                    _find_outdated(database, revision_of)
            except BaseException:
                engine.dispose()
                take_back(database)
                raise
            # From here on nobody takes it back who has made it and not needed it.
            if not path or before == identity_of(path) or attempt + 1 == ATTEMPTS:
                break
            engine.dispose()
    return database


def _make(name: str, turns: Turns) -> bool:
    """Make a store in a file, which appears when it is whole.

    Returns:
        True if it was made here; there may have been one, or another process made it.
    """
    path = path_of(name)
    folder = os.path.dirname(path)
    if not path or os.path.lexists(path) or not os.path.isdir(folder):
        return False
    refuse_old_sqlite(name)
    target = Path(path)
    remove_left([target])
    part = neighbour_of(target)
    try:
        engine = open_engine(str(part), create=True, turns=turns)
        try:
            create_schema(Database(hidden(name), engine, False))
        finally:
            engine.dispose()
        return _appear(part, target)
    finally:
        for end in ("", "-journal"):
            with suppress(OSError):
                os.unlink(f"{part}{end}")


def _appear(part: Path, target: Path) -> bool:
    """Give a whole file its name, unless another process has made one meanwhile."""
    try:
        os.link(part, target)
        return True
    except FileExistsError:
        return False
    except OSError:
        pass  # A file system without links.
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    # The name is ours from here on.
    os.replace(part, target)
    return True


def take_back(database: Database) -> None:
    """Remove a store that was made for work that failed, and holds nothing.

    It stays where another process has it open, or has put anything into it.

    Args:
        database: closed.
    """
    path = file_of(database.engine)
    if not database.made or not path:
        return
    with (
        suppress(sqlite3.Error, OSError),
        closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as alone,
    ):
        # Only who has it open alone can end its log.
        [mode] = alone.execute("pragma journal_mode = delete").fetchone()
        if mode != "delete":
            return
        alone.execute("begin exclusive")
        if alone.execute("select 1 from collection limit 1").fetchone() is None:
            os.unlink(path)
        alone.execute("rollback")


def _find_outdated(database: Database, revision_of: RevisionOf) -> None:
    """Look which evaluations are outdated; keep it, or show it to who only reads."""
    if not database.read_only:
        mark_outdated(database, revision_of)
        return
    with database.reading() as connection:
        revisions = changes(connection, revision_of)
    if revisions:
        show(database.engine, revisions)


def _engine_of(name: str, create: bool, read_only: bool, turns: Turns) -> Engine:
    """Open a database; one that is only read, or is there, is judged before.

    SQLite writes to a file as soon as it is opened for writing: it tidies up what
    another program left unfinished.  So it is looked at before anything may do so.

    Raises:
        StoreError: as :func:`open_store` does.
    """
    if read_only or holds_file(name):
        alone = not read_only
        while True:
            try:
                engine = _judged(name, create, read_only, turns, alone)
            except (StoreError, DBAPIError) as error:
                # A log needs some bytes beside the store, and there are none.
                if alone or not is_full(error) or has_log(name):
                    raise
                alone = True
                continue
            if engine is not None:
                break
            sleep(FRESH)
        if read_only:
            return engine
        engine.dispose()
    return open_engine(name, create=create, turns=turns)


def _judged(
    name: str, create: bool, read_only: bool, turns: Turns, alone: bool
) -> Engine | None:
    """An engine that reads a database which is none to be refused.

    Returns:
        The engine; ``None`` for a file that somebody else may be making a store of.
    """
    engine = open_engine(name, read_only=True, alone=alone, turns=turns)
    path = file_of(engine)
    before = state_of(engine) if path else ()
    had_log = os.path.exists(f"{path}-wal")
    try:
        _judge(name, _found_revision(name, engine), create, read_only)
    except Exception:
        engine.dispose()
        if read_only and not had_log:
            remove_empty_log(name)
        if not path or not holds_file(name):
            raise
        # Where somebody wrote meanwhile, opening it as usual shows what there is.
        if not read_only and state_of(engine) != before:
            return engine
        # The time of a file is coarse: two writes may leave it the same.
        if abs(time() - os.path.getmtime(path)) < FRESH:
            return None
        raise
    return engine


def _admit(name: str, database: Database, create: bool, turns: Turns) -> None:
    """Make or migrate the store, where that is needed and allowed."""
    revision = _found_revision(name, database.engine)
    _judge(name, revision, create, False)
    use_log(database.engine, turns)
    if revision is None:
        create_schema(database)
    elif revision != HEAD:
        turns.notify(f"{turns.name}: migrating from revision {revision} to {HEAD}")
        from graphscore.store.migration import upgrade

        upgrade(name, turns=turns)
        database.migrated = True


def _judge(name: str, revision: str | None, create: bool, read_only: bool) -> None:
    """Refuse a store that cannot be opened as asked, by its revision.

    Raises:
        StoreError: it cannot.
    """
    if revision is None and create and not read_only:
        return
    shown = hidden(name)
    if revision is None:
        raise StoreError(f"{shown}: an empty database, not a graphscore store")
    if revision not in REVISIONS:
        raise StoreError(
            f"{shown}: made by another version of graphscore (revision {revision}, "
            f"this one reads {HEAD}); ingest its files again"
        )
    if read_only and revision != HEAD:
        raise StoreError(
            f"{shown}: made by an older graphscore (revision {revision}, "
            f"now {HEAD}); run: graphscore store migrate {shown}"
        )


def _found_revision(name: str, engine: Engine, again: bool = True) -> str | None:
    """The revision of the store, read with one statement; none of an empty one.

    Args:
        name: the store as its user named it.
        engine: of the database.
        again: whether to look again at a store that is made at this moment.

    Raises:
        StoreError: the database is something else than a store.
    """
    with engine.connect() as connection:
        try:
            result = connection.exec_driver_sql(
                "select version_num from alembic_version"
            )
            return _the_only(list(result.scalars()))
        except DBAPIError as error:
            if not _says_no_such_table(error):
                raise explain(error, name) from error
            text = truncate(" ".join(str(error.orig).split()))
    with engine.connect() as connection:
        ours = all(engine.dialect.has_table(connection, str(table)) for table in OURS)
        foreign = engine.dialect.has_table(connection, "graph") or (
            engine.dialect.name == "sqlite"
            and connection.exec_driver_sql("select 1 from sqlite_master").first()
        )
        # Another process may have made it between the two looks; all its tables and
        # the revision come in one transaction.
        made = engine.dialect.has_table(connection, str(alembic_version))
    if made and again:
        return _found_revision(name, engine, again=False)
    if ours:
        raise damaged(f"its revision cannot be read: {text}")
    if foreign:
        raise StoreError(f"{hidden(name)}: a database, but not a graphscore store")
    return None


def _says_no_such_table(error: DBAPIError) -> bool:
    if error_code(error) is not None:
        return error_code(error) == sqlite3.SQLITE_ERROR
    return sql_state(error) in ("42P01", "42703")


def _the_only(revisions: list[Any]) -> str:
    """The revision, if the table of versions is as it was written."""
    if len(revisions) != 1:
        rows = ", ".join(map(shown, revisions[:5])) or "none"
        raise damaged(
            f"table {alembic_version}: found {len(revisions)} rows ({rows}), "
            "expected one with the revision"
        )
    [revision] = revisions
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
        raise damaged(
            f"table {alembic_version}, column version_num: found {shown(revision)}, "
            f"expected a revision such as {HEAD!r}"
        )
    return revision


def create_schema(database: Database) -> None:
    """Make all tables and views, in one transaction.

    Args:
        database: an empty one; if another process has made a store of it meanwhile,
            that store stays.
    """
    with database.writing() as connection:
        if connection.dialect.has_table(connection, "alembic_version"):
            return
        metadata.create_all(connection, checkfirst=False)
        create_views(connection)
        version_metadata.create_all(connection, checkfirst=False)
        connection.exec_driver_sql(
            f"insert into alembic_version (version_num) values ('{HEAD}')"
        )
