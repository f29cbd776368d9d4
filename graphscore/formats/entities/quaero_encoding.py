"""In which encoding a file of lines is, UTF-8 or ISO-8859-15, and its lines as text.

The corpora of QUAERO are in ISO-8859-15, what tools write today in UTF-8, and neither
says so.  The first lines decide for the file as a whole; a later line that does not
go with them is an error, not a line of wrong letters.

>>> decoder = Decoder([b"le maire", "contr\u00f4leurs".encode("iso-8859-15")])
>>> decoder.encoding, decoder.text("d\u00e9cident".encode("iso-8859-15"))
('iso-8859-15', 'd\u00e9cident')
>>> decoder.text("d\u00e9cident".encode())
Undecodable(position=1, found='bytes of UTF-8', expected='ISO-8859-15, as before')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

UTF_8, LATIN_9 = "utf-8", "iso-8859-15"
"""Names of the encodings, as Python has them."""

_UNPRINTABLE = re.compile(rb"[\x80-\x9f]")


class Undecodable(NamedTuple):
    """Why a line is no text."""

    position: int
    """The first such byte, from 0."""
    found: str
    expected: str


class Decoder:
    """Decodes the lines of one file.

    Args:
        lines: the first lines of it.

    Attributes:
        encoding: the encoding of the file, ``None`` as long as every line was ASCII.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        votes = {True: 0, False: 0}
        for line in lines:
            if not line.isascii():
                votes[_is_utf_8(line)] += 1
        self.encoding: str | None = None
        if any(votes.values()):
            # What is UTF-8 by chance is rare; one good line outweighs a bad one.
            self.encoding = UTF_8 if votes[True] >= votes[False] else LATIN_9

    def text(self, line: bytes) -> str | Undecodable:
        """A line as text, or why it is none.

        Args:
            line: the line without its end.
        """
        if b"\0" in line:
            expected = "text in UTF-8 or ISO-8859-15"
            return Undecodable(line.index(b"\0"), "a NUL byte", expected)
        if line.isascii():
            return line.decode("ascii")
        if self.encoding is None:
            self.encoding = UTF_8 if _is_utf_8(line) else LATIN_9
        if self.encoding == UTF_8:
            try:
                return line.decode()
            except UnicodeDecodeError as error:
                found = "bytes that are not UTF-8"
                return Undecodable(error.start, found, "UTF-8, as before")
        expected = "ISO-8859-15, as before"
        if _is_utf_8(line):
            first = next(k for k, byte in enumerate(line) if byte > 0x7F)
            return Undecodable(first, "bytes of UTF-8", expected)
        match = _UNPRINTABLE.search(line)
        if match is not None:
            found = f"the byte 0x{match[0][0]:02x}, which is no letter"
            return Undecodable(match.start(), found, expected)
        return line.decode(LATIN_9)


def _is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
