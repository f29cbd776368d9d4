"""Triples that two graphs share: counts, matches and errors under a map.

What every metric on triples needs once it has laid out both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from graphscore.correspondence import Budget, Correspondence, Preference, solve
from graphscore.metrics.meaning.overlap import (
    CommonFacts,
    Integers,
    Parts,
    both_ways,
    enter_unmatched,
)
from graphscore.metrics.meaning.triples import (
    ATTRIBUTES,
    INSTANCES,
    PARTS,
    RELATIONS,
    Triples,
)
from graphscore.model.ledger import Ledger
from graphscore.model.tuples import Fact as Said

Unmatched = tuple[int, Said, int | None, str]
"""The sort of a triple, the triple, its object's counterpart, and the reason."""


class CommonTriples(CommonFacts[Triples]):
    """Triples that two graphs could share.

    Args:
        gold: triples of the gold graph.
        system: triples of the system graph.
    """

    def __init__(self, gold: Triples, system: Triples) -> None:
        self.pairs = gold.conventions.duplicates == "pairs"
        alone = gold.single and system.single
        if alone or (not self.pairs and (gold.single or system.single)):
            # Then every pair matches once.
            super().__init__(gold, system)
        else:
            super().__init__(
                gold,
                system,
                (gold.fact_amounts, system.fact_amounts),
                (gold.edge_amounts, system.edge_amounts),
                np.multiply if self.pairs else np.minimum,
            )

    def solve(self, budget: Budget, ties: str) -> Correspondence:
        """The best correspondence of the nodes."""
        if self.gold.same(self.system) and (self.gold.single or not self.pairs):
            size = sum(self.gold.totals)
            same = tuple((k, k) for k in range(self.gold.size))
            return Correspondence(same, size, size, True, 0, "identical")
        preferences = Parts(len(PARTS), self._preferences)
        return solve(self.build(False, preferences), budget, ties)

    def _preferences(self) -> list[Preference]:
        """Instances, attributes, relations."""
        weight = self.links.weight
        none = np.empty(0, dtype=np.int64)
        parts = [
            Preference(
                self.reward(0, np.flatnonzero(self.fact_kinds == kind)), 0 * weight
            )
            for kind in (INSTANCES, ATTRIBUTES)
        ]
        return [*parts, Preference(self.reward(weight, none), weight)]

    def matched(self, target: Integers) -> tuple[int, int, int]:
        """Matched instances, attributes and relations under a map."""
        facts, edges = self.matching(target)
        worth = None if self.fact_worth is None else self.fact_worth[facts]
        counts = np.bincount(self.fact_kinds[facts], worth, 2)
        relations = int(self.links.weight[edges].sum())
        return int(counts[INSTANCES]), int(counts[ATTRIBUTES]), relations


def enter_triple_matches(
    ledger: Ledger, common: CommonTriples, found: Correspondence, target: Integers
) -> None:
    """Enter nodes and edges that correspond, where both are of the graph read.

    Where a role was reified, a node can correspond to an edge: that is shown by
    neither, since matches join objects of one sort.
    """
    gold, system = common.gold, common.system
    facts, edges = common.matching(target)
    credit = np.zeros(gold.size, dtype=np.int64)
    worth = 1 if common.fact_worth is None else common.fact_worth[facts]
    np.add.at(credit, common.fact_gold[facts], worth)
    joined = [
        (gold.object_of(one), system.object_of(two), credit[one])
        for one, two in found.pairs
    ]
    for k in edges.tolist():
        left = gold.edge_of(int(common.gold_edges[k]))
        right = system.edge_of(int(common.system_edges[k]))
        joined.append((left, right, common.links.weight[k]))
    for left, right, earned in joined:
        if left.object == right.object:
            ledger.match(left.ordinal, right.ordinal, float(earned), left.object)


def enter_triple_errors(
    ledger: Ledger,
    kinds: Sequence[str],
    gold: Triples,
    system: Triples,
    target: Integers,
) -> None:
    """Enter triples without a match: gold's are missing, the system's surplus.

    Args:
        ledger: where they go.
        kinds: what errors of instances, attributes and relations are called.
        gold: triples of the gold graph.
        system: triples of the system graph.
        target: for each gold node its system node, or -1.
    """
    forward = {one: two for one, two in enumerate(target.tolist()) if two >= 0}
    for side, mine, theirs, partner in both_ways(gold, system, forward):
        for unmatched in _unmatched(mine, theirs, partner):
            enter_unmatched(ledger, side, kinds[unmatched[0]], *unmatched[1:])


def _unmatched(
    mine: Triples, theirs: Triples, partner: Mapping[int, int]
) -> Iterator[Unmatched]:
    """Triples of *mine* beyond those that the map finds in *theirs*.

    Yields the sort of the triple, the triple, the ordinal of its object's counterpart
    where that is of the same sort, and the reason.
    """
    yield from _unmatched_facts(mine, theirs, partner)
    yield from _unmatched_relations(mine, theirs, partner)


def _left(mine: Triples, amount: int, there: int | None) -> int:
    """How often a triple is unmatched that is said *amount* and *there* times."""
    if there is None:
        return amount
    pairs = mine.conventions.duplicates == "pairs"
    return 0 if pairs else max(amount - there, 0)


def _unmatched_facts(
    mine: Triples, theirs: Triples, partner: Mapping[int, int]
) -> Iterator[Unmatched]:
    stems = {(node, fact[:-1]) for node, fact in theirs.facts}
    for (node, fact), position in mine.facts.items():
        amount, part = int(mine.fact_amounts[position]), int(mine.fact_kinds[position])
        other = partner.get(node)
        if other is None:
            for said in mine.fact_said(position)[:amount]:
                yield part, said, None, "no counterpart"
            continue
        there = theirs.facts.get((other, fact))
        often = None if there is None else int(theirs.fact_amounts[there])
        left = _left(mine, amount, often)
        if not left:
            continue
        origin = theirs.object_of(other)
        same = origin.object == mine.object_of(node).object
        # A fact of the same sort, and of the same name for a property.
        differs = there is None and (other, fact[:-1]) in stems
        for said in mine.fact_said(position)[amount - left : amount]:
            yield (
                part,
                said,
                origin.ordinal if same else None,
                "differs" if differs else "absent",
            )


def _unmatched_relations(
    mine: Triples, theirs: Triples, partner: Mapping[int, int]
) -> Iterator[Unmatched]:
    between: dict[tuple[int, int], int] = {}
    for (source, end, _), position in theirs.relations.items():
        between.setdefault((source, end), position)
    for (source, end, label), position in mine.relations.items():
        amount = int(mine.edge_amounts[position])
        one, two = partner.get(source), partner.get(end)
        if one is None or two is None:
            for said in mine.relation_said(position)[:amount]:
                yield RELATIONS, said, None, "no counterpart"
            continue
        there = theirs.relations.get((one, two, label))
        often = None if there is None else int(theirs.edge_amounts[there])
        left = _left(mine, amount, often)
        if not left:
            continue
        ordinal, reason = None, "absent"
        rival = between.get((one, two))
        if rival is not None:
            origin = theirs.edge_of(rival)
            if origin.object == mine.edge_of(position).object:
                ordinal = origin.ordinal
            reason = "differs" if there is None else "absent"
        for said in mine.relation_said(position)[amount - left : amount]:
            yield RELATIONS, said, ordinal, reason
