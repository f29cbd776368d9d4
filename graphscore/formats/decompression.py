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
from typing import Any, BinaryIO

from graphscore.exceptions import InputError
from graphscore.formats.streams import Ahead

Refuse = Callable[..., InputError]
"""Makes an error of what is found and, perhaps, what is expected."""

PLAUSIBLE_RATIO = 250
"""Text compresses up to about 100 times; bombs 1,000 times and more."""

FREE_BYTES = 64 * 1024 * 1024
"""Below this size no ratio is suspicious."""


def decompressed(raw: BinaryIO, suffix: str, size: int, refuse: Refuse) -> Ahead:
    """The contents of a compressed file, as a stream.

    Args:
        raw: the file.
        suffix: one of :data:`~graphscore.formats.source.COMPRESSED`.
        size: its bytes; 0 where they are not known.
        refuse: makes errors.

    Raises:
        InputError: if it is damaged, while it is read or before, or a bomb.
    """
    return _Bounded(_OPENERS[suffix](raw, refuse), size, refuse)


class _Bounded(Ahead):
    """A decompressing stream that refuses to grow beyond all measure."""

    def __init__(self, stream: BinaryIO, compressed: int, refuse: Refuse) -> None:
        super().__init__(stream)
        self._refuse = refuse
        self._limit = max(FREE_BYTES, PLAUSIBLE_RATIO * compressed)
        self._grown = 0

    def _more(self, size: int) -> bytes:
        try:
            data = super()._more(size)
        except (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as e:
            raise self._refuse(
                f"truncated or damaged compressed data ({e})",
                "a whole compressed file",
            ) from None
        self._grown += len(data)
        if self._grown > self._limit:
            raise self._refuse(
                f"more than {self._limit:,} bytes when decompressed",
                f"at most {PLAUSIBLE_RATIO} times the compressed size",
            )
        return data


def _only_member(raw: BinaryIO, refuse: Refuse) -> BinaryIO:
    try:
        archive = zipfile.ZipFile(raw)
    except zipfile.BadZipFile as error:
        raise refuse(f"a damaged zip file ({error})") from None
    members = [
        member
        for member in archive.infolist()
        if not (member.is_dir() or member.filename.startswith("__MACOSX/"))
    ]
    if len(members) != 1:
        names = ", ".join(member.filename for member in members[:3]) or "nothing"
        more = " ..." if len(members) > 3 else ""
        raise refuse(f"a zip file holding {names}{more}", "exactly one file in it")
    if members[0].flag_bits & 1:
        raise refuse("an encrypted zip file", "one without a password")
    try:
        return archive.open(members[0])  # type: ignore[return-value]
    except (NotImplementedError, zipfile.BadZipFile) as error:
        raise refuse(f"a damaged or unusual zip file ({error})") from None


_OPENERS: dict[str, Callable[[BinaryIO, Refuse], Any]] = {
    ".gz": lambda raw, refuse: gzip.GzipFile(fileobj=raw),
    ".bz2": lambda raw, refuse: bz2.BZ2File(raw),
    ".xz": lambda raw, refuse: lzma.LZMAFile(raw),  # noqa: SIM115
    ".zip": _only_member,
}
