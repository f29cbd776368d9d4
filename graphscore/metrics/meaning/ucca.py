"""UCCA: primary and remote edges between yields.

Hershcovich, Abend and Rappoport (2017), "A Transition-Based Directed Acyclic
Graph Parser for UCCA"; reference scorer cfmrp/mtool 4cee3a2, ``score/ucca.py``.  How
the UCCA toolkit counts is in :mod:`graphscore.metrics.meaning.ucca_toolkit`.

::

    labeled primary   F↔edges(¬remote)[δ_source.yield × δ_target.yield × δ_label]

What differs: units on a circle have one yield, and a primary and a remote edge with
equal ends both count (``preset=mtool``: as that scorer).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

from graphscore.exceptions import UsageError
from graphscore.metrics.base import numbered
from graphscore.metrics.meaning.anchored import Anchored, edge_factors
from graphscore.model.anchors import Trim
from graphscore.model.normalize import Invert
from graphscore.model.outcome import CountKey, Scores, total_count
from graphscore.similarity import (
    Feature,
    Similarity,
    base_edges,
    base_label,
    characters,
    edge_label,
    f1,
    match,
    yields,
)
from graphscore.similarity.operators.matching import Duplicates

GROUPS = ("labeled", "unlabeled", "weak_labeled")
"""Prefixes of the names of tuple types."""

TUPLE_TYPES = (
    "labeled primary",
    "labeled remote",
    "unlabeled primary",
    "unlabeled remote",
)

REMOTE = "remote"
"""Attribute that marks an edge outside the tree."""


@dataclass(frozen=True)
class Ucca(Anchored):
    """Edges between units identified by their yields.

    Args:
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        duplicates: whether equal edges count once or each.
        preset: ``mtool`` follows that tool's reading of repeated edges and its
            walk through cycles, ``toolkit`` counts as the UCCA toolkit does: yields
            without punctuation, with the categories of all that leads to them.
        normalize: whether ``preset=toolkit`` brings passages into that program's
            normal form, as it does itself unless told otherwise.

    Raises:
        UsageError: if normalisation is switched off where there is none.

    Example:
        >>> str(Ucca(duplicates="multiset"))
        'ucca(duplicates=multiset)'
    """

    name = "ucca"
    follows = "mtool 4cee3a2"
    title = "UCCA (Hershcovich et al. 2017): primary and remote edge F1"
    citation = (
        "Hershcovich et al. 2017, A Transition-Based Directed Acyclic Graph Parser "
        "for UCCA"
    )
    made_for = frozenset({"ucca"})
    tuple_types: ClassVar[tuple[str, ...]] = TUPLE_TYPES
    bound = ""
    local = True
    main = "labeled primary"
    presets = MappingProxyType(
        {"toolkit": "graphscore.metrics.meaning.ucca_toolkit.metric:ToolkitUcca"}
    )

    trim: Trim = "range"
    invert: Invert = "all"
    duplicates: Duplicates = "set"
    preset: Literal["none", "mtool", "toolkit"] = "none"
    normalize: bool = True

    def __post_init__(self) -> None:
        if self.preset != "toolkit" and not self.normalize:
            raise UsageError("ucca: normalize=false goes with preset=toolkit")

    @property
    def normalization(self) -> str:
        """Case, anchors, inverted edges and default attributes."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return (
            f"case,anchors={self.trim},edges={self.invert},attributes,"
            f"{self.duplicates}{reading}"
        )

    @property
    def identity(self) -> Feature:
        """The characters of a unit and of all that it leads to."""
        mtool = self.preset == "mtool"
        primary = base_edges(lacking=REMOTE, mtool=mtool)
        return yields(characters(self.trim), primary, self.invert, mtool)

    def formulas(self) -> Mapping[str, Similarity]:
        """Primary and remote edges between yields, with categories and without."""
        mtool = self.preset == "mtool"
        ends, label = edge_factors(self.identity, self.invert, mtool)
        groups = {"labeled": ends * label, "unlabeled": ends}
        edges = {
            "primary": base_edges(lacking=REMOTE, mtool=mtool),
            "remote": base_edges(having=REMOTE, mtool=mtool),
        }
        return {
            f"{group} {rest}": f1(match(collection, edge, duplicates=self.duplicates))
            for group, edge in groups.items()
            for rest, collection in edges.items()
        }

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """The category of an edge."""
        if tuple_type.startswith("unlabeled"):
            return (edge_label,)
        return (base_label(self.invert, self.preset == "mtool"),)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Every type, ``all`` repeating the first; all sorts of edges together."""
        result, numbers = super().scores(raw_counts)
        for group in GROUPS:
            every = [
                result[tuple_type]
                for tuple_type in self.tuple_types
                if tuple_type.startswith(group)
            ]
            if every:
                numbers |= numbered(group, total_count(every))
        return Scores(result, numbers)
