"""Labelled attachment score: words with the right head and relation.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``LAS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.dependency import CONLL18, Dependency, Part, WordPart
from graphscore.metrics.dependency_alignment import Alignment


@dataclass(frozen=True)
class Las(Dependency):
    """Share of words with the right head and universal relation.

    Example:
        >>> str(Las())
        'las'
    """

    name: ClassVar[str] = "las"
    title: ClassVar[str] = "words with the right head and relation"
    citation: ClassVar[str] = CONLL18

    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """Words whose heads correspond, by the same relation."""
        yield WordPart(alignment, "all", ("head", "deprel"), value="deprel")
