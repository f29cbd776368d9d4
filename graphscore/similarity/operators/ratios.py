"""Ratios of sums: precision, recall, F and Jaccard (eq. 4 to 7).

Σ(∅, ∅) is 0.  A ratio that is itself a similarity is 1 for two things without
parts, which are as alike as can be (Definition 1); where only one of both has
parts it is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import ClassVar, Literal, get_args

from graphscore.model.outcome import MORE
from graphscore.similarity.base import (
    Number,
    Numerators,
    Similarity,
    require_similarity,
)
from graphscore.similarity.expression import FormulaError, Notation, delegate, require
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.thresholds import Threshold, require_number

Norm = Literal["P", "R", "F", "J"]

Counting = Literal["bounded", "formula", "refused"]
"""Multiplicity of a member that many others match."""


CALLS: dict[str, str] = {"P": "precision", "R": "recall", "F": "f1", "J": "jaccard"}


class Normalized(Similarity, frozen=True):
    """A ratio of an amount to what it could be.

    Args:
        operand: an amount, usually Σ over a matching.
        norm: P, R, F or J.
        beta: weight of recall against precision in F.
        counting: where an element may match several, ``bounded`` counts it for what
            it is worth at most; ``formula`` follows equations 4 and 5 literally,
            which can exceed 1; ``refused`` does so, and fails where they do.

    Raises:
        FormulaError: for what cannot be normalised; where a share that is to be
            refused is more than 1, when it is found.
    """

    normalized: ClassVar[bool] = True

    operand: Similarity
    norm: Norm
    beta: float = 1.0
    counting: Counting = "bounded"

    def __post_init__(self) -> None:
        formula = f"{self.norm}[{self.operand}]"
        require_similarity(self.operand, None, "", formula, f"{self.norm}[")
        require(
            not self.operand.normalized,
            f"{self.operand} is normalized already, expected an amount such as Σ: "
            "normalizing again would change nothing",
            formula,
            str(self.operand),
            f"{self.norm}[",
        )
        require_number(
            self.beta,
            isinstance(self.beta, (int, float)) and 0 < self.beta < inf,
            "a beta of more than 0",
            f"{self.norm}_",
            f"[{self.operand}]",
        )
        require(
            self.counting in get_args(Counting),
            f"found {self.counting!r}, expected one of: "
            f"{', '.join(get_args(Counting))}",
            formula,
            self.norm,
            "",
        )

    @property
    def proper(self) -> bool:
        """True if no ratio exceeds 1."""
        bounded = self.counting == "bounded"
        return self.operand.capped if bounded else self.operand.proper

    capped = delegate("proper")

    @property
    def sided(self) -> bool:
        """A ratio is one number."""
        return False

    def __repr__(self) -> str:
        arguments = [repr(self.operand)]
        call = CALLS[self.norm]
        if self.norm == "F" and self.beta != 1:
            call = "f_beta"
            arguments.insert(0, repr(self.beta))
        if self.counting != "bounded":
            arguments.append(f"counting={self.counting!r}")
        return f"{call}({', '.join(arguments)})"

    def spell(self, notation: Notation) -> str:
        """The letter in place of Σ."""
        letter: str = self.norm
        if self.norm == "F" and self.beta != 1:
            letter += notation.below(f"{self.beta:g}")
        if isinstance(self.operand, Match):
            return self.operand.spell_as(letter, notation)
        left, right = notation.brackets
        return f"{letter}{left}{self.operand.spell(notation)}{right}"

    def parts(self) -> Iterator[Similarity]:
        """The amount."""
        yield self.operand

    def counted(
        self, gold: Number, system: Number, overlap: Numerators
    ) -> tuple[Number, Number]:
        """The numerators of recall and of precision.

        Args:
            gold: Σ(R, R).
            system: Σ(P, P).
            overlap: Σ(P, R).

        Raises:
            FormulaError: if one is to be refused, as it is more than what it is
                divided by.
        """
        if self.counting == "bounded":
            return overlap.recall, overlap.precision
        literal = overlap.literal
        if self.counting == "refused":
            for share, most in (("recall", gold), ("precision", system)):
                if literal > most * MORE:
                    raise FormulaError(
                        f"a {share} of more than 1, {literal:g} of {most:g}, as things "
                        "match several others; expected none, or counting='bounded', "
                        "which counts each for what it is worth at most, or "
                        "counting='formula', which says what comes out",
                        str(self),
                        str(self),
                    )
        return literal, literal

    def ratio(self, gold: Number, system: Number, overlap: Numerators) -> float:
        """The ratio of an overlap to what both sides are worth.

        Args:
            gold: Σ(R, R).
            system: Σ(P, P).
            overlap: Σ(P, R), as recall and as precision count it.

        Returns:
            The ratio; 0 where there is nothing to divide by.
        """
        matched, correct = self.counted(gold, system, overlap)
        if self.norm == "P":
            return correct / system if system else 0.0
        if self.norm == "R":
            return matched / gold if gold else 0.0
        if self.norm == "J":
            # Shares that both have of what either has: P·R / (P + R - P·R), which
            # is eq. 7 where both count the same.
            rest = gold * correct + system * matched - matched * correct
            return matched * correct / rest if rest else 0.0
        if matched == correct and self.beta == 1:
            return 2 * matched / (gold + system) if gold + system else 0.0
        precision = correct / system if system else 0.0
        recall = matched / gold if gold else 0.0
        square = self.beta * self.beta
        below = square * precision + recall
        return (1 + square) * precision * recall / below if below else 0.0


def precision(operand: Similarity, *, counting: Counting = "bounded") -> Normalized:
    """Share of the system's amount that is matched (P, eq. 4)."""
    return Normalized(operand, "P", counting=counting)


def recall(operand: Similarity, *, counting: Counting = "bounded") -> Normalized:
    """Share of gold's amount that is matched (R, eq. 5)."""
    return Normalized(operand, "R", counting=counting)


def f1(operand: Similarity, *, counting: Counting = "bounded") -> Normalized:
    """Harmonic mean of precision and recall (F, eq. 6)."""
    return Normalized(operand, "F", counting=counting)


def f_beta(
    beta: float, operand: Similarity, *, counting: Counting = "bounded"
) -> Normalized:
    """Weighted harmonic mean: recall counts *beta* times as much as precision."""
    return Normalized(operand, "F", beta, counting)


def jaccard(operand: Similarity, *, counting: Counting = "bounded") -> Normalized:
    """Shared amount over that of either (J, eq. 7)."""
    return Normalized(operand, "J", counting=counting)


class Harmonic(Similarity, frozen=True):
    """Harmonic mean of a precision and a recall that are sums of their own.

    As for B³ (eq. 23, 24), where what is summed differs between the two.

    Args:
        precision: a ratio to the system's amount.
        recall: a ratio to gold's amount.
    """

    call: ClassVar[str] = "harmonic"
    normalized: ClassVar[bool] = True

    precision: Normalized
    recall: Normalized

    def __post_init__(self) -> None:
        formula = f"F[{self.precision}, {self.recall}]"
        before = "F["
        sort = None
        for part, norm in ((self.precision, "P"), (self.recall, "R")):
            same = f" as {self.precision} does"
            require_similarity(part, sort, same, formula, before)
            require(
                isinstance(part, Normalized) and part.norm == norm,
                f"found {part}, expected a {CALLS[norm]}",
                formula,
                str(part),
                before,
            )
            sort = part.of
            before += f"{part}, "

    def spell(self, notation: Notation) -> str:
        """F of the two."""
        left, right = notation.brackets
        inner = f"{self.precision.spell(notation)}, {self.recall.spell(notation)}"
        return f"F{left}{inner}{right}"

    def parts(self) -> Iterator[Similarity]:
        """Both ratios."""
        yield self.precision
        yield self.recall


harmonic = Harmonic


class Contained(Threshold, frozen=True):
    """Test whether the predicted members are some of gold's, and any (φ⊆, eq. 25)."""

    limit: float = 1.0
    strict: bool = False

    def __repr__(self) -> str:
        match = self._match
        return f"contained({match.collection!r}, {match.similarity!r})"

    @property
    def _match(self) -> Match:
        inner = self.similarity
        assert isinstance(inner, Normalized)
        assert isinstance(inner.operand, Match)
        return inner.operand

    def spell(self, notation: Notation) -> str:
        """φ with the sign of subsets."""
        match = self._match
        letter = notation.phi + notation.below(notation.subset)
        if not notation.latex:
            letter = notation.phi + notation.subset
        left, right = notation.brackets
        shown = match.collection.spell(notation)
        return f"{letter}{shown}{left}{match.similarity.spell(notation)}{right}"


def contained(collection: Collection, similarity: Similarity) -> Contained:
    """Test whether every predicted member is one of gold's (φ⊆, eq. 25).

    Full credit for any subset that is not empty, none where one member is wrong.
    Two things without members are alike (Definition 1).

    Args:
        collection: whose members.
        similarity: how two members are compared; 1 makes them the same.
    """
    return Contained(precision(Match(collection, similarity, "n:1")))
