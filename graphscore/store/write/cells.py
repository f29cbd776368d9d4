"""Rows as one list of cells, and the shortest way to have a database take them.

SQLite's driver is asked once for some hundreds of rows: a call for each of them costs
more than the row itself.  It is slow about ``None`` as well, which it takes for
something to be adapted, other than numbers; a double that is no number is NULL to
SQLite just the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import nan
from typing import Any

from sqlalchemy import Connection, Table

from graphscore.store.postgres import copy_rows

TOGETHER = (512, 32, 1)
"""Numbers of rows that one statement inserts, the first that are left."""

Cells = list[Any]
"""Cells of rows, one row after another."""


def bulk_insert(
    connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows by the shortest way there is.

    Args:
        connection: where; the caller commits.
        table: the table.
        rows: complete rows, in the order of the table's columns.
    """
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        copy_rows(connection, table, table.columns.keys(), rows)
    else:
        cells = list(chain.from_iterable(rows))
        insert_cells(connection, table, table.columns.keys(), cells)


def insert_cells(
    connection: Connection, table: Table, names: Sequence[str], cells: Cells
) -> None:
    """Insert rows whose cells stand one after another.

    Args:
        connection: where; the caller commits.
        table: the table.
        names: its columns that the rows have; the others have their default.
        cells: of all rows, in the order of the names; it may be changed here.
    """
    width = len(names)
    if connection.dialect.name == "postgresql":
        columns = (cells[index::width] for index in range(width))
        copy_rows(connection, table, names, list(zip(*columns, strict=True)))
        return
    empty = _without_none(table, names, cells)
    if empty:
        kept = [index for index in range(width) if index not in empty]
        columns = (cells[index::width] for index in kept)
        cells = list(chain.from_iterable(zip(*columns, strict=True)))
        names, width = [names[index] for index in kept], len(kept)
    flat = tuple(cells)
    end = 0
    for rows in TOGETHER:
        size, start = rows * width, end
        end += (len(flat) - start) // size * size
        parts = [flat[index : index + size] for index in range(start, end, size)]
        if parts:
            statement = _statement(connection, table, names, rows)
            connection.exec_driver_sql(statement, parts)


def _without_none(table: Table, names: Sequence[str], cells: Cells) -> set[int]:
    """Have nulls said as SQLite's driver takes them fastest.

    Returns:
        Places of columns that have nothing else, and need not be said.
    """
    width, empty = len(names), set[int]()
    for index, name in enumerate(names):
        if not table.columns[name].nullable:
            continue
        column = cells[index::width]
        if not column or (column[0] is None and column.count(None) == len(column)):
            empty.add(index)
        else:
            cells[index::width] = [nan if cell is None else cell for cell in column]
    return empty


def _statement(
    connection: Connection, table: Table, names: Sequence[str], rows: int
) -> str:
    quote = connection.dialect.identifier_preparer.quote
    columns = ", ".join(map(quote, names))
    row = f"({', '.join('?' * len(names))})"
    values = ", ".join([row] * rows)
    return f"insert into {quote(table.name)} ({columns}) values {values}"
