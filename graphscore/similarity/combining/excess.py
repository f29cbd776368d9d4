"""What a similarity exceeds an amount by: links instead of mentions (eq. 21).

>>> from graphscore.similarity.combining.products import exact
>>> from graphscore.similarity.features.elements import anchors
>>> from graphscore.similarity.combining.matching import Match
>>> from graphscore.similarity.navigation.collections import Targets
>>> print(excess(Match(Targets("mention"), exact(anchors)), 1))
max{0, Σ↔mentions[δ] - 1}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from graphscore.similarity.base import (
    Asked,
    Cell,
    Number,
    Numerators,
    Similarity,
    Sparse,
    operation,
    require_similarity,
)
from graphscore.similarity.combining.thresholds import require_number
from graphscore.similarity.expression import Notation, require
from graphscore.similarity.positive import Kind, Ruling
from graphscore.similarity.view import Elements, Pair, View


@dataclass(frozen=True, repr=False)
class Excess(Similarity):
    """What an amount exceeds another by, 0 where it does not.

    MUC compares entities by the links that mentions make a chain with: one less
    than the mentions that two entities share.

    Args:
        similarity: an amount.
        amount: what is taken off, more than 0.
    """

    call: ClassVar[str] = "excess"
    normalized: ClassVar[bool] = False

    similarity: Similarity
    amount: float

    def __post_init__(self) -> None:
        before = "max{0, "
        formula = f"{before}{self.similarity} - {self.amount}}}"
        require_similarity(self.similarity, None, "", formula, before)
        require(
            not self.similarity.normalized,
            f"{self.similarity} is normalized, expected an amount such as Σ",
            formula,
            str(self.similarity),
            before,
        )
        require_number(
            self.amount,
            isinstance(self.amount, (int, float)) and 0 < self.amount < inf,
            "an amount of more than 0 to take off",
            f"{before}{self.similarity} - ",
            "}",
        )

    def spell(self, notation: Notation) -> str:
        """The greater of 0 and the difference."""
        inner = f"0, {self.similarity.spell(notation)} - {self.amount:g}"
        if notation.delta.startswith("\\"):
            return rf"\max\{{{inner}\}}"
        return f"max{{{inner}}}"

    def parts(self) -> Iterator[Similarity]:
        """The amount."""
        yield self.similarity

    def ruling(self, inside: Sequence[Kind]) -> Ruling:
        """What is strong stays so."""
        if inside[0] in ("equality", "strong"):
            return Ruling("strong", "less is as strong as what it is taken off")
        return Ruling("unknown", "less than what is not strong: need be none")

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """The differences that are more than 0."""
        found = self.similarity.pairs(pair, gold, system, wanted)
        return {
            cell: number - self.amount
            for cell, number in found.items()
            if number > self.amount
        }

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> dict[Cell, Numerators]:
        """The differences, as recall and as precision count them."""
        found = self.similarity.overlaps(pair, gold, system, wanted)
        return {
            cell: Numerators(*(max(0, number - self.amount) for number in numbers))
            for cell, numbers in found.items()
            if numbers.literal > self.amount
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """What the similarity takes."""
        return self.similarity.effort(pair, gold, system)

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """The difference of each with itself."""
        found = self.similarity.selves(view, elements)
        return [max(0, number - self.amount) for number in found]


@operation("excess")
def excess(similarity: Similarity, amount: float) -> Excess:
    """What an amount exceeds another by, 0 where it does not.

    Args:
        similarity: an amount, such as Σ.
        amount: what is taken off.

    Raises:
        FormulaError: if the similarity is normalized, or nothing is taken off.
    """
    return Excess(similarity, amount)
