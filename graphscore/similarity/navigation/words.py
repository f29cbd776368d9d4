"""Collections inside of a value: words and characters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import (
    Feature,
    anchors,
    plain,
    require_feature,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.view import Element, Elements, View


class OfFeature(Collection):
    """Base of what a feature's value is made of."""

    yields: ClassVar[Sort] = "value"
    feature: Feature

    def __post_init__(self) -> None:
        shown = f"{self.call}({self.feature})"
        require_feature(self.feature, None, "", shown, f"{self.call}(")

    @property
    def of(self) -> Sort:
        """What the feature is said of."""
        return self.feature.of

    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The parts of each owner's value."""
        split: dict[Hashable, tuple[Element, ...]] = view.keep(self.token, dict)
        found = []
        for whole in self.feature.of_all(view, owners):
            parts = split.get(whole)
            if parts is None:
                parts = split[whole] = tuple(self.parts(whole))
            found.append(parts)
        return found

    @abstractmethod
    def parts(self, whole: Any) -> Iterable[Element]:
        """What a value is made of."""


@dataclass(frozen=True, repr=False)
class Words(OfFeature):
    """The words of a string, lower-cased, without surrounding punctuation.

    Args:
        feature: the string; ``None`` has no words.
        without: words that are left out, such as premodifiers.
    """

    call: ClassVar[str] = "words"
    short: ClassVar[str] = "words"

    feature: Feature
    without: frozenset[str] = frozenset()

    def parts(self, whole: Any) -> Iterable[Element]:
        """Words in order, repeated ones each."""
        text = plain(whole)
        if text is None:
            return
        for word in str(text).lower().split():
            bare = word.strip(_PUNCTUATION)
            if bare and bare not in self.without:
                yield bare


_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~“”‘’"


@dataclass(frozen=True, repr=False)
class Offsets(OfFeature):
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
        found = plain(whole)
        if isinstance(found, tuple):
            for start, end in found:
                yield from range(start, end)
        elif found is not None:
            yield found


# As parts of a formula they are named in small letters.
offsets = Offsets
words = Words
