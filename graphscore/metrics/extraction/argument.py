"""Arguments of events: found, and in the right role.

Li et al. (2013), "Joint Event Extraction via Structured Prediction with Global
Features"; ArgF1, eq. 16 of Chen et al. (2023).

::

    identification  F↔triggers[δ_visible_anchors × δ_label × Σ↔edges_out[δ_target]]
    classification  the same, with the roles of edges

What differs from the scorers of DyGIE++ and OneIE: a gold argument is found once, a
span may have several roles at a trigger, and the place of the trigger counts
(``trigger=type``: as they).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from graphscore.metrics.corrections import Correctable, spelled
from graphscore.metrics.extraction.base import (
    Duplicates,
    Mentions,
    Spans,
    check_overlap,
    filled,
    words,
)
from graphscore.metrics.extraction.event_rows import (
    TRIGGER,
    TYPE,
    EventRows,
    awaited_triggers,
    below_events,
    is_trigger,
    with_triggers,
)
from graphscore.metrics.formula import CompiledTupleType, FormulaMetric
from graphscore.model.outcome import CountKey, Error, Match
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
from graphscore.similarity.explanation.rows import Rows
from graphscore.similarity.view import Pair


@dataclass(frozen=True)
class EventArguments(FormulaMetric, Correctable):
    """Arguments by their mentions, and by mention and role, of the right event.

    Args:
        trigger: what makes an event the right one: ``span``, its trigger and type;
            ``type``, its type alone, wherever its trigger is.
        mentions: how mentions, and triggers, are compared.
        overlap: with ``mentions=overlap``, what their overlap must exceed.
        duplicates: whether equal arguments, and events, count once or each.
        spans: whether white space in spans counts.

    Example:
        >>> for formula in EventArguments().formulas().values():
        ...     print(formula)
        F↔triggers[δ_visible_anchors × δ_label × Σ↔edges_out[δ_target.visible_anchors]]
        F↔triggers[δ_visible_anchors × δ_label × Σ↔edges_out[δ_target.visible_anchors \
× δ_edge_label]]
    """

    name = "argument"
    follows = "the definition of Li et al. 2013"
    title = "Event argument F1 (Li et al. 2013)"
    citation = (
        "Li et al. 2013, Joint Event Extraction via Structured Prediction with "
        "Global Features"
    )
    frameworks = frozenset({"event"})
    tuple_types = ("identification", "classification")
    main = "classification"
    bound = ""
    revision = 4
    spans_by = "tokens"

    trigger: Literal["span", "type"] = "span"
    mentions: Mentions = "exact"
    overlap: float = 0.5
    duplicates: Duplicates = "set"
    spans: Spans = "characters"

    def __post_init__(self) -> None:
        check_overlap(self.name, self.overlap)

    def formulas(self) -> Mapping[str, Similarity]:
        """Both tuple types."""
        return {name: f1(self._of_events(name)) for name in self.tuple_types}

    @property
    def _words(self) -> Similarity:
        """Similarity of triggers: equal words."""
        return words(self.mentions, self.overlap, self.spans)

    def _argument(self, name: str) -> Similarity:
        """Build the similarity of two arguments in one of the tuple types."""
        result = filled(self.mentions, self.overlap, "events", self.spans)
        return result if name == self.tuple_types[0] else result * exact(edge_label)

    def _inside(self, name: str) -> Similarity:
        """Build the number of arguments that two events share."""
        return match(edges_out(), self._argument(name), duplicates=self.duplicates)

    def _of_events(self, name: str) -> Similarity:
        """Build the number of equal arguments of correctly found events."""
        if self.trigger == "type":
            # The event is known by its type: arguments need no events around them.
            every = only(edges(), via(source, kind), "trigger")
            argument = self._argument(name) * exact(via(source, label, True))
            return match(every, argument, duplicates=self.duplicates)
        event = self._words * exact(label)
        inside = event * self._inside(name)
        return match(nodes("trigger"), inside, duplicates=self.duplicates)

    def rows(self, pair: Pair, part: CompiledTupleType) -> Rows:
        """Rows in which events stand side by side that nothing matches."""
        if self.trigger == "type":
            return super().rows(pair, part)
        inside = self._inside(part.tuple_type)
        return EventRows(pair, part.tuple_type, part.weight, self._words, inside)

    def matches(self, pair: Pair, rows: Sequence[Rows]) -> Iterable[Match]:
        """Those of the main type, and events that only errors of the other are in."""
        matches = super().matches(pair, rows)
        if self.trigger == "type":
            return matches
        return [*matches, *below_events(rows)[1]]

    def errors(self, rows: Sequence[Rows]) -> Iterable[Error]:
        """Yield missing, then spurious errors, below the events that contain them."""
        if self.trigger == "type":
            return super().errors(rows)
        return sorted(
            chain.from_iterable(below_events(rows)[0]),
            key=lambda error: error.error_type == "spurious",
        )

    def is_part(self, error: Error) -> bool:
        """Characters are parts; events cost nothing where their triggers are right."""
        return error.object != "edge" and not is_trigger(error)

    def sort_of(self, error: Error) -> str:
        """Triggers are a sort of their own."""
        return TRIGGER if is_trigger(error) else error.tuple_type

    def confusion(self, missing: Error, spurious: Error) -> str:
        """The types of two triggers, or their words; the roles of two arguments."""
        if missing.name == TYPE:
            return f"{spelled(missing.label)} → {spelled(spurious.label)}"
        return "" if missing.name == TRIGGER else super().confusion(missing, spurious)

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """Return the change of counts for a corrected argument; triggers have none."""
        return super().repaired(error) if error.object == "edge" else {}

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors to confused ones, and triggers to their arguments."""
        return with_triggers(errors)

    def awaited(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Arguments count under the right trigger only."""
        return awaited_triggers(errors)
