"""Base class of the coreference metrics.

Each says what it makes of the contingency table of two documents, and which formula
of the similarity algebra that is; :meth:`Coreference.measured` works the formula out
the long way, for tests and for the curious.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.coreference.chains import (
    Chains,
    MentionOptions,
    Mentions,
    Preset,
    Singletons,
    Spans,
    Split,
    Zeros,
    lay_out,
)
from graphscore.metrics.coreference.contingency import Table, table_of
from graphscore.metrics.coreference.rows import enter
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.pairwise import with_text
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    MeanCount,
    Outcome,
    RawCounts,
    Scores,
    counts_of,
)
from graphscore.model.outcome_builder import OutcomeBuilder
from graphscore.structures.parts import side_by_side

if TYPE_CHECKING:
    from graphscore.similarity import Similarity
    from graphscore.similarity.explanation.report import Measured
    from graphscore.similarity.view import Pair

EMPTY = Graph("", "coref")
"""Empty coreference graph, for a side that lacks the document."""

REPEATED, SPANS = "repeated", "spans"
"""The raw counts of mentions that repeat others, and what those are counted as."""

METHOD = "contingency"
"""Method recorded in results; the view of entity errors selects by it."""


@dataclass(frozen=True)
class Coreference(Metric, Correctable):
    """Base of the metrics of coreference.

    Args:
        mentions: when two mentions are the same: equal words, a part of gold's
            words with their head, or equal heads.
        singletons: whether entities of one mention take part.
        zeros: whether empty nodes are the same by their place or by what they
            depend on.
        split: whether an entity that is made of others counts them as a mention.
        preset: whose treatment of repeated mentions and missing link classes.
        spans: ``characters`` leaves white space in spans aside, in documents without
            tokens; with ``offsets`` it counts.
    """

    revision = 3
    unit = "document"
    frameworks = frozenset({"coref"})
    error_tuple_types = ("mentions",)
    normalization = "mentions"
    tuple_types: ClassVar[tuple[str, ...]] = ("all",)
    spans_by = "words"

    mentions: Mentions = "exact"
    singletons: Singletons = "keep"
    zeros: Zeros = "linear"
    split: Split = "drop"
    preset: Preset = "none"
    spans: Spans = "characters"

    def formulas(self) -> Mapping[str, Similarity]:
        """The formula of each tuple type, over the mentions that are the same."""
        from graphscore.metrics.coreference.formulas import FORMULAS

        return FORMULAS[self.name]

    @abstractmethod
    def tallies(self, table: Table) -> Iterable[tuple[str, Count]]:
        """The amounts of each tuple type, in closed form."""

    def tallies_beside(self, table: Table) -> Iterable[tuple[str, Count]]:
        """Amounts that are counted beside the tuple types; none by default.

        Args:
            table: a pair of documents.
        """
        return ()

    @property
    def reading(self) -> MentionOptions:
        """Mention options implied by the parameters."""
        return MentionOptions(
            self.mentions,
            self.singletons,
            self.zeros,
            self.split,
            self.preset,
            self.spans,
        )

    @property
    def layout(self) -> MentionOptions:
        """Metrics that read alike take each other's documents."""
        return self.reading

    @property
    def bound(self) -> str:
        """An error is right with others alone: those of the same entities."""
        return "what is right of an entity depends on all of its mentions"

    def prepare(self, graph: Graph) -> Chains:
        """The entities of one document."""
        return lay_out(graph, self.reading)

    def compare(
        self,
        gold: Sequence[Chains],
        system: Sequence[Chains],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare a document; the parts of one are compared one by one."""
        builder = OutcomeBuilder(details, by_side=False)
        starts = 0, 0
        for left, right in side_by_side(gold, system, lambda part: part.graph):
            first, second = (
                lay_out(EMPTY, self.reading) if e is None else e for e in (left, right)
            )
            first, second = self._lent(first, second)
            table = self._table(first, second)
            counted = self._counted(table, first, second)
            for tuple_type, count in self.tallies(counted):
                _add(builder.raw_counts, tuple_type, count)
            for name, count in self.tallies_beside(counted):
                _add(builder.raw_counts, name, count, SPANS)
            builder.add(REPEATED, SPANS, "gold", first.copies)
            builder.add(REPEATED, SPANS, "system", second.copies)
            if details:
                enter(builder, table, starts)
                starts = (
                    starts[0] + len(first.graph.nodes),
                    starts[1] + len(second.graph.nodes),
                )
        raw_counts = builder.raw_counts
        score = sum(
            raw_counts.get((tuple_type, "", "matched"), 0)
            for tuple_type in self.tuple_types
        )
        return builder.outcome(score, METHOD)

    def _lent(self, gold: Chains, system: Chains) -> tuple[Chains, Chains]:
        if self.spans == "offsets":
            return gold, system
        return with_text(gold, system, self.prepare)

    def _table(self, gold: Chains, system: Chains) -> Table:
        system = system.beside(gold)
        if self.preset == "perl":
            system = system.once()
        return table_of(gold, system)

    def _counted(self, table: Table, gold: Chains, system: Chains) -> Table:
        """The table that is counted, which differs where 8.01 is followed.

        Args:
            table: that of the matches.
            gold: the gold entities, with all copies of their mentions.
            system: the system's.
        """
        if self.preset != "perl":
            return table
        from graphscore.metrics.coreference.perl import perl_table, repeats

        system = system.beside(gold)
        return perl_table(gold, system) if repeats(gold, system) else table

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say that documents repeat spans, which every scorer counts differently."""
        gold, system = (
            raw_counts.get((REPEATED, SPANS, side), 0) for side in ("gold", "system")
        )
        if self.preset == "none" and (gold or system):
            yield (
                f"{self}: spans that are mentions more than once ({gold} of gold, "
                f"{system} of the system) count once in each entity that has them; "
                "preset=perl counts them as the reference scorer 8.01"
            )

    def measured(self, gold: Graph, system: Graph) -> dict[str, Measured]:
        """Evaluate the formulas of the similarity algebra on one pair of documents.

        Args:
            gold: the gold document.
            system: the system's.

        Returns:
            Amounts by tuple type; equal to what ``compare`` says in closed form.  Where
            8.01 is followed in what it makes of repeated mentions, which no formula
            says, they are what it counts.
        """
        from graphscore.similarity.explanation.report import Measured, measure

        sides = self._lent(self.prepare(gold), self.prepare(system))
        pair = self._pair(*sides, Budget())
        if pair is None:
            counted = self._counted(self._table(*sides), *sides)
            return {
                tuple_type: Measured.of(count)
                for tuple_type, count in self.tallies(counted)
            }
        return {
            tuple_type: measure(formula, pair)
            for tuple_type, formula in self.formulas().items()
        }

    def formula_pairs(
        self, gold: Sequence[Graph], system: Sequence[Graph], budget: Budget
    ) -> list[Pair] | None:
        """The parts of a document as the formulas look at them.

        Args:
            gold: the gold graphs of the document.
            system: the system's.
            budget: how much work may be spent on a part.

        Returns:
            ``None`` where 8.01 is followed in what no formula says.
        """
        golds, systems = ([*map(self.prepare, side)] for side in (gold, system))
        result = []
        for left, right in side_by_side(golds, systems, lambda part: part.graph):
            first, second = (
                self.prepare(EMPTY) if side is None else side for side in (left, right)
            )
            pair = self._pair(*self._lent(first, second), budget)
            if pair is None:
                return None
            result.append(pair)
        return result

    def _pair(self, gold: Chains, system: Chains, budget: Budget) -> Pair | None:
        from graphscore.metrics.coreference.formulas import views_of
        from graphscore.similarity.view import Pair

        table = self._table(gold, system)
        if self._counted(table, gold, system) is not table:
            return None
        return Pair(*views_of(table), budget)


class Mean(Coreference):
    """Base of metrics whose score is a mean of those of their tuple types."""

    def averaged(self, counts: Mapping[str, Count]) -> Iterable[Count]:
        """The counts whose ratios are averaged."""
        return counts.values()

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type, and as ``all`` the mean of their ratios."""
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = MeanCount(self.averaged(counts))
        return Scores(counts, {})


def _add(raw_counts: RawCounts, tuple_type: str, count: Count, label: str = "") -> None:
    for quantity, amount in zip(Count._fields, count, strict=True):
        if amount is not None:
            key = (tuple_type, label, quantity)
            raw_counts[key] = raw_counts.get(key, 0) + amount
