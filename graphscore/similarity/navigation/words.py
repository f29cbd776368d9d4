"""Collections inside of a value: words and characters."""

from __future__ import annotations

import re
import string
from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from graphscore.similarity.expression import Sort, require
from graphscore.similarity.features.elements import (
    Feature,
    anchors,
    plain,
    require_feature,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.view import Element, Elements, View

Unit = Literal["characters", "words"]
"""What there are so many of in a row."""


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
class AnswerWords(OfFeature):
    """The words of an answer as SQuAD compares them (Rajpurkar et al. 2016).

    Lower-cased, without punctuation of ASCII anywhere, without a, an and the.

    Args:
        feature: the answer; ``None`` has no words.
    """

    call: ClassVar[str] = "answer_words"
    short: ClassVar[str] = "answer_words"

    feature: Feature

    def parts(self, whole: Any) -> Iterable[Element]:
        """Words in order, repeated ones each."""
        text = plain(whole)
        if text is None:
            return ()
        return _ARTICLES.sub(" ", str(text).lower().translate(_REMOVED)).split()


_ARTICLES = re.compile(r"\b(a|an|the)\b")
_REMOVED = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, repr=False)
class Ngrams(OfFeature):
    """What stands together in a string: so many characters or words in a row.

    A string of fewer is one of itself, so that short strings are not all alike.

    Args:
        feature: the string; ``None`` and an empty one have none.
        size: how many characters or words.
        unit: ``characters``, blanks among them, or ``words``, parted at blanks.

    Example:
        >>> from graphscore.similarity.features.elements import label
        >>> list(Ngrams(label, 3).parts("abcd")), list(Ngrams(label, 3).parts("ab"))
        (['abc', 'bcd'], ['ab'])
        >>> list(Ngrams(label, 2, "words").parts("to be or"))
        ['to be', 'be or']
    """

    call: ClassVar[str] = "ngrams"
    short: ClassVar[str] = "ngrams"

    feature: Feature
    size: int = 3
    unit: Unit = "characters"

    def __post_init__(self) -> None:
        super().__post_init__()
        shown = f"ngrams({self.feature}, {self.size!r}, {self.unit!r})"
        require(
            isinstance(self.size, int) and self.size > 0,
            f"found {self.size!r}, expected 1 or more",
            shown,
            repr(self.size),
        )
        require(
            self.unit in get_args(Unit),
            f"found {self.unit!r}, expected one of: {', '.join(get_args(Unit))}",
            shown,
            repr(self.unit),
        )

    def parts(self, whole: Any) -> Iterable[Element]:
        """All of them in order, repeated ones each."""
        text = plain(whole)
        if text is None:
            return
        row: str | list[str] = str(text)
        if self.unit == "words":
            row = str(text).split()
        sign = " " if self.unit == "words" else ""
        if row:
            for start in range(max(1, len(row) - self.size + 1)):
                yield sign.join(row[start : start + self.size])


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
answer_words = AnswerWords
ngrams = Ngrams
offsets = Offsets
words = Words
