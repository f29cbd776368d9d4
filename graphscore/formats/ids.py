r"""Ids: the items of a collection, one id to a line, each once.

>>> from graphscore.model.graph import Graph
>>> b"".join(write([Graph("1", "dm"), Graph("1", "amr"), Graph("2", "dm")]))
b'1\n2\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.formats.txt import identified
from graphscore.model.graph import Graph


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    written: set[str] = set()
    for name, _ in identified(graphs):
        if name not in written:
            written.add(name)
            yield f"{name}\n".encode("utf-8", "backslashreplace")
