"""Treewidth: how far a graph is from being a tree.

The treewidth is the least *k* such that the vertices can be taken out one by one,
each with at most *k* neighbours at that time, when the neighbours of each are
joined with one another before it goes (Bodlaender and Koster 2010, *Treewidth
computations I*).  Three steps find it:

1. Vertices that are safe to take out are taken out: those whose neighbours are all
   joined, and those with two neighbours once a cycle is there.  Trees vanish.
2. What is left falls into biconnected blocks; the widest block decides.
3. For each block min-fill (networkx) gives an upper bound.  A search over sets of
   vertices taken out then tries every smaller *k*, from the lower bound upwards.
   It remembers sets that failed: what remains depends on the set alone.

A block that takes too many steps keeps the bound of min-fill, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graphscore.analysis.topology import Topology

STEPS = 100_000
"""Vertices that are looked at in the search, for one graph."""

SMALL = 400
"""Vertices of a block that is searched at all; each is a level of recursion."""

Neighbours = dict[int, set[int]]


class Width(NamedTuple):
    """A treewidth."""

    value: int
    """The treewidth, or an upper bound."""
    exact: bool
    """The width is proven optimal."""


class _SpentError(Exception):
    """The steps are used up."""


def treewidth(shape: Topology, steps: int = STEPS) -> Width:
    """The treewidth of the undirected graph; 1 if there is no edge, as in mtool.

    Args:
        shape: any shape; loops, directions and parallel edges do not matter.
        steps: vertices that may be looked at in the search; a count, unlike a
            clock, gives the same answer everywhere.

    Example:
        >>> treewidth(Topology(3, ((0, 1), (1, 2)))).value
        1
        >>> square = ((0, 1), (1, 2), (2, 3), (3, 0))
        >>> treewidth(Topology(4, square)).value
        2
        >>> treewidth(Topology(4, (*square, (0, 2), (1, 3))))
        Width(value=3, exact=True)
    """
    around: Neighbours = {node: set() for node in range(shape.size)}
    for source, target in shape.edges:
        if source != target:
            around[source].add(target)
            around[target].add(source)
    low = max(1, _reduce(around))
    search = _Search(steps)
    widths = [search.width(block, low) for block in _blocks(around)]
    value = max((width.value for width in widths), default=low)
    # A bound of one block does no harm where another is proven to be as wide.
    proven = max(
        (block_width.value for block_width in widths if block_width.exact), default=low
    )
    return Width(max(low, value), proven >= value)


def _reduce(around: Neighbours) -> int:
    """Take out what is safe to take out; gives the lower bound that this proves."""
    low = 0
    for most in (1, 2):
        if not around:
            return low
        # When no vertex with less than two neighbours is left, there is a cycle.
        low = max(low, most if any(around.values()) else 0)
        waiting = list(around)
        while waiting:
            vertex = waiting.pop()
            neighbours = around.get(vertex)
            if neighbours is None or (
                len(neighbours) > most
                and (most == 1 or not _is_clique(around, neighbours))
            ):
                continue
            low = max(low, len(neighbours))
            waiting += _take_out(around, vertex)
    return max(low, 3) if around else low


def _is_clique(around: Neighbours, vertices: set[int]) -> bool:
    most = len(vertices) - 1
    return all(
        len(around[vertex]) >= most and len(vertices - around[vertex]) == 1
        for vertex in vertices
    )


def _take_out(around: Neighbours, vertex: int) -> set[int]:
    """Take a vertex out and join its neighbours, which are given back."""
    neighbours = around.pop(vertex)
    for neighbour in neighbours:
        around[neighbour] |= neighbours
        around[neighbour] -= {neighbour, vertex}
    return neighbours


def _blocks(around: Neighbours) -> Iterator[Neighbours]:
    """The biconnected blocks, each as a graph of its own, in order of vertices."""
    if not around:
        return
    import rustworkx

    names = sorted(around)
    numbers = {name: number for number, name in enumerate(names)}
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(names)
    graph.extend_from_edge_list(
        [(numbers[a], numbers[b]) for a in names for b in around[a] if a < b]
    )
    blocks: dict[int, Neighbours] = {}
    for (a, b), number in rustworkx.biconnected_components(graph).items():
        block = blocks.setdefault(number, {})
        block.setdefault(names[a], set()).add(names[b])
        block.setdefault(names[b], set()).add(names[a])
    yield from (blocks[number] for number in sorted(blocks))


class _Search:
    """Tries widths below the bound of min-fill, as long as there are steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def width(self, block: Neighbours, low: int) -> Width:
        """The width of a block, or *low* if it is less than that."""
        from networkx import Graph
        from networkx.algorithms.approximation import treewidth_min_fill_in

        if len(block) - 1 <= low:
            return Width(low, True)
        high = int(treewidth_min_fill_in(Graph(block))[0])
        if high <= low:
            return Width(low, True)
        if len(block) > SMALL:
            return Width(high, False)
        numbers = {name: number for number, name in enumerate(sorted(block))}
        masks = [0] * len(block)
        for name, value in block.items():
            masks[numbers[name]] = sum(1 << numbers[neighbour] for neighbour in value)
        for width in range(low, high):
            try:
                if self._fits(masks, (1 << len(masks)) - 1, width, set()):
                    return Width(width, True)
            except _SpentError:
                return Width(high, False)
        return Width(high, True)

    def _fits(self, masks: list[int], left: int, width: int, failed: set[int]) -> bool:
        """Return whether *width* suffices for the vertices in the mask *left*."""
        masks, left = _reduced(masks, left, width)
        if left.bit_count() <= width + 1:
            return True
        if left in failed:
            return False
        self.steps -= left.bit_count()
        if self.steps < 0:
            raise _SpentError
        for vertex in _members(left):
            if masks[vertex].bit_count() <= width and self._fits(
                _without(masks, vertex), left & ~(1 << vertex), width, failed
            ):
                return True
        failed.add(left)
        return False


def _reduced(masks: list[int], left: int, width: int) -> tuple[list[int], int]:
    """Take out vertices with at most *width* neighbours, all but one of them joined.

    If the rest fits, so does the whole (Bodlaender and Koster 2006, *Safe separators
    for treewidth*).
    """
    again = True
    while again and left.bit_count() > width + 1:
        again = False
        for vertex in _members(left):
            neighbours = masks[vertex]
            if neighbours.bit_count() <= width and _almost_clique(masks, neighbours):
                masks = _without(masks, vertex)
                left &= ~(1 << vertex)
                again = True
    return masks, left


def _almost_clique(masks: list[int], vertices: int) -> bool:
    """Return whether all but one of the vertices are joined with one another."""
    bad = [
        member
        for member in _members(vertices)
        if vertices & ~masks[member] & ~(1 << member)
    ]
    if len(bad) <= 2:
        return True
    for spare in bad:
        rest = vertices & ~(1 << spare)
        if all(
            not rest & ~masks[member] & ~(1 << member)
            for member in bad
            if member != spare
        ):
            return True
    return False


def _without(masks: list[int], vertex: int) -> list[int]:
    result = list(masks)
    neighbours = masks[vertex]
    for neighbour in _members(neighbours):
        result[neighbour] = (
            (result[neighbour] | neighbours) & ~(1 << neighbour) & ~(1 << vertex)
        )
    result[vertex] = 0
    return result


def _members(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
