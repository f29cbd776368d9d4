"""Type checking of conditions: text is compared with text, numbers with numbers.

SQLite compares a text with a number without complaint, and every text is larger.  What
it has compiled is read once more here, for the kinds of what stands beside a
comparison; what this does not know is left to it.

>>> named = Names({"score": "number"}, frozenset(), frozenset())
>>> wrong("system.score < 'high'", named)
"'high', a text, beside system.score, a number, expected both of one kind"
>>> wrong("system.text in ('a', 3)", named)
'3, a number, beside system.text, a text, expected both of one kind'
>>> wrong("gold.pos = 'NN' and gold.start < 0.5 and system.score > 1", named)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from graphscore.model.normalize import fold

Kind = Literal["text", "number"]

TEXTS = frozenset({"type", "text", "class", "resolution", "ids"})
"""Columns that are text."""

EITHER = frozenset({"confidence"})
"""Columns that may be a number or text."""

NUMBERS = frozenset(
    {"start", "end", "low", "entries", "copy", "mentions", "known", "found", "fuzzy"}
    | {"conditional", "partial", "ignored"}
)

GIVE_TEXT = frozenset({"lower", "upper", "substr", "trim", "ltrim", "rtrim", "alias"})
GIVE_EITHER = frozenset({"coalesce", "ifnull", "nullif", "max", "min"})
"""Functions of the type of their arguments; every other one gives a number."""

LIST, ALIASES = "listed", "alias"
"""Functions whose second argument is the name of a list, or of a table of aliases."""

_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<value>:\w+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><>|!=|==|<=|>=|\|\||<<|>>|[-+*/%=<>(),.~&|]))"
)

NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?")
"""Pattern of a number in a text."""

_BINDING = {
    **dict.fromkeys(("=", "==", "<>", "!="), 4),
    **dict.fromkeys(("<", "<=", ">", ">="), 5),
    **dict.fromkeys(("&", "|", "<<", ">>"), 6),
    **dict.fromkeys(("+", "-"), 7),
    **dict.fromkeys(("*", "/", "%"), 8),
    **{"or": 1, "and": 2, "||": 9},
}
_EQUAL, _NOT = 4, 3


class Names(NamedTuple):
    """Names allowed in conditions beside columns."""

    properties: Mapping[str, Kind] = {}
    """Kinds of properties that are declared."""
    lists: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()


class _Found(NamedTuple):
    """An operand: its kind, and how it is written."""

    kind: Kind | None
    said: str
    free: str = ""
    """The property that it is, where nothing says its kind."""


class _UnknownError(Exception):
    """Something that this does not read."""


def wrong(
    condition: str, names: Names, values: Mapping[str, float | str] | None = None
) -> str | None:
    """Return the first type error or unknown name of a condition, or ``None``.

    Args:
        condition: one that SQLite takes.
        names: what there is to be named.
        values: the values that it may call ``:name``.

    Returns:
        What was found and what was expected; nothing if all is well.
    """
    reader = _Reader(condition, names, values or {})
    with suppress(_UnknownError, IndexError, RecursionError):
        reader.expression(0)
    return reader.problem


class _Reader:
    """Reads an expression by the binding of its operators."""

    def __init__(
        self, condition: str, names: Names, values: Mapping[str, float | str]
    ) -> None:
        self.names, self.values = names, values
        self.problem: str | None = None
        self.condition = condition
        self.tokens: list[tuple[str, str]] = []
        self.places: list[tuple[int, int]] = []
        place = 0
        while sign := _TOKEN.match(condition, place):
            kind = str(sign.lastgroup)
            word = sign[kind]
            self.tokens.append((kind, word.lower() if kind == "name" else word))
            self.places.append(sign.span(kind))
            place = sign.end()
        self.tokens.append(("end", ""))
        self.at = 0

    def word(self) -> str:
        """The present sign; nothing for a string, which is no word."""
        kind, word = self.tokens[self.at]
        return "" if kind == "text" else word

    def take(self, word: str) -> bool:
        """Go past a word, if it stands here."""
        if self.word() != word:
            return False
        self.at += 1
        return True

    def must(self, word: str) -> None:
        if not self.take(word):
            raise _UnknownError

    def expression(self, least: int) -> _Found:
        start = self.at
        left = self.first()
        while True:
            word = self.word()
            binding = _BINDING.get(word)
            if binding is not None and binding >= max(least, 1):
                self.at += 1
                right = self.expression(binding + 1)
                if binding in (4, 5):
                    self.compare(left, right)
                kind: Kind = "text" if word == "||" else "number"
                left = _Found(kind, self.said(start))
            elif least <= _EQUAL and word in _AFTER:
                left = self.after(left, start)
            else:
                return left

    def after(self, left: _Found, start: int) -> _Found:
        """Parse what follows an operand: ``in``, ``between``, ``is``."""
        if self.take("not") and self.take("null"):
            return _Found("number", self.said(start))
        if self.take("between"):
            self.compare(left, self.expression(_EQUAL + 1))
            self.must("and")
            self.compare(left, self.expression(_EQUAL + 1))
        elif self.take("in"):
            self.must("(")
            for each in self.listed():
                self.compare(left, each)
        elif self.take("is"):
            self.take("not")
            if self.take("distinct"):
                self.must("from")
            self.compare(left, self.expression(_EQUAL + 1))
        elif not (self.take("isnull") or self.take("notnull")):
            raise _UnknownError
        return _Found("number", self.said(start))

    def first(self) -> _Found:
        start = self.at
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return _Found("text", word)
        if kind == "number":
            return _Found("number", word)
        if kind == "value":
            given = self.values.get(word[1:])
            return _Found("text" if isinstance(given, str) else "number", word)
        if word == "not":
            self.expression(_NOT)
            return _Found("number", self.said(start))
        if word in ("-", "+", "~"):
            self.expression(9)
            return _Found("number", self.said(start))
        if word == "(":
            inner = self.listed()
            return inner[0] if len(inner) == 1 else _Found(None, self.said(start))
        if kind != "name":
            raise _UnknownError
        if word in ("true", "false"):
            return _Found("number", word)
        if word == "null":
            return _Found(None, word)
        if word == "case":
            return self.case(start)
        if word == "cast":
            raise _UnknownError
        if self.take("("):
            return self.call(word, start)
        if self.take("."):
            table, word = word, self.word()
            self.at += 1
            return self.column(word, f"{table}.{word}", table)
        return self.column(word, word, "")

    def case(self, start: int) -> _Found:
        base = None if self.word() == "when" else self.expression(0)
        result = []
        while self.take("when"):
            asked = self.expression(0)
            if base is not None:
                self.compare(base, asked)
            self.must("then")
            result.append(self.expression(0))
        if self.take("else"):
            result.append(self.expression(0))
        self.must("end")
        return _Found(_common(result), self.said(start))

    def call(self, name: str, start: int) -> _Found:
        given = [] if self.take(")") else self.listed()
        for function, there, what in (
            (LIST, self.names.lists, "lists"),
            (ALIASES, self.names.aliases, "aliases"),
        ):
            if name == function and len(given) == 2:
                said = given[1].said
                if said[:1] != "'" or fold(said.strip("'")) not in there:
                    listed = ", ".join(sorted(there)) or "none"
                    self.note(f"{said}, expected one of [{what}], in quotes: {listed}")
        if name in GIVE_TEXT:
            return _Found("text", self.said(start))
        if name in GIVE_EITHER:
            return _Found(_common(given), self.said(start))
        return _Found("number", self.said(start))

    def listed(self) -> list[_Found]:
        """Expressions with commas, and the bracket that ends them."""
        result = []
        if not self.take(")"):
            result.append(self.expression(0))
            while self.take(","):
                result.append(self.expression(0))
            self.must(")")
        return result

    def column(self, name: str, said: str, table: str) -> _Found:
        if table in ("overlap", "mentions", "near", "within") or name in NUMBERS:
            return _Found("number", said)
        if name in TEXTS:
            return _Found("text", said)
        declared = self.names.properties.get(name)
        free = "" if declared or name in EITHER else name
        return _Found(declared, said, free)

    def compare(self, left: _Found, right: _Found) -> None:
        """Note two operands that cannot be compared."""
        if {left.kind, right.kind} == {"text", "number"}:
            order = (right, left) if _literal(right) else (left, right)
            message = ", beside ".join(f"{each.said}, a {each.kind}" for each in order)
            self.note(f"{message}, expected both of one kind")
        for mine, other in ((left, right), (right, left)):
            bare = other.said.strip("'")
            if mine.free and other.kind == "text" and NUMBER.fullmatch(bare):
                self.note(
                    f"{other.said} beside the property {mine.free}, expected {bare}, "
                    f"or [properties] {mine.free} = 'text'"
                )

    def note(self, problem: str) -> None:
        self.problem = self.problem or problem

    def said(self, start: int) -> str:
        """Return the approximate text of what was read since a token."""
        text = self.condition[self.places[start][0] : self.places[self.at - 1][1]]
        return text if len(text) <= 40 else text[:37] + "..."


_AFTER = frozenset({"not", "between", "in", "is", "isnull", "notnull"})


def _literal(found: _Found) -> bool:
    return found.said[:1] in "'0123456789."


def _common(found: Sequence[_Found]) -> Kind | None:
    kinds = {each.kind for each in found}
    return kinds.pop() if len(kinds) == 1 else None
