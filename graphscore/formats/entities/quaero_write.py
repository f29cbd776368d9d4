"""Entity trees as text with inline tags.

An entity with a literal type is written as two entities around the same words, which
is how the guide of QUAERO writes metonymy.

>>> from graphscore.model.graph import Anchor
>>> from graphscore.structures.entities.trees import TreeBuilder
>>> build = TreeBuilder()
>>> org = build.entity("org.adm", [Anchor(0, 5)], literal="loc.adm.town")
>>> _ = build.component("name", [Anchor(0, 5)], parent=org)
>>> graph = build.graph("1", text="Paris vote", tokens=(Anchor(0, 5), Anchor(6, 10)))
>>> print(b"".join(write([graph])).decode(), end="")
<org.adm> <loc.adm.town> <name> Paris </name> </loc.adm.town> </org.adm> vote
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graphscore.errors import InvalidGraphError
from graphscore.formats.entities.inventories import Inventory
from graphscore.formats.entities.quaero import LINK, LineReader
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node, NodeId
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.entities.trees import ETREE, LITERAL
from graphscore.structures.layout import ENTITY, KIND, kind_of

WIDEST_GAP = 1000
"""So many blank lines are written for items that are not there, not more."""

_words = LineReader(Inventory(frozenset(), frozenset())).parsed


class _Piece(NamedTuple):
    """A node and its words."""

    first: int
    last: int
    ordinal: int
    node: Node
    tags: list[str]
    """Its opening tags."""
    names: list[str]
    """What they are called."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, a line each, in UTF-8.

    Args:
        graphs: of the framework ``etree``.  One whose id is a number comes as many
            lines below the first one as its number says, after blank lines, if these
            are at most 1,000.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    number: int | None = None
    for graph in graphs:
        check_framework(graph, (ETREE,), "text with inline tags")
        with naming(graph):
            line = _line(graph)
        item = whole_number(graph.id)
        if number is None:
            # Blank lines above the first one would not be counted.
            number = item or 1
        gap = 0 if item is None else item - number
        gap = gap if 0 <= gap <= WIDEST_GAP else 0
        yield b"\n" * gap + f"{line}\n".encode()
        number += gap + 1


def _line(graph: Graph) -> str:
    spans = TokenSpans(graph)
    pieces = sorted(
        (_piece(spans, ordinal, node) for ordinal, node in enumerate(graph.nodes)),
        key=lambda piece: (piece.first, -piece.last, piece.ordinal),
    )
    parents = _parents(graph)
    written: list[str] = []
    stack: list[_Piece] = []
    scopes: list[NodeId | None] = [None]
    following = 0
    for place, form in enumerate(spans.forms):
        while following < len(pieces) and pieces[following].first == place:
            piece = pieces[following]
            following += 1
            if parents.get(piece.node.id) != scopes[-1]:
                found = f"a node {piece.node.id!r} within {scopes[-1]!r}"
                if scopes[-1] is None:
                    found = f"a node {piece.node.id!r} outside of its entity"
                raise InvalidGraphError(found, "a child of the entity right around it")
            stack.append(piece)
            scopes.append(
                piece.node.id if kind_of(piece.node) == ENTITY else scopes[-1]
            )
            written += piece.tags
        written.append(form)
        while stack and stack[-1].last == place:
            written += [f"</{name}>" for name in reversed(stack.pop().names)]
            scopes.pop()
    return " ".join(written)


def _parents(graph: Graph) -> dict[NodeId, NodeId | None]:
    """The entity that each node is a child of."""
    parents: dict[NodeId, NodeId | None] = {}
    for edge in graph.edges:
        if edge.target in parents:
            raise InvalidGraphError(f"two edges to {edge.target!r}", "one at most")
        parents[edge.target] = edge.source
    return parents


def _piece(spans: TokenSpans, ordinal: int, node: Node) -> _Piece:
    kind = kind_of(node)
    first, last = spans.of(node)
    names = ["" if node.label is None else str(node.label)]
    attributes = ""
    for key, value in node.properties:
        if key == KIND:
            continue
        if key == LITERAL and kind == ENTITY and len(names) == 1:
            names.append(str(value))
            continue
        attributes += f' {LINK if key == AUTHORITY else key}="{value}"'
    tags = [f"<{names[0]}{attributes}>", *(f"<{name}>" for name in names[1:])]
    return _Piece(first, last, ordinal, node, tags, names)
