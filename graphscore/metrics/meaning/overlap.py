"""Overlap of two prepared graphs, before any correspondence is chosen.

Every metric with a one-to-one correspondence of nodes lays a graph out in the
same way: *facts* of single nodes and *edges* between two of them, each with the
number of what it says.  Joining the numbers of both sides gives the pairs of
facts and of edges that could match; the correspondence search does the rest.

A fact may be said several times.  Where it counts as often as it is said (a
multiset), ``fact_amounts`` and ``edge_amounts`` tell how often, and a pair is
worth the smaller of the two numbers, unless ``joint`` says otherwise; without
them everything counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphscore.correspondence import LinkPairs, Preference, Problem
from graphscore.correspondence.problem import SCALE
from graphscore.model.fact_arrays import FactArrays, Integers, common_codes
from graphscore.model.frameworks import ANCHORS, LABELS, PROPERTIES, TOPS
from graphscore.model.tuples import Facts

if TYPE_CHECKING:
    from graphscore.correspondence.edge_groups import EdgeGroups

LAYER = 1 << 40
"""Keys of edges that are said once more are so much higher."""

BESIDES = 1 << 20
"""The first number of what edges say beside their labels."""

COUPLINGS = 1_500_000
"""Pairs of equal edges up to which they are written out: some 500 MB."""


def _equal(gold: Integers, system: Integers) -> tuple[Integers, Integers]:
    """Positions of equal codes on both sides."""
    left, right = (gold[:, None] == system).nonzero()
    return left, right


def _fit(gold: Integers, system: Integers) -> bool:
    """Return true if the pairs of equal codes are few enough to be enumerated."""
    if len(gold) * len(system) <= COUPLINGS:
        return True
    known = system[system >= 0]
    size = 1 + max(gold.max(initial=-1), known.max(initial=-1))
    counts = (np.bincount(codes, minlength=size) for codes in (gold, known))
    left, right = counts
    return int((left * right).sum()) <= COUPLINGS


class Parts(Sequence[Preference]):
    """Parts of an objective, most important first, each made when it is asked for.

    Args:
        makers: make them.
    """

    def __init__(self, *makers: Callable[[], Preference]) -> None:
        self._makers = makers
        self._made: dict[int, Preference] = {}

    def __len__(self) -> int:
        return len(self._makers)

    def __getitem__(self, position: Any) -> Any:
        if position not in self._made:
            self._made[position] = self._makers[position]()
        return self._made[position]


class CommonFacts:
    """Pairs of equal facts and of equally labelled edges of two graphs.

    Args:
        gold: the gold graph, laid out.
        system: the system graph, laid out in the same way.
        fact_amounts: how often each fact is said, of both sides; ``None`` where
            facts are a set.
        edge_amounts: likewise of edges.
        joint: how often a pair matches, from the two amounts.

    Attributes:
        fact_gold, fact_system: the nodes of each pair of facts.
        gold_edges, system_edges: positions of the two edges of each pair.
        links: the pairs of edges with what they are worth.
    """

    def __init__(
        self,
        gold: FactArrays,
        system: FactArrays,
        fact_amounts: tuple[Integers, Integers] | None = None,
        edge_amounts: tuple[Integers, Integers] | None = None,
        joint: Callable[[Integers, Integers], Integers] = np.minimum,
    ) -> None:
        self.gold, self.system = gold, system
        left, right = _equal(*common_codes(gold.facts, system.facts))
        self._gold_facts = left
        self.fact_gold = gold.fact_nodes[left]
        self.fact_system = system.fact_nodes[right]
        self.fact_worth = _amounts(fact_amounts, left, right, joint)
        self.edge_amounts, self.joint = edge_amounts, joint
        self.label_codes = common_codes(gold.labels, system.labels)
        self.joined = _fit(*self.label_codes)
        """True if all pairs of equal edges are enumerated."""
        if self.joined:
            self._pair(*_equal(*self.label_codes))
        else:
            # Only loops, which are rewards.
            self._pair(*self._equal_loops())

    def _pair(self, gold_edges: Integers, system_edges: Integers) -> None:
        """Take these pairs of edges for those that there are."""
        self.gold_edges, self.system_edges = gold_edges, system_edges
        gold, system = self.gold, self.system
        amounts = _amounts(self.edge_amounts, gold_edges, system_edges, self.joint)
        self.links = LinkPairs(
            gold.edge_ends[0][gold_edges],
            gold.edge_ends[1][gold_edges],
            system.edge_ends[0][system_edges],
            system.edge_ends[1][system_edges],
            self.worth(
                np.ones(len(gold_edges), np.int64) if amounts is None else amounts
            ),
        )

    @property
    def fact_tuple_types(self) -> Integers:
        """The tuple type of each pair of facts."""
        return self.gold.fact_tuple_types[self._gold_facts]

    def _equal_loops(self) -> tuple[Integers, Integers]:
        ends = self.gold.edge_ends, self.system.edge_ends
        first, second = (np.flatnonzero(end[0] == end[1]) for end in ends)
        left, right = _equal(self.label_codes[0][first], self.label_codes[1][second])
        return first[left], second[right]

    def layers(self) -> EdgeGroups:
        """The edges of both sides by what they say, not paired."""
        from graphscore.correspondence.edge_groups import EdgeGroups, Edges

        sides = []
        for side, codes in enumerate(self.label_codes):
            amounts = self.edge_amounts[side] if self.edge_amounts else None
            every = np.arange(len(codes))
            columns = [
                (every, codes, np.ones_like(codes) if amounts is None else amounts)
            ]
            columns += self.said_besides(side)
            edges, keys, counts = (
                np.concatenate(column) for column in zip(*columns, strict=True)
            )
            if amounts is not None and self.joint is np.minimum:
                # The smaller of two amounts is how many layers both reach.
                layer = np.arange(int(counts.sum()))
                layer -= np.repeat(np.cumsum(counts) - counts, counts)
                edges, keys = np.repeat(edges, counts), np.repeat(keys, counts)
                keys = np.where(keys < 0, -1, keys + layer * LAYER)
                counts = np.ones_like(keys)
            ends = (self.gold, self.system)[side].edge_ends[:, edges]
            known = keys >= 0
            source, target = ends[:, known]
            sides.append(Edges(source, target, keys[known], counts[known]))
        return EdgeGroups(sides[0], sides[1], (self.gold.size, self.system.size))

    def said_besides(self, side: int) -> list[tuple[Integers, Integers, Integers]]:
        """Return the attributes of edges beside their label, for :meth:`layers`.

        Args:
            side: 0 for gold, 1 for the system.

        Returns:
            Positions of edges, a number from :data:`BESIDES` on for what they say,
            equal on both sides for the same, and how often.
        """
        return []

    def worth(self, amounts: Integers) -> Integers:
        """Return the weights of pairs of edges that match *amounts* times.

        A metric whose edges carry more than a label adds what else matches.
        """
        return amounts

    @cached_property
    def loops(self) -> Integers:
        """Pairs of edges that are self-loops on both sides: they reward a node."""
        links = self.links
        return np.flatnonzero(
            (links.gold_source == links.gold_target)
            & (links.system_source == links.system_target)
        )

    def reward(
        self, edges: Integers | int, chosen: Integers | slice = slice(None)
    ) -> Integers:
        """A reward table from facts and from self-loops.

        Args:
            edges: what each pair of edges is worth.
            chosen: positions of the ``fact_`` arrays that count; all of them if
                not given.
        """
        rows, columns = self.gold.size, self.system.size
        cells = self.fact_gold[chosen] * columns + self.fact_system[chosen]
        worth = None if self.fact_worth is None else self.fact_worth[chosen]
        table = np.bincount(cells, worth, rows * columns).astype(np.int64)
        loops = self.loops
        if len(loops):
            worth = np.broadcast_to(edges, len(self.gold_edges))[loops]
            cells = self.links.gold_source[loops] * columns
            np.add.at(table, cells + self.links.system_source[loops], worth)
        return table.reshape(rows, columns)

    def facts_alone(self, tuple_type: int) -> Preference:
        """What pairs earn by facts of one tuple type.

        Args:
            tuple_type: its number.
        """
        chosen = np.flatnonzero(self.fact_tuple_types == tuple_type)
        return Preference(self.reward(0, chosen), 0 * self.links.weight)

    def edges_alone(self, worth: Integers) -> Preference:
        """What pairs earn by edges.

        Args:
            worth: what each pair of edges is worth.
        """
        return Preference(self.reward(worth, np.empty(0, dtype=np.int64)), worth)

    def build(
        self,
        ordered: bool,
        preferences: Sequence[Preference] = (),
        hint: Callable[[], Integers] | None = None,
    ) -> Problem:
        """The correspondence problem of the two graphs.

        Args:
            ordered: whether maps must preserve the order of the nodes.
            preferences: parts of the objective, most important first.
            hint: favours pairs of nodes as a start of the search.
        """
        reward = self.reward(self.links.weight)
        return Problem(
            reward,
            self.links,
            ordered,
            preferences if self.joined else (),
            hint,
            self.layers,
            self.joined,
        )


def _amounts(
    amounts: tuple[Integers, Integers] | None,
    left: Integers,
    right: Integers,
    joint: Callable[[Integers, Integers], Integers],
) -> Integers | None:
    """Return how often each pair matches, or ``None`` if always once."""
    return None if amounts is None else joint(amounts[0][left], amounts[1][right])


class Overlap(CommonFacts):
    """Overlap of two graphs, before any correspondence is chosen.

    Args:
        gold: tuples of the gold graph.
        system: tuples of the system graph.
    """

    def __init__(self, gold: Facts, system: Facts) -> None:
        self.facts = gold, system
        super().__init__(gold.arrays, system.arrays)

    def worth(self, amounts: Integers) -> Integers:
        """A pair of edges is worth itself and the attributes that both have."""
        return amounts + self.common_attributes

    @cached_property
    def common_attributes(self) -> Integers:
        """Shared attribute tuples of each pair of equally labelled edges."""
        shared = np.zeros(len(self.gold_edges), dtype=np.int64)
        left, right = (facts.attributes for facts in self.facts)
        if left and right:
            carriers = np.isin(self.gold_edges, list(left))
            carriers &= np.isin(self.system_edges, list(right))
            for k in np.flatnonzero(carriers).tolist():
                first = left[int(self.gold_edges[k])]
                second = right[int(self.system_edges[k])]
                shared[k] = len(first.keys() & second.keys())
        return shared

    def said_besides(self, side: int) -> list[tuple[Integers, Integers, Integers]]:
        """The attributes that edges with a common label have on both sides."""
        numbers: dict[tuple[int, tuple[str, str]], int] = {}
        rows: tuple[list[tuple[int, int, int]], ...] = ([], [])
        for number, facts in enumerate(self.facts):
            for edge, attributes in facts.attributes.items():
                code = int(self.label_codes[number][edge])
                for attribute in attributes:
                    key = numbers.setdefault((code, attribute), len(numbers))
                    rows[number].append((edge, BESIDES + key if code >= 0 else -1, 1))
        columns = np.array(rows[side], dtype=np.int64).reshape(-1, 3).T
        return [(columns[0], columns[1], columns[2])]

    def problem(self, ordered: bool) -> Problem:
        """The correspondence problem of the two graphs."""
        facts = (
            partial(self.facts_alone, tuple_type)
            for tuple_type in (TOPS, LABELS, PROPERTIES, ANCHORS)
        )
        edges = (
            lambda: self.edges_alone(np.ones(len(self.gold_edges), dtype=np.int64)),
            lambda: self.edges_alone(self.common_attributes),
        )
        return self.build(ordered, Parts(*facts, *edges), self.anchor_hint)

    def anchor_hint(self) -> Integers:
        """Favour nodes whose characters overlap, their descendants' included.

        In units of the search's scale: less than one tuple, more for a larger
        common share.
        """
        gold, system = map(_yields, self.facts)
        table = np.zeros((len(gold), len(system)), dtype=np.int64)
        for i, left in enumerate(gold):
            if left:
                for j, right in enumerate(system):
                    common = left & right
                    if common:
                        share = common.bit_count() / (left | right).bit_count()
                        table[i, j] = int(share * (SCALE - 1))
        return table


def _yields(graph: Facts) -> list[int]:
    """Characters of every node and of what it leads to."""
    yields = [0] * graph.size
    for node, facts in enumerate(graph.said):
        for key in facts:
            if key[0] == ANCHORS:
                yields[node] |= key[1]
    changed = True
    while changed:
        changed = False
        for source, target, _ in graph.edge_numbers:
            union = yields[source] | yields[target]
            if union != yields[source]:
                yields[source] = union
                changed = True
    return yields
