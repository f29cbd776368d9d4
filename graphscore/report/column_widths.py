"""Tables that are wider than what shows them: what goes, and what is stacked.

A table that fits stays as it is.  Of another first go the columns that say nothing:
those that are empty, those with one text in every row, which a note says once, and the
folders that all names of a column begin with.  Then texts are folded; numbers never
are.  If that is not enough, records are shown below each other, a line a cell, and of
other tables the columns are stacked in blocks, each with the names of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphscore.report.table import Column, Table

    Shown = Callable[..., str]

LEAST = 16
"""Characters that a text is not folded below."""


def fitted(table: Table, room: int, shown: Shown) -> list[Table]:
    """A table as one or several that are no wider than there is room.

    Args:
        table: any.
        room: characters of a line.
        shown: what is shown of a cell in a column of some meaning, on one line.

    Returns:
        The table itself where it fits; a table may still be wider where a single
        number with the name of its row is.

    Example:
        >>> from graphscore.report.table import Column, Table, cell
        >>> wide = Table([Column("in"), Column("n", "count")], [("a/b", 1), ("a/c", 2)])
        >>> [one] = fitted(wide, 4, cell)
        >>> one.rows, one.notes
        ([('b', 1), ('c', 2)], ['in: a/…'])
    """
    for step in (_without_empty, _without_constant, _without_folders):
        if _width(table, shown) <= room:
            return [table]
        table = step(table, shown)
    if _width(table, shown, folded=True) <= room:
        return [table]
    if table.records:
        return [_records(table)]
    return list(_stacked(table, room, shown))


def numbers_fit(table: Table, room: int, shown: Shown) -> bool:
    """Return whether the numbers of a table fit side by side, whatever texts take."""
    widths = zip(table.columns, _widths(table, shown), strict=True)
    return sum(wide + 1 if column.right else 2 for column, wide in widths) <= room + 1


def _width(table: Table, shown: Shown, *, folded: bool = False) -> int:
    """Characters of a line, with one between columns."""
    widths = _widths(table, shown, folded=folded)
    return sum(widths) + max(len(widths) - 1, 0)


def _widths(table: Table, shown: Shown, *, folded: bool = False) -> list[int]:
    """Characters of each column; folded ones if texts go on in the next line."""
    from rich.cells import cell_len

    widths = []
    for index, column in enumerate(table.columns):
        head = cell_len(shown(column.name))
        cells = (shown(row[index], meaning=column.meaning) for row in table.rows)
        most = max(map(cell_len, cells), default=0)
        if folded and not column.right:
            most = min(most, LEAST)
        widths.append(max(head, most))
    return widths


def _kept(table: Table, keep: Callable[[int], bool], notes: Sequence[str]) -> Table:
    """A table with some of its columns, and what is said of the others."""
    indexes = [index for index in range(len(table.columns)) if keep(index)]
    return replace(
        table,
        columns=[table.columns[index] for index in indexes],
        rows=[tuple(row[index] for index in indexes) for row in table.rows],
        notes=[*table.notes, *notes],
    )


def _without_empty(table: Table, shown: Shown) -> Table:
    """A table without columns in which nothing stands."""
    empty = {
        index
        for index in range(len(table.columns))
        if all(not shown(row[index]) for row in table.rows)
    }
    if not table.rows or len(empty) == len(table.columns):
        return table
    names = [name for index in sorted(empty) if (name := table.columns[index].name)]
    notes = [f"empty: {', '.join(map(shown, names))}"] * bool(names)
    return _kept(table, lambda index: index not in empty, notes)


def _without_constant(table: Table, shown: Shown) -> Table:
    """A table without texts that are the same in all rows, which notes say."""
    if len(table.rows) < 2:
        return table
    same = {
        index: shown(table.rows[0][index])
        for index, column in enumerate(table.columns)
        if column.name
        and not column.right
        and len({shown(row[index]) for row in table.rows}) == 1
    }
    if len(same) == len(table.columns):
        return table
    notes = [f"{shown(table.columns[index].name)}: {same[index]}" for index in same]
    return _kept(table, lambda index: index not in same, notes)


def _without_folders(table: Table, shown: Shown) -> Table:
    """A table in which names begin where they differ, if they are of files."""
    rows = [list(row) for row in table.rows]
    notes = []
    for index, column in enumerate(table.columns):
        names = {row[index] for row in rows if row[index]}
        if column.right or not all(isinstance(name, str) for name in names):
            continue
        folders = _folders(names)
        if folders:
            for row in rows:
                row[index] = row[index] and row[index][len(folders) :]
            notes.append(f"{shown(column.name)}: {shown(folders)}…")
    return replace(table, rows=[*map(tuple, rows)], notes=[*table.notes, *notes])


def _folders(names: set[Any]) -> str:
    """The folders that several names begin with, to the last slash."""
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return str(first[: first.rfind("/", 0, same) + 1])


def _records(table: Table) -> Table:
    """A line per cell; a rule between what were rows."""
    from graphscore.report.table import Column, meant

    names = [column.name for column in table.columns]
    lines = [
        (column.name, meant(value, column.meaning))
        for row in table.rows
        for column, value in zip(table.columns, row, strict=True)
    ]
    rules = set(range(len(names), len(lines), max(len(names), 1)))
    columns = [*map(Column, ("column", "value"))]
    return replace(table, columns=columns, rows=lines, rules=rules, records=False)


def _stacked(table: Table, room: int, shown: Shown) -> Iterator[Table]:
    """Blocks of columns below each other; all begin with the names of the rows."""
    first = next((n for n, column in enumerate(table.columns) if not column.right), 0)
    if first:
        # Numbers do not name a row.
        order = [first, *(n for n in range(len(table.columns)) if n != first)]
        columns = [table.columns[n] for n in order]
        rows = [tuple(row[n] for n in order) for row in table.rows]
        table = replace(table, columns=columns, rows=rows)
    columns = table.columns
    named = next((n for n, column in enumerate(columns) if column.right), len(columns))
    named = max(min(named, len(columns) - 1), 1)
    widths = _widths(table, shown, folded=True)
    # Names that would leave no room for anything are in the first block alone.
    while named > 1 and sum(widths[:named]) + named > room // 2:
        named -= 1
    left = room - sum(widths[:named]) - named
    blocks: list[list[int]] = [[]]
    used = 0
    for group in _groups(columns, named):
        wide = sum(widths[index] + 1 for index in group)
        if blocks[-1] and used + wide > left + 1:
            blocks.append([])
            used = 0
        blocks[-1] += group
        used += wide
    for number, block in enumerate(blocks):
        kept = {*range(named), *block}
        part = _kept(table, kept.__contains__, ())
        part.title = "" if number else table.title
        last = number == len(blocks) - 1
        part.notes = table.notes if last else []
        part.listing = table.listing if last else ""
        yield part


def _groups(columns: Sequence[Column], start: int) -> Iterator[list[int]]:
    """Columns that stay in one block, such as precision, recall and F1."""
    group: list[int] = []
    for index in range(start, len(columns)):
        if group and not columns[index].joined:
            yield group
            group = []
        group.append(index)
    if group:
        yield group
