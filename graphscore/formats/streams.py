"""Inputs that can be read once: standard input, pipes, sockets, terminals.

Who reads a stream a second time would wait for ever or find it empty.  Within
:func:`held_streams` what has been read of one is kept, so that it can be opened
again like a file; elsewhere it flows by.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, BinaryIO

from graphscore.exceptions import UsageError

STDIN = "-"

IN_MEMORY = 1 << 23
"""Bytes of a stream that are kept in memory before a file is made for them."""

_DESCRIPTOR = r"/(?:dev|proc/self)/fd/(\d+)|/dev/stdin"

_HELD: ContextVar[dict[object, _BufferedStream] | None] = ContextVar(
    "held_streams", default=None
)

_FILES: ContextVar[dict[str, _Held] | None] = ContextVar("held_files", default=None)


def identity(operand: object) -> object:
    """Return the identity of a stream, under whatever name it goes.

    Args:
        operand: a file, pattern or ``-``; anything else is in memory.

    Returns:
        Something to compare; ``None`` for what can be read again.
    """
    if not isinstance(operand, str):
        return None
    try:
        if operand == STDIN:
            result = os.fstat(sys.stdin.fileno())
        else:
            result = os.stat(operand)
            if os.path.samestat(result, os.stat(os.devnull)):
                return None
    except (AttributeError, OSError, ValueError):
        # No such file; or standard input is closed, or not one of the system's.
        return STDIN if operand == STDIN else None
    if stat.S_ISREG(result.st_mode) or stat.S_ISDIR(result.st_mode):
        return STDIN if operand == STDIN else None
    return result.st_dev, result.st_ino, result.st_rdev


def read_once(operand: object) -> bool:
    """Return whether an operand is a stream that cannot be read a second time.

    Args:
        operand: a file, pattern or ``-``; anything else is in memory.
    """
    return identity(operand) is not None


def flows_by(operand: object) -> bool:
    """Return whether an operand can be read only once, since it is not buffered.

    Args:
        operand: a file, pattern or ``-``; anything else is in memory.
    """
    return _HELD.get() is None and read_once(operand)


def refuse_repeated(operands: Sequence[object]) -> None:
    """See to it that no stream is named twice.

    Args:
        operands: files, patterns and ``-``.

    Raises:
        UsageError: if one is, under one name or two.
    """
    seen: set[object] = set()
    for operand in operands:
        key = identity(operand)
        if key is None:
            continue
        if key in seen:
            name = "standard input" if operand == STDIN else operand
            raise UsageError(f"{name} can be read only once, and is named twice")
        seen.add(key)


def open_stream(path: str) -> io.BufferedReader[Any]:
    """A stream from its beginning, or from where others have left it.

    Args:
        path: a pipe or the like, or ``-``.

    Raises:
        OSError: if it cannot be opened; standard input may be closed.
    """
    held = _HELD.get()
    if held is None:
        return _open(path)
    result = identity(path)
    if result not in held:
        held[result] = _BufferedStream(_open(path))
    return io.BufferedReader(_ReplayedStream(held[result]), 1 << 16)


@contextmanager
def held_streams(needed: bool = True) -> Iterator[None]:
    """Keep what is read of streams in here, so that they can be opened again.

    Args:
        needed: whether anything is opened again; otherwise streams flow by.
    """
    if not needed or _HELD.get() is not None:
        yield
        return
    held: dict[object, _BufferedStream] = {}
    token = _HELD.set(held)
    try:
        yield
    finally:
        _HELD.reset(token)
        for stream in held.values():
            stream.close()


def _open(path: str) -> io.BufferedReader[Any]:
    if path == STDIN:
        if sys.stdin is None or sys.stdin.closed:
            raise OSError(errno.EBADF, "it is closed")
        return io.BufferedReader(_Stdin(sys.stdin.buffer), 1 << 16)
    if match := re.fullmatch(_DESCRIPTOR, path):
        # A socket has no other way in; of a pipe this is the same one.
        return os.fdopen(os.dup(int(match[1] or 0)), "rb")
    return open(path, "rb")


class _Stdin(io.RawIOBase):
    """Standard input, which is not ours to close."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _BufferedStream:
    """Buffer of a stream, and the stream for the rest."""

    def __init__(self, stream: BinaryIO) -> None:
        from tempfile import SpooledTemporaryFile

        self._stream = stream
        self._file: Any = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
        self._size = 0

    def read(self, offset: int, size: int) -> bytes:
        """Return so many bytes from an offset on; fewer only at the end."""
        while self._size < offset + size:
            piece = self._stream.read(max(size, 1 << 16))
            if not piece:
                break
            self._file.seek(self._size)
            self._file.write(piece)
            self._size += len(piece)
        self._file.seek(offset)
        data: bytes = self._file.read(size)
        return data

    def whole(self) -> int:
        """Return the length of the stream, which is read to its end."""
        while self.read(self._size, 1 << 20):
            pass
        return self._size

    def close(self) -> None:
        """Let go of both."""
        self._file.close()
        self._stream.close()


def open_file(path: str) -> io.BufferedReader[Any]:
    """Open a file that can be read again; within :func:`held_files` it stays the same.

    Args:
        path: the file.

    Raises:
        OSError: if it cannot be opened.
    """
    held = _FILES.get()
    if held is None:
        return open(path, "rb")
    if path not in held:
        held[path] = _Held(path)
    return io.BufferedReader(_ReplayedStream(held[path]), 1 << 16)


@contextmanager
def held_files() -> Iterator[Callable[[], str]]:
    """Open each file once in here, so that all who read it read the same bytes.

    Yields:
        A function that gives the path of a file that was written to since it was
        opened; an empty text if none was.
    """
    held: dict[str, _Held] = {}
    token = _FILES.set(held)
    try:
        yield lambda: next((path for path in held if held[path].is_changed()), "")
    finally:
        _FILES.reset(token)
        for file in held.values():
            file.close()


class _Held:
    """A file that is open, to be read from any place."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._state = self._look()

    def _look(self) -> tuple[int, int]:
        status = os.fstat(self._file.fileno())
        return status.st_size, status.st_mtime_ns

    def is_changed(self) -> bool:
        """True if it was written to since it was opened."""
        return self._look() != self._state

    def read(self, offset: int, size: int) -> bytes:
        """Return so many bytes from an offset on; fewer only at the end."""
        self._file.seek(offset)
        return self._file.read(size)

    def whole(self) -> int:
        """Return the length of the file."""
        return self._look()[0]

    def fileno(self) -> int:
        """The number of the file for the system."""
        return self._file.fileno()

    def close(self) -> None:
        """Let go of it."""
        self._file.close()


class _ReplayedStream(io.RawIOBase):
    """A stream or file that is kept, from its beginning."""

    def __init__(self, kept: _BufferedStream | _Held) -> None:
        self._kept = kept
        self._place = 0

    def fileno(self) -> int:
        if isinstance(self._kept, _Held):
            return self._kept.fileno()
        return super().fileno()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._kept.read(self._place, len(buffer))
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place}
        base = start[whence] if whence in start else self._kept.whole()
        self._place = max(0, base + offset)
        return self._place

    def tell(self) -> int:
        return self._place


class Ahead(io.RawIOBase):
    """A stream of which a beginning can be seen before it is read.

    Args:
        stream: the stream.
        seen: what was read of it already.
    """

    def __init__(self, stream: BinaryIO, seen: bytes = b"") -> None:
        self._stream = stream
        self._seen, self._given = bytearray(seen), 0

    def readable(self) -> bool:
        """Return true, as for all raw streams that are read."""
        return True

    def ahead(self, size: int) -> bytes:
        """The first bytes, which are still to be read.

        Args:
            size: so many; fewer only where the stream ends before.
        """
        while len(self._seen) < size:
            piece = self._more(size - len(self._seen))
            if not piece:
                break
            self._seen += piece
        return bytes(self._seen[:size])

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer and return how many bytes there were."""
        if self._given < len(self._seen):
            data = bytes(self._seen[self._given : self._given + len(buffer)])
            self._given += len(data)
            if self._given == len(self._seen):
                self._seen, self._given = bytearray(), 0
        else:
            data = self._more(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _more(self, size: int) -> bytes:
        """The next bytes of the stream."""
        return self._stream.read(size)
