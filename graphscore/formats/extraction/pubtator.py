r"""PubTator: titles and abstracts, with mentions that are identified, and relations.

A line for the title and one for the abstract, then a line for each mention (its
characters, words, type and identifier) and each relation of two identifiers; a blank
line ends the text::

    7|t|Naloxone helps
    7|a|It does.
    7	0	8	Naloxone	Chemical	D009270
    7	CID	D009270	D006973

Offsets count characters of both lines, with one character between these.  A text is
a graph of ``ner`` and one of ``relation``, where relations are of entities: an
entity is an identifier, and has the mentions with that identifier.

>>> import io
>>> data = b"7|t|Naloxone helps\n7|a|It does.\n7\t0\t8\tNaloxone\tChemical\tD009270\n"
>>> ner, relation = read(io.BytesIO(data), "a.pubtator")
>>> ner.graph.nodes[0].label, ner.graph.nodes[0].properties[1:]
('Chemical', (('authority', 'D009270'),))
>>> bad, = read(io.BytesIO(data.replace(b"\t8\t", b"\t9\t")), "a.pubtator")
>>> print(bad.problems[0])
a.pubtator:3: mention: found characters 0 to 9 are 'Naloxone ', expected 'Naloxone'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import Record
from graphscore.formats.shared.columns import Block, Lines, blocks
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.marked_text import (
    INDEX,
    Marked,
    MarkedText,
    marked_texts,
    one_range,
)
from graphscore.formats.shared.span_fields import quote_beginning, same_words
from graphscore.formats.writing import naming, spell_value
from graphscore.model.graph import Anchor, Graph, Node, Pairs
from graphscore.structures.entities.authority import AUTHORITY, NIL
from graphscore.structures.layout import ROLES

COLUMNS = "columns"
"""The field of ``extra`` with what stands behind the usual columns of a line."""

UNKNOWN = "-1"
"""The identifier of what is in no vocabulary."""

_PART = re.compile(r"([^|\t]+)\|([ta])\|(.*)")
_OFFSET = re.compile(r"\d{1,9}", re.ASCII)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of texts.

    Args:
        stream: the file.
        name: its name.

    Yields:
        Two records for each text, or one that says what is wrong.
    """
    for line, raw in blocks(stream):
        yield from _Text(name, line, raw).records()


class _Text(Block):
    """A text on its way to graphs."""

    def __init__(self, name: str, line: int, raw: Lines) -> None:
        super().__init__(name, line, raw)
        self.content = ""
        self.marked = MarkedText()

    def records(self) -> Iterator[Record]:
        """Read the title, the abstract, mentions, and then relations."""
        if self.problems:
            yield self.rejected()
            return
        # Blanks at the end of a title count.
        text = self.whole().decode().replace("\r\n", "\n")
        lines = [*enumerate(text.rstrip("\r\n").split("\n"), self.line)]
        parts = [match for _, line in lines[:2] if (match := _PART.fullmatch(line))]
        if [part[2] for part in parts] not in (["t"], ["t", "a"]):
            found = shown(lines[0][1][:40])
            self.add("title", found, "NUMBER|t|TITLE, and NUMBER|a|ABSTRACT below")
            yield self.rejected()
            return
        self.item = parts[0][1]
        self.content = "\n".join(part[3] for part in parts)
        relations: list[tuple[int, list[str]]] = []
        for number, line in lines[len(parts) :]:
            cells = line.rstrip().split("\t")
            if cells[0] != self.item:
                self.add("", quote_beginning(cells[0]), shown(self.item), line=number)
            elif _OFFSET.fullmatch("".join(cells[1:2])):
                self._mention(number, cells)
            else:
                relations.append((number, cells))
        for number, cells in relations:
            self._relation(number, cells)
        yield from self.marked.records(self, self.content)

    def _mention(self, number: int, cells: list[str]) -> None:
        if len(cells) < 5 or not _OFFSET.fullmatch(cells[2]) or not cells[4]:
            expected = "NUMBER, FIRST, END, WORDS, TYPE, IDENTIFIER"
            self.add("mention", amount(len(cells), "column"), expected, line=number)
            return
        start, end = int(cells[1]), int(cells[2])
        characters = f"characters {start} to {end}"
        if not start < end <= len(self.content):
            expected = f"a range within {len(self.content)}"
            self.add("mention", characters, expected, line=number)
            return
        covered = self.content[start:end]
        if covered != cells[3] and not (
            same_words(covered, cells[3]) and covered.strip() == covered
        ):
            found = f"{characters} are {quote_beginning(covered)}"
            self.add("mention", found, quote_beginning(cells[3]), line=number)
            return
        identifier = cells[5] if len(cells) > 5 else ""
        properties: Pairs = ()
        if identifier:
            properties = ((AUTHORITY, NIL if identifier == UNKNOWN else identifier),)
        extra = ((COLUMNS, cells[6:]),) if cells[6:] else ()
        anchor = Anchor(start, end)
        self.marked.mention(cells[4], [anchor], properties, extra=extra)

    def _relation(self, number: int, cells: list[str]) -> None:
        if len(cells) < 4 or not all(cells[1:4]):
            expected = "NUMBER, TYPE and two identifiers"
            self.add("relation", amount(len(cells), "column"), expected, line=number)
            return
        names = map(self.marked.identified, cells[2:4])
        extra = ((COLUMNS, cells[4:]),) if cells[4:] else ()
        ends = zip(ROLES, names, strict=True)
        self.marked.relation(cells[1], ends, extra=extra)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write graphs as texts with mentions and relations.

    Args:
        graphs: of the frameworks ``ner`` and ``relation``; the two of a text follow one
            another.

    Yields:
        Texts.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.

    Example:
        >>> node = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 3),))
        >>> b"".join(write([Graph("1", "ner", text="Ada wrote", nodes=(node,))]))
        b'1|t|Ada wrote\n1\t0\t3\tAda\tPER\n\n'
    """
    for marked in marked_texts(graphs, "PubTator"):
        with naming(marked.graph):
            lines = [*_lines(marked)]
        yield "".join(f"{line}\n" for line in (*lines, "")).encode()


def _lines(marked: Marked) -> Iterator[str]:
    item, text = marked.graph.id, marked.graph.text
    title, joint, abstract = text.partition("\n")
    yield f"{item}|t|{title}"
    if joint:
        yield f"{item}|a|{abstract}"
    for node in marked.mentions:
        start, end = one_range(node, text)
        words = text[start:end].replace("\n", " ").replace("\t", " ")
        entries = [str(value) for key, value in node.properties if key == AUTHORITY]
        known = [UNKNOWN if entry == NIL else entry for entry in entries]
        cells = [item, str(start), str(end), words, spell_value(node.label), *known]
        yield "\t".join(cells + [""] * (not known and bool(_more(node))) + _more(node))
    for node, edges in marked.relations:
        ends = [_identifier(marked.nodes[edge.target]) for edge in edges]
        yield "\t".join([item, spell_value(node.label), *ends, *_more(node)])


def _more(node: Node) -> list[str]:
    return kept_as(node.extra, COLUMNS, list[str], [])


def _identifier(node: Node) -> str:
    properties = dict(node.properties)
    return spell_value(properties.get(INDEX, properties.get(AUTHORITY)))
