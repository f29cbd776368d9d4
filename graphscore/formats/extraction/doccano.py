"""doccano: texts with entities, and relations among these, a text to a line.

::

    {"id": 7, "text": "Ada runs Acme", "Comments": [], "entities": [
       {"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3},
       {"id": 2, "label": "ORG", "start_offset": 9, "end_offset": 13}],
     "relations": [{"id": 4, "from_id": 1, "to_id": 2, "type": "runs"}]}

A text is a graph of ``ner`` and one of ``relation``; offsets count characters.  Without
``relations``, texts are read by :mod:`graphscore.formats.entities.spans_jsonl`.

>>> import io
>>> data = (b'{"text": "Ada runs", "entities": [{"id": 1, "label": "PER", '
...         b'"start_offset": 0, "end_offset": 3}], "relations": []}')
>>> ner, relation = read(io.BytesIO(data), "a.jsonl")
>>> ner.graph.nodes[0].label, ner.graph.nodes[0].anchors
('PER', (Anchor(start=0, end=3),))
>>> [bad] = read(io.BytesIO(data.replace(b"3}", b"9}")), "a.jsonl")
>>> print(bad.problems[0])
a.jsonl:1: $.entities[0]: found characters 0:9, expected a range within the 8 \
characters
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, further, records, rest_of
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.marked_text import (
    Marked,
    MarkedText,
    marked_texts,
    one_range,
)
from graphscore.formats.shared.span_fields import TEXT, text_mismatch
from graphscore.formats.writing import encode, naming
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import ROLES

ENTITIES, RELATIONS, NAME = "entities", "relations", "id"

OWN = "doccano"
"""The field of ``extra`` with further fields of a text, entity or relation."""


class _Entity(Struct):
    expected: ClassVar = {"label": "the label of an entity"}
    id: int | str
    label: str
    start_offset: int
    end_offset: int
    text: Any = None


class _Relation(Struct):
    expected: ClassVar = {"type": "the type of a relation"}
    from_id: int | str
    to_id: int | str
    type: str


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of texts.

    Args:
        stream: the file.
        name: its name.

    Yields:
        Two records for each text, or one that says what is wrong.
    """
    yield from records(stream, name, _records)


def _records(line: JsonLine, fields: dict[str, Any]) -> Iterator[Record]:
    if NAME in fields:
        line.item = line.identity(fields, NAME, "a string or number")
    text, marked = line.string(f"$.{TEXT}", fields.get(TEXT)), MarkedText()
    entities = line.each(f"$.{ENTITIES}", fields.get(ENTITIES), _Entity)
    for path, raw, entity in entities:
        name, ends = str(entity.id), (entity.start_offset, entity.end_offset)
        if name in marked.nodes:
            line.add(f"{path}.{NAME}", shown(entity.id), "an id of its own")
        if not line.within(path, ends, len(text), "characters"):
            continue
        if isinstance(entity.text, str) and (
            wrong := text_mismatch(entity.text, *ends, text)
        ):
            line.add(f"{path}.{TEXT}", *wrong)
        rest = {NAME: entity.id, **rest_of(raw, _Entity)}
        anchors, extra = [Anchor(*ends)], ((OWN, rest),)
        marked.mention(entity.label, anchors, name=name, extra=extra)
    relations = line.each(f"$.{RELATIONS}", fields.get(RELATIONS, []), _Relation)
    for path, raw, relation in relations:
        keys = {"from_id": relation.from_id, "to_id": relation.to_id}
        known = [
            line.known(f"{path}.{key}", str(end), marked.nodes, "the id of an entity")
            for key, end in keys.items()
        ]
        # An entity that is not right is not there, and is a problem of its own.
        if all(known) and not line.problems:
            more = rest_of(raw, _Relation)
            pair = zip(ROLES, map(str, keys.values()), strict=True)
            kept_more = ((OWN, more),) if more else ()
            marked.relation(relation.type, pair, extra=kept_more)
    own = further(fields, {NAME, TEXT, ENTITIES, RELATIONS}, OWN)
    yield from marked.records(line, text, extra=own)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, a text to a line.

    Args:
        graphs: of the frameworks ``ner`` and ``relation``; the two of a text follow one
            another.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for marked in marked_texts(graphs, "doccano"):
        with naming(marked.graph):
            line = encode(_line(marked)) + b"\n"
        yield line


def _line(marked: Marked) -> dict[str, Any]:
    graph = marked.graph
    rests = [kept_fields(node.extra, OWN) for node in marked.mentions]
    names = [rest.get(NAME) for rest in rests]
    plain = all(isinstance(name, int | str) for name in names)
    if not plain or len({*map(str, names)}) < len(names):
        names = [*range(1, len(names) + 1)]
    numbers = {node.id: name for node, name in zip(marked.mentions, names, strict=True)}
    entities: list[dict[str, Any]] = []
    for node, rest in zip(marked.mentions, rests, strict=True):
        start, end = one_range(node, graph.text)
        fields = {"label": node.label, "start_offset": start, "end_offset": end}
        entities.append({**rest, NAME: numbers[node.id], **fields})
    relations: list[dict[str, Any]] = []
    for node, edges in marked.relations:
        linked = [numbers.get(edge.target) for edge in edges]
        ends = dict(zip(("from_id", "to_id"), linked, strict=False))
        relations.append({**kept_fields(node.extra, OWN), **ends, "type": node.label})
    item = {NAME: graph.id} if graph.id else {}
    lists = {ENTITIES: entities, RELATIONS: relations}
    return {**item, TEXT: graph.text, **kept_fields(graph.extra, OWN), **lists}
