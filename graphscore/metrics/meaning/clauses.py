"""Clauses of two graphs that match under a map of their variables.

A clause speaks of up to three variables, and matches only if all of them correspond.
The search (:mod:`graphscore.correspondence`) knows pairs: so a clause of three is an
object of its own, which corresponds to a clause of the other side, or to a stand-in
that nothing else corresponds to.  The stand-in earns 2, and each of the three
variables earns 1 beside its clause: all three earn one more than the stand-in, fewer
never do.  What stand-ins earn is taken off again, so that score and bound are numbers
of clauses.  (That a product of several is the best sum over one more choice is from
Freedman and Drineas 2005, "Energy Minimization via Graph Cuts: Settling What is
Possible"; here the choice is what the clause corresponds to.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from graphscore.correspondence import (
    Budget,
    Correspondence,
    LinkPairs,
    Problem,
    solve,
)
from graphscore.correspondence.problem import Integers
from graphscore.model.graph import Graph
from graphscore.structures.discourse import Clause, Kind, Term

STAND_IN = 2
"""Reward of a clause without a counterpart: one less than its number of variables."""

Key = tuple[str | None, ...]
"""Compared part of a clause: its operator and its constants, by position."""

Variables = tuple[int, ...]


class Statement(NamedTuple):
    """A clause as it is compared."""

    key: Key
    variables: Variables
    tuple_type: Kind
    label: str
    """Label that it is counted under: its operator as written, unless ignored."""
    clause: Clause
    """The first one that says it."""


def statement_of(
    clause: Clause, operator: str, terms: tuple[Term, ...], label: str
) -> Statement:
    """A clause as it is compared.

    Args:
        clause: as the graph says it.
        operator: its operator, as compared.
        terms: its box and arguments, as compared.
        label: what it is counted as.

    Example:
        >>> drs = Clause("roles", "Name", (0, 1, '"tom"'), "node", 2)
        >>> statement_of(drs, "Name", drs.terms, "Name")[:2]
        (('Name', None, None, '"tom"'), (0, 1))
    """
    key = (operator, *(term if isinstance(term, str) else None for term in terms))
    variables = tuple(term for term in terms if not isinstance(term, str))
    return Statement(key, variables, clause.kind, label, clause)


class Statements:
    """Statements of a graph, prepared for comparing.

    Args:
        graph: where it comes from.
        statements: none of them twice.

    Attributes:
        variables: the node behind each variable, in the order in which they are met.
        by_key: statements by what is compared as written, with their variables
            numbered in that order, and their places.
        triples: how many statements speak of three variables.
    """

    __slots__ = ("by_key", "graph", "places", "statements", "triples", "variables")

    def __init__(self, graph: Graph, statements: Iterable[Statement]) -> None:
        self.graph = graph
        self.statements = list(statements)
        self.variables: list[int] = []
        self.by_key: dict[Key, list[tuple[Variables, int]]] = {}
        self.places: dict[tuple[Key, Variables], int] = {}
        numbers: dict[int, int] = {}
        self.triples = 0
        for index, statement in enumerate(self.statements):
            for node in statement.variables:
                if node not in numbers:
                    numbers[node] = len(numbers)
                    self.variables.append(node)
            variables = tuple(numbers[node] for node in statement.variables)
            self.by_key.setdefault(statement.key, []).append((variables, index))
            self.places[statement.key, statement.variables] = index
            self.triples += len(variables) == 3

    def matches(
        self, opposite: Statements, partner: dict[int, int], symmetric: frozenset[str]
    ) -> Iterator[tuple[int, int]]:
        """Places of statements that match under a map, with those of the other side.

        Args:
            opposite: what the other side says.
            partner: for nodes that correspond to something the other side's node.
            symmetric: operators whose two arguments may change places.
        """
        taken: set[int] = set()
        turned = []
        for index, statement in enumerate(self.statements):
            image = tuple(partner.get(node, -1) for node in statement.variables)
            counterpart = opposite.places.get((statement.key, image))
            if counterpart is not None:
                taken.add(counterpart)
                yield index, counterpart
            elif statement.key[0] in symmetric and len(image) == 3:
                turned.append((index, statement.key, (image[0], image[2], image[1])))
        for index, key, image in turned:
            counterpart = opposite.places.get((key, image))
            if counterpart is not None and counterpart not in taken:
                taken.add(counterpart)
                yield index, counterpart


def best_map(
    gold: Statements, system: Statements, symmetric: frozenset[str], budget: Budget
) -> Correspondence:
    """The map of variables under which most statements match.

    Args:
        gold: what gold says.
        system: what the system says.
        symmetric: operators whose two arguments may change places.
        budget: how much work may be spent.

    Returns:
        Pairs of nodes; score and bound are numbers of statements.
    """
    if gold.places == system.places:
        same = tuple((node, node) for node in gold.variables)
        size = len(gold.statements)
        return Correspondence(same, size, size, True, 0, "identical")
    build = _Build(gold, system, symmetric)
    result = solve(build.problem(), budget)
    gold_variables, system_variables = gold.variables, system.variables
    pairs = tuple(
        (gold_variables[i], system_variables[j])
        for i, j in result.pairs
        if i < len(gold_variables) and j < len(system_variables)
    )
    less = STAND_IN * gold.triples - build.always
    return result._replace(
        pairs=pairs, score=result.score - less, bound=result.bound - less
    )


class _Build:
    """The correspondence problem of two sets of statements.

    Attributes:
        always: how many statements match whatever the map is, having no variables.
    """

    def __init__(
        self, gold: Statements, system: Statements, symmetric: frozenset[str]
    ) -> None:
        self.gold, self.system = gold, system
        gold_size, system_size = len(gold.variables), len(system.variables)
        self.own, self.other = gold_size, system_size
        rows = gold_size + gold.triples
        columns = system_size + system.triples + gold.triples
        self.reward: Integers = np.zeros((rows, columns), dtype=np.int64)
        stand_ins = np.arange(gold.triples)
        self.reward[gold_size + stand_ins, system_size + system.triples + stand_ins] = (
            STAND_IN
        )
        self.links: list[tuple[int, int, int, int]] = []
        self.always = 0
        # A clause of three variables is an object: here they are numbered by place.
        rows_of = _numbered(gold, gold_size)
        columns_of = _numbered(system, system_size)
        for key, value in gold.by_key.items():
            candidates = system.by_key.get(key)
            if candidates is None:
                continue
            size = len(value[0][0])
            if size == 3:
                turns = key[0] in symmetric
                for left, position in value:
                    row = rows_of[position]
                    for right, candidate in candidates:
                        self._three(row, left, columns_of[candidate], right, turns)
            elif size == 2:
                for left, _ in value:
                    for right, _ in candidates:
                        self._two(left, right)
            elif size == 1:
                for (i,), _ in value:
                    for (j,), _ in candidates:
                        self.reward[i, j] += 1
            else:
                self.always += 1

    def _two(self, left: Variables, right: Variables) -> None:
        (i, k), (j, m) = left, right
        if i != k and j != m:
            self.links.append((i, k, j, m))
        elif i == k and j == m:
            self.reward[i, j] += 1

    def _three(
        self, row: int, left: Variables, column: int, right: Variables, turns: bool
    ) -> None:
        self.links += [(row, i, column, j) for i, j in zip(left, right, strict=True)]
        # Of one variable said twice both orders are the same, and would count twice.
        if turns and left[1] != left[2] and right[1] != right[2]:
            self.links += [
                (row, left[1], column, right[2]),
                (row, left[2], column, right[1]),
            ]

    def problem(self) -> Problem:
        """Rewards and link pairs, each of weight 1."""
        links = np.array(self.links, dtype=np.int64).reshape(-1, 4)
        i, k, j, m = np.ascontiguousarray(links.T)
        weight = np.ones(len(links), dtype=np.int64)
        return Problem(self.reward, LinkPairs(i, k, j, m, weight))


def _numbered(side: Statements, first: int) -> dict[int, int]:
    """The object of each statement of three variables, by its place."""
    indices = (
        k
        for k, statement in enumerate(side.statements)
        if len(statement.variables) == 3
    )
    return {index: number for number, index in enumerate(indices, first)}
