r"""One array or object of a JSON file, taken apart without decoding it.

Brackets are counted and strings passed over; where brackets do not match, the next
record is found by how records begin.

>>> data = b'{"a": [1}, "b": {"x": 2}}'
>>> scan = Scan(data, 0, re.compile(rb'"[a-z]": \{'))
>>> scan.next(), scan.take(), scan.next(), scan.take(), scan.next()
('a', (b'[1}', False), 'b', (b'{"x": 2}', True), None)
"""

from __future__ import annotations

import re

import msgspec

CLOSERS = {b"{": b"}", b"[": b"]"}
"""Opening brackets, and what closes them."""

_BRACKET = re.compile(rb'"(?:[^"\\\n]|\\.)*+"|[\[\]{}]')
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*+"')
_SCALAR = re.compile(rb"[^\s,\]}]*+")
_COLON = re.compile(rb"\s*+:\s*+")
_BLANK = re.compile(rb"\s*+")

_key = msgspec.json.Decoder(str).decode


class Scan:
    """One array or object of a file, member by member.

    Args:
        data: the file.
        start: where its opening bracket stands.
        begins: what a record looks like from its key (in an array: from its
            bracket) on, to find the next one when one breaks.

    Attributes:
        place: where the next member begins; in the end, what follows the container.
        problem: what is wrong between the members: found and expected.
    """

    def __init__(self, data: bytes, start: int, begins: re.Pattern[bytes]) -> None:
        self._data, self._begins = data, begins
        self._keyed = data[start : start + 1] == b"{"
        self._closer = CLOSERS[data[start : start + 1]]
        self.place = start + 1
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
        here = self._data[self.place : self.place + 1]
        if here == b",":
            if self._first:
                self.problem = "a comma", "a record"
            self.place += 1
            self._blank()
            if self._data[self.place : self.place + 1] == self._closer:
                self.problem = "a comma", "a record, or nothing more"
        elif not self._first and here not in (self._closer, b""):
            self.problem = self._shown(), "a comma between records"
        self._first = False
        if self._data[self.place : self.place + 1] == self._closer:
            self.place += 1
            return None
        if self.place >= len(self._data):
            self.problem = "a file that breaks off", f"a {self._closer.decode()}"
            return None
        return self._named() if self._keyed else ""

    def take(self) -> tuple[bytes, bool]:
        """The value of the member, and go behind it.

        Returns:
            Its bytes, and whether its brackets match.
        """
        start = self.place
        first = self._data[start : start + 1]
        if first not in CLOSERS:
            found = _STRING.match(self._data, start) or _SCALAR.match(self._data, start)
            # A scalar may be empty where a bracket is too many: that is one, too.
            self.place = max(found.end() if found else start, start + 1)
            return self._data[start : self.place], True
        open_brackets: list[bytes] = []
        for token in _BRACKET.finditer(self._data, start, self._limit(start)):
            bracket = token[0]
            if bracket in CLOSERS:
                open_brackets.append(CLOSERS[bracket])
            elif bracket in (b"]", b"}"):
                if bracket != open_brackets.pop():
                    break
                if not open_brackets:
                    self.place = token.end()
                    return self._data[start : self.place], True
        self._resume(start + 1)
        self._broken = True
        return self._data[start : self.place].rstrip(b" \t\r\n,"), False

    def again(self, raw: bytes) -> None:
        """Go back to a record inside a value that is no JSON, if there is one.

        A bracket too many at its beginning may have swallowed what follows.

        Args:
            raw: the value, as it was taken last.
        """
        found = self._begins.search(raw, 1)
        if found:
            self.place -= len(raw) - found.start()
            self._first = self._broken = True

    def _named(self) -> str | None:
        """The key of a member, up to its value."""
        while self.place < len(self._data):
            key = _STRING.match(self._data, self.place)
            colon = _COLON.match(self._data, key.end()) if key else None
            if key and colon:
                try:
                    name = _key(key[0])
                except (msgspec.DecodeError, UnicodeDecodeError):
                    pass
                else:
                    self.place = colon.end()
                    return name
            self.problem = self.problem or (self._shown(), "the key of a record")
            self._resume(self.place + 1)
        return None

    def _limit(self, start: int) -> int:
        """How far to look for the end of a value.

        To the end of the file, unless a record was broken before: every further
        one would be another walk through all that follows.
        """
        return self._record(start + 1) if self._broken else len(self._data)

    def _resume(self, place: int) -> None:
        """Go to where the next record begins; to the end if there is none."""
        self.place = self._record(place)
        self._first = True

    def _record(self, place: int) -> int:
        """Where the first record from a place on begins; the end if there is none."""
        if not self._asked <= place <= self._next_record:
            found = self._begins.search(self._data, place)
            self._next_record = found.start() if found else len(self._data)
            self._asked = place
        return self._next_record

    def _blank(self) -> None:
        found = _BLANK.match(self._data, self.place)
        self.place = found.end() if found else self.place

    def _shown(self) -> str:
        start = self._data[self.place : self.place + 20].split(b"\n")[0]
        return repr(start.decode("utf-8", "replace"))
