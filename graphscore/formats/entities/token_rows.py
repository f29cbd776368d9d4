r"""Rows of tokens and tags, JSON lines or Parquet, as data sets of Hugging Face.

A sentence to a line::

    {"id": "0", "tokens": ["Ada", "left"], "ner_tags": [1, 0]}
    {"id": "1", "tokens": ["Rome"], "ner_tags": ["B-LOC"]}

Tags may be numbers, which mean nothing without their names: these are given
(``--labels O,B-PER,I-PER``), or the row is refused; Parquet that ``datasets`` wrote has
them in its metadata.  Entities are read as from columns
(:mod:`graphscore.formats.entities.iob`).

>>> import io
>>> data = b'{"tokens": ["Ada", "Lo", "left"], "ner_tags": [1, 2, 0]}'
>>> [record] = reader_of(("O", "B-PER", "I-PER"))(io.BytesIO(data), "a.jsonl")
>>> record.graph.nodes[0].label, record.graph.nodes[0].anchors
('PER', (Anchor(start=0, end=6),))
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> print(record.problems[0])
a.jsonl:1: $.ner_tags[0]: found 1, expected a name, or what numbers mean (--labels)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from graphscore.duplicates import shown
from graphscore.exceptions import UsageError, amount
from graphscore.formats.base import Reader, Record
from graphscore.formats.entities.tag_table import tag_letters
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.json_values import LONGEST_FILE, begun
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.records import SHOWN
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.source import PARQUET
from graphscore.formats.writing import encode, lines_of_graphs
from graphscore.model.graph import Graph
from graphscore.structures.entities.tags import (
    TAGS,
    USUAL,
    Tag,
    chunks,
    read_tag,
    spelling_of,
)
from graphscore.structures.layout import NER, LayoutBuilder

TOKENS, KEYS = "tokens", ("ner_tags", "tags", "labels")
"""The keys of tokens, and those under which their tags are."""

ROWS = 500
"""Rows of Parquet that are decoded at once."""

ROW, KEY = "row", "key"
"""Fields of ``extra``: further fields of a row, and an unusual key of the tags."""


def read(stream: BinaryIO, name: str, labels: Sequence[str] = ()) -> Iterator[Record]:
    """Read a file of rows.

    Args:
        stream: the file.
        name: its name.
        labels: the names of tags that are numbers.

    Yields:
        A record for each row.
    """
    head, stream = begun(stream)
    if head.startswith(PARQUET):
        yield from _read_parquet(stream, name, labels)
        return
    for line, fields in objects(stream, name):
        line.framework = NER
        if fields is None:
            yield line.rejected()
        else:
            yield _record(line, fields, labels)


def _read_parquet(
    stream: BinaryIO, name: str, labels: Sequence[str]
) -> Iterator[Record]:
    """Read rows of Parquet, whose lines are their numbers."""
    try:
        from pyarrow import ArrowException, BufferReader, parquet
    except ImportError:
        needed = "Parquet needs pyarrow: pip install 'graphscore[frames]'"
        raise UsageError(needed) from None
    line = JsonLine(name, 1, framework=NER)
    try:
        file = parquet.ParquetFile(BufferReader(stream.read(LONGEST_FILE)))
        columns = [c for c in file.schema_arrow.names if c in ("id", TOKENS, *KEYS)]
        named = labels or _names_of(file.schema_arrow.metadata or {})
        for batch in file.iter_batches(ROWS, columns=columns):
            for number, fields in enumerate(batch.to_pylist(), line.line):
                line = JsonLine(name, number, encode(fields), framework=NER)
                yield _record(line, fields, named)
            line = JsonLine(name, line.line + 1, framework=NER)
    except (ArrowException, OSError, TypeError, UnicodeDecodeError) as error:
        line.add("", f"Parquet that is damaged ({str(error)[:SHOWN]})", "rows")
        yield line.rejected()


def _names_of(metadata: dict[bytes, bytes]) -> tuple[str, ...]:
    """Return the names of tags in the metadata of a data set; none if it has none."""
    for key in KEYS:
        with suppress(LookupError, TypeError, RecursionError, msgspec.MsgspecError):
            about = msgspec.json.decode(metadata[b"huggingface"])
            feature = about["info"]["features"][key]
            inner = feature[0] if isinstance(feature, list) else feature["feature"]
            return msgspec.convert(inner["names"], tuple[str, ...])
    return ()


def labels_of(option: str) -> tuple[str, ...]:
    """Return the names of tags, by their numbers, as ``--labels`` has them.

    Args:
        option: names with commas between them, or a file: a name to a line, a list of
            JSON, or an object of names by number, as ``id2label`` of a ``config.json``.

    Raises:
        UsageError: if there is no such file, or it has no names of all numbers.
    """
    if "," in option:
        return tuple(name.strip() for name in option.split(","))
    try:
        text = Path(option).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"--labels {shown(option)}: {reason}") from None
    value: Any = text.split()
    if text.lstrip()[:1] in ("[", "{"):
        value = None
        with suppress(msgspec.DecodeError):
            value = msgspec.json.decode(text)
    if isinstance(value, dict):
        value = value.get("id2label", value)
    if isinstance(value, dict):
        value = [value.get(str(number)) for number in range(len(value))]
    if not value or not isinstance(value, list) or {*map(type, value)} != {str}:
        expected = "a name to a line, a list, or an object of names by number"
        raise UsageError(f"--labels {shown(option)}: no names of tags: {expected}")
    return tuple(value)


def reader_of(labels: Sequence[str]) -> Reader:
    """Return the reader of files whose tags are numbers.

    Args:
        labels: their names, from 0.
    """
    return partial(read, labels=labels)


def _record(line: JsonLine, fields: dict[str, Any], labels: Sequence[str]) -> Record:
    if "id" in fields:
        line.item = line.identity(fields, "id", "a string or number")
    forms = line.strings(f"$.{TOKENS}", fields.get(TOKENS))
    key = next((key for key in KEYS if key in fields), KEYS[0])
    read_tags = [
        _tag(line, path, tag, labels)
        for path, tag in line.elements(f"$.{key}", fields.get(key))
    ]
    if not line.problems and len(read_tags) != len(forms):
        found, expected = amount(len(read_tags), "tag"), amount(len(forms), "token")
        line.add(f"$.{key}", found, f"one for each of {expected}")
    tags = [tag for tag in read_tags if tag is not None]
    if line.problems:
        return line.rejected()
    words, build = Words(forms), LayoutBuilder()
    for chunk in chunks(tags):
        anchor = words.anchor(chunk.first, chunk.last + 1)
        build.mention(chunk.label, [anchor], ((TAGS, chunk.letters),))
    extra = further(fields, {"id", TOKENS, key}, ROW)
    if key != KEYS[0]:
        extra[KEY] = key
    return line.record(words.graph(build, line, NER, extra, document=""))


def _tag(line: JsonLine, where: str, tag: Any, labels: Sequence[str]) -> Tag | None:
    """Read a tag; nothing, and a problem, where it is none."""
    written, spelling = tag, spelling_of(labels) if labels else USUAL
    if isinstance(tag, int) and not isinstance(tag, bool):
        if not labels:
            expected = "a name, or what numbers mean (--labels)"
            line.add(where, shown(tag), expected)
            return None
        if not 0 <= tag < len(labels):
            line.add(where, shown(tag), f"the number of a label, below {len(labels)}")
            return None
        written = labels[tag]
    elif not isinstance(tag, str):
        line.add(where, shown(tag), "a tag")
        return None
    if spelling is None:
        # Types without letters: neighbours of one type are one entity.
        return ("O", None) if written == "O" else ("I", written)
    result = read_tag(spelling, written)
    if result is None:
        line.add(where, shown(written), spelling.expected)
    return result


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as rows whose tags are names.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return lines_of_graphs(graphs, NER, "a row of tokens", _row)


def _row(graph: Graph) -> dict[str, Any]:
    spans = TokenSpans(graph)
    tags = ["O"] * len(spans)
    for node in graph.nodes:
        first, last = spans.of(node)
        letters = tag_letters(node, last - first + 1)
        label = None if node.label is None else str(node.label)
        tags[first : last + 1] = [USUAL.written(letter, label) for letter in letters]
    key = graph.extra.get(KEY)
    row: dict[str, Any] = {"id": graph.id} if graph.id else {}
    return {
        **row,
        TOKENS: spans.forms,
        key if key in KEYS else KEYS[0]: tags,
        **kept_fields(graph.extra, ROW),
    }
