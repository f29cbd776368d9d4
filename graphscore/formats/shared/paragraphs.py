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
...     return f"graph {first}" if b"?" not in lines[0] else None
>>> import io
>>> list(paragraphs(io.BytesIO(b"a\nb\n\n?\nc\n\n\nd"), 100, graph, Lines()))
['graph 1', 'line 4', 'line 5', 'line 6', 'line 7', 'graph 8']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol, TypeVar

from graphscore.formats.source import bounded_lines

MOST_BYTES = 1 << 20
"""A longer paragraph is not held."""

Plain = TypeVar("Plain")
Split_co = TypeVar("Split_co", covariant=True)


class Splitter(Protocol[Split_co]):
    """Takes lines, gives records."""

    @property
    def idle(self) -> bool:
        """Whether there is nothing of a record so far."""

    def line(self, number: int, raw: bytes) -> Iterator[Split_co]:
        """One more line, with its end."""

    def end(self) -> Iterator[Split_co]:
        """What is left when the file ends."""


def paragraphs(
    stream: BinaryIO,
    longest: int,
    plain: Callable[[int, list[bytes]], Plain | None],
    splitter: Splitter[Split_co],
) -> Iterator[Plain | Split_co]:
    """The graphs of a file.

    Args:
        stream: its bytes.
        longest: of a longer line only so much is read.
        plain: reads at once the lines of a paragraph, none of them blank, by the number
            of the first one; ``None`` where that is for the splitter.
        splitter: takes all other lines; while it is idle, a blank one is nothing to it.

    Yields:
        What either gives, in file order.
    """
    held: list[bytes] = []
    number = size = 0
    # Lines of which the splitter has seen a beginning are all for it.
    idle = splitter.idle
    for number, raw in bounded_lines(stream, longest):
        if raw.isspace() or not raw:
            if held:
                found = plain(number - len(held), held)
                if found is not None:
                    yield found
                    held, size = [], 0
                    continue
        elif idle and (size := size + len(raw)) <= MOST_BYTES:
            held.append(raw)
            continue
        for place, line in enumerate(held, number - len(held)):
            yield from splitter.line(place, line)
        held, size = [], 0
        yield from splitter.line(number, raw)
        idle = splitter.idle
    if held:
        first = number - len(held) + 1
        found = plain(first, held)
        if found is not None:
            yield found
        else:
            for place, line in enumerate(held, first):
                yield from splitter.line(place, line)
    yield from splitter.end()
