"""The correspondence problem, stated without any word of metrics.

``n`` gold objects and ``m`` system objects may be mapped one to one, partially.
Mapping ``i`` to ``j`` earns ``reward[i, j]``; a *link pair* earns its weight
when both of its ends are mapped as it asks.  An *ordered* problem only allows
maps that preserve the order of the objects on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    # Everybody names a budget; numpy takes longer to import than what most need.
    import numpy as np
    import numpy.typing as npt

    from graphscore.correspondence.edge_groups import EdgeGroups

REVISION = 3
"""Revision of the search: rises if a search may end elsewhere on the same budget.

What is proven stays so.  Stores do not use what an earlier search left open: a rise
comes with another revision of stores.
"""

ASSIGNMENT, CHAIN = "assignment", "chain"
"""Methods for what is plain to map, in any order of the nodes or in theirs."""

SCALE = 1024
"""Units per tuple; a weight of 1 can be split in steps of one unit."""

Integers: TypeAlias = "npt.NDArray[np.int64]"
Booleans: TypeAlias = "npt.NDArray[np.bool_]"


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
    """Share of each link pair's weight that belongs to it."""


class Problem(Struct, frozen=True):
    """Maximise rewards and link pairs over partial one-to-one maps.

    Args:
        reward: non-negative integers, shape (n, m).
        links: link pairs with positive integer weights; a pair of self-loops
            (source is target on both sides) belongs into ``reward``.
        ordered: whether maps must preserve the order of both sides.
        preferences: parts of the objective, most important first; they choose
            among maps of equal total.
        edges: gives the edges behind the links, from which a good map is found where
            the bound does not close; without it they are worked out from the links.
        joined: whether ``links`` has all pairs of equal edges; if not, there are too
            many, and the problem is solved on ``edges`` alone.
        hint: gives integers of shape (n, m), asked for only when the first bound
            does not close: the map that they favour is tried as a start.  A hint
            never changes what is best, only how soon it is found.
    """

    reward: Integers
    links: LinkPairs
    ordered: bool = False
    preferences: Sequence[Preference] = ()
    hint: Callable[[], Integers] | None = None
    edges: Callable[[], EdgeGroups] | None = None
    joined: bool = True

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
    """Weight of the mapping."""
    bound: int
    """No map earns more than this."""
    proven: bool
    """True if the result is proven optimal.

    Then ``bound`` equals ``score``, and with ``ties="canonical"`` the preferences are
    at their lexicographic optimum too.
    """
    steps: int
    """Work done, see :func:`relaxation_steps`."""
    method: str
    """Method that closed the proof.

    One of ``identical``, ``assignment`` or ``chain`` (the relaxation alone),
    ``tightened`` (after shifting the split), ``branched`` (by cases), or ``open``.
    """

    @property
    def gap(self) -> int:
        """Difference between bound and score."""
        return self.bound - self.score


@dataclass(frozen=True)
class Budget:
    """Budget of a single problem, in steps.

    Args:
        steps: work, counted by what it grows with (:func:`relaxation_steps`) and the
            same everywhere, so that the outcome is the same on every machine.
        seconds: an optional limit on time, which is not reproducible.
    """

    steps: int = 100_000
    seconds: float | None = None


def relaxation_steps(couplings: int, rows: int, columns: int) -> int:
    """Return the number of steps to bound, or match again, a problem of some size.

    A step is about a ten-thousandth of a second of work on a common machine, counted
    by what the work grows with: couplings, and the shortest augmenting paths of an
    assignment.

    Args:
        couplings: how many there are.
        rows: gold objects.
        columns: system objects.

    Example:
        >>> relaxation_steps(200, 20, 20), relaxation_steps(10**6, 200, 200)
        (1, 1033)
    """
    paths = rows * columns * min(rows, columns).bit_length()
    return 1 + couplings // 1000 + paths // 10_000


def evaluate(problem: Problem, pairs: Sequence[tuple[int, int]]) -> int:
    """Compute the weight of a mapping directly from the definition.

    Args:
        problem: the problem.
        pairs: (gold, system) ordinals, one to one.

    Returns:
        Rewards plus weights of the link pairs whose ends are both mapped.
    """
    import numpy as np

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
