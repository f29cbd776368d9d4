"""Matchings that keep an order: sequences, partial orders, preorders (eq. 37).

Matched elements must stand in the same order on both sides: *u* before *u'* if
and only if their partners are.  For a sequence that is the heaviest common
subsequence.  For nodes of a graph, *before* is reachability along edges, so nodes
on a cycle are before one another.  Where the members of one side are a chain, the
matching is a chain of pairs (``chains``); else the heaviest choice of pairs that do not
exclude one another (appendix A.2, ``independent_set``), proven as far as
the budget reaches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial, singledispatch

import numpy as np

from graphscore.correspondence.assignment import one_to_one
from graphscore.similarity.base import Cell, Number, Sparse, sum_exactly
from graphscore.similarity.operators.matching import Constraint
from graphscore.similarity.operators.orders import InSequence, Order, Reachable
from graphscore.similarity.solvers import chains, independent_set
from graphscore.similarity.solvers.chains import Table
from graphscore.similarity.solvers.local_search import Choosing, Places
from graphscore.similarity.view import Elements, Pair, View

CERTAIN = 1e-9
"""Tolerance of a proof between bound and weight.

Sums of fractions are rounded.
"""


@singledispatch
def keep_order(
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
        cells: similarities by position, at least one.
        constraint: which matchings are allowed besides.

    Returns:
        The matched cells, ascending.
    """
    raise TypeError(order)


@keep_order.register
def _(
    order: InSequence,
    pair: Pair,
    gold: Elements,
    system: Elements,
    cells: Sparse,
    constraint: Constraint,
) -> list[Cell]:
    """The heaviest common subsequence."""
    # Two elements with one partner would be each before the other: under
    # "if and only if" a sequence is always matched one to one.
    result = chains.heaviest(cells)
    if pair.crossed is not None and costs_matches(cells, result):
        pair.crossed.append((gold, system))
    return result


@keep_order.register
def _(
    order: Reachable,
    pair: Pair,
    gold: Elements,
    system: Elements,
    cells: Sparse,
    constraint: Constraint,
) -> list[Cell]:
    """By tables where one side is a chain, else the best that the budget finds."""
    if len(cells) == 1:
        return list(cells)
    rows, columns = (sorted({cell[axis] for cell in cells}) for axis in (0, 1))
    # Places of members, not of nodes: a member can stand there several times.
    before = (
        _table(order, pair.gold, [gold[p] for p in rows]),
        _table(order, pair.system, [system[q] for q in columns]),
    )
    problem = Problem.from_cells(cells, before)
    result = problem.by_chains(before, pair, constraint)
    if result is not None:
        return result
    if constraint == "1:1":
        problem.settle(chains.settle(problem.cells, before))
    return problem.choose(pair, constraint)


def before(order: Reachable, view: View) -> list[set[int]]:
    """For every node the nodes that it is before, itself included."""
    return view.keep(order.token, lambda: _before(order, view))


def _before(order: Reachable, view: View) -> list[set[int]]:
    import rustworkx as rx

    graph, ordinals = rx.PyDiGraph(), view.places()
    graph.add_nodes_from(range(len(view.graph.nodes)))
    graph.add_edges_from_no_data(
        [
            (ordinals[edge.source], ordinals[edge.target])
            for edge in view.graph.edges
            if order.label is None or edge.label == order.label
        ]
    )
    return [{node} | set(rx.descendants(graph, node)) for node in graph.node_indices()]


def costs_matches(cells: Sparse, chosen: list[Cell]) -> bool:
    """Return true if a matching that keeps the order may have a lower weight.

    Each member earns the most that it can with anybody at most.

    Args:
        cells: similarities by position.
        chosen: the matched cells.

    Example:
        >>> costs_matches({(0, 1): 1, (1, 0): 1}, [(0, 1)])
        True
        >>> costs_matches({(0, 1): 1, (1, 1): 1}, [(0, 1)])
        False
    """
    if len(cells) == len(chosen):
        return False
    earned = sum_exactly(cells[cell] for cell in chosen)
    for axis in (0, 1):
        most: dict[int, Number] = {}
        for cell, amount in cells.items():
            if amount > most.get(cell[axis], 0):
                most[cell[axis]] = amount
        if sum_exactly(most.values()) <= earned + CERTAIN:
            return False
    return True


def worth(cells: Sparse, constraint: Constraint) -> Number:
    """The greatest sum that a matching in any order has.

    >>> worth({(0, 0): 3, (0, 1): 2, (1, 0): 2}, "1:1")
    4
    """
    if constraint == "n:n" or len(cells) == 1:
        return sum_exactly(cells.values())
    if constraint == "1:1":
        return sum_exactly(cells[cell] for cell in one_to_one(cells))
    axis = 1 if constraint == "n:1" else 0
    most: dict[int, Number] = {}
    for cell, number in cells.items():
        if number > most.get(cell[axis], 0):
            most[cell[axis]] = number
    return sum_exactly(most.values())


def clock(seconds: float | None) -> Callable[[], bool]:
    """Return a function that returns true once the seconds from now have passed."""
    if seconds is None:
        return lambda: False
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


class Problem:
    """Members that have partners, renumbered, and their orders.

    Args:
        cells: amounts by position among them.
        members: their positions among all members of each side, ascending.
        relations: which members of each side are before which.
    """

    def __init__(
        self,
        cells: Sparse,
        members: tuple[list[int], list[int]],
        relations: tuple[Table, Table],
    ) -> None:
        self.cells, self.members, self.relations = cells, members, relations
        self.settled: list[Cell] = []
        """Pairs that are matched whatever else is."""

    @classmethod
    def from_cells(cls, cells: Sparse, relations: tuple[Table, Table]) -> Problem:
        """Build the problem of the members that have a partner.

        Args:
            cells: amounts by position among all members.
            relations: which of those that have a partner are before which.
        """
        rows, columns = (sorted({cell[axis] for cell in cells}) for axis in (0, 1))
        row, column = (
            {p: k for k, p in enumerate(members)} for members in (rows, columns)
        )
        renumbered = {(row[p], column[q]): cells[p, q] for p, q in sorted(cells)}
        return cls(renumbered, (rows, columns), relations)

    def settle(self, pairs: list[Cell]) -> None:
        """Match some pairs before the search; they clash with nothing that is left."""
        gone = {p for p, _ in pairs}, {q for _, q in pairs}
        self.settled += pairs
        self.cells = {
            cell: amount
            for cell, amount in self.cells.items()
            if cell[0] not in gone[0] and cell[1] not in gone[1]
        }

    def _among_all(self, chosen: list[Cell]) -> list[Cell]:
        """The same by positions among all members, ascending."""
        rows, columns = self.members
        return sorted((rows[p], columns[q]) for p, q in chosen)

    def by_chains(
        self, before: tuple[Table, Table], pair: Pair, constraint: Constraint
    ) -> list[Cell] | None:
        """The matching if the members of a side are a chain; else ``None``.

        Args:
            before: who is before whom, of each side.
            pair: its budget says whether there is time for the tables.
            constraint: unless one to one, nobody must be equivalent to another on the
                other side: the two could have one partner.
        """
        ranks = [chains.ranks(table) for table in before]
        gold, system = ranks
        if gold is not None and system is not None:
            ranked = {
                (gold[p], system[q]): amount for (p, q), amount in self.cells.items()
            }
            row, column = np.argsort(gold).tolist(), np.argsort(system).tolist()
            return self._among_all(
                [(row[p], column[q]) for p, q in chains.heaviest(ranked)]
            )
        for side, chain in enumerate(ranks):
            order = before[1 - side]
            if chain is None or (constraint != "1:1" and not _are_apart(order)):
                continue
            steps = chains.effort(len(chain), len(order))
            if steps > pair.budget.steps:
                continue
            pair.proof.steps += steps
            cells = self.cells if side == 0 else _transpose(self.cells)
            result = chains.heaviest_ascending(cells, chain, chains.strict(order))
            return self._among_all(result if side == 0 else [(p, q) for q, p in result])
        return None

    def choose(self, pair: Pair, constraint: Constraint) -> list[Cell]:
        """The heaviest choice of cells that do not exclude one another."""
        cells, (proof, budget) = self.cells, (pair.proof, pair.budget)
        if not cells:
            return self._among_all(self.settled)
        members = list(cells)
        self._rows, self._columns = np.array(members, dtype=np.int64).reshape(-1, 2).T
        single = constraint in ("1:1", "1:n"), constraint in ("1:1", "n:1")
        pairs = Places(self._rows, self._columns, single)
        search = Choosing(
            list(cells.values()),
            partial(self._clashes, single),
            budget.steps,
            clock(budget.seconds),
        )
        bound = worth(cells, constraint)
        choice = independent_set.heaviest(search, self._by_promise(), bound, pairs)
        kept = [members[k] for k in choice.chosen]
        proof.steps += choice.steps
        earned = sum_exactly(cells[cell] for cell in kept)
        if choice.bound - earned > CERTAIN * max(1, earned):
            proof.proven = False
            proof.gap += choice.bound - earned
        return self._among_all(self.settled + kept)

    def _clashes(self, single: tuple[bool, bool], number: int) -> Table:
        """Return the pairs that one pair excludes."""
        row, column = self._rows[number], self._columns[number]
        gold, system = self.relations
        clash: Table
        clash = gold[row, self._rows] != system[column, self._columns]
        clash |= gold[self._rows, row] != system[self._columns, column]
        if single[0]:
            clash |= self._rows == row
        if single[1]:
            clash |= self._columns == column
        clash[number] = False
        return clash

    def _by_promise(self) -> list[int]:
        """Pairs by what they earn, then by how alike their places in the order are."""
        gold, system = self.relations
        amounts = np.array([float(amount) for amount in self.cells.values()])
        unlike = np.zeros(len(amounts), dtype=np.int64)
        for axis in (0, 1):
            left, right = gold.sum(axis=axis), system.sum(axis=axis)
            unlike += np.abs(left[self._rows] - right[self._columns])
        order: list[int] = np.lexsort((unlike, -amounts)).tolist()
        return order


def _transpose(cells: Sparse) -> Sparse:
    """The same with the sides exchanged."""
    return {(q, p): amount for (p, q), amount in cells.items()}


def _are_apart(before: Table) -> bool:
    """Return true if no two members are before each other."""
    both = before & before.T
    return int(both.sum()) == len(before)


def _table(order: Reachable, view: View, members: Elements) -> Table:
    """Return the order of members as a table by position."""
    reach = before(order, view)
    size = len(reach)
    table = np.zeros((size, size), dtype=np.bool_)
    for node, others in enumerate(reach):
        table[node, list(others)] = True
    chosen = np.array(members, dtype=np.int64)
    between: Table = table[np.ix_(chosen, chosen)]
    return between
