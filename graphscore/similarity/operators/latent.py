"""Things with variables whose partners are still to be found (eq. 34 to 36).

Two propositions are alike only under a one-to-one map of variables, and the map
is chosen for the best sum of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import ClassVar

from graphscore.similarity.base import Similarity, require_similarity
from graphscore.similarity.expression import (
    ARTICLES,
    FormulaError,
    Notation,
    delegate,
    require,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.arithmetic import Product, Total
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.orders import InSequence
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.operators.thresholds import Excess, Threshold

AROUND = {
    Variable,
    Product,
    Total,
    Match,
    Normalized,
    Threshold,
    Excess,
    ThroughStep,
    ByType,
}
"""Parts of formulas that may stand around a variable: their amounts can be bounded."""


class Latent(Similarity, frozen=True):
    """The best sum over all one-to-one maps of variables (eq. 36).

    Args:
        variables: which nodes are variables.
        operand: what is summed: things with variables, at any depth.
    """

    call: ClassVar[str] = "latent"

    variables: Collection
    operand: Similarity

    def __post_init__(self) -> None:
        before = f"max_{self.variables} "
        formula = f"{before}{self.operand}"
        require_similarity(self.operand, None, "", formula, before)
        demand = partial(
            require, formula=formula, spot=str(self.variables), before="max_"
        )
        demand(
            isinstance(self.variables, Collection),
            f"found {self.variables!r}, expected a collection such as nodes()",
        )
        demand(
            self.variables.yields == "node",
            f"{self.variables} leads to {ARTICLES[self.variables.yields]}, expected "
            "nodes: only they can be variables",
        )
        demand(
            self.variables.of == self.operand.of,
            f"{self.variables} are of {ARTICLES[self.variables.of]}, expected "
            f"variables of {ARTICLES[self.operand.of]}, as {self.operand} is",
        )
        demand(
            self.flat or self.operand.has_variables,
            f"found {self.operand}, expected a Σ of something with variables",
            spot=str(self.operand),
            before=before,
        )
        around = _find_misplaced(self.operand)
        if around is not None and not self.flat:
            raise FormulaError(
                f"a variable inside of {around}, expected around variables equality, "
                "products, sums and ratios of things that are matched one to one, in "
                "any order or in sequence",
                formula,
                str(around),
            )

    @property
    def sums(self) -> tuple[Similarity, ...]:
        """The terms of the operand."""
        operand = self.operand
        return operand.terms if isinstance(operand, Total) else (operand,)

    @cached_property
    def flat(self) -> bool:
        """True if variables are factors of the summands, and nowhere else."""
        return all(
            isinstance(term, Match)
            and term.order is None
            and all(
                isinstance(factor, Variable) or not factor.has_variables
                for factor in factors_of(term.similarity)
            )
            for term in self.sums
        )

    normalized = delegate("operand.normalized")

    def spell(self, notation: Notation) -> str:
        """The greatest over all maps."""
        below = notation.below("M") if notation.latex else "_M "
        return f"{notation.best}{below}{self.operand.spell(notation)}"

    def parts(self) -> Iterator[Similarity]:
        """The operand."""
        yield self.operand

    @property
    def has_variables(self) -> bool:
        """False: it binds all variables inside."""
        return False


latent = Latent


def factors_of(similarity: Similarity) -> tuple[Similarity, ...]:
    """The factors of a product; anything else is its only one."""
    return similarity.factors if isinstance(similarity, Product) else (similarity,)


def _find_misplaced(similarity: Similarity) -> Similarity | None:
    """Return the part around a variable that cannot be bounded, or ``None``."""
    if not similarity.has_variables:
        return None
    if type(similarity) not in AROUND:
        return similarity
    if isinstance(similarity, Match):
        ordered = similarity.order is None or isinstance(similarity.order, InSequence)
        if similarity.constraint != "1:1" or not ordered:
            return similarity
    parts = map(_find_misplaced, similarity.parts())
    around = next((part for part in parts if part is not None), None)
    if isinstance(similarity, Normalized) and around is similarity.operand:
        # It is the ratio that stands in the formula.
        return similarity
    return around
