"""Triples that two graphs share: counts, matches and errors under a map.

What every metric on triples needs once it has laid out both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.meaning.triples import (
    ATTRIBUTES,
    INSTANCES,
    RELATIONS,
    Triples,
    kind_of,
)
from graphscore.metrics.meaning.unambiguous import evident_where_it_pays
from graphscore.model.outcome import Match
from graphscore.model.outcome_builder import (
    Described,
    OutcomeBuilder,
    both_ways,
    unlike,
)
from graphscore.model.tuples import Fact as Said

if TYPE_CHECKING:
    from graphscore.correspondence.problem import Problem

Unmatched = tuple[int, Said, int | None, str]
"""The sort of a triple, the triple, its object's counterpart, and the reason."""


class CommonTriples:
    """Triples that two graphs could share.

    Args:
        gold: triples of the gold graph.
        system: triples of the system graph.
    """

    def __init__(self, gold: Triples, system: Triples) -> None:
        self.gold, self.system = gold, system
        self.pairs = gold.conventions.duplicates == "pairs"
        alone = gold.single and system.single
        self.once = alone or (not self.pairs and (gold.single or system.single))
        """True if every pair matches once."""

    def plain_map(self, budget: Budget, ties: str) -> Correspondence | None:
        """The best correspondence of the nodes, where it is plain."""
        gold, system = self.gold, self.system
        if gold.same(system) and (gold.single or not self.pairs):
            size = sum(gold.totals)
            same = tuple((k, k) for k in range(gold.size))
            return Correspondence(same, size, size, True, 0, "identical")
        if self.once and ties == "found":
            return evident_where_it_pays(gold, system, False, budget)
        return None

    def problem(self) -> Problem:
        """What is searched where the best correspondence is not plain."""
        from graphscore.metrics.meaning.triple_pairs import TriplePairs

        return TriplePairs(self.gold, self.system, self.once).problem()

    def _worth(self, left: int, right: int) -> int:
        """Return how often a triple matches, from its count on each side."""
        return left * right if self.pairs else min(left, right)

    def facts(self, partner: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
        """Facts that match under a map: the gold node, the sort, how often."""
        gold, system = self.gold, self.system
        for node, value in partner.items():
            system_facts = system.said[value]
            for fact, position in gold.said[node].items():
                if fact in system_facts:
                    amount = system.fact_counts[system_facts[fact]]
                    worth = self._worth(gold.fact_counts[position], amount)
                    yield node, kind_of(fact), worth

    def relations(self, partner: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
        """Relations that match under a map: their positions, how often."""
        gold, system = self.gold, self.system
        numbers = system.relations
        for (source, target, label), position in gold.relations.items():
            ends = partner.get(source, -1), partner.get(target, -1)
            image = numbers.get((*ends, label))
            if image is not None:
                amount = system.relation_counts[image]
                worth = self._worth(gold.relation_counts[position], amount)
                yield position, image, worth

    def matched(self, partner: Mapping[int, int]) -> tuple[int, int, int]:
        """Matched instances, attributes and relations under a map."""
        counts = [0, 0]
        if not self.once:
            for _, tuple_type, worth in self.facts(partner):
                counts[tuple_type] += worth
            relations = sum(worth for _, _, worth in self.relations(partner))
            return counts[INSTANCES], counts[ATTRIBUTES], relations
        left, right = self.gold.said, self.system.said
        for node, value in partner.items():
            system_facts = right[value]
            for fact in left[node]:
                if fact in system_facts:
                    counts[fact[0] != "instance"] += 1
        images = self.system.relations
        relations = 0
        for source, target, label in self.gold.relations:
            ends = partner.get(source, -1), partner.get(target, -1)
            relations += (*ends, label) in images
        return counts[INSTANCES], counts[ATTRIBUTES], relations


def enter_triple_matches(
    builder: OutcomeBuilder, common: CommonTriples, correspondence: Correspondence
) -> None:
    """Enter nodes and edges that correspond, where both are of the graph read.

    Where a role was reified, a node can correspond to an edge: that is shown by
    neither, since matches join objects of one sort.
    """
    gold, system = common.gold, common.system
    partner = dict(correspondence.pairs)
    credit = dict.fromkeys(partner, 0)
    for node, _, worth in common.facts(partner):
        credit[node] += worth
    enter, row = builder.matches.append, tuple.__new__
    gold_nodes, system_nodes = gold.rewritten.nodes, system.rewritten.nodes
    for first, second in correspondence.pairs:
        (what, left), (counterpart, right) = gold_nodes[first], system_nodes[second]
        if what == counterpart:
            enter(row(Match, (what, left, right, float(credit[first]), None, 0)))
    for number, image, worth in common.relations(partner):
        (what, left), (counterpart, right) = gold.edge_of(number), system.edge_of(image)
        if what == counterpart:
            enter(row(Match, (what, left, right, float(worth), None, 0)))


def enter_triple_errors(
    builder: OutcomeBuilder,
    tuple_types: Sequence[str],
    gold: Triples,
    system: Triples,
    partner: Mapping[int, int],
) -> None:
    """Enter triples without a match: gold's are missing, the system's spurious.

    Args:
        builder: where they go.
        tuple_types: what errors of instances, attributes and relations are called.
        gold: triples of the gold graph.
        system: triples of the system graph.
        partner: for gold nodes that correspond to something their system node.
    """
    for side, left, right, known in both_ways(gold, system, partner):
        for sort, fact, counterpart, reason in _unmatched(left, right, known):
            described = Described(
                tuple_types[sort],
                fact.ordinal,
                counterpart,
                fact.object,
                label=fact.label,
                name=fact.name,
                value=fact.value,
                compared=unlike(fact.compared, fact.value),
                reason=reason,
            )
            builder.error(side, described)


def _unmatched(
    left: Triples, right: Triples, partner: Mapping[int, int]
) -> Iterator[Unmatched]:
    """Triples of *left* beyond those that the map finds in *right*.

    Yields the sort of the triple, the triple, the ordinal of its object's counterpart
    where that is of the same sort, and the reason.
    """
    yield from _unmatched_facts(left, right, partner)
    yield from _unmatched_relations(left, right, partner)


def _left(triples: Triples, amount: int, found_amount: int | None) -> int:
    """Return how often a triple is unmatched, from its count on each side."""
    if found_amount is None:
        return amount
    pairs = triples.conventions.duplicates == "pairs"
    return 0 if pairs else max(amount - found_amount, 0)


def _unmatched_facts(
    left: Triples, right: Triples, partner: Mapping[int, int]
) -> Iterator[Unmatched]:
    counts, others = left.fact_counts, right.fact_counts
    for (node, fact), position in left.facts.items():
        amount = counts[position]
        counterpart = partner.get(node)
        if counterpart is None:
            for shown in left.fact_said(position)[:amount]:
                yield kind_of(fact), shown, None, "no counterpart"
            continue
        known = right.said[counterpart].get(fact)
        if known is not None and amount <= others[known]:
            continue
        rest = _left(left, amount, None if known is None else others[known])
        if not rest:
            continue
        origin = right.object_of(counterpart)
        same = origin.object == left.object_of(node).object
        # A fact of the same sort, and of the same name for a property.
        differs = known is None and any(
            rival[:-1] == fact[:-1] for rival in right.said[counterpart]
        )
        for shown in left.fact_said(position)[amount - rest : amount]:
            yield (
                kind_of(fact),
                shown,
                origin.ordinal if same else None,
                "differs" if differs else "absent",
            )


def _unmatched_relations(
    left: Triples, right: Triples, partner: Mapping[int, int]
) -> Iterator[Unmatched]:
    between: dict[tuple[int, int], int] | None = None
    counts, others = left.relation_counts, right.relation_counts
    for (source, end, label), position in left.relations.items():
        amount = counts[position]
        first, second = partner.get(source), partner.get(end)
        if first is None or second is None:
            for shown in left.relation_said(position)[:amount]:
                yield RELATIONS, shown, None, "no counterpart"
            continue
        known = right.relations.get((first, second, label))
        if known is not None and amount <= others[known]:
            continue
        rest = _left(left, amount, None if known is None else others[known])
        if not rest:
            continue
        if between is None:
            between = {}
            for (begin, close, _), relation in right.relations.items():
                between.setdefault((begin, close), relation)
        ordinal, reason = None, "absent"
        rival = between.get((first, second))
        if rival is not None:
            origin = right.edge_of(rival)
            if origin.object == left.edge_of(position).object:
                ordinal = origin.ordinal
            reason = "differs" if known is None else "absent"
        for shown in left.relation_said(position)[amount - rest : amount]:
            yield RELATIONS, shown, ordinal, reason
