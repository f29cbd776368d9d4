"""Horizontal coordinates of vertices when the order in every layer is given.

Four alignments to medians, each pushed together, and the mean of the middle two of
them (Brandes & Köpf 2001); then least squares, layer by layer, under the distances
that must be kept.  Long links stay straight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import inf
from operator import sub
from typing import NamedTuple

Layers = list[list[int]]
Neighbours = Sequence[Sequence[int]]
Distance = Callable[[int, int], float]

ROUNDS, LEAST_ROUNDS = 60, 6
"""Largest number of rounds of least squares, and that in the largest graphs."""

WORK = 100_000
"""Vertices that these rounds may pass."""

STILL = 0.25
"""A round in which nothing moves farther is the last."""


class Placing(NamedTuple):
    """Vertices and links to place.

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
    """Return the horizontal coordinate of the center of each vertex."""
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
    """Pieces of links that give way: a long link that they cross stays straight.

    Where two long links cross the right one gives way.
    """
    result = set()
    for upper, lower in pairwise(graph.layers):
        at = {vertex: number for number, vertex in enumerate(lower)}
        # Of the pieces of long links, where the farthest ends that begins before each
        # place, and the nearest that begins after it.
        ends = [
            at[graph.below[v][0]]
            if graph.bend[v] and graph.bend[graph.below[v][0]]
            else None
            for v in upper
        ]
        farthest = [-1, *accumulate((-1 if e is None else e for e in ends), max)]
        after = (len(lower) if e is None else e for e in reversed(ends))
        nearest = [*[*accumulate(after, min)][::-1], len(lower)]
        for number, vertex in enumerate(upper):
            for other in graph.below[vertex]:
                crosses = farthest[number] > at[other]
                if ends[number] is None:
                    crosses |= nearest[number + 1] < at[other]
                if crosses:
                    result.add((vertex, other))
    return result


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
    result = _pushed(layers, root, graph.distance if turn > 0 else _mirror(graph))
    return [turn * result[root[vertex]] for vertex in range(len(root))]


def _mirror(graph: Placing) -> Distance:
    return lambda left, right: graph.distance(right, left)


def _pushed(layers: Layers, root: list[int], distance: Distance) -> dict[int, float]:
    """Blocks as far to the left as they go, then each to the right up to the next."""
    ahead: dict[int, dict[int, float]] = {block: {} for block in root}
    waits = dict.fromkeys(ahead, 0)
    for layer in layers:
        for left, right in pairwise(layer):
            one, other = root[left], root[right]
            waits[other] += other not in ahead[one]
            apart = distance(left, right)
            ahead[one][other] = max(apart, ahead[one].get(other, 0))
    ready = [block for block in waits if not waits[block]]
    fromkeys = dict.fromkeys(ahead, 0.0)
    for block in ready:
        for other, apart in ahead[block].items():
            fromkeys[other] = max(fromkeys[other], fromkeys[block] + apart)
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    for block in reversed(ready):
        if others := ahead[block]:
            fromkeys[block] = min(
                fromkeys[key] - apart for key, apart in others.items()
            )
    return fromkeys


def _straight(graph: Placing, at: list[float]) -> list[list[int]]:
    """Pieces of long links that are straight: they move as one."""
    result = []
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
                result.append(run)
    return result


class _Group(NamedTuple):
    """Neighbours in a layer that move, between what stands still.

    Attributes:
        members: from left to right.
        apart: distances of their centres.
        left: what stands before them, and how far from the first.
        right: what stands after them, and how far from the last.
    """

    members: list[int]
    apart: list[float]
    left: tuple[int, float] | None
    right: tuple[int, float] | None


def _settle(graph: Placing, at: list[float], runs: list[list[int]]) -> None:
    """Move vertices to the mean of their neighbours, as far as distances allow."""
    held = {vertex for run in runs for vertex in run}
    groups = [_groups(graph, layer, held) for layer in graph.layers]
    pulls = _pulls(graph)
    sides = _sides(graph)
    bounds = [
        ([s for v in run for s in sides[v][0]], [s for v in run for s in sides[v][1]])
        for run in runs
    ]
    for number in range(max(LEAST_ROUNDS, min(ROUNDS, WORK // len(at)))):
        before = list(at)
        for layer in groups[:: -1 if number % 2 else 1]:
            for group in layer:
                _settle_group(group, at, pulls)
        for run, (left, right) in zip(runs, bounds, strict=True):
            low = [at[v] + apart for v, apart in left]
            high = [at[v] - apart for v, apart in right]
            ends = [*graph.above[run[0]], *graph.below[run[-1]]]
            wanted = sum([at[end] for end in ends]) / len(ends)
            wanted = max([min([wanted, *high]), *low])
            for vertex in run:
                at[vertex] = wanted
        if max(map(abs, map(sub, at, before))) < STILL:
            break


def _groups(graph: Placing, layer: list[int], held: set[int]) -> list[_Group]:
    groups = []
    start = 0
    for end in [*(at for at, v in enumerate(layer) if v in held), len(layer)]:
        members = layer[start:end]
        if members:
            left = layer[start - 1] if start else None
            right = layer[end] if end < len(layer) else None
            groups.append(
                _Group(
                    members,
                    [graph.distance(*pair) for pair in pairwise(members)],
                    None if left is None else (left, graph.distance(left, members[0])),
                    None
                    if right is None
                    else (right, graph.distance(members[-1], right)),
                )
            )
        start = end + 1
    return groups


_Sides = tuple[list[tuple[int, float]], list[tuple[int, float]]]


def _sides(graph: Placing) -> list[_Sides]:
    """By vertex, its neighbours in its layer and how far they are: left and right."""
    sides: list[_Sides] = [([], []) for _ in graph.bend]
    for layer in graph.layers:
        for one, other in pairwise(layer):
            apart = graph.distance(one, other)
            sides[one][1].append((other, apart))
            sides[other][0].append((one, apart))
    return sides


def _settle_group(group: _Group, at: list[float], pulls: list[_Pulls]) -> None:
    """Least squares within what stands still."""
    wanted, weights = [], []
    for member in group.members:
        others, shares, total = pulls[member]
        mean = sum([at[v] * share for v, share in zip(others, shares, strict=True)])
        wanted.append(mean / total if others else at[member])
        weights.append(total or 1)
    low = at[group.left[0]] + group.left[1] if group.left else -inf
    high = at[group.right[0]] - group.right[1] if group.right else inf
    if len(wanted) == 1:
        at[group.members[0]] = max(min(wanted[0], high), low)
        return
    found = spread(wanted, weights, group.apart, low, high)
    for member, place_ in zip(group.members, found, strict=True):
        at[member] = place_


_Pulls = tuple[list[int], list[float], float]


def _pulls(graph: Placing) -> list[_Pulls]:
    """By vertex its neighbours, how much each pulls, and the sum.

    An end with many links pulls less at each, so that labels stand at the other end.
    """
    pulls = []
    for above, below in zip(graph.above, graph.below, strict=True):
        up = [1 / (len(graph.below[v]) * len(above)) for v in above]
        down = [1 / (len(graph.above[v]) * len(below)) for v in below]
        pulls.append(([*above, *below], up + down, sum(up) + sum(down)))
    return pulls


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
