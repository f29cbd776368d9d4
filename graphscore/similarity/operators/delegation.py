"""Similarities that ask others: of what a step leads to, or by the type of thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from graphscore.similarity.base import (
    Similarity,
    require_similarity,
)
from graphscore.similarity.expression import (
    ARTICLES,
    Notation,
    delegate,
    require,
)
from graphscore.similarity.features.elements import Feature, comparable
from graphscore.similarity.navigation.steps import Step, Via, require_step
from graphscore.similarity.operators.arithmetic import Exact


class ThroughStep(Similarity, frozen=True):
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

    of = delegate("step.of")
    normalized = delegate("similarity.normalized")

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
        """Return the features that must be equal there, and the remaining factors."""
        features, rest = self.similarity.split()
        through = tuple(Via(self.step, feature) for feature in features)
        return through, tuple(
            self if factor is self.similarity else ThroughStep(self.step, factor)
            for factor in rest
        )

    def parts(self) -> Iterator[Similarity]:
        """The similarity there."""
        yield self.similarity


at = ThroughStep


class ByType(Similarity, frozen=True):
    """A similarity for each type of thing; things of two types are not alike.

    Args:
        feature: what tells the types apart.
        cases: (value, similarity) of every type.
        otherwise: similarity of things of any other type; they must still agree
            on the feature.
    """

    feature: Feature
    cases: tuple[tuple[Hashable, Similarity], ...]
    otherwise: Similarity | None = None

    def __post_init__(self) -> None:
        require(
            isinstance(self.feature, Feature),
            f"found {self.feature!r}, expected a feature such as kind or label",
            str(self.feature),
            str(self.feature),
        )
        shown = [f"{value}: {similarity}" for value, similarity in self.cases]
        if self.otherwise is not None:
            shown.append(f"…: {self.otherwise}")
        formula = f"{{{', '.join(shown)}}}"
        require(
            bool(self.cases),
            "found no case, expected one for every type",
            formula,
            formula,
        )
        before = "{"
        for case, similarity in zip(shown, self.parts(), strict=True):
            spot = str(similarity)
            require_similarity(
                similarity,
                self.feature.of,
                f", of which {self.feature} is said",
                formula,
                before + case.removesuffix(spot),
            )
            before += f"{case}, "

    of = delegate("feature.of")

    @property
    def normalized(self) -> bool:
        """True if all cases are normalized."""
        return all(part.normalized for part in self.parts())

    @cached_property
    def _cases(self) -> dict[Hashable, Similarity]:
        return {comparable(cases): similarity for cases, similarity in self.cases}

    def __repr__(self) -> str:
        more = "" if self.otherwise is None else f", otherwise={self.otherwise!r}"
        return f"choice({self.feature!r}, {dict(self.cases)!r}{more})"

    def spell(self, notation: Notation) -> str:
        """The cases in braces."""
        shown = [
            f"{notation.name(str(value))}: {similarity.spell(notation)}"
            for value, similarity in self.cases
        ]
        if self.otherwise is not None:
            shown.append(f"…: {self.otherwise.spell(notation)}")
        left, right = ("\\{", "\\}") if notation.latex else ("{", "}")
        return left + ", ".join(shown) + right

    def parts(self) -> Iterator[Similarity]:
        """The similarities of all types."""
        for _, similarity in self.cases:
            yield similarity
        if self.otherwise is not None:
            yield self.otherwise

    def case(self, value: Hashable) -> Similarity | None:
        """The similarity for things of one type."""
        return self._cases.get(value, self.otherwise)


def choice(
    feature: Feature,
    cases: Mapping[Any, Similarity],
    *,
    otherwise: Similarity | None = None,
) -> ByType:
    """A similarity for each type of thing, told apart by a feature.

    Args:
        feature: such as ``kind`` or ``label``.
        cases: the similarity of every type.
        otherwise: the similarity of any other type.

    Raises:
        FormulaError: if a case compares something that the feature is not said of.
    """
    return ByType(feature, tuple(cases.items()), otherwise)
