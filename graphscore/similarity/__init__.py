"""The similarity algebra: metrics as formulas over labelled graphs.

Chen et al. (2023), "A Unified View of Evaluation Metrics for Structured
Prediction".  A metric is a ratio of sums over an optimal matching of parts, whose
similarity may be such a ratio itself::

    >>> from graphscore.similarity import anchors, exact, f1, match, nodes, targets
    >>> mention = exact(anchors)
    >>> entity = f1(match(targets("mention"), mention))
    >>> ceaf_e = f1(match(nodes("entity"), entity))
    >>> print(ceaf_e)
    F↔entities[F↔mentions[δ]]
    >>> ceaf_e
    f1(match(nodes('entity'), f1(match(targets('mention'), exact(anchors)))))

Formulas are values: they can be compared, written down and read back.  They say
what is compared; how, is found from their shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

# What signs between formulas make, and what scores them, is there before any formula.
from graphscore.similarity.combining.excess import excess
from graphscore.similarity.combining.products import exact, product, total
from graphscore.similarity.explaining.kernels import Kernel
from graphscore.similarity.explaining.report import Report

if TYPE_CHECKING:
    from graphscore.similarity.base import Aligned, Similarity
    from graphscore.similarity.combining.again import again
    from graphscore.similarity.combining.choices import choice
    from graphscore.similarity.combining.ends import at
    from graphscore.similarity.combining.hierarchies import (
        Hierarchy,
        descendant,
        hierarchy,
        levels,
        supertypes,
    )
    from graphscore.similarity.combining.latent import latent
    from graphscore.similarity.combining.leaves import custom, weight
    from graphscore.similarity.combining.matching import match
    from graphscore.similarity.combining.phrases import (
        head_word,
        informed,
        span_jaccard,
        string_overlap,
    )
    from graphscore.similarity.combining.ratios import (
        contained,
        f1,
        f_beta,
        harmonic,
        jaccard,
        precision,
        recall,
    )
    from graphscore.similarity.combining.recursion import recursive
    from graphscore.similarity.combining.variables import variable
    from graphscore.similarity.deriving.derivation import Derived, derive, similarity_of
    from graphscore.similarity.expression import FormulaError
    from graphscore.similarity.features.conventions import (
        base_edges,
        base_end,
        base_label,
        kept_properties,
        yields,
    )
    from graphscore.similarity.features.elements import (
        Feature,
        anchors,
        attribute_value,
        characters,
        edge_label,
        given,
        kind,
        label,
        property_value,
        spans,
        surface_text,
        visible_anchors,
    )
    from graphscore.similarity.features.fields import field, field_type, whole
    from graphscore.similarity.features.fillers import bag, filler, role
    from graphscore.similarity.features.objects import members, objects
    from graphscore.similarity.features.rows import row
    from graphscore.similarity.features.values import (
        computed,
        folded,
        itself,
        name,
        value,
    )
    from graphscore.similarity.navigation.collections import (
        Collection,
        all_properties,
        edges,
        edges_in,
        edges_out,
        listed,
        nodes,
        properties,
        sources,
        targets,
        tops,
        values,
    )
    from graphscore.similarity.navigation.filters import only, without
    from graphscore.similarity.navigation.paths import (
        items,
        literals,
        nth,
        of_top,
        path,
    )
    from graphscore.similarity.navigation.steps import (
        Step,
        along,
        owner,
        source,
        target,
        top,
        via,
    )
    from graphscore.similarity.navigation.words import offsets, words
    from graphscore.similarity.parsing.builder import formula
    from graphscore.similarity.solving.assignment import Constraint
    from graphscore.similarity.solving.ordering import in_sequence, reachable
    from graphscore.similarity.view import Pair, View

__all__ = [
    "Aligned",
    "Collection",
    "Constraint",
    "Derived",
    "Feature",
    "FormulaError",
    "Hierarchy",
    "Kernel",
    "Pair",
    "Report",
    "Similarity",
    "Step",
    "View",
    "again",
    "all_properties",
    "along",
    "anchors",
    "at",
    "attribute_value",
    "bag",
    "base_edges",
    "base_end",
    "base_label",
    "characters",
    "choice",
    "computed",
    "contained",
    "custom",
    "derive",
    "descendant",
    "edge_label",
    "edges",
    "edges_in",
    "edges_out",
    "exact",
    "excess",
    "f1",
    "f_beta",
    "field",
    "field_type",
    "filler",
    "folded",
    "formula",
    "given",
    "harmonic",
    "head_word",
    "hierarchy",
    "in_sequence",
    "informed",
    "items",
    "itself",
    "jaccard",
    "kept_properties",
    "kind",
    "label",
    "latent",
    "levels",
    "listed",
    "literals",
    "match",
    "members",
    "name",
    "nodes",
    "nth",
    "objects",
    "of_top",
    "offsets",
    "only",
    "owner",
    "path",
    "precision",
    "product",
    "properties",
    "property_value",
    "reachable",
    "recall",
    "recursive",
    "role",
    "row",
    "similarity_of",
    "source",
    "sources",
    "span_jaccard",
    "spans",
    "string_overlap",
    "supertypes",
    "surface_text",
    "target",
    "targets",
    "top",
    "tops",
    "total",
    "value",
    "values",
    "variable",
    "via",
    "visible_anchors",
    "weight",
    "whole",
    "without",
    "words",
    "yields",
]

__getattr__ = lazily(
    __name__,
    {
        "base": "Aligned Similarity",
        "combining.again": "again",
        "combining.choices": "choice",
        "combining.ends": "at",
        "combining.hierarchies": "Hierarchy descendant hierarchy levels supertypes",
        "combining.latent": "latent",
        "combining.leaves": "custom weight",
        "combining.matching": "match",
        "combining.phrases": "head_word informed span_jaccard string_overlap",
        "combining.ratios": "contained f1 f_beta harmonic jaccard precision recall",
        "combining.recursion": "recursive",
        "combining.variables": "variable",
        "deriving.derivation": "Derived derive similarity_of",
        "expression": "FormulaError",
        "features.conventions": "base_edges base_end base_label kept_properties yields",
        "features.elements": "Feature anchors attribute_value characters edge_label"
        " given kind label property_value spans surface_text visible_anchors",
        "features.fields": "field field_type whole",
        "features.fillers": "bag filler role",
        "features.objects": "members objects",
        "features.rows": "row",
        "features.values": "computed folded itself name value",
        "navigation.collections": "Collection all_properties edges edges_in edges_out"
        " listed nodes properties sources targets tops values",
        "navigation.paths": "items literals nth of_top path",
        "navigation.steps": "Step along owner source target top via",
        "navigation.filters": "only without",
        "navigation.words": "offsets words",
        "parsing.builder": "formula",
        "solving.assignment": "Constraint",
        "solving.ordering": "in_sequence reachable",
        "view": "Pair View",
    },
)
