"""Writing files as a whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

SHORT = 40
"""Characters of a file's name that its neighbour has."""

Write = Callable[[bytes], Any]


@contextmanager
def replacing(path: Path) -> Iterator[Write]:
    """Write a neighbour of *path* that takes its place when all went well.

    Args:
        path: where the file shall be; ``.gz``, ``.bz2`` and ``.xz`` compress.

    Yields:
        A function that takes the next bytes.
    """
    neighbour = path.with_name(_neighbour(path.name))
    try:
        with neighbour.open("xb") as raw:
            with _compressed(raw, path.suffix) as write:
                yield write
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(neighbour, path)
    except BaseException:
        with suppress(OSError):
            neighbour.unlink()
        raise


def _neighbour(name: str) -> str:
    """A name beside that of a file, no longer than one can be."""
    return f".{name[:SHORT]}.{os.getpid()}.part"


@contextmanager
def _compressed(raw: IO[bytes], suffix: str) -> Iterator[Write]:
    if suffix not in (".gz", ".bz2", ".xz"):
        yield raw.write
        return
    import bz2
    import gzip
    import lzma

    if suffix == ".gz":
        # No name and no time: equal graphs make equal files.
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as stream:
            yield stream.write
    elif suffix == ".bz2":
        with bz2.BZ2File(raw, "wb") as stream:
            yield stream.write
    else:
        with lzma.LZMAFile(raw, "wb") as stream:
            yield stream.write


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


def replacing_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write several files; they appear when all of them could be written.

    Args:
        folder: made if it is not there.
        files: their content by name.
    """
    made = not folder.exists()
    written: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(exist_ok=True)
        for number, (name, content) in enumerate(files.items()):
            neighbour = folder / _neighbour(f"{number}.{name}")
            written.append((neighbour, folder / name))
            neighbour.write_bytes(content)
        for neighbour, path in written:
            os.replace(neighbour, path)
    except BaseException:
        for neighbour, _ in written:
            with suppress(OSError):
                neighbour.unlink()
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise
