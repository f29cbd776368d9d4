"""Properties of a graph drawn as arcs above its sentence.

They exist for bi-lexical graphs only, whose nodes stand in an order.  Kuhlmann and
Oepen (2016), section 3; page number: Bernhart and Kainen (1979), *The book
thickness of a graph*.
"""

from __future__ import annotations

from itertools import combinations

from graphscore.analysis.shape import Shape

Arc = tuple[int, int]
"""Left and right end, as places."""


def edge_lengths(shape: Shape) -> list[int]:
    """Distance between the ends of each edge, in tokens.

    >>> edge_lengths(Shape(3, ((0, 2), (2, 1)), places=(0, 1, 4)))
    [4, 3]
    """
    return [right - left for left, right in _arcs(shape)]


def crossings(shape: Shape) -> list[tuple[Arc, Arc]]:
    """Pairs of arcs that cross, the one that begins first in front.

    Two arcs cross if exactly one end of each lies strictly inside the other.
    Parallel arcs are one.

    >>> crossings(Shape(4, ((0, 2), (3, 1)), places=(0, 1, 2, 3)))
    [((0, 2), (1, 3))]
    """
    distinct = sorted({(left, right) for left, right in _arcs(shape) if left < right})
    return [
        (first, second)
        for first, second in combinations(distinct, 2)
        if first[0] < second[0] < first[1] < second[1]
    ]


def is_noncrossing(shape: Shape) -> bool:
    """Whether the arcs can be drawn above the sentence so that none cross.

    >>> is_noncrossing(Shape(3, ((0, 2), (0, 1)), places=(0, 1, 2)))
    True
    """
    return not crossings(shape)


def is_page2(shape: Shape) -> bool:
    """Whether two half-planes do: some arcs above the sentence, the others below.

    That is so if the arcs can be coloured with two colours so that no two that
    cross have the same.

    >>> places = (0, 1, 2, 3, 4, 5)
    >>> is_page2(Shape(6, ((0, 2), (1, 3)), places=places))
    True
    >>> is_page2(Shape(6, ((0, 3), (1, 4), (2, 5)), places=places))
    False
    """
    crossing = crossings(shape)
    if not crossing:
        return True
    import rustworkx

    numbers: dict[Arc, int] = {}
    for pair in crossing:
        for arc in pair:
            numbers.setdefault(arc, len(numbers))
    conflicts = rustworkx.PyGraph()
    conflicts.add_nodes_from(range(len(numbers)))
    conflicts.extend_from_edge_list(
        [(numbers[first], numbers[second]) for first, second in crossing]
    )
    return bool(rustworkx.is_bipartite(conflicts))


def _arcs(shape: Shape) -> list[Arc]:
    places = shape.places
    if places is None:
        raise ValueError("only the nodes of bi-lexical graphs stand in an order")
    return [
        (min(ends), max(ends))
        for ends in ((places[source], places[target]) for source, target in shape.edges)
    ]
