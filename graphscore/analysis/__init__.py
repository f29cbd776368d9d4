"""Properties of a collection of graphs: statistics, tuple counts, special cases.

The statistics are those of Kuhlmann and Oepen (2016), *Towards a Catalogue of
Linguistic Graph Banks*, Computational Linguistics 42(4), in the form in which the
analyzer of mtool (4cee3a2, ``analyzer.py``) counts them.  Each property of a single
graph is one function of its :class:`Topology`; :class:`CollectionStatistics` sums them
up.
"""

from __future__ import annotations

from graphscore.analysis.arcs import crossings, edge_lengths, is_noncrossing, is_page2
from graphscore.analysis.collection import (
    STATISTICS,
    CollectionStatistics,
    Statistic,
)
from graphscore.analysis.connection import (
    components,
    density,
    is_connected,
    is_cyclic,
    is_tree,
)
from graphscore.analysis.degrees import nontop_roots, reentrant_nodes, roots
from graphscore.analysis.inventory import CASES, special_cases, tuple_counts
from graphscore.analysis.roles import arguments, continuations, predicates, references
from graphscore.analysis.topology import Inverted, Topology, shape_of
from graphscore.analysis.treewidth import Width, treewidth

__all__ = [
    "CASES",
    "STATISTICS",
    "CollectionStatistics",
    "Inverted",
    "Statistic",
    "Topology",
    "Width",
    "arguments",
    "components",
    "continuations",
    "crossings",
    "density",
    "edge_lengths",
    "is_connected",
    "is_cyclic",
    "is_noncrossing",
    "is_page2",
    "is_tree",
    "nontop_roots",
    "predicates",
    "reentrant_nodes",
    "references",
    "roots",
    "shape_of",
    "special_cases",
    "treewidth",
    "tuple_counts",
]
