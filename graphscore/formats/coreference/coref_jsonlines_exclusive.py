r"""Clusters of coreference whose ranges of tokens end before their second number.

Nothing in a file tells them from those of ``coref-jsonlines``; this format is never
recognised by itself but named.  Both are written in the same way.

>>> import io
>>> data = b'{"tokens": ["Jo", "Ann", "left"], "clusters": [[[0, 2]]]}'
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> [record.graph.text[start:end] for start, end in record.graph.nodes[0].anchors]
['Jo Ann']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.coreference.coref_jsonlines_record import records
from graphscore.formats.shared.json_lines import objects


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    yield from records(objects(stream, name), True)
