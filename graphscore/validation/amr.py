"""Abstract meaning representation (Banarescu et al. 2013).

One piece with one top, every node with a concept, every edge with a role, and no
circles once inverse roles are turned round.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphscore.model.graph import Graph, NodeId
from graphscore.model.normalize import base_edge
from graphscore.validation.base import Remark, circle, pieces


def check_amr(graph: Graph) -> Iterator[Remark]:
    """Yield the findings on an AMR.

    Args:
        graph: a graph of framework ``amr``; its edges lead to nodes.

    Yields:
        Remarks.
    """
    if graph.nodes and len(set(graph.tops)) != 1:
        yield Remark("amr-top", f"{len(set(graph.tops))} tops, expected one")
    for node in graph.nodes:
        if node.label is None or node.label == "":
            yield Remark("amr-label", "no concept", node.id)
    for number, edge in enumerate(graph.edges):
        if edge.label is None or edge.label == "":
            yield Remark("amr-label", "no role", edge=number)
    components = pieces(graph)
    for piece in components[1:]:
        message = f"{len(components)} pieces, expected one"
        yield Remark("amr-disconnected", message, piece[0])
    arcs: dict[NodeId, set[NodeId]] = {node.id: set() for node in graph.nodes}
    for edge in graph.edges:
        source, target, _ = base_edge(edge, "amr")
        if source != target:
            arcs[source].add(target)
    at = circle(arcs)
    if at is not None:
        yield Remark("amr-cycle", "its roles lead back to it", at)
