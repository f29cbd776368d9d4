r"""Column files with a tag for each token: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU.

A token to a line, blank lines between sentences; the first column is the token, the
last the tag (Tjong Kim Sang and De Meulder 2003; Ramshaw and Marcus 1995)::

    -DOCSTART- -X- -X- O

    U.N.     NNP I-NP I-ORG
    official NN  I-NP O

What the columns are is found out from the first sentences
(:mod:`graphscore.formats.entities.tag_table`): there may be an index before the
token, several columns of tags behind it, letters behind types, or types without
letters.

A sentence is a graph of the framework ``ner``, or one for each column of tags, which
has its name as ``layer``; entities are read leniently and keep
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
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

from graphscore.errors import amount
from graphscore.folding import shown
from graphscore.formats.base import Read, Reader, Record
from graphscore.formats.entities.sniffers import DOCSTART, cells_of
from graphscore.formats.entities.tag_table import Table, is_comment, table_of
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import bounded_lines
from graphscore.formats.texts import joined
from graphscore.model.graph import LAYER, Anchor, Graph
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.tags import (
    OUTSIDE,
    TAGS,
    USUAL,
    Chunk,
    Detection,
    Tag,
    chunks,
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

INDEX = "index"
"""The field of ``extra`` with the column that counts the tokens: its first number, or
all cells where they do not count up."""

PLAIN = "plain"
"""The scheme of tags without letters: neighbours of one type are one entity."""

SPELLING = "spelling"
"""The field of ``extra`` that says how tags are written, where it is unusual."""

LAST, BEFORE_LAST = -1, -2
"""The column of the tags; gold ones stand before predicted ones."""

_ID = re.compile(r"#\s*(?:sent_)?id\s*[=:]?\s*(\S+)")


class Sentence(Draft):
    r"""One sentence on its way to graphs, gathering what is wrong with it.

    Columns are separated by tabs, or, where a line has none, by blanks.  What they are
    is only known once several sentences were seen.

    Args:
        name: the file.
        line: its first line.
        tag: which column has the tag: the last (-1) or the one before (-2).

    Attributes:
        rows: the cells of its lines.
        chunks: its entities, once :meth:`graphs` was called.
        comments: those taken off its lines by :meth:`uncomment`, and some before them.

    Example:
        >>> sentence = Sentence("a.conll", 1)
        >>> sentence.take(1, "U.N. NNP I-NP I-ORG")
        >>> sentence.take(2, "official NN I-NP O")
        >>> [graph] = sentence.graphs("", Table())
        >>> graph.text, graph.nodes[0].label, graph.nodes[0].properties
        ('U.N. official', 'ORG', (('kind', 'mention'), ('tags', 'I')))
        >>> graph.extra["columns"]
        [['NNP', 'I-NP'], ['NN', 'I-NP']]
    """

    def __init__(self, name: str, line: int, tag: int = LAST) -> None:
        super().__init__(name, line, framework=NER)
        self._tag = tag
        self.rows: list[list[str]] = []
        self.chunks: list[Chunk] = []
        self.comments: list[str] = []
        self.docstart: list[str] | None = None
        self._lines: list[tuple[int, str]] = []

    def __bool__(self) -> bool:
        """Whether it has a line of its own."""
        return bool(self.rows or self.problems)

    def take(self, number: int, line: str) -> None:
        """Add a line.

        Args:
            number: its number in the file.
            line: the line without its end.
        """
        self.rows.append(cells_of(line))
        self._lines.append((number, line))

    def uncomment(self, table: Table, before: Sentence | None) -> None:
        """Take comments off its lines.

        Args:
            table: what the columns are.
            before: comments that stand alone before it.
        """
        others = (len(row) for row in self.rows if not is_comment(row))
        width = next(others, table.width)
        while self.rows and is_remark(
            self._lines[0][1], self.rows[0], table, self._tag, width
        ):
            self.rows.pop(0)
            _, line = self._lines.pop(0)
            self.comments.append(line)
            match = _ID.match(line)
            if match is not None:
                self.item = self.item or match[1]
        if before is not None:
            self.line, self.raw = before.line, before.raw + self.raw
            self.item = before.item or self.item
            self.comments = before.comments + self.comments
            self.docstart = before.docstart or self.docstart

    def graphs(self, document: str, table: Table) -> list[Graph]:
        """The sentence as graphs, one for each column of tags.

        There are none where something is wrong with it.

        Args:
            document: the document that it belongs to, empty where none is said.
            table: what the columns are.
        """
        columns = self._tags(table)
        if self.problems or not self.rows:
            return []
        text, tokens = joined([row[table.first] for row in self.rows])
        about = self._extra(table)
        self.chunks, graphs = [], []
        for name, tags in zip(table.layers or ("",), columns, strict=True):
            build = LayoutBuilder()
            found = chunks(tags)
            for first, last, label, letters in found:
                anchor = Anchor(tokens[first].start, tokens[last].end)
                said = () if table.plain else ((TAGS, letters),)
                build.mention(label, (anchor,), said)
            self.chunks += found
            graphs.append(
                build.graph(
                    self.item,
                    NER,
                    document=document,
                    text=text,
                    tokens=tokens,
                    extra={LAYER: name, **about} if name else {**about},
                )
            )
        return graphs

    def _tags(self, table: Table) -> list[list[Tag]]:
        """The columns of tags; what is none is a problem."""
        wanted = max(len(table.layers), 1)
        least = table.first + wanted - self._tag
        width = max(len(self.rows[0]), least) if self.rows else 0
        columns: list[list[Tag]] = [[] for _ in range(wanted)]
        for (number, line), cells in zip(self._lines, self.rows, strict=True):
            if len(cells) < least:
                what = "an index, a token" if table.indexed else "a token"
                tags = "and its tag" if wanted - self._tag == 2 else "and two tags"
                tags = f"and {wanted} tags" if wanted > 1 else tags
                found = amount(len(cells), "column")
                self.add("", found, f"{what} {tags}, or more", line=number)
                continue
            if len(cells) != width:
                expected = f"{width}, as in the first line of the sentence"
                self.add("", amount(len(cells), "column"), expected, line=number)
                continue
            if not cells[table.first]:
                self.add("", "an empty token", "a token", line=number)
            last = len(cells) + self._tag
            for column, place in zip(
                columns, range(last - wanted + 1, last + 1), strict=True
            ):
                tag = table.read(cells[place])
                if tag is None:
                    at = self._column(line, cells, place)
                    self.add("", shown(cells[place]), table.expected, at, number)
                else:
                    column.append(tag)
        return columns

    def _column(self, line: str, cells: list[str], place: int) -> int:
        """Where a cell begins, in bytes."""
        end = len(line)
        for cell in cells[: place - 1 if place else None : -1]:
            end = line.rindex(cell, 0, end)
        return len(line[:end].encode()) + 1

    def _extra(self, table: Table) -> dict[str, Any]:
        """What has no place in a graph."""
        extra: dict[str, Any] = {}
        wanted = max(len(table.layers), 1)
        behind = len(self.rows[0]) + self._tag + 1 - wanted
        between = [row[table.first + 1 : behind] for row in self.rows]
        if any(between):
            extra[COLUMNS] = between
        if self._tag == BEFORE_LAST:
            extra[PREDICTED] = [row[LAST] for row in self.rows]
        if table.indexed:
            numbers = [row[0] for row in self.rows]
            first = whole_number(numbers[0]) or 0
            even = [str(first + place) for place in range(len(numbers))]
            extra[INDEX] = first if numbers == even else numbers
        if table.spelling is None:
            extra[SCHEME] = PLAIN
        elif table.spelling != USUAL:
            extra[SPELLING] = table.spelling.written("B", "PER")
        if "\t" not in self._lines[0][1]:
            extra[SEPARATOR] = " "
        if self.comments:
            extra[COMMENTS] = self.comments
        if self.docstart is not None:
            extra[OPENING] = self.docstart
        return extra


def is_remark(
    line: str,
    cells: Sequence[str],
    table: Table | None = None,
    tag: int = LAST,
    width: int = 0,
) -> bool:
    r"""Whether the first line of a sentence is a comment, and no token with its tag.

    Args:
        line: the line.
        cells: its columns.
        table: what the columns are.
        tag: which column has the tag.
        width: how many columns the other lines have.

    >>> [is_remark(line, line.split()) for line in ("#id 1", "#1 O", "#1 PER")]
    [True, False, True]
    """
    table = table or Table()
    if not line.startswith("#") or table.indexed:
        return line.startswith("#")
    if line[1:2] == "\t" or (line[1:2] != " " and "\t" in line and len(cells) == width):
        return False
    if len(cells) < 1 - tag:
        return True
    if table.spelling == USUAL:
        return table.read(cells[tag]) is None
    # Of a comment, too, the last word may look like a type, or be one.
    seen = cells[tag] == OUTSIDE[0] or (
        cells[tag] in table.types if table.plain else bool(table.read(cells[tag]))
    )
    return not seen or len(cells) != width


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last column has the tags.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    yield from _detected(_sentences(stream, name, LAST), LAST)


def read_gold(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last two columns are gold and predicted tags: the gold ones.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    yield from _detected(_sentences(stream, name, BEFORE_LAST), BEFORE_LAST)


def _detected(sentences: Iterator[tuple[Sentence, str]], tag: int) -> Iterator[Record]:
    """The records, after columns and scheme were found out from the first of them.

    Sentences of nothing but ``O`` say nothing of how tags are written: the next ones
    are looked at then.
    """
    table: Table | None = None
    scheme: str | None = None
    alone: list[Sentence] = []
    while (table is None or not table.tagged) and (
        window := list(islice(sentences, WINDOW))
    ):
        found = table_of((sentence.rows for sentence, _ in window), tag)
        if table is not None:
            found = found._replace(indexed=table.indexed, layers=table.layers)
        table = found
        seen = Detection()
        first: list[Record] = []
        for sentence, document in _uncommented(iter(window), table, alone):
            first += _records(sentence, document, table, None)
            seen.add(sentence.chunks)
        scheme = None if table.plain else seen.scheme
        for record in first:
            if isinstance(record, Read) and scheme is not None:
                record.graph.extra[SCHEME] = scheme
            yield record
    for sentence, document in _uncommented(sentences, table or Table(), alone):
        yield from _records(sentence, document, table or Table(), scheme)


def _uncommented(
    sentences: Iterator[tuple[Sentence, str]], table: Table, alone: list[Sentence]
) -> Iterator[tuple[Sentence, str]]:
    """Sentences without their comments; those that stand alone go to the next one."""
    for sentence, document in sentences:
        sentence.uncomment(table, alone.pop() if alone else None)
        if sentence:
            yield sentence, document
        else:
            alone.append(sentence)


def _records(
    sentence: Sentence, document: str, table: Table, scheme: str | None
) -> Iterator[Record]:
    graphs = sentence.graphs(document, table)
    for graph in graphs:
        if scheme is not None:
            graph.extra[SCHEME] = scheme
        yield Read(sentence.line, graph)
    if sentence.problems:
        whole = sentence.rejected()
        for number, layer in enumerate(table.layers or ("",)):
            # Each layer misses the sentence; what is wrong with it is said once.
            if number:
                sentence.problems = []
                sentence.add("", "a bad sentence", f"the tags of layer {layer!r}")
                whole = sentence.rejected()
            yield whole._replace(layer=layer)


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
            current.line, current.docstart = number + 1, docstart
            continue
        current.raw.append(raw)
        if line is not None:
            current.take(number, line)
    if current:
        yield current, str(documents or "")


def reader_of(graphs: Sequence[Graph]) -> Reader:
    """The reader of what is written of graphs, by the columns of tags they have.

    Args:
        graphs: sentences.
    """
    for graph in graphs:
        # As it is written: of other formats the field may be anything.
        predicted = kept_as(graph.extra, PREDICTED, list[str], [])
        if predicted and len(predicted) == len(graph.tokens):
            return read_gold
    return read
