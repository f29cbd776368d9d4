"""Tags and lemmas of aligned words.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``UPOS`` to ``Lemmas``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.dependency import CONLL18, Dependency, Part, WordPart
from graphscore.metrics.dependency_alignment import Alignment

COLUMNS = {
    "upos": ("upos",),
    "xpos": ("xpos",),
    "ufeats": ("feats",),
    "alltags": ("upos", "xpos", "feats"),
    "lemmas": ("lemma",),
}


@dataclass(frozen=True)
class Tagging(Dependency):
    """Shares of words with the right tags, features and lemmas.

    Example:
        >>> str(Tagging())
        'tagging'
    """

    name: ClassVar[str] = "tagging"
    title: ClassVar[str] = "words with the right tags, features and lemmas"
    citation: ClassVar[str] = CONLL18
    kinds: ClassVar[tuple[str, ...]] = tuple(COLUMNS)
    main: ClassVar[str] = "alltags"

    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """Words that agree in each kind of tag."""
        for kind, columns in COLUMNS.items():
            yield WordPart(alignment, kind, columns)
