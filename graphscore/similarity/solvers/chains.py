"""Sums over chains: where one side's members all stand one after another.

If all members of one side are comparable, those matched on the other are, too: the
matching is a chain of pairs, ascending on both sides.  Two sequences have the heaviest
common subsequence; a sequence and any partial order the heaviest path through pairs.

>>> heaviest({(0, 0): 1, (1, 1): 1, (2, 0): 1})
[(0, 0), (1, 1)]

Parts of two orders that are alike and apart from all else: matched with each other.

Say that members C of one side are related among themselves only, likewise D of the
other, and that D is C again: the same relations between partners.  Then some heaviest
matching takes C to D.  For in any other, where it takes c to x and y to c's partner d,
it could take c to d and y to x: as c and d are related to nothing outside, x and y
are not related to anything else that is matched.  It earns as much if no pair (y, x)
earns less than is lost, which is so where only equal labels count.

So isolated members, pairs and small trees go away before the search begins.

>>> import numpy as np
>>> alone, edge = np.eye(1, dtype=bool), np.triu(np.ones((2, 2), dtype=bool))
>>> settle({(0, 0): 1, (1, 0): 1}, (edge, alone))
[]
>>> settle({(0, 0): 1, (1, 1): 1}, (edge, edge))
[(0, 0), (1, 1)]
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Cell, Number, Sparse

if TYPE_CHECKING:
    import rustworkx as rx


Table = npt.NDArray[np.bool_]
"""Order of members by position: true if one is before another; (members, members)."""

WORK = 1_000_000
"""Entries of tables that are looked at in about one step, at least."""


def ranks(before: Table) -> list[int] | None:
    """Return the rank of each member, if the order is total.

    Args:
        before: the order, every member before itself.

    Returns:
        The place of each, ``None`` if two are not comparable, or equivalent.

    Example:
        >>> ranks(np.array([[True, False], [True, True]]))
        [1, 0]
    """
    if (before ^ before.T ^ np.eye(len(before), dtype=np.bool_)).all():
        result: list[int] = (before.sum(axis=0) - 1).tolist()
        return result
    return None


def strict(before: Table) -> Table:
    """Return the strict order: before and not after, no member before itself."""
    table: Table = before & ~before.T
    return table


def effort(rows: int, columns: int) -> int:
    """Steps that it takes to match a chain of *rows* with *columns* members."""
    return 1 + rows * columns * columns // WORK


def heaviest_ascending(cells: Sparse, ranking: list[int], after: Table) -> list[Cell]:
    """The heaviest chain of pairs where gold's members are a chain.

    For every gold member in turn, and each system member, the best sum of a chain
    that ends with the two.

    Args:
        cells: positive amounts by (gold, system) position.
        ranking: the place of each gold member in the chain.
        after: whether a system member is strictly before another.

    Returns:
        The cells, sorted.

    Example:
        >>> fork = np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
        >>> heaviest_ascending({(0, 0): 1, (1, 1): 1, (2, 2): 2}, [0, 1, 2], fork)
        [(0, 0), (2, 2)]
    """
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(cells):
        rows.setdefault(ranking[cell[0]], []).append(cell)
    whole = all(isinstance(value, int) for value in cells.values())
    best = np.zeros(len(after), dtype=np.int64 if whole else np.float64)
    """The best sum of a chain that ends at each system member."""
    ends: list[Cell | None] = [None] * len(after)
    back: dict[Cell, Cell | None] = {}
    for row in sorted(rows):
        sums_of_cells = []
        for cell in rows[row]:
            sums = np.where(after[:, cell[1]], best, 0)
            last = int(sums.argmax()) if len(sums) else 0
            back[cell] = ends[last] if sums[last] > 0 else None
            sums_of_cells.append((cell, sums[last] + cells[cell]))
        for cell, total in sums_of_cells:
            if total > best[cell[1]]:
                best[cell[1]], ends[cell[1]] = total, cell
    end = ends[int(best.argmax())]
    chain: list[Cell] = []
    while end is not None:
        chain.append(end)
        end = back[end]
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
    chain: list[Cell] = []
    while cell is not None:
        chain.append(cell)
        cell = back[cell]
    return chain[::-1]


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
    row, column = ({p: k for k, p in enumerate(indices)} for indices in (rows, columns))
    table = np.zeros((len(rows), len(columns)))
    for (p, q), number in cells.items():
        table[row[p], column[q]] = number
    before, after = _before(table), _before(table[::-1, ::-1])[::-1, ::-1]
    whole = before + table + after
    return {(p, q): float(whole[row[p], column[q]]) for p, q in cells}


def _before(table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sum of the heaviest chain that ends before each cell."""
    zeros = np.zeros(table.shape)
    best = np.zeros(table.shape[1] + 1)
    for k, row in enumerate(table):
        zeros[k] = best[:-1]
        best[1:] = np.maximum.accumulate(np.maximum(best[1:], best[:-1] + row))
    return zeros


class _Front:
    """The best sums by the column where they end: both strictly ascending."""

    def __init__(self) -> None:
        self.columns: list[int] = []
        self.sums: list[Number] = []
        self.cells: list[Cell] = []

    def before(self, column: int) -> tuple[Number, Cell | None]:
        """The best sum that ends before a column."""
        index = bisect_left(self.columns, column)
        if index == 0:
            return 0, None
        return self.sums[index - 1], self.cells[index - 1]

    def put(self, column: int, total: Number, cell: Cell) -> None:
        """A sum that ends at a column."""
        index = bisect_left(self.columns, column)
        if index and self.sums[index - 1] >= total:
            return
        end = index
        while end < len(self.columns) and self.sums[end] <= total:
            if self.columns[end] == column and self.sums[end] == total:
                return
            end += 1
        present = index < len(self.columns) and self.columns[index] == column
        if present and self.sums[index] >= total:
            return
        self.columns[index:end] = [column]
        self.sums[index:end] = [total]
        self.cells[index:end] = [cell]

    def last(self) -> Cell | None:
        """Return the last cell of the best sum."""
        return self.cells[-1] if self.cells else None


LARGEST = 8
"""Members of a part that is looked at: who is whose partner is found by trying."""

SORTS = 64
"""Sorts of members of a side beyond which nobody looks for parts that are alike."""

ENTRIES = 4_000_000
"""Pairs of members beyond which no table is made of what they earn."""


def settle(cells: Sparse, before: tuple[Table, Table]) -> list[Cell]:
    """The pairs of parts that are alike, which some heaviest matching has.

    Args:
        cells: positive amounts by position; the matching is one to one.
        before: who is before whom, of each side.

    Returns:
        Pairs of positions; the rest can be matched by itself.
    """
    sizes = len(before[0]), len(before[1])
    if sizes[0] * sizes[1] > ENTRIES:
        return []
    parts = [_parts(table) for table in before]
    if not all(parts):
        return []
    worth = np.zeros(sizes)
    ends = np.array(list(cells), dtype=np.int64)
    worth[ends[:, 0], ends[:, 1]] = [float(cell) for cell in cells.values()]
    good = _exchangeable(worth)
    if good is None:
        return []
    matched: list[Cell] = []
    waiting: dict[tuple[int, ...], list[list[int]]] = {}
    for part in parts[1]:
        waiting.setdefault(_shape(before[1], part), []).append(part)
    for part in parts[0]:
        others = waiting.get(_shape(before[0], part), [])
        for index, rival in enumerate(others):
            pairs = _map_alike(before, part, rival, good)
            if pairs is not None:
                matched += pairs
                del others[index]
                break
    return sorted(matched)


def _parts(before: Table) -> list[list[int]]:
    """Small sets of members that are related to no others, the largest first."""
    import rustworkx as rx

    graph = rx.PyGraph()
    graph.add_nodes_from(range(len(before)))
    links = np.argwhere(np.triu(before | before.T, 1)).tolist()
    graph.add_edges_from_no_data([(p, q) for p, q in links])
    components = [
        sorted(connected_component)
        for connected_component in rx.connected_components(graph)
    ]
    small = [component for component in components if len(component) <= LARGEST]
    return sorted(small, key=lambda part: (-len(part), part))


def _shape(before: Table, part: list[int]) -> tuple[int, ...]:
    """Return the invariant of isomorphic parts: counts of preceding members."""
    inner = before[np.ix_(part, part)]
    degrees = inner.sum(axis=0) * (LARGEST + 1) + inner.sum(axis=1)
    return tuple(sorted(degrees.tolist()))


def _exchangeable(worth: npt.NDArray[np.float64]) -> Table | None:
    """Pairs that earn at least what is lost if others make way for them.

    Args:
        worth: what pairs earn, shape (gold members, system members), 0 for none.

    Returns:
        Whether for c and d, and all x and y, c with d and y with x earn as much as c
        with x and y with d, and c with d as much as either; ``None`` if there are too
        many sorts of members to look at all.
    """
    rows, row = np.unique(worth, axis=0, return_inverse=True)
    columns, column = np.unique(worth, axis=1, return_inverse=True)
    if len(rows) > SORTS or columns.shape[1] > SORTS:
        return None
    of_sorts = rows[:, np.unique(column, return_index=True)[1]]
    good = np.zeros(of_sorts.shape, dtype=np.bool_)
    for c, d in np.argwhere(of_sorts > 0).tolist():
        lost = of_sorts[c, None, :] + of_sorts[:, d, None]
        enough = of_sorts[c, d] + of_sorts >= lost
        # Only what can be matched makes way.
        allowed = np.outer(of_sorts[:, d] > 0, of_sorts[c] > 0)
        most = max(of_sorts[c].max(), of_sorts[:, d].max())
        good[c, d] = of_sorts[c, d] >= most and bool(enough[allowed].all())
    table: Table = good[row.reshape(-1)][:, column.reshape(-1)]
    return table


def _map_alike(
    before: tuple[Table, Table], part: list[int], counterpart: list[int], good: Table
) -> list[Cell] | None:
    """A map of one part to another that keeps all relations."""
    import rustworkx as rx

    graphs = _graph(before[0], part), _graph(before[1], counterpart)
    maps: Iterator[rx.NodeMap] = rx.vf2_mapping(
        *graphs, node_matcher=lambda p, q: bool(good[p, q]), subgraph=False
    )
    for result in maps:
        return [(part[p], counterpart[q]) for p, q in result.items()]
    return None


def _graph(before: Table, part: list[int]) -> rx.PyDiGraph[int, None]:
    import rustworkx as rx

    graph: rx.PyDiGraph[int, None] = rx.PyDiGraph()
    graph.add_nodes_from(part)
    links = np.argwhere(before[np.ix_(part, part)]).tolist()
    graph.add_edges_from_no_data([(p, q) for p, q in links if p != q])
    return graph
