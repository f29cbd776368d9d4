"""Properties of a graph drawn as arcs above its sentence.

They exist for bi-lexical graphs only, whose nodes stand in an order.  Kuhlmann and
Oepen (2016), section 3; page number: Bernhart and Kainen (1979), *The book
thickness of a graph*.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from graphscore.analysis.topology import Topology

Arc = tuple[int, int]
"""Left and right end, as positions."""


def edge_lengths(shape: Topology) -> list[int]:
    """Distance between the ends of each edge, in tokens.

    >>> edge_lengths(Topology(3, ((0, 2), (2, 1)), positions=(0, 1, 4)))
    [4, 3]
    """
    return [right - left for left, right in _arcs(shape)]


def crossings(shape: Topology) -> list[tuple[Arc, Arc]]:
    """Pairs of arcs that cross, the one that begins first in front.

    Two arcs cross if exactly one end of each lies strictly inside the other.
    Parallel arcs are one.

    >>> crossings(Topology(4, ((0, 2), (3, 1)), positions=(0, 1, 2, 3)))
    [((0, 2), (1, 3))]
    """
    return sorted(_crossings(shape))


def is_noncrossing(shape: Topology) -> bool:
    """Return whether the arcs can be drawn above the sentence so that none cross.

    >>> is_noncrossing(Topology(3, ((0, 2), (0, 1)), positions=(0, 1, 2)))
    True
    """
    return next(_crossings(shape), None) is None


def is_page2(shape: Topology) -> bool:
    """Return whether two half-planes suffice: some arcs above, the others below.

    That is so if the arcs can be coloured with two colours so that no two that
    cross have the same.

    >>> positions = (0, 1, 2, 3, 4, 5)
    >>> is_page2(Topology(6, ((0, 2), (1, 3)), positions=positions))
    True
    >>> is_page2(Topology(6, ((0, 3), (1, 4), (2, 5)), positions=positions))
    False
    """
    # Each arc has a leader, and is on its side or on the other one.
    above: dict[Arc, tuple[Arc, bool]] = {}

    def side(arc: Arc) -> tuple[Arc, bool]:
        path, opposite = [], False
        while arc in above:
            path.append(arc)
            arc = above[arc][0]
        for passed in reversed(path):
            opposite ^= above[passed][1]
            above[passed] = arc, opposite
        return arc, opposite

    for first, second in _crossings(shape):
        (leader, first_side), (follower, second_side) = side(first), side(second)
        if leader != follower:
            above[follower] = leader, first_side == second_side
        elif first_side == second_side:
            return False
    return True


def _crossings(shape: Topology) -> Iterator[tuple[Arc, Arc]]:
    """Pairs of arcs that cross, one after another, in the order of the second."""
    distinct = sorted({(left, right) for left, right in _arcs(shape) if left < right})
    # Arcs that have begun, by their right ends.
    begun: list[tuple[int, int]] = []
    for left, group in groupby(distinct, itemgetter(0)):
        del begun[: bisect_right(begun, (left, left))]
        new = [right for _, right in group]
        for right in new:
            for end, start in begun:
                if end >= right:
                    break
                yield (start, end), (left, right)
        for right in new:
            insort(begun, (right, left))


def _arcs(shape: Topology) -> list[Arc]:
    positions = shape.positions
    if positions is None:
        raise ValueError("only the nodes of bi-lexical graphs stand in an order")
    return [
        (min(ends), max(ends))
        for ends in (
            (positions[source], positions[target]) for source, target in shape.edges
        )
    ]
