"""Templates whose type earns credit of its own, as a slot that is always filled.

>>> types_alike(("attack",), ("bombing",), ""), types_alike(("a", "b"), ("b",), "")
(0, 1)
>>> types_alike(("bombing",), ("attack",), "attack")
0.5
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.filling import Filled, Form
from graphscore.metrics.templates.matching import (
    Aligned,
    Compare,
    Matched,
    filled,
    summed,
)
from graphscore.model.outcome import Masses
from graphscore.similarity.base import Number, Numerators

TYPE = "type"
"""The slot that the type of a template is counted under."""


def types_alike(gold: Sequence[str], system: Sequence[str], generic: str) -> Number:
    """How alike the types of two templates are.

    Args:
        gold: gold's type and the alternatives to it.
        system: the system's.
        generic: the type that earns half in place of any other; empty for none.
    """
    if not gold and not system:
        return 1
    if not set(gold).isdisjoint(system):
        return 1
    return 0.5 if gold and generic and generic in system else 0


@dataclass(frozen=True)
class TypedTemplates(TemplateMetric):
    """Base of metrics whose templates have a type that earns credit."""

    @abstractmethod
    def typed(self, gold: Form, system: Form) -> Number:
        """What the types of two templates earn; 0 keeps them apart."""

    def allowed(self, gold: Form, system: Form, slots: dict[str, Matched]) -> bool:
        """Whether two templates may be aligned, by what their slots share."""
        return True

    @property
    def together(self) -> Compare:
        """What two templates earn, if they can be aligned."""
        scheme = self.scheme

        def compare(
            gold: Form, system: Form
        ) -> tuple[Numerators, dict[str, Matched]] | None:
            typed = self.typed(gold, system)
            if not typed:
                return None
            slots = filled(scheme, gold, system)
            if not self.allowed(gold, system, slots):
                return None
            sides = Numerators(typed, typed, typed)
            return summed([sides, *(each.sides for each in slots.values())]), slots

        return compare

    def masses(self, gold: Filled, system: Filled, found: Sequence[Aligned]) -> Masses:
        """Amounts of each slot, the type among them, and of all of them."""
        masses = super().masses(gold, system, found)
        earned = sum(
            self.typed(gold.forms[each.gold], system.forms[each.system])
            for each in found
        )
        amounts = {"gold": len(gold.forms), "system": len(system.forms)}
        quantities = {**amounts, "matched": earned}
        if self.split:
            quantities["matched_system"] = earned
        for quantity, amount in quantities.items():
            if amount:
                for label in ("", TYPE):
                    key = (self.counted, label, quantity)
                    masses[key] = masses.get(key, 0) + amount
        return masses
