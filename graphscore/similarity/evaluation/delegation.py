"""Rules of what hands on to other similarities: steps, types, variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from graphscore.similarity.base import (
    Cell,
    Number,
    Numerators,
    Request,
    Similarity,
    Sparse,
    join,
    join_size,
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
from graphscore.similarity.view import Elements, Related, View, unique

T = TypeVar("T")

# What a step leads to.


def ends_of(
    similarity: ThroughStep, request: Request
) -> tuple[Request, list[int], list[int]]:
    """Return the distinct ends, and to which of them gold and system elements lead."""
    (gold, rows), (system, columns) = (
        unique(similarity.step.follow(*side)) for side in request.sides
    )
    return Request(request.pair, gold, system), rows, columns


def _of_nothing(similarity: ThroughStep) -> int:
    """Similarity of two steps that lead nowhere."""
    return int(similarity.similarity.normalized)


@pairs.register
def _(similarity: ThroughStep, request: Request) -> Sparse:
    # Each two ends are compared once.
    nothing: Number | None = _of_nothing(similarity) or None
    return _at_ends(pairs, similarity, nothing, request)


@overlaps.register
def _(similarity: ThroughStep, request: Request) -> dict[Cell, Numerators]:
    alike = _of_nothing(similarity)
    nothing = Numerators(alike, alike, alike) if alike else None
    return _at_ends(overlaps, similarity, nothing, request)


def _at_ends(
    compare: Callable[..., dict[Cell, T]],
    similarity: ThroughStep,
    nothing: T | None,
    request: Request,
) -> dict[Cell, T]:
    """Compare the ends, and assign the results to the elements that lead there."""
    ends, rows, columns = ends_of(similarity, request)
    requested = request.requested
    if requested is None:
        cells = compare(similarity.similarity, ends)
        return _spread(cells, rows, columns, nothing)
    both = [(rows[r], columns[c]) for r, c in requested]
    inner = {(p, q) for p, q in both if p >= 0 <= q}
    cells = compare(similarity.similarity, ends._replace(requested=inner))
    if nothing and (-1, -1) in both:
        cells = {**cells, (-1, -1): nothing}
    values = zip(requested, map(cells.get, both), strict=True)
    return {cell: value for cell, value in values if value}


def _spread(
    cells: dict[Cell, T], rows: list[int], columns: list[int], nothing: T | None
) -> dict[Cell, T]:
    """From pairs of distinct ends to pairs of the elements that lead to them."""
    left: dict[int, list[int]] = {}
    for r, end in enumerate(rows):
        left.setdefault(end, []).append(r)
    right: dict[int, list[int]] = {}
    for c, end in enumerate(columns):
        right.setdefault(end, []).append(c)
    if nothing:
        cells = {**cells, (-1, -1): nothing}
    return {
        (r, c): value
        for (first, second), value in cells.items()
        for r in left.get(first, ())
        for c in right.get(second, ())
    }


@effort.register
def _(similarity: ThroughStep, request: Request) -> int:
    ends, rows, columns = ends_of(similarity, request)
    inner = effort(similarity.similarity, ends)
    shared = max(1, len(rows)) * max(1, len(columns))
    return inner * max(1, shared // max(1, len(ends.gold) * len(ends.system)))


@selves.register
def _(similarity: ThroughStep, view: View, elements: Elements) -> list[Number]:
    distinct, where = unique(similarity.step.follow(view, elements))
    own, nothing = (
        selves(similarity.similarity, view, distinct),
        _of_nothing(similarity),
    )
    return [own[index] if index >= 0 else nothing for index in where]


@identities.register
def _(similarity: ThroughStep, view: View, elements: Elements) -> list[Hashable]:
    distinct, where = unique(similarity.step.follow(view, elements))
    seen = identities(similarity.similarity, view, distinct)
    return [deeper(seen[index]) if index >= 0 else ABSENT for index in where]


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
    for value, indices in groups.items():
        if (case := similarity.case(value)) is not None:
            yield value, case, indices


def by_type(
    compare: Callable[..., dict[Cell, T]],
    similarity: ByType,
    request: Request,
) -> dict[Cell, T]:
    """Compare the elements of each type by the case of the type.

    Args:
        compare: called with a case and a request of its elements.
        similarity: the cases.
        request: elements of all types.
    """
    pair, gold, system, requested = request
    result: dict[Cell, T] = {}
    system_types = {
        value: right for value, _, right in _groups(similarity, pair.system, system)
    }
    every = None if requested is None else set(requested)
    for value, case, left in _groups(similarity, pair.gold, gold):
        right = system_types.get(value)
        if not right:
            continue
        cells: set[Cell] | None = None
        if every is not None:
            rows = {index: k for k, index in enumerate(left)}
            columns = {index: k for k, index in enumerate(right)}
            cells = {
                (rows[r], columns[c]) for r, c in every if r in rows and c in columns
            }
        sides = [gold[k] for k in left], [system[k] for k in right]
        for (r, c), number in compare(case, Request(pair, *sides, cells)).items():
            result[left[r], right[c]] = number
    return result


@pairs.register
def _(similarity: ByType, request: Request) -> Sparse:
    return by_type(pairs, similarity, request)


@overlaps.register
def _(similarity: ByType, request: Request) -> dict[Cell, Numerators]:
    return by_type(overlaps, similarity, request)


def _each_type(
    function: Callable[[Similarity, View, Elements], list[Any]],
    similarity: ByType,
    view: View,
    elements: Elements,
) -> list[Any]:
    """Values of one graph's elements, type by type; 0 for a type without a case."""
    result: list[Any] = [0] * len(elements)
    for _, case, indices in _groups(similarity, view, elements):
        values = function(case, view, [elements[k] for k in indices])
        for index, value in zip(indices, values, strict=True):
            result[index] = value
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
    for _, case, indices in _groups(similarity, view, elements):
        warm(case, view, [elements[k] for k in indices])


# Variables.


def variables_at(
    similarity: Variable, view: View, elements: Elements
) -> list[int | None]:
    """The variable of each element."""
    if similarity.step is None:
        return list(elements)
    return similarity.step.follow(view, elements)


@pairs.register
def _(similarity: Variable, request: Request) -> Sparse:
    """1 where two may correspond, as ``latent`` says; both absent are alike."""
    pair, requested = request.pair, request.requested
    related = pair.related
    if related is None and pair.gold is not pair.system:
        raise FormulaError(
            "a variable outside of latent(...), which would find what it is",
            str(similarity),
            str(similarity),
        )
    left, right = (variables_at(similarity, *side) for side in request.sides)
    if related is None:
        # What something earns with itself: every variable is itself.
        return join(left, right, requested)
    if requested is None:
        return dict.fromkeys(_candidates(related, left, right), 1)
    return {
        (r, c): 1
        for r, c in requested
        if (left[r], right[c]) in related or (left[r] is None is right[c])
    }


@effort.register
def _(similarity: Variable, request: Request) -> int:
    # The number of variables that may correspond.
    left, right = (variables_at(similarity, *side) for side in request.sides)
    related = request.pair.related
    if related is None:
        return join_size(left, right)
    counter = Counter(right)
    result = 0
    for key, number in Counter(left).items():
        if key is None:
            result += number * counter[None]
        elif len(partners := related.partners(key)) > len(counter):
            result += number * len(right)
        else:
            result += number * sum(counter[partner] for partner in partners)
    return result


@identities.register
def _(similarity: Variable, view: View, elements: Elements) -> list[Hashable]:
    # Two are never the same.
    return [("variable", node) for node in variables_at(similarity, view, elements)]


def _candidates(
    related: Related, left: list[int | None], right: list[int | None]
) -> Iterator[Cell]:
    """Positions of what may correspond, and of what is absent on both sides."""
    columns: dict[int | None, list[int]] = {}
    for c, second in enumerate(right):
        columns.setdefault(second, []).append(c)
    for r, first in enumerate(left):
        if first is None:
            partners: Iterable[int | None] = (None,)
        else:
            partners = related.partners(first)
            if len(partners) > len(columns):
                partners = [second for second in columns if second in partners]
        for second in partners:
            for c in columns.get(second, ()):
                yield r, c
