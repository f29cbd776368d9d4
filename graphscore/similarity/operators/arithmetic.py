"""Similarities made of others: equality, products, sums.

Equality of several features is one key; a product of equalities is one key too,
and its other factors are only asked about pairs whose keys are equal.

>>> from graphscore.similarity.features.elements import anchors, label
>>> print(exact(label, anchors) * exact(label))
δ_label × δ_anchors × δ_label
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from graphscore.similarity.base import (
    Similarity,
    require_similarity,
)
from graphscore.similarity.expression import Notation, Sort, require
from graphscore.similarity.features.elements import Feature, anchors, one_sort
from graphscore.similarity.features.values import itself


class Exact(Similarity, frozen=True):
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


class Product(Similarity, frozen=True):
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
            equal, left = factor.split()
            features += equal
            rest += left
        return tuple(features), tuple(rest)

    @cached_property
    def gathered(self) -> tuple[Similarity, ...]:
        """One equality of all features that must be equal, and what is left."""
        features, rest = self.split()
        return (Exact(features), *rest) if features else rest

    def parts(self) -> Iterator[Similarity]:
        """The factors."""
        return iter(self.factors)


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
    for index, operand in enumerate(parts):
        sort = parts[0].of if index else None
        if isinstance(operand, Similarity) and sort in (None, operand.of):
            continue
        formula = sign.join(map(str, parts))
        before = "".join(f"{part}{sign}" for part in parts[:index])
        require_similarity(operand, sort, f" as {parts[0]} does", formula, before)


class Total(Similarity, frozen=True):
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

    @cached_property
    def countable(self) -> bool:
        """True if every term is countable."""
        return all(term.countable for term in self.terms)


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
