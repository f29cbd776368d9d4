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
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from graphscore.folding import shown
from graphscore.formats.base import Record, Rejected
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.token_text import Words
from graphscore.model.graph import Graph, NodeId, Pairs
from graphscore.structures.layout import (
    COREF,
    NER,
    RELATIONS,
    SCORE,
    Argument,
    LayoutBuilder,
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


class Article:
    """An article and what is wrong with it.

    Args:
        line: its first line.
        fields: the JSON object, to which further lines may add.
    """

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line, self.fields = line, fields
        self.words = Words([])
        self.types: dict[tuple[int, int], str] = {}
        self.ner: list[tuple[tuple[int, int], str]] = []
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
        found: dict[str, Record] = {}
        spoilt = False
        for layer, keys, make in makers:
            self.line.problems = []
            if not any(key in self.fields for key in keys):
                continue
            if layer == RELATIONS and spoilt:
                self.line.add("$", "entities with problems", "entities to relate")
            found[layer] = self.line.record(make(), layer)
            spoilt = layer == COREF and bool(self.line.problems)
        if not found:
            self.line.add("$", "no layer", "ner, coref or n_ary_relations")
            yield self.line.rejected()
        yield from (found[layer] for layer in FRAMEWORKS if layer in found)

    def _ner(self) -> Graph:
        build = LayoutBuilder()
        for place, each in self.line.elements("$.ner", self.fields["ner"]):
            parts = each if isinstance(each, list) else []
            if len(parts) != 3 or not isinstance(parts[2], str):
                expected = "[first token, one past the last, type]"
                self.line.add(place, shown(each), expected)
            elif span := self.words.span(self.line, place, parts[:2]):
                self.types.setdefault(span, parts[2])
                build.mention(parts[2], [self.words.anchor(*span)])
        return self._graph(NER, build)

    def _coref(self) -> Graph:
        self._read_entities()
        build = LayoutBuilder()
        self._add_entities(build)
        return self._graph(COREF, build)

    def _read_entities(self) -> None:
        if ENTITIES in self.fields and CLUSTERS in self.fields:
            self.line.add("$", f"both {ENTITIES} and {CLUSTERS}", "one of them")
        key = CLUSTERS if CLUSTERS in self.fields else ENTITIES
        for name, spans in self._object(f"$.{key}", self.fields[key]):
            self.entities[name] = []
            where = f"$.{key}.{name}"
            for place, each in self.line.elements(where, spans):
                if span := self.words.span(self.line, place, each):
                    self.entities[name].append(span)
        for name, parts in self._object(f"$.{PARTS}", self.fields.get(PARTS, {})):
            for place, each in self.line.elements(f"$.{PARTS}.{name}", parts):
                self._part(place, name, each)

    def _part(self, place: str, name: str, value: Any) -> None:
        """A part of a method: its place in the method's name, and its own name."""
        plain = isinstance(value, list) and len(value) == 2
        span, part = value if plain else (None, None)
        if (
            not isinstance(span, list)
            or len(span) != 2
            or any(type(end) is not int for end in span)
            or not isinstance(part, str)
        ):
            self.line.add(place, shown(value), "[[start, end], entity]")
            return
        self.parts.append((name, part, ((SPAN, f"{span[0]}:{span[1]}"),)))

    def _object(self, where: str, value: Any) -> Iterable[tuple[str, Any]]:
        return self.line.object(where, value, "an object of entities").items()

    def _relations(self) -> Graph:
        build = LayoutBuilder()
        if ENTITIES not in self.fields and CLUSTERS not in self.fields:
            self.line.add(f"$.{ENTITIES}", "nothing", "the entities of the relations")
        if GOLD in self.fields and PREDICTED in self.fields:
            self.line.add("$", f"both {GOLD} and {PREDICTED}", "one of them")
        read = self._predicted if PREDICTED in self.fields else self._gold
        found = list(read())
        # Names that are no entities in the file are entities without mentions.
        named = dict.fromkeys(name for slots, _ in found for _, name in slots)
        known = self._add_entities(build, tuple(named))
        for slots, properties in found:
            if any(not self.entities.get(name) for _, name in slots):
                properties = (*properties, (UNMENTIONED, True))
            arguments = [Argument(role, known[name]) for role, name in slots]
            build.relation(None, arguments, properties)
        return self._graph(RELATIONS, build)

    def _gold(self) -> Iterator[tuple[list[tuple[str, str]], Pairs]]:
        """Roles and entities of each relation, and its properties."""
        for place, each in self.line.elements(f"$.{GOLD}", self.fields[GOLD]):
            slots: list[tuple[str, str]] = []
            properties: Pairs = ()
            for role, name in self._object(place, each):
                if role == "score":
                    if isinstance(name, dict | list):
                        self.line.add(f"{place}.{role}", shown(name), "a result")
                    else:
                        properties = ((RESULT, name),)
                elif isinstance(name, str):
                    slots.append((role, name))
                elif name is not None:
                    expected = "the name of an entity"
                    self.line.add(f"{place}.{role}", shown(name), expected)
            yield slots, properties

    def _predicted(self) -> Iterator[tuple[list[tuple[str, str]], Pairs]]:
        """Of the candidates, those that the system takes for relations."""
        key = f"$.{PREDICTED}"
        for place, each in self.line.elements(key, self.fields[PREDICTED]):
            parts = each if isinstance(each, list) else []
            names, score, chosen = parts if len(parts) == 3 else (None, None, None)
            if (
                not isinstance(names, list)
                or len(names) != len(ROLES)
                or not all(isinstance(name, str | None) for name in names)
                or type(score) not in (int, float)
                or chosen not in (0, 1)
            ):
                expected = f"[[{', '.join(ROLES)}], score, 0 or 1]"
                self.line.add(place, shown(each), expected)
            elif chosen:
                slots = zip(ROLES, names, strict=True)
                filled = [(role, name) for role, name in slots if name is not None]
                yield filled, ((SCORE, score),)

    def _add_entities(
        self, build: LayoutBuilder, more: tuple[str, ...] = ()
    ) -> dict[str, NodeId]:
        """Add all entities with mentions of their own.

        Args:
            build: the graph.
            more: names that must be entities, too.
        """
        known: dict[str, NodeId] = {}
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
            known[name] = build.entity(mentions[name], id=name)
        for whole, part, attributes in self.parts:
            build.link(whole, part, PART, attributes)
        return known

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
    articles: dict[str, Article] = {}
    for line, value in objects(stream, name):
        if value is not None:
            line.item = line.identity(value, ID, "the id of the article")
        if value is None or line.problems:
            yield line.rejected()
        elif line.item not in articles:
            articles[line.item] = Article(line, value)
        else:
            yield from _more(articles[line.item], line, value)
    # Only now is it known that no line with more of an article follows.
    for article in articles.values():
        yield from article.records()


def _more(
    article: Article, line: JsonLine, value: dict[str, Any]
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
