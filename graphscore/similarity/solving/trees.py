"""Matchings that keep the order of trees: what is above and what is left (eq. 37).

The members are nodes of an ordered forest.  One must be above another if and only if
their partners are, and left of another likewise: a mapping of Tai (1979), which is what
a sequence of edits leaves in place.  So the heaviest of such matchings is found as the
tree edit distance is (``mapping``), in polynomial time; of trees whose siblings have no
order it is not known how (``ordering``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, NamedTuple

import numpy as np

from graphscore.model.graph import Value
from graphscore.similarity.base import Cell, Sparse
from graphscore.similarity.expression import Notation
from graphscore.similarity.features.elements import comparable
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.solving import mapping
from graphscore.similarity.solving.assignment import Constraint
from graphscore.similarity.solving.mapping import Forest, Integers
from graphscore.similarity.solving.ordering import (
    Order,
    Problem,
    clock,
    require_nodes,
)
from graphscore.similarity.view import Elements, Pair, View
from graphscore.structures.objects.shapes import StructureError


class Walk(NamedTuple):
    """Where nodes stand when one goes through their trees, by ordinal."""

    before: Integers
    """Each before all that is below it."""
    after: Integers
    """Each after all that is below it."""

    def turned(self) -> Walk:
        """The same walk from right to left."""
        return Walk(-self.after, -self.before)


@dataclass(frozen=True, repr=False)
class InTree(Order):
    """The orders of a forest: above and below, and from left to right.

    Args:
        label: only edges with this label make the forest.
    """

    call: ClassVar[str] = "in_tree"
    words: ClassVar[str] = "what is above and what is left being so on both sides"

    label: Value = None

    def check(self, collection: Collection, formula: str) -> None:
        """Only nodes stand in trees.

        Raises:
            FormulaError: if the members are something else.
        """
        require_nodes(collection, formula, "only they stand in trees")

    def spell(self, notation: Notation) -> str:
        """The sign for an order that is kept, with a tree's."""
        return "⊴" if not notation.delta.startswith("\\") else r"\trianglelefteq"

    def matching(
        self,
        pair: Pair,
        gold: Elements,
        system: Elements,
        cells: Sparse,
        constraint: Constraint,
    ) -> list[Cell]:
        """The heaviest mapping; within a budget that is too small, the best met."""
        walks = self._walk(pair.gold, gold), self._walk(pair.system, system)
        ends = np.fromiter(
            chain.from_iterable(cells), dtype=np.int64, count=2 * len(cells)
        ).reshape(-1, 2)
        # Only members that have a partner count.
        rows, row = np.unique(ends[:, 0], return_inverse=True)
        columns, column = np.unique(ends[:, 1], return_inverse=True)
        sides = _members(walks[0], gold, rows), _members(walks[1], system, columns)
        forests = min(
            (Forest.of(*sides[0]), Forest.of(*sides[1])),
            # The same from right to left, where branches may be fewer.
            (Forest.of(*sides[0].turned()), Forest.of(*sides[1].turned())),
            key=lambda both: mapping.effort(*both),
        )
        steps = mapping.effort(*forests)
        room = len(rows) * len(columns) <= mapping.ENTRIES
        if room and steps <= pair.budget.steps:
            weighted = mapping.Weighted(row, column, list(cells.values()))
            spent = clock(pair.budget.seconds)
            found = mapping.heaviest(weighted, *forests, spent)
            if found is not None:
                pair.proof.steps += steps
                return sorted((int(p), int(q)) for p, q in ends[found])
        relations = _relation(sides[0]), _relation(sides[1])
        problem = Problem.within(cells, relations)
        # Under "if and only if" two nodes with one partner would be one.
        return problem.chosen(pair, "1:1")

    def _walk(self, view: View, members: Elements) -> Walk:
        """Where nodes stand; members are there once.

        Raises:
            StructureError: if the edges make no forest, or a member is there twice.
        """
        walk: Walk = view.keep(self.token, lambda: walked(view, self.label))
        if len(set(members)) < len(members):
            [(node, count), *_] = Counter(members).most_common(1)
            raise StructureError(
                f"graph {view.graph.id!r}",
                f"node {view.graph.nodes[node].id!r} {count} times among what is "
                "matched in the order of trees",
                "every node once",
            )
        return walk


def in_tree(label: Value = None) -> InTree:
    """The orders of ordered trees: what is above, and what is left.

    Siblings stand as their edges do in the graph, trees as their roots do.  A matching
    that keeps both orders is a mapping of Tai (1979); the heaviest is found in
    polynomial time (Zhang and Shasha 1989), and is always one to one.

    Args:
        label: only edges with this label make the trees.

    Example:
        >>> from graphscore.similarity import exact, f1, label, match, nodes
        >>> print(f1(match(nodes(), exact(label), order=in_tree())))
        F↔nodes⊴[δ_label]
    """
    return InTree(label)


def walked(view: View, label: Value = None) -> Walk:
    """Where all nodes stand when one goes through the trees of a graph.

    Args:
        view: the graph.
        label: only edges with this label count.

    Raises:
        StructureError: for a node below two others, or below itself.
    """
    graph, places = view.graph, view.places()
    size = len(graph.nodes)
    below: list[list[int]] = [[] for _ in range(size)]
    above: list[int | None] = [None] * size
    same = comparable(label)
    for edge in graph.edges:
        if label is not None and comparable(edge.label) != same:
            continue
        source, target = places[edge.source], places[edge.target]
        owner = above[target]
        if owner is not None:
            ids = graph.nodes[owner].id, edge.source
            how = f"below {ids[0]!r} and {ids[1]!r}"
            if owner == source:
                how = f"twice below {ids[0]!r}"
            raise StructureError(
                f"graph {graph.id!r}",
                f"node {edge.target!r} {how}",
                "trees: every node below one other at most",
            )
        above[target] = source
        below[source].append(target)
    walk = Walk(np.full(size, -1), np.full(size, -1))
    opened = closed = 0
    for root in (node for node, owner in enumerate(above) if owner is None):
        stack = [root]
        while stack:
            node = stack[-1]
            if walk.before[node] < 0:
                walk.before[node], opened = opened, opened + 1
                stack += reversed(below[node])
            else:
                walk.after[stack.pop()], closed = closed, closed + 1
    if opened < size:
        raise _cycle(view, above, int(np.flatnonzero(walk.before < 0)[0]))
    return walk


def _cycle(view: View, above: list[int | None], start: int) -> StructureError:
    """What is said of nodes that are below themselves."""
    way: list[int] = []
    here: int | None = start
    while here is not None and here not in way:
        way.append(here)
        here = above[here]
    way = way[way.index(here) :] if here is not None else way
    ids = [view.graph.nodes[node].id for node in [*way, way[0]]][::-1]
    shown = " → ".join(map(str, ids if len(ids) < 10 else [*ids[:5], "…", *ids[-3:]]))
    return StructureError(
        f"graph {view.graph.id!r}",
        f"a cycle of nodes, {shown}",
        "trees: no node below itself",
    )


def _members(walk: Walk, members: Elements, chosen: Integers) -> Walk:
    """Where some members stand."""
    nodes = np.array(members, dtype=np.int64)[chosen]
    return Walk(walk.before[nodes], walk.after[nodes])


def _relation(walk: Walk) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """For every two nodes 1 where one is above the other, 2 where it is left of it."""
    first = walk.before[:, None] <= walk.before
    last = walk.after[:, None] >= walk.after
    found = np.where(first, np.where(last, 1, 2), 0)
    return found.astype(np.int8)


__all__ = ["InTree", "in_tree", "walked"]
