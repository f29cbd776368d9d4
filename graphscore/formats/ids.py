r"""Ids: the items of a collection, one id to a line, each once.

>>> from graphscore.model.graph import Graph
>>> b"".join(FORMAT.write([Graph("1", "dm"), Graph("1", "amr"), Graph("2", "dm")]))
b'1\n2\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.formats.base import Format
from graphscore.formats.txt import identified
from graphscore.model.graph import Graph


def _write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    written: set[str] = set()
    for name, _ in identified(graphs):
        if name not in written:
            written.add(name)
            yield f"{name}\n".encode("utf-8", "backslashreplace")


FORMAT = Format(
    name="ids",
    title="Ids of the items, one to a line",
    frameworks=(),
    suffixes=(".ids",),
    write=_write,
)
"""Only written."""
