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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric, numbered
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.entities.linking.clusters import AGGREGATES
from graphscore.metrics.entities.linking.comparison import (
    GROUPS,
    WHITE_SPACE,
    Comparison,
    add_spaced,
)
from graphscore.metrics.entities.linking.files import spans_of, weights_of
from graphscore.metrics.entities.linking.measures import MEASURES, SETS, measures_of
from graphscore.metrics.entities.linking.mentions import Linked, texts_of
from graphscore.metrics.parameters import digest_of
from graphscore.metrics.traits import SumsOver
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
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

MACRO = "macro"
"""The mean over groups."""


@dataclass(frozen=True)
class Neleval(Metric, Correctable, SumsOver):
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
    layout = Linked

    measures: str = "all"
    group_by: str = ""
    nil: Literal["joined", "apart"] = "joined"
    alternatives: Literal["first", "document", "span"] = "first"
    type_weights: str = ""
    excluded_spans: str = ""

    def __post_init__(self) -> None:
        comparison = self.comparison
        measures = comparison.measures
        tuple_types = tuple(measure.name for measure in measures)
        strictest, _ = comparison.in_rows
        main = tuple_types[0] if strictest is None else strictest.name
        sums = comparison.weights is None and not self.group_by
        sums = sums and all(measure.by_document for measure in measures)
        # The measures say what tuple types there are, and whether they are sums.
        for name, value in (
            ("tuple_types", tuple_types),
            ("main", main),
            ("sums_over", "document" if sums else ""),
        ):
            object.__setattr__(self, name, value)
        if comparison.weights and any(measure.agg != SETS for measure in measures):
            raise UsageError(
                f"{self}: weights of types are for sets, expected such as "
                "measures=all-tagging"
            )

    @cached_property
    def comparison(self) -> Comparison:
        """Comparison of the mentions of both sides that the parameters ask for."""
        return Comparison(
            measures_of(self.measures),
            self.group_by,
            self.nil == "apart",
            self.alternatives,
            weights_of(self.type_weights),
            spans_of(self.excluded_spans),
        )

    @cached_property
    def revision(self) -> int:
        """1, or a digest of the files."""
        files = self.type_weights, self.excluded_spans
        return digest_of(*files) if any(files) else 1

    @property
    def over_one(self) -> str:
        """A mention of two entries is in two clusters."""
        clusters = any(m.agg in AGGREGATES for m in self.comparison.measures)
        return "mentions that have two entries are in two clusters" if clusters else ""

    @property
    def error_tuple_types(self) -> tuple[str, ...]:
        """Tuple types of the error rows: one for mentions, one for clusters."""
        return tuple(measure.name for measure in self.comparison.in_rows if measure)

    @property
    def normalization(self) -> str:
        """Description of the normalization: which of several entries counts."""
        return f"entries={self.alternatives}"

    def prepare(self, graph: Graph) -> Linked:
        """The mentions."""
        return Linked(graph)

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
        comparison = self.comparison
        left, right = comparison.sides(gold, system, details)
        add_spaced(builder.raw_counts, left, right, texts_of(gold, system))
        comparison.count(builder.raw_counts, left, right)
        if details:
            comparison.enter(builder, left, right)
        return builder.outcome(
            builder.raw_counts.get((self.main, "", "matched"), 0), METHOD
        )

    def shares(
        self, gold: Sequence[Linked], system: Sequence[Linked], *, budget: Budget
    ) -> Sequence[RawCounts]:
        """The raw counts of every gold graph.

        What is asked of documents, not of mentions, is given to the first graph of a
        document; documents that gold does not have, to the first of all.
        """
        return self.comparison.shares(gold, system) if self.sums_over else ()

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
        return self.comparison.places(gold, system, errors) if self.sums_over else ()

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
                group, known, ratio = name.rpartition(f".{tuple_type}.")
                if known and ratio == "f1":
                    rows.setdefault(group, []).append(value)
        rows[MACRO] = rows.pop(MACRO)
        title = f"F1 by {self.group_by}"
        columns = self.group_by, *self.tuple_types
        return (ScoreTable(title, columns, {x: tuple(y) for x, y in rows.items()}),)
