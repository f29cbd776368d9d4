"""Where the words of a large file stand: found by hash, checked in the file itself.

Of each word 24 bytes are held: where its line begins, its hash, and its place among the
sorted hashes.  The file is read once from front to back, line by line.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphscore.errors import InputError, Problem

LONGEST = 1 << 22
"""Bytes of a line: a vector of more than 100,000 numbers."""

WordOf = Callable[[bytes, int], bytes | None]
"""Gives the word of a line with a number; ``None`` where it has none."""


class Index(NamedTuple):
    """The lines of a file by the hashes of their words."""

    starts: NDArray[np.int64]
    """Where lines with words begin, and at last where the file ends."""
    hashes: NDArray[np.int64]
    """Ascending."""
    order: NDArray[np.int64]
    """Which line each hash is of; of equal hashes the first line first."""

    def __len__(self) -> int:
        return len(self.hashes)

    def lines(self, word: bytes) -> Iterator[int]:
        """The lines that perhaps have a word, the first one first.

        Args:
            word: the word.

        Yields:
            Positions among the lines with words, from 0.
        """
        wanted = hash(word)
        place = int(np.searchsorted(self.hashes, wanted))
        while place < len(self.hashes) and self.hashes[place] == wanted:
            yield int(self.order[place])
            place += 1


def indexed(file: BufferedReader, name: str, word_of: WordOf) -> Index:
    """Go through a file once.

    Args:
        file: at its beginning.
        name: as the user named it.
        word_of: what the word of a line is; raises ``InputError`` for a bad line.

    Raises:
        InputError: for a line that is longer than any vector.
    """
    starts, hashes = array("q"), array("q")
    place = number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise wrong(name, number, f"a line of more than {LONGEST:,} bytes", "less")
        word = word_of(line, number)
        if word is not None:
            starts.append(place)
            hashes.append(hash(word))
        place += len(line)
    starts.append(place)
    found = np.frombuffer(hashes, dtype=np.int64)
    order = np.argsort(found, kind="stable")
    return Index(np.frombuffer(starts, dtype=np.int64), found[order], order)


def wrong(name: str, number: int | None, found: str, expected: str) -> InputError:
    """What is said of a line.

    Args:
        name: of the file.
        number: of the line, from 1; ``None`` for the file as a whole.
        found: what stands there.
        expected: what should.
    """
    return InputError([Problem(name, number, None, "", found, expected)])
