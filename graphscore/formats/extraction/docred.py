r"""DocRED: documents with entities and relations among them, one array a file.

Yao et al. (2019), *DocRED: A Large-Scale Document-Level Relation Extraction
Dataset*; https://github.com/thunlp/DocRED.  Entities are lists of mentions, with the
sentence and the range of words (the last one excluded); relations name entities by
their positions::

    [{"title": "Skai TV", "sents": [["Skai", "TV", "is", "Greek", "."]],
      "vertexSet": [[{"name": "Skai TV", "sent_id": 0, "pos": [0, 2], "type": "ORG"}],
                    [{"name": "Greek", "sent_id": 0, "pos": [3, 4], "type": "LOC"}]],
      "labels": [{"h": 0, "t": 1, "r": "P17", "evidence": [0]}]}]

What systems put out has relations only, each with its document::

    [{"title": "Skai TV", "h_idx": 0, "t_idx": 1, "r": "P17"}]

There the entities are those of the gold file, so an entity is its position: the
property ``index``, on both sides.  In predictions entities have nothing else.

>>> import io
>>> data = b'[{"title": "Skai TV", "h_idx": 0, "t_idx": 4, "r": "P17"}]'
>>> [record] = read(io.BytesIO(data), "result.json")
>>> [node.properties[1:] for node in record.graph.nodes]
[(('index', 0),), (('index', 4),), ()]
>>> [record] = read(io.BytesIO(data.replace(b"4", b"-4")), "result.json")
>>> print(*record.problems)
result.json:1: $[0].t_idx: found -4, expected the position of an entity
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.extraction.docred_record import (
    Document,
    Predictions,
    title_of,
)
from graphscore.formats.shared.json_files import members
from graphscore.formats.shared.json_lines import shown

_BEGINS = re.compile(
    rb'\{\s*+"(?:title|sents|vertexSet|labels|na_triple|h_idx|t_idx)"\s*+:'
)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    predicted: dict[str, Predictions] = {}
    for line, key, value in members(stream, name, _BEGINS):
        if not isinstance(value, dict):
            if not line.problems:
                line.add(f"$[{key}]", shown(value), "a document or a relation")
            yield line.rejected()
        elif "h_idx" not in value and "t_idx" not in value:
            yield from Document(line, f"$[{key}]", value).records()
        else:
            title = title_of(line, f"$[{key}]", value)
            found = predicted.setdefault(title, Predictions(line, title))
            found.add(line, f"$[{key}]", value)
    # Only now is it known that no further relation of a document follows.
    for each in predicted.values():
        yield each.record()
