"""Contents of graphs: tuples by type, and special cases among the edges."""

from __future__ import annotations

from graphscore.model.frameworks import TUPLE_TYPES
from graphscore.model.graph import Edge, Graph
from graphscore.model.normalize import base_edge, effective_attributes, mtool_edges
from graphscore.model.tuples import decompose

CASES = ("remote", "reentrancies", "inverted", "loops", "repeated")
"""The special cases, in the order in which tables show them."""


def tuple_counts(graph: Graph) -> dict[str, int]:
    """Count the tuples of each type of a graph, after normalization.

    Source: the tuple types of Oepen et al. (2019), as the metric ``mrp`` counts
    them by default.

    >>> from graphscore.model.graph import Node
    >>> tuple_counts(Graph("1", "dm", nodes=(Node(0, "a"), Node(1, "b")), tops=(1,)))
    {'tops': 1, 'labels': 2, 'properties': 0, 'anchors': 0, 'edges': 0, 'attributes': 0}
    """
    return dict(zip(TUPLE_TYPES, decompose(graph).totals, strict=True))


def is_remote(edge: Edge) -> bool:
    """Return whether an edge has a true attribute ``remote``, as in UCCA.

    >>> is_remote(Edge(0, 1, "A", attributes=(("remote", True),)))
    True
    """
    return any(name == "remote" for name, *_ in effective_attributes(edge.attributes))


def is_inverted(edge: Edge, framework: str) -> bool:
    """Return whether an edge is written against its base direction.

    It has a ``normal``, or in AMR a role that says so.

    >>> is_inverted(Edge(0, 1, "ARG0-of"), "amr"), is_inverted(Edge(0, 1, "x-of"), "dm")
    (True, False)
    """
    return base_edge(edge, framework, "amr") != (edge.source, edge.target, edge.label)


def reentrancies(graph: Graph) -> int:
    """Count the edges that enter a node which another edge has entered before.

    Inverted edges count in their base direction, as in Damonte et al. (2017);
    repeated edges once.

    >>> edges = (Edge(0, 2, "a"), Edge(1, 2, "b"), Edge(2, 2, "c"))
    >>> reentrancies(Graph("1", "dm", edges=edges))
    2
    """
    seen: dict[object, int] = {}
    for edge in mtool_edges(graph):
        target = base_edge(edge, graph.framework, "amr")[1]
        seen[target] = seen.get(target, 0) + 1
    return sum(count - 1 for count in seen.values())


def special_cases(graph: Graph) -> dict[str, int]:
    """Count the special edges of a graph, by :data:`CASES`.

    >>> special_cases(Graph("1", "amr", edges=(Edge(0, 0, "mod"), Edge(0, 0, "mod"))))
    {'remote': 0, 'reentrancies': 0, 'inverted': 2, 'loops': 1, 'repeated': 1}
    """
    return {
        "remote": sum(map(is_remote, graph.edges)),
        "reentrancies": reentrancies(graph),
        "inverted": sum(is_inverted(edge, graph.framework) for edge in graph.edges),
        "loops": sum(edge.source == edge.target for edge in mtool_edges(graph)),
        "repeated": len(graph.edges) - len(mtool_edges(graph)),
    }
