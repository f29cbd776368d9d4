r"""EDS in its native notation, as the DELPH-IN tools print it.

One graph in braces, its id above it, the id of its top before the first colon, then
a node to a line: ``id:predicate<from:to>("constant"){type NAME value}[ROLE id]``.
Constant and properties may be absent.  The constant is the property ``carg``, as
in the MRP releases; the type of a variable is ``type`` in ``extra``, as are links to
the surface that are not ranges of characters (``lnk``) and the marks of fragmented
graphs (``fragment`` of a node, ``status`` of the graph).

>>> import io
>>> text = b'''#1
... {e2:
...  e2:_bark_v_1<5:9>{e SF prop}[ARG1 x4]
...  x4:named<0:4>("Fido")[]
... }'''
>>> [record] = read(io.BytesIO(text), "a.eds")
>>> bark, fido = record.graph.nodes
>>> bark.label, bark.properties, bark.extra, fido.properties
('_bark_v_1', (('SF', 'prop'),), (('type', 'e'),), (('carg', 'Fido'),))
>>> [record] = read(io.BytesIO(text.replace(b"x4]", b"x5]")), "a.eds")
>>> print(*record.problems)
a.eds:3:36: ARG1: found 'x5', expected the id of a node
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.meaning.braces import (
    CONSTANT,
    ID,
    LONGEST_LINE,
    RANGE,
    BracedRecord,
    Splitter,
    visible_from,
)
from graphscore.formats.shared.paragraphs import Piece, paragraphs, separate_records
from graphscore.formats.shared.records import LAST_POSITION
from graphscore.formats.writing import spell_value
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.model.normalize import Results

SYMBOL = r"[^\s:,<>(){}\[\]|#\"]"
"""A character of an id."""

_MARK = r"(?:<(?![-@\d])|\((?!\"))"
LABEL = rf"[^\s<({{\[]++|(?>[^\s<({{\[]*+(?:{_MARK}[^\s<({{\[]*+)+)"
"""A predicate; it may hold what does not begin a range, a constant or a list.

What follows it never begins like a mark, so that few are tried as more than a word.  A
possessive group (``(...)++``) with choices in it goes wrong before Python 3.11.5.
"""

# Possessive where a match could be tried twice: no text, however hostile, is gone
# over again and again.
STRING = r'\("(?:[^"\\]++|\\.)*+"\)'
"""A constant."""

TOP = re.compile(
    rf"[ \t]*(?:({SYMBOL}++):(?=\s|[(|}}]|{SYMBOL}++:)|:)?"
    r"\s*(?:\(((?:cyclic)? *(?:fragmented)?)\))?"
)
"""Pattern of the text after the first brace: the top, and the marks of the graph."""

NODE = (
    rf"(?P<fragment>\|?+)\s*+(?P<id>{SYMBOL}++):"
    rf"(?P<label>{LABEL})"
    rf"(?P<lnk><[-@\d][-@#:\d ]*+>|)(?P<carg>{STRING}|)"
    r"(?P<properties>\{[^{}]*+\}|)\s*+\[(?P<edges>[^\[\]]*+)\]"
)
"""A node, from its first visible character on."""

_PIECE = re.compile(rf"\s*+(?:{NODE}|(\S(?s:.*)))")
_BEGINNING = re.compile(r"(?:#([^\s{]++)[ \t\r]*+\n)?+\{")
_PAIR = re.compile(r"\s*([^\s,]+)\s+([^\s,]+)\s*")
_ESCAPED = re.compile(r'\\(["\\])')

Strings = tuple[tuple[str, str], ...]
Extra = tuple[tuple[str, Any], ...]


def pairs_of(text: str) -> Strings | None:
    """Names and values, or roles and ids; ``None`` if they are none.

    >>> pairs_of(" ARG1 x4,BV x5"), pairs_of(" "), pairs_of("ARG1")
    ((('ARG1', 'x4'), ('BV', 'x5')), (), None)
    """
    if not text.strip():
        return ()
    matches = [_PAIR.fullmatch(pair) for pair in text.split(",")]
    pairs = tuple([(match[1], match[2]) for match in matches if match])
    return pairs if len(pairs) == len(matches) else None


def variable_of(text: str) -> tuple[Extra, Strings | None]:
    """A type and the properties after it, in braces."""
    kind, _, rest = text[1:-1].strip().partition(" ")
    return (("type", kind),), pairs_of(rest)


def constant_of(text: str) -> str:
    r"""Return the value of a constant.

    >>> constant_of(r'("a \"b\"")')
    'a "b"'
    """
    constant = text[2:-2]
    return _ESCAPED.sub(r"\1", constant) if "\\" in constant else constant


def _surface_of(lnk: str) -> tuple[tuple[Anchor, ...], Extra] | None:
    """A range of characters, or another link to the surface as it is.

    Returns:
        Nothing for a range that cannot be.
    """
    if not lnk:
        return (), ()
    match = RANGE.fullmatch(lnk, 1, len(lnk) - 1)
    if match is None:
        return (), (("lnk", lnk[1:-1]),)
    start, end = int(match[1]), int(match[2])
    return ((Anchor(start, end),), ()) if start <= end <= LAST_POSITION else None


_pairs, _variables = Results(pairs_of), Results(variable_of)
_surfaces = Results(_surface_of)


def _graph(
    item: str, top: str | None, pieces: Sequence[Sequence[Any]], extra: dict[str, Any]
) -> Graph | None:
    """The graph of the groups of nodes; ``None`` if anything does not fit."""
    ids = {piece[1] for piece in pieces}
    if len(ids) < len(pieces) or not (top is None or top in ids):
        return None
    nodes: list[Node] = []
    edges: list[Edge] = []
    for fragment, name, label, lnk, carg, variable, roles, _ in pieces:
        surface, arguments = _surfaces[lnk], _pairs[roles]
        if surface is None or arguments is None:
            return None
        anchors, more = surface
        values: Strings = ((CONSTANT, constant_of(carg)),) if carg else ()
        if variable:
            kind, pairs = _variables[variable]
            if pairs is None:
                return None
            values, more = values + pairs, more + kind
        if fragment:
            more = (*more, ("fragment", True))
        nodes.append(Node(name, label, values, anchors, more))
        for role, target in arguments:
            if target not in ids:
                return None
            edges.append(Edge(name, target, role))
    tops = () if top is None else (top,)
    return Graph(
        item,
        "eds",
        1,
        nodes=tuple(nodes),
        edges=tuple(edges),
        tops=tops,
        extra=extra,
    )


def plain_graph(first: int, lines: bytes) -> ReadGraph | None:
    r"""The graph of a paragraph, which is taken apart by a single expression.

    Args:
        first: the number of its first line.
        lines: its lines, none of them blank.

    Returns:
        The graph; ``None`` if they are anything but an id and one graph.

    Example:
        >>> line = b"#1\n{e2: e2:_bark_v_1<5:9>[ARG1 x4] x4:_dog_n_1<0:4>[] }"
        >>> plain_graph(7, line).graph.id, plain_graph(7, line[:-1])
        ('1', None)
    """
    try:
        text = lines.decode()
    except UnicodeDecodeError:
        return None
    match = _BEGINNING.match(text)
    # Where a line begins with a mark, another graph may.
    if match is None or text.find("\n#", start := match.end()) >= 0:
        return None
    header = TOP.match(text, start)
    top, status = (header[1], header[2]) if header else (None, None)
    *pieces, last = _PIECE.findall(text, header.end() if header else start) or [("",)]
    if last[-1].rstrip() != "}":
        return None
    # Braces and constants may stand within other things, too.
    constants = len(pieces) - [piece[4] for piece in pieces].count("")
    variables = len(pieces) - [piece[5] for piece in pieces].count("") + 1
    counted = text.count('("'), text.count("{"), text.count("}")
    if counted != (constants, variables, variables):
        return None
    extra = {"status": status} if status else {}
    graph = _graph(match[1] or "", top, pieces, extra)
    return None if graph is None else ReadGraph(first, graph)


class _Record(BracedRecord):
    """A graph that is taken apart node by node, to say where anything is wrong."""

    called = "eds"

    def graph(self, text: str) -> Graph | None:
        start = text.index("{") + 1
        head = TOP.match(text, start)
        top, status = (head[1], head[2]) if head else (None, None)
        position = head.end() if head else start
        matches: dict[str, re.Match[str]] = {}
        while (position := visible_from(text, position)) < len(text) - 1:
            node = _PIECE.match(text, position)
            if node is not None and node["id"] is not None:
                self._check(node, matches)
                position = node.end()
                continue
            if text[position] == "}" and visible_from(text, position + 1) == len(text):
                break
            end = text.find("\n", position)
            line = text[position : end if end >= 0 else len(text)]
            expected = 'id:predicate<from:to>("constant"){type NAME value}[ROLE id]'
            self.at(position, "", repr(line[:60]), expected)
            position += len(line)
        if not self.problems:
            self._targets(text, matches)
        if top is not None and top not in matches and not self.problems:
            self.at(start, "top", repr(top), "the id of a node")
        if self.problems:
            return None
        extra: dict[str, Any] = {"status": status} if status else {}
        if self.comments:
            extra["comments"] = self.comments
        pieces = [match.groups("") for match in matches.values()]
        return _graph(self.item, top, pieces, extra)

    def _check(self, match: re.Match[str], matches: dict[str, re.Match[str]]) -> None:
        """Take a node, and note what is wrong with it."""
        lnk, variable = match["lnk"], match["properties"]
        if lnk and _surface_of(lnk) is None:
            start, _, end = lnk[1:-1].partition(":")
            if int(end) < int(start):
                expected = "a range from a smaller to a larger position"
            else:
                expected = f"a range up to {LAST_POSITION}"
            self.wrong(match, "lnk", expected, 1)
        if variable and variable_of(variable)[1] is None:
            expected = "a type, then NAME value, NAME value"
            self.wrong(match, "properties", expected, 1)
        if match["id"] in matches:
            self.wrong(match, "id", "an id that no other node has")
        if pairs_of(match["edges"]) is None:
            self.wrong(match, "edges", "ROLE id, ROLE id")
        matches[match["id"]] = match

    def _targets(self, text: str, matches: dict[str, re.Match[str]]) -> None:
        """Note the first edge that leads to no node."""
        for match in matches.values():
            position = match.start("edges")
            for role, target in pairs_of(match["edges"]) or ():
                position = text.index(target, text.index(role, position) + len(role))
                if target not in matches:
                    self.at(position, role, repr(target), "the id of a node")
                    return


class _Splitter(Splitter):
    """Cuts a file at ids and braces; in strings, braces say nothing."""

    mark = re.compile(rf"{STRING}|[{{}}]")
    header = ID
    headed = "a graph in braces, or # and its id"
    record_of = _Record


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""

    def plain(first: int, lines: bytes) -> Piece | None:
        graph = plain_graph(first, lines)
        return graph and Piece(graph)

    pieces = paragraphs(stream, LONGEST_LINE, plain, _Splitter(name))
    yield from separate_records(pieces, name)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    for graph in graphs:
        yield f"{eds_text(graph)}\n\n".encode()


_LINK = re.compile(r"[-@\d][-@#:\d ]*")
_STATUS = re.compile(r"cyclic|fragmented|cyclic fragmented")
_VARIABLE = re.compile(r"[a-z]\d+")
_ESCAPE = re.compile(r'["\\]')


def eds_text(graph: Graph) -> str:
    """The graph in native notation, with its id above it.

    Properties are written where there are any; node ids are written as they are.

    Args:
        graph: a graph with one top or none, and one range of characters at a node.

    Returns:
        Several lines, without a line break at the end.

    Example:
        >>> fido = Node("x4", "named", (("carg", "Fido"),), (Anchor(0, 4),))
        >>> print(eds_text(Graph("1", "eds", 1, nodes=(fido,), tops=("x4",))))
        #1
        {x4:
         x4:named<0:4>("Fido")[]
        }
    """
    outgoing: dict[NodeId, list[Edge]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        outgoing[edge.source].append(edge)
    lines = []
    if graph.id:
        lines.append(f"#{graph.id}")
    comments = graph.extra.get("comments")
    if isinstance(comments, list):
        lines += [f"# {' '.join(str(comment).split())}" for comment in comments]
    top = f"{graph.tops[0]}:" if graph.tops else ":"
    status = graph.extra.get("status")
    if isinstance(status, str) and _STATUS.fullmatch(status):
        top += f" ({status})"
    lines.append("{" + top)
    lines += [_node_line(node, outgoing[node.id]) for node in graph.nodes]
    return "\n".join([*lines, "}"])


def _node_line(node: Node, edges: Iterable[Edge]) -> str:
    extra = dict(node.extra)
    name = str(node.id)
    pieces = ["|" if extra.get("fragment") is True else " ", name, ":"]
    pieces.append(spell_value(node.label))
    lnk = extra.get("lnk")
    if node.anchors:
        start, end = node.anchors[0]
        pieces.append(f"<{start}:{end}>")
    elif isinstance(lnk, str) and _LINK.fullmatch(lnk):
        pieces.append(f"<{lnk}>")
    properties = list(node.properties)
    carg = next((p for p in properties if p[0].lower() == CONSTANT), None)
    if carg is not None:
        properties.remove(carg)
        text = spell_value(carg[1])
        pieces.append('("' + _ESCAPE.sub(r"\\\g<0>", text) + '")')
    kind = extra.get("type")
    if properties or isinstance(kind, str):
        if not isinstance(kind, str):
            kind = name[0] if _VARIABLE.fullmatch(name) else "u"
        written = ", ".join(f"{key} {spell_value(value)}" for key, value in properties)
        pieces.append(f"{{{kind} {written}}}" if written else f"{{{kind}}}")
    written = ", ".join(f"{spell_value(edge.label)} {edge.target}" for edge in edges)
    return f"{''.join(pieces)}[{written}]"
