"""Bi-lexical dependency score: content words with head, relation and lemma.

Zeman et al. (2018), section 4.3; UD eval.py (udtools 0.2.9), ``BLEX``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphscore.metrics.dependencies.base import (
    CONLL18,
    Dependency,
    agreeing,
    content_words,
    deprel,
    head,
    lemma,
)
from graphscore.similarity import Feature, Similarity


@dataclass(frozen=True)
class Blex(Dependency):
    """Share of content words with the right head, universal relation and lemma.

    Example:
        >>> str(Blex())
        'blex'
    """

    name = "blex"
    title = "content words with the right head, relation and lemma"
    citation = CONLL18

    def formulas(self) -> Mapping[str, Similarity]:
        """Content words whose heads correspond, with equal relation and lemma."""
        return {"all": agreeing(content_words, head, deprel, lemma)}

    def shown(self, kind: str) -> tuple[Feature, ...]:
        """The relation."""
        return (deprel,)
