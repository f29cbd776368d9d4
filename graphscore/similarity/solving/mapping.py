"""Sums over mappings of ordered trees: the heaviest that keeps both of their orders.

A mapping of Tai (1979) pairs nodes of two ordered forests one to one so that one is
above another if and only if their partners are, and left of another likewise.  The
heaviest is what Zhang and Shasha (1989) find while they find the cheapest edit: from
the lowest trees upwards, a table for every two trees that begin no higher tree's
leftmost branch, in time O(n m min(depth, leaves) min(depth, leaves)).

As nothing is paid for what is left out, a row of a table only ever rises from left to
right.  So the rows of all trees of one side are one array, and what their cells wait
for in the same row is a running maximum.

>>> import numpy as np
>>> cherry = Forest(np.array([0, 1, 0]), np.arange(3))
>>> chain = Forest(np.array([0, 0, 0]), np.arange(3))
>>> same = np.arange(3)
>>> heaviest(Weighted(same, same, [1, 1, 1]), cherry, chain)
[0, 2]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.similarity.base import Cell, Number

Integers = npt.NDArray[np.int64]

BITS = 61
"""Bits that sums may have: they are whole numbers, and so are the same everywhere."""

WORK = 25_000
"""Entries of tables that are worked out in about one step."""

ROW = 2_000
"""What a row takes whatever its length, in entries."""

ENTRIES = 1 << 25
"""Pairs of nodes beyond which there is no room for the tables: 256 MiB each."""


class Forest:
    """An ordered forest, its nodes in postorder.

    Args:
        lowest: for each node the first of its tree, which is its leftmost leaf.
        names: what each node is called by those who asked.
    """

    def __init__(self, lowest: Integers, names: Integers) -> None:
        self.lowest, self.names = lowest, names

    @classmethod
    def of(cls, before: Integers, after: Integers) -> Forest:
        """A forest by the places of its nodes when one goes through it.

        Args:
            before: place of each node in preorder, of these or of more nodes.
            after: place of each in postorder.

        Example:
            >>> Forest.of(np.array([0, 2, 1]), np.array([2, 1, 0])).lowest
            array([0, 1, 0])
        """
        order = np.argsort(after)
        places = before[order].tolist()
        lowest: list[int] = []
        open_: list[int] = []
        for node, place in enumerate(places):
            first = node
            # What stands before it in postorder, and not in preorder, is below it.
            while open_ and places[open_[-1]] > place:
                first = lowest[open_.pop()]
            lowest.append(first)
            open_.append(node)
        return cls(np.array(lowest, dtype=np.int64), order.astype(np.int64))

    def __len__(self) -> int:
        return len(self.lowest)

    @cached_property
    def heads(self) -> list[int]:
        """The highest node of every leftmost branch (the *keyroots*), ascending."""
        return sorted(
            dict(zip(self.lowest.tolist(), range(len(self)), strict=True)).values()
        )

    @cached_property
    def entries(self) -> int:
        """How many nodes there are below heads, each as often as it is below one."""
        return int(sum(head - int(self.lowest[head]) + 1 for head in self.heads))

    def place_of(self, names: Integers) -> Integers:
        """Places in postorder, by what nodes are called."""
        place = np.zeros(int(self.names.max()) + 1, dtype=np.int64)
        place[self.names] = np.arange(len(self))
        return place[names]

    def topped(self) -> Forest:
        """The same with one node above all."""
        zero = np.zeros(1, dtype=np.int64)
        return Forest(np.concatenate((self.lowest, zero)), self.names)


def effort(gold: Forest, system: Forest) -> int:
    """Steps that it takes to match two forests.

    >>> path = Forest(np.zeros(1_000, dtype=np.int64), np.arange(1_000))
    >>> effort(path, path)
    121
    """
    return 1 + gold.entries * (system.entries + ROW) // WORK


class Weighted(NamedTuple):
    """Pairs of nodes, and what they earn."""

    gold: Integers
    """What gold's node of each pair is called in its forest."""
    system: Integers
    """What the system's is called."""
    amounts: Sequence[Number]
    """What each earns, positive."""


def heaviest(
    pairs: Weighted,
    gold: Forest,
    system: Forest,
    spent: Callable[[], bool] = lambda: False,
) -> list[int] | None:
    """The heaviest mapping.

    Args:
        pairs: what can be matched; each pair is there once.
        gold: gold's forest.
        system: the system's.
        spent: whether to give up.

    Returns:
        The positions of the pairs that are matched, ascending; ``None`` if given up.
    """
    places = [
        side.place_of(names)
        for side, names in zip((gold, system), pairs[:2], strict=True)
    ]
    weights = np.zeros((len(gold) + 1, len(system) + 1), dtype=np.int64)
    weights[places[0], places[1]] = _whole(pairs.amounts, system)
    tables = _Tables(weights, gold.topped(), system.topped())
    if not tables.fill(spent):
        return None
    numbers = np.empty(weights.shape, dtype=np.int64)
    numbers[places[0], places[1]] = np.arange(len(pairs.amounts))
    found = np.array(tables.mapping(), dtype=np.int64).reshape(-1, 2)
    chosen: list[int] = np.sort(numbers[found[:, 0], found[:, 1]]).tolist()
    return chosen


def _whole(amounts: Sequence[Number], system: Forest) -> Integers:
    """Amounts as whole numbers, so that no table has a sum that does not fit."""
    most = max(amounts)
    # No column of a tree earns more than all nodes of it together, and the trees stand
    # one above the other.
    room = BITS - (system.entries + 2 * len(system) + 2).bit_length()
    if all(isinstance(each, int) for each in amounts) and most < 1 << room:
        return np.array(amounts, dtype=np.int64)
    shift = room - math.frexp(most)[1]
    scaled = np.ldexp(np.array(amounts, dtype=np.float64), shift)
    return np.rint(scaled).astype(np.int64)


class _Layout(NamedTuple):
    """The tables' columns of all trees of one side, one after the other.

    Every tree begins with a column for nothing.
    """

    node: Integers
    """The node of each column; one more than there are for nothing."""
    jump: Integers
    """The column, in the same tree, before the leftmost leaf of the node."""
    own: Integers
    """The column of each node in the tree of the head of its branch."""
    floor: Integers
    """What is added in each column, so that every tree's are above those before."""


def _layout(side: Forest, most: Integers) -> _Layout:
    """Where the columns of all trees stand.

    Args:
        side: the forest.
        most: the most that each of its nodes can earn.
    """
    size = len(side)
    heads = np.array(side.heads, dtype=np.int64)
    first = side.lowest[heads]
    lengths = heads - first + 2
    start = np.cumsum(lengths) - lengths
    tree = np.repeat(np.arange(len(heads)), lengths)
    node = np.arange(int(lengths.sum())) - start[tree] - 1 + first[tree]
    nothing = np.zeros(len(node), dtype=np.bool_)
    nothing[start] = True
    lowest = side.lowest[np.where(nothing, 0, node)]
    jump = np.where(nothing, start[tree], start[tree] + lowest - first[tree])
    of_leaf = np.zeros(size, dtype=np.int64)
    of_leaf[first] = np.arange(len(heads))
    own = start[of_leaf[side.lowest]] + 1 + np.arange(size) - side.lowest
    sums = np.concatenate(([0], np.cumsum(most)))
    above = np.cumsum(sums[heads + 1] - sums[first] + 1)
    floor = np.concatenate(([0], above[:-1]))[tree]
    return _Layout(np.where(nothing, size, node), jump, own, floor)


class _Tables:
    """What trees earn with one another.

    Args:
        weights: what nodes earn, shape (gold nodes, system nodes), those above all
            included, which earn nothing.
        gold: gold's forest, with one node above all.
        system: the system's.
    """

    def __init__(self, weights: Integers, gold: Forest, system: Forest) -> None:
        self.weights, self.gold, self.system = weights, gold, system
        # The last column is for nothing.
        self.trees = np.zeros((len(gold), len(system) + 1), dtype=np.int64)
        """What the tree of each gold node earns with that of each of the system's."""

    def fill(self, spent: Callable[[], bool]) -> bool:
        """Work out all trees; whether that was not given up."""
        layout = _layout(self.system, self.weights.max(axis=0))
        for head in self.gold.heads:
            if spent():
                return False
            self._branch(head, layout)
        return True

    def _branch(self, head: int, layout: _Layout) -> None:
        """All trees of the leftmost branch below a head."""
        node, jump, own, floor = layout
        lowest, trees, size = self.gold.lowest.tolist(), self.trees, len(self.system)
        first, ends = lowest[head], set(self.gold.heads)
        under = floor[own]
        behind = own - 1
        # Rows before trees that are still to come.
        kept = {first - 1: floor}
        row, earned = floor, np.zeros(size + 1, dtype=np.int64)
        best, more = np.empty_like(floor), np.empty_like(floor)
        for here in range(first, head + 1):
            if lowest[here] == first:
                # It is above all before it: with its partner goes what is below both.
                np.take(row, behind, out=earned[:size], mode="clip")
                earned[:size] += self.weights[here] - under
                np.take(earned, node, out=best, mode="clip")
                best += floor
            else:
                np.take(kept[lowest[here] - 1], jump, out=best, mode="clip")
                np.take(trees[here], node, out=more, mode="clip")
                best += more
            np.maximum(best, row, out=best)
            row = np.maximum.accumulate(best)
            if lowest[here] == first:
                trees[here, :size] = row[own] - under
            if here < head and lowest[here + 1] == here + 1:
                kept[here] = row
            elif here in ends:
                # Its branch is done, so nothing asks for what is before it.
                kept.pop(lowest[here] - 1, None)

    def mapping(self) -> list[Cell]:
        """The pairs of nodes, as positions in postorder."""
        found: list[Cell] = []
        stack = [(len(self.gold) - 1, len(self.system) - 1)]
        while stack:
            self._trace(*stack.pop(), found, stack)
        return found

    def _trace(
        self, gold: int, system: int, found: list[Cell], stack: list[Cell]
    ) -> None:
        """Go back through the table of two trees; trees inside are left for later."""
        first, begin = int(self.gold.lowest[gold]), int(self.system.lowest[system])
        lowest, least = self.gold.lowest.tolist(), self.system.lowest.tolist()
        table = self._table(gold, system)
        p, q = gold, system
        while p >= first and q >= begin:
            here = table[p - first + 1, q - begin + 1]
            if here == table[p - first, q - begin + 1]:
                p -= 1
            elif here == table[p - first + 1, q - begin]:
                q -= 1
            elif lowest[p] == first and least[q] == begin:
                found.append((p, q))
                p, q = p - 1, q - 1
            else:
                stack.append((p, q))
                p, q = lowest[p] - 1, least[q] - 1

    def _table(self, gold: int, system: int) -> Integers:
        """What beginnings of two trees earn, shape (gold nodes + 1, system's + 1)."""
        first, begin = int(self.gold.lowest[gold]), int(self.system.lowest[system])
        least = self.system.lowest[begin : system + 1]
        jump, branch = least - begin, least == begin
        table = np.zeros((gold - first + 2, system - begin + 2), dtype=np.int64)
        for here in range(first, gold + 1):
            place, start = here - first + 1, int(self.gold.lowest[here]) - first
            best = self.trees[here, begin : system + 1] + table[start][jump]
            if start == 0:
                both = table[place - 1, :-1] + self.weights[here, begin : system + 1]
                best = np.where(branch, both, best)
            np.maximum(best, table[place - 1, 1:], out=best)
            np.maximum.accumulate(best, out=table[place, 1:])
        return table


__all__ = ["ENTRIES", "Forest", "Weighted", "effort", "heaviest"]
