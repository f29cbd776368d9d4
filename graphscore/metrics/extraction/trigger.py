"""Event triggers: found, and of the right type.

Li et al. (2013), "Joint Event Extraction via Structured Prediction with Global
Features"; TrigF1, eq. 15 of Chen et al. (2023).

::

    identification  F↔triggers[δ_visible_anchors]
    classification  F↔triggers[δ_visible_anchors × δ_label]

What differs from the scorers of DyGIE++ and OneIE: a place may have several types, and
a gold trigger is found once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.metrics.corrections import Correctable
from graphscore.metrics.extraction.base import (
    Duplicates,
    Mentions,
    Spans,
    check_overlap,
    words,
)
from graphscore.metrics.formula import FormulaMetric
from graphscore.model.outcome import Error
from graphscore.similarity import Similarity, exact, f1, label, levels, match, nodes

SEPARATORS = {"colon": ":", "dot": "."}


@dataclass(frozen=True)
class Trigger(FormulaMetric, Correctable):
    """Triggers by their words, and by words and event type.

    Args:
        mentions: how the words of triggers are compared.
        overlap: with ``mentions=overlap``, what their overlap must exceed.
        levels: partial credit by levels of a type, and what separates them.
        duplicates: whether equal triggers count once or each.
        spans: whether white space in spans counts.

    Example:
        >>> print(Trigger().formulas()["classification"])
        F↔triggers[δ_visible_anchors × δ_label]
    """

    name = "trigger"
    follows = "the definition of Li et al. 2013"
    title = "Event trigger F1 (Li et al. 2013)"
    citation = (
        "Li et al. 2013, Joint Event Extraction via Structured Prediction with "
        "Global Features"
    )
    frameworks = frozenset({"event"})
    bound = ""
    tuple_types = ("identification", "classification")
    main = "classification"
    revision = 3
    spans_by = "tokens"

    mentions: Mentions = "exact"
    overlap: float = 0.5
    levels: Literal["none", "colon", "dot"] = "none"
    duplicates: Duplicates = "set"
    spans: Spans = "characters"

    def __post_init__(self) -> None:
        check_overlap(self.name, self.overlap)

    def formulas(self) -> Mapping[str, Similarity]:
        """Both tuple types."""
        same_words = words(self.mentions, self.overlap, self.spans)
        typed: Similarity = exact(label)
        if self.levels != "none":
            typed = levels(label, SEPARATORS[self.levels])
        return {
            tuple_type: f1(
                match(nodes("trigger"), similarity, duplicates=self.duplicates)
            )
            for tuple_type, similarity in zip(
                self.tuple_types, (same_words, same_words * typed), strict=True
            )
        }

    def is_part(self, error: Error) -> bool:
        """Characters are parts of triggers."""
        return error.object != "node"
