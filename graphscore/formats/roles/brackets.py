r"""Spans as brackets in a column, as in CoNLL-2005 and CoNLL-2012.

A cell has a star for its word, brackets that open before it and brackets that close
after it: ``(A0*``, ``*``, ``*)``, ``(A1(V*)``.  CoNLL-2004 repeats labels where they
close, ``*A0)``.

>>> spans, broken = spans_of(["(A0*", "*)", "(V*)", "(A1(AM-TMP*))"], Cells())
>>> spans
[('A0', 0, 1), ('V', 2, 2), ('A1', 3, 3), ('AM-TMP', 3, 3)]
>>> spans_of(["*", "*)"], Cells())[1][0].found
"'*)' with nothing to close"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

CACHED = 200_000
"""Distinct cells that are remembered within a file."""

_CELL = re.compile(r"((?:\([^()*\s]+)*)\*((?:[^()*\s]*\))*)")

Span = tuple[str, int, int]
"""Label, first and last word."""


class Broken(NamedTuple):
    """A cell with something wrong."""

    place: int
    """The position of its word."""
    found: str
    expected: str


class Cells:
    """Reads cells, and remembers them.

    Example:
        >>> Cells().of("(A1(V*)"), Cells().of("*A0)"), Cells().of("-")
        ((['A1', 'V'], ['']), ([], ['A0']), None)
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[list[str], list[str]] | None] = {}

    def of(self, cell: str) -> tuple[list[str], list[str]] | None:
        """The labels that a cell opens, and those that it closes, as written.

        Args:
            cell: the cell.

        Returns:
            Both, in order; ``None`` if it is no such cell.
        """
        known = self._known
        if cell in known:
            return known[cell]
        if len(known) >= CACHED:
            known.clear()
        match = _CELL.fullmatch(cell)
        found = None
        if match:
            opened = match[1].split("(")[1:]
            found = opened, match[2].split(")")[:-1]
        known[cell] = found
        return found


def spans_of(cells: Sequence[str], read: Cells) -> tuple[list[Span], list[Broken]]:
    """The spans of a column, in the order in which they open.

    Args:
        cells: the column, shape (words,).
        read: cells that were seen before.

    Returns:
        The spans, outer ones first, and everything that is wrong.
    """
    found: list[Span] = []
    broken: list[Broken] = []
    waiting: list[int] = []
    for place, cell in enumerate(cells):
        if cell == "*":
            continue
        pieces = read.of(cell)
        if pieces is None:
            expected = "a star with brackets around it, as (A0*)"
            broken.append(Broken(place, repr(cell[:40]), expected))
            continue
        for label in pieces[0]:
            waiting.append(len(found))
            found.append((label, place, -1))
        for label in pieces[1]:
            if not waiting:
                shown = f"{cell[:40]!r} with nothing to close"
                broken.append(Broken(place, shown, "an opening bracket before it"))
                continue
            number = waiting.pop()
            opened, first, _ = found[number]
            if label and label != opened:
                shown = f"{cell[:40]!r} that closes {opened}"
                broken.append(Broken(place, shown, f"{opened}) or )"))
            found[number] = opened, first, place
    for number in waiting:
        label, place, _ = found[number]
        shown = f"{f'({label}'!r} that nothing closes"
        broken.append(Broken(place, shown, ") further down"))
    return found, broken


def cells_of(spans: Iterable[Span], words: int) -> list[str] | None:
    """The column of spans.

    Args:
        spans: labels, first and last words.
        words: how many words there are.

    Returns:
        The cells, or ``None`` if spans cross.

    Example:
        >>> cells_of([("A0", 0, 1), ("V", 2, 2)], 3)
        ['(A0*', '*)', '(V*)']
        >>> cells_of([("A0", 0, 1), ("V", 1, 2)], 3) is None
        True
    """
    opening, closing = [""] * words, [""] * words
    open_until: list[int] = []
    # Of spans with equal ends the first one is the outer one.
    for label, first, last in sorted(spans, key=lambda each: (each[1], -each[2])):
        while open_until and open_until[-1] < first:
            open_until.pop()
        if open_until and open_until[-1] < last:
            return None
        open_until.append(last)
        opening[first] += f"({label}"
        closing[last] += ")"
    return [f"{one}*{two}" for one, two in zip(opening, closing, strict=True)]
