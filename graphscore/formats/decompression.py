"""Decompression of inputs.

It is bounded: what grows beyond every plausible ratio is refused before it fills memory
or time.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from graphscore.formats.source import Ahead, problem

PLAUSIBLE_RATIO = 250
"""Text compresses up to about 100 times; bombs 1,000 times and more."""

FREE_BYTES = 64 * 1024 * 1024
"""Below this size no ratio is suspicious."""


def decompressed(raw: BinaryIO, path: str, size: int) -> Ahead:
    """The contents of a compressed file, as a stream.

    Args:
        raw: the file.
        path: what it is called; its suffix is one of
            :data:`~graphscore.formats.source.COMPRESSED`.
        size: its bytes; 0 where they are not known.

    Raises:
        InputError: if it is damaged, while it is read or before, or a bomb.
    """
    return _Bounded(_OPENERS[Path(path).suffix](raw, path), path, size)


class _Bounded(Ahead):
    """A decompressing stream that refuses to grow beyond all measure."""

    def __init__(self, stream: BinaryIO, path: str, compressed: int) -> None:
        super().__init__(stream)
        self._path = path
        self._limit = max(FREE_BYTES, PLAUSIBLE_RATIO * compressed)
        self._grown = 0

    def _more(self, size: int) -> bytes:
        try:
            data = super()._more(size)
        except (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as e:
            raise problem(
                self._path,
                f"truncated or damaged compressed data ({e})",
                "a whole compressed file",
            ) from None
        self._grown += len(data)
        if self._grown > self._limit:
            raise problem(
                self._path,
                f"more than {self._limit:,} bytes when decompressed",
                f"at most {PLAUSIBLE_RATIO} times the compressed size",
            )
        return data


def _only_member(raw: BinaryIO, path: str) -> BinaryIO:
    try:
        archive = zipfile.ZipFile(raw)
    except zipfile.BadZipFile as error:
        raise problem(path, f"a damaged zip file ({error})") from None
    members = [
        member
        for member in archive.infolist()
        if not (member.is_dir() or member.filename.startswith("__MACOSX/"))
    ]
    if len(members) != 1:
        names = ", ".join(member.filename for member in members[:3]) or "nothing"
        more = " ..." if len(members) > 3 else ""
        raise problem(
            path, f"a zip file holding {names}{more}", "exactly one file in it"
        )
    if members[0].flag_bits & 1:
        raise problem(path, "an encrypted zip file", "one without a password")
    try:
        return archive.open(members[0])  # type: ignore[return-value]
    except (NotImplementedError, zipfile.BadZipFile) as error:
        raise problem(path, f"a damaged or unusual zip file ({error})") from None


_OPENERS: dict[str, Callable[[BinaryIO, str], Any]] = {
    ".gz": lambda raw, path: gzip.GzipFile(fileobj=raw),
    ".bz2": lambda raw, path: bz2.BZ2File(raw),
    ".xz": lambda raw, path: lzma.LZMAFile(raw),  # noqa: SIM115
    ".zip": _only_member,
}
