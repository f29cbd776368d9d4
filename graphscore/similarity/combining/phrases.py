"""Similarities of mentions and strings that the literature has names for.

Each is a formula made of the parts of this package, and prints as one.
"""

from __future__ import annotations

from collections.abc import Collection

from graphscore.similarity.base import Similarity
from graphscore.similarity.combining.matching import Match
from graphscore.similarity.combining.products import Exact, exact
from graphscore.similarity.combining.ratios import Normalized, f1, jaccard
from graphscore.similarity.combining.thresholds import Threshold
from graphscore.similarity.features.elements import (
    Feature,
    PropertyValue,
    anchors,
    surface_text,
)
from graphscore.similarity.features.values import Folded, itself
from graphscore.similarity.navigation.words import (
    AnswerWords,
    Ngrams,
    Offsets,
    Unit,
    Words,
)


def token_f1(feature: Feature = surface_text) -> Normalized:
    """F1 of the bags of words of two strings (Rajpurkar et al. 2016).

    Args:
        feature: the strings.

    Example:
        >>> print(token_f1())
        F↔words[δ]
    """
    return f1(Match(Words(feature), exact(itself)))


def squad_f1(feature: Feature = surface_text) -> Normalized:
    """F1 of answers exactly as SQuAD's own program has it (Rajpurkar et al. 2016).

    Other than :func:`token_f1` it drops articles, and punctuation within words. Two
    answers without words are alike, one without and one with are not, as in version
    2.0 of the program.

    Args:
        feature: the answers.

    Example:
        >>> print(squad_f1())
        F↔answer_words[δ]
    """
    return f1(Match(AnswerWords(feature), exact(itself)))


def ngram_f1(
    feature: Feature = surface_text, size: int = 3, unit: Unit = "characters"
) -> Normalized:
    """F1 of the bags of n-grams of two strings, of characters or of words.

    Args:
        feature: the strings.
        size: how many characters or words an n-gram has.
        unit: ``characters`` or ``words``.

    Raises:
        FormulaError: if the size is no number from 1.

    Example:
        >>> print(ngram_f1(size=2))
        F↔ngrams[δ]
    """
    return f1(Match(Ngrams(feature, size, unit), exact(itself)))


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
