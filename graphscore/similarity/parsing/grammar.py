"""The grammar of formulas: that of the Python which ``repr`` writes, and no more.

::

    formula    = sum [(">" | ">=") sum]
    sum        = product {("+" | "-") product}
    product    = part {"*" part}
    part       = "-" number | number | text | name | call | group | table | set | list
    call       = name "(" [argument {"," argument} [","]] ")"
    argument   = formula | name "=" formula
    group      = "(" formula ")" | "(" [formula "," {formula ","} [formula]] ")"
    table      = "{" [formula ":" formula {"," formula ":" formula} [","]] "}"
    set        = "{" formula {"," formula} [","] "}"
    list       = "[" [formula {"," formula} [","]] "]"

What comes of it is a tree whose parts know where they stand.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from typing import Any, Literal

from graphscore.similarity.parsing.signs import Piece, Spot, pieces, refused

DEEPEST = 50
"""So deep calls and brackets may stand in one another."""

Members = Literal["tuple", "list", "set"]

_WORDS = {"True": True, "False": False, "None": None}


@dataclass(frozen=True)
class Constant:
    """A number, a text, or one of ``True``, ``False`` and ``None``."""

    value: Any
    spot: Spot


@dataclass(frozen=True)
class Name:
    """A name that is not called."""

    name: str
    spot: Spot


@dataclass(frozen=True)
class Call:
    """A call: its name, and its arguments without and with names."""

    name: Name
    placed: tuple[Tree, ...]
    named: tuple[tuple[Name, Tree], ...]
    spot: Spot


@dataclass(frozen=True)
class Signed:
    """Parts with signs between: ``signs`` are as many, the first one is empty."""

    parts: tuple[Tree, ...]
    signs: tuple[str, ...]
    spot: Spot


@dataclass(frozen=True)
class Several:
    """Members of a tuple, list or set."""

    sort: Members
    members: tuple[Tree, ...]
    spot: Spot


@dataclass(frozen=True)
class Table:
    """Keys and what they stand for."""

    rows: tuple[tuple[Tree, Tree], ...]
    spot: Spot


Tree = Constant | Name | Call | Signed | Several | Table


def tree_of(text: str) -> Tree:
    """A formula as a tree.

    Args:
        text: the formula.

    Raises:
        FormulaError: if it is none; with the place, and what was expected there.

    Example:
        >>> tree_of("exact(label)").name.name
        'exact'
    """
    reader = _Reader(text)
    found = reader.formula()
    if reader.next.sort != "end":
        raise reader.unexpected("the end, or a sign such as * or +")
    return found


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.depth = text, 0
        self._pieces = list(pieces(text))
        self._place = 0

    @property
    def next(self) -> Piece:
        """What stands next."""
        return self._pieces[self._place]

    def take(self) -> Piece:
        """Go on."""
        piece = self.next
        self._place += 1
        return piece

    def at(self, *signs: str) -> bool:
        """Whether one of these signs stands next."""
        return self.next.sort == "sign" and self.next.value in signs

    def unexpected(self, expected: str) -> Exception:
        """What is said of what stands next."""
        found, spot = self.next, self.next.spot
        said = "nothing more" if found.sort == "end" else self.text[slice(*spot)]
        if found.sort == "name" and keyword.iskeyword(found.value):
            said += " (of Python, which this is not)"
        return refused(f"found {said}, expected {expected}", self.text, spot)

    def formula(self) -> Tree:
        """A sum, and perhaps what it must exceed."""
        self.depth += 1
        if self.depth > DEEPEST:
            said = f"found more than {DEEPEST} brackets in one another"
            raise refused(f"{said}, expected fewer", self.text, self.next.spot)
        left = self._sum()
        if self.at(">", ">="):
            sign = self.take().value
            right = self._sum()
            spot = left.spot.to(right.spot)
            left = Signed((left, right), ("", sign), spot)
            if self.at(">", ">="):
                raise self.unexpected("one comparison; brackets make another")
        self.depth -= 1
        return left

    def _sum(self) -> Tree:
        return self._signed(self._product, "+", "-")

    def _product(self) -> Tree:
        return self._signed(self._part, "*")

    def _signed(self, read: Any, *signs: str) -> Tree:
        parts, between = [read()], [""]
        while self.at(*signs):
            between.append(self.take().value)
            parts.append(read())
        if len(parts) == 1:
            one: Tree = parts[0]
            return one
        spot = parts[0].spot.to(parts[-1].spot)
        return Signed(tuple(parts), tuple(between), spot)

    def _part(self) -> Tree:
        piece = self.next
        if piece.sort in ("number", "text"):
            self.take()
            return Constant(piece.value, piece.spot)
        if self.at("-"):
            self.take()
            if self.next.sort != "number":
                raise self.unexpected("a number after -")
            number = self.take()
            return Constant(-number.value, piece.spot.to(number.spot))
        if self.at("("):
            return self._group()
        if self.at("["):
            return self._several("list")
        if self.at("{"):
            return self._braces()
        if piece.sort != "name" or (
            keyword.iskeyword(piece.value) and piece.value not in _WORDS
        ):
            raise self.unexpected("a name, a call, a number or a text in quotes")
        self.take()
        if piece.value in _WORDS:
            return Constant(_WORDS[piece.value], piece.spot)
        name = Name(piece.value, piece.spot)
        return self._call(name) if self.at("(") else name

    def _call(self, name: Name) -> Tree:
        placed: list[Tree] = []
        named: list[tuple[Name, Tree]] = []
        self.take()
        while not self.at(")"):
            following = self._pieces[self._place + 1 : self._place + 2]
            equals = following and following[0].value == "="
            if self.next.sort == "name" and equals and following[0].sort == "sign":
                piece = self.take()
                self.take()
                named.append((Name(piece.value, piece.spot), self.formula()))
            else:
                start = self.next.spot
                value = self.formula()
                if named:
                    said = "found an argument without a name after one with a name"
                    raise refused(said, self.text, start.to(value.spot))
                placed.append(value)
            self._comma(")")
        end = self.take()
        return Call(name, tuple(placed), tuple(named), name.spot.to(end.spot))

    def _comma(self, closing: str) -> None:
        """Go past a comma between members, unless the brackets close."""
        if self.at(","):
            self.take()
        elif not self.at(closing):
            raise self.unexpected(f", or {closing}")

    def _group(self) -> Tree:
        start = self.take()
        if self.at(")"):
            return Several("tuple", (), start.spot.to(self.take().spot))
        first = self.formula()
        if self.at(")"):
            self.take()
            return first
        return self._rest("tuple", start, first, ")")

    def _several(self, sort: Members) -> Tree:
        start = self.take()
        if self.at("]"):
            return Several(sort, (), start.spot.to(self.take().spot))
        return self._rest(sort, start, self.formula(), "]")

    def _rest(self, sort: Members, start: Piece, first: Tree, closing: str) -> Tree:
        members = [first]
        self._comma(closing)
        while not self.at(closing):
            members.append(self.formula())
            self._comma(closing)
        return Several(sort, tuple(members), start.spot.to(self.take().spot))

    def _braces(self) -> Tree:
        start = self.take()
        if self.at("}"):
            return Table((), start.spot.to(self.take().spot))
        first = self.formula()
        if not self.at(":"):
            return self._rest("set", start, first, "}")
        self.take()
        rows = [(first, self.formula())]
        self._comma("}")
        while not self.at("}"):
            key = self.formula()
            if not self.at(":"):
                raise self.unexpected(": and what it stands for")
            self.take()
            rows.append((key, self.formula()))
            self._comma("}")
        return Table(tuple(rows), start.spot.to(self.take().spot))
