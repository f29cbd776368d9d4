"""The search on sets of candidates: bound, incumbent, prune, shift the split.

The package's text explains the method.  A :class:`Search` counts the steps that
are spent and remembers which of the equally good maps it met is preferred;
:class:`Tightening` works on one set of candidates, or on those of many problems in
step.  What becomes of one of them does not depend on the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graphscore.correspondence.candidates import Candidates, Cells
from graphscore.correspondence.problem import (
    SCALE,
    Booleans,
    Budget,
    Integers,
    Preference,
    Problem,
    relaxation_steps,
)
from graphscore.correspondence.relaxation import Assignment, Chain, Matched, Relaxation

UNPROMISING = 2
"""Distance below the best mapping within which local search still starts."""

PATIENCE = 4
"""Relaxations between two attempts to prune."""


FAR = 1 << 62
"""Further below nothing is."""

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

    def spent(self, limit: int | None = None) -> bool:
        """Return true if the budget is used up.

        Args:
            limit: steps at which it is, if before the search's own limit.
        """
        return (
            self.steps >= self.limit
            or (limit is not None and self.steps >= limit)
            or (self.deadline is not None and time.monotonic() >= self.deadline)
        )

    def spender(self, limit: int) -> Callable[[int], bool]:
        """Return a function that spends steps and returns true while any are left.

        Args:
            limit: steps at which to stop, if before the search's own limit.
        """

        def spend(steps: int) -> bool:
            self.steps += steps
            return not self.spent(limit)

        return spend

    def preferred(self, maps: Iterable[Cells]) -> Cells:
        """Return the preferred one of several mappings of equal weight.

        More of the most important preference first, then of the next...; at
        last the map whose list of pairs is smallest.
        """
        rivals = sorted(set(maps))
        for part in self.problem.preferences:
            if len(rivals) < 2:
                break
            earned = [self._earned(part, cells) for cells in rivals]
            most = max(earned)
            rivals = [
                cells
                for cells, amount in zip(rivals, earned, strict=True)
                if amount == most
            ]
        return rivals[0] if rivals else ()

    def _earned(self, part: Preference, cells: Cells) -> int:
        """Return the weight of a mapping for one preference."""
        gold, system = np.array(cells, dtype=np.int64).reshape(-1, 2).T
        earned = int(part.reward[gold, system].sum())
        if part.weight.any():
            target = np.full(self.problem.shape[0], -1, dtype=np.int64)
            target[gold] = system
            links = self.problem.links
            matched = (target[links.gold_source] == links.system_source) & (
                target[links.gold_target] == links.system_target
            )
            earned += int(part.weight[matched].sum())
        return earned


class Progress:
    """What is known of one set of candidates.

    Args:
        search: the search it belongs to.
        price: steps of one relaxation.
        bound: no map earns more.
    """

    __slots__ = ("bound", "price", "rounds", "score", "search", "since", "tied")

    def __init__(self, search: Search, price: int, bound: int) -> None:
        self.search, self.price, self.bound = search, price, bound
        self.score = self.rounds = 0
        self.since = 0
        """Relaxations since the last one that pruned."""
        self.tied: list[tuple[Candidates, Integers]] = []
        """The best maps met, each by its candidates among those of its time."""

    @property
    def cells(self) -> Cells:
        """Preferred one of the best mappings found so far."""
        return self.search.preferred(self.maps)

    @property
    def maps(self) -> list[Cells]:
        """Best mappings found so far."""
        return [candidates.cells(chosen) for candidates, chosen in self.tied]

    def closed(self, plain: str) -> SearchOutcome:
        """The outcome so far.

        Args:
            plain: name of the relaxation.
        """
        method = "open"
        if self.bound == self.score:
            method = plain if self.rounds <= 1 else "tightened"
        return SearchOutcome(self.score, self.cells, self.bound, method)


class Tightening:
    """Bounds and incumbents of shrinking sets of candidates.

    Args:
        candidates: what may be mapped, of one problem or of many.
        searches: the search that each belongs to.

    Attributes:
        parts: what is known of each.
    """

    def __init__(self, candidates: Candidates, *searches: Search) -> None:
        self.candidates = c = candidates
        self._lay_out()
        size = len(searches)
        couplings = np.bincount(self._of_coupling, minlength=size).tolist()
        bounds = np.bincount(self._of, c.reward, size)
        bounds += np.bincount(self._of_coupling, c.weight, size)
        # Pruning makes it cheaper, but what it costs must not depend on how it went.
        self.parts = [
            Progress(search, relaxation_steps(couplings[k], *c.grid.shapes[k]), bound)
            for k, (search, bound) in enumerate(
                zip(searches, bounds.astype(np.int64).tolist(), strict=True)
            )
        ]
        self.split: Integers = self.relaxation.full >> 1

    def _lay_out(self) -> None:
        c = self.candidates
        self.relaxation = Relaxation(c)
        self.matching = Chain(c) if c.ordered else Assignment(c)
        # The problem of each candidate and coupling.
        self._of = c.grid.problem[c.gold]
        self._of_coupling = self._of[c.first]

    @property
    def only(self) -> Progress:
        """What is known, where there is one set of candidates."""
        [part] = self.parts
        return part

    def alone(self, number: int) -> Tightening:
        """One of the sets of candidates by itself.

        Args:
            number: of the set.
        """
        if len(self.parts) == 1:
            return self
        own = Tightening(self.candidates.alone(number), self.parts[number].search)
        own.parts = [self.parts[number]]
        own.split = self.split[self._of_coupling == number]
        return own

    def closed(self) -> SearchOutcome:
        """The outcome so far, where there is one set of candidates."""
        return self.only.closed(self.matching.name)

    def offer(
        self, chosen: Integers, numbers: Sequence[int] = (0,)
    ) -> tuple[list[int], Beside]:
        """Take maps into account.

        Args:
            chosen: their candidates, in order.
            numbers: the sets that they are of.

        Returns:
            What each earns, by number of the set, and what works out what each
            candidate would earn beside it.
        """
        c, size = self.candidates, len(self.parts)
        selected = np.zeros(len(c.gold), dtype=np.bool_)
        selected[chosen] = True
        first, second = selected[c.first], selected[c.second]
        both = first & second
        of = self._of[chosen]
        earned = np.bincount(of, c.reward[chosen], size)
        earned += np.bincount(self._of_coupling[both], c.weight[both], size)
        scores = earned.astype(np.int64).tolist()
        ends = of.searchsorted(np.arange(size + 1)).tolist()
        for number in numbers:
            part, score = self.parts[number], scores[number]
            if score < part.score or not score:
                continue
            own = c, chosen[ends[number] : ends[number + 1]]
            if score > part.score:
                part.score, part.tied = score, [own]
            else:
                part.tied.append(own)

        def beside() -> Integers:
            count = len(c.gold)
            left = np.bincount(c.first[second], c.weight[second], count)
            right = np.bincount(c.second[first], c.weight[first], count)
            return c.reward + (left + right).astype(np.int64)

        return scores, beside

    def climb(self, chosen: Integers, numbers: Sequence[int] = (0,)) -> None:
        """Re-linearise around maps and match again, for as long as it pays.

        Args:
            chosen: their candidates, in order.
            numbers: the sets that they are of.
        """
        parts = self.parts
        scores, beside = self.offer(chosen, numbers)
        # A map far below the best one met hardly ever climbs past it.
        while numbers := [
            k
            for k in numbers
            if parts[k].bound > scores[k] >= parts[k].score - UNPROMISING
        ]:
            _, chosen = self.matching.best(beside() * SCALE, numbers)
            for k in numbers:
                parts[k].search.steps += parts[k].price
            before = scores
            scores, beside = self.offer(chosen, numbers)
            numbers = [k for k in numbers if scores[k] > before[k]]

    def run(self, rounds: int, limit: int | None = None) -> bool:
        """Relax, climb, prune and shift until closed.

        Args:
            rounds: how many relaxations at most.
            limit: steps of a search at which to stop, if before its own limit.

        Returns:
            Whether bound and incumbent met, of all sets.
        """
        left = [k for k, part in enumerate(self.parts) if part.bound]
        for _ in range(rounds):
            left = [k for k in left if not self.parts[k].search.spent(limit)]
            if not left:
                break
            left = self._round(left)
        return all(part.score >= part.bound for part in self.parts)

    def _round(self, numbers: Sequence[int]) -> list[int]:
        """Relax some sets once, and return those that are not closed by that."""
        parts = self.parts
        values = self.relaxation.values(self.split)
        amounts, chosen = self.matching.best(values, numbers)
        matched = self.matching.matched
        totals = dict(zip(numbers, amounts, strict=True))
        pruning = []
        for k, total in totals.items():
            part = parts[k]
            part.rounds += 1
            part.search.steps += part.price
            part.bound = min(part.bound, total // SCALE)
            if part.score < part.bound and part.since % PATIENCE == 0:
                pruning.append(k)
        self.climb(chosen, numbers)
        left = []
        for k in numbers:
            if parts[k].score < parts[k].bound:
                left.append(k)
            else:
                parts[k].bound = parts[k].score
        pruning = [k for k in pruning if parts[k].score < parts[k].bound]
        pruned: set[int] = set()
        if pruning:
            alive, pruned = self._alive(values, totals, matched, pruning)
        shifting = [k for k in left if k not in pruned]
        self._shift(chosen, totals, shifting)
        for k in shifting:
            parts[k].since += 1
        if pruned:
            self._prune(alive)
        return [k for k in left if parts[k].score < parts[k].bound]

    def _alive(
        self,
        values: Integers,
        totals: Mapping[int, int],
        matched: Matched,
        pruning: Sequence[int],
    ) -> tuple[Booleans, set[int]]:
        """Find candidates that no better map of their set uses.

        Args:
            values: of the candidates.
            totals: by these, of the sets that were matched.
            matched: of these matchings.
            pruning: sets that are looked at.

        Returns:
            The candidates that stay, and the sets that lose some.  Sets that lose all
            are closed.
        """
        parts, of, size = self.parts, self._of, len(self.parts)
        total = np.zeros(size, dtype=np.int64)
        total[[*totals]] = [*totals.values()]
        # Of the others all stay.
        least = np.full(size, -FAR)
        least[pruning] = [(parts[k].score + 1) * SCALE for k in pruning]
        through = self.matching.through(values, total[of], matched)
        alive = through >= least[of]
        counts = np.bincount(of, minlength=size).tolist()
        kept = np.bincount(of[alive], minlength=size).tolist()
        pruned = {k for k in pruning if kept[k] < counts[k]}
        for k in pruned:
            parts[k].since = 0
            if not kept[k]:
                parts[k].bound = parts[k].score
        return alive, pruned

    def _prune(self, alive: Booleans) -> None:
        """Drop candidates, and all those of sets that are closed."""
        c = self.candidates
        open_sets = [part.score < part.bound for part in self.parts]
        alive &= np.array(open_sets)[self._of]
        self.split = self.split[alive[c.first] & alive[c.second]]
        self.candidates = c.keep(alive)
        if len(self.candidates.gold):
            self._lay_out()

    def _shift(
        self, chosen: Integers, totals: Mapping[int, int], numbers: Sequence[int]
    ) -> None:
        """Move worth between the ends of couplings: a step of Polyak's rule."""
        if not (numbers and len(self.split)):
            return
        imbalance = self.relaxation.imbalance(chosen)
        of, size = self._of_coupling, len(self.parts)
        norms = np.bincount(of[imbalance != 0], minlength=size).tolist()
        steps = np.zeros(size, dtype=np.int64)
        for k in numbers:
            if norms[k]:
                gap = totals[k] - self.parts[k].score * SCALE - SCALE // 2
                steps[k] = max(1, min(SCALE // 2, gap // norms[k]))
        shifted = self.split - steps[of] * imbalance
        self.split = np.minimum(np.maximum(shifted, 0), self.relaxation.full)

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

    def try_hint(self) -> None:
        """Start once from the map that the hint of the only problem favours."""
        search = self.only.search
        hint = search.problem.hint
        if hint is None or search.spent():
            return
        c = self.candidates
        favour = hint()[c.gold_objects[c.gold], c.system_objects[c.system]]
        if favour.any():
            _, chosen = self.matching.best(c.reward * SCALE + favour)
            search.steps += self.only.price
            self.climb(chosen)
