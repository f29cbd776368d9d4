r"""Files of graphs in braces, cut into records: what EDS and SimpleDMRS have in common.

A record is a line with an id, or comments, and all up to the brace that closes its
first one; what a format has in its braces, its kind of record reads.  A brace too few
costs one record, not the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

from graphscore.formats.shared.paragraphs import Piece
from graphscore.formats.shared.records import (
    SHOWN,
    RecordBuilder,
    bytes_before,
    too_long,
)
from graphscore.model.graph import Graph

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no graph; it is refused without holding it in memory."""

CONSTANT = "carg"
"""The property that holds the constant of a node."""

RANGE = re.compile(r"(\d{1,9}):(\d{1,9})")
"""The characters of a node."""

ID = re.compile(r"\s*#([^\s{]+)\s*(?=\{|$)")
"""A mark and an id, before a brace or alone."""

_ID_LINE = re.compile(rb"#[^\s{]+\s*(?:\{.*)?", re.DOTALL)
_VISIBLE = re.compile(r"\S")


class BracedRecord(RecordBuilder):
    """The lines of one graph in braces, gathering everything that is wrong.

    Args:
        file: the file.
        line: the number of the first line.
        before: the line that it begins in, and where.
    """

    called: ClassVar[str]
    """Its framework."""

    def __init__(self, file: str, line: int, before: tuple[str, int] = ("", 0)) -> None:
        super().__init__(file, line, framework=self.called)
        self.before = before
        self.lines: list[str] = []
        self.comments: list[str] = []
        self.depth = 0
        self.opened = False
        self.adjacent = False
        """The record begins right behind another, without a blank line or an id."""

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
        """Return the offsets of its lines, once all are read."""
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

    def graph(self, text: str) -> Graph | None:
        """The graph of the whole record; what is wrong is noted.

        Args:
            text: its lines, with a brace at either end of the graph.
        """
        raise NotImplementedError

    def wrong(
        self, match: re.Match[str], group: str, expected: str, inner: int = 0
    ) -> None:
        """Note that a group of a part does not say what it should.

        Args:
            match: the part.
            group: the name of the group.
            expected: what should stand there.
            inner: how many characters at either end of it are brackets.
        """
        start, end = match.start(group) + inner, match.end(group) - inner
        self.at(start, group, repr(match.string[start:end][:60]), expected)


class Splitter:
    """Takes lines, gives records; a brace too few costs one record, not the file.

    Args:
        file: the file.
    """

    mark: ClassVar[re.Pattern[str]]
    """Strings, in which braces say nothing, and braces."""
    header: ClassVar[re.Pattern[str]] = ID
    """Pattern of the text before the first brace, with the id."""
    headed: ClassVar[str] = "a graph in braces, or # and its id"
    record_of: ClassVar[type[BracedRecord]]

    def __init__(self, file: str) -> None:
        self.file = file
        self.record: BracedRecord | None = None
        self._after = False
        """A graph ended, and no blank line has come since."""

    @property
    def idle(self) -> bool:
        """Return whether there is nothing of a record so far."""
        return self.record is None

    def line(self, number: int, raw: bytes) -> Iterator[Piece]:
        """One more line."""
        record = self.record
        if record is not None and self.begins_another(record, raw):
            yield self._end(record)
            # A blank line may be the last one of a graph without a closing bracket.
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
            name = ID.match(text)
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

    def _end(self, record: BracedRecord) -> Piece:
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
                    yield self._end(record)
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
        """Read the text before a brace: an id, or something unexpected."""
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
            record.add("", repr(piece.strip()[:40]), self.headed, column, number)

    def begins_another(self, record: BracedRecord, raw: bytes) -> bool:
        """Return whether a line cannot belong to a record that is not complete.

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
        """Yield the rest when the file ends; a comment is no record."""
        record = self.record
        if record and (record.item or record.opened or record.problems):
            yield self._end(record)


def visible_from(text: str, position: int) -> int:
    """The first character from *position* on that is no white space."""
    match = _VISIBLE.search(text, position)
    return match.start() if match else len(text)
