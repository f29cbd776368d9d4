"""The least bound that sharing out couplings gives, where a few rounds do not reach it.

Every coupling lies in four of the groups of which a map uses at most one coupling: at
either end, those that lead to the same gold object and those that lead to the same
system object.  Each group gets a *price*; the four prices of a coupling add up to at
least its weight.  Then no map earns more from a candidate than its reward and the
prices of its groups, and the best assignment by these values is a bound.  The least
bound of all prices is the optimum of a linear program, in which candidates and
couplings may be chosen in part, a coupling at most as far as those it belongs to.

Both sides of that program are approached together, in steps of a length for each row
and column (Chambolle and Pock 2011, "A first-order primal-dual algorithm for convex
problems with applications to imaging"; Pock and Chambolle 2011, "Diagonal
preconditioning for first order primal-dual algorithms in convex optimization").  Before
prices give a bound they are rounded, and what four of them lack is shared out: it is
true after any number of rounds.  No sum depends on the order of a machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.correspondence.candidates import Candidates
from graphscore.correspondence.problem import SCALE, Booleans, Integers

Floats = npt.NDArray[np.float64]

AT_ONCE = 2_000
"""Couplings whose prices are moved in one step of the budget."""

MANY = 20_000
"""Couplings above which as many take two steps: no cache holds them."""


class Prices(NamedTuple):
    """The prices of one set of candidates, and the choice in part that they lead to."""

    candidates: Candidates
    groups: Integers
    """The four groups of each coupling, shape (4, couplings)."""
    owner: Integers
    """The candidate of each group."""
    price: Floats
    """The price of each group."""
    gold: Floats
    """The price of each gold object."""
    system: Floats
    """The price of each system object."""
    chosen: Floats
    """How far each candidate is chosen, from 0 to 1."""
    coupled: Floats
    """How far each coupling is."""

    @classmethod
    def of(cls, candidates: Candidates) -> Prices:
        """Prices to start from: a fourth of its weight for each coupling's groups."""
        c = candidates
        owner = np.concatenate((c.first, c.second))
        partner = np.concatenate((c.second, c.first))
        groups, owners, count = [], [], 0
        for objects, extent in ((c.gold, c.rows), (c.system, c.columns)):
            keys, numbers = np.unique(
                owner * extent + objects[partner], return_inverse=True
            )
            groups.append(numbers.reshape(2, -1) + count)
            owners.append(keys // extent)
            count += len(keys)
        return cls(
            c,
            np.concatenate(groups),
            np.concatenate(owners),
            np.full(count, c.weight.max(initial=0) / 4),
            np.zeros(c.rows),
            np.zeros(c.columns),
            np.full(len(c.gold), 1 / max(c.rows, c.columns, 1)),
            np.zeros(len(c.weight)),
        )

    @property
    def cost(self) -> int:
        """Number of steps that one round takes."""
        count = len(self.coupled)
        return 1 + (count + max(0, count - MANY)) // AT_ONCE

    def keep(self, candidates: Candidates, alive: Booleans) -> Prices:
        """The prices of those candidates that are left.

        Args:
            candidates: what is left, numbered as by ``Candidates.keep``.
            alive: which of the present ones these are.
        """
        live = alive[self.candidates.first] & alive[self.candidates.second]
        groups = self.groups.compress(live, axis=1)
        used = np.zeros(len(self.owner), dtype=np.bool_)
        used[groups] = True
        return self._replace(
            candidates=candidates,
            groups=(np.cumsum(used) - 1)[groups],
            owner=(np.cumsum(alive) - 1)[self.owner[used]],
            price=self.price[used],
            chosen=self.chosen[alive],
            coupled=self.coupled[live],
        )

    def improved(self, rounds: int) -> Prices:
        """The prices after some more rounds.

        Args:
            rounds: how many.
        """
        c, groups, owner = self.candidates, self.groups, self.owner
        size, count = len(c.gold), len(owner)
        joined = groups.ravel()
        # A step is as long as the entries of its row or column allow; prices are
        # measured by the greatest weight, choices by 1.
        unit = float(c.weight.max(initial=1))
        choosing = 1 / (np.bincount(owner, minlength=size) + 2) / unit
        coupling = 1 / 4 / unit
        pricing = unit / (np.bincount(joined, minlength=count) + 1)
        rows = unit / np.maximum(np.bincount(c.gold, minlength=c.rows), 1)
        columns = unit / np.maximum(np.bincount(c.system, minlength=c.columns), 1)
        _, _, _, price, gold, system, chosen, coupled = self
        for _ in range(rounds):
            gain = c.reward + np.bincount(owner, price, size) - gold[c.gold]
            gain -= system[c.system]
            before = chosen
            chosen = np.minimum(np.maximum(before + choosing * gain, 0), 1)
            ahead = 2 * chosen - before
            before = coupled
            lacking = c.weight - price.take(groups).sum(axis=0)
            coupled = np.maximum(before + coupling * lacking, 0)
            together = np.concatenate([2 * coupled - before] * 4)
            excess = np.bincount(joined, together, count) - ahead[owner]
            price = np.maximum(price + pricing * excess, 0)
            above = np.bincount(c.gold, ahead, c.rows) - 1
            gold = np.maximum(gold + rows * above, 0)
            above = np.bincount(c.system, ahead, c.columns) - 1
            system = np.maximum(system + columns * above, 0)
        return self._replace(
            price=price, gold=gold, system=system, chosen=chosen, coupled=coupled
        )

    def values(self) -> Integers:
        """Reward and prices of every candidate, in units of ``1 / SCALE``."""
        c = self.candidates
        price = np.rint(self.price * SCALE).astype(np.int64)[self.groups]
        lacking = c.weight * SCALE - price.sum(axis=0)
        price += lacking // 4
        price[0] += lacking % 4
        best = np.zeros(len(self.owner), dtype=np.int64)
        np.maximum.at(best, self.groups, price)
        values: Integers = c.reward * SCALE
        return values + np.bincount(self.owner, best, len(c.gold)).astype(np.int64)
