r"""MRP: JSON objects, one to a line, the exchange format of the MRP shared tasks.

Versions 0.9, 1.0 and 1.1 are read; edges may call their ``attributes`` by the
deprecated name ``properties``.  A graph without ``nodes`` is an empty one: that
is how parsers report a sentence they gave up on.  Fields that the model has no
place for are kept in ``extra`` and written back.

A line is decoded by types into what graphs are made of; anchors and properties repeat
from graph to graph, and are shared between them.  Where types or references do not fit,
it is decoded once more field by field, and everything that is wrong is named.

>>> import io
>>> line = b'{"id": "1", "framework": "dm", "nodes": [{"id": 0, "label": "dog"}]}'
>>> [record] = read(io.BytesIO(line), "a.mrp")
>>> record.graph.nodes[0].label
'dog'
>>> [record] = read(io.BytesIO(b'{"id": "1", "tops": [3]}'), "a.mrp")
>>> for problem in record.problems:
...     print(problem)
a.mrp:1: $.framework: found nothing, expected a string
a.mrp:1: $.tops[0]: found 3, expected the id of a node
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, BinaryIO, Literal

import msgspec
from msgspec import UNSET, UnsetType, structs

from graphscore.duplicates import invalid
from graphscore.exceptions import amount
from graphscore.formats.base import LineKey, ReadGraph, Record
from graphscore.formats.shared.json_lines import DEEPEST, TOO_DEEP, add_malformed, depth
from graphscore.formats.shared.json_values import values
from graphscore.formats.shared.records import (
    LAST_POSITION,
    SHOWN,
    RecordBuilder,
    too_long,
)
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value

LONGEST_LINE = 256 * 1024 * 1024
"""A longer line is no graph; it is refused without holding it in memory."""

SHARED = 1 << 14
"""Number of different anchors and properties of nodes that are cached."""


class _Range(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    start: int = msgspec.field(name="from")
    end: int = msgspec.field(name="to")


class _Token(msgspec.Struct, frozen=True, gc=False):
    start: int = msgspec.field(name="from")
    end: int = msgspec.field(name="to")


_Ranges = tuple[_Range, ...] | tuple[_Token, ...]
_Names = tuple[str, ...] | None
_Values = tuple[Value, ...] | None
_Extra = tuple[tuple[str, Any], ...]
_Field = Value | list[Value] | UnsetType


class _Node(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    id: NodeId
    label: Value = None
    properties: _Names = None
    values: _Values = None
    anchors: tuple[_Range, ...] | None = None


class _Edge(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    source: NodeId
    target: NodeId
    label: Value = None
    normal: Value = None
    attributes: _Names = None
    properties: _Names = None
    values: _Values = None
    id: NodeId | None = None
    anchors: tuple[_Range, ...] | None = None


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
    tokens: tuple[_Token, ...] | None = None


class _Line(_AnyLine, gc=False, forbid_unknown_fields=True):
    """A line with no other fields than those of the shared tasks."""

    version: _Field = UNSET
    time: _Field = UNSET
    provenance: _Field = UNSET
    source: _Field = UNSET
    targets: _Field = UNSET


class _Named(msgspec.Struct):
    id: str | int
    framework: str


_FURTHER = _Line.__struct_fields__[len(_AnyLine.__struct_fields__) :]
_MARKS = [(name, f'"{name}":'.encode()) for name in _FURTHER]
_further_of = attrgetter(*_FURTHER)
_FRAMEWORK = re.compile(rb'"framework"\s*:\s*"([\w.+-]+)"')
"""The framework of a line, as it is seen where that is no JSON."""

_named = msgspec.json.Decoder(_Named).decode
_line = msgspec.json.Decoder(_Line).decode
_any_line = msgspec.json.Decoder(_AnyLine).decode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_any_value = msgspec.json.Decoder().decode
_edges_as_they_are = msgspec.json.Decoder(tuple[Edge, ...] | None).decode
_edges_with_lists = msgspec.json.Decoder(list[_Edge]).decode

_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    "id": msgspec.json.Decoder(str | int),
    "framework": msgspec.json.Decoder(str),
    "flavor": msgspec.json.Decoder(Literal[0, 1, 2] | None),
    "language": msgspec.json.Decoder(str | None),
    "input": msgspec.json.Decoder(str | None),
    "tops": msgspec.json.Decoder(tuple[NodeId, ...] | None),
    "nodes": msgspec.json.Decoder(list[_Node] | None),
    "edges": msgspec.json.Decoder(list[_Edge] | None),
    "tokens": msgspec.json.Decoder(tuple[_Token, ...] | None),
}


class _OddError(Exception):
    """Something does not fit; what it is, a draft of the line says."""


class _Anchors(dict[_Ranges, tuple[tuple[Anchor, ...], int]]):
    """The anchors that ranges stand for, and the largest of their ends."""

    def __missing__(self, ranges: _Ranges) -> tuple[tuple[Anchor, ...], int]:
        anchors = tuple([Anchor(span.start, span.end) for span in ranges])
        if not all(0 <= start <= end for start, end in anchors):
            raise _OddError
        if len(self) >= SHARED:
            self.clear()
        result = self[ranges] = anchors, max([end for _, end in anchors], default=0)
        return result


class _Pairs(dict[tuple[_Names, _Values], Pairs]):
    """Names and values joined; those whose values are all strings are remembered.

    Other values can be equal, and yet not the same: 1, 1.0 and true.
    """

    def __missing__(self, columns: tuple[_Names, _Values]) -> Pairs:
        names, values = columns[0] or (), columns[1] or ()
        if len(names) != len(values):
            raise _OddError
        result = tuple(zip(names, values, strict=True))
        if all(type(value) is str for value in values):
            if len(self) >= SHARED:
                self.clear()
            self[columns] = result
        return result


_anchors, _pairs = _Anchors(), _Pairs()


def key(raw: bytes) -> LineKey | None:
    """Return the identity that a line seems to have, without reading it.

    Args:
        raw: its bytes.

    Example:
        >>> key(b'{"id": 1, "framework": "dm"}'), key(b"{")
        (('dm', '1'), None)
    """
    try:
        named = _named(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return named.framework, str(named.id)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for number, raw in values(stream, LONGEST_LINE):
        if len(raw) >= LONGEST_LINE and too_long(raw, LONGEST_LINE):
            line = _Draft(name, number, raw[:SHOWN])
            line.text(raw, number, LONGEST_LINE, "a graph per line")
            yield line.rejected()
        elif raw.strip():
            yield parse_line(raw, name, number)


def read_lines(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Record]:
    """The records of lines.

    Args:
        lines: their numbers and bytes; blank ones are no records.
        name: the name of their file.
    """
    for number, raw in lines:
        if raw.strip():
            yield parse_line(raw, name, number)


def parse_line(raw: bytes, name: str, number: int) -> Record:
    """One line of an MRP file.

    Args:
        raw: the line's bytes.
        name: the file's name, for problems.
        number: the line's number.

    Returns:
        The graph, or a rejected record with everything that is wrong with it.
    """
    try:
        if not raw.isascii():
            # Decoding JSON checks the strings it makes, but not those it passes over.
            raw.decode()
        line: _AnyLine
        try:
            line = _line(raw)
            extra = _further(line, raw)
        except msgspec.ValidationError:
            line, extra = _any_line(raw), _other_fields(raw)
        edges = bytes(line.edges)
        # Attributes and anchors are lists, and have another form in the file than in
        # the model: where no list is in the list, edges are as they are there.
        lists = edges.find(b"[", 1) >= 0
        result = _edges_with_lists(edges) if lists else _edges_as_they_are(edges) or ()
        return ReadGraph(number, _graph(line, result, extra))
    except (_OddError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Draft(name, number, raw).fields()


def _further(line: _AnyLine, raw: bytes) -> dict[str, Any]:
    """Further fields of the shared tasks, in the order of the line.

    With a colon behind it a name is no value, and no other object has such a field, but
    for the source of an edge: where the name stands first, there the field is.
    """
    result = {}
    position = 0
    for value, (name, mark) in zip(_further_of(line), _MARKS, strict=True):
        if value is not UNSET:
            before, position = position, raw.find(mark)
            if position < before:
                # Another order, a blank before a colon, or a name in another spelling.
                return _other_fields(raw)
            result[name] = value
    if "source" in result and position > raw.find(b'"edges":'):
        return _other_fields(raw)
    return result


def _other_fields(raw: bytes) -> dict[str, Any]:
    """All fields that the model has no place for."""
    other_fields = {}
    for name, value in _fields(raw).items():
        if name not in _decoders:
            other_fields[name] = _any_value(value)
            if depth(other_fields[name]) > DEEPEST:
                raise _OddError
    return other_fields


def _graph(
    line: _AnyLine, edges: Sequence[Edge] | Sequence[_Edge], extra: dict[str, Any]
) -> Graph:
    """The graph of a line.

    Raises:
        _OddError: if ids, references, lists or ranges do not fit.
    """
    text = line.input or ""
    last = len(text) if text else LAST_POSITION
    nodes = _nodes(line.nodes, last) if line.nodes else ()
    tops = line.tops or ()
    ids = {node.id for node in nodes}
    if not (
        line.framework
        and len(ids) == len(nodes)
        and ids.issuperset([edge.source for edge in edges])
        and ids.issuperset([edge.target for edge in edges])
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
        _anchors_within(line.tokens, last) if line.tokens else (),
        nodes,
        edges if type(edges) is tuple else _edges(edges, last),
        tops,
        extra,
    )


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


def _edges(plain: Iterable[Any], last: int) -> tuple[Edge, ...]:
    edges = []
    for edge in plain:
        names, values, ranges = edge.attributes, edge.values, edge.anchors
        if edge.properties:
            if names:
                raise _OddError
            names = edge.properties
        pairs = _pairs[names, values] if names or values else ()
        anchors = _anchors_within(ranges, last) if ranges else ()
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


def _anchors_within(ranges: _Ranges, last: int) -> tuple[Anchor, ...]:
    """The anchors that ranges stand for, none of which goes beyond the text."""
    anchors, end = _anchors[ranges]
    if end > last:
        raise _OddError
    return anchors


class _Draft(RecordBuilder):
    """A line that is decoded field by field, gathering everything that is wrong."""

    def fields(self) -> Record:
        """The graph of the line, or what is wrong with it."""
        raw = self.whole()
        seen = _FRAMEWORK.search(raw)
        self.framework = seen[1].decode() if seen else ""
        if self.text(raw, self.line) is None:
            return self.rejected()
        try:
            return self._record(_fields(raw))
        except RecursionError:
            self.add("", *TOO_DEEP)
        except msgspec.ValidationError:
            self.add("$", "JSON that is not an object", "a JSON object per line")
        except msgspec.DecodeError as error:
            add_malformed(self, error, raw)
        return self.rejected()

    def _record(self, fields: dict[str, msgspec.Raw]) -> Record:
        values = {field: self._typed_field(field, fields) for field in _decoders}
        nodes, of_nodes = values.pop("nodes") or ([], [])
        edges, of_edges = values.pop("edges") or ([], [])
        line = _AnyLine(**values, nodes=nodes)
        # With nodes missing, edges and tops to them would only repeat the problem.
        whole = not any(
            problem.where.startswith("$.nodes") for problem in self.problems
        )
        for field in ("id", "framework"):
            if field not in fields:
                self.add(f"$.{field}", "nothing", "a string")
        if line.framework == "":
            self.add("$.framework", "an empty string", "the name of a framework")
        self._references(line, edges, whole)
        extra = {
            field: self._any_value(field, value)
            for field, value in fields.items()
            if field not in _decoders
        }
        self.item = "" if line.id is None else str(line.id)
        self.framework = line.framework or ""
        if self.problems:
            return self.rejected()
        graph = _graph(line, edges, extra)
        if any(of_nodes) or any(of_edges):
            graph = structs.replace(
                graph,
                nodes=tuple(map(_with_extra, graph.nodes, of_nodes)),
                edges=tuple(map(_with_extra, graph.edges, of_edges)),
            )
        return ReadGraph(self.line, graph)

    def _typed_field(self, field: str, fields: dict[str, msgspec.Raw]) -> Any:
        """The field's typed value; ``None``, and a problem where it is of no type.

        Of nodes and edges it is a list, and what each has of its own.
        """
        raw = fields.get(field)
        if raw is None:
            return None
        try:
            value = _decoders[field].decode(raw)
        except msgspec.ValidationError as error:
            if "unknown field" in str(error):
                return self._with_extras(field, raw)
            self._invalid(field, error)
            return None
        listed = value is not None and field in ("nodes", "edges")
        return (value, [()] * len(value)) if listed else value

    def _any_value(self, field: str, raw: msgspec.Raw) -> Any:
        """Any JSON value, as long as it is not out of all measure."""
        try:
            value = _any_value(raw)
        except msgspec.ValidationError as error:
            self._invalid(field, error)
            return None
        if depth(value) > DEEPEST:
            self.add(f"$.{field}", *TOO_DEEP)
            return None
        return value

    def _with_extras(self, field: str, raw: msgspec.Raw) -> Any:
        """Nodes or edges with fields of their own, and those of each."""
        kind: Any = _Node if field == "nodes" else _Edge
        known = set(kind.__struct_encode_fields__)
        before = len(self.problems)
        typed: list[Any] = []
        extras: list[_Extra] = []
        for position, element in enumerate(self._any_value(field, raw) or ()):
            plain: Any = element
            extra: _Extra = ()
            if isinstance(element, dict):
                plain = {k: v for k, v in element.items() if k in known}
                extra = tuple((k, v) for k, v in element.items() if k not in known)
                if isinstance(element.get("anchors"), list):
                    plain["anchors"] = [*map(_without_extra, element["anchors"])]
            try:
                typed.append(msgspec.convert(plain, kind))
            except msgspec.ValidationError as error:
                self._invalid(f"{field}[{position}]", error)
            extras.append(extra)
        return (typed, extras) if len(self.problems) == before else None

    def _invalid(self, field: str, error: msgspec.ValidationError) -> None:
        where, found, expected = invalid(error, f"$.{field}")
        if str(error).startswith("Invalid enum value"):
            # The only field with few values.
            expected = "0, 1 or 2"
        elif found.endswith("out of range"):
            found, expected = "a number out of range", "a smaller one, or a string"
        self.add(where, found, expected)

    def _references(self, line: _AnyLine, edges: list[_Edge], whole: bool) -> None:
        """Note what does not fit: ids, lists of names and values, and ranges."""
        length = len(line.input) if line.input else None
        ids: set[NodeId] = set()
        for position, node in enumerate(line.nodes or ()):
            where = f"$.nodes[{position}]"
            if node.id in ids:
                self.add(f"{where}.id", repr(node.id), "an id that no other node has")
            ids.add(node.id)
            self._lists(where, "properties", node.properties, node.values)
            self._ranges(f"{where}.anchors", node.anchors, length)
        for position, edge in enumerate(edges):
            where = f"$.edges[{position}]"
            for end in ("source", "target"):
                self._reference(f"{where}.{end}", getattr(edge, end), ids, whole)
            if edge.attributes and edge.properties:
                self.add(where, "both attributes and properties", "one of them")
            names = edge.attributes or edge.properties
            self._lists(where, "attributes", names, edge.values)
            self._ranges(f"{where}.anchors", edge.anchors, length)
        for position, top in enumerate(line.tops or ()):
            self._reference(f"$.tops[{position}]", top, ids, whole)
        self._ranges("$.tokens", line.tokens, length)

    def _reference(
        self, where: str, node: NodeId, ids: set[NodeId], whole: bool
    ) -> None:
        if whole and node not in ids:
            self.add(where, repr(node), "the id of a node")

    def _lists(self, where: str, what: str, names: _Names, values: _Values) -> None:
        """Names and values belong together; lists of different length are a problem."""
        names, values = names or (), values or ()
        if len(names) != len(values):
            found = f"{len(names)} {what} and {len(values)} values"
            self.add(where, found, "as many of one as of the other")

    def _ranges(self, where: str, ranges: _Ranges | None, length: int | None) -> None:
        """Ranges of the text; reversed or outside ones are a problem."""
        last = LAST_POSITION if length is None else length
        for position, (start, end) in enumerate(map(structs.astuple, ranges or ())):
            if start < 0 or end < start:
                expected = "a range from a smaller to a larger position"
            elif end <= last:
                continue
            elif length is not None:
                expected = f"a range within the text of {amount(length, 'character')}"
            else:
                expected = f"a range up to {last}, as there is no text"
            self.add(f"{where}[{position}]", f"{start}:{end}", expected)


def _with_extra(part: Any, extra: _Extra) -> Any:
    return structs.replace(part, extra=extra) if extra else part


def _without_extra(anchor: Any) -> Any:
    """A range without fields of its own, which are not kept."""
    if not isinstance(anchor, dict):
        return anchor
    return {name: value for name, value in anchor.items() if name in ("from", "to")}
