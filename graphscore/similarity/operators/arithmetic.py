"""Similarities made of others: equality, products, sums.

Equality of several features is one key; a product of equalities is one key too,
and its other factors are only asked about pairs whose keys are equal.

>>> from graphscore.similarity.features.elements import anchors, label
>>> print(exact(label, anchors) * exact(label))
δ_label × δ_anchors × δ_label
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import ClassVar, TypeVar

from graphscore.similarity.base import (
    Asked,
    Bag,
    Cell,
    Number,
    Numerators,
    Partition,
    Similarity,
    Sparse,
    added,
    join_size,
    joined,
    keys_of,
    require_similarity,
)
from graphscore.similarity.expression import Notation, Sort, require
from graphscore.similarity.features.elements import Feature, anchors, one_sort
from graphscore.similarity.features.values import itself
from graphscore.similarity.view import Elements, Pair, View

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Exact(Similarity):
    """Equality: 1 where all features are equal, else 0 (δ, eq. 1).

    Args:
        features: what must be equal, at least one, all said of the same.
    """

    call: ClassVar[str] = "exact"
    normalized: ClassVar[bool] = True

    features: tuple[Feature, ...]

    def __post_init__(self) -> None:
        none = "found exact(), expected a feature in it"
        require(bool(self.features), none, "exact()", "exact()")
        one_sort(self.features, " × ", "δ_")

    @property
    def of(self) -> Sort:
        """Sort of the features."""
        return self.features[0].of

    def arguments(self) -> Iterator[str]:
        """The features."""
        return map(repr, self.features)

    def spell(self, notation: Notation) -> str:
        """A δ for each feature; bare where only place or the value counts."""
        if self.features in ((anchors,), (itself,)):
            return notation.delta
        return notation.times.join(
            notation.delta + notation.below(feature.spell(notation))
            for feature in self.features
        )

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """All of it is equality."""
        return self.features, ()

    def keys(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the joint key of each element."""
        return keys_of(self.features, view, elements)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """1 for every pair with equal features."""
        return joined(
            self.keys(pair.gold, gold), self.keys(pair.system, system), requested
        )

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Count the equal pairs."""
        return join_size(self.keys(pair.gold, gold), self.keys(pair.system, system))

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """1 each."""
        return [1] * len(elements)

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """The features."""
        return self.keys(view, elements)

    def warm(self, view: View, elements: Elements) -> None:
        """Work the columns out."""
        self.keys(view, elements)


def exact(*features: Feature) -> Exact:
    """Equality of features: 1 where all are equal, else 0 (δ, eq. 1).

    Args:
        features: what must be equal.

    Raises:
        FormulaError: if there is none, or they are said of different things.

    Example:
        >>> from graphscore.similarity.features.elements import edge_label, label
        >>> exact(label)
        exact(label)
        >>> exact(label, edge_label)
        Traceback (most recent call last):
        graphscore.similarity.expression.FormulaError: edge_label is said of an edge, \
expected something said of a node
            δ_label × δ_edge_label
                        ^^^^^^^^^^
    """
    return Exact(features)


@dataclass(frozen=True, repr=False)
class Product(Similarity):
    """The product of similarities of the same thing (eq. 2).

    Args:
        factors: two or more, none a product itself.
    """

    factors: tuple[Similarity, ...]

    def __post_init__(self) -> None:
        require_same(self.factors, " × ")

    @property
    def normalized(self) -> bool:
        """True if all factors are normalized."""
        return all(factor.normalized for factor in self.factors)

    def __repr__(self) -> str:
        return " * ".join(
            f"({factor!r})" if isinstance(factor, Total) else repr(factor)
            for factor in self.factors
        )

    def spell(self, notation: Notation) -> str:
        """The factors, with the sign between."""
        return notation.times.join(
            f"({factor.spell(notation)})"
            if isinstance(factor, Total)
            else factor.spell(notation)
            for factor in self.factors
        )

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """Equalities of all factors, and what is left of them."""
        features: list[Feature] = []
        rest: list[Similarity] = []
        for factor in self.factors:
            mine, left = factor.split()
            features += mine
            rest += left
        return tuple(features), tuple(rest)

    def parts(self) -> Iterator[Similarity]:
        """The factors."""
        return iter(self.factors)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """Products of the pairs for which no factor is 0."""
        features, rest = self.split()
        factors = [Exact(features), *rest] if features else list(rest)
        first = 0
        if len(factors) > 1 and len(gold) * len(system) > FEW:
            efforts = [factor.effort(pair, gold, system) for factor in factors]
            first = min(range(len(factors)), key=lambda k: (efforts[k], k))
        sparse: Sparse = {}
        tables: dict[int, Sparse] = {}
        for place in sorted(range(len(factors)), key=lambda k: (k != first, k)):
            sparse = factors[place].pairs(pair, gold, system, requested)
            tables[place] = requested = sparse
        if len(factors) == 1:
            return sparse
        # Always multiplied in the same order, so that the last bits are the same.
        one, *others = (tables[place] for place in range(len(factors)))
        if len(others) == 1:
            return {cell: one[cell] * others[0][cell] for cell in sparse}
        return {
            cell: prod([one[cell], *(each[cell] for each in others)]) for cell in sparse
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Return the cost of the cheapest factor: others compare only its matches."""
        features, rest = self.split()
        factors = [Exact(features), *rest] if features else rest
        return min(factor.effort(pair, gold, system) for factor in factors)

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> dict[Cell, Numerators]:
        """Products of numerators, factor by factor."""
        result: dict[Cell, Numerators] | None = None
        for factor in self.factors:
            more = factor.overlaps(
                pair, gold, system, requested if result is None else result
            )
            if result is None:
                result = more
            else:
                result = {
                    cell: Numerators(
                        value.recall * more[cell].recall,
                        value.precision * more[cell].precision,
                        value.literal * more[cell].literal,
                    )
                    for cell, value in result.items()
                    if cell in more
                }
        return result or {}

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Products of what the factors say."""
        numbers: list[Number] = [1] * len(elements)
        for factor in self.split()[1]:
            numbers = [
                number * selve
                for number, selve in zip(
                    numbers, factor.selves(view, elements), strict=True
                )
            ]
        return numbers

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the keys of all factors."""
        features, rest = self.split()
        columns = [keys_of(features, view, elements)] if features else []
        columns += [each.identities(view, elements) for each in rest]
        return list(zip(*columns, strict=True))


FEW = 100
"""Up to so many pairs, what comes first makes no difference worth finding out."""


def product(*factors: Similarity) -> Similarity:
    """The product of similarities of the same thing (eq. 2).

    Raises:
        FormulaError: if they compare different things.
    """
    require_same(factors, " × ")
    flat: list[Similarity] = []
    for factor in factors:
        flat += factor.factors if isinstance(factor, Product) else (factor,)
    return Product(tuple(flat)) if len(flat) > 1 else flat[0]


def require_same(parts: Sequence[Similarity], sign: str) -> None:
    """Fail unless all parts of a product or a sum compare the same.

    Args:
        parts: what should be similarities.
        sign: what stands between them.

    Raises:
        FormulaError: if there is none, or they compare different things.
    """
    none = "found nothing, expected a similarity such as exact(label)"
    require(bool(parts), none, sign.strip(), sign.strip())
    for index, each in enumerate(parts):
        sort = parts[0].of if index else None
        if isinstance(each, Similarity) and sort in (None, each.of):
            continue
        formula = sign.join(map(str, parts))
        before = "".join(f"{part}{sign}" for part in parts[:index])
        require_similarity(each, sort, f" as {parts[0]} does", formula, before)


@dataclass(frozen=True, repr=False)
class Total(Similarity):
    """The sum of amounts: things of several kinds in one overlap.

    Args:
        terms: two or more, none a sum itself; amounts, not proper similarities.
    """

    normalized: ClassVar[bool] = False

    terms: tuple[Similarity, ...]

    def __post_init__(self) -> None:
        require_same(self.terms, " + ")

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.terms))

    def spell(self, notation: Notation) -> str:
        """The terms with a plus between."""
        return " + ".join(term.spell(notation) for term in self.terms)

    def parts(self) -> Iterator[Similarity]:
        """The terms."""
        return iter(self.terms)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """Sums of the terms."""
        found: dict[Cell, list[Number]] = {}
        for term in self.terms:
            for cell, number in term.pairs(pair, gold, system, requested).items():
                found.setdefault(cell, []).append(number)
        return {cell: added(numbers) for cell, numbers in found.items()}

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> dict[Cell, Numerators]:
        """Sums of the terms' numerators."""
        result: dict[Cell, list[Numerators]] = {}
        for term in self.terms:
            for cell, more in term.overlaps(pair, gold, system, requested).items():
                result.setdefault(cell, []).append(more)
        return {
            cell: Numerators(*map(added, zip(*numbers, strict=True)))
            for cell, numbers in result.items()
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Return the cost of all terms."""
        return sum(term.effort(pair, gold, system) for term in self.terms)

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Sums of what the terms say."""
        columns = [term.selves(view, elements) for term in self.terms]
        return [added(row) for row in zip(*columns, strict=True)]

    @cached_property
    def countable(self) -> bool:
        """True if every term is countable."""
        return all(term.countable for term in self.terms)

    def bags(self, view: View) -> tuple[Bag, ...]:
        """Those of all terms."""
        result: tuple[Bag, ...] | None = view.kept.get(self.bag_key)
        if result is None:
            result = tuple(bag for term in self.terms for bag in term.bags(view))
            view.kept[self.bag_key] = result
        return result

    def parted(self, pair: Pair, matched: bool = True) -> tuple[Partition, ...]:
        """Those of all terms."""
        return tuple(
            partition for term in self.terms for partition in term.parted(pair, matched)
        )

    def warm(self, view: View, elements: Elements) -> None:
        """Let every term."""
        if self.countable:
            self.bags(view)
            return
        for term in self.terms:
            term.warm(view, elements)


def total(*terms: Similarity) -> Similarity:
    """The sum of amounts: things of several kinds in one overlap.

    Raises:
        FormulaError: if they compare different things.
    """
    require_same(terms, " + ")
    flat: list[Similarity] = []
    for term in terms:
        flat += term.terms if isinstance(term, Total) else (term,)
    return Total(tuple(flat)) if len(flat) > 1 else flat[0]
