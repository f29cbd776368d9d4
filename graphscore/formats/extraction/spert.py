r"""SpERT, the JSON of CoNLL-04: sentences with entities, and relations among these.

An array of sentences, or one to a line; ends of entities are exclusive, and relations
count entities from 0::

    [{"tokens": ["Ada", "runs", "Acme"], "orig_id": 7,
      "entities": [{"type": "Peop", "start": 0, "end": 1},
                   {"type": "Org", "start": 2, "end": 3}],
      "relations": [{"type": "Work_For", "head": 0, "tail": 1}]}]

A sentence is a graph of ``ner`` and one of ``relation``.  Entities may be ``tags`` of
the tokens instead (``B-Peop``); relations then count these from the first word on.

>>> import io
>>> data = b'{"tokens": ["Ada"], "entities": [{"type": "Peop", "start": 0, "end": 1}]}'
>>> ner, relation = read(io.BytesIO(data), "a.json")
>>> ner.graph.nodes[0].label, ner.graph.nodes[0].anchors
('Peop', (Anchor(start=0, end=3),))
>>> [bad] = read(io.BytesIO(data.replace(b'd": 1', b'd": 2')), "a.json")
>>> print(bad.problems[0])
a.json:1: $.entities[0]: found tokens 0:2, expected a range within the 1 tokens
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.exceptions import amount
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, further, pairs_of, records
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.marked_text import (
    Marked,
    MarkedText,
    marked_texts,
)
from graphscore.formats.shared.span_fields import usual_tag
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.writing import encode, json_array, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.tags import chunks
from graphscore.structures.layout import ROLES, SCORE

IDENTIFIER = "orig_id"
"""The key of the item."""

OWN = "spert"
"""The field of ``extra`` with further fields of a sentence."""


class _Entity(Struct):
    expected: ClassVar = {"type": "the type of an entity"}
    type: str
    start: int
    end: int
    score: int | float | None = None


class _Relation(Struct):
    expected: ClassVar = {"type": "the type of a relation"}
    type: str
    head: int
    tail: int
    score: int | float | None = None


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of sentences.

    Args:
        stream: the file.
        name: its name.

    Yields:
        Two records for each sentence, or one that says what is wrong.
    """
    yield from records(stream, name, _records)


def _records(line: JsonLine, fields: dict[str, Any]) -> Iterator[Record]:
    if IDENTIFIER in fields:
        line.item = line.identity(fields, IDENTIFIER, "a string or number")
    words = Words(line.strings("$.tokens", fields.get("tokens")))
    marked, size = MarkedText(), len(words.tokens)
    entities = fields.get("entities")
    if "tags" in fields and entities is None:
        elements = line.elements("$.tags", fields["tags"])
        tags = [usual_tag(line, path, tag) for path, tag in elements]
        if not line.problems and len(tags) != size:
            found, tokens = amount(len(tags), "tag"), amount(size, "token")
            line.add("$.tags", found, f"one for each of {tokens}")
        if line.problems:
            yield line.rejected()
            return
        entities = [
            {"type": chunk.label or "", "start": chunk.first, "end": chunk.last + 1}
            for chunk in chunks(tags)
        ]
    for path, _, entity in line.each("$.entities", entities, _Entity):
        if line.within(path, (entity.start, entity.end), size):
            anchor = words.anchor(entity.start, entity.end)
            name = str(len(marked.nodes))
            marked.mention(entity.type, [anchor], pairs_of(entity), name=name)
    known = range(len(entities) if isinstance(entities, list) else 0)
    relations = fields.get("relations", [])
    for path, _, relation in line.each("$.relations", relations, _Relation):
        ends = {"head": relation.head, "tail": relation.tail}
        what = f"the number of an entity, below {len(known)}"
        for key, end in ends.items():
            line.known(f"{path}.{key}", end, known, what)
        # An entity that is not right is not there, and is a problem of its own.
        if not line.problems:
            pair = zip(ROLES, map(str, ends.values()), strict=True)
            marked.relation(relation.type, pair, pairs_of(relation))
    used = {IDENTIFIER, "tokens", "entities", "relations"}
    if "entities" not in fields:
        used.add("tags")
    extra = further(fields, used, OWN)
    yield from marked.records(line, words.text, tokens=words.tokens, extra=extra)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as an array of sentences.

    Args:
        graphs: of the frameworks ``ner`` and ``relation``; the two of a sentence follow
            one another.

    Yields:
        Pieces of the array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(map(encode, _sentences(graphs)))


def _sentences(graphs: Iterable[Graph]) -> Iterator[dict[str, Any]]:
    for marked in marked_texts(graphs, "SpERT"):
        with naming(marked.graph):
            sentence = _sentence(marked)
        yield sentence


def _sentence(marked: Marked) -> dict[str, Any]:
    graph, spans = marked.graph, TokenSpans(marked.graph)
    numbers = {node.id: number for number, node in enumerate(marked.mentions)}
    entities: list[dict[str, Any]] = []
    for node in marked.mentions:
        first, last = spans.of(node)
        entity = {"type": node.label, "start": first, "end": last + 1}
        entities.append(entity | _score(node))
    relations: list[dict[str, Any]] = []
    for node, edges in marked.relations:
        ends = zip(
            ("head", "tail"), (numbers.get(e.target) for e in edges), strict=False
        )
        relations.append({"type": node.label, **dict(ends), **_score(node)})
    return {
        "tokens": spans.forms,
        "entities": entities,
        "relations": relations,
        **({IDENTIFIER: graph.id} if graph.id else {}),
        **kept_fields(graph.extra, OWN),
    }


def _score(node: Node) -> dict[str, Any]:
    return {name: value for name, value in node.properties if name == SCORE}
