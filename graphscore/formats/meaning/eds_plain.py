r"""Graphs of EDS in which nothing is out of the ordinary, which are nearly all.

A paragraph of an id and one whole graph is taken apart by a single expression, node by
node.  Whatever it does not match is left to :mod:`graphscore.formats.meaning.eds`,
which says what is wrong; what both read alike stands here.

>>> text = b"#1\n{e2: e2:_bark_v_1<5:9>[ARG1 x4] x4:_dog_n_1<0:4>[] }"
>>> read = plain_graph(7, [text])
>>> read.line, read.graph.id, [node.label for node in read.graph.nodes]
(7, '1', ['_bark_v_1', '_dog_n_1'])
>>> plain_graph(7, [text[:-1]])
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from graphscore.formats.base import Read
from graphscore.formats.meaning.eds_write import CONSTANT, LABEL, SYMBOL
from graphscore.formats.meaning.mrp_plain import LAST_POSITION
from graphscore.model.graph import Anchor, Edge, Graph, Node

SHARED = 1 << 14
"""So many different parts of nodes are remembered."""

# Possessive where a match could be tried twice: no text, however hostile, is gone
# over again and again.
STRING = r'\("(?:[^"\\]++|\\.)*+"\)'
"""A constant."""

TOP = re.compile(
    rf"[ \t]*(?:({SYMBOL}++):(?=\s|[(|}}]|{SYMBOL}++:)|:)?"
    r"\s*(?:\(((?:cyclic)? *(?:fragmented)?)\))?"
)
"""What follows the first brace: the top, and the marks of the graph."""

NODE = (
    rf"(?P<fragment>\|)?\s*+(?P<id>{SYMBOL}++):"
    rf"(?P<label>{LABEL})"
    rf"(?:<(?P<lnk>[-@#:\d ]*+)>)?(?P<carg>{STRING})?"
    r"(?:\{(?P<properties>[^{}]*+)\})?\s*+\[(?P<edges>[^\[\]]*+)\]"
)
"""A node, from its first visible character on."""

RANGE = re.compile(r"(\d{1,9}):(\d{1,9})")
"""The characters of a node."""

_PIECE = re.compile(rf"\s*+(?:{NODE}|(\S(?s:.*)))")
_BEGINNING = re.compile(r"(?:#([^\s{]++)[ \t\r]*+\n)?+\{")
_PAIR = re.compile(r"\s*([^\s,]+)\s+([^\s,]+)\s*")
_ESCAPED = re.compile(r'\\(["\\])')

Strings = tuple[tuple[str, str], ...]


@lru_cache(SHARED)
def pair_of(text: str) -> tuple[str, str] | None:
    """A name and a value, or a role and an id; ``None`` if they are none.

    >>> pair_of(" ARG1 x4"), pair_of("ARG1")
    (('ARG1', 'x4'), None)
    """
    found = _PAIR.fullmatch(text)
    return (found[1], found[2]) if found else None


def pairs_of(text: str) -> Strings | None:
    """Names and values separated by commas; ``None`` if they are none."""
    if not text.strip():
        return ()
    found = tuple(map(pair_of, text.split(",")))
    return None if None in found else found  # type: ignore[return-value]


@lru_cache(SHARED)
def variable_of(text: str) -> tuple[str, Strings | None]:
    """A type and the properties after it."""
    kind, _, rest = text.strip().partition(" ")
    return kind, pairs_of(rest)


def constant_of(text: str) -> str:
    r"""What a constant says.

    >>> constant_of(r'("a \"b\"")')
    'a "b"'
    """
    constant = text[2:-2]
    return _ESCAPED.sub(r"\1", constant) if "\\" in constant else constant


@lru_cache(SHARED)
def _anchors_of(lnk: str) -> tuple[Anchor, ...] | None:
    """The anchors of a node; ``None`` if they are no range, or one that cannot be."""
    found = RANGE.fullmatch(lnk)
    start, end = (int(found[1]), int(found[2])) if found else (1, 0)
    return (Anchor(start, end),) if start <= end <= LAST_POSITION else None


def plain_graph(first: int, lines: list[bytes]) -> Read | None:
    """The graph of a paragraph.

    Args:
        first: the number of its first line.
        lines: its lines, none of them blank.

    Returns:
        The graph; ``None`` if they are anything but an id and one graph.
    """
    try:
        text = b"".join(lines).decode()
    except UnicodeDecodeError:
        return None
    found = _BEGINNING.match(text)
    # Where a line begins with a mark or a brace, another graph may.
    if found is None or "<>" in text:
        return None
    start = found.end()
    if text.find("\n#", start) >= 0 or text.find("\n{", start) >= 0:
        return None
    header = TOP.match(text, start)
    top, status = (header[1], header[2]) if header else (None, None)
    *pieces, last = _PIECE.findall(text, header.end() if header else start) or [("",)]
    if last[-1].rstrip() != "}":
        return None
    parts = _parts(pieces, text)
    if parts is None:
        return None
    nodes, edges = parts
    if top is not None and top not in nodes:
        return None
    graph = Graph(
        found[1] or "",
        "eds",
        1,
        nodes=tuple(nodes.values()),
        edges=tuple(edges),
        tops=() if top is None else (top,),
        extra={"status": status} if status else {},
    )
    return Read(first, graph)


def _parts(
    pieces: list[tuple[str, ...]], text: str
) -> tuple[dict[str, Node], list[Edge]] | None:
    """The nodes, by their ids, and the edges; ``None`` if there is anything unusual."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    constants, variables = 0, 1
    for fragment, name, label, lnk, carg, properties, roles, _ in pieces:
        anchors = _anchors_of(lnk) if lnk else ()
        if not name or anchors is None or name in nodes:
            return None
        values: Strings = ()
        extra: tuple[tuple[str, Any], ...] = ()
        if carg:
            if "\n" in carg:
                return None
            constants += 1
            values = ((CONSTANT, constant_of(carg)),)
        if properties:
            variables += 1
            kind, pairs = variable_of(properties)
            if pairs is None:
                return None
            values += pairs
            extra = (("type", kind),)
        if fragment:
            extra += (("fragment", True),)
        nodes[name] = Node(name, label, values, anchors, extra)
        if roles:
            for pair in map(pair_of, roles.split(",")):
                if pair is None:
                    return None
                edges.append(Edge(name, pair[1], pair[0]))
    # Braces and constants may stand within other things, too.
    counted = text.count('("'), text.count("{"), text.count("}")
    if counted != (constants, variables, variables):
        return None
    return (nodes, edges) if nodes.keys() >= {e.target for e in edges} else None
