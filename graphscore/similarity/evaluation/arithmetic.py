"""Rules of equality, products, sums, ratios and thresholds.

Equality of several features is one key; a product of equalities is one key too, and
its other factors are only asked about pairs whose keys are equal.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import prod

from graphscore.similarity.base import (
    Asked,
    Cell,
    Number,
    Numerators,
    Sparse,
    added,
    join_size,
    joined,
    keys_of,
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
from graphscore.similarity.view import Elements, Pair, View

FEW = 100
"""Up to so many pairs, what comes first makes no difference worth finding out."""


@pairs.register
def _(
    similarity: Exact,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    features = similarity.features
    keys = keys_of(features, pair.gold, gold), keys_of(features, pair.system, system)
    return joined(*keys, requested)


@effort.register
def _(similarity: Exact, pair: Pair, gold: Elements, system: Elements) -> int:
    features = similarity.features
    keys = keys_of(features, pair.gold, gold), keys_of(features, pair.system, system)
    return join_size(*keys)


@identities.register
def _(similarity: Exact, view: View, elements: Elements) -> list[Hashable]:
    return keys_of(similarity.features, view, elements)


@warm.register
def _(similarity: Exact, view: View, elements: Elements) -> None:
    keys_of(similarity.features, view, elements)


@pairs.register
def _(
    similarity: Product,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    factors = similarity.gathered
    first = 0
    if len(factors) > 1 and len(gold) * len(system) > FEW:
        efforts = [effort(factor, pair, gold, system) for factor in factors]
        first = min(range(len(factors)), key=lambda k: (efforts[k], k))
    sparse: Sparse = {}
    tables: dict[int, Sparse] = {}
    for place in sorted(range(len(factors)), key=lambda k: (k != first, k)):
        sparse = pairs(factors[place], pair, gold, system, requested)
        tables[place] = requested = sparse
    if len(factors) == 1:
        return sparse
    # Always multiplied in the same order, so that the last bits are the same.
    one, *others = (tables[place] for place in range(len(factors)))
    if len(others) == 1:
        return {cell: one[cell] * others[0][cell] for cell in sparse}
    return {
        cell: prod([one[cell], *(table[cell] for table in others)]) for cell in sparse
    }


@effort.register
def _(similarity: Product, pair: Pair, gold: Elements, system: Elements) -> int:
    # That of the cheapest factor: others compare only its matches.
    return min(effort(factor, pair, gold, system) for factor in similarity.gathered)


@overlaps.register
def _(
    similarity: Product,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> dict[Cell, Numerators]:
    first, *others = similarity.factors
    result = overlaps(first, pair, gold, system, requested)
    for factor in others:
        more = overlaps(factor, pair, gold, system, result)
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
def _(
    similarity: Total,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    result: dict[Cell, list[Number]] = {}
    for term in similarity.terms:
        for cell, number in pairs(term, pair, gold, system, requested).items():
            result.setdefault(cell, []).append(number)
    return {cell: added(numbers) for cell, numbers in result.items()}


@overlaps.register
def _(
    similarity: Total,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> dict[Cell, Numerators]:
    result: dict[Cell, list[Numerators]] = {}
    for term in similarity.terms:
        for cell, more in overlaps(term, pair, gold, system, requested).items():
            result.setdefault(cell, []).append(more)
    return {
        cell: Numerators(*map(added, zip(*numbers, strict=True)))
        for cell, numbers in result.items()
    }


@effort.register
def _(similarity: Total, pair: Pair, gold: Elements, system: Elements) -> int:
    return sum(effort(term, pair, gold, system) for term in similarity.terms)


@selves.register
def _(similarity: Total, view: View, elements: Elements) -> list[Number]:
    columns = [selves(term, view, elements) for term in similarity.terms]
    return [added(row) for row in zip(*columns, strict=True)]


@warm.register
def _(similarity: Total, view: View, elements: Elements) -> None:
    if similarity.countable:
        bags(similarity, view)
        return
    for term in similarity.terms:
        warm(term, view, elements)


@pairs.register
def _(
    similarity: Normalized,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    """The ratios; 1 where there is nothing on either side."""
    operand = similarity.operand
    left = selves(operand, pair.gold, gold)
    right = selves(operand, pair.system, system)
    sparse: Sparse = {}
    amounts = overlaps(operand, pair, gold, system, requested)
    for (r, c), amount in amounts.items():
        if number := similarity.ratio(left[r], right[c], amount):
            sparse[r, c] = number
    if requested is None:
        empty = [c for c, number in enumerate(right) if number == 0]
        rows = [r for r, number in enumerate(left) if number == 0] if empty else []
        requested = [(r, c) for r in rows for c in empty]
    for r, c in requested:
        if left[r] == 0 == right[c]:
            sparse[r, c] = 1
    return sparse


@pairs.register
def _(
    similarity: Harmonic,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    left = pairs(similarity.precision, pair, gold, system, requested)
    right = pairs(similarity.recall, pair, gold, system, left)
    return {
        cell: 2 * left[cell] * number / (left[cell] + number)
        for cell, number in right.items()
    }


@pairs.register
def _(
    similarity: Threshold,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    cells = pairs(similarity.similarity, pair, gold, system, requested)
    return {cell: 1 for cell, number in cells.items() if similarity.passes(number)}


@selves.register
def _(similarity: Threshold, view: View, elements: Elements) -> list[Number]:
    own = selves(similarity.similarity, view, elements)
    return [int(similarity.passes(number)) for number in own]


@pairs.register
def _(
    similarity: Excess,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> Sparse:
    amount = similarity.amount
    cells = pairs(similarity.similarity, pair, gold, system, requested)
    return {cell: number - amount for cell, number in cells.items() if number > amount}


@overlaps.register
def _(
    similarity: Excess,
    pair: Pair,
    gold: Elements,
    system: Elements,
    requested: Asked = None,
) -> dict[Cell, Numerators]:
    amount = similarity.amount
    cells = overlaps(similarity.similarity, pair, gold, system, requested)
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
def _(
    similarity: Normalized | Threshold | Excess,
    pair: Pair,
    gold: Elements,
    system: Elements,
) -> int:
    [inner] = similarity.parts()
    return effort(inner, pair, gold, system)
