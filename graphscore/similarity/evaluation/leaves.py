"""Rules of similarities that depend on the values of one feature alone."""

from __future__ import annotations

from collections.abc import Hashable

from graphscore.similarity.base import Number, Request, Sparse
from graphscore.similarity.evaluation.functions import identities, pairs, selves, warm
from graphscore.similarity.features.elements import is_absent, plain_value
from graphscore.similarity.features.values import naming_item
from graphscore.similarity.operators.leaves import Custom, OfValues, Weight
from graphscore.similarity.view import Elements, View


@identities.register
def _(similarity: OfValues, view: View, elements: Elements) -> list[Hashable]:
    # Where a step leads nowhere there is no value.
    values = similarity.feature.of_all(view, elements)
    return [None if is_absent(value) else value for value in values]


@warm.register
def _(similarity: OfValues, view: View, elements: Elements) -> None:
    similarity.feature.of_all(view, elements)


@pairs.register
def _(similarity: OfValues, request: Request) -> Sparse:
    """Every two distinct values are compared once."""
    left, right = (identities(similarity, *side) for side in request.sides)
    numbers: dict[tuple[Hashable, Hashable], Number] = {}

    def compare(first: Hashable, second: Hashable) -> Number:
        key = (second, first)
        if key not in numbers:
            numbers[key] = similarity.of_values(second, first)
        return numbers[key]

    if (cells := request.requested) is not None:
        result = ((cell, compare(left[cell[0]], right[cell[1]])) for cell in cells)
        return {cell: number for cell, number in result if number}
    index: dict[Hashable, list[int]] = {}
    for c, value in enumerate(right):
        index.setdefault(similarity.block(value), []).append(c)
    sparse: Sparse = {}
    for r, value in enumerate(left):
        for c in index.get(similarity.block(value), ()):
            if number := compare(value, right[c]):
                sparse[r, c] = number
    return sparse


_compared = pairs.dispatch(OfValues)


@pairs.register
def _(similarity: Custom, request: Request) -> Sparse:
    with naming_item(request.pair.gold):
        return _compared(similarity, request)


@selves.register
def _(similarity: Custom, view: View, elements: Elements) -> list[Number]:
    if similarity.normalized:
        return [1] * len(elements)
    values = map(plain_value, identities(similarity, view, elements))
    with naming_item(view):
        return [similarity.amount(value, value) for value in values]


@selves.register
def _(similarity: Weight, view: View, elements: Elements) -> list[Number]:
    values = identities(similarity, view, elements)
    return [similarity.weight_of(value) for value in values]
