r"""TACRED: a relation, or none, of two mentions in a sentence; or its labels alone.

An array of examples, or one to a line; both ends of a mention are inclusive::

    {"id": "e1", "token": ["Ada", "runs", "Acme"], "relation": "per:employee_of",
     "subj_start": 0, "subj_end": 0, "subj_type": "PERSON",
     "obj_start": 2, "obj_end": 2, "obj_type": "ORGANIZATION"}

An example is a graph of ``relation``.  ``no_relation`` is none and is not counted, as
in the scorer of TACRED.  That takes labels, one to a line, on both sides
(:func:`read_labels`).

>>> import io
>>> gold, none = read_labels(io.BytesIO(b"per:title\nno_relation\n"), "gold.key")
>>> gold.graph.nodes[2].label, len(none.graph.nodes)
('per:title', 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, objects, rest_of
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.shared.span_fields import quote_beginning
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.source import bounded_lines
from graphscore.formats.writing import (
    check_framework,
    encode,
    json_array,
    naming,
    spell_value,
)
from graphscore.model.graph import Graph
from graphscore.structures.layout import (
    MENTION,
    RELATION,
    RELATIONS,
    ROLES,
    Argument,
    LayoutBuilder,
    nodes_of,
)

NONE = "no_relation"
"""The label of two mentions between which there is no relation."""

OWN = "tacred"
"""The field of ``extra`` with further fields of an example."""

LONGEST_LABEL = 1000
"""Bytes of a line that is no label."""

SUBJECT, OBJECT = "subject", "object"
"""The words of mentions where there are labels alone."""


class _Example(Struct):
    expected: ClassVar = {"relation": "a label", "token": "a list of tokens"}
    token: list[str]
    relation: str
    subj_start: int
    subj_end: int
    obj_start: int
    obj_end: int
    subj_type: str | None = None
    obj_type: str | None = None


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of examples.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each example.
    """
    for line, fields in objects(stream, name):
        line.framework = RELATIONS
        yield line.rejected() if fields is None else _record(line, fields)


def _record(line: JsonLine, fields: dict[str, Any]) -> Record:
    if "id" in fields:
        line.item = line.identity(fields, "id", "a string or number")
    example = line.typed("$", fields, _Example)
    if example is None:
        return line.rejected()
    words, build = Words(example.token), LayoutBuilder()
    subject = ("subj", example.subj_start, example.subj_end, example.subj_type)
    target = ("obj", example.obj_start, example.obj_end, example.obj_type)
    for key, start, last, label in (subject, target):
        if line.within(f"$.{key}_start", (start, last + 1), len(words.tokens)):
            build.mention(label, [words.anchor(start, last + 1)])
    if line.problems:
        return line.rejected()
    _relate(build, example.relation)
    rest = rest_of(fields, _Example, "id", "docid")
    document = fields.get("docid")
    document = document if isinstance(document, str) else ""
    extra = {OWN: rest} if rest else {}
    return line.record(words.graph(build, line, RELATIONS, extra, document))


def _relate(build: LayoutBuilder, label: str) -> None:
    if label != NONE:
        ends = zip(ROLES, (0, 1), strict=True)
        build.relation(label, [Argument(*end) for end in ends])


def read_labels(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read labels, as the scorer takes them: one to a line, of either side.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each line.
    """
    blank: list[RecordBuilder] = []
    begun = False
    for number, raw in bounded_lines(stream, LONGEST_LABEL):
        draft = RecordBuilder(name, number, raw, framework=RELATIONS)
        label = (draft.text(raw, number, LONGEST_LABEL, "a label") or "").strip()
        if not draft.problems and len(label.split()) != 1:
            draft.add("", quote_beginning(label), "one label on each line")
        if not raw.strip():
            # A label that is lacking must not move those below it up.
            blank += [draft] * begun
            continue
        begun = True
        yield from (lacking.rejected() for lacking in blank)
        blank.clear()
        if draft.problems:
            yield draft.rejected()
            continue
        build = LayoutBuilder()
        for word in (SUBJECT, OBJECT):
            build.mention(None, text=word)
        _relate(build, label)
        yield draft.record(build.graph("", RELATIONS))


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as examples.

    Args:
        graphs: of the framework ``relation``, each of two mentions and at most one
            relation of the first to the second.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(map(encode, _examples(graphs)))


def _examples(graphs: Iterable[Graph]) -> Iterator[dict[str, Any]]:
    for graph in graphs:
        check_framework(graph, (RELATIONS,), "TACRED")
        with naming(graph):
            example = _example(graph)
        yield example


def _example(graph: Graph) -> dict[str, Any]:
    spans = TokenSpans(graph)
    labels = [spell_value(node.label) for node in nodes_of(graph, RELATION)]
    fields = {"relation": labels[0] if labels else NONE}
    ends: dict[str, Any] = {}
    for key, node in zip(("subj", "obj"), nodes_of(graph, MENTION), strict=False):
        ends[f"{key}_start"], ends[f"{key}_end"] = spans.of(node)
        if node.label is not None:
            ends[f"{key}_type"] = node.label
    item = {"id": graph.id} if graph.id else {}
    document = {"docid": graph.document} if graph.document else {}
    own = kept_fields(graph.extra, OWN)
    return {**item, **document, **fields, "token": spans.forms, **ends, **own}
