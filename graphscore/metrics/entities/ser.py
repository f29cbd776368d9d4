"""Slot error rate.

Makhoul et al. (1999), "Performance measures for information extraction"; with the
weights of QUAERO as Ben Jannet et al. (2014), section 5.2, have them.

Of slots that are aligned at the least cost, with I inserted, D deleted and N in gold::

    SER = (I + D + Σ w of what is wrong with pairs) / N

No scorer is published.  What the papers leave open: a pair has characters in common,
and costs the greater of what is wrong with it (``substitution=additive``: the sum).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.exceptions import UsageError
from graphscore.metrics.entities.slot_metric import SlotMetric
from graphscore.metrics.entities.slot_scores import Tally, ratio
from graphscore.metrics.entities.slots import (
    BOUNDARY,
    SUBTYPE,
    TYPE,
    check_costs,
)


@dataclass(frozen=True)
class Ser(SlotMetric):
    """Slot error rate.

    Args:
        slots: which slots count.
        metonymy: whether an entity right around another one is one of two types.
        words: whether both sides have the same words; ``aligned``: those of each item
            are aligned by edit distance; ``document``: those of each document, whose
            items may be others.
        spans: ``characters`` leaves white space in spans aside; with ``offsets`` it
            counts.
        weights: ``quaero``: a wrong type costs 0.5, and so does a wrong boundary;
            ``makhoul``: every substitution costs 1.
        substitution: with ``quaero``, what it costs if both are wrong: the greater of
            both costs, or their sum.
        type: what a wrong type of an entity or a wrong label of a component costs.
        subtype: what a wrong subtype costs, where the main type is right.
        boundary: what a wrong boundary costs.
        insertion: what a slot that gold lacks costs.
        deletion: what one that the system lacks costs.

    Raises:
        UsageError: if a cost is negative or infinite, both insertion and deletion
            cost nothing, or ``makhoul`` is given costs of substitutions.
    """

    name = "ser"
    follows = "the definition of Makhoul et al. 1999"
    title = "SER (Makhoul et al. 1999): slot error rate"
    citation = "Makhoul et al. 1999, Performance measures for information extraction"
    leading = "ser"

    weights: Literal["quaero", "makhoul"] = "quaero"
    substitution: Literal["min", "additive"] = "min"
    type: float = 0.5
    subtype: float = 0.5
    boundary: float = 0.5
    insertion: float = 1.0
    deletion: float = 1.0

    def __post_init__(self) -> None:
        check_costs(self)
        if self.weights == "makhoul":
            for name in ("type", "subtype", "boundary"):
                if (cost := getattr(self, name)) != 0.5:
                    raise UsageError(
                        f"ser: weights=makhoul with {name}={cost}, expected costs of "
                        "substitutions without it"
                    )

    @property
    def limit(self) -> float:
        """Cost that aligned pairs must stay below."""
        return self.insertion + self.deletion

    def substituted(self, wrong: int) -> float:
        """Return the cost of a substitution."""
        if self.weights == "makhoul":
            return 1.0
        tuple_type = (
            self.type if wrong & TYPE else self.subtype if wrong & SUBTYPE else 0.0
        )
        boundary = self.boundary if wrong & BOUNDARY else 0.0
        return (
            tuple_type + boundary
            if self.substitution == "additive"
            else max(tuple_type, boundary)
        )

    def rate(self, tally: Tally) -> float:
        """Errors by gold slots."""
        return tally.rate(self.deletion, self.insertion)

    def total(self, tally: Tally) -> float:
        """Return the cost of all errors of some slots."""
        return tally.errors(self.deletion, self.insertion)

    def parts(self, whole: Tally, tallies: Mapping[str, Tally]) -> dict[str, float]:
        """The errors of each type by all gold slots: what the rate is a sum of."""
        return {
            f"part.{tuple_type}": ratio(self.total(tallies[tuple_type]), whole.gold)
            for tuple_type in self.chosen
        }
