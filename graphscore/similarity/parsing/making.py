"""From the text of a formula to the formula: the inverse of ``repr``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from graphscore.errors import amount, nearest
from graphscore.similarity.base import Similarity
from graphscore.similarity.explanation.report import check
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.operators.arithmetic import product, total
from graphscore.similarity.operators.thresholds import Threshold, excess
from graphscore.similarity.parsing.grammar import (
    Call,
    Constant,
    Name,
    Several,
    Signed,
    Table,
    Tree,
    tree_of,
)
from graphscore.similarity.parsing.meaning import (
    KINDS,
    Kind,
    Parameter,
    described,
    is_formula_name,
    is_value,
    parameters_of,
    shape_of,
    unknown,
    vocabulary,
)
from graphscore.similarity.parsing.signs import Spot, refused

_HEAD = re.compile(r"\s*([^\W\d]\w*)")


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
    made: Similarity = _Maker(text).argument(
        tree_of(text), KINDS["Similarity"], "the text"
    )
    return made


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
    tree, maker = tree_of(text), _Maker(text)
    if not isinstance(tree, Table):
        return maker.scoring(tree, "the text")
    named: dict[str, Similarity] = {}
    for key, value in tree.rows:
        kind = maker.argument(key, KINDS["str"], "a kind")
        if not kind.strip() or not kind.isprintable():
            raise refused("found a kind without a name", text, key.spot)
        if kind == "all" and named:
            # What is called so repeats the first one.
            raise refused("'all' is the first kind, expected it there", text, key.spot)
        if kind in named:
            raise refused(f"found the kind {kind!r} twice", text, key.spot)
        named[kind] = maker.scoring(value, f"the kind {kind}")
    if not named:
        raise refused("found no formulas, expected {'kind': formula}", text, tree.spot)
    return named


def begins(text: str) -> bool:
    """Whether a text can only be meant as a formula, by its beginning.

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


class _Maker:
    """Makes values of trees.

    Args:
        text: the whole formula, for messages.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, tree: Tree) -> Any:
        """What a tree says."""
        if isinstance(tree, Constant):
            return tree.value
        if isinstance(tree, Name):
            return self._named(tree)
        if isinstance(tree, Call):
            return self._called(tree)
        if isinstance(tree, Signed):
            return self._signed(tree)
        if isinstance(tree, Several):
            if tree.sort == "set":
                return frozenset(map(self._key, tree.members))
            members = map(self.value, tree.members)
            return tuple(members) if tree.sort == "tuple" else list(members)
        found = {}
        for key, value in tree.rows:
            made = self._key(key)
            if made in found:
                said = f"found {described(made)} twice, expected it once"
                raise refused(said, self.text, key.spot)
            found[made] = self.value(value)
        return found

    def argument(self, tree: Tree, kind: Kind, whose: str) -> Any:
        """What a tree says, which must be of a kind.

        Args:
            tree: of the argument.
            kind: what it may be.
            whose: what it is an argument of.
        """
        value = self.value(tree)
        if kind.fits(value):
            return kind.takes(value)
        near: list[str] = []
        if kind.choices and isinstance(value, str):
            near = nearest(value, kind.choices)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        said = f"{whose}: found {described(value)}, expected {kind.expected}{hint}"
        raise refused(said, self.text, tree.spot)

    def scoring(self, tree: Tree, whose: str) -> Similarity:
        """What a tree says, which must be able to score graphs."""
        found: Similarity = self.argument(tree, KINDS["Similarity"], whose)
        self._made(tree, [], lambda: check(found))
        return found

    def _key(self, tree: Tree) -> Any:
        return self.argument(tree, KINDS["Hashable"], "a member of braces")

    def _named(self, tree: Name) -> Any:
        """What a name is that is not called."""
        if tree.name not in vocabulary():
            raise refused(unknown(tree.name), self.text, tree.spot)
        meant = vocabulary()[tree.name]
        if not is_value(meant):
            said = f"found {tree.name} alone, expected {shape_of(tree.name)}"
            raise refused(said, self.text, tree.spot)
        return meant

    def _called(self, tree: Call) -> Any:
        """What a call gives."""
        name = tree.name.name
        if name not in vocabulary():
            raise refused(unknown(name), self.text, tree.name.spot)
        made = vocabulary()[name]
        if is_value(made):
            said = f"{name} is not called, expected {name} without brackets"
            raise refused(said, self.text, tree.spot)
        placed: list[Any] = []
        named: dict[str, Any] = {}
        spots: list[tuple[Any, Spot]] = []
        for argument, given, by_name in self._bound(tree):
            value = self.argument(given, argument.kind, f"{name}, {argument.name}")
            spots.append((value, given.spot))
            if by_name:
                named[argument.name] = value
            else:
                placed.append(value)
        return self._made(tree, spots, lambda: made(*placed, **named))

    def _bound(self, tree: Call) -> Iterator[tuple[Parameter, Tree, bool]]:
        """The arguments of a call, each with what is given, and whether by name."""
        name = tree.name.name
        declared = parameters_of(name)
        shape = f"expected {shape_of(name)}"
        open_to = [each for each in declared if not each.by_name]
        left = {each.name: each for each in declared if not each.rest}
        for place, given in enumerate(tree.placed):
            rest = open_to[-1] if open_to and open_to[-1].rest else None
            argument = open_to[place] if place < len(open_to) else rest
            if argument is None:
                count = len(tree.placed)
                said = f"found {amount(count, 'argument')} without a name, {shape}"
                raise refused(said, self.text, given.spot)
            left.pop(argument.name, None)
            yield argument, given, False
        for key, given in tree.named:
            if key.name not in left:
                known = [each.name for each in declared]
                twice = "twice, " if key.name in known else ""
                near = nearest(key.name, left)
                hint = f"; did you mean {near[0]}?" if near else ""
                said = f"found the argument {key.name} {twice}".rstrip(" ,")
                raise refused(f"{said}, {shape}{hint}", self.text, key.spot)
            yield left.pop(key.name), given, True
        if missing := [each.name for each in left.values() if each.needed]:
            said = f"{name} lacks {' and '.join(missing)}, {shape}"
            raise refused(said, self.text, tree.spot)

    def _signed(self, tree: Signed) -> Any:
        """Similarities with signs between, from left to right."""
        first, sign = tree.parts[0], tree.signs[1]
        if sign in (">", ">="):
            return self._threshold(tree)
        found = [self._similarity(first, sign)]
        spots = [(found[0], first.spot)]
        # As many as can be are taken together.
        for each, sign in zip(tree.parts[1:], tree.signs[1:], strict=True):
            if sign != "-":
                found.append(self._similarity(each, sign))
                spots.append((found[-1], each.spot))
                continue
            lessened = self._joined(tree, spots, found, "+")
            lost = self.argument(each, KINDS["float"], "after -")
            made = self._made(tree, spots, lambda: excess(lessened, lost))  # noqa: B023
            found, spots = [made], [(made, first.spot.to(each.spot))]
        return self._joined(tree, spots, found, sign)

    def _joined(
        self,
        tree: Signed,
        spots: list[tuple[Any, Spot]],
        found: list[Similarity],
        sign: str,
    ) -> Similarity:
        """A product or a sum."""
        if len(found) == 1:
            return found[0]
        join = product if sign == "*" else total
        made: Similarity = self._made(tree, spots, lambda: join(*found))
        return made

    def _threshold(self, tree: Signed) -> Similarity:
        left, right = tree.parts
        sign = tree.signs[1]
        over = self._similarity(left, sign)
        limit = self.argument(right, KINDS["float"], f"after {sign}")
        made: Similarity = self._made(
            tree,
            [(over, left.spot)],
            lambda: Threshold(over, limit, sign == ">"),
        )
        return made

    def _similarity(self, tree: Tree, sign: str) -> Similarity:
        made: Similarity = self.argument(tree, KINDS["Similarity"], f"beside {sign}")
        return made

    def _made(
        self,
        tree: Tree,
        parts: list[tuple[Any, Spot]],
        make: Callable[[], Any],
    ) -> Any:
        """What is made of parts; a mistake in their sorts is shown in the text."""
        try:
            return make()
        except FormulaError as error:
            wrong = [spot for part, spot in parts if str(part) == error.spot]
            spot = wrong[-1] if wrong else tree.spot
            raise refused(error.problem, self.text, spot) from None
