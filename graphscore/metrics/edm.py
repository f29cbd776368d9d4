"""Elementary dependency match: what is said of characters and between them.

Dridan and Oepen (2011), "Parser Evaluation Using Elementary Dependency
Matching"; reference scorer cfmrp/mtool 4cee3a2, ``score/edm.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from graphscore.anchors import Trim
from graphscore.errors import UsageError
from graphscore.graph import Graph
from graphscore.metrics.base import Metric, numbered
from graphscore.metrics.identity import (
    Origin,
    Table,
    arcs,
    by_characters,
    properties,
    tops,
)
from graphscore.metrics.sides import two_sides
from graphscore.metrics.tally import Duplicates, compare
from graphscore.normalize import Invert, fold
from graphscore.results import (
    Count,
    Figures,
    MassKey,
    Outcome,
    count_of,
    total_count,
)
from graphscore.tuples import Conventions

KINDS = ("names", "arguments", "properties", "tops")
NAMES, ARGUMENTS, PROPERTIES, TOPS = range(4)

SPLITS = {
    "edm_a": ("arguments",),
    "edm_l": ("names",),
    "edm_p": ("properties",),
    "edm_na": ("names", "arguments"),
}
"""Published groups of kinds, by the name of their figures."""


@dataclass(frozen=True)
class Edm(Metric):
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

    name: ClassVar[str] = "edm"
    title: ClassVar[str] = "elementary dependencies of nodes identified by characters"
    citation: ClassVar[str] = (
        "Dridan and Oepen 2011, Parser Evaluation Using Elementary Dependency Matching"
    )
    revision: ClassVar[int] = 1
    kinds: ClassVar[tuple[str, ...]] = KINDS

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

    @property
    def weights(self) -> tuple[int | float, ...]:
        """Weight of each kind; whole numbers keep counts whole."""
        found = (getattr(self, kind) for kind in KINDS)
        return tuple(int(each) if each.is_integer() else each for each in found)

    @property
    def normalization(self) -> str:
        """Case, anchors and inverted edges."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return (
            f"case,anchors={self.trim},edges={self.invert},{self.duplicates}{reading}"
        )

    def prepare(self, graph: Graph) -> Table:
        """Lay out a graph's elementary dependencies."""
        table = Table(graph, by_characters(graph, self.trim), len(KINDS))
        identities = table.identities
        reading = Conventions(invert=self.invert, mtool=self.preset == "mtool")
        for ordinal, node in enumerate(graph.nodes):
            if node.label is not None:
                origin = Origin("node", ordinal, node.label, "", node.label)
                table.add(NAMES, (identities[ordinal],), "", fold(node.label), origin)
        for arc in arcs(graph, reading):
            table.add_edge(ARGUMENTS, arc)
        for ordinal, name, value, origin in properties(graph, reading):
            table.add(PROPERTIES, (identities[ordinal],), name, value, origin)
        for top in tops(graph):
            table.add_top(TOPS, top)
        return table

    def compare(
        self,
        gold: Sequence[Table],
        system: Sequence[Table],
        *,
        budget: object,
        details: bool = True,
    ) -> Outcome:
        """Count equal tuples; there is nothing to search."""
        mine, theirs = two_sides(gold, system, self.prepare)
        return compare(KINDS, self.weights, mine, theirs, self.duplicates, details)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts per kind, ``all`` their weighted sum, and the published splits."""
        found = {kind: count_of(masses, kind) for kind in KINDS}
        numbers: dict[str, float] = {}
        for split, kinds in SPLITS.items():
            numbers |= numbered(split, total_count(found[kind] for kind in kinds))
        found["all"] = total_count(
            Count(each.gold * weight, each.system * weight, each.matched * weight)
            for each, weight in zip(found.values(), self.weights, strict=True)
        )
        return Figures(found, numbers)
