"""The best map of a sentence's concepts: that under which relations match most, proven.

What AnCast's greedy map is meant to make large is the sum over relations that match,
each the mean similarity of its two ends.  A relation between a node and a constant is
worth that to the pair of nodes alone; one between two nodes is a link of two pairs.
All similarities are fractions of a common denominator, so that sums are exact.  Of maps
as good as each other, one whose concepts are more alike is taken.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from graphscore.correspondence import (
    Budget,
    Correspondence,
    LinkPairs,
    Problem,
    solve,
)
from graphscore.correspondence.problem import Integers
from graphscore.metrics.meaning.ancast.layout import Concepts, Floats
from graphscore.metrics.meaning.ancast.mapping import first_similarity

FINEST = 10**7
"""The largest denominator of similarities; finer ones are rounded to it."""

TIES = 100
"""Similarity of nodes by themselves is told apart so finely between maps as good."""


class Best:
    """A best map and its proof.

    Args:
        gold: the sentence of gold.
        system: the system's.
        alike: how similar the concepts are, of the system in rows.
        budget: how much work may be spent.

    Attributes:
        forth: the gold node of each of the system's nodes that has one.
        found: the correspondence, of gold with system.
        scale: what a match of two equal relations is in its score.
    """

    def __init__(
        self, gold: Concepts, system: Concepts, alike: Floats, budget: Budget
    ) -> None:
        unit = _denominator(alike)
        worth = np.rint(alike.T * unit).astype(np.int64)
        own = np.rint(first_similarity(system, gold, alike).T * TIES).astype(np.int64)
        more = min(len(gold), len(system)) * TIES + 1
        self.scale = 2 * unit * more
        reward = np.zeros((len(gold), len(system)), dtype=np.int64)
        links: list[tuple[int, int, int, int, int]] = []
        gold_relations = _by_label(gold)
        for label, value in _by_label(system).items():
            for left in gold_relations.get(label, ()):
                for right in value:
                    _pair(left, right, worth, unit, reward, links)
        table = np.array(links, dtype=np.int64).reshape(-1, 5).T
        left, right, system_source, system_target, weight = np.ascontiguousarray(table)
        pairs = LinkPairs(left, right, system_source, system_target, weight * more)
        problem = Problem(reward * more + own, pairs)
        self.found: Correspondence = solve(problem, budget)
        self.forth = dict(pair[::-1] for pair in self.found.pairs)


def _denominator(alike: Floats) -> int:
    """A common denominator of all similarities."""
    result = 20
    for value in np.unique(alike).tolist():
        result = lcm(result, Fraction(value).limit_denominator(10_000).denominator)
        if result > FINEST:
            return FINEST
    return result


_Directed = tuple[int, int | str, bool]
"""A node, its argument or constant, and whether that is its predicate."""


def _by_label(sentence: Concepts) -> dict[str, list[_Directed]]:
    result: dict[str, list[_Directed]] = {}
    for relation in sentence.relations:
        left, right = relation.ends
        ends = (right, left, True) if isinstance(left, str) else (left, right, False)
        result.setdefault(relation.label, []).append(ends)  # type: ignore[arg-type]
    return result


def _pair(
    first: _Directed,
    second: _Directed,
    worth: Integers,
    unit: int,
    reward: Integers,
    links: list[tuple[int, int, int, int, int]],
) -> None:
    """Enter the reward of two relations of one label, in halves of a unit."""
    (i, left, turned), (j, right, other_turned) = first, second
    if isinstance(left, str) or isinstance(right, str):
        if left == right and turned == other_turned:
            reward[i, j] += int(worth[i, j]) + unit
    elif i == left or j == right:
        if i == left and j == right:
            reward[i, j] += 2 * int(worth[i, j])
    elif weight := int(worth[i, j]) + int(worth[left, right]):
        links.append((i, left, j, right, weight))
