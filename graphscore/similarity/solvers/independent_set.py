"""The heaviest choice among things of which some exclude one another.

First choices are grown and improved by exchange (``exchanging``), then cliques bound
what any choice can earn and put aside what no better one holds (``cutting``), and what
is left goes through all cases (``dividing``).  Where the things are too many for a
table of exclusions, choices are grown and exchanged without one.  Either way the
budget bounds the work, and the bound is true.

>>> import numpy as np
>>> clash = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
>>> heaviest(Choosing([2, 3, 2], clash.__getitem__, 100), [0, 1, 2], 4)
Choice(chosen=[0, 2], bound=4, steps=2)

The heaviest choice by cases: branch and bound over sets of bits.

As for heaviest cliques (San Segundo et al. 2011, "An exact bit-parallel algorithm for
the maximum clique problem"; weights after Kumlander 2004): what is still possible is
divided into classes whose members all exclude one another, so that no choice earns
more than the greatest amount of each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphscore.similarity.base import Number, sum_exactly
from graphscore.similarity.solvers.clique_bound import Cutting
from graphscore.similarity.solvers.local_search import (
    TABLE,
    WORK,
    Choosing,
    Integers,
    Places,
    bits,
    exchange,
)

GROWN = 24
"""Choices that are grown from different beginnings."""

FIRST = 1_000
"""Steps that go through cases before anything else: most problems are small."""


FEW = 1_000
"""Things of which all cases are gone through for longer."""

PATIENCE = 8
"""Number of times that prices may stall if there is no other bound."""

WORTHWHILE = 0.8
"""The share of things that must be left at most to begin with the cases anew."""


class Choice(NamedTuple):
    """Choice of elements, with a bound and the steps taken."""

    chosen: list[int]
    """Positions of what is chosen, ascending."""
    bound: Number
    """No choice earns more."""
    steps: int
    """Work done, in steps of the search (``problem.relaxation_steps``)."""


def heaviest(
    search: Choosing,
    order: Sequence[int],
    bound: Number,
    pairs: Places | None = None,
) -> Choice:
    """The heaviest choice that the budget allows to find.

    Args:
        search: the things, what they earn and exclude, and the budget.
        order: positions, the most promising first.
        bound: what no choice exceeds, known from elsewhere.
        pairs: where the things stand, if they are pairs of members.

    Returns:
        The choice with a bound.
    """
    _grow(search, list(order), bound)
    if len(search.amounts) > TABLE:
        exchange(search, bound, search.limit)
    elif search.earned < bound:
        bound = min(bound, _close(search, bound, pairs))
    return Choice(sorted(search.best), max(bound, search.earned), search.steps)


def _close(search: Choosing, bound: Number, pairs: Places | None) -> Number:
    """Better choices and better bounds, in turn; what no choice exceeds."""
    every = np.arange(len(search.amounts))
    # A tenth of the budget for each round of exchange; three more for cases where the
    # things are few, else for prices.
    share, few = search.limit // 10, len(every) <= FEW
    exchange(search, bound, search.steps + share // 10)
    cases = Cases(search, every)
    bound = min(bound, cases.run(search.steps + min(FIRST, share)))
    if search.earned >= bound or search.ended():
        return bound
    exchange(search, bound, search.steps + share)
    if few:
        # Where much is excluded, there are not many cases, and prices say little.
        bound = min(bound, cases.run(search.steps + 3 * share))
        if search.earned >= bound or search.ended():
            return bound
    cutting = Cutting(search, pairs)
    rest = search.limit - search.steps
    if few:
        cutting.run(search.steps + rest // 2)
    else:
        cutting.run(search.steps + rest - share, PATIENCE)
    if not cutting.closed:
        exchange(search, min(bound, cutting.bound), search.steps + share)
    bound = min(bound, cutting.bound)
    if search.earned >= bound or search.ended():
        return bound
    if cutting.alive.sum() < WORTHWHILE * len(every):
        cases = Cases(search, np.flatnonzero(cutting.alive))
    return min(bound, cases.run(search.limit))


def _grow(search: Choosing, order: list[int], bound: Number) -> None:
    """Choices in the order given, each from another beginning."""
    every = np.array(order, dtype=np.int64)
    for first in range(min(GROWN, len(every))):
        left = np.concatenate((every[first : first + 1], np.delete(every, first)))
        chosen: list[int] = []
        while len(left) and not (chosen and search.ended()):
            thing = int(left[0])
            chosen.append(thing)
            search.steps += search.price
            clash = search.row(thing).copy()
            clash[thing] = True
            left = left[~clash[left]]
        search.offer(chosen)
        if search.earned >= bound or search.ended():
            return


def _peel(clash: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[int]:
    """For each thing how late it goes if always who excludes most others goes."""
    degree = clash.sum(axis=1)
    rank = [0] * len(degree)
    for turn in range(len(degree)):
        thing = int(degree.argmax())
        rank[thing] = len(degree) - turn
        degree -= clash[thing]
        degree[thing] = -len(degree) - 1
    return rank


class Cases:
    """All choices among some things, gone through as far as a budget reaches.

    Args:
        search: the search; what beats its best choice becomes that.
        things: what can be chosen: no choice with another is better than the best.
    """

    def __init__(self, search: Choosing, things: Integers) -> None:
        self.search, self.among = search, things
        self.things: list[int] = []
        self.weights: list[Number] = []
        self.clash: list[int] = []
        self.stack: list[_Frame] | None = None

    def run(self, limit: int) -> Number:
        """Go on with the cases that are left.

        Args:
            limit: steps of the search at which to end; it can be run again.

        Returns:
            What no choice exceeds.
        """
        search = self.search
        if self.stack is None:
            table = search.price * len(self.among)
            if search.ended(limit - table):
                amounts = [search.amounts[k] for k in self.among.tolist()]
                return max(search.earned, sum_exactly(amounts))
            search.steps += table
            self._begin()
        stack = self.stack or []
        while stack:
            frame = stack[-1]
            if not frame.classes or (
                frame.earned + frame.classes[-1][1] <= search.earned
            ):
                stack.pop()
                continue
            if search.ended(limit):
                break
            thing, _ = frame.classes.pop()
            frame.open &= ~(1 << thing)
            chosen = [*frame.chosen, thing]
            earned = frame.earned + self.weights[thing]
            if earned > search.earned:
                search.offer([self.things[k] for k in chosen])
            left = frame.open & ~self.clash[thing]
            if left:
                stack.append(self._frame(earned, left, chosen))
        # What is still open could earn what its classes allow.
        most = [f.earned + f.classes[-1][1] for f in stack if f.classes]
        return max([search.earned, *most])

    def _begin(self) -> None:
        """Number the things, and lay out what excludes what."""
        search, things = self.search, self.among
        amounts = [search.amounts[k] for k in things.tolist()]
        if not amounts:
            self.stack = []
            return
        clash = np.array([search.row(k)[things] for k in things.tolist()])
        # Bits are numbered by weight, the heaviest first: a class begins with its
        # greatest amount then.  Of equal ones those come last, and are the first case,
        # that go with fewest of the others.
        rank = _peel(clash)
        ranking = sorted(range(len(amounts)), key=lambda k: (-amounts[k], rank[k]))
        self.things = things[ranking].tolist()
        self.weights = [search.amounts[k] for k in self.things]
        self.clash = [bits(clash[k][ranking]) for k in ranking]
        self.stack = [self._frame(0, (1 << len(things)) - 1, [])]

    def _frame(self, earned: Number, left: int, chosen: list[int]) -> _Frame:
        """Divide what is left into classes of which one at most can be chosen."""
        classes: list[tuple[int, Number]] = []
        total: Number = 0
        rest, seen = left, 0
        enough = self.search.earned - earned
        weights, clash = self.weights, self.clash
        while rest:
            heaviest_left = (rest & -rest).bit_length() - 1
            total += weights[heaviest_left]
            # Classes that are not enough for a better choice are no cases.
            promising = total > enough
            members = rest
            while members:
                low = members & -members
                member = low.bit_length() - 1
                if promising:
                    classes.append((member, total))
                seen += 1
                rest ^= low
                members = (members ^ low) & clash[member]
        self.search.steps += 1 + seen * len(weights) // (WORK * 64)
        return _Frame(earned, left, chosen, classes)


class _Frame:
    """Open part of the problem at one level of the search."""

    __slots__ = ("chosen", "classes", "earned", "open")

    def __init__(
        self,
        earned: Number,
        left: int,
        chosen: list[int],
        classes: list[tuple[int, Number]],
    ) -> None:
        self.earned, self.open = earned, left
        self.chosen, self.classes = chosen, classes
