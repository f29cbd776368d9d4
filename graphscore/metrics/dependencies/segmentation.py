"""Segmentation of a text into tokens, sentences and words.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``Tokens``,
``Sentences`` and ``Words``.

::

    tokens F↔tokens[δ]    sentences F↔sentences[δ]    words F↔words[δ_aligned]

What differs: texts that are not the same, at which the program stops, are aligned by
what they share.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphscore.metrics.base import numbered
from graphscore.metrics.dependencies.alignment import Alignment
from graphscore.metrics.dependencies.base import CONLL18, Dependency, agreeing, words
from graphscore.metrics.dependencies.sentences import SentenceIndex, SentenceRawCounts
from graphscore.model.outcome import CountKey, RawCounts, Scores, count_of
from graphscore.similarity import (
    Feature,
    Pair,
    Similarity,
    exact,
    f1,
    given,
    itself,
    label,
    listed,
    match,
)
from graphscore.similarity.expression import singular

CHARACTERS = "characters"
"""Not a tuple type: where it is below 1, the two sides annotate different texts."""


class Segmentation(Dependency):
    """Tokens, sentences and words that both sides have.

    Example:
        >>> str(Segmentation())
        'segmentation'
    """

    name = "segmentation"
    follows = "UD eval.py udtools 0.2.9"
    title = "Token, sentence and word F1 (Zeman et al. 2018)"
    citation = CONLL18
    bound = "a token that is put right takes the place of all that overlap it"
    tuple_types = ("tokens", "sentences", "words")
    main = "words"

    def formulas(self) -> Mapping[str, Similarity]:
        """Ranges of characters that are equal, and words that are aligned."""
        return {
            "tokens": f1(match(listed("tokens", "value"), exact(itself))),
            "sentences": f1(match(listed("sentences", "value"), exact(itself))),
            "words": agreeing(words),
        }

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """The characters, or the form of a word."""
        return (
            (label,)
            if tuple_type == "words"
            else (given(singular(tuple_type), "value"),)
        )

    def beside(self, alignment: Alignment, pair: Pair) -> RawCounts:
        """Aligned words, and the characters that both texts have."""
        return super().beside(alignment, pair) | {
            (CHARACTERS, "", "gold"): len(alignment.gold.text),
            (CHARACTERS, "", "system"): len(alignment.system.text),
            (CHARACTERS, "", "matched"): alignment.common_characters(),
        }

    def beside_shares(
        self, pair: Pair, index: SentenceIndex, shares: SentenceRawCounts
    ) -> None:
        """Aligned words, and the characters that both texts have."""
        super().beside_shares(pair, index, shares)
        left, right = index.characters
        shares.add((CHARACTERS, "", "gold"), left)
        shares.add((CHARACTERS, "", "system"), right)
        shares.add((CHARACTERS, "", "matched"), index.common_characters())

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts per tuple type, and how far the two texts are the same."""
        counts, _ = super().scores(raw_counts)
        return Scores(counts, numbered(CHARACTERS, count_of(raw_counts, CHARACTERS)))
