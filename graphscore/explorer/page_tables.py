"""Cells of the explorer's tables, which lead to other pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphscore.exceptions import truncate
from graphscore.report import table as cells
from graphscore.report.table import Bar, Cell, Column, Table, as_table

NARROW = 5
"""Columns that narrow screens have room for; of more, cells stand below each other."""

LONG = 160
"""Characters of a cell that are shown."""


def text(value: Any, href: str = "") -> Cell:
    """A cell with text.

    >>> text("a", "/b").href
    '/b'
    """
    if value is None:
        return Cell(None, href, null=True)
    return Cell(truncate(str(value), LONG), href)


def number(value: int | float | None, href: str = "") -> Cell:
    """A cell with an amount; empty where there is none."""
    return Cell(value, href)


def ratio(value: float | None, href: str = "", *, bar: bool = False) -> Cell:
    """A cell with a ratio, times 100.

    >>> float(ratio(0.5, bar=True).value)
    0.5
    """
    shown = cells.ratio(value)
    if shown is None:
        return Cell(None)
    return Cell(shown, href, Bar(shown) if bar else None)


def page_table(
    columns: Iterable[Any],
    rows: Sequence[Sequence[Any]],
    title: str = "",
    empty: str = "none",
) -> Table:
    """A table of a page, without columns in which there is nothing.

    Args:
        columns: those of texts may be names alone.
        rows: a cell for each of them.
        title: its caption.
        empty: text in place of rows where there are none.
    """
    heads = [head if isinstance(head, Column) else Column(head) for head in columns]
    kept = [
        index
        for index, head in enumerate(heads)
        if not index or head.right or any(_says(row[index]) for row in rows)
    ]
    table = Table(
        [heads[index] for index in kept],
        [tuple(row[index] for index in kept) for row in rows],
        title,
        empty="" if rows else empty,
    )
    return narrowed(table)


def narrowed(table: Table) -> Table:
    """A table whose cells stand below each other where there is no room for them."""
    if len(table.columns) > NARROW:
        table.name = f"{table.name} records".strip()
    return table


def _says(value: Any) -> bool:
    if isinstance(value, Cell):
        return value.value not in (None, "") or value.null or bool(value.href)
    return value not in (None, "")


def plain(columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str) -> Table:
    """A table of whatever a statement gave.

    Args:
        columns: names.
        rows: values; those that are numbers stand at the right.
        caption: its title.
    """
    table = as_table(columns, rows)
    cells = [
        tuple(
            value if isinstance(value, int | float) else _told(value) for value in row
        )
        for row in table.rows
    ]
    return page_table(table.columns, cells, caption, "no rows")


def _told(value: Any) -> Cell:
    return text(f"x'{value.hex()}'" if isinstance(value, bytes) else value)
