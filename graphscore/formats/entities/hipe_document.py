r"""One document of the HIPE format: its rows, what is wrong with them, its layers.

>>> columns = ["TOKEN", "NE-COARSE-LIT", "NE-FINE-LIT", "NE-FINE-METO", "NEL-LIT"]
>>> document = Document("a.tsv", 2, columns)
>>> document.take(2, "La\tO\tO\tO\t_")
>>> document.take(3, "Suisse\tB-loc\tB-loc.adm.nat\tB-org.adm\tQ39")
>>> ner, etree = document.layers()
>>> ner.nodes[0].label, ner.nodes[0].properties[1:]
('loc', (('tags', 'B'), ('authority', 'Q39')))
>>> etree.nodes[0].label, etree.nodes[0].properties[1:]
('org.adm', (('literal', 'loc.adm.nat'), ('authority', 'Q39')))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from graphscore.errors import Problem, amount
from graphscore.formats.entities.hipe_layers import (
    COARSE,
    LINK,
    LINK_METONYMIC,
    NOTHING,
    TAGGED,
    Annotated,
)
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import NER
from graphscore.structures.tags import OUTSIDE, Tag, chunks, tag_of

TOKEN, MISC = "TOKEN", "MISC"
"""More names of columns."""

NO_SPACE, END_OF_LINE = "NoSpaceAfter", "EndOfLine"
"""Flags of the column MISC."""

_ID = re.compile(r"#\s*(?:[\w.-]+:)?document_id\s*[=:]\s*(.*\S)")
_LANGUAGE = re.compile(r"#\s*(?:hipe\d*:)?language\s*[=:]\s*([A-Za-z]{2,3})\s*$")

_read_tag = lru_cache(maxsize=4096)(tag_of)


class Document:
    """A document on its way to graphs, gathering what is wrong with it.

    Args:
        name: the file.
        line: its first line.
        columns: the names of the columns.

    Attributes:
        problems: what is wrong.
        raw: its lines.
        refused: whether it is too large to be held.
    """

    def __init__(self, name: str, line: int, columns: Sequence[str]) -> None:
        self.name, self.line = name, line
        self.raw: list[bytes] = []
        self.problems: list[Problem] = []
        self.item, self.language = "", ""
        self.refused = False
        self._comments: list[str] = []
        self._columns = columns
        self._rows: list[dict[str, str]] = []
        self._tags: dict[str, list[Tag | None]] = {
            column: [] for column in TAGGED if column in columns
        }

    def __bool__(self) -> bool:
        """Whether it has a row, be it a bad one."""
        return bool(self._rows or self.problems)

    def bad(self, line: int, column: int | None, found: str, expected: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(self.name, line, column, "", found, expected))

    def comment(self, line: str) -> None:
        """Add a comment, which may say the id or the language."""
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
        cells = line.split("\t")
        if len(cells) != len(self._columns):
            found = amount(len(cells), "column")
            expected = f"{len(self._columns)}, as in the header"
            self.bad(number, None, found, expected)
            return
        row = dict(zip(self._columns, cells, strict=True))
        if not row[TOKEN].strip():
            self.bad(number, 1, "an empty token", "a word")
        for column, tags in self._tags.items():
            written = row[column]
            tag = None if written in NOTHING else _read_tag(written)
            if "|" in written or (tag is None and written not in NOTHING):
                place = self._columns.index(column)
                at = len("\t".join(cells[:place]).encode()) + 2
                expected = f"a tag of {column}: O, _, or B, I with a type (B-loc)"
                self.bad(number, at, _shown(written), expected)
            tags.append(tag)
        self._rows.append(row)

    def layers(self) -> list[Graph]:
        """Its graphs, ``ner`` and ``etree``; a layer of which nothing is said is none.

        There are none where a problem was found.
        """
        said = {
            column for column, tags in self._tags.items() if any(tag for tag in tags)
        }
        if not self._rows and not self.problems:
            self.bad(self.line, None, "a document without tokens", "one or more")
        elif not said and not self.problems:
            found = "nothing but _ in the columns of tags"
            self.bad(self.line, None, found, "tags, or O where there is no entity")
        if self.problems:
            return []
        text, tokens = self._text()
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
        if COARSE in said:
            mentions = annotated.mentions()
            graphs.append(
                mentions.graph(self.item, NER, **about, extra=self._extra(annotated))
            )
        trees = annotated.trees()
        graphs.append(trees.graph(self.item, **about, extra=self._extra(annotated)))
        return graphs

    def _text(self) -> tuple[str, tuple[Anchor, ...]]:
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
        """What has no place in a graph, by token, from 0."""
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


def _shown(written: str) -> str:
    return repr(written if len(written) <= 30 else written[:30] + "...")
