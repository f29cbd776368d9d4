"""Base class of the metrics of role fillers and templates.

Each says how two fills and two templates are compared, and which formula of the
similarity algebra that is; :meth:`TemplateMetric.measured` works the formula out the
long way, for tests and for the curious.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.templates.counts import raw_counts_of, slot_scores
from graphscore.metrics.templates.matching import (
    Aligned,
    Scheme,
    aligned,
)
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    TemplateOptions,
    lay_out,
)
from graphscore.metrics.templates.rows import FILLERS, TEMPLATES, Rows
from graphscore.model.document import united
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    CountKey,
    Outcome,
    RawCounts,
    Scores,
    counts_of,
)
from graphscore.model.outcome_builder import OutcomeBuilder
from graphscore.similarity import Similarity, View
from graphscore.similarity.explanation.report import Measured, measure
from graphscore.similarity.view import Pair

METHOD = "templates"
"""Method recorded in results."""


class TemplateMetric(Metric, Correctable):
    """Base of the metrics of role fillers and templates.

    Class attributes:
        counted: the tuple type that slots are counted under.
    """

    unit = "document"
    frameworks = frozenset({"template"})
    error_tuple_types = FILLERS, TEMPLATES
    tuple_types: ClassVar[tuple[str, ...]] = ("all",)
    counted: ClassVar[str] = "all"
    bound = "what a filler earns depends on which templates are aligned"

    @abstractmethod
    def formulas(self) -> Mapping[str, Similarity]:
        """The formula of each tuple type."""

    @property
    @abstractmethod
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""

    @cached_property
    @abstractmethod
    def scheme(self) -> Scheme:
        """Scheme by which fills are compared."""

    @property
    def layout(self) -> Hashable:
        """Metrics that read alike take each other's documents."""
        return self.reading

    @property
    def normalization(self) -> str:
        """Description of how mentions are compared."""
        return f"mentions={self.reading.mentions}"

    @property
    def spans_by(self) -> Literal["characters", "strings"]:
        """Key of mentions: their characters, or their strings."""
        by_text = self.reading.mentions in ("text", "normalized")
        return "strings" if by_text else "characters"

    def prepare(self, graph: Graph) -> DocumentTemplates:
        """The templates of one document."""
        return lay_out(graph, self.reading)

    def compare(
        self,
        gold: Sequence[DocumentTemplates],
        system: Sequence[DocumentTemplates],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the templates of a document, and count their fills."""
        left, right = self.preset_sides(
            *(_whole(self, side) for side in (gold, system))
        )
        align = self.scheme.align or aligned
        pairs, steps, proven = align(self.scheme, left, right, budget)
        raw_counts = self.raw_counts(left, right, pairs)
        score = raw_counts.get((self.counted, "", "matched"), 0)
        bound = score if proven else raw_counts.get((self.counted, "", "gold"), 0)
        builder = OutcomeBuilder(details)
        builder.raw_counts |= raw_counts
        if details:
            Rows(left, right, self.scheme, builder).add(pairs)
        return builder.outcome(score, METHOD, bound=bound, proven=proven, steps=steps)

    def preset_sides(
        self, gold: DocumentTemplates, system: DocumentTemplates
    ) -> tuple[DocumentTemplates, DocumentTemplates]:
        """Both sides as a preset has them."""
        return gold, system

    def raw_counts(
        self,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        pairs: Sequence[Aligned],
    ) -> RawCounts:
        """Amounts of each slot, and of all of them.

        Args:
            gold: gold's templates.
            system: the system's.
            pairs: those that are aligned.
        """
        return raw_counts_of(self.scheme, self.counted, (gold, system), pairs)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type, the ratios of each slot, and their means."""
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = counts[self.counted]
        return Scores(counts, dict(slot_scores(raw_counts, self.counted)))

    def measured(self, gold: Graph, system: Graph) -> dict[str, Measured]:
        """Evaluate the formulas of the similarity algebra on one pair of documents.

        Presets are no part of the formulas.

        Args:
            gold: the gold document.
            system: the system's.

        Returns:
            Amounts by tuple type; equal to what ``compare`` says.
        """
        return {
            tuple_type: measure(formula, Pair(View(gold), View(system)))
            for tuple_type, formula in self.formulas().items()
        }


def _whole(
    metric: TemplateMetric, parts: Sequence[DocumentTemplates]
) -> DocumentTemplates:
    """All graphs of a document as one."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return metric.prepare(Graph("", "template"))
    return metric.prepare(united([part.graph for part in parts]))
