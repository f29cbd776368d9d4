r"""brat: annotations in a file of their own, beside the text they are about.

``doc.ann`` has an annotation to a line
(:mod:`graphscore.formats.extraction.brat.lines`), whose offsets are characters of
``doc.txt`` (https://brat.nlplab.org/standoff.html)::

    T1  PER 0 5         Jenny
    T2  ORG 14 18       Acme
    T3  Start-Org 6 13  founded
    E1  Start-Org:T3 Agent:T1 Org:T2
    R1  Heads Arg1:T1 Arg2:T2
    *   Equiv T1 T4

BioNLP's shared tasks have the same lines in two files, what is given in ``doc.a1`` and
what is to be found in ``doc.a2``; they are one document, whichever of them is named.
Systems give the second alone: text and first one may be in another folder.

A file is a document, named like it, and gives four graphs: ``ner`` (what is no
trigger), ``relation``, ``event`` and ``coref``.  The format cannot say that a layer
was not annotated, only that nothing was found, so each of them is given: what a
system finds in a document where gold has nothing is spurious, not left out.

The words of every annotation are checked against the text
(:mod:`graphscore.formats.extraction.brat.lines`).  Without its text a file is refused,
as offsets alone could not be checked, and could not be compared as metrics do.

>>> import io
>>> [record] = read(io.BytesIO(b"T1\tPER 0 5\tJenny"), "no/such.ann")
>>> print(record.problems[0])
no/such.ann: found no text beside it, expected no/such.txt
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.extraction.brat.document import Document
from graphscore.formats.extraction.brat.lines import (
    FOUND_FILE,
    Text,
    halves,
    parse,
    read_text,
)
from graphscore.formats.shared.records import SHOWN, RecordBuilder, too_long
from graphscore.formats.source import bounded_lines, open_lines, stem_of, suffix_of

LONGEST_LINE = 16 * 1024 * 1024
"""A longer line is no annotation."""


def read(stream: BinaryIO, name: str, folder: str = "") -> Iterator[Record]:
    """The records of a file, in order.

    Args:
        stream: its bytes.
        name: its path.
        folder: where its text, and what is given, may be if they are not beside it.
    """
    text = read_text(name, folder)
    draft = RecordBuilder(name, 1, item=stem_of(name))
    document = Document(draft, text if isinstance(text, Text) else Text("", False))
    a1, a2 = halves(name, folder)
    if a1 is not None:
        with open_lines(a1) as half:
            _take(document, half, a1)
    elif isinstance(text, Text) and suffix_of(name) == FOUND_FILE:
        document.alone = True
    _take(document, stream, name)
    if a2 is not None:
        with open_lines(a2) as half:
            _take(document, half, a2)
    if isinstance(text, Text):
        yield from document.records()
    else:
        # Without the text every annotation would only repeat the problem.
        draft.problems = [*text, *draft.problems]
        yield draft.rejected()


def read_beside(folder: str) -> Callable[[BinaryIO, str], Iterator[Record]]:
    """The reader of files whose text, and what is given, are in another folder.

    Args:
        folder: that folder.
    """
    return partial(read, folder=folder)


def _take(document: Document, stream: BinaryIO, name: str) -> None:
    """Take the lines of one file of a document."""
    draft = RecordBuilder(name, 1)
    before = document.begin(name)
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        draft.raw.append(raw[:SHOWN] if too_long(raw, LONGEST_LINE) else raw)
        line = draft.text(raw, number, LONGEST_LINE, "an annotation per line")
        if line is not None and line.strip():
            bare = line.removesuffix("\n").removesuffix("\r")
            document.take(parse(bare, before + number))
        document.last = before + number
    document.draft.absorb(draft)
