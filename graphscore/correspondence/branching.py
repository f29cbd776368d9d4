"""Branching: by cases, for what bound and pruning leave open.

A case is a set of candidates, of which one is decided: either it is in the map, then
its rivals go and what it earns with others becomes their reward; or it is not.  Each
case is relaxed for a few rounds from the split of the case that it comes from, pruned,
and divided again, the most promising first.  Cases are given up whose bound is not
above the best map met; when none is left, that map is proven.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from graphscore.correspondence.candidates import Candidates, Cells
from graphscore.correspondence.problem import Integers
from graphscore.correspondence.tightening import Search, SearchOutcome, Tightening

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
    part.bound = min(part.bound, cases.bound)
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
        self._put(first, part.bound, 0)

    @property
    def bound(self) -> int:
        """No map of the candidates earns more."""
        return max([self.part.score, *(-entry[0] for entry in self._open)])

    def run(self, limit: int) -> None:
        """Divide the most promising case, until none is left or steps are spent."""
        while self._open:
            bound, depth, number, case = heapq.heappop(self._open)
            self._kept -= len(case.split)
            if -bound <= self.part.score:
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
        relaxed = Tightening(self.search, case.candidates)
        relaxed.split = case.split
        relaxed.score = max(0, self.part.score - case.earned)
        relaxed.tied = []
        # To lay a case out, prune it and choose what divides it costs as much again.
        self.search.steps += OVERHEAD + 8 * relaxed.price
        closed = relaxed.run(ROUNDS_CASE)
        if relaxed.score + case.earned > self.part.score:
            for cells in relaxed.tied:
                self._enter(case.cells + cells)
        bound = min(bound, relaxed.bound + case.earned)
        if closed or bound <= self.part.score:
            return
        left = relaxed.candidates
        pick = relaxed.pivot()
        decided = case.cells + left.cells(np.array([pick]))
        earned = case.earned + int(left.reward[pick])
        rest, alive = left.decided(pick)
        out = np.ones(len(left.gold), dtype=np.bool_)
        out[pick] = False
        for candidates, keeps, worth, cells in (
            (left.keep(out), out, case.earned, case.cells),
            (rest, alive, earned, decided),
        ):
            split = relaxed.split[keeps[left.first] & keeps[left.second]]
            if len(candidates.gold):
                self._put(
                    Subproblem(candidates.compact(), split, worth, cells),
                    bound,
                    depth + 1,
                )
            elif worth > self.part.score:
                self._enter(cells)
