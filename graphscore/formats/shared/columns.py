r"""Files of columns: a line for each word, blank lines between sentences.

>>> import io
>>> for block in blocks(io.BytesIO(b"\n1 a\n2 b\n\n\n3 c"), "a.txt"):
...     print(block.line, block.lines)
2 ['1 a', '2 b']
6 ['3 c']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import accumulate, chain, pairwise
from typing import BinaryIO, NamedTuple

from graphscore.errors import Problem
from graphscore.formats.shared.records import SHOWN, RecordBuilder, text_of, too_long
from graphscore.formats.source import BOM, bounded_lines

CACHED = 200_000
"""Distinct readings of cells that are remembered within a file."""

LONGEST_BLOCK = 64 * 1024 * 1024
"""A longer block of lines is no sentence; it is refused without being held."""


class Block(NamedTuple):
    """The lines of a sentence."""

    line: int
    """The number of the first one."""
    raw: bytes
    text: str
    """Its lines without the last line end, those of words without blanks at their ends;
    what is no UTF-8 is replaced."""
    problem: Problem | None
    """Why it cannot be read at all."""

    @property
    def lines(self) -> list[str]:
        """Its lines without their ends."""
        return self.text.split("\n")


class BlockDraft(RecordBuilder):
    """A sentence of a file of columns while it is read.

    Args:
        name: the file.
        block: the lines of the sentence.
        framework: its framework.
    """

    def __init__(self, name: str, block: Block, framework: str = "") -> None:
        super().__init__(name, block.line, block.raw, framework=framework)
        self.block = block
        if block.problem is not None:
            self.problems.append(block.problem)

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
        place = None
        if column is not None:
            starts = _starts(self.lines_of_block[row])
            # Cells of some formats stand between blanks: only the line is known.
            place = starts[column] if column < len(starts) else None
        self.add(where, found, expected, place, self.line + row)

    @cached_property
    def lines_of_block(self) -> list[str]:
        """The lines of the sentence, which are taken apart only once."""
        return self.block.lines


class Lines(RecordBuilder):
    r"""Lines that stand together, read as text at once, or each where that fails.

    Args:
        name: the file.
        line: the number of the first one.
        raw: the lines with their ends.
        framework: the framework of their record.

    Attributes:
        lines: those that can be read, without their ends.
        numbers: theirs in the file.

    >>> draft = Lines("a.txt", 4, [b"1 a\n", b"2 \xff\n", b"3 c"])
    >>> draft.lines, draft.numbers
    (['1 a', '3 c'], [4, 6])
    >>> print(draft.problems[0])
    a.txt:5:3: found bytes that are not UTF-8, expected UTF-8 text
    """

    longest = 1024 * 1024
    """Bytes of a line that are read at most."""
    expected = "a token"
    """Description of a line that should stand in place of a longer one."""

    def __init__(
        self, name: str, line: int, raw: Sequence[bytes], framework: str = ""
    ) -> None:
        whole = b"".join(raw)
        super().__init__(name, line, whole, framework=framework)
        self.numbers: Sequence[int] = range(line, line + len(raw))
        text = text_of(whole, name) if len(whole) < self.longest else None
        if isinstance(text, str):
            self.lines = text.removesuffix("\n").split("\n") if raw else []
        else:
            self.raw = [e[:SHOWN] if too_long(e, self.longest) else e for e in raw]
            texts = [self._line(*numbered) for numbered in enumerate(raw, line)]
            good = [
                (line + k, text) for k, text in enumerate(texts) if text is not None
            ]
            self.numbers = [number for number, _ in good]
            self.lines = [text.removesuffix("\n") for _, text in good]
        if b"\r" in whole:
            self.lines = [text.removesuffix("\r") for text in self.lines]

    def _line(self, number: int, raw: bytes) -> str | None:
        return self.text(raw, number, self.longest, self.expected)


def between_blanks(stream: BinaryIO, longest: int) -> Iterator[tuple[int, list[bytes]]]:
    """The lines between blank ones; of an endless line only the beginning.

    Args:
        stream: the file, from its beginning; a byte order mark is dropped.
        longest: of a longer line only so much is read.

    Yields:
        The number of the first line, and all with their ends.
    """
    held: list[bytes] = []
    first = 1
    for number, raw in chain(bounded_lines(stream, longest), [(0, b"")]):
        # White space sorts before anything else.
        if raw > b"!" or raw.strip():
            held.append(raw)
            continue
        if held:
            yield first, held
        held, first = [], number + 1


def blocks(stream: BinaryIO, name: str) -> Iterator[Block]:
    """The sentences of a file as they stand there.

    Args:
        stream: the file, from its beginning; a byte order mark is dropped.
        name: what it is called, for problems.

    Yields:
        Sentences; of an endless one only the beginning.
    """
    held: list[bytes] = []
    number, first, size = 1, 1, 0
    whole = True
    readline = stream.readline
    while raw := readline(LONGEST_BLOCK):
        if number == 1 and whole:
            raw = raw.removeprefix(BOM)
        # White space sorts before anything else.
        blank = raw < b"!" and whole and not raw.strip()
        whole = raw[-1:] == b"\n"
        number += whole
        if not blank:
            size += len(raw)
            if size <= LONGEST_BLOCK or not held:
                held.append(raw if size <= LONGEST_BLOCK else raw[:SHOWN])
        else:
            if held:
                yield _block(held, size, first, name)
                held, size = [], 0
            first = number
    if held:
        yield _block(held, size, first, name)


_NAMED = re.compile(r"# *sent_id *=")
_FIRST = re.compile(r"1(?:-\d+)?\t")


def sentences(stream: BinaryIO, name: str) -> Iterator[Block]:
    r"""The sentences of a file whose first column counts words, as in CoNLL-U.

    Where a blank line is missing, comments with the id of a sentence and a first word
    begin one.

    Args:
        stream: the file, from its beginning.
        name: what it is called, for problems.

    >>> import io
    >>> text = b"# sent_id = a\n1\tDogs\n# sent_id = b\n# text = Cats\n1\tCats\n"
    >>> for block in sentences(io.BytesIO(text), "a.conllu"):
    ...     print(block.line, block.lines)
    1 ['# sent_id = a', '1\tDogs']
    3 ['# sent_id = b', '# text = Cats', '1\tCats']
    """
    for block in blocks(stream, name):
        starts = [] if block.problem else _further(block.text)
        if not starts:
            yield block
            continue
        lines, raw = block.lines, BytesIO(block.raw).readlines()
        for start, end in pairwise([0, *starts, len(lines)]):
            text = "\n".join(lines[start:end])
            yield Block(block.line + start, b"".join(raw[start:end]), text, None)


def _further(text: str) -> list[int]:
    """The lines, from 0, where further sentences begin in the lines of one."""
    last = text.rfind("\n#")
    if last < 0 or all(line.startswith("#") for line in text[:last].split("\n")):
        return []
    starts: list[int] = []
    first: int | None = None
    named = worded = False
    for number, line in enumerate(text.split("\n")):
        if not line.startswith("#"):
            if worded and first is not None and named and _FIRST.match(line):
                starts.append(first)
            worded, first = True, None
        else:
            if first is None:
                first, named = number, False
            named = named or bool(_NAMED.match(line))
    return starts


@lru_cache(maxsize=8)
def _starts(line: str) -> list[int]:
    """Return the byte offsets, from 1, of a line's tabbed cells, and one more."""
    widths = (len(each.encode()) + 1 for each in line.split("\t"))
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


def _block(held: list[bytes], size: int, first: int, name: str) -> Block:
    raw = b"".join(held)
    problem = None
    if size > LONGEST_BLOCK:
        found = f"a sentence of more than {LONGEST_BLOCK:,} bytes"
        expected = "a blank line after each sentence"
        raw = raw[:SHOWN]
        problem = Problem(name, first, None, "", found, expected)
    text = text_of(raw, name, first)
    if isinstance(text, Problem):
        problem = problem or text
        text = raw.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    text = text.removesuffix("\n")
    if " \n" in text or text.endswith(" "):
        # Comments are kept as they are.
        lines = text.split("\n")
        text = "\n".join(e if e[:1] == "#" else e.rstrip(" ") for e in lines)
    return Block(first, raw, text, problem)


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
