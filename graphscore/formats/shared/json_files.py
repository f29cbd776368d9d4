r"""Files that are one JSON value, with a record in each of its members.

Such a file breaks as a whole when one bracket is missing, so it is taken apart
before it is decoded: a record that is no JSON is one bad record, and the next one
is found by how records of its format begin: brackets are counted, strings passed over.
Every record knows its line.

>>> import io
>>> data = b'{"a": {"x": 1},\n "b": {"x": [1},\n "c": {"x": 2}}'
>>> for record, key, value in members(io.BytesIO(data), "a.json", BEGINS):
...     print(record.line, key, value, *record.problems)
1 a {'x': 1}
2 b None a.json:2: $.b: found a bracket that is not closed, expected JSON
3 c {'x': 2}
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Any, BinaryIO

import msgspec

from graphscore.exceptions import Problem
from graphscore.formats.shared.json_lines import (
    TOO_DEEP,
    JsonLine,
    explain_malformed,
    too_deep,
)
from graphscore.formats.shared.json_values import LONGEST_FILE
from graphscore.formats.shared.records import place_of, text_of
from graphscore.formats.source import BOM

BEGINS = re.compile(rb'"[^"\\\n]*+"\s*+:\s*+\{')
"""The beginning of a member that is an object."""

CLOSERS = {b"{": b"}", b"[": b"]"}
"""Opening brackets, and what closes them."""

_BRACKET = re.compile(rb'"(?:[^"\\\n]|\\.)*+"|[\[\]{}]')
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*+"')
_SCALAR = re.compile(rb"[^\s,\]}]*+")
_COLON = re.compile(rb"\s*+:\s*+")
_BLANK = re.compile(rb"\s*+")

_decode = msgspec.json.Decoder().decode
_key = msgspec.json.Decoder(str).decode


Member = tuple[JsonLine, str, Any]
"""A record, its key (its number from 0 in an array) and its value; ``None`` and a
problem of the record where it has none."""


class Scan:
    r"""One array or object of a file, member by member, without decoding it.

    Args:
        data: the file.
        start: where its opening bracket stands.
        begins: what a record looks like from its key (in an array: from its
            bracket) on, to find the next one when one breaks.

    Attributes:
        position: where the next member begins; in the end, what follows the container.
        problem: what is wrong between the members: found and expected.

    Example:
        >>> data = b'{"a": [1}, "b": {"x": 2}}'
        >>> scan = Scan(data, 0, re.compile(rb'"[a-z]": \{'))
        >>> scan.next(), scan.take(), scan.next(), scan.take(), scan.next()
        ('a', (b'[1}', False), 'b', (b'{"x": 2}', True), None)
    """

    def __init__(self, data: bytes, start: int, begins: re.Pattern[bytes]) -> None:
        self._data, self._begins = data, begins
        self._keyed = data[start : start + 1] == b"{"
        self._closer = CLOSERS[data[start : start + 1]]
        self.position = start + 1
        self._first, self._broken = True, False
        # Between these, no record begins.
        self._asked, self._next_record = 1, 0
        self.problem: tuple[str, str] | None = None

    def next(self) -> str | None:
        """Go to the value of the next member.

        Returns:
            Its key, empty in an array; ``None`` at the end, or where no member can
            be found any more.
        """
        self._blank()
        byte = self._data[self.position : self.position + 1]
        if byte == b",":
            if self._first:
                self.problem = "a comma", "a record"
            self.position += 1
            self._blank()
            if self._data[self.position : self.position + 1] == self._closer:
                self.problem = "a comma", "a record, or nothing more"
        elif not self._first and byte not in (self._closer, b""):
            self.problem = self._show(), "a comma between records"
        self._first = False
        if self._data[self.position : self.position + 1] == self._closer:
            self.position += 1
            return None
        if self.position >= len(self._data):
            self.problem = "a truncated file", f"a {self._closer.decode()}"
            return None
        return self._member_name() if self._keyed else ""

    def take(self) -> tuple[bytes, bool]:
        """The value of the member, and go behind it.

        Returns:
            Its bytes, and whether its brackets match.
        """
        start = self.position
        first = self._data[start : start + 1]
        if first not in CLOSERS:
            match = _STRING.match(self._data, start) or _SCALAR.match(self._data, start)
            # A scalar may be empty where a bracket is too many: that is one, too.
            self.position = max(match.end() if match else start, start + 1)
            return self._data[start : self.position], True
        open_brackets: list[bytes] = []
        for token in _BRACKET.finditer(self._data, start, self._limit(start)):
            bracket = token[0]
            if bracket in CLOSERS:
                open_brackets.append(CLOSERS[bracket])
            elif bracket in (b"]", b"}"):
                if bracket != open_brackets.pop():
                    break
                if not open_brackets:
                    self.position = token.end()
                    return self._data[start : self.position], True
        self._resume(start + 1)
        self._broken = True
        return self._data[start : self.position].rstrip(b" \t\r\n,"), False

    def again(self, raw: bytes) -> None:
        """Go back to a record inside a value that is no JSON, if there is one.

        A bracket too many at its beginning may have swallowed what follows.

        Args:
            raw: the value, as it was taken last.
        """
        match = self._begins.search(raw, 1)
        if match:
            self.position -= len(raw) - match.start()
            self._first = self._broken = True

    def _member_name(self) -> str | None:
        """The key of a member, up to its value."""
        while self.position < len(self._data):
            key = _STRING.match(self._data, self.position)
            colon = _COLON.match(self._data, key.end()) if key else None
            if key and colon:
                try:
                    name = _key(key[0])
                except (msgspec.DecodeError, UnicodeDecodeError):
                    pass
                else:
                    self.position = colon.end()
                    return name
            self.problem = self.problem or (self._show(), "the key of a record")
            self._resume(self.position + 1)
        return None

    def _limit(self, start: int) -> int:
        """Return the limit of the search for the end of a value.

        To the end of the file, unless a record was broken before: every further
        one would be another walk through all that follows.
        """
        return self._record(start + 1) if self._broken else len(self._data)

    def _resume(self, position: int) -> None:
        """Go to where the next record begins; to the end if there is none."""
        self.position = self._record(position)
        self._first = True

    def _record(self, position: int) -> int:
        """Return the start of the first record from an offset on, or the end."""
        if not self._asked <= position <= self._next_record:
            match = self._begins.search(self._data, position)
            self._next_record = match.start() if match else len(self._data)
            self._asked = position
        return self._next_record

    def _blank(self) -> None:
        match = _BLANK.match(self._data, self.position)
        self.position = match.end() if match else self.position

    def _show(self) -> str:
        start = self._data[self.position : self.position + 20].split(b"\n")[0]
        return repr(start.decode("utf-8", "replace"))


class JsonFile:
    """A file, and where its lines are.

    Args:
        data: its content.
        name: its name.
        begins: what a record looks like from its key (in an array: from its bracket)
            on.
    """

    def __init__(self, data: bytes, name: str, begins: re.Pattern[bytes]) -> None:
        self.data, self.name, self.begins = data, name, begins
        self.start = len(data) - len(data.lstrip())
        self._place, self._number = 0, 1

    def failed(self, position: int, found: str, expected: str) -> Member:
        """A record that is none, with the problem that says why.

        Args:
            position: where it should stand; asked for in ascending order.
            found: what stands there.
            expected: what should.
        """
        return failed_member(self.name, self._line(position), found, expected)

    def opened(self, brackets: Container[bytes], expected: str) -> Member | None:
        """Return the problem if the file does not begin with one of some brackets."""
        if self.data[self.start : self.start + 1] in brackets:
            return None
        result = self.data[self.start : self.start + 20].decode("utf-8", "replace")
        return self.failed(self.start, repr(result), expected)

    def scan(self, start: int) -> Scan:
        """An array or object that begins at an offset."""
        return Scan(self.data, start, self.begins)

    def taken(self, scan: Scan, where: str) -> Iterator[Member]:
        """The members of one array or object.

        Args:
            scan: it, from its beginning.
            where: its path.
        """
        number = -1
        keyed = self.data[scan.position - 1 : scan.position] == b"{"
        while (key := scan.next()) is not None:
            number += 1
            if scan.problem is not None:
                yield self.failed(scan.position, *scan.problem)
                scan.problem = None
            first = self._line(scan.position)
            raw, closed = scan.take()
            record = JsonLine(self.name, first, raw)
            path = f"{where}.{key}" if keyed else f"{where}[{number}]"
            value = None
            if not closed:
                record.add(path, "a bracket that is not closed", "JSON")
            elif (value := decode_value(record, path)) is None:
                scan.again(raw)
            yield record, key if keyed else str(number), value
        if scan.problem is not None:
            yield self.failed(min(scan.position, len(self.data)), *scan.problem)

    def _line(self, position: int) -> int:
        """The number of the line of an offset."""
        self._number += self.data.count(b"\n", self._place, position)
        self._place = max(position, self._place)
        return self._number


def read_whole(stream: BinaryIO) -> bytes | None:
    """The content of a file without a byte order mark; ``None`` if it is too long."""
    data = stream.read(LONGEST_FILE + 1)
    return None if len(data) > LONGEST_FILE else data.removeprefix(BOM)


def members(stream: BinaryIO, name: str, begins: re.Pattern[bytes]) -> Iterator[Member]:
    """The members of a file's array or object.

    Args:
        stream: the file, from its beginning.
        name: its name.
        begins: what a record looks like from its key (in an array: from its
            bracket) on.

    Yields:
        Each of them.
    """
    data = read_whole(stream)
    if data is None:
        yield failed_member(name, 1, f"a file of more than {LONGEST_FILE:,} bytes", "")
        return
    file = JsonFile(data, name, begins)
    if problem := file.opened(CLOSERS, "an object or array of records"):
        yield problem
        return
    scan = file.scan(file.start)
    yield from file.taken(scan, "$")
    if scan.problem is None and data[scan.position :].strip():
        yield file.failed(scan.position, "more after the end", "nothing")


def failed_member(name: str, line: int, found: str, expected: str) -> Member:
    """A record that is none, with the problem that says why."""
    record = JsonLine(name, line, b"")
    record.add("", found, expected)
    return record, "", None


def decode_value(record: JsonLine, where: str) -> Any:
    """The JSON value of a record; ``None`` and a problem where it is none.

    Args:
        record: the record, which may take several lines.
        where: its path in the file.
    """
    raw = record.whole()
    try:
        value = _decode(raw)
    except RecursionError:
        record.add(where, *TOO_DEEP)
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        problem = text_of(raw, record.name, record.line, where)
        if isinstance(problem, str):
            found, _, column = explain_malformed(str(error), raw)
            location = place_of(raw, (column or 1) - 1, record.line)
            problem = Problem(record.name, *location, where, found, "JSON")
        if problem.line == record.line:
            # What stands before the record in its line is not known.
            problem = problem._replace(column=None)
        record.problems.append(problem)
    else:
        if value is None:
            record.add(where, "null", "a record")
        elif too_deep(value, raw):
            record.add(where, *TOO_DEEP)
        else:
            return value
    return None
