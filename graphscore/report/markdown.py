"""Tables as Markdown, in the dialect of GitHub (GFM).

Whatever labels hold is shown as it is: pipes, stars and all else that would act is
escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from graphscore.exceptions import visible
from graphscore.report.markup import caption, is_best, notes, plain
from graphscore.report.table import Table, one_line

_ACTS = re.compile(
    r"[\\`*\[\]<|~$]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word an underscore says nothing
    r"|&(?=#|\w)"
)

_STARTS = re.compile(r"([-+#>=]|\d+(?=[.)]))")
"""Pattern of the start of a list, a heading or a quotation in a line."""

_FENCE = re.compile("`{3,}")

_TICKS = re.compile("`+")


def markdown(tables: Iterable[Table], places: int = 2) -> str:
    r"""Tables as Markdown, a blank line between them.

    A title stands above its table in bold, notes are a list below it, and a signature
    is the last line, once below all tables in a row that share it.  The best cells are
    bold; what tests found significant is marked.

    Args:
        tables: what to show.
        places: decimals of ratios, which are times 100.

    Example:
        >>> from graphscore.report.table import Best, Column, Table
        >>> table = Table([Column("system"), Column("F1", "ratio")], title="ranking")
        >>> table.rows = [("a|b", Best(0.75)), ("c", 0.5)]
        >>> print(markdown([table]), end="")
        **ranking**
        <BLANKLINE>
        | system | F1 |
        | :-- | --: |
        | a\|b | **75.00** |
        | c | 50.00 |
    """
    listed = [*tables]
    following = [*(table.signature for table in listed[1:]), ""]
    return "\n".join(
        _blocks(table, places, table.signature != after)
        for table, after in zip(listed, following, strict=False)
    )


def listing(text: str) -> str:
    """Lines that are shown as they are, such as SQL or a tree."""
    text = visible(text).strip("\n")
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}\n"


def escaped(text: str) -> str:
    r"""*text* within a line, so that nothing in it acts.

    >>> print(escaped("a|b *c* gold_count _x_ <b>"))
    a\|b \*c\* gold_count \_x\_ \<b>
    """
    return _ACTS.sub(lambda match: f"\\{match[0]}", one_line(text)).strip()


def code(text: str) -> str:
    """*text* in the face of a typewriter; nothing in it acts.

    >>> code("a|b"), code("`a")
    ('`a|b`', '`` `a ``')
    """
    text = one_line(text).strip()
    if "`" not in text:
        return f"`{text}`"
    ticks = "`" * (1 + max(map(len, _TICKS.findall(text))))
    return f"{ticks} {text} {ticks}"


def _blocks(table: Table, places: int, signed: bool) -> str:
    blocks = []
    if title := caption(table):
        blocks.append(f"**{escaped(title)}**\n")
    if table.columns:
        blocks.append(_grid(table, places))
    if below := notes(table, places):
        blocks.append("".join(f"- {_started(note)}\n" for note in below))
    if table.listing:
        blocks.append(listing(table.listing))
    if signed and table.signature:
        blocks.append(f"{code(table.signature)}\n")
    return "\n".join(blocks)


def _started(text: str) -> str:
    """A line of its own: nothing at its start makes it a list or a heading."""
    text = escaped(text)
    match = _STARTS.match(text)
    if match is None:
        return text
    offset = 0 if not match[0].isdigit() else match.end()
    return f"{text[:offset]}\\{text[offset:]}"


def _grid(table: Table, places: int) -> str:
    heads = [escaped(column.name) for column in table.columns]
    sides = ["--:" if column.right else ":--" for column in table.columns]
    rows = [
        [_cell(table, row, column, value, places) for column, value in enumerate(cells)]
        for row, cells in enumerate(table.rows)
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, sides, *rows))


def _cell(table: Table, row: int, column: int, value: Any, places: int) -> str:
    text = escaped(plain(value, places, table.columns[column].meaning))
    if text and is_best(table, row, column):
        text = f"**{text}**"
    return text + escaped(table.marks.get((row, column), ""))
