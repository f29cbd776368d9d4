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
(:mod:`graphscore.formats.coreference.conll2012.roles`):
:mod:`graphscore.formats.coreference.conll2012.document` says how the brackets are read,
and :mod:`graphscore.formats.coreference.conll2012.write` writes them.  A document that
is broken does not cost the others.

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
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from graphscore.formats.base import Record, Rejected
from graphscore.formats.coreference.conll2012.cells import Brackets, Header
from graphscore.formats.coreference.conll2012.document import document
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import BOM

LONGEST_DOCUMENT = 256 * 1024 * 1024
"""What goes on longer is no document; it is refused without being held."""

CHUNK = 1 << 20
"""Bytes that are looked through at once."""

_DOCUMENT_MARK = re.compile(rb"#[ \t]*(begin|end)[ \t]+document\b.*\n?")
"""A line that begins or ends a document."""

"""Of a line that begins with it; searching for that as well would be slow."""

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
