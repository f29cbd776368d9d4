"""Base class of the metrics of role fillers and templates.

Each says how two fills and two templates are compared, and which formula of the
similarity algebra that is; :meth:`TemplateMetric.measured` works the formula out the
long way, for tests and for the curious.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import ClassVar, Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.templates.matching import (
    Aligned,
    Alignment,
    Compared,
    Scheme,
    aligned,
    filled,
    in_order,
    summed,
)
from graphscore.metrics.templates.prepared import (
    TYPE,
    DocumentTemplates,
    PreparedTemplate,
    TemplateOptions,
    lay_out,
)
from graphscore.metrics.templates.rows import FILLERS, TEMPLATES, Rows
from graphscore.model.document import united
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Outcome,
    RawCounts,
    Scores,
    count_of,
)
from graphscore.model.outcome_builder import OutcomeBuilder
from graphscore.similarity import Similarity, View
from graphscore.similarity.base import Number, Numerators, sum_exactly
from graphscore.similarity.explanation.report import Measured, measure
from graphscore.similarity.view import Pair

METHOD = "templates"
"""Method recorded in results."""

MACRO = "macro"
"""Prefix of the scores that are means over the slots."""

RATIOS = ("precision", "recall", "f1")


@dataclass(frozen=True)
class TemplateMetric(Metric, Correctable):
    """Base of the metrics of role fillers and templates.

    Class attributes:
        counted: the tuple type that slots are counted under.
    """

    unit = "document"
    frameworks = frozenset({"template"})
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
    def error_tuple_types(self) -> tuple[str, ...]:
        """Fillers, and templates as wholes."""
        return FILLERS, TEMPLATES

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
        left, right = self.given(self._whole(gold), self._whole(system))
        found, steps, proven = self.align(left, right, budget)
        raw_counts = self.raw_counts(left, right, found)
        score = raw_counts.get((self.counted, "", "matched"), 0)
        bound = score if proven else raw_counts.get((self.counted, "", "gold"), 0)
        builder = OutcomeBuilder(details)
        builder.raw_counts |= raw_counts
        if details:
            self.enter(builder, left, right, found)
        return builder.outcome(score, METHOD, bound=bound, proven=proven, steps=steps)

    def _whole(self, parts: Sequence[DocumentTemplates]) -> DocumentTemplates:
        """All graphs of a document as one."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.prepare(Graph("", "template"))
        return self.prepare(united([part.graph for part in parts]))

    def given(
        self, gold: DocumentTemplates, system: DocumentTemplates
    ) -> tuple[DocumentTemplates, DocumentTemplates]:
        """Both sides as a preset has them."""
        return gold, system

    def together(
        self, gold: PreparedTemplate, system: PreparedTemplate
    ) -> Compared | None:
        """Compare two templates, or return ``None`` if they may not be aligned.

        Args:
            gold: gold's template.
            system: the system's.
        """
        scheme = self.scheme
        typed = scheme.typed(gold, system)
        if not typed:
            return None
        slots = (scheme.fill or filled)(scheme, gold, system)
        if scheme.allowed is not None and not scheme.allowed(slots):
            return None
        sides = [slot.sides for slot in slots.values()]
        if scheme.types_count:
            sides.insert(0, Numerators(typed, typed, typed))
        return summed(sides), slots

    def align(
        self, gold: DocumentTemplates, system: DocumentTemplates, budget: Budget
    ) -> Alignment:
        """The templates that belong together."""
        sides = gold.forms, system.forms
        result = in_order(self.together, self.worth, *sides)
        return Alignment(aligned(self.together, *sides) if result is None else result)

    def worth(self, form: PreparedTemplate) -> Number:
        """Return the weight of a template, including its type where that counts."""
        scheme = self.scheme
        return sum_exactly(
            [*map(scheme.worth, form.fills()), *[1] * scheme.types_count]
        )

    def raw_counts(
        self,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        found: Sequence[Aligned],
    ) -> RawCounts:
        """Amounts of each slot, and of all of them.

        Args:
            gold: gold's templates.
            system: the system's.
            found: those that are aligned.
        """
        raw_counts: RawCounts = {}
        for quantity, side in (("gold", gold), ("system", system)):
            for slot, amount in self._slots(side).items():
                if amount:
                    raw_counts[self.counted, slot, quantity] = amount
        for quantity, ratio in (("matched", "recall"), ("matched_system", "precision")):
            if quantity == "matched" or self.split:
                self._matched(raw_counts, quantity, ratio, found)
        if self.scheme.types_count:
            self._add_types(raw_counts, gold, system, found)
        return raw_counts

    def _add_types(
        self,
        raw_counts: RawCounts,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        found: Sequence[Aligned],
    ) -> None:
        """Add the types, as a slot and to all."""
        typed = self.scheme.typed
        pairs = ((gold.forms[each.gold], system.forms[each.system]) for each in found)
        earned = sum(typed(*pair) for pair in pairs)
        amounts = {"gold": len(gold.forms), "system": len(system.forms)}
        quantities = {**amounts, "matched": earned}
        if self.split:
            quantities["matched_system"] = earned
        for quantity, amount in quantities.items():
            if amount:
                for label in ("", TYPE):
                    key = (self.counted, label, quantity)
                    raw_counts[key] = raw_counts.get(key, 0) + amount

    @property
    def split(self) -> bool:
        """True if recall and precision can have different numerators."""
        return self.scheme.constraint != "1:1"

    def _slots(self, filled: DocumentTemplates) -> dict[str, Number]:
        """Return the weights of the fills of each slot, and of all under ``""``."""
        return filled.keep(f"worths of {self.scheme.worth.__name__}", self._sums)

    def _sums(self, filled: DocumentTemplates) -> dict[str, Number]:
        worth = self.scheme.worth
        sums: dict[str, Number] = {"": 0}
        for form in filled.forms:
            for slot, fills in form.slots.items():
                sums[slot] = sums.get(slot, 0) + sum(map(worth, fills))
        sums[""] = sum_exactly(sums.values())
        return sums

    def _matched(
        self, raw_counts: RawCounts, quantity: str, ratio: str, found: Sequence[Aligned]
    ) -> None:
        """Add what a ratio counts of aligned templates."""
        earned: dict[str, list[Number]] = {}
        for each in found:
            for slot, matched in each.slots.items():
                if matched.pairs:
                    number = getattr(matched.sides, ratio)
                    earned.setdefault(slot, []).append(number)
        for slot, numbers in earned.items():
            raw_counts[self.counted, slot, quantity] = sum_exactly(numbers)
        if earned or quantity == "matched_system":
            every = chain.from_iterable(earned.values())
            raw_counts[self.counted, "", quantity] = sum_exactly(every)

    def enter(
        self,
        builder: OutcomeBuilder,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        found: Sequence[Aligned],
    ) -> None:
        """Enter matches and errors.

        Args:
            builder: where to.
            gold: gold's templates.
            system: the system's.
            found: those that are aligned.
        """
        Rows(gold, system, self.scheme, builder).add(found)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type, the ratios of each slot, and their means."""
        counts = {
            tuple_type: count_of(raw_counts, tuple_type)
            for tuple_type in self.tuple_types
        }
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


def slot_counts(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str
) -> dict[str, Count]:
    """The count of each slot, from summed raw counts.

    Args:
        raw_counts: summed raw counts.
        tuple_type: the tuple type that slots are counted under.

    Returns:
        Counts by slot, in alphabetical order.
    """
    slots = sorted(
        {label for one, label, _ in raw_counts if one == tuple_type and label}
    )
    return {slot: count_of(raw_counts, tuple_type, slot) for slot in slots}


def slot_scores(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str
) -> Iterable[tuple[str, float]]:
    """The ratios of each slot, then their means, each slot as good as the others.

    Args:
        raw_counts: summed raw counts.
        tuple_type: the tuple type that slots are counted under.
    """
    counts = slot_counts(raw_counts, tuple_type)
    for slot, count in counts.items():
        for ratio in RATIOS:
            yield f"{slot}.{ratio}", getattr(count, ratio)
    # A sample of a corpus may have no filler of a slot: it is then no slot of it.
    there = [count for count in counts.values() if count.gold or count.system]
    for ratio in RATIOS:
        found = [getattr(count, ratio) for count in there]
        yield f"{MACRO}.{ratio}", sum(found) / len(found) if found else 0.0
