"""Matchings that keep an order: sequences, partial orders, preorders (eq. 37).

Matched elements must stand in the same order on both sides: *u* before *u'* if
and only if their partners are.  For a sequence that is the heaviest common
subsequence.  For nodes of a graph, *before* is reachability along edges, so nodes
on a cycle are before one another; there the matching is found by an integer
program (appendix A.2), exactly.

>>> heaviest({(0, 0): 1, (1, 1): 1, (2, 0): 1})
[(0, 0), (1, 1)]
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from graphscore.model.graph import Value
from graphscore.similarity.base import Cell, Number, Sparse
from graphscore.similarity.expression import ARTICLES, Expression, Notation, require
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.solving.assignment import Constraint
from graphscore.similarity.solving.program import chosen
from graphscore.similarity.view import Elements, Pair, View


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
    mine, theirs = order.before(pair.gold), order.before(pair.system)
    found = sorted(cells)
    conflicts = []
    for (a, (p, q)), (b, (r, s)) in combinations(enumerate(found), 2):
        one, two, three, four = gold[p], gold[r], system[q], system[s]
        if (
            (constraint in ("1:1", "1:n") and p == r)
            or (constraint in ("1:1", "n:1") and q == s)
            or (two in mine[one]) != (four in theirs[three])
            or (one in mine[two]) != (three in theirs[four])
        ):
            conflicts.append((a, b))
    kept = chosen([cells[cell] for cell in found], conflicts, pair)
    return [found[k] for k in kept]


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
