"""Choice of a picture by the kinds of a graph's nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphscore.drawing.layered.render import draw_layered
from graphscore.drawing.styles import StyledGraph, alone, kept
from graphscore.drawing.svg import Picture
from graphscore.drawing.texts.coreference import draw_chains
from graphscore.drawing.texts.spans import draw_spans
from graphscore.drawing.texts.templates import draw_forms
from graphscore.drawing.words.arcs import draw_arcs
from graphscore.drawing.words.roles import draw_roles
from graphscore.model.frameworks import framework
from graphscore.model.graph import Graph
from graphscore.structures.layout import (
    COMPONENT,
    ENTITY,
    MENTION,
    OPINION,
    PREDICATE,
    RELATION,
    TEMPLATE,
    TRIGGER,
    kind_of,
)

Drawing = Callable[[Sequence[StyledGraph], set[int] | None], Picture]

DRAWINGS: dict[str, Drawing] = {
    TEMPLATE: draw_forms,
    PREDICATE: draw_roles,
    TRIGGER: draw_spans,
    OPINION: draw_spans,
    RELATION: draw_spans,
    COMPONENT: draw_layered,
    ENTITY: draw_chains,
    MENTION: draw_spans,
}
"""By kinds of nodes; the first kind that a graph has decides."""


def drawing_of(sides: Sequence[StyledGraph]) -> Drawing:
    """Return the function that draws these graphs.

    Args:
        sides: one or two, of one framework.
    """
    graphs = [side.graph for side in sides]
    known = framework(graphs[0].framework)
    # A graph may lack what its framework is about.
    kinds = {kind_of(node) for graph in graphs for node in graph.nodes}
    # Trees of which none has a branch are spans.
    if COMPONENT in known.layout and not any(graph.edges for graph in graphs):
        return draw_spans
    for kind, drawing in DRAWINGS.items():
        if kind in kinds or kind in known.layout:
            return drawing
    if known.family == "dependencies" or any(graph.ordered for graph in graphs):
        return draw_arcs
    return draw_layered


def draw(sides: Sequence[StyledGraph], fold: bool = False) -> Picture:
    """A picture of a graph, or of both sides of a pair.

    Args:
        sides: one or two, gold first.
        fold: whether what matched is left out, but for what stands beside errors.

    Returns:
        Panels that a page shows, or that a file of its own has below each other.
    """
    keep = kept(sides) if fold and len(sides) > 1 else None
    return drawing_of(sides)(sides, keep)


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
