"""Edges by what they say, not yet paired: what large problems are solved on.

An edge of gold and one of the system earn something together when both say the
same.  Written out pair by pair that is one coupling for every two equal edges,
which does not fit where many are equal: the complete graph of 200 nodes against
itself has 1.6 billion.  Here the edges of each side stay as they are, each with a
*key* for what it says; equal keys earn the product of their amounts.  Everything a
search needs of the couplings is worked out from these lists:

* what a map earns, and what every pair would earn *beside* it, by joining gold
  edges, seen through the map, with the system's edges on key and one end;
* an upper bound from degrees: a pair of nodes earns at most, for every key, the
  smaller of the two numbers of edges that leave, and likewise of those that arrive.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.correspondence.problem import Integers, LinkPairs

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = npt.NDArray[np.float64]


class Edges(NamedTuple):
    """The edges of one side, as parallel arrays; self-loops are left out.

    An edge that says several things stands there once for each of them.
    """

    source: Integers
    target: Integers
    key: Integers
    """Key of the edge's content: equal numbers on both sides for equal content."""
    amount: Integers
    """Multiplicity, from 1."""

    def turned(self) -> Edges:
        """The same edges, seen from their other ends."""
        return self._replace(source=self.target, target=self.source)


class _Index:
    """Edges of one side, sorted to be found by key and one end.

    Args:
        edges: the edges.
        size: number of nodes of that side.
    """

    def __init__(self, edges: Edges, size: int) -> None:
        position = edges.key * size + edges.target
        order = np.argsort(position, kind="stable")
        self.place = position[order]
        self.near = edges.source[order]
        self.amount = edges.amount[order]
        self.size = size

    def find(self, key: Integers, end: Integers) -> tuple[Integers, Integers]:
        """Find the edges that have a key and lead to a node.

        Args:
            key: what is asked for.
            end: nodes, beside ``key``.

        Returns:
            For every hit the position of the question and of the sorted edge.
        """
        searched = key * self.size + end
        first = np.searchsorted(self.place, searched, "left")
        count = np.searchsorted(self.place, searched, "right") - first
        question = np.repeat(np.arange(len(searched)), count)
        begins = np.cumsum(count) - count
        result = np.arange(len(question)) - np.repeat(begins - first, count)
        return question, result


class EdgeGroups:
    """Edges of both sides, to be paired by what they say.

    Args:
        gold: gold's edges.
        system: the system's edges, with the same keys.
        shape: number of gold and of system nodes.
    """

    def __init__(self, gold: Edges, system: Edges, shape: tuple[int, int]) -> None:
        # Keys may be any numbers; here they are numbered from 0.
        self.keys = np.intersect1d(gold.key, system.key)
        self.shape = shape
        self.gold, self.system = (self._usable(side) for side in (gold, system))

    @classmethod
    def of(cls, links: LinkPairs, shape: tuple[int, int]) -> EdgeGroups:
        """The edges behind pairs of edges: those that pair alike say the same.

        Args:
            links: the pairs.
            shape: number of gold and of system nodes.
        """
        order = np.lexsort(
            (
                links.weight,
                links.system_target,
                links.system_source,
                links.gold_target,
                links.gold_source,
            )
        )
        gold_source, gold_target, *others = (column[order] for column in links)
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = (np.diff(gold_source) != 0) | (np.diff(gold_target) != 0)
        starts = np.flatnonzero(fresh)
        table = np.stack(others, axis=1)
        keys: dict[bytes, int] = {}
        group_keys: list[int] = []
        firsts: list[tuple[int, int]] = []
        for start, end in pairwise([*starts.tolist(), len(order)]):
            digest = table[start:end].tobytes()
            if digest not in keys:
                keys[digest] = len(keys)
                firsts.append((start, end))
            group_keys.append(keys[digest])
        gold = Edges(
            gold_source[starts],
            gold_target[starts],
            np.array(group_keys, dtype=np.int64),
            np.ones(len(starts), dtype=np.int64),
        )
        rows = [table[start:end] for start, end in firsts] or [table]
        numbers = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        source, target, weight = np.concatenate(rows).T
        return cls(gold, Edges(source, target, numbers, weight), shape)

    def _usable(self, side: Edges) -> Edges:
        """The edges that could earn something, by key; self-loops never do."""
        usable = np.isin(side.key, self.keys) & (side.source != side.target)
        order = np.flatnonzero(usable)
        order = order[np.argsort(side.key[order], kind="stable")]
        key = np.searchsorted(self.keys, side.key[order])
        ends = side.source[order], side.target[order]
        return Edges(*ends, key, side.amount[order])

    @cached_property
    def by_key(self) -> list[tuple[Edges, Edges]]:
        """For every key the edges of both sides that have it."""
        parts = []
        for side in (self.gold, self.system):
            numbers = np.arange(len(self.keys))
            first = np.searchsorted(side.key, numbers, "left")
            last = np.searchsorted(side.key, numbers, "right")
            parts.append(
                [
                    Edges(*(column[start:end] for column in side))
                    for start, end in zip(first.tolist(), last.tolist(), strict=True)
                ]
            )
        return list(zip(*parts, strict=True))

    @cached_property
    def couplings(self) -> int:
        """Number of pairs of equal edges."""
        return sum(len(gold.key) * len(system.key) for gold, system in self.by_key)

    @cached_property
    def _arriving_index(self) -> _Index:
        return _Index(self.system, self.shape[1])

    @cached_property
    def _leaving_index(self) -> _Index:
        return _Index(self.system.turned(), self.shape[1])

    def beside(self, target: Integers) -> Integers:
        """Return the weight of every node pair's edges to the pairs of a mapping.

        Args:
            target: for each gold node its system node, or -1.

        Returns:
            Amounts, shape (gold nodes, system nodes).
        """
        rows, columns = self.shape
        total = np.zeros(rows * columns, dtype=np.int64)
        for edges, index in (
            (self.gold, self._arriving_index),
            (self.gold.turned(), self._leaving_index),
        ):
            mapped = np.flatnonzero(target[edges.target] >= 0)
            queries, entries = index.find(
                edges.key[mapped], target[edges.target[mapped]]
            )
            arriving = mapped[queries]
            cells = edges.source[arriving] * columns + index.near[entries]
            worth = edges.amount[arriving] * index.amount[entries]
            total += np.bincount(cells, worth, rows * columns).astype(np.int64)
        return total.reshape(rows, columns)

    @cached_property
    def _group_keys(self) -> Integers:
        size = self.shape[1]
        edges = self.system
        return (edges.key * size + edges.source) * size + edges.target

    def matched(self, target: Integers) -> Integers:
        """Gold edges that a map finds in the system, as positions.

        Args:
            target: for each gold node its system node, or -1.
        """
        size = self.shape[1]
        source, end = target[self.gold.source], target[self.gold.target]
        images = (self.gold.key * size + source) * size + end
        result = np.isin(images, self._group_keys) & (source >= 0) & (end >= 0)
        return np.flatnonzero(result)

    @cached_property
    def credit(self) -> Integers:
        """Twice what a pair of nodes is credited with at most, from degrees alone.

        Half of what two edges earn goes to their sources, half to their targets,
        so that no map earns more than its rewards and half of these numbers.
        """
        total = np.zeros(self.shape, dtype=np.int64)
        for sides in self.by_key:
            if not all(len(side.key) for side in sides):
                continue
            worth = int(np.prod([side.amount.max() for side in sides]))
            for ends in ("source", "target"):
                (gold, many), (system, more) = (
                    np.unique(getattr(side, ends), return_counts=True) for side in sides
                )
                fewer = np.minimum(many[:, None], more[None, :])
                total[np.ix_(gold, system)] += worth * fewer
        return total

    def ceiling(self) -> int:
        """Return an upper bound on all edges: the smaller count of every key."""
        total = 0
        for sides in self.by_key:
            left, right = (np.sort(side.amount)[::-1] for side in sides)
            size = min(len(left), len(right))
            total += int((left[:size] * right[:size]).sum())
        return total

    def products(self, weights: Floats) -> Floats:
        """:meth:`beside` of a map that is only partly decided.

        Args:
            weights: how far each gold node is mapped to each system node, shape
                (gold nodes, system nodes).
        """
        total = np.zeros(self.shape)
        for left, right in self._matrices:
            total += left @ weights @ right.T + left.T @ weights @ right
        return total

    @cached_property
    def _matrices(self) -> list[tuple[csr_array, csr_array]]:
        """For every key the adjacency of both sides."""
        from scipy.sparse import csr_array

        def adjacency(side: Edges, size: int) -> csr_array:
            amounts = side.amount.astype(np.float64)
            return csr_array((amounts, (side.source, side.target)), shape=(size, size))

        rows, columns = self.shape
        return [
            (adjacency(gold, rows), adjacency(system, columns))
            for gold, system in self.by_key
        ]
