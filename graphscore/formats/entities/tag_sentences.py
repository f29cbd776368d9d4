r"""Sentences of column files with a tag for each token, read a stretch at a time.

Where all lines of a stretch have as many cells its columns are cut out of it as they
are, and all its sentences are read at once (:class:`EvenSentences`).  What is odd, as a
comment or a line that lacks a cell, is read line by line (:class:`Sentence`).

>>> data = b"EU\tB-ORG\nrejects\tO\n\nPeter B-PER\n\n"
>>> [(type(sentence).__name__, sentence.line)
...  for sentence, _ in sentences_of(io.BytesIO(data), "a.iob2", LAST)]
[('EvenSentences', 1), ('Sentence', 4)]
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, BinaryIO

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import ReadGraph, Record
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
from graphscore.model.joined_tokens import join_lines
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.tags import (
    USUAL,
    Detection,
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

_ODD = re.compile(rb"\n\n(?=#|%b)" % _DOCSTART)
"""Stands before a sentence that may begin with a comment, or begins a document."""


class EvenSentences:
    r"""Sentences with as many cells in each line; they need no closer look so far.

    Args:
        line: their first line.
        columns: the cells of their lines, column by column, and empty ones between two
            sentences.
        separator: what stands between cells.
        end: what ends their lines in the file.

    Example:
        >>> columns = [["Ada", "", "She", "left"], ["B-PER", "", "O", "O"]]
        >>> sentences = EvenSentences(1, columns, "\t", "\n")
        >>> [one, two] = sentences.records("", Table(), LAST)
        >>> one.graph.text, one.graph.nodes[0].label, two.line, two.graph.text
        ('Ada', 'PER', 3, 'She left')
    """

    __slots__ = ("_starts", "columns", "end", "line", "separator")

    def __init__(self, line: int, columns: Cells, separator: str, end: str) -> None:
        self.line, self.columns = line, columns
        self.separator, self.end = separator, end
        last, self._starts = [*columns[LAST], ""], [0]
        while self._starts[-1] < len(last):
            self._starts.append(last.index("", self._starts[-1]) + 1)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self._starts) - 1

    def part(self, first: int, last: int) -> EvenSentences:
        """Return some of the sentences.

        Args:
            first: number of the first one.
            last: number of the first one behind them.
        """
        start, after = self._starts[first], self._starts[last]
        columns = [column[start : after - 1] for column in self.columns]
        return EvenSentences(self.line + start, columns, self.separator, self.end)

    @property
    def stretches(self) -> list[Stretches]:
        """The cells of each sentence."""
        return [
            [[column[start : after - 1] for column in self.columns]]
            for start, after in pairwise(self._starts)
        ]

    def records(
        self,
        document: str,
        table: Table,
        tag: int,
        item: str = "",
        further: Sequence[tuple[str, Any]] = (),
        seen: Detection | None = None,
    ) -> list[ReadGraph] | None:
        """The sentences as graphs, each as one for each column of tags.

        Args:
            document: the document that they belong to, empty where none is said.
            table: what the columns are.
            tag: which column has the tag.
            item: the id of the only sentence, empty where none is said.
            further: what else is said of it.
            seen: is told of the entities.

        Returns:
            The graphs; ``None`` where any sentence needs a closer look.
        """
        columns, layers, token = self.columns, table.layers, table.first
        after = len(columns) + tag + 1
        first = after - (len(layers) or 1)
        if first <= token or columns[token].count("") >= len(self):
            return None
        texts = [*map(join_lines, "\n".join(columns[token]).split("\n\n"))]
        sequences = sequences_of(table.spelling)
        between = [*map(list, zip(*columns[token + 1 : first], strict=True))]
        ranges = [(start, after - 1) for start, after in pairwise(self._starts)]
        layered = []
        for tags in columns[first:after]:
            parts = [tags[start:end] for start, end in ranges]
            try:
                coded = sequences.coded([*chain.from_iterable(parts)])
            except KeyError:
                return None
            layered.append(
                [
                    sequences.mentions(coded[start - number : end - number], tokens)
                    for number, ((start, end), (_, tokens)) in enumerate(
                        zip(ranges, texts, strict=True)
                    )
                ]
            )
        records = []
        for (start, end), (text, tokens), *read in zip(
            ranges, texts, *layered, strict=True
        ):
            extra = self._extra(table, tag, between, start, end)
            extra |= further
            for index, (_, nodes) in enumerate(read):
                about = {LAYER: layers[index], **extra} if layers else extra
                graph = Graph(
                    item, NER, 1, "", document, text, tokens, nodes, extra=about
                )
                records.append(ReadGraph(self.line + start, graph))
            if seen is not None:
                seen.add([chunk for chunks, _ in read for chunk in chunks])
        return records

    def _extra(
        self, table: Table, tag: int, between: list[list[str]], begin: int, end: int
    ) -> dict[str, Any]:
        """Return the fields of a sentence without a place in a graph."""
        extra: dict[str, Any] = {}
        if between:
            extra[COLUMNS] = between[begin:end]
        if tag == BEFORE_LAST:
            extra[PREDICTED] = [*self.columns[LAST][begin:end]]
        if table.indexed:
            numbers = [*self.columns[0][begin:end]]
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
        """The only sentence, looked at line by line.

        Args:
            name: the file.
            tag: which column has the tag.
        """
        rows = map(self.separator.join, zip(*self.columns, strict=True))
        raw = [f"{row}{self.end}".encode() for row in rows]
        return Sentence(name, self.line, raw, tag)


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
        comments: those taken off its lines by :meth:`uncomment`, and some before them.

    Example:
        >>> lines = [b"U.N. NNP I-NP I-ORG\n", b"official NN I-NP O\n"]
        >>> sentence = Sentence("a.conll", 1, lines)
        >>> [(_, graph, *_)] = sentence.records("", Table())
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
        self.comments: list[str] = []
        self.docstart: list[str] | None = None
        self.rows = [*map(tuple, map(cells_of, self.lines))]

    @property
    def stretches(self) -> list[Stretches]:
        """Its cells, as far as lines have as many."""
        return [stretches_of(self.rows)]

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

    def records(
        self, document: str, table: Table, seen: Detection | None = None
    ) -> list[ReadGraph]:
        """The sentence as graphs, one for each column of tags.

        There are none where something is wrong with it.

        Args:
            document: the document that it belongs to, empty where none is said.
            table: what the columns are.
            seen: is told of the entities.
        """
        self._check(table, max(len(table.layers), 1))
        if self.problems or not self.rows:
            return []
        separator = "\t" if "\t" in self.lines[0] else " "
        columns = [*zip(*self.rows, strict=True)]
        even = EvenSentences(self.line, columns, separator, "")
        said = (COMMENTS, self.comments), (OPENING, self.docstart)
        further = [(name, value) for name, value in said if value]
        records = even.records(document, table, self._tag, self.item, further, seen)
        assert records is not None
        return records

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
"""Bytes that are read at once."""


def sentences_of(
    stream: BinaryIO, name: str, tag: int
) -> Iterator[tuple[EvenSentences | Sentence, str]]:
    """Sentences, and the documents that they belong to."""
    documents, document = 0, ""
    docstart: list[str] | None = None
    for line, raw in _blocks(stream):
        if isinstance(raw, EvenSentences):
            first = 0
            if docstart is not None:
                first, sentence = 1, raw.part(0, 1).closer(name, tag)
                sentence.docstart, docstart = docstart, None
                yield sentence, document
            if first < len(raw):
                yield raw.part(first, len(raw)) if first else raw, document
        elif cells := _opening(raw[0]):
            documents, docstart = documents + 1, cells
            document = str(documents)
        else:
            sentence = Sentence(name, line, raw, tag)
            sentence.docstart, docstart = docstart, None
            yield sentence, document


def _blocks(stream: BinaryIO) -> Iterator[tuple[int, EvenSentences | Lines]]:
    """Even sentences, and the first line of each other one and its lines."""
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
) -> Iterator[tuple[int, EvenSentences | Lines]]:
    """Sentences of a stretch of the file, the even ones as their cells.

    Args:
        stretch: lines that end with a blank one.
        line: the number of the first one.
    """
    end, plain = "\n", stretch
    if b"\r" in stretch:
        plain, end = stretch.replace(b"\r\n", b"\n"), "\r\n"
    separator = "\t" if b"\t" in plain else " "
    mixed = end == "\r\n" and stretch.count(b"\n") != stretch.count(b"\r\n")
    padded = separator == " " and (
        plain.startswith(b" ") or any(x in plain for x in (b"  ", b" \n", b"\n "))
    )
    odd = mixed or padded or b"\r" in plain
    if odd or len(stretch) >= Sentence.longest:
        yield from _uneven_sentences(stretch, line)
        return
    line -= 2
    parts = _ODD.split(b"\n\n" + plain.removesuffix(b"\n\n"))
    for number, part in enumerate(parts):
        after = line + part.count(b"\n") + 2
        first, _, others = part.partition(b"\n\n")
        if number:
            raw = (first + b"\n\n").replace(b"\n", end.encode())
            yield from _uneven_sentences(raw, line)
        if others:
            line += first.count(b"\n") + 2
            yield from _even_sentences(others, line, separator, end)
        line = after


def _even_sentences(
    plain: bytes, line: int, separator: str, end: str
) -> Iterator[tuple[int, EvenSentences | Lines]]:
    """Sentences whose lines have as many cells each; of others halves may have.

    Args:
        plain: lines, with one blank line between two sentences.
        line: the number of the first one.
        separator: what stands between cells.
        end: what ends lines in the file.
    """
    opens = plain.startswith(_DOCSTART) or b"\n" + _DOCSTART in plain
    columns = None if opens else columns_of(plain, separator)
    if columns is not None:
        yield line, EvenSentences(line, columns, separator, end)
        return
    middle = len(plain) // 2
    cut = plain.find(b"\n\n", middle)
    cut = plain.rfind(b"\n\n", 0, middle) if cut < 0 else cut
    if cut < 0:
        raw = (plain + b"\n\n").replace(b"\n", end.encode())
        yield from _uneven_sentences(raw, line)
    else:
        after = line + plain.count(b"\n", 0, cut) + 2
        yield from _even_sentences(plain[:cut], line, separator, end)
        yield from _even_sentences(plain[cut + 2 :], after, separator, end)


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
