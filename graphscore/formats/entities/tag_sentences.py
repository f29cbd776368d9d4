r"""Sentences of column files with a tag for each token, read a stretch at a time.

Where all lines of a stretch have as many cells its columns are cut out of it as they
are, each sentence being a part of them (:class:`EvenSentence`).  What is odd, as a
comment or a line that lacks a cell, is read line by line (:class:`Sentence`).

>>> data = b"EU\tB-ORG\nrejects\tO\n\nPeter B-PER\n\n"
>>> [(type(sentence).__name__, sentence.line)
...  for sentence, _ in sentences_of(io.BytesIO(data), "a.iob2", LAST)]
[('EvenSentence', 1), ('Sentence', 4)]
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import Record
from graphscore.formats.entities.sniffers import DOCSTART, cells_of
from graphscore.formats.entities.tag_table import (
    Cells,
    Stretches,
    Table,
    columns_of,
    is_comment,
    is_remark,
    stretches_of,
)
from graphscore.formats.shared.columns import Block, Lines, blocks
from graphscore.formats.shared.records import text_of, too_long
from graphscore.formats.source import BOM, put_back
from graphscore.model.graph import LAYER, Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.tags import (
    USUAL,
    Chunk,
    sequences_of,
)
from graphscore.structures.layout import NER

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

_DOCSTART = DOCSTART.encode()


class EvenSentence:
    r"""A sentence with as many cells in each line; it needs no closer look so far.

    Args:
        line: its first line.
        cells: the cells of its lines, column by column.
        separator: what stands between these.
        end: what ends its lines in the file.

    Attributes:
        chunks: its entities, once :meth:`graphs` was called.

    Example:
        >>> sentence = EvenSentence(1, [["Ada", "left"], ["B-PER", "O"]], "\t", "\n")
        >>> [graph] = sentence.graphs("", Table(), LAST)
        >>> graph.text, graph.nodes[0].label
        ('Ada left', 'PER')
    """

    __slots__ = ("cells", "chunks", "end", "line", "separator")

    def __init__(self, line: int, cells: Cells, separator: str, end: str) -> None:
        self.line, self.cells, self.separator, self.end = line, cells, separator, end
        self.chunks: list[Chunk] = []

    @property
    def lines(self) -> list[bytes]:
        """Its lines as they stand in the file."""
        rows = map(self.separator.join, zip(*self.cells, strict=True))
        return [f"{row}{self.end}".encode() for row in rows]

    @property
    def stretches(self) -> Stretches:
        """Its cells."""
        return [self.cells]

    def graphs(
        self,
        document: str,
        table: Table,
        tag: int,
        item: str = "",
        further: Mapping[str, Any] | None = None,
    ) -> list[Graph] | None:
        """The sentence as graphs, one for each column of tags.

        Args:
            document: the document that it belongs to, empty where none is said.
            table: what the columns are.
            tag: which column has the tag.
            item: its id, empty where none is said.
            further: what else is said of it.

        Returns:
            The graphs; ``None`` where it needs a closer look.
        """
        cells, layers, token = self.cells, table.layers, table.indexed
        after = len(cells) + tag + 1
        first = after - (len(layers) or 1)
        forms = cells[token]
        if first <= token or "" in forms:
            return None
        text, tokens = join_tokens(forms)
        sequences = sequences_of(table.spelling)
        extra = self._extra(table, tag, cells[token + 1 : first])
        if further:
            extra |= further
        graphs = []
        self.chunks = []
        for index, tags in enumerate(cells[first:after]):
            try:
                chunks, nodes = sequences.mentions(sequences.coded(tags), tokens)
            except KeyError:
                return None
            self.chunks += chunks
            about = {LAYER: layers[index], **extra} if layers else extra
            graphs.append(
                Graph(item, NER, 1, "", document, text, tokens, nodes, extra=about)
            )
        return graphs

    def _extra(self, table: Table, tag: int, between: Cells) -> dict[str, Any]:
        """Return the fields without a place in a graph."""
        extra: dict[str, Any] = {}
        if between:
            extra[COLUMNS] = [*map(list, zip(*between, strict=True))]
        if tag == BEFORE_LAST:
            extra[PREDICTED] = [*self.cells[LAST]]
        if table.indexed:
            numbers = [*self.cells[0]]
            first = whole_number(numbers[0]) or 0
            even = [str(first + index) for index in range(len(numbers))]
            extra[INDEX] = first if numbers == even else numbers
        if table.spelling is None:
            extra[SCHEME] = PLAIN
        elif table.spelling != USUAL:
            extra[SPELLING] = table.spelling.written("B", "PER")
        if self.separator != "\t":
            extra[SEPARATOR] = self.separator
        return extra

    def closer(self, name: str, tag: int) -> Sentence:
        """The same sentence, looked at line by line.

        Args:
            name: the file.
            tag: which column has the tag.
        """
        return Sentence(name, self.line, self.lines, tag)


class Sentence(Block):
    r"""One sentence on its way to graphs, gathering what is wrong with it.

    Columns are separated by tabs, or, where a line has none, by blanks.  What they are
    is only known once several sentences were seen.

    Args:
        name: the file.
        line: its first line.
        raw: its lines as they stand in the file.
        tag: which column has the tag: the last (-1) or the one before (-2).

    Attributes:
        rows: the cells of its lines.
        chunks: its entities, once :meth:`graphs` was called.
        comments: those taken off its lines by :meth:`uncomment`, and some before them.

    Example:
        >>> lines = [b"U.N. NNP I-NP I-ORG\n", b"official NN I-NP O\n"]
        >>> sentence = Sentence("a.conll", 1, lines)
        >>> [graph] = sentence.graphs("", Table())
        >>> graph.text, graph.nodes[0].label, graph.nodes[0].properties
        ('U.N. official', 'ORG', (('kind', 'mention'), ('tags', 'I')))
        >>> graph.extra["columns"]
        [['NNP', 'I-NP'], ['NN', 'I-NP']]
    """

    longest = 1024 * 1024
    expected = "a token and its tag"

    def __init__(self, name: str, line: int, raw: Lines, tag: int = LAST) -> None:
        super().__init__(name, line, raw, NER)
        self._tag = tag
        self.chunks: list[Chunk] = []
        self.comments: list[str] = []
        self.docstart: list[str] | None = None
        self.rows = [*map(tuple, map(cells_of, self.lines))]

    @property
    def stretches(self) -> Stretches:
        """Its cells, as far as lines have as many."""
        return stretches_of(self.rows)

    def __bool__(self) -> bool:
        """Return whether the sentence has a line."""
        return bool(self.lines or self.problems)

    def uncomment(self, table: Table, before: Sentence | None) -> None:
        """Take comments off its lines.

        Args:
            table: what the columns are.
            before: comments that stand alone before it.
        """
        count = 0
        if self.lines and self.lines[0].startswith("#"):
            others = (len(row) for row in self.rows if not is_comment(row))
            width = next(others, table.width)
            for line, row in zip(self.lines, self.rows, strict=True):
                if not is_remark(line, row, table, self._tag, width):
                    break
                count += 1
                match = _ID.match(line)
                if match is not None:
                    self.item = self.item or match[1]
        if count:
            self.comments += self.lines[:count]
            del self.rows[:count], self.lines[:count]
            self.numbers = self.numbers[count:]
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
        self._check(table, max(len(table.layers), 1))
        if self.problems or not self.rows:
            return []
        separator = "\t" if "\t" in self.lines[0] else " "
        cells = [*zip(*self.rows, strict=True)]
        even = EvenSentence(self.line, cells, separator, "")
        further: dict[str, Any] = {COMMENTS: self.comments} if self.comments else {}
        if self.docstart is not None:
            further[OPENING] = self.docstart
        graphs = even.graphs(document, table, self._tag, self.item, further)
        assert graphs is not None
        self.chunks = even.chunks
        return graphs

    def rejections(self, table: Table) -> list[Record]:
        """Return the records of a sentence in which something is wrong.

        Each layer misses the sentence; what is wrong with it is said once.

        Args:
            table: what the columns are.
        """
        records: list[Record] = []
        for layer in table.layers or ("",) if self.problems else ():
            if records:
                self.problems = []
                self.add("", "a bad sentence", f"the tags of layer {layer!r}")
            records.append(self.rejected()._replace(layer=layer))
        return records

    def _check(self, table: Table, wanted: int) -> None:
        """Note everything that is wrong with a line.

        Args:
            table: what the columns are.
            wanted: how many of them have tags.
        """
        least = table.first + wanted - self._tag
        width = max(len(self.rows[0]), least) if self.rows else 0
        for number, line, cells in zip(
            self.numbers, self.lines, self.rows, strict=True
        ):
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
            for place in range(last - wanted + 1, last + 1):
                if table.read(cells[place]) is None:
                    at = self._column(line, cells, place)
                    self.add("", shown(cells[place]), table.expected, at, number)

    def _column(self, line: str, cells: Sequence[str], place: int) -> int:
        """Return the byte column in which a cell begins."""
        end = len(line)
        for cell in cells[: place - 1 if place else None : -1]:
            end = line.rindex(cell, 0, end)
        return len(line[:end].encode()) + 1


STRETCH = 1 << 15
"""Bytes that are read, and decoded, at once."""


def sentences_of(
    stream: BinaryIO, name: str, tag: int
) -> Iterator[tuple[EvenSentence | Sentence, str]]:
    """Sentences, and the documents that they belong to."""
    documents, document = 0, ""
    docstart: list[str] | None = None
    for line, raw in _blocks(stream):
        sentence: EvenSentence | Sentence
        if isinstance(raw, EvenSentence):
            sentence = raw
            if docstart is not None:
                sentence = sentence.closer(name, tag)
        elif cells := _opening(raw[0]):
            documents, docstart = documents + 1, cells
            document = str(documents)
            continue
        else:
            sentence = Sentence(name, line, raw, tag)
        if docstart is not None and isinstance(sentence, Sentence):
            sentence.docstart, docstart = docstart, None
        yield sentence, document


def _blocks(stream: BinaryIO) -> Iterator[tuple[int, EvenSentence | Lines]]:
    """The first line of each sentence, and its cells or, where uneven, its lines."""
    line, held = 1, stream.read(len(BOM)).removeprefix(BOM)
    while data := stream.read(STRETCH):
        held += data
        end = max(held.rfind(b"\n\n") + 2, held.rfind(b"\n\r\n") + 3)
        if end > 2:
            yield from _whole_sentences(held[:end], line)
            line += held.count(b"\n", 0, end)
            held = held[end:]
        elif len(held) >= Sentence.longest:
            yield from _uneven_sentences(held, line, stream)
            return
    yield from _uneven_sentences(held, line)


def _whole_sentences(
    stretch: bytes, line: int
) -> Iterator[tuple[int, EvenSentence | Lines]]:
    """Sentences of a stretch of the file, the even ones as their cells.

    Args:
        stretch: lines that end with a blank one.
        line: the number of the first one.
    """
    end, plain = "\n", stretch
    if b"\r" in stretch:
        plain, end = stretch.replace(b"\r\n", b"\n"), "\r\n"
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        text = "\r"
    separator = "\t" if "\t" in text else " "
    padded = separator == " " and any(x in text for x in ("  ", " \n", "\n "))
    mixed = end == "\r\n" and stretch.count(b"\n") != stretch.count(b"\r\n")
    if padded or mixed or "\r" in text or len(stretch) >= Sentence.longest:
        yield from _uneven_sentences(stretch, line)
    else:
        yield from _even_sentences(text.removesuffix("\n\n"), line, separator, end)


def _even_sentences(
    text: str, line: int, separator: str, end: str
) -> Iterator[tuple[int, EvenSentence | Lines]]:
    """Sentences whose lines have as many cells each; of others halves may have.

    Args:
        text: lines, with one blank line between two sentences.
        line: the number of the first one.
        separator: what stands between cells.
        end: what ends lines in the file.
    """
    columns = columns_of(text, separator)
    if columns is None:
        middle = len(text) // 2
        cut = text.find("\n\n", middle)
        cut = text.rfind("\n\n", 0, middle) if cut < 0 else cut
        if cut < 0:
            raw = f"{text}\n\n".replace("\n", end).encode()
            yield from _uneven_sentences(raw, line)
        else:
            after = line + text.count("\n", 0, cut) + 2
            yield from _even_sentences(text[:cut], line, separator, end)
            yield from _even_sentences(text[cut + 2 :], after, separator, end)
        return
    begins, size, last = 0, len(columns[LAST]), [*columns[LAST], ""]
    opening = DOCSTART in columns[0]
    while begins < size:
        ends = last.index("", begins)
        cells = [column[begins:ends] for column in columns]
        sentence = EvenSentence(line + begins, cells, separator, end)
        if cells[0][0].startswith("#") or (opening and DOCSTART in cells[0]):
            raw = b"".join(sentence.lines)
            yield from _uneven_sentences(raw, sentence.line)
        else:
            yield sentence.line, sentence
        begins = ends + 1


def _uneven_sentences(
    data: bytes, line: int, rest: BinaryIO | None = None
) -> Iterator[tuple[int, Lines]]:
    """Sentences, line by line.

    Args:
        data: their lines.
        line: the number of the first one.
        rest: goes on with them.
    """
    # No byte order mark is dropped behind an empty line.
    data = b"\n" + data
    stream = io.BytesIO(data) if rest is None else put_back(data, rest)
    for number, raw in blocks(stream, Sentence.longest, alone=_opening):
        yield line + number - 2, raw


def _opening(raw: bytes) -> list[str] | None:
    """The cells of a line that begins a document, if it is one."""
    line = text_of(raw, "") if raw.startswith(_DOCSTART) else None
    if too_long(raw, Sentence.longest) or not isinstance(line, str):
        return None
    cells = cells_of(line.removesuffix("\n").removesuffix("\r"))
    return cells if cells[0] == DOCSTART else None
