r"""SBN: the Simplified Box Notation of the Parallel Meaning Bank.

A line for each sense of a word, in the order of the text, with its roles.  What a role
leads to is another sense, so many lines before or after, or a constant; a relation of
discourse opens the next box.  What follows ``%`` says which words it comes from::

    %%% p00/d0801
    person.n.01   EQU speaker     % I       [0-1]
    call.v.03     Agent -1        % call    [2-6]
                  EXPLANATION -1  % because [7-14]
    need.v.01     Theme -2        % needed  [15-21]

Documents stand in files of their own, or between blank lines.  Parsers write a document
a line, after its id or without one.

The graph is that of ud-boxer (Poelman, van Noord and Bos 2022, "Transparent Semantic
Parsing with Universal Dependencies Using Graph Transformations"): a node for every box,
sense and constant; edges ``member`` from a box to its senses, relations from box to
box, roles from a sense.  ``lemma``, ``pos`` and ``sense`` are properties.  Two roles
between the same nodes are both kept.

>>> import io
>>> text = b"dog.n.01\nbark.v.01 Agent -1 Time now"
>>> [record] = read(io.BytesIO(text), "a.sbn")
>>> [(node.id, node.label) for node in record.graph.nodes]
[('b0', 'box'), ('s0', 'sense'), ('s1', 'sense'), ('c0', 'now')]
>>> [(edge.source, edge.label, edge.target) for edge in record.graph.edges][-2:]
[('s1', 'Agent', 's0'), ('s1', 'Time', 'c0')]
>>> [record] = read(io.BytesIO(b"dog.n.01 Name"), "a.sbn")
>>> print(record.left_out[0])
a.sbn:1: Name: found nothing after it, expected an index or a constant

Bos 2023, "The Sequence Notation: Catching Complex Meanings in Simple Graphs".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.meaning.drg import (
    ITEM,
    NAMED,
    OFFSETS,
    item_of,
)
from graphscore.formats.meaning.sbn_graph import HEADER, LEMMA, Build, Said
from graphscore.formats.shared.records import LAST_POSITION, Draft
from graphscore.formats.source import bounded_lines
from graphscore.formats.texts import pieced
from graphscore.model.graph import Anchor, Graph
from graphscore.model.numbers import whole_number

OUTSIDE = "an index of no sense, read as a constant"
"""What notes say of an index that is out of range."""

LONGEST_LINE = 1024 * 1024
"""A longer line is no document."""

_COMMENT = re.compile(r"(?:^|\s)%(?:\s|$)")
_RANGE = re.compile(r"(.*?)\s*\[(\d+)-(\d+)\]\s*")
_NAMED_LINE = re.compile(r"([^\s,]+)(?:,|\t+)[ \t]*(.*)", re.DOTALL)

PEEKED = 1000
"""Lines that are looked at to tell documents of a line each."""


class _Document(Draft):
    """The lines of one document."""

    def __init__(self, name: str, line: int, *raw: bytes) -> None:
        super().__init__(name, line, *raw, framework="sbn")
        self.lines: list[Said] = []
        self.header: list[str] = []
        self.pieces: dict[Anchor, str] = {}

    def take(self, raw: bytes, number: int) -> None:
        """One line that is not blank, of a document of several."""
        self.raw.append(raw)
        text = self.text(raw, number, LONGEST_LINE, "a word sense per line")
        if text is None:
            return
        if text.lstrip().startswith("%%%"):
            self._heading(text.strip())
            return
        said, comment = text, ""
        cut = _COMMENT.search(text)
        if cut:
            said, comment = text[: cut.start()], text[cut.end() :].strip()
        anchors = self._range(comment, number)
        words = self._words(said, number)
        if words:
            self.lines.append(Said(number, words, anchors))

    def _heading(self, line: str) -> None:
        said = line.removeprefix("%%%").strip()
        match = ITEM.search(said)
        if said.startswith(NAMED):
            self.item = said[len(NAMED) :]
            return
        if match and not self.item:
            self.item = match[0]
        self.header.append(line)

    def _range(self, comment: str, number: int) -> tuple[Anchor, ...]:
        """The characters that a comment names; one without any is none."""
        match = _RANGE.fullmatch(comment)
        if match is None:
            return ()
        start, end = whole_number(match[2]), whole_number(match[3])
        if start is None or end is None or not start <= end <= LAST_POSITION:
            expected = "a range from a smaller to a larger position up to "
            found = f"[{match[2][:20]}-{match[3][:20]}]"
            self.add("%", found, f"{expected}{LAST_POSITION:,}", line=number)
            self.pass_over(OFFSETS)
            return ()
        anchor = Anchor(start, end)
        self.pieces.setdefault(anchor, match[1])
        return (anchor,)

    def _words(self, text: str, number: int) -> list[str]:
        """The words of a line; what stands in quotation marks is one."""
        found: list[str] = []
        quoted: list[str] = []
        for word in text.split():
            if quoted or (word.startswith('"') and not _closed(word)):
                quoted.append(word)
                if word.endswith('"') and len(quoted) > 1:
                    found.append(" ".join(quoted))
                    quoted = []
            else:
                found.append(word)
        if quoted:
            shown = " ".join(quoted)[:60]
            self.add(shown, "no end of it", 'a closing "', line=number)
        return found

    def take_line(self, raw: bytes, number: int) -> None:
        """A line that is a document."""
        text = self.text(raw, number, LONGEST_LINE, "a document per line")
        if text is None:
            return
        match = _NAMED_LINE.match(text.strip("\r\n"))
        if match and not LEMMA.fullmatch(match[1]):
            self.item, text = match[1], match[2]
        words = self._words(text, number)
        self.lines = [Said(number, words, ())] if words else []

    def _outside(self, role: str, expected: str, line: int) -> None:
        """Note an index that leads to no sense.

        The reader of ud-boxer takes it for a constant that looks like an index.
        """
        self.add(role, "no sense there", expected, line=line)
        self.pass_over(OUTSIDE)

    def records(self, alone: bool = False) -> Iterator[Record]:
        """The graph, a rejected record, or nothing where all were comments.

        Args:
            alone: whether a line says nothing but an id.
        """
        if not self.lines and not self.problems:
            if not alone:
                return
            self.add(self.item, "nothing after the id", "word senses", line=self.line)
        build = Build(self.lines, self.leave_out, self._outside)
        text, tokens = pieced(self.pieces)
        if any(note.what == OFFSETS for note in self.notes):
            text = ""
        graph = Graph(
            self.item,
            "sbn",
            2,
            "",
            self.item,
            text,
            tokens,
            tuple(build.nodes),
            tuple(build.edges),
            ("b0",),
            {HEADER: self.header} if self.header else {},
        )
        yield self.record(graph)


def _closed(word: str) -> bool:
    return len(word) > 1 and word.endswith('"')


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    lines = bounded_lines(stream, LONGEST_LINE)
    first = list(islice(lines, PEEKED))
    whole = chain(first, lines)
    if of_lines(raw for _, raw in first):
        yield from _by_line(whole, name)
    else:
        yield from _by_block(whole, name)


def of_lines(lines: Iterable[bytes]) -> bool:
    """Whether documents have a line each: some are whole, and none has a comment.

    Args:
        lines: the first ones of a file.

    Example:
        >>> of_lines([b"dog.n.01 bark.v.01 Agent -1"]), of_lines([b"dog.n.01 % dog"])
        (True, False)
    """
    found = False
    for raw in lines:
        text = raw.decode("utf-8", "replace").strip()
        if text.startswith("%") or _COMMENT.search(text):
            return False
        found = found or _is_document(text)
    return found


def _is_document(text: str) -> bool:
    """Whether a line without a comment is a document: it has an id, or two senses."""
    if text.startswith("%"):
        return False
    match = _NAMED_LINE.match(text)
    if match and not LEMMA.fullmatch(match[1]):
        text = match[2]
        if any(LEMMA.fullmatch(word) for word in text.split(None, 1)[:1]):
            return True
    senses = (word for word in text.split() if LEMMA.fullmatch(word))
    return len(list(islice(senses, 2))) > 1


def _by_line(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Record]:
    for number, raw in lines:
        if raw.strip():
            document = _Document(name, number, raw)
            document.take_line(raw, number)
            yield from document.records(alone=True)


def _by_block(lines: Iterable[tuple[int, bytes]], name: str) -> Iterator[Record]:
    document: _Document | None = None
    for number, raw in lines:
        text = raw.decode("utf-8", "replace").strip()
        if _is_document(text) and not _COMMENT.search(text):
            # Of a file whose first lines do not tell that it has such documents.
            if document is not None:
                yield from document.records()
                document = None
            alone = _Document(name, number, raw)
            alone.take_line(raw, number)
            yield from alone.records(alone=True)
        elif raw.strip():
            if document is not None and document.lines and item_of(raw):
                # The id of another record: a blank line is missing before it.
                yield from document.records()
                document = None
            document = document or _Document(name, number)
            document.take(raw, number)
        elif document is not None:
            yield from document.records()
            document = None
    if document is not None:
        yield from document.records()
