"""The members of a collection of which a feature says the right thing."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from graphscore.similarity.expression import Sort, require
from graphscore.similarity.features.elements import (
    Feature,
    comparable,
    plain,
    require_feature,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.view import Element, Elements, View


@dataclass(frozen=True, repr=False)
class Where(Collection):
    """The members of a collection of which a feature says the right thing.

    Args:
        collection: which members.
        feature: what is looked at.
        allowed: values that are right.
        exclude: whether those values are wrong instead.
    """

    collection: Collection
    feature: Feature
    allowed: frozenset[Hashable]
    exclude: bool = False

    def __post_init__(self) -> None:
        before = f"{self.collection}("
        formula = f"{before}{self.feature})"
        require(
            isinstance(self.collection, Collection),
            f"found {self.collection!r}, expected a collection such as nodes()",
            formula,
            str(self.collection),
            "",
        )
        sort = self.collection.yields
        require_feature(self.feature, sort, "", formula, before)

    @property
    def of(self) -> Sort:
        """Where the collection starts."""
        return self.collection.of

    @property
    def yields(self) -> Sort:
        """What the collection leads to."""
        return self.collection.yields

    @property
    def short(self) -> str:
        """The collection with its condition."""
        if self.exclude and self.allowed == {None}:
            return f"{self.collection.short}({self.feature.short})"
        sign = "∉" if self.exclude else "∈"
        shown = ",".join(sorted(str(plain(each)) for each in self.allowed))
        return f"{self.collection.short}({self.feature.short}{sign}{{{shown}}})"

    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The members of each owner that the feature lets through."""
        found = []
        for every in self.collection.members(view, owners):
            said = self.feature.of_all(view, every)
            found.append(
                tuple(
                    member
                    for member, one in zip(every, said, strict=True)
                    if (one in self.allowed) != self.exclude
                )
            )
        return found

    def __repr__(self) -> str:
        call = "without" if self.exclude else "only"
        shown = ", ".join(sorted(repr(plain(each)) for each in self.allowed))
        return f"{call}({self.collection!r}, {self.feature!r}, {shown})"


def only(collection: Collection, feature: Feature, *allowed: Hashable) -> Where:
    """The members of which a feature says one of some values.

    Args:
        collection: which members.
        feature: what is looked at.
        allowed: the values.

    Raises:
        FormulaError: if the feature is not said of the members.
    """
    return Where(collection, feature, frozenset(map(comparable, allowed)))


def without(collection: Collection, feature: Feature, *excluded: Hashable) -> Where:
    """The members of which a feature says none of some values.

    Args:
        collection: which members.
        feature: what is looked at.
        excluded: the values.

    Raises:
        FormulaError: if the feature is not said of the members.
    """
    return Where(collection, feature, frozenset(map(comparable, excluded)), True)
