r"""The JSON values of a file, wherever its lines break.

Most files have an object to a line.  Others have been printed for people, with an
object over many lines, or are one array of objects: what their first lines look like
decides.  There values are taken apart by counting brackets; where brackets do not
match, the next value is found by how far values are indented.

>>> data = b'[\n {"a":\n  1},\n {"a": 2]\n {"a": 3}\n]'
>>> for number, raw in values(io.BytesIO(data), 1000):
...     print(number, raw)
2 b'{"a":\n  1}'
4 b'{"a": 2]'
5 b'{"a": 3}'
>>> list(values(io.BytesIO(b'{"a": \n{"a": 1}\n'), 1000))
[(1, b'{"a": \n'), (2, b'{"a": 1}\n')]
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from graphscore.formats.source import BOM, bounded_lines

LONGEST_FILE = 512 * 1024 * 1024
"""A longer file is refused where it must be held in memory as a whole."""

_BEGINNING = 1 << 20

_BRACKET = re.compile(rb'"(?:[^"\\\n]|\\.)*+("?)|[\[\]{}]')
_CLOSERS = {b"{": b"}", b"[": b"]"}
_BETWEEN = re.compile(rb"[\s,]*+")
_OBJECT = re.compile(rb'\{\s*+(?:"|$)')
_FIRST_KEY = re.compile(rb'\{\s*+"[^"\\\n]*+"')
_VISIBLE = re.compile(rb"\S")
_WINDOW = 64
_decode = msgspec.json.Decoder().decode
_apart = msgspec.json.Decoder(list[msgspec.Raw]).decode
_NO_OBJECT = re.compile(rb"[^\n{\[\]]++\n?|[^\n]")


class _Rejoined(io.RawIOBase):
    """A stream of which the beginning has been read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = io.BytesIO(head), rest
        self._within = bool(head)

    def read(self, size: int = -1, /) -> bytes:
        head = self._head.read(size)
        return head + self._rest.read(size - len(head) if size >= 0 else -1)

    def readline(self, size: int | None = -1, /) -> bytes:
        longest = -1 if size is None else size
        if not self._within:
            return self._rest.readline(longest)
        head = self._head.readline(longest)
        if head.endswith(b"\n") or len(head) == longest:
            return head
        self._within = False
        return head + self._rest.readline(longest - len(head) if longest >= 0 else -1)


def begun(stream: BinaryIO, lines: int = 1) -> tuple[bytes, BinaryIO]:
    """The first lines with more than blanks and opening brackets.

    Args:
        stream: a file, from its beginning, which need not be seekable.
        lines: how many of them; those before are given, too.

    Returns:
        The lines without a byte order mark (of long ones the beginning), and the
        whole file once more.
    """
    taken = bytearray()
    while lines and len(taken) < _BEGINNING:
        line = stream.readline(_BEGINNING)
        if not line:
            break
        lines -= bool(line.removeprefix(BOM).strip(b"{[ \t\r\n"))
        taken += line
    head = bytes(taken)
    rejoined: Any = _Rejoined(head, stream)
    return head.removeprefix(BOM), rejoined


def values(stream: BinaryIO, longest: int) -> Iterator[tuple[int, bytes]]:
    """Yield the values that should be the objects of a file.

    Args:
        stream: the file, from its beginning; a byte order mark is dropped.
        longest: of a longer line only so much is given.

    Returns:
        The number of its first line, and the value; where every value has a line of
        its own, that line, blank ones as well.
    """
    head, whole = begun(stream, 2)
    if not _goes_on(head):
        return bounded_lines(whole, longest)
    data = whole.read(LONGEST_FILE + 1).removeprefix(BOM)
    in_array = _in_array(data)
    return iter(in_array) if in_array else _Values(data).found()


def _in_array(data: bytes) -> list[tuple[int, bytes]] | None:
    """The values of an array of objects with nothing wrong in it, which is quick.

    Returns:
        As :func:`values`; ``None`` for anything else.
    """
    if not data.lstrip().startswith(b"["):
        return None
    try:
        # All of it is read once: what is passed over is not looked at closely.
        _decode(data)
        raws = _apart(data)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None
    values: list[tuple[int, bytes]] = []
    counted, number, position = 0, 1, data.index(b"[") + 1
    for element in raws:
        raw = bytes(element)
        if not raw.startswith(b"{"):
            return None
        between = _BETWEEN.match(data, position)
        start = between.end() if between else position
        number += data.count(b"\n", counted, start)
        counted = start
        position = start + len(raw)
        values.append((number, raw))
    return values


def one_to_a_line(stream: BinaryIO) -> bool:
    """Return whether every value of a file has a line of its own.

    Args:
        stream: the file, from its beginning.
    """
    head, _ = begun(stream, 2)
    return not _goes_on(head)


def _goes_on(head: bytes) -> bool:
    """Return whether the first value is an array, or an object over several lines."""
    start = head.lstrip()
    line, _, rest = start.partition(b"\n")
    if start.startswith(b"["):
        return start[1:].lstrip()[:1] in (b"{", b"", b"]")
    if not _OBJECT.match(line) or not rest.strip():
        return False
    if line.strip() != b"{" and rest.lstrip(b"\r\n").startswith(b"{"):
        # Where lines begin so, the first one is one that breaks off.
        return False
    return _end(line, 0, len(line)) is None


def _end(data: bytes, start: int, limit: int) -> int | None:
    """Behind the bracket that closes an object; ``None`` where nothing closes it.

    A string never goes on in the next line: there it is as if all were closed.
    """
    expected: list[bytes] = []
    for token in _BRACKET.finditer(data, start, limit):
        bracket = token[0]
        if bracket in _CLOSERS:
            expected.append(_CLOSERS[bracket])
        elif token[1] is None:
            if bracket != expected.pop():
                return -1
            if not expected:
                return token.end()
        elif not token[1]:
            return -1
    return None


class _Values:
    """The values of a file that is held in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._place, self._number = 0, 1
        # Where the line of the last value begins, and what it shows first.
        self._margin, self._visible = 0, -1

    def found(self) -> Iterator[tuple[int, bytes]]:
        """Each of them, and its line; brackets of the array around them are none."""
        data, position = self.data, 0
        array: int | None = None
        broken = False
        while True:
            between = _BETWEEN.match(data, position)
            position = between.end() if between else position
            byte = data[position : position + 1]
            if not byte:
                break
            if byte == b"[" and array is None:
                array, position = position, position + 1
                continue
            if byte == b"]" and array is not None:
                array, position = None, position + 1
                continue
            start = position
            if byte in _CLOSERS:
                end = self._end_below(start) if broken else _end(data, start, len(data))
                closed = end is not None and end > 0
                broken = broken or not closed
                position = end if closed and end else self._next(start)
            else:
                match = _NO_OBJECT.match(data, start)
                position = match.end() if match else start + 1
            yield self._line(start), data[start:position].rstrip(b" \t\r\n,")
        if array is not None:
            yield self._number, b"["

    def _end_below(self, start: int) -> int | None:
        """Behind the bracket that closes the value here, if that is above the next one.

        Both are looked for at once and not far beyond the nearer one: a file of many
        values is not walked through for each of them.
        """
        data, like = self.data, self._like(start)
        window = _WINDOW
        while True:
            limit = min(start + window, len(data))
            below = like.search(data, start, limit)
            end = _end(data, start, below.end() if below else limit)
            if below or limit == len(data):
                return end
            # A next one above the end would have its first key in the window as well.
            if end is not None and start < end <= start + window // 2:
                return end
            window *= 2

    def _next(self, start: int) -> int:
        """Return the start of the next value like the one here, or the end."""
        match = self._like(start).search(self.data, start)
        return match.end() if match else len(self.data)

    def _like(self, start: int) -> re.Pattern[bytes]:
        """Return the pattern of the text before a value that is like the one here.

        It is indented alike, or, in the middle of a line, has the same first key; what
        begins a line with a key is one, too, as the bracket before this one may be
        one too many.
        """
        before = self.data.rfind(b"\n", self._margin, start)
        if before >= 0:
            self._margin = before + 1
            self._visible = -1
        if self._visible < 0:
            visible = _VISIBLE.search(self.data, self._margin)
            self._visible = visible.start() if visible else len(self.data)
        first = self._visible >= start
        key = None if first else _FIRST_KEY.match(self.data, start)
        if key:
            alike = rb",\s*+(?=" + re.escape(key[0]) + rb")"
            return re.compile(alike + rb'|\n(?=\{\s*+")')
        indent = self.data[self._margin : start] if first else b""
        return re.compile(rb"\n" + indent + rb"(?=[\[{])")

    def _line(self, position: int) -> int:
        """The number of the line of an offset; asked for in order."""
        self._number += self.data.count(b"\n", self._place, position)
        self._place = position
        return self._number
