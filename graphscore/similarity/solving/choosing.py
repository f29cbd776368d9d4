"""A choice among things of which some exclude one another: what searches share.

>>> import numpy as np
>>> clash = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
>>> choosing = Choosing([2, 3, 2], clash.__getitem__, 100)
>>> choosing.offer([1]), choosing.offer([0, 2]), choosing.earned
(True, True, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Number, added

Row = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

TABLE = 6_000
"""Things up to which exclusions are kept as a table: 36 MB of truth values."""

WORK = 4_000
"""Entries of a row that are looked at in about one step."""


class Places(NamedTuple):
    """Where pairs of members stand: what excludes them apart from an order."""

    rows: Integers
    """Position of the gold member of each pair."""
    columns: Integers
    """Position of the system's."""
    single: tuple[bool, bool]
    """Whether a gold member, and one of the system, is in one pair at most."""


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
        """What it takes to look at one row."""

    @property
    def whole(self) -> bool:
        """Whether all amounts are whole numbers, and so are all sums."""
        return all(isinstance(each, int) for each in self.amounts)

    def row(self, thing: int) -> Row:
        """Which others a thing excludes."""
        found = self._rows.get(thing)
        if found is None:
            found = self._excludes(thing)
            if len(self.amounts) <= TABLE:
                self._rows[thing] = found
        return found

    def ended(self, limit: int | None = None) -> bool:
        """Whether the budget is used up, or as much of it as *limit* says."""
        most = self.limit if limit is None else min(limit, self.limit)
        return self.steps >= most or self._spent()

    def offer(self, chosen: Sequence[int]) -> bool:
        """Take a choice into account; whether it is better than the best so far."""
        earned = added(self.amounts[k] for k in chosen)
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
