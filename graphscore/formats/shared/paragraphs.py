r"""Text files whose graphs have blank lines between them, taken by paragraphs.

A paragraph that is one whole graph, and in which nothing is out of the ordinary, can be
read at once.  Anything else goes line by line to a splitter, which says what is wrong
and where, and finds the next graph where no blank line is.

>>> class Lines:
...     idle = True
...     def line(self, number, raw):
...         yield f"line {number}"
...     def end(self):
...         return iter(())
>>> def graph(first, lines):
...     return f"graph {first}" if b"?" not in lines else None
>>> import io
>>> list(paragraphs(io.BytesIO(b"a\nb\n\n?\nc\n\n\nd"), 100, graph, Lines()))
['graph 1', 'line 4', 'line 5', 'line 6', 'line 7', 'graph 8']
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple, Protocol, TypeVar

from graphscore.exceptions import Problem
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.source import BOM, skip_line

MOST_BYTES = 1 << 20
"""A longer paragraph is not held."""

MOST_GRAPHS = 1000
"""More graphs with nothing between them are a file of such graphs."""


class Piece(NamedTuple):
    """A graph as it stands in a file, or what is wrong with it."""

    record: Record
    adjacent: bool = False
    """At most a line end is between it and the one before."""
    raw: bytes = b""
    """Its bytes, where other graphs may be beside it."""


Plain = TypeVar("Plain")
Split_co = TypeVar("Split_co", covariant=True)


class Splitter(Protocol[Split_co]):
    """Takes lines, gives records."""

    @property
    def idle(self) -> bool:
        """Return whether there is nothing of a record so far."""

    def line(self, number: int, raw: bytes) -> Iterator[Split_co]:
        """One more line, with its end."""

    def end(self) -> Iterator[Split_co]:
        """Yield the rest when the file ends."""


STRETCH = 1 << 13
"""Bytes that are read at once."""

_BLANK = re.compile(rb"[ \t\r\v\f]*+(?:\n|\Z)")
_GAP = re.compile(rb"\n[ \t\r\v\f]*+(?:\n|\Z)")


def paragraphs(
    stream: BinaryIO,
    longest: int,
    plain: Callable[[int, bytes], Plain | None],
    splitter: Splitter[Split_co],
) -> Iterator[Plain | Split_co]:
    """The graphs of a file.

    Args:
        stream: its bytes.
        longest: of a longer line only so much is read.
        plain: reads at once the lines of a paragraph, none of them blank, by the number
            of the first one; ``None`` where that is for the splitter.
        splitter: takes all other lines, and blank ones but for those behind a paragraph
            that was read at once.

    Yields:
        What either gives, in file order.
    """
    for number, stretch, whole in _stretches(stream, longest):
        position, size = 0, len(stretch)
        while position < size:
            if not splitter.idle:
                # Lines of which the splitter has seen a beginning are all for it.
                after = stretch.find(b"\n", position) + 1 or size
            elif blank := _BLANK.match(stretch, position):
                after = blank.end()
            else:
                gap = _GAP.search(stretch, position)
                end, after = (gap.start() + 1, gap.end()) if gap else (size, size)
                lines = stretch[position:end]
                if len(lines) <= min(longest, MOST_BYTES) and (whole or after < size):
                    record = plain(number, lines)
                    if record is not None:
                        yield record
                        number, position = number + lines.count(b"\n") + 1, after
                        continue
            for line in io.BytesIO(stretch[position:after]):
                yield from splitter.line(number, line[:longest])
                number += 1
            position = after
    yield from splitter.end()


def _stretches(stream: BinaryIO, longest: int) -> Iterator[tuple[int, bytes, bool]]:
    """Lines up to a blank one or the end of the file, and the number of the first.

    The third says whether they end so; of a paragraph that is too long they do not.
    """
    number, held = 1, stream.read(len(BOM)).removeprefix(BOM)
    while data := stream.read(STRETCH):
        held += data
        end = max(held.rfind(b"\n\n") + 2, held.rfind(b"\n\r\n") + 3)
        whole = end > 2
        if not whole:
            if len(held) <= MOST_BYTES:
                continue
            end = held.rfind(b"\n") + 1
        if end:
            yield number, held[:end], whole
            number += held.count(b"\n", 0, end)
            held = held[end:]
        elif len(held) >= longest:
            yield number, held[:longest], False
            number, held = number + 1, b""
            skip_line(stream, longest)
    if held:
        yield number, held, True


def separate_records(pieces: Iterable[Piece], name: str) -> Iterator[Record]:
    """Records, of which two graphs between blank lines are one, and a bad one.

    Graphs of a file in which there is nothing but line ends between any of them are
    records of their own.

    Args:
        pieces: the graphs of the file.
        name: the file, for problems.

    Yields:
        Records in file order.

    >>> from graphscore.model.graph import Graph
    >>> three = [Piece(ReadGraph(k, Graph(str(k), "amr")), k == 2) for k in (1, 2, 4)]
    >>> [type(record).__name__ for record in separate_records(three, "a.amr")]
    ['Rejected', 'ReadGraph']
    >>> len([*separate_records(three[:2], "a.amr")])
    2
    """
    held: list[Piece] = []
    separated: bool | None = None
    """Blank lines separate records, as the first of them shows."""
    for piece in pieces:
        if held and not piece.adjacent and separated is None:
            separated = True
        if held and piece.adjacent and separated is None and len(held) == MOST_GRAPHS:
            separated = False
            yield from [piece.record for piece in held[:-1]]
            del held[:-1]
        if not held or (piece.adjacent and separated is None):
            held.append(piece)
        elif piece.adjacent and separated:
            # Of any more nothing is said.
            held = [*held[:1], *(held[1:] or [piece])]
        else:
            yield _join_pieces(held, name)
            held = [piece]
    if separated:
        yield _join_pieces(held, name)
    else:
        yield from [piece.record for piece in held]


def _join_pieces(pieces: list[Piece], name: str) -> Record:
    """The record of graphs that nothing separates, which is a bad one of several."""
    first = pieces[0].record
    if len(pieces) == 1:
        return first
    expected = "a blank line before it, as the records of this file have"
    line = pieces[1].record.line
    problem = Problem(name, line, None, "", "another graph", expected)
    raw = b"".join(piece.raw for piece in pieces)
    if isinstance(first, ReadGraph):
        graph = first.graph
        return Rejected(first.line, (problem,), raw, graph.framework, graph.id)
    return first._replace(problems=(*first.problems, problem), raw=raw)
