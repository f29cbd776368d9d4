r"""BETTER: basic events and granular templates in one JSON object a corpus (bp-json).

The format of the BETTER program (versions v8 to v10): entries by name, each with a
text, sets of coreferent spans, events whose arguments are such sets, and templates
whose slots have sets, events, truth values or one of a few words::

    {"corpus-id": "c", "format-type": "bp-corpus", "format-version": "v10",
     "entries": {"d1": {"entry-id": "d1", "doc-id": "d1", "segment-text": "He left.",
       "annotation-sets": {"basic-events": {
         "span-sets": {"ss-1": {"ssid": "ss-1", "spans":
           [{"string": "He", "start": 0, "end": 2, "synclass": "pronoun"}]}},
         "events": {}, "granular-templates": {"template-1": {
           "template-id": "template-1", "template-type": "Protestplate",
           "who": [{"ssid": "ss-1", "irrealis": "hypothetical"}],
           "over-time": false}}}}}}}

An entry gives a graph for each of the two layers that has a key: ``event`` and
``template``.

A set of spans is an entity under its own id, an event is a trigger under its own
id, at the first of the spans that evoke it.  What is said of one use of a filler
(``irrealis``, ``time-attachments``) is said of the edge to it; a set of spans that
is named there is given by where its spans are, as ids differ from file to file.

>>> import io
>>> data = b'''{"entries": {"d1": {"doc-id": "d", "segment-text": "He left.",
... "annotation-sets": {"basic-events": {"span-sets":
...   {"ss-1": {"spans": [{"string": "He", "start": 0, "end": 2}]}},
... "granular-templates": {"t-1": {"template-type": "Protestplate",
...   "who": [{"ssid": "ss-1"}], "over-time": false}}}}}}}'''
>>> [record] = read(io.BytesIO(data), "gold.bp.json")
>>> [(edge.label, edge.target) for edge in record.graph.edges[1:]]
[('who', 'ss-1'), ('over-time', 1)]
>>> [record] = read(io.BytesIO(data.replace(b'd": "ss', b'd": "s')), "a.json")
>>> print(*record.problems) # doctest: +ELLIPSIS
a.json:1: $.entries.d1...granular-templates.t-1.who[0].ssid: found 's-1', expected ...
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.shared.json_files import (
    JsonFile,
    Member,
    failed_member,
    read_whole,
)
from graphscore.formats.shared.json_lines import JsonLine, further, rest_of
from graphscore.formats.shared.layers import Layer, kept_fields, own_of
from graphscore.formats.shared.span_fields import same_words, text_mismatch
from graphscore.formats.writing import encode, join_layers, naming
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.layout import (
    ENTITY,
    EVENTS,
    TEMPLATE,
    TEXT,
    TRIGGER,
    VALUE,
    Argument,
    Extra,
    LayoutBuilder,
    kind_of,
)

TEMPLATES = "template"

FRAMEWORKS = (EVENTS, TEMPLATES)
"""The layers of an entry."""

SETS, BASIC = "annotation-sets", "basic-events"
SPAN_SETS, EVENT_KEY, TEMPLATE_KEY = "span-sets", "events", "granular-templates"

ANCHORS, TIMES, TIME = "anchors", "time-attachments", "time-attachment"
"""Keys of an event and of a filler, and the attribute for each of the latter."""

EVOKED = "template-anchor"
"""The key of a template with the set of spans that evokes it."""

TEMPLATE_KEYS = ("template-type", "template-id", EVOKED)
"""Keys of a template that are no slots."""

ANCHOR = "anchor"
"""The property with the place of what evokes a template."""

HEAD, MENTION_TYPE, OFFSET = "head", "mention_type", "offset"
"""Properties of a mention."""

FIELDS, OWN, NAME, EMPTY, LISTED = "fields", "better", "key", "empty", "listed"
"""In ``extra``: further fields of a node and of an entry, a key that is no id, slots
that nothing fills, and that a value stands in a list."""

_PLAIN = {"kind", "text"}
"""Names that properties of a trigger have already."""


class _Span(Struct):
    string: str = ""
    start: int | None = None
    end: int | None = None
    hstart: Any = None
    hend: Any = None
    synclass: Any = None

    def properties(self) -> Pairs:
        """The type and the head, where they are of use."""
        result: list[tuple[str, Any]] = []
        if isinstance(self.synclass, str):
            result.append((MENTION_TYPE, self.synclass))
        if type(self.hstart) is int and type(self.hend) is int:
            result.append((HEAD, f"{self.hstart}:{self.hend}"))
        return tuple(result)


class _Head(Struct, rename="kebab"):
    segment_text: str = ""
    doc_id: str = ""
    lang: str = ""


class _Event(Struct, rename="kebab"):
    anchors: str
    event_type: str | None = None
    expected: ClassVar = {ANCHORS: "the id of a span set"}


class _Template(Struct, rename="kebab"):
    template_type: str | None = None
    template_anchor: str | None = None
    expected: ClassVar = {EVOKED: "the id of a span set"}


_BEGINS = re.compile(
    rb'"[^"\\\n]*+"\s*+:\s*+\{\s*+'
    rb'"(?:annotation-sets|char2tok|doc-id|entry-id|lang|segment-\w++|sent-id)"\s*+:'
)


class Entry:
    """An entry and what is wrong with it.

    Args:
        line: its record.
        key: its name.
        fields: its JSON object.
    """

    def __init__(self, line: JsonLine, key: str, fields: dict[str, Any]) -> None:
        self.line, self.key, self.fields = line, key, fields
        self.where = f"$.entries.{key}"
        self.text = ""
        self.ranges: dict[str, str] = {}
        self.first: dict[str, tuple[tuple[Anchor, ...], str]] = {}
        self.events: set[str] = set()
        self.known: set[str] = set()

    def records(self) -> Iterator[Record]:
        """The graphs of the layers whose keys are there."""
        line = self.line
        head = line.typed(self.where, self.fields, _Head) or _Head()
        self.text = head.segment_text
        path = f"{self.where}.{SETS}"
        sets = line.object(path, self.fields.get(SETS))
        basic_sets = sets.get(BASIC)
        if basic_sets is None and not line.problems:
            line.add(path, ", ".join(sets) or "nothing", BASIC)
        path += f".{BASIC}"
        basic = line.object(path, basic_sets) if not line.problems else {}
        if not line.problems and not {EVENT_KEY, TEMPLATE_KEY} & basic.keys():
            line.add(path, "no layer", f"{EVENT_KEY} or {TEMPLATE_KEY}")
        build = self._base(path, basic if not line.problems else {})
        if line.problems:
            yield line.rejected()
            return
        used = {"entry-id", "doc-id", "segment-text", "lang", SETS}
        extra = further(self.fields, used, OWN)
        extra |= further(basic, {SPAN_SETS, EVENT_KEY, TEMPLATE_KEY}, BASIC)
        more: dict[str, Any] = {
            "document": head.doc_id or self.key,
            "language": head.lang,
            "text": self.text,
        }
        if EVENT_KEY in basic:
            graph = build.graph(self.key, EVENTS, **more, extra=extra)
            yield ReadGraph(line.line, graph)
        if TEMPLATE_KEY in basic:
            self._templates(f"{path}.{TEMPLATE_KEY}", basic[TEMPLATE_KEY], build)
            right = not line.problems
            template = (
                build.graph(self.key, TEMPLATES, **more, extra=extra) if right else None
            )
            yield line.record(template, TEMPLATES)

    def _base(self, path: str, basic: dict[str, Any]) -> LayoutBuilder:
        """Read span sets and events, which both layers have."""
        build = LayoutBuilder()
        sets = self.line.object(f"{path}.{SPAN_SETS}", basic.get(SPAN_SETS, {}))
        for name, value in sets.items():
            self._span_set(f"{path}.{SPAN_SETS}.{name}", name, value, build)
        events = self.line.object(f"{path}.{EVENT_KEY}", basic.get(EVENT_KEY, {}))
        self.events = set(events)
        self.known = {*self.ranges, *events}
        for name in sets.keys() & events.keys():
            where = f"{path}.{EVENT_KEY}.{name}"
            self.line.add(where, "the id of a span set", "an id of its own")
        if not self.line.problems:
            for name, value in events.items():
                self._event(f"{path}.{EVENT_KEY}.{name}", name, value, build)
        return build

    def _id(
        self, where: str, value: Any, known: Container[str], what: str
    ) -> str | None:
        """The id of something; ``None``, and a problem, if it is not there."""
        names = known if isinstance(value, str) else ()
        is_known = self.line.known(where, value, names, f"the id of {what}")
        return value if is_known else None

    def _span_set(
        self, where: str, name: str, value: Any, build: LayoutBuilder
    ) -> None:
        fields = self.line.object(where, value)
        mentions: list[NodeId] = []
        ranges: list[str] = []
        spans = self.line.each(f"{where}.spans", fields.get("spans"), _Span)
        for path, raw, span in spans:
            words, properties = span.string, span.properties()
            anchors: tuple[Anchor, ...] = ()
            if span.start is not None or span.end is not None:
                if span.start is None or span.end is None:
                    found = f"{shown(span.start)}:{shown(span.end)}"
                    self.line.add(path, found, "two numbers")
                    continue
                if not self.text:
                    properties = ((OFFSET, span.start), *properties)
                elif self.line.within(
                    path, (span.start, span.end), len(self.text), "characters"
                ):
                    anchors = (Anchor(span.start, span.end),)
                else:
                    continue
            more = rest_of(raw, _Span)
            covered = self.text[slice(*anchors[0])] if anchors else words
            if (
                anchors
                and words
                and not same_words(words.casefold(), covered.casefold())
            ):
                wrong = text_mismatch(words, *anchors[0], self.text)
                self.line.add(f"{path}.string", *(wrong or ("", "")))
                continue
            if words != covered:
                more = {"string": words, **more}
            extra: Extra = ((FIELDS, more),) if more else ()
            mentions.append(
                build.mention(None, anchors, properties, text=words, extra=extra)
            )
            ranges.append(f"{span.start}:{span.end}" if anchors else words)
            self.first.setdefault(name, (anchors, words))
        self.ranges[name] = ";".join(ranges)
        rest = further(fields, ("spans", "ssid"), FIELDS)
        build.entity(mentions, id=name, extra=(*rest.items(),))

    def _event(self, where: str, name: str, value: Any, build: LayoutBuilder) -> None:
        fields = self.line.object(where, value)
        event = self.line.typed(where, fields, _Event)
        if event is None:
            return
        self._id(f"{where}.{ANCHORS}", event.anchors, self.ranges, "a span set")
        anchors, words = self.first.get(event.anchors, ((), ""))
        properties: list[tuple[str, Any]] = [] if anchors else [("text", words)]
        arguments: list[Argument] = []
        rest: dict[str, Any] = {}
        for role, filled in fields.items():
            if role in (ANCHORS, "event-type", "eventid"):
                continue
            if isinstance(filled, list):
                if not filled:
                    rest[role] = filled
                for path, span_set in self.line.elements(f"{where}.{role}", filled):
                    filler = self._id(path, span_set, self.known, "a span set or event")
                    if filler is not None:
                        arguments.append(Argument(role, filler))
            elif isinstance(filled, str | int | float) and role not in _PLAIN:
                properties.append((role, filled))
            else:
                rest[role] = filled
        extra: Extra = ((FIELDS, {ANCHORS: event.anchors, **rest}),)
        trigger = event.event_type, anchors, arguments, tuple(properties)
        build.trigger(*trigger, id=name, extra=extra)

    def _templates(self, where: str, value: Any, build: LayoutBuilder) -> None:
        for name, template_fields in self.line.object(where, value).items():
            path = f"{where}.{name}"
            fields = self.line.object(path, template_fields)
            template = self.line.typed(path, fields, _Template)
            if template is None:
                continue
            properties: Pairs = ()
            if (evoked := template.template_anchor) is not None:
                self._id(f"{path}.{EVOKED}", evoked, self.ranges, "a span set")
                properties = ((ANCHOR, self.ranges.get(evoked, "")),)
            slots = [
                argument
                for slot, filled in fields.items()
                if slot not in TEMPLATE_KEYS
                for argument in self._slot(f"{path}.{slot}", slot, filled, build)
            ]
            rest = {k: v for k, v in fields.items() if k == EVOKED}
            empty = [k for k, v in fields.items() if v == [] or v is None]
            extra: list[tuple[str, Any]] = [(FIELDS, rest)] if rest else []
            extra += [(EMPTY, {k: fields[k] for k in empty})] if empty else []
            taken = name in build
            extra += [(NAME, name)] if taken else []
            own = None if taken else name
            label = template.template_type
            build.template(label, slots, properties, id=own, extra=tuple(extra))

    def _slot(
        self, where: str, slot: str, value: Any, build: LayoutBuilder
    ) -> Iterator[Argument]:
        """The fillers of a slot: sets of spans, events, or a value."""
        if isinstance(value, str | int | float):
            yield Argument(slot, build.value(value))
            return
        ids: dict[str, tuple[Container[str], str]] = {
            "ssid": (self.ranges, "a span set"),
            "event-id": (self.events, "an event"),
        }
        for path, filler in self.line.elements(where, [] if value is None else value):
            if isinstance(filler, str | int | float):
                yield Argument(slot, build.value(filler), (), ((LISTED, True),))
                continue
            fields = self.line.object(path, filler)
            keys = [key for key in ids if key in fields]
            if len(keys) != 1:
                self.line.add(path, shown(filler), "an ssid or an event-id")
                continue
            [key] = keys
            known, what = ids[key]
            named = self._id(f"{path}.{key}", fields[key], known, what)
            if named is not None:
                rest = {k: v for k, v in fields.items() if k != key}
                attributes, extra = self._of_use(path, rest)
                yield Argument(slot, named, attributes, extra)

    def _of_use(self, where: str, fields: dict[str, Any]) -> tuple[Pairs, Extra]:
        """Return the properties and further fields of one use of a filler."""
        attributes: list[tuple[str, Any]] = []
        kept: dict[str, Any] = {}
        for key, value in fields.items():
            if key == TIMES:
                kept[key] = value
                for path, span_set in self.line.elements(f"{where}.{key}", value):
                    named = self._id(path, span_set, self.ranges, "a span set")
                    if named is not None:
                        attributes.append((TIME, self.ranges[named]))
            elif isinstance(value, str | int | float):
                attributes.append((key, value))
            else:
                kept[key] = value
        return tuple(attributes), ((FIELDS, kept),) if kept else ()


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, key, value in _entries(stream, name):
        line.item = key
        if isinstance(value, dict):
            yield from Entry(line, key, value).records()
            continue
        if value is not None:
            line.add(f"$.entries.{key}", shown(value), "an entry")
        yield line.rejected()


def _entries(stream: BinaryIO, name: str) -> Iterator[Member]:
    """The entries, wherever the corpus has them."""
    data = read_whole(stream)
    if data is None:
        yield failed_member(name, 1, "a file that is too long", "a corpus")
        return
    file = JsonFile(data, name, _BEGINS)
    if problem := file.opened((b"{",), "an object with entries"):
        yield problem
        return
    corpus = file.scan(file.start)
    seen = False
    while (key := corpus.next()) is not None:
        if key == "entries" and data[corpus.position : corpus.position + 1] == b"{":
            seen = True
            entries = file.scan(corpus.position)
            yield from file.taken(entries, "$.entries")
            corpus.position = entries.position
        else:
            corpus.take()
    if not seen:
        yield file.failed(file.start, "no entries", "an object with entries")
    elif corpus.problem is not None:
        yield file.failed(len(data), *corpus.problem)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as one corpus.

    The two layers of an entry that follow one another become one entry; either alone
    brings its span sets and events.

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
    for layers in join_layers(graphs, FRAMEWORKS, "BETTER"):
        yield joint + _entry(layers)
        joint = b",\n"
    yield b'},"format-type":"bp-corpus","format-version":"v10"}\n'


def _entry(layers: dict[str, Graph]) -> bytes:
    graph = next(iter(layers.values()))
    basic: dict[str, Any] = {}
    with naming(graph):
        for layer in FRAMEWORKS:
            if layer in layers:
                of_layer = _Layer(layers[layer]).sets()
                if any(of_layer[key] != basic[key] for key in basic):
                    # What only one says would come back in the other as well.
                    found = "span sets and events that differ between layers"
                    raise InvalidGraphError(found, "the same ones")
                basic = {**of_layer, **basic}
    if EVENTS not in layers and not basic[EVENT_KEY]:
        # An entry of templates alone is not one without events.
        del basic[EVENT_KEY]
    fields = kept_fields(graph.extra, OWN)
    fields["entry-id"], fields["segment-text"] = graph.id, graph.text
    fields["doc-id"] = graph.document or graph.id
    if graph.language:
        fields["lang"] = graph.language
    fields[SETS] = {BASIC: kept_fields(graph.extra, BASIC) | basic}
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
        spans = [self._span(mention) for mention in self.mentions(node)]
        fields = {"spans": spans, "ssid": self._name(node)}
        return {**fields, **kept_fields(node.extra, FIELDS)}

    def _span(self, node: Node) -> dict[str, Any]:
        own = own_of(node)
        result: dict[str, Any] = {"string": own.get(TEXT)}
        if len(node.anchors) == 1:
            [(start, end)] = node.anchors
            result = {"string": self.graph.text[start:end], "start": start, "end": end}
        elif isinstance(own.get(TEXT), str) and type(own.get(OFFSET)) is int:
            result["start"] = own[OFFSET]
            result["end"] = result["start"] + len(result["string"])
        if MENTION_TYPE in own:
            result["synclass"] = own[MENTION_TYPE]
        head = re.fullmatch(r"(-?\d{1,18}):(-?\d{1,18})", str(own.get(HEAD)))
        if head:
            result["hstart"], result["hend"] = int(head[1]), int(head[2])
        return {**result, **kept_fields(node.extra, FIELDS)}

    def _event(self, node: Node) -> dict[str, Any]:
        fields: dict[str, Any] = {"eventid": self._name(node)}
        if node.label is not None:
            fields["event-type"] = node.label
        fields |= {key: value for key, value in own_of(node).items() if key != TEXT}
        for edge in self.edges(node.id):
            filled = fields.setdefault(str(edge.label), [])
            filled.append(self._name(self.nodes[edge.target]))
        return {**fields, **kept_fields(node.extra, FIELDS)}

    def _template(self, node: Node) -> tuple[str, dict[str, Any]]:
        extra = dict(node.extra)
        name = extra.get(NAME, self._name(node))
        fields: dict[str, Any] = {
            "template-id": name,
            **kept_fields(node.extra, FIELDS),
        }
        if node.label is not None:
            fields["template-type"] = node.label
        fields |= kept_fields(node.extra, EMPTY)
        for edge in self.edges(node.id):
            slot, target = str(edge.label), self.nodes[edge.target]
            listed = kind_of(target) != VALUE or dict(edge.extra).get(LISTED)
            if not listed and slot not in fields:
                fields[slot] = target.label
                continue
            filled = fields.setdefault(slot, [])
            if not isinstance(filled, list):
                filled = fields[slot] = [filled]
            filled.append(self._filler(edge, target))
        return str(name), fields

    def _filler(self, edge: Edge, target: Node) -> Any:
        kind = kind_of(target)
        if kind == VALUE:
            return target.label
        key = "ssid" if kind == ENTITY else "event-id"
        attributes = {name: value for name, value in edge.attributes if name != TIME}
        return {
            key: self._name(target),
            **attributes,
            **kept_fields(edge.extra, FIELDS),
        }
