"""From the text of a pattern to what it says, or to a message that points into it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from warnings import catch_warnings, simplefilter

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import (
    UnexpectedCharacters,
    UnexpectedEOF,
    UnexpectedInput,
    UnexpectedToken,
    VisitError,
)

from graphscore.exceptions import UsageError
from graphscore.find.pattern import (
    BARE,
    SLASHES,
    Block,
    EdgeClause,
    Feature,
    FeatureClause,
    GlobalClause,
    NodeClause,
    OrderClause,
    PathClause,
    Pattern,
    Regex,
    SideBlock,
    Test,
    TopClause,
    Value,
    VerdictClause,
)

GRAMMAR = r"""
start: (block | side | globally)+
globally: GLOBAL "{" ";"* [whole (";"+ whole)* ";"*] "}"
whole: NAME (EQUAL | UNLIKE) values
     | NAME
block: (PATTERN | WITHOUT | WITH) "{" _body "}"
side: (GOLD | SYSTEM) "{" _clauses "}"
_body: ";"* [_item (";"+ _item)* ";"*]
_item: clause | side
_clauses: ";"* [clause (";"+ clause)* ";"*]

?clause: node | edge | path | order | compared | top | verdict

node: NAME "[" [test ("," test)*] "]"

edge: [NAME ":"] _arrow_between
_arrow_between: end arrow end
plain_edge: end arrow end
end: NAME | STAR
arrow: ARROW | OPEN _edge_tests CLOSE
_edge_tests: labels | first_test ("," test)*
labels: values -> labels_are
      | "^" values -> labels_are_not

?test: first_test
     | word -> has
?first_test: word EQUAL values -> compares
           | word EQUAL STAR -> any_value
           | word UNLIKE values -> compares
           | "!" word -> lacks
values: value ("|" value)*
?value: word | REGEX
word: WORD | STRING

path: NAME PATH NAME
order: NAME (BEFORE | FAR_BEFORE | AFTER | FAR_AFTER) NAME
compared: feature (EQUAL | UNLIKE | BEFORE | AFTER) (feature | constant)
feature: NAME "." (NAME | STRING | NUMBER)
constant: NAME | STRING | REGEX | NUMBER
top: "top" "(" NAME ")"
verdict: (MISSING | SPURIOUS | MATCHED | WRONG) "(" (NAME | feature | plain_edge) ")"

PATTERN: "pattern"
WITHOUT: "without"
WITH: "with"
GOLD: "gold"
SYSTEM: "system"
GLOBAL: "global"
MISSING: "missing"
SPURIOUS: "spurious"
MATCHED: "matched"
WRONG: "wrong"
NAME: /[^\W\d]\w*\$?/
NUMBER: /-?\d+(\.\d+)?/
STAR: "*"
ARROW: "->"
PATH: "->>"
OPEN: "-["
CLOSE: "]->"
EQUAL: "="
UNLIKE: "<>"
BEFORE: "<"
FAR_BEFORE: "<<"
AFTER: ">"
FAR_AFTER: ">>"
STRING.2: /"([^"\\]|\\.)*"/
REGEX.3: /re"([^"\\]|\\.)*"/
WORD: /__BARE__/

%ignore /\s+/
%ignore /%[^\n]*/
""".replace("__BARE__", BARE.replace("/", r"\/"))

_SAID = {
    "PATTERN": "'pattern'",
    "WITH": "'with'",
    "WITHOUT": "'without'",
    "GOLD": "'gold'",
    "SYSTEM": "'system'",
    "GLOBAL": "'global'",
    "MISSING": "missing(",
    "SPURIOUS": "spurious(",
    "MATCHED": "matched(",
    "WRONG": "wrong(",
    "NAME": "a name",
    "NUMBER": "a number",
    "STAR": "'*'",
    "ARROW": "'->'",
    "PATH": "'->>'",
    "OPEN": "'-['",
    "CLOSE": "']->'",
    "EQUAL": "'='",
    "UNLIKE": "'<>'",
    "BEFORE": "'<'",
    "FAR_BEFORE": "'<<'",
    "AFTER": "'>'",
    "FAR_AFTER": "'>>'",
    "STRING": "a string in quotes",
    "REGEX": 're"…"',
    "WORD": "a word",
    "TOP": "top(",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LPAR": "'('",
    "RPAR": "')'",
    "SEMICOLON": "';'",
    "COMMA": "','",
    "COLON": "':'",
    "DOT": "'.'",
    "VBAR": "'|'",
    "BANG": "'!'",
    "CIRCUMFLEX": "'^'",
    "$END": "the end",
}
"""Descriptions of expected terminals."""

_SHOWN = 72
"""Columns of a line of the pattern that a message shows."""


def pattern_error(source: str, at: int, what: str) -> UsageError:
    """An error that points into a pattern.

    Args:
        source: the pattern.
        at: where in it.
        what: what is wrong there.
    """
    before = source[:at]
    line = before.count("\n") + 1
    start = before.rfind("\n") + 1
    text = source[start:].split("\n", 1)[0].expandtabs(1).rstrip("\r")
    column = at - start
    cut = max(0, column - _SHOWN // 2)
    location = (
        f"line {line}, column {column + 1}" if "\n" in source else f"{column + 1}"
    )
    location = location if "\n" in source else f"column {location}"
    shown = text[cut : cut + _SHOWN]
    return UsageError(
        f"in the pattern, {location}: {what}\n  {shown}\n  {' ' * (column - cut)}^"
    )


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(
        GRAMMAR, parser="lalr", propagate_positions=True, maybe_placeholders=False
    )


def parse(source: str) -> Pattern:
    """Read a pattern.

    Args:
        source: its text.

    Returns:
        What it says.

    Raises:
        UsageError: pointing to the place that is wrong, and saying what was expected.

    Example:
        >>> print(parse("pattern { X -[ARG1]-> Y; } without { * -> X }"))
        pattern { X -[ARG1]-> Y } without { * -> X }
    """
    if not source.strip():
        raise pattern_error(source, 0, "found nothing, expected 'pattern { … }'")
    try:
        tree = _parser().parse(source)
    except UnexpectedInput as error:
        raise _syntax_error(source, error) from None
    try:
        blocks = _Reader(source).transform(tree)
    except VisitError as error:
        raise error.orig_exc from None
    return Pattern(tuple(blocks), source)


def _syntax_error(source: str, error: UnexpectedInput) -> UsageError:
    names: set[str] = set()
    at = error.pos_in_stream
    if isinstance(error, UnexpectedToken):
        names = set(error.accepts or error.expected)
        result = f"{str(error.token)!r}"
        if error.token.type == "$END":
            at, result = len(source.rstrip()), "the end"
    elif isinstance(error, UnexpectedEOF):
        names, at, result = set(error.expected), len(source.rstrip()), "the end"
    else:
        assert isinstance(error, UnexpectedCharacters)
        names = set(error.allowed or ())
        result = repr(source[at or 0])
        if source[at or 0] == '"':
            return pattern_error(source, at or 0, "found a quote that is not closed")
    expected_tokens = [text for name, text in _SAID.items() if name in names]
    expected = f", expected {_either(expected_tokens)}" if expected_tokens else ""
    return pattern_error(source, at or 0, f"found {result}{expected}")


def _either(alternatives: list[str]) -> str:
    return (
        alternatives[0]
        if len(alternatives) == 1
        else f"{', '.join(alternatives[:-1])} or {alternatives[-1]}"
    )


_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def _unquote(token: Token) -> str:
    return _ESCAPE.sub(r"\1", token[1:-1]) if token.type == "STRING" else str(token)


def _place(token: Token) -> int:
    return token.start_pos or 0


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """Makes of each rule what it stands for."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self._source = source

    def start(self, *blocks: Any) -> tuple[Any, ...]:
        return blocks

    def block(self, kind: Token, *clauses: Any) -> Block:
        return Block(str(kind), clauses, _place(kind))  # type: ignore[arg-type]

    def globally(self, kind: Token, *clauses: Any) -> Block:
        return Block("global", clauses, _place(kind))

    def whole(self, name: Token, *rest: Any) -> GlobalClause:
        test = Test(str(name), "has", (), _place(name))
        if rest:
            sign, (values, _) = rest
            test = Test(str(name), str(sign), values, _place(name))  # type: ignore[arg-type]
        return GlobalClause(test, _place(name))

    def side(self, side: Token, *clauses: Any) -> SideBlock:
        return SideBlock(str(side), clauses, _place(side))  # type: ignore[arg-type]

    def node(self, name: Token, *tests: Test) -> NodeClause:
        return NodeClause(str(name), tests, _place(name))

    def end(self, token: Token) -> Token:
        return token

    def arrow(self, token: Token, *inside: Any) -> tuple[Test, ...]:
        return inside[:-1]

    def edge(self, *parts: Any) -> EdgeClause:
        *name, source, tests, target = parts
        if name and "*" in (source, target):
            star = source if source == "*" else target
            raise pattern_error(
                self._source,
                _place(star),
                f"the edge {name[0]} has '*' at an end, expected a name there",
            )
        first = name[0] if name else source
        named = str(name[0]) if name else ""
        return EdgeClause(str(source), str(target), tests, named, _place(first))

    plain_edge = edge

    def labels_are(self, values: tuple[tuple[Value, ...], int]) -> Test:
        return Test("label", "=", values[0], values[1])

    def labels_are_not(self, values: tuple[tuple[Value, ...], int]) -> Test:
        return Test("label", "<>", values[0], values[1])

    def compares(
        self, name: Token, sign: Token, values: tuple[tuple[Value, ...], int]
    ) -> Test:
        return Test(_unquote(name), str(sign), values[0], _place(name))  # type: ignore[arg-type]

    def has(self, name: Token) -> Test:
        return Test(_unquote(name), "has", (), _place(name))

    def any_value(self, name: Token, *_: Token) -> Test:
        return self.has(name)

    def lacks(self, name: Token) -> Test:
        return Test(_unquote(name), "lacks", (), _place(name))

    def word(self, token: Token) -> Token:
        return token

    def values(self, *tokens: Token) -> tuple[tuple[Value, ...], int]:
        return tuple(map(self._value, tokens)), _place(tokens[0])

    def _value(self, token: Token) -> Value:
        if token.type == "WORD" and SLASHES.fullmatch(token):
            what = f'found {str(token)!r}, expected re"…" or quotes around the slashes'
            raise pattern_error(self._source, _place(token), what)
        if token.type != "REGEX":
            return _unquote(token)
        text = token[3:-1]
        try:
            with catch_warnings():
                # What another version of Python may take otherwise, this one takes.
                simplefilter("ignore", FutureWarning)
                re.compile(text)
        except RecursionError:
            message = "not a regular expression of Python: nested too deep"
            raise pattern_error(self._source, _place(token) + 3, message) from None
        except (re.error, OverflowError) as error:
            at = _place(token) + 3 + (getattr(error, "pos", 0) or 0)
            what = getattr(error, "msg", str(error))
            raise pattern_error(
                self._source, at, f"not a regular expression of Python: {what}"
            ) from None
        return Regex(text)

    def path(self, source: Token, _: Token, target: Token) -> PathClause:
        return PathClause(str(source), str(target), _place(source))

    def order(self, left: Token, sign: Token, right: Token) -> OrderClause:
        if sign.type in ("AFTER", "FAR_AFTER"):
            left, right = right, left
        near = sign.type in ("BEFORE", "AFTER")
        return OrderClause(
            str(left),
            "<" if near else "<<",
            str(right),
            min(map(_place, (left, right))),
        )

    def feature(self, owner: Token, name: Token) -> Feature:
        return Feature(str(owner), _unquote(name), _place(owner))

    def constant(self, token: Token) -> Value:
        return self._value(token)

    def compared(
        self, left: Feature, sign: Token, right: Feature | Value
    ) -> FeatureClause:
        at = left.at
        if sign.type in ("BEFORE", "AFTER"):
            both = left.name, right.name if isinstance(right, Feature) else ""
            if both != ("__id__", "__id__"):
                raise pattern_error(
                    self._source,
                    _place(sign),
                    f"'{sign}' only compares __id__ with __id__: use = or <>",
                )
            if sign.type == "AFTER":
                assert isinstance(right, Feature)
                left, right = right, left
            return FeatureClause(left, "<", right, at)
        return FeatureClause(left, str(sign), right, at)  # type: ignore[arg-type]

    def top(self, node: Token) -> TopClause:
        return TopClause(str(node), _place(node))

    def verdict(self, verdict: Token, subject: Any) -> VerdictClause:
        if isinstance(subject, Token):
            subject = str(subject)
        if (verdict == "wrong") != isinstance(subject, Feature):
            expected = (
                "a feature, as X.label" if verdict == "wrong" else "a node or edge"
            )
            raise pattern_error(
                self._source, _place(verdict), f"{verdict}() is of {expected}"
            )
        return VerdictClause(str(verdict), subject, _place(verdict))  # type: ignore[arg-type]
