"""Combination of the marks of a field or a class.

Marks are those of :mod:`graphscore.structures.objects.declarations`, functions of the
algebra that have a mark of the same meaning (``f1``, ``total``, ``contained``...), a
similarity, or a function of two values.  What an annotation says besides is someone
else's and passed over.

>>> rules_of((declarations.summed, "a word of explanation"), "Event.args").ratio
summed
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphscore.similarity.base import Similarity
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.operators.arithmetic import exact, total
from graphscore.similarity.operators.leaves import string_overlap
from graphscore.similarity.operators.ratios import (
    contained,
    f1,
    jaccard,
    precision,
    recall,
)
from graphscore.structures.objects import declarations
from graphscore.structures.objects.declarations import (
    By,
    Counted,
    Less,
    Levels,
    Limit,
    Mark,
    Matched,
    Ordered,
    Ratio,
    Tree,
    Using,
    Within,
    Word,
)

SAME: dict[Callable[..., Any], Mark] = {
    f1: declarations.by_f1,
    precision: declarations.by_precision,
    recall: declarations.by_recall,
    jaccard: declarations.by_jaccard,
    total: declarations.summed,
    contained: declarations.contained,
    exact: declarations.discrete,
    string_overlap: declarations.using(string_overlap),
}
"""Functions of the algebra that are marks."""


@dataclass(frozen=True)
class Rules:
    """Rules for comparing one field or class.

    Args:
        where: class and field, for messages.
        ignored: not at all.
        discrete: equal or not.
        contained: whether gold has all of it.
        ratio: what becomes of a sum.
        matched: which items may be matched.
        counted: how often an item counts that many others match.
        ordered: whether their order is kept.
        limits: what is done to the result, one after the other.
        values: how two values are compared.
        similarity: a similarity that is used as it is.
        within: marks for the fields of an object.
    """

    where: str
    ignored: bool = False
    discrete: bool = False
    contained: bool = False
    ratio: Ratio | None = None
    matched: Matched | None = None
    counted: Counted | None = None
    ordered: Ordered | None = None
    limits: tuple[Limit | Less, ...] = ()
    values: By | Levels | Tree | Using | None = None
    similarity: Similarity | None = None
    within: Within | None = None

    @property
    def of_items(self) -> tuple[Mark, ...]:
        """Rules that require something with items."""
        result = (self.ratio, self.matched, self.counted, self.ordered)
        more = (declarations.contained,) if self.contained else ()
        return tuple(mark for mark in result if mark is not None) + more

    @property
    def plain(self) -> bool:
        """True if there are no rules."""
        return self == Rules(self.where)


def rules_of(marks: Iterable[Any], where: str, *, strict: bool = False) -> Rules:
    """Combine marks into rules; a later mark replaces an earlier one of its sort.

    Args:
        marks: as annotations and declarations have them.
        where: class and field, for messages.
        strict: whether there are only marks, as in declarations: annotations also
            say what is someone else's.

    Raises:
        FormulaError: if a mark cannot be one, or two contradict each other.
    """
    rules = Rules(where)
    for mark in marks:
        if strict and not isinstance(mark, _MARKS):
            raise FormulaError(
                f"{where} is declared {mark!r}, expected a mark such as summed, a "
                "similarity, or a function of two values"
            )
        rules = _with(rules, mark)
    whole = (rules.discrete, rules.ignored, rules.similarity is not None)
    others = bool(rules.values or rules.of_items or rules.within or rules.limits)
    if sum(whole) > 1 or (any(whole) and others) or (rules.values and rules.of_items):
        shown = ", ".join(map(repr, marks))
        raise FormulaError(f"{where} is declared {shown}, expected one of those")
    return rules


_PLACES: dict[type[Any], str] = {
    Ratio: "ratio",
    Matched: "matched",
    Counted: "counted",
    Ordered: "ordered",
    Levels: "values",
    Tree: "values",
    Using: "values",
    By: "values",
    Within: "within",
}


def _with(rules: Rules, mark: Any) -> Rules:
    if isinstance(mark, types.FunctionType):
        mark = _function(mark, rules.where)
    if isinstance(mark, Similarity):
        return replace(rules, similarity=mark)
    if not isinstance(mark, Mark):
        return rules
    if isinstance(mark, Word):
        words: dict[str, Any] = {mark.spelt: True}
        return replace(rules, **words)
    if isinstance(mark, (Limit, Less)):
        return replace(rules, limits=(*rules.limits, mark))
    result: dict[str, Any] = {_PLACES[type(mark)]: mark}
    return replace(rules, **result)


def _function(function: Callable[..., Any], where: str) -> Mark:
    """A function of the algebra as its mark, any other as one of two values."""
    mark = SAME.get(function)
    if mark is not None:
        return mark
    module = function.__module__ or ""
    if module.startswith(("graphscore.similarity", "graphscore.structures")):
        raise FormulaError(
            f"{where} is declared {function.__name__}, expected a call of it, as in "
            f"using({function.__name__}(...)), or a mark such as over(0.5)"
        )
    return declarations.by(function)


_MARKS = (Mark, Similarity, types.FunctionType)
"""Types of marks."""

Changes = Mapping[Any, Any]
"""For a class its marks, or a mapping from its fields to theirs."""


class Declarations:
    """Declarations for classes and fields, from all sources.

    Args:
        changes: what goes before everything else: for a class its marks, or for
            its fields theirs.

    Raises:
        FormulaError: if a change is for a field that a class does not have.
    """

    def __init__(self, changes: Changes) -> None:
        self._whole: dict[Any, tuple[Any, ...]] = {}
        self._fields: dict[tuple[Any, str], tuple[Any, ...]] = {}
        self._asked: set[Any] = set()
        self._said: dict[str, tuple[Any, str, tuple[Any, ...]]] = {}
        self.sequences: dict[str, tuple[Any, dict[str, Any]]] = {}
        """For fields whose items are compared in order because nothing is said of it,
        the class, and the change by which they are compared in any order."""
        for cls, change in changes.items():
            if not isinstance(change, Mapping):
                self._whole[cls] = declarations.marks_of(change)
                continue
            for name, mark in change.items():
                if name not in getattr(cls, "__dataclass_fields__", ()):
                    raise FormulaError(
                        f"a change for {cls.__name__}.{name}, expected one of its "
                        f"fields: {', '.join(cls.__dataclass_fields__)}"
                    )
                self._fields[cls, name] = declarations.marks_of(mark)

    def of_field(
        self,
        cls: type[Any],
        name: str,
        annotated: tuple[Any, ...],
        within: Within | None,
    ) -> Rules:
        """Return the rules of a field.

        Args:
            cls: its class.
            name: its name.
            annotated: what its annotation says.
            within: what is said in the place where the object is.
        """
        where = f"{cls.__name__}.{name}"
        inside = dict(within.fields) if within is not None else {}
        of_class = declarations.declared(cls)[1]
        marks, strict = annotated, True
        if (cls, name) in self._fields:
            marks = self._fields[cls, name]
        elif name in inside:
            return rules_of(inside[name], where, strict=True)
        elif name in of_class:
            marks = of_class[name]
        else:
            strict = False
        self._said[where] = cls, name, marks
        return rules_of(marks, where, strict=strict)

    def in_sequence(self, where: str) -> None:
        """Note a field whose items are in order because nothing is said of it.

        Args:
            where: class and field.
        """
        if where not in self._said:
            return
        cls, name, marks = self._said[where]
        own = [mark for mark in marks if isinstance(mark, _MARKS)]
        # A sequence is matched one to one, whatever else is said.
        marks = (*own, declarations.matched("1:1"), declarations.in_any_order)
        self.sequences[where] = cls, {name: marks}

    def of_class(self, cls: type[Any], annotated: tuple[Any, ...]) -> Rules:
        """Return the rules for objects of a class.

        Args:
            cls: the class.
            annotated: what the annotation says in the place where they are.
        """
        self._asked.add(cls)
        if cls in self._whole:
            return rules_of(self._whole[cls], cls.__name__, strict=True)
        rules = rules_of(annotated, cls.__name__)
        if not rules.plain:
            return rules
        return rules_of(declarations.declared(cls)[0], cls.__name__, strict=True)

    def check_used(self, output: type[Any]) -> None:
        """Fail if a change for the output's objects has made no difference.

        Args:
            output: the outermost class.

        Raises:
            FormulaError: if it is not inside of itself: it is compared field by field.
        """
        if output in self._whole and output not in self._asked:
            shown = ", ".join(map(repr, self._whole[output]))
            name = output.__name__
            raise FormulaError(
                f"{name} is declared {shown}, expected marks for its fields, as in "
                f"{{{name}: {{field: mark}}}}: it is the output itself"
            )
