"""Labelled attachment score: words with the right head and relation.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``LAS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphscore.metrics.dependencies.base import (
    CONLL18,
    Dependency,
    agreeing,
    attached_words,
    deprel,
    head,
)
from graphscore.similarity import Feature, Similarity


@dataclass(frozen=True)
class Las(Dependency):
    """Share of words with the right head and universal relation.

    Example:
        >>> str(Las())
        'las'
    """

    name = "las"
    title = "words with the right head and relation"
    citation = CONLL18

    def formulas(self) -> Mapping[str, Similarity]:
        """Words whose heads correspond, by the same relation."""
        return {"all": agreeing(attached_words, head, deprel)}

    def shown(self, kind: str) -> tuple[Feature, ...]:
        """The relation."""
        return (deprel,)
