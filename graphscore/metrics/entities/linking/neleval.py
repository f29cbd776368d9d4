"""Entity linking as neleval scores it: mentions, types, links, clusters.

Everything is compared at once, so that what a system says of a document of which gold
says nothing counts: files of linked mentions cannot name a document without any.

Hachey, Nothman and Radford (2014), "Cheap and easy entity evaluation"; Ji, Nothman and
Hachey (2014), "Overview of TAC-KBP2014 Entity Discovery and Linking Tasks".  Reference
implementation: neleval 3.1.1.

What differs: CEAF with a mention in two clusters is as without SciPy there, and
candidates can be chosen by spans (``alternatives=span``), which the program never
finds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric, numbered
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.entities.linking.clusters import AGGREGATES, Shared, clusters_of
from graphscore.metrics.entities.linking.files import (
    TYPE,
    Spans,
    Weights,
    outside,
    spans_of,
    weights_of,
)
from graphscore.metrics.entities.linking.measures import (
    MEASURES,
    SETS,
    Measure,
    getter,
    measures_of,
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
from graphscore.metrics.parameters import digest_of
from graphscore.metrics.traits import SumsOver, TupleTypeGroups
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    Outcome,
    RawCounts,
    Scores,
    ScoreTable,
    count_of,
    counts_of,
)
from graphscore.model.outcome_builder import OutcomeBuilder

METHOD = "sets, overlaps and clusters"
"""Method recorded in results."""

WHITE_SPACE = "white space"
"""Kind of the raw count that says of how many gold mentions it alone decided."""

GROUPS = "groups"
"""Kind of the raw counts that say which groups gold has; their label is the group."""

MACRO = "macro"
"""The mean over groups."""

Side = list[Mention]


@dataclass(frozen=True)
class Neleval(Metric, Correctable, SumsOver, TupleTypeGroups):
    """Mentions and what they are linked to, under the measures of neleval.

    Args:
        measures: names of measures or groups of them, or measures spelled out as
            ``sets:is_linked:span+kbid``, with ``|`` between.
        group_by: a field of mentions; then mentions are compared within each of its
            values that gold has, and kinds are sums over these.
        nil: whether mentions without an entry, and those that say ``NIL`` alone,
            are one cluster, or each its own.
        alternatives: of several entries of a gold mention, the first counts; or which
            the system has in the document, or at the same characters.
        type_weights: file of what pairs of types earn.
        excluded_spans: file of spans; mentions that begin or end there do not count.

    Example:
        >>> from graphscore import Anchor, Graph, Node, score
        >>> def said(*entries):
        ...     return [Graph("1", "ner", text="Ada Rome", nodes=tuple(
        ...         Node(k, "X", (("kind", "mention"), ("authority", entry)),
        ...              (Anchor(4 * k, 4 * k + 3),))
        ...         for k, entry in enumerate(entries)))]
        >>> result = score(said("Q1", "Q2"), said("Q1", "NIL"), "neleval")
        >>> counts = result.counts
        >>> result.f1, counts["strong_mention_match"].f1, counts["mention_ceaf"].f1
        (0.5, 1.0, 1.0)
    """

    name = "neleval"
    follows = "neleval 3.1.1"
    title = "neleval (Hachey et al. 2014): TAC KBP entity linking measures"
    citation = "Hachey et al. 2014, Cheap and easy entity evaluation"
    unit = "collection"
    frameworks = frozenset({"ner"})
    tuple_types = tuple(MEASURES)
    main = "strong_typed_all_match"
    spans_by = "tokens"
    bound = "what is right of a cluster depends on all of its mentions"

    opens = ("type_weights=", "excluded_spans=")

    measures: str = "all"
    group_by: str = ""
    nil: Literal["joined", "apart"] = "joined"
    alternatives: Literal["first", "document", "span"] = "first"
    type_weights: str = ""
    excluded_spans: str = ""

    def __post_init__(self) -> None:
        tuple_types = tuple(each.name for each in self.asked)
        strictest = self.in_rows[0]
        main = tuple_types[0] if strictest is None else strictest.name
        sums = self.weights is None and not self.group_by
        sums = sums and all(each.by_document for each in self.asked)
        # What is asked for says what tuple types there are, and whether they are sums.
        for name, value in (
            ("tuple_types", tuple_types),
            ("main", main),
            ("total_tuple_type", main),
            ("sums_over", "document" if sums else ""),
        ):
            object.__setattr__(self, name, value)
        if self.weights and not all(each.agg == SETS for each in self.asked):
            raise UsageError(
                f"{self}: weights of types are for sets, expected such as "
                "measures=all-tagging"
            )
        _ = self.spans

    @cached_property
    def asked(self) -> tuple[Measure, ...]:
        """The measures."""
        return measures_of(self.measures)

    @cached_property
    def weights(self) -> Weights | None:
        """Weights of pairs of types."""
        return weights_of(self.type_weights)

    @cached_property
    def spans(self) -> Spans:
        """Excluded spans, in which nothing counts."""
        return spans_of(self.excluded_spans)

    @cached_property
    def revision(self) -> int:
        """1, or a digest of the files."""
        files = self.type_weights, self.excluded_spans
        return digest_of(*files) if any(files) else 1

    @property
    def layout(self) -> Hashable:
        """Shared by all metrics of linked mentions."""
        return Linked

    @cached_property
    def in_rows(self) -> tuple[Measure | None, Measure | None]:
        """The measures that have rows: the strictest of sets, and a CEAF."""
        sets = [each for each in self.asked if each.agg == SETS and "span" in each.key]
        strictest = max(sets, key=lambda x: (len(x.key), not x.filter), default=None)
        ceaf = (each for each in self.asked if each.agg == "mention_ceaf")
        return strictest, None if self.group_by else next(ceaf, None)

    @property
    def over_one(self) -> str:
        """A mention of two entries is in two clusters."""
        clusters = any(each.agg in AGGREGATES for each in self.asked)
        return "mentions that have two entries are in two clusters" if clusters else ""

    @property
    def error_tuple_types(self) -> tuple[str, ...]:
        """Tuple types of the error rows: one for mentions, one for clusters."""
        return tuple(in_row.name for in_row in self.in_rows if in_row)

    @property
    def normalization(self) -> str:
        """Description of the normalization: which of several entries counts."""
        return f"entries={self.alternatives}"

    def prepare(self, graph: Graph) -> Linked:
        """The mentions."""
        return Linked(graph)

    def _sides(
        self, gold: Sequence[Linked], system: Sequence[Linked], count_on: bool
    ) -> tuple[Side, Side]:
        """The mentions of both sides that count, in order."""
        left, right = mentions_of(gold, count_on), mentions_of(system, count_on)
        if self.alternatives != "first":
            left = chosen(left, right, self.alternatives == "span")
        if self.spans:
            left, right = outside(left, self.spans), outside(right, self.spans)
        if self.alternatives != "first" or self.spans:
            return with_first(left), with_first(right)
        return left, right

    def compare(
        self,
        gold: Sequence[Linked],
        system: Sequence[Linked],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Count what both sides say under each measure."""
        builder = OutcomeBuilder(details)
        left, right = self._sides(gold, system, details)
        _add_spaced(builder.raw_counts, left, right, texts_of(gold, system))
        if self.group_by:
            self._count_groups(builder, left, right)
        else:
            for name, count in self._counts(left, right).items():
                _add(builder.raw_counts, name, count)
        if details:
            self._enter(builder, left, right)
        return builder.outcome(
            builder.raw_counts.get((self.main, "", "matched"), 0), METHOD
        )

    def _counts(self, gold: Side, system: Side) -> dict[str, Count]:
        """Return the counts of each measure; clusters of equal elements are shared."""
        shared: dict[tuple[str, tuple[str, ...]], Shared] = {}
        counts = {}
        for each in self.asked:
            if each.agg in AGGREGATES:
                what = each.filter, each.key
                if what not in shared:
                    apart = self.nil == "apart"
                    shared[what] = Shared(
                        clusters_of(each, gold, apart), clusters_of(each, system, apart)
                    )
                counts[each.name] = AGGREGATES[each.agg](shared[what])
            else:
                counts[each.name] = self._count(each, gold, system)
        return counts

    def _count(self, measure: Measure, gold: Side, system: Side) -> Count:
        if measure.agg != SETS:
            return overlap_count(measure, gold, system)
        if self.weights is not None and TYPE in measure.key:
            return self.weights.count(measure, gold, system)
        left, right = (
            set(measure.keys(measure.counting(side))) for side in (gold, system)
        )
        return Count(len(left), len(right), len(left & right))

    def _count_groups(self, builder: OutcomeBuilder, gold: Side, system: Side) -> None:
        """Count within each group that gold has, and all groups together."""
        left, right = self._grouped(gold), self._grouped(system)
        for group, mentions in left.items():
            builder.add(GROUPS, group, "gold", len(mentions))
            counts = self._counts(mentions, right.get(group, []))
            for name, count in counts.items():
                _add(builder.raw_counts, name, count, group)
                _add(builder.raw_counts, name, count)

    def _grouped(self, side: Side) -> dict[str, Side]:
        field = getter(self.group_by)
        sides: defaultdict[str, Side] = defaultdict(list)
        for each in side:
            value = field(each)
            sides["(none)" if value in (None, "") else str(value)].append(each)
        return sides

    def _enter(self, builder: OutcomeBuilder, gold: Side, system: Side) -> None:
        sets, ceaf = self.in_rows
        if self.group_by:
            left, right = self._grouped(gold), self._grouped(system)
            pairs = [(value, right.get(group, [])) for group, value in left.items()]
        else:
            pairs = [(gold, system)]
        for first, second in pairs:
            if sets is not None:
                enter_mentions(builder, sets, first, second)
            if ceaf is not None:
                enter_clusters(builder, ceaf, first, second, self.nil == "apart")

    def shares(
        self, gold: Sequence[Linked], system: Sequence[Linked], *, budget: Budget
    ) -> Sequence[RawCounts]:
        """The raw counts of every gold graph.

        What is asked of documents, not of mentions, is given to the first graph of a
        document; documents that gold does not have, to the first of all.
        """
        if not self.sums_over:
            return ()
        result: list[RawCounts] = [{} for _ in gold]
        left, right = self._sides(gold, system, False)
        homes, texts = _homes(gold), texts_of(gold, system)
        for by_item in (True, False):
            asked = [each for each in self.asked if ("span" in each.key) == by_item]
            if asked:
                parts: list[tuple[Side, Side]] = [([], []) for _ in gold]
                for number, side in enumerate((left, right)):
                    for mention in side:
                        parts[homes(mention, by_item)][number].append(mention)
                for raw_counts, (first, second) in zip(result, parts, strict=True):
                    if by_item:
                        _add_spaced(raw_counts, first, second, texts)
                    for each in asked if first or second else ():
                        _add(raw_counts, each.name, self._count(each, first, second))
        return result

    def places(
        self,
        gold: Sequence[Linked],
        system: Sequence[Linked],
        errors: Sequence[Error],
        *,
        budget: Budget,
    ) -> Sequence[int]:
        """The gold graph of every error: that of the mention's item, or its document.

        What is in a document that gold does not have belongs to the first of all.
        """
        left, right = (
            {mention.ordinal: mention for mention in mentions_of(side)}
            for side in (gold, system)
        )
        if not self.sums_over:
            return ()
        homes = _homes(gold)
        result = []
        for error in errors:
            if error.error_type == "spurious":
                assert error.system is not None
                result.append(homes(right[error.system], True))
            else:
                assert error.gold is not None
                result.append(homes(left[error.gold], True))
        return result

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per measure, and the ratios of groups with their means beside."""
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = counts[self.main]
        numbers: dict[str, float] = {}
        groups = sorted(
            label for tuple_type, label, _ in raw_counts if tuple_type == GROUPS
        )
        for tuple_type in self.tuple_types if groups else ():
            within = [count_of(raw_counts, tuple_type, group) for group in groups]
            for group, count in zip(groups, within, strict=True):
                numbers |= numbered(f"{group}.{tuple_type}", count)
            for name in ("precision", "recall", "f1"):
                ratios: list[float] = [getattr(count, name) for count in within]
                numbers[f"{MACRO}.{tuple_type}.{name}"] = sum(ratios) / len(ratios)
        return Scores(counts, numbers)

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say of how many mentions white space alone decided."""
        if spaced := raw_counts.get((WHITE_SPACE, "", "gold"), 0):
            yield (
                f"{self}: white space alone makes {spaced:g} of the mentions of gold "
                "others than those of the system: offsets are compared, as neleval "
                "compares them; ner leaves white space aside"
            )

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Return nothing: the groups are in a table."""
        return {}

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """F1 of each group under every measure."""
        if not scores.numbers:
            return ()
        rows: dict[str, list[float | int | None]] = {}
        for name, value in scores.numbers.items():
            for tuple_type in self.tuple_types:
                group, found, ratio = name.rpartition(f".{tuple_type}.")
                if found and ratio == "f1":
                    rows.setdefault(group, []).append(value)
        rows[MACRO] = rows.pop(MACRO)
        title = f"F1 by {self.group_by}"
        columns = self.group_by, *self.tuple_types
        return (ScoreTable(title, columns, {x: tuple(y) for x, y in rows.items()}),)


def _add_spaced(
    raw_counts: RawCounts, gold: Side, system: Side, texts: Mapping[str, str]
) -> None:
    """Add how many gold mentions white space alone keeps from one of the system."""
    if spaced := spaced_apart(gold, system, texts):
        raw_counts[WHITE_SPACE, "", "gold"] = spaced


def _add(raw_counts: RawCounts, tuple_type: str, count: Count, label: str = "") -> None:
    """Add a count to raw counts."""
    amounts = {
        "gold": count.gold,
        "system": count.system,
        "matched": count.matched,
        "matched_system": count.matched_system,
    }
    for quantity, amount in amounts.items():
        # Without this raw count what is matched would be that of both sides.
        if amount or (quantity == "matched_system" and amount is not None):
            key = tuple_type, label, quantity
            raw_counts[key] = raw_counts.get(key, 0) + amount


def _homes(gold: Sequence[Linked]) -> Callable[[Mention, bool], int]:
    """Return a function from a mention to its gold graph: item, or document's first."""
    items: dict[str, int] = {}
    documents: dict[str, int] = {}
    for number, each in enumerate(gold):
        items.setdefault(each.graph.id, number)
        documents.setdefault(each.document, number)

    def home(mention: Mention, by_item: bool) -> int:
        document = documents.get(mention.docid, 0)
        return items.get(mention.span[0], document) if by_item else document

    return home
