r"""Column files with a tag for each token: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU.

A token to a line, blank lines between sentences; the first column is the token, the
last the tag (Tjong Kim Sang and De Meulder 2003; Ramshaw and Marcus 1995)::

    -DOCSTART- -X- -X- O

    U.N.     NNP I-NP I-ORG
    official NN  I-NP O

A sentence is a graph of the framework ``ner``; entities are read leniently and keep
the letters of their tags (:mod:`graphscore.structures.entities.tags`), so that being
strict is up to the metric.  The scheme is found out from the first sentences and
noted in ``extra``.

>>> import io
>>> data = b"EU\tB-ORG\nrejects\tO\n\nPeter\tB-PER\nBlackburn\tI-PER\n"
>>> one, two = read(io.BytesIO(data), "a.iob2")
>>> one.graph.text, two.graph.nodes[0].anchors
('EU rejects', (Anchor(start=0, end=15),))
>>> two.graph.extra
{'scheme': 'iob2'}
>>> [bad] = read(io.BytesIO(b"EU\tORG\n"), "a.iob2")
>>> print(bad.problems[0])
a.iob2:1:4: found 'ORG', expected a tag: O, or B, I, E, L, S, U with a type (B-PER)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from graphscore.formats.base import Read, Record
from graphscore.formats.entities.iob_lines import BEFORE_LAST, LAST, SCHEME, Sentence
from graphscore.formats.entities.sniffers import DOCSTART, cells_of
from graphscore.formats.source import bounded_lines
from graphscore.structures.entities.tags import Detection

LONGEST_LINE = 1024 * 1024
"""A longer line is no token with its tag."""

WINDOW = 2000
"""So many sentences are looked at to find out the scheme."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last column has the tags.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    yield from _detected(_sentences(stream, name, LAST))


def read_gold(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file whose last two columns are gold and predicted tags: the gold ones.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    yield from _detected(_sentences(stream, name, BEFORE_LAST))


def _detected(sentences: Iterator[tuple[Sentence, str]]) -> Iterator[Record]:
    """The records, after the scheme was found out from the first of them."""
    seen = Detection()
    first: list[Record] = []
    for sentence, document in islice(sentences, WINDOW):
        first.append(_record(sentence, document, None))
        seen.add(sentence.chunks)
    for record in first:
        if isinstance(record, Read) and seen.scheme is not None:
            record.graph.extra[SCHEME] = seen.scheme
        yield record
    for sentence, document in sentences:
        yield _record(sentence, document, seen.scheme)


def _record(sentence: Sentence, document: str, scheme: str | None) -> Record:
    if sentence.problems:
        return sentence.rejected()
    graph = sentence.graph(document)
    if scheme is not None:
        graph.extra[SCHEME] = scheme
    return Read(sentence.line, graph)


def _sentences(stream: BinaryIO, name: str, tag: int) -> Iterator[tuple[Sentence, str]]:
    """Sentences, and the documents that they belong to."""
    documents, docstart = 0, None
    current = Sentence(name, 1, tag)
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        line = current.text(raw, number, LONGEST_LINE, "a token and its tag")
        if line is not None:
            line = line.removesuffix("\n").removesuffix("\r")
        cells = cells_of(line) if line and line.startswith(DOCSTART) else ()
        ends = line is not None and not line.strip(" \t")
        if ends or (cells and cells[0] == DOCSTART):
            if current:
                yield current, str(documents or "")
                docstart = None
                current = Sentence(name, number + 1, tag)
            if cells:
                documents, docstart = documents + 1, list(cells)
            if not current.comments:
                current.line = number + 1
            current.docstart = docstart
            continue
        current.raw.append(raw)
        if line is not None:
            current.take(number, line)
    if current:
        yield current, str(documents or "")
