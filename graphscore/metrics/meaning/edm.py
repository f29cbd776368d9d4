"""Elementary dependency match: what is said of characters and between them.

Dridan and Oepen (2011), "Parser Evaluation Using Elementary Dependency
Matching"; reference scorer cfmrp/mtool 4cee3a2, ``score/edm.py``.  How PyDelphin
counts is in :mod:`graphscore.metrics.meaning.delphin`.

::

    names F↔nodes(label)[δ_characters × δ_label]
    arguments F↔edges[δ_source.characters × δ_target.characters × δ_label]
    properties F↔properties[δ_owner.characters × δ_name × δ_value]
    tops F↔tops[δ_characters]

What differs: a side without text borrows the other's, all Unicode white space is white
space, and inverted edges and AMR properties are as in ``mrp`` (``preset=mtool``: as
that scorer).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from graphscore.exceptions import UsageError
from graphscore.metrics.base import numbered
from graphscore.metrics.meaning.anchored import Anchored, edge_factors
from graphscore.model.anchors import Trim
from graphscore.model.frameworks import DMRS
from graphscore.model.normalize import Invert
from graphscore.model.outcome import CountKey, Scores, total_count
from graphscore.similarity import (
    Collection,
    Feature,
    Similarity,
    at,
    base_edges,
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
    only,
    owner,
    tops,
    value,
    without,
)
from graphscore.similarity.operators.matching import Duplicates

TUPLE_TYPES = ("names", "arguments", "properties", "tops")

APART = ("names", "arguments", "properties", "constants", "tops")
"""The tuple types where constants have a weight of their own."""

CONSTANT = "carg"
"""The property whose value is a constant, in small letters."""

SAYS = folded(label)
"""A node's label as a case-insensitive string."""

SPLITS = {
    "edm_a": ("arguments",),
    "edm_l": ("names",),
    "edm_p": ("properties", "constants"),
    "edm_na": ("names", "arguments"),
}
"""Published groups of tuple types, by the name of their scores."""


@dataclass(frozen=True)
class Edm(Anchored):
    """Names, arguments, properties and tops of nodes identified by characters.

    Args:
        names: weight of node labels in ``all``.
        arguments: weight of edges in ``all``.
        properties: weight of node properties in ``all``.
        constants: weight of constants (``CARG``), which are a kind of their own
            then; ``properties`` where they count as the properties that they are.
        tops: weight of tops in ``all``.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        duplicates: whether equal tuples count once or each.
        preset: ``mtool`` follows that tool's reading of AMR and inverted edges,
            ``pydelphin`` counts as that program does: multisets of what is said of
            ranges as they are written, constants apart.

    Raises:
        UsageError: if a weight is negative or not a finite number.

    Example:
        >>> str(Edm(properties=0, tops=0))
        'edm(properties=0.0,tops=0.0)'
        >>> Edm(constants=2).tuple_types
        ('names', 'arguments', 'properties', 'constants', 'tops')
    """

    name = "edm"
    follows = "mtool 4cee3a2"
    title = "EDM (Dridan & Oepen 2011): elementary dependency match"
    citation = (
        "Dridan and Oepen 2011, Parser Evaluation Using Elementary Dependency Matching"
    )
    made_for = frozenset({"eds", DMRS})
    tuple_types = TUPLE_TYPES
    bound = ""
    local = True
    total = True
    presets = MappingProxyType(
        {"pydelphin": "graphscore.metrics.meaning.delphin:PydelphinEdm"}
    )

    names: float = 1.0
    arguments: float = 1.0
    properties: float = 1.0
    constants: float | Literal["properties"] = "properties"
    tops: float = 1.0
    trim: Trim = "range"
    invert: Invert = "all"
    duplicates: Duplicates = "set"
    preset: Literal["none", "mtool", "pydelphin"] = "none"

    def __post_init__(self) -> None:
        weighed = TUPLE_TYPES if self.constants == "properties" else APART
        # Formulas in the metric's place have kinds of their own.
        if self.tuple_types == TUPLE_TYPES:
            object.__setattr__(self, "tuple_types", weighed)
        for tuple_type in weighed:
            weight = float(getattr(self, tuple_type))
            if not (math.isfinite(weight) and weight >= 0):
                raise UsageError(
                    f"edm: {tuple_type}={weight}, expected a weight of 0 or more"
                )
            # 1 and 1.0 are one metric, with one canonical string.
            object.__setattr__(self, tuple_type, weight)

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """Every parameter; constants have a weight, if anything is said of them."""
        return super().parameters() | {"constants": ("properties", float)}

    def weights(self) -> Mapping[str, int | float]:
        """Weight of each tuple type; whole numbers keep counts whole."""
        result = {
            tuple_type: getattr(self, tuple_type) for tuple_type in self.tuple_types
        }
        return {
            tuple_type: int(weight) if weight.is_integer() else weight
            for tuple_type, weight in result.items()
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
        """Return the formulas over spans and over pairs of spans."""
        mtool = self.preset == "mtool"
        same_place = exact(self.identity)
        ends, same = edge_factors(self.identity, self.invert, mtool)
        apart = self.constants != "properties"

        def counted(collection: Collection, similarity: Similarity) -> Similarity:
            return f1(match(collection, similarity, duplicates=self.duplicates))

        kept = kept_properties(mtool)
        properties = at(owner, same_place) * exact(folded(name), folded(value))
        result = {
            "names": counted(without(nodes(), label, None), same_place * exact(SAYS)),
            "arguments": counted(
                base_edges(mtool=mtool),
                ends * same,
            ),
        }
        if apart:
            others = without(kept, folded(name), CONSTANT)
            constants = only(kept, folded(name), CONSTANT)
            result["properties"] = counted(others, properties)
            result["constants"] = counted(constants, properties)
        else:
            result["properties"] = counted(kept, properties)
        return result | {"tops": counted(tops(), same_place)}

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """A node's label as a name, an edge's as an argument; of a top, nothing."""
        if tuple_type == "names":
            return (SAYS,)
        return (base_label(self.invert, self.preset == "mtool"),)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts per type, ``all`` their weighted sum, and the published splits."""
        result, numbers = super().scores(raw_counts)
        for split, tuple_types in SPLITS.items():
            counts = [
                result[tuple_type] for tuple_type in tuple_types if tuple_type in result
            ]
            numbers |= numbered(split, total_count(counts))
        return Scores(result, numbers)
