"""Files on their way into a store: at hand twice, and known by their bytes."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphscore.formats import Reading
from graphscore.formats.base import Format
from graphscore.formats.source import STDIN, problem


@contextmanager
def at_hand(path: str) -> Iterator[str]:
    """Where a file can be read twice, for its digest and for its records."""
    if path != STDIN:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        spooled = Path(folder) / "stdin"
        with spooled.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield str(spooled)


def file_digest(path: str, chosen: Format, reading: Reading) -> bytes:
    """Fingerprint of a file and of those beside it, and of how they are read."""
    digest = _bytes_digest(path, f"{chosen.name}\0{reading.identity}")
    for other in chosen.beside(path) if chosen.beside else ():
        # Its item is its name, its text another file.
        digest = _bytes_digest(other, f"{digest.hex()}\0{Path(path).name}")
    return digest


def _bytes_digest(path: str, described: str) -> bytes:
    """Fingerprint of a file's bytes and of how it is read."""
    mixed = hashlib.blake2b(described.encode(), digest_size=16)
    try:
        with Path(path).open("rb") as file:
            while block := file.read(1 << 20):
                mixed.update(block)
    except OSError as error:
        raise problem(path, f"a file that cannot be read ({error.strerror})") from None
    return mixed.digest()
