"""Which picture fits: by what the nodes of a graph are."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.drawing.layered import draw_layered
from graphscore.drawing.looks import Side, alone, kept
from graphscore.drawing.svg import Picture
from graphscore.model.graph import Graph


def draw(sides: Sequence[Side], fold: bool = False) -> Picture:
    """A picture of a graph, or of both sides of a pair.

    Args:
        sides: one or two, gold first.
        fold: whether what matched is left out, but for what stands beside errors.

    Returns:
        Panels that a page shows, or that a file of its own has below each other.
    """
    keep = kept(sides) if fold and len(sides) > 1 else None
    return draw_layered(sides, keep)


def svg_of(graph: Graph) -> str:
    """The picture of a graph as a file of its own.

    Args:
        graph: any graph.

    Example:
        >>> from graphscore.model.graph import Edge, Node
        >>> nodes = Node(0, "bark-01"), Node(1, "dog")
        >>> edges = (Edge(0, 1, "ARG0"),)
        >>> svg = svg_of(Graph("1", "amr", nodes=nodes, edges=edges, tops=(0,)))
        >>> svg[:4], "bark-01" in svg, "ARG0" in svg
        ('<svg', True, True)
    """
    return draw([alone(graph)]).svg()
