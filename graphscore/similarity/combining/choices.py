"""A similarity for each type of thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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
from graphscore.similarity.expression import Notation, Sort, require
from graphscore.similarity.features.elements import Feature, comparable
from graphscore.similarity.positive import OPEN, Kind, Ruling, least
from graphscore.similarity.view import Element, Elements, Pair, View


@dataclass(frozen=True, repr=False)
class Choice(Similarity):
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

    @property
    def of(self) -> Sort:
        """What the feature is said of."""
        return self.feature.of

    @property
    def normalized(self) -> bool:
        """Whether all cases are."""
        return all(each.normalized for each in self.parts())

    @cached_property
    def _cases(self) -> dict[Hashable, Similarity]:
        return {comparable(found): similarity for found, similarity in self.cases}

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
        left, right = ("\\{", "\\}") if notation.delta.startswith("\\") else ("{", "}")
        return left + ", ".join(shown) + right

    def parts(self) -> Iterator[Similarity]:
        """The similarities of all types."""
        for _, similarity in self.cases:
            yield similarity
        if self.otherwise is not None:
            yield self.otherwise

    def ruling(self, inside: Sequence[Kind]) -> Ruling:
        """Things of two types are not alike."""
        whole = least(inside)
        return Ruling(
            whole, OPEN if whole == "unknown" else "one of these for each type"
        )

    def _groups(self, view: View, elements: Elements) -> dict[Hashable, list[int]]:
        found: dict[Hashable, list[int]] = {}
        for place, one in enumerate(self.feature.of_all(view, elements)):
            if one in self._cases or self.otherwise is not None:
                found.setdefault(one, []).append(place)
        return found

    def case(self, value: Hashable) -> Similarity | None:
        """The similarity for things of one type."""
        return self._cases.get(value, self.otherwise)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """Pairs of one type, type by type."""
        return self._by_type("pairs", pair, gold, system, wanted)

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> dict[Cell, Numerators]:
        """As ``pairs``, told apart by what recall and precision count."""
        return self._by_type("overlaps", pair, gold, system, wanted)

    def _by_type(
        self, method: str, pair: Pair, gold: Elements, system: Elements, wanted: Asked
    ) -> dict[Cell, Any]:
        found: dict[Cell, Any] = {}
        for similarity, left, right, inner in self.types(pair, gold, system, wanted):
            mine, theirs = [gold[k] for k in left], [system[k] for k in right]
            cells = getattr(similarity, method)(pair, mine, theirs, inner)
            for (r, c), number in cells.items():
                found[left[r], right[c]] = number
        return found

    def types(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked
    ) -> Iterator[tuple[Similarity, list[int], list[int], set[Cell] | None]]:
        """For every type its case, who is of it, and which of them are asked for."""
        mine, theirs = self._groups(pair.gold, gold), self._groups(pair.system, system)
        asked = None if wanted is None else set(wanted)
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
        found: list[Any] = [0] * len(elements)
        for value, places in self._groups(view, elements).items():
            similarity = self.case(value)
            if similarity is not None:
                here = getattr(similarity, method)(view, [elements[k] for k in places])
                for place, one in zip(places, here, strict=True):
                    found[place] = one
        return found

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """As each type says; 0 for a type without a case."""
        return self._each(view, elements, "selves")

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """The type, and what its case sees."""
        types = self.feature.of_all(view, elements)
        return list(zip(types, self._each(view, elements, "identities"), strict=True))

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """What is matched inside, by the case of their type."""
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
) -> Choice:
    """A similarity for each type of thing, told apart by a feature.

    Args:
        feature: such as ``kind`` or ``label``.
        cases: the similarity of every type.
        otherwise: the similarity of any other type.

    Raises:
        FormulaError: if a case compares something that the feature is not said of.
    """
    return Choice(feature, tuple(cases.items()), otherwise)
