"""Size of a store, and what takes the room."""

from __future__ import annotations

import os
from typing import NamedTuple

from sqlalchemy import Connection

from graphscore.exceptions import amount
from graphscore.store import schema
from graphscore.store.database import file_of

_GRAPHS = frozenset(
    table.name
    for table in (
        *(schema.symbol, schema.text, schema.collection, schema.ingest),
        *(schema.rejected, schema.graph, schema.top, schema.node, schema.property_),
        *(schema.anchor, schema.edge, schema.attribute),
    )
)
"""The tables of what files said; the others hold what metrics found."""

_UNITS = ("kB", "MB", "GB", "TB")


class Size(NamedTuple):
    """Bytes of a store."""

    total: int
    """Bytes of its file and log, or of its tables on a server."""
    graphs: int | None
    """Bytes of the content of files; ``None`` where the database does not tell."""
    results: int | None
    """Bytes of the results of metrics; ``None`` where the database does not tell."""
    free: int
    """Bytes of the file that are unused and are filled again."""

    def __str__(self) -> str:
        parts = {"graphs": self.graphs, "results": self.results, "free": self.free}
        known = [
            f"{name} {in_bytes(count)}"
            for name, count in parts.items()
            if count is not None
        ]
        return f"{in_bytes(self.total)}, of which {', '.join(known)}"


def in_bytes(number: int) -> str:
    """Give an amount of bytes in the unit that suits it.

    >>> in_bytes(1), in_bytes(999), in_bytes(1000), in_bytes(12_345_678)
    ('1 byte', '999 bytes', '1.0 kB', '12.3 MB')
    """
    if number < 1000:
        return amount(number, "byte")
    value, unit = number / 1000, 0
    while value >= 999.95 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:,.1f} {_UNITS[unit]}"


def size_of(connection: Connection) -> Size:
    """Measure a store.

    SQLite tells the size of tables if it was compiled with ``dbstat``.

    Args:
        connection: an open store.
    """
    if connection.dialect.name == "postgresql":
        tables = _tables_of_server(connection)
        graphs, results = _by_kind(tables)
        return Size(graphs + results, graphs, results, 0)
    page = _pragma(connection, "page_size")
    free = _pragma(connection, "freelist_count") * page
    path = file_of(connection.engine)
    total = _pragma(connection, "page_count") * page
    if path:
        # SQLite keeps a log beside the file.
        files = filter(os.path.exists, (path, f"{path}-wal"))
        total = sum(map(os.path.getsize, files))
    if not _has_dbstat(connection):
        return Size(total, None, None, free)
    rows = connection.exec_driver_sql(
        "select m.tbl_name, sum(d.pgsize) from dbstat d "
        "join main.sqlite_master m on m.name = d.name "
        "where d.aggregate = true group by m.tbl_name"
    )
    return Size(total, *_by_kind(dict(map(tuple, rows))), free)


def _tables_of_server(connection: Connection) -> dict[str, int]:
    # Not by name alone: a temporary view may stand before a table.
    rows = connection.exec_driver_sql(
        "select c.relname, pg_total_relation_size(c.oid) from pg_class c "
        "join pg_namespace n on n.oid = c.relnamespace "
        "where n.nspname = current_schema() and c.relkind = 'r'"
    )
    return {name: int(size) for name, size in rows}


def _by_kind(tables: dict[str, int]) -> tuple[int, int]:
    """Bytes of graphs and bytes of results, tables with their indexes."""
    ours = {name: tables[name] for name in schema.metadata.tables if name in tables}
    graphs = sum(size for name, size in ours.items() if name in _GRAPHS)
    return graphs, sum(ours.values()) - graphs


def _has_dbstat(connection: Connection) -> bool:
    used = "select sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')"
    return bool(connection.exec_driver_sql(used).scalar())


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"pragma {name}").scalar_one())
