"""Asking the store: any SQL, read-only."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

from graphscore.exceptions import StoreError, UsageError, did_you_mean, truncate
from graphscore.store.database import Database
from graphscore.store.database_errors import error_code, sql_state
from graphscore.store.integrity import FaultError
from graphscore.store.postgres import as_sqlite, refuse_effects, wrong_sql
from graphscore.store.read.limits import Limits, sized, whole
from graphscore.store.schema import metadata
from graphscore.store.views import VIEWS

_UNSAYABLE = re.compile("[\\x00\\ud800-\\udfff]")


_SHORTER = "ask for fewer rows or columns, or let it be longer with --bytes"


def query(
    database: Database, sql: str, limits: Limits | None = None
) -> Generator[tuple[Any, ...], None, None]:
    """Ask an open store in SQL; the database refuses to change anything.

    Args:
        database: the store.
        sql: one statement.
        limits: how long a value and the whole answer, and how much memory; there is
            no other limit than SQLite's unless they are given.

    Yields:
        Names of the columns, then the rows as they are asked for.

    Raises:
        UsageError: the statement is wrong, or gives no rows.
        StoreError: the store cannot be read, or the statement would write.
        TooLargeError: the answer is too long, in place of its next row.
    """
    with database.reading() as connection:
        if limits is None:
            yield from answer(connection, sql)
            return
        with sized(connection, limits), closing(answer(connection, sql)) as rows:
            yield next(rows)
            yield from whole(rows, limits.bytes, _SHORTER)


def _refuse_unsayable(sql: str) -> None:
    """Refuse what no database is told: it would be cut off there, or cannot be sent."""
    match = _UNSAYABLE.search(sql)
    if match is not None:
        raise UsageError(f"in the SQL: found the character U+{ord(match[0]):04X}")


def answer(connection: Connection, sql: str) -> Generator[tuple[Any, ...], None, None]:
    """Ask in SQL on a connection that is there; nothing is changed.

    Args:
        connection: an open store.
        sql: one statement.

    Yields:
        Names of the columns, then the rows as they are asked for.

    Raises:
        UsageError: the statement is wrong, or gives no rows.
        StoreError: the statement would do more than read.
    """
    _refuse_unsayable(sql)
    # Signs of parameters, of which there are none, stand for themselves.
    options = {"no_parameters": True}
    if connection.dialect.name == "postgresql":
        refuse_effects(connection, sql)
        # A cursor of the server takes one statement, and only one that reads;
        # rows are fetched as they are asked for.
        options["stream_results"] = True
    try:
        with _only_reading(connection) as compiled:
            result = connection.execution_options(**options).exec_driver_sql(sql)
            # Nothing that is done once the rows are no longer asked for is judged.
            compiled()
            # Who stops asking leaves no cursor open on the server.
            with closing(result):
                if not result.returns_rows:
                    raise UsageError(
                        "the SQL gives no rows; a query begins with select"
                    )
                yield tuple(result.keys())
                rows = map(tuple, result)
                yield from (
                    as_sqlite(rows, result.cursor)
                    if "stream_results" in options
                    else rows
                )
    except DBAPIError as error:
        raise _blamed(error, sql, connection) from error
    except FaultError as fault:
        if isinstance(fault.__cause__, MemoryError) and (most := _memory(connection)):
            raise UsageError(
                f"in the SQL: needs more than {most:,} bytes of memory, which is the "
                "limit"
            ) from fault
        raise


def _memory(connection: Connection) -> int:
    """The bytes that SQLite may take in this process; 0 is as many as there are."""
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        return 0
    return int(raw.execute("pragma hard_heap_limit").fetchone()[0])


def _longest(error: DBAPIError, connection: Connection) -> str:
    """The limit behind an error of a value that is too long, as part of a message."""
    raw = connection.connection.driver_connection
    if error_code(error) != sqlite3.SQLITE_TOOBIG or not isinstance(
        raw, sqlite3.Connection
    ):
        return ""
    most = raw.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    return f" (a value has {most:,} bytes at most)"


def _blamed(error: DBAPIError, sql: str, connection: Connection) -> Exception:
    """Return the error to raise: of the query, or of the store."""
    text = str(error.orig)
    wrong = error_code(error) in _WRONG or isinstance(
        error.orig, (sqlite3.ProgrammingError, sqlite3.DataError)
    )
    if wrong and not _is_ours(text):
        more = _longest(error, connection) or _perhaps(text, sql, connection)
        return UsageError(f"in the SQL: {truncate(text)}{more}")
    if sql_state(error):
        result = wrong_sql(error.orig, sql, partial(_meant, connection.engine, sql))
        if isinstance(result, StoreError):
            return FaultError(str(result))
        if result is not None:
            return result
    return error


_WRONG = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG})

_GONE = re.compile(r"no such table: (?:main\.|temp\.)?(\w+)$")


def _is_ours(message: str) -> bool:
    """Return whether a table that SQLite misses is in every store: damage if so."""
    gone = _GONE.match(message)
    return gone is not None and (gone[1] in metadata.tables or gone[1] in VIEWS)


_NO_TABLE = re.compile(r"no such table: (?:main\.|temp\.)?(.+)$")

_NO_COLUMN = re.compile(r"no such column: (?:\w+\.)?(\w+)")


def _perhaps(message: str, sql: str, connection: Connection) -> str:
    """Suggest a table, view or column for one that SQLite misses."""
    if match := _NO_TABLE.match(message):
        return _meant(connection, sql, "table", match[1])
    if match := _NO_COLUMN.match(message):
        return _meant(connection, sql, "column", match[1])
    return ""


def _meant(connection: Connection | Engine, sql: str, what: str, name: str) -> str:
    """Suggest a table, view or column that may have been meant.

    Args:
        connection: who tells the columns; not a connection that an error has ended.
        sql: the query.
        what: ``"table"`` or ``"column"``.
        name: the one that is missing.
    """
    tables = (*VIEWS, *metadata.tables)
    if what == "table":
        return did_you_mean(name, tables) + f"; views: {', '.join(VIEWS)}"
    inspector = inspect(connection)
    words = set(re.findall(r"\w+", sql.lower())).intersection(tables)
    columns = {
        table: [column["name"] for column in inspector.get_columns(table)]
        for table in sorted(words)
    }
    near = did_you_mean(name, sorted({*chain.from_iterable(columns.values())}))
    has = (f"; {table} has {', '.join(names)}" for table, names in columns.items())
    return near + "".join(has)


_READING = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)

_TELLING = frozenset(
    {
        *("application_id", "collation_list", "compile_options", "data_version"),
        *("database_list", "encoding", "foreign_keys", "freelist_count"),
        *("function_list", "journal_mode", "module_list", "page_count", "page_size"),
        *("pragma_list", "query_only", "schema_version", "table_list"),
        *("user_version",),
    }
)
"""Pragmas that tell something, unless they are given a value."""

_DESCRIBING = frozenset(
    {
        *("foreign_key_check", "foreign_key_list", "index_info", "index_list"),
        *("index_xinfo", "integrity_check", "quick_check", "table_info"),
        *("table_list", "table_xinfo"),
    }
)
"""Pragmas that tell something of what they are given."""


def _judge(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Authorize a part of a statement for SQLite, only if it reads."""
    # Functions that give tables declare them so; SQLite itself keeps others from it,
    # and settings by which it would not are refused below.
    declares = action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
    allowed = action in _READING or declares
    if action == sqlite3.SQLITE_PRAGMA and first is not None:
        name = first.lower()
        allowed = name in _DESCRIBING or (second is None and name in _TELLING)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


@contextmanager
def _only_reading(connection: Connection) -> Iterator[Callable[[], None]]:
    """Have SQLite refuse what does more than read, until all rows are there.

    While it compiles, and while it runs: a file that is open for reading only refuses
    that itself, but one that is open for writing and a database in memory do not.
    """
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        yield lambda: None
        return
    [was_only_read] = raw.execute("pragma query_only").fetchone()
    if not was_only_read:
        raw.execute("pragma query_only = on")
    raw.set_authorizer(_judge)
    try:
        yield lambda: raw.set_authorizer(None)
    finally:
        raw.set_authorizer(None)
        if not was_only_read:
            raw.execute("pragma query_only = off")


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
