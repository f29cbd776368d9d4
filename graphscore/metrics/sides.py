"""The two sides of a pair: an absent graph is empty, a missing text is borrowed.

Anchors can be trimmed, and white space in them passed over, only where the text
is known.  Where one side says it and the other does not, both are read with it;
they annotate the same text.

>>> from graphscore.model.graph import Anchor, Node
>>> gold = Graph("1", "eds", text="Dogs bark", nodes=(Node(0),))
>>> system = Graph("1", "eds", nodes=(Node(0, anchors=(Anchor(0, 4),)),))
>>> [side.text for side in lent(gold, system)]
['Dogs bark', 'Dogs bark']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import msgspec

from graphscore.model.graph import Graph


class Prepared(Protocol):
    """What a metric made of one graph; it remembers the graph."""

    @property
    def graph(self) -> Graph:
        """Where it comes from."""
        ...


P = TypeVar("P", bound=Prepared)


def lent(gold: Graph, system: Graph) -> tuple[Graph, Graph]:
    """The two graphs, with the text of the other where one has anchors alone.

    Args:
        gold: the gold graph.
        system: the system graph.

    Returns:
        Both; a graph that borrows nothing is returned as it is.
    """
    if gold.text and not system.text and _anchored(system):
        system = msgspec.structs.replace(system, text=gold.text)
    elif system.text and not gold.text and _anchored(gold):
        gold = msgspec.structs.replace(gold, text=system.text)
    return gold, system


def two_sides(
    gold: Sequence[P], system: Sequence[P], prepare: Callable[[Graph], P]
) -> tuple[P, P]:
    """The two prepared graphs of an item.

    Args:
        gold: the prepared gold graph, or nothing where it is absent.
        system: the prepared system graph, or nothing.
        prepare: the metric's own; called again only for an absent side and for
            one that borrows its text.

    Returns:
        Gold and system.
    """
    present = (*gold, *system)
    if len(present) < 2:
        empty = Graph("", present[0].graph.framework if present else "")
        mine = gold[0] if gold else prepare(empty)
        theirs = system[0] if system else prepare(empty)
        return mine, theirs
    mine, theirs = present
    one, two = lent(mine.graph, theirs.graph)
    return (
        mine if one is mine.graph else prepare(one),
        theirs if two is theirs.graph else prepare(two),
    )


def _anchored(graph: Graph) -> bool:
    return any(node.anchors for node in graph.nodes)
