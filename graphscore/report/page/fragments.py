"""Pieces of HTML that are made of rows: tables, bars, links, lists of terms.

Nothing here knows of a page.  Texts are escaped, and spelled where a character would
act or hide; there are no styles, only classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.drawing.svg import written
from graphscore.exceptions import truncate
from graphscore.report.markup import caption, is_best, notes, plain
from graphscore.report.text import Ratio, Table, cell

LONG = 200
"""Characters of a cell that are shown; more is cut in the middle."""


class Raw(str):
    """HTML that a cell holds as it is."""


class Bar(NamedTuple):
    """A ratio that a cell shows as a bar, with its interval."""

    value: float
    low: float | None = None
    high: float | None = None


def text(value: str, most: int = LONG) -> str:
    """A text that pages show, at most so long.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return written(truncate(value, most))


def element(tag: str, body: str, **attributes: str) -> str:
    """An element with attributes, whose names may end in a line (``class_``).

    >>> element("td", "a", class_="r")
    '<td class="r">a</td>'
    """
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{written(value)}"'
        for name, value in attributes.items()
        if value
    )
    return f"<{tag}{said}>{body}</{tag}>"


def link(target: str, shown: str) -> Raw:
    """A link to another place of the page.

    >>> link("i1", "a<b")
    '<a href="#i1">a&lt;b</a>'
    """
    return Raw(f'<a href="#{written(target)}">{text(shown)}</a>')


def bar(value: Bar) -> str:
    """A bar of a hundred pixels, with a line for the interval.

    Numbers stand beside it, so that nothing is lost where it is not seen.
    """
    if not math.isfinite(value.value):
        return ""
    parts = [f'<rect class="v" width="{_pixels(value.value)}" height="8" y="1"/>']
    if value.low is not None and value.high is not None:
        low, high = _pixels(value.low), _pixels(value.high)
        parts.append(f'<path d="M{low} 5H{high}M{low} 2v6M{high} 2v6"/>')
    return (
        '<svg class="bar" width="100" height="10" viewBox="0 0 100 10" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _pixels(value: float) -> str:
    return f"{min(1.0, max(0.0, value)) * 100:.4g}"


def shown(value: Any, places: int = 2) -> str:
    """A value as a cell has it.

    Args:
        value: any plain value; a :class:`Bar` is drawn, :class:`Raw` stays.
        places: decimals of ratios, which are times 100.

    Example:
        >>> shown(Ratio(0.5)), shown("a<b"), shown(None)
        ('50.00', 'a&lt;b', '')
    """
    if isinstance(value, Raw):
        return value
    if isinstance(value, Bar):
        return bar(value)
    if isinstance(value, float) and math.isnan(value):
        return ""
    return text(cell(value, places))


class Head(NamedTuple):
    """A column of :func:`table`."""

    name: str
    right: bool = False
    """The column is of numbers."""


def table(
    columns: Sequence[Head],
    rows: Iterable[Sequence[Any]],
    title: str = "",
    *,
    places: int = 2,
    name: str = "",
    rules: Iterable[int] = (),
    ids: Mapping[int, str] | None = None,
) -> str:
    """A table, whose first cells are the heads of its rows.

    Args:
        columns: what they are called.
        rows: a value each column; see :func:`shown`.
        title: its caption.
        places: decimals of ratios.
        name: its class.
        rules: numbers of the rows above which a line is drawn.
        ids: of rows, which can be linked to.
    """
    head = "".join(
        f'<th scope="col"{_right(column.right)}>{text(column.name)}</th>'
        for column in columns
    )
    lines, lined = [], set(rules)
    for number, row in enumerate(rows):
        cells = []
        for index, (value, column) in enumerate(zip(row, columns, strict=True)):
            tag = "td" if index else 'th scope="row"'
            end = "td" if index else "th"
            inside = shown(value, places)
            cells.append(f"<{tag}{_right(column.right)}>{inside}</{end}>")
        known = f' id="{written(ids[number])}"' if ids and number in ids else ""
        above = ' class="rule"' if number in lined else ""
        lines.append(f"<tr{known}{above}>{''.join(cells)}</tr>")
    above = f"<caption>{text(title, 400)}</caption>" if title else ""
    attribute = f' class="{name}"' if name else ""
    return (
        f'<div class="scroll"><table{attribute}>{above}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def said_once(
    columns: Sequence[Head], rows: Sequence[Sequence[Any]], title: str
) -> tuple[list[Head], list[list[Any]], str]:
    """A table without texts that are empty or the same in all rows.

    Args:
        columns: what they are called.
        rows: at least one.
        title: the caption, which says what is the same.
    """
    same = {
        index: str(rows[0][index] or "")
        for index, column in enumerate(columns)
        if column.name
        and not column.right
        # A caption is plain text, which would show what a link is made of.
        and not isinstance(rows[0][index], Raw)
        and len({str(row[index] or "") for row in rows}) == 1
    }
    constant = [
        f"{columns[index].name}: {value}" for index, value in same.items() if value
    ]
    # The first cell that is left is the head of its row.
    kept = [index for index in range(len(columns)) if index not in same]
    if len(rows) < 2 or not any(columns[index].name for index in kept):
        return [*columns], [[*row] for row in rows], title
    return (
        [columns[index] for index in kept],
        [[row[index] for index in kept] for row in rows],
        ", ".join((title, *constant)),
    )


def _right(right: bool) -> str:
    return ' class="r"' if right else ""


def table_of(made: Table, places: int = 2) -> str:
    """A table that other audiences have as text, with its notes.

    Args:
        made: any table.
        places: decimals of ratios.
    """
    below = [f"<p>{text(note, 1000)}</p>" for note in notes(made, places)]
    if made.listing:
        below.append(f"<pre>{listing(made.listing)}</pre>")
    if not made.columns:
        title = caption(made)
        return (f"<p>{text(title, 400)}</p>" if title else "") + "".join(below)
    rows = [
        [
            _marked(made, row, column, value, places)
            for column, value in enumerate(cells)
        ]
        for row, cells in enumerate(made.rows)
    ]
    heads = [Head(column.name, column.right) for column in made.columns]
    drawn = table(heads, rows, caption(made), places=places, rules=made.rules)
    return drawn + "".join(below)


def _marked(made: Table, row: int, column: int, value: Any, places: int) -> Any:
    """A cell, the best of those that it is compared with in bold."""
    inside = text(plain(value, places), 400)
    if inside and is_best(made, row, column):
        inside = f"<b>{inside}</b>"
    return Raw(inside + text(made.marks.get((row, column), "")))


def listing(lines: str) -> str:
    """Lines that keep their blanks and ends."""
    return "\n".join(written(line) for line in lines.split("\n"))


def terms(pairs: Iterable[tuple[str, Any]], places: int = 2) -> str:
    """Names with their values.

    >>> terms([("pairs", 3)])
    '<dl><dt>pairs</dt><dd>3</dd></dl>'
    """
    body = "".join(
        f"<dt>{text(name)}</dt><dd>{shown(value, places)}</dd>" for name, value in pairs
    )
    return f"<dl>{body}</dl>" if body else ""


def part(name: str, title: str, *body: str) -> str:
    """A part of a page under its heading; nothing where it is empty.

    Args:
        name: its id.
        title: its heading.
        body: HTML.
    """
    inside = "".join(body)
    if not inside:
        return ""
    return (
        f'<section id="{name}" aria-labelledby="{name}-h">'
        f'<h2 id="{name}-h">{text(title)}</h2>{inside}</section>'
    )


def folded(title: str, body: str, *, opened: bool = False) -> str:
    """Return a folded section, which opens on request."""
    state = " open" if opened else ""
    return f"<details{state}><summary>{text(title)}</summary>{body}</details>"


def ratio(value: float | None) -> Ratio | None:
    """A ratio that a cell shows times 100; nothing where it is undefined."""
    return None if value is None or math.isnan(value) else Ratio(value)
