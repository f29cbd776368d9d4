"""Relations between mentions or entities, of two or any number of arguments.

RelF1, eq. 8 to 10 of Chen et al. (2023); the strict and the boundary variant after
Bekoulis et al. (2018) and Taillé et al. (2020).

::

    strict      F↔relations[δ_label × δ_edges_out(role,target.visible_anchors+type)]
    boundary    the same without the types of arguments
    unlabeled   without the label as well

What differs from the scorers of DyGIE++, PURE and OneIE: a pair of spans may have
several types, a repeated prediction counts once, and roles count (``roles=none``: as
OneIE).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from graphscore.metrics.corrections import Correctable
from graphscore.metrics.extraction.base import (
    Duplicates,
    Mentions,
    Spans,
    check_overlap,
    filled,
    filler_of,
)
from graphscore.metrics.formula import FormulaMetric
from graphscore.model.graph import Graph
from graphscore.model.outcome import CountKey, Error, Outcome, Scores
from graphscore.similarity import (
    Collection,
    Similarity,
    computed,
    edges_out,
    exact,
    f1,
    label,
    match,
    nodes,
    property_value,
    target,
    via,
    without,
)
from graphscore.similarity.evaluation.functions import warm
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.features.fillers import Role, Roles, Typed, bag
from graphscore.similarity.view import GRAPH, Pair

_LEVEL = re.compile("[:.]")


def coarse(written: Any) -> Any:
    """The first level of a type.

    >>> coarse("ORG-AFF:Employment"), coarse("PHYS.Located"), coarse(None)
    ('ORG-AFF', 'PHYS', None)
    """
    return _LEVEL.split(written)[0] if isinstance(written, str) else written


@dataclass(frozen=True)
class Relation(FormulaMetric, Correctable):
    """Relations by type and arguments.

    Args:
        mentions: how the mentions of arguments are compared.
        overlap: with ``mentions=overlap``, what their overlap must exceed.
        roles: whether arguments are told apart by role, by order, or not at all.
        symmetric: types whose arguments are not told apart, with ``|`` between.
        types: the type as written, with the subtype, or its first level only.
        credit: whether all arguments must be right, or each earns its part.
        none_label: type that says that there is no relation; then gold's
            relations, those of this type included, are given candidates.
        duplicates: whether equal relations count once or each.
        spans: whether white space in the spans of mentions counts.

    Example:
        >>> for formula in Relation().formulas().values():
        ...     print(formula)
        F↔relations[δ_label × δ_edges_out(role,target.visible_anchors+type)]
        F↔relations[δ_label × δ_edges_out(role,target.visible_anchors)]
        F↔relations[δ_edges_out(role,target.visible_anchors)]
    """

    name = "relation"
    follows = "the equations of Chen et al. 2023"
    title = "Relation F1 (Chen et al. 2023): strict, boundary, unlabeled"
    citation = (
        "Chen et al. 2023, A Unified View of Evaluation Metrics for Structured "
        "Prediction"
    )
    frameworks = frozenset({"relation"})
    bound = ""
    tuple_types = ("strict", "boundary", "unlabeled")
    main = "strict"
    revision = 3
    spans_by = "tokens"

    mentions: Mentions = "exact"
    overlap: float = 0.5
    roles: Roles = "name"
    symmetric: str = ""
    types: Literal["label", "full", "coarse"] = "label"
    credit: Literal["whole", "partial"] = "whole"
    none_label: str = ""
    duplicates: Duplicates = "set"
    spans: Spans = "characters"

    def __post_init__(self) -> None:
        check_overlap(self.name, self.overlap)

    def formulas(self) -> Mapping[str, Similarity]:
        """The three tuple types."""
        every: Collection = nodes("relation")
        if self.none_label:
            every = without(every, label, self.none_label)
        typed = self._typed
        inside: tuple[Similarity, ...] = (
            typed * self._arguments("all"),
            typed * self._arguments("none"),
            self._arguments("none"),
        )
        return {
            tuple_type: f1(match(every, similarity, duplicates=self.duplicates))
            for tuple_type, similarity in zip(self.tuple_types, inside, strict=True)
        }

    @cached_property
    def candidates(self) -> Similarity:
        """Gold's relations of any type, of which the system says the type."""
        same = self._typed * self._arguments("none", whole=True)
        return f1(match(nodes("relation"), same, duplicates=self.duplicates))

    @property
    def _typed(self) -> Similarity:
        if self.types == "coarse":
            return exact(computed(coarse, label))
        if self.types == "full":
            return exact(label, property_value("subtype"))
        return exact(label)

    def _arguments(self, typed: Typed, whole: bool = False) -> Similarity:
        """Build the similarity of the arguments of two relations."""
        role = Role(self.roles, frozenset(filter(None, self.symmetric.split("|"))))
        whole = whole or self.credit == "whole"
        if whole and self.mentions != "overlap":
            # All of them equal is one equality: no two relations are compared.
            filler = via(target, filler_of(self.mentions, typed, self.spans))
            return exact(bag(edges_out(), role, filler))
        argument = exact(role) * filled(self.mentions, self.overlap, typed, self.spans)
        shared = f1(match(edges_out(), argument))
        return shared >= 1 if whole else shared

    def prepare(self, graph: Graph) -> Any:
        """Work out what depends on one graph alone."""
        view = super().prepare(graph)
        if self.none_label:
            warm(self.candidates, view, GRAPH)
        return view

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Raw counts of the tuple types, and of the candidates."""
        result = super().outcome(pair, details)
        if self.none_label:
            measured = measure(self.candidates, pair)
            result.raw_counts["boundary", "", "candidates"] = measured.gold
            result.raw_counts["boundary", "", "correct"] = measured.found.recall
        return result

    def is_part(self, error: Error) -> bool:
        """Arguments and their words are parts of relations."""
        return error.object != "node" or error.parent is not None

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts of the tuple types, and the accuracy over given candidates."""
        result = super().scores(raw_counts)
        if self.none_label:
            candidates = raw_counts.get(("boundary", "", "candidates"), 0)
            right = raw_counts.get(("boundary", "", "correct"), 0)
            result.numbers["accuracy"] = right / candidates if candidates else 0.0
        return result
