"""The uniform model: every annotation becomes one labelled graph.

A semantic graph, a dependency tree, a coreference chain or a template are all
nodes with labels, properties and anchors, joined by labelled edges::

    text   Dogs bark
    node 0 label=dog   anchors=[0:4]
    node 1 label=bark  anchors=[5:9]   <- top
    edge 1 -ARG1-> 0

All parts are immutable, compare by value and keep the order in which the file
gave them.  Nothing is normalised here: a value keeps its JSON type, a repeated
property is kept twice, an inverted edge stays inverted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from graphscore.exceptions import InvalidGraphError
from graphscore.lazy import blake2b, lazily
from graphscore.model.frameworks import BILEXICAL

Value = str | int | float | bool | None
"""A literal as JSON has it."""

NodeId = int | str
"""Node ID of a file."""

Pairs = tuple[tuple[str, Value], ...]
"""Ordered (name, value) pairs; names may repeat."""


class Anchor(NamedTuple):
    """A half-open range of Unicode code points of the text."""

    start: int
    """First character."""
    end: int
    """One past the last character."""


class Node(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A node as the file gives it.

    Example:
        >>> Node(0, "dog", anchors=(Anchor(0, 4),)).label
        'dog'
    """

    id: NodeId
    label: Value = None
    properties: Pairs = ()
    anchors: tuple[Anchor, ...] = ()
    extra: tuple[tuple[str, Any], ...] = ()
    """Fields of the file that the model has no place for."""


class Edge(
    msgspec.Struct,
    frozen=True,
    gc=False,
    omit_defaults=True,
    # Lines are decoded straight into edges, and no field of theirs may get lost.
    forbid_unknown_fields=True,
):
    """A directed edge between two nodes, named by their ids.

    ``normal`` is the label of the same edge read in the other direction, where
    the file says so (AMR's ``ARG0-of`` has the normal ``ARG0``).
    """

    source: NodeId
    target: NodeId
    label: Value = None
    normal: Value = None
    attributes: Pairs = ()
    id: NodeId | None = None
    anchors: tuple[Anchor, ...] = ()
    extra: tuple[tuple[str, Any], ...] = ()


PASSAGE = "ucca"
"""The field of ``extra`` for what a passage says beside its units."""

LAYER = "layer"
"""The field of ``extra`` of a graph that names its layer."""

IDLE_PREDICATES = "idle_predicates"
"""The field of ``extra`` with the numbers of tokens that a file calls predicates, and
that no edge leaves; there is nothing else to be seen of them."""


class Graph(msgspec.Struct, frozen=True, omit_defaults=True):
    """One annotated unit in one framework.

    Args:
        id: the item, unique within framework and language of a collection.
        framework: short lower-case name (``dm``, ``amr``, ``coref``...).
        flavor: 0 bi-lexical, 1 anchored, 2 unanchored; ``None`` if not said.
        language: ISO code, empty when absent.
        document: the document the item belongs to.
        text: the annotated text; anchors are ranges of its code points.
        tokens: character ranges of the tokens, where the format has them.
        nodes: in file order (the surface order of bi-lexical graphs).
        edges: in file order.
        tops: ids of the top nodes.
        extra: remaining top-level fields of the file.

    Example:
        >>> dogs = Node(0, "dog", anchors=(Anchor(0, 4),))
        >>> bark = Node(1, "bark", anchors=(Anchor(5, 9),))
        >>> graph = Graph("1", "dm", 0, text="Dogs bark", nodes=(dogs, bark),
        ...               edges=(Edge(1, 0, "ARG1"),), tops=(1,))
        >>> graph.ordered, len(graph.digest())
        (True, 16)
    """

    id: str
    framework: str
    flavor: int | None = None
    language: str = ""
    document: str = ""
    text: str = ""
    tokens: tuple[Anchor, ...] = ()
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    tops: tuple[NodeId, ...] = ()
    extra: dict[str, Any] = {}

    @property
    def layer(self) -> str:
        """Layer: one of several annotations of a framework; empty if the only one.

        It is what the field of that name in ``extra`` says.

        >>> Graph("1", "ner", extra={"layer": "nested"}).layer, Graph("1", "ner").layer
        ('nested', '')
        """
        if not self.extra:
            return ""
        layer = self.extra.get(LAYER)
        return layer if isinstance(layer, str) else ""

    @property
    def ordered(self) -> bool:
        """True if the node list is the surface order of a bi-lexical graph."""
        return self.flavor == 0 or self.framework in BILEXICAL

    def ordinals(self) -> dict[NodeId, int]:
        """Position of every node in the node list, by node id."""
        return {node.id: position for position, node in enumerate(self.nodes)}

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show (:mod:`graphscore.drawing`)."""
        svg: str = _drawing("svg_of")(self)
        return svg

    def digest(self) -> bytes:
        """Fingerprint of exactly what scoring can see.

        Covers framework, flavor, text, tokens, nodes in order, edges and tops, and
        which tokens are predicates that no edge leaves, or what UCCA says of implicit
        units and punctuation; not the item's id, language, document or provenance,
        nor what the nodes are called, so that equal annotations share their results.

        Returns:
            16 bytes (BLAKE2b of a canonical encoding).

        Raises:
            InvalidGraphError: if an edge or top names a node that is not there.
        """
        visible: tuple[Any, ...] = (
            [(n.label, n.properties, n.anchors) for n in self.nodes],
            (),
            (),
        )
        # Lists of spans have nothing that names a node.
        if self.edges or self.tops or self.extra:
            visible = visible[0], *self._among_nodes()
        hasher = self._text_hasher().copy()
        hasher.update(_encode(visible)[1:])
        digest: bytes = hasher.digest()
        return digest

    def _among_nodes(self) -> Iterator[Any]:
        """What a digest covers of edges, of tops, and of fields that name nodes."""
        named = self.edges or self.tops or PASSAGE in self.extra
        ordinals = self.ordinals() if named else {}
        try:
            edges = [
                (
                    ordinals[e.source],
                    ordinals[e.target],
                    e.label,
                    e.normal,
                    e.attributes,
                )
                for e in self.edges
            ]
            tops = [ordinals[top] for top in self.tops]
        except KeyError:
            raise self._dangling_error(ordinals) from None
        yield edges
        yield tops
        idle = self.extra.get(IDLE_PREDICATES)
        if isinstance(idle, list):
            yield idle
        if PASSAGE in self.extra and (
            extras := _passages("passage_extras")(self.extra, ordinals)
        ):
            yield extras

    def _text_hasher(self) -> Any:
        """What has hashed the beginning of the encoding: everything but annotation.

        Gold and system share it mostly, and so do all lists of as many tags.
        """
        hashed = _hashed.get(self.text)
        if (
            hashed is None
            or hashed[0] is not self.tokens
            or hashed[1] != self.framework
            or hashed[2] != self.flavor
        ):
            begin = self.framework, self.flavor, self.text, self.tokens
            hasher = blake2b(_encode(begin)[:-1] + b",", digest_size=16)
            hashed = self.tokens, self.framework, self.flavor, hasher
            if len(self.text) + len(self.tokens) < _LONG:
                if len(_hashed) >= _TEXTS:
                    _hashed.clear()
                _hashed[self.text] = hashed
        return hashed[3]

    def same_objects(self, other: Graph) -> bool:
        """Return whether another graph surely has the same digest, as readers share.

        Args:
            other: the other graph.

        Example:
            >>> graph = Graph("1", "ner", text="Rome", tokens=(Anchor(0, 4),))
            >>> graph.same_objects(msgspec.structs.replace(graph, id="2"))
            True
        """
        return (
            self.nodes is other.nodes
            and self.tokens is other.tokens
            and self.flavor is other.flavor
            and self.text == other.text
            and self.framework == other.framework
            and not (self.edges or self.tops or other.edges or other.tops)
            and _SEEN_EXTRA.isdisjoint(self.extra)
            and _SEEN_EXTRA.isdisjoint(other.extra)
        )

    def _dangling_error(self, ordinals: dict[NodeId, int]) -> InvalidGraphError:
        """Return the error of an edge or top whose node does not exist."""
        ends = {end for edge in self.edges for end in (edge.source, edge.target)}
        node = next(end for end in (*ends, *self.tops) if end not in ordinals)
        return InvalidGraphError(f"an edge or top at {node!r}", "the id of a node")


_SEEN_EXTRA = frozenset((IDLE_PREDICATES, PASSAGE))
"""Fields of ``extra`` that a digest covers."""

_encode = msgspec.json.Encoder().encode

_hashed: dict[str, tuple[tuple[Anchor, ...], str, int | None, Any]] = {}
"""Tokens, framework and flavor of some texts, and what has hashed these."""

_TEXTS, _LONG = 64, 2048
"""Texts of which this is remembered; characters and tokens of one that is too long."""

# Pictures are made of graphs: who makes them is imported when one is looked at.
_drawing = lazily("graphscore", {"drawing.choice": "svg_of"})

# Few graphs are passages.
_passages = lazily("graphscore", {"model.passages": "passage_extras"})


def unlabelled(value: Value, name: str = "") -> str:
    """Return a placeholder where there is no value; empty where there is one.

    Args:
        value: a label, or what a property says.
        name: the name of the property; of an object's own label there is none.

    >>> unlabelled(None), unlabelled(None, "value"), unlabelled("ARG1")
    ('(no label)', 'null', '')
    """
    if value is not None:
        return ""
    return "null" if name else "(no label)"


def json_type(value: Value) -> tuple[str, str]:
    """The JSON type of a literal, and its text.

    1, 1.0 and True are equal in Python, but three literals in a file.

    Example:
        >>> json_type("42"), json_type(42), json_type(True), json_type(None)
        (('string', '42'), ('integer', '42'), ('boolean', 'true'), ('null', ''))
    """
    if value is None:
        return "null", ""
    if isinstance(value, str):
        return "string", value
    if isinstance(value, bool):
        return "boolean", "true" if value else "false"
    return "integer" if isinstance(value, int) else "float", repr(value)
