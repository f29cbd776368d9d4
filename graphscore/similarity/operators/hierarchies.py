"""Types that stand above and below one another: levels, descendants, supertypes.

Three ways to be nearly right.  A type of D levels is so by the levels that are right
(eq. 38); a type of a hierarchy, by being below gold's (eq. 33), or by what is above
both (eq. 39).  In a hierarchy a type may be right below several others: the last two
ask only what is above what, whatever the way there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from graphscore.similarity.base import Number
from graphscore.similarity.expression import FormulaError, Notation, require
from graphscore.similarity.features.elements import Feature, plain_value
from graphscore.similarity.features.fillers import distinct_members, row_members
from graphscore.similarity.navigation.selections import OfFeature
from graphscore.similarity.operators.leaves import OfValues
from graphscore.similarity.view import Element


class Levels(OfValues, frozen=True):
    """Half as much for every level of a type that is missing or wrong (eq. 38).

    With *d* levels right from the first on, of *D* levels in all, 2 to the power of
    *d* - *D*; 0 if not even the first one is right.  Equal types are 1 whatever their
    depth, as a similarity must be (Definition 1).

    Args:
        feature: types as strings whose levels are separated, or a
            :func:`~graphscore.similarity.row` of their levels: the tuples of the
            equation.  Levels at the end of a row that are ``None`` are missing.
        separator: what separates levels; in a row nothing is separated.
        depth: how many levels there are in all; by default as many as the longer
            of both types has.

    Raises:
        FormulaError: when it is used, for a type of more levels than *depth*.

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

    @property
    def worth(self) -> str:
        """The levels."""
        return (
            f"half for every level that both have not in common by "
            f"{self.feature.phrase}, 0 if the first differs"
        )

    def block(self, value: Any) -> Hashable:
        """The first level."""
        levels, _ = self._levels(value)
        return levels[0] if levels else None

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """2 to the power of levels right minus levels in all."""
        (first, all_of_one), (second, all_of_two) = map(self._levels, (predicted, gold))
        if first == second:
            return 1.0
        longer = max(all_of_one, all_of_two)
        depth = self.depth or longer
        if depth < longer:
            raise FormulaError(
                f"found {longer} levels in {_show(predicted)} or {_show(gold)}, "
                f"expected at most {depth}",
                str(self),
                str(self),
            )
        right = 0
        for level, gold_level in zip(first, second, strict=False):
            if level != gold_level:
                break
            right += 1
        return float(2.0 ** (right - depth)) if right else 0.0

    def _levels(self, value: Any) -> tuple[tuple[Hashable, ...], int]:
        """The levels that a type has, and how many there is room for."""
        row = row_members(value)
        if row is None:
            written = plain_value(value)
            row = () if written is None else tuple(str(written).split(self.separator))
        filled = len(row)
        while filled and row[filled - 1] is None:
            filled -= 1
        return row[:filled], len(row)


def _show(value: Any) -> str:
    """A type as messages show it."""
    row = row_members(value)
    return repr(value if row is None else tuple(map(plain_value, row)))


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


SHOWN = 20
"""Number of types of a cycle that are named, from both of its ends."""

Parents = Mapping[str, str | Iterable[str]] | Iterable[tuple[str, str]]
"""By type the one right above it, or several; or (type, one right above it) pairs."""


@dataclass(frozen=True)
class Hierarchy:
    """Types and what is above them: a tree, or types with several parents.

    Whether one type is above another is all that similarities ask, so it makes no
    difference how many ways lead up to it, nor how long they are.

    Args:
        parents: (type, one right above it), for every type that has any.  What is
            said twice counts once; the parents of a type stand together, where the
            first of them does.

    Raises:
        FormulaError: if a type is above itself; the message names the way around.

    Example:
        >>> types = hierarchy({"arson": "attack", "raid": ("attack", "search")})
        >>> types.ancestors("raid"), types.ancestors("attack")
        (('raid', 'attack', 'search'), ('attack',))
        >>> types.descends("raid", "search"), types.descends("raid", "raid")
        (True, False)
    """

    parents: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        pairs = tuple(
            (name, parent) for name, above in self._parents.items() for parent in above
        )
        # Equal hierarchies, and so equal formulas, are written alike.
        object.__setattr__(self, "parents", pairs)
        if around := self._around():
            if len(around) > SHOWN:
                around[SHOWN // 2 : -SHOWN // 2] = ["…"]
            before = "".join(f"{name} <: " for name in around[:-1])
            raise FormulaError(
                f"{around[0]!r} is above itself, expected types none of which is",
                f"{before}{around[-1]}",
                around[-1],
                before,
            )

    @cached_property
    def _parents(self) -> dict[str, dict[str, None]]:
        parents: dict[str, dict[str, None]] = {}
        for name, parent in self.parents:
            parents.setdefault(name, {})[parent] = None
        return parents

    @cached_property
    def _ancestors(self) -> dict[str, dict[str, None]]:
        """Cache of the ancestors of types."""
        return {}

    def _around(self) -> list[str]:
        """A way from a type up to itself; empty where there is none."""
        done: set[str] = set()
        for start in self._parents:
            if start in done:
                continue
            # Depth is that of what users wrote, so it must not be that of calls.
            way, waiting = {start: None}, [iter(self._parents[start])]
            while waiting:
                above = next(waiting[-1], None)
                if above is None:
                    waiting.pop()
                    done.add(way.popitem()[0])
                elif above in way:
                    names = list(way)
                    return [*names[names.index(above) :], above]
                elif above not in done:
                    way[above] = None
                    waiting.append(iter(self._parents.get(above, ())))
        return []

    def _upwards(self, name: str) -> dict[str, None]:
        """A type and everything above it, each before all that is above it."""
        ancestor = self._ancestors.get(name)
        if ancestor is not None:
            return ancestor
        # Those above are done before those below: read backwards it is the order.
        done: dict[str, None] = {}
        way = [(name, reversed(self._parents.get(name, {})))]
        seen = {name}
        while way:
            below, waiting = way[-1]
            above = next(waiting, None)
            if above is None:
                way.pop()
                done[below] = None
            elif above not in seen:
                seen.add(above)
                way.append((above, reversed(self._parents.get(above, {}))))
        fromkeys = self._ancestors[name] = dict.fromkeys(reversed(done))
        return fromkeys

    def ancestors(self, name: str) -> tuple[str, ...]:
        """A type and everything above it, each once and before all above it.

        Args:
            name: a type; one that nothing was said of has nothing above it.
        """
        return tuple(self._upwards(name))

    def descends(self, name: str, above: str) -> bool:
        """Return true if a type is strictly below another (``<:`` and not equal)."""
        return name != above and above in self._upwards(name)

    def __repr__(self) -> str:
        shown = {
            name: next(iter(above)) if len(above) == 1 else tuple(above)
            for name, above in self._parents.items()
        }
        return f"hierarchy({shown!r})"


def pairs_of(parents: Parents) -> tuple[tuple[str, str], ...]:
    """(type, one right above it) pairs, however they were written.

    Args:
        parents: a mapping from each type to its parent or parents, or the pairs.

    Raises:
        FormulaError: for what is neither.

    Example:
        >>> pairs_of({"arson": "attack", "raid": ["attack", "search"]})
        (('arson', 'attack'), ('raid', 'attack'), ('raid', 'search'))
    """
    pairs = tuple(_pairs(parents))
    for pair in pairs:
        require(
            isinstance(pair, tuple | list)
            and len(pair) == 2
            and all(isinstance(name, str) for name in pair),
            f"found {pair!r}, expected a type and one right above it, as texts",
            "hierarchy",
            "hierarchy",
        )
    return tuple((name, parent) for name, parent in pairs)


def _pairs(parents: Parents) -> Iterator[Any]:
    if not isinstance(parents, Mapping):
        yield from parents
        return
    for name, above in parents.items():
        if isinstance(above, set | frozenset):
            # Sets have no order: written down, they need one.
            above = sorted(above, key=str)
        several = isinstance(above, Iterable) and not isinstance(above, str)
        for parent in above if several else (above,):
            yield name, parent


def hierarchy(
    parents: Mapping[str, str | Iterable[str]] | Iterable[tuple[str, str]],
) -> Hierarchy:
    """Types and what is above them.

    Args:
        parents: a mapping from each type to its parent, or to several; or (type,
            parent) pairs.

    Raises:
        FormulaError: if a type is above itself.
    """
    return Hierarchy(pairs_of(parents))


class Descendant(OfValues, frozen=True):
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
        for credit in (self.below, self.above):
            require(
                0 <= credit <= 1,
                f"a credit of {credit}, expected one from 0 to 1",
                str(self),
                str(self),
            )

    def spell(self, notation: Notation) -> str:
        """φ with the feature and the sign for *below*."""
        return notation.phi + notation.below(f"<:({self.feature.spell(notation)})")

    @property
    def worth(self) -> str:
        """The credits."""
        return (
            f"1 if both have the same {self.feature.phrase}, {self.below:g} if the "
            f"system's is below gold's, {self.above:g} if it is above, else 0"
        )

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """1 if equal, else what descendants and ancestors earn."""
        if predicted == gold:
            return 1
        if predicted is None or gold is None:
            return 0
        left, right = str(plain_value(predicted)), str(plain_value(gold))
        if self.tree.descends(left, right):
            return self.below
        return self.above if self.tree.descends(right, left) else 0.0


class Supertypes(OfFeature, frozen=True):
    """Types and all types above them, each once, as bare values (S(P), eq. 39).

    F1 of these is the similarity of the equation.  A type is among its supertypes:
    otherwise all types right below one other would be alike, and so would be all that
    have nothing above them.

    Args:
        feature: a type, or all types that something has as a
            :func:`~graphscore.similarity.bag` or row.
        tree: which type is below which; by default dotted types, each of whose
            beginnings is above it.
        separator: what separates the levels of a dotted type.

    Example:
        >>> from graphscore.similarity import bag, itself, values
        >>> tree = hierarchy({"poet": "writer", "writer": "artist", "dancer": "artist"})
        >>> found = Supertypes(bag(values("type"), itself), tree)
        >>> sorted(found.parts(frozenset({("poet",), ("dancer",)})))
        ['artist', 'dancer', 'poet', 'writer']
    """

    call: ClassVar[str] = "supertypes"
    short: ClassVar[str] = "supertypes"

    tree: Hierarchy | None = None
    separator: str = "."

    def __post_init__(self) -> None:
        super().__post_init__()
        require_separator(self.separator, str(self))

    def parts(self, whole: Any) -> Iterable[Element]:
        """The types and what is above them."""
        several = distinct_members(whole)
        types = map(plain_value, (whole,) if several is None else several)
        result: dict[str, None] = {}
        for name in types:
            if name is not None:
                result |= dict.fromkeys(self._above(str(name)))
        return result

    def _above(self, name: str) -> Iterable[str]:
        """One type and what is above it."""
        if self.tree is not None:
            return self.tree.ancestors(name)
        levels = name.split(self.separator)
        return [
            self.separator.join(levels[:depth]) for depth in range(1, len(levels) + 1)
        ]


# As parts of a formula they are named in small letters.
descendant = Descendant
levels = Levels
supertypes = Supertypes
