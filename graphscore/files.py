"""Writing files as a whole or not at all.

A file is written beside its place and takes it when all went well.  Links are followed:
the file that a link leads to is replaced, the link stays.  What is no file (a pipe, a
device) is written to as it is.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import IO, Any

from graphscore.exceptions import GraphscoreError, as_text

SHORT = 40
"""Characters of a file's name that its neighbour has."""

LEFT = 60.0
"""Seconds after which what nobody goes on with beside a file was left by a kill."""

_LEFT = re.compile(r"(?P<begin>\..+)\.(?P<process>\d+)\.(?P<end>part|old)", re.S)

Write = Callable[[bytes], Any]


def resolve_target(path: str | os.PathLike[str]) -> Path:
    """Follow the links of a path that is going to be written.

    Args:
        path: where something shall be, or is.

    Returns:
        The path without links.

    Raises:
        OSError: the links lead in a circle.
    """
    result = os.path.realpath(path)
    if os.path.islink(result):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return Path(result)


def neighbour_of(target: Path, end: str = "part") -> Path:
    """A path beside a target, for what is being written, of this process alone.

    Args:
        target: a path without links.
        end: of the name.
    """
    return target.with_name(f"{_begin(target)}.{os.getpid()}.{end}")


def _begin(target: Path) -> str:
    # A name can be no longer than that of a file.
    return f".{target.name[:SHORT]}"


def remove_left(targets: Collection[Path]) -> None:
    """Remove what killed processes have left beside what they were writing.

    Args:
        targets: paths without links, in one folder.
    """
    begins = {_begin(target): target for target in targets}
    with suppress(OSError):
        for path in next(iter(targets)).parent.iterdir():
            match = _LEFT.fullmatch(path.name)
            target = begins.get(match["begin"]) if match else None
            if not match or not target or not _is_left(path, int(match["process"])):
                continue
            # What was there before is kept while nothing has taken its place.
            if match["end"] == "part" or target.exists():
                _remove(path)


def _is_left(path: Path, process: int) -> bool:
    """True if nobody goes on with what a process began."""
    if time() - path.lstat().st_mtime < LEFT or process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        from shutil import rmtree

        rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say of what the system refuses within that a place cannot be written.

    Args:
        path: the file or folder as it was named.

    Raises:
        GraphscoreError: if the system refuses something.
    """
    try:
        yield
    except OSError as error:
        what = os.strerror(error.errno) if error.errno else str(error)
        raise GraphscoreError(
            f"{as_text(os.fspath(path))} cannot be written: {what}"
        ) from error


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Write]:
    """Write a neighbour of a file that takes its place when all went well.

    Args:
        path: where the file shall be; ``.gz``, ``.bz2`` and ``.xz`` compress.

    Yields:
        A function that takes the next bytes.

    Raises:
        GraphscoreError: if it cannot be written; what was there is there still.
    """
    named, ours = as_text(os.fspath(path)), set[str]()
    neighbour: Path | None = None
    try:
        target = resolve_target(path)
        ours.add(str(target))
        if target.exists() and not target.is_file():
            with target.open("wb") as raw:
                yield raw.write
            return
        _refuse_read_only(target)
        remove_left([target])
        neighbour = neighbour_of(target)
        ours.add(str(neighbour))
        with neighbour.open("xb") as raw:
            with _open_compressed(raw, target.suffix) as write:
                yield write
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(neighbour, target)
    except BaseException as error:
        if neighbour is not None:
            with suppress(OSError):
                neighbour.unlink()
        _blame(error, ours, named)
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


@contextmanager
def _open_compressed(raw: IO[bytes], suffix: str) -> Iterator[Write]:
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
        targets = {name: resolve_target(folder / name) for name in files}
        for target in targets.values():
            _refuse_read_only(target)
        numbered = [
            target.with_name(f"{number}.{target.name}")
            for number, target in enumerate(targets.values())
        ]
        if numbered:
            remove_left(numbered)
        for own, target, content in zip(
            numbered, targets.values(), files.values(), strict=True
        ):
            neighbour = neighbour_of(own)
            written.append((neighbour, target))
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

    from graphscore.exceptions import escaped

    decoder = getincrementaldecoder("utf-8")("backslashreplace")
    for block in blocks:
        yield escaped(decoder.decode(block)).encode()
    yield escaped(decoder.decode(b"", final=True)).encode()
