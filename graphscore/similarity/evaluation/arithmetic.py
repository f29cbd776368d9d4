"""Rules of equality, products, sums, ratios and thresholds.

Equality of several features is one key; a product of equalities is one key too, and
its other factors are only asked about pairs whose keys are equal.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import prod

from graphscore.similarity.base import (
    Cell,
    Number,
    Numerators,
    Request,
    Sparse,
    join,
    join_size,
    keys_of,
    sum_exactly,
)
from graphscore.similarity.evaluation.equal_members import bags
from graphscore.similarity.evaluation.functions import (
    effort,
    identities,
    overlaps,
    pairs,
    selves,
    warm,
)
from graphscore.similarity.operators.arithmetic import Exact, Product, Total
from graphscore.similarity.operators.ratios import Harmonic, Normalized
from graphscore.similarity.operators.thresholds import Excess, Threshold
from graphscore.similarity.view import Elements, View

FEW = 100
"""Up to so many pairs, what comes first makes no difference worth finding out."""


@pairs.register
def _(similarity: Exact, request: Request) -> Sparse:
    left, right = (keys_of(similarity.features, *side) for side in request.sides)
    return join(left, right, request.requested)


@effort.register
def _(similarity: Exact, request: Request) -> int:
    return join_size(*(keys_of(similarity.features, *side) for side in request.sides))


@identities.register
def _(similarity: Exact, view: View, elements: Elements) -> list[Hashable]:
    return keys_of(similarity.features, view, elements)


@warm.register
def _(similarity: Exact, view: View, elements: Elements) -> None:
    keys_of(similarity.features, view, elements)


@pairs.register
def _(similarity: Product, request: Request) -> Sparse:
    factors = similarity.gathered
    first = 0
    if len(factors) > 1 and len(request.gold) * len(request.system) > FEW:
        efforts = [effort(factor, request) for factor in factors]
        first = min(range(len(factors)), key=lambda k: (efforts[k], k))
    sparse: Sparse = {}
    tables: dict[int, Sparse] = {}
    for index in sorted(range(len(factors)), key=lambda k: (k != first, k)):
        sparse = tables[index] = pairs(factors[index], request)
        request = request._replace(requested=sparse)
    if len(factors) == 1:
        return sparse
    # Always multiplied in the same order, so that the last bits are the same.
    if len(factors) == 2:
        return {cell: tables[0][cell] * tables[1][cell] for cell in sparse}
    ordered = [tables[index] for index in range(len(factors))]
    return {cell: prod([table[cell] for table in ordered]) for cell in sparse}


@effort.register
def _(similarity: Product, request: Request) -> int:
    # That of the cheapest factor: others compare only its matches.
    return min(effort(factor, request) for factor in similarity.gathered)


@overlaps.register
def _(similarity: Product, request: Request) -> dict[Cell, Numerators]:
    first, *others = similarity.factors
    result = overlaps(first, request)
    for factor in others:
        more = overlaps(factor, request._replace(requested=result))
        result = {
            cell: Numerators(*map(prod, zip(value, more[cell], strict=True)))
            for cell, value in result.items()
            if cell in more
        }
    return result


@selves.register
def _(similarity: Product, view: View, elements: Elements) -> list[Number]:
    numbers: list[Number] = [1] * len(elements)
    for factor in similarity.split()[1]:
        more = selves(factor, view, elements)
        numbers = [number * own for number, own in zip(numbers, more, strict=True)]
    return numbers


@identities.register
def _(similarity: Product, view: View, elements: Elements) -> list[Hashable]:
    columns = [identities(factor, view, elements) for factor in similarity.gathered]
    return list(zip(*columns, strict=True))


@pairs.register
def _(similarity: Total, request: Request) -> Sparse:
    result: dict[Cell, list[Number]] = {}
    for term in similarity.terms:
        for cell, number in pairs(term, request).items():
            result.setdefault(cell, []).append(number)
    return {cell: sum_exactly(numbers) for cell, numbers in result.items()}


@overlaps.register
def _(similarity: Total, request: Request) -> dict[Cell, Numerators]:
    result: dict[Cell, list[Numerators]] = {}
    for term in similarity.terms:
        for cell, more in overlaps(term, request).items():
            result.setdefault(cell, []).append(more)
    return {
        cell: Numerators(*map(sum_exactly, zip(*numbers, strict=True)))
        for cell, numbers in result.items()
    }


@effort.register
def _(similarity: Total, request: Request) -> int:
    return sum(effort(term, request) for term in similarity.terms)


@selves.register
def _(similarity: Total, view: View, elements: Elements) -> list[Number]:
    columns = [selves(term, view, elements) for term in similarity.terms]
    return [sum_exactly(row) for row in zip(*columns, strict=True)]


@warm.register
def _(similarity: Total, view: View, elements: Elements) -> None:
    if similarity.countable:
        bags(similarity, view)
        return
    for term in similarity.terms:
        warm(term, view, elements)


@pairs.register
def _(similarity: Normalized, request: Request) -> Sparse:
    """The ratios; 1 where there is nothing on either side."""
    operand = similarity.operand
    left, right = (selves(operand, *side) for side in request.sides)
    sparse: Sparse = {}
    for (r, c), amount in overlaps(operand, request).items():
        if number := similarity.ratio(left[r], right[c], amount):
            sparse[r, c] = number
    requested = request.requested
    if requested is None:
        empty = [c for c, number in enumerate(right) if number == 0]
        rows = [r for r, number in enumerate(left) if number == 0] if empty else []
        requested = [(r, c) for r in rows for c in empty]
    for r, c in requested:
        if left[r] == 0 == right[c]:
            sparse[r, c] = 1
    return sparse


@pairs.register
def _(similarity: Harmonic, request: Request) -> Sparse:
    left = pairs(similarity.precision, request)
    right = pairs(similarity.recall, request._replace(requested=left))
    return {
        cell: 2 * left[cell] * number / (left[cell] + number)
        for cell, number in right.items()
    }


@pairs.register
def _(similarity: Threshold, request: Request) -> Sparse:
    cells = pairs(similarity.similarity, request)
    return {cell: 1 for cell, number in cells.items() if similarity.passes(number)}


@selves.register
def _(similarity: Threshold, view: View, elements: Elements) -> list[Number]:
    own = selves(similarity.similarity, view, elements)
    return [int(similarity.passes(number)) for number in own]


@pairs.register
def _(similarity: Excess, request: Request) -> Sparse:
    amount = similarity.amount
    cells = pairs(similarity.similarity, request)
    return {cell: number - amount for cell, number in cells.items() if number > amount}


@overlaps.register
def _(similarity: Excess, request: Request) -> dict[Cell, Numerators]:
    amount = similarity.amount
    cells = overlaps(similarity.similarity, request)
    return {
        cell: Numerators(*(max(0, number - amount) for number in numbers))
        for cell, numbers in cells.items()
        if numbers.literal > amount
    }


@selves.register
def _(similarity: Excess, view: View, elements: Elements) -> list[Number]:
    own = selves(similarity.similarity, view, elements)
    return [max(0, number - similarity.amount) for number in own]


@effort.register(Normalized)
@effort.register(Threshold)
@effort.register(Excess)
def _(similarity: Normalized | Threshold | Excess, request: Request) -> int:
    [inner] = similarity.parts()
    return effort(inner, request)
