r"""Text with inline tags for entities and components: QUAERO (ELRA-S0349), ETAPE.

A sentence to a line; tags nest and may touch (Grouin et al. 2011; Rosset et al.
2011)::

    les <func.coll> <kind> contrôleurs </kind> de la <org.ent> <name> SNCF </name>
    </org.ent> </func.coll>                      (one line in the file)

A line is a graph of the framework ``etree``
(:mod:`graphscore.structures.entities.trees`), named by its number, so that two files of
the same lines stay in step; blank lines are no items.  Everything that is no tag is
words, the marks of transcribers (``&oh-la-la``, ``%%``, ``*euh``, ``^^``) among them.
Which tags are entities and which components is said by an
:class:`~graphscore.formats.entities.inventories.Inventory`.

>>> import io
>>> data = b"de <loc.adm.town><name> Paris </name></loc.adm.town>\n\n<name> a </val>\n"
>>> one, bad = read(io.BytesIO(data), "a.ne")
>>> one.graph.id, one.graph.text, [node.label for node in one.graph.nodes]
('1', 'de Paris', ['loc.adm.town', 'name'])
>>> for problem in bad.problems:
...     print(problem)
a.ne:3:1: found <name>, expected </name> in this line
a.ne:3:10: found </val>, expected </name>, or no tag
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from graphscore.formats.base import Read, Reader, Record
from graphscore.formats.entities.inventories import QUAERO, Inventory
from graphscore.formats.entities.quaero_encoding import (
    LATIN_9,
    UTF_8,
    Decoder,
    Undecodable,
)
from graphscore.formats.entities.quaero_line import Line, LineReader
from graphscore.formats.shared.records import Draft, too_long
from graphscore.formats.source import bounded_lines
from graphscore.formats.texts import joined
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.trees import ETREE, TreeBuilder
from graphscore.structures.layout import ENTITY

LONGEST_LINE = 1024 * 1024
"""A longer line is no sentence."""

WINDOW_LINES, WINDOW_BYTES = 2000, 4 * 1024 * 1024
"""How much of a file is looked at to find out its encoding."""

ENCODING = "encoding"
"""Field of ``extra``: the encoding of the file, where it is not UTF-8."""


def reader_with(inventory: Inventory) -> Reader:
    """The reader under an inventory of tags.

    Args:
        inventory: which tags are entities and which components.
    """

    def read(stream: BinaryIO, name: str) -> Iterator[Record]:
        lines = bounded_lines(stream, LONGEST_LINE)
        window: list[tuple[int, bytes]] = []
        size = 0
        for number, raw in lines:
            window.append((number, raw))
            size += len(raw)
            if len(window) >= WINDOW_LINES or size >= WINDOW_BYTES:
                break
        decoder = Decoder(raw for _, raw in window)
        parser = LineReader(inventory)
        for number, raw in chain(window, lines):
            if raw.strip():
                yield _record(parser, decoder, name, number, raw)

    return read


def _record(
    parser: LineReader, decoder: Decoder, name: str, number: int, raw: bytes
) -> Record:
    draft = Draft(name, number, raw, framework=ETREE, item=str(number))
    if too_long(raw, LONGEST_LINE):
        draft.text(raw, number, LONGEST_LINE, "a sentence")
        return draft.rejected()
    text = decoder.text(raw.removesuffix(b"\n").removesuffix(b"\r"))
    if isinstance(text, Undecodable):
        draft.add("", text.found, text.expected, text.position + 1)
        return draft.rejected()
    line = parser.parsed(text)
    column, seen = 1, 0
    for position, found, expected in line.flaws:
        column += len(text[seen:position].encode(decoder.encoding or UTF_8))
        seen = position
        draft.add("", found, expected, column)
    if line.flaws or not line.words:
        return draft.rejected()
    return Read(number, _graph(draft.item, line, decoder.encoding))


def _graph(item: str, line: Line, encoding: str | None) -> Graph:
    text, tokens = joined(line.words)
    build = TreeBuilder()
    for name, kind, first, end, parent, properties in line.elements:
        anchors = (Anchor(tokens[first].start, tokens[end - 1].end),)
        add = build.entity if kind == ENTITY else build.component
        add(name, anchors, parent=parent, properties=properties)
    extra = {ENCODING: LATIN_9} if encoding == LATIN_9 else None
    return build.graph(item, text=text, tokens=tokens, extra=extra)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file whose tags are those of QUAERO."""
    return reader_with(QUAERO)(stream, name)
