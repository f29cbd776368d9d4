"""Unlabelled attachment score: words with the right head.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``UAS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.dependency import CONLL18, Dependency, Part, WordPart
from graphscore.metrics.dependency_alignment import Alignment


@dataclass(frozen=True)
class Uas(Dependency):
    """Share of words with the right head.

    Example:
        >>> str(Uas())
        'uas'
    """

    name: ClassVar[str] = "uas"
    title: ClassVar[str] = "words with the right head"
    citation: ClassVar[str] = CONLL18

    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """Words whose heads correspond."""
        yield WordPart(alignment, "all", ("head",), value="head")
