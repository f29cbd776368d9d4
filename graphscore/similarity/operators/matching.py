"""Sums over matchings of parts (Σ, eq. 13)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import ClassVar, Literal, get_args

from graphscore.similarity.base import Similarity, require_similarity
from graphscore.similarity.expression import (
    ARTICLES,
    Notation,
    delegate,
    require,
)
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.orders import Order

Constraint = Literal["1:1", "n:1", "1:n", "n:n"]
"""Constraint on how many system elements may match how many gold elements."""

Duplicates = Literal["multiset", "set"]
"""Treatment of equal members: each counts, or they are one."""


class Match(Similarity, frozen=True):
    """The sum of similarities over the best matching of members (Σ, eq. 13).

    Args:
        collection: whose members are matched.
        similarity: how two members are compared.
        constraint: ``1:1``, ``n:1`` (many system members may match one gold
            member), ``1:n`` or ``n:n``.
        duplicates: whether members that look alike to *similarity* each count.
        order: an order that matched members must have in common (eq. 37).
    """

    call: ClassVar[str] = "match"
    normalized: ClassVar[bool] = False

    collection: Collection
    similarity: Similarity
    constraint: Constraint = "1:1"
    duplicates: Duplicates = "multiset"
    order: Order | None = None

    def __post_init__(self) -> None:
        require(
            isinstance(self.collection, Collection),
            f"found {self.collection!r}, expected a collection such as "
            "nodes('mention') or edges_out()",
            f"Σ{self.collection}[{self.similarity}]",
            f"{self.collection}",
            "Σ",
        )
        shown = f"Σ{self.collection}[{self.similarity}]"
        require_similarity(
            self.similarity,
            self.collection.yields,
            f": {ARTICLES[self.collection.yields]} is what {self.collection} leads to",
            shown,
            f"Σ{self.collection}[",
        )
        demand = partial(require, formula=shown, spot="Σ", before="")
        for value, choices in (
            (self.constraint, get_args(Constraint)),
            (self.duplicates, get_args(Duplicates)),
        ):
            demand(
                value in choices,
                f"found {value!r}, expected one of: {', '.join(choices)}",
            )
        if self.order is not None:
            demand(
                isinstance(self.order, Order),
                f"found {self.order!r}, expected an order such as in_sequence",
            )
            self.order.check(self.collection, shown)

    @property
    def proper(self) -> bool:
        """One to one, of parts that are."""
        return self.constraint == "1:1" and self.similarity.proper

    @property
    def capped(self) -> bool:
        """Unless any part may match many on both sides."""
        return self.constraint != "n:n" and self.similarity.capped

    @property
    def sided(self) -> bool:
        """True if its constraint, or that of a part, is not one to one."""
        return self.constraint != "1:1" or self.similarity.sided

    of = delegate("collection.of")

    def arguments(self) -> Iterator[str]:
        """The collection, the similarity, and what is off its default."""
        yield repr(self.collection)
        yield repr(self.similarity)
        if self.constraint != "1:1":
            yield repr(self.constraint)
        if self.duplicates != "multiset":
            yield f"duplicates={self.duplicates!r}"
        if self.order is not None:
            yield f"order={self.order!r}"

    def spell(self, notation: Notation) -> str:
        """Σ with its constraint, collection and similarity."""
        return self.spell_as(notation.total, notation)

    def spell_as(self, letter: str, notation: Notation) -> str:
        """The same with another letter, as normalised sums are written."""
        arrow = notation.above(notation.arrows[self.constraint])
        order = "" if self.order is None else self.order.spell(notation)
        below = self.collection.spell(notation) + order
        shown = notation.below(below) if notation.latex else below
        left, right = notation.brackets
        return f"{letter}{arrow}{shown}{left}{self.similarity.spell(notation)}{right}"

    def parts(self) -> Iterator[Similarity]:
        """The similarity of members."""
        yield self.similarity

    @cached_property
    def features(self) -> tuple[Feature, ...] | None:
        """Features to be equal, where nothing else counts; ``None`` for others."""
        features, rest = self.similarity.split()
        return None if rest or self.order is not None else features

    @cached_property
    def countable(self) -> bool:
        """True if it counts equal members of the whole graph, one to one."""
        one_to_one = self.constraint == "1:1" and self.features is not None
        return one_to_one and self.collection.of == "graph"


# As parts of a formula they are named in small letters.
match = Match
