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
>>> [record] = FORMAT.read(io.BytesIO(data), "a.jsonl")
>>> [record.graph.text[a:b] for node in record.graph.nodes for a, b in node.anchors]
['Jenny', 'She']
>>> [record] = FORMAT.read(io.BytesIO(data.replace(b"2, 2", b"2, 9")), "a.jsonl")
>>> print(record.problems[0])
... # doctest: +NORMALIZE_WHITESPACE
a.jsonl:1: $.clusters[0][1]: found tokens 2 to 9,
expected a range within the 4 tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Format, Record
from graphscore.formats.coreference.coref_jsonlines_record import records
from graphscore.formats.coreference.coref_jsonlines_write import write
from graphscore.formats.shared.json_lines import objects
from graphscore.formats.source import BOM
from graphscore.structures.layout import COREF

_MARK = re.compile(
    rb'"(?:speakers?|constituents|subtoken_map|sentence_map|cased_words'
    rb'|span_clusters|word_clusters)"\s*:\s*[\[{]'
)
"""Fields that only systems for coreference have."""

_CLUSTERS = re.compile(rb'"(?:predicted_)?clusters"\s*:\s*\[')
_WORDS = re.compile(rb'"(?:sentences|tokens)"\s*:\s*\[|"text"\s*:\s*"')
_OTHER = re.compile(
    rb'"framework"\s*:|"sent_id"\s*:\s*"|"(?:ner|predicted_ner)"\s*:\s*\[\s*\[\s*[\[\]]'
    rb'|"(?:(?:predicted_)?(?:relations|events)|dataset|n_ary_relations|coref)"\s*:'
)
"""Fields of other formats; the entities of DyGIE++ are lists by sentence."""


def _read(stream: BinaryIO, name: str) -> Iterator[Record]:
    yield from records(objects(stream, name), False)


def _sniff(head: bytes) -> bool:
    """Whether a file begins like a line of clusters, and of nothing else."""
    start = head.removeprefix(BOM).lstrip()
    if not start.startswith(b"{") or _OTHER.search(start):
        return False
    if _MARK.search(start):
        return True
    # Further layers may follow where the line goes on.
    line, _, rest = start.partition(b"\n")
    whole = bool(rest) or line.rstrip().endswith(b"}")
    return whole and bool(_CLUSTERS.search(line) and _WORDS.search(line))


FORMAT = Format(
    name="coref-jsonlines",
    title="clusters of coreference as JSON lines",
    frameworks=(COREF,),
    suffixes=(".jsonlines", ".jsonl", ".json"),
    read=_read,
    sniff=_sniff,
    write=write,
)
