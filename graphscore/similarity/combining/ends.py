"""Similarities of what a step leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Cell,
    Number,
    Numerators,
    Similarity,
    Sparse,
    require_similarity,
)
from graphscore.similarity.combining.products import Exact, T
from graphscore.similarity.expression import ARTICLES, Notation, Sort
from graphscore.similarity.features.elements import ABSENT, Feature, deeper
from graphscore.similarity.navigation.steps import Step, Via, require_step
from graphscore.similarity.positive import Kind, Ruling, kept
from graphscore.similarity.view import Element, Elements, Pair, View, unique


@dataclass(frozen=True, repr=False)
class At(Similarity):
    """A similarity of what a step leads to.

    Where the step leads nowhere on both sides, they are alike; where it leads
    nowhere on one side, they are not.  An amount of nothing is 0.

    Args:
        step: where to look.
        similarity: how what is there is compared.
    """

    call: ClassVar[str] = "at"

    step: Step
    similarity: Similarity

    def __post_init__(self) -> None:
        require_step(self.step, f"{self.step}.{self.similarity}", "")
        require_similarity(
            self.similarity,
            self.step.leads,
            f": {ARTICLES[self.step.leads]} is where {self.step} leads",
            f"{self.step}.{self.similarity}",
            f"{self.step}.",
        )

    @property
    def of(self) -> Sort:
        """Where the step starts."""
        return self.step.of

    @property
    def normalized(self) -> bool:
        """Whether the similarity is."""
        return self.similarity.normalized

    def spell(self, notation: Notation) -> str:
        """The similarity, at the step; from the graph's top the step is silent."""
        if self.step.of == "graph":
            return self.similarity.spell(notation)
        features, rest = self.split()
        if not rest:
            return Exact(features).spell(notation)
        step = notation.below(self.step.spell(notation))
        return f"({self.similarity.spell(notation)}){step}"

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """What must be equal there, and the rest of it."""
        features, rest = self.similarity.split()
        mine = tuple(Via(self.step, each) for each in features)
        return mine, tuple(
            self if each is self.similarity else At(self.step, each) for each in rest
        )

    def parts(self) -> Iterator[Similarity]:
        """The similarity there."""
        yield self.similarity

    def ruling(self, inside: Sequence[Kind]) -> Ruling:
        """As what is there."""
        return kept(inside, "what is there; nothing is like nothing alone")

    def ends(
        self, pair: Pair, gold: Elements, system: Elements
    ) -> tuple[list[Element], list[int], list[Element], list[int]]:
        """The distinct ends of both sides, and which of them each element leads to."""
        mine, where = unique(self.step.follow(pair.gold, gold))
        theirs, there = unique(self.step.follow(pair.system, system))
        return mine, where, theirs, there

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """The similarities of the ends; each two ends are compared once."""
        mine, where, theirs, there = self.ends(pair, gold, system)
        if wanted is not None:
            asked = {
                (where[r], there[c])
                for r, c in wanted
                if where[r] >= 0 and there[c] >= 0
            }
            found = self.similarity.pairs(pair, mine, theirs, asked)
            values = ((cell, self._value(found, where, there, cell)) for cell in wanted)
            return {cell: number for cell, number in values if number}
        found = self.similarity.pairs(pair, mine, theirs)
        return _spread(found, where, there, self._nothing)

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> dict[Cell, Numerators]:
        """What the ends have in common, as recall and as precision count it."""
        if not self.sided:
            return super().overlaps(pair, gold, system, wanted)
        mine, where, theirs, there = self.ends(pair, gold, system)
        asked = None
        if wanted is not None:
            ends = ((where[r], there[c]) for r, c in wanted)
            asked = {(one, two) for one, two in ends if one >= 0 and two >= 0}
        found = self.similarity.overlaps(pair, mine, theirs, asked)
        alike = self._nothing
        spread = _spread(found, where, there, Numerators(alike, alike, alike))
        if wanted is None:
            return spread
        return {cell: spread[cell] for cell in wanted if cell in spread}

    @property
    def _nothing(self) -> int:
        """How alike two steps are that lead nowhere."""
        return int(self.similarity.normalized)

    def _value(
        self, found: Sparse, where: list[int], there: list[int], cell: Cell
    ) -> Number:
        one, two = where[cell[0]], there[cell[1]]
        if one < 0 or two < 0:
            return self._nothing if one == two else 0
        return found.get((one, two), 0)

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """What the similarity of the distinct ends takes, and to spread it."""
        mine, where, theirs, there = self.ends(pair, gold, system)
        inner = self.similarity.effort(pair, mine, theirs)
        shared = max(1, len(where)) * max(1, len(there))
        return inner * max(1, shared // max(1, len(mine) * len(theirs)))

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """What the ends are to themselves; nothing is 1, or an amount of 0."""
        mine, where = unique(self.step.follow(view, elements))
        found = self.similarity.selves(view, mine)
        return [found[place] if place >= 0 else self._nothing for place in where]

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """What is seen of the ends."""
        mine, where = unique(self.step.follow(view, elements))
        found = self.similarity.identities(view, mine)
        return [deeper(found[place]) if place >= 0 else ABSENT for place in where]

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """What is matched inside of the ends."""
        mine = None if gold is None else self.step.follow(pair.gold, [gold])[0]
        theirs = None if system is None else self.step.follow(pair.system, [system])[0]
        if mine is None and theirs is None:
            return ()
        return self.similarity.aligned(pair, mine, theirs)

    def warm(self, view: View, elements: Elements) -> None:
        """Let the similarity at the ends."""
        self.similarity.warm(view, unique(self.step.follow(view, elements))[0])


def _spread(
    found: dict[Cell, T], where: list[int], there: list[int], nothing: T
) -> dict[Cell, T]:
    """From pairs of distinct ends to pairs of the elements that lead to them."""
    left: dict[int, list[int]] = {}
    for r, place in enumerate(where):
        left.setdefault(place, []).append(r)
    right: dict[int, list[int]] = {}
    for c, place in enumerate(there):
        right.setdefault(place, []).append(c)
    spread: dict[Cell, T] = {}
    for (one, two), number in found.items():
        for r in left[one]:
            for c in right[two]:
                spread[r, c] = number
    if nothing:
        for r in left.get(-1, ()):
            for c in right.get(-1, ()):
                spread[r, c] = nothing
    return spread


def at(step: Step, similarity: Similarity) -> At:
    """A similarity of what a step leads to.

    Args:
        step: such as ``target``, ``source``, ``top`` or ``along("subj")``.
        similarity: how what is there is compared.

    Raises:
        FormulaError: if it does not compare what the step leads to.
    """
    return At(step, similarity)
