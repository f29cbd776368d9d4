"""Thresholds of a similarity, and the excess over one (eq. 21, 29).

>>> from graphscore.similarity.operators.arithmetic import exact
>>> from graphscore.similarity.features.elements import anchors
>>> from graphscore.similarity.operators.matching import Match
>>> from graphscore.similarity.navigation.collections import Targets
>>> print(excess(Match(Targets("mention"), exact(anchors)), 1))
max{0, Σ↔mentions[δ] - 1}
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, ClassVar

from graphscore.similarity.base import (
    Number,
    Similarity,
    require_similarity,
)
from graphscore.similarity.expression import Notation, delegate, require
from graphscore.similarity.operators.arithmetic import Product, Total


class Threshold(Similarity, frozen=True):
    """1 where a similarity exceeds a limit, else 0 (as in eq. 29).

    Args:
        similarity: what must exceed the limit.
        limit: the limit, not negative.
        strict: whether the limit itself is too little.
    """

    normalized: ClassVar[bool] = True

    similarity: Similarity
    limit: float
    strict: bool = True

    def __post_init__(self) -> None:
        require_similarity(self.similarity, None, "", str(self.similarity))
        sign = ">" if self.strict else "≥"
        require_number(
            self.limit,
            0 <= self.limit < inf and (self.strict or self.limit > 0)
            if isinstance(self.limit, (int, float))
            else False,
            "a limit that not everything reaches",
            f"⟦{self.similarity} {sign} ",
            "⟧",
        )

    capped = delegate("proper")

    @property
    def sided(self) -> bool:
        """Both count the same."""
        return False

    def __repr__(self) -> str:
        sign = ">" if self.strict else ">="
        inner = repr(self.similarity)
        if isinstance(self.similarity, (Total, Product, Threshold)):
            inner = f"({inner})"
        return f"({inner} {sign} {self.limit!r})"

    def spell(self, notation: Notation) -> str:
        """The condition in double brackets."""
        sign = ">" if self.strict else notation.at_least
        inner = self.similarity.spell(notation)
        return f"{notation.true[0]}{inner} {sign} {self.limit:g}{notation.true[1]}"

    def parts(self) -> Iterator[Similarity]:
        """Yield the similarity that must exceed the limit."""
        yield self.similarity

    def passes(self, number: Number) -> bool:
        """Return true if a number exceeds or reaches the limit."""
        return number > self.limit if self.strict else number >= self.limit


def require_number(
    number: Any, right: bool, expected: str, before: str, after: str = ""
) -> None:
    """Fail unless a number in a formula is right.

    Args:
        number: what was given.
        right: whether it is.
        expected: what is right, for the message.
        before: the formula up to the number.
        after: the formula from there on.

    Raises:
        FormulaError: if it is not.
    """
    require(
        right,
        f"found {number!r}, expected {expected}",
        f"{before}{number}{after}",
        str(number),
        before,
    )


class Excess(Similarity, frozen=True):
    """Excess of an amount over another, at least 0.

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
        if notation.latex:
            return rf"\max\{{{inner}\}}"
        return f"max{{{inner}}}"

    def parts(self) -> Iterator[Similarity]:
        """The amount."""
        yield self.similarity


excess = Excess
