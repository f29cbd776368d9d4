"""A similarity of which nothing is less than some amount: what is replaced earns half.

>>> from graphscore.similarity.combining.products import exact
>>> from graphscore.similarity.features.elements import label
>>> print(softened(exact(label), 0.5))
(0.5 + 0.5 × δ_label)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from graphscore.similarity.base import (
    Asked,
    Number,
    Similarity,
    Sparse,
    require_similarity,
)
from graphscore.similarity.combining.thresholds import require_number
from graphscore.similarity.expression import Notation, require
from graphscore.similarity.positive import Kind, Ruling, kept
from graphscore.similarity.view import Elements, Pair, View


@dataclass(frozen=True, repr=False)
class Softened(Similarity):
    """A similarity as a part of what a pair earns; the other part any two things earn.

    Args:
        similarity: how things are compared, normalized.
        least: what two things earn that are not alike at all, more than 0 and at
            most 1.

    Raises:
        FormulaError: for an amount, or for another least.
    """

    call: ClassVar[str] = "softened"
    normalized: ClassVar[bool] = True

    similarity: Similarity
    least: float

    def __post_init__(self) -> None:
        before = f"({self.least} + … × "
        formula = f"{before}{self.similarity})"
        require_similarity(self.similarity, None, "", formula, before)
        require(
            self.similarity.normalized,
            f"{self.similarity} is an amount, expected a similarity that is 1 for "
            "equal things, such as exact(label)",
            formula,
            str(self.similarity),
            before,
        )
        number = isinstance(self.least, (int, float))
        require_number(
            self.least,
            number and 0 < self.least <= 1,
            "a least of more than 0 and at most 1",
            "(",
            f" + … × {self.similarity})",
        )

    def spell(self, notation: Notation) -> str:
        """The sum of both parts."""
        inner = self.similarity.spell(notation)
        return f"({self.least:.6g} + {1 - self.least:.6g}{notation.times}{inner})"

    def parts(self) -> Iterator[Similarity]:
        """The similarity."""
        yield self.similarity

    def ruling(self, inside: Sequence[Kind]) -> Ruling:
        """A constant and a share of what is inside."""
        if inside[0] == "equality":
            return Ruling("strong", "equality, and a constant")
        return kept(inside, "what is inside, and a constant")

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """All pairs: nothing is 0."""
        alike = self.similarity.pairs(pair, gold, system, wanted)
        least, rest = self.least, 1 - self.least
        found: Sparse
        if wanted is None:
            columns = range(len(system))
            found = {(r, c): least for r in range(len(gold)) for c in columns}
        else:
            found = dict.fromkeys(wanted, least)
        for cell, number in alike.items():
            # What is wholly alike earns 1, whatever the parts add up to.
            found[cell] = 1 if number == 1 else least + rest * number
        return found

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """1 each."""
        return [1] * len(elements)


# As a part of a formula it is named in small letters.
softened = Softened
