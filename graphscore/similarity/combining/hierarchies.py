"""Types that stand above and below one another: levels, descendants, supertypes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from graphscore.similarity.base import Number
from graphscore.similarity.combining.leaves import OfValues
from graphscore.similarity.expression import FormulaError, Notation, require
from graphscore.similarity.features.elements import Feature, plain
from graphscore.similarity.navigation.words import OfFeature
from graphscore.similarity.view import Element


@dataclass(frozen=True, repr=False)
class Levels(OfValues):
    """Half as much for every level of a type that is missing or wrong (eq. 38).

    With *d* levels right, of *D* levels in all, 2 to the power of *d* - *D*; 0 if
    not even the first one is right.

    Args:
        feature: types as strings whose levels are separated.
        separator: what separates levels.
        depth: how many levels there are in all; by default as many as the longer
            of both types has.

    Example:
        >>> from graphscore.similarity.features.elements import label
        >>> types = Levels(label, ":")
        >>> [types.of_values("A:b:" + last, "A:b:c") for last in "cd"]
        [1.0, 0.5]
    """

    call: ClassVar[str] = "levels"

    feature: Feature
    separator: str = "."
    depth: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require(
            self.depth is None or self.depth > 0,
            f"found {self.depth} levels, expected 1 or more",
            str(self),
            str(self),
        )
        require_separator(self.separator, str(self))

    def spell(self, notation: Notation) -> str:
        """φ with the word levels."""
        return notation.phi + notation.below(f"levels({self.feature.spell(notation)})")

    def block(self, value: Any) -> Hashable:
        """The first level."""
        return None if value is None else str(plain(value)).split(self.separator)[0]

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """2 to the power of levels right minus levels in all."""
        if predicted is None or gold is None:
            return float(predicted is gold)
        one = str(plain(predicted)).split(self.separator)
        two = str(plain(gold)).split(self.separator)
        if one == two:
            return 1.0
        right = 0
        for mine, theirs in zip(one, two, strict=False):
            if mine != theirs:
                break
            right += 1
        depth = self.depth or max(len(one), len(two))
        if depth < max(len(one), len(two)):
            raise FormulaError(
                f"found {max(len(one), len(two))} levels in {predicted!r} or {gold!r}, "
                f"expected at most {depth}",
                str(self),
                str(self),
            )
        return float(2.0 ** (right - depth)) if right else 0.0


def require_separator(separator: str, formula: str) -> None:
    """Fail unless a string can separate levels.

    Raises:
        FormulaError: for an empty one.
    """
    require(
        bool(separator),
        "an empty separator, expected a string that separates levels",
        formula,
        formula,
    )


@dataclass(frozen=True)
class Hierarchy:
    """A tree of types.

    Args:
        parents: (type, its parent), for every type that has one.

    Raises:
        FormulaError: if a type has two parents or is its own ancestor.

    Example:
        >>> tree = hierarchy({"bombing": "attack", "arson": "attack"})
        >>> tree.ancestors("bombing"), tree.ancestors("attack")
        (('bombing', 'attack'), ('attack',))
        >>> tree.descends("bombing", "attack"), tree.descends("attack", "attack")
        (True, False)
    """

    parents: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        above: dict[str, str] = {}
        for name, parent in self.parents:
            both = f"{name} <: {above.get(name)}, {name} <: "
            require(
                name not in above,
                f"{name!r} has two parents, expected one",
                f"{both}{parent}",
                parent,
                both,
            )
            above[name] = parent
        for name in above:
            self.ancestors(name)

    @cached_property
    def _parent(self) -> dict[str, str]:
        return dict(self.parents)

    def ancestors(self, name: str) -> tuple[str, ...]:
        """A type and everything above it, upwards."""
        found = [name]
        while (above := self._parent.get(found[-1])) is not None:
            before = "".join(f"{each} <: " for each in found)
            require(
                above not in found,
                f"{above!r} is above itself, expected a tree",
                f"{before}{above}",
                above,
                before,
            )
            found.append(above)
        return tuple(found)

    def descends(self, name: str, above: str) -> bool:
        """Whether a type is truly below another (``<:`` and not equal)."""
        return name != above and above in self.ancestors(name)

    def __repr__(self) -> str:
        return f"hierarchy({dict(self.parents)!r})"


def hierarchy(parents: Mapping[str, str] | Iterable[tuple[str, str]]) -> Hierarchy:
    """A tree of types, from each type to its parent.

    Args:
        parents: a mapping, or (type, parent) pairs.
    """
    pairs = parents.items() if isinstance(parents, Mapping) else parents
    return Hierarchy(tuple(pairs))


@dataclass(frozen=True, repr=False)
class Descendant(OfValues):
    """Full credit for the same type, some for one below it (eq. 33).

    Args:
        feature: the types.
        tree: which type is below which.
        below: credit where the prediction is a descendant of gold.
        above: credit where it is an ancestor of gold.

    Example:
        >>> from graphscore.similarity.features.elements import label
        >>> fills = Descendant(label, hierarchy({"bombing": "attack"}))
        >>> fills.of_values("bombing", "attack"), fills.of_values("attack", "bombing")
        (0.5, 0.0)
    """

    call: ClassVar[str] = "descendant"

    feature: Feature
    tree: Hierarchy
    below: float = 0.5
    above: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for found in (self.below, self.above):
            require(
                0 <= found <= 1,
                f"a credit of {found}, expected one from 0 to 1",
                str(self),
                str(self),
            )

    def spell(self, notation: Notation) -> str:
        """φ with the feature and the sign for *below*."""
        return notation.phi + notation.below(f"<:({self.feature.spell(notation)})")

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """1 if equal, else what descendants and ancestors earn."""
        if predicted == gold:
            return 1
        if predicted is None or gold is None:
            return 0
        one, two = str(plain(predicted)), str(plain(gold))
        if self.tree.descends(one, two):
            return self.below
        return self.above if self.tree.descends(two, one) else 0.0


@dataclass(frozen=True, repr=False)
class Supertypes(OfFeature):
    """A type and all types above it, as bare values (eq. 39).

    Args:
        feature: the types.
        tree: which type is below which; by default dotted types, each of whose
            beginnings is above it.
        separator: what separates the levels of a dotted type.
    """

    call: ClassVar[str] = "supertypes"
    short: ClassVar[str] = "supertypes"

    feature: Feature
    tree: Hierarchy | None = None
    separator: str = "."

    def __post_init__(self) -> None:
        super().__post_init__()
        require_separator(self.separator, str(self))

    def parts(self, whole: Any) -> Iterable[Element]:
        """The type and what is above it."""
        found = plain(whole)
        if found is None:
            return ()
        if self.tree is not None:
            return self.tree.ancestors(str(found))
        levels = str(found).split(self.separator)
        return [
            self.separator.join(levels[:depth]) for depth in range(1, len(levels) + 1)
        ]


# As parts of a formula they are named in small letters.
descendant = Descendant
levels = Levels
supertypes = Supertypes
