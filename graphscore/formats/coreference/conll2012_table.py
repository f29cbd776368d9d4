r"""The table of a CoNLL-2012 document: its first line, its sentences and columns.

A full table has eleven columns before them (document, part, number, word, part of
speech, parse, lemma, frameset, sense, speaker, named entity) and coreference behind
them; there is one for each predicate of the sentence, with spans in brackets.  The
predicate is where its ``V`` is, else at the word with the next frameset; its label
is ``lemma.frameset``.  A column of stars without a predicate says nothing.

Tables of coreference alone have other columns or none.  They are told by the parse:
without a star in every cell there are no roles in a document.

>>> Header.of(1, b"#begin document (nw/a_0009); part 002").item
'nw/a_0009/2'
>>> [each.entity for each in Brackets().of(b"(1(3(3)1)") or ()]
['1', '3', '3', '1']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.formats.base import Record
from graphscore.formats.roles.layout import Spans, span_based_graph, spans_of
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.source import stem_of
from graphscore.model.graph import Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.layout import COREF
from graphscore.structures.roles.sentence import SRL, VERB

LONGEST_HEADER = 4096
"""A longer line names no document; looking for a name in it would take long."""


CACHED = 200_000
"""Distinct cells that are remembered within a file."""


_HEADER = re.compile(
    r"\s*#\s*begin\s+document(?:\s*\((?P<inner>.*)\)|\s+(?P<bare>[^;(\s].*?))?\s*"
    r"(?:;\s*(?:part\s+(?P<part>[0-9]{1,9}))?\s*)?"
)


WORD = 3
"""The column with the word, from 0, where there are five or more."""


NOTHING = (b"-", b"_", b"")
"""Cells where no mention begins or ends."""


_GAP = re.compile(rb"\t[ \r\v\f]*(?:[\t\n]|\Z)")
"""An empty cell between tabs, or at the end of a line."""


_LAST = re.compile(rb"\t[^\S\t\n]*+[^\s][^\t\n]*+(?:\n|\Z)")
"""A line that ends in a cell that is not empty."""


_BRACKET = re.compile(r"(\()?([^()|\s]+)(\))?")


# Without possessive quantifiers, (12) could also be (1 and 2).
_PIECE = r"(?:\([^()|\s]++\)?+|[^()|\s]++\))"


_CELL = re.compile(rf"{_PIECE}(?:\|?{_PIECE})*+")


class Header(NamedTuple):
    """The line that begins a document."""

    line: int
    """Its number."""
    raw: bytes
    name: str | None
    """The name of the document, empty if none is said; ``None`` if the line says
    something else."""
    part: int
    numbered: bool = False
    """The line gives the number of the part."""

    @classmethod
    def of(cls, line: int, raw: bytes) -> Header:
        """The header in a line.

        >>> Header.of(1, b"#begin document (nw/a_0009); part 002").item
        'nw/a_0009/2'
        >>> Header.of(1, b"#begin document (LuoTestCase); ").item
        'LuoTestCase/0'
        >>> Header.of(1, b"# begin document ").within("gum/GUM_bio_byron.conll", 0).item
        'GUM_bio_byron/0'
        """
        shown = raw.decode("utf-8", "replace").strip()
        match = _HEADER.fullmatch(shown) if len(shown) <= LONGEST_HEADER else None
        if match is None or match["inner"] == "":
            return cls(line, raw, None, 0)
        name = (match["inner"] or match["bare"] or "").strip()
        part = match["part"]
        return cls(line, raw, name, int(part or 0), part is not None)

    def within(self, file: str, number: int) -> Header:
        """The header, with the name of its file where it says none.

        Args:
            file: the file.
            number: how many documents without a name come before it there.
        """
        if self.name != "":
            return self
        part = self.part if self.numbered else number
        return self._replace(name=stem_of(file), part=part)

    @property
    def item(self) -> str:
        """Id of the graph."""
        return f"{self.name}/{self.part}" if self.name else ""

    def draft(self, name: str, *more: bytes) -> RecordBuilder:
        """The record that it begins, and what is wrong with the line itself.

        Args:
            name: the file.
            *more: what follows the line.
        """
        draft = RecordBuilder(
            name, self.line, self.raw, *more, framework=COREF, item=self.item
        )
        shown = draft.text(self.raw, self.line)
        if shown is not None and self.name is None:
            expected = "#begin document (NAME); part NUMBER"
            draft.add("", repr(shown.strip()[:60]), expected)
        return draft


class Sentence(NamedTuple):
    """Lines of a table between blank ones."""

    first: int
    """The number of its first line, from 0."""
    after: int
    """The number of the line behind its last one."""
    rows: list[list[bytes]]
    """The cells of each line."""
    even: bool
    """All lines have equally many cells, and at least two."""

    @property
    def word(self) -> int:
        """The column with the words."""
        return min(WORD, len(self.rows[0]) - 2)


def sentences(body: bytes) -> Iterator[Sentence]:
    r"""The sentences of a table whose cells are parted by blanks or tabs.

    Where tabs part them a cell can be empty, and the last one often is in tables of
    coreference alone (LitBank); such sentences are those whose lines have equally
    many cells if only tabs part them, and a word in each.  A tab that ends every line
    of a document parts nothing.

    Args:
        body: the lines of a document, their ends ``\n``.

    Example:
        >>> table = b"0 Jo  (1)\n1 ran -\n\n0\tJo\t(1)\n1\tran\t"
        >>> [each.rows[1] for each in sentences(table)]
        [[b'1', b'ran', b'-'], [b'1', b'ran', b'']]
    """
    lines = body.split(b"\n")
    rows = [line.split() for line in lines]
    widths = list(map(len, rows))
    gaps = _GAP.search(body) is not None and _LAST.search(body) is not None
    blank = [number for number, width in enumerate(widths) if not width]
    before = -1
    for after in (*blank, len(rows)):
        first, before = before + 1, after
        if first == after:
            continue
        width = widths[first]
        even = width > 1 and widths[first:after].count(width) == after - first
        sentence = Sentence(first, after, rows[first:after], even)
        if gaps or not even:
            sentence = _by_tabs(lines[first:after], sentence, gaps)
        yield sentence


def _by_tabs(lines: Sequence[bytes], sentence: Sentence, gaps: bool) -> Sentence:
    """The sentence with cells parted by tabs alone, if that is what it has."""
    rows = [[cell.strip() for cell in line.split(b"\t")] for line in lines]
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows):
        # What is uneven either way is so as the file means it.
        uneven = gaps and not sentence.even and min(map(len, rows)) > 1
        return sentence._replace(rows=rows) if uneven else sentence
    if sentence.even and any(b" " in cell for row in rows for cell in row):
        return sentence
    tabbed = Sentence(sentence.first, sentence.after, rows, True)
    worded = all(row[tabbed.word] for row in rows)
    # A word of which nothing is left (OntoGUM) stands between cells that say something.
    whole = not sentence.even and all(row[0] and row[-1] for row in rows)
    return tabbed if worded or whole else sentence


class Bracket(NamedTuple):
    """One bracket of a cell."""

    opens: bool
    entity: str
    """The entity's id, as written."""
    closes: bool


class Brackets:
    """Reads the cells of one file, and remembers them.

    Example:
        >>> [each.entity for each in Brackets().of(b"(1(3(3)1)")]
        ['1', '3', '3', '1']
        >>> Brackets().of(b"(1|2") is None, Brackets().of(b"-")
        (True, ())
    """

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[Bracket, ...] | None] = {}
        self._known.update(dict.fromkeys(NOTHING, ()))

    def of(self, cell: bytes) -> tuple[Bracket, ...] | None:
        """The brackets of a cell, or ``None`` if it is not made of them."""
        known = self._known
        if cell in known:
            return known[cell]
        if len(known) >= CACHED:
            known.clear()
            known.update(dict.fromkeys(NOTHING, ()))
        text = cell.decode("utf-8", "replace")
        result = None
        if _CELL.fullmatch(text):
            result = tuple(
                Bracket(match[1] is not None, match[2], match[3] is not None)
                for match in _BRACKET.finditer(text)
            )
        known[cell] = result
        return result


BEFORE = 11
"""Columns before those of predicates."""


_WORD, _PARSE, _LEMMA, _FRAMESET = 3, 5, 6, 7


_NOTHING = (b"-", b"")


class Table(NamedTuple):
    """A sentence of a document."""

    number: int
    """Number of the sentence, from 1."""
    line: int
    """The number of its first line in the file."""
    rows: list[list[bytes]]
    """Its columns, equally many in each line."""


def role_records(
    item: str, document: str, tables: Sequence[Table], name: str
) -> Iterator[Record]:
    """The graphs of a document's sentences, if it has roles.

    Args:
        item: the document as an item; its sentences are ``item.1`` and so on.
        document: the document's name.
        tables: its sentences, as far as their lines have equally many columns.
        name: the file, for problems.

    Yields:
        A record for each sentence; none if the document has no roles.
    """
    if not tables or any(len(table.rows[0]) <= BEFORE for table in tables):
        return
    if not all(b"*" in row[_PARSE] for table in tables for row in table.rows):
        return
    for table in tables:
        id = f"{item}.{table.number}" if item else ""
        draft = RecordBuilder(name, table.line, framework=SRL, item=id)
        graph = _Sentence(table, draft).graph(document)
        if graph is None:
            draft.raw = [b"\t".join(row) + b"\n" for row in table.rows]
        yield draft.record(graph)


class _Sentence:
    """The state of reading one sentence."""

    def __init__(self, table: Table, draft: RecordBuilder) -> None:
        self.table, self.draft = table, draft

    def graph(self, document: str) -> Graph | None:
        """The graph, if nothing is wrong."""
        columns = list(zip(*self.table.rows, strict=True))
        words = [word.decode() for word in columns[_WORD]]
        roles = self._roles(columns)
        if self.draft.problems:
            return None
        text, ranges = join_tokens(words)
        return span_based_graph(self.draft.item, document, text, ranges, roles, {})

    def _add(self, row: int, column: int, found: str, expected: str) -> None:
        line = self.table.line + row
        where = f"column {column + 1}"
        self.draft.add(where, found, expected, line=line)

    def _roles(self, columns: list[tuple[bytes, ...]]) -> list[Spans]:
        framesets = columns[_FRAMESET]
        predicates = [
            k for k, frameset in enumerate(framesets) if frameset not in _NOTHING
        ]
        roles = []
        for count, column in enumerate(columns[BEFORE:-1]):
            spans, broken = spans_of([cell.decode() for cell in column])
            for row, shown, expected in broken:
                self._add(row, BEFORE + count, shown, expected)
            verb = next((span[1:] for span in spans if span[0] == VERB), None)
            if verb is None and count < len(predicates):
                verb = predicates[count], predicates[count]
            if verb is None:
                if spans:
                    expected = f"a span {VERB}, or a frameset for each column"
                    self._add(0, BEFORE + count, "no predicate", expected)
                continue
            first, last = verb
            label = _label(columns, first)
            # A predicate without a sense may have a lemma with a dot.
            plain = label is not None and framesets[first] in _NOTHING
            lemma = label if plain and label and "." in label else None
            roles.append(Spans(label, first, last, spans, lemma))
        return roles


def _label(columns: list[tuple[bytes, ...]], index: int) -> str | None:
    """Lemma and frameset of a predicate, as far as they are said."""
    lemma, frameset = columns[_LEMMA][index], columns[_FRAMESET][index]
    parts = [cell.decode() for cell in (lemma, frameset) if cell not in _NOTHING]
    return ".".join(parts) or None
