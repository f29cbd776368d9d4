r"""SciREX: articles with typed mentions, entities and relations among these.

Jain et al. (2020), *SciREX: A Challenge Dataset for Document-Level Information
Extraction*; https://github.com/allenai/SciREX.  An article is one line; ranges of
words exclude the last one, entities have names, and relations name entities::

    {"doc_id": "a1", "words": ["BERT", "on", "SQuAD"], "ner": [[0, 1, "Method"],
      [2, 3, "Material"]], "coref": {"BERT": [[0, 1]], "SQuAD": [[2, 3]], "F1": []},
     "n_ary_relations": [{"Method": "BERT", "Material": "SQuAD", "Metric": "F1",
                          "Task": "QA", "score": "90"}],
     "method_subrelations": {"BERT": [[[0, 4], "BERT"]]}}

What its scripts predict is in several files: mentions with the words (``ner``),
entities (``clusters``), relations (``predicted_relations``).  Lines of one article
are put together, so that these files can be read one behind the other
(``cat ner.jsonl clusters.jsonl relations.jsonl > predicted.jsonl``).

An entity is a node under its name, with the mentions that the file gives it: none,
perhaps, as the names are those of a leaderboard and need not occur in the article.
A relation with such an entity is marked as ``unmentioned``; leaving it out is the
business of a metric.

Layers of one article that follow one another are written as one line.  Only what has
its place in the format is written: typed mentions, entities with one range of whole
words each, relations among entities with the roles of the format.

>>> import io
>>> data = (b'{"doc_id": "a1", "words": ["BERT", "works"], "ner": [[0, 1, "Method"]]}'
...         b'\n{"doc_id": "a1", "clusters": {"0": [[0, 1]]}}\n')
>>> for record in read(io.BytesIO(data), "predicted.jsonl"):
...     print(record.graph.framework, [node.label for node in record.graph.nodes])
ner ['Method']
coref ['Method', None]
>>> [record] = read(io.BytesIO(data.splitlines()[1]), "clusters.jsonl")
>>> print(*record.problems)
clusters.jsonl:1: $.words: found nothing, expected the words (those of ner.jsonl)
>>> b"".join(write([record.graph for record in read(io.BytesIO(data), "a.jsonl")][:1]))
b'{"doc_id":"a1","words":["BERT","works"],"ner":[[0,1,"Method"]]}\n'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from graphscore.duplicates import shown
from graphscore.formats.base import Record, Rejected
from graphscore.formats.shared.json_lines import JsonLine, Row, further, objects
from graphscore.formats.shared.layers import Layer, kept_fields, own_of
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.writing import Layers, json_lines
from graphscore.model.graph import Graph, Node, NodeId, Pairs
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    SCORE,
    Argument,
    LayoutBuilder,
    kind_of,
)

FRAMEWORKS = (NER, RELATIONS, COREF)
"""The layers of an article."""

ID, WORDS, SENTENCES, SECTIONS = "doc_id", "words", "sentences", "sections"

ENTITIES, CLUSTERS = "coref", "clusters"
"""The keys with entities: gold, and predicted."""

GOLD, PREDICTED, PARTS = "n_ary_relations", "predicted_relations", "method_subrelations"
"""The keys with relations: gold, predicted, and those of methods and their parts."""

ROLES = ("Material", "Method", "Metric", "Task")
"""The order in which predicted relations have their entities."""

RESULT = "result"
"""The property of a relation with what was measured, as written."""

UNMENTIONED = "unmentioned"
"""The property of a relation with an entity that the text does not mention."""

PART, SPAN = "part", "span"
"""The label of an edge to a part of a method, and where it is in the method's name."""

SAID, OWN = "predicted", "scirex"
"""In ``extra`` of a graph: that it was predicted, and further fields."""

_USED = {ID, WORDS, SENTENCES, SECTIONS, "ner", "spans"}
_USED |= {ENTITIES, CLUSTERS, GOLD, PREDICTED, PARTS}

_RANGE = re.compile(r"(-?\d{1,18}):(-?\d{1,18})")


class _Range(Row):
    first_token: int
    one_past_the_last: int


class _Typed(Row):
    first_token: int
    one_past_the_last: int
    type: str


class _Part(Row):
    """A part of a method: its place in the method's name, and its own name."""

    span: tuple[int, int]
    entity: str


_Name = str | None


class _Candidate(Row):
    """Candidate relation, and whether the system takes it for one."""

    entities: tuple[_Name, _Name, _Name, _Name]
    score: int | float
    chosen: int | float | bool


class _Article:
    """An article on its way to graphs; further lines may add fields."""

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line, self.fields = line, fields
        self.words = Words([])
        self.types: dict[tuple[int, int], str] = {}
        self.entities: dict[str, list[tuple[int, int]]] = {}
        self.parts: list[tuple[str, str, Pairs]] = []

    def records(self) -> Iterator[Record]:
        """The graphs of the layers whose keys are there."""
        if WORDS in self.fields:
            self.words = Words(self.line.strings(f"$.{WORDS}", self.fields[WORDS]))
        else:
            self.line.add(f"$.{WORDS}", "nothing", "the words (those of ner.jsonl)")
        if self.line.problems:
            yield self.line.rejected()
            return
        makers: list[tuple[str, tuple[str, ...], Callable[[], Graph]]] = [
            (NER, ("ner",), self._ner),
            (COREF, (ENTITIES, CLUSTERS), self._coref),
            (RELATIONS, (GOLD, PREDICTED), self._relations),
        ]
        records: dict[str, Record] = {}
        spoilt = False
        for layer, keys, make in makers:
            self.line.problems = []
            if not any(key in self.fields for key in keys):
                continue
            if layer == RELATIONS and spoilt:
                self.line.add("$", "entities with problems", "entities to relate")
            records[layer] = self.line.record(make(), layer)
            spoilt = layer == COREF and bool(self.line.problems)
        if not records:
            self.line.add("$", "no layer", "ner, coref or n_ary_relations")
            yield self.line.rejected()
        yield from (records[layer] for layer in FRAMEWORKS if layer in records)

    def _span(self, where: str, item: _Range | _Typed) -> tuple[int, int] | None:
        """A range of words, the last one excluded; ``None``, and a problem, if none."""
        span = item.first_token, item.one_past_the_last
        return span if self.line.within(where, span, len(self.words.tokens)) else None

    def _ner(self) -> Graph:
        build = LayoutBuilder()
        for path, _, item in self.line.each("$.ner", self.fields["ner"], _Typed):
            if span := self._span(path, item):
                self.types.setdefault(span, item.type)
                build.mention(item.type, [self.words.anchor(*span)])
        return self._graph(NER, build)

    def _one_of(self, *keys: str) -> str:
        """The last of two keys that is there; both are a problem."""
        present = [key for key in keys if key in self.fields]
        if len(present) > 1:
            self.line.add("$", f"both {' and '.join(present)}", "one of them")
        return present[-1]

    def _coref(self) -> Graph:
        key = self._one_of(ENTITIES, CLUSTERS)
        for name, spans in self._object(f"$.{key}", self.fields[key]):
            items = self.line.each(f"$.{key}.{name}", spans, _Range)
            read = [self._span(path, item) for path, _, item in items]
            self.entities[name] = [span for span in read if span]
        for name, parts in self._object(f"$.{PARTS}", self.fields.get(PARTS, {})):
            where, shape = f"$.{PARTS}.{name}", "[[start, end], entity]"
            for _, _, part in self.line.each(where, parts, _Part, shape):
                start, end = part.span
                self.parts.append((name, part.entity, ((SPAN, f"{start}:{end}"),)))
        build = LayoutBuilder()
        self._add_entities(build)
        return self._graph(COREF, build)

    def _object(self, where: str, value: Any) -> Iterable[tuple[str, Any]]:
        return self.line.object(where, value, "an object of entities").items()

    def _relations(self) -> Graph:
        build = LayoutBuilder()
        if ENTITIES not in self.fields and CLUSTERS not in self.fields:
            self.line.add(f"$.{ENTITIES}", "nothing", "the entities of the relations")
        predicted = self._one_of(GOLD, PREDICTED) == PREDICTED
        relations = list(self._predicted_relations() if predicted else self._gold())
        # Names that are no entities in the file are entities without mentions.
        named = dict.fromkeys(name for slots, _ in relations for _, name in slots)
        add_entities = self._add_entities(build, tuple(named))
        for slots, properties in relations:
            if any(not self.entities.get(name) for _, name in slots):
                properties = (*properties, (UNMENTIONED, True))
            arguments = [Argument(role, add_entities[name]) for role, name in slots]
            build.relation(None, arguments, properties)
        return self._graph(RELATIONS, build)

    def _gold(self) -> Iterator[tuple[list[tuple[str, str]], Pairs]]:
        """Roles and entities of each relation, and its properties."""
        for path, relation in self.line.elements(f"$.{GOLD}", self.fields[GOLD]):
            slots: list[tuple[str, str]] = []
            properties: Pairs = ()
            for role, name in self._object(path, relation):
                if role == "score" and not isinstance(name, dict | list):
                    properties = ((RESULT, name),)
                elif role != "score" and isinstance(name, str):
                    slots.append((role, name))
                elif name is not None:
                    expected = (
                        "a result" if role == "score" else "the name of an entity"
                    )
                    self.line.add(f"{path}.{role}", shown(name), expected)
            yield slots, properties

    def _predicted_relations(self) -> Iterator[tuple[list[tuple[str, str]], Pairs]]:
        """Yield the candidates that the system takes for relations."""
        shape = f"[[{', '.join(ROLES)}], score, 0 or 1]"
        where, value = f"$.{PREDICTED}", self.fields[PREDICTED]
        for path, raw, item in self.line.each(where, value, _Candidate, shape):
            if item.chosen not in (0, 1):
                self.line.add(path, shown(raw), shape)
            elif item.chosen:
                slots = zip(ROLES, item.entities, strict=True)
                filled = [(role, name) for role, name in slots if name is not None]
                yield filled, ((SCORE, item.score),)

    def _add_entities(
        self, build: LayoutBuilder, more: tuple[str, ...] = ()
    ) -> dict[str, NodeId]:
        """Add all entities with mentions of their own.

        Args:
            build: the graph.
            more: names that must be entities, too.
        """
        node_ids: dict[str, NodeId] = {}
        parts = [name for whole, part, _ in self.parts for name in (whole, part)]
        names = dict.fromkeys((*self.entities, *parts, *more))
        mentions = {
            name: [
                build.mention(self.types.get(span), [self.words.anchor(*span)])
                for span in self.entities.get(name, [])
            ]
            for name in names
        }
        for name in names:
            node_ids[name] = build.entity(mentions[name], id=name)
        for whole, part, attributes in self.parts:
            build.link(whole, part, PART, attributes)
        return node_ids

    def _graph(self, layer: str, build: LayoutBuilder) -> Graph:
        extra: dict[str, Any] = {}
        for key in (SENTENCES, SECTIONS):
            if key in self.fields:
                extra[key] = self.fields[key]
        if CLUSTERS in self.fields or PREDICTED in self.fields:
            extra[SAID] = True
        extra |= further(self.fields, _USED, OWN)
        return self.words.graph(build, self.line, layer, extra)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    articles: dict[str, _Article] = {}
    for line, value in objects(stream, name):
        if value is not None:
            line.item = line.identity(value, ID, "the id of the article")
        if value is None or line.problems:
            yield line.rejected()
        elif line.item not in articles:
            articles[line.item] = _Article(line, value)
        else:
            yield from _more(articles[line.item], line, value)
    # Only now is it known that no line with more of an article follows.
    for article in articles.values():
        yield from article.records()


def _more(
    article: _Article, line: JsonLine, value: dict[str, Any]
) -> Iterator[Rejected]:
    """Add a further line of an article, unless it contradicts those before."""
    for key in sorted(value.keys() & article.fields.keys()):
        if value[key] != article.fields[key]:
            found = f"another {key} of {line.item!r}"
            line.add(f"$.{key}", found, f"that of line {article.line.line}")
    if line.problems:
        yield line.rejected()
    else:
        article.fields = {**article.fields, **value}


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one article to a line.

    Args:
        graphs: of the frameworks ``ner``, ``coref`` and ``relation``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, FRAMEWORKS, "SciREX", _fields)


def _fields(graph: Graph, layers: Layers) -> dict[str, Any]:
    """The JSON object of an article."""
    fields = kept_fields(graph.extra, OWN)
    fields[ID], fields[WORDS] = graph.id, TokenSpans(graph).forms
    for key in (SENTENCES, SECTIONS):
        if key in graph.extra:
            fields[key] = graph.extra[key]
    predicted = bool(graph.extra.get(SAID))
    read = {name: _Layer(layer) for name, layer in layers.items()}
    if NER in read:
        fields["ner"] = read[NER].typed()
    entities = [read[layer].entities() for layer in (COREF, RELATIONS) if layer in read]
    if entities:
        # A relation may name entities that the text does not mention.
        named = {
            name: spans for entity in entities for name, spans in entity[0].items()
        }
        known = entities[0][0]
        if COREF not in read:
            known = {name: spans for name, spans in named.items() if spans}
        fields[CLUSTERS if predicted else ENTITIES] = known
        if entities[0][1]:
            fields[PARTS] = entities[0][1]
    if RELATIONS in read:
        relations = read[RELATIONS].relations(predicted)
        fields[PREDICTED if predicted else GOLD] = relations
    return fields


class _Layer(Layer):
    """One layer in terms of words and names."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.spans = TokenSpans(graph)

    def typed(self) -> list[list[Any]]:
        """The typed mentions."""
        return [[*self._span(node), node.label] for node in self.of(MENTION)]

    def entities(self) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """The mentions of each entity, and the parts of methods."""
        result: dict[str, list[Any]] = {}
        parts: dict[str, list[Any]] = {}
        for node in self.of(ENTITY):
            name = str(node.id)
            result[name] = []
            for edge in self.edges(node.id):
                target = self.nodes[edge.target]
                if edge.label == MENTION and kind_of(target) == MENTION:
                    result[name].append(self._span(target))
                elif edge.label == PART and kind_of(target) == ENTITY:
                    span = _RANGE.fullmatch(str(dict(edge.attributes).get(SPAN)))
                    ends = [int(span[1]), int(span[2])] if span else []
                    parts.setdefault(name, []).append([ends, str(target.id)])
        return result, parts

    def relations(self, predicted: bool) -> list[Any]:
        """The relations, as gold or as predicted."""
        return [self._relation(relation, predicted) for relation in self.of(RELATION)]

    def _relation(self, node: Node, predicted: bool) -> Any:
        own = own_of(node)
        own.pop(UNMENTIONED, None)
        slots: dict[str, str] = {}
        for edge in self.edges(node.id):
            slots[str(edge.label)] = str(edge.target)
        if predicted:
            names = [slots.get(role) for role in ROLES]
            return [names, own.get(SCORE, 1), 1]
        return {**slots, **({"score": own[RESULT]} if RESULT in own else {})}

    def _span(self, node: Node) -> list[int]:
        first, last = self.spans.of(node)
        return [first, last + 1]
