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
        """What the features are said of."""
        return self.features[0].of

    def arguments(self) -> Iterator[str]:
        """The features."""
        return map(repr, self.features)

    def spell(self, notation: Notation) -> str:
        """A δ for each feature; bare where only place or the value counts."""
        if self.features in ((anchors,), (itself,)):
            return notation.delta
        return notation.times.join(
            notation.delta + notation.below(each.spell(notation))
            for each in self.features
        )

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """All of it is equality."""
        return self.features, ()

    def keys(self, view: View, elements: Elements) -> list[Hashable]:
        """What is compared of each element, as one key."""
        return keys_of(self.features, view, elements)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """1 for every pair with equal features."""
        return joined(
            self.keys(pair.gold, gold), self.keys(pair.system, system), wanted
        )

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """How many pairs are equal."""
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
        """Whether all factors are."""
        return all(each.normalized for each in self.factors)

    def __repr__(self) -> str:
        return " * ".join(
            f"({each!r})" if isinstance(each, Total) else repr(each)
            for each in self.factors
        )

    def spell(self, notation: Notation) -> str:
        """The factors, with the sign between."""
        return notation.times.join(
            f"({each.spell(notation)})"
            if isinstance(each, Total)
            else each.spell(notation)
            for each in self.factors
        )

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """Equalities of all factors, and what is left of them."""
        features: list[Feature] = []
        rest: list[Similarity] = []
        for each in self.factors:
            mine, left = each.split()
            features += mine
            rest += left
        return tuple(features), tuple(rest)

    def parts(self) -> Iterator[Similarity]:
        """The factors."""
        return iter(self.factors)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """Products of the pairs for which no factor is 0."""
        features, rest = self.split()
        factors = [Exact(features), *rest] if features else list(rest)
        first = 0
        if len(factors) > 1 and len(gold) * len(system) > FEW:
            efforts = [each.effort(pair, gold, system) for each in factors]
            first = min(range(len(factors)), key=lambda k: (efforts[k], k))
        found: Sparse = {}
        tables: dict[int, Sparse] = {}
        for place in sorted(range(len(factors)), key=lambda k: (k != first, k)):
            found = factors[place].pairs(pair, gold, system, wanted)
            tables[place] = wanted = found
        if len(factors) == 1:
            return found
        # Always multiplied in the same order, so that the last bits are the same.
        one, *others = (tables[place] for place in range(len(factors)))
        if len(others) == 1:
            return {cell: one[cell] * others[0][cell] for cell in found}
        return {
            cell: prod([one[cell], *(each[cell] for each in others)]) for cell in found
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """What the cheapest factor takes: the others only see what it leaves."""
        features, rest = self.split()
        factors = [Exact(features), *rest] if features else rest
        return min(each.effort(pair, gold, system) for each in factors)

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> dict[Cell, Numerators]:
        """Products of numerators, factor by factor."""
        found: dict[Cell, Numerators] | None = None
        for factor in self.factors:
            more = factor.overlaps(
                pair, gold, system, wanted if found is None else found
            )
            if found is None:
                found = more
            else:
                found = {
                    cell: Numerators(
                        one.recall * more[cell].recall,
                        one.precision * more[cell].precision,
                        one.literal * more[cell].literal,
                    )
                    for cell, one in found.items()
                    if cell in more
                }
        return found or {}

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Products of what the factors say."""
        found: list[Number] = [1] * len(elements)
        for factor in self.split()[1]:
            found = [
                one * two
                for one, two in zip(found, factor.selves(view, elements), strict=True)
            ]
        return found

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """What all factors see."""
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
    for each in factors:
        flat += each.factors if isinstance(each, Product) else (each,)
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
    for place, each in enumerate(parts):
        sort = parts[0].of if place else None
        if isinstance(each, Similarity) and sort in (None, each.of):
            continue
        formula = sign.join(map(str, parts))
        before = "".join(f"{one}{sign}" for one in parts[:place])
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
        return " + ".join(each.spell(notation) for each in self.terms)

    def parts(self) -> Iterator[Similarity]:
        """The terms."""
        return iter(self.terms)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """Sums of the terms."""
        found: dict[Cell, list[Number]] = {}
        for term in self.terms:
            for cell, number in term.pairs(pair, gold, system, wanted).items():
                found.setdefault(cell, []).append(number)
        return {cell: added(numbers) for cell, numbers in found.items()}

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> dict[Cell, Numerators]:
        """Sums of the terms' numerators."""
        found: dict[Cell, list[Numerators]] = {}
        for term in self.terms:
            for cell, more in term.overlaps(pair, gold, system, wanted).items():
                found.setdefault(cell, []).append(more)
        return {
            cell: Numerators(*map(added, zip(*numbers, strict=True)))
            for cell, numbers in found.items()
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """What all terms take."""
        return sum(each.effort(pair, gold, system) for each in self.terms)

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Sums of what the terms say."""
        columns = [each.selves(view, elements) for each in self.terms]
        return [added(row) for row in zip(*columns, strict=True)]

    @cached_property
    def countable(self) -> bool:
        """Whether every term is."""
        return all(term.countable for term in self.terms)

    def bags(self, view: View) -> tuple[Bag, ...]:
        """Those of all terms."""
        found: tuple[Bag, ...] | None = view.kept.get(self.bag_key)
        if found is None:
            found = tuple(bag for term in self.terms for bag in term.bags(view))
            view.kept[self.bag_key] = found
        return found

    def parted(self, pair: Pair, matched: bool = True) -> tuple[Partition, ...]:
        """Those of all terms."""
        return tuple(each for term in self.terms for each in term.parted(pair, matched))

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
    for each in terms:
        flat += each.terms if isinstance(each, Total) else (each,)
    return Total(tuple(flat)) if len(flat) > 1 else flat[0]
