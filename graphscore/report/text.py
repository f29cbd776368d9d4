"""Tables as text: rich on a terminal, plain characters elsewhere.

rich is imported when a table is rendered, not before.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from graphscore.exceptions import truncate, visible
from graphscore.rows import unique_names

LONG = 2_000
"""Characters of a cell as text: every row is as wide as the widest one."""

INDENT = 4
"""Blanks before what goes on in the next line of a listing."""

WIDE = 100_000
"""Columns of an output that is no terminal: nothing is wrapped."""


class Ratio(float):
    """A number from 0 to 1 that tables show times 100."""


class Best(Ratio):
    """A ratio that none in its comparison exceeds; tables put a star before it."""


class BestAmount(int):
    """A count that none in its comparison exceeds; tables put a star before it."""


class Short(str):
    """A name cut for the width of a terminal; Markdown and LaTeX show it whole.

    Attributes:
        whole: the name.
    """

    whole: str

    def __new__(cls, shown: str, whole: str) -> Short:
        """Return the text as shown, with the whole."""
        self = super().__new__(cls, shown)
        self.whole = whole
        return self


BEST = "(* best)"
"""Explanation of the star in titles."""


class Bounded(NamedTuple):
    """A ratio with its confidence interval, which stands behind it."""

    value: float
    low: float
    high: float


class Deviating(NamedTuple):
    """A ratio with its standard deviation, which stands behind it."""

    value: float
    deviation: float


class Bar(NamedTuple):
    """A ratio that pages draw as a bar, with its interval; elsewhere it is nothing.

    Numbers stand beside it, so that nothing is lost where it is not seen.
    """

    value: float
    low: float | None = None
    high: float | None = None


class Cell(NamedTuple):
    """A value with what pages add to it."""

    value: Any
    href: str = ""
    bar: Bar | None = None
    """A bar that is drawn beside the value."""
    later: str = ""
    """The address of what takes its place, once it is worked out."""
    null: bool = False
    """There is no value, as distinct from an empty one."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    right: bool = False
    """Align to the right, as for numbers."""
    joined: bool = False
    """The column needs the one before it."""


@dataclass
class Table:
    """Rows of plain values under named columns.

    Attributes:
        columns: the columns.
        rows: one value per column; ``None`` is an empty cell.
        title: a line above.
        notes: lines below; a name and its value, which is shown as a cell is.
        rules: numbers of the rows above which a line is drawn.
        listing: lines below the notes that are shown as they are, such as SQL.
        signature: what the numbers depend on; Markdown and LaTeX have it as caption.
        best: rows and columns of further cells that Markdown and LaTeX show in bold.
        marks: by row and column what these put behind a cell: whether it is
            significant.
        legend: what the marks mean.
        records: whether rows that are too wide are shown below each other, a line a
            cell; else columns are stacked.
        name: the class that style sheets of pages know it by.
        ids: on pages what links to rows name, by their numbers.
        empty: on pages the text in place of rows, where there are none.
    """

    columns: list[Column]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    title: str = ""
    notes: list[str | tuple[str, Any]] = field(default_factory=list)
    rules: set[int] = field(default_factory=set)
    listing: str = ""
    signature: str = ""
    best: set[tuple[int, int]] = field(default_factory=set)
    marks: dict[tuple[int, int], str] = field(default_factory=dict)
    legend: str = ""
    records: bool = False
    name: str = ""
    ids: dict[int, str] = field(default_factory=dict)
    empty: str = ""

    def records_of(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as dictionaries; columns of one name are numbered."""
        names = unique_names([column.name for column in self.columns])
        for row in self.rows:
            yield dict(zip(names, row, strict=True))


def one_line(text: str, most: int | None = None) -> str:
    r"""*text* on one line, shortened to *most* characters.

    >>> one_line("a\nb"), one_line("abcdef", 4)
    ('a\\nb', 'abc…')
    """
    text = visible(text.replace("\n", "\\n").replace("\t", "\\t"))
    if most is not None and len(text) > most:
        return text[: most - 1] + "…"
    return text


def cell(value: Any, places: int = 2) -> str:
    """Return a table's text of a value.

    Args:
        value: any plain value.
        places: decimals of a ratio, which is shown times 100.

    Example:
        >>> cell(Ratio(0.76166)), cell(None), cell(True), cell(0.25), cell(b"a")
        ('76.17', '', 'yes', '0.25', '61')
        >>> cell(Best(0.76166))
        '*76.17'
        >>> cell(Bounded(0.9, 0.88, 0.915))
        '90.00 [88.00, 91.50]'
        >>> cell(Ratio(-1e-17))
        '0.00'
    """
    if value is None or isinstance(value, Bar):
        return ""
    if isinstance(value, Cell):
        return cell(value.value, places)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Bounded):
        result, *ends = (cell(Ratio(each), places) for each in value)
        return f"{result} [{', '.join(ends)}]"
    if isinstance(value, Deviating):
        return " ± ".join(cell(Ratio(each), places) for each in value)
    if isinstance(value, Best):
        return f"*{100 * value:z.{places}f}"
    if isinstance(value, BestAmount):
        return f"*{int(value)}"
    if isinstance(value, Ratio):
        return f"{100 * value:z.{places}f}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bytes):
        return value.hex()
    return one_line(str(value))


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
    shown = partial(cell, places=places)
    for number, table in enumerate(tables):
        parts = fitted(table, console.width, shown) if bounded else [table]
        for index, part in enumerate(parts):
            if number or index:
                console.print()
            whole = numbers_fit(part, console.width, shown)
            _print(console, part, places, whole=whole)
    lines = buffer.getvalue().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _text(value: Any, places: int) -> Any:
    from rich.text import Text

    style = "bold" if isinstance(value, Best | BestAmount) else ""
    return Text(_cut(cell(value, places)), style=style)


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
            drawn.add_row(*(_text(value, places) for value in row))
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


NAME = 60
"""Characters of a side's name in a heading."""


def side_name(name: str) -> str:
    """The name of a side as a title has it: of a long path the end, which differs.

    Example:
        >>> side_name("/data/of/somebody/with/some/folders/too/many/of/them/run-17.mrp")
        '…/folders/too/many/of/them/run-17.mrp'
    """
    text = one_line(name)
    if len(text) <= NAME:
        return text
    start = text.find("/", len(text) - NAME * 2 // 3)
    return f"…{text[start:]}" if start >= 0 else one_line(text, NAME)


def ratio(value: float | None) -> Ratio | None:
    """A ratio that a cell shows times 100; nothing where it is undefined."""
    return None if value is None or math.isnan(value) else Ratio(value)


def without_constants(table: Table) -> Table:
    """A table without texts that are empty or the same in all rows.

    Args:
        table: any; its caption says what is the same.
    """
    if len(table.rows) < 2:
        return table
    first = table.rows[0]
    same = {
        index: str(first[index] or "")
        for index, column in enumerate(table.columns)
        if column.name
        and not column.right
        # A caption is plain text, which would not show links.
        and not isinstance(first[index], list)
        and len({str(row[index] or "") for row in table.rows}) == 1
    }
    # The first cell that is left is the head of its row.
    kept = [index for index in range(len(table.columns)) if index not in same]
    if not any(table.columns[index].name for index in kept):
        return table
    constant = [
        f"{table.columns[index].name}: {value}"
        for index, value in same.items()
        if value
    ]
    return replace(
        table,
        columns=[table.columns[index] for index in kept],
        rows=[tuple(row[index] for index in kept) for row in table.rows],
        title=", ".join((table.title, *constant)),
    )


def as_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, records: bool = True
) -> Table:
    """Rows as a table; columns of numbers are aligned to the right.

    Args:
        columns: their names.
        rows: they.
        records: whether rows that are too wide are shown a line a cell, see
            :class:`Table`.
    """
    listed = [tuple(row) for row in rows]
    numeric = [
        any(row[index] is not None for row in listed)
        and all(isinstance(row[index], int | float | None) for row in listed)
        for index in range(len(columns))
    ]
    return Table([*map(Column, columns, numeric)], listed, records=records)
