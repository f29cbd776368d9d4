r"""UMR files cut into sentences, and each of those into its parts.

A sentence has four parts, in this order: lines about it, its graph, its alignment with
words, and what is annotated across sentences.  The last three begin with a comment each
that names them; files differ in everything else, such as the lines of number signs and
blank lines between sentences.

>>> import io
>>> data = b"# :: snt1 Dogs bark\n\n# sentence level graph:\n(s1b / bark-01)\n\n"
>>> [block] = blocks(io.BytesIO(data + b"# alignment:\ns1b: 2-2\n"), "a.umr")
>>> block.number, block.said, block.graph[0], block.alignment
('1', 'Dogs bark', (4, b'(s1b / bark-01)\n'), [(7, 's1b: 2-2')])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.shared.records import Draft
from graphscore.formats.source import bounded_lines

LONGEST_LINE = 4 * 1024 * 1024
"""A longer line is no annotation; it is refused without holding it in memory."""

_PART = re.compile(
    r"#\s*(?:(sentence[ -]level graph)|(alignments?)|(document[ -]level annotation))\b"
    r"\s*:?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"#\s*::\s*snt\s?(\d+)\b[ \t]*(.*)", re.DOTALL)
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?")
_BEGINS = re.compile(r"####|#\s*(?:::\s*snt\s?\d|sent_id\b|meta-info\b|newdoc\b)")

HEADER, GRAPH, ALIGNMENT, ANNOTATION = range(4)
"""The parts of a sentence."""

Lines = list[tuple[int, str]]
"""Lines without the blanks around them, with their numbers."""


class Block(Draft):
    """One sentence, as it stands in the file.

    Args:
        name: the file.
        line: the number of its first line.
    """

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name, line, framework="umr")
        self.part = HEADER
        self.header: list[str] = []
        """Lines about it that are none of the following, as they stand."""
        self.number = ""
        """The number that it says it has."""
        self.said = ""
        """What follows the number."""
        self.begins: str | None = None
        """The document that begins with it, if one does."""
        self.index = self.words = ""
        """The two lines of its words, under one another."""
        self.graph: list[tuple[int, bytes]] = []
        self.alignment: Lines = []
        self.annotation: Lines = []

    @property
    def told(self) -> bool:
        """Whether anything is there but what separates sentences."""
        return bool(
            self.part or self.header or self.number or self.words or self.problems
        )

    def take(self, number: int, raw: bytes) -> None:
        """One more line of it."""
        self.raw.append(raw)
        if self.part == GRAPH and not raw.lstrip().startswith(b"#"):
            if self.graph or raw.strip():
                self.graph.append((number, raw))
            return
        text = self.text(raw, number, LONGEST_LINE, "a line of a sentence")
        bare = (text or "").strip()
        if not bare:
            return
        part = _PART.match(bare)
        if part and part.lastindex:
            self.part = part.lastindex
            rest = bare[part.end() :].strip()
            if rest and self.part != GRAPH:
                self._lines().append((number, rest))
        elif self.part == HEADER:
            self._about(bare, (text or "").rstrip("\r\n"), number, raw)
        elif self.part == GRAPH:
            self.graph.append((number, raw))
        else:
            self._lines().append((number, bare))

    def _lines(self) -> Lines:
        return self.alignment if self.part == ALIGNMENT else self.annotation

    def _about(self, bare: str, text: str, number: int, raw: bytes) -> None:
        """A line about the sentence; one with a bracket begins its graph."""
        if bare.startswith("(") and self.number:
            self.part = GRAPH
            self.graph.append((number, raw))
        elif match := _SENTENCE.match(bare):
            self.number, self.said = match[1], match[2].strip()
        elif match := _DOCUMENT.match(bare):
            self.begins = (match[1] or "").strip()
        elif bare.startswith("Index:") and not self.index:
            self.index = text
        elif bare.startswith("Words:") and not self.words:
            self.words = text
        elif bare.strip("#"):
            self.header.append(text)

    def ends_before(self, bare: bytes) -> bool:
        """Whether a line is of the next sentence.

        Args:
            bare: the line, without blanks around it.
        """
        if not bare.startswith(b"#") or not self.told:
            return False
        text = bare.decode("utf-8", "replace")
        part = _PART.match(text)
        if part and part.lastindex:
            return part.lastindex == GRAPH and self.part >= GRAPH
        if not _BEGINS.match(text):
            return False
        return self.part > HEADER or bool(self.number and _SENTENCE.match(text))


def blocks(stream: BinaryIO, name: str) -> Iterator[Block]:
    """The sentences of a file.

    Args:
        stream: its bytes.
        name: its name, for problems.
    """
    block: Block | None = None
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        bare = raw.strip()
        if block is not None and block.ends_before(bare):
            yield block
            block = None
        if block is None:
            if not bare:
                continue
            block = Block(name, number)
        block.take(number, raw)
    if block is not None and block.told:
        yield block
