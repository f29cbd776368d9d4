"""What can go wrong, said once and in one shape.

Every error that a user can cause derives from :class:`GraphscoreError` and
carries the exit code of the command line (DESIGN: 2 usage, 3 bad input).  What
is wrong with an input is a :class:`Problem`: file, line, place, what was found
and what was expected.  Only the command line catches these errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One thing wrong with one place of one input.

    Example:
        >>> print(Problem("a.mrp", 3, None, "$.tops[0]", "9", "the id of a node"))
        a.mrp:3: $.tops[0]: found 9, expected the id of a node
    """

    file: str
    """The file as the user named it; ``<stdin>`` for standard input."""
    line: int | None
    """Line number from 1, or ``None`` when the file as a whole is meant."""
    column: int | None
    """Byte column from 1, where the format knows it."""
    where: str
    """Place inside the record, as a JSON path or a field name; may be empty."""
    found: str
    """What stands there."""
    expected: str
    """What should stand there; empty when nothing sensible can be said."""
    guess: str = ""
    """Why the file was taken for one of its format, where that was not said."""

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        where = f"{self.where}: " if self.where else ""
        expected = f", expected {self.expected}" if self.expected else ""
        guess = f" ({self.guess})" if self.guess else ""
        return f"{place}: {where}found {self.found}{expected}{guess}"


class GraphscoreError(Exception):
    """Root of every error that graphscore raises on purpose."""

    exit_code = 3


class UsageError(GraphscoreError):
    """The request itself is wrong: an unknown metric, parameter or collection."""

    exit_code = 2


class InputError(GraphscoreError):
    """An input cannot be used; all its problems are listed.

    Args:
        problems: what is wrong, one entry a place.
        summary: an optional first line above the list.
    """

    def __init__(self, problems: Iterable[Problem], summary: str = "") -> None:
        self.problems = tuple(problems)
        self.summary = summary
        super().__init__(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers send errors; what is not said here is made from the message alone.
        return type(self), (self.problems, self.summary)

    def __str__(self) -> str:
        lines = [self.summary] if self.summary else []
        return "\n".join([*lines, *map(str, self.problems)])


class InvalidGraphError(GraphscoreError):
    """A graph in memory that is none: repeated ids, edges to nowhere.

    Args:
        found: what is wrong.
        expected: what should be there.
    """

    def __init__(self, found: str, expected: str) -> None:
        self.found, self.expected = found, expected
        super().__init__(f"found {found}, expected {expected}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.found, self.expected)


class PairingError(GraphscoreError):
    """Gold and system cannot be paired: nothing in common, or ambiguous ids."""


class StoreError(GraphscoreError):
    """The database cannot be opened, read or written as asked."""


def amount(number: int, noun: str) -> str:
    """A number and what it is of.

    >>> amount(1, "pair"), amount(2, "pair")
    ('1 pair', '2 pairs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_SURROGATE = re.compile("[\ud800-\udfff]")


def as_text(text: str) -> str:
    r"""Text that can be encoded: what stands for bytes that are not UTF-8 is spelled.

    >>> as_text(b"caf\xe9".decode("utf-8", "surrogateescape"))
    'caf\\xe9'
    """
    return text if text.isascii() else _SURROGATE.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    # Python's stand-ins for bytes are these.
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
