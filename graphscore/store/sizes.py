"""How large a store is: rows and bytes of each table, where the database tells them."""

from __future__ import annotations

import os
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from graphscore.store.database import file_of
from graphscore.store.schema import metadata

LOG = "-wal"
"""How the file that SQLite keeps beside a store ends."""


class TableSize(NamedTuple):
    """What a table takes."""

    table: str
    rows: int
    bytes: int | None
    """With its indexes; ``None`` where the database does not tell."""


class Size(NamedTuple):
    """What a store takes."""

    tables: tuple[TableSize, ...]
    """Largest first."""
    bytes: int
    """In all: of the file and its log, or of the tables on a server."""
    free: int
    """Those of the file that hold nothing any more, and are filled again."""


def size_of(connection: Connection) -> Size:
    """What a store takes, counted row by row.

    Args:
        connection: an open store.
    """
    of_tables = table_bytes(connection)
    tables = [
        TableSize(
            table.name,
            connection.execute(select(func.count()).select_from(table)).scalar_one(),
            of_tables.get(table.name),
        )
        for table in metadata.tables.values()
    ]
    tables.sort(key=lambda each: (-(each.bytes or 0), -each.rows, each.table))
    return Size(tuple(tables), total_bytes(connection), free_bytes(connection))


def total_bytes(connection: Connection) -> int:
    """Bytes of the store: of its file and log, or of its tables on a server.

    Args:
        connection: an open store.
    """
    if connection.dialect.name == "postgresql":
        return sum(table_bytes(connection).values())
    path = file_of(connection.engine)
    if not path:
        return _pragma(connection, "page_count") * _pragma(connection, "page_size")
    files = (path, f"{path}{LOG}")
    return sum(os.path.getsize(each) for each in files if os.path.exists(each))


def free_bytes(connection: Connection) -> int:
    """Bytes of the store's file that hold nothing; a server does not tell.

    Args:
        connection: an open store.
    """
    if connection.dialect.name == "postgresql":
        return 0
    return _pragma(connection, "freelist_count") * _pragma(connection, "page_size")


def table_bytes(connection: Connection) -> dict[str, int]:
    """Bytes of each table with its indexes; nothing where the database does not tell.

    SQLite tells if it was compiled with ``dbstat``.

    Args:
        connection: an open store.
    """
    if connection.dialect.name == "postgresql":
        # Not by name alone: a view of this session may stand before a table.
        found = connection.exec_driver_sql(
            "select c.relname, pg_total_relation_size(c.oid) from pg_class c "
            "join pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname = current_schema() and c.relkind = 'r'"
        )
    elif _has_dbstat(connection):
        found = connection.exec_driver_sql(
            "select m.tbl_name, sum(d.pgsize) from dbstat d "
            "join main.sqlite_master m on m.name = d.name "
            "where d.aggregate = true group by m.tbl_name"
        )
    else:
        return {}
    sizes = {name: int(count) for name, count in found}
    return {name: sizes[name] for name in metadata.tables if name in sizes}


def _has_dbstat(connection: Connection) -> bool:
    used = "select sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')"
    return bool(connection.exec_driver_sql(used).scalar())


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"pragma {name}").scalar_one())
