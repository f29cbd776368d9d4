"""Tables as HTML, for notebooks: without scripts or style sheets."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from graphscore.report.markup import caption, is_best, notes, plain
from graphscore.report.text import Table, one_line


def html(tables: Iterable[Table], places: int = 2) -> str:
    """Several tables as HTML."""
    return "".join(html_table(table, places) for table in tables)


def html_table(table: Table, places: int = 2) -> str:
    """Any table as HTML.

    Example:
        >>> from graphscore.report.text import Column
        >>> html_table(Table([Column("a")], [("<",)]))
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;</td></tr></tbody></table>'
    """
    title = escape(one_line(caption(table)))
    below = "".join(f"<p>{escape(one_line(note))}</p>" for note in notes(table, places))
    if not table.columns:
        return f"<p>{title}</p>{below}" if title else below
    right = ' style="text-align:right"'
    styles = [right if column.right else "" for column in table.columns]
    head = "".join(
        f"<th{style}>{escape(one_line(column.name))}</th>"
        for style, column in zip(styles, table.columns, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{style}>{_cell(table, row, column, value, places)}</td>"
            for column, (style, value) in enumerate(zip(styles, cells, strict=True))
        )
        + "</tr>"
        for row, cells in enumerate(table.rows)
    )
    above = f"<caption>{title}</caption>" if title else ""
    return (
        f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        + below
    )


def _cell(table: Table, row: int, column: int, value: Any, places: int) -> str:
    """A cell, the best of those that it is compared with in bold."""
    text = escape(plain(value, places))
    if text and is_best(table, row, column):
        text = f"<b>{text}</b>"
    return text + escape(table.marks.get((row, column), ""))
