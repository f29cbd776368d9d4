"""Semantic dependency parsing: labelled and unlabelled dependencies.

Oepen et al. (2014), "SemEval 2014 Task 8: Broad-Coverage Semantic Dependency
Parsing", and Oepen et al. (2015), its Task 18 of the next year; reference scorer
cfmrp/mtool 4cee3a2, ``score/sdp.py``.

::

    labeled   F[Σ↔tops[δ_spans] + Σ↔edges[δ_source.spans × δ_target.spans × δ_label]]

What differs: a side without text borrows the other's, and ``consist-of`` and
``subset-of`` stay as they are (``preset=mtool``: turned round).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.metrics.meaning.anchored import Anchored, edge_factors
from graphscore.model.frameworks import BILEXICAL
from graphscore.model.normalize import Invert
from graphscore.model.outcome import CountKey, Outcome, RawCounts, Scores, count_of
from graphscore.similarity import (
    Feature,
    Pair,
    Similarity,
    base_edges,
    base_label,
    edge_label,
    exact,
    f1,
    match,
    spans,
    tops,
)
from graphscore.similarity.operators.matching import Duplicates

TUPLE_TYPES = ("labeled", "unlabeled")


@dataclass(frozen=True)
class Sdp(Anchored):
    """Dependencies between words, as triples and as bare pairs.

    A node is identified by its trimmed ranges.  Every top adds a dependency from
    a virtual root.

    Args:
        tops: whether virtual dependencies to the tops count.
        invert: where inverted edges are inferred from their labels.
        duplicates: whether equal dependencies count once or each.
        preset: ``mtool`` follows that tool's reading of inverted edges.

    Example:
        >>> str(Sdp(tops=False))
        'sdp(tops=false)'
    """

    name = "sdp"
    follows = "mtool 4cee3a2"
    title = "SDP (Oepen et al. 2014): labeled and unlabeled dependency F1"
    citation = (
        "Oepen et al. 2014, SemEval 2014 Task 8: Broad-Coverage Semantic "
        "Dependency Parsing"
    )
    made_for = BILEXICAL
    tuple_types = TUPLE_TYPES
    bound = ""
    local = True
    main = "labeled"

    tops: bool = True
    invert: Invert = "all"
    duplicates: Duplicates = "set"
    preset: Literal["none", "mtool"] = "none"

    @property
    def normalization(self) -> str:
        """Case, anchors and inverted edges."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return f"case,anchors=range,edges={self.invert},{self.duplicates}{reading}"

    @property
    def identity(self) -> Feature:
        """Trimmed ranges; all nodes without anchors are one."""
        return spans()

    def formulas(self) -> Mapping[str, Similarity]:
        """Dependencies between ranges, with their label and without."""
        mtool = self.preset == "mtool"
        same_place = exact(self.identity)
        ends, label = edge_factors(self.identity, self.invert, mtool)

        def counted(edge: Similarity) -> Similarity:
            every = match(base_edges(mtool=mtool), edge, duplicates=self.duplicates)
            if not self.tops:
                return f1(every)
            return f1(match(tops(), same_place, duplicates=self.duplicates) + every)

        return {
            "labeled": counted(ends * label),
            "unlabeled": counted(ends),
        }

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """The label of a dependency; of a top, nothing."""
        if tuple_type == "unlabeled":
            return (edge_label,)
        return (base_label(self.invert, self.preset == "mtool"),)

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Count equal dependencies, and graphs whose dependencies are all equal."""
        result = super().outcome(pair, details)
        self.completed(result.raw_counts)
        return result

    def completed(self, raw_counts: RawCounts) -> RawCounts:
        """Count the graph, and whether its dependencies are all equal."""
        for tuple_type in TUPLE_TYPES:
            raw_counts[tuple_type, "", "graphs"] = 1
            count = count_of(raw_counts, tuple_type)
            if count.gold == count.system == count.matched == count.correct_system:
                raw_counts[tuple_type, "", "exact"] = 1
        return raw_counts

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Both tuple types, ``all`` repeating the labelled one, and exact graphs."""
        result, numbers = super().scores(raw_counts)
        for tuple_type in TUPLE_TYPES:
            graphs = raw_counts.get((tuple_type, "", "graphs"), 0)
            exact = raw_counts.get((tuple_type, "", "exact"), 0)
            numbers[f"{tuple_type}.exact"] = exact / graphs if graphs else 0.0
            numbers[f"{tuple_type}.exact_graphs"] = exact
        return Scores(result, numbers)
