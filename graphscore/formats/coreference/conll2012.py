r"""CoNLL-2012: coreference as brackets in the last column of a table of words.

Documents stand between ``#begin document`` and ``#end document``, sentences
between blank lines (Pradhan et al. 2012, section 4.1)::

    #begin document (wsj_0003); part 000
    wsj_0003  0  0  Jenny  (12
    wsj_0003  0  1  Smith  12)
    wsj_0003  0  2  likes  -
    wsj_0003  0  3  her    (12)|(3
    wsj_0003  0  4  dog    3)

    #end document

A document gives one graph of framework ``coref``, and, where it has columns of
predicates and arguments, one of framework ``srl`` for each sentence:
:mod:`graphscore.formats.coreference.conll2012_write` writes them.  A document that
is broken does not cost the others.

Columns are separated by blanks or tabs; a sentence has as many in each of its
lines, at least two.  The last one is coreference, the fourth the word (the last but
one where there are fewer than five).  A cell is ``-`` or ``_`` for nothing (or empty,
where tabs separate columns), or brackets with the ids of entities, with ``|`` between
them or not: ``(12`` opens a mention, ``12)`` closes the one of that entity that was
opened last, ``(12)`` is one of a single word.  Brackets may cross, and an entity may be
nested in itself.

What stands where in the graph:

===========  ==============================================================
document     the name in ``#begin document (NAME); part 000``; that of the file
             where there is none
item         name and number of the part, ``NAME/0``; no part means part 0, in the
             next document without a name part 1...
text         the words joined by one blank; tokens are their ranges
mentions     in the order in which they are opened, equal ones included;
             nodes 0, 1, 2... without a type
entities     in the order of their first mentions; called as in the file
``extra``    ``sentences``, how many words each has; ``conll2012``, the lines
             as they are, from which all other columns can be had
===========  ==============================================================

The table is read column by column, and looked at line by line only where something
is wrong with it: most of its cells are empty.

A full table has eleven columns before them (document, part, number, word, part of
speech, parse, lemma, frameset, sense, speaker, named entity) and coreference behind
them; there is one for each predicate of the sentence, with spans in brackets.  The
predicate is where its ``V`` is, else at the word with the next frameset; its label
is ``lemma.frameset``.  A column of stars without a predicate says nothing.

Tables of coreference alone have other columns or none.  They are told by the parse:
without a star in every cell there are no roles in a document.

>>> import io
>>> data = b"#begin document (a); part 001\nJo (1\nAnn 1)\nran -\n#end document\n"
>>> [record] = read(io.BytesIO(data), "a.conll")
>>> record.graph.id, record.graph.text, [*record.graph.nodes[0].anchors[0]]
('a/1', 'Jo Ann ran', [0, 6])
>>> [record] = read(io.BytesIO(data.replace(b" 1)", b" -")), "a.conll")
>>> print(record.problems[0])
a.conll:2:4: coreference: found '(1' that nothing closes, expected 1) further down
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, BinaryIO, NamedTuple

from graphscore.errors import amount
from graphscore.formats.base import Record, Rejected
from graphscore.formats.roles.layout import Spans, spanned, spans_of
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import BOM, stem_of
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import COREF, ENTITY, KIND, MENTION
from graphscore.structures.roles.sentence import SRL, VERB

LONGEST_DOCUMENT = 256 * 1024 * 1024
"""What goes on longer is no document; it is refused without being held."""

CHUNK = 1 << 20
"""Bytes that are looked through at once."""

_DOCUMENT_MARK = re.compile(rb"#[ \t]*(begin|end)[ \t]+document\b.*\n?")
"""A line that begins or ends a document."""

_LINE_FEED = 10

_END = "#end document"


class _Piece(NamedTuple):
    """Lines that stand together."""

    line: int
    """The number of the first one."""
    mark: bytes
    """``begin`` or ``end``; empty for all other lines."""
    raw: bytes


def _pieces(stream: BinaryIO) -> Iterator[_Piece]:
    """The lines of a file, those that begin and end documents apart.

    Searching large blocks is several times faster than looking at every line.
    """
    number, rest, started = 1, b"", False
    while True:
        chunk = stream.read(CHUNK)
        block = rest + chunk
        if not started:
            block, started = block.removeprefix(BOM), True
        # The last line may go on, unless it is out of all measure.
        cut = block.rfind(b"\n") + 1 if chunk else len(block)
        if not cut and len(block) > LONGEST_DOCUMENT:
            cut = len(block)
        block, rest = block[:cut], block[cut:]
        place = 0
        for match in _DOCUMENT_MARK.finditer(block):
            if match.start() and block[match.start() - 1] != _LINE_FEED:
                continue
            if match.start() > place:
                between = block[place : match.start()]
                yield _Piece(number, b"", between)
                number += between.count(b"\n")
            yield _Piece(number, match[1], match[0])
            number += match[0].count(b"\n")
            place = match.end()
        if place < len(block):
            yield _Piece(number, b"", block[place:])
            number += block.count(b"\n", place)
        if not chunk:
            return


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    brackets = Brackets()
    header: Header | None = None
    body: list[bytes] = []
    size = nameless = 0

    def begin(piece: _Piece) -> Header:
        nonlocal nameless
        found = Header.of(piece.line, piece.raw)
        nameless += found.name == ""
        return found.within(name, nameless - 1)

    for piece in _pieces(stream):
        if header is None:
            if piece.mark == b"begin":
                header, body, size = begin(piece), [], 0
            elif stray := _outside(piece, name):
                yield stray
        elif piece.mark == b"end":
            if size <= LONGEST_DOCUMENT:
                yield from document(header, b"".join(body), piece.raw, name, brackets)
            else:
                yield _too_long(header, name)
            header = None
        elif piece.mark == b"begin":
            found = f"the next document in line {piece.line}"
            yield _unfinished(header, body, name, found)
            header, body, size = begin(piece), [], 0
        else:
            size += len(piece.raw)
            if size <= LONGEST_DOCUMENT:
                body.append(piece.raw)
    if header is not None:
        yield _unfinished(header, body, name, "the end of the file")


def _outside(piece: _Piece, name: str) -> Rejected | None:
    """Lines that belong to no document; blank ones and comments may be there."""
    for number, line in enumerate(piece.raw.split(b"\n"), piece.line):
        if piece.mark or (line.strip() and not line.startswith(b"#")):
            shown = line.strip()[:40].decode("utf-8", "replace")
            draft = Draft(name, number, piece.raw[:CHUNK])
            draft.add("", repr(shown), "a line #begin document before it")
            return draft.rejected()
    return None


def _unfinished(header: Header, body: list[bytes], name: str, found: str) -> Rejected:
    draft = header.draft(name, *body)
    draft.add("", found, f"a line {_END} before it")
    return draft.rejected()


def _too_long(header: Header, name: str) -> Rejected:
    draft = header.draft(name)
    found = f"a document of more than {LONGEST_DOCUMENT:,} bytes"
    draft.problems = []
    draft.add("", found, f"a line {_END}")
    return draft.rejected()


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
"""What a cell says where no mention begins or ends."""

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
    """Whether the line says the part."""

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
        """What the graph is called."""
        return f"{self.name}/{self.part}" if self.name else ""

    def draft(self, name: str, *more: bytes) -> Draft:
        """The record that it begins, and what is wrong with the line itself.

        Args:
            name: the file.
            *more: what follows the line.
        """
        draft = Draft(name, self.line, self.raw, *more, framework=COREF, item=self.item)
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
    """Whether all lines have equally many cells, and at least two."""

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
        found = Sentence(first, after, rows[first:after], even)
        if gaps or not even:
            found = _by_tabs(lines[first:after], found, gaps)
        yield found


def _by_tabs(lines: Sequence[bytes], found: Sentence, gaps: bool) -> Sentence:
    """The sentence with cells parted by tabs alone, if that is what it has."""
    rows = [[cell.strip() for cell in line.split(b"\t")] for line in lines]
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows):
        # What is uneven either way is so as the file means it.
        uneven = gaps and not found.even and min(map(len, rows)) > 1
        return found._replace(rows=rows) if uneven else found
    if found.even and any(b" " in cell for row in rows for cell in row):
        return found
    tabbed = Sentence(found.first, found.after, rows, True)
    worded = all(row[tabbed.word] for row in rows)
    # A word of which nothing is left (OntoGUM) stands between cells that say something.
    whole = not found.even and all(row[0] and row[-1] for row in rows)
    return tabbed if worded or whole else found


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
        found = None
        if _CELL.fullmatch(text):
            found = tuple(
                Bracket(match[1] is not None, match[2], match[3] is not None)
                for match in _BRACKET.finditer(text)
            )
        known[cell] = found
        return found


SENTENCES = "sentences"
"""In ``extra`` of a graph: how many words each sentence has."""

LINES = "conll2012"
"""In ``extra`` of a graph: the document as the file has it."""

BEGIN, ROWS, END = "begin", "rows", "end"
"""The parts of it: its first line, the table, its last line."""

COLUMN = "coreference"
"""What the last column is called in problems."""

_MENTION = ((KIND, MENTION),)
_ENTITY = ((KIND, ENTITY),)


def document(
    header: Header, body: bytes, end: bytes, name: str, brackets: Brackets
) -> Iterator[Record]:
    """The graph of a document, or everything that is wrong with it.

    Graphs of the roles of its sentences follow, where it has any.

    Args:
        header: the line that begins it.
        body: its lines.
        end: the line that ends it.
        name: the file.
        brackets: cells that were seen before.

    Yields:
        One record, and one more for each sentence with roles.
    """
    draft = header.draft(name, body, end)
    reading = _Document(header, body, draft)
    graph = reading.graph(end, brackets)
    draft.problems.sort(key=lambda each: (each.line or 0, each.column or 0))
    yield draft.record(graph)
    yield from role_records(header.item, header.name or "", reading.tables, name)


class _Document:
    """The state of reading one document."""

    def __init__(self, header: Header, body: bytes, draft: Draft) -> None:
        self.header, self.draft = header, draft
        self.body = body.replace(b"\r\n", b"\n") if b"\r" in body else body
        self.lines = self.body.split(b"\n")
        self.sizes: list[int] = []
        self.words: list[bytes] = []
        self.cells: list[bytes] = []
        self.tables: list[Table] = []
        """The sentences whose lines have equally many columns."""

    def add(self, line: int, column: int | None, found: str, expected: str) -> None:
        """Note a problem of a line of the table, numbered from 0."""
        number = self.header.line + 1 + line
        where = "" if column is None else COLUMN
        self.draft.add(where, found, expected, column, number)

    def graph(self, end: bytes, brackets: Brackets) -> Graph | None:
        """The graph, if nothing is wrong."""
        try:
            rows = self.body.decode()
            ending = end.decode()
        except UnicodeDecodeError:
            self._undecodable(end)
            return None
        self._columns()
        mentions = self._mentions(brackets)
        if self.draft.problems:
            return None
        text = b" ".join(self.words).decode()
        forms: Sequence[bytes | str] = self.words
        if not text.isascii():
            forms = [word.decode() for word in self.words]
        # A word is as long as its range; where the next one starts says it.
        starts = list(accumulate([len(form) + 1 for form in forms], initial=0))
        make = tuple.__new__
        tokens = tuple(
            [make(Anchor, (start, after - 1)) for start, after in pairwise(starts)]
        )
        nodes, edges = _nodes(mentions, starts)
        begin = self.header.raw.decode().rstrip("\r\n")
        said = {BEGIN: begin, ROWS: rows, END: ending.rstrip("\r\n")}
        extra: dict[str, Any] = {SENTENCES: self.sizes, LINES: said}
        return Graph(
            self.header.item,
            COREF,
            1,
            "",
            self.header.name or "",
            text,
            tokens,
            nodes,
            edges,
            (),
            extra,
        )

    def _undecodable(self, end: bytes) -> None:
        for number, line in enumerate([*self.lines[:-1], self.lines[-1] + end]):
            self.draft.text(line, self.header.line + 1 + number)

    def _columns(self) -> None:
        """Take words and cells from the table, sentence by sentence."""
        for sentence in sentences(self.body):
            first, rows, column = sentence.first, sentence.rows, sentence.word
            if sentence.even:
                line = self.header.line + 1 + first
                self.tables.append(Table(len(self.sizes) + 1, line, rows))
            else:
                for number, row in enumerate(rows, first):
                    self._width(number, len(row), len(rows[0]), first)
                # What is left serves to look for further problems only.
                rows, column = [row for row in rows if len(row) > 1], 0
            self.sizes.append(len(rows))
            self.words += [row[column] for row in rows]
            self.cells += [row[-1] for row in rows]

    def _width(self, number: int, width: int, usual: int, first: int) -> None:
        found = amount(width, "column")
        if width < 2:
            expected = "at least two columns, a word and its coreference"
            self.add(number, None, found, expected)
        elif width != usual:
            line = self.header.line + 1 + first
            expected = f"{usual} columns, as in line {line} of the sentence"
            self.add(number, None, found, expected)

    def _mentions(self, brackets: Brackets) -> list[list[Any]]:
        """First word, last word and entity of every mention."""
        found: list[list[Any]] = []
        stacks: dict[str, list[list[Any]]] = {}
        read = brackets.of
        for place, cell in enumerate(self.cells):
            if cell in NOTHING:
                continue
            pieces = read(cell)
            if pieces is None:
                shown = repr(cell.decode("utf-8", "replace")[:40])
                self._at(place, shown, "-, or brackets with ids, as (1|(2)|3)")
                continue
            for opens, entity, closes in pieces:
                if opens:
                    mention = [place, place, entity]
                    found.append(mention)
                    if not closes:
                        stacks.setdefault(entity, []).append(mention)
                elif stack := stacks.get(entity):
                    stack.pop()[1] = place
                else:
                    shown = f"{f'{entity})'!r} with nothing to close"
                    self._at(place, shown, f"({entity} before it")
        for entity, stack in stacks.items():
            for place, _, _ in stack:
                shown = f"{f'({entity}'!r} that nothing closes"
                self._at(place, shown, f"{entity}) further down")
        return found

    def _at(self, place: int, found: str, expected: str) -> None:
        """Note a problem with the cell of a word."""
        number = self._table[place]
        line = self.lines[number].rstrip()
        column = len(line) - len(line.split()[-1]) + 1
        self.add(number, column, found, expected)

    @cached_property
    def _table(self) -> list[int]:
        """The line of each word; lines without enough columns have none."""
        lines = enumerate(self.lines)
        return [number for number, line in lines if len(line.split(None, 1)) > 1]


def _nodes(
    mentions: list[list[Any]], starts: list[int]
) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Mentions and entities.

    Built by hand: the builder of the layout takes four times as long, and ids are
    known to be different here.

    Args:
        mentions: first word, last word and entity of each.
        starts: where each word starts, and where one after the last would.
    """
    nodes: list[Node] = []
    entities: dict[str, list[int]] = {}
    for number, (first, last, entity) in enumerate(mentions):
        anchor = Anchor(starts[first], starts[last + 1] - 1)
        nodes.append(Node(number, None, _MENTION, (anchor,)))
        members = entities.get(entity)
        if members is None:
            entities[entity] = [number]
        else:
            members.append(number)
    nodes += [Node(entity, None, _ENTITY) for entity in entities]
    edges = [
        Edge(entity, member, MENTION)
        for entity, members in entities.items()
        for member in members
    ]
    return tuple(nodes), tuple(edges)


BEFORE = 11
"""Columns before those of predicates."""

_WORD, _PARSE, _LEMMA, _FRAMESET = 3, 5, 6, 7
_NOTHING = (b"-", b"")


class Table(NamedTuple):
    """A sentence of a document."""

    number: int
    """Which one it is, from 1."""
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
        draft = Draft(name, table.line, framework=SRL, item=id)
        graph = _Sentence(table, draft).graph(document)
        if graph is None:
            draft.raw = [b"\t".join(row) + b"\n" for row in table.rows]
        yield draft.record(graph)


class _Sentence:
    """The state of reading one sentence."""

    def __init__(self, table: Table, draft: Draft) -> None:
        self.table, self.draft = table, draft

    def graph(self, document: str) -> Graph | None:
        """The graph, if nothing is wrong."""
        columns = list(zip(*self.table.rows, strict=True))
        words = [word.decode() for word in columns[_WORD]]
        roles = self._roles(columns)
        if self.draft.problems:
            return None
        text, ranges = joined(words)
        return spanned(self.draft.item, document, text, ranges, roles, {})

    def _add(self, row: int, column: int, found: str, expected: str) -> None:
        line = self.table.line + row
        where = f"column {column + 1}"
        self.draft.add(where, found, expected, line=line)

    def _roles(self, columns: list[tuple[bytes, ...]]) -> list[Spans]:
        framesets = columns[_FRAMESET]
        places = [k for k, each in enumerate(framesets) if each not in _NOTHING]
        found = []
        for count, column in enumerate(columns[BEFORE:-1]):
            spans, broken = spans_of([cell.decode() for cell in column])
            for row, shown, expected in broken:
                self._add(row, BEFORE + count, shown, expected)
            verb = next((span[1:] for span in spans if span[0] == VERB), None)
            if verb is None and count < len(places):
                verb = places[count], places[count]
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
            found.append(Spans(label, first, last, spans, lemma))
        return found


def _label(columns: list[tuple[bytes, ...]], place: int) -> str | None:
    """Lemma and frameset of a predicate, as far as they are said."""
    lemma, frameset = columns[_LEMMA][place], columns[_FRAMESET][place]
    parts = [each.decode() for each in (lemma, frameset) if each not in _NOTHING]
    return ".".join(parts) or None
