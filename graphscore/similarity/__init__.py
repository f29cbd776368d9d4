"""The similarity algebra: metrics as formulas over labelled graphs.

Chen et al. (2023), "A Unified View of Evaluation Metrics for Structured
Prediction".  A metric is a ratio of sums over an optimal matching of parts, whose
similarity may be such a ratio itself::

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

from graphscore.similarity.base import Aligned, Similarity
from graphscore.similarity.combining.choices import choice
from graphscore.similarity.combining.ends import at
from graphscore.similarity.combining.excess import excess
from graphscore.similarity.combining.hierarchies import (
    Descendant,
    Hierarchy,
    Levels,
    Supertypes,
    hierarchy,
)
from graphscore.similarity.combining.latent import latent, variable
from graphscore.similarity.combining.leaves import Custom, weight
from graphscore.similarity.combining.matching import Match
from graphscore.similarity.combining.phrases import (
    head_word,
    informed,
    span_jaccard,
    string_overlap,
    token_f1,
)
from graphscore.similarity.combining.products import exact, product, total
from graphscore.similarity.combining.ratios import (
    contained,
    f1,
    f_beta,
    harmonic,
    jaccard,
    precision,
    recall,
)
from graphscore.similarity.deriving.derivation import Derived, derive, similarity_of
from graphscore.similarity.explaining.report import Report
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.features.conventions import (
    BaseEdges,
    BaseEnd,
    BaseLabel,
    KeptProperties,
    Yields,
)
from graphscore.similarity.features.elements import (
    AttributeValue,
    Characters,
    Feature,
    Given,
    PropertyValue,
    Spans,
    anchors,
    edge_label,
    kind,
    label,
    surface_text,
)
from graphscore.similarity.features.fields import FieldType, field, whole
from graphscore.similarity.features.fillers import Filler, Role, bag
from graphscore.similarity.features.objects import members, objects
from graphscore.similarity.features.values import Computed, Folded, itself, name, value
from graphscore.similarity.navigation.collections import (
    AllProperties,
    Collection,
    Edges,
    EdgesIn,
    EdgesOut,
    Listed,
    Nodes,
    Properties,
    Sources,
    Targets,
    Tops,
    Values,
)
from graphscore.similarity.navigation.paths import Nth, OfTop, Path, items, literals
from graphscore.similarity.navigation.steps import (
    Along,
    Step,
    Via,
    owner,
    source,
    target,
    top,
)
from graphscore.similarity.navigation.words import Offsets, Words, only, without
from graphscore.similarity.solving.assignment import Constraint
from graphscore.similarity.solving.ordering import in_sequence, reachable
from graphscore.similarity.view import Pair, View

# Functions that make a part of a formula are named in small letters.
all_properties = AllProperties
along = Along
attribute_value = AttributeValue
base_edges = BaseEdges
base_end = BaseEnd
base_label = BaseLabel
characters = Characters
computed = Computed
custom = Custom
descendant = Descendant
edges = Edges
edges_in = EdgesIn
edges_out = EdgesOut
field_type = FieldType
filler = Filler
folded = Folded
given = Given
kept_properties = KeptProperties
levels = Levels
listed = Listed
match = Match
nodes = Nodes
nth = Nth
of_top = OfTop
offsets = Offsets
path = Path
properties = Properties
property_value = PropertyValue
role = Role
sources = Sources
spans = Spans
supertypes = Supertypes
targets = Targets
tops = Tops
values = Values
via = Via
words = Words
yields = Yields

__all__ = [
    "Aligned",
    "Collection",
    "Constraint",
    "Derived",
    "Feature",
    "FormulaError",
    "Hierarchy",
    "Pair",
    "Report",
    "Similarity",
    "Step",
    "View",
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
    "role",
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
    "token_f1",
    "top",
    "tops",
    "total",
    "value",
    "values",
    "variable",
    "via",
    "weight",
    "whole",
    "without",
    "words",
    "yields",
]
