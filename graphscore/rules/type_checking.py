"""Type checking of conditions: text is compared with text, numbers with numbers.

SQLite compares a text with a number without complaint, and every text is larger.  What
it has compiled is read once more here, for the kinds of what stands beside a
comparison; what this does not know is left to it.

>>> named = Names({"score": "number"}, frozenset(), frozenset())
>>> find_type_error("system.score < 'high'", named)
"'high', a text, beside system.score, a number, expected both of one kind"
>>> find_type_error("system.text in ('a', 3)", named)
'3, a number, beside system.text, a text, expected both of one kind'
>>> find_type_error("gold.pos = 'NN' and gold.start < 0.5 and system.score > 1", named)
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


class _Operand(NamedTuple):
    """An operand: its kind, and how it is written."""

    kind: Kind | None
    text: str
    free: str = ""
    """The property that it is, where nothing says its kind."""


class _UnknownError(Exception):
    """Something that this does not read."""


def find_type_error(
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
        index = 0
        while sign := _TOKEN.match(condition, index):
            kind = str(sign.lastgroup)
            word = sign[kind]
            self.tokens.append((kind, word.lower() if kind == "name" else word))
            self.places.append(sign.span(kind))
            index = sign.end()
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

    def expression(self, least: int) -> _Operand:
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
                left = _Operand(kind, self.text_since(start))
            elif least <= _EQUAL and word in _AFTER:
                left = self.after(left, start)
            else:
                return left

    def after(self, left: _Operand, start: int) -> _Operand:
        """Parse what follows an operand: ``in``, ``between``, ``is``."""
        if self.take("not") and self.take("null"):
            return _Operand("number", self.text_since(start))
        if self.take("between"):
            self.compare(left, self.expression(_EQUAL + 1))
            self.must("and")
            self.compare(left, self.expression(_EQUAL + 1))
        elif self.take("in"):
            self.must("(")
            for operand in self.listed():
                self.compare(left, operand)
        elif self.take("is"):
            self.take("not")
            if self.take("distinct"):
                self.must("from")
            self.compare(left, self.expression(_EQUAL + 1))
        elif not (self.take("isnull") or self.take("notnull")):
            raise _UnknownError
        return _Operand("number", self.text_since(start))

    def first(self) -> _Operand:
        start = self.at
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return _Operand("text", word)
        if kind == "number":
            return _Operand("number", word)
        if kind == "value":
            value = self.values.get(word[1:])
            return _Operand("text" if isinstance(value, str) else "number", word)
        if word == "not":
            self.expression(_NOT)
            return _Operand("number", self.text_since(start))
        if word in ("-", "+", "~"):
            self.expression(9)
            return _Operand("number", self.text_since(start))
        if word == "(":
            inner = self.listed()
            return (
                inner[0] if len(inner) == 1 else _Operand(None, self.text_since(start))
            )
        if kind != "name":
            raise _UnknownError
        if word in ("true", "false"):
            return _Operand("number", word)
        if word == "null":
            return _Operand(None, word)
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

    def case(self, start: int) -> _Operand:
        base = None if self.word() == "when" else self.expression(0)
        result = []
        while self.take("when"):
            case = self.expression(0)
            if base is not None:
                self.compare(base, case)
            self.must("then")
            result.append(self.expression(0))
        if self.take("else"):
            result.append(self.expression(0))
        self.must("end")
        return _Operand(_common(result), self.text_since(start))

    def call(self, name: str, start: int) -> _Operand:
        arguments = [] if self.take(")") else self.listed()
        for function, known, what in (
            (LIST, self.names.lists, "lists"),
            (ALIASES, self.names.aliases, "aliases"),
        ):
            if name == function and len(arguments) == 2:
                text = arguments[1].text
                if text[:1] != "'" or fold(text.strip("'")) not in known:
                    listed = ", ".join(sorted(known)) or "none"
                    self.note(f"{text}, expected one of [{what}], in quotes: {listed}")
        if name in GIVE_TEXT:
            return _Operand("text", self.text_since(start))
        if name in GIVE_EITHER:
            return _Operand(_common(arguments), self.text_since(start))
        return _Operand("number", self.text_since(start))

    def listed(self) -> list[_Operand]:
        """Expressions with commas, and the bracket that ends them."""
        result = []
        if not self.take(")"):
            result.append(self.expression(0))
            while self.take(","):
                result.append(self.expression(0))
            self.must(")")
        return result

    def column(self, name: str, text: str, table: str) -> _Operand:
        if table in ("overlap", "mentions", "near", "within") or name in NUMBERS:
            return _Operand("number", text)
        if name in TEXTS:
            return _Operand("text", text)
        declared = self.names.properties.get(name)
        free = "" if declared or name in EITHER else name
        return _Operand(declared, text, free)

    def compare(self, left: _Operand, right: _Operand) -> None:
        """Note two operands that cannot be compared."""
        if {left.kind, right.kind} == {"text", "number"}:
            order = (right, left) if _literal(right) else (left, right)
            message = ", beside ".join(
                f"{operand.text}, a {operand.kind}" for operand in order
            )
            self.note(f"{message}, expected both of one kind")
        for free, text in ((left.free, right), (right.free, left)):
            bare = text.text.strip("'")
            if free and text.kind == "text" and NUMBER.fullmatch(bare):
                self.note(
                    f"{text.text} beside the property {free}, expected {bare}, "
                    f"or [properties] {free} = 'text'"
                )

    def note(self, problem: str) -> None:
        self.problem = self.problem or problem

    def text_since(self, start: int) -> str:
        """Return the approximate text of what was read since a token."""
        text = self.condition[self.places[start][0] : self.places[self.at - 1][1]]
        return text if len(text) <= 40 else text[:37] + "..."


_AFTER = frozenset({"not", "between", "in", "is", "isnull", "notnull"})


def _literal(operand: _Operand) -> bool:
    return operand.text[:1] in "'0123456789."


def _common(operands: Sequence[_Operand]) -> Kind | None:
    kinds = {operand.kind for operand in operands}
    return kinds.pop() if len(kinds) == 1 else None
