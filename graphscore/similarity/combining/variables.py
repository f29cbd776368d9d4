"""Variables: things that correspond to others only under a map (eq. 34)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.similarity.base import Asked, Number, Similarity, Sparse
from graphscore.similarity.expression import FormulaError, Notation, Sort
from graphscore.similarity.navigation.steps import Step, require_step
from graphscore.similarity.view import Elements, Pair, View


@dataclass(frozen=True, repr=False)
class Variable(Similarity):
    """Whether two variables correspond (φ̃, eq. 34); only inside of ``latent``.

    Args:
        step: leads to the variable; ``None`` where the thing is one itself.
    """

    call: ClassVar[str] = "variable"
    normalized: ClassVar[bool] = True

    step: Step | None = None

    def __post_init__(self) -> None:
        if self.step is not None:
            require_step(self.step, f"φ̃_{self.step}", "φ̃_")

    @property
    def of(self) -> Sort:
        """What has the variable."""
        return "node" if self.step is None else self.step.of

    @property
    def has_variables(self) -> bool:
        """It is one."""
        return True

    def arguments(self) -> Iterator[str]:
        """The step, if there is one."""
        if self.step is not None:
            yield repr(self.step)

    def spell(self, notation: Notation) -> str:
        """φ with a tilde."""
        if self.step is None:
            return notation.hat
        return notation.hat + notation.below(self.step.spell(notation))

    def at(self, view: View, elements: Elements) -> list[int | None]:
        """The variable of each element."""
        if self.step is None:
            return list(elements)
        return self.step.follow(view, elements)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """Never asked: variables are only alike under a map.

        Raises:
            FormulaError: always.
        """
        raise FormulaError(
            "a variable outside of latent(...), which would find what it is",
            str(self),
            str(self),
        )

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """1 each."""
        return [1] * len(elements)

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """The variables themselves: two are never the same."""
        return [("variable", each) for each in self.at(view, elements)]


def variable(step: Step | None = None) -> Variable:
    """Whether two variables correspond (φ̃, eq. 34).

    Args:
        step: leads to the variable; without one the thing is a variable itself.
    """
    return Variable(step)
