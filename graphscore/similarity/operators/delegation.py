"""Similarities that ask others: of what a step leads to, or by the type of thing."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

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
from graphscore.similarity.expression import (
    ARTICLES,
    Notation,
    delegated,
    require,
)
from graphscore.similarity.features.elements import ABSENT, Feature, comparable, deeper
from graphscore.similarity.navigation.steps import Step, Via, require_step
from graphscore.similarity.operators.arithmetic import Exact, T
from graphscore.similarity.view import Element, Elements, Pair, View, unique


@dataclass(frozen=True, repr=False)
class ThroughStep(Similarity):
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

    of = delegated("step.of")
    normalized = delegated("similarity.normalized")

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
        mine = tuple(Via(self.step, feature) for feature in features)
        return mine, tuple(
            self if each is self.similarity else ThroughStep(self.step, each)
            for each in rest
        )

    def parts(self) -> Iterator[Similarity]:
        """The similarity there."""
        yield self.similarity

    def ends(
        self, pair: Pair, gold: Elements, system: Elements
    ) -> tuple[list[Element], list[int], list[Element], list[int]]:
        """The distinct ends of both sides, and which of them each element leads to."""
        left, where = unique(self.step.follow(pair.gold, gold))
        right, there = unique(self.step.follow(pair.system, system))
        return left, where, right, there

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """The similarities of the ends; each two ends are compared once."""
        compare, nothing = self.similarity.pairs, self._nothing or None
        return self._at_ends(compare, nothing, pair, gold, system, requested)

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> dict[Cell, Numerators]:
        """Return the overlaps of the ends, as recall and precision count them."""
        compare, alike = self.similarity.overlaps, self._nothing
        nothing = Numerators(alike, alike, alike) if alike else None
        return self._at_ends(compare, nothing, pair, gold, system, requested)

    def _at_ends(
        self,
        compare: Callable[[Pair, Elements, Elements, Asked], dict[Cell, T]],
        nothing: T | None,
        pair: Pair,
        gold: Elements,
        system: Elements,
        requested: Asked,
    ) -> dict[Cell, T]:
        """Compare the ends, and assign the results to the elements that lead there."""
        left, where, right, there = self.ends(pair, gold, system)
        if requested is None:
            return _spread(compare(pair, left, right, None), where, there, nothing)
        ends = [(where[r], there[c]) for r, c in requested]
        found = compare(pair, left, right, {(p, q) for p, q in ends if p >= 0 <= q})
        if nothing and (-1, -1) in ends:
            found = {**found, (-1, -1): nothing}
        both = zip(requested, map(found.get, ends), strict=True)
        return {cell: value for cell, value in both if value}

    @property
    def _nothing(self) -> int:
        """Similarity of two steps that lead nowhere."""
        return int(self.similarity.normalized)

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Return the cost of comparing the distinct ends and spreading the results."""
        left, where, right, there = self.ends(pair, gold, system)
        inner = self.similarity.effort(pair, left, right)
        shared = max(1, len(where)) * max(1, len(there))
        return inner * max(1, shared // max(1, len(left) * len(right)))

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Return the self-similarity of the ends; without one 1, or an amount of 0."""
        mine, where = unique(self.step.follow(view, elements))
        result = self.similarity.selves(view, mine)
        return [result[place] if place >= 0 else self._nothing for place in where]

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the identities of the ends."""
        mine, where = unique(self.step.follow(view, elements))
        found = self.similarity.identities(view, mine)
        return [deeper(found[place]) if place >= 0 else ABSENT for place in where]

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """Return the matches inside the ends."""
        left = None if gold is None else self.step.follow(pair.gold, [gold])[0]
        right = None if system is None else self.step.follow(pair.system, [system])[0]
        if left is None and right is None:
            return ()
        return self.similarity.aligned(pair, left, right)

    def warm(self, view: View, elements: Elements) -> None:
        """Let the similarity at the ends."""
        self.similarity.warm(view, unique(self.step.follow(view, elements))[0])


def _spread(
    found: dict[Cell, T], where: list[int], there: list[int], nothing: T | None
) -> dict[Cell, T]:
    """From pairs of distinct ends to pairs of the elements that lead to them."""
    left: dict[int, list[int]] = {}
    for r, place in enumerate(where):
        left.setdefault(place, []).append(r)
    right: dict[int, list[int]] = {}
    for c, place in enumerate(there):
        right.setdefault(place, []).append(c)
    spread: dict[Cell, T] = {}
    for (first, second), number in found.items():
        for r in left[first]:
            for c in right[second]:
                spread[r, c] = number
    if nothing:
        for r in left.get(-1, ()):
            for c in right.get(-1, ()):
                spread[r, c] = nothing
    return spread


at = ThroughStep


@dataclass(frozen=True, repr=False)
class ByType(Similarity):
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
        shown = [f"{found}: {similarity}" for found, similarity in self.cases]
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
        for one, similarity in zip(shown, self.parts(), strict=True):
            spot = str(similarity)
            require_similarity(
                similarity,
                self.feature.of,
                f", of which {self.feature} is said",
                formula,
                before + one.removesuffix(spot),
            )
            before += f"{one}, "

    of = delegated("feature.of")

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
            f"{notation.name(str(found))}: {similarity.spell(notation)}"
            for found, similarity in self.cases
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

    def _groups(self, view: View, elements: Elements) -> dict[Hashable, list[int]]:
        groups: dict[Hashable, list[int]] = {}
        for index, one in enumerate(self.feature.of_all(view, elements)):
            if one in self._cases or self.otherwise is not None:
                groups.setdefault(one, []).append(index)
        return groups

    def case(self, value: Hashable) -> Similarity | None:
        """The similarity for things of one type."""
        return self._cases.get(value, self.otherwise)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """Pairs of one type, type by type."""
        return self._by_type("pairs", pair, gold, system, requested)

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> dict[Cell, Numerators]:
        """Return the numerators of recall and precision for the ``pairs``."""
        return self._by_type("overlaps", pair, gold, system, requested)

    def _by_type(
        self,
        method: str,
        pair: Pair,
        gold: Elements,
        system: Elements,
        requested: Asked,
    ) -> dict[Cell, Any]:
        result: dict[Cell, Any] = {}
        for similarity, left, right, inner in self.types(pair, gold, system, requested):
            mine, theirs = [gold[k] for k in left], [system[k] for k in right]
            cells = getattr(similarity, method)(pair, mine, theirs, inner)
            for (r, c), number in cells.items():
                result[left[r], right[c]] = number
        return result

    def types(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked
    ) -> Iterator[tuple[Similarity, list[int], list[int], set[Cell] | None]]:
        """For every type its case, who is of it, and which of them are asked for."""
        mine, theirs = self._groups(pair.gold, gold), self._groups(pair.system, system)
        asked = None if requested is None else set(requested)
        for value, left in mine.items():
            right, similarity = theirs.get(value), self.case(value)
            if not right or similarity is None:
                continue
            inner: set[Cell] | None = None
            if asked is not None:
                rows = {place: k for k, place in enumerate(left)}
                columns = {place: k for k, place in enumerate(right)}
                inner = {
                    (rows[r], columns[c])
                    for r, c in asked
                    if r in rows and c in columns
                }
            yield similarity, left, right, inner

    def _each(self, view: View, elements: Elements, method: str) -> list[Any]:
        result: list[Any] = [0] * len(elements)
        for value, places in self._groups(view, elements).items():
            similarity = self.case(value)
            if similarity is not None:
                here = getattr(similarity, method)(view, [elements[k] for k in places])
                for place, one in zip(places, here, strict=True):
                    result[place] = one
        return result

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Return the self-similarity by type; 0 for a type without a case."""
        return self._each(view, elements, "selves")

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """The type, and what its case sees."""
        types = self.feature.of_all(view, elements)
        return list(zip(types, self._each(view, elements, "identities"), strict=True))

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """Return the matches inside, by the case of their type."""
        sides = [
            self.feature.of_all(view, [element])[0]
            for view, element in ((pair.gold, gold), (pair.system, system))
            if element is not None
        ]
        similarity = self.case(sides[0]) if len(set(sides)) == 1 else None
        return () if similarity is None else similarity.aligned(pair, gold, system)

    def warm(self, view: View, elements: Elements) -> None:
        """Let every case."""
        for value, places in self._groups(view, elements).items():
            similarity = self.case(value)
            if similarity is not None:
                similarity.warm(view, [elements[k] for k in places])


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
