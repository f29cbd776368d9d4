r"""One CoNLL-2012 document on its way to a graph.

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
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from graphscore.errors import amount
from graphscore.formats.base import Record
from graphscore.formats.coreference.conll2012.cells import (
    NOTHING,
    Brackets,
    Header,
    sentences,
)
from graphscore.formats.coreference.conll2012.roles import Table, role_records
from graphscore.formats.shared.records import Draft
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import COREF, ENTITY, KIND, MENTION

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
