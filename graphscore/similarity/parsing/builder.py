"""From the text of a formula to the formula: the inverse of ``repr``."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from graphscore.exceptions import amount, nearest
from graphscore.similarity.base import Similarity
from graphscore.similarity.explanation.report import check
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.operators.arithmetic import product, total
from graphscore.similarity.operators.thresholds import Threshold, excess
from graphscore.similarity.parsing.symbols import (
    KINDS,
    Function,
    Kind,
    describe,
    function_of,
    is_formula_name,
    is_value,
    unknown,
    vocabulary,
)
from graphscore.similarity.parsing.syntax import Source

T = TypeVar("T")

_HEAD = re.compile(r"\s*([^\W\d]\w*)")
_SIGNS: dict[type[ast.AST], str] = {
    ast.Mult: "*",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def formula(text: str) -> Similarity:
    """The formula that a text says: what ``repr`` wrote, or anybody by hand.

    It is read, never run: names of this package, calls, constants and signs, and
    nothing else.

    Args:
        text: such as ``f1(match(nodes('mention'), exact(label)))``.

    Returns:
        The formula; ``formula(repr(made)) == made``.

    Raises:
        FormulaError: if the text is no formula, with the place in it and what was
            expected there; also if it calls a function of one's own.

    Example:
        >>> formula("f1( match(nodes('mention'),exact(label)) )")
        f1(match(nodes('mention'), exact(label)))
        >>> try:
        ...     formula("f1(match(nodes(), exact(lable)))")
        ... except FormulaError as error:
        ...     print(error)
        there is no 'lable'; did you mean label?
            f1(match(nodes(), exact(lable)))
                                    ^^^^^
    """
    builder = Builder(text)
    similarity: Similarity = builder.argument(
        builder.source.tree, KINDS["Similarity"], "the text"
    )
    return similarity


def formulas(text: str) -> Similarity | dict[str, Similarity]:
    """The formula of a metric, or the formulas by kind, that a text says.

    Args:
        text: as for :func:`formula`, or ``{'kind': formula, ...}``.

    Raises:
        FormulaError: if it is neither, or not about whole graphs.

    Example:
        >>> list(formulas("{'labels': f1(match(nodes(), exact(label)))}"))
        ['labels']
    """
    builder = Builder(text)
    tree = builder.source.tree
    if not isinstance(tree, ast.Dict):
        return builder.scoring(tree, "the text")
    named: dict[str, Similarity] = {}
    for key, value in builder.entries(tree):
        kind = builder.argument(key, KINDS["str"], "a kind")
        if not kind.strip() or not kind.isprintable():
            raise builder.error("found a kind without a name", key)
        if kind == "all" and named:
            # What is called so repeats the first one.
            raise builder.error("'all' is the first kind, expected it there", key)
        if kind in named:
            raise builder.error(f"found the kind {kind!r} twice", key)
        named[kind] = builder.scoring(value, f"the kind {kind}")
    if not named:
        raise builder.error("found no formulas, expected {'kind': formula}", tree)
    return named


def begins(text: str) -> bool:
    """Return true if a text can only be a formula, by its beginning.

    Args:
        text: what may also be the name of a metric that is not there.

    Example:
        >>> begins("f1(match("), begins("f1"), begins("no_such(alpha=0.5)")
        (True, False, False)
    """
    if text.lstrip()[:1] in ("{", "("):
        return True
    head = _HEAD.match(text)
    if head is None:
        return False
    rest = text[head.end() :].lstrip()
    known = is_formula_name(head[1])
    # No metric takes what is in brackets itself.
    return (known and rest[:1] in tuple("(*+->")) or (
        rest[:1] == "(" and "(" in rest[1:]
    )


class Builder:
    """Make values of a syntax tree, from a table of names.

    Args:
        text: the formula.

    Attributes:
        source: the formula with its tree.
    """

    def __init__(self, text: str) -> None:
        self.source = Source(text)

    def error(self, problem: str, node: ast.expr | ast.keyword) -> FormulaError:
        """Return the error for a part of the tree."""
        return self.source.error(problem, self.source.span(node))

    def value(self, node: ast.expr) -> Any:
        """Return what a part of the tree stands for."""
        match node:
            case ast.Constant(value=str()):
                return self.source.strings[node.col_offset]
            case ast.Constant():
                return node.value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
                return -number  # type: ignore[operator]
            case ast.Name():
                return self._name(node)
            case ast.Call(func=ast.Name() as called):
                return self._call(node, called)
            case ast.BinOp():
                return self._operation(node)
            case ast.Compare():
                return self._threshold(node)
            case ast.Tuple():
                return tuple(map(self.value, node.elts))
            case ast.List():
                return list(map(self.value, node.elts))
            case ast.Set():
                return frozenset(map(self._key, node.elts))
            case ast.Dict():
                return self._dictionary(node)
        raise self.error("found what no formula has", node)

    def argument(self, node: ast.expr, kind: Kind, whose: str) -> Any:
        """Return what a part of the tree stands for, which must be of a kind.

        Args:
            node: the argument.
            kind: what it may be.
            whose: what it is an argument of.
        """
        value = self.value(node)
        if kind.fits(value):
            return kind.takes(value)
        near: list[str] = []
        if kind.choices and isinstance(value, str):
            near = nearest(value, kind.choices)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        problem = f"found {describe(value)}, expected {kind.expected}{hint}"
        raise self.error(f"{whose}: {problem}", node)

    def scoring(self, node: ast.expr, whose: str) -> Similarity:
        """Return what a part of the tree stands for, which must score graphs."""
        similarity: Similarity = self.argument(node, KINDS["Similarity"], whose)
        self._make(node, [], check, similarity)
        return similarity

    def entries(self, node: ast.Dict) -> Iterator[tuple[ast.expr, ast.expr]]:
        """Return keys and values of braces."""
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise self.error("found **, expected a key", value)
            yield key, value

    def _key(self, node: ast.expr) -> Any:
        return self.argument(node, KINDS["Hashable"], "a member of braces")

    def _dictionary(self, node: ast.Dict) -> dict[Any, Any]:
        values: dict[Any, Any] = {}
        for key, value in self.entries(node):
            name = self._key(key)
            if name in values:
                problem = f"found {describe(name)} twice, expected it once"
                raise self.error(problem, key)
            values[name] = self.value(value)
        return values

    def _meaning(self, node: ast.Name) -> Any:
        if node.id not in vocabulary():
            raise self.error(unknown(node.id), node)
        return vocabulary()[node.id]

    def _name(self, node: ast.Name) -> Any:
        meaning = self._meaning(node)
        if not is_value(meaning):
            problem = f"found {node.id} alone, expected {function_of(node.id).shape}"
            raise self.error(problem, node)
        return meaning

    def _call(self, node: ast.Call, called: ast.Name) -> Any:
        name, meaning = called.id, self._meaning(called)
        if is_value(meaning):
            problem = f"{name} is not called, expected {name} without brackets"
            raise self.error(problem, node)
        function = function_of(name)
        self._check_arguments(node, name, function)
        parts: list[tuple[Any, ast.expr]] = []

        def value(key: str, argument: ast.expr) -> Any:
            result = self.argument(argument, function.kinds[key], f"{name}, {key}")
            parts.append((result, argument))
            return result

        last = len(function.places) - 1
        placed = [
            value(function.places[min(index, last)], argument)
            for index, argument in enumerate(node.args)
        ]
        named = {str(k.arg): value(str(k.arg), k.value) for k in node.keywords}
        return self._make(node, parts, meaning, *placed, **named)

    def _check_arguments(self, node: ast.Call, name: str, function: Function) -> None:
        """Refuse arguments that a function does not have, has twice, or lacks."""
        positional, shape = function.places, f"expected {function.shape}"
        if len(node.args) > len(positional) and not function.several:
            count = amount(len(node.args), "argument")
            problem = f"found {count} without a name, {shape}"
            raise self.error(problem, node.args[len(positional)])
        taken = positional if function.several else positional[: len(node.args)]
        left = [key for key in function.kinds if key not in taken]
        for keyword in node.keywords:
            key = str(keyword.arg)
            if key not in left:
                twice = " twice" * (key in function.kinds)
                near = nearest(key, left)
                hint = f"; did you mean {near[0]}?" if near else ""
                problem = f"found the argument {key}{twice}, {shape}{hint}"
                raise self.error(problem, keyword)
            left.remove(key)
        if lacking := [key for key in left if key in function.needed]:
            raise self.error(f"{name} lacks {' and '.join(lacking)}, {shape}", node)

    def _operation(self, node: ast.BinOp) -> Similarity:
        """Return similarities with signs between; as many as can be are one."""
        signs = (ast.Mult,) if isinstance(node.op, ast.Mult) else (ast.Add, ast.Sub)
        rights: list[tuple[str, ast.expr]] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp) and isinstance(left.op, signs):
            rights.append((_SIGNS[type(left.op)], left.right))
            left = left.left
        similarity = KINDS["Similarity"]
        parts = [(self.argument(left, similarity, f"beside {rights[-1][0]}"), left)]
        join = product if isinstance(node.op, ast.Mult) else total
        for sign, right in reversed(rights):
            if sign == "-":
                whole = self._make(node, parts, join, *(value for value, _ in parts))
                lost = self.argument(right, KINDS["float"], "after -")
                parts = [(self._make(node, parts, excess, whole, lost), node)]
            else:
                parts.append(
                    (self.argument(right, similarity, f"beside {sign}"), right)
                )
        whole = self._make(node, parts, join, *(value for value, _ in parts))
        return whole

    def _threshold(self, node: ast.Compare) -> Threshold:
        if len(node.ops) > 1:
            problem = "found two comparisons, expected one; brackets make another"
            raise self.error(problem, node)
        sign, limited = _SIGNS[type(node.ops[0])], node.left
        over = self.argument(limited, KINDS["Similarity"], f"beside {sign}")
        limit = self.argument(node.comparators[0], KINDS["float"], f"after {sign}")
        parts = [(over, limited)]
        return self._make(node, parts, Threshold, over, limit, sign == ">")

    def _make(
        self,
        node: ast.expr,
        parts: list[tuple[Any, ast.expr]],
        function: Callable[..., T],
        *arguments: Any,
        **named: Any,
    ) -> T:
        """Call a function; show mistakes in the sorts of parts in the text."""
        try:
            return function(*arguments, **named)
        except FormulaError as error:
            wrong = [part for value, part in parts if str(value) == error.spot]
            raise self.error(error.problem, wrong[-1] if wrong else node) from None
