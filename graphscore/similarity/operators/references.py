"""Names that a formula around them gives a meaning: itself, and variables (eq. 34).

Inside of ``recursive`` :class:`SelfReference` stands for the formula itself, inside of
``latent`` :class:`Variable` for what corresponds under a map.
"""

from __future__ import annotations

from typing import ClassVar

from graphscore.similarity.base import Similarity
from graphscore.similarity.expression import Notation, Sort, delegate, require
from graphscore.similarity.navigation.steps import Step, require_step


class SelfReference(Similarity, frozen=True):
    """The formula that this stands in; only inside of ``recursive``.

    Args:
        name: the name of that formula.
        normalized: whether it is normalized, as that formula is.
        proper: whether nothing is more like another thing than like itself.
    """

    call: ClassVar[str] = "again"

    name: str
    normalized: bool = True
    proper: bool = True

    def __post_init__(self) -> None:
        require_name(self.name, "again")

    @property
    def of(self) -> Sort:
        """Recursion is from node to node."""
        return "node"

    capped = delegate("proper")

    @property
    def sided(self) -> bool:
        """Never: see ``Recursive``."""
        return False

    def spell(self, notation: Notation) -> str:
        """The name."""
        return notation.name(self.name)


def require_name(name: object, call: str) -> None:
    """Fail unless a name can be written in a formula."""
    require(
        isinstance(name, str) and name.isidentifier(),
        f"found {name!r}, expected a name such as 'Tree'",
        f"{call}({name!r})",
        repr(name),
    )


again = SelfReference


class Variable(Similarity, frozen=True):
    """Test whether two variables correspond (φ̃, eq. 34); only inside of ``latent``.

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
        """Sort of the elements that have the variable."""
        return "node" if self.step is None else self.step.of

    @property
    def has_variables(self) -> bool:
        """It is one."""
        return True

    def spell(self, notation: Notation) -> str:
        """φ with a tilde."""
        if self.step is None:
            return notation.hat
        return notation.hat + notation.below(self.step.spell(notation))


variable = Variable
