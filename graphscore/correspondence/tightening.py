"""The search on one set of candidates: bound, incumbent, prune, shift the split.

The package's text explains the method.  A :class:`Search` counts the steps that
are spent and remembers which of the equally good maps it met is preferred;
:class:`Tightening` works on one set of candidates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from graphscore.correspondence.candidates import Candidates, Cells
from graphscore.correspondence.problem import (
    SCALE,
    Budget,
    Integers,
    Problem,
    relaxation_steps,
)
from graphscore.correspondence.relaxation import Assignment, Chain, Relaxation

UNPROMISING = 2
"""Distance below the best mapping within which local search still starts."""

PATIENCE = 4
"""Relaxations between two attempts to prune."""


Beside = Callable[[], Integers]
"""Works out what each candidate would earn beside a map."""


class SearchOutcome(NamedTuple):
    """The outcome for one set of candidates."""

    score: int
    cells: Cells
    bound: int
    method: str

    @property
    def gap(self) -> int:
        """Difference between bound and score."""
        return self.bound - self.score


class Search:
    """One problem's search: its budget, and which maps are preferred.

    Args:
        problem: what is solved.
        budget: how much may be spent.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.problem = problem
        self.limit = budget.steps
        self.steps = 0
        self.deadline = (
            None if budget.seconds is None else time.monotonic() + budget.seconds
        )

    def spent(self) -> bool:
        """Return true if the budget is used up."""
        return self.steps >= self.limit or (
            self.deadline is not None and time.monotonic() >= self.deadline
        )

    def spender(self, limit: int) -> Callable[[int], bool]:
        """Return a function that spends steps and returns true while any are left.

        Args:
            limit: steps at which to stop, if before the search's own limit.
        """

        def spend(steps: int) -> bool:
            self.steps += steps
            return self.steps < limit and not self.spent()

        return spend

    def preference(self, cells: Cells) -> tuple[int, ...]:
        """Return the weight of a mapping for each preference, most important first."""
        problem = self.problem
        target = np.full(problem.shape[0], -1, dtype=np.int64)
        gold = np.array([cell[0] for cell in cells], dtype=np.int64)
        system = np.array([cell[1] for cell in cells], dtype=np.int64)
        target[gold] = system
        links = problem.links
        earned = (target[links.gold_source] == links.system_source) & (
            target[links.gold_target] == links.system_target
        )
        return tuple(
            int(part.reward[gold, system].sum() + part.weight[earned].sum())
            for part in problem.preferences
        )

    def preferred(self, maps: Iterable[Cells]) -> Cells:
        """Return the preferred one of several mappings of equal weight.

        More of the most important preference first, then of the next...; at
        last the map whose list of pairs is smallest.
        """
        different = sorted(set(maps))
        if len(different) < 2:
            return different[0] if different else ()
        # max() keeps the first of equals, and the list is sorted.
        return max(different, key=self.preference)


class Tightening:
    """Bound and incumbent of one shrinking set of candidates.

    Args:
        search: the search it belongs to.
        candidates: what may be mapped.
    """

    def __init__(self, search: Search, candidates: Candidates) -> None:
        self.search = search
        self.candidates = candidates
        self.score = 0
        self.tied: list[tuple[Candidates, Integers]] = []
        """The best maps met, each by its candidates among those of its time."""
        self.rounds = 0
        # Pruning makes it cheaper, but what it costs must not depend on how it went.
        self.price = relaxation_steps(
            len(candidates.weight), candidates.rows, candidates.columns
        )
        self._lay_out()
        self.bound = int(candidates.reward.sum() + candidates.weight.sum())
        self.split: Integers = self.relaxation.full >> 1

    def _lay_out(self) -> None:
        self.relaxation = Relaxation(self.candidates)
        kind = Chain if self.candidates.ordered else Assignment
        self.matching = kind(self.candidates)

    @property
    def plain(self) -> str:
        """Name of the relaxation."""
        return self.matching.name

    @property
    def cells(self) -> Cells:
        """Preferred one of the best mappings found so far."""
        return self.search.preferred(self.maps)

    @property
    def maps(self) -> list[Cells]:
        """Best mappings found so far."""
        return [candidates.cells(chosen) for candidates, chosen in self.tied]

    def closed(self) -> SearchOutcome:
        """The outcome so far."""
        method = "open"
        if self.bound == self.score:
            method = self.plain if self.rounds <= 1 else "tightened"
        return SearchOutcome(self.score, self.cells, self.bound, method)

    def offer(self, chosen: Integers) -> tuple[int, Beside]:
        """Take a map into account.

        Args:
            chosen: its candidates.

        Returns:
            What it earns, and what works out what each candidate would earn beside
            it.
        """
        c = self.candidates
        selected = np.zeros(len(c.gold), dtype=np.bool_)
        selected[chosen] = True
        first, second = selected[c.first], selected[c.second]
        score = int(c.reward[chosen].sum() + c.weight[first & second].sum())
        if score > self.score:
            self.score, self.tied = score, [(c, chosen)]
        elif score == self.score and score:
            self.tied.append((c, chosen))

        def beside() -> Integers:
            size = len(c.gold)
            left = np.bincount(c.first[second], c.weight[second], size)
            right = np.bincount(c.second[first], c.weight[first], size)
            return c.reward + (left + right).astype(np.int64)

        return score, beside

    def climb(self, chosen: Integers) -> None:
        """Re-linearise around a map and match again, for as long as it pays."""
        score, beside = self.offer(chosen)
        # A map far below the best one met hardly ever climbs past it.
        while score < self.bound and score >= self.score - UNPROMISING:
            _, chosen = self.matching.best(beside() * SCALE)
            self.search.steps += self.price
            again, beside = self.offer(chosen)
            if again <= score:
                return
            score = again

    def run(self, rounds: int, limit: int | None = None) -> bool:
        """Relax, climb, prune and shift until closed.

        Args:
            rounds: how many relaxations at most.
            limit: steps of the search at which to stop, if before its own limit.

        Returns:
            Whether bound and incumbent met.
        """
        since = 0
        for _ in range(rounds):
            if self.search.spent() or (limit and self.search.steps >= limit):
                return False
            self.rounds += 1
            self.search.steps += self.price
            values = self.relaxation.values(self.split)
            total, chosen = self.matching.best(values)
            self.bound = min(self.bound, total // SCALE)
            pruning = self.score < self.bound and since % PATIENCE == 0
            matched = self.matching.matched
            self.climb(chosen)
            if self.score >= self.bound:
                self.bound = self.score
                return True
            if pruning:
                through = self.matching.through(values, total, matched)
                alive = through >= (self.score + 1) * SCALE
                if np.count_nonzero(alive) < len(alive):
                    if self._prune(alive):
                        return True
                    since = 0
                    continue
            since += 1
            self._shift(chosen, total)
        return False

    def pivot(self) -> int:
        """The candidate whose being in the map or not should tell most.

        Of those in the best assignment the one whose couplings are credited at one
        end only: there the bound is too high.
        """
        c = self.candidates
        values = self.relaxation.values(self.split)
        _, chosen = self.matching.best(values)
        doubt = np.zeros(len(c.gold))
        if len(self.split):
            torn = c.weight * np.abs(self.relaxation.imbalance(chosen))
            for ends in (c.first, c.second):
                doubt += np.bincount(ends, torn, len(c.gold))
        return int(chosen[np.lexsort((values[chosen], doubt[chosen]))[-1]])

    def _prune(self, alive: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> bool:
        """Drop candidates that no better map uses; true if none is left."""
        c = self.candidates
        self.split = self.split[alive[c.first] & alive[c.second]]
        self.candidates = c.keep(alive)
        if not len(self.candidates.gold):
            self.bound = self.score
            return True
        self._lay_out()
        return False

    def _shift(self, chosen: Integers, total: int) -> None:
        """Move worth between the ends of couplings: a step of Polyak's rule."""
        if not len(self.split):
            return
        imbalance = self.relaxation.imbalance(chosen)
        norm = int(np.count_nonzero(imbalance))
        if not norm:
            return
        gap = total - self.score * SCALE - SCALE // 2
        step = max(1, min(SCALE // 2, gap // norm))
        shifted = self.split - step * imbalance
        self.split = np.minimum(np.maximum(shifted, 0), self.relaxation.full)

    def try_hint(self) -> None:
        """Start once from the map that the problem's hint favours."""
        hint = self.search.problem.hint
        if hint is None or self.search.spent():
            return
        c = self.candidates
        favour = hint()[c.gold_objects[c.gold], c.system_objects[c.system]]
        if favour.any():
            _, chosen = self.matching.best(c.reward * SCALE + favour)
            self.search.steps += self.price
            self.climb(chosen)
