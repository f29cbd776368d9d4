"""Patterns: blocks of clauses, as the language writes them.

A pattern prints as it is read, apart from blanks: ``parse(str(p)) == p``.  Where a
clause stands in its source is kept for messages, and is no part of what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Side = Literal["gold", "system"]

SIDES: tuple[Side, Side] = ("gold", "system")

ANY = "*"
"""Any node, as an end of an edge that only has to be there."""

PARTS = ("1", "2")
"""Parts of the label of an edge: before a colon, and behind."""

BARE = r"[^\s\"\[\]{}(),;|=<>!^*%]+"
"""Words that need no quotes within brackets."""

_BARE = re.compile(BARE)

_NAME = re.compile(r"[^\W\d]\w*")

_OPEN_QUOTE = re.compile(r'(?<!\\)((?:\\\\)*)"')


def _at() -> int:
    """A place in the source, which is not compared."""
    offset: int = field(default=0, compare=False, repr=False)
    return offset


def quote(text: str) -> str:
    r"""A string in quotes.

    >>> print(quote('a "b"'))
    "a \"b\""
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


SLASHES = re.compile(r"/.+/i?", re.DOTALL)
"""Form of regular expressions, which no unquoted word may have."""


def _word(text: str) -> str:
    bare = _BARE.fullmatch(text) and not SLASHES.fullmatch(text)
    return text if bare else quote(text)


@dataclass(frozen=True)
class Regex:
    """A regular expression of Python, which matches the whole of a value."""

    text: str

    def __str__(self) -> str:
        return 're"' + _OPEN_QUOTE.sub(r'\1\\"', self.text) + '"'


Value = str | Regex


def _value(value: Value) -> str:
    return _word(value) if isinstance(value, str) else str(value)


Sign = Literal["=", "<>", "has", "lacks"]


@dataclass(frozen=True)
class Test:
    """Test of one feature of a node or edge.

    Example:
        >>> print(Test("pos", "=", ("VERB", Regex("AUX.*"))), Test("tense", "lacks"))
        pos=VERB|re"AUX.*" !tense
    """

    # No test, whatever pytest takes it for.
    __test__ = False

    name: str
    sign: Sign
    values: tuple[Value, ...] = ()
    at: int = _at()

    def __str__(self) -> str:
        name = _word(self.name)
        if self.sign == "has":
            return name
        if self.sign == "lacks":
            return f"!{name}"
        return f"{name}{self.sign}{'|'.join(map(_value, self.values))}"


@dataclass(frozen=True)
class NodeClause:
    """``X [label=dog, !pos]``."""

    name: str
    tests: tuple[Test, ...] = ()
    at: int = _at()

    def __str__(self) -> str:
        return f"{self.name} [{', '.join(map(str, self.tests))}]"


@dataclass(frozen=True)
class EdgeClause:
    """``e: X -[ARG1|ARG2]-> Y``; either end may be ``*``, any node."""

    source: str
    target: str
    tests: tuple[Test, ...] = ()
    name: str = ""
    at: int = _at()

    def __str__(self) -> str:
        start = f"{self.name}: " if self.name else ""
        return f"{start}{self.source} {self._arrow()} {self.target}"

    def _arrow(self) -> str:
        if not self.tests:
            return "->"
        [first, *more] = self.tests
        if first.name == "label" and not more and first.values:
            values = "|".join(map(_value, first.values))
            return f"-[{'^' if first.sign == '<>' else ''}{values}]->"
        # A word by itself would be a label.
        begin = f"{first}=*" if first.sign == "has" else str(first)
        return f"-[{', '.join((begin, *map(str, more)))}]->"


@dataclass(frozen=True)
class PathClause:
    """``X ->> Y``: one or more edges lead from one to the other."""

    source: str
    target: str
    at: int = _at()

    def __str__(self) -> str:
        return f"{self.source} ->> {self.target}"


@dataclass(frozen=True)
class OrderClause:
    """``X < Y``, ``X << Y``: one stands before the other in the text."""

    left: str
    sign: Literal["<", "<<"]
    right: str
    at: int = _at()

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True)
class Feature:
    """``X.lemma``: a feature of a node or edge."""

    owner: str
    name: str
    at: int = _at()

    def __str__(self) -> str:
        plain = _NAME.fullmatch(self.name)
        return f"{self.owner}.{self.name if plain else quote(self.name)}"


@dataclass(frozen=True)
class FeatureClause:
    """``X.lemma = Y.lemma``, ``X.pos <> "VERB"``, ``X.__id__ < Y.__id__``."""

    left: Feature
    sign: Literal["=", "<>", "<"]
    right: Feature | Value
    at: int = _at()

    def __str__(self) -> str:
        right = quote(self.right) if isinstance(self.right, str) else self.right
        return f"{self.left} {self.sign} {right}"


@dataclass(frozen=True)
class TopClause:
    """``top(X)``."""

    node: str
    at: int = _at()

    def __str__(self) -> str:
        return f"top({self.node})"


Verdict = Literal["missing", "spurious", "matched", "wrong"]


@dataclass(frozen=True)
class VerdictClause:
    """``missing(X)``, ``spurious(X -[ARG1]-> Y)``, ``wrong(X.label)``."""

    verdict: Verdict
    subject: str | Feature | EdgeClause
    at: int = _at()

    def __str__(self) -> str:
        return f"{self.verdict}({self.subject})"


@dataclass(frozen=True)
class GlobalClause:
    """``sent_id="a-1"``, ``is_projective``: something about whole graphs."""

    test: Test
    at: int = _at()

    def __str__(self) -> str:
        return str(self.test)


Clause = (
    NodeClause
    | EdgeClause
    | PathClause
    | OrderClause
    | FeatureClause
    | TopClause
    | VerdictClause
)


@dataclass(frozen=True)
class SideBlock:
    """``gold { … }`` or ``system { … }``: clauses about the graph of one side."""

    side: Side
    clauses: tuple[Clause, ...]
    at: int = _at()

    def __str__(self) -> str:
        return _in_braces(self.side, self.clauses)


Kind = Literal["pattern", "with", "without", "global"]


@dataclass(frozen=True)
class Block:
    """``pattern { … }``, ``with { … }``, ``without { … }`` or ``global { … }``."""

    kind: Kind
    clauses: tuple[Clause | SideBlock | GlobalClause, ...]
    at: int = _at()

    def __str__(self) -> str:
        return _in_braces(self.kind, self.clauses)


@dataclass(frozen=True)
class Pattern:
    """A whole pattern: what is searched, and what has to be or must not be besides.

    Args:
        blocks: in the order in which they are written.
        source: the text that it was read from, for messages.
    """

    blocks: tuple[Block | SideBlock, ...]
    source: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return " ".join(map(str, self.blocks))


def _in_braces(name: str, clauses: tuple[object, ...]) -> str:
    within = "; ".join(map(str, clauses))
    return f"{name} {{ {within} }}" if within else f"{name} {{ }}"
