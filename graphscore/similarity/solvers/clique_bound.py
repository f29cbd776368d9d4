"""A bound for choices among things that exclude one another, by cliques.

Of things that all exclude one another one is chosen at most.  Rows and columns of a
matching are such cliques, and alone they make an assignment problem; the others are
priced into it: each clique has a price, what it holds earns less by that, and any
prices give a bound, the sum of prices and of the best assignment by what is left.
Prices follow the assignments met, weighted towards the latest (the volume algorithm,
Barahona and Anbil 2000), and cliques are looked for where those assignments hold more
than one of a clique.  It is the linear relaxation with these cliques, approached from
above by steps that can end anywhere.

What no choice better than the best can hold is put aside on the way: its reduced cost
is more than the gap.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from graphscore.correspondence.candidates import Candidates, Grid
from graphscore.correspondence.problem import relaxation_steps
from graphscore.correspondence.relaxation import Assignment
from graphscore.similarity.base import Number
from graphscore.similarity.solvers.local_search import Choosing, Integers, Places

Amounts = npt.NDArray[np.float64]

DIGITS = 32
"""Bits of the greatest amount: all is counted in whole units, so that every bound is
true, and the same on every machine."""

EVERY = 10
"""Rounds between two searches for cliques."""

STARTS = 40
"""Things from which cliques are grown in one search."""

SUPPORT = 500
"""Things among which cliques are looked for, before others are added."""

ENTRIES = 2_000_000
"""Members of all cliques beyond which no more are looked for."""

DENSE = 1_000_000
"""Cells of an assignment table beyond which only one side's cliques are rows."""

LATEST = 0.05
"""Weight of the latest assignment against the mean of earlier ones."""

STALLED = 100
"""Rounds in which the gap must shrink by a fiftieth, or in the next ones."""


class _Inner(Protocol):
    """The problem that is left when cliques have prices."""

    def best(self, values: Integers) -> tuple[int, Integers]: ...

    def through(self, values: Integers, total: int) -> Integers: ...


class _Lone:
    """At most one of each group: one-sided matchings."""

    def __init__(self, groups: Integers) -> None:
        self.groups, self.size = groups, int(groups.max()) + 1

    def best(self, values: Integers) -> tuple[int, Integers]:
        """The largest total and what reaches it."""
        most = self._most(values)
        hits = np.flatnonzero((values == most[self.groups]) & (values > 0))
        _, first = np.unique(self.groups[hits], return_index=True)
        return int(most.sum()), hits[first]

    def through(self, values: Integers, total: int) -> Integers:
        """For each thing an upper bound on any total that includes it."""
        integers: Integers = total - self._most(values)[self.groups] + values
        return integers

    def _most(self, values: Integers) -> Integers:
        most = np.zeros(self.size, dtype=np.int64)
        np.maximum.at(most, self.groups, values)
        return most


class _Pairs:
    """One to one: the assignment that the search of correspondences uses."""

    def __init__(self, rows: Integers, columns: Integers) -> None:
        none = np.zeros(0, dtype=np.int64)
        size, width = int(rows.max()) + 1, int(columns.max()) + 1
        sides, grid = (np.arange(size), np.arange(width)), Grid.of([(size, width)])
        self.assignment = Assignment(
            Candidates(*sides, rows, columns, none, none, none, none, False, grid)
        )

    def best(self, values: Integers) -> tuple[int, Integers]:
        """The largest total and what reaches it."""
        [total], chosen = self.assignment.best(np.maximum(values, 0))
        return total, chosen

    def through(self, values: Integers, total: int) -> Integers:
        """For each thing an upper bound on any total that includes it."""
        return self.assignment.through(values, total)


class Cutting:
    """The bound, and what is left of the things.

    Args:
        search: the search, with its best choice.
        pairs: where things stand, if they are pairs of members.

    Attributes:
        bound: what no choice exceeds.
        alive: things without which no choice is better than the best of the search.
    """

    def __init__(self, search: Choosing, pairs: Places | None) -> None:
        self.search = search
        size = len(search.amounts)
        self.alive = np.ones(size, dtype=np.bool_)
        # A power of two, so that whole amounts stay exact.
        most = max(search.amounts)
        self.unit = 2.0 ** (math.frexp(most)[1] - DIGITS)
        self.amounts = np.array(
            [math.ceil(amount / self.unit) for amount in search.amounts], dtype=np.int64
        )
        self.inner, self.shape = _inner(pairs, size)
        self.cliques = _Cliques(search)
        self.least = int(self.amounts.sum())
        self.mean: Amounts = np.zeros(size)
        self.pace = 1.0
        self.rounds = 0

    @property
    def bound(self) -> Number:
        """Upper bound of all choices."""
        result = self.least * self.unit
        return max(
            self.search.earned,
            math.floor(result) if self.search.whole else result,
        )

    @property
    def closed(self) -> bool:
        """True if the best choice of the search is optimal."""
        return self.bound <= self.search.earned or not self.alive.any()

    def run(self, limit: int, patience: int = 1) -> None:
        """Tighten the bound until it closes or stalls.

        Args:
            limit: steps of the search at which to end.
            patience: how often in succession it may stall: prices take a while to
                settle.
        """
        gap, quiet, idle = self._gap(), 0, 0
        while not self.closed and not self.search.ended(limit):
            if self.rounds % EVERY == 0 and len(self.cliques.member) < ENTRIES:
                self.cliques.look(self.mean, self.alive, self.rounds)
                self.pace = max(self.pace, 0.02)
            before = self.least
            self._round()
            if before - self.least > self.amounts.max() // 100:
                quiet, self.pace = 0, min(2.0, self.pace * 1.2)
            else:
                quiet += 1
            if quiet > EVERY:
                quiet, self.pace = 0, self.pace * 0.66
            if self.rounds % STALLED == 0:
                idle = idle + 1 if self._gap() > gap * 0.98 else 0
                if idle > patience:
                    break
                gap = self._gap()

    def _gap(self) -> float:
        return self.least - float(self.search.earned) / self.unit

    def _round(self) -> None:
        """One assignment under new prices."""
        cliques = self.cliques
        entries = len(cliques.member)
        self.search.steps += relaxation_steps(entries // 10, *self.shape)
        prices = cliques.prices
        values = self.amounts - cliques.charge(prices)
        values[~self.alive] = -1
        total, chosen = self.inner.best(values)
        worth = total + int(prices.sum())
        if worth < self.least or not self.rounds:
            self.least = min(self.least, worth)
            cliques.kept = prices
            self._put_aside(values, total, worth)
        used = np.zeros(len(self.amounts))
        used[chosen] = 1
        share = LATEST if self.rounds else 1.0
        self.mean += share * (used - self.mean)
        self.rounds += 1
        # Cliques that hold more than one become dearer, the others cheaper.
        excess = cliques.count_held(self.mean) - 1
        excess[(cliques.kept <= 0) & (excess < 0)] = 0
        norm = float(excess @ excess)
        if norm > 0:
            length = self.pace * (self._gap() + self.amounts.max()) / norm
            moved = cliques.kept + np.rint(length * excess).astype(np.int64)
            cliques.prices = np.maximum(moved, 0)

    def _put_aside(self, values: Integers, total: int, worth: int) -> None:
        """Leave out what cannot be in a better choice."""
        through = self.inner.through(values, total) + (worth - total)
        search = self.search
        if search.whole:
            # A better choice earns one more at least.
            least = math.ceil((search.earned + 1) / self.unit)
        else:
            least = math.floor(search.earned / self.unit) + 1
        self.alive &= through >= least


class _Cliques:
    """Things that all exclude one another, with prices."""

    def __init__(self, search: Choosing) -> None:
        self.search = search
        self.member: Integers = np.zeros(0, dtype=np.int64)
        """The members of all cliques, one after the other."""
        self.owner: Integers = np.zeros(0, dtype=np.int64)
        """The clique of each member."""
        self.prices: Integers = np.zeros(0, dtype=np.int64)
        self.kept: Integers = self.prices
        """The prices of the best bound."""
        self.known: set[tuple[int, ...]] = set()

    def charge(self, prices: Integers) -> Integers:
        """Return the price of each element, summed over its cliques."""
        size = len(self.search.amounts)
        # Sums of whole numbers below 2 ** 53: exact.
        result = np.bincount(self.member, prices[self.owner], size)
        return result.astype(np.int64)

    def count_held(self, mean: Amounts) -> Amounts:
        """Return the mean number of chosen elements of each clique."""
        result = np.bincount(self.owner, mean[self.member], len(self.prices))
        return result.astype(np.float64)

    def look(self, mean: Amounts, alive: npt.NDArray[np.bool_], turn: int) -> None:
        """Add cliques of which more than one is chosen on the mean.

        Args:
            mean: how much of each thing is chosen.
            alive: things that count.
            turn: number of the round.
        """
        support = np.flatnonzero((mean > 0.02) & alive)
        support = support[np.argsort(-mean[support], kind="stable")][:SUPPORT]
        if not len(support):
            return
        rows = np.array([self.search.row(k)[support] for k in support.tolist()])
        share = mean[support]
        cliques: list[tuple[int, ...]] = []
        for start in range(min(STARTS, len(support))):
            if self.search.ended():
                break
            self.search.steps += 1 + len(mean) // 1000
            clique, total, left = [start], share[start], rows[start].copy()
            while left.any():
                best = int(np.where(left, share, -1.0).argmax())
                clique.append(best)
                total += share[best]
                left &= rows[best]
            if total > 1.05:
                members = self._grown(support[clique].tolist(), alive)
                if members not in self.known:
                    self.known.add(members)
                    cliques.append(members)
        if cliques:
            self._add(cliques)

    def _grown(
        self, clique: list[int], alive: npt.NDArray[np.bool_]
    ) -> tuple[int, ...]:
        """A clique with all that fits, first what excludes most."""
        left = alive.copy()
        for k in clique:
            left &= self.search.row(k)
        order = self._degrees()
        while left.any():
            best = int(np.where(left, order, -1).argmax())
            clique.append(best)
            left &= self.search.row(best)
        return tuple(sorted(clique))

    def _degrees(self) -> Integers:
        """Count the elements that each element excludes."""
        if not hasattr(self, "_counted"):
            size = len(self.search.amounts)
            self.search.steps += self.search.price * size // 10
            self._counted: Integers = np.array(
                [self.search.row(k).sum() for k in range(size)], dtype=np.int64
            )
        return self._counted

    def _add(self, cliques: list[tuple[int, ...]]) -> None:
        first = len(self.prices)
        sizes = [len(clique) for clique in cliques]
        owners = np.repeat(np.arange(first, first + len(cliques)), sizes)
        self.member = np.concatenate((self.member, np.concatenate(cliques)))
        self.owner = np.concatenate((self.owner, owners))
        free = np.zeros(len(cliques), dtype=np.int64)
        self.prices = np.concatenate((self.prices, free))
        self.kept = np.concatenate((self.kept, free))


class _Shape(NamedTuple):
    rows: int
    columns: int


def _inner(pairs: Places | None, size: int) -> tuple[_Inner, _Shape]:
    """Return a problem without its cliques, and its size."""
    if pairs is None or not any(pairs.single):
        return _Lone(np.arange(size)), _Shape(1, 1)
    rows, columns = (
        np.unique(positions, return_inverse=True)[1].astype(np.int64)
        for positions in pairs[:2]
    )
    shape = _Shape(int(rows.max()) + 1, int(columns.max()) + 1)
    if all(pairs.single) and shape.rows * shape.columns <= DENSE:
        return _Pairs(rows, columns), shape
    return _Lone(rows if pairs.single[0] else columns), _Shape(1, 1)
