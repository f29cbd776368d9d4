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

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from graphscore.correspondence.candidates import Candidates, changes
from graphscore.correspondence.problem import ASSIGNMENT, CHAIN, SCALE, Integers
from graphscore.correspondence.scipy_assignment import linear_sum_assignment, solver


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
    return _trace_back(_filled(table))


class Matched(NamedTuple):
    """State of a matching on its last tables, used to bound other mappings."""

    flat: Integers
    """The tables of all problems, as one array."""
    rows: Integers
    """The gold objects that are matched."""
    columns: Integers
    """The system object of each."""
    before: Mapping[int, Integers]
    """Totals of leading parts, by problem, where order counts."""


class _Matching(ABC):
    """The tables in which maps are matched by candidate values.

    Attributes:
        matched: what the last matching leaves for :meth:`through`.
    """

    name: ClassVar[str]
    matched: Matched

    def __init__(self, candidates: Candidates) -> None:
        self.gold, self.system = candidates.gold, candidates.system
        self.grid = grid = candidates.grid
        self.cell = grid.place[self.gold] + self.system
        # Nobody asks for what is at the other places.
        self.index = np.empty(grid.cells[-1], dtype=np.int64)
        self.index[self.cell] = np.arange(len(self.gold))

    def best(
        self, values: Integers, problems: Sequence[int] = (0,)
    ) -> tuple[list[int], Integers]:
        """The largest total of each problem, and the candidates that reach them.

        Args:
            values: what candidates are worth; elsewhere it is 0.
            problems: those that are matched, in order.
        """
        flat = np.zeros(len(self.index), dtype=np.int64)
        flat[self.cell] = values
        rows, columns, sizes, before = self.match(flat, problems)
        cells = self.grid.place[rows] + columns
        worth = flat[cells]
        number = np.arange(len(sizes)).repeat(sizes)
        totals = np.bincount(number, worth, len(sizes)).astype(np.int64)
        self.matched = Matched(flat, rows, columns, before)
        return totals.tolist(), self.index[cells[worth > 0]]

    @abstractmethod
    def match(
        self, flat: Integers, problems: Sequence[int]
    ) -> tuple[Integers, Integers, list[int], Mapping[int, Integers]]:
        """Match the tables of some problems.

        Returns:
            The objects that are matched, how many of each problem, and for
            :class:`Matched` what else is needed.
        """

    @abstractmethod
    def through(
        self, values: Integers, total: Integers | int, matched: Matched | None = None
    ) -> Integers:
        """For each candidate an upper bound on any total that includes it.

        Args:
            values: what candidates are worth.
            total: the largest total, or for each candidate that of its problem.
            matched: of the matching that they come from; the last one by default.
        """


class Assignment(_Matching):
    """Best one-to-one map by candidate values: the linear assignment problem."""

    name = ASSIGNMENT

    def match(
        self, flat: Integers, problems: Sequence[int]
    ) -> tuple[Integers, Integers, list[int], Mapping[int, Integers]]:
        """Match every table by :func:`linear_sum_assignment`."""
        grid, solve = self.grid, solver()
        cells, shapes = grid.cells, grid.shapes
        # As the solver makes them itself, table by table.
        costs = -flat.astype(np.float64)
        ends = [
            solve(costs[cells[k] : cells[k + 1]].reshape(shapes[k])) for k in problems
        ]
        sizes = [len(rows) for rows, _ in ends]
        rows, columns = map(np.concatenate, zip(*ends, strict=True))
        rows += np.repeat([grid.rows[k] for k in problems], sizes)
        columns += np.repeat([grid.columns[k] for k in problems], sizes)
        return rows, columns, sizes, {}

    def through(
        self, values: Integers, total: Integers | int, matched: Matched | None = None
    ) -> Integers:
        """For each candidate an upper bound on any total that includes it.

        Follows from the least dual potentials: ``v`` is the fixed point of
        ``v_j = max_i (v_σ(i) + U[i, j] - U[i, σ(i)])``, started at 0.  Where there is
        no candidate it cannot rise.
        """
        grid = self.grid
        flat, mapped, partners, _ = matched or self.matched
        potential = np.zeros(grid.columns[-1], dtype=np.int64)
        own = np.zeros(grid.rows[-1], dtype=np.int64)
        own[mapped] = flat[grid.place[mapped] + partners]
        order = self.system.argsort(kind="stable")
        gold, system = self.gold[order], self.system[order]
        starts = changes(system).nonzero()[0]
        columns = system[starts]
        spurious = flat[self.cell[order]] - own[gold]
        offset = np.zeros(grid.rows[-1], dtype=np.int64)
        while True:
            offset[mapped] = potential[partners]
            most = np.maximum.reduceat(spurious + offset[gold], starts)
            fresh = np.maximum(most, 0)
            if not np.count_nonzero(fresh != potential[columns]):
                break
            potential[columns] = fresh
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

    def match(
        self, flat: Integers, problems: Sequence[int]
    ) -> tuple[Integers, Integers, list[int], Mapping[int, Integers]]:
        """Match every table in order."""
        grid = self.grid
        before: dict[int, Integers] = {}
        rows, columns = [], []
        for k in problems:
            before[k] = _filled(self._table(flat, k))
            target = _trace_back(before[k])
            mapped = np.flatnonzero(target >= 0)
            rows.append(mapped + grid.rows[k])
            columns.append(target[mapped] + grid.columns[k])
        sizes = [len(mapped) for mapped in rows]
        return np.concatenate(rows), np.concatenate(columns), sizes, before

    def _table(self, flat: Integers, problem: int) -> Integers:
        cells = slice(*self.grid.cells[problem : problem + 2])
        return flat[cells].reshape(self.grid.shapes[problem])

    def through(
        self, values: Integers, total: Integers | int, matched: Matched | None = None
    ) -> Integers:
        """For each candidate the best total of any chain that includes it."""
        flat, _, _, leading = matched or self.matched
        through = values.copy()
        for k, before in leading.items():
            after = _filled(self._table(flat, k)[::-1, ::-1])[::-1, ::-1]
            first, end = self.grid.rows[k : k + 2]
            own = slice(*self.gold.searchsorted((first, end)))
            gold, system = self.gold[own] - first, self.system[own]
            system = system - self.grid.columns[k]
            through[own] += before[gold, system] + after[gold + 1, system + 1]
        return through


def _filled(table: Integers) -> Integers:
    """Totals of leading parts, one row and column larger."""
    rows, columns = table.shape
    best = np.zeros((rows + 1, columns + 1), dtype=table.dtype)
    for i in range(rows):
        row = np.maximum(best[i, 1:], best[i, :-1] + table[i])
        np.maximum.accumulate(row, out=best[i + 1, 1:])
    return best


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
