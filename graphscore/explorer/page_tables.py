"""Tables as pages have them: cells with links and bars, and their plain values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.drawing.svg import written
from graphscore.exceptions import truncate
from graphscore.report.page.fragments import Bar, Head, Raw, bar, element, table
from graphscore.report.text import Ratio, cell

LONG = 160
"""Characters of a cell that are shown."""


class Cell(NamedTuple):
    """Cell of a table."""

    text: str
    href: str = ""
    right: bool = False
    bar: float | None = None
    """A ratio from 0 to 1 that is drawn beside the number."""
    later: str = ""
    """The address of what takes its place, once it is worked out."""
    null: bool = False
    """There is no value, as distinct from an empty one."""

    def html(self) -> str:
        """The cell, in which all texts are escaped."""
        inside = written(self.text)
        if self.null:
            inside = f'<i class="soft">{inside}</i>'
        if self.later:
            known = {"hx_get": self.later, "hx_trigger": "load", "hx_swap": "outerHTML"}
            return element("a", "\u2026", href=self.href, **known)
        if self.href:
            inside = element("a", inside or "(empty)", href=self.href)
        return inside if self.bar is None else f"{inside}{bar(Bar(self.bar))}"


NOTHING = Cell("")
"""Empty cell."""


def text(value: Any, href: str = "") -> Cell:
    """A cell with text.

    >>> text("a", "/b")
    Cell(text='a', href='/b', right=False, bar=None, later='', null=False)
    """
    if value is None:
        return Cell("null", href, null=True)
    return Cell(truncate(str(value), LONG), href)


def number(value: int | float | None, href: str = "") -> Cell:
    """A cell with an amount; empty where there is none.

    >>> number(12345).text
    '12,345'
    """
    if value is None:
        return Cell("", right=True)
    text = f"{value:,}" if isinstance(value, int) else cell(value)
    return Cell(text, href, right=True)


def ratio(value: float | None, href: str = "", *, bar: bool = False) -> Cell:
    """A cell with a ratio, times 100.

    >>> ratio(0.5).text
    '50.00'
    """
    if value is None or math.isnan(value):
        return Cell("", right=True)
    drawn = min(1.0, max(0.0, value)) if bar else None
    return Cell(cell(Ratio(value)), href, right=True, bar=drawn)


@dataclass
class PageTable:
    """A table of a page."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    empty: str = "none"
    """Text in place of rows where there are none."""

    def html(self) -> str:
        """The table, in which all texts are escaped."""
        if not self.rows:
            return f"<p>{self.caption and written(self.caption + ': ')}{self.empty}</p>"
        # Of what nothing has, there is no column.
        indexes = [
            index
            for index in range(len(self.columns))
            if not index or any(row[index] != NOTHING for row in self.rows)
        ]
        heads = [
            Head(self.columns[index], all(row[index].right for row in self.rows))
            for index in indexes
        ]
        rows = [[Raw(row[index].html()) for index in indexes] for row in self.rows]
        return table(heads, rows, self.caption)


def plain(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str
) -> PageTable:
    """A table of whatever a statement gave.

    Args:
        columns: names.
        rows: values; those that are numbers stand at the right.
        caption: its title.
    """
    result = [
        [
            Cell(cell(value), right=True)
            if isinstance(value, int | float)
            else text(f"x'{value.hex()}'" if isinstance(value, bytes) else value)
            for value in row
        ]
        for row in rows
    ]
    return PageTable(columns, result, caption, "no rows")
