"""Morphology-aware labelled attachment score.

Zeman et al. (2018), section 4.2; UD eval.py (udtools 0.2.9), ``MLAS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphscore.metrics.dependencies.base import (
    CONLL18,
    Dependency,
    agreeing,
    children,
    content_words,
    deprel,
    feats,
    head,
    upos,
)
from graphscore.similarity import Feature, Similarity


@dataclass(frozen=True)
class Mlas(Dependency):
    """Share of content words with the right head, relation, tags and function words.

    Example:
        >>> str(Mlas())
        'mlas'
    """

    name = "mlas"
    title = "content words with the right head, relation, tags and function words"
    citation = CONLL18

    def formulas(self) -> Mapping[str, Similarity]:
        """Content words that agree in all of that."""
        return {"all": agreeing(content_words, head, deprel, upos, feats, children)}

    def shown(self, kind: str) -> tuple[Feature, ...]:
        """The relation."""
        return (deprel,)
