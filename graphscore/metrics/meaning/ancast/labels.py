"""Relations of a sentence that match under a map, and how similar their ends are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import NamedTuple

from graphscore.metrics.meaning.ancast.layout import Concepts, Ends


class Shared(NamedTuple):
    """What stands between the same two ends on both sides."""

    system: Ends
    gold: Ends
    similarity: float
    """The mean of that of both ends."""
    labels: int
    """How many labels they share."""
    any: int
    """How many there are on the side that has fewer."""


def shared(
    system: Concepts, gold: Concepts, forth: dict[int, int], alike: list[list[float]]
) -> Iterator[Shared]:
    """Pairs of ends that a map takes to each other and that have labels on both sides.

    Args:
        system: the system's sentence.
        gold: that of gold.
        forth: the gold node of each of the system's nodes.
        alike: how similar the concepts of nodes are.
    """
    theirs = gold.labels
    for (one, two), labels in system.labels.items():
        # Constants are like themselves; nodes may have no counterpart.
        first, second = one, two
        similarity = 2.0
        if type(one) is int:
            if one not in forth:
                continue
            first = forth[one]
            similarity += alike[one][first] - 1
        if type(two) is int:
            if two not in forth:
                continue
            second = forth[two]
            similarity += alike[two][second] - 1
        others = theirs.get((first, second))
        if others is not None:
            yield Shared(
                (one, two),
                (first, second),
                similarity / 2,
                len(labels & others),
                min(len(labels), len(others)),
            )


def weights(sentence: Concepts, counted: Concepts | None) -> Callable[[Ends], float]:
    """What relations weigh: the more, the more hangs below their ends.

    Args:
        sentence: theirs.
        counted: the sentence in which it is counted what hangs below variables of their
            names: the system's for both sides, as in the program.
    """
    below: dict[str, int] = {}
    if counted is not None:
        below = dict(zip(counted.variables, counted.below, strict=True))
    known = [below.get(name, 0) for name in sentence.variables]

    def weight(ends: Ends) -> float:
        one, two = ends
        if isinstance(one, str) or isinstance(two, str):
            return 1.0
        return sqrt(known[one] * known[two]) + 1

    return weight
