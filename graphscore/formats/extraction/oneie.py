r"""OneIE: sentences as JSON lines, with entities, relations and events.

A line is a sentence, whose id is the item; its tokens are counted from 0, ends are
exclusive (Lin et al. 2020).  Annotated data names entity mentions by ids, which
the arguments of relations and events repeat::

    {"doc_id": "d1", "sent_id": "d1-1", "tokens": ["He", "died"],
     "entity_mentions": [{"id": "d1-E1-1", "start": 0, "end": 1,
                          "entity_type": "PER", "mention_type": "PRO"}],
     "relation_mentions": [],
     "event_mentions": [{"id": "d1-EV1-1", "event_type": "Life:Die",
                         "trigger": {"start": 1, "end": 2},
                         "arguments": [{"entity_id": "d1-E1-1", "role": "Victim"}]}]}

What the system puts out has the same as lists, which name entities and triggers
by their positions::

    {"doc_id": "d1", "sent_id": "d1-1", "tokens": ["He", "died"],
     "graph": {"entities": [[0, 1, "PER", "PRO", 0.9]], "relations": [],
               "triggers": [[1, 2, "Life:Die", 1.0]], "roles": [[0, 0, "Victim", 0.8]]}}

Either gives one graph for each layer that has a key: ``ner``, ``relation`` and
``event``.  WikiEvents has annotated data of whole documents, without ``sent_id``.

Graphs are written as annotated data.  Layers of one sentence that follow one another
become one line again; a relation or event layer alone brings its mentions.

A problem of the tokens or the entities costs the sentence, as everything else
refers to them; a problem of a relation or an event costs its layer.

>>> import io
>>> data = (b'{"sent_id": "1", "tokens": ["He", "died"], "entity_mentions": ['
...         b'{"id": "E1", "start": 0, "end": 1, "entity_type": "PER"}]}')
>>> [record] = read(io.BytesIO(data), "a.json")
>>> record.graph.framework, record.graph.nodes[0].label, record.graph.text
('ner', 'PER', 'He died')
>>> [record] = read(io.BytesIO(data.replace(b'd": 1', b'd": 0')), "a.json")
>>> print(record.problems[0])
a.json:1: $.entity_mentions[0]: found tokens 0:0, expected a range within the 2 tokens
>>> b"".join(write([record.graph for record in read(io.BytesIO(data), "a.json")]))
b'{"sent_id":"1","tokens":["He","died"],"entity_mentions":[{"id":"E1","start":0,"end":1,"entity_type":"PER"}]}\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, ClassVar, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from graphscore.duplicates import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import (
    NUMBERS,
    JsonLine,
    Row,
    objects,
    pairs_of,
    rest_of,
)
from graphscore.formats.shared.layers import Layer, kept_fields, own_of
from graphscore.formats.shared.span_fields import TEXT, quote_beginning, same_words
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.writing import Layers, json_lines, same_item
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.layout import (
    EVENTS,
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    SCORE,
    TRIGGER,
    Argument,
    Extra,
    LayoutBuilder,
    nodes_of,
)

FIELDS = {
    NER: "entity_mentions",
    RELATIONS: "relation_mentions",
    EVENTS: "event_mentions",
}
"""The key of each layer in annotated data."""

LISTS = {NER: "entities", RELATIONS: "relations", EVENTS: "triggers"}
"""The key of each layer in what the system puts out."""

OWN = "oneie"
"""Key of ``extra`` for the further fields of a sentence, mention or argument."""

ROLES = ("Arg-1", "Arg-2")
"""Roles of relations, which tell their arguments by order; annotated data says so."""

SENTENCE, DOCUMENT = "sent_id", "doc_id"

IDENTITIES = {SENTENCE: "the id of the sentence", DOCUMENT: "the id of the document"}
"""Keys that name an item and its kind; of WikiEvents the latter."""

_KINDS = {NER: MENTION, RELATIONS: RELATION, EVENTS: TRIGGER}

Number = int | float | None


class _Scored(Struct, kw_only=True):
    expected: ClassVar = {"id": "an id", "entity_id": "the id of an entity mention"}
    score: Number = None
    probability: Number = None


class _Role(_Scored, kw_only=True):
    entity_id: NodeId
    role: str


class _Range(Struct):
    start: int
    end: int


class _Mention(_Scored, kw_only=True):
    id: NodeId
    start: int
    end: int
    entity_type: str
    mention_type: str | None = None
    entity_subtype: str | None = None


class _Relation(_Scored, kw_only=True):
    relation_type: str
    arguments: list[_Role]
    id: NodeId | None = None
    relation_subtype: str | None = None


class _Event(_Scored, kw_only=True):
    event_type: str
    trigger: _Range
    arguments: list[_Role]
    id: NodeId | None = None
    event_subtype: str | None = None


class _Listed(Row):
    """Two whole numbers, a label, and a score if there is one."""

    first: int
    second: int
    label: str
    score: int | float | UnsetType = UNSET


class _ListedTyped(Row):
    """An entity with its mention type before the score."""

    first: int
    second: int
    label: str
    mention_type: str
    score: int | float | UnsetType = UNSET


_SAID = {
    NER: {"mention_type": "mention_type", "entity_subtype": "subtype", **NUMBERS},
    RELATIONS: {"relation_subtype": "subtype", **NUMBERS},
    EVENTS: {"event_subtype": "subtype", **NUMBERS},
}
"""Fields that become properties, with their names."""


class _Entity(NamedTuple):
    name: NodeId | None
    label: str
    anchor: Anchor
    properties: Pairs
    extra: Extra


class _Sentence:
    """A sentence on its way to graphs."""

    def __init__(self, line: JsonLine, fields: dict[str, Any], item: str) -> None:
        self.line, self.fields = line, fields
        line.item = line.identity(fields, item, IDENTITIES[item])
        self.document = ""
        if fields.get(DOCUMENT) is not None and not line.problems:
            self.document = line.identity(fields, DOCUMENT, IDENTITIES[DOCUMENT])
        self.words = Words(line.strings("$.tokens", fields.get("tokens")))
        self.entities: list[_Entity] = []
        self.places: dict[NodeId, Anchor | None] = {}
        self.whole = True
        """True if all entities could be read.

        A reference to one that could not would only repeat the problem.
        """

    def records(self) -> Iterator[Record]:
        """The graphs of the layers whose keys are there."""
        line, path, source, keys = self.line, "$", self.fields, FIELDS
        if "graph" in self.fields:
            annotated = [key for key in FIELDS.values() if key in self.fields]
            if annotated:
                found = f"graph beside {', '.join(annotated)}"
                line.add("$", found, "what is predicted or what is annotated")
            path, keys = "$.graph", LISTS
            source = line.object(path, self.fields["graph"])
        yield from line.keyed_layers(path, source, keys, self._graph)

    def _graph(self, layer: str, where: str, value: Any) -> Graph | None:
        listed = "graph" in self.fields
        if layer == NER:
            self.entities += (self._listed_mentions if listed else self._mentions)(
                where, value
            )
            self.whole = not self.line.problems
        build = LayoutBuilder()
        for entity in self.entities:
            name, label, anchor, properties, extra = entity
            build.mention(label, [anchor], properties, id=name, extra=extra)
        if layer == RELATIONS:
            (self._listed_relations if listed else self._relations)(where, value, build)
        elif layer == EVENTS:
            (self._listed_events if listed else self._events)(where, value, build)
        if not self.whole:
            return None
        used = {*IDENTITIES, "tokens", "graph", *FIELDS.values()}
        rest = {key: own for key, own in self.fields.items() if key not in used}
        extra_ = {OWN: rest} if rest else {}
        return self.words.graph(build, self.line, layer, extra_, self.document)

    def _anchor(self, where: str, start: int, end: int) -> Anchor | None:
        """The characters of a range of tokens; ``None``, and a problem, if none."""
        if self.line.within(where, (start, end), len(self.words.tokens)):
            return self.words.anchor(start, end)
        return None

    # What is annotated.

    def _mentions(self, where: str, value: Any) -> Iterator[_Entity]:
        for path, raw, mention in self.line.each(where, value, _Mention):
            if mention.id in self.places:
                self.line.add(f"{path}.id", shown(mention.id), "an id of its own")
                continue
            anchor = self.places[mention.id] = self._anchor_with_text(
                path, raw, mention
            )
            if anchor is not None:
                properties = pairs_of(mention, _SAID[NER])
                extra = _own_fields(rest_of(raw, _Mention))
                label = mention.entity_type
                yield _Entity(mention.id, label, anchor, properties, extra)

    def _relations(self, where: str, value: Any, build: LayoutBuilder) -> None:
        for path, raw, relation in self.line.each(where, value, _Relation):
            arguments = self._arguments(path, raw, relation.arguments)
            name, extra = _name(relation, raw, build)
            properties = pairs_of(relation, _SAID[RELATIONS])
            label = relation.relation_type
            build.relation(label, arguments, properties, id=name, extra=extra)

    def _events(self, where: str, value: Any, build: LayoutBuilder) -> None:
        for path, raw, event in self.line.each(where, value, _Event):
            arguments = self._arguments(path, raw, event.arguments)
            trigger = raw["trigger"]
            anchor = self._anchor_with_text(f"{path}.trigger", trigger, event.trigger)
            name, extra = _name(event, raw, build)
            if rest := rest_of(trigger, _Range):
                extra = (*extra, ("trigger", rest))
            properties = pairs_of(event, _SAID[EVENTS])
            anchors = [anchor] if anchor else []
            label = event.event_type
            build.trigger(label, anchors, arguments, properties, id=name, extra=extra)

    def _anchor_with_text(
        self, where: str, raw: dict[str, Any], ends: _Range | _Mention
    ) -> Anchor | None:
        """The characters of a range of tokens; a note where it says other words.

        Tokens may be spelled otherwise than the text, so that it costs nothing.
        """
        anchor = self._anchor(where, ends.start, ends.end)
        if anchor is not None:
            self._compare(where, raw, anchor)
        return anchor

    def _compare(
        self, where: str, raw: dict[str, Any], anchor: Anchor, part: bool = False
    ) -> None:
        """Note other words than those of a range, or than a part of these."""
        own, covered = raw.get(TEXT), self.words.text[slice(*anchor)]
        if not isinstance(own, str) or not own or same_words(own, covered):
            return
        if not part or "".join(own.split()) not in "".join(covered.split()):
            expected = f"{quote_beginning(covered)}, the tokens of its range"
            self.line.add(f"{where}.{TEXT}", quote_beginning(own), expected)
            self.line.pass_over("other words than the tokens of a mention")

    def _arguments(
        self, where: str, raw: dict[str, Any], roles: list[_Role]
    ) -> list[Argument]:
        """The arguments of a relation or an event that can be found."""
        arguments: list[Argument] = []
        for number, role in enumerate(roles):
            path, own = f"{where}.arguments[{number}]", raw["arguments"][number]
            what = "the id of an entity mention"
            if not self.whole or self.line.known(
                f"{path}.entity_id", role.entity_id, self.places, what
            ):
                if anchor := self.places.get(role.entity_id):
                    self._compare(path, own, anchor, part=True)
                properties = pairs_of(role)
                extra = _own_fields(rest_of(own, _Role))
                arguments.append(Argument(role.role, role.entity_id, properties, extra))
        return arguments

    # What is predicted.

    def _listed_mentions(self, where: str, value: Any) -> Iterator[_Entity]:
        shape = "[start, end, type, mention type, score]"
        for path, raw in self.line.elements(where, value):
            typed = isinstance(raw, list) and isinstance([*raw[3:], None][0], str)
            kind: type[_Listed | _ListedTyped] = _ListedTyped if typed else _Listed
            item = self.line.typed(path, raw, kind, shape)
            if item and (anchor := self._anchor(path, item.first, item.second)):
                properties = pairs_of(
                    item, {"mention_type": "mention_type", SCORE: SCORE}
                )
                yield _Entity(None, item.label, anchor, properties, ())

    def _listed_relations(self, where: str, value: Any, build: LayoutBuilder) -> None:
        shape = "[number of an entity, number of an entity, type, score]"
        for path, _, item in self.line.each(where, value, _Listed, shape):
            ends = [item.first, item.second]
            if all([self._is_entity(path, end) for end in ends]):
                pairs = zip(ROLES, ends, strict=True)
                properties = pairs_of(item)
                build.relation(
                    item.label, [Argument(*pair) for pair in pairs], properties
                )

    def _listed_events(self, where: str, value: Any, build: LayoutBuilder) -> None:
        shape = "[start, end, type, score]"
        triggers: list[tuple[_Listed, Anchor | None, list[Argument]]] = []
        for path, _, item in self.line.each(where, value, _Listed, shape):
            anchor = self._anchor(path, item.first, item.second)
            triggers.append((item, anchor, []))
        shape = "[number of a trigger, number of an entity, role, score]"
        roles = self.fields["graph"].get("roles", [])
        for path, _, item in self.line.each("$.graph.roles", roles, _Listed, shape):
            numbers = range(len(triggers))
            known = self.line.known(
                path, item.first, numbers, "the number of a trigger"
            )
            if self._is_entity(path, item.second) and known:
                properties = pairs_of(item)
                argument = Argument(item.label, item.second, properties)
                triggers[item.first][2].append(argument)
        for item, anchor, arguments in triggers:
            properties = pairs_of(item)
            build.trigger(item.label, [anchor] if anchor else [], arguments, properties)

    def _is_entity(self, where: str, number: int) -> bool:
        numbers, what = range(len(self.entities)), "the number of an entity"
        return not self.whole or self.line.known(where, number, numbers, what)


def _own_fields(rest: dict[str, Any]) -> Extra:
    return ((OWN, rest),) if rest else ()


def _name(
    item: _Relation | _Event, raw: dict[str, Any], build: LayoutBuilder
) -> tuple[NodeId | None, Extra]:
    """Return the id of a relation or event, and its further fields.

    Nothing refers to it: where another node has the same id, it gets a number
    and its id is kept beside.
    """
    if item.id is None or item.id not in build:
        return item.id, _own_fields(rest_of(raw, type(item)))
    own = {*item.__struct_encode_fields__} - {"id"}
    return None, _own_fields(
        {key: value for key, value in raw.items() if key not in own}
    )


def read(stream: BinaryIO, name: str, item: str = SENTENCE) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected()
        else:
            yield from _Sentence(line, value, item).records()


def read_wikievents(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read documents of WikiEvents, which have no sentences of their own."""
    yield from read(stream, name, DOCUMENT)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one sentence to a line.

    Args:
        graphs: of the frameworks ``ner``, ``relation`` and ``event``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, (*FIELDS,), "OneIE", _fields, _same_sentence)


def write_wikievents(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line; see :func:`write`."""
    fields = partial(_fields, item=DOCUMENT)
    yield from json_lines(graphs, (*FIELDS,), "WikiEvents", fields, _same_sentence)


def _same_sentence(left: Graph, right: Graph) -> bool:
    """Return whether both are layers of a sentence."""
    return same_item(left, right) and (
        nodes_of(left, MENTION) == nodes_of(right, MENTION)
    )


def _fields(graph: Graph, layers: Layers, item: str = SENTENCE) -> dict[str, Any]:
    """The JSON object of a sentence."""
    spans = TokenSpans(graph)
    fields = kept_fields(graph.extra, OWN)
    if graph.document:
        fields[DOCUMENT] = graph.document
    fields |= {item: graph.id, "tokens": spans.forms}
    if NER not in layers and (mentions := nodes_of(graph, MENTION)):
        fields[FIELDS[NER]] = [_node(node, NER, spans) for node in mentions]
    for layer, key in FIELDS.items():
        if layer in layers:
            fields[key] = _layer(layers[layer], spans)
    return fields


def _layer(graph: Graph, spans: TokenSpans) -> list[dict[str, Any]]:
    kind = _KINDS[graph.framework]
    layer = Layer(graph)
    written: list[dict[str, Any]] = []
    for node in layer.of(kind):
        fields = _node(node, graph.framework, spans)
        if kind != MENTION:
            fields["arguments"] = [_argument(edge) for edge in layer.edges(node.id)]
        written.append(fields)
    return written


def _node(node: Node, layer: str, spans: TokenSpans) -> dict[str, Any]:
    """A mention, relation or event, which may have an id that another one has, too."""
    fields: dict[str, Any] = {"id": node.id}
    if layer != RELATIONS:
        first, last = spans.of(node)
        ends = {"start": first, "end": last + 1}
        trigger = {"trigger": kept_fields(node.extra, "trigger") | ends}
        fields |= ends if layer == NER else trigger
    key = {NER: "entity_type", RELATIONS: "relation_type", EVENTS: "event_type"}[layer]
    fields[key] = node.label
    fields |= _renamed_fields(tuple(own_of(node).items()), _SAID[layer])
    rest = kept_fields(node.extra, OWN)
    own = {} if layer == NER else {k: v for k, v in rest.items() if k == "id"}
    return {**rest, **fields, **own}


def _argument(edge: Edge) -> dict[str, Any]:
    fields = {"entity_id": edge.target, "role": edge.label}
    return {
        **kept_fields(edge.extra, OWN),
        **fields,
        **_renamed_fields(edge.attributes, NUMBERS),
    }


def _renamed_fields(pairs: Pairs, names: dict[str, str]) -> dict[str, Any]:
    """Properties as fields."""
    fields = {name: field for field, name in names.items()}
    return {fields[name]: value for name, value in pairs if name in fields}
