"""Elementary dependency structures (Oepen and Lønning 2006).

Every node is a predicate over one stretch of the text, one of them is the top.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphscore.model.graph import Graph
from graphscore.validation.base import Remark, pieces


def check_eds(graph: Graph) -> Iterator[Remark]:
    """Yield the findings on an EDS.

    Args:
        graph: a graph of framework ``eds``.

    Yields:
        Remarks.
    """
    if graph.nodes and len(set(graph.tops)) != 1:
        yield Remark("eds-top", f"{len(set(graph.tops))} tops, expected one")
    for node in graph.nodes:
        if node.label is None or node.label == "":
            yield Remark("eds-label", "no label", node.id)
        if len(node.anchors) != 1:
            message = f"{len(node.anchors)} ranges, expected one"
            yield Remark("eds-anchors", message, node.id)
    for number, edge in enumerate(graph.edges):
        if edge.label is None or edge.label == "":
            yield Remark("eds-label", "no label", edge=number)
    for piece in pieces(graph)[1:]:
        message = f"a piece of {len(piece)} nodes stands apart"
        yield Remark("eds-disconnected", message, piece[0])
