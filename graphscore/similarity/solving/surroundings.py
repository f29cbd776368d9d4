"""A first map of variables: those that stand alike come together.

What is said of a node is the labels, properties and edges around it, to some depth, but
for what variables are called.  Variables about which the same is said to the greatest
depth are paired, then those that are alike less deep; what is left is paired in its
order.  Nothing is proven by it; it is a map that a search begins with.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b

from graphscore.model.graph import Graph
from graphscore.similarity.view import Element, Elements

DEPTH = 4
"""How many edges far is looked."""


def by_surroundings(
    gold: Graph, system: Graph, mine: Elements, theirs: Elements
) -> list[tuple[Element, Element]]:
    """A one-to-one map of variables by what is said of them.

    Args:
        gold: the gold graph.
        system: the system's.
        mine: gold variables, nodes by position.
        theirs: the system's.

    Returns:
        As many pairs as the fewer of both have.

    Example:
        >>> from graphscore.model.graph import Edge, Node
        >>> gold = Graph("1", "x", nodes=(Node(0), Node(1)), edges=(Edge(0, 1, "a"),))
        >>> system = Graph("1", "x", nodes=(Node(0), Node(1)), edges=(Edge(1, 0, "a"),))
        >>> by_surroundings(gold, system, [0, 1], [0, 1])
        [(0, 1), (1, 0)]
    """
    left, right = _colours(gold, mine), _colours(system, theirs)
    found: list[tuple[Element, Element]] = []
    ones, others = list(mine), list(theirs)
    for here, there in zip(left[::-1], right[::-1], strict=True):
        waiting: dict[Hashable, list[Element]] = {}
        for two in reversed(others):
            waiting.setdefault(there[two], []).append(two)
        taken = []
        for one in ones:
            if same := waiting.get(here[one]):
                taken.append((one, same.pop()))
        found += taken
        known = {one for one, _ in taken}
        ones = [one for one in ones if one not in known]
        gone = {two for _, two in taken}
        others = [two for two in others if two not in gone]
    return found


def _colours(graph: Graph, variables: Elements) -> list[list[int]]:
    """What is said of each node, to every depth from 0 on, as a number."""
    places, hidden = graph.ordinals(), set(variables)
    around: list[list[tuple[str, str, int]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        source, target = places[edge.source], places[edge.target]
        around[source].append(("out", str(edge.label), target))
        around[target].append(("in", str(edge.label), source))
    colours = [
        _number(None if place in hidden else (node.label, node.properties))
        for place, node in enumerate(graph.nodes)
    ]
    found = [colours]
    for _ in range(DEPTH):
        last = found[-1]
        found.append(
            [
                _number(
                    (last[k], sorted((way, str(x), last[to]) for way, x, to in each))
                )
                for k, each in enumerate(around)
            ]
        )
    return found


def _number(said: object) -> int:
    """The same number for what is written alike, in every process."""
    return int.from_bytes(blake2b(repr(said).encode(), digest_size=8).digest(), "big")
