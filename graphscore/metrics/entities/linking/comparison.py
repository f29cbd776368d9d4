"""Comparison of the linked mentions of two sides under several measures.

Mentions are compared all at once, within groups, or shared out among gold's graphs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.metrics.entities.linking.clusters import AGGREGATES, Shared, clusters_of
from graphscore.metrics.entities.linking.files import TYPE, Spans, Weights, outside
from graphscore.metrics.entities.linking.measures import (
    SETS,
    Measure,
    getter,
    overlap_count,
)
from graphscore.metrics.entities.linking.mentions import (
    Linked,
    Mention,
    chosen,
    mentions_of,
    spaced_apart,
    texts_of,
    with_first,
)
from graphscore.metrics.entities.linking.rows import enter_clusters, enter_mentions
from graphscore.model.outcome import Count, Error, RawCounts
from graphscore.model.outcome_builder import OutcomeBuilder

WHITE_SPACE = "white space"
"""Kind of the raw count that says of how many gold mentions it alone decided."""

GROUPS = "groups"
"""Kind of the raw counts that say which groups gold has; their label is the group."""

Side = list[Mention]


@dataclass(frozen=True)
class Comparison:
    """Comparison of linked mentions.

    Args:
        measures: what is counted.
        group_by: a field of mentions; then mentions are compared within each of its
            values that gold has.
        apart: whether mentions without an entry are clusters of their own.
        alternatives: which of several entries of a gold mention counts.
        weights: what pairs of types earn.
        spans: where nothing counts.
    """

    measures: tuple[Measure, ...]
    group_by: str
    apart: bool
    alternatives: Literal["first", "document", "span"]
    weights: Weights | None
    spans: Spans

    @cached_property
    def in_rows(self) -> tuple[Measure | None, Measure | None]:
        """The measures that have rows: the strictest of sets, and a CEAF."""
        sets = [m for m in self.measures if m.agg == SETS and "span" in m.key]
        strictest = max(sets, key=lambda m: (len(m.key), not m.filter), default=None)
        ceaf = (measure for measure in self.measures if measure.agg == "mention_ceaf")
        return strictest, None if self.group_by else next(ceaf, None)

    def sides(
        self, gold: Sequence[Linked], system: Sequence[Linked], count_on: bool
    ) -> tuple[Side, Side]:
        """The mentions of both sides that count, in order.

        Args:
            gold: the gold graphs.
            system: the system's.
            count_on: whether ordinals count on from graph to graph.
        """
        left, right = mentions_of(gold, count_on), mentions_of(system, count_on)
        if self.alternatives != "first":
            left = chosen(left, right, self.alternatives == "span")
        if self.spans:
            left, right = outside(left, self.spans), outside(right, self.spans)
        if self.alternatives != "first" or self.spans:
            return with_first(left), with_first(right)
        return left, right

    def groups(self, gold: Side, system: Side) -> list[tuple[str, Side, Side]]:
        """Mentions by group of gold's; all of them where there are no groups.

        Args:
            gold: gold's mentions.
            system: the system's.
        """
        if not self.group_by:
            return [("", gold, system)]
        field = getter(self.group_by)
        left, right = defaultdict[str, Side](list), defaultdict[str, Side](list)
        for mentions, grouped in ((gold, left), (system, right)):
            for mention in mentions:
                value = field(mention)
                grouped["(none)" if value in (None, "") else str(value)].append(mention)
        return [(group, side, right.get(group, [])) for group, side in left.items()]

    def count(self, raw_counts: RawCounts, gold: Side, system: Side) -> None:
        """Add the counts of every measure, of groups and of all together.

        Args:
            raw_counts: where to.
            gold: gold's mentions.
            system: the system's.
        """
        for group, left, right in self.groups(gold, system):
            if group:
                raw_counts[GROUPS, group, "gold"] = len(left)
            # Measures of clusters of the same things share these.
            shared: dict[tuple[str, tuple[str, ...]], Shared] = {}
            for measure in self.measures:
                if measure.agg in AGGREGATES:
                    key = measure.filter, measure.key
                    if key not in shared:
                        sides = (
                            clusters_of(measure, x, self.apart) for x in (left, right)
                        )
                        shared[key] = Shared(*sides)
                    count = AGGREGATES[measure.agg](shared[key])
                else:
                    count = self._count_mentions(measure, left, right)
                for label in dict.fromkeys((group, "")):
                    _add(raw_counts, measure.name, count, label)

    def _count_mentions(self, measure: Measure, gold: Side, system: Side) -> Count:
        if measure.agg != SETS:
            return overlap_count(measure, gold, system)
        if self.weights is not None and TYPE in measure.key:
            return self.weights.count(measure, gold, system)
        left, right = (
            set(measure.keys(measure.counting(side))) for side in (gold, system)
        )
        return Count(len(left), len(right), len(left & right))

    def enter(self, builder: OutcomeBuilder, gold: Side, system: Side) -> None:
        """Enter matches and errors of the measures that have rows.

        Args:
            builder: where to.
            gold: gold's mentions.
            system: the system's.
        """
        sets, ceaf = self.in_rows
        for _, left, right in self.groups(gold, system):
            if sets is not None:
                enter_mentions(builder, sets, left, right)
            if ceaf is not None:
                enter_clusters(builder, ceaf, left, right, self.apart)

    def shares(
        self, gold: Sequence[Linked], system: Sequence[Linked]
    ) -> list[RawCounts]:
        """The raw counts of every gold graph, where each is a sum over documents.

        What is asked of documents, not of mentions, is given to the first graph of a
        document; documents that gold does not have, to the first of all.

        Args:
            gold: the gold graphs.
            system: the system's.
        """
        result: list[RawCounts] = [{} for _ in gold]
        left, right = self.sides(gold, system, False)
        homes, texts = _homes(gold), texts_of(gold, system)
        for by_item in (True, False):
            measures = [m for m in self.measures if ("span" in m.key) == by_item]
            if measures:
                parts: list[tuple[Side, Side]] = [([], []) for _ in gold]
                for number, side in enumerate((left, right)):
                    for mention in side:
                        parts[homes(mention, by_item)][number].append(mention)
                for raw_counts, (first, second) in zip(result, parts, strict=True):
                    if by_item:
                        add_spaced(raw_counts, first, second, texts)
                    for measure in measures if first or second else ():
                        count = self._count_mentions(measure, first, second)
                        _add(raw_counts, measure.name, count)
        return result

    def places(
        self,
        gold: Sequence[Linked],
        system: Sequence[Linked],
        errors: Sequence[Error],
    ) -> list[int]:
        """The gold graph of every error: that of the mention's item, or its document.

        What is in a document that gold does not have belongs to the first of all.

        Args:
            gold: the gold graphs.
            system: the system's.
            errors: those of the unit.
        """
        left, right = (
            {mention.ordinal: mention for mention in mentions_of(side)}
            for side in (gold, system)
        )
        homes = _homes(gold)
        result = []
        for error in errors:
            spurious = error.error_type == "spurious"
            ordinal = error.system if spurious else error.gold
            assert ordinal is not None
            result.append(homes((right if spurious else left)[ordinal], True))
        return result


def add_spaced(
    raw_counts: RawCounts, gold: Side, system: Side, texts: Mapping[str, str]
) -> None:
    """Add how many gold mentions white space alone keeps from one of the system.

    Args:
        raw_counts: where to.
        gold: gold's mentions.
        system: the system's.
        texts: the text of each item.
    """
    if spaced := spaced_apart(gold, system, texts):
        raw_counts[WHITE_SPACE, "", "gold"] = spaced


def _add(raw_counts: RawCounts, tuple_type: str, count: Count, label: str = "") -> None:
    """Add a count to raw counts."""
    for quantity, amount in zip(Count._fields, count, strict=True):
        # Without this raw count what is matched would be that of both sides.
        if amount or (quantity == "matched_system" and amount is not None):
            key = tuple_type, label, quantity
            raw_counts[key] = raw_counts.get(key, 0) + amount


def _homes(gold: Sequence[Linked]) -> Callable[[Mention, bool], int]:
    """Return a function from a mention to its gold graph: item, or document's first."""
    items: dict[str, int] = {}
    documents: dict[str, int] = {}
    for number, linked in enumerate(gold):
        items.setdefault(linked.graph.id, number)
        documents.setdefault(linked.document, number)

    def home(mention: Mention, by_item: bool) -> int:
        document = documents.get(mention.docid, 0)
        return items.get(mention.span[0], document) if by_item else document

    return home
