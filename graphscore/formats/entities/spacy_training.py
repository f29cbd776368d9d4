"""Training data of spaCy: JSON of version 2, and pairs of texts and annotations.

The JSON of version 2 has documents with paragraphs, whose tokens have BILUO tags::

    [{"id": 0, "paragraphs": [{"raw": "Ada left", "sentences": [{"tokens": [
       {"id": 0, "orth": "Ada", "ner": "U-PER"}, {"id": 1, "orth": "left", "ner": "O"}],
     "brackets": []}]}]}]

Pairs (``TRAIN_DATA``) have ranges of characters, in an array, or one to a line, or as
``annotations`` of an object, as annotators in the browser export them::

    [["Ada left", {"entities": [[0, 3, "PER"]]}]]

A paragraph, or a pair, is a graph of ``ner``.

>>> import io
>>> data = b'[["Ada left", {"entities": [[0, 3, "PER"]]}]]'
>>> [record] = read_pairs(io.BytesIO(data), "a.json")
>>> record.graph.nodes[0].label, record.graph.nodes[0].anchors
('PER', (Anchor(start=0, end=3),))
>>> [record] = read_pairs(io.BytesIO(data.replace(b"3,", b"9,")), "a.json")
>>> print(record.problems[0])
a.json:1: $[0][1].entities[0]: found characters 0 to 9, expected a range within 8
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, ClassVar, TypeVar

from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.formats.base import Record, Rejected
from graphscore.formats.entities.spans_jsonl import SPANS, text_record
from graphscore.formats.shared.json_files import (
    JsonFile,
    decode_value,
    failed_member,
    read_whole,
)
from graphscore.formats.shared.json_lines import (
    JsonLine,
    lines,
    objects,
    rest_of,
)
from graphscore.formats.shared.layers import kept_as, kept_fields
from graphscore.formats.shared.marked_text import one_range
from graphscore.formats.shared.span_fields import usual_tag
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.writing import check_framework, encode, json_array, naming
from graphscore.model.graph import Graph
from graphscore.model.token_variants import SENTENCES
from graphscore.structures.entities.tags import OUTSIDE, USUAL, Tag, chunks
from graphscore.structures.layout import NER, LayoutBuilder

PARAGRAPHS, TOKENS, TAG = "paragraphs", "tokens", "ner"

OWN = "spacy"
"""The field of ``extra`` with further fields of a paragraph, its sentences, tokens."""

UNKNOWN = "-"
"""The tag of a token of which nothing is known, which is outside here."""

T = TypeVar("T")

ENTITIES, ANNOTATIONS = "entities", "annotations"

_PAIR = re.compile(rb'\[\s*+"(?:[^"\\\n]|\\.)*+"\s*+,\s*+\{')

_WHOLE = re.compile(rb"\s*+(?:\{|\[\s*+[\[\]])")
"""The beginning of a file that is one value; else a pair has a line of its own."""


class _Token(Struct):
    expected: ClassVar = {"orth": "the token as a string"}
    orth: str
    ner: str | None = None


class _Sentence(Struct):
    tokens: list[Any]


class _Paragraph(Struct):
    sentences: list[Any]


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read documents of version 2.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each paragraph, or one for a document that is none.
    """
    for line, fields in objects(stream, name):
        line.framework = NER
        if fields is None:
            yield line.rejected()
            continue
        document = line.identity(fields, "id", "an id") if "id" in fields else ""
        rest = {k: v for k, v in fields.items() if k not in ("id", PARAGRAPHS)}
        paragraphs = [*line.elements(f"$.{PARAGRAPHS}", fields.get(PARAGRAPHS))]
        if line.problems:
            yield line.rejected()
            continue
        for number, (path, paragraph) in enumerate(paragraphs):
            line.problems = []
            several = document and len(paragraphs) > 1
            line.item = f"{document}.{number}" if several else document
            yield _paragraph(line, path, paragraph, document, {} if number else rest)


def _paragraph(
    line: JsonLine, where: str, raw: Any, document: str, rest: dict[str, Any]
) -> Record:
    paragraph = line.typed(where, raw, _Paragraph)
    forms: list[str] = []
    tags: list[Tag] = []
    sizes: list[int] = []
    rests: dict[str, list[dict[str, Any]]] = {SENTENCES: [], TOKENS: []}
    sentences = paragraph.sentences if paragraph else []
    for path, value, sentence in line.each(
        f"{where}.{SENTENCES}", sentences, _Sentence
    ):
        tokens = [*line.each(f"{path}.{TOKENS}", sentence.tokens, _Token)]
        sizes.append(len(tokens))
        rests[SENTENCES].append(rest_of(value, _Sentence))
        for at, own, token in tokens:
            forms.append(token.orth)
            rests[TOKENS].append(rest_of(own, _Token))
            known = token.ner not in (None, "", UNKNOWN)
            tag = usual_tag(line, f"{at}.{TAG}", token.ner) if known else OUTSIDE
            tags.append(tag)
    if line.problems:
        return line.rejected()
    words, build = Words(forms, sizes), LayoutBuilder()
    for chunk in chunks(tags):
        build.mention(chunk.label, [words.anchor(chunk.first, chunk.last + 1)])
    every = {"document": rest, "paragraph": rest_of(raw, _Paragraph), **rests}
    own = {key: fields for key, fields in every.items() if any(fields)}
    extra = {SENTENCES: sizes, **({OWN: own} if own else {})}
    return line.record(words.graph(build, line, NER, extra, document))


def read_pairs(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read pairs of texts and annotations.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each pair.
    """
    for line, where, pair in _pairs(stream, name):
        line.framework = NER
        shape = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], dict)
        if not shape:
            if not line.problems:
                line.add(where, shown(pair), "[text, {annotations}]")
            yield line.rejected()
            continue
        record = text_record(line, {"text": pair[0], **pair[1]})
        if isinstance(record, Rejected):
            record = record._replace(
                problems=tuple(
                    problem._replace(where=f"{where}{_place(problem.where)}")
                    for problem in record.problems
                )
            )
        yield record


def _place(where: str) -> str:
    """Return the place within a pair of what is wrong with its fields."""
    return "[0]" if where == "$.text" else f"[1]{where.removeprefix('$')}"


def _pairs(stream: BinaryIO, name: str) -> Iterator[tuple[JsonLine, str, Any]]:
    data = read_whole(stream)
    if data is None:
        line, _, value = failed_member(name, 1, "a file that is too long", "pairs")
        yield line, "$", value
        return
    file = JsonFile(data, name, _PAIR)
    if not _WHOLE.match(data):
        for line in lines(BytesIO(data), name):
            if not line.problems and line.text(line.whole(), line.line):
                yield line, "$", decode_value(line, "$")
            else:
                yield line, "$", None
        return
    scan, where = file.scan(file.start), "$"
    if data[file.start : file.start + 1] == b"{":
        while (key := scan.next()) is not None and (
            key != ANNOTATIONS or data[scan.position : scan.position + 1] != b"["
        ):
            scan.take()
        if key is None:
            line, _, value = file.failed(len(data), f"no {ANNOTATIONS}", "an array")
            yield line, "$", value
            return
        scan, where = file.scan(scan.position), f"$.{ANNOTATIONS}"
    for line, number, value in file.taken(scan, where):
        # Annotators leave a text that nobody saw empty.
        if where == "$" or line.whole().strip() != b"null":
            yield line, f"{where}[{number}]", value


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as documents of version 2.

    Args:
        graphs: of the framework ``ner``, with tokens; the paragraphs of a document
            follow one another.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(map(encode, _documents(graphs)))


def _documents(graphs: Iterable[Graph]) -> Iterator[dict[str, Any]]:
    document: dict[str, Any] = {}
    for graph, paragraph in _laid_out(graphs, _paragraph_fields):
        number = len(document.get(PARAGRAPHS, ()))
        name = graph.document or graph.id
        if not number or graph.id != f"{document.get('id')}.{number}":
            if number:
                yield document
            # Numbers of paragraphs are counted again.
            name = name if graph.id in (name, f"{name}.0") else graph.id
            document = {"id": name} if name else {}
            document |= {
                **kept_fields(kept_fields(graph.extra, OWN), "document"),
                PARAGRAPHS: [],
            }
        document[PARAGRAPHS].append(paragraph)
    if document:
        yield document


def _laid_out(
    graphs: Iterable[Graph], layout: Callable[[Graph], T]
) -> Iterator[tuple[Graph, T]]:
    """Yield graphs of entities, and each as it is laid out."""
    for graph in graphs:
        check_framework(graph, (NER,), "training data of spaCy")
        with naming(graph):
            value = layout(graph)
        yield graph, value


def _paragraph_fields(graph: Graph) -> dict[str, Any]:
    spans, own = TokenSpans(graph), kept_fields(graph.extra, OWN)
    tags = ["O"] * len(spans)
    for node in graph.nodes:
        first, last = spans.of(node)
        letters = "U" if first == last else f"B{'I' * (last - first - 1)}L"
        label = None if node.label is None else str(node.label)
        tags[first : last + 1] = [USUAL.written(letter, label) for letter in letters]
    starts = spans.starts()
    rests = {
        key: kept_as(own, key, list[dict[str, Any]], []) for key in (SENTENCES, TOKENS)
    }
    tokens = [
        {"id": number, **rest, "orth": form, TAG: tag}
        for number, (form, tag, rest) in enumerate(
            zip(spans.forms, tags, _fill_up(rests[TOKENS], len(tags)), strict=True)
        )
    ]
    sentences = [
        {**rest, TOKENS: tokens[start:end]}
        for start, end, rest in zip(
            starts,
            starts[1:],
            _fill_up(rests[SENTENCES], len(starts) - 1),
            strict=False,
        )
    ]
    return {**kept_fields(own, "paragraph"), SENTENCES: sentences}


def _fill_up(rests: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    return rests if len(rests) == size else [{} for _ in range(size)]


def write_pairs(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as pairs of texts and annotations.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(encode(pair) for _, pair in _laid_out(graphs, _pair))


def _pair(graph: Graph) -> list[Any]:
    entities = [
        [*one_range(node, graph.text), *([] if node.label is None else [node.label])]
        for node in graph.nodes
    ]
    return [graph.text, {**kept_fields(graph.extra, SPANS), ENTITIES: entities}]
