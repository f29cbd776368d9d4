"""Content-word labelled attachment score.

Nivre and Fang (2017); UD eval.py (udtools 0.2.9), ``CLAS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphscore.metrics.dependencies.base import (
    Dependency,
    agreeing,
    content_words,
    deprel,
    head,
)
from graphscore.similarity import Feature, Similarity


@dataclass(frozen=True)
class Clas(Dependency):
    """Share of content words with the right head and universal relation.

    Example:
        >>> str(Clas())
        'clas'
    """

    name = "clas"
    title = "content words with the right head and relation"
    citation = "Nivre and Fang 2017, Universal Dependency Evaluation"

    def formulas(self) -> Mapping[str, Similarity]:
        """Content words whose heads correspond, by the same relation."""
        return {"all": agreeing(content_words, head, deprel)}

    def shown(self, kind: str) -> tuple[Feature, ...]:
        """The relation."""
        return (deprel,)
