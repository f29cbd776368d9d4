r"""MRP: JSON objects, one to a line, the exchange format of the MRP shared tasks.

Versions 0.9, 1.0 and 1.1 are read; edges may call their ``attributes`` by the
deprecated name ``properties``.  A graph without ``nodes`` is an empty one: that
is how parsers report a sentence they gave up on.  Fields that the model has no
place for are kept in ``extra`` and written back.

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Literal

import msgspec

from graphscore.folding import invalid
from graphscore.formats.base import Read, Record
from graphscore.formats.meaning.mrp_plain import LAST_POSITION, plain_graph
from graphscore.formats.shared.json_lines import DEEPEST, TOO_DEEP, add_malformed, depth
from graphscore.formats.shared.json_values import values
from graphscore.formats.shared.records import SHOWN, Draft, too_long
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value

LONGEST_LINE = 256 * 1024 * 1024
"""A longer line is no graph; it is refused without holding it in memory."""


class _RawAnchor(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    start: int = msgspec.field(name="from")
    end: int = msgspec.field(name="to")


class _RawNode(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    id: NodeId
    label: Value = None
    properties: list[str] | None = None
    values: list[Value] | None = None
    anchors: list[_RawAnchor] | None = None


class _RawEdge(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    source: NodeId
    target: NodeId
    label: Value = None
    normal: Value = None
    attributes: list[str] | None = None
    properties: list[str] | None = None
    values: list[Value] | None = None
    id: NodeId | None = None
    anchors: list[_RawAnchor] | None = None


class _RawToken(msgspec.Struct, gc=False):
    start: int = msgspec.field(name="from")
    end: int = msgspec.field(name="to")


_FRAMEWORK = re.compile(rb'"framework"\s*:\s*"([\w.+-]+)"')
"""The framework of a line, as it is seen where that is no JSON."""

_top = msgspec.json.Decoder(dict[str, msgspec.Raw])
_anything = msgspec.json.Decoder()
_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    "id": msgspec.json.Decoder(str | int),
    "framework": msgspec.json.Decoder(str),
    "flavor": msgspec.json.Decoder(Literal[0, 1, 2] | None),
    "language": msgspec.json.Decoder(str | None),
    "input": msgspec.json.Decoder(str | None),
    "tops": msgspec.json.Decoder(list[NodeId] | None),
    "nodes": msgspec.json.Decoder(list[_RawNode] | None),
    "edges": msgspec.json.Decoder(list[_RawEdge] | None),
    "tokens": msgspec.json.Decoder(list[_RawToken] | None),
}


class _Line(Draft):
    """One line on its way to a graph, gathering everything that is wrong."""

    def decode(self, field: str, raw: msgspec.Raw) -> Any:
        """The field's typed value; a problem and ``None`` where it is not one."""
        try:
            return _decoders[field].decode(raw)
        except msgspec.ValidationError as error:
            if "unknown field" in str(error):
                return self._decode_with_extra(field, raw)
            self._add_decoding(field, error)
        return None

    def anything(self, field: str, raw: msgspec.Raw) -> Any:
        """Any JSON value, as long as it is not out of all measure."""
        try:
            value = _anything.decode(raw)
        except msgspec.ValidationError as error:
            self._add_decoding(field, error)
            return None
        if depth(value) > DEEPEST:
            self.add(f"$.{field}", *TOO_DEEP)
            return None
        return value

    def _decode_with_extra(self, field: str, raw: msgspec.Raw) -> Any:
        """Objects with fields of their own: those go into ``extra``."""
        kind: Any = _RawNode if field == "nodes" else _RawEdge
        known = set(kind.__struct_encode_fields__)
        before = len(self.problems)
        found = []
        for position, each in enumerate(self.anything(field, raw) or ()):
            plain: Any = each
            extra: tuple[tuple[str, Any], ...] = ()
            if isinstance(each, dict):
                plain = {k: v for k, v in each.items() if k in known}
                extra = tuple((k, v) for k, v in each.items() if k not in known)
            if isinstance(each, dict) and isinstance(each.get("anchors"), list):
                plain["anchors"] = [
                    {k: v for k, v in anchor.items() if k in {"from", "to"}}
                    if isinstance(anchor, dict)
                    else anchor
                    for anchor in each["anchors"]
                ]
            try:
                converted = msgspec.convert(plain, kind)
            except msgspec.ValidationError as error:
                self._add_decoding(f"{field}[{position}]", error)
                continue
            found.append((converted, extra))
        return found if len(self.problems) == before else None

    def _add_decoding(self, field: str, error: msgspec.ValidationError) -> None:
        where, found, expected = invalid(error, f"$.{field}")
        if str(error).startswith("Invalid enum value"):
            # The only field with few values.
            expected = "0, 1 or 2"
        elif found.endswith("out of range"):
            found, expected = "a number out of range", "a smaller one, or a string"
        self.add(where, found, expected)

    def pairs(
        self, where: str, names: list[str] | None, values: list[Value] | None, what: str
    ) -> Pairs:
        """Names and values joined; lists of different length are a problem."""
        if not names and not values:
            return ()
        names, values = names or [], values or []
        if len(names) != len(values):
            found = f"{len(names)} {what} and {len(values)} values"
            self.add(where, found, "as many of one as of the other")
            return ()
        return tuple(zip(names, values, strict=True))

    def anchors(
        self,
        where: str,
        raw: Sequence[_RawAnchor | _RawToken] | None,
        length: int | None,
    ) -> tuple[Anchor, ...]:
        """Ranges of the text; reversed or outside ones are a problem."""
        if not raw:
            return ()
        last = LAST_POSITION if length is None else length
        for position, each in enumerate(raw):
            if each.start < 0 or each.end < each.start:
                expected = "a range from a smaller to a larger position"
            elif each.end > last and length is not None:
                expected = f"a range within the text of {length} characters"
            elif each.end > last:
                expected = f"a range up to {last}, as there is no text"
            else:
                continue
            self.add(f"{where}[{position}]", f"{each.start}:{each.end}", expected)
        return tuple([Anchor(each.start, each.end) for each in raw])


def _split(raw: Any) -> tuple[Any, tuple[tuple[str, Any], ...]]:
    return raw if isinstance(raw, tuple) else (raw, ())


def _nodes(line: _Line, raw: Iterable[Any], length: int | None) -> tuple[Node, ...]:
    nodes = []
    seen: set[NodeId] = set()
    for position, each in enumerate(raw):
        node, extra = _split(each)
        where = f"$.nodes[{position}]"
        if node.id in seen:
            line.add(f"{where}.id", repr(node.id), "an id that no other node has")
        seen.add(node.id)
        properties: Pairs = ()
        if node.properties or node.values:
            properties = line.pairs(where, node.properties, node.values, "properties")
        anchors: tuple[Anchor, ...] = ()
        if node.anchors:
            anchors = line.anchors(f"{where}.anchors", node.anchors, length)
        nodes.append(Node(node.id, node.label, properties, anchors, extra))
    return tuple(nodes)


def _edges(
    line: _Line, raw: Iterable[Any], nodes: set[NodeId], length: int | None
) -> tuple[Edge, ...]:
    edges = []
    for position, each in enumerate(raw):
        edge, extra = _split(each)
        where = f"$.edges[{position}]"
        for end in ("source", "target"):
            if getattr(edge, end) not in nodes:
                line.add(f"{where}.{end}", repr(getattr(edge, end)), "the id of a node")
        attributes: Pairs = ()
        if edge.attributes or edge.properties or edge.values:
            if edge.attributes and edge.properties:
                line.add(where, "both attributes and properties", "one of them")
            names = edge.attributes or edge.properties
            attributes = line.pairs(where, names, edge.values, "attributes")
        anchors: tuple[Anchor, ...] = ()
        if edge.anchors:
            anchors = line.anchors(f"{where}.anchors", edge.anchors, length)
        edges.append(
            Edge(
                edge.source,
                edge.target,
                edge.label,
                edge.normal,
                attributes,
                edge.id,
                anchors,
                extra,
            )
        )
    return tuple(edges)


def parse_line(raw: bytes, name: str, number: int) -> Record:
    """One line of an MRP file.

    Args:
        raw: the line's bytes.
        name: the file's name, for problems.
        number: the line's number.

    Returns:
        The graph, or a rejected record with everything that is wrong with it.
    """
    graph = plain_graph(raw)
    if graph is not None:
        return Read(number, graph)
    return parse_carefully(raw, name, number)


def parse_carefully(raw: bytes, name: str, number: int) -> Record:
    """One line in which something is wrong or uncommon; see :func:`parse_line`."""
    line = _Line(name, number, raw)
    seen = _FRAMEWORK.search(raw)
    line.framework = seen[1].decode() if seen else ""
    # Decoding JSON checks the strings it makes, but not those it passes over.
    if line.text(raw, number) is None:
        return line.rejected()
    try:
        return _parse(line, raw)
    except RecursionError:
        line.add("", *TOO_DEEP)
    except msgspec.ValidationError:
        line.add("$", "JSON that is no object", "a JSON object per line")
    except msgspec.DecodeError as error:
        add_malformed(line, error, raw)
    return line.rejected()


def _parse(line: _Line, raw: bytes) -> Record:
    """A line of UTF-8; what is not even a JSON object is left to the caller."""
    top = _top.decode(raw)
    fields: dict[str, Any] = {}
    for field in _decoders:
        value = top.get(field)
        fields[field] = None if value is None else line.decode(field, value)
    # With nodes missing, edges and tops to them would only repeat the problem.
    whole = not any(each.where.startswith("$.nodes") for each in line.problems)
    for field in ("id", "framework"):
        if field not in top:
            line.add(f"$.{field}", "nothing", "a string")
    if fields["framework"] == "":
        line.add("$.framework", "an empty string", "the name of a framework")
    text = fields["input"] or ""
    length = len(text) if text else None
    nodes = _nodes(line, fields["nodes"] or (), length)
    ids = {node.id for node in nodes}
    known = ids if whole else _Everything()
    edges = _edges(line, fields["edges"] or (), known, length)
    tops = tuple(fields["tops"] or ())
    for position, top_id in enumerate(tops):
        if top_id not in known:
            line.add(f"$.tops[{position}]", repr(top_id), "the id of a node")
    tokens = line.anchors("$.tokens", fields["tokens"], length)
    extra = {k: line.anything(k, v) for k, v in top.items() if k not in _decoders}
    line.item = "" if fields["id"] is None else str(fields["id"])
    line.framework = fields["framework"] or ""
    if line.problems:
        return line.rejected()
    graph = Graph(
        line.item,
        line.framework,
        fields["flavor"],
        fields["language"] or "",
        "",
        text,
        tokens,
        nodes,
        edges,
        tops,
        extra,
    )
    return Read(line.line, graph)


class _Everything(set[NodeId]):
    """A set that contains whatever it is asked for."""

    def __contains__(self, item: object) -> bool:
        return True


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for number, raw in values(stream, LONGEST_LINE):
        if too_long(raw, LONGEST_LINE):
            line = _Line(name, number, raw[:SHOWN])
            line.text(raw, number, LONGEST_LINE, "a graph per line")
            yield line.rejected()
        elif raw.strip():
            yield parse_line(raw, name, number)


def _said(**fields: Any) -> dict[str, Any]:
    """Fields of an object, without those that say nothing."""
    return {
        key: value for key, value in fields.items() if value is not None and value != []
    }


def _anchors_of(anchors: tuple[Anchor, ...]) -> list[dict[str, int]]:
    return [{"from": start, "to": end} for start, end in anchors]


def to_json(graph: Graph) -> dict[str, Any]:
    """The MRP object of a graph; what is empty is left out, but for ``nodes``."""
    return {
        **_said(
            id=graph.id,
            flavor=graph.flavor,
            framework=graph.framework,
            language=graph.language or None,
        ),
        **graph.extra,
        **_said(
            input=graph.text or None,
            tokens=_anchors_of(graph.tokens),
            tops=[*graph.tops],
        ),
        "nodes": [_node_json(node) for node in graph.nodes],
        **_said(edges=[_edge_json(edge) for edge in graph.edges]),
    }


def _node_json(node: Node) -> dict[str, Any]:
    found = _said(
        id=node.id,
        label=node.label,
        properties=[name for name, _ in node.properties],
        values=[value for _, value in node.properties],
        anchors=_anchors_of(node.anchors),
    )
    return found | dict(node.extra)


def _edge_json(edge: Edge) -> dict[str, Any]:
    found = _said(
        source=edge.source,
        target=edge.target,
        label=edge.label,
        normal=edge.normal,
        attributes=[name for name, _ in edge.attributes],
        values=[value for _, value in edge.attributes],
        id=edge.id,
        anchors=_anchors_of(edge.anchors),
    )
    return found | dict(edge.extra)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
    for graph in graphs:
        yield encode(to_json(graph)) + b"\n"
