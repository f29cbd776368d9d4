"""Parts of two orders that are alike and apart from all else: matched with each other.

Say that members C of one side are related among themselves only, likewise D of the
other, and that D is C again: the same relations between partners.  Then some heaviest
matching takes C to D.  For in any other, where it takes c to x and y to c's partner d,
it could take c to d and y to x: as c and d are related to nothing outside, x and y
are not related to anything else that is matched.  It earns as much if no pair (y, x)
earns less than is lost, which is so where only equal labels count.

So isolated members, pairs and small trees go away before the search begins.

>>> import numpy as np
>>> alone, edge = np.eye(1, dtype=bool), np.triu(np.ones((2, 2), dtype=bool))
>>> settled({(0, 0): 1, (1, 0): 1}, (edge, alone))
[]
>>> settled({(0, 0): 1, (1, 1): 1}, (edge, edge))
[(0, 0), (1, 1)]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Cell, Sparse
from graphscore.similarity.solving.chains import Table

if TYPE_CHECKING:
    import rustworkx as rx

LARGEST = 8
"""Members of a part that is looked at: who is whose partner is found by trying."""

SORTS = 64
"""Sorts of members of a side beyond which nobody looks for parts that are alike."""

ENTRIES = 4_000_000
"""Pairs of members beyond which no table is made of what they earn."""


def settled(cells: Sparse, before: tuple[Table, Table]) -> list[Cell]:
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
    parts = [_parts(each) for each in before]
    if not all(parts):
        return []
    worth = np.zeros(sizes)
    ends = np.array(list(cells), dtype=np.int64)
    worth[ends[:, 0], ends[:, 1]] = [float(each) for each in cells.values()]
    good = _exchangeable(worth)
    if good is None:
        return []
    found: list[Cell] = []
    waiting: dict[tuple[int, ...], list[list[int]]] = {}
    for part in parts[1]:
        waiting.setdefault(_shape(before[1], part), []).append(part)
    for part in parts[0]:
        others = waiting.get(_shape(before[0], part), [])
        for place, other in enumerate(others):
            pairs = _alike(before, part, other, good)
            if pairs is not None:
                found += pairs
                del others[place]
                break
    return sorted(found)


def _parts(before: Table) -> list[list[int]]:
    """Small sets of members that are related to no others, the largest first."""
    import rustworkx as rx

    graph = rx.PyGraph()
    graph.add_nodes_from(range(len(before)))
    links = np.argwhere(np.triu(before | before.T, 1)).tolist()
    graph.add_edges_from_no_data([(p, q) for p, q in links])
    found = [sorted(each) for each in rx.connected_components(graph)]
    small = [each for each in found if len(each) <= LARGEST]
    return sorted(small, key=lambda part: (-len(part), part))


def _shape(before: Table, part: list[int]) -> tuple[int, ...]:
    """What parts that are alike have in common: how many are before how many."""
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
        asked = np.outer(of_sorts[:, d] > 0, of_sorts[c] > 0)
        most = max(of_sorts[c].max(), of_sorts[:, d].max())
        good[c, d] = of_sorts[c, d] >= most and bool(enough[asked].all())
    found: Table = good[row.reshape(-1)][:, column.reshape(-1)]
    return found


def _alike(
    before: tuple[Table, Table], part: list[int], other: list[int], good: Table
) -> list[Cell] | None:
    """A map of one part to another that keeps all relations."""
    import rustworkx as rx

    graphs = _graph(before[0], part), _graph(before[1], other)
    maps: Iterator[rx.NodeMap] = rx.vf2_mapping(
        *graphs, node_matcher=lambda p, q: bool(good[p, q]), subgraph=False
    )
    for found in maps:
        return [(part[p], other[q]) for p, q in found.items()]
    return None


def _graph(before: Table, part: list[int]) -> rx.PyDiGraph[int, None]:
    import rustworkx as rx

    graph: rx.PyDiGraph[int, None] = rx.PyDiGraph()
    graph.add_nodes_from(part)
    links = np.argwhere(before[np.ix_(part, part)]).tolist()
    graph.add_edges_from_no_data([(p, q) for p, q in links if p != q])
    return graph


__all__ = ["settled"]
