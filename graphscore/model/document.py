"""Graphs that belong together: those of a document, and the two of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId


def united(graphs: Sequence[Graph]) -> Graph:
    r"""The graphs of a document one after the other, as one graph.

    Texts are joined by a line break, anchors move along; nodes get new ids.

    Args:
        graphs: at least one, of one framework.

    Returns:
        A graph with the nodes, edges and tops of all, in order.

    Example:
        >>> ada = Node(0, anchors=(Anchor(0, 3),))
        >>> one = Graph("1", "ner", text="Ada", nodes=(ada,))
        >>> both = united([one, one])
        >>> both.text, both.nodes[1].anchors
        ('Ada\nAda', (Anchor(start=4, end=7),))
    """
    lengths = [len(graph.text) + 1 for graph in graphs]
    nodes: list[Node] = []
    edges: list[Edge] = []
    tops: list[NodeId] = []
    tokens: list[Anchor] = []
    for graph, start in zip(graphs, accumulate(lengths, initial=0), strict=False):
        first = len(nodes)
        new_id = {node.id: first + k for k, node in enumerate(graph.nodes)}
        tokens += _move(graph.tokens, start)
        nodes += [
            msgspec.structs.replace(
                node, id=new_id[node.id], anchors=_move(node.anchors, start)
            )
            for node in graph.nodes
        ]
        edges += [
            msgspec.structs.replace(
                edge, source=new_id[edge.source], target=new_id[edge.target]
            )
            for edge in graph.edges
        ]
        tops += [new_id[top] for top in graph.tops]
    return msgspec.structs.replace(
        graphs[0],
        text="\n".join(graph.text for graph in graphs),
        tokens=tuple(tokens),
        nodes=tuple(nodes),
        edges=tuple(edges),
        tops=tuple(tops),
    )


def whole(graphs: Sequence[Graph], name: str) -> Graph:
    """The graphs of a document as one, which has its name; nodes say their graph."""
    joined = united(graphs)
    ids = [f"{graph.id}:{node.id}" for graph in graphs for node in graph.nodes]
    # United graphs number their nodes.
    return msgspec.structs.replace(
        joined,
        id=name,
        nodes=tuple(
            msgspec.structs.replace(node, id=new)
            for node, new in zip(joined.nodes, ids, strict=True)
        ),
        edges=tuple(
            msgspec.structs.replace(
                edge, source=ids[int(edge.source)], target=ids[int(edge.target)]
            )
            for edge in joined.edges
        ),
        tops=tuple(ids[int(top)] for top in joined.tops),
    )


def _move(anchors: Sequence[Anchor], by: int) -> tuple[Anchor, ...]:
    if not by:
        return tuple(anchors)
    return tuple(Anchor(start + by, end + by) for start, end in anchors)


def lent(gold: Graph, system: Graph) -> tuple[Graph, Graph]:
    """The two graphs of a pair, the one with anchors alone with the other's text.

    Anchors can be trimmed, and white space in them passed over, only where the text
    is known.  Where one side says it and the other does not, both are read with it;
    they annotate the same text.

    Args:
        gold: the gold graph.
        system: the system graph.

    Returns:
        Both; a graph that borrows nothing is returned as it is.

    Example:
        >>> gold = Graph("1", "eds", text="Dogs bark", nodes=(Node(0),))
        >>> system = Graph("1", "eds", nodes=(Node(0, anchors=(Anchor(0, 4),)),))
        >>> [side.text for side in lent(gold, system)]
        ['Dogs bark', 'Dogs bark']
    """
    if gold.text and not system.text and _is_anchored(system):
        system = msgspec.structs.replace(system, text=gold.text)
    elif system.text and not gold.text and _is_anchored(gold):
        gold = msgspec.structs.replace(gold, text=system.text)
    return gold, system


def _is_anchored(graph: Graph) -> bool:
    return any(node.anchors for node in graph.nodes)
