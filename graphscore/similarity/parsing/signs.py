"""A formula in a line of text, taken apart into names, numbers, texts and signs.

Nothing of it is ever evaluated as Python; texts in quotes are spelled as Python spells
them, so that what ``repr`` writes can be read.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from graphscore.similarity.expression import FormulaError

LONGEST = 20_000
"""Characters of a formula."""

AROUND = 30
"""Characters that messages show on either side of what is wrong."""

SHOWN = 72
"""Characters of a formula that messages show whole."""

DIGITS = 300
"""Of a number."""

Sort = Literal["name", "number", "text", "sign", "end"]

_TEXT = (
    r"""'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+\""""
    # What is not closed is found to be so, and not read as anything else.
    r"""|(?P<open>['"])"""
)
_PIECE = re.compile(
    r"\s*(?:"
    r"(?P<name>[^\W\d]\w*)"
    r"|(?P<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\w*)"
    rf"|(?P<text>{_TEXT})"
    r"|(?P<sign>>=|[][(){},=:*+>-])"
    r"|(?P<other>\S)"
    r"|(?P<end>\Z))"
)
_NUMBER = re.compile(r"\d+|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?")
_ESCAPE = re.compile(
    r"\\(?:[\\'\"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|"
    r"(?P<bad>.))"
)
_OTHER = {
    ".": "a formula has names, calls and constants, and no attributes",
    "<": "expected > or >= and a number after the similarity",
    "/": "expected a sign between similarities: * + - > >=",
}


class Spot(NamedTuple):
    """A part of a text: its first character, and the one after its last."""

    start: int
    end: int

    def to(self, other: Spot) -> Spot:
        """From here to the end of another."""
        return Spot(self.start, other.end)


class Piece(NamedTuple):
    """A name, number, text or sign."""

    sort: Sort
    value: Any
    """The name or sign itself, the number, or what the text says."""
    spot: Spot


def refused(problem: str, text: str, spot: Spot) -> FormulaError:
    """What is said of a mistake, with the text around it and where it is.

    Args:
        problem: what is wrong, and what was expected.
        text: the whole formula.
        spot: the part of it that is wrong.

    Example:
        >>> print(refused("no such name", "exact(lable)", Spot(6, 11)))
        no such name
            exact(lable)
                  ^^^^^
    """
    first = max(0, spot.start - AROUND) if len(text) > SHOWN else 0
    width = min(max(spot.end, spot.start + 1) - spot.start, 2 * AROUND)
    last = min(len(text), max(spot.start + width + AROUND, first + SHOWN))
    left, right = "…" * (first > 0), "…" * (last < len(text))
    before = left + _shown(text[first : spot.start])
    marked = _shown(text[spot.start : spot.start + width])
    after = _shown(text[spot.start + width : last]) + right
    # At the end of the text there is nothing to be marked.
    return FormulaError(problem, f"{before}{marked}{after}", marked or " ", before)


def _shown(text: str) -> str:
    """Text on one line, a column for a character."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a formula, and its end.

    Args:
        text: the formula.

    Raises:
        FormulaError: if something stands there that no formula has.

    Example:
        >>> [(piece.sort, piece.value) for piece in pieces("nodes('a', 1.5)")]
        ... # doctest: +NORMALIZE_WHITESPACE
        [('name', 'nodes'), ('sign', '('), ('text', 'a'), ('sign', ','),
         ('number', 1.5), ('sign', ')'), ('end', '')]
    """
    if len(text) > LONGEST:
        raise FormulaError(
            f"found a formula of {len(text):,} characters, expected at most "
            f"{LONGEST:,}: put it in a file, -m file.py:name"
        )
    place = 0
    while True:
        found = _PIECE.match(text, place)
        assert found is not None
        sort: Any = found.lastgroup if found["open"] is None else "open"
        whole = found[sort]
        spot = Spot(found.start(sort), found.end(sort))
        if sort == "end":
            yield Piece("end", "", spot)
            return
        yield Piece(*_read(sort, whole, text, spot), spot)
        place = found.end()


def _read(sort: str, whole: str, text: str, spot: Spot) -> tuple[Sort, Any]:
    if sort == "number":
        return "number", _number(whole, text, spot)
    if sort == "text":
        return "text", _text(whole, text, spot)
    if sort == "open":
        rest = Spot(spot.start, len(text))
        raise refused(f"a text that is not closed, expected {whole}", text, rest)
    if sort == "other":
        hint = _OTHER.get(whole, "expected names, calls, constants and * + - > >=")
        raise refused(f"found {whole!r}: {hint}", text, spot)
    if sort == "name" and text[spot.end : spot.end + 1] in ("'", '"'):
        said = f"found {whole} before a quote, expected a plain text such as 'mention'"
        raise refused(said, text, spot)
    return ("name" if sort == "name" else "sign"), whole


def _number(whole: str, text: str, spot: Spot) -> int | float:
    if not _NUMBER.fullmatch(whole):
        raise refused(f"{whole!r} is no number, expected one such as 0.5", text, spot)
    if len(whole) > DIGITS:
        said = f"a number of {len(whole):,} digits, expected at most {DIGITS}"
        raise refused(said, text, spot)
    if whole.isdecimal():
        if len(whole) > 1 and whole[0] == "0":
            raise refused(f"{whole!r} begins with 0, expected a number", text, spot)
        return int(whole)
    number = float(whole)
    if math.isinf(number):
        raise refused(f"{whole} is no finite number", text, spot)
    return number


def _text(whole: str, text: str, spot: Spot) -> str:
    for escape in _ESCAPE.finditer(whole):
        if escape["bad"] is not None:
            at = Spot(spot.start + escape.start(), spot.start + escape.end())
            said = f"{escape[0]} says nothing, expected \\\\ for a backslash"
            raise refused(said, text, at)
    try:
        made: str = ast.literal_eval(whole)
    except (SyntaxError, ValueError):
        raise refused("a text that no program can spell", text, spot) from None
    return made
