"""Writing files as a whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from graphscore.errors import GraphscoreError

SHORT = 40
"""Characters of a file's name that its neighbour has."""

Write = Callable[[bytes], Any]


@contextmanager
def replacing(path: Path, named: str = "") -> Iterator[Write]:
    """Write a neighbour of *path* that takes its place when all went well.

    Args:
        path: where the file shall be; ``.gz``, ``.bz2`` and ``.xz`` compress.
        named: what messages call it, if not so.

    Yields:
        A function that takes the next bytes.

    Raises:
        GraphscoreError: if it cannot be written; what was there is there still.
    """
    neighbour = path.with_name(_neighbour(path.name))
    try:
        _refuse_read_only(path)
        with neighbour.open("xb") as raw:
            with _compressed(raw, path.suffix) as write:
                yield write
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(neighbour, path)
    except BaseException as error:
        with suppress(OSError):
            neighbour.unlink()
        _blame(error, {str(neighbour)}, named or str(path))
        raise


def _refuse_read_only(path: Path) -> None:
    """Refuse to put another file in the place of one that may not be written.

    The folder alone decides whether that can be done; who made a file read-only meant
    it to stay.
    """
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _blame(error: BaseException, ours: Container[str], named: str) -> None:
    """Say of which file it is that it cannot be written, and not of its neighbour.

    Args:
        error: what was raised while it was written.
        ours: the paths of neighbours; what is said of other paths is another matter.
        named: what the file is called.
    """
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        about = error.filename
        if about is None or str(about) in ours:
            why = error.strerror or str(error)
            raise GraphscoreError(f"{named} cannot be written: {why}") from None


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
        for name in files:
            _refuse_read_only(folder / name)
        for number, (name, content) in enumerate(files.items()):
            neighbour = folder / _neighbour(f"{number}.{name}")
            written.append((neighbour, folder / name))
            neighbour.write_bytes(content)
        for neighbour, path in written:
            os.replace(neighbour, path)
    except BaseException as error:
        for neighbour, _ in written:
            with suppress(OSError):
                neighbour.unlink()
        if made:
            with suppress(OSError):
                folder.rmdir()
        ours = {str(folder), *(str(neighbour) for neighbour, _ in written)}
        _blame(error, ours, str(folder))
        raise
