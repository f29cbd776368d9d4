"""The best assignment, one to one, from the pairs that earn something.

It is solved for every connected component of the pairs by itself: components are
found by rustworkx, assignments by scipy.

>>> one_to_one({(0, 0): 3, (0, 1): 2, (1, 0): 2})
[(0, 1), (1, 0)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.int64]
    Earned: TypeAlias = NDArray[np.float64]

Cell = tuple[int, int]
"""Positions of a gold and a system object."""

Amounts = Mapping[Cell, int | float]
"""Weights of the pairs that have one."""

SLIGHT = 2.0**-40
"""A smaller difference is one of rounding."""


def one_to_one(cells: Amounts) -> list[Cell]:
    """Return the one-to-one matching with the greatest sum, in order.

    Args:
        cells: positive amounts by (gold, system) position.
    """
    rows = {cell[0] for cell in cells}
    columns = {cell[1] for cell in cells}
    if len(rows) == len(cells) == len(columns):
        return sorted(cells)
    chosen: list[Cell] = []
    for part in _components(cells):
        chosen += _assign_component(part, cells)
    return sorted(chosen)


def _components(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Cells that compete with one another, directly or not."""
    import rustworkx as rx

    cells = list(cells)
    vertices: dict[tuple[int, int], int] = {}
    ends = [
        (
            vertices.setdefault((0, r), len(vertices)),
            vertices.setdefault((1, c), len(vertices)),
        )
        for r, c in cells
    ]
    graph = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(vertices)))
    graph.add_edges_from_no_data(ends)
    number = [0] * len(vertices)
    components = rx.connected_components(graph)
    for k, members in enumerate(components):
        for member in members:
            number[member] = k
    parts: list[list[Cell]] = [[] for _ in components]
    for cell, (end, _) in zip(cells, ends, strict=True):
        parts[number[end]].append(cell)
    return parts


def _assign_component(part: list[Cell], cells: Amounts) -> list[Cell]:
    """The best assignment within one component."""
    rows = sorted({r for r, _ in part})
    columns = sorted({c for _, c in part})
    if len(rows) == 1 or len(columns) == 1:
        return [min(part, key=lambda cell: (-cells[cell], cell))]
    import numpy as np

    row_of = {r: k for k, r in enumerate(rows)}
    column_of = {c: k for k, c in enumerate(columns)}
    row_indexes = np.array([row_of[r] for r, _ in part])
    column_indexes = np.array([column_of[c] for _, c in part])
    amounts = np.array([cells[cell] for cell in part], dtype=float)
    shape = len(rows), len(columns)
    if min(shape) >= LARGE and len(part) * SPARSE < shape[0] * shape[1]:
        chosen = _sparse(row_indexes, column_indexes, amounts, shape)
    else:
        chosen = _dense(row_indexes, column_indexes, amounts, shape)
    pairs = ((rows[r], columns[c]) for r, c in chosen if c < shape[1])
    return [cell for cell in pairs if cell in cells]


LARGE, SPARSE = 200, 4
"""From so many rows and columns, of which one in so many is filled, the sparse
solver is faster (measured: 4 times at 1,000, 8 to 10 times at 4,000)."""


def _dense(
    rows: Places, columns: Places, amounts: Earned, shape: tuple[int, int]
) -> Iterator[Cell]:
    # Few need it.
    import numpy as np

    from graphscore.correspondence.scipy_assignment import linear_sum_assignment

    table = np.zeros(shape)
    table[rows, columns] = amounts
    chosen = linear_sum_assignment(table, maximize=True)
    return zip(*(ends.tolist() for ends in chosen), strict=True)


def _sparse(
    rows: Places, columns: Places, amounts: Earned, shape: tuple[int, int]
) -> Iterator[Cell]:
    """Every row may also stay alone, in a column of its own that earns nothing.

    The solver wants every row matched and no amount of 0, so all are one more.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    own = np.arange(shape[0])
    table = csr_array(
        (
            np.concatenate([amounts + 1, np.ones(shape[0])]),
            (np.concatenate([rows, own]), np.concatenate([columns, shape[1] + own])),
        ),
        shape=(shape[0], shape[1] + shape[0]),
    )
    chosen = min_weight_full_bipartite_matching(table, maximize=True)
    return zip(*(ends.tolist() for ends in chosen), strict=True)


def first_best(
    part: Sequence[Cell], worth: Amounts, few: tuple[int, int]
) -> list[Cell]:
    """The best one-to-one choice of pairs that compete; of equally good ones the first.

    Args:
        part: the pairs that compete.
        worth: what those are worth that may be chosen.
        few: up to so many gold objects and pairs all ways are tried; beyond, it is a
            linear assignment, and any of the best.

    >>> cells = {(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}
    >>> first_best(list(cells), cells, (2, 4))
    [(0, 0), (1, 1)]
    """
    rows = len({row for row, _ in part})
    if rows == 1 or len({column for _, column in part}) == 1:
        most = max(worth.values()) - SLIGHT
        return [min(cell for cell, value in worth.items() if value >= most)]
    if rows <= few[0] and len(part) <= few[1]:
        return _try_all(worth)
    return one_to_one(worth)


def _try_all(worth: Amounts) -> list[Cell]:
    """The first of the ways that earn most, all of them tried."""
    options: dict[int, list[Cell]] = {}
    for cell in sorted(worth):
        options.setdefault(cell[0], []).append(cell)
    rows = list(options.values())
    # What is still to be had from a row on, if nobody took anything away.
    rest: list[float] = [0]
    for cells in reversed(rows):
        rest.append(rest[-1] + max(worth[cell] for cell in cells))
    rest.reverse()
    most: float = -1
    chosen: tuple[Cell, ...] = ()

    def go(depth: int, taken: int, total: float, path: tuple[Cell, ...]) -> None:
        nonlocal most, chosen
        if total + rest[depth] <= most + SLIGHT:
            return
        if depth == len(rows):
            most, chosen = total, path
            return
        for cell in rows[depth]:
            bit = 1 << cell[1]
            if not taken & bit:
                go(depth + 1, taken | bit, total + worth[cell], (*path, cell))
        go(depth + 1, taken, total, path)

    go(0, 0, 0, ())
    return list(chosen)
