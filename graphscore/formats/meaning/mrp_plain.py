r"""Lines of MRP in which nothing is out of the ordinary, which are nearly all.

They are decoded straight into what graphs are made of.  Everything else is left to
:mod:`graphscore.formats.meaning.mrp`, which says what is wrong with a line, or keeps
fields of nodes and edges that the model has no place for: ``None`` here says nothing
but that it should have a look.

Anchors and properties repeat from graph to graph, and are shared between them.

>>> graph = plain_graph(b'{"id": 7, "framework": "dm", "nodes": [{"id": 0}]}')
>>> graph.id, len(graph.nodes)
('7', 1)
>>> plain_graph(b'{"id": 7, "framework": "dm", "tops": [0]}')
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from graphscore.formats.shared.json_lines import DEEPEST, depth
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value

LAST_POSITION = 1_000_000
"""Where a graph has no text, an anchor beyond this is taken for a mistake: a set
of characters needs memory up to its last one."""

SHARED = 1 << 14
"""So many different anchors of nodes, and properties of them, are remembered."""


class _Range(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    start: int = msgspec.field(name="from")
    end: int = msgspec.field(name="to")


_Ranges = tuple[_Range, ...] | None
_Names = tuple[str, ...] | None
_Values = tuple[Value, ...] | None
_Field = Value | list[Value] | UnsetType


class _Node(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    id: NodeId
    label: Value = None
    properties: _Names = None
    values: _Values = None
    anchors: _Ranges = None


class _Edge(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    source: NodeId
    target: NodeId
    label: Value = None
    normal: Value = None
    attributes: _Names = None
    properties: _Names = None
    values: _Values = None
    id: NodeId | None = None
    anchors: _Ranges = None


class _AnyLine(msgspec.Struct, gc=False):
    """A line that may have further fields, which are not decoded."""

    id: str | int
    framework: str
    flavor: Literal[0, 1, 2] | None = None
    language: str | None = None
    input: str | None = None
    tops: tuple[NodeId, ...] | None = None
    nodes: list[_Node] | None = None
    edges: msgspec.Raw = msgspec.Raw(b"null")
    tokens: _Ranges = None


class _Line(_AnyLine, gc=False, forbid_unknown_fields=True):
    """A line with no other fields than those of the shared tasks."""

    version: _Field = UNSET
    time: _Field = UNSET
    provenance: _Field = UNSET
    source: _Field = UNSET
    targets: _Field = UNSET


_FURTHER = _Line.__struct_fields__[len(_AnyLine.__struct_fields__) :]
_MARKS = [(name, f'"{name}":'.encode()) for name in _FURTHER]
_further_of = attrgetter(*_FURTHER)

_line = msgspec.json.Decoder(_Line).decode
_any_line = msgspec.json.Decoder(_AnyLine).decode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_anything = msgspec.json.Decoder().decode
_edges_as_they_are = msgspec.json.Decoder(tuple[Edge, ...] | None).decode
_edges_with_lists = msgspec.json.Decoder(list[_Edge]).decode
_id, _source, _target = attrgetter("id"), attrgetter("source"), attrgetter("target")


class _OddError(Exception):
    """Something is not as it usually is."""


class _Anchors(dict[tuple[_Range, ...], tuple[tuple[Anchor, ...], int]]):
    """The anchors that ranges stand for, and the largest of their ends."""

    def __missing__(self, ranges: tuple[_Range, ...]) -> tuple[tuple[Anchor, ...], int]:
        anchors = tuple([Anchor(each.start, each.end) for each in ranges])
        if not all(0 <= start <= end for start, end in anchors):
            raise _OddError
        if len(self) >= SHARED:
            self.clear()
        found = self[ranges] = anchors, max([end for _, end in anchors], default=0)
        return found


class _Pairs(dict[tuple[_Names, _Values], Pairs]):
    """Names and values joined; those whose values are all strings are remembered.

    Other values can be equal, and yet not the same: 1, 1.0 and true.
    """

    def __missing__(self, columns: tuple[_Names, _Values]) -> Pairs:
        names, values = columns[0] or (), columns[1] or ()
        if len(names) != len(values):
            raise _OddError
        found = tuple(zip(names, values, strict=True))
        if all(type(value) is str for value in values):
            if len(self) >= SHARED:
                self.clear()
            self[columns] = found
        return found


_anchors, _pairs = _Anchors(), _Pairs()


def plain_graph(raw: bytes) -> Graph | None:
    """The graph of a line.

    Args:
        raw: the line.

    Returns:
        The graph; ``None`` if there is anything wrong with it, or uncommon.
    """
    try:
        if not raw.isascii():
            # Decoding JSON checks the strings it makes, but not those it passes over.
            raw.decode()
        return _graph(raw)
    except (_OddError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _graph(raw: bytes) -> Graph:
    line: _AnyLine
    try:
        line = _line(raw)
        extra = _further(line, raw)
    except msgspec.ValidationError:
        line, extra = _any_line(raw), _other_fields(raw)
    text = line.input or ""
    last = len(text) if text else LAST_POSITION
    nodes = _nodes(line.nodes, last) if line.nodes else ()
    edges = _edges(bytes(line.edges), last)
    tops = line.tops or ()
    ids = set(map(_id, nodes))
    if not (
        line.framework
        and len(ids) == len(nodes)
        and ids.issuperset(map(_source, edges))
        and ids.issuperset(map(_target, edges))
        and ids.issuperset(tops)
    ):
        raise _OddError
    return Graph(
        str(line.id),
        line.framework,
        line.flavor,
        line.language or "",
        "",
        text,
        _within(line.tokens, last) if line.tokens else (),
        nodes,
        edges,
        tops,
        extra,
    )


def _further(line: _AnyLine, raw: bytes) -> dict[str, Any]:
    """Further fields of the shared tasks, in the order of the line.

    With a colon behind it a name is no value, and no other object has such a field, but
    for the source of an edge: where the name stands first, there the field is.
    """
    found = {}
    place = 0
    for value, (name, mark) in zip(_further_of(line), _MARKS, strict=True):
        if value is not UNSET:
            before, place = place, raw.find(mark)
            if place < before:
                # Another order, a blank before a colon, or a name in another spelling.
                return _other_fields(raw)
            found[name] = value
    if "source" in found and place > raw.find(b'"edges":'):
        return _other_fields(raw)
    return found


def _other_fields(raw: bytes) -> dict[str, Any]:
    """All fields that the model has no place for."""
    found = {}
    for name, value in _fields(raw).items():
        if name not in _AnyLine.__struct_fields__:
            found[name] = _anything(value)
            if depth(found[name]) > DEEPEST:
                raise _OddError
    return found


def _nodes(plain: list[_Node], last: int) -> tuple[Node, ...]:
    nodes = []
    for node in plain:
        names, values, ranges = node.properties, node.values, node.anchors
        pairs = _pairs[names, values] if names or values else ()
        if ranges:
            anchors, end = _anchors[ranges]
            if end > last:
                raise _OddError
            nodes.append(Node(node.id, node.label, pairs, anchors))
        else:
            nodes.append(Node(node.id, node.label, pairs))
    return tuple(nodes)


def _within(ranges: tuple[_Range, ...], last: int) -> tuple[Anchor, ...]:
    """The anchors that ranges stand for, none of which goes beyond the text."""
    anchors, end = _anchors[ranges]
    if end > last:
        raise _OddError
    return anchors


def _edges(raw: bytes, last: int) -> tuple[Edge, ...]:
    # Attributes and anchors are lists, and have another form in the file than in the
    # model: where there is no list within the list, edges are as they are there.
    if raw.find(b"[", 1) < 0:
        return _edges_as_they_are(raw) or ()
    edges = []
    for edge in _edges_with_lists(raw):
        names, values, ranges = edge.attributes, edge.values, edge.anchors
        if edge.properties:
            if names:
                raise _OddError
            names = edge.properties
        pairs = _pairs[names, values] if names or values else ()
        anchors = _within(ranges, last) if ranges else ()
        edges.append(
            Edge(
                edge.source,
                edge.target,
                edge.label,
                edge.normal,
                pairs,
                edge.id,
                anchors,
            )
        )
    return tuple(edges)
