"""Values of a node or an edge, piece by piece, and which of them matched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphscore.model.frameworks import TUPLE_TYPES
from graphscore.model.graph import Edge, Graph, Node, NodeId, Value, unlabelled
from graphscore.report.table import one_line
from graphscore.structures.entities.tags import TAGS
from graphscore.structures.layout import KIND

SAME, DIFFERENT, MISSING, SPURIOUS, UNCOUNTED = "=", "~", "-", "+", " "
"""Matched in full, in part, gold alone, system alone, not counted."""

ALONE = (MISSING, SPURIOUS)
"""Marks of objects that gold alone or the system alone has."""

LEGEND = "= matched   ~ in part, with any credit   - only gold   + only system"


def marked(mark: str, credit: float | None) -> str:
    """A mark, and what an object that differs earns.

    >>> marked("=", None), marked("~", 0.5)
    ('=', '~ 0.5')
    """
    return mark if credit is None else f"{mark} {credit:.3g}"


LONG = 32
"""Characters of anchored text that are shown."""

PieceKey = tuple[str, str, str]
"""Tuple type, name and value of a piece."""

Wrong = dict[tuple[str, int], dict[PieceKey, Value]]
"""Unmatched pieces of one side with their values, by object and ordinal."""


class Piece(NamedTuple):
    """Something an object says that a metric may count."""

    tuple_type: str
    name: str
    value: Value
    matched: bool

    def text(self, sign: str) -> str:
        """The piece in a few characters, after *sign* if it is unmatched."""
        shown = unlabelled(self.value, self.name) or str(self.value)
        if self.tuple_type == "tops":
            shown = "top"
        elif self.tuple_type == "anchors":
            shown = f"<{shown}>"
        elif self.name == KIND and self.tuple_type == "properties":
            # The word says it all, as it does in pictures.
            shown = f"({shown})"
        elif self.name:
            shown = f"{self.name}={shown}"
        return one_line(shown if self.matched else sign + shown)


class SideElement(NamedTuple):
    """An object of one side."""

    ordinal: int
    id: int | str | None
    pieces: tuple[Piece, ...]
    place: str
    """Anchored text of a node; what an edge joins."""


def piece_key(tuple_type: str, name: str, value: Value) -> PieceKey:
    """Return the key of a piece within its object; 1, 1.0 and true stay apart."""
    return tuple_type, name, repr(value)


def node_half(graph: Graph, ordinal: int, wrong: Wrong) -> SideElement:
    """Node *ordinal* of a graph, with its pieces."""
    node = graph.nodes[ordinal]
    values = _of_node(node, node.id in graph.tops)
    pieces = tuple(_pieces(values, wrong.get(("node", ordinal), {})))
    return SideElement(ordinal, node.id, pieces, _anchored(node, graph.text))


def untagged(half: SideElement | None) -> SideElement | None:
    """An entity as people read it: without the tags that a file has for it.

    Args:
        half: a mention; what did not match is kept all the same.
    """
    if half is None:
        return None
    kept = (piece for piece in half.pieces if piece.name != TAGS or not piece.matched)
    return half._replace(pieces=tuple(kept))


def edge_half(
    graph: Graph, ordinal: int, wrong: Wrong, nodes: Mapping[NodeId, Node]
) -> SideElement:
    """Edge *ordinal* of a graph, with its pieces; *nodes* by id."""
    edge = graph.edges[ordinal]
    pieces = tuple(_pieces(_of_edge(edge), wrong.get(("edge", ordinal), {})))
    ends = " -> ".join(_named(nodes[end]) for end in (edge.source, edge.target))
    return SideElement(ordinal, edge.id, pieces, ends)


def _pieces(
    pieces: Iterator[tuple[str, str, Value]], unmatched: Mapping[PieceKey, Value]
) -> Iterator[Piece]:
    """Yield the pieces of an object, and further ones that a metric finds wrong.

    A metric with tuple types of its own (``labeled``, ``names``) means the
    piece with the same name and value; where there is none, its own piece is
    shown too.
    """
    groups = {key[1:]: key for key in unmatched if key[0] not in TUPLE_TYPES}
    shown = set()
    for tuple_type, name, value in pieces:
        key = piece_key(tuple_type, name, value)
        shown.add(key[1:])
        yield Piece(
            tuple_type, name, value, key not in unmatched and key[1:] not in groups
        )
    for rest, key in groups.items():
        if rest not in shown:
            yield Piece(key[0], key[1], unmatched[key], False)


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
