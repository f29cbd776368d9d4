"""The choices that a formula makes, and the formula that makes others.

Three sorts: the *constraint* of every sum over a matching, the *ratio* that is made of
a sum, and how anchors are *trimmed*.  What stands in several places of one level, as in
both halves of a harmonic mean, is one choice.

>>> from graphscore.similarity import anchors, exact, f1, match, nodes, targets
>>> entity = f1(match(targets("mention"), exact(anchors)))
>>> ceaf = f1(match(nodes("entity"), entity))
>>> for each in choices_of(ceaf):
...     print(each.said, each.written, "or", ", ".join(each.others))
constraint of entities 1:1 or n:1, 1:n, n:n
constraint of mentions 1:1 or n:1, 1:n, n:n
ratio of mentions F or P, R, J
trim anchors or spans, characters, characters(anchor)
>>> print(varied(ceaf, {each: each.others[0] for each in choices_of(ceaf)}))
F→entities[P→mentions[δ_spans]]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

from graphscore.similarity.base import Similarity
from graphscore.similarity.combining.leaves import OfValues
from graphscore.similarity.combining.matching import Match
from graphscore.similarity.combining.ratios import (
    Contained,
    Harmonic,
    Normalized,
    contained,
)
from graphscore.similarity.explaining.report import check
from graphscore.similarity.expression import Expression, FormulaError
from graphscore.similarity.features.conventions import Yields
from graphscore.similarity.features.elements import Feature, anchors, characters, spans
from graphscore.similarity.navigation.words import OfFeature
from graphscore.similarity.solving.assignment import CONSTRAINTS

Sort = Literal["constraint", "ratio", "trim"]

RATIOS = ("P", "R", "F", "J")
"""Precision, recall, F1 and Jaccard similarity."""

TRIMS: dict[str, Feature] = {
    "anchors": anchors,
    "spans": spans(),
    "characters": characters(),
    "characters(anchor)": characters("anchor"),
}
"""What can be said of where a node is: as annotated, or without punctuation."""

_WITHIN: dict[str, tuple[str, ...]] = {
    "": tuple(TRIMS),
    "ranges": ("anchors", "spans"),
    "sets": ("characters", "characters(anchor)"),
}
"""Those that can stand where parts of ranges, or sets of characters, are asked for."""


class Choice(NamedTuple):
    """One thing that a formula decides."""

    sort: Sort
    part: str
    """What is matched there, as formulas call it; empty for trims."""
    level: int
    """How many matchings it stands inside of."""
    written: str
    """What the formula has; several with commas where its places differ."""
    others: tuple[str, ...]
    """What it could have instead."""

    @property
    def said(self) -> str:
        """What is chosen, in words."""
        return f"{self.sort} of {self.part}" if self.part else self.sort


Changes = Mapping[Choice, str]
"""What is otherwise, by choice."""

_Key = tuple[Sort, str, int]
_Visit = Callable[[Any, int, bool, str], Any]


def choices_of(formula: Similarity) -> list[Choice]:
    """The choices of a formula, outer ones first, but for its outermost ratio.

    That one is made of sums that are there: :func:`outermost`.  Matchings that keep an
    order are one to one, and ``contained`` is what it is: neither is a choice.

    Args:
        formula: any formula.
    """
    found: dict[_Key, dict[str, None]] = {}
    fitting: dict[str, list[str]] = {each: [*TRIMS] for each in TRIMS}

    def see(part: Any, level: int, fixed: bool, within: str) -> Any:
        for key, written in _chosen(part, level, fixed):
            found.setdefault(key, {})[written] = None
            if key[0] == "trim":
                there = fitting[written]
                fitting[written] = [each for each in there if each in _WITHIN[within]]
        return part

    _rebuilt(formula, 0, see, True, "")
    order = {"constraint": 0, "ratio": 1, "trim": 2}
    made = []
    for (sort, part, level), written in found.items():
        one = next(iter(written))
        if sort == "trim":
            all_of: Sequence[str] = fitting[one]
        else:
            all_of = CONSTRAINTS if sort == "constraint" else RATIOS
        others = tuple(each for each in all_of if [each] != [*written])
        shown = part if sort != "trim" else ""
        made.append(Choice(sort, shown, level, ", ".join(written), others))
    return sorted(made, key=lambda each: (order[each.sort], each.level))


def outermost(formula: Similarity) -> Choice:
    """The ratio that a score is: of a mere amount F1, as metrics have it.

    Args:
        formula: any formula about a whole graph.
    """
    written = "F"
    if isinstance(formula, Normalized):
        written = formula.norm
        if written == "F" and formula.beta != 1:
            written = f"F{formula.beta:g}"
    others = tuple(each for each in RATIOS if each != written)
    return Choice("ratio", "", 0, written, others)


def varied(formula: Similarity, changes: Changes) -> Similarity:
    """A formula with other choices.

    Args:
        formula: the formula.
        changes: what its choices shall be; those that are not named stay.

    Raises:
        FormulaError: if that is no formula.
    """
    wanted = {
        (each.sort, each.part or each.written, each.level): value
        for each, value in changes.items()
        if value != each.written
    }

    def change(part: Any, level: int, fixed: bool, within: str) -> Any:
        for key, _ in _chosen(part, level, fixed):
            if key not in wanted:
                continue
            if key[0] == "constraint":
                part = dataclasses.replace(part, constraint=wanted[key])
            elif key[0] == "ratio":
                part = dataclasses.replace(part, norm=wanted[key], beta=1.0)
            else:
                part = TRIMS[wanted[key]]
        return part

    found: Similarity = _rebuilt(formula, 0, change, True, "")
    return found


class Plan(NamedTuple):
    """The formulas that are scored."""

    formulas: dict[tuple[tuple[Choice, str], ...], Similarity]
    """By what is otherwise in them; the formula as written is the first one."""
    complete: bool
    """Whether all combinations are there; else one choice at a time is another."""
    impossible: int
    """How many would be no formulas."""


def plan_of(formula: Similarity, most: int) -> Plan:
    """All combinations of choices if they are few, else one other at a time.

    Args:
        formula: the formula.
        most: how many there are at most, if all are combined.

    Example:
        >>> from graphscore.similarity import exact, f1, label, match, nodes
        >>> len(plan_of(f1(match(nodes(), exact(label))), 100).formulas)
        4
    """
    choices = choices_of(formula)
    number = 1
    for each in choices:
        number *= 1 + len(each.others)
    complete = number <= most
    found: dict[tuple[tuple[Choice, str], ...], Similarity] = {}
    impossible = 0
    for changes in _all(choices) if complete else _single(choices):
        try:
            made = varied(formula, dict(changes))
            check(made)
        except FormulaError:
            impossible += 1
            continue
        found[changes] = made
    return Plan(found, complete, impossible)


def _single(choices: Sequence[Choice]) -> Iterator[tuple[tuple[Choice, str], ...]]:
    yield ()
    for each in choices:
        for value in each.others:
            yield ((each, value),)


def _all(choices: Sequence[Choice]) -> Iterator[tuple[tuple[Choice, str], ...]]:
    options = [(each.written, *each.others) for each in choices]
    for values in product(*options):
        both = zip(choices, values, strict=True)
        yield tuple((each, value) for each, value in both if value != each.written)


def _chosen(part: Any, level: int, fixed: bool) -> Iterator[tuple[_Key, str]]:
    """What a part itself decides, and what for."""
    if isinstance(part, Match) and part.order is None:
        yield ("constraint", part.collection.short, level), part.constraint
    elif isinstance(part, Normalized) and not fixed:
        inner = part.operand
        name = inner.collection.short if isinstance(inner, Match) else "sum"
        beta = f"{part.beta:g}" if part.norm == "F" and part.beta != 1 else ""
        yield ("ratio", name, level), f"{part.norm}{beta}"
    elif isinstance(part, Feature):
        for name, each in TRIMS.items():
            if part == each:
                yield ("trim", name, 0), name


def _rebuilt(part: Any, level: int, visit: _Visit, fixed: bool, within: str) -> Any:
    """A part with its parts visited, innermost first; itself if nothing changes.

    Args:
        part: an expression, a tuple that may hold some, or anything else.
        level: how many matchings it stands inside of.
        visit: gives what stands in the place of an expression.
        fixed: whether its ratio is none that is chosen here.
        within: what it must say there, ``ranges`` or ``sets``; empty for anything.
    """
    if isinstance(part, tuple):
        made = tuple(_rebuilt(each, level, visit, False, within) for each in part)
        same = all(one is two for one, two in zip(part, made, strict=True))
        return part if same else made
    if not (isinstance(part, Expression) and dataclasses.is_dataclass(part)):
        return part
    if isinstance(part, Contained):
        inner = part.similarity.operand
        of = _rebuilt(inner.collection, level, visit, False, within)
        alike = _rebuilt(inner.similarity, level + 1, visit, False, within)
        same = of is inner.collection and alike is inner.similarity
        return part if same else contained(of, alike)
    changed = {}
    for field in dataclasses.fields(part):
        old = getattr(part, field.name)
        new = _rebuilt(
            old,
            level + (isinstance(part, Match) and field.name == "similarity"),
            visit,
            isinstance(part, Harmonic),
            _needed(part) or within,
        )
        if new is not old:
            changed[field.name] = new
    made = dataclasses.replace(part, **changed) if changed else part
    return visit(made, level, fixed, within)


def _needed(part: Expression) -> str:
    """What the features of a part must say."""
    if isinstance(part, Yields):
        return "sets"
    return "ranges" if isinstance(part, (OfValues, OfFeature)) else ""
