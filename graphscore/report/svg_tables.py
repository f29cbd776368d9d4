"""Tables as SVG, for notebooks and documents that show pictures alone."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from rich.cells import cell_len

from graphscore.report.text import Table, render

COLUMNS = 120
"""Characters of a line, as of a wide terminal; what is wider is stacked."""

_WIDE, _HIGH, _ROOM = 8, 18, 8
"""Pixels of a character, of a line, and around all of it."""


def svg(tables: Iterable[Table], places: int = 2) -> str:
    """Several tables as one picture: their text, in letters of one width.

    Args:
        tables: what to draw.
        places: decimals of ratios.

    Example:
        >>> from graphscore.report.text import Column
        >>> svg([Table([Column("a")], [("<",)])]).count("<text")
        3
    """
    lines = render(tables, places, width=COLUMNS).splitlines()
    width = _WIDE * max(map(cell_len, lines), default=0) + 2 * _ROOM
    height = _HIGH * len(lines) + 2 * _ROOM
    drawn = "".join(
        _line(line, _ROOM + _HIGH * number - 5)
        for number, line in enumerate(lines, 1)
        if line.strip()
    )
    # Without a background of its own a dark page would hide the letters.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" '
        'fill="white"/><g font-family="monospace" font-size="13" fill="black">'
        f"{drawn}</g></svg>"
    )


def _line(line: str, y: int) -> str:
    """A line without the blanks that it begins with, at its place and width."""
    text = line.lstrip(" ")
    x = _ROOM + _WIDE * (len(line) - len(text))
    return (
        f'<text x="{x}" y="{y}" xml:space="preserve" '
        f'textLength="{_WIDE * cell_len(text)}">{escape(text)}</text>'
    )
