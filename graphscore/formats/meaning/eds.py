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
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any, BinaryIO, ClassVar

from graphscore.formats.base import Record
from graphscore.formats.meaning.eds_plain import (
    NODE,
    RANGE,
    STRING,
    TOP,
    constant_of,
    pairs_of,
    plain_graph,
    variable_of,
)
from graphscore.formats.meaning.eds_write import CONSTANT, eds_text
from graphscore.formats.meaning.mrp_plain import LAST_POSITION
from graphscore.formats.shared.paragraphs import Piece, apart, paragraphs
from graphscore.formats.shared.records import (
    SHOWN,
    Draft,
    bytes_before,
    too_long,
)
from graphscore.model.graph import Anchor, Edge, Graph, Node

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no graph; it is refused without holding it in memory."""

_MARK = re.compile(rf"{STRING}|[{{}}]")
_ID = re.compile(r"\s*#([^\s{]+)\s*(?=\{|$)")
_NODE = re.compile(rf"\s*{NODE}")
_ID_LINE = re.compile(rb"#[^\s{]+\s*(?:\{.*)?", re.DOTALL)
_VISIBLE = re.compile(r"\S")


class BracedRecord(Draft):
    """The lines of one graph in braces, gathering everything that is wrong.

    Args:
        file: the file.
        line: the number of the first line.
        before: the line that it begins in, and where.
    """

    called: ClassVar[str] = "eds"

    def __init__(self, file: str, line: int, before: tuple[str, int] = ("", 0)) -> None:
        super().__init__(file, line, framework=self.called)
        self.before = before
        self.lines: list[str] = []
        self.comments: list[str] = []
        self.depth = 0
        self.opened = False
        self.adjacent = False
        """Whether it begins right behind another, without a blank line or an id."""

    def at(self, position: int, where: str, found: str, expected: str) -> None:
        """A problem at a character of the record."""
        number = max(bisect_right(self._begins, position) - 1, 0)
        position -= self._begins[number]
        line = self.lines[number] if self.lines else ""
        text, offset = self.before if number == 0 else ("", 0)
        column = bytes_before(text, offset) + bytes_before(line, position) + 1
        self.add(where, found, expected, column, self.line + number)

    @cached_property
    def _begins(self) -> list[int]:
        """Where its lines begin; asked for once they are all there."""
        return [*accumulate(map(len, self.lines[:-1]), initial=0)]

    def end(self) -> Piece:
        """The graph, or what is wrong."""
        text = "".join(self.lines)
        if not self.problems:
            if not self.opened:
                self.at(0, "", "no graph", "a graph in braces")
            elif self.depth:
                found, expected = "a brace that is not closed", "a closing one"
                self.at(text.index("{"), "", found, expected)
        record = self.record(None if self.problems else self.graph(text))
        return Piece(record, self.adjacent, self.whole())

    def graph(self, text: str) -> Graph:
        """The graph of the whole record; what is wrong is noted.

        Args:
            text: its lines, with a brace at either end of the graph.
        """
        return _Parse(self, text).graph()


class Splitter:
    """Takes lines, gives records; a brace too few costs one record, not the file.

    Args:
        file: the file.
    """

    mark: ClassVar[re.Pattern[str]] = _MARK
    """Strings, in which braces say nothing, and braces."""
    header: ClassVar[re.Pattern[str]] = _ID
    """What may stand before the first brace, with the id."""
    headed: ClassVar[str] = "a graph in braces, or # and its id"
    record_of: ClassVar[type[BracedRecord]] = BracedRecord

    def __init__(self, file: str) -> None:
        self.file = file
        self.record: BracedRecord | None = None
        self._after = False
        """Whether a graph ended, and no blank line has come since."""

    @property
    def idle(self) -> bool:
        """Whether there is nothing of a record so far."""
        return self.record is None

    def line(self, number: int, raw: bytes) -> Iterator[Piece]:
        """One more line."""
        record = self.record
        if record is not None and self.begins_another(record, raw):
            yield self._ended(record)
            # A blank line may be the last one of a graph that nothing closes.
            self._after = bool(record.raw and record.raw[-1].strip())
            record = self.record = None
        if record is None:
            if not raw.strip():
                self._after = False
                return
            record = self._begun(number)
        text = record.text(raw, number, LONGEST_LINE, "a node per line")
        if text is None:
            if too_long(raw, LONGEST_LINE):
                record.raw.append(raw[:SHOWN])
                return
            text = raw.decode("utf-8", "replace")
        start = 0
        if not record.opened and text.lstrip().startswith("#"):
            name = _ID.match(text)
            if name is None or record.item:
                record.comments.append(text.strip()[1:].strip())
                record.lines.append("\n")
                record.raw.append(raw)
                return
            record.item = name[1]
            record.adjacent = False
        yield from self._braces(number, text, raw, start)

    def _begun(self, number: int, before: tuple[str, int] = ("", 0)) -> BracedRecord:
        """A record that begins in a line."""
        self.record = self.record_of(self.file, number, before)
        self.record.adjacent = self._after
        return self.record

    def _ended(self, record: BracedRecord) -> Piece:
        """A record that ends."""
        self._after = True
        return record.end()

    def _braces(
        self, number: int, text: str, raw: bytes, start: int
    ) -> Iterator[Piece]:
        """A line that may end one graph and begin others."""
        record = self.record
        for mark in self.mark.finditer(text):
            if record is None:
                record = self._begun(number, (text, start))
            if mark[0] == "{":
                if not record.opened:
                    self._header(number, text, start, mark.start())
                record.opened = True
                record.depth += 1
            elif mark[0] == "}" and record.depth:
                record.depth -= 1
                if record.depth == 0:
                    piece = text[start : mark.end()]
                    record.lines.append(piece)
                    record.raw.append(piece.encode() if start else raw)
                    yield self._ended(record)
                    record = self.record = None
                    start = mark.end()
        rest = text[start:]
        if record is None:
            if not rest.strip():
                return
            record = self._begun(number, (text, start))
        if not record.opened:
            self._header(number, text, start, len(text))
        record.lines.append(rest)
        record.raw.append(rest.encode() if start else raw)

    def _header(self, number: int, text: str, start: int, end: int) -> None:
        """What stands before a brace: an id, or what should not be there."""
        record = self.record
        piece = text[start:end]
        if record is None or not piece.strip():
            return
        name = self.header.fullmatch(piece)
        if name is not None:
            record.item, record.adjacent = name[1] or "", False
        elif not record.problems:
            start += len(piece) - len(piece.lstrip())
            column = bytes_before(text, start) + 1
            found = repr(piece.strip()[:40])
            record.add("", found, self.headed, column, number)

    def begins_another(self, record: BracedRecord, raw: bytes) -> bool:
        """Whether a line cannot belong to a record that is not complete.

        Args:
            record: the record.
            raw: the line.
        """
        if record.opened:
            return raw[:1] in (b"#", b"{")
        if record.problems:
            return not raw.strip() or raw[:1] in (b"#", b"{")
        return bool(record.item) and raw[:1] == b"#" and bool(_ID_LINE.fullmatch(raw))

    def end(self) -> Iterator[Piece]:
        """What is left when the file ends; a comment is no record."""
        record = self.record
        if record and (record.item or record.opened or record.problems):
            yield self._ended(record)


class _Parse:
    """One record's way to a graph."""

    def __init__(self, record: BracedRecord, text: str) -> None:
        self.record, self.text = record, text
        self.nodes: dict[str, Node] = {}
        self.edges: list[Edge] = []
        self.ends: list[int] = []

    def graph(self) -> Graph:
        """The graph; what is wrong is in the record."""
        text, record = self.text, self.record
        start = text.index("{") + 1
        found = TOP.match(text, start)
        top, status = (found[1], found[2]) if found else (None, None)
        position = found.end() if found else start
        while (position := visible_from(text, position)) < len(text) - 1:
            node = _NODE.match(text, position)
            if node is not None:
                self._take(node)
                position = node.end()
                continue
            if text[position] == "}" and visible_from(text, position + 1) == len(text):
                break
            end = text.find("\n", position)
            line = text[position : end if end >= 0 else len(text)]
            expected = 'id:predicate<from:to>("constant"){type NAME value}[ROLE id]'
            record.at(position, "", repr(line[:60]), expected)
            position += len(line)
        for edge, place in zip(self.edges, self.ends, strict=True):
            if edge.target not in self.nodes and not record.problems:
                found_id, role = repr(edge.target), str(edge.label)
                record.at(place, role, found_id, "the id of a node")
        if top is not None and top not in self.nodes and not record.problems:
            record.at(start, "top", repr(top), "the id of a node")
        extra: dict[str, Any] = {"status": status} if status else {}
        if record.comments:
            extra["comments"] = record.comments
        return Graph(
            record.item,
            "eds",
            1,
            nodes=tuple(self.nodes.values()),
            edges=tuple(self.edges),
            tops=() if top is None else (top,),
            extra=extra,
        )

    def _take(self, match: re.Match[str]) -> None:
        fragment, name, label, lnk, carg, variable, edges = match.groups()
        extra: list[tuple[str, Any]] = []
        properties: tuple[tuple[str, str], ...] = ()
        anchors: tuple[Anchor, ...] = ()
        if lnk is not None:
            anchors = self._anchors(match, lnk, extra)
        if carg is not None:
            properties = ((CONSTANT, constant_of(carg)),)
        if variable is not None:
            kind, pairs = variable_of(variable)
            extra.append(("type", kind))
            if pairs is None:
                self._bad(match, "properties", "a type, then NAME value, NAME value")
            else:
                properties += pairs
        if fragment:
            extra.append(("fragment", True))
        if name in self.nodes:
            self._bad(match, "id", "an id that no other node has")
        self.nodes[name] = Node(name, label, properties, anchors, tuple(extra))
        arguments = pairs_of(edges)
        if arguments is None:
            self._bad(match, "edges", "ROLE id, ROLE id")
            return
        place = match.start("edges")
        for role, target in arguments:
            place = self.text.index(role, place)
            self.edges.append(Edge(name, target, role))
            self.ends.append(self.text.index(target, place + len(role)))

    def _anchors(
        self, match: re.Match[str], lnk: str, extra: list[tuple[str, Any]]
    ) -> tuple[Anchor, ...]:
        """A range of characters; other links to the surface are kept as they are."""
        found = RANGE.fullmatch(lnk)
        if found is None:
            extra.append(("lnk", lnk))
            return ()
        start, end = int(found[1]), int(found[2])
        if end < start:
            self._bad(match, "lnk", "a range from a smaller to a larger position")
        elif end > LAST_POSITION:
            self._bad(match, "lnk", f"a range up to {LAST_POSITION}")
        return (Anchor(start, end),)

    def _bad(self, match: re.Match[str], group: str, expected: str) -> None:
        found = repr(match[group][:60])
        self.record.at(match.start(group), group, found, expected)


def visible_from(text: str, position: int) -> int:
    """The first character from *position* on that is no white space."""
    found = _VISIBLE.search(text, position)
    return found.start() if found else len(text)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""

    def plain(first: int, lines: list[bytes]) -> Piece | None:
        graph = plain_graph(first, lines)
        return graph and Piece(graph)

    pieces = paragraphs(stream, LONGEST_LINE, plain, Splitter(name))
    yield from apart(pieces, name)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    for graph in graphs:
        yield f"{eds_text(graph)}\n\n".encode()
