"""Sums over chains: where one side's members all stand one after another.

If all members of one side are comparable, those matched on the other are, too: the
matching is a chain of pairs, ascending on both sides.  Two sequences have the heaviest
common subsequence; a sequence and any partial order the heaviest path through pairs.

>>> heaviest({(0, 0): 1, (1, 1): 1, (2, 0): 1})
[(0, 0), (1, 1)]
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Cell, Number, Sparse

Table = npt.NDArray[np.bool_]
"""Whether one member is before another, by position, shape (members, members)."""

WORK = 1_000_000
"""Entries of tables that are looked at in about one step, at least."""


def ranks(before: Table) -> list[int] | None:
    """How many members each is after, if all stand one after another.

    Args:
        before: the order, every member before itself.

    Returns:
        The place of each, ``None`` if two are not comparable, or equivalent.

    Example:
        >>> ranks(np.array([[True, False], [True, True]]))
        [1, 0]
    """
    if (before ^ before.T ^ np.eye(len(before), dtype=np.bool_)).all():
        found: list[int] = (before.sum(axis=0) - 1).tolist()
        return found
    return None


def strict(before: Table) -> Table:
    """Who is before whom, and not after: no member before itself."""
    found: Table = before & ~before.T
    return found


def effort(rows: int, columns: int) -> int:
    """Steps that it takes to match a chain of *rows* with *columns* members."""
    return 1 + rows * columns * columns // WORK


def ascending(cells: Sparse, places: list[int], after: Table) -> list[Cell]:
    """The heaviest chain of pairs where gold's members are a chain.

    For every gold member in turn, and each system member, the best sum of a chain
    that ends with the two.

    Args:
        cells: positive amounts by (gold, system) position.
        places: the place of each gold member in the chain.
        after: whether a system member is strictly before another.

    Returns:
        The cells, sorted.

    Example:
        >>> fork = np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
        >>> ascending({(0, 0): 1, (1, 1): 1, (2, 2): 2}, [0, 1, 2], fork)
        [(0, 0), (2, 2)]
    """
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(cells):
        rows.setdefault(places[cell[0]], []).append(cell)
    whole = all(isinstance(each, int) for each in cells.values())
    best = np.zeros(len(after), dtype=np.int64 if whole else np.float64)
    """The best sum of a chain that ends at each system member."""
    ends: list[Cell | None] = [None] * len(after)
    back: dict[Cell, Cell | None] = {}
    for place in sorted(rows):
        found = []
        for cell in rows[place]:
            sums = np.where(after[:, cell[1]], best, 0)
            last = int(sums.argmax()) if len(sums) else 0
            back[cell] = ends[last] if sums[last] > 0 else None
            found.append((cell, sums[last] + cells[cell]))
        for cell, total in found:
            if total > best[cell[1]]:
                best[cell[1]], ends[cell[1]] = total, cell
    here = ends[int(best.argmax())]
    chain: list[Cell] = []
    while here is not None:
        chain.append(here)
        here = back[here]
    return sorted(chain)


def heaviest(cells: Sparse) -> list[Cell]:
    """The heaviest common subsequence: strictly ascending cells of greatest sum.

    Goes through the cells row by row and keeps, for every column, the best sum
    that ends there or before: O(k log k) steps of search for *k* cells, and at
    most one entry a column.

    Args:
        cells: positive amounts by (gold, system) position.

    Returns:
        The cells, ascending.

    Example:
        >>> heaviest({(k, 4 - k): 1 + (k == 1) for k in range(5)})
        [(1, 3)]
    """
    best = _Front()
    back: dict[Cell, Cell | None] = {}
    rows: dict[int, list[int]] = {}
    for r, c in cells:
        rows.setdefault(r, []).append(c)
    for r in sorted(rows):
        ends = []
        for c in sorted(rows[r]):
            sum_before, cell_before = best.before(c)
            back[r, c] = cell_before
            ends.append((c, sum_before + cells[r, c]))
        for c, total in ends:
            best.put(c, total, (r, c))
    cell = best.last()
    found: list[Cell] = []
    while cell is not None:
        found.append(cell)
        cell = back[cell]
    return found[::-1]


def through(cells: Sparse) -> Sparse:
    """The sum of the heaviest ascending chain that has a cell, for each of them.

    Args:
        cells: positive amounts by (gold, system) position.

    Example:
        >>> through({(0, 1): 3, (1, 0): 2, (1, 2): 1, (2, 1): 1})
        {(0, 1): 4.0, (1, 0): 3.0, (1, 2): 4.0, (2, 1): 3.0}
    """
    if not cells:
        return {}
    rows, columns = (sorted({cell[axis] for cell in cells}) for axis in (0, 1))
    row, column = ({p: k for k, p in enumerate(each)} for each in (rows, columns))
    table = np.zeros((len(rows), len(columns)))
    for (p, q), number in cells.items():
        table[row[p], column[q]] = number
    before, after = _before(table), _before(table[::-1, ::-1])[::-1, ::-1]
    whole = before + table + after
    return {(p, q): float(whole[row[p], column[q]]) for p, q in cells}


def _before(table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sum of the heaviest chain that ends before each cell."""
    found = np.zeros(table.shape)
    best = np.zeros(table.shape[1] + 1)
    for k, row in enumerate(table):
        found[k] = best[:-1]
        best[1:] = np.maximum.accumulate(np.maximum(best[1:], best[:-1] + row))
    return found


class _Front:
    """The best sums by the column where they end: both strictly ascending."""

    def __init__(self) -> None:
        self.columns: list[int] = []
        self.sums: list[Number] = []
        self.cells: list[Cell] = []

    def before(self, column: int) -> tuple[Number, Cell | None]:
        """The best sum that ends before a column."""
        place = bisect_left(self.columns, column)
        if place == 0:
            return 0, None
        return self.sums[place - 1], self.cells[place - 1]

    def put(self, column: int, total: Number, cell: Cell) -> None:
        """A sum that ends at a column."""
        place = bisect_left(self.columns, column)
        if place and self.sums[place - 1] >= total:
            return
        end = place
        while end < len(self.columns) and self.sums[end] <= total:
            if self.columns[end] == column and self.sums[end] == total:
                return
            end += 1
        here = place < len(self.columns) and self.columns[place] == column
        if here and self.sums[place] >= total:
            return
        self.columns[place:end] = [column]
        self.sums[place:end] = [total]
        self.cells[place:end] = [cell]

    def last(self) -> Cell | None:
        """Where the best sum of all ends."""
        return self.cells[-1] if self.cells else None


__all__ = ["Table", "ascending", "effort", "heaviest", "ranks", "strict", "through"]
