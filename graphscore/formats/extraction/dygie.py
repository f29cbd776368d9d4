r"""DyGIE++ and SciERC: documents as JSON lines, one document to a line.

Tokens come in sentences; annotations name ranges of tokens, counted over the
whole document, the last token included (Luan et al. 2018; Wadden et al. 2019;
https://github.com/dwadden/dygiepp/blob/master/doc/data.md)::

    {"doc_key": "d1", "sentences": [["Jenny", "runs", "Acme"]],
     "ner": [[[0, 0, "PER"], [2, 2, "ORG"]]],
     "relations": [[[0, 0, 2, 2, "Heads"]]],
     "clusters": [], "events": [[[[1, "Lead"], [0, 0, "Agent"]]]]}

A line gives one graph for each layer that has a key: ``ner``, ``relation`` (key
``relations``), ``event`` (``events``) and ``coref`` (``clusters``); a key with
empty lists gives an empty graph, a key that is not there gives none.  Files of
predictions repeat gold beside ``predicted_ner``, ``predicted_relations``...: of
those only what is predicted is read, from every line.  The format ``dygie-gold``
(:mod:`graphscore.formats.extraction.dygie_gold`) reads what is gold in the same file.

>>> import io
>>> data = (b'{"doc_key": "d1", "sentences": [["Jenny", "runs"], ["Acme"]], '
...         b'"ner": [[[0, 0, "PER"]], [[2, 2, "ORG"]]]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> record.graph.framework, record.graph.text
('ner', 'Jenny runs Acme')
>>> [(node.label, *node.anchors) for node in record.graph.nodes]
[('PER', Anchor(start=0, end=5)), ('ORG', Anchor(start=11, end=15))]
>>> [record] = read(io.BytesIO(data.replace(b"[2, 2", b"[0, 0")), "a.jsonl")
>>> print(record.problems[0])
a.jsonl:1: $.ner[1][0]: found tokens 0 to 0, expected tokens of sentence 1, 2 to 2
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from graphscore.formats.base import Record, Rejected
from graphscore.formats.coreference.coref_jsonlines_record import (
    only_coreference,
    records,
)
from graphscore.formats.extraction.dygie_record import FIELDS, PREDICTED, Document
from graphscore.formats.shared.json_lines import JsonLine, objects


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of gold, or of predictions: there what is predicted.

    Args:
        stream: the file.
        name: its name.

    Yields:
        For each line its layers; a layer with problems is a rejected record.
    """
    first: tuple[bool, int] | None = None
    lines = objects(stream, name)
    for line, value in lines:
        if value is None:
            yield line.rejected()
            continue
        predicted = any(PREDICTED + key in value for key in FIELDS.values())
        if first is None and only_coreference(value):
            # It began like DyGIE++, but is what systems for coreference give.
            yield from records(chain([(line, value)], lines), False)
            return
        if first is None:
            first = predicted, line.line
        if predicted is not first[0]:
            yield _mixed(line, value.get("doc_key"), predicted, first[1])
        else:
            prefix = PREDICTED if predicted else ""
            yield from Document(line, value).records(prefix)


def read_gold(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read what is gold, whether or not predictions stand beside it.

    Args:
        stream: the file.
        name: its name.

    Yields:
        For each line its layers; a layer with problems is a rejected record.
    """
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected()
        else:
            yield from Document(line, value).records("")


def _mixed(line: JsonLine, item: object, predicted: bool, first: int) -> Rejected:
    """A line that would pass gold off as predicted, or the other way round."""
    if predicted:
        found, expected = "predictions", f"none, as in line {first}"
    else:
        found, expected = "no predictions", f"keys predicted_..., as in line {first}"
    line.add("$", found, expected)
    line.item = item if isinstance(item, str) else ""
    return line.rejected()
