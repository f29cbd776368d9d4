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
``event``.

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
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar

from graphscore.folding import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, further, objects, stated
from graphscore.formats.shared.span_fields import TEXT, alike, quoted
from graphscore.formats.shared.token_text import Words
from graphscore.model.graph import Anchor, Graph, NodeId, Pairs, Value
from graphscore.structures.layout import (
    EVENTS,
    NER,
    PROBABILITY,
    RELATIONS,
    SCORE,
    Argument,
    Extra,
    LayoutBuilder,
)

FIELDS = {
    NER: "entity_mentions",
    RELATIONS: "relation_mentions",
    EVENTS: "event_mentions",
}
"""The key of each layer in annotated data."""

OWN = "oneie"
"""Where ``extra`` keeps the further fields of a sentence, mention or argument."""

TYPED = {
    NER: (
        "entity_type",
        (("mention_type", "mention_type"), ("entity_subtype", "subtype")),
    ),
    RELATIONS: ("relation_type", (("relation_subtype", "subtype"),)),
    EVENTS: ("event_type", (("event_subtype", "subtype"),)),
}
"""The field with the type, and what becomes a property under which name."""

NUMBERS = (SCORE, PROBABILITY)

LISTS = {NER: "entities", RELATIONS: "relations", EVENTS: "triggers"}
"""The key of each layer."""

ROLES = ("Arg-1", "Arg-2")
"""Roles of relations, which tell their arguments by order; annotated data says so."""


class Sentence(ABC):
    """A sentence and what is wrong with it.

    Args:
        line: its line.
        fields: its JSON object.

    Class attributes:
        keys: the key of each layer.
        where: the place of the object that has them.
    """

    keys: ClassVar[dict[str, str]]
    where: ClassVar[str]

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line, self.fields = line, fields
        line.item = line.identity(fields, "sent_id", "the id of the sentence")
        self.document = ""
        if fields.get("doc_id") is not None:
            self.document = line.identity(fields, "doc_id", "the id of the document")
        forms = line.strings("$.tokens", fields.get("tokens"))
        self.words = Words(forms)
        self.entities: list[tuple[NodeId | None, Any, Anchor, Pairs, Extra]] = []
        self.whole = True
        """Whether all entities could be read; a reference to one that could not would
        only repeat the problem."""

    @abstractmethod
    def source(self) -> dict[str, Any]:
        """The object that has the layers; empty, and a problem, if it is none."""

    @abstractmethod
    def add_entities(self, where: str, value: Any) -> None:
        """Read the entities, which come first.

        Args:
            where: the place of the layer's value.
            value: what stands there.
        """

    @abstractmethod
    def add_relations(self, where: str, value: Any, build: LayoutBuilder) -> None:
        """Read the relations.

        Args:
            where: the place of the layer's value.
            value: what stands there.
            build: where they go; the entities are there.
        """

    @abstractmethod
    def add_events(self, where: str, value: Any, build: LayoutBuilder) -> None:
        """Read the events.

        Args:
            where: the place of the layer's value.
            value: what stands there.
            build: where they go; the entities are there.
        """

    def records(self) -> Iterator[Record]:
        """The graphs of the layers whose keys are there."""
        source = self.source()
        yield from self.line.keyed_layers(self.where, source, self.keys, self._graph)

    def characters(self, where: str, start: Any, end: Any) -> Anchor | None:
        """The characters of a range of tokens; ``None``, and a problem, if none.

        Args:
            where: its place.
            start: its first token, from 0.
            end: the token after its last.
        """
        if type(start) is not int or type(end) is not int:
            found = f"{shown(start)} and {shown(end)}"
            self.line.add(where, found, "start and end as numbers of tokens")
        elif not 0 <= start < end <= len(self.words.tokens):
            expected = f"a range within the {len(self.words.tokens)} tokens"
            self.line.add(where, f"tokens {shown(start)}:{shown(end)}", expected)
        else:
            return self.words.anchor(start, end)
        return None

    def _graph(self, layer: str, where: str, value: Any) -> Graph | None:
        if layer == NER:
            self.add_entities(where, value)
            self.whole = not self.line.problems
        build = LayoutBuilder()
        for name, label, anchor, more, extra in self.entities:
            # A repeated id is a problem already.
            name = None if name in build else name
            build.mention(label, [anchor], more, id=name, extra=extra)
        if layer == RELATIONS:
            self.add_relations(where, value, build)
        elif layer == EVENTS:
            self.add_events(where, value, build)
        if not self.whole:
            return None
        used = {"sent_id", "doc_id", "tokens", "graph", *FIELDS.values()}
        own = further(self.fields, used, OWN)
        return self.words.graph(build, self.line, layer, own, self.document)


class Annotated(Sentence):
    """Annotated data: objects that refer to each other by ids."""

    keys = FIELDS
    where = "$"

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        super().__init__(line, fields)
        self.known: set[NodeId] = set()
        self.places: dict[NodeId, Anchor] = {}

    def source(self) -> dict[str, Any]:
        """The sentence itself."""
        return self.fields

    def add_entities(self, where: str, value: Any) -> None:
        """The entity mentions."""
        for place, each in self.line.objects(where, value):
            name = self._id(place, each)
            if name in self.known:
                self.line.add(f"{place}.id", shown(name), "an id of its own")
            elif name is not None:
                self.known.add(name)
            anchor = self._witnessed(place, each)
            label, more = self._typed(place, each, NER)
            if anchor is not None:
                if name is not None:
                    self.places.setdefault(name, anchor)
                extra = _own(each, NER, "id", "start", "end")
                self.entities.append((name, label, anchor, more, extra))

    def add_relations(self, where: str, value: Any, build: LayoutBuilder) -> None:
        """The relations."""
        for place, each in self.line.objects(where, value):
            label, more = self._typed(place, each, RELATIONS)
            arguments = self._arguments(place, each)
            name, extra = self._name(place, each, build, RELATIONS, "id", "arguments")
            build.relation(label, arguments, more, id=name, extra=extra)

    def add_events(self, where: str, value: Any, build: LayoutBuilder) -> None:
        """The events."""
        for place, each in self.line.objects(where, value):
            label, more = self._typed(place, each, EVENTS)
            arguments = self._arguments(place, each)
            anchors: list[Anchor] = []
            trigger = each.get("trigger")
            if isinstance(trigger, dict):
                if anchor := self._witnessed(f"{place}.trigger", trigger):
                    anchors.append(anchor)
                rest = {k: v for k, v in trigger.items() if k not in ("start", "end")}
            else:
                found = stated(each, "trigger")
                self.line.add(f"{place}.trigger", found, "an object")
                rest = {}
            known = ("id", "trigger", "arguments")
            name, extra = self._name(place, each, build, EVENTS, *known)
            if rest:
                extra = (*extra, ("trigger", rest))
            build.trigger(label, anchors, arguments, more, id=name, extra=extra)

    def _witnessed(self, where: str, fields: dict[str, Any]) -> Anchor | None:
        """The characters of a range of tokens; a note where it says other words.

        Tokens may be spelled otherwise than the text, so that it costs nothing.
        """
        anchor = self.characters(where, fields.get("start"), fields.get("end"))
        if anchor is not None:
            self._compare_words(where, fields, anchor)
        return anchor

    def _compare_words(self, where: str, fields: dict[str, Any], at: Anchor) -> None:
        """Note other words than those of a range."""
        own, there = fields.get(TEXT), self.words.text[at.start : at.end]
        if isinstance(own, str) and own and not alike(own, there):
            expected = f"{quoted(there)}, the tokens of its range"
            self.line.add(f"{where}.{TEXT}", quoted(own), expected)
            self.line.pass_over("other words than the tokens of a mention")

    def _compare_argument(self, where: str, each: dict[str, Any], of: NodeId) -> None:
        """Note an argument whose words are no part of those of its mention."""
        own, at = each.get(TEXT), self.places.get(of)
        there = self.words.text[at.start : at.end] if at else ""
        if (
            isinstance(own, str)
            and at
            and "".join(own.split()) not in "".join(there.split())
        ):
            self._compare_words(where, each, at)

    def _arguments(self, where: str, fields: dict[str, Any]) -> list[Argument]:
        """The arguments of a relation or an event that can be found."""
        found: list[Argument] = []
        given = fields.get("arguments")
        for place, each in self.line.objects(f"{where}.arguments", given):
            filler = each.get("entity_id")
            role = self.line.required(place, each, "role")
            numbers = self._numbers(place, each)
            if isinstance(filler, str | int) and filler in self.known:
                self._compare_argument(place, each, filler)
                extra = _own(each, "", "entity_id", "role")
                found.append(Argument(role, filler, numbers, extra))
            elif self.whole or "entity_id" not in each:
                said = stated(each, "entity_id")
                self.line.add(f"{place}.entity_id", said, "the id of an entity mention")
        return found

    def _id(self, where: str, fields: dict[str, Any]) -> NodeId | None:
        name = fields.get("id")
        if isinstance(name, str | int) and not isinstance(name, bool):
            return name
        self.line.add(f"{where}.id", stated(fields, "id"), "an id")
        return None

    def _name(
        self,
        where: str,
        fields: dict[str, Any],
        build: LayoutBuilder,
        layer: str,
        *known: str,
    ) -> tuple[NodeId | None, Extra]:
        """What a relation or event is called, and its further fields.

        Nothing refers to it: where another node has the same id, it gets a number
        and its id is kept beside.
        """
        name = None if fields.get("id") is None else self._id(where, fields)
        if name is not None and name in build:
            known = tuple(key for key in known if key != "id")
            name = None
        return name, _own(fields, layer, *known)

    def _typed(
        self, where: str, fields: dict[str, Any], layer: str
    ) -> tuple[str, Pairs]:
        """The type of a mention, relation or event, and its properties."""
        key, others = TYPED[layer]
        label = self.line.required(where, fields, key)
        more = [
            (name, self.line.required(where, fields, other))
            for other, name in others
            if fields.get(other) is not None
        ]
        return label, (*more, *self._numbers(where, fields))

    def _numbers(self, where: str, fields: dict[str, Any]) -> Pairs:
        found: list[tuple[str, Value]] = []
        for key in NUMBERS:
            value = fields.get(key)
            if type(value) in (int, float):
                found.append((key, value))
            elif value is not None:
                self.line.add(f"{where}.{key}", shown(value), "a number")
        return tuple(found)


def _own(fields: dict[str, Any], layer: str, *known: str) -> Extra:
    """The further fields of an object, as ``extra``."""
    used = {*known, *NUMBERS}
    if layer:
        key, others = TYPED[layer]
        used |= {key, *(other for other, _ in others)}
    rest = {key: value for key, value in fields.items() if key not in used}
    return ((OWN, rest),) if rest else ()


class Predicted(Sentence):
    """A sentence with what the system found in it."""

    keys = LISTS
    where = "$.graph"

    def source(self) -> dict[str, Any]:
        """The lists."""
        source = self.fields["graph"]
        annotated = [key for key in FIELDS.values() if key in self.fields]
        if annotated:
            found = f"graph beside {', '.join(annotated)}"
            self.line.add("$", found, "what is predicted or what is annotated")
        return self.line.object(self.where, source)

    def add_entities(self, where: str, value: Any) -> None:
        """The entity mentions."""
        shape = "[start, end, type, mention type, score]"
        for place, each in self.line.elements(where, value):
            plain = isinstance(each, list) and 3 <= len(each) <= 5
            second = each[3] if plain and len(each) > 3 else None
            if plain and isinstance(second, str):
                each = [*each[:3], *each[4:]]
            found = self._listed(place, each, shape)
            if not found:
                continue
            (start, end), label, more = found
            anchor = self.characters(place, start, end)
            if isinstance(second, str):
                more = (("mention_type", second), *more)
            if anchor is not None:
                self.entities.append((None, label, anchor, more, ()))

    def add_relations(self, where: str, value: Any, build: LayoutBuilder) -> None:
        """The relations."""
        shape = "[number of an entity, number of an entity, type, score]"
        for place, each in self.line.elements(where, value):
            if found := self._listed(place, each, shape):
                ends, label, more = found
                if all([self._is_entity(place, end) for end in ends]):
                    pairs = zip(ROLES, ends, strict=True)
                    build.relation(label, [Argument(*pair) for pair in pairs], more)

    def add_events(self, where: str, value: Any, build: LayoutBuilder) -> None:
        """The events."""
        triggers: list[tuple[Anchor | None, str, Pairs, list[Argument]]] = []
        for place, each in self.line.elements(where, value):
            if found := self._listed(place, each, "[start, end, type, score]"):
                anchor = self.characters(place, *found[0])
                triggers.append((anchor, found[1], found[2], []))
        shape = "[number of a trigger, number of an entity, role, score]"
        roles = self.source().get("roles", [])
        for place, each in self.line.elements("$.graph.roles", roles):
            if found := self._listed(place, each, shape):
                (event, filler), role, more = found
                there = 0 <= event < len(triggers)
                if not there:
                    self.line.add(place, shown(event), "the number of a trigger")
                if self._is_entity(place, filler) and there:
                    triggers[event][3].append(Argument(role, filler, more))
        for anchor, label, more, arguments in triggers:
            build.trigger(label, [anchor] if anchor else [], arguments, more)

    def _listed(
        self, where: str, value: Any, shape: str
    ) -> tuple[tuple[int, int], str, Pairs] | None:
        """Two whole numbers, a label, and a score if there is one."""
        if isinstance(value, list) and 3 <= len(value) <= 4:
            first, second, label = value[:3]
            plain = type(first) is type(second) is int and isinstance(label, str)
            if plain and all(type(each) in (int, float) for each in value[3:]):
                return (first, second), label, tuple((SCORE, n) for n in value[3:])
        self.line.add(where, shown(value), shape)
        return None

    def _is_entity(self, where: str, number: int) -> bool:
        if 0 <= number < len(self.entities):
            return True
        if self.whole:
            self.line.add(where, shown(number), "the number of an entity")
        return False


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected()
        else:
            form = Predicted if "graph" in value else Annotated
            yield from form(line, value).records()
