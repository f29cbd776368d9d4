r"""Spans as brackets in a column, as in CoNLL-2005 and CoNLL-2012.

A cell has a star for its word, brackets that open before it and brackets that close
after it: ``(A0*``, ``*``, ``*)``, ``(A1(V*)``.  CoNLL-2004 repeats labels where they
close, ``*A0)``.

>>> spans, broken = spans_of(["(A0*", "*)", "(V*)", "(A1(AM-TMP*))"])
>>> spans
[('A0', 0, 1), ('V', 2, 2), ('A1', 3, 3), ('AM-TMP', 3, 3)]
>>> spans_of(["*", "*)"])[1][0].found
"'*)' with nothing to close"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

CACHED = 65_536
"""Distinct cells that are remembered."""

_CELL = re.compile(r"((?:\([^()*\s]+)*)\*((?:[^()*\s]*\))*)")

Span = tuple[str, int, int]
"""Label, first and last word."""


class Broken(NamedTuple):
    """A cell with something wrong."""

    place: int
    """The position of its word."""
    found: str
    expected: str


@lru_cache(maxsize=CACHED)
def labels_in(cell: str) -> tuple[list[str], list[str]] | None:
    """The labels that a cell opens, and those that it closes, as written.

    Returns:
        Both, in order; ``None`` if it is no such cell.

    >>> labels_in("(A1(V*)"), labels_in("*A0)"), labels_in("-")
    ((['A1', 'V'], ['']), ([], ['A0']), None)
    """
    match = _CELL.fullmatch(cell)
    return match and (match[1].split("(")[1:], match[2].split(")")[:-1])


def spans_of(cells: Sequence[str]) -> tuple[list[Span], list[Broken]]:
    """The spans of a column, in the order in which they open.

    Args:
        cells: the column, shape (words,).

    Returns:
        The spans, outer ones first, and everything that is wrong.
    """
    found: list[Span] = []
    broken: list[Broken] = []
    waiting: list[int] = []
    for place, cell in enumerate(cells):
        if cell == "*":
            continue
        pieces = labels_in(cell)
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
