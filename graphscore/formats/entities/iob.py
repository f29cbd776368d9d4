r"""Column files with a tag for each token: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU.

A token to a line, blank lines between sentences; the first column is the token, the
last the tag (Tjong Kim Sang and De Meulder 2003; Ramshaw and Marcus 1995)::

    -DOCSTART- -X- -X- O

    U.N.     NNP I-NP I-ORG
    official NN  I-NP O

A sentence is a graph of the framework ``ner``; entities are read leniently and keep
the letters of their tags (:mod:`graphscore.structures.entities.tags`), so that being
strict is up to the metric.  The scheme is found out from the first sentences and
noted in ``extra``.

>>> import io
>>> data = b"EU\tB-ORG\nrejects\tO\n\nPeter\tB-PER\nBlackburn\tI-PER\n"
>>> one, two = read(io.BytesIO(data), "a.iob2")
>>> one.graph.text, two.graph.nodes[0].anchors
('EU rejects', (Anchor(start=0, end=15),))
>>> two.graph.extra
{'scheme': 'iob2'}
>>> [bad] = read(io.BytesIO(b"EU\tORG\n"), "a.iob2")
>>> print(bad.problems[0])
a.iob2:1:4: found 'ORG', expected a tag: O, or B, I, E, L, S, U with a type (B-PER)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, BinaryIO

from graphscore.errors import amount
from graphscore.formats.base import Read, Record
from graphscore.formats.entities.sniffers import DOCSTART, cells_of
from graphscore.formats.shared.json_lines import shown
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import bounded_lines
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.tags import (
    TAGS,
    Chunk,
    Detection,
    Tag,
    chunks,
    tag_of,
)
from graphscore.structures.layout import NER, LayoutBuilder

LONGEST_LINE = 1024 * 1024
"""A longer line is no token with its tag."""

WINDOW = 2000
"""So many sentences are looked at to find out the scheme."""

COLUMNS, SEPARATOR, COMMENTS = "columns", "separator", "comments"
"""Fields of ``extra`` of a graph."""

PREDICTED, OPENING, SCHEME = "predicted", "docstart", "scheme"
"""More of them."""

LAST, BEFORE_LAST = -1, -2
"""The column of the tags; gold ones stand before predicted ones."""

_ID = re.compile(r"#\s*(?:sent_)?id\s*[=:]?\s*(\S+)")

_read_tag = lru_cache(maxsize=4096)(tag_of)


class Sentence(Draft):
    r"""One sentence on its way to a graph, gathering what is wrong with it.

    The first column is the token, the last the tag; what stands between is kept.
    Columns are separated by tabs, or, where a line has none, by blanks.

    Args:
        name: the file.
        line: its first line.
        tag: which column has the tag: the last (-1) or the one before (-2).

    Attributes:
        chunks: its entities, once :meth:`graph` was called.

    Example:
        >>> sentence = Sentence("a.conll", 1)
        >>> sentence.take(1, "U.N. NNP I-NP I-ORG")
        >>> sentence.take(2, "official NN I-NP O")
        >>> graph = sentence.graph("")
        >>> graph.text, graph.nodes[0].label, graph.nodes[0].properties
        ('U.N. official', 'ORG', (('kind', 'mention'), ('tags', 'I')))
        >>> graph.extra["columns"]
        [['NNP', 'I-NP'], ['NN', 'I-NP']]
    """

    def __init__(self, name: str, line: int, tag: int = LAST) -> None:
        super().__init__(name, line, framework=NER)
        self._tag = tag
        self.chunks: list[Chunk] = []
        self.comments: list[str] = []
        self.docstart: list[str] | None = None
        self._forms: list[str] = []
        self._tags: list[Tag] = []
        self._between: list[list[str]] = []
        self._predicted: list[str] = []
        self._width = 0
        self._separator = "\t"

    def __bool__(self) -> bool:
        """Whether it has a line of its own; comments alone are no sentence."""
        return bool(self._forms or self.problems)

    def take(self, number: int, line: str) -> None:
        """Add a line.

        Args:
            number: its number in the file.
            line: the line without its end.
        """
        cells = cells_of(line)
        least = 1 - self._tag
        tag = _read_tag(cells[self._tag]) if len(cells) >= least else None
        if tag is None and line.startswith("#") and line[1:2] != "\t" and not self:
            self.comments.append(line)
            match = _ID.match(line)
            if match is not None:
                self.item = self.item or match[1]
            return
        if not self._width:
            self._width = len(cells)
            self._separator = "\t" if "\t" in line else " "
        if len(cells) < least:
            what = "a token and its tag" if least == 2 else "a token and two tags"
            found = amount(len(cells), "column")
            self.add("", found, f"{what}, or more", line=number)
        elif len(cells) != self._width:
            expected = f"{self._width}, as in the first line of the sentence"
            self.add("", amount(len(cells), "column"), expected, line=number)
        elif tag is None:
            expected = "a tag: O, or B, I, E, L, S, U with a type (B-PER)"
            column = self._column(line, cells)
            self.add("", shown(cells[self._tag]), expected, column, number)
        else:
            self._forms.append(cells[0])
            self._tags.append(tag)
            self._between.append(cells[1 : self._tag])
            if self._tag == BEFORE_LAST:
                self._predicted.append(cells[-1])

    def _column(self, line: str, cells: list[str]) -> int:
        """Where the tag begins, in bytes."""
        end = len(line)
        for cell in cells[: self._tag - 1 : -1]:
            end = line.rindex(cell, 0, end)
        return len(line[:end].encode()) + 1

    def graph(self, document: str) -> Graph:
        """The sentence as a graph; it must be without problems.

        Args:
            document: the document that it belongs to, empty where none is said.
        """
        text, tokens = joined(self._forms)
        self.chunks = chunks(self._tags)
        build = LayoutBuilder()
        for first, last, label, letters in self.chunks:
            anchor = Anchor(tokens[first].start, tokens[last].end)
            build.mention(label, (anchor,), ((TAGS, letters),))
        extra: dict[str, Any] = {}
        if any(self._between):
            extra[COLUMNS] = self._between
        if self._predicted:
            extra[PREDICTED] = self._predicted
        if self._separator != "\t":
            extra[SEPARATOR] = self._separator
        if self.comments:
            extra[COMMENTS] = self.comments
        if self.docstart is not None:
            extra[OPENING] = self.docstart
        return build.graph(
            self.item, NER, document=document, text=text, tokens=tokens, extra=extra
        )


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last column has the tags.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    yield from _detected(_sentences(stream, name, LAST))


def read_gold(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last two columns are gold and predicted tags: the gold ones.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    yield from _detected(_sentences(stream, name, BEFORE_LAST))


def _detected(sentences: Iterator[tuple[Sentence, str]]) -> Iterator[Record]:
    """The records, after the scheme was found out from the first of them."""
    seen = Detection()
    first: list[Record] = []
    for sentence, document in islice(sentences, WINDOW):
        first.append(_record(sentence, document, None))
        seen.add(sentence.chunks)
    for record in first:
        if isinstance(record, Read) and seen.scheme is not None:
            record.graph.extra[SCHEME] = seen.scheme
        yield record
    for sentence, document in sentences:
        yield _record(sentence, document, seen.scheme)


def _record(sentence: Sentence, document: str, scheme: str | None) -> Record:
    if sentence.problems:
        return sentence.rejected()
    graph = sentence.graph(document)
    if scheme is not None:
        graph.extra[SCHEME] = scheme
    return Read(sentence.line, graph)


def _sentences(stream: BinaryIO, name: str, tag: int) -> Iterator[tuple[Sentence, str]]:
    """Sentences, and the documents that they belong to."""
    documents, docstart = 0, None
    current = Sentence(name, 1, tag)
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        line = current.text(raw, number, LONGEST_LINE, "a token and its tag")
        if line is not None:
            line = line.removesuffix("\n").removesuffix("\r")
        cells = cells_of(line) if line and line.startswith(DOCSTART) else ()
        ends = line is not None and not line.strip(" \t")
        if ends or (cells and cells[0] == DOCSTART):
            if current:
                yield current, str(documents or "")
                docstart = None
                current = Sentence(name, number + 1, tag)
            if cells:
                documents, docstart = documents + 1, list(cells)
            if not current.comments:
                current.line = number + 1
            current.docstart = docstart
            continue
        current.raw.append(raw)
        if line is not None:
            current.take(number, line)
    if current:
        yield current, str(documents or "")
