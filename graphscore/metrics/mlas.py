"""Morphology-aware labelled attachment score.

Zeman et al. (2018), section 4.2; UD eval.py (udtools 0.2.9), ``MLAS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.dependency import CONLL18, Dependency, Part, WordPart
from graphscore.metrics.dependency_alignment import Alignment

COLUMNS = ("head", "deprel", "upos", "feats", "children")


@dataclass(frozen=True)
class Mlas(Dependency):
    """Share of content words with the right head, relation, tags and function words.

    Example:
        >>> str(Mlas())
        'mlas'
    """

    name: ClassVar[str] = "mlas"
    title: ClassVar[str] = (
        "content words with the right head, relation, tags and function words"
    )
    citation: ClassVar[str] = CONLL18

    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """Content words that agree in all of that."""
        yield WordPart(alignment, "all", COLUMNS, content=True, value="deprel")
