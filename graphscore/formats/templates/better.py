r"""BETTER: basic events and granular templates in one JSON object a corpus (bp-json).

The format of the BETTER program (versions v8 to v10): entries by name, each with a
text, sets of coreferent spans, events whose arguments are such sets, and templates
whose slots have sets, events, truth values or one of a few words::

    {"corpus-id": "c", "format-type": "bp-corpus", "format-version": "v10",
     "entries": {"d1": {"entry-id": "d1", "doc-id": "d1", "segment-text": "He left.",
       "annotation-sets": {"basic-events": {
         "span-sets": {"ss-1": {"ssid": "ss-1", "spans":
           [{"string": "He", "start": 0, "end": 2, "synclass": "pronoun"}]}},
         "events": {}, "granular-templates": {"template-1": {
           "template-id": "template-1", "template-type": "Protestplate",
           "who": [{"ssid": "ss-1", "irrealis": "hypothetical"}],
           "over-time": false}}}}}}}

An entry gives a graph for each of the two layers that has a key: ``event`` and
``template``.

>>> import io
>>> data = b'''{"entries": {"d1": {"doc-id": "d", "segment-text": "He left.",
... "annotation-sets": {"basic-events": {"span-sets":
...   {"ss-1": {"spans": [{"string": "He", "start": 0, "end": 2}]}},
... "granular-templates": {"t-1": {"template-type": "Protestplate",
...   "who": [{"ssid": "ss-1"}], "over-time": false}}}}}}}'''
>>> [record] = read(io.BytesIO(data), "gold.bp.json")
>>> [(edge.label, edge.target) for edge in record.graph.edges[1:]]
[('who', 'ss-1'), ('over-time', 1)]
>>> [record] = read(io.BytesIO(data.replace(b'd": "ss', b'd": "s')), "a.json")
>>> print(*record.problems) # doctest: +ELLIPSIS
a.json:1: $.entries.d1...granular-templates.t-1.who[0].ssid: found 's-1', expected ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.shared.json_files import Lines, failed, taken, whole
from graphscore.formats.shared.json_lines import JsonLine, shown
from graphscore.formats.shared.json_scan import Scan
from graphscore.formats.templates.better_record import Entry

_BEGINS = re.compile(
    rb'"[^"\\\n]*+"\s*+:\s*+\{\s*+'
    rb'"(?:annotation-sets|char2tok|doc-id|entry-id|lang|segment-\w++|sent-id)"\s*+:'
)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, key, value in _entries(stream, name):
        line.item = key
        if isinstance(value, dict):
            yield from Entry(line, key, value).records()
            continue
        if value is not None:
            line.add(f"$.entries.{key}", shown(value), "an entry")
        yield line.rejected()


def _entries(stream: BinaryIO, name: str) -> Iterator[tuple[JsonLine, str, Any]]:
    """The entries, wherever the corpus has them."""
    data = whole(stream)
    if data is None:
        yield failed(name, 1, "a file that is too long", "a corpus")
        return
    start = len(data) - len(data.lstrip())
    lines = Lines(data)
    if data[start : start + 1] != b"{":
        found = repr(data[start : start + 20].decode("utf-8", "replace"))
        yield failed(name, lines.at(start), found, "an object with entries")
        return
    corpus = Scan(data, start, _BEGINS)
    seen = False
    while (key := corpus.next()) is not None:
        if key == "entries" and data[corpus.place : corpus.place + 1] == b"{":
            seen = True
            inner = Scan(data, corpus.place, _BEGINS)
            yield from taken(inner, data, name, lines, "$.entries")
            corpus.place = inner.place
        else:
            corpus.take()
    if not seen:
        yield failed(name, lines.at(start), "no entries", "an object with entries")
    elif corpus.problem is not None:
        yield failed(name, lines.at(len(data)), *corpus.problem)
