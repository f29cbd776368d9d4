"""Tree edit distance as a formula: a ratio over the heaviest mapping of two trees.

What edits leave in place of two ordered trees is a mapping (Tai 1979), and the cheapest
edits leave the heaviest mapping.  Where deleting costs *a*, inserting *b*, and putting
*u* in place of *v* costs c(u, v)::

    distance = a |gold| + b |system| - max Σ (a + b - c(u, v))

over mappings.  So 1 minus the share of the distance in what it is at most, where
everything is deleted and inserted, is an F over the mapping, in which a pair counts
1 - c(u, v) / (a + b); recall weighs a / b times as much as precision.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

from graphscore.model.graph import Value
from graphscore.similarity.base import Similarity, require_similarity
from graphscore.similarity.combining.matching import Match
from graphscore.similarity.combining.products import exact
from graphscore.similarity.combining.ratios import Normalized
from graphscore.similarity.combining.softened import Softened
from graphscore.similarity.combining.thresholds import require_number
from graphscore.similarity.expression import require
from graphscore.similarity.features.elements import label
from graphscore.similarity.navigation.collections import Nodes
from graphscore.similarity.solving.trees import InTree


def tree_edit(
    similarity: Similarity = exact(label),  # noqa: B008 - a value that never changes
    edge: Value = None,
    *,
    delete: float = 1,
    insert: float = 1,
    replace: float = 1,
) -> Normalized:
    """How alike two ordered trees are by their edit distance (Zhang and Shasha 1989).

    1 minus the cost of the cheapest edits that make the system's tree of gold's, as a
    share of what it costs to delete gold's nodes and to insert the system's.  A node
    that goes leaves what is below it to the node above it; siblings stand as their
    edges do in the graph.

    Args:
        similarity: how nodes are compared, normalized.
        edge: only edges with this label make the trees.
        delete: what it costs to leave a node of gold's out, more than 0.
        insert: what it costs to put in a node of the system's, more than 0.
        replace: what it costs to put one node in place of another to which it is not
            similar at all; of the others what they lack of 1.

    Returns:
        A formula: an F over the heaviest mapping.  Of a report on it, the distance is
        ``delete * gold + insert * system - (delete + insert) * matched``.

    Raises:
        FormulaError: if the similarity is not one of nodes, or for such costs; when it
            is used, ``StructureError`` for a graph whose edges make no trees.

    Example:
        >>> from graphscore.model.graph import Edge, Graph, Node
        >>> def tree(*labels):
        ...     nodes = tuple(Node(k, each) for k, each in enumerate(labels))
        ...     edges = tuple(Edge(0, k) for k in range(1, len(labels)))
        ...     return Graph("1", "trees", nodes=nodes, edges=edges)
        >>> print(tree_edit())
        F↔nodes⊴[(0.5 + 0.5 × δ_label)]
        >>> report = tree_edit().score(tree("S", "NP", "VP"), tree("S", "VP", "PP"))
        >>> report.value, report.gold + report.system - 2 * report.matched
        (0.6666666666666666, 2)
    """
    shown = f"tree_edit({similarity})"
    require_similarity(
        similarity, "node", ": trees are made of nodes", shown, "tree_edit("
    )
    require(
        similarity.normalized,
        f"{similarity} is an amount, expected a similarity that is 1 for equal nodes",
        shown,
        str(similarity),
        "tree_edit(",
    )
    _cost("delete", delete, 0 < _number(delete) < inf, "a cost of more than 0")
    _cost("insert", insert, 0 < _number(insert) < inf, "a cost of more than 0")
    _cost("replace", replace, 0 <= _number(replace) < inf, "a cost of 0 or more")
    least = 1 - replace / (delete + insert)
    # What costs as much as to delete and to insert is not replaced.
    worth = Softened(similarity, least) if least > 0 else similarity
    if least <= 0 and replace > delete + insert:
        require(
            similarity.split()[1] == (),
            f"replacing costs {replace:g}, more than deleting and inserting, expected "
            f"at most {delete + insert:g} where nodes can be similar in part",
            shown,
        )
    amount = Match(Nodes(), worth, order=InTree(edge))
    return Normalized(amount, "F", sqrt(delete / insert))


def _number(found: Any) -> float:
    """A cost; -1 for what is none."""
    number = isinstance(found, int | float) and not isinstance(found, bool)
    return found if number else -1


def _cost(name: str, found: Any, right: bool, expected: str) -> None:
    require_number(found, right, expected, f"tree_edit({name}=", ")")
