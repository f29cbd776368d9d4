"""Matchings that keep an order: sequences, partial orders, preorders (eq. 37).

Matched elements must stand in the same order on both sides: *u* before *u'* if
and only if their partners are.  For a sequence that is the heaviest common
subsequence.  For nodes of a graph, *before* is reachability along edges, so nodes
on a cycle are before one another; there the matching is the heaviest choice of pairs
that do not exclude one another (appendix A.2), proven as far as the budget reaches.

>>> heaviest({(0, 0): 1, (1, 1): 1, (2, 0): 1})
[(0, 0), (1, 1)]
"""

from __future__ import annotations

import time
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from graphscore.model.graph import Value
from graphscore.similarity.base import Cell, Number, Sparse, added
from graphscore.similarity.expression import ARTICLES, Expression, Notation, require
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.solving import exclusion
from graphscore.similarity.solving.assignment import Constraint, best
from graphscore.similarity.view import Elements, Pair, View

CERTAIN = 1e-9
"""How far a bound may be above what a matching earns and still prove it: sums of
fractions are rounded."""


class Order(Expression):
    """Base of orders."""

    @abstractmethod
    def check(self, collection: Collection, formula: str) -> None:
        """Fail unless the members of a collection can have this order.

        Raises:
            FormulaError: if they cannot.
        """

    def spell(self, notation: Notation) -> str:
        """The sign for an order that is kept."""
        return "≤" if not notation.delta.startswith("\\") else r"\leq"


@dataclass(frozen=True, repr=False)
class InSequence(Order):
    """The order in which members stand: that of nodes, edges, or of a list."""

    def check(self, collection: Collection, formula: str) -> None:
        """All members have an order."""

    def __repr__(self) -> str:
        return "in_sequence"


in_sequence = InSequence()
"""The order in which members stand."""


@dataclass(frozen=True, repr=False)
class Reachable(Order):
    """A node is before all that can be reached from it, itself included.

    Args:
        label: only along edges with this label.
    """

    call: ClassVar[str] = "reachable"

    label: Value = None

    def check(self, collection: Collection, formula: str) -> None:
        """Only nodes can be reached.

        Raises:
            FormulaError: if the members are something else.
        """
        require(
            collection.yields == "node",
            f"{collection} leads to {ARTICLES[collection.yields]}, expected nodes: "
            "only they can be reached along edges",
            formula,
            str(collection),
        )

    def before(self, view: View) -> list[set[int]]:
        """For every node the nodes that it is before, itself included."""
        return view.keep(self.token, lambda: self._before(view))

    def _before(self, view: View) -> list[set[int]]:
        import rustworkx as rx

        graph, places = rx.PyDiGraph(), view.places()
        graph.add_nodes_from(range(len(view.graph.nodes)))
        graph.add_edges_from_no_data(
            [
                (places[edge.source], places[edge.target])
                for edge in view.graph.edges
                if self.label is None or edge.label == self.label
            ]
        )
        return [
            {node} | set(rx.descendants(graph, node)) for node in graph.node_indices()
        ]


def reachable(label: Value = None) -> Reachable:
    """The order of reachability along edges, a preorder where there are cycles.

    Args:
        label: only along edges with this label.
    """
    return Reachable(label)


def keeping_order(
    order: Order,
    pair: Pair,
    gold: Elements,
    system: Elements,
    cells: Sparse,
    constraint: Constraint,
) -> list[Cell]:
    """The best matching that keeps an order.

    Args:
        order: the order.
        pair: the two graphs.
        gold: gold members.
        system: system members.
        cells: similarities by position.
        constraint: which matchings are allowed besides.

    Returns:
        The matched cells, ascending.
    """
    if isinstance(order, InSequence):
        # Two elements with one partner would be each before the other: under
        # "if and only if" a sequence is always matched one to one.
        return heaviest(cells)
    assert isinstance(order, Reachable)
    found = sorted(cells)
    if len(found) == 1:
        return found
    conflicts = _Conflicts(order, pair, gold, system, found, constraint)
    proof, budget = pair.proof, pair.budget
    choice = exclusion.heaviest(
        [cells[cell] for cell in found],
        conflicts.of,
        conflicts.promising(cells),
        _most(cells, constraint),
        budget.steps,
        _clock(budget.seconds),
    )
    kept = [found[k] for k in choice.chosen]
    proof.steps += choice.steps
    earned = added(cells[cell] for cell in kept)
    if choice.bound - earned > CERTAIN * max(1, earned):
        proof.proven = False
        proof.gap += choice.bound - earned
    return kept


def _clock(seconds: float | None) -> Callable[[], bool]:
    """Whether so many seconds are over, from now on."""
    if seconds is None:
        return lambda: False
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def _most(cells: Sparse, constraint: Constraint) -> Number:
    """What no matching exceeds, whatever the order."""
    return added(cells[cell] for cell in best(cells, constraint))


class _Conflicts:
    """Which pairs of members cannot be matched together.

    Args:
        order: the order that matched members keep.
        pair: the two graphs.
        gold: gold members.
        system: system members.
        found: the pairs of members that earn something.
        constraint: which matchings are allowed besides.
    """

    def __init__(
        self,
        order: Reachable,
        pair: Pair,
        gold: Elements,
        system: Elements,
        found: list[Cell],
        constraint: Constraint,
    ) -> None:
        places = np.array(found, dtype=np.int64).reshape(-1, 2).T
        self._rows, self._columns = places
        # Places of members, not of nodes: a member can stand there several times.
        self._before = tuple(
            _table(order.before(view), members)
            for view, members in ((pair.gold, gold), (pair.system, system))
        )
        self._single = constraint in ("1:1", "1:n"), constraint in ("1:1", "n:1")

    def of(self, number: int) -> npt.NDArray[np.bool_]:
        """Which pairs one pair excludes."""
        row, column = self._rows[number], self._columns[number]
        gold, system = self._before
        clash: npt.NDArray[np.bool_]
        clash = gold[row, self._rows] != system[column, self._columns]
        clash |= gold[self._rows, row] != system[self._columns, column]
        if self._single[0]:
            clash |= self._rows == row
        if self._single[1]:
            clash |= self._columns == column
        clash[number] = False
        return clash

    def promising(self, cells: Sparse) -> list[int]:
        """Pairs by what they earn, then by how alike their places in the order are."""
        gold, system = self._before
        amounts = np.array([float(amount) for _, amount in sorted(cells.items())])
        unlike = np.zeros(len(amounts), dtype=np.int64)
        for axis in (0, 1):
            one, two = gold.sum(axis=axis), system.sum(axis=axis)
            unlike += np.abs(one[self._rows] - two[self._columns])
        order: list[int] = np.lexsort((unlike, -amounts)).tolist()
        return order


def _table(before: list[set[int]], members: Elements) -> npt.NDArray[np.bool_]:
    """Whether one member is before another, by position."""
    size = len(before)
    table = np.zeros((size, size), dtype=np.bool_)
    for node, others in enumerate(before):
        table[node, list(others)] = True
    chosen = np.array(members, dtype=np.int64)
    between: npt.NDArray[np.bool_] = table[np.ix_(chosen, chosen)]
    return between


def heaviest(cells: Sparse) -> list[Cell]:
    """The heaviest common subsequence: strictly ascending cells of greatest sum.

    Goes through the cells row by row and keeps, for every column, the best sum
    that ends there or before: O(k log k) steps of search for *k* cells, and at
    most one entry a column.

    Args:
        cells: positive amounts by (gold, system) position.

    Returns:
        The cells, ascending.

    Example:
        >>> heaviest({(k, 4 - k): 1 + (k == 1) for k in range(5)})
        [(1, 3)]
    """
    best = _Front()
    back: dict[Cell, Cell | None] = {}
    rows: dict[int, list[int]] = {}
    for r, c in cells:
        rows.setdefault(r, []).append(c)
    for r in sorted(rows):
        ends = []
        for c in sorted(rows[r]):
            sum_before, cell_before = best.before(c)
            back[r, c] = cell_before
            ends.append((c, sum_before + cells[r, c]))
        for c, total in ends:
            best.put(c, total, (r, c))
    cell = best.last()
    found: list[Cell] = []
    while cell is not None:
        found.append(cell)
        cell = back[cell]
    return found[::-1]


class _Front:
    """The best sums by the column where they end: both strictly ascending."""

    def __init__(self) -> None:
        self.columns: list[int] = []
        self.sums: list[Number] = []
        self.cells: list[Cell] = []

    def before(self, column: int) -> tuple[Number, Cell | None]:
        """The best sum that ends before a column."""
        place = bisect_left(self.columns, column)
        if place == 0:
            return 0, None
        return self.sums[place - 1], self.cells[place - 1]

    def put(self, column: int, total: Number, cell: Cell) -> None:
        """A sum that ends at a column."""
        place = bisect_left(self.columns, column)
        if place and self.sums[place - 1] >= total:
            return
        end = place
        while end < len(self.columns) and self.sums[end] <= total:
            if self.columns[end] == column and self.sums[end] == total:
                return
            end += 1
        here = place < len(self.columns) and self.columns[place] == column
        if here and self.sums[place] >= total:
            return
        self.columns[place:end] = [column]
        self.sums[place:end] = [total]
        self.cells[place:end] = [cell]

    def last(self) -> Cell | None:
        """Where the best sum of all ends."""
        return self.cells[-1] if self.cells else None


__all__ = [
    "InSequence",
    "Order",
    "Reachable",
    "heaviest",
    "in_sequence",
    "keeping_order",
    "reachable",
]
