"""Similarities of mentions and strings that the literature has names for.

Each is a formula made of the parts of this package, and prints as one.
"""

from __future__ import annotations

from collections.abc import Collection

from graphscore.similarity.base import Similarity
from graphscore.similarity.combining.matching import Match
from graphscore.similarity.combining.products import Exact, exact
from graphscore.similarity.combining.ratios import Normalized, jaccard
from graphscore.similarity.combining.thresholds import Threshold
from graphscore.similarity.features.elements import (
    Feature,
    PropertyValue,
    anchors,
    surface_text,
)
from graphscore.similarity.features.values import Folded, itself
from graphscore.similarity.navigation.words import Offsets, Words


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
    """Whether two strings share a word that is no premodifier (eq. 45, 46).

    The amount is asked for, not its ratio: both exceed 0 together, but two strings
    without any word that counts have nothing in common.

    Args:
        feature: the strings.
        premodifiers: lower-cased words that do not count.
    """
    words = Words(feature, frozenset(premodifiers))
    return Threshold(Match(words, exact(itself), duplicates="set"), 0.0)


def head_word(name: str = "head") -> Exact:
    """Whether two mentions have the same head word, upper and lower case alike.

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
