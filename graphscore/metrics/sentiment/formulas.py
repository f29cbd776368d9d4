"""The scores of structured sentiment as formulas.

An opinion of the system is worth the share of its words that the best opinion of gold
has, one of gold that of the best of the system, so that precision and recall are sums
of their own:

>>> overlap = opinions(polar=True, weighted=False)
>>> print(overlap.precision)  # doctest: +NORMALIZE_WHITESPACE
P→opinions[δ_label × ⟦Σ↔holder_words[δ] > 0⟧ × ⟦Σ↔target_words[δ] > 0⟧ ×
⟦Σ↔expression_words[δ] > 0⟧]
>>> print(spans("holder"))
F↔opinions(holder)[δ_holder]

An opinion whose expression has no words is never found; the formula does not even see
it, while the metric counts it as missing or spurious.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from graphscore.metrics.sentiment.words import (
    EXPRESSION,
    IN_GOLD,
    IN_SYSTEM,
    PARTS,
)
from graphscore.similarity import (
    Similarity,
    exact,
    f1,
    given,
    harmonic,
    itself,
    kind,
    label,
    match,
    nodes,
    precision,
    recall,
    weight,
    without,
)
from graphscore.similarity.base import Aligned
from graphscore.similarity.evaluation.functions import align
from graphscore.similarity.navigation.selections import OfFeature
from graphscore.similarity.operators.ratios import Harmonic, Normalized
from graphscore.similarity.operators.thresholds import Threshold
from graphscore.similarity.view import Element, Pair
from graphscore.structures.layout import OPINION

NOBODY = "_"
"""Placeholder for the words of a holder or target that is implicit."""


class WordsOf(OfFeature, frozen=True):
    """The words of a part of an opinion, by their numbers.

    Args:
        part: ``holder``, ``target`` or ``expression``.
    """

    call: ClassVar[str] = "words_of"

    part: str

    @property
    def short(self) -> str:
        """The part, and what is taken of it."""
        return f"{self.part}_words"

    def parts(self, whole: Any) -> Iterable[Element]:
        """Their numbers; a holder or target that is not said is one word."""
        if whole is None:
            return () if self.part == EXPRESSION else (NOBODY,)
        return tuple(whole)


SHARED = [
    match(WordsOf(given(part, "node", False), part), exact(itself)) for part in PARTS
]
"""Number of words that two opinions share in each part."""

OVERLAPPING: Similarity = (SHARED[0] > 0) * (SHARED[1] > 0) * (SHARED[2] > 0)
"""Test whether they share words in every part."""


class Overlap(Threshold, frozen=True):
    """Test whether two opinions share words; the shares show the words."""


@align.register
def _(
    similarity: Overlap, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    # The shares show all pairs already.
    return ()


THRESHOLDS = Overlap(SHARED[0], 0) * Overlap(SHARED[1], 0) * Overlap(SHARED[2], 0)
"""The same, for a product with shares."""

THIRD = weight(kind, {OPINION: 1 / 3})
"""Weight of each part."""


def opinions(polar: bool, weighted: bool) -> Harmonic:
    """Sentiment graph F1.

    Args:
        polar: whether polarities must be the same.
        weighted: whether an opinion counts for the share of its words that is found.
    """
    if not weighted:
        alike = exact(label) * OVERLAPPING if polar else OVERLAPPING
        return harmonic(_precision(alike), _recall(alike))
    # The best may be of another polarity than the one that is right.
    left, right = THRESHOLDS, THRESHOLDS
    if polar:
        left, right = (
            exact(given(name, "node")) * THRESHOLDS for name in (IN_GOLD, IN_SYSTEM)
        )
    shares = [
        part(SHARED[0]) + part(SHARED[1]) + part(SHARED[2])
        for part in (precision, recall)
    ]
    return harmonic(
        _precision(left * THIRD * shares[0]), _recall(right * THIRD * shares[1])
    )


def _precision(alike: Similarity) -> Normalized:
    return precision(match(nodes(OPINION), alike, "n:1"))


def _recall(alike: Similarity) -> Normalized:
    return recall(match(nodes(OPINION), alike, "1:n"))


def spans(part: str, polar: bool = False) -> Normalized:
    """F1 of the parts of opinions whose words are the same, each once a sentence.

    Args:
        part: ``holder``, ``target`` or ``expression``.
        polar: whether polarities must be the same.
    """
    words = given(part, "node", False)
    alike = exact(words, label) if polar else exact(words)
    with_words = without(nodes(OPINION), words, None)
    return f1(match(with_words, alike, duplicates="set"))
