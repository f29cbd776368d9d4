"""Slot error rate.

Makhoul et al. (1999), "Performance measures for information extraction"; with the
weights of QUAERO as Ben Jannet et al. (2014), section 5.2, have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphscore.metrics.entities.slot_costs import BOUNDARY, SUBTYPE, TYPE
from graphscore.metrics.entities.slot_figures import Tally, ratio
from graphscore.metrics.entities.slot_metric import SlotMetric

TYPE_COST, BOUNDARY_COST = 0.5, 0.5
"""What QUAERO has a wrong type and a wrong boundary cost."""


@dataclass(frozen=True)
class Ser(SlotMetric):
    """Slot error rate.

    Args:
        slots: which slots count.
        metonymy: whether an entity right around another one is one of two types.
        weights: ``quaero``: a wrong type costs 0.5, and so does a wrong boundary;
            ``makhoul``: every substitution costs 1.
        substitution: with ``quaero``, what it costs if both are wrong: no more than
            0.5, or the sum.
    """

    name = "ser"
    follows = "the definition of Makhoul et al. 1999"
    title = "slot error rate of entities and components"
    citation = "Makhoul et al. 1999, Performance measures for information extraction"
    leading = "ser"

    weights: Literal["quaero", "makhoul"] = "quaero"
    substitution: Literal["min", "additive"] = "min"

    def substituted(self, wrong: int) -> float:
        """What a substitution costs."""
        if self.weights == "makhoul":
            return 1.0
        cost = TYPE_COST if wrong & (TYPE | SUBTYPE) else 0.0
        cost += BOUNDARY_COST if wrong & BOUNDARY else 0.0
        return cost if self.substitution == "additive" else min(TYPE_COST, cost)

    def rate(self, tally: Tally) -> float:
        """Errors by gold slots."""
        return tally.rate()

    def parts(self, whole: Tally, tallies: Mapping[str, Tally]) -> dict[str, float]:
        """The errors of each kind by all gold slots: what the rate is a sum of."""
        return {
            f"part.{kind}": ratio(tallies[kind].errors(), whole.gold)
            for kind in self.chosen
        }
