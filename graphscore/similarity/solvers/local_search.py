"""A choice among things of which some exclude one another: what searches share.

>>> import numpy as np
>>> clash = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
>>> choosing = Choosing([2, 3, 2], clash.__getitem__, 100)
>>> choosing.offer([1]), choosing.offer([0, 2]), choosing.earned
(True, True, 4)

Better choices, by exchanging what is chosen for what it excludes.

Tabu search (Glover 1989): the thing is taken in that earns most beyond what goes for
it, be that a loss, and what has gone may not come back at once.  Where nothing better
is met for a while, the things that were left out longest are forced in.  Nothing is
drawn at random, so that the same problem always goes the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Number, sum_exactly

Row = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

TABLE = 6_000
"""Things up to which exclusions are kept as a table: 36 MB of truth values."""

WORK = 4_000
"""Entries of a row that are looked at in about one step."""


class Places(NamedTuple):
    """Positions of pairs of members, which exclude each other apart from an order."""

    rows: Integers
    """Position of the gold member of each pair."""
    columns: Integers
    """Position of the system's."""
    single: tuple[bool, bool]
    """True if a gold member is in at most one pair; likewise a system member."""


class Choosing:
    """The best choice met, and the steps taken.

    Args:
        amounts: what each thing earns, positive.
        excludes: gives for a thing which others it excludes, shape (things,).
        limit: steps that may be taken.
        spent: whether to stop for another reason, such as the time.
    """

    def __init__(
        self,
        amounts: Sequence[Number],
        excludes: Callable[[int], Row],
        limit: int,
        spent: Callable[[], bool] = lambda: False,
    ) -> None:
        self.amounts, self.limit, self._spent = amounts, limit, spent
        self._excludes = excludes
        self._rows: dict[int, Row] = {}
        self.best: list[int] = []
        self.earned: Number = 0
        self.steps = 0
        self.price = 1 + len(amounts) // WORK
        """Cost of scanning one row."""

    @property
    def whole(self) -> bool:
        """True if all amounts, and so all sums, are whole numbers."""
        return all(isinstance(amount, int) for amount in self.amounts)

    def row(self, thing: int) -> Row:
        """Return the elements that an element excludes."""
        result = self._rows.get(thing)
        if result is None:
            result = self._excludes(thing)
            if len(self.amounts) <= TABLE:
                self._rows[thing] = result
        return result

    def ended(self, limit: int | None = None) -> bool:
        """Return true if the budget is used up, or the share of it up to *limit*."""
        most = self.limit if limit is None else min(limit, self.limit)
        return self.steps >= most or self._spent()

    def offer(self, chosen: Sequence[int]) -> bool:
        """Take a choice into account; whether it is better than the best so far."""
        earned = sum_exactly(self.amounts[k] for k in chosen)
        if earned <= self.earned:
            return False
        self.best, self.earned = [int(k) for k in chosen], earned
        return True


def bits(row: npt.NDArray[Any]) -> int:
    """A row of truth values as bits, the first the lowest.

    >>> bin(bits(np.array([True, False, True, True])))
    '0b1101'
    """
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")


TENURE = 7
"""Moves for which what has gone may not come back, at least."""

ROUNDED = 1e-9
"""Tolerance of sums of fractions."""

PATIENCE = 300
"""Moves without a better choice after which the search goes on from elsewhere."""


def exchange(search: Choosing, bound: Number, limit: int) -> None:
    """Improve the best choice of a search.

    Args:
        search: the search; its best choice is the beginning.
        bound: what no choice exceeds: meeting it ends the search.
        limit: steps of the search at which to end.
    """
    state = _State(search)
    quiet, kicks = 0, 0
    while search.earned < bound and not search.ended(limit):
        if state.inside.all():
            return  # Nothing excludes anything: there is no more to earn.
        if quiet < PATIENCE:
            state.move()
        else:
            quiet, kicks = 0, kicks + 1
            for _ in range(1 + kicks % 4):
                state.force()
        quiet = 0 if state.improved() else quiet + 1


class _State:
    """Current choice of the local search."""

    def __init__(self, search: Choosing) -> None:
        size = len(search.amounts)
        self.search = search
        kind = np.int64 if search.whole else np.float64
        self.weights = np.array(search.amounts, dtype=kind)
        self.inside = np.zeros(size, dtype=np.bool_)
        self.load = np.zeros(size, dtype=kind)
        """Sum of the chosen elements that exclude each element."""
        self.used = np.zeros(size, dtype=np.int64)
        """The last move that touched a thing."""
        self.until = np.zeros(size, dtype=np.int64)
        """The move until which a thing may not come back."""
        self.moves = 0
        for k in search.best:
            self._add(k)

    def move(self) -> None:
        """Take in what earns most beyond what goes for it."""
        gain = self.weights - self.load
        # What leads to a better choice than all so far may always come back.
        lacking = self.search.earned - self.weights[self.inside].sum()
        shut = self.inside | ((self.until > self.moves) & (gain <= lacking + ROUNDED))
        if shut.all():
            self.force()
            return
        gain = np.where(shut, -np.inf, gain)
        best: Integers = np.flatnonzero(gain == gain.max())
        self._take(int(best[np.argmin(self.used[best])]), len(best))

    def force(self) -> None:
        """Take in what has been left out longest."""
        outside = np.flatnonzero(~self.inside)
        if len(outside):
            self._take(int(outside[np.argmin(self.used[outside])]), 0)

    def improved(self) -> bool:
        """Return true if the current choice is the best so far."""
        earned = self.weights[self.inside].sum()
        if earned <= self.search.earned:
            return False
        return self.search.offer(np.flatnonzero(self.inside).tolist())

    def _take(self, thing: int, choices: int) -> None:
        self.moves += 1
        self.search.steps += self.search.price
        # As long as there is choice, spread by a number that looks like any.
        tenure = TENURE + self.moves * 7919 // 8 % (1 + min(choices, 20))
        for gone in np.flatnonzero(self.inside & self.search.row(thing)).tolist():
            self.inside[gone] = False
            self.load[self.search.row(gone)] -= self.weights[gone]
            self.until[gone] = self.moves + tenure
            self.used[gone] = self.moves
        self._add(thing)

    def _add(self, thing: int) -> None:
        self.inside[thing] = True
        self.load[self.search.row(thing)] += self.weights[thing]
        self.used[thing] = self.moves
