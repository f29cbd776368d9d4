"""What a node or an edge says, piece by piece, and which pieces matched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphscore.graph import Edge, Graph, Node, NodeId, Value
from graphscore.report.text import one_line

LONG = 32
"""Characters of anchored text that are shown."""

PieceKey = tuple[str, str, str]
"""Kind, name and value of a piece."""

Wrong = dict[tuple[str, int], set[PieceKey]]
"""Unmatched pieces of one side, by object and ordinal."""


class Piece(NamedTuple):
    """Something an object says that a metric may count."""

    kind: str
    name: str
    value: Value
    matched: bool

    def text(self, sign: str) -> str:
        """The piece in a few characters, after *sign* if it is unmatched."""
        shown = "null" if self.value is None else str(self.value)
        if self.kind == "tops":
            shown = "top"
        elif self.kind == "anchors":
            shown = f"<{shown}>"
        elif self.name:
            shown = f"{self.name}={shown}"
        return one_line(shown if self.matched else sign + shown)


class Half(NamedTuple):
    """An object of one side."""

    ordinal: int
    id: int | str | None
    pieces: tuple[Piece, ...]
    place: str
    """Anchored text of a node; what an edge joins."""


def piece_key(kind: str, name: str, value: Value) -> PieceKey:
    """What names a piece within its object; 1, 1.0 and true stay apart."""
    return kind, name, repr(value)


def node_half(graph: Graph, ordinal: int, wrong: Wrong) -> Half:
    """Node *ordinal* of a graph, with its pieces."""
    node = graph.nodes[ordinal]
    unmatched = wrong.get(("node", ordinal), set())
    pieces = tuple(
        Piece(kind, name, value, piece_key(kind, name, value) not in unmatched)
        for kind, name, value in _of_node(node, node.id in graph.tops)
    )
    return Half(ordinal, node.id, pieces, _anchored(node, graph.text))


def edge_half(
    graph: Graph, ordinal: int, wrong: Wrong, nodes: Mapping[NodeId, Node]
) -> Half:
    """Edge *ordinal* of a graph, with its pieces; *nodes* by id."""
    edge = graph.edges[ordinal]
    unmatched = wrong.get(("edge", ordinal), set())
    pieces = tuple(
        Piece(kind, name, value, piece_key(kind, name, value) not in unmatched)
        for kind, name, value in _of_edge(edge)
    )
    ends = " -> ".join(_named(nodes[end]) for end in (edge.source, edge.target))
    return Half(ordinal, edge.id, pieces, ends)


def _of_node(node: Node, top: bool) -> Iterator[tuple[str, str, Value]]:
    if top:
        yield "tops", "", ""
    if node.label is not None:
        yield "labels", "", node.label
    for name, value in node.properties:
        yield "properties", name, value
    if node.anchors:
        yield "anchors", "", " ".join(f"{a}:{b}" for a, b in node.anchors)


def _of_edge(edge: Edge) -> Iterator[tuple[str, str, Value]]:
    yield "edges", "", edge.label
    for name, value in edge.attributes:
        yield "attributes", name, value


def _anchored(node: Node, text: str) -> str:
    pieces = [text[start:end] for start, end in node.anchors]
    return one_line(" ".join(filter(None, pieces)), LONG)


def _named(node: Node) -> str:
    label = "" if node.label is None else f":{node.label}"
    return one_line(f"{node.id}{label}", LONG)
