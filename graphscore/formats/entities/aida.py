r"""CoNLL-AIDA (AIDA CoNLL-YAGO): tokens, and the entities they are resolved to.

A token to a line, blank lines between sentences (Hoffart et al. 2011 and the read-me
file of their data); tokens of mentions have more columns, which tabs separate::

    -DOCSTART- (1 EU)
    EU       B  EU              --NME--
    rejects
    German   B  German          Germany  http://en.wikipedia.org/wiki/Germany  11867
    call

The columns are: token; ``B`` or ``I``; the whole mention; its entity in YAGO, or
``--NME--`` where it has none; the address of its page in Wikipedia; the page's number;
its name in Freebase.  A sentence is a graph of the framework ``ner``.  Its mentions
have no type, and the entity as property ``authority``, ``NIL`` where there is none.

>>> import io
>>> data = b"-DOCSTART- (1 EU)\nEU\tB\tEU\t--NME--\ncalls\nBonn\tB\tBonn\tBonn\n"
>>> [record] = read(io.BytesIO(data), "a.tsv")
>>> record.graph.document, record.graph.text
('1', 'EU calls Bonn')
>>> [node.properties for node in record.graph.nodes]  # doctest: +NORMALIZE_WHITESPACE
[(('kind', 'mention'), ('tags', 'B'), ('authority', 'NIL')),
 (('kind', 'mention'), ('tags', 'B'), ('authority', 'Bonn'))]
>>> [bad] = read(io.BytesIO(b"EU\tX\tEU\t--NME--\n"), "a.tsv")
>>> print(bad.problems[0])
a.tsv:1: found 'X' in column 2, expected B, I or O
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from graphscore.formats.base import Read, Record
from graphscore.formats.entities.aida_write import (
    COLUMNS,
    NO_ENTRY,
    OPENING,
)
from graphscore.formats.entities.sniffers import AIDA_WIDEST, DOCSTART, opens_document
from graphscore.formats.shared.columns import Block, blocks
from graphscore.formats.shared.records import Draft
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor
from graphscore.structures.entities.authority import AUTHORITY, NIL
from graphscore.structures.entities.tags import OUTSIDE, TAGS, Tag, chunks
from graphscore.structures.layout import NER, LayoutBuilder

_LETTERS = {"B": ("B", None), "I": ("I", None), "O": OUTSIDE}


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of resolved mentions.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    document, opening = "", None
    for block in blocks(stream, name):
        held: list[str] = []
        first = block.line
        for number, line in enumerate(block.lines, block.line):
            if not opens_document(line):
                held.append(line)
                continue
            if held:
                yield _record(name, first, held, document, opening, block)
            held, first = [], number + 1
            opening = line
            document = _document(line)
        if held:
            yield _record(name, first, held, document, opening, block)
            opening = None


def _document(line: str) -> str:
    """What a document is called: the number in front of its title."""
    words = line.removeprefix(DOCSTART).strip().removeprefix("(").split()
    return words[0].removesuffix(")") if words else ""


def _record(
    name: str,
    first: int,
    lines: Sequence[str],
    document: str,
    opening: str | None,
    block: Block,
) -> Record:
    sentence = _Sentence(name, first, lines)
    if block.problem is not None:
        sentence.raw = [block.raw]
        sentence.problems.insert(0, block.problem)
    build = None if sentence.problems else sentence.mentions()
    if build is None or sentence.problems:
        return sentence.rejected()
    graph = build.graph(
        "",
        NER,
        document=document,
        text=sentence.words,
        tokens=sentence.tokens,
        extra={} if opening is None else {OPENING: opening},
    )
    return Read(first, graph)


class _Sentence(Draft):
    """The lines of a sentence, and everything that is wrong with them."""

    def __init__(self, name: str, first: int, lines: Sequence[str]) -> None:
        raw = (f"{line}\n".encode() for line in lines)
        super().__init__(name, first, *raw, framework=NER)
        self.cells = [line.split("\t") for line in lines]
        self.words, self.tokens = joined([cells[0] for cells in self.cells])
        self.tags: list[Tag] = [
            self._tag(first + k, cells) for k, cells in enumerate(self.cells)
        ]

    def _tag(self, line: int, cells: list[str]) -> Tag:
        if not cells[0]:
            self.add("", "an empty first column", "a token", line=line)
        if len(cells) > AIDA_WIDEST:
            self.add("", f"{len(cells)} columns", f"at most {AIDA_WIDEST}", line=line)
        if len(cells) == 1:
            return OUTSIDE
        tag = _LETTERS.get(cells[1])
        if tag is None:
            found = f"{cells[1][:30]!r} in column 2"
            self.add("", found, "B, I or O", line=line)
            return OUTSIDE
        return tag

    def mentions(self) -> LayoutBuilder:
        """The mentions, of which all tokens must say the same."""
        build = LayoutBuilder()
        for first, last, _, letters in chunks(self.tags):
            said = self.cells[first][3:]
            for place in range(first + 1, last + 1):
                if self.cells[place][3:] != said:
                    found = f"the entity {_shown(self.cells[place][3:])}"
                    expected = f"{_shown(said)}, as in line {self.line + first}"
                    self.add("", found, expected, line=self.line + place)
            anchor = Anchor(self.tokens[first].start, self.tokens[last].end)
            properties = [(TAGS, letters)]
            if said and said[0]:
                entry = NIL if said[0] == NO_ENTRY else said[0]
                properties.append((AUTHORITY, entry))
            more = tuple(
                (column, cell)
                for column, cell in zip(COLUMNS, said[1:], strict=False)
                if cell
            )
            build.mention(None, (anchor,), tuple(properties), extra=more)
        return build


def _shown(said: Sequence[str]) -> str:
    return repr("\t".join(said)[:60]) if said else "of no column"
