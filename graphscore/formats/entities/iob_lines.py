r"""Sentences of column files: a token to a line, blank lines between sentences.

The first column is the token, the last the tag; what stands between is kept.
Columns are separated by tabs, or, where a line has none, by blanks.

>>> sentence = Sentence("a.conll", 1)
>>> sentence.take(1, "U.N. NNP I-NP I-ORG")
>>> sentence.take(2, "official NN I-NP O")
>>> graph = sentence.graph("")
>>> graph.text, graph.nodes[0].label, graph.nodes[0].properties
('U.N. official', 'ORG', (('kind', 'mention'), ('tags', 'I')))
>>> graph.extra["columns"]
[['NNP', 'I-NP'], ['NN', 'I-NP']]
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from graphscore.errors import amount
from graphscore.formats.entities.sniffers import cells_of
from graphscore.formats.shared.json_lines import shown
from graphscore.formats.shared.records import Draft
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.tags import TAGS, Chunk, Tag, chunks, tag_of
from graphscore.structures.layout import NER, LayoutBuilder

COLUMNS, SEPARATOR, COMMENTS = "columns", "separator", "comments"
"""Fields of ``extra`` of a graph."""

PREDICTED, OPENING, SCHEME = "predicted", "docstart", "scheme"
"""More of them."""

LAST, BEFORE_LAST = -1, -2
"""The column of the tags; gold ones stand before predicted ones."""

_ID = re.compile(r"#\s*(?:sent_)?id\s*[=:]?\s*(\S+)")

_read_tag = lru_cache(maxsize=4096)(tag_of)


class Sentence(Draft):
    """One sentence on its way to a graph, gathering what is wrong with it.

    Args:
        name: the file.
        line: its first line.
        tag: which column has the tag: the last (-1) or the one before (-2).

    Attributes:
        chunks: its entities, once :meth:`graph` was called.
    """

    def __init__(self, name: str, line: int, tag: int = LAST) -> None:
        super().__init__(name, line, framework=NER)
        self._tag = tag
        self.chunks: list[Chunk] = []
        self.comments: list[str] = []
        self.docstart: list[str] | None = None
        self._forms: list[str] = []
        self._tags: list[Tag] = []
        self._between: list[list[str]] = []
        self._predicted: list[str] = []
        self._width = 0
        self._separator = "\t"

    def __bool__(self) -> bool:
        """Whether it has a line of its own; comments alone are no sentence."""
        return bool(self._forms or self.problems)

    def take(self, number: int, line: str) -> None:
        """Add a line.

        Args:
            number: its number in the file.
            line: the line without its end.
        """
        cells = cells_of(line)
        least = 1 - self._tag
        tag = _read_tag(cells[self._tag]) if len(cells) >= least else None
        if tag is None and line.startswith("#") and line[1:2] != "\t" and not self:
            self.comments.append(line)
            match = _ID.match(line)
            if match is not None:
                self.item = self.item or match[1]
            return
        if not self._width:
            self._width = len(cells)
            self._separator = "\t" if "\t" in line else " "
        if len(cells) < least:
            what = "a token and its tag" if least == 2 else "a token and two tags"
            found = amount(len(cells), "column")
            self.add("", found, f"{what}, or more", line=number)
        elif len(cells) != self._width:
            expected = f"{self._width}, as in the first line of the sentence"
            self.add("", amount(len(cells), "column"), expected, line=number)
        elif tag is None:
            expected = "a tag: O, or B, I, E, L, S, U with a type (B-PER)"
            column = self._column(line, cells)
            self.add("", shown(cells[self._tag]), expected, column, number)
        else:
            self._forms.append(cells[0])
            self._tags.append(tag)
            self._between.append(cells[1 : self._tag])
            if self._tag == BEFORE_LAST:
                self._predicted.append(cells[-1])

    def _column(self, line: str, cells: list[str]) -> int:
        """Where the tag begins, in bytes."""
        end = len(line)
        for cell in cells[: self._tag - 1 : -1]:
            end = line.rindex(cell, 0, end)
        return len(line[:end].encode()) + 1

    def graph(self, document: str) -> Graph:
        """The sentence as a graph; it must be without problems.

        Args:
            document: the document that it belongs to, empty where none is said.
        """
        text, tokens = joined(self._forms)
        self.chunks = chunks(self._tags)
        build = LayoutBuilder()
        for first, last, label, letters in self.chunks:
            anchor = Anchor(tokens[first].start, tokens[last].end)
            build.mention(label, (anchor,), ((TAGS, letters),))
        extra: dict[str, Any] = {}
        if any(self._between):
            extra[COLUMNS] = self._between
        if self._predicted:
            extra[PREDICTED] = self._predicted
        if self._separator != "\t":
            extra[SEPARATOR] = self._separator
        if self.comments:
            extra[COMMENTS] = self.comments
        if self.docstart is not None:
            extra[OPENING] = self.docstart
        return build.graph(
            self.item, NER, document=document, text=text, tokens=tokens, extra=extra
        )
