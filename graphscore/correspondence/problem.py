"""The correspondence problem, stated without any word of metrics.

``n`` gold objects and ``m`` system objects may be mapped one to one, partially.
Mapping ``i`` to ``j`` earns ``reward[i, j]``; a *link pair* earns its weight
when both of its ends are mapped as it asks.  An *ordered* problem only allows
maps that preserve the order of the objects on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


class LinkPairs(NamedTuple):
    """A link of each side and what they earn together, as parallel arrays.

    Row *k* says: gold link ``gold_source → gold_target`` and system link
    ``system_source → system_target`` earn ``weight`` when the sources
    correspond and the targets correspond.
    """

    gold_source: Integers
    gold_target: Integers
    system_source: Integers
    system_target: Integers
    weight: Integers


class Preference(NamedTuple):
    """A part of the objective that decides between maps of equal worth."""

    reward: Integers
    """Shape (n, m): what of the reward belongs to this part."""
    weight: Integers
    """What of each link pair's weight belongs to it."""


@dataclass(frozen=True)
class Problem:
    """Maximise rewards and link pairs over partial one-to-one maps.

    Args:
        reward: non-negative integers, shape (n, m).
        links: link pairs with positive integer weights; a pair of self-loops
            (source is target on both sides) belongs into ``reward``.
        ordered: whether maps must preserve the order of both sides.
        preferences: parts of the objective, most important first; they choose
            among maps of equal total.
        hint: gives integers of shape (n, m), asked for only when the first bound
            does not close: the map that they favour is tried as a start.  A hint
            never changes what is best, only how soon it is found.
    """

    reward: Integers
    links: LinkPairs
    ordered: bool = False
    preferences: Sequence[Preference] = field(default=())
    hint: Callable[[], Integers] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Number of gold and of system objects."""
        rows, columns = self.reward.shape
        return rows, columns


class Correspondence(NamedTuple):
    """A map with the proof of how good it is.

    Example:
        >>> Correspondence(((0, 1),), 3, 3, True, 1, "assignment").gap
        0
    """

    pairs: tuple[tuple[int, int], ...]
    """(gold, system) ordinals, by gold ordinal; only pairs that earn something."""
    score: int
    """What the map earns."""
    bound: int
    """No map earns more than this."""
    proven: bool
    """Whether ``bound`` equals ``score``, and with ``ties="canonical"`` that the
    preferences are at their lexicographic optimum too."""
    steps: int
    """Relaxations solved, integer programs' nodes included."""
    method: str
    """What closed the proof: ``identical``, ``assignment`` or ``chain`` (the
    relaxation alone), ``tightened`` (after shifting the split), ``program`` (an
    integer program), or ``open``."""

    @property
    def gap(self) -> int:
        """How far the proof is from closed."""
        return self.bound - self.score


@dataclass(frozen=True)
class Budget:
    """How much work a single problem may take.

    Args:
        steps: relaxations and branching nodes; counted the same everywhere, so
            that the outcome is the same on every machine.
        seconds: an optional limit on time, which is not reproducible.
    """

    steps: int = 100_000
    seconds: float | None = None


def evaluate(problem: Problem, pairs: Sequence[tuple[int, int]]) -> int:
    """What a map earns, counted directly from the definition.

    Args:
        problem: the problem.
        pairs: (gold, system) ordinals, one to one.

    Returns:
        Rewards plus weights of the link pairs whose ends are both mapped.
    """
    target = np.full(problem.shape[0], -1, dtype=np.int64)
    for gold, system in pairs:
        target[gold] = system
    total = sum(int(problem.reward[gold, system]) for gold, system in pairs)
    links = problem.links
    if len(links.weight):
        earned = (target[links.gold_source] == links.system_source) & (
            target[links.gold_target] == links.system_target
        )
        total += int(links.weight[earned].sum())
    return total
