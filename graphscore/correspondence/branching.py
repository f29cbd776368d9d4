"""Branching: by cases, for what bound and pruning leave open.

A case is a set of candidates, of which one is decided: either it is in the map, then
its rivals go and what it earns with others becomes their reward; or it is not.  Each
case is relaxed for a few rounds from the split of the case that it comes from, pruned,
and divided again, the most promising first.  Cases are given up whose bound is not
above the best map met; when none is left, that map is proven.

What is still open then is divided by *objects*: a gold or system object corresponds to
each of its candidates in turn, or to none, and what is left is bounded by
:mod:`~graphscore.correspondence.prices`.  One such case takes as long as ten of the
others; but where objects are alike, to forbid one candidate of many says nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from graphscore.correspondence.candidates import Candidates, Cells
from graphscore.correspondence.prices import Prices
from graphscore.correspondence.problem import SCALE, Booleans, Integers
from graphscore.correspondence.relaxation import Assignment
from graphscore.correspondence.tightening import (
    Progress,
    Search,
    SearchOutcome,
    Tightening,
)

ROUNDS_CASE = 6
"""Relaxations of one case before it is divided."""

OVERHEAD = 25
"""Steps that dividing a case takes however small it is."""

KEPT = 4_000_000
"""Couplings of all open cases together that are kept in memory."""


class Subproblem(NamedTuple):
    """Candidates of which some are decided."""

    candidates: Candidates
    """Those that are open."""
    split: Integers
    """Initial split of their relaxation."""
    earned: int
    """Weight of the candidates in the mapping."""
    cells: Cells
    """Candidates in the mapping."""


def branch(search: Search, part: Tightening, limit: int) -> SearchOutcome:
    """Divide one set of candidates into cases until its best map is proven.

    Args:
        search: the search; its budget goes on.
        part: the candidates, tightened as far as that pays.
        limit: steps at which to stop, of the search's.

    Returns:
        The best map and the bound that was reached.
    """
    cases = OpenSubproblems(search, part)
    cases.run(limit)
    return _outcome(part.only, cases.bound)


def _outcome(part: Progress, bound: int) -> SearchOutcome:
    """What came of the cases of one set of candidates."""
    part.bound = min(part.bound, bound)
    method = "branched" if part.bound == part.score else "open"
    return SearchOutcome(part.score, part.cells, part.bound, method)


class OpenSubproblems:
    """The open cases of one set of candidates.

    Args:
        search: the search that it belongs to.
        part: the candidates; better maps are entered there.
    """

    def __init__(self, search: Search, part: Tightening) -> None:
        self.search, self.part = search, part
        first = Subproblem(part.candidates, part.split, 0, ())
        self._open: list[tuple[int, int, int, Subproblem]] = []
        self._number = self._kept = 0
        self._put(first, part.only.bound, 0)

    @property
    def bound(self) -> int:
        """No map of the candidates earns more."""
        return max([self.part.only.score, *(-entry[0] for entry in self._open)])

    def run(self, limit: int) -> None:
        """Divide the most promising case, until none is left or steps are spent."""
        while self._open:
            bound, depth, number, case = heapq.heappop(self._open)
            self._kept -= len(case.split)
            if -bound <= self.part.only.score:
                continue
            if self.search.spent() or self.search.steps >= limit or self._kept > KEPT:
                heapq.heappush(self._open, (bound, depth, number, case))
                return
            self._divide(case, -bound, -depth)

    def _put(self, case: Subproblem, bound: int, depth: int) -> None:
        """Open a case; of equal bounds the deepest, then the last one goes first."""
        self._number += 1
        self._kept += len(case.split)
        heapq.heappush(self._open, (-bound, -depth, -self._number, case))

    def _enter(self, cells: Cells) -> None:
        """Take a map into account."""
        self.part.offer(self.part.candidates.locate(cells))

    def _divide(self, case: Subproblem, bound: int, depth: int) -> None:
        known = self.part.only
        tightening = Tightening(case.candidates, self.search)
        tightening.split = case.split
        relaxed = tightening.only
        relaxed.score = max(0, known.score - case.earned)
        # To lay a case out, prune it and choose what divides it costs as much again.
        self.search.steps += OVERHEAD + 8 * relaxed.price
        closed = tightening.run(ROUNDS_CASE)
        if relaxed.score + case.earned > known.score:
            for cells in relaxed.maps:
                self._enter(case.cells + cells)
        bound = min(bound, relaxed.bound + case.earned)
        if closed or bound <= known.score:
            return
        left = tightening.candidates
        pick = tightening.pivot()
        decided = case.cells + left.cells(np.array([pick]))
        earned = case.earned + int(left.reward[pick])
        rest, alive = left.decided(pick)
        out = np.ones(len(left.gold), dtype=np.bool_)
        out[pick] = False
        for candidates, keeps, worth, cells in (
            (left.keep(out), out, case.earned, case.cells),
            (rest, alive, earned, decided),
        ):
            split = tightening.split[keeps[left.first] & keeps[left.second]]
            if len(candidates.gold):
                self._put(
                    Subproblem(candidates.compact(), split, worth, cells),
                    bound,
                    depth + 1,
                )
            elif worth > known.score:
                self._enter(cells)


ROUNDS_PRICES = 20
"""Rounds of prices between two bounds of a case."""

ROUNDS_OBJECT = 160
"""Rounds of prices of one case at most."""

ROUNDS_WHOLE = 400
"""Rounds of prices of all candidates, before they are divided."""

STALLED = 8
"""Prices are moved on while that takes off one part in so many of what is too much."""


class PricedCase(NamedTuple):
    """Candidates of which some are decided, with their prices."""

    prices: Prices
    place: Integers
    """Position of every candidate among all of them."""
    taken: Integers
    """Positions of the candidates in the mapping."""
    earned: int
    """Their weight."""

    def only(self, alive: Booleans) -> PricedCase:
        """The case with some of its candidates.

        Args:
            alive: which.
        """
        prices = self.prices.keep(self.prices.candidates.keep(alive), alive)
        return self._replace(prices=prices, place=self.place[alive])

    def decided(self, taken: int) -> PricedCase:
        """The case in which one more candidate is in the mapping.

        Args:
            taken: the candidate.
        """
        left, alive = self.prices.candidates.decided(taken)
        return PricedCase(
            self.prices.keep(left, alive),
            self.place[alive],
            np.append(self.taken, self.place[taken]),
            self.earned + int(self.prices.candidates.reward[taken]),
        )

    def divided(self) -> list[Callable[[], PricedCase]]:
        """The cases of that object at which the most couplings are chosen."""
        c = self.prices.candidates
        most, at = -1.0, np.zeros(0, dtype=np.bool_)
        for objects, size in (c.gold, c.rows), (c.system, c.columns):
            weight = np.bincount(objects[c.first], self.prices.coupled, size)
            weight += np.bincount(objects[c.second], self.prices.coupled, size)
            weight[np.bincount(objects, minlength=size) == 0] = -1
            if weight.max() > most:
                most, at = weight.max(), objects == weight.argmax()
        taken = np.flatnonzero(at).tolist()
        return [partial(self.only, ~at), *(partial(self.decided, k) for k in taken)]


class ObjectBranching:
    """The open cases of one set of candidates, divided by objects.

    Args:
        search: the search that it belongs to.
        part: the candidates; better maps are entered there.
        limit: steps at which to stop, of the search's.
    """

    def __init__(self, search: Search, part: Tightening, limit: int) -> None:
        self.search, self.part, self.limit = search, part, limit
        # Most cases are never divided: what is kept is how they come from another.
        self._open: list[tuple[int, int, int, Callable[[], PricedCase]]] = []
        self._number = 0

    def run(self) -> SearchOutcome:
        """Divide the most promising case, until none is left or steps are spent."""
        part, rounds = self.part.only, ROUNDS_WHOLE
        every = np.arange(len(self.part.candidates.gold))
        whole = PricedCase(Prices.of(self.part.candidates), every, every[:0], 0)
        self._put(lambda: whole, part.bound, 0)
        while self._open and not self._spent():
            bound, depth, _, opened = heapq.heappop(self._open)
            if -bound <= part.score:
                continue
            case, above = self._relaxed(opened(), -bound, rounds)
            rounds = ROUNDS_OBJECT
            for child in case.divided() if above > part.score else ():
                below = above
                if not self._spent():
                    _, below = self._relaxed(child(), above, rounds)
                self._put(child, below, depth - 1)
        part.bound = max([part.score, *(-entry[0] for entry in self._open)])
        return _outcome(part, part.bound)

    def _spent(self) -> bool:
        return self.search.spent() or self.search.steps >= self.limit

    def _put(self, case: Callable[[], PricedCase], bound: int, depth: int) -> None:
        """Open a case; of equal bounds the deepest, then the last one goes first."""
        self._number += 1
        heapq.heappush(self._open, (-bound, depth, -self._number, case))

    def _relaxed(
        self, case: PricedCase, bound: int, rounds: int
    ) -> tuple[PricedCase, int]:
        """Move the prices of a case while that may still close it.

        Args:
            case: the case.
            bound: what no map of it exceeds so far.
            rounds: how many rounds at most.

        Returns:
            What is left of the case, and its bound.
        """
        part, search = self.part.only, self.search
        search.steps += OVERHEAD
        gap: int | None = None
        for _ in range(0, rounds, ROUNDS_PRICES):
            prices = case.prices.improved(ROUNDS_PRICES)
            search.steps += ROUNDS_PRICES * prices.cost
            case = case._replace(prices=prices)
            values = prices.values()
            matching = Assignment(prices.candidates)
            [total], chosen = matching.best(values)
            matched = matching.matched
            self.part.climb(np.concatenate((case.taken, case.place[chosen])))
            bound = min(bound, case.earned + total // SCALE)
            needed = (part.score + 1 - case.earned) * SCALE
            alive = matching.through(values, total, matched) >= needed
            if bound <= part.score or not alive.any():
                return case, part.score
            if not alive.all():
                case = case.only(alive)
            before, gap = gap, total - needed
            if self._spent() or (before is not None and (before - gap) * STALLED < gap):
                break
        return case, bound
