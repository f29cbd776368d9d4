"""Arguments of events: found, and in the right role.

Li et al. (2013), "Joint Event Extraction via Structured Prediction with Global
Features"; ArgF1, eq. 16 of Chen et al. (2023).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.metrics.extraction.base import (
    Duplicates,
    Mentions,
    check_overlap,
    filled,
    words,
)
from graphscore.metrics.formula import FormulaMetric
from graphscore.similarity import (
    Similarity,
    edge_label,
    edges,
    edges_out,
    exact,
    f1,
    kind,
    label,
    match,
    nodes,
    only,
    source,
    via,
)


@dataclass(frozen=True)
class Argument(FormulaMetric):
    """Arguments by their mentions, and by mention and role, of the right event.

    Args:
        trigger: what makes an event the right one: ``span``, its trigger and type;
            ``type``, its type alone, wherever its trigger is.
        mentions: how mentions, and triggers, are compared.
        overlap: with ``mentions=overlap``, what their overlap must exceed.
        duplicates: whether equal arguments, and events, count once or each.

    Example:
        >>> for formula in Argument().formulas().values():
        ...     print(formula)
        F↔triggers[δ_span × δ_label × Σ↔edges_out[δ_target.span]]
        F↔triggers[δ_span × δ_label × Σ↔edges_out[δ_target.span × δ_edge_label]]
    """

    name = "argument"
    follows = "the definition of Li et al. 2013"
    title = "arguments of events, found and in the right role"
    citation = (
        "Li et al. 2013, Joint Event Extraction via Structured Prediction with "
        "Global Features"
    )
    frameworks = frozenset({"event"})
    kinds = ("identification", "classification")
    main = "classification"
    revision = 2
    by_tokens = True

    trigger: Literal["span", "type"] = "span"
    mentions: Mentions = "exact"
    overlap: float = 0.5
    duplicates: Duplicates = "set"

    def __post_init__(self) -> None:
        check_overlap(self.name, self.overlap)

    def formulas(self) -> Mapping[str, Similarity]:
        """Both kinds."""
        found = filled(self.mentions, self.overlap, "events")
        each = (found, found * exact(edge_label))
        return {
            name: f1(self._of_events(argument))
            for name, argument in zip(self.kinds, each, strict=True)
        }

    def _of_events(self, argument: Similarity) -> Similarity:
        """How many arguments of the right events are alike."""
        if self.trigger == "type":
            # The event is known by its type: arguments need no events around them.
            every = only(edges(), via(source, kind), "trigger")
            typed = exact(via(source, label, True))
            return match(every, argument * typed, duplicates=self.duplicates)
        inner = match(edges_out(), argument, duplicates=self.duplicates)
        event = words(self.mentions, self.overlap) * exact(label)
        return match(nodes("trigger"), event * inner, duplicates=self.duplicates)
