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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, BinaryIO

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import Reader, ReadGraph, Record
from graphscore.formats.entities.sniffers import DOCSTART, cells_of
from graphscore.formats.entities.tag_table import (
    Table,
    columns_of,
    is_comment,
    is_remark,
    table_of,
    tag_letters,
)
from graphscore.formats.raw_text import join_tokens
from graphscore.formats.shared.columns import Block, Lines, blocks
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.records import text_of, too_long
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import LAYER, Graph
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.tags import (
    SPELLINGS,
    USUAL,
    Chunk,
    Detection,
    Spelling,
    Tag,
    chunks,
    tagged_mentions,
)
from graphscore.structures.layout import NER

WINDOW = 2000
"""Number of sentences inspected to detect the scheme."""

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

Cells = Sequence[Sequence[str]]
"""The cells of a sentence, column by column."""

_kept_cells = lru_cache(maxsize=1 << 14)(list[str])
"""Takes the cells between a token and its tag; most are those of many tokens."""


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
        self._cells: Cells | None = columns_of(self.lines)

    def __bool__(self) -> bool:
        """Return whether the sentence has a line."""
        return bool(self.lines or self.problems)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The cells of its lines."""
        if self._cells is not None:
            return [*map(list, zip(*self._cells, strict=True))]
        return [*map(cells_of, self.lines)]

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
            self._cells = None
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
        cells: Cells = self._cells or []
        if not cells and len({*map(len, self.rows)}) == 1:
            cells = [*zip(*self.rows, strict=True)]
        columns = self._entities(table, cells)
        if self.problems or not cells:
            return []
        text, tokens = join_tokens(cells[table.first])
        about = self._extra(table, cells)
        self.chunks, graphs = [], []
        for name, entities in zip(table.layers or ("",), columns, strict=True):
            self.chunks += entities
            graphs.append(
                Graph(
                    self.item,
                    NER,
                    1,
                    "",
                    document,
                    text,
                    tokens,
                    tagged_mentions(entities, tokens, not table.plain),
                    extra={LAYER: name, **about} if name else {**about},
                )
            )
        return graphs

    def _entities(self, table: Table, cells: Cells) -> list[list[Chunk]]:
        """The entities of each column of tags; what is no tag is a problem."""
        wanted = max(len(table.layers), 1)
        last = len(cells) + self._tag
        first = last - wanted + 1
        if first > table.first and "" not in cells[table.first]:
            # What is no tag is looked for row by row.
            with suppress(KeyError):
                return [*map(table.entities, cells[first : last + 1])]
        return [*map(chunks, self._checked(table, wanted))]

    def _checked(self, table: Table, wanted: int) -> list[list[Tag]]:
        """The columns of tags, and everything that is wrong with a line."""
        least = table.first + wanted - self._tag
        width = max(len(self.rows[0]), least) if self.rows else 0
        columns: list[list[Tag]] = [[] for _ in range(wanted)]
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
        """Return the byte column in which a cell begins."""
        end = len(line)
        for cell in cells[: place - 1 if place else None : -1]:
            end = line.rindex(cell, 0, end)
        return len(line[:end].encode()) + 1

    def _extra(self, table: Table, cells: Cells) -> dict[str, Any]:
        """Return the fields without a place in a graph."""
        extra: dict[str, Any] = {}
        behind = len(cells) + self._tag + 1 - max(len(table.layers), 1)
        if between := cells[table.first + 1 : behind]:
            extra[COLUMNS] = [*map(_kept_cells, zip(*between, strict=True))]
        if self._tag == BEFORE_LAST:
            extra[PREDICTED] = [*cells[LAST]]
        if table.indexed:
            numbers = [*cells[0]]
            first = whole_number(numbers[0]) or 0
            even = [str(first + index) for index in range(len(numbers))]
            extra[INDEX] = first if numbers == even else numbers
        if table.spelling is None:
            extra[SCHEME] = PLAIN
        elif table.spelling != USUAL:
            extra[SPELLING] = table.spelling.written("B", "PER")
        if "\t" not in self.lines[0]:
            extra[SEPARATOR] = " "
        if self.comments:
            extra[COMMENTS] = self.comments
        if self.docstart is not None:
            extra[OPENING] = self.docstart
        return extra


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
            if isinstance(record, ReadGraph) and scheme is not None:
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
        yield ReadGraph(sentence.line, graph)
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
    documents = 0
    docstart: list[str] | None = None
    for line, raw in blocks(stream, Sentence.longest, alone=_opening):
        if cells := _opening(raw[0]):
            documents, docstart = documents + 1, cells
            continue
        sentence = Sentence(name, line, raw, tag)
        sentence.docstart, docstart = docstart, None
        yield sentence, str(documents or "")


def _opening(raw: bytes) -> list[str] | None:
    """The cells of a line that begins a document, if it is one."""
    line = text_of(raw, "") if raw.startswith(_DOCSTART) else None
    if too_long(raw, Sentence.longest) or not isinstance(line, str):
        return None
    cells = cells_of(line.removesuffix("\n").removesuffix("\r"))
    return cells if cells[0] == DOCSTART else None


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


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one token to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    spelling: Spelling | None = None
    for table in _beside(graphs):
        if spelling is None:
            spelling = _spelling(table[0])
        with naming(table[0]):
            lines = _lines(table, spelling)
        yield lines.encode()


def _spelling(graph: Graph) -> Spelling:
    """Return the tag scheme of the file that a graph comes from."""
    kept = graph.extra.get(SPELLING)
    return next((x for x in SPELLINGS if x.written("B", "PER") == kept), USUAL)


def _beside(graphs: Iterable[Graph]) -> Iterator[list[Graph]]:
    """The graphs of each sentence: the layers of one stand side by side."""
    held: list[Graph] = []
    for graph in graphs:
        check_framework(graph, (NER,), "a file of tags")
        if held and not (_same_lines(held[0], graph) and graph.layer):
            yield held
            held = []
        if graph.layer in [each.layer for each in held]:
            yield held
            held = []
        held.append(graph)
    if held:
        yield held


def _same_lines(one: Graph, two: Graph) -> bool:
    return bool(one.layer) and (
        (one.id, one.language, one.text, one.tokens)
        == (two.id, two.language, two.text, two.tokens)
    )


def _lines(layers: Sequence[Graph], spelling: Spelling) -> str:
    graph = layers[0]
    extra = graph.extra
    separator = " " if extra.get(SEPARATOR) == " " else "\t"
    columns = [_tagged(layer, spelling) for layer in layers]
    forms = columns[0][0]
    index = _index(extra.get(INDEX), len(forms))
    between = _rows(kept_as(extra, COLUMNS, list[list[str]], []), forms)
    answers = kept_as(extra, PREDICTED, list[str], [])
    predicted = _rows([[answer] for answer in answers], forms)
    lines: list[str] = []
    if opening := kept_as(extra, OPENING, list[str], []):
        lines += [separator.join(opening), ""]
    lines += kept_as(extra, COMMENTS, list[str], [])
    for place, form in enumerate(forms):
        tags = [column[place] for _, column in columns]
        cells = [*index[place], form, *between[place], *tags, *predicted[place]]
        lines.append(separator.join(cells))
    return "\n".join([*lines, "", ""])


def _index(kept: Any, size: int) -> list[list[str]]:
    """The cells in front of the tokens, where they are counted."""
    if type(kept) is int:
        return [[str(kept + index)] for index in range(size)]
    if isinstance(kept, list) and len(kept) == size:
        return [[str(cell)] for cell in kept]
    return [[] for _ in range(size)]


def _rows(kept: Any, forms: list[str]) -> list[list[str]]:
    """Return the further columns of each token, where there are some for all."""
    if isinstance(kept, list) and len(kept) == len(forms):
        return [[str(cell) for cell in row] for row in kept]
    return [[] for _ in forms]


def _tagged(graph: Graph, spelling: Spelling) -> tuple[list[str], list[str]]:
    """Tokens, and their tags."""
    spans = TokenSpans(graph)
    tags = ["O"] * len(spans)
    plain = graph.extra.get(SCHEME) == PLAIN
    for node in graph.nodes:
        first, last = spans.of(node)
        label = node.label
        for index, letter in enumerate(tag_letters(node, last - first + 1), first):
            if plain:
                tags[index] = "" if label is None else str(label)
            else:
                kind = None if label is None else str(label)
                tags[index] = spelling.written(letter, kind)
    return spans.forms, tags
