"""What Markdown and LaTeX have in common: cells without the marks of plain text.

Pure functions, as :mod:`graphscore.report.markdown` and
:mod:`graphscore.report.latex` are; a table gives the same numbers in all of them.
"""

from __future__ import annotations

from typing import Any

from graphscore.report.text import BEST, Best, BestAmount, Table, cell

BOLD = "(best in bold)"
"""What titles say instead of :data:`graphscore.report.text.BEST`."""


def plain(value: Any, places: int) -> str:
    """A cell as text shows it, without the star before the best.

    >>> plain(Best(0.76166), 2), plain("*a", 2)
    ('76.17', '*a')
    """
    text = cell(value, places)
    return text[1:] if isinstance(value, Best | BestAmount) else text


def is_best(table: Table, row: int, column: int) -> bool:
    """Whether a cell is the best of those that it is compared with."""
    value = table.rows[row][column]
    return isinstance(value, Best | BestAmount) or (row, column) in table.best


def caption(table: Table) -> str:
    """The title of a table whose best cells are bold."""
    return table.title.replace(BEST, BOLD).strip()


def notes(table: Table, places: int) -> list[str]:
    """The lines below a table; a signature that is shown anyway is none of them."""
    lines = [
        note if isinstance(note, str) else f"{note[0]} {cell(note[1], places)}"
        for note in table.notes
    ]
    shown = [line.strip() for line in [*lines, table.legend]]
    return [line for line in shown if line and line != table.signature]
