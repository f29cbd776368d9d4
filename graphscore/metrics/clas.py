"""Content-word labelled attachment score.

Nivre and Fang (2017); UD eval.py (udtools 0.2.9), ``CLAS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.dependency import Dependency, Part, WordPart
from graphscore.metrics.dependency_alignment import Alignment


@dataclass(frozen=True)
class Clas(Dependency):
    """Share of content words with the right head and universal relation.

    Example:
        >>> str(Clas())
        'clas'
    """

    name: ClassVar[str] = "clas"
    title: ClassVar[str] = "content words with the right head and relation"
    citation: ClassVar[str] = "Nivre and Fang 2017, Universal Dependency Evaluation"

    def parts(self, alignment: Alignment) -> Iterator[Part]:
        """Content words whose heads correspond, by the same relation."""
        yield WordPart(
            alignment, "all", ("head", "deprel"), content=True, value="deprel"
        )
