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

if TYPE_CHECKING:
    from graphscore.similarity.base import Aligned, Similarity
    from graphscore.similarity.derivation.derivation import (
        Derived,
        derive,
        similarity_of,
    )
    from graphscore.similarity.explanation.kernels import Kernel
    from graphscore.similarity.explanation.report import Report
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
    from graphscore.similarity.features.fillers import bag, filler, role, row
    from graphscore.similarity.features.objects import (
        field,
        field_type,
        members,
        objects,
        whole,
    )
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
        items,
        listed,
        literals,
        nodes,
        properties,
        sources,
        targets,
        tops,
        values,
    )
    from graphscore.similarity.navigation.selections import (
        of_top,
        offsets,
        only,
        without,
        words,
    )
    from graphscore.similarity.navigation.steps import (
        Step,
        along,
        nth,
        owner,
        path,
        source,
        target,
        top,
        via,
    )
    from graphscore.similarity.operators.arithmetic import exact, product, total
    from graphscore.similarity.operators.delegation import at, choice
    from graphscore.similarity.operators.hierarchies import (
        Hierarchy,
        descendant,
        hierarchy,
        levels,
        supertypes,
    )
    from graphscore.similarity.operators.latent import latent
    from graphscore.similarity.operators.leaves import (
        custom,
        head_word,
        informed,
        span_jaccard,
        string_overlap,
        weight,
    )
    from graphscore.similarity.operators.matching import Constraint, match
    from graphscore.similarity.operators.orders import in_sequence, reachable
    from graphscore.similarity.operators.ratios import (
        contained,
        f1,
        f_beta,
        harmonic,
        jaccard,
        precision,
        recall,
    )
    from graphscore.similarity.operators.recursion import recursive
    from graphscore.similarity.operators.references import again, variable
    from graphscore.similarity.operators.thresholds import excess
    from graphscore.similarity.parsing.builder import formula
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
        "derivation.derivation": "Derived derive similarity_of",
        "explanation.kernels": "Kernel",
        "explanation.report": "Report",
        "expression": "FormulaError",
        "features.conventions": "base_edges base_end base_label kept_properties yields",
        "features.elements": "Feature anchors attribute_value characters edge_label"
        " given kind label property_value spans surface_text visible_anchors",
        "features.fillers": "bag filler role row",
        "features.objects": "field field_type members objects whole",
        "features.values": "computed folded itself name value",
        "navigation.collections": "Collection all_properties edges edges_in edges_out"
        " items listed literals nodes properties sources targets tops values",
        "navigation.selections": "of_top offsets only without words",
        "navigation.steps": "Step along nth owner path source target top via",
        "operators.arithmetic": "exact product total",
        "operators.delegation": "at choice",
        "operators.hierarchies": "Hierarchy descendant hierarchy levels supertypes",
        "operators.latent": "latent",
        "operators.leaves": "custom head_word informed span_jaccard string_overlap"
        " weight",
        "operators.matching": "Constraint match",
        "operators.orders": "in_sequence reachable",
        "operators.ratios": "contained f1 f_beta harmonic jaccard precision recall",
        "operators.recursion": "recursive",
        "operators.references": "again variable",
        "operators.thresholds": "excess",
        "parsing.builder": "formula",
        "view": "Pair View",
    },
)
