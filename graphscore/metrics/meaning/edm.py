"""Elementary dependency match: what is said of characters and between them.

Dridan and Oepen (2011), "Parser Evaluation Using Elementary Dependency
Matching"; reference scorer cfmrp/mtool 4cee3a2, ``score/edm.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.errors import UsageError
from graphscore.metrics.base import numbered
from graphscore.metrics.meaning.anchored import Anchored
from graphscore.model.anchors import Trim
from graphscore.model.normalize import Invert
from graphscore.model.outcome import Figures, MassKey, total_count
from graphscore.similarity import (
    Collection,
    Feature,
    Similarity,
    at,
    base_edges,
    base_end,
    base_label,
    characters,
    exact,
    f1,
    folded,
    kept_properties,
    label,
    match,
    name,
    nodes,
    owner,
    tops,
    value,
    without,
)
from graphscore.similarity.combining.matching import Duplicates

KINDS = ("names", "arguments", "properties", "tops")

SAYS = folded(label)
"""A node's label as a case-insensitive string."""

SPLITS = {
    "edm_a": ("arguments",),
    "edm_l": ("names",),
    "edm_p": ("properties",),
    "edm_na": ("names", "arguments"),
}
"""Published groups of kinds, by the name of their figures."""


@dataclass(frozen=True)
class Edm(Anchored):
    """Names, arguments, properties and tops of nodes identified by characters.

    Args:
        names: weight of node labels in ``all``.
        arguments: weight of edges in ``all``.
        properties: weight of node properties in ``all``.
        tops: weight of tops in ``all``.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        duplicates: whether equal tuples count once or each.
        preset: ``mtool`` follows that tool's reading of AMR and inverted edges.

    Raises:
        UsageError: if a weight is negative or not a finite number.

    Example:
        >>> str(Edm(properties=0, tops=0))
        'edm(properties=0.0,tops=0.0)'
    """

    name = "edm"
    follows = "mtool 4cee3a2"
    title = "elementary dependencies of nodes identified by characters"
    citation = (
        "Dridan and Oepen 2011, Parser Evaluation Using Elementary Dependency Matching"
    )
    kinds = KINDS
    separable = True
    local = True
    total = True

    names: float = 1.0
    arguments: float = 1.0
    properties: float = 1.0
    tops: float = 1.0
    trim: Trim = "range"
    invert: Invert = "all"
    duplicates: Duplicates = "set"
    preset: Literal["none", "mtool"] = "none"

    def __post_init__(self) -> None:
        for kind in KINDS:
            weight = float(getattr(self, kind))
            if not (math.isfinite(weight) and weight >= 0):
                raise UsageError(
                    f"edm: {kind}={weight}, expected a weight of 0 or more"
                )
            # 1 and 1.0 are one metric, with one canonical string.
            object.__setattr__(self, kind, weight)

    def weights(self) -> Mapping[str, int | float]:
        """Weight of each kind; whole numbers keep counts whole."""
        found = {kind: getattr(self, kind) for kind in KINDS}
        return {
            kind: int(each) if each.is_integer() else each
            for kind, each in found.items()
        }

    @property
    def normalization(self) -> str:
        """Case, anchors and inverted edges."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return (
            f"case,anchors={self.trim},edges={self.invert},{self.duplicates}{reading}"
        )

    @property
    def identity(self) -> Feature:
        """Visible characters, punctuation trimmed."""
        return characters(self.trim)

    def formulas(self) -> Mapping[str, Similarity]:
        """What is said of characters, and between them."""
        mtool = self.preset == "mtool"
        place = exact(self.identity)
        source = at(base_end("source", self.invert, mtool), place)
        target = at(base_end("target", self.invert, mtool), place)

        def counted(collection: Collection, similarity: Similarity) -> Similarity:
            return f1(match(collection, similarity, duplicates=self.duplicates))

        return {
            "names": counted(without(nodes(), label, None), place * exact(SAYS)),
            "arguments": counted(
                base_edges(mtool=mtool),
                source * target * exact(base_label(self.invert, mtool)),
            ),
            "properties": counted(
                kept_properties(mtool),
                at(owner, place) * exact(folded(name), folded(value)),
            ),
            "tops": counted(tops(), place),
        }

    def shown(self, kind: str) -> tuple[Feature, ...]:
        """A node's label as a name, an edge's as an argument; of a top, nothing."""
        if kind == "names":
            return (SAYS,)
        return (base_label(self.invert, self.preset == "mtool"),)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts per kind, ``all`` their weighted sum, and the published splits."""
        found, numbers = super().figures(masses)
        for split, kinds in SPLITS.items():
            numbers |= numbered(split, total_count(found[kind] for kind in kinds))
        return Figures(found, numbers)
