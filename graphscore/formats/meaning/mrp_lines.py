"""Lines of MRP files, read alone.

>>> line = b'{"id": "1", "framework": "dm", "nodes": [{"id": 0, "label": "dog"}]}'
>>> key(line), key(b"{")
(('dm', '1'), None)
>>> [record.line for record in read([(7, line), (8, b" ")], "a.mrp")]
[7]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from graphscore.formats.base import LineKey, Record
from graphscore.formats.meaning.mrp import parse_line


class _Named(msgspec.Struct):
    id: str | int
    framework: str


_decode = msgspec.json.Decoder(_Named).decode


def key(raw: bytes) -> LineKey | None:
    """What a line seems to be, which is not read.

    Args:
        raw: its bytes.
    """
    try:
        named = _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return named.framework, str(named.id)


def read(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Record]:
    """The records of lines.

    Args:
        lines: their numbers and bytes; blank ones are no records.
        name: the name of their file.
    """
    for number, raw in lines:
        if raw.strip():
            yield parse_line(raw, name, number)
