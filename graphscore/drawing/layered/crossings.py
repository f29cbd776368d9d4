"""Order of the vertices in each layer, so that few links cross.

Vertices are numbers, and links run from one layer to the next.  Several starts are
swept downwards and upwards by barycentres, with neighbours exchanged where that helps,
and the best is kept (Sugiyama, Tagawa & Toda 1981; Gansner, Koutsofios, North & Vo
1993, section 3).
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

Layers = list[list[int]]
Neighbours = Sequence[Sequence[int]]

SWEEPS = 24
"""Limit of sweeps from each start."""

WORK = 20_000
"""Vertices that sweeps may pass of each start: large graphs are swept less often."""

PATIENCE = 5
"""Sweeps without gain before a start is given up."""


class Layered(NamedTuple):
    """Vertices with what they are linked to in the next layers.

    Attributes:
        above: by vertex, its neighbours in the layer above.
        below: by vertex, its neighbours in the layer below.
        wish: by vertex, where it would stand from left to right.
    """

    above: Neighbours
    below: Neighbours
    wish: Sequence[float]


def crossings(layers: Layers, below: Neighbours) -> int:
    """Count the pairs of links that cross in this order."""
    return sum(
        _between(upper, lower, below) for upper, lower in itertools.pairwise(layers)
    )


def _between(upper: list[int], lower: list[int], below: Neighbours) -> int:
    index = {vertex: at for at, vertex in enumerate(lower)}
    ends = [end for v in upper for end in sorted([index[other] for other in below[v]])]
    ordered: list[int] = []
    result = 0
    if ends != sorted(ends):
        for number, end in enumerate(ends):
            at = bisect_right(ordered, end)
            result += number - at
            ordered.insert(at, end)
    return result


def arrange(layers: Layers, graph: Layered) -> Layers:
    """The layers in an order with few crossings, wishes deciding where these are equal.

    Args:
        layers: vertices by layer, from above.
        graph: what they are linked to.
    """
    results: list[tuple[int, int, Layers]] = []
    for start in _starts(layers, graph):
        order, count = _swept(start, graph)
        for each in (order, [layer[::-1] for layer in order]):
            results.append((count, _inversions(each, graph.wish), each))
        if not count:
            break
    *least, best = min(results, key=itemgetter(0, 1))
    now = [list(layer) for layer in best]
    for downwards in (True, False, True):
        # Equals as wished: whole branches change places.
        _sweep(now, graph, downwards, graph.wish)
        _exchange(now, graph)
        worth = [crossings(now, graph.below), _inversions(now, graph.wish)]
        if worth < least:
            best, least = [list(layer) for layer in now], worth
    return _as_wished(best, graph)


def _starts(layers: Layers, graph: Layered) -> list[Layers]:
    """By wish; as a walk meets the vertices; the walk that goes upwards first."""
    wish = graph.wish
    wished = [sorted(layer, key=lambda v: (wish[v], v)) for layer in layers]
    starts = [wished]
    for first, second in ((graph.below, graph.above), (graph.above, graph.below)):
        met = _walk(wished, first, second, wish)
        starts.append([sorted(layer, key=met.__getitem__) for layer in wished])
    return starts


def _walk(
    layers: Layers, first: Neighbours, second: Neighbours, wish: Sequence[float]
) -> dict[int, int]:
    """When a walk in depth meets each vertex."""
    met: dict[int, int] = {}
    for layer in layers:
        for start in layer:
            pending = [start]
            while pending:
                vertex = pending.pop()
                if vertex in met:
                    continue
                met[vertex] = len(met)
                for others in (second[vertex], first[vertex]):
                    ahead = sorted(set(others), key=lambda v: (wish[v], v))
                    pending.extend(other for other in ahead[::-1] if other not in met)
    return met


def _swept(layers: Layers, graph: Layered) -> tuple[Layers, int]:
    """The best of the orders that sweeps go through, and its crossings."""
    now = [list(layer) for layer in layers]
    _exchange(now, graph)
    best, fewest = [list(layer) for layer in now], crossings(now, graph.below)
    sweeps = max(2, min(SWEEPS, WORK // sum(map(len, layers))))
    idle = 0
    for number in range(sweeps):
        if not fewest or idle >= PATIENCE:
            break
        # Two sweeps with equals in their order, then two with equals turned round.
        turn = -1 if number % 4 >= 2 else 1
        ties = {v: turn * at for layer in now for at, v in enumerate(layer)}
        _sweep(now, graph, number % 2 == 0, ties)
        _exchange(now, graph)
        count = crossings(now, graph.below)
        idle += 1
        if count < fewest:
            best, fewest, idle = [list(layer) for layer in now], count, 0
    return best, fewest


def _sweep(
    layers: Layers,
    graph: Layered,
    downwards: bool,
    ties: Mapping[int, float] | Sequence[float],
) -> None:
    """Sort each layer by the mean place of its neighbours in the one before it."""
    neighbours = graph.above if downwards else graph.below
    numbers = range(len(layers)) if downwards else range(len(layers))[::-1]
    index: dict[int, int] = {}
    for number in numbers:
        layer = layers[number]
        if index:
            keys: dict[int, tuple[float, float]] = {}
            for vertex in layer:
                if others := neighbours[vertex]:
                    mean = sum([index[other] for other in others]) / len(others)
                    keys[vertex] = (mean, ties[vertex])
            # Who has no neighbour there keeps its place.
            ranked = iter(sorted(keys, key=keys.__getitem__))
            layer[:] = [next(ranked) if v in keys else v for v in layer]
        index = {vertex: at for at, vertex in enumerate(layer)}


def _exchange(layers: Layers, graph: Layered) -> None:
    """Exchange neighbours in a layer as long as that saves crossings."""
    index = {v: at for layer in layers for at, v in enumerate(layer)}
    changed = set(range(len(layers)))
    for _ in range(4):
        again: set[int] = set()
        for number in sorted(changed):
            layer = layers[number]
            ends = [_ends(vertex, graph, index) for vertex in layer]
            for at in range(len(layer) - 1):
                if _tangled(ends[at], ends[at + 1]) and _saved(*ends[at : at + 2]) > 0:
                    layer[at], layer[at + 1] = layer[at + 1], layer[at]
                    ends[at], ends[at + 1] = ends[at + 1], ends[at]
                    again |= {number - 1, number, number + 1}
            for at, vertex in enumerate(layer):
                index[vertex] = at
        changed = again & set(range(len(layers)))
        if not changed:
            return


Ends = tuple[list[int], list[int]]
"""Places of a vertex's neighbours above and below, sorted."""


def _tangled(left: Ends, right: Ends) -> bool:
    """Return whether links of two neighbors cross at all."""
    (above, below), (other_above, other_below) = left, right
    return bool(above and other_above and above[-1] > other_above[0]) or bool(
        below and other_below and below[-1] > other_below[0]
    )


def _ends(vertex: int, graph: Layered, place: dict[int, int]) -> Ends:
    above, below = graph.above[vertex], graph.below[vertex]
    # One above and one below is what bends and labels have: most vertices.
    if len(above) == len(below) == 1:
        return [place[above[0]]], [place[below[0]]]
    return sorted([place[v] for v in above]), sorted([place[v] for v in below])


def _saved(left: Ends, right: Ends) -> int:
    """Return the number of crossings that swapping two neighbors saves."""
    return sum(
        bisect_left(others, end) + bisect_right(others, end) - len(others)
        for ends, others in zip(left, right, strict=True)
        for end in ends
    )


def _inversions(layers: Layers, wish: Sequence[float]) -> int:
    """Count the pairs of a layer that are out of the wished order."""
    inversions = 0
    for layer in layers:
        before: list[float] = []
        for vertex in layer:
            inversions += len(before) - bisect_right(before, wish[vertex])
            insort(before, wish[vertex])
    return inversions


def _as_wished(layers: Layers, graph: Layered) -> Layers:
    """Neighbours in the order of their wishes where that costs no crossing."""
    index = {v: at for layer in layers for at, v in enumerate(layer)}
    for layer in layers:
        ends = {vertex: _ends(vertex, graph, index) for vertex in layer}
        for _ in range(len(layer)):
            moved = False
            for at in range(len(layer) - 1):
                left, right = layer[at], layer[at + 1]
                wished = graph.wish[left] > graph.wish[right]
                if wished and _saved(ends[left], ends[right]) >= 0:
                    layer[at], layer[at + 1] = right, left
                    moved = True
            if not moved:
                break
        for at, vertex in enumerate(layer):
            index[vertex] = at
    return layers
