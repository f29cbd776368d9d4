"""Printing what commands write to standard output instead of a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from graphscore.files import Write


@contextmanager
def to_stdout() -> Iterator[Write]:
    """Hold back what is written until all went well, then print it.

    A terminal shows control characters as escapes; elsewhere bytes are exact.

    Yields:
        A function that takes the next bytes.
    """
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(max_size=1 << 26) as held:
        yield held.write
        held.seek(0)
        sys.stdout.flush()
        as_shown = _for_terminal if sys.stdout.isatty() else _as_it_is
        for block in as_shown(iter(lambda: held.read(1 << 20), b"")):
            sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()


def _as_it_is(blocks: Iterator[bytes]) -> Iterator[bytes]:
    return blocks


def _for_terminal(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Text of which nothing acts: controls as JSON writes them, in all formats."""
    from codecs import getincrementaldecoder

    from graphscore.errors import escaped

    decoder = getincrementaldecoder("utf-8")("backslashreplace")
    for block in blocks:
        yield escaped(decoder.decode(block)).encode()
    yield escaped(decoder.decode(b"", final=True)).encode()
