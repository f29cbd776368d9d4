r"""Files of columns: a line for each word, blank lines between sentences.

:func:`blocks` takes a file apart; a :class:`Block` is the lines of a sentence, decoded
once, from which a format derives its own and says what the columns mean.

>>> import io
>>> for line, raw in blocks(io.BytesIO(b"\n1 a\n2 b\n\n\n3 c")):
...     print(line, Block("a.txt", line, raw).lines)
2 ['1 a', '2 b']
6 ['3 c']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import BinaryIO

from graphscore.exceptions import amount
from graphscore.formats.shared.records import SHOWN, RecordBuilder, text_of, too_long
from graphscore.formats.source import BOM, skip_line

CACHED = 200_000
"""Distinct readings of cells that are remembered within a file."""

LONGEST_BLOCK = 64 * 1024 * 1024
"""A longer block of lines is no sentence; it is refused without being held."""

Lines = Sequence[bytes]
"""Lines as they stand in the file, with their ends."""

Begins = Callable[[Lines, int, int], bool]
"""Takes the lines of a block, the index of the last comment below words, or 0, and that
of one more; returns whether a blank line is missing before this one."""


class Block(RecordBuilder):
    r"""Lines that stand together, read as text at once, or each where that fails.

    Args:
        name: the file.
        line: the number of the first one.
        raw: the lines with their ends.
        framework: the framework of their record.

    Attributes:
        lines: those that can be read, without their ends, and those of words without
            blanks there; none of a block without end.
        numbers: theirs in the file.

    >>> block = Block("a.txt", 4, [b"1 a\n", b"2 \xff\n", b"3 c"])
    >>> block.lines, block.numbers
    (['1 a', '3 c'], [4, 6])
    >>> print(block.problems[0])
    a.txt:5:3: found bytes that are not UTF-8, expected UTF-8 text
    """

    longest = LONGEST_BLOCK
    """Bytes of a line that are read at most."""
    expected = "a token"
    """Description of a line that should stand in place of a longer one."""

    def __init__(self, name: str, line: int, raw: Lines, framework: str = "") -> None:
        whole = b"".join(raw)
        super().__init__(name, line, whole, framework=framework)
        self.numbers: Sequence[int] = ()
        self.lines: list[str] = []
        if len(whole) >= LONGEST_BLOCK:
            self.raw = [whole[:SHOWN]]
            found = f"a sentence of more than {LONGEST_BLOCK:,} bytes"
            self.add("", found, "a blank line after each sentence")
            return
        text = text_of(whole, name) if len(whole) < self.longest else None
        if not isinstance(text, str):
            self.raw = [e[:SHOWN] if too_long(e, self.longest) else e for e in raw]
            texts = [
                self.text(raw_line, number, self.longest, self.expected)
                for number, raw_line in enumerate(raw, line)
            ]
            good = [
                (line + k, text) for k, text in enumerate(texts) if text is not None
            ]
            self.numbers = [number for number, _ in good]
            text = "".join([text for _, text in good])
        if "\r" in text:
            text = text.replace("\r\n", "\n").removesuffix("\r")
        if text:
            self.lines = text.removesuffix("\n").split("\n")
        self.numbers = self.numbers or range(line, line + len(self.lines))
        if " \n" in text or text.endswith(" "):
            # Comments are kept as they are.
            self.lines = [e if e[:1] == "#" else e.rstrip(" ") for e in self.lines]

    def at(
        self, row: int, column: int | None, where: str, found: str, expected: str
    ) -> None:
        """Note a problem of a line.

        Args:
            row: the number of the line within the sentence, from 0.
            column: the cell, from 0, with tabs between; ``None`` for the whole line.
            where: what the column is called.
            found: what stands there.
            expected: what should.
        """
        byte = None
        if column is not None:
            starts = _starts(self.lines[row])
            # Cells of some formats stand between blanks: only the line is known.
            byte = starts[column] if column < len(starts) else None
        self.add(where, found, expected, byte, self.numbers[row])

    def even(
        self, rows: Sequence[Sequence[str]], numbers: Sequence[int], least: int
    ) -> bool:
        """Return whether all rows have as many columns as most; else note those.

        Args:
            rows: the cells of lines.
            numbers: which lines of the sentence they are, from 0.
            least: the smallest number of columns, one line standing for all with fewer.
        """
        widths = set(map(len, rows))
        if len(widths) == 1 and min(widths) >= least:
            return True
        width, where = usual_width(map(len, rows))
        expected = f"{width} columns, {where}"
        if width < least:
            expected = f"{least} columns and one for each predicate"
            rows, width = rows[:1], -1
        for number, row in zip(numbers, rows, strict=False):
            if len(row) != width:
                self.at(number, None, "", amount(len(row), "column"), expected)
        return False


def blocks(
    stream: BinaryIO,
    longest: int = LONGEST_BLOCK,
    begins: Begins | None = None,
    alone: Callable[[bytes], object] | None = None,
) -> Iterator[tuple[int, list[bytes]]]:
    r"""The lines between blank ones; of an endless block only the beginning.

    Args:
        stream: the file, from its beginning; a byte order mark is dropped.
        longest: of a longer line only so much is read.
        begins: whether a comment below words begins a block.
        alone: whether a line that does not begin like a word, with a letter or a digit,
            is a block of its own.

    Yields:
        The number of the first line, and all with their ends.
    """
    held: list[bytes] = []
    comments: list[int] = []
    size, number, first = 0, 0, 1
    readline = stream.readline
    while raw := readline(longest):
        number += 1
        length = len(raw)
        if length >= longest and raw[-1:] != b"\n":
            skip_line(stream, longest)
        if number == 1:
            raw = raw.removeprefix(BOM)
        # Blanks, comments and marks sort before words.
        if raw <= b".":
            mark = alone is not None and alone(raw)
            if mark or not raw.strip():
                if comments:
                    yield from _split_block(first, held, comments, begins)
                elif held:
                    yield first, held
                if mark:
                    yield number, [raw]
                held, comments, size, first = [], [], 0, number + 1
                continue
            if begins and raw[:1] == b"#" and held and held[-1][:1] != b"#":
                comments.append(len(held))
        if size < LONGEST_BLOCK:
            held.append(raw)
        size += length
    if held:
        yield from _split_block(first, held, comments, begins)


def _split_block(
    first: int, lines: list[bytes], comments: list[int], begins: Begins | None
) -> Iterator[tuple[int, list[bytes]]]:
    """A block, or several where blank lines are missing before comments."""
    start = 0
    if begins and sum(map(len, lines)) < LONGEST_BLOCK:
        for before, mark in pairwise([0, *comments]):
            if begins(lines, before, mark):
                yield first + start, lines[start:mark]
                start = mark
    yield first + start, lines[start:] if start else lines


_NAMED = rb"# *sent_id *="
_FIRST = rb"1(?:-\d+)?\t"


def named_words(lines: Lines, before: int, mark: int) -> bool:
    r"""Return whether comments have the id of a sentence, and a first word is below.

    That begins a sentence of CoNLL-U where a blank line is missing.

    Args:
        lines: the lines of a block.
        before: the last comment below words.
        mark: the first one of the comments.

    >>> import io
    >>> text = b"# sent_id = a\n1\tDogs\n# sent_id = b\n# text = Cats\n1\tCats\n"
    >>> for line, raw in blocks(io.BytesIO(text), begins=named_words):
    ...     print(line, Block("a.conllu", line, raw).lines)
    1 ['# sent_id = a', '1\tDogs']
    3 ['# sent_id = b', '# text = Cats', '1\tCats']
    """
    named = False
    for index in range(mark, len(lines)):
        if lines[index][:1] != b"#":
            return named and bool(re.match(_FIRST, lines[index]))
        named = named or bool(re.match(_NAMED, lines[index]))
    return False


@lru_cache(maxsize=8)
def _starts(line: str) -> list[int]:
    """Return the byte offsets, from 1, of a line's tabbed cells, and one more."""
    widths = (len(cell.encode()) + 1 for cell in line.split("\t"))
    return list(accumulate(widths, initial=1))


def byte_column(cells: Sequence[str], column: int) -> int:
    """Return the byte offset of a cell in a line with tabs, from 1.

    Args:
        cells: those of the line, or as many as come before it.
        column: which one, from 0.

    >>> byte_column(["é", "b", "c"], 2)
    6
    """
    return sum(len(cell.encode()) + 1 for cell in cells[:column]) + 1


def usual_width(widths: Iterable[int]) -> tuple[int, str]:
    """Return the number of columns that the lines of a sentence should have.

    Args:
        widths: how many each line has.

    Returns:
        What most have, the first line if several are as frequent; and where it is
        seen, for problems.

    Example:
        >>> usual_width([4, 3, 3])
        (3, 'as in most lines of the sentence')
    """
    counts = Counter(widths)
    first = next(iter(counts), 0)
    width = max(counts, key=lambda count: counts[count], default=0)
    where = "the first line" if width == first else "most lines"
    return width, f"as in {where} of the sentence"


def without_tail(cells: list[str], width: int) -> list[str]:
    """The cells of a line without empty ones behind the last column.

    Args:
        cells: those of the line.
        width: how many columns there are at least.

    >>> without_tail(["1", "Dogs", "", ""], 2), without_tail(["1", ""], 2)
    (['1', 'Dogs'], ['1', ''])
    """
    while len(cells) > width and not cells[-1]:
        cells.pop()
    return cells
