"""The best matching under a constraint, from the pairs that earn something.

Constraints are read from the prediction: ``n:1`` lets each system element match
at most one gold element, and many system elements the same one (eq. 13).  One to
one is an assignment problem, solved for every connected component of the pairs by
itself: components are found by rustworkx, assignments by scipy.

>>> one_to_one({(0, 0): 3, (0, 1): 2, (1, 0): 2})
[(0, 1), (1, 0)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Cell, Number, Sparse, added
from graphscore.similarity.operators.matching import Constraint

Places = npt.NDArray[np.int64]
Amounts = npt.NDArray[np.float64]


def worth(cells: Sparse, constraint: Constraint) -> Number:
    """The greatest sum that a matching has.

    >>> worth({(0, 0): 3, (0, 1): 2, (1, 0): 2}, "1:1")
    4
    """
    if constraint == "n:n" or len(cells) == 1:
        return added(cells.values())
    if constraint == "1:1":
        return added(cells[cell] for cell in one_to_one(cells))
    axis = 1 if constraint == "n:1" else 0
    most: dict[int, Number] = {}
    for cell, number in cells.items():
        if number > most.get(cell[axis], 0):
            most[cell[axis]] = number
    return added(most.values())


def one_to_one(cells: Sparse) -> list[Cell]:
    """Return the one-to-one matching with the greatest sum, in order.

    Args:
        cells: positive amounts by (gold, system) position.
    """
    rows = {cell[0] for cell in cells}
    columns = {cell[1] for cell in cells}
    if len(rows) == len(cells) == len(columns):
        return sorted(cells)
    found: list[Cell] = []
    for part in _components(cells):
        found += _assigned(part, cells)
    return sorted(found)


def _components(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Cells that compete with one another, directly or not."""
    import rustworkx as rx

    cells = list(cells)
    places: dict[tuple[int, int], int] = {}
    ends = [
        (
            places.setdefault((0, r), len(places)),
            places.setdefault((1, c), len(places)),
        )
        for r, c in cells
    ]
    graph = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(places)))
    graph.add_edges_from_no_data(ends)
    number = [0] * len(places)
    components = rx.connected_components(graph)
    for k, members in enumerate(components):
        for member in members:
            number[member] = k
    parts: list[list[Cell]] = [[] for _ in components]
    for cell, (end, _) in zip(cells, ends, strict=True):
        parts[number[end]].append(cell)
    return parts


def _assigned(part: list[Cell], cells: Sparse) -> list[Cell]:
    """The best assignment within one component."""
    rows = sorted({r for r, _ in part})
    columns = sorted({c for _, c in part})
    if len(rows) == 1 or len(columns) == 1:
        return [min(part, key=lambda cell: (-cells[cell], cell))]
    row_of = {r: k for k, r in enumerate(rows)}
    column_of = {c: k for k, c in enumerate(columns)}
    here = np.array([row_of[r] for r, _ in part])
    there = np.array([column_of[c] for _, c in part])
    amounts = np.array([cells[cell] for cell in part], dtype=float)
    shape = len(rows), len(columns)
    if min(shape) >= LARGE and len(part) * SPARSE < shape[0] * shape[1]:
        chosen = _sparse(here, there, amounts, shape)
    else:
        chosen = _dense(here, there, amounts, shape)
    pairs = ((rows[r], columns[c]) for r, c in chosen if c < shape[1])
    return [cell for cell in pairs if cell in cells]


LARGE, SPARSE = 200, 4
"""From so many rows and columns, of which one in so many is filled, the sparse
solver is faster (measured: 4 times at 1,000, 8 to 10 times at 4,000)."""


def _dense(
    rows: Places, columns: Places, amounts: Amounts, shape: tuple[int, int]
) -> Iterator[Cell]:
    # Few need it.
    from graphscore.correspondence.scipy_assignment import linear_sum_assignment

    table = np.zeros(shape)
    table[rows, columns] = amounts
    chosen = linear_sum_assignment(table, maximize=True)
    return zip(*(each.tolist() for each in chosen), strict=True)


def _sparse(
    rows: Places, columns: Places, amounts: Amounts, shape: tuple[int, int]
) -> Iterator[Cell]:
    """Every row may also stay alone, in a column of its own that earns nothing.

    The solver wants every row matched and no amount of 0, so all are one more.
    """
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
    return zip(*(each.tolist() for each in chosen), strict=True)
