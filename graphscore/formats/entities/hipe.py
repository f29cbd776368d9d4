r"""HIPE-2020 and HIPE-2022: nested, metonymic and linked entities in columns.

A token to a line, columns separated by tabs and named by a header; comments before a
document say its id (Ehrmann et al. 2020, 2022)::

    TOKEN  NE-COARSE-LIT  ...  NE-FINE-COMP  NE-NESTED  NEL-LIT  NEL-METO  MISC
    # document_id = GDL-1878-02-22-a-i0014
    M      B-pers              B-comp.title  O          Q65264   _         _

A document is an item, as it is for the HIPE scorer: marks of sentences are made by
machine and stand in the middle of entities, and entities go over the ends of lines.
It gives a graph of the framework ``ner`` (the coarse literal types) and one of
``etree`` (fine types, components, nested entities).

>>> import io
>>> data = b"TOKEN\tNE-COARSE-LIT\tNEL-LIT\nBern\tB-loc\tQ70\n.\tO\t_\n\nRom\tB-x\n"
>>> ner, etree, bad = read(io.BytesIO(data), "a.tsv")
>>> ner.graph.framework, ner.graph.nodes[0].properties[2:]
('ner', (('authority', 'Q70'),))
>>> etree.graph.framework, etree.graph.nodes[0].label
('etree', 'loc')
>>> print(bad.problems[0])
a.tsv:5: found 2 columns, expected 3, as in the header
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, BinaryIO

from graphscore.duplicates import shown
from graphscore.exceptions import Problem, amount
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.entities.hipe_columns import (
    COARSE,
    COARSE_METONYMIC,
    FINE,
    LINK,
    LINK_METONYMIC,
    MISC,
    NO_SPACE,
    NOTHING,
    TABLE,
    TAGGED,
    TOKEN,
    Annotated,
    derive_columns,
    header_of,
    linked_chunks,
    says_something,
)
from graphscore.formats.shared.columns import (
    Block,
    blocks,
    byte_column,
    without_tail,
)
from graphscore.formats.shared.records import SHOWN, RecordBuilder
from graphscore.formats.source import BOM
from graphscore.model.graph import LAYER, Anchor, Graph
from graphscore.structures.entities.authority import (
    CANDIDATE,
    METONYMIC_AUTHORITY,
    WITHIN,
)
from graphscore.structures.entities.tags import (
    OUTSIDE,
    TAGS,
    Tag,
    chunks,
    tag_of,
)
from graphscore.structures.layout import NER, LayoutBuilder

LARGEST = 64 * 1024 * 1024
"""A larger document is refused without being held."""

END_OF_LINE = "EndOfLine"
"""Another flag of the column MISC."""

_ID = re.compile(r"#\s*(?:[\w.-]+:)?document_id\s*[=:]\s*(.*\S)")
_LANGUAGE = re.compile(r"#\s*(?:hipe\d*:)?language\s*[=:]\s*([A-Za-z]{2,3})\s*$")

_read_tag = lru_cache(maxsize=4096)(tag_of)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file in the HIPE format.

    Args:
        stream: the file.
        name: its name.

    Yields:
        For each document a record for each layer, or one that says what is wrong.
    """
    yield from _records(stream, name, False)


def read_columns(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read each column as a layer of its own, as the HIPE scorer compares them.

    Args:
        stream: the file.
        name: its name.

    Yields:
        For each document a record for each column of tags or links that says anything,
        with the column's name as its layer; or one that says what is wrong.
    """
    yield from _records(stream, name, True)


class Rows(Block):
    """Lines between blank ones; documents may go on behind these."""

    longest = 1024 * 1024
    expected = "a token and its columns"


def _records(stream: BinaryIO, name: str, columns: bool) -> Iterator[Record]:
    reader = _Reader(name, columns)
    after = 1
    for first, raw in blocks(stream, Rows.longest):
        for number in range(after, first):
            yield from reader.blank(number)
        after = first + len(raw)
        rows = Rows(name, first, raw)
        lines = dict(zip(rows.numbers, rows.lines, strict=True))
        problems = {problem.line: problem for problem in rows.problems}
        for number, line in enumerate(raw, first):
            if number in lines or number in problems:
                text, problem = lines.get(number, ""), problems.get(number)
                yield from reader.line(number, line, text, problem)
    yield from reader.end()


class _Reader:
    """Reads lines one after the other, giving documents as they end."""

    def __init__(self, name: str, by_column: bool) -> None:
        self._name, self._by_column = name, by_column
        self._columns: list[str] | None = None
        self._skipping = False
        self._document: Document | None = None
        self._size = 0
        self._pending: list[tuple[int, bytes, str]] = []
        self._names: str | None = None

    def blank(self, number: int) -> Iterator[Record]:
        """Take a blank line."""
        if self._fits(b"\n") and not self._skipping:
            self._pending.append((number, b"\n", ""))
        # Documents that have an id end where the next one begins.
        if self._document and not self._document.item:
            yield from self.end()

    def line(
        self, number: int, raw: bytes, line: str, problem: Problem | None
    ) -> Iterator[Record]:
        """Take a line.

        Args:
            number: its number.
            raw: as it stands in the file.
            line: its text, empty where it is none.
            problem: why it is none.
        """
        columns = header_of(line)
        if columns is not None:
            yield from self._header(number, raw, columns)
        elif line.startswith("#") and not self._is_row(line):
            if id_in(line) and self._columns is not None:
                begun, self._pending = self._pending, []
                yield from self.end()
                self._pending = begun
                self._begin(number)
            if self._fits(raw) and not self._skipping:
                self._pending.append((number, raw, line))
        else:
            yield from self._row(number, raw, line, problem)

    def end(self) -> Iterator[Record]:
        """The document that was read, if there is one."""
        document, self._document = self._document, None
        if document is None:
            return
        # Blank lines behind it are the next one's, or the end of the file.
        blank = len(self._pending)
        while blank and not self._pending[blank - 1][2]:
            blank -= 1
        self._pending, after = self._pending[:blank], self._pending[blank:]
        self._comments(document)
        self._pending, self._size = after, 0
        graphs = document.by_column() if self._by_column else document.graphs()
        for graph in graphs:
            yield ReadGraph(document.line, graph)
        if not graphs:
            yield document.rejected()

    def _is_row(self, line: str) -> bool:
        """Return whether a line that begins like a comment is an annotated token.

        What begins with ``#`` is a comment to the scorer of HIPE.  A row of which it
        would lose a tag or a link is kept.
        """
        return self._columns is not None and says_something(self._columns, line)

    def _header(self, number: int, raw: bytes, columns: list[str]) -> Iterator[Record]:
        yield from self.end()
        self._columns, self._skipping = columns, False
        self._names = raw.removeprefix(BOM).decode("utf-8", "replace").rstrip("\r\n")
        found = ""
        if columns[0] != TOKEN:
            found = f"the first column {columns[0]!r}"
        elif len(set(columns)) < len(columns):
            found = "two columns of one name"
        elif COARSE not in columns and FINE not in columns:
            found = "a header without entities"
        if found:
            expected = f"{TOKEN}, then {COARSE} or {FINE}, and others"
            yield self._unreadable(number, raw, found, expected)

    def _row(
        self, number: int, raw: bytes, line: str, problem: Problem | None
    ) -> Iterator[Record]:
        """A line that is a row, or should be one."""
        if self._columns is None:
            if not self._skipping:
                found = f"{line[:40]!r} before the header"
                yield self._unreadable(number, raw, found, f"{TOKEN}, {COARSE}, ...")
            return
        document = self._document
        if document is None:
            document = self._begin(number)
        self._comments(document)
        if not self._fits(raw):
            if not document.refused:
                found = f"a document of more than {LARGEST:,} bytes"
                expected = "a blank line or id after each"
                document.add("", found, expected, line=number)
                document.refused = True
                document.raw = [b"".join(document.raw)[:SHOWN]]
            return
        document.raw.append(raw)
        if problem is None:
            document.take(number, line)
        else:
            document.problems.append(problem)

    def _begin(self, number: int) -> Document:
        first = next((n for n, _, line in self._pending if line), number)
        document = Document(self._name, first, self._columns or [TOKEN])
        document.header, self._names = self._names, None
        self._document = document
        return document

    def _fits(self, raw: bytes) -> bool:
        """Count a line; whether the document is not too large with it."""
        self._size += len(raw)
        return self._size <= LARGEST

    def _comments(self, document: Document) -> None:
        """Give the comments that were read to a document."""
        for _, raw, line in self._pending:
            document.raw.append(raw)
            document.comment(line)
        self._pending = []

    def _unreadable(
        self, number: int, raw: bytes, found: str, expected: str
    ) -> Rejected:
        """Return the rejected record of everything up to the next header."""
        self._columns, self._skipping = None, True
        # Comments above it are not those of the document that is read next.
        self._pending, self._size = [], 0
        draft = RecordBuilder(self._name, number, raw[:SHOWN])
        draft.add("", found, expected)
        return draft.rejected()


class Document(RecordBuilder):
    r"""A document on its way to graphs, gathering what is wrong with it.

    Args:
        name: the file.
        line: its first line.
        columns: the names of the columns.

    Attributes:
        refused: whether it is too large to be held.
        header: the header as it was written, if it stands right before.

    Example:
        >>> columns = ["TOKEN", "NE-COARSE-LIT", "NE-FINE-LIT", "NE-FINE-METO"]
        >>> document = Document("a.tsv", 2, [*columns, "NEL-LIT"])
        >>> document.take(2, "La\tO\tO\tO\t_")
        >>> document.take(3, "Suisse\tB-loc\tB-loc.adm.nat\tB-org.adm\tQ39")
        >>> ner, etree = document.graphs()
        >>> ner.nodes[0].label, ner.nodes[0].properties[1:]
        ('loc', (('tags', 'B'), ('authority', 'Q39')))
    """

    def __init__(self, name: str, line: int, columns: Sequence[str]) -> None:
        super().__init__(name, line)
        self.language = ""
        self.refused = False
        self.header: str | None = None
        self._comments: list[str] = []
        self._lines: dict[int, list[str]] = {}
        self._columns = columns
        self._rows: list[dict[str, str]] = []
        self._tags: dict[str, list[Tag | None]] = {
            column: [] for column in TAGGED if column in columns
        }

    def __bool__(self) -> bool:
        """Return whether the document has a row, even a bad one."""
        return bool(self._rows or self.problems)

    def comment(self, line: str) -> None:
        """Add a comment, which may say the id or the language, or a blank line."""
        # Blank lines below a header say no more than those above it.
        if line or self._lines or self._rows or self.header is None:
            self._lines.setdefault(len(self._rows), []).append(line)
        if not line:
            return
        self._comments.append(line)
        self.item = id_in(line) or self.item
        language = _LANGUAGE.match(line)
        if language is not None:
            self.language = language[1].lower()

    def take(self, number: int, line: str) -> None:
        """Add a row.

        Args:
            number: its number in the file.
            line: the row without its end.
        """
        cells = without_tail(line.rstrip(" ").split("\t"), len(self._columns))
        if len(cells) != len(self._columns):
            expected = f"{len(self._columns)}, as in the header"
            self.add("", amount(len(cells), "column"), expected, line=number)
            return
        row = dict(zip(self._columns, cells, strict=True))
        if not row[TOKEN].strip():
            self.add("", "an empty token", "a word", 1, number)
        for column, tags in self._tags.items():
            written = row[column]
            tag = None if written in NOTHING else _read_tag(written)
            if "|" in written or (tag is None and written not in NOTHING):
                at = byte_column(cells, self._columns.index(column))
                expected = f"a tag of {column}: O, _, or B, I with a type (B-loc)"
                self.add("", shown(written), expected, at, number)
            tags.append(tag)
        self._rows.append(row)

    def by_column(self) -> list[Graph]:
        """A graph of the framework ``ner`` for each column that says anything.

        There are none where a problem was found.
        """
        used = self._used_columns()
        if self.problems:
            return []
        text, tokens = self._join_tokens()
        layers: dict[str, LayoutBuilder] = {}
        for column in (name for name in TAGGED if name in used):
            build = layers[column] = LayoutBuilder()
            for first, last, label, letters in chunks(
                tag or OUTSIDE for tag in self._tags[column]
            ):
                anchor = Anchor(tokens[first].start, tokens[last].end)
                build.mention(label, [anchor], ((TAGS, letters),))
        # One without links is there all the same: the other side may have some.
        for column, within in ((LINK, COARSE), (LINK_METONYMIC, COARSE_METONYMIC)):
            if within in used and column in self._columns:
                layers[column] = self._link_mentions(column, within, tokens)
        graphs = []
        for column, build in layers.items():
            extra = {LAYER: column}
            about = {"document": self.item, "language": self.language}
            graphs.append(
                build.graph(
                    self.item, NER, **about, text=text, tokens=tokens, extra=extra
                )
            )
        return graphs

    def _link_mentions(
        self, column: str, within: str, tokens: Sequence[Anchor]
    ) -> LayoutBuilder:
        """The links of a column, as mentions."""
        build = LayoutBuilder()
        cells = [row[column] for row in self._rows]
        for chunk in linked_chunks(self._tags[within], cells):
            first, last, links, entity = chunk
            properties: list[tuple[str, str]] = [
                (CANDIDATE, link) for link in links[1:]
            ]
            if entity != (first, last):
                start, end = tokens[entity[0]].start, tokens[entity[1]].end
                properties.append((WITHIN, f"{start}:{end}"))
            metonymic = self._rows[first].get(LINK_METONYMIC, "_")
            if column == LINK and metonymic not in NOTHING:
                properties.append((METONYMIC_AUTHORITY, metonymic))
            anchor = Anchor(tokens[first].start, tokens[last].end)
            build.mention(links[0], [anchor], tuple(properties))
        return build

    def _used_columns(self) -> set[str]:
        """The columns of tags that say anything; that there are none is a problem."""
        used = {
            column for column, tags in self._tags.items() if any(tag for tag in tags)
        }
        if not self._rows and not self.problems:
            self.add("", "a document without tokens", "one or more")
        elif not used and not self.problems:
            found = "nothing but _ in the columns of tags"
            self.add("", found, "tags, or O where there is no entity")
        return used

    def graphs(self) -> list[Graph]:
        """Its graphs, ``ner`` and ``etree``; a layer of which nothing is said is none.

        There are none where a problem was found.
        """
        used = self._used_columns()
        if self.problems:
            return []
        text, tokens = self._join_tokens()
        annotated = Annotated(
            {
                column: chunks(tag or OUTSIDE for tag in self._tags.get(column, ()))
                for column in TAGGED
            },
            {
                column: [row.get(column, "_") for row in self._rows]
                for column in (LINK, LINK_METONYMIC)
            },
            tokens,
        )
        graphs = []
        about: dict[str, Any] = {
            "document": self.item,
            "language": self.language,
            "text": text,
            "tokens": tokens,
        }
        if COARSE in used:
            mentions = annotated.mentions()
            graphs.append(
                mentions.graph(self.item, NER, **about, extra=self._extra(annotated))
            )
        trees = annotated.trees()
        graphs.append(trees.graph(self.item, **about, extra=self._extra(annotated)))
        graphs[-1].extra[TABLE] = self._table(graphs, used)
        return graphs

    def _table(self, graphs: Sequence[Graph], used: set[str]) -> dict[str, Any]:
        """Return the fields of the file that a writer cannot derive from the graphs."""
        *mentions, trees = graphs
        cells = derive_columns(mentions[0] if mentions else None, trees, used)
        changed: dict[str, dict[str, str]] = {}
        for column in self._columns[1:]:
            cell = cells.get(column)
            kept = trees.extra.get("columns", {}).get(column, {})
            for index, row in enumerate(self._rows):
                expected = cell[index] if cell else kept.get(str(index), "_")
                if row[column] != expected:
                    changed.setdefault(column, {})[str(index)] = row[column]
        table: dict[str, Any] = {
            "columns": list(self._columns),
            "said": [column for column in TAGGED if column in used],
            "cells": changed,
        }
        if self._lines != ({0: self._comments} if self._comments else {}):
            table["lines"] = {str(index): x for index, x in self._lines.items()}
        if self.header is not None:
            table["header"] = self.header
        return table

    def _join_tokens(self) -> tuple[str, tuple[Anchor, ...]]:
        """Tokens joined by blanks, unless the file says otherwise."""
        pieces: list[str] = []
        tokens: list[Anchor] = []
        position = 0
        for row in self._rows:
            flags = row.get(MISC, "_").split("|")
            form = row[TOKEN]
            tokens.append(Anchor(position, position + len(form)))
            # The first releases say NoSpaceAfter at the end of every line.
            joins = NO_SPACE in flags and END_OF_LINE not in flags
            pieces += (form, "" if joins else " ")
            position += len(form) + (not joins)
        return "".join(pieces[:-1]), tuple(tokens)

    def _extra(self, annotated: Annotated) -> dict[str, Any]:
        """Return the fields without a place in a graph, by token index."""
        extra: dict[str, Any] = {}
        if self._comments:
            extra["comments"] = list(self._comments)
        others = {
            column: {
                str(number): row[column]
                for number, row in enumerate(self._rows)
                if row[column] not in NOTHING
            }
            for column in self._columns
            if column not in (TOKEN, *TAGGED, LINK, LINK_METONYMIC)
        }
        extra["columns"] = {column: cells for column, cells in others.items() if cells}
        extra["links"] = annotated.stray_links()
        return {key: value for key, value in extra.items() if value}


def id_in(comment: str) -> str:
    """The id of a document that a comment says, empty if it says none.

    >>> id_in("# hipe2022:document_id = GDL-1878"), id_in("# date = 1878-02-22")
    ('GDL-1878', '')
    """
    match = _ID.match(comment)
    return "" if match is None else match[1]
