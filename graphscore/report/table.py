"""Tables: columns with a meaning, and rows of plain values.

What is shown becomes a table once; :mod:`~graphscore.report.text`,
:mod:`~graphscore.report.markdown`, :mod:`~graphscore.report.latex`,
:mod:`~graphscore.report.data` (CSV and JSON) and the templates of pages render it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, cast

from graphscore.exceptions import visible
from graphscore.rows import unique_names


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


Meaning = Literal["name", "text", "number", "ratio", "interval", "count"]
"""What stands in a column: names and texts at the left, numbers at the right.

A ``ratio`` is shown times 100, a ``count`` is a whole number, an ``interval`` is a
number with its bounds, a ``number`` is none of these; a ``text`` is cut or folded where
there is little room, a ``name`` tells rows apart.
"""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    meaning: Meaning = "name"
    joined: bool = False
    """The column needs the one before it."""

    @property
    def right(self) -> bool:
        """True for numbers, which are aligned to the right and never folded."""
        return self.meaning not in ("name", "text")


def columns_of(meaning: Meaning, *names: str) -> list[Column]:
    """Columns of one meaning.

    >>> [column.right for column in columns_of("count", "gold", "system")]
    [True, True]
    """
    return [Column(name, meaning) for name in names]


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

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
        """Rows of data, of whose columns nothing is known but the names.

        Args:
            columns: their names.
            rows: a cell for each of them; they may be read once, for CSV or JSON, and
                :func:`as_table` makes a table for people of them.
        """
        return cls([*map(Column, columns)], cast(list[tuple[Any, ...]], rows))

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


def cell(value: Any, places: int = 2, meaning: Meaning = "name") -> str:
    """Return a table's text of a value.

    Args:
        value: any plain value.
        places: decimals of a ratio, which is shown times 100.
        meaning: of the column: fractions in one of ratios are ratios.

    Example:
        >>> cell(Ratio(0.76166)), cell(None), cell(True), cell(0.25), cell(b"a")
        ('76.17', '', 'yes', '0.25', '61')
        >>> cell(0.76166, meaning="ratio"), cell(12, meaning="ratio")
        ('76.17', '12')
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
        return cell(value.value, places, meaning)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Bounded):
        result, *ends = (cell(Ratio(number), places) for number in value)
        return f"{result} [{', '.join(ends)}]"
    if isinstance(value, Deviating):
        return " ± ".join(cell(Ratio(number), places) for number in value)
    if isinstance(value, Best):
        return f"*{100 * value:z.{places}f}"
    if isinstance(value, BestAmount):
        return f"*{int(value)}"
    if isinstance(value, float) and math.isnan(value) and meaning == "ratio":
        return ""
    if isinstance(value, Ratio) or (meaning == "ratio" and isinstance(value, float)):
        return f"{100 * value:z.{places}f}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bytes):
        return value.hex()
    return one_line(str(value))


COUNTED = (
    *columns_of("count", "gold", "system", "matched"),
    *columns_of("ratio", "P", "R", "F1"),
)
"""Columns of the counts of a tuple type, and of its ratios."""


def widths(table: Table) -> list[int]:
    """Characters of each column, its name included."""
    return [
        max(
            len(text)
            for text in (
                column.name,
                *(cell(row[index], meaning=column.meaning) for row in table.rows),
            )
        )
        for index, column in enumerate(table.columns)
    ]


def meant(value: Any, meaning: Meaning) -> Any:
    """Return a value that is shown alike in a column without that meaning."""
    return Ratio(value) if meaning == "ratio" and type(value) is float else value


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
    heads = [
        Column(name, "number" if _numeric([row[index] for row in listed]) else "name")
        for index, name in enumerate(columns)
    ]
    return Table(heads, listed, records=records)


def _numeric(values: Sequence[Any]) -> bool:
    some = any(value is not None for value in values)
    return some and all(isinstance(value, int | float | None) for value in values)
