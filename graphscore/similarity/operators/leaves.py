"""Similarities of single features that are more than equal or not.

Levels of a dotted type (eq. 38), sets of supertypes (eq. 39), descendants that
earn half (eq. 33), functions of one's own, weights, and a choice by what
something is.

Similarities of mentions and strings that the literature has names for.

Each is a formula made of the parts of this package, and prints as one.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace

from graphscore.similarity.base import Number, Similarity
from graphscore.similarity.expression import (
    FormulaError,
    Notation,
    delegate,
    require,
)
from graphscore.similarity.features.elements import (
    Feature,
    PropertyValue,
    anchors,
    comparable,
    plain_value,
    require_feature,
    surface_text,
)
from graphscore.similarity.features.values import (
    Folded,
    call,
    itself,
    require_named,
)
from graphscore.similarity.navigation.selections import Offsets, Words
from graphscore.similarity.operators.arithmetic import Exact, exact
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Normalized, jaccard
from graphscore.similarity.operators.thresholds import Threshold


class OfValues(Similarity, frozen=True):
    """Base of similarities that depend on one feature's values alone."""

    @property
    @abstractmethod
    def feature(self) -> Feature:
        """The feature whose values are compared."""

    def __post_init__(self) -> None:
        require_feature(self.feature, None, "", f"φ({self.feature})", "φ(")

    @property
    def normalized(self) -> bool:
        """Most are."""
        return True

    of = delegate("feature.of")

    @abstractmethod
    def of_values(self, predicted: Any, gold: Any) -> Number:
        """Return the similarity of two values."""

    @property
    def worth(self) -> str:
        """Description of a pair's weight."""
        return f"how alike both are by {self.feature.phrase}"

    def block(self, value: Any) -> Hashable:
        """Return the key that all values with a positive similarity share."""
        return None


class Custom(OfValues, frozen=True):
    """A function of one's own (φ of any kind), from 0 to 1, 1 for equal values.

    It need not be symmetric.  In formulas it goes by its name.

    Args:
        function: named function of the predicted and the gold value; it gives a
            number of Python or numpy.
        feature: which values; ``None`` where there is none.
        given: whether the function is asked about given values only; then nothing is
            like nothing, and unlike everything else.
        normalized: whether it is a similarity; otherwise an amount, the relaxed
            version of Definition 1: 0 or more, and two things are worth no more
            together than either is with itself.

    Raises:
        FormulaError: for a lambda; when it is used, with the item and both values,
            if the function fails, or gives what is no similarity, or no such amount.

    Example:
        >>> from difflib import SequenceMatcher
        >>> from graphscore.similarity.features.elements import label
        >>> def alike(predicted, gold):
        ...     return SequenceMatcher(None, predicted, gold).ratio()
        >>> Custom(alike, label).of_values("abcd", "abce")
        0.75
        >>> def letters(predicted, gold):
        ...     return len(set(predicted) & set(gold))
        >>> Custom(letters, label, normalized=False).of_values("abc", "bcde")
        2
    """

    call: ClassVar[str] = "custom"

    function: Callable[[Any, Any], Number]
    feature: Feature
    given: bool = False
    normalized: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_named(self.function, "φ_", f"({self.feature})")
        require(
            self.normalized or not self.given,
            "an amount of given values only, expected a similarity: nothing is as "
            "alike as can be to nothing, and amounts have no such number",
            str(self),
            str(self),
        )

    def spell(self, notation: Notation) -> str:
        """Its name."""
        shown = f"{self.function.__name__}({self.feature.spell(notation)})"
        return notation.phi + notation.below(shown)

    @property
    def worth(self) -> str:
        """Description of the function's result."""
        name = self.function.__name__
        range_ = "from 0 to 1" if self.normalized else "0 or more"
        return f"what {name} says of both by {self.feature.phrase}, {range_}"

    def where_given(self) -> Custom:
        """Skip the function where a value is missing."""
        return replace(self, given=True)

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """Return the function's result, checked as a similarity or an amount."""
        left, right = plain_value(predicted), plain_value(gold)
        if not self.normalized:
            return self._amount(left, right)
        if self.given and (left is None or right is None):
            return int(left is right)
        result = self._call(left, right)
        number = isinstance(result, (int, float))
        if not (number and 0 <= result <= 1) or (predicted == gold and result != 1):
            raise FormulaError(
                f"{self.function.__name__}({left!r}, {right!r}) is {result!r}, "
                "expected a similarity: from 0 to 1, and 1 for equal values",
                str(self),
                str(self),
            )
        return int(result) if isinstance(result, bool) else result

    def _call(self, left: Any, right: Any) -> Any:
        """Call the function, converting numbers of numpy to those of Python.

        Raises:
            FormulaError: if it fails, with the file and line where it does.
        """
        result = call(self.function, str(self), left, right)
        if type(result) in (int, float, bool):
            return result
        # Only functions of one's own may return numbers of numpy.
        import numpy as np

        return result.item() if isinstance(result, np.generic) else result

    def _amount(self, left: Any, right: Any) -> Number:
        """Return the amount of two values, checked against their self-similarities."""
        result = self.amount(left, right)
        most = min(self.amount(left, left), self.amount(right, right))
        if result > most:
            raise FormulaError(
                f"{self.function.__name__}({left!r}, {right!r}) is {result!r}, "
                f"expected at most {most!r}: no more than either is worth with itself",
                str(self),
                str(self),
            )
        return result

    def amount(self, left: Any, right: Any) -> Number:
        """Return the function's result, checked as an amount."""
        result = self._call(left, right)
        if not isinstance(result, (int, float)) or not 0 <= result < math.inf:
            raise FormulaError(
                f"{self.function.__name__}({left!r}, {right!r}) is {result!r}, "
                "expected an amount: a number, 0 or more",
                str(self),
                str(self),
            )
        return int(result) if isinstance(result, bool) else result


class Weight(OfValues, frozen=True):
    """Weight of an element: the lesser of both sides' weights.

    An amount, to be multiplied with a similarity: names that count more than
    pronouns (Chen et al. 2023, section 6).

    Args:
        feature: what the weight depends on.
        weights: (value, weight) of every value.
        otherwise: weight of every other value.
    """

    normalized: ClassVar[bool] = False

    feature: Feature
    weights: tuple[tuple[Hashable, float], ...]
    otherwise: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for value, number in (*self.weights, ("otherwise", self.otherwise)):
            require(
                0 <= number < math.inf,
                f"weight {number} of {value!r}, expected 0 or more",
                str(self),
                str(self),
            )

    @cached_property
    def _table(self) -> dict[Hashable, float]:
        return {comparable(result): number for result, number in self.weights}

    def __repr__(self) -> str:
        more = f", otherwise={self.otherwise!r}" if self.otherwise else ""
        return f"weight({self.feature!r}, {dict(self.weights)!r}{more})"

    def spell(self, notation: Notation) -> str:
        """W with the feature."""
        return "w" + notation.below(self.feature.spell(notation))

    @property
    def worth(self) -> str:
        """The weights."""
        shown = [f"{value}: {worth:g}" for value, worth in self.weights]
        shown.append(f"anything else: {self.otherwise:g}")
        by = f"{self.feature.phrase} ({', '.join(shown)})"
        return f"the lesser weight of both by {by}"

    def weight_of(self, value: Hashable) -> float:
        """Weight of an element by its value."""
        return self._table.get(value, self.otherwise)

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """The lesser of both weights."""
        return min(self.weight_of(predicted), self.weight_of(gold))


def weight(
    feature: Feature, weights: Mapping[Hashable, float], *, otherwise: float = 0.0
) -> Weight:
    """Weight an element by one of its features.

    Args:
        feature: what the weight depends on.
        weights: weight of every value.
        otherwise: weight of every other value.
    """
    return Weight(feature, tuple(weights.items()), otherwise)


# As parts of a formula they are named in small letters.
custom = Custom


def span_jaccard(feature: Feature = anchors) -> Normalized:
    """Jaccard similarity of the characters that two ranges cover (eq. 29).

    Args:
        feature: the ranges.

    Example:
        >>> print(span_jaccard() > 0.5)
        ⟦J↔offsets[δ] > 0.5⟧
    """
    return jaccard(Match(Offsets(feature), exact(itself), duplicates="set"))


def string_overlap(
    feature: Feature = surface_text, *, premodifiers: Collection[str] = ()
) -> Threshold:
    """Test whether two strings share a word that is no premodifier (eq. 45, 46).

    The amount is asked for, not its ratio: both exceed 0 together, but two strings
    without any word that counts have nothing in common.

    Args:
        feature: the strings.
        premodifiers: lower-cased words that do not count.
    """
    words = Words(feature, frozenset(premodifiers))
    return Threshold(Match(words, exact(itself), duplicates="set"), 0.0)


def head_word(name: str = "head") -> Exact:
    """Test whether two mentions have the same case-folded head word.

    Args:
        name: the property of a mention that says its head.
    """
    return exact(Folded(PropertyValue(name)))


def informed(similarity: Similarity, importance: Similarity) -> Similarity:
    """A similarity, weighted by how informative the things are.

    Args:
        similarity: how they are compared.
        importance: such as ``weight(property_value("mention_type"), {"NAM": 1})``.
    """
    return importance * similarity
