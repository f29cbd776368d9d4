"""Collections made of others, or of a value: a filter, the top's, words, characters.

>>> from graphscore.similarity.navigation.collections import Items
>>> OfTop(Items("relations"))
of_top(items('relations'))
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

from graphscore.similarity.expression import ARTICLES, Sort, delegate, require
from graphscore.similarity.features.elements import (
    Feature,
    anchors,
    comparable,
    plain_value,
    require_feature,
)
from graphscore.similarity.navigation.collections import Collection, Whole
from graphscore.similarity.navigation.steps import top
from graphscore.similarity.view import Element, Elements, View


class Where(Collection, frozen=True):
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

    of = delegate("collection.of")
    yields = delegate("collection.yields")

    @property
    def short(self) -> str:
        """The collection with its condition."""
        if self.exclude and self.allowed == {None}:
            return f"{self.collection.short}({self.feature.short})"
        sign = "∉" if self.exclude else "∈"
        shown = ",".join(
            sorted(str(plain_value(hashable)) for hashable in self.allowed)
        )
        return f"{self.collection.short}({self.feature.short}{sign}{{{shown}}})"

    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The members of each owner that the feature lets through."""
        result = []
        for every in self.collection.members(view, owners):
            values = self.feature.of_all(view, every)
            result.append(
                tuple(
                    member
                    for member, value in zip(every, values, strict=True)
                    if (value in self.allowed) != self.exclude
                )
            )
        return result

    def __repr__(self) -> str:
        call = "without" if self.exclude else "only"
        shown = ", ".join(
            sorted(repr(plain_value(hashable)) for hashable in self.allowed)
        )
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


class OfTop(Whole, frozen=True):
    """Collection that starts at the graph's top.

    Args:
        collection: whose members; it must start at a node.
    """

    call: ClassVar[str] = "of_top"

    collection: Collection

    def __post_init__(self) -> None:
        require(
            self.collection.of == "node",
            f"{self.collection} starts at {ARTICLES[self.collection.of]}, expected "
            "a collection that starts at a node",
            str(self.collection),
        )

    yields = delegate("collection.yields")
    short = delegate("collection.short")

    def every(self, view: View) -> Iterable[Element]:
        """The top's members; none where there is no top."""
        [start] = top.follow(view, [0])
        return () if start is None else self.collection.members(view, [start])[0]


class OfFeature(Collection, frozen=True):
    """Base of what a feature's value is made of."""

    yields: ClassVar[Sort] = "value"
    feature: Feature

    def __post_init__(self) -> None:
        shown = f"{self.call}({self.feature})"
        require_feature(self.feature, None, "", shown, f"{self.call}(")

    of = delegate("feature.of")

    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The parts of each owner's value."""
        split: dict[Hashable, tuple[Element, ...]] = view.keep(self.token, dict)
        result = []
        for whole in self.feature.of_all(view, owners):
            parts = split.get(whole)
            if parts is None:
                parts = split[whole] = tuple(self.parts(whole))
            result.append(parts)
        return result

    @abstractmethod
    def parts(self, whole: Any) -> Iterable[Element]:
        """Yield the parts of a value."""


class Words(OfFeature, frozen=True):
    """The words of a string, lower-cased, without surrounding punctuation.

    Args:
        feature: the string; ``None`` has no words.
        without: words that are left out, such as premodifiers.
    """

    call: ClassVar[str] = "words"
    short: ClassVar[str] = "words"

    without: frozenset[str] = frozenset()

    def parts(self, whole: Any) -> Iterable[Element]:
        """Words in order, repeated ones each."""
        text = plain_value(whole)
        if text is None:
            return
        for word in str(text).lower().split():
            bare = word.strip(_PUNCTUATION)
            if bare and bare not in self.without:
                yield bare


_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~“”‘’"


class Offsets(OfFeature, frozen=True):
    """The characters that ranges cover, as bare integers (eq. 29).

    A mention that is a bare string has no offsets; it is its own only part.

    Args:
        feature: the ranges, by default a node's anchors.
    """

    call: ClassVar[str] = "offsets"
    short: ClassVar[str] = "offsets"

    feature: Feature = anchors

    def parts(self, whole: Any) -> Iterable[Element]:
        """Every position, ascending."""
        ranges = plain_value(whole)
        if isinstance(ranges, tuple):
            for start, end in ranges:
                yield from range(start, end)
        elif ranges is not None:
            yield ranges


# As parts of a formula they are named in small letters.
of_top = OfTop
offsets = Offsets
words = Words
