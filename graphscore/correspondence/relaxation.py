"""Upper bounds: share out the couplings, then match without them.

Every coupling's weight is split between its two ends.  Under any map a
candidate earns, from its share of the couplings, at most one for each gold
object at the other end and at most one for each system object at the other end;
the smaller of the two sums is its *credit*.  Reward plus credit is a value per
candidate, and the best map by these values alone, found in polynomial time,
bounds the true optimum for every way of splitting.

All arithmetic is in integers, in units of ``1 / SCALE`` of a tuple, so that
sums do not depend on their order and the bound may be rounded down safely.
"""

from __future__ import annotations

import numpy as np

from graphscore.correspondence.candidates import Candidates, changes
from graphscore.correspondence.problem import ASSIGNMENT, CHAIN, SCALE, Integers
from graphscore.correspondence.scipy_assignment import linear_sum_assignment


class Relaxation:
    """The bound of one set of candidates, for any split.

    Half ``k < couplings`` is the first end of coupling ``k``, half ``couplings + k``
    its second end.  A *group* holds the halves of one candidate that exclude each
    other: same object at the other end, on one side.  Groups by gold objects come
    first, then those by system objects, in which the halves stand once more; all
    are worked out together, since what is small takes as long as its calls.

    Args:
        candidates: live candidates with their couplings.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = c = candidates
        self.base = c.reward * SCALE
        self.full = c.weight * SCALE
        owner = np.concatenate((c.first, c.second, c.first, c.second))
        halves = owner.size // 2
        owner[halves:] += len(c.gold)
        partner = np.concatenate((c.second, c.first))
        ends = np.concatenate((c.gold[partner], c.system[partner]))
        key = owner * max(c.rows, c.columns) + ends
        order = key.argsort(kind="stable")
        # In the order of the groups: where one begins, and the halves.
        self._fresh = changes(key[order])
        self._starts = self._fresh.nonzero()[0]
        # The candidate of each group, in groups by system objects one round later.
        self._owner = owner[order[self._starts]]
        order[halves:] -= halves
        self._half = order

    def values(self, split: Integers) -> Integers:
        """Reward plus credit of every candidate.

        Args:
            split: for each coupling the units credited to its first end, from 0
                to ``SCALE * weight``; the second end gets the rest.
        """
        count = len(self.candidates.gold)
        if not len(split):
            self._side = np.zeros(count, dtype=np.bool_)
            return self.base
        self._amounts = np.concatenate((split, self.full - split))[self._half]
        self._best = np.maximum.reduceat(self._amounts, self._starts)
        credits = np.bincount(self._owner, self._best, 2 * count)
        gold, system = credits[:count], credits[count:]
        self._side = gold <= system
        credit: Integers = np.minimum(gold, system).astype(np.int64)
        return self.base + credit

    def imbalance(self, chosen: Integers) -> Integers:
        """Return the imbalance of a mapping at each coupling, after :meth:`values`.

        Args:
            chosen: the candidates of the map.

        Returns:
            For each coupling 1 where only its first end is credited, -1 where
            only its second, else 0: a subgradient of the bound by ``split``.
        """
        count = len(self.candidates.weight)
        used = np.zeros(2 * count, dtype=np.int64)
        selected = np.zeros(len(self.candidates.gold), dtype=np.bool_)
        selected[chosen] = True
        on_side = np.concatenate((selected & self._side, selected & ~self._side))
        number = self._fresh.cumsum() - 1
        credited = on_side[self._owner] & (self._best > 0)
        best = np.where(credited, self._best, -1)
        hits = (self._amounts == best[number]).nonzero()[0]
        used[self._half[hits[changes(number[hits])]]] = 1
        return used[:count] - used[count:]


def assign(table: Integers) -> Integers:
    """A best one-to-one map by the values of a table.

    Kuhn (1955); solved by the shortest augmenting paths of Crouse (2016), as
    scipy implements them.

    Args:
        table: values, shape (rows, columns).

    Returns:
        For each row its column, or -1.
    """
    rows, columns = linear_sum_assignment(table, maximize=True)
    target = np.full(len(table), -1, dtype=np.int64)
    target[rows] = columns
    return target


def chain_in_order(table: Integers) -> Integers:
    """A best map that preserves the order of both sides, as :func:`assign`."""
    rows, columns = table.shape
    before = np.zeros((rows + 1, columns + 1), dtype=table.dtype)
    _fill(table, before)
    return _trace_back(before)


Matched = tuple[Integers, Integers, Integers]
"""State of a matching on its last table, used to bound other mappings."""


class _Matching:
    """The table in which maps are matched by candidate values.

    Attributes:
        matched: what the last matching leaves for :meth:`through`.
    """

    matched: Matched

    def __init__(self, candidates: Candidates) -> None:
        self.gold, self.system = candidates.gold, candidates.system
        self.shape = rows, columns = candidates.rows, candidates.columns
        self.cell = self.gold * columns + self.system
        # Nobody asks for what is at the other places.
        self.index = np.empty(rows * columns, dtype=np.int64)
        self.index[self.cell] = np.arange(len(self.gold))

    def table(self, values: Integers) -> Integers:
        """Values at the places of their candidates, 0 elsewhere."""
        table = np.zeros(len(self.index), dtype=np.int64)
        table[self.cell] = values
        return table.reshape(self.shape)


class Assignment(_Matching):
    """Best one-to-one map by candidate values: the linear assignment problem."""

    name = ASSIGNMENT

    def best(self, values: Integers) -> tuple[int, Integers]:
        """The largest total and the candidates that reach it."""
        table = self.table(values)
        rows, columns = linear_sum_assignment(table, maximize=True)
        cells = rows * self.shape[1] + columns
        worth = table.ravel()[cells]
        self.matched = table, rows, columns
        return int(worth.sum()), self.index[cells[worth > 0]]

    def through(
        self, values: Integers, total: int, matched: Matched | None = None
    ) -> Integers:
        """For each candidate an upper bound on any total that includes it.

        Follows from the least dual potentials: ``v`` is the fixed point of
        ``v_j = max_i (v_σ(i) + U[i, j] - U[i, σ(i)])``, started at 0.
        """
        table, mapped, partners = matched or self.matched
        rows, columns = self.shape
        potential = np.zeros(columns, dtype=np.int64)
        own = np.zeros(rows, dtype=np.int64)
        own[mapped] = table[mapped, partners]
        spurious = table - own[:, None]
        offset = np.zeros(rows, dtype=np.int64)
        while True:
            offset[mapped] = potential[partners]
            fresh = np.maximum.reduce(spurious + offset[:, None], axis=0, initial=0)
            if not np.count_nonzero(fresh != potential):
                break
            potential = fresh
        row_potential = own.copy()
        row_potential[mapped] -= potential[partners]
        reduced = row_potential[self.gold] + potential[self.system] - values
        return total - reduced


class Chain(_Matching):
    """Best order-preserving map by candidate values: a weighted common subsequence.

    The tables are filled row by row; ``before[i, j]`` is the best total of the
    first ``i`` gold and ``j`` system objects, ``after[i, j]`` of those from
    ``i`` and ``j`` on (Hirschberg 1977 for the two directions).
    """

    name = CHAIN

    def best(self, values: Integers) -> tuple[int, Integers]:
        """The largest total and the candidates that reach it."""
        rows, columns = self.shape
        table = self.table(values)
        before = np.zeros((rows + 1, columns + 1), dtype=np.int64)
        _fill(table, before)
        target = _trace_back(before)
        mapped = np.flatnonzero(target >= 0)
        self.matched = table, before, target
        chosen = self.index[mapped * columns + target[mapped]]
        return int(before[rows, columns]), chosen

    def through(
        self, values: Integers, total: int, matched: Matched | None = None
    ) -> Integers:
        """For each candidate the best total of any chain that includes it."""
        table, before, _ = matched or self.matched
        rows, columns = self.shape
        after = np.zeros((rows + 1, columns + 1), dtype=np.int64)
        _fill(table[::-1, ::-1], after)
        after = after[::-1, ::-1]
        through: Integers = (
            before[self.gold, self.system]
            + values
            + after[self.gold + 1, self.system + 1]
        )
        return through


def _fill(table: Integers, best: Integers) -> None:
    """Fill *best* (one row and column larger) with totals of leading parts."""
    for i in range(len(table)):
        row = np.maximum(best[i, 1:], best[i, :-1] + table[i])
        np.maximum.accumulate(row, out=best[i + 1, 1:])


def _trace_back(before: Integers) -> Integers:
    """The map behind filled tables: for each row its column, or -1."""
    rows, columns = before.shape
    target = np.full(rows - 1, -1, dtype=np.int64)
    i, j = rows - 1, columns - 1
    while i and j:
        length = before[i, j]
        if length == before[i - 1, j]:
            i -= 1
        elif length == before[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            target[i] = j
    return target
