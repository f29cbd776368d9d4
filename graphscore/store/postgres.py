"""PostgreSQL support: connecting, bulk writing, and read-only queries.

psycopg itself is imported only when there is such a store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event

from graphscore.exceptions import StoreError, UsageError
from graphscore.store.column_types import Number
from graphscore.store.passwords import hidden, is_secret
from graphscore.store.turns import describe_process

WRITER = 0x67_72_61_70_68
"""The advisory lock that writers of a schema take, so that there is one at a time."""

CONNECT_TIMEOUT = 10
"""Seconds to wait for a server; ``connect_timeout`` in the URL says another."""

READ_ONLY = "25006"
"""PostgreSQL's code for a write in a transaction that only reads."""

NOTICED = 1000
"""Milliseconds after which a server of Linux notices that its client is gone."""

ASKED_TO_WRITE = (
    "is open read-only: the statement would write, attach another file or change a "
    "setting"
)
"""Message about a query that does more than read, in either database."""

SENTENCES = {
    READ_ONLY: "cannot be written: it is read-only",
    "42501": "the database refuses this to the role that asks",
    "53100": "cannot be written: the disk is full; "
    "what was being written was taken back",
    "54000": "a value is longer than the database can look up",
    "55P03": "is locked by another process; try again when it is done",
    "57P01": "the server is shutting down; the change was rolled back",
}

HARMLESS = frozenset(
    {
        "array_sample",
        "array_shuffle",
        "clock_timestamp",
        "current_query",
        "gen_random_uuid",
        "pg_column_compression",
        "pg_database_size",
        "pg_indexes_size",
        "pg_relation_size",
        "pg_table_size",
        "pg_total_relation_size",
        "random",
        "random_normal",
        "system",
        "timeofday",
        "uuidv4",
        "uuidv7",
    }
)
"""Volatile functions that change nothing."""

_QUERIES = ("select", "with", "values", "table", "(")

_WRITES = re.compile(
    r"(?:insert|update|delete|merge|create|drop|alter|truncate|reindex|vacuum|grant|"
    r"revoke|copy|refresh|comment|lock|cluster|analyze)\b"
)

_NEAR = re.compile(r'at or near "(\w+)"')

_SPACE = re.compile(r"(?:\s+|--[^\n]*(?:\n|\Z)|/\*.*?\*/)+", re.DOTALL)

_WORD = re.compile(r"[^\W\d][\w$]*")


def open_postgres(
    name: str, url: URL, *, read_only: bool, busy_timeout: float
) -> Engine:
    """An engine for a store on PostgreSQL; no connection is made yet.

    Args:
        name: the store as its user named it.
        url: the same, taken apart.
        read_only: whether every transaction only reads.
        busy_timeout: seconds to wait for a lock.

    Raises:
        StoreError: the URL names another driver than psycopg.
    """
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise StoreError(
            f"{hidden(name)}: PostgreSQL is reached through psycopg; "
            "write postgresql://..."
        )
    # Secrets go where no representation of the engine shows them.
    secret = {key: value for key, value in url.query.items() if is_secret(key)}
    url = url.difference_update_query(secret).set(drivername="postgresql+psycopg")
    arguments: dict[str, Any] = {"client_encoding": "utf8", **secret}
    if "connect_timeout" not in url.query:
        arguments["connect_timeout"] = CONNECT_TIMEOUT
    if "application_name" not in url.query:
        arguments["application_name"] = describe_process()
    engine = create_engine(
        url,
        connect_args=arguments,
        hide_parameters=True,
        execution_options={"postgresql_readonly": True} if read_only else {},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.adapters.register_loader("numeric", _number_loader())
        # Whatever the server's settings are, a quoted string is what it says.
        connection.execute(
            "select set_config('standard_conforming_strings', 'on', false), "
            f"set_config('lock_timeout', '{busy_timeout * 1000:.0f}', false)"
        )
        # Who is killed within a long statement holds no lock for longer than this;
        # servers of other systems cannot tell, and refuse the setting.
        connection.execute(
            f"select set_config('client_connection_check_interval', '{NOTICED}', false)"
            " where version() like '%linux%'"
        )
        connection.commit()

    return engine


def _number_loader() -> type[Any]:
    """Return the loader of decimals as numbers; sums of counts are decimals."""
    from psycopg.adapt import Loader

    def load(_: Any, data: Any) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdecimal() else float(text)

    return type("NumberLoader", (Loader,), {"load": load})


def try_to_write(connection: Connection, seconds: float, usual: float) -> bool:
    """Try to take the lock that all writers take, until the transaction ends.

    Args:
        connection: one whose transaction has just begun.
        seconds: how long to wait for it.
        usual: seconds that its other statements wait for other locks.

    Returns:
        Whether it is taken.
    """
    from psycopg.errors import LockNotAvailable

    key = f"hashtext(current_schema()), {WRITER % 2**31}"
    # SQLAlchemy would end a transaction that has only begun for the first error.
    driver: Any = connection.connection.driver_connection
    if not seconds:
        row = driver.execute(f"select pg_try_advisory_xact_lock({key})").fetchone()
        return bool(row[0])
    limit = max(1, round(seconds * 1000))
    driver.execute("savepoint turn")
    driver.execute(f"set local lock_timeout = {limit}")
    try:
        driver.execute(f"select pg_advisory_xact_lock({key})")
    except LockNotAvailable:
        driver.execute("rollback to savepoint turn")
        return False
    driver.execute(f"set local lock_timeout = {round(usual * 1000)}")
    return True


def describe_client(connection: Connection) -> str:
    """Describe who holds the lock that all writers take; empty if nobody does.

    Args:
        connection: an open store.
    """
    driver: Any = connection.connection.driver_connection
    row = driver.execute(
        "select a.pid, a.application_name, a.usename from pg_catalog.pg_locks l "
        "join pg_catalog.pg_stat_activity a on a.pid = l.pid "
        "where l.locktype = 'advisory' and l.granted and l.objsubid = 2 "
        "and l.database = (select oid from pg_catalog.pg_database "
        "where datname = current_database()) "
        f"and l.objid = {WRITER % 2**31} and l.classid::bigint = "
        "(hashtext(current_schema())::bigint & 4294967295)"
    ).fetchone()
    if row is None:
        return ""
    process, program, user = row
    return f"{program or 'a client'} of {user} (server process {process})"


def show_before(connection: Any, views: Callable[[str], Iterable[str]]) -> None:
    """Put temporary views before tables of the store, if the role may make any.

    Args:
        connection: psycopg's, which has just been made.
        views: gives statements, of the table of evaluations by its whole name.
    """
    from psycopg import errors

    try:
        with connection.transaction():
            [table] = connection.execute(
                "select format('%I.%I', n.nspname, c.relname) from pg_class c "
                "join pg_namespace n on n.oid = c.relnamespace "
                "where c.oid = 'evaluation'::regclass"
            ).fetchone()
            for statement in views(table):
                connection.execute(statement)
    except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction):
        pass


def exact(value: int | float) -> int | Decimal:
    """A number as a decimal column keeps it: all of a double, and that it is one.

    Args:
        value: finite.

    Example:
        >>> exact(3), str(exact(3.0)), str(exact(0.1))[:24]
        (3, '3.0', '0.1000000000000000055511')
    """
    if not isinstance(value, float):
        return value
    decimal = Decimal(value)
    return decimal if decimal.as_tuple().exponent else Decimal(f"{decimal:f}.0")


def _in_decimals(
    table: Table, names: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> Iterable[tuple[Any, ...]]:
    """Rows as they can be written: doubles that stand in columns of decimals."""
    kinds = [table.columns[name].type for name in names]
    indexes = [n for n, kind in enumerate(kinds) if isinstance(kind, Number)]
    if not indexes:
        return rows
    first, last = indexes[0], indexes[-1] + 1
    assert indexes == [*range(first, last)]
    return (
        (*row[:first], *map(exact, row[first:last]), *row[last:])
        if any(isinstance(cell, float) for cell in row[first:last])
        else row
        for row in rows
    )


def copy_rows(
    connection: Connection,
    table: Table,
    names: Sequence[str],
    rows: Iterable[tuple[Any, ...]],
) -> None:
    """Insert rows the way PostgreSQL takes them fastest.

    Args:
        connection: where; the caller commits.
        table: the table.
        names: its columns that the rows have.
        rows: a cell for each of the names.
    """
    quote = connection.dialect.identifier_preparer.quote
    columns = ", ".join(map(quote, names))
    statement = f"copy {quote(table.name)} ({columns}) from stdin"
    raw: Any = connection.connection.driver_connection
    with raw.cursor() as cursor, cursor.copy(statement) as copy:
        for row in _in_decimals(table, names, rows):
            copy.write_row(row)


def refuse_effects(connection: Connection, sql: str) -> None:
    """Refuse a query that calls what does more than give rows.

    A transaction that only reads stops writing to tables, but not everything that
    functions of the server do: ending other sessions, reading its files, taking
    locks.  PostgreSQL calls all of these volatile, so that its own catalogue tells
    them.  They are looked for among all words of the query, within strings too: SQL
    can stand in there.

    Args:
        connection: an open store.
        sql: one statement.

    Raises:
        UsageError: it names such a function.
    """
    if re.search(r"\bu&\"", sql, re.IGNORECASE):
        raise UsageError('in the SQL: names written as U&"..." are not taken')
    words = {word.lower() for word in _WORD.findall(sql)} - HARMLESS
    # Of the server itself and of its extensions; a user's own functions are bound
    # by the transaction and by what their owner allows.
    effects = connection.exec_driver_sql(
        "select min(p.proname) from pg_catalog.pg_proc p "
        "where p.proname = any(%s::text[]) and p.provolatile = 'v' "
        "and (p.pronamespace = 'pg_catalog'::regnamespace or exists (select 1 "
        "from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::regclass "
        "and d.objid = p.oid and d.deptype = 'e'))",
        (sorted(words),),
    ).scalar()
    if effects is not None:
        raise UsageError(
            f"in the SQL: {effects} does more than give rows; a store is only read"
        )


def as_sqlite(
    rows: Iterable[tuple[Any, ...]], cursor: Any
) -> Iterable[tuple[Any, ...]]:
    """Rows as SQLite gives them, which has 1 and 0 for true and false.

    Args:
        rows: of a query.
        cursor: psycopg's, which knows the types of their columns.
    """
    truths = {
        n for n, column in enumerate(cursor.description) if column.type_code == _BOOL
    }
    if not truths:
        return rows
    return (
        tuple(
            int(cell) if n in truths and cell is not None else cell
            for n, cell in enumerate(row)
        )
        for row in rows
    )


_BOOL = 16
"""The number of PostgreSQL's type of true and false."""

_NO_TABLE = re.compile(r'relation "(?:\w+\.)?(.+)" does not exist')

_NO_FUNCTION = re.compile(r"function (?:\w+\.)*(\w+\(.*\)) does not exist", re.DOTALL)

_NO_COLUMN = re.compile(r'column (?:"(.+)"|(?:\w+\.)?(.+)) does not exist')


def wrong_sql(
    error: Any, sql: str, perhaps: Callable[[str, str], str]
) -> Exception | None:
    """Return the error to raise where the query is at fault, not the store.

    What is missing is said in SQLite's words.

    Args:
        error: psycopg's.
        sql: the query.
        perhaps: which ``"table"`` or ``"column"`` was perhaps meant by a name.

    Returns:
        The error, or ``None`` where something else is wrong.
    """
    code = error.sqlstate or ""
    text = " ".join((error.diag.message_primary or str(error)).split())
    if "data-modifying" in text:
        return StoreError(ASKED_TO_WRITE)
    if code == "42501" or code[:2] not in ("0A", "21", "22", "42", "54"):
        return None
    first = _SPACE.sub(" ", sql).strip().lower()
    near = _NEAR.search(text)
    wrote = near is not None and _WRITES.match(near[1].lower()) is not None
    if wrote and code == "42601" and first.startswith("with"):
        # A cursor takes no such statement, so that it looks like nonsense to it.
        return StoreError(ASKED_TO_WRITE)
    if "multiple commands" in text:
        text = "You can only execute one statement at a time."
    elif code == "42601" and not first.startswith(_QUERIES):
        if _WRITES.match(first):
            return StoreError(ASKED_TO_WRITE)
        text = "a query begins with select, with, values or table"
    for what, missing in (("table", _NO_TABLE), ("column", _NO_COLUMN)):
        if match := missing.fullmatch(text):
            name = next(group for group in match.groups() if group)
            whole = text[len("column ") : -len(" does not exist")].strip('"')
            shown = name if what == "table" else whole
            return UsageError(
                f"in the SQL: no such {what}: {shown}{perhaps(what, name)}"
            )
    if match := _NO_FUNCTION.fullmatch(text):
        text = f"no such function: {match[1]}"
    hint = error.diag.message_hint
    return UsageError(f"in the SQL: {text}" + (f" ({hint})" if hint else ""))
