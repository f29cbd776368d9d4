r"""DocRED: documents with entities and relations among them, one array a file.

Yao et al. (2019), *DocRED: A Large-Scale Document-Level Relation Extraction
Dataset*; https://github.com/thunlp/DocRED.  Entities are lists of mentions, with the
sentence and the range of words (the last one excluded); relations name entities by
their positions::

    [{"title": "Skai TV", "sents": [["Skai", "TV", "is", "Greek", "."]],
      "vertexSet": [[{"name": "Skai TV", "sent_id": 0, "pos": [0, 2], "type": "ORG"}],
                    [{"name": "Greek", "sent_id": 0, "pos": [3, 4], "type": "LOC"}]],
      "labels": [{"h": 0, "t": 1, "r": "P17", "evidence": [0]}]}]

What systems put out has relations only, each with its document::

    [{"title": "Skai TV", "h_idx": 0, "t_idx": 1, "r": "P17"}]

There the entities are those of the gold file, so an entity is its position: the
property ``index``, on both sides.  In predictions entities have nothing else.

>>> import io
>>> data = b'[{"title": "Skai TV", "h_idx": 0, "t_idx": 4, "r": "P17"}]'
>>> [record] = read(io.BytesIO(data), "result.json")
>>> [node.properties[1:] for node in record.graph.nodes]
[(('index', 0),), (('index', 4),), ()]
>>> [record] = read(io.BytesIO(data.replace(b"4", b"-4")), "result.json")
>>> print(*record.problems)
result.json:1: $[0].t_idx: found -4, expected the position of an entity
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from graphscore.folding import shown
from graphscore.formats.base import Read, Record
from graphscore.formats.shared.beginnings import first_object
from graphscore.formats.shared.json_files import members
from graphscore.formats.shared.json_lines import JsonLine, further, objects, stated
from graphscore.formats.shared.json_values import begun
from graphscore.formats.shared.records import Draft
from graphscore.formats.shared.span_fields import alike, quoted
from graphscore.formats.shared.token_text import Words
from graphscore.model.graph import Graph, NodeId, Pairs
from graphscore.structures.layout import (
    COREF,
    PROBABILITY,
    RELATIONS,
    SCORE,
    Argument,
    LayoutBuilder,
)

FRAMEWORKS = (RELATIONS, COREF)
"""The layers of a document."""

_KEYS = frozenset({"vertexSet", "sents", "h_idx", "t_idx"})
"""Keys of documents and of predicted relations that no other format has."""

TITLE, SENTENCES, ENTITIES, LABELS = "title", "sents", "vertexSet", "labels"

HEAD, TAIL = "h", "t"
"""The roles of a relation; in predictions, the keys end in ``_idx``."""

INDEX = "index"
"""The property of an entity that identifies it: its position in ``vertexSet``."""

NAME = "name"
"""The property of a mention that is called otherwise than its words."""

EVIDENCE = "evidence"
"""The property of a relation with the number of a sentence that supports it."""

_LOOKED_AT = 2000
"""So many lines are looked at to tell an array from objects of their own."""

SAID, OWN = "predicted", "docred"
"""In ``extra``: that a graph was predicted, and further fields."""

MORE = "fields"
"""Where ``extra`` of a mention keeps its further fields."""

_POSITION = "the position of an entity"

Span = tuple[int, int]


_BEGINS = re.compile(
    rb'\{\s*+"(?:title|sents|vertexSet|labels|na_triple|h_idx|t_idx)"\s*+:'
)


class Document:
    """A document of the data.

    Args:
        line: its record.
        where: its place in the file.
        fields: its JSON object.
    """

    def __init__(self, line: JsonLine, where: str, fields: dict[str, Any]) -> None:
        self.line, self.where, self.fields = line, where, fields
        self.words = Words([])
        self.entities: list[list[tuple[str | None, Span, Pairs, Any]]] = []

    def records(self) -> Iterator[Record]:
        """The entities, and the relations if there are any."""
        line, where = self.line, self.where
        line.item = title_of(line, where, self.fields)
        place = f"{where}.{SENTENCES}"
        self.words = Words.of(line, place, self.fields.get(SENTENCES))
        # Without the words, every mention would only repeat the problem.
        if not line.problems:
            place = f"{where}.{ENTITIES}"
            for each, entity in line.elements(place, self.fields.get(ENTITIES)):
                mentions = line.elements(each, entity)
                read = [self._mention(at, mention) for at, mention in mentions]
                self.entities.append([m for m in read if m is not None])
        if line.problems:
            yield line.rejected()
            return
        coref = self._graph(COREF, self._builder()[0])
        if LABELS in self.fields:
            build, known = self._builder()
            self._relations(build, known)
            yield line.record(self._graph(RELATIONS, build), RELATIONS)
        yield Read(line.line, coref, notes=tuple(line.notes))

    def _mention(
        self, where: str, value: Any
    ) -> tuple[str | None, Span, Pairs, Any] | None:
        """A mention: its type, its words, its name if that is another, and the rest."""
        fields = value if isinstance(value, dict) else {}
        sentence, place = fields.get("sent_id"), fields.get("pos")
        kind, name = fields.get("type"), fields.get(NAME)
        sizes = self.words.sizes
        known = type(sentence) is int and 0 <= sentence < len(sizes)
        if not isinstance(value, dict):
            self.line.add(where, shown(value), "an object with sent_id and pos")
        elif not isinstance(kind, str | None) or not isinstance(name, str | None):
            self.line.add(where, "a type or name that is none", "strings")
        elif type(sentence) is not int or not known:
            expected = f"the number of a sentence, below {len(sizes)}"
            self.line.add(f"{where}.sent_id", shown(sentence), expected)
        else:
            start, size = self.words.starts[sentence], sizes[sentence]
            plain = isinstance(place, list) and len(place) == 2
            ends: list[Any] = place if isinstance(place, list) and plain else [None]
            whole = all(type(end) is int for end in ends)
            if not whole or not 0 <= ends[0] < ends[1] <= size:
                expected = f"a range within the {size} tokens of the sentence"
                self.line.add(f"{where}.pos", shown(place), expected)
                return None
            span = start + ends[0], start + ends[1]
            first, last = self.words.anchor(*span)
            there = self.words.text[first:last]
            other = name is not None and name != there
            if name and not alike(name.casefold(), there.casefold()):
                expected = f"{quoted(there)}, the tokens of its range"
                self.line.add(f"{where}.{NAME}", quoted(name), expected)
                self.line.pass_over("other words than the tokens of a mention")
            used = {"sent_id", "pos", "type", NAME}
            more = {k: v for k, v in fields.items() if k not in used}
            return kind, span, ((NAME, name),) if other else (), more
        return None

    def _builder(self) -> tuple[LayoutBuilder, list[NodeId]]:
        """A graph with mentions and entities, and what the entities are called."""
        build = LayoutBuilder()
        mentions = [
            [
                build.mention(
                    kind,
                    [self.words.anchor(*span)],
                    properties,
                    extra=((MORE, more),) if more else (),
                )
                for kind, span, properties, more in entity
            ]
            for entity in self.entities
        ]
        known: list[NodeId] = []
        for index, entity in enumerate(self.entities):
            kinds = {kind for kind, *_ in entity}
            label = kinds.pop() if len(kinds) == 1 else None
            known.append(build.entity(mentions[index], label, ((INDEX, index),)))
        return build, known

    def _relations(self, build: LayoutBuilder, known: list[NodeId]) -> None:
        place = f"{self.where}.{LABELS}"
        for where, each in self.line.elements(place, self.fields[LABELS]):
            read = relation(self.line, where, each, (HEAD, TAIL), len(known))
            if read is not None:
                ends, label, properties = read
                roles = zip((HEAD, TAIL), ends, strict=True)
                slots = [Argument(role, known[end]) for role, end in roles]
                build.relation(label, slots, properties)

    def _graph(self, layer: str, build: LayoutBuilder) -> Graph:
        used = {TITLE, SENTENCES, ENTITIES, LABELS}
        extra = {SENTENCES: self.words.sizes, **further(self.fields, used, OWN)}
        return self.words.graph(build, self.line, layer, extra)


class Predictions:
    """The relations predicted for one document.

    Args:
        first: the record of the first.
        title: the document.
    """

    def __init__(self, first: JsonLine, title: str) -> None:
        self.draft = Draft(first.name, first.line, framework=RELATIONS, item=title)
        self.found: list[tuple[list[int], str, Pairs]] = []

    def add(self, line: JsonLine, where: str, value: dict[str, Any]) -> None:
        """Read one more.

        Args:
            line: its record.
            where: its place in the file.
            value: its JSON object.
        """
        read = relation(line, where, value, (HEAD + "_idx", TAIL + "_idx"), None)
        if read is not None:
            self.found.append(read)
        if line.problems:
            self.draft.absorb(line, b"\n")

    def record(self) -> Record:
        """The graph, whose entities are nothing but positions."""
        build = LayoutBuilder()
        known: dict[int, NodeId] = {}
        for index in sorted({end for ends, *_ in self.found for end in ends}):
            known[index] = build.entity([], None, ((INDEX, index),))
        for ends, label, properties in self.found:
            roles = zip((HEAD, TAIL), ends, strict=True)
            slots = [Argument(role, known[end]) for role, end in roles]
            build.relation(label, slots, properties)
        title = self.draft.item
        graph = build.graph(title, RELATIONS, document=title, extra={SAID: True})
        return self.draft.record(graph)


def title_of(line: JsonLine, where: str, fields: dict[str, Any]) -> str:
    """The title of a document; empty, and a problem, where there is none.

    Args:
        line: its record.
        where: its place in the file.
        fields: its JSON object.
    """
    title = line.identity(fields, TITLE, "the title of a document")
    line.problems = [p._replace(where=f"{where}.{TITLE}") for p in line.problems]
    return title


def relation(
    line: JsonLine, where: str, value: Any, keys: tuple[str, str], size: int | None
) -> tuple[list[int], str, Pairs] | None:
    """A relation: its entities, its type, and score and evidence as properties.

    Args:
        line: its record, which gets a problem if it is none.
        where: its place.
        value: its JSON value.
        keys: those of its entities.
        size: how many entities there are, if that is known.
    """
    if not isinstance(value, dict):
        line.add(where, shown(value), "an object with a relation")
        return None
    before = len(line.problems)
    ends: list[int] = []
    for key in keys:
        end = value.get(key)
        if type(end) is int and 0 <= end < (10**9 if size is None else size):
            ends.append(end)
        else:
            expected = _POSITION if size is None else f"{_POSITION}, below {size}"
            line.add(f"{where}.{key}", stated(value, key), expected)
    label = line.required(where, value, "r", "the type of a relation")
    properties: list[tuple[str, Any]] = []
    for key in (SCORE, PROBABILITY):
        if key in value:
            properties.append((key, value[key]))
            if type(value[key]) not in (int, float):
                line.add(f"{where}.{key}", shown(value[key]), "a number")
    if EVIDENCE in value:
        for place, each in line.elements(f"{where}.{EVIDENCE}", value[EVIDENCE]):
            properties.append((EVIDENCE, each))
            if type(each) is not int:
                line.add(place, shown(each), "the number of a sentence")
    if len(line.problems) > before:
        return None
    return ends, label, tuple(properties)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    predicted: dict[str, Predictions] = {}
    begin, whole = begun(stream, _LOOKED_AT)
    first = first_object(begin)
    every = members(whole, name, _BEGINS)
    if first is not None and not first.array and _KEYS & first.fields.keys():
        # A document or relation to a line.
        lines = enumerate(objects(whole, name))
        every = ((line, str(number), value) for number, (line, value) in lines)
    for line, key, value in every:
        if not isinstance(value, dict):
            if not line.problems:
                line.add(f"$[{key}]", shown(value), "a document or a relation")
            yield line.rejected()
        elif "h_idx" not in value and "t_idx" not in value:
            yield from Document(line, f"$[{key}]", value).records()
        else:
            title = title_of(line, f"$[{key}]", value)
            found = predicted.setdefault(title, Predictions(line, title))
            found.add(line, f"$[{key}]", value)
    # Only now is it known that no further relation of a document follows.
    for each in predicted.values():
        yield each.record()
