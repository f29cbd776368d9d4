r"""Clusters of coreference as JSON lines, one document to a line.

This is what neural systems are trained on and give (e2e-coref, SpanBERT, wl-coref,
fastcoref, Maverick...)::

    {"doc_key": "d1", "sentences": [["Jenny", "left"], ["She", "ran"]],
     "clusters": [[[0, 0], [2, 2]]]}

A line gives one graph of framework ``coref``; of a line with ``predicted_clusters``
these are read.  :mod:`graphscore.formats.coreference.coref_jsonlines_record` says which
keys there may be and where ranges end.

DyGIE++ (:mod:`graphscore.formats.extraction.dygie`) writes clusters in the same way,
beside other layers.  A file is this one if the first line has fields that only systems
for coreference have, or no layer but clusters; where the beginning of the file shows
neither, it is ``dygie``, which hands on what turns out to be coreference only.

>>> import io
>>> data = (b'{"doc_key": "d1", "sentences": [["Jenny", "left"], ["She", "ran"]], '
...         b'"clusters": [[[0, 0], [2, 2]]]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> [record.graph.text[a:b] for node in record.graph.nodes for a, b in node.anchors]
['Jenny', 'She']
>>> [record] = read(io.BytesIO(data.replace(b"2, 2", b"2, 9")), "a.jsonl")
>>> print(record.problems[0])
... # doctest: +NORMALIZE_WHITESPACE
a.jsonl:1: $.clusters[0][1]: found tokens 2 to 9,
expected a range within the 4 tokens
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.coreference.coref_jsonlines_record import records
from graphscore.formats.shared.json_lines import objects


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    yield from records(objects(stream, name), False)
