r"""Files that are one JSON value, with a record in each of its members.

Such a file breaks as a whole when one bracket is missing, so it is taken apart
before it is decoded: a record that is no JSON is one bad record, and the next one
is found by how records of its format begin.  Every record knows its line.

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

from graphscore.errors import Problem
from graphscore.formats.shared.json_lines import (
    DEEPEST,
    TOO_DEEP,
    JsonLine,
    depth,
    malformed,
)
from graphscore.formats.shared.json_scan import CLOSERS, Scan
from graphscore.formats.shared.json_values import LONGEST_FILE
from graphscore.formats.shared.records import place_of, text_of
from graphscore.formats.source import BOM

BEGINS = re.compile(rb'"[^"\\\n]*+"\s*+:\s*+\{')
"""The beginning of a member that is an object."""

_decode = msgspec.json.Decoder().decode


Member = tuple[JsonLine, str, Any]
"""A record, its key (its number from 0 in an array) and its value; ``None`` and a
problem of the record where it has none."""


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

    def failed(self, place: int, found: str, expected: str) -> Member:
        """A record that is none, with the problem that says why.

        Args:
            place: where it should stand; such places are asked for in ascending order.
            found: what stands there.
            expected: what should.
        """
        return failed(self.name, self._line(place), found, expected)

    def opened(self, brackets: Container[bytes], expected: str) -> Member | None:
        """What is wrong if the file does not begin with one of some brackets."""
        if self.data[self.start : self.start + 1] in brackets:
            return None
        found = self.data[self.start : self.start + 20].decode("utf-8", "replace")
        return self.failed(self.start, repr(found), expected)

    def scan(self, start: int) -> Scan:
        """An array or object that begins at a place."""
        return Scan(self.data, start, self.begins)

    def taken(self, scan: Scan, where: str) -> Iterator[Member]:
        """The members of one array or object.

        Args:
            scan: it, from its beginning.
            where: its path.
        """
        number = -1
        keyed = self.data[scan.place - 1 : scan.place] == b"{"
        while (key := scan.next()) is not None:
            number += 1
            if scan.problem is not None:
                yield self.failed(scan.place, *scan.problem)
                scan.problem = None
            first = self._line(scan.place)
            raw, closed = scan.take()
            record = JsonLine(self.name, first, raw)
            place = f"{where}.{key}" if keyed else f"{where}[{number}]"
            value = None
            if not closed:
                record.add(place, "a bracket that is not closed", "JSON")
            elif (value := decoded(record, place)) is None:
                scan.again(raw)
            yield record, key if keyed else str(number), value
        if scan.problem is not None:
            yield self.failed(min(scan.place, len(self.data)), *scan.problem)

    def _line(self, place: int) -> int:
        """The number of the line in which a place is."""
        self._number += self.data.count(b"\n", self._place, place)
        self._place = max(place, self._place)
        return self._number


def whole(stream: BinaryIO) -> bytes | None:
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
    data = whole(stream)
    if data is None:
        yield failed(name, 1, f"a file of more than {LONGEST_FILE:,} bytes", "")
        return
    file = JsonFile(data, name, begins)
    if problem := file.opened(CLOSERS, "an object or array of records"):
        yield problem
        return
    scan = file.scan(file.start)
    yield from file.taken(scan, "$")
    if scan.problem is None and data[scan.place :].strip():
        yield file.failed(scan.place, "more after the end", "nothing")


def failed(name: str, line: int, found: str, expected: str) -> Member:
    """A record that is none, with the problem that says why."""
    record = JsonLine(name, line, b"")
    record.add("", found, expected)
    return record, "", None


def decoded(record: JsonLine, where: str) -> Any:
    """The JSON value of a record; ``None`` and a problem where it is none.

    Args:
        record: the record, which may take several lines.
        where: its place in the file.
    """
    raw = record.whole()
    try:
        value = _decode(raw)
    except RecursionError:
        record.add(where, *TOO_DEEP)
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        problem = text_of(raw, record.name, record.line, where)
        if isinstance(problem, str):
            found, _, column = malformed(str(error), raw)
            place = place_of(raw, (column or 1) - 1, record.line)
            problem = Problem(record.name, *place, where, found, "JSON")
        if problem.line == record.line:
            # What stands before the record in its line is not known.
            problem = problem._replace(column=None)
        record.problems.append(problem)
    else:
        if value is None:
            record.add(where, "null", "a record")
        elif depth(value) > DEEPEST:
            record.add(where, *TOO_DEEP)
        else:
            return value
    return None
