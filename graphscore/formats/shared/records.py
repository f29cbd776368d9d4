r"""Builder that readers share: one record, and all of its problems.

>>> draft = RecordBuilder("a.txt", 3, b"caf\xe9 1", item="7")
>>> draft.text(draft.whole(), 3)
>>> rejected = draft.record(None)
>>> rejected.line, rejected.item, str(rejected.problems[0])
(3, '7', 'a.txt:3:4: found bytes that are not UTF-8, expected UTF-8 text')
"""

from __future__ import annotations

from functools import lru_cache

from graphscore.exceptions import Problem
from graphscore.formats.base import Note, ReadGraph, Record, Rejected
from graphscore.model.graph import Graph

SHOWN = 200
"""Bytes that are kept of what is too long to be held."""

LAST_POSITION = 1_000_000
"""Largest anchor without a text; more is taken for a mistake.

A set of characters needs memory up to its last one.
"""


def text_of(raw: bytes, name: str, line: int = 1, where: str = "") -> str | Problem:
    r"""Lines as text, or where they are none.

    Args:
        raw: one line or several.
        name: the file, for problems.
        line: the number of the first one.
        where: their place, for problems.

    >>> print(text_of(b"one\ntw\xff", "a.txt"))
    a.txt:2:3: found bytes that are not UTF-8, expected UTF-8 text
    """
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        location = place_of(raw, error.start, line)
        result = "bytes that are not UTF-8"
        return Problem(name, *location, where, result, "UTF-8 text")


def place_of(raw: bytes, byte: int, line: int) -> tuple[int, int]:
    """The line of a byte, and its column there, from 1.

    Args:
        raw: one line or several.
        byte: the byte's place in them.
        line: the number of the first one.
    """
    before = raw[:byte]
    return line + before.count(b"\n"), byte - before.rfind(b"\n")


class _Bytes:
    """Byte offsets of the characters of a text, each found from the one before.

    Args:
        text: the text, which has characters of several bytes.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = self._bytes = 0

    def before(self, index: int) -> int:
        """Return the number of bytes before a character."""
        reached = self._place
        if index >= reached:
            self._bytes += len(self._text[reached:index].encode("utf-8", "replace"))
        elif 2 * index > reached:
            self._bytes -= len(self._text[index:reached].encode("utf-8", "replace"))
        else:
            self._bytes = len(self._text[:index].encode("utf-8", "replace"))
        self._place = index
        return self._bytes


_bytes_of = lru_cache(maxsize=8)(_Bytes)


def bytes_before(text: str, index: int) -> int:
    """Return the number of bytes of a text before a character.

    A line may have a problem at each of its characters: going on from the last one
    costs no more than what is between them.

    Args:
        text: the text; a long one is best asked about from left to right.
        index: the number of the character, from 0.

    >>> bytes_before("naïve", 2), bytes_before("naïve", 3)
    (2, 4)
    """
    if text.isascii():
        return min(index, len(text))
    return _bytes_of(text).before(min(index, len(text)))


def too_long(raw: bytes, longest: int) -> bool:
    """Return whether a line goes on behind what was read of it.

    Args:
        raw: what was read.
        longest: how many bytes were read at most.
    """
    return len(raw) >= longest and not raw.endswith(b"\n")


class RecordBuilder:
    """A record while it is read.

    Args:
        name: the file.
        line: the number of its first line.
        *raw: its bytes, to which further lines may be added.
        framework: its framework, as far as it is known.
        item: its id, as far as it is known.
    """

    def __init__(
        self, name: str, line: int, *raw: bytes, framework: str = "", item: str = ""
    ) -> None:
        self.name, self.line, self.raw = name, line, [*raw]
        self.framework, self.item = framework, item
        self.problems: list[Problem] = []
        self.left_out: list[Problem] = []
        """Problems of parts that the rest does without."""
        self.notes: list[Note] = []
        """Notes on odd parts that are ignored, as nothing needs them."""

    def add(
        self,
        where: str,
        found: str,
        expected: str,
        column: int | None = None,
        line: int | None = None,
    ) -> None:
        """Note a problem.

        Args:
            where: place in the record: a path, or the name of a field.
            found: what stands there.
            expected: what should.
            column: byte column from 1, if it is known.
            line: its line, unless it is the first one.
        """
        line = self.line if line is None else line
        self.problems.append(Problem(self.name, line, column, where, found, expected))

    def leave_out(self, where: str, found: str, expected: str, line: int) -> None:
        """Note a part that cannot be read, and that the rest does without.

        Args:
            where: the name of the part.
            found: what stands there.
            expected: what should.
            line: its line.
        """
        self.left_out.append(Problem(self.name, line, None, where, found, expected))

    def pass_over(self, what: str, absent: bool = False) -> None:
        """Make a note of the problem that was added last, as nothing needs its part.

        Args:
            what: what it is in any record, in a few words.
            absent: whether its part is not there.
        """
        self.notes.append(Note(what, self.problems.pop(), absent))

    def text(
        self, raw: bytes, line: int, longest: int = 0, expected: str = ""
    ) -> str | None:
        """A line of the record as text, its end included.

        Args:
            raw: its bytes.
            line: its number.
            longest: how many bytes of a line were read at most, if that was bounded.
            expected: what should stand in place of a longer one.

        Returns:
            The text; ``None``, and a problem, if there is none.
        """
        if longest and too_long(raw, longest):
            self.add("", f"a line of more than {longest:,} bytes", expected, line=line)
            return None
        text = text_of(raw, self.name, line)
        if isinstance(text, str):
            return text
        self.problems.append(text)
        return None

    def absorb(self, part: RecordBuilder, between: bytes = b"") -> None:
        """Take over the bytes of a part of the record, and what is wrong with it.

        Args:
            part: what stands in another place of the file.
            between: what its bytes are kept apart by from those before.
        """
        self.raw += [between, *part.raw] if self.raw else part.raw
        self.problems += part.problems
        self.left_out += part.left_out
        self.notes += part.notes

    def whole(self) -> bytes:
        """All bytes of the record."""
        return b"".join(self.raw)

    def rejected(self, framework: str | None = None) -> Rejected:
        """The record as one that cannot be a graph.

        Args:
            framework: what it costs, unless it is the draft's own framework.
        """
        framework = self.framework if framework is None else framework
        problems = (*self.problems, *self.left_out)
        return Rejected(self.line, problems, self.whole(), framework, self.item)

    def set_aside(self, what: str, where: str, found: str, expected: str) -> Rejected:
        """Return the record as one that is left out, and costs nothing.

        Args:
            what: what it is in any record, in a few words.
            where: what says so: a path, or the name of a field.
            found: what stands there.
            expected: what stands there in others.
        """
        self.problems = []
        self.add(where, found, expected)
        return self.rejected()._replace(aside=what)

    def record(self, graph: Graph | None, framework: str | None = None) -> Record:
        """A graph, unless there were problems.

        Args:
            graph: it; of no use, or none at all, if there were problems.
            framework: what they cost, unless it is the draft's own framework.
        """
        if graph is None or self.problems:
            return self.rejected(framework)
        return ReadGraph(self.line, graph, tuple(self.left_out), tuple(self.notes))
