"""Sums over matched items, and the ratios that rules make of them."""

from __future__ import annotations

from dataclasses import replace

from graphscore.similarity.base import Similarity
from graphscore.similarity.derivation.literals import apply_limits, misfit
from graphscore.similarity.derivation.marks import Rules
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.operators.latent import Latent
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Normalized, contained, precision
from graphscore.similarity.operators.thresholds import excess
from graphscore.structures.objects import declarations
from graphscore.structures.objects.declarations import Less, Ratio


class Sums:
    """Makes of sums what rules say.

    Args:
        balance: P inside of a precision, R inside of a recall, if that makes a
            difference (``by_either``).
    """

    def __init__(self, balance: str | None = None) -> None:
        self._balance = balance

    @staticmethod
    def among(amount: Similarity, rules: Rules) -> Match:
        """A sum that is ``contained``: each of the system's finds one of gold's.

        Raises:
            FormulaError: if it is said to be matched otherwise, or of two sums.
        """
        rival = rules.matched or rules.ratio or rules.counted
        ordered = rules.ordered is not None and rules.ordered.kept
        if not isinstance(amount, Match) or rival or ordered:
            raise misfit(rules.where, declarations.contained, "it alone", amount)
        return Match(amount.collection, amount.similarity, "n:1")

    def finish(self, amount: Similarity, rules: Rules) -> Similarity:
        """Apply the rules to a sum."""
        if rules.contained:
            if isinstance(amount, Latent):
                # The same with a map: all of the system's have one of gold's.
                similarity: Similarity = precision(amount) >= 1
            else:
                match = self.among(amount, rules)
                similarity = contained(match.collection, match.similarity)
            return apply_limits(similarity, rules)
        if rules.limits and isinstance(rules.limits[0], Less):
            amount = excess(amount, rules.limits[0].amount)
            rules = replace(rules, limits=rules.limits[1:])
        ratio = rules.ratio or declarations.by_f1
        if ratio.norm == "none":
            if rules.counted is not None:
                raise misfit(rules.where, rules.counted, "a ratio, not summed", amount)
            return apply_limits(amount, rules)
        return apply_limits(self.ratio(amount, ratio, rules), rules)

    def ratio(self, amount: Similarity, ratio: Ratio, rules: Rules) -> Normalized:
        """A sum, normalised.

        Args:
            amount: the sum.
            ratio: what becomes of it.
            rules: what else is said of it.

        Raises:
            FormulaError: if it depends on what it is inside of, and that is
                neither precision nor recall.
        """
        norm = ratio.norm
        if norm == "PR":
            if self._balance is None:
                raise FormulaError(
                    f"{rules.where} is declared by_either, expected that of the "
                    "output's own field, too",
                    str(amount),
                )
            norm = "P" if self._balance == "P" else "R"
        assert norm != "none"
        counting = rules.counted.counting if rules.counted else "bounded"
        return Normalized(amount, norm, ratio.beta, counting)
