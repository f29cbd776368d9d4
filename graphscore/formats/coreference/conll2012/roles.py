r"""The predicate-argument columns of CoNLL-2012, a graph of roles for each sentence.

A full table has eleven columns before them (document, part, number, word, part of
speech, parse, lemma, frameset, sense, speaker, named entity) and coreference behind
them; there is one for each predicate of the sentence, with spans in brackets.  The
predicate is where its ``V`` is, else at the word with the next frameset; its label
is ``lemma.frameset``.  A column of stars without a predicate says nothing.

Tables of coreference alone have other columns or none.  They are told by the parse:
without a star in every cell there are no roles in a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.formats.base import Record
from graphscore.formats.roles.brackets import spans_of
from graphscore.formats.roles.layout import Spans, joined_words, spanned
from graphscore.formats.shared.records import Draft
from graphscore.model.graph import Graph
from graphscore.structures.roles.sentence import SRL, VERB

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
        text, ranges = joined_words(words)
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
