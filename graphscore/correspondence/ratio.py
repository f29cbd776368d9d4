"""One-to-one pairs whose F1 is best, of all there are the first in order.

F1 is no sum of what pairs earn: recall and precision count each in its own way, and are
divided by different sizes.  So pairs are tried column by column, each row in turn and
none last, and a branch is left as soon as no assignment of what is left can make its F1
better.

>>> amounts = {(0, 0): (1, 1), (1, 0): (2, 2), (1, 1): (1, 1)}
>>> best_ratio(amounts, (2, 2), (4, 4), 100).pairs
[(0, 0), (1, 1)]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphscore.correspondence.scipy_assignment import linear_sum_assignment

Number = int | float
Cell = tuple[int, int]


class Pairs(NamedTuple):
    """The pairs, and how they were found."""

    pairs: list[Cell]
    """Rows and columns, sorted."""
    steps: int
    """Number of branches explored."""
    proven: bool
    """True if no other choice has a better F1."""


def best_ratio(
    amounts: dict[Cell, tuple[Number, Number]],
    shape: tuple[int, int],
    sizes: tuple[Number, Number],
    limit: int,
) -> Pairs:
    """Return the pairs with the best F1.

    Args:
        amounts: what recall and precision count of each pair; others earn nothing.
        shape: how many rows and columns there are.
        sizes: what recall and precision are divided by.
        limit: how many branches may be looked at.
    """
    search = _Search(amounts, shape, sizes, limit)
    return Pairs(search.best(), search.steps, search.proven)


class _Search:
    """Column by column, the branches in order.

    Args:
        amounts: what recall and precision count of each pair.
        shape: how many rows and columns there are.
        sizes: what they are worth.
        limit: how many branches may be looked at.
    """

    def __init__(
        self,
        amounts: dict[Cell, tuple[Number, Number]],
        shape: tuple[int, int],
        sizes: tuple[Number, Number],
        limit: int,
    ) -> None:
        self.amounts, self.shape, self.sizes, self.limit = amounts, shape, sizes, limit
        self.steps, self.proven = 0, True
        self.most: tuple[Number, Number] = (0, 0)
        self.chosen: list[Cell] = []
        self._tables = np.zeros((2, *shape))
        for (r, c), (recall, precision) in amounts.items():
            self._tables[:, r, c] = recall, precision

    def best(self) -> list[Cell]:
        """The pairs of the best alignment."""
        rows = {r for r, _ in self.amounts}
        if len(rows) == len(self.amounts) == len({c for _, c in self.amounts}):
            return sorted(self.amounts)
        self._branch(0, set(), [], (0, 0))
        return sorted(self.chosen)

    def _branch(
        self,
        column: int,
        taken: set[int],
        pairs: list[Cell],
        earned: tuple[Number, Number],
    ) -> None:
        """Try every row for the columns from one on."""
        if column == self.shape[1]:
            if self._improves(earned):
                self.most, self.chosen = earned, list(pairs)
            return
        self.steps += 1
        if self.steps > self.limit:
            self.proven = False
            return
        if not self._improves(self._upper_bound(column, taken, earned)):
            return
        for row in range(self.shape[0]):
            if row in taken:
                continue
            # A partner that earns nothing is as good as none, but stands before it.
            more = self.amounts.get((row, column), (0, 0))
            both = earned[0] + more[0], earned[1] + more[1]
            taken.add(row)
            if more[0]:
                pairs.append((row, column))
            self._branch(column + 1, taken, pairs, both)
            if more[0]:
                pairs.pop()
            taken.remove(row)
        self._branch(column + 1, taken, pairs, earned)

    def _upper_bound(
        self, column: int, taken: set[int], earned: tuple[Number, Number]
    ) -> tuple[Number, Number]:
        """More than this no alignment can earn that begins so."""
        rows = [row for row in range(self.shape[0]) if row not in taken]
        left = self._tables[:, rows, column:]
        most = [
            int(table[linear_sum_assignment(table, maximize=True)].sum())
            for table in left
        ]
        return earned[0] + most[0], earned[1] + most[1]

    def _improves(self, earned: tuple[Number, Number]) -> bool:
        """Return true if amounts improve the best F1 so far, in exact arithmetic."""
        (gold, system), (recall, precision) = self.sizes, earned
        other_recall, other_precision = self.most
        # 1 / F1 is (gold / recall + system / precision) / 2.
        left = recall * precision
        if not left:
            return False
        right = other_recall * other_precision
        if not right:
            return True
        below = gold * precision + system * recall
        other_below = gold * other_precision + system * other_recall
        return left * other_below > right * below
