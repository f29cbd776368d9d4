"""Events as a whole, nested ones too: the measures of BioNLP's shared tasks.

Kim et al. (2009), "Overview of BioNLP'09 Shared Task on Event Extraction", and Kim et
al. (2011); counts are those of ``a2-evaluate.pl`` after ``a2-normalize.pl``.

What differs: classes that the program does not list count in the total, themes need no
numbers, offsets are characters, and events that have no theme are no arguments, where
it never ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.extraction.bionlp_events import (
    Annotation,
    Distinct,
    Task,
    distinct,
    equals,
    modifications,
)
from graphscore.metrics.extraction.bionlp_matching import (
    BoundaryTolerance,
    Conditions,
    table,
    with_totals,
)
from graphscore.metrics.extraction.bionlp_rows import SideEvents, enter
from graphscore.metrics.pairwise import PairMetric
from graphscore.metrics.traits import Amounts
from graphscore.model.graph import Graph, Value
from graphscore.model.outcome import (
    CountKey,
    Outcome,
    Scores,
    ScoreTable,
    count_of,
    counts_of,
)
from graphscore.model.outcome_builder import OutcomeBuilder
from graphscore.structures.layout import type_name

STRICT, SPAN, RECURSIVE = "strict", "approximate_span", "approximate_recursive"

BOTH = "approximate_span_recursive"

TUPLE_TYPES = (STRICT, SPAN, RECURSIVE, BOTH)
"""Every tuple type: no condition relaxed, the one, the other, both."""

_MERGED = {
    "Transcription": "Gene_expression",
    **dict.fromkeys(
        ("Phosphorylation", "Ubiquitination", "Acetylation", "Deacetylation"),
        "Protein_modification",
    ),
}
"""Types that are told apart by few."""

_SIGN = re.compile("^(?:Positive|Negative)_r")

_LOCATION = re.compile("^.+Loc$")


@dataclass(frozen=True)
class BioNLP(PairMetric, Amounts, Correctable):
    """Events whose type, trigger and arguments are right, those of these included.

    Args:
        task: what counts: ``1`` events with themes and causes, ``2`` those with
            sites and locations too, ``3`` what is negated and speculated.
        triggers: whether it matters where the triggers of events are (``-S``).
        classes: whether types must be equal, or in one group (``-m``).
        locations: whether ``AtLoc`` and ``ToLoc`` are one role, as in 2013.

    Example:
        >>> str(BioNLP(task="2", locations="apart"))
        'bionlp(task=2,locations=apart)'
    """

    name = "bionlp"
    follows = "a2-evaluate.pl of BioNLP-ST 2013 4f59ff4"
    title = "BioNLP event F1 (Kim et al. 2009, 2011), nested events"
    citation = (
        "Kim et al. 2009, Overview of BioNLP'09 Shared Task on Event Extraction; "
        "Kim et al. 2011, Overview of Genia Event Task in BioNLP Shared Task 2011"
    )
    frameworks = frozenset({"event"})
    tuple_types = TUPLE_TYPES
    main = BOTH
    bound = "an event may be alike several of the other side"
    normalization = "a2-normalize"

    task: Task = "1"
    triggers: Literal["compared", "ignored"] = "compared"
    classes: Literal["exact", "merged"] = "exact"
    locations: Literal["merged", "apart"] = "merged"

    def prepare(self, graph: Graph) -> Annotation:
        """The events of a graph."""
        return Annotation(graph)

    def compare_sides(
        self, gold: Annotation, system: Annotation, budget: Budget, details: bool
    ) -> Outcome:
        """Count the events of either side that are like one of the other."""
        builder = OutcomeBuilder(details)
        if not (gold.triggers or system.triggers):
            return builder.outcome(0, "alike")
        named = gold.named and system.named
        gold_equals, system_equals = equals(gold, system, named)
        gold_side = self._side(
            gold, distinct(gold, self.task, named, gold_equals, False)
        )
        system_side = self._side(
            system, distinct(system, self.task, named, system_equals, True)
        )
        reach = BoundaryTolerance(gold.graph.text, _annotated(gold.graph))
        score = 0
        for tuple_type in TUPLE_TYPES:
            conditions = self.conditions(tuple_type, reach)
            pairs = conditions.alike(
                gold_side.every, system_side.every, (gold_side.tops, system_side.tops)
            )
            right = enter(
                builder,
                tuple_type,
                gold_side,
                system_side,
                pairs,
                tuple_type == self.main,
            )
            score = right if tuple_type == self.main else score
        return builder.outcome(score, "alike")

    def _side(self, side: Annotation, every: Distinct) -> SideEvents:
        if self.task == "3":
            return SideEvents(side, every, modifications(side, every))
        return SideEvents(side, every, [every.events[number] for number in every.kept])

    def conditions(self, tuple_type: str, reach: BoundaryTolerance) -> Conditions:
        """Return the conditions for two events to match.

        Args:
            tuple_type: one of the tuple types.
            reach: how far gold's places reach.
        """
        return Conditions(
            reach if tuple_type in (SPAN, BOTH) else None,
            tuple_type in (RECURSIVE, BOTH),
            self.triggers == "compared",
            _merged if self.classes == "merged" else type_name,
            _located if self.locations == "merged" else str,
        )

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts by type; numbers by type and class, with the totals of the program."""
        counts = counts_of(raw_counts, TUPLE_TYPES)
        counts["all"] = counts[self.main]
        labels = sorted(
            {(tuple_type, label) for tuple_type, label, _ in raw_counts if label}
        )
        numbers: dict[str, float] = {}
        for tuple_type in TUPLE_TYPES:
            own = {
                label: count_of(raw_counts, tuple_type, label)
                for part, label in labels
                if part == tuple_type
            }
            for label, count in with_totals(own).items():
                numbers |= {
                    f"{tuple_type}.{label}.gold": count.gold * 1.0,
                    f"{tuple_type}.{label}.matched": count.matched * 1.0,
                    f"{tuple_type}.{label}.system": count.system * 1.0,
                    f"{tuple_type}.{label}.matched_system": count.correct_system * 1.0,
                    f"{tuple_type}.{label}.recall": count.recall,
                    f"{tuple_type}.{label}.precision": count.precision,
                    f"{tuple_type}.{label}.f1": count.f1,
                }
        return Scores(counts, numbers)

    def is_ratio(self, score: str, value: float) -> bool:
        """Recall, precision and F1 are."""
        return score.rpartition(".")[2] in ("recall", "precision", "f1")

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Return nothing: classes have tables of their own."""
        return {}

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """For each tuple type the table of the program."""
        result = (table(tuple_type, scores.numbers) for tuple_type in TUPLE_TYPES)
        return tuple(score_table for score_table in result if score_table.rows)


def _annotated(graph: Graph) -> list[tuple[int, int]]:
    return [(start, end) for node in graph.nodes for start, end in node.anchors]


@lru_cache(1 << 12)
def _merged(label: Value) -> str:
    """The group of a type.

    >>> _merged("Positive_regulation"), _merged("Acetylation"), _merged("Binding")
    ('Regulation', 'Protein_modification', 'Binding')
    """
    name = type_name(label)
    return _SIGN.sub("R", _MERGED.get(name, name))


@lru_cache(1 << 12)
def _located(role: str) -> str:
    """The role under which all locations are one.

    >>> _located("ToLoc"), _located("CSite")
    ('Loc', 'CSite')
    """
    return _LOCATION.sub("Loc", role)
