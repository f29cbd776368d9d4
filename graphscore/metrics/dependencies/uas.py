"""Unlabelled attachment score: words with the right head.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``UAS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphscore.metrics.dependencies.base import (
    CONLL18,
    Dependency,
    agreeing,
    attached_words,
    head,
)
from graphscore.similarity import Feature, Similarity


@dataclass(frozen=True)
class Uas(Dependency):
    """Share of words with the right head.

    Example:
        >>> str(Uas())
        'uas'
    """

    name = "uas"
    title = "words with the right head"
    citation = CONLL18

    def formulas(self) -> Mapping[str, Similarity]:
        """Words whose heads correspond."""
        return {"all": agreeing(attached_words, head)}

    def shown(self, kind: str) -> tuple[Feature, ...]:
        """The head."""
        return (head,)
