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
>>> [record] = read(io.BytesIO(data), "result.json")
>>> print(b"".join(write([record.graph])).decode(), end="")
[{"title":"Skai TV","h_idx":0,"t_idx":4,"r":"P17"}]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.recognition import first_object
from graphscore.formats.shared.json_files import members
from graphscore.formats.shared.json_lines import (
    JsonLine,
    further,
    objects,
    pairs_of,
    rest_of,
)
from graphscore.formats.shared.json_values import begun
from graphscore.formats.shared.layers import Layer, kept_fields, own_of
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.shared.span_fields import quote_beginning, same_words
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.writing import (
    Layers,
    encode,
    gold_or_predicted,
    join_layers,
    json_array,
    naming,
    same_item,
)
from graphscore.model.graph import Anchor, Graph, Node, NodeId, Pairs
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    PROBABILITY,
    RELATION,
    RELATIONS,
    SCORE,
    Argument,
    Extra,
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
"""Number of lines inspected to tell an array from single objects."""

SAID, OWN = "predicted", "docred"
"""In ``extra``: that a graph was predicted, and further fields."""

MORE = "fields"
"""Key of a mention's ``extra`` that holds its further fields."""

_BEGINS = re.compile(
    rb'\{\s*+"(?:title|sents|vertexSet|labels|na_triple|h_idx|t_idx)"\s*+:'
)


_ANY = 10**9
"""Number of entities where it is not known."""


class _Mention(Struct):
    expected: ClassVar = {"sent_id": "the number of a sentence"}
    sent_id: int
    pos: tuple[int, int]
    type: str | None = None
    name: str | None = None


class _Relation(Struct, kw_only=True):
    expected: ClassVar = {
        "r": "the type of a relation",
        **dict.fromkeys(("h", "t", "h_idx", "t_idx"), "the position of an entity"),
    }
    r: str
    score: int | float | UnsetType = UNSET
    probability: int | float | UnsetType = UNSET
    evidence: list[int] = []

    def properties(self) -> Pairs:
        """Score, probability and evidence, as far as they are there."""
        evidence = [(EVIDENCE, sentence) for sentence in self.evidence]
        return (*pairs_of(self), *evidence)


class _Label(_Relation, kw_only=True):
    h: int
    t: int


class _Predicted(_Relation, kw_only=True):
    h_idx: int
    t_idx: int


class _Placed(NamedTuple):
    """A mention of the text: its type, place, other name and further fields."""

    type: str | None
    anchor: Anchor
    properties: Pairs
    extra: Extra


class _Document:
    """A document of the data on its way to graphs."""

    def __init__(self, line: JsonLine, where: str, fields: dict[str, Any]) -> None:
        self.line, self.where, self.fields = line, where, fields
        self.words = Words([])
        self.entities: list[list[_Placed]] = []

    def records(self) -> Iterator[Record]:
        """The entities, and the relations if there are any."""
        line, where = self.line, self.where
        line.item = _title(line, where, self.fields)
        path = f"{where}.{SENTENCES}"
        self.words = Words.of(line, path, self.fields.get(SENTENCES))
        # Without the words, every mention would only repeat the problem.
        if not line.problems:
            path = f"{where}.{ENTITIES}"
            for at, entity in line.elements(path, self.fields.get(ENTITIES)):
                self.entities.append(list(self._mentions(at, entity)))
        if line.problems:
            yield line.rejected()
            return
        coref = self._graph(COREF, self._builder()[0])
        if LABELS in self.fields:
            build, known = self._builder()
            path = f"{where}.{LABELS}"
            for at, _, label in line.each(path, self.fields[LABELS], _Label):
                ends = {HEAD: label.h, TAIL: label.t}
                if _are_entities(line, at, ends, len(known)):
                    _add(build, label, [known[end] for end in ends.values()])
            yield line.record(self._graph(RELATIONS, build), RELATIONS)
        yield ReadGraph(line.line, coref, notes=tuple(line.notes))

    def _mentions(self, where: str, value: Any) -> Iterator[_Placed]:
        sizes = self.words.sizes
        for path, raw, mention in self.line.each(where, value, _Mention):
            number, of = mention.sent_id, " of the sentence"
            numbers, what = range(len(sizes)), "the number of a sentence, below"
            if self.line.known(
                f"{path}.sent_id", number, numbers, f"{what} {len(sizes)}"
            ) and self.line.within(f"{path}.pos", mention.pos, sizes[number], of=of):
                start = self.words.starts[number]
                first, end = mention.pos
                anchor = self.words.anchor(start + first, start + end)
                name, covered = mention.name, self.words.text[slice(*anchor)]
                differs = name not in (None, covered)
                if name and not same_words(name.casefold(), covered.casefold()):
                    expected = f"{quote_beginning(covered)}, the tokens of its range"
                    self.line.add(f"{path}.{NAME}", quote_beginning(name), expected)
                    self.line.pass_over("other words than the tokens of a mention")
                more = rest_of(raw, _Mention)
                yield _Placed(
                    mention.type,
                    anchor,
                    ((NAME, name),) if differs else (),
                    ((MORE, more),) if more else (),
                )

    def _builder(self) -> tuple[LayoutBuilder, list[NodeId]]:
        """A graph with mentions and entities, and what the entities are called."""
        build = LayoutBuilder()
        mentions = [
            [
                build.mention(kind, [anchor], properties, extra=extra)
                for kind, anchor, properties, extra in entity
            ]
            for entity in self.entities
        ]
        node_ids: list[NodeId] = []
        for index, entity in enumerate(self.entities):
            kinds = {mention.type for mention in entity}
            label = kinds.pop() if len(kinds) == 1 else None
            node_ids.append(build.entity(mentions[index], label, ((INDEX, index),)))
        return build, node_ids

    def _graph(self, layer: str, build: LayoutBuilder) -> Graph:
        used = {TITLE, SENTENCES, ENTITIES, LABELS}
        extra = {SENTENCES: self.words.sizes, **further(self.fields, used, OWN)}
        return self.words.graph(build, self.line, layer, extra)


class _Predictions:
    """The relations predicted for one document.

    Args:
        first: the record of the first.
        title: the document.
    """

    def __init__(self, first: JsonLine, title: str) -> None:
        self.draft = RecordBuilder(
            first.name, first.line, framework=RELATIONS, item=title
        )
        self.relations: list[_Predicted] = []

    def add(self, line: JsonLine, where: str, value: dict[str, Any]) -> None:
        """Read one more."""
        item = line.typed(where, value, _Predicted)
        if item is not None:
            _are_entities(line, where, {"h_idx": item.h_idx, "t_idx": item.t_idx})
            self.relations.append(item)
        if line.problems:
            self.draft.absorb(line, b"\n")

    def record(self) -> Record:
        """The graph, whose entities are nothing but positions."""
        title = self.draft.item
        if self.draft.problems:
            return self.draft.rejected()
        build = LayoutBuilder()
        ends = [[item.h_idx, item.t_idx] for item in self.relations]
        known = {
            index: build.entity([], None, ((INDEX, index),))
            for index in sorted({index for pair in ends for index in pair})
        }
        for item, pair in zip(self.relations, ends, strict=True):
            _add(build, item, [known[end] for end in pair])
        graph = build.graph(title, RELATIONS, document=title, extra={SAID: True})
        return self.draft.record(graph)


def _title(line: JsonLine, where: str, fields: dict[str, Any]) -> str:
    """The title of a document; empty, and a problem, where there is none."""
    title = line.identity(fields, TITLE, "the title of a document")
    line.problems = [p._replace(where=f"{where}.{TITLE}") for p in line.problems]
    return title


def _are_entities(
    line: JsonLine, where: str, ends: dict[str, int], size: int = _ANY
) -> bool:
    """Return whether positions are those of entities, whose number may not be known."""
    bad = [key for key, end in ends.items() if not 0 <= end < size]
    below = "" if size == _ANY else f", below {size}"
    for key in bad:
        expected = f"{_Relation.expected[key]}{below}"
        line.add(f"{where}.{key}", shown(ends[key]), expected)
    return not bad


def _add(build: LayoutBuilder, relation: _Relation, ends: Iterable[NodeId]) -> None:
    slots = map(Argument, (HEAD, TAIL), ends)
    build.relation(relation.r, slots, relation.properties())


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    predicted: dict[str, _Predictions] = {}
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
            yield from _Document(line, f"$[{key}]", value).records()
        else:
            title = _title(line, f"$[{key}]", value)
            relations = predicted.setdefault(title, _Predictions(line, title))
            relations.add(line, f"$[{key}]", value)
    # Only now is it known that no further relation of a document follows.
    for relations in predicted.values():
        yield relations.record()


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs; the two layers of a document that follow one another are one.

    Args:
        graphs: of the frameworks ``relation`` and ``coref``; all predicted, or none.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(_pieces(graphs))


def _pieces(graphs: Iterable[Graph]) -> Iterator[bytes]:
    predicted: bool | None = None
    for layers in join_layers(graphs, FRAMEWORKS, "DocRED", _same_document):
        graph = next(iter(layers.values()))
        predicted = gold_or_predicted(graph, SAID, predicted, "DocRED")
        if predicted:
            yield from map(encode, _Layer(graph).predicted())
        else:
            yield encode(_document(graph, layers))


def _same_document(left: Graph, right: Graph) -> bool:
    """Return whether both are layers of a document; predictions stand alone."""
    return not left.extra.get(SAID) and same_item(left, right)


def _document(graph: Graph, layers: Layers) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for layer in FRAMEWORKS:
        if layer in layers:
            with naming(graph):
                of_layer = _Layer(layers[layer]).document()
            if fields and of_layer[ENTITIES] != fields[ENTITIES]:
                # What only one layer says would come back in the other as well.
                found = f"entities that differ between layers in item {graph.id!r}"
                raise InvalidGraphError(found, "the same entities")
            fields = {**of_layer, **fields}
    return fields


class _Layer(Layer):
    """One layer in terms of words and positions."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.places = {node.id: k for k, node in enumerate(self.of(ENTITY))}

    def predicted(self) -> list[dict[str, Any]]:
        """The relations of a document, each by itself."""
        relations = []
        for node in self.of(RELATION):
            fields = self._relation(node)
            ends = {"h_idx": fields.pop(HEAD, None), "t_idx": fields.pop(TAIL, None)}
            relations.append({TITLE: self.graph.id, **ends, **fields})
        return relations

    def document(self) -> dict[str, Any]:
        """A document with its entities, and its relations in that layer."""
        spans = TokenSpans(self.graph, SENTENCES)
        starts = spans.starts()
        fields = kept_fields(self.graph.extra, OWN) | {
            TITLE: self.graph.id,
            SENTENCES: spans.sentences(),
            ENTITIES: [
                [self._mention(node, spans, starts) for node in self.mentions(entity)]
                for entity in self.of(ENTITY)
            ],
        }
        if self.graph.framework == RELATIONS:
            fields[LABELS] = [self._relation(node) for node in self.of(RELATION)]
        return fields

    def _mention(
        self, node: Node, spans: TokenSpans, starts: list[int]
    ) -> dict[str, Any]:
        own = own_of(node)
        first, last = spans.of(node)
        sentence = bisect_right(starts, first) - 1
        start, end = node.anchors[0]
        return {
            NAME: own.get(NAME, self.graph.text[start:end]),
            "sent_id": sentence,
            "pos": [first - starts[sentence], last + 1 - starts[sentence]],
            **({} if node.label is None else {"type": node.label}),
            **kept_fields(node.extra, MORE),
        }

    def _relation(self, node: Node) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for edge in self.edges(node.id):
            own = dict(self.nodes[edge.target].properties)
            fields[str(edge.label)] = own.get(INDEX, self.places.get(edge.target))
        fields["r"] = node.label
        for key, value in node.properties:
            if key in (SCORE, PROBABILITY):
                fields[key] = value
            elif key == EVIDENCE:
                fields.setdefault(EVIDENCE, []).append(value)
        return fields
