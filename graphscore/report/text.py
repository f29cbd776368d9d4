"""Tables as text: rich on a terminal, plain characters elsewhere, SVG in notebooks.

rich is imported when a table is rendered, not before.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from html import escape
from typing import Any

from graphscore.exceptions import truncate, visible
from graphscore.report.table import (
    Best,
    BestAmount,
    Meaning,
    Table,
    cell,
    one_line,
)

LONG = 2_000
"""Characters of a cell as text: every row is as wide as the widest one."""

INDENT = 4
"""Blanks before what goes on in the next line of a listing."""

WIDE = 100_000
"""Columns of an output that is no terminal: nothing is wrapped."""


def render(
    tables: Iterable[Table],
    places: int = 2,
    terminal: bool = False,
    width: int | None = None,
) -> str:
    """Tables as text, a blank line between them.

    Args:
        tables: what to show.
        places: decimals of ratios.
        terminal: whether a terminal shows it: with bold type, unless the environment
            has ``NO_COLOR``.
        width: characters of a line; without it as many as the terminal has, elsewhere
            as many as there are.
    """
    from rich.console import Console

    from graphscore.report.column_widths import fitted, numbers_fit

    buffer = io.StringIO()
    plain = not terminal or bool(os.environ.get("NO_COLOR"))
    console = Console(
        file=buffer,
        force_terminal=terminal,
        color_system=None if plain else "auto",
        width=width or (None if terminal else WIDE),
        highlight=False,
        markup=False,
        emoji=False,
    )
    bounded = terminal or width is not None

    def shown(value: Any, meaning: Meaning = "name") -> str:
        return cell(value, places, meaning)

    for number, table in enumerate(tables):
        parts = fitted(table, console.width, shown) if bounded else [table]
        for index, part in enumerate(parts):
            if number or index:
                console.print()
            whole = numbers_fit(part, console.width, shown)
            _print(console, part, places, whole=whole)
    lines = buffer.getvalue().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _text(value: Any, places: int, meaning: Meaning) -> Any:
    from rich.text import Text

    style = "bold" if isinstance(value, Best | BestAmount) else ""
    return Text(_cut(cell(value, places, meaning)), style=style)


def _cut(text: str) -> str:
    return truncate(text, LONG)


def _print(console: Any, table: Table, places: int, *, whole: bool) -> None:
    """Print a table; numbers are never broken where there is room for the *whole*."""
    from rich import box
    from rich.measure import Measurement
    from rich.table import Table as RichTable
    from rich.text import Text

    if table.title:
        console.print(Text(_cut(visible(table.title)), style="bold"))
    if table.columns:
        drawn = RichTable(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True
        )
        for column in table.columns:
            drawn.add_column(
                Text(_cut(one_line(column.name))),
                justify="right" if column.right else "left",
                no_wrap=whole and column.right,
                overflow="fold",
            )
        for number, row in enumerate(table.rows):
            if number in table.rules:
                drawn.add_section()
            meanings = (column.meaning for column in table.columns)
            drawn.add_row(
                *(_text(x, places, m) for x, m in zip(row, meanings, strict=True))
            )
        wide = console.options.update(max_width=WIDE)
        if Measurement.get(console, wide, drawn).maximum > console.width:
            drawn.padding = (0, 0, 0, 0)
        console.print(drawn)
    for note in table.notes:
        if not isinstance(note, str):
            name, value = note
            note = f"  {name} {_cut(cell(value, places))}"
        console.print(Text(visible(note)))
    if table.listing:
        for line in visible(table.listing).split("\n"):
            for part in folded(line, console.width):
                console.print(Text(part), no_wrap=True, crop=False)


def folded(line: str, width: int) -> list[str]:
    """A line as lines that are no wider; those below begin a bit further in.

    Args:
        line: without line ends.
        width: characters of a line.

    Example:
        >>> folded("  = two masked men | men", 16)
        ['  = two masked', '      men | men']
    """
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    if cell_len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip())
    further = min(indent + INDENT, max(width - INDENT, 0))
    console, body = Console(width=width), line[indent:]
    first = Text(body).wrap(console, max(width - indent, 1))[0].plain
    rest = Text(body[len(first) :].lstrip()).wrap(console, max(width - further, 1))
    lines = [" " * further + part.plain.rstrip() for part in rest]
    return [" " * indent + first.rstrip(), *lines]


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
        >>> from graphscore.report.table import Column
        >>> svg([Table([Column("a")], [("<",)])]).count("<text")
        3
    """
    from rich.cells import cell_len

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
    from rich.cells import cell_len

    text = line.lstrip(" ")
    x = _ROOM + _WIDE * (len(line) - len(text))
    return (
        f'<text x="{x}" y="{y}" xml:space="preserve" '
        f'textLength="{_WIDE * cell_len(text)}">{escape(text)}</text>'
    )
