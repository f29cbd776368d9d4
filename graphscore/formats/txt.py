r"""Plain text: an item's id, a tab and its text, a line each.

An item in several frameworks is one line, as long as its text is the same.  A
graph without an id is numbered within its framework, as pairing does.  Line
breaks and tabs inside a text become blanks, so that a line stays a line and
every character keeps its position.  Half of a surrogate pair is an error.

>>> from graphscore.model.graph import Graph
>>> graphs = [Graph("1", "dm", text="Dogs\nbark"), Graph("1", "amr", text="Dogs\nbark")]
>>> b"".join(write(graphs))
b'1\tDogs bark\n'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphscore.errors import GraphscoreError
from graphscore.formats.likeness import code_point
from graphscore.model.graph import Graph

_BREAK = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
"""What some reader takes for the end of a line, or a column."""


def identified(graphs: Iterable[Graph]) -> Iterator[tuple[str, Graph]]:
    """Graphs with their ids; those without one are numbered from 0.

    Args:
        graphs: any graphs.

    Yields:
        Ids and graphs.

    Raises:
        GraphscoreError: if an id cannot stand on a line.
    """
    numbers: dict[tuple[str, str], int] = {}
    for graph in graphs:
        name = graph.id
        if not name:
            key = (graph.framework, graph.language)
            numbers[key] = numbers.get(key, -1) + 1
            name = str(numbers[key])
        if found := _BREAK.search(name):
            raise GraphscoreError(
                f"item {name!r}: a tab or line break in an id, {code_point(found[0])}"
            )
        yield name, graph


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    written: set[tuple[str, str]] = set()
    for name, graph in identified(graphs):
        text = _BREAK.sub(" ", graph.text)
        if (name, text) not in written:
            written.add((name, text))
            yield _encoded(f"{name}\t{text}\n", name)


def write_ids(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""The ids of the items, one to a line, each once.

    >>> b"".join(write_ids([Graph("1", "dm"), Graph("1", "amr"), Graph("2", "dm")]))
    b'1\n2\n'
    """
    written: set[str] = set()
    for name, _ in identified(graphs):
        if name not in written:
            written.add(name)
            yield _encoded(f"{name}\n", name)


def _encoded(line: str, name: str) -> bytes:
    try:
        return line.encode()
    except UnicodeEncodeError as error:
        character = code_point(line[error.start])
        raise GraphscoreError(
            f"item {name!r}: plain text cannot hold {character}, half of a surrogate "
            "pair"
        ) from None
