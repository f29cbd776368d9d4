"""Variables: things that correspond to others only under a map (eq. 34)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.similarity.base import (
    Asked,
    Cell,
    Number,
    Similarity,
    Sparse,
    join_size,
    joined,
)
from graphscore.similarity.expression import FormulaError, Notation, Sort
from graphscore.similarity.navigation.steps import Step, require_step
from graphscore.similarity.view import Elements, Pair, Related, View


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
        """1 where two may correspond, as ``latent`` says; both absent are alike.

        Raises:
            FormulaError: if there is no ``latent`` around.
        """
        related = pair.related
        if related is None and pair.gold is not pair.system:
            raise FormulaError(
                "a variable outside of latent(...), which would find what it is",
                str(self),
                str(self),
            )
        mine, theirs = self.at(pair.gold, gold), self.at(pair.system, system)
        if related is None:
            # What something earns with itself: every variable is itself.
            return joined(mine, theirs, wanted)
        if wanted is None:
            return dict.fromkeys(_candidates(related, mine, theirs), 1)
        return {
            (r, c): 1
            for r, c in wanted
            if (mine[r], theirs[c]) in related or (mine[r] is None is theirs[c])
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """How many may correspond."""
        mine, theirs = self.at(pair.gold, gold), self.at(pair.system, system)
        if pair.related is None:
            return join_size(mine, theirs)
        there = Counter(theirs)
        fewest = len(there)
        found = 0
        for one, number in Counter(mine).items():
            if one is None:
                found += number * there[None]
            elif len(others := pair.related.partners(one)) > fewest:
                found += number * len(theirs)
            else:
                found += number * sum(there[two] for two in others)
        return found

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


def _candidates(
    related: Related, mine: list[int | None], theirs: list[int | None]
) -> Iterator[Cell]:
    """Positions of what may correspond, and of what is absent on both sides."""
    places: dict[int | None, list[int]] = {}
    for c, two in enumerate(theirs):
        places.setdefault(two, []).append(c)
    for r, one in enumerate(mine):
        if one is None:
            others: Iterable[int | None] = (None,)
        else:
            others = related.partners(one)
            if len(others) > len(places):
                others = [two for two in places if two in others]
        for two in others:
            for c in places.get(two, ()):
                yield r, c
