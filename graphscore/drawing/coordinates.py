"""How far from the left each vertex stands when the order in every layer is given.

Four alignments to medians, each pushed together, and the mean of the middle two of
them (Brandes & Köpf 2001); then least squares, layer by layer, under the distances
that must be kept.  Long links stay straight.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

Layers = list[list[int]]
Neighbours = Sequence[Sequence[int]]
Distance = Callable[[int, int], float]

ROUNDS = 8
"""Of least squares, up and down."""


class Placing(NamedTuple):
    """What is to be placed.

    Attributes:
        layers: vertices by layer, from left to right.
        above: by vertex, its neighbours in the layer above.
        below: by vertex, its neighbours in the layer below.
        bend: by vertex, whether it is only a place that a link goes through.
        distance: of two neighbours in a layer, how far apart their centres stand.
    """

    layers: Layers
    above: Neighbours
    below: Neighbours
    bend: Sequence[bool]
    distance: Distance


def place(graph: Placing) -> list[float]:
    """How far to the right the centre of each vertex stands."""
    crossed = _crossed(graph)
    drafts = []
    for downwards in (True, False):
        for rightwards in (True, False):
            drafts.append(_draft(graph, crossed, downwards, rightwards))
    spans = [max(draft) - min(draft) for draft in drafts]
    narrow = drafts[spans.index(min(spans))]
    for number, draft in enumerate(drafts):
        side = max if number % 2 else min
        by = side(narrow) - side(draft)
        draft[:] = [at + by for at in draft]
    middle = [sum(sorted(ats)[1:3]) / 2 for ats in zip(*drafts, strict=True)]
    _settle(graph, middle, _straight(graph, middle))
    return middle


def _crossed(graph: Placing) -> set[tuple[int, int]]:
    """Pieces of links that give way: a long link that they cross stays straight."""
    found = set()
    for upper, lower in zip(graph.layers, graph.layers[1:], strict=False):
        at = {vertex: number for number, vertex in enumerate(lower)}
        pieces = [
            (number, at[other], vertex, other)
            for number, vertex in enumerate(upper)
            for other in graph.below[vertex]
        ]
        inner = [p for p in pieces if graph.bend[p[2]] and graph.bend[p[3]]]
        for left, right, vertex, other in pieces:
            within = graph.bend[vertex] and graph.bend[other]
            for start, end, _, _ in inner:
                if (start - left) * (end - right) < 0 and not (within and start > left):
                    found.add((vertex, other))
                    break
    return found


def _draft(
    graph: Placing, crossed: set[tuple[int, int]], downwards: bool, rightwards: bool
) -> list[float]:
    """One alignment: blocks of vertices below each other, pushed together."""
    turn = 1 if rightwards else -1
    layers = [layer[::turn] for layer in graph.layers[:: 1 if downwards else -1]]
    neighbours = graph.above if downwards else graph.below
    root = list(range(len(graph.bend)))
    taken = [False] * len(root)
    place: dict[int, int] = {}
    for layer in layers:
        last = -1
        for vertex in layer:
            others = sorted([place[other] for other in neighbours[vertex]])
            middle = (len(others) - 1) // 2, len(others) // 2
            by_place = {place[other]: other for other in neighbours[vertex]}
            for at in dict.fromkeys(middle if others else ()):
                other = by_place[others[at]]
                piece = (other, vertex) if downwards else (vertex, other)
                free = root[vertex] == vertex and not taken[other]
                if free and last < others[at] and piece not in crossed:
                    root[vertex], taken[other] = root[other], True
                    last = others[at]
        place = {vertex: number for number, vertex in enumerate(layer)}
    found = _pushed(layers, root, graph.distance if turn > 0 else _mirror(graph))
    return [turn * found[root[vertex]] for vertex in range(len(root))]


def _mirror(graph: Placing) -> Distance:
    return lambda left, right: graph.distance(right, left)


def _pushed(layers: Layers, root: list[int], distance: Distance) -> dict[int, float]:
    """Blocks as far to the left as they go, then each to the right up to the next."""
    ahead: dict[int, dict[int, float]] = {block: {} for block in root}
    waits = dict.fromkeys(ahead, 0)
    for layer in layers:
        for left, right in itertools.pairwise(layer):
            one, other = root[left], root[right]
            waits[other] += other not in ahead[one]
            apart = distance(left, right)
            ahead[one][other] = max(apart, ahead[one].get(other, 0))
    ready = [block for block in waits if not waits[block]]
    found = dict.fromkeys(ahead, 0.0)
    for block in ready:
        for other, apart in ahead[block].items():
            found[other] = max(found[other], found[block] + apart)
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    for block in reversed(ready):
        if others := ahead[block]:
            found[block] = min(found[other] - apart for other, apart in others.items())
    return found


def _straight(graph: Placing, at: list[float]) -> list[list[int]]:
    """Pieces of long links that are straight: they move as one."""
    found = []
    for layer in graph.layers:
        for vertex in layer:
            above = graph.above[vertex]
            begins = not (above and graph.bend[above[0]] and at[above[0]] == at[vertex])
            if not graph.bend[vertex] or not begins:
                continue
            run = [vertex]
            while (below := graph.below[run[-1]]) and graph.bend[below[0]]:
                if at[below[0]] != at[vertex]:
                    break
                run.append(below[0])
            if len(run) > 1:
                found.append(run)
    return found


def _settle(graph: Placing, at: list[float], runs: list[list[int]]) -> None:
    """Move vertices to the mean of their neighbours, as far as distances allow."""
    held = {vertex for run in runs for vertex in run}
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    for layer in graph.layers:
        for one, other in itertools.pairwise(layer):
            left[other], right[one] = one, other
    for number in range(ROUNDS):
        for layer in graph.layers[:: -1 if number % 2 else 1]:
            _settle_layer(graph, layer, at, held)
        for run in runs:
            ends = [*graph.above[run[0]], *graph.below[run[-1]]]
            low = [at[left[v]] + graph.distance(left[v], v) for v in run if v in left]
            high = [
                at[right[v]] - graph.distance(v, right[v]) for v in run if v in right
            ]
            wanted = sum(at[end] for end in ends) / len(ends)
            wanted = max([min([wanted, *high]), *low])
            for vertex in run:
                at[vertex] = wanted


def _settle_layer(
    graph: Placing, layer: list[int], at: list[float], held: set[int]
) -> None:
    """Least squares within what stands still."""
    group: list[int] = []
    for number, vertex in enumerate(layer):
        if vertex not in held:
            group.append(vertex)
        if group and (vertex in held or number == len(layer) - 1):
            low, high = float("-inf"), float("inf")
            before = number - len(group) - (vertex in held)
            if before >= 0:
                low = at[layer[before]] + graph.distance(layer[before], group[0])
            if vertex in held:
                high = at[vertex] - graph.distance(group[-1], vertex)
            wanted, weights = [], []
            for each in group:
                others = [*graph.above[each], *graph.below[each]]
                mean = (
                    sum([at[v] for v in others]) / len(others) if others else at[each]
                )
                wanted.append(mean)
                weights.append(max(len(others), 1))
            apart = [
                graph.distance(one, other) for one, other in itertools.pairwise(group)
            ]
            for each, found in zip(
                group, spread(wanted, weights, apart, low, high), strict=True
            ):
                at[each] = found
            group = []


def spread(
    wanted: Sequence[float],
    weights: Sequence[float],
    apart: Sequence[float],
    low: float,
    high: float,
) -> list[float]:
    """Places nearest to the wanted ones by least squares that keep their distances.

    Pool adjacent violators, then what is outside the bounds is put at them.

    Args:
        wanted: place of each, in their order.
        weights: of each.
        apart: how far apart the first and second, second and third... are at least.
        low: the least place of the first.
        high: the greatest place of the last.
    """
    offsets = [0.0]
    for each in apart:
        offsets.append(offsets[-1] + each)
    pools: list[tuple[float, float, int]] = []
    for place, weight, offset in zip(wanted, weights, offsets, strict=True):
        mean, total, size = place - offset, float(weight), 1
        while pools and pools[-1][0] > mean:
            other, more, many = pools.pop()
            mean = (other * more + mean * total) / (more + total)
            total, size = total + more, size + many
        pools.append((mean, total, size))
    flat = [mean for mean, _, size in pools for _ in range(size)]
    most = high - offsets[-1]
    return [
        max(min(each, most), low) + offset
        for each, offset in zip(flat, offsets, strict=True)
    ]
