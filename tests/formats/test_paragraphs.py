"""Paragraphs taken by stretches of a file, and the same line by line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.shared import paragraphs as module
from graphscore.formats.shared.paragraphs import paragraphs
from graphscore.formats.source import bounded_lines

Taken = tuple[str, int, bytes]


class Lines:
    """A splitter that is not idle from an opening to a closing bracket."""

    idle = True

    def line(self, number: int, raw: bytes) -> Iterator[Taken]:
        if b"(" in raw or b")" in raw:
            self.idle = raw.rfind(b")") > raw.rfind(b"(")
        yield "line", number, raw

    def end(self) -> Iterator[Taken]:
        yield "end", 0, b""


def plain(number: int, lines: bytes) -> Taken | None:
    return None if b"?" in lines else ("paragraph", number, lines)


def line_by_line(data: bytes, longest: int) -> Iterator[Taken]:
    """The slow, obvious way."""
    splitter, held, number = Lines(), list[bytes](), 0
    idle = True

    def taken() -> Iterator[Taken]:
        nonlocal held
        first = number - len(held) + 1
        record = plain(first, b"".join(held)) if held else None
        if record:
            yield record
        else:
            for index, line in enumerate(held, first):
                yield from splitter.line(index, line)
        held = []

    for at, raw in bounded_lines(io.BytesIO(data), longest):
        if idle and not raw.isspace():
            held.append(raw)
        else:
            before = bool(held) and plain(at - len(held), b"".join(held))
            yield from taken()
            if not before:
                yield from splitter.line(at, raw)
            idle = splitter.idle
        number = at
    yield from taken()
    yield from splitter.end()


PIECES = (
    b"a",
    b"(",
    b")",
    b"?",
    b"\n",
    b"\n\n",
    b" \n",
    b"\r\n",
    b"\t",
    b"\x1c",
    b"\n",
)


@given(st.lists(st.sampled_from(PIECES)), st.integers(1, 9))
def test_stretches_give_what_lines_do(pieces: list[bytes], stretch: int) -> None:
    data = b"".join(pieces)
    with mock.patch.object(module, "STRETCH", stretch):
        found = [*paragraphs(io.BytesIO(data), 1000, plain, Lines())]
    assert found == [*line_by_line(data, 1000)]


@given(st.lists(st.integers(0, 40), max_size=5), st.integers(1, 9))
def test_of_long_lines_only_so_much_is_read(sizes: list[int], stretch: int) -> None:
    data = b"".join(b"a" * size + b"\n\n" for size in sizes)
    with (
        mock.patch.object(module, "STRETCH", stretch),
        mock.patch.object(module, "MOST_BYTES", 10),
    ):
        found = [*paragraphs(io.BytesIO(data), 20, plain, Lines())]
    lines = {number: raw for _, number, raw in found[:-1] if not raw.isspace()}
    expected = {
        2 * index + 1: (b"a" * size + b"\n")[:20]
        for index, size in enumerate(sizes)
        if size
    }
    assert lines == expected
