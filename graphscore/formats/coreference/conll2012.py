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
predicates and arguments, one of framework ``srl`` for each sentence
(:mod:`graphscore.formats.coreference.conll2012_table`):
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

>>> import io
>>> data = b"#begin document (a); part 001\nJo (1\nAnn 1)\nran -\n#end document\n"
>>> [record] = read(io.BytesIO(data), "a.conll")
>>> record.graph.id, record.graph.text, [*record.graph.nodes[0].anchors[0]]
('a/1', 'Jo Ann ran', [0, 6])
>>> [record] = read(io.BytesIO(data.replace(b" 1)", b" -")), "a.conll")
>>> print(record.problems[0])
a.conll:2:4: coreference: found an unmatched '(1', expected 1) further down
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, BinaryIO, NamedTuple

from graphscore.exceptions import amount
from graphscore.formats.base import Record, Rejected
from graphscore.formats.coreference.conll2012_table import (
    NOTHING,
    Brackets,
    Header,
    Table,
    role_records,
    sentences,
)
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.source import BOM
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import COREF, ENTITY, KIND, MENTION

LONGEST_DOCUMENT = 256 * 1024 * 1024
"""Size beyond which a document is refused without being held."""

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
        offset = 0
        for match in _DOCUMENT_MARK.finditer(block):
            if match.start() and block[match.start() - 1] != _LINE_FEED:
                continue
            if match.start() > offset:
                between = block[offset : match.start()]
                yield _Piece(number, b"", between)
                number += between.count(b"\n")
            yield _Piece(number, match[1], match[0])
            number += match[0].count(b"\n")
            offset = match.end()
        if offset < len(block):
            yield _Piece(number, b"", block[offset:])
            number += block.count(b"\n", offset)
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
        begun = Header.of(piece.line, piece.raw)
        nameless += begun.name == ""
        return begun.within(name, nameless - 1)

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
            yield _reject_unfinished(header, body, name, found)
            header, body, size = begin(piece), [], 0
        else:
            size += len(piece.raw)
            if size <= LONGEST_DOCUMENT:
                body.append(piece.raw)
    if header is not None:
        yield _reject_unfinished(header, body, name, "the end of the file")


def _outside(piece: _Piece, name: str) -> Rejected | None:
    """Lines that belong to no document; blank ones and comments may be there."""
    for number, line in enumerate(piece.raw.split(b"\n"), piece.line):
        if piece.mark or (line.strip() and not line.startswith(b"#")):
            shown = line.strip()[:40].decode("utf-8", "replace")
            draft = RecordBuilder(name, number, piece.raw[:CHUNK])
            draft.add("", repr(shown), "a line #begin document before it")
            return draft.rejected()
    return None


def _reject_unfinished(
    header: Header, body: list[bytes], name: str, found: str
) -> Rejected:
    draft = header.draft(name, *body)
    draft.add("", found, f"a line {_END} before it")
    return draft.rejected()


def _too_long(header: Header, name: str) -> Rejected:
    draft = header.draft(name)
    found = f"a document of more than {LONGEST_DOCUMENT:,} bytes"
    draft.problems = []
    draft.add("", found, f"a line {_END}")
    return draft.rejected()


SENTENCES = "sentences"
"""In ``extra`` of a graph: how many words each sentence has."""

LINES = "conll2012"
"""In ``extra`` of a graph: the document as the file has it."""

BEGIN, ROWS, END = "begin", "rows", "end"
"""The parts of it: its first line, the table, its last line."""

COLUMN = "coreference"
"""Name of the last column in problems."""

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
    draft.problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
    yield draft.record(graph)
    yield from role_records(header.item, header.name or "", reading.tables, name)


class _Document:
    """The state of reading one document."""

    def __init__(self, header: Header, body: bytes, draft: RecordBuilder) -> None:
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
        lines = {BEGIN: begin, ROWS: rows, END: ending.rstrip("\r\n")}
        extra: dict[str, Any] = {SENTENCES: self.sizes, LINES: lines}
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
        mentions: list[list[Any]] = []
        stacks: dict[str, list[list[Any]]] = {}
        read = brackets.of
        for index, cell in enumerate(self.cells):
            if cell in NOTHING:
                continue
            pieces = read(cell)
            if pieces is None:
                shown = repr(cell.decode("utf-8", "replace")[:40])
                self._at(index, shown, "-, or brackets with ids, as (1|(2)|3)")
                continue
            for opens, entity, closes in pieces:
                if opens:
                    mention = [index, index, entity]
                    mentions.append(mention)
                    if not closes:
                        stacks.setdefault(entity, []).append(mention)
                elif stack := stacks.get(entity):
                    stack.pop()[1] = index
                else:
                    shown = f"an unmatched {f'{entity})'!r}"
                    self._at(index, shown, f"({entity} before it")
        for entity, stack in stacks.items():
            for index, _, _ in stack:
                shown = f"an unmatched {f'({entity}'!r}"
                self._at(index, shown, f"{entity}) further down")
        return mentions

    def _at(self, index: int, found: str, expected: str) -> None:
        """Note a problem with the cell of a word."""
        number = self._table[index]
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
