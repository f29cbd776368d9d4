r"""Graphs of SDP as columns, and those in which nothing is out of the ordinary.

A paragraph of an id and tokens with as many columns each is checked column by column
and laid out; anything else is left to :mod:`graphscore.formats.meaning.sdp`, which says
what is wrong.

>>> text = b"#1\n1\tDogs\tdog\tNNS\t-\t-\tARG1\n2\tbark\tbark\tVBP\t+\t+\t_\n"
>>> read = plain_graph(5, [text], "dm", None)
>>> read.line, read.graph.text, read.graph.edges[0].label
(5, 'Dogs bark', 'ARG1')
>>> plain_graph(5, [text.replace(b"\t_", b"")], "dm", None)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from graphscore.formats.base import Read
from graphscore.formats.texts import joined
from graphscore.model.graph import IDLE_PREDICATES, Edge, Graph, Node, Pairs

SKIPPED = "singletons"
"""Where a graph keeps the tokens that are no nodes: lemma, pos and frame by number."""

ABSENT = "_"

KEYED = re.compile(r"#\s*[^\s=]+\s*=(?:\s|$)")
"""A comment with a key, which is no id."""

SHARED = 1 << 14
"""So many different properties of nodes are remembered."""

_FLAGS = frozenset("+-")


@lru_cache(SHARED)
def _properties(pos: str, frame: str) -> Pairs:
    pairs = (("pos", pos), ("frame", frame))
    return tuple([pair for pair in pairs if pair[1] != ABSENT])


@lru_cache(1024)
def _numbers(count: int) -> tuple[str, ...]:
    """The ids of so many tokens."""
    return tuple(map(str, range(1, count + 1)))


def laid(
    item: str,
    framework: str,
    columns: Sequence[Sequence[str]],
    edges: Sequence[Edge],
    comments: Sequence[str] = (),
) -> Graph:
    """The graph of a table that has nothing wrong.

    Args:
        item: its id.
        framework: its framework.
        columns: the cells of all tokens, column by column: number, form, lemma, part of
            speech, marks of tops and predicates, and frames, where there are any.
        edges: from the numbers of predicates, in the order of the tokens.
        comments: those above it, but for its id.
    """
    ids, forms, lemmas, tags, marks, flags = columns[:6]
    frames = columns[6] if len(columns) > 6 else [ABSENT] * len(ids)
    text, tokens = joined(forms)
    tops = tuple([number for number, mark in enumerate(marks, 1) if mark == "+"])
    predicates = {number for number, flag in enumerate(flags, 1) if flag == "+"}
    linked = {edge.target for edge in edges}.union(predicates, tops)
    nodes: list[Node] = []
    skipped: dict[str, list[str]] = {}
    cells = zip(lemmas, tags, frames, tokens, strict=True)
    for number, (lemma, pos, frame, token) in enumerate(cells, 1):
        if number in linked:
            label = None if lemma == ABSENT else lemma
            nodes.append(Node(number, label, _properties(pos, frame), (token,)))
        else:
            skipped[ids[number - 1]] = [lemma, pos, frame]
    extra: dict[str, Any] = {}
    if skipped:
        extra[SKIPPED] = skipped
    predicates.difference_update([edge.source for edge in edges])
    if predicates:
        extra[IDLE_PREDICATES] = sorted(predicates)
    if comments:
        extra["comments"] = comments
    return Graph(
        item,
        framework,
        0,
        text=text,
        tokens=tokens,
        nodes=tuple(nodes),
        edges=tuple(edges),
        tops=tops,
        extra=extra,
    )


def plain_graph(
    first: int, lines: list[bytes], framework: str, modern: bool | None
) -> Read | None:
    """The graph of a paragraph.

    Args:
        first: the number of its first line.
        lines: its lines, none of them blank.
        framework: that of the file.
        modern: whether the file says that there is a column of frames; ``None`` where
            it says nothing.

    Returns:
        The graph; ``None`` if they are anything but an id and tokens.
    """
    try:
        text = b"".join(lines).decode()
    except UnicodeDecodeError:
        return None
    if "\r" in text or " \n" in text or text.endswith(" "):
        text = "\n".join([line.rstrip("\r\n ") for line in text.split("\n")])
    name, *rows = text.removesuffix("\n").split("\n")
    # Another line with a mark begins a graph, or is a comment.
    if not rows or name[:1] != "#" or "\n#" in text or "\t\n" in f"{text}\n":
        return None
    if KEYED.match(name):
        return None
    table = _table(rows, modern)
    if table is None:
        return None
    return Read(first, laid(name[1:].strip(), framework, *table))


def _table(
    rows: list[str], modern: bool | None
) -> tuple[list[tuple[str, ...]], list[Edge]] | None:
    """The columns before those of arguments, and the edges; ``None`` if any is bad."""
    columns = _columns(rows, 7)
    if len(columns) < 6:
        return None
    ids, forms, _, _, marks, flags = columns[:6]
    if (
        ids != _numbers(len(rows))
        or "" in forms
        or not _FLAGS.issuperset(marks)
        or not _FLAGS.issuperset(flags)
    ):
        return None
    predicates = [number for number, flag in enumerate(flags, 1) if flag == "+"]
    if modern is None:
        modern = rows[0].count("\t") + 1 == 7 + len(predicates)
    if not modern:
        columns = _columns(rows, 6)
    if len(columns) != (7 if modern else 6) + bool(predicates):
        return None
    edges = _edges(predicates, columns.pop()) if predicates else []
    return None if edges is None else (columns, edges)


def _columns(rows: list[str], fixed: int) -> list[tuple[str, ...]]:
    """So many columns and, as one more, all that follows; none if they are uneven."""
    try:
        return [*zip(*[row.split("\t", fixed) for row in rows], strict=True)]
    except ValueError:
        return []


def _edges(predicates: list[int], arguments: Sequence[str]) -> list[Edge] | None:
    """The edges of the last cells of rows; ``None`` if one is of another width."""
    tabs = len(predicates) - 1
    nothing = "\t".join([ABSENT] * len(predicates))
    edges = []
    for number, cells in enumerate(arguments, 1):
        if cells == nothing:
            continue
        if cells.count("\t") != tabs:
            return None
        for source, label in zip(predicates, cells.split("\t"), strict=True):
            if label != ABSENT:
                edges.append(Edge(source, number, label))
    return edges
