r"""PENMAN files cut into records, before any of them is parsed.

A file is a sequence of comments and bracketed graphs.  A bracket too few must not
swallow the graphs that follow, so a record ends where its brackets close, or where
the next one visibly begins: at an opening bracket in the first column that cannot
continue the graph, at ``# ::id`` or ``# ::snt``, or at a bracket or comment after a
blank line.

>>> import io
>>> data = io.BytesIO(b'# ::id 1\n(b / bark-01\n\n# ::id 2\n(d / dog)\n')
>>> for record in records(data, "a.amr"):
...     print(record.line, record.comments, [str(each) for each in record.problems])
1 ['# ::id 1'] ['a.amr:2:1: found a bracket that is not closed, expected a closing one']
4 ['# ::id 2'] []
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.shared.records import (
    SHOWN,
    RecordBuilder,
    bytes_before,
    text_of,
    too_long,
)
from graphscore.formats.source import bounded_lines

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no graph; it is refused without holding it in memory."""

DEEPEST = 200
"""Brackets may be nested so deep: the parser is recursive, two calls to a level."""

BLANKS = " \t\r\n\v\f"
"""White space that separates tokens; no other does."""

# A string that does not end takes the rest of its line; possessive, so that no
# line, however hostile, is gone over twice.
_MARK = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<end>"|\\?$)|[()]')
_ROLE_LAST = re.compile(r':[^ \t\r\n\v\f"()/:~]*(?:~[a-z0-9.,]+)?$')

NAMED = re.compile(r"#\s*::(id|snt)\b")
"""A comment that names an item, or its sentence."""

METADATA = re.compile(r"#\s*::\w")
"""A comment with a key."""

ID = re.compile(r"#\s*::id\b")
"""A comment with the id of an item."""


def _column(text: str, position: int) -> int:
    """Byte column, from 1, of a character of a line."""
    return 1 + bytes_before(text, position)


class PenmanRecord(RecordBuilder):
    """One graph with its comments, as text.

    Args:
        name: the name of the file.
        line: line of the first comment or bracket, from 1.
    """

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name, line, framework="amr")
        self.comments: list[str] = []
        """Comment lines as they stand, without the blanks around them."""
        self.first = 0
        """Line of the opening bracket."""
        self.before = ("", 0)
        """Its first line and how much of it belongs to graphs before it."""
        self.lines: list[str] = []
        """Lines of the graph, comments among them blanked out."""
        self.depth = self.deepest = 0
        self.blank = False
        """The last line was blank."""
        self.names: set[str] = set()
        """Keys among ``id`` and ``snt`` in its comments."""
        self.adjacent = False
        """The record begins right behind another, without a blank line or metadata."""
        self.unclosed = False
        """The last bracket of the file was missing and has been supplied."""

    @property
    def named(self) -> bool:
        """A comment names an item or its sentence."""
        return bool(self.names)

    @property
    def started(self) -> bool:
        """A bracket (or what should have been one) was seen."""
        return bool(self.lines)

    @property
    def open(self) -> bool:
        """Brackets are still to be closed."""
        return self.depth > 0

    def close_last(self) -> None:
        """Supply the closing bracket that the last graph of a file lacks.

        Only one, after a complete line that ends in a bracket: nothing follows that
        could belong to the graph, and a truncated file ends elsewhere.  The
        reference scorer reads such graphs (mtool 4cee3a2, ``smatch/amr.py``).
        """
        if self.depth != 1 or self.problems or not self.raw[-1].endswith(b"\n"):
            return
        last = max(index for index, line in enumerate(self.lines) if line)
        if self.lines[last].endswith(")"):
            self.lines[last] += ")"
            self.depth, self.unclosed = 0, True

    def column(self, index: int, position: int) -> int:
        """Byte column, from 1, of a character of a line of the graph."""
        whole, offset = self.before if index == 0 else ("", 0)
        return _column(whole, offset) + _column(self.lines[index], position) - 1

    def problem(self, index: int, position: int, found: str, expected: str) -> None:
        """Something wrong at a character of a line of the graph."""
        column = self.column(index, position)
        self.add("", found, expected, column, self.first + index)


def records(stream: BinaryIO, name: str) -> Iterator[PenmanRecord]:
    """Cut a PENMAN file into records.

    Args:
        stream: its bytes.
        name: its name, for problems.

    Yields:
        Records in file order; those with problems cannot be graphs.
    """
    splitter = Splitter(name)
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        yield from splitter.line(number, raw)
    yield from splitter.end()


class Splitter:
    """Takes lines, gives records.

    Args:
        name: the file's name, for problems.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.record = PenmanRecord(name, 0)
        self.header = b""
        """The line that is all of the record so far, if it is no more than an id."""

    @property
    def idle(self) -> bool:
        """Return whether there is nothing of a record so far."""
        return not self.record.line

    def line(self, number: int, raw: bytes) -> Iterator[PenmanRecord]:
        """One more line, with its end.

        Args:
            number: its number.
            raw: the line, or as much of it as was read.
        """
        if raw and raw == self.header:  # nothing is left of a mark alone
            yield self.again(number, raw)
        elif too_long(raw, LONGEST_LINE):
            yield from self.too_long(number, raw)
        else:
            yield from self.take(number, raw)

    def again(self, number: int, raw: bytes) -> PenmanRecord:
        """The record so far, where the same header comes once more.

        Args:
            number: of the line.
            raw: the line.
        """
        record = self.finished()
        self.record.line, self.record.names = number, {"id"}
        self.record.comments += record.comments
        self.record.raw.append(raw)
        return record

    def take(self, number: int, raw: bytes) -> Iterator[PenmanRecord]:
        """One more line."""
        wrong = text_of(raw, self.name, number)
        text = wrong if isinstance(wrong, str) else raw.decode("utf-8", "replace")
        text = text.rstrip(BLANKS)
        bare = text.lstrip(BLANKS)
        record = self.record
        if not bare:
            record.blank = record.blank or record.named
            if record.open:
                record.blank = True
                record.lines.append("")
                record.raw.append(raw)
            elif record.started:
                yield self.finished()
            return
        self.header = b""
        if self._begins_another(record, text, bare):
            adjacent = not record.blank
            yield self.finished()
            self.record.adjacent = adjacent
        record = self.record
        if not record.line:
            record.line = number
        if not isinstance(wrong, str):
            record.problems.append(wrong)
        # Above a graph a blank line among comments is remembered.
        record.blank = record.blank and bare[0] == "#" and not record.started
        if bare[0] == "#":
            record.comments.append(bare)
            if name := NAMED.match(bare):
                record.names.add(name[1])
            record.adjacent = record.adjacent and not METADATA.match(bare)
            record.raw.append(raw)
            if len(record.raw) == 1 and not record.problems and ID.match(bare):
                self.header = raw
            if record.open:
                record.lines.append("")
            return
        yield from self._graph(number, text, raw)

    def _begins_another(self, record: PenmanRecord, text: str, bare: str) -> bool:
        """Return whether a nonblank line cannot belong to the record so far."""
        if not record.started:
            # A second id or sentence without a graph for the first one; a paragraph
            # that names one may have a blank line before its graph.
            name = NAMED.match(bare)
            if name is None or not record.named:
                return False
            return name[1] in record.names or (record.blank and name[1] == "id")
        if not record.open:
            return bare[0] in "#("
        if record.blank:
            return text[0] in "#("
        if bare[0] == "#":
            return bool(NAMED.match(bare))
        last = next((line for line in reversed(record.lines) if line), "")
        return text[0] == "(" and not _ROLE_LAST.search(last)

    def _graph(self, number: int, text: str, raw: bytes) -> Iterator[PenmanRecord]:
        """A line with brackets: it may end one graph and begin others."""
        start, shared = 0, False
        record = self.record
        if not record.started:
            record.first = number
        for mark in _MARK.finditer(text):
            piece = mark[0]
            if piece == "(":
                if record.depth == 0:
                    self._stray(record, number, text, start, mark.start())
                    if record.started:
                        yield self.finished()
                        record = self.record
                        record.adjacent = True
                        record.line = record.first = number
                        start = mark.start()
                        record.before = (text, start)
                record.depth += 1
                record.deepest = max(record.deepest, record.depth)
            elif piece == ")":
                if record.depth == 0:
                    self._stray(record, number, text, start, mark.end())
                    start = mark.end()
                    record.lines.append("")
                    continue
                record.depth -= 1
                if record.depth == 0:
                    record.lines.append(text[start : mark.end()])
                    record.raw.append(text[start : mark.end()].encode())
                    start, shared = mark.end(), True
            elif mark["end"] != '"':
                found, expected = "a string that does not end", "a quotation mark"
                self._add_problem(record, number, text, mark.start(), found, expected)
        rest = text[start:].lstrip(BLANKS)
        if rest.startswith("#") and record.depth == 0:
            record.comments.append(rest)
        elif rest:
            if record.depth == 0:
                self._stray(record, number, text, start, len(text))
            record.lines.append(text[start:])
            record.raw.append(text[start:].encode() if shared else raw)

    def _stray(
        self, record: PenmanRecord, number: int, text: str, start: int, end: int
    ) -> None:
        """Text outside of brackets, if there is any."""
        while start < end and text[start] in BLANKS:
            start += 1
        if start < end and not record.problems:
            found = repr(text[start : min(end, start + 20)])
            expected = "a graph in brackets or a comment"
            self._add_problem(record, number, text, start, found, expected)

    def _add_problem(
        self,
        record: PenmanRecord,
        number: int,
        text: str,
        position: int,
        found: str,
        expected: str,
    ) -> None:
        record.add("", found, expected, _column(text, position), number)

    def finished(self) -> PenmanRecord:
        """The record so far, complete or not; a new one takes its place."""
        record = self.record
        self.record = PenmanRecord(self.name, 0)
        if record.problems:
            return record
        if record.open:
            first = len(record.lines[0]) - len(record.lines[0].lstrip(BLANKS))
            found, expected = "a bracket that is not closed", "a closing one"
            record.problem(0, first, found, expected)
        elif not record.started:
            found, expected = "comments without a graph", "a graph in brackets"
            record.add("", found, expected)
        elif record.deepest > DEEPEST:
            found = f"brackets nested {record.deepest} deep"
            record.problem(0, 0, found, f"at most {DEEPEST} levels")
        return record

    def too_long(self, number: int, raw: bytes) -> Iterator[PenmanRecord]:
        """A line that is not even looked at."""
        if self.record.started:
            yield self.finished()
        record = self.record
        record.line = record.line or number
        record.raw.append(raw[:SHOWN])
        record.text(raw, number, LONGEST_LINE, "a graph in brackets")
        yield self.finished()

    def end(self) -> Iterator[PenmanRecord]:
        """Yield the rest when the file ends; plain comments are no record."""
        self.record.close_last()
        if self.record.started or self.record.named or self.record.problems:
            yield self.finished()
