"""A formula in words: what is counted of what, and what a pair is worth.

>>> from graphscore.similarity import anchors, exact, f1, label, match, nodes, targets
>>> entity = f1(match(targets("mention"), exact(anchors)))
>>> print(in_words(f1(match(nodes("entity"), exact(label) * entity))))
F1 of entities, matched one to one for the greatest sum; a pair counts
  where both have the same label (else 0)
    F1 of mentions, matched one to one; a pair counts
      1 if both have the same anchors, else 0

What is more indented belongs to the line above it.  Every class of similarities has
its words here; a test holds that none lacks them.

What a formula matches at each level: members, parts of members, and so on.

>>> from graphscore.similarity import anchors, exact, f1, match, nodes, targets
>>> levels_of(f1(match(nodes("entity"), f1(match(targets("mention"), exact(anchors))))))
[['entities'], ['mentions']]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import NamedTuple

from msgspec.structs import astuple

from graphscore.similarity.base import Similarity
from graphscore.similarity.expression import enumerate_names, spoken
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.features.values import itself
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.arithmetic import Exact, Product, Total
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.latent import Latent
from graphscore.similarity.operators.leaves import OfValues
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Contained, Harmonic, Normalized
from graphscore.similarity.operators.recursion import Recursive
from graphscore.similarity.operators.references import SelfReference, Variable
from graphscore.similarity.operators.thresholds import Excess, Threshold

_CONSTRAINTS = {
    "1:1": "matched one to one",
    "n:1": "each of the system's with its best of gold's",
    "1:n": "each of gold's with its best of the system's",
    "n:n": "each of gold's with each of the system's",
}

_NORMS = {"P": "precision", "R": "recall", "F": "F1", "J": "Jaccard similarity"}


class Description(NamedTuple):
    """A line, and what it is made of."""

    text: str
    inner: tuple[Description, ...] = ()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The line and all below it, indented by two blanks a level."""
        yield "  " * depth + self.text
        for line in self.inner:
            yield from line.lines(depth + 1)

    def after(self, words: str) -> Description:
        """The same with words before it."""
        return Description(f"{words}{self.text}", self.inner)


def in_words(formula: Similarity) -> str:
    """A formula as a text that needs no notation.

    Args:
        formula: any similarity.

    Returns:
        Lines; what belongs to one is indented below it by two blanks.

    Example:
        >>> from graphscore.similarity import exact, f1, label, match, nodes
        >>> print(in_words(f1(match(nodes("mention"), exact(label)))))
        F1 of mentions, matched one to one; a pair counts
          1 if both have the same label, else 0
    """
    return "\n".join(describe(formula).lines())


@singledispatch
def describe(formula: Similarity) -> Description:
    """Describe one part of a formula, and its parts.

    A class of somebody else's, about which nothing is known here, is written as in
    formulas.
    """
    return Description(str(formula), tuple(describe(part) for part in formula.parts()))


def _equality_phrase(features: tuple[Feature, ...]) -> str:
    if features == (itself,):
        return "the two are equal"
    return (
        f"both have the same {enumerate_names(feature.phrase for feature in features)}"
    )


@describe.register
def _(formula: Exact) -> Description:
    return Description(f"1 if {_equality_phrase(formula.features)}, else 0")


@describe.register
def _(formula: Product) -> Description:
    features, rest = formula.split()
    if not rest:
        return describe(Exact(features))
    inner = tuple(describe(part) for part in rest)
    if len(inner) > 1:
        inner = (Description("the product of", inner),)
    return (
        Description(f"where {_equality_phrase(features)} (else 0)", inner)
        if features
        else inner[0]
    )


@describe.register
def _(formula: Total) -> Description:
    return Description("the sum of", tuple(describe(term) for term in formula.terms))


def _over(match: Match, before: str) -> Description:
    """A sum over a matching, or what is made of one."""
    how = _CONSTRAINTS[match.constraint]
    if match.constraint == "1:1" and match.similarity.split()[1]:
        # Where pairs count 1 or nothing there is no better and worse to say.
        how += " for the greatest sum"
    phrases = [spoken(match.collection.short), how]
    if match.order is not None:
        phrases.append(match.order.words)
    if match.duplicates == "set":
        phrases.append("equal ones once")
    text = f"{before} {', '.join(phrases)}; a pair counts"
    return Description(text, (describe(match.similarity),))


@describe.register
def _(formula: Match) -> Description:
    return _over(formula, "the sum over")


@describe.register
def _(formula: Normalized) -> Description:
    norm = _NORMS[formula.norm]
    if formula.norm == "F" and formula.beta != 1:
        norm = f"F with {formula.beta:g} times the weight on recall"
    if isinstance(formula.operand, Match):
        return _over(formula.operand, f"{norm} of")
    inner = describe(formula.operand)
    return inner.after(f"{norm} of ")


@describe.register
def _(formula: Harmonic) -> Description:
    return Description(
        "the harmonic mean of", (describe(formula.precision), describe(formula.recall))
    )


@describe.register
def _(formula: Threshold) -> Description:
    beyond = "is more than" if formula.strict else "is at least"
    inner = describe(formula.similarity)
    return Description(f"1 if this {beyond} {formula.limit:g}, else 0", (inner,))


@describe.register
def _(formula: Contained) -> Description:
    match = formula.similarity.operand  # type: ignore[attr-defined]
    shown = spoken(match.collection.short)
    text = f"1 if all {shown} of the system's are among gold's, else 0; a pair counts"
    return Description(text, (describe(match.similarity),))


@describe.register
def _(formula: Excess) -> Description:
    return describe(formula.similarity).after(
        f"what is more than {formula.amount:g} (else 0) of "
    )


@describe.register
def _(formula: ByType) -> Description:
    cases = [describe(part).after(f"{value}: ") for value, part in formula.cases]
    left = formula.otherwise
    last = Description("anything else: 0") if left is None else describe(left)
    cases.append(last if left is None else last.after("anything else: "))
    return Description(f"by {formula.feature.phrase}, where it is equal", tuple(cases))


@describe.register
def _(formula: ThroughStep) -> Description:
    inner = describe(formula.similarity)
    if formula.step.of == "graph":
        return inner
    return Description(f"of the {spoken(formula.step.short)} of both", (inner,))


@describe.register
def _(formula: Variable) -> Description:
    whose = "" if formula.step is None else f" the {spoken(formula.step.short)} of"
    return Description(
        f"1 if the map takes{whose} the one to that of the other, else 0"
    )


@describe.register
def _(formula: Latent) -> Description:
    maps = f"one-to-one maps of {spoken(formula.variables.short)}"
    return Description(
        f"the most that any of all {maps} gives of", (describe(formula.operand),)
    )


@describe.register
def _(formula: Recursive) -> Description:
    return describe(formula.similarity).after(f"{formula.name}, which is ")


@describe.register
def _(formula: SelfReference) -> Description:
    return Description(f"{formula.name} again, of these")


@describe.register
def _(formula: OfValues) -> Description:
    return Description(formula.worth)


def levels_of(formula: Similarity) -> list[list[str]]:
    """The collections whose members a formula matches, by level.

    Args:
        formula: any formula.

    Returns:
        Their names in the notation of formulas, each once in a level.
    """
    levels: list[list[str]] = []
    for level, name in _collections(formula, 0):
        if level == len(levels):
            levels.append([])
        if name not in levels[level]:
            levels[level].append(name)
    return levels


def _collections(part: object, level: int) -> Iterator[tuple[int, str]]:
    if isinstance(part, tuple):
        for inner in part:
            yield from _collections(inner, level)
    elif isinstance(part, Similarity):
        values = astuple(part)
        collections = [value for value in values if isinstance(value, Collection)]
        yield from ((level, str(collection)) for collection in collections)
        for value in values:
            yield from _collections(value, level + bool(collections))
