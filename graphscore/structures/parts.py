"""The parts of a document, of one side and the other.

>>> one, two = Graph("1", "coref"), Graph("2", "coref")
>>> [(a and a.id, b and b.id) for a, b in side_by_side([one, two], [two], lambda g: g)]
[('1', None), ('2', '2')]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TypeVar

from graphscore.model.graph import Graph

P = TypeVar("P")


def side_by_side(
    gold: Sequence[P], system: Sequence[P], graph_of: Callable[[P], Graph]
) -> list[tuple[P | None, P | None]]:
    """The parts that belong together.

    Those with equal ids do; where no ids are equal, the first and the first, and so
    on.  Where neither side has several, ids are of no account.

    Args:
        gold: parts of a gold document, in order, or nothing.
        system: parts of the system's.
        graph_of: gives the graph of a part.

    Returns:
        Pairs in gold order, then the parts that only the system has.
    """
    if len(gold) < 2 and len(system) < 2:
        return list(zip_longest(gold, system))
    system_parts = {graph_of(part).id: part for part in system}
    if not any(graph_of(part).id in system_parts for part in gold):
        return list(zip_longest(gold, system))
    pairs: list[tuple[P | None, P | None]] = [
        (part, system_parts.pop(graph_of(part).id, None)) for part in gold
    ]
    return pairs + [(None, value) for value in system_parts.values()]
