"""Rules of what hands on to other similarities: steps, types, variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from graphscore.similarity.base import (
    Asked,
    Cell,
    Number,
    Numerators,
    Similarity,
    Sparse,
    join_size,
    joined,
)
from graphscore.similarity.evaluation.functions import (
    effort,
    identities,
    overlaps,
    pairs,
    selves,
    warm,
)
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.features.elements import ABSENT, deeper
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.view import Element, Elements, Pair, Related, View, unique

T = TypeVar("T")

# What a step leads to.


def ends(
    similarity: ThroughStep, pair: Pair, gold: Elements, system: Elements
) -> tuple[list[Element], list[int], list[Element], list[int]]:
    """The distinct ends of both sides, and which of them each element leads to."""
    follow = similarity.step.follow
    return *unique(follow(pair.gold, gold)), *unique(follow(pair.system, system))


def _nothing(similarity: ThroughStep) -> int:
    """Similarity of two steps that lead nowhere."""
    return int(similarity.similarity.normalized)


@pairs.register
def _(
    similarity: ThroughStep,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    # Each two ends are compared once.
    nothing: Number | None = _nothing(similarity) or None
    return _at_ends(pairs, similarity, nothing, pair, gold, system, requested)


@overlaps.register
def _(
    similarity: ThroughStep,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> dict[Cell, Numerators]:
    alike = _nothing(similarity)
    nothing = Numerators(alike, alike, alike) if alike else None
    return _at_ends(overlaps, similarity, nothing, pair, gold, system, requested)


def _at_ends(
    compare: Callable[..., dict[Cell, T]],
    similarity: ThroughStep,
    nothing: T | None,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked,
) -> dict[Cell, T]:
    """Compare the ends, and assign the results to the elements that lead there."""
    left, where, right, there = ends(similarity, pair, gold, system)
    inner = similarity.similarity
    if requested is None:
        cells = compare(inner, pair, left, right, None)
        return _spread(cells, where, there, nothing)
    both = [(where[r], there[c]) for r, c in requested]
    asked = {(p, q) for p, q in both if p >= 0 <= q}
    cells = compare(inner, pair, left, right, asked)
    if nothing and (-1, -1) in both:
        cells = {**cells, (-1, -1): nothing}
    values = zip(requested, map(cells.get, both), strict=True)
    return {cell: value for cell, value in values if value}


def _spread(
    cells: dict[Cell, T], where: list[int], there: list[int], nothing: T | None
) -> dict[Cell, T]:
    """From pairs of distinct ends to pairs of the elements that lead to them."""
    left: dict[int, list[int]] = {}
    for r, place in enumerate(where):
        left.setdefault(place, []).append(r)
    right: dict[int, list[int]] = {}
    for c, place in enumerate(there):
        right.setdefault(place, []).append(c)
    if nothing:
        cells = {**cells, (-1, -1): nothing}
    return {
        (r, c): value
        for (first, second), value in cells.items()
        for r in left.get(first, ())
        for c in right.get(second, ())
    }


@effort.register
def _(similarity: ThroughStep, pair: Pair, gold: Elements, system: Elements) -> int:
    left, where, right, there = ends(similarity, pair, gold, system)
    inner = effort(similarity.similarity, pair, left, right)
    shared = max(1, len(where)) * max(1, len(there))
    return inner * max(1, shared // max(1, len(left) * len(right)))


@selves.register
def _(similarity: ThroughStep, view: View, elements: Elements) -> list[Number]:
    distinct, where = unique(similarity.step.follow(view, elements))
    own, nothing = selves(similarity.similarity, view, distinct), _nothing(similarity)
    return [own[place] if place >= 0 else nothing for place in where]


@identities.register
def _(similarity: ThroughStep, view: View, elements: Elements) -> list[Hashable]:
    distinct, where = unique(similarity.step.follow(view, elements))
    seen = identities(similarity.similarity, view, distinct)
    return [deeper(seen[place]) if place >= 0 else ABSENT for place in where]


@warm.register
def _(similarity: ThroughStep, view: View, elements: Elements) -> None:
    warm(similarity.similarity, view, unique(similarity.step.follow(view, elements))[0])


# A similarity for each type.


def _groups(
    similarity: ByType, view: View, elements: Elements
) -> Iterator[tuple[Hashable, Similarity, list[int]]]:
    """Each type that has a case, the case, and the positions of what is of it."""
    groups: dict[Hashable, list[int]] = {}
    for index, value in enumerate(similarity.feature.of_all(view, elements)):
        groups.setdefault(value, []).append(index)
    for value, places in groups.items():
        if (case := similarity.case(value)) is not None:
            yield value, case, places


def by_type(
    compare: Callable[..., dict[Cell, T]],
    similarity: ByType,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> dict[Cell, T]:
    """Compare the elements of each type by the case of the type.

    Args:
        compare: called with a case, its gold and system elements, and which of them
            are asked for.
        similarity: the cases.
        pair: the two graphs.
        gold: distinct gold elements.
        system: distinct system elements.
        requested: which pairs are asked for; ``None`` for all.
    """
    result: dict[Cell, T] = {}
    theirs = {
        value: right for value, _, right in _groups(similarity, pair.system, system)
    }
    asked = None if requested is None else set(requested)
    for value, case, left in _groups(similarity, pair.gold, gold):
        right = theirs.get(value)
        if not right:
            continue
        inner: set[Cell] | None = None
        if asked is not None:
            rows = {place: k for k, place in enumerate(left)}
            columns = {place: k for k, place in enumerate(right)}
            inner = {
                (rows[r], columns[c]) for r, c in asked if r in rows and c in columns
            }
        sides = [gold[k] for k in left], [system[k] for k in right]
        for (r, c), number in compare(case, *sides, inner).items():
            result[left[r], right[c]] = number
    return result


@pairs.register
def _(
    similarity: ByType,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    return by_type(
        lambda case, left, right, asked: pairs(case, pair, left, right, asked),
        similarity,
        pair,
        gold,
        system,
        requested,
    )


@overlaps.register
def _(
    similarity: ByType,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> dict[Cell, Numerators]:
    return by_type(
        lambda case, left, right, asked: overlaps(case, pair, left, right, asked),
        similarity,
        pair,
        gold,
        system,
        requested,
    )


def _each_type(
    function: Callable[[Similarity, View, Elements], list[Any]],
    similarity: ByType,
    view: View,
    elements: Elements,
) -> list[Any]:
    """Values of one graph's elements, type by type; 0 for a type without a case."""
    result: list[Any] = [0] * len(elements)
    for _, case, places in _groups(similarity, view, elements):
        values = function(case, view, [elements[k] for k in places])
        for place, value in zip(places, values, strict=True):
            result[place] = value
    return result


@selves.register
def _(similarity: ByType, view: View, elements: Elements) -> list[Number]:
    return _each_type(selves, similarity, view, elements)


@identities.register
def _(similarity: ByType, view: View, elements: Elements) -> list[Hashable]:
    types = similarity.feature.of_all(view, elements)
    inside = _each_type(identities, similarity, view, elements)
    return list(zip(types, inside, strict=True))


@warm.register
def _(similarity: ByType, view: View, elements: Elements) -> None:
    for _, case, places in _groups(similarity, view, elements):
        warm(case, view, [elements[k] for k in places])


# Variables.


def variables_at(
    similarity: Variable, view: View, elements: Elements
) -> list[int | None]:
    """The variable of each element."""
    if similarity.step is None:
        return list(elements)
    return similarity.step.follow(view, elements)


@pairs.register
def _(
    similarity: Variable,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    """1 where two may correspond, as ``latent`` says; both absent are alike."""
    related = pair.related
    if related is None and pair.gold is not pair.system:
        raise FormulaError(
            "a variable outside of latent(...), which would find what it is",
            str(similarity),
            str(similarity),
        )
    left = variables_at(similarity, pair.gold, gold)
    right = variables_at(similarity, pair.system, system)
    if related is None:
        # What something earns with itself: every variable is itself.
        return joined(left, right, requested)
    if requested is None:
        return dict.fromkeys(_candidates(related, left, right), 1)
    return {
        (r, c): 1
        for r, c in requested
        if (left[r], right[c]) in related or (left[r] is None is right[c])
    }


@effort.register
def _(similarity: Variable, pair: Pair, gold: Elements, system: Elements) -> int:
    # The number of variables that may correspond.
    left = variables_at(similarity, pair.gold, gold)
    right = variables_at(similarity, pair.system, system)
    if pair.related is None:
        return join_size(left, right)
    counter = Counter(right)
    fewest = len(counter)
    result = 0
    for key, number in Counter(left).items():
        if key is None:
            result += number * counter[None]
        elif len(others := pair.related.partners(key)) > fewest:
            result += number * len(right)
        else:
            result += number * sum(counter[two] for two in others)
    return result


@identities.register
def _(similarity: Variable, view: View, elements: Elements) -> list[Hashable]:
    # Two are never the same.
    return [("variable", node) for node in variables_at(similarity, view, elements)]


def _candidates(
    related: Related, left: list[int | None], right: list[int | None]
) -> Iterator[Cell]:
    """Positions of what may correspond, and of what is absent on both sides."""
    places: dict[int | None, list[int]] = {}
    for c, theirs in enumerate(right):
        places.setdefault(theirs, []).append(c)
    for r, first in enumerate(left):
        if first is None:
            others: Iterable[int | None] = (None,)
        else:
            others = related.partners(first)
            if len(others) > len(places):
                others = [place for place in places if place in others]
        for second in others:
            for c in places.get(second, ()):
                yield r, c
