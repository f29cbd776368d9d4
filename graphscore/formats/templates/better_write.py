r"""Graphs as a corpus of BETTER.

The two layers of an entry that follow one another become one entry; either alone
brings its span sets and events.

>>> from graphscore.structures.layout import Argument, LayoutBuilder
>>> build = LayoutBuilder()
>>> he = build.entity([build.mention(None, text="he")], id="ss-1")
>>> _ = build.template("Protestplate", [Argument("who", he)], id="template-1")
>>> data = b"".join(write([build.graph("d1", "template")]))
>>> data.partition(b'"granular-templates":')[2].partition(b"}}")[0]
b'{"template-1":{"template-id":"template-1","template-type":"Protestplate","who":[{"ssid":"ss-1"}]'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.shared.layers import Layer, kept, own_of
from graphscore.formats.templates.better import (
    BASIC,
    EMPTY,
    EVENT_KEY,
    FIELDS,
    FRAMEWORKS,
    HEAD,
    LISTED,
    MENTION_TYPE,
    NAME,
    OFFSET,
    OWN,
    SETS,
    SPAN_SETS,
    TEMPLATE_KEY,
    TEMPLATES,
    TIME,
)
from graphscore.formats.writing import encode, layered, naming
from graphscore.model.graph import Edge, Graph, Node
from graphscore.structures.layout import (
    ENTITY,
    EVENTS,
    MENTION,
    TEMPLATE,
    TEXT,
    TRIGGER,
    VALUE,
    kind_of,
)

_KINDS = {
    EVENTS: {MENTION, ENTITY, TRIGGER},
    TEMPLATES: {MENTION, ENTITY, TRIGGER, VALUE, TEMPLATE},
}


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as one corpus.

    Args:
        graphs: of the frameworks ``event`` and ``template``.

    Yields:
        Pieces of a JSON object.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield b'{"corpus-id":"","entries":{'
    joint = b"\n"
    for layers in layered(graphs, FRAMEWORKS, "BETTER"):
        yield joint + _entry(layers)
        joint = b",\n"
    yield b'},"format-type":"bp-corpus","format-version":"v10"}\n'


def _entry(layers: dict[str, Graph]) -> bytes:
    graph = next(iter(layers.values()))
    basic: dict[str, Any] = {}
    with naming(graph):
        for layer in FRAMEWORKS:
            if layer in layers:
                found = _Layer(layers[layer], _KINDS[layer]).sets()
                if basic and any(found[key] != basic[key] for key in basic):
                    shown = "span sets and events that differ between layers"
                    raise InvalidGraphError(shown, "the same ones")
                basic = {**found, **basic}
    if EVENTS not in layers and not basic[EVENT_KEY]:
        # An entry of templates alone is not one without events.
        del basic[EVENT_KEY]
    fields = kept(graph.extra, OWN)
    fields["entry-id"], fields["segment-text"] = graph.id, graph.text
    fields["doc-id"] = graph.document or graph.id
    if graph.language:
        fields["lang"] = graph.language
    fields[SETS] = {BASIC: kept(graph.extra, BASIC) | basic}
    return encode(graph.id) + b":" + encode(fields)


class _Layer(Layer):
    """One layer on its way to JSON."""

    def sets(self) -> dict[str, Any]:
        """Span sets, events and, in that layer, templates."""
        triggers, entities = self.of(TRIGGER), self.of(ENTITY)
        result: dict[str, Any] = {
            SPAN_SETS: {self._name(node): self._set(node) for node in entities},
            EVENT_KEY: {self._name(node): self._event(node) for node in triggers},
        }
        if self.graph.framework == TEMPLATES:
            result[TEMPLATE_KEY] = dict(map(self._template, self.of(TEMPLATE)))
        return result

    def _name(self, node: Node) -> str:
        return node.id if isinstance(node.id, str) else f"n-{node.id}"

    def _set(self, node: Node) -> dict[str, Any]:
        spans = [self._span(each) for each in self.mentions(node)]
        fields = {"spans": spans, "ssid": self._name(node)}
        return {**fields, **kept(node.extra, FIELDS)}

    def _span(self, node: Node) -> dict[str, Any]:
        own = own_of(node)
        found: dict[str, Any] = {"string": own.get(TEXT)}
        if len(node.anchors) == 1:
            [(start, end)] = node.anchors
            found = {"string": self.graph.text[start:end], "start": start, "end": end}
        elif isinstance(own.get(TEXT), str) and type(own.get(OFFSET)) is int:
            found["start"] = own[OFFSET]
            found["end"] = found["start"] + len(found["string"])
        if MENTION_TYPE in own:
            found["synclass"] = own[MENTION_TYPE]
        head = re.fullmatch(r"(-?\d{1,18}):(-?\d{1,18})", str(own.get(HEAD)))
        if head:
            found["hstart"], found["hend"] = int(head[1]), int(head[2])
        return {**found, **kept(node.extra, FIELDS)}

    def _event(self, node: Node) -> dict[str, Any]:
        fields: dict[str, Any] = {"eventid": self._name(node)}
        if node.label is not None:
            fields["event-type"] = node.label
        fields |= {key: value for key, value in own_of(node).items() if key != TEXT}
        for edge in self.edges(node.id):
            filled = fields.setdefault(str(edge.label), [])
            filled.append(self._name(self.nodes[edge.target]))
        return {**fields, **kept(node.extra, FIELDS)}

    def _template(self, node: Node) -> tuple[str, dict[str, Any]]:
        extra = dict(node.extra)
        name = extra.get(NAME, self._name(node))
        fields: dict[str, Any] = {"template-id": name, **kept(node.extra, FIELDS)}
        if node.label is not None:
            fields["template-type"] = node.label
        fields |= kept(node.extra, EMPTY)
        for edge in self.edges(node.id):
            slot, target = str(edge.label), self.nodes[edge.target]
            if kind_of(target) == VALUE and not dict(edge.extra).get(LISTED):
                if slot in fields:
                    found = f"several fillers of {slot!r}, {target.label!r} among them"
                    raise InvalidGraphError(found, "one value")
                fields[slot] = target.label
            else:
                filled = fields.setdefault(slot, [])
                if not isinstance(filled, list):
                    raise InvalidGraphError(f"a value among {slot!r}", "only one")
                filled.append(self._filler(edge, target))
        return str(name), fields

    def _filler(self, edge: Edge, target: Node) -> Any:
        kind = kind_of(target)
        if kind == VALUE:
            return target.label
        key = "ssid" if kind == ENTITY else "event-id"
        said = {name: value for name, value in edge.attributes if name != TIME}
        return {key: self._name(target), **said, **kept(edge.extra, FIELDS)}
