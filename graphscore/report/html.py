"""Results as HTML, for notebooks: one table without scripts or style sheets."""

from __future__ import annotations

from html import escape

from graphscore.evaluation.result import Result
from graphscore.report.tables import group_table, heading
from graphscore.report.text import Table, cell, one_line


def result_table(result: Result) -> str:
    """A result as a table of frameworks and kinds.

    Args:
        result: any result.

    Returns:
        A self-contained piece of HTML.
    """
    table = group_table(result, ("framework",))
    table.title = heading(result)
    return html_table(table)


def html_table(table: Table, places: int = 2) -> str:
    """Any table as HTML.

    Example:
        >>> from graphscore.report.text import Column
        >>> html_table(Table([Column("a")], [("<",)]))
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;</td></tr></tbody></table>'
    """
    right = ' style="text-align:right"'
    styles = [right if column.right else "" for column in table.columns]
    head = "".join(
        f"<th{style}>{escape(one_line(column.name))}</th>"
        for style, column in zip(styles, table.columns, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{style}>{escape(cell(value, places))}</td>"
            for style, value in zip(styles, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    caption = (
        f"<caption>{escape(one_line(table.title))}</caption>" if table.title else ""
    )
    return (
        f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
