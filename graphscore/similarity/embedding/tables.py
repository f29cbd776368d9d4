"""Vectors of words, looked up one by one in files of two kinds.

*Text*, as word2vec and GloVe write it: a word and its numbers a line, with a blank
between; perhaps a first line with the number of words and of numbers.  *Arrays*: a
two-dimensional ``.npy``, and a vocabulary with the word of each row on a line.
"""

from __future__ import annotations

import math
import os
import stat
from abc import ABC, abstractmethod
from functools import lru_cache
from hashlib import file_digest
from io import BufferedReader
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphscore.errors import InputError, Problem, UsageError, amount
from graphscore.similarity.embedding.index import Index, indexed, wrong

Vector = NDArray[np.float64]

HELD = 1 << 25
"""Bytes of vectors that are remembered of each file."""

_NPY = b"\x93NUMPY"
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ")
_ENDS = b" \r\n"


class Table(ABC):
    """Vectors of words.

    Args:
        name: the file, as the user named it.
        length: how many numbers a vector has.
    """

    def __init__(self, name: str, length: int) -> None:
        self.name, self.length = name, length
        # As many as fit: very long ones are not worth remembering.
        self.unit = lru_cache(maxsize=HELD // (8 * length) + 1)(self._unit)

    @abstractmethod
    def __len__(self) -> int:
        """How many lines with vectors there are."""

    @abstractmethod
    def row(self, word: bytes) -> Vector | None:
        """The vector of a word, the first one if there are several.

        Args:
            word: in UTF-8.

        Raises:
            InputError: if it is not as many finite numbers as it should be.
        """

    def _unit(self, word: str) -> Vector | None:
        """A vector of length 1; ``None`` for words that have none, or only zeros."""
        found = self.row(word.encode("utf-8", "surrogatepass"))
        if found is None:
            return None
        most = np.abs(found).max()
        if not most:
            return None
        # The squares of very large and very small numbers are no numbers.
        found = found / most
        made: Vector = found / math.sqrt(np.dot(found, found))
        return made


class TextTable(Table):
    """Vectors in text.

    Args:
        name: the file.

    Raises:
        InputError: for the first line that cannot be a word and its numbers; numbers
            themselves are looked at when their word is asked for.
    """

    def __init__(self, name: str) -> None:
        with open(name, "rb") as file:
            head, _, rest = file.readline(1 << 12).rstrip(_ENDS).partition(b" ")
            self._declared = (
                (int(head), int(rest)) if _is_count(head) and _is_count(rest) else None
            )
            self._expected = self._declared[1] if self._declared else 0
            file.seek(0)
            self._index = indexed(file, name, self._word_checked(name))
        if not len(self._index):
            raise wrong(name, None, "no vectors", "a word and its numbers a line")
        if self._declared and self._declared[0] != len(self._index):
            said = f"{self._declared[0]:,} words announced, {len(self._index):,} there"
            raise wrong(name, 1, said, "as many as there are")
        super().__init__(name, self._expected)
        self._bytes = np.memmap(name, dtype=np.uint8, mode="r")

    def __len__(self) -> int:
        return len(self._index)

    def _word_checked(self, name: str) -> Any:
        """What gives the word of a line, once the line can be one."""

        def word_of(line: bytes, number: int) -> bytes | None:
            if number == 1:
                if self._declared is not None:
                    return None
                line = line.removeprefix(b"\xef\xbb\xbf")
            bare = line.rstrip(_ENDS)
            blanks = bare.count(b" ")
            if not self._expected:
                self._expected = blanks
            if not 0 < self._expected <= blanks:
                said = amount(blanks, "number") if bare else "an empty line"
                several = f"a word and {self._expected:,} numbers with blanks between"
                if not self._expected:
                    several = "a word and its numbers with blanks between"
                raise wrong(
                    name, number, f"{said} after a word" if bare else said, several
                )
            if blanks == self._expected:
                word = bare[: bare.index(b" ")]
            else:
                word = bare.rsplit(b" ", self._expected)[0]
                if _number(word.rpartition(b" ")[2]) is not None:
                    said = f"{blanks:,} numbers after a word"
                    raise wrong(name, number, said, f"{self._expected:,}")
            if not word:
                raise wrong(
                    name, number, "numbers without a word", "a word before them"
                )
            return word

        return word_of

    def row(self, word: bytes) -> Vector | None:
        """The numbers of a line."""
        for place in self._index.lines(word):
            start, end = self._index.starts[place : place + 2]
            line = self._bytes[start:end].tobytes()
            if place == 0 and not self._declared:
                line = line.removeprefix(b"\xef\xbb\xbf")
            there, *fields = line.rstrip(_ENDS).rsplit(b" ", self.length)
            if there == word:
                return self._numbers(place + 1 + bool(self._declared), fields)
        return None

    def _numbers(self, line: int, fields: list[bytes]) -> Vector:
        made = np.empty(len(fields))
        for k, field in enumerate(fields):
            number = _number(field)
            if number is None or not math.isfinite(number):
                shown = field.decode("utf-8", "replace")
                where = f"number {k + 1}"
                problem = Problem(
                    self.name, line, None, where, repr(shown), "a finite number"
                )
                raise InputError([problem])
            made[k] = number
        return made


class ArrayTable(Table):
    """Rows of an array, and a vocabulary.

    Args:
        name: the ``.npy``.
        words: the vocabulary: the word of each row, a line each.

    Raises:
        InputError: if either is something else, or they do not fit.
    """

    def __init__(self, name: str, words: str) -> None:
        self._rows = _mapped(name)

        def word_of(line: bytes, number: int) -> bytes:
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            word = line.rstrip(b"\r\n")
            if not word:
                raise wrong(words, number, "an empty line", "the word of a row")
            return word

        with open(words, "rb") as file:
            self._index: Index = indexed(file, words, word_of)
        if len(self._index) != len(self._rows):
            found = f"{len(self._index):,} words"
            expected = f"{len(self._rows):,}, as many as {name} has rows"
            raise wrong(words, None, found, expected)
        super().__init__(name, self._rows.shape[1])
        self._bytes = np.memmap(words, dtype=np.uint8, mode="r")

    def __len__(self) -> int:
        return len(self._index)

    def row(self, word: bytes) -> Vector | None:
        """The row of the word."""
        for place in self._index.lines(word):
            start, end = self._index.starts[place : place + 2]
            line = self._bytes[start:end].tobytes().rstrip(b"\r\n")
            if place == 0:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line == word:
                found: Vector = self._rows[place].astype(np.float64)
                if not np.isfinite(found).all():
                    where = f"row {place + 1:,}"
                    problem = Problem(
                        *(self.name, None, None, where),
                        *("a number that is not finite", "finite numbers"),
                    )
                    raise InputError([problem])
                return found
        return None


def table_of(name: str, words: str | None) -> Table:
    """The vectors in a file.

    Args:
        name: text, or an array of numpy.
        words: the vocabulary of an array; ``None`` for text.

    Raises:
        UsageError: if a file cannot be read, or a vocabulary is missing or too much.
        InputError: if it holds something else.
    """
    for each in filter(None, (name, words)):
        state_of(each)
    with readable(name) as file:
        beginning = file.read(8)
    if beginning.startswith(_PACKED):
        raise wrong(name, None, "compressed data", "text or .npy, not compressed")
    is_array = beginning.startswith(_NPY)
    if is_array and words is None:
        raise UsageError(
            f"{name}: an array without a vocabulary, expected words='FILE' with the "
            "word of each row on a line"
        )
    if not is_array and words is not None:
        raise UsageError(f"{name}: text with a vocabulary, expected an array (.npy)")
    try:
        return ArrayTable(name, words) if words is not None else TextTable(name)
    except OSError as error:
        raise _unreadable(name, error) from None


def readable(name: str) -> BufferedReader:
    """A file, opened.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        return open(name, "rb")
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


def state_of(name: str) -> tuple[int, ...]:
    """What changes when a file does.

    Raises:
        UsageError: if it is no regular file.
    """
    try:
        found = os.stat(name)
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(
            f"{name}: no regular file, expected one that words are found in"
        )
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=16)
def digest_of(name: str, state: tuple[int, ...]) -> bytes:
    """A digest of all that a file says, which is read once for it.

    Args:
        name: the file.
        state: see :func:`state_of`; what was known of another state does not count.
    """
    with readable(name) as file:
        return file_digest(file, "blake2b").digest()


def _unreadable(name: str, error: OSError | ValueError) -> UsageError:
    reason = getattr(error, "strerror", None) or str(error)
    return UsageError(f"{name}: {reason}, expected a file to read")


def _mapped(name: str) -> NDArray[Any]:
    try:
        found = np.lib.format.open_memmap(name, mode="r")
    except (
        ValueError,
        OSError,
        EOFError,
        TypeError,
        OverflowError,
        MemoryError,
    ) as error:
        # Whatever numpy makes of headers that are damaged.
        said = f"no array that numpy reads ({error})"
        raise wrong(name, None, said, "a .npy of two dimensions") from None
    if found.dtype.kind != "f" or found.ndim != 2 or not all(found.shape):
        shape = " × ".join(map(str, found.shape))
        said = f"{found.dtype} {shape}".rstrip()
        raise wrong(name, None, said, "floating numbers, words × length of a vector")
    return found


def _is_count(text: bytes) -> bool:
    return text.isdigit() and len(text) < 12 and int(text) > 0


def _number(field: bytes) -> float | None:
    """A number as programs write it; none with an underscore, as Python would."""
    try:
        return None if b"_" in field else float(field)
    except ValueError:
        return None
