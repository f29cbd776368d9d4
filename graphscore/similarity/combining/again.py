"""What stands inside of a formula for the formula itself, while it is worked out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Cell,
    Number,
    Similarity,
    Sparse,
)
from graphscore.similarity.expression import FormulaError, Notation, Sort, require
from graphscore.similarity.view import Element, Elements, Pair, View

Ends = tuple[Element | None, Element | None]
"""A gold and a system element that are compared, or one alone."""


@dataclass(frozen=True, repr=False)
class Again(Similarity):
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

    @property
    def loose(self) -> frozenset[str]:
        """The name."""
        return frozenset((self.name,))

    @property
    def capped(self) -> bool:
        """As far as it is proper."""
        return self.proper

    @property
    def sided(self) -> bool:
        """Never: see ``Recursive``."""
        return False

    def spell(self, notation: Notation) -> str:
        """The name."""
        return notation.name(self.name)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """What has been found out of things that are lower."""
        found = self._bound(pair.gold).formula.table(pair).values
        if wanted is None:
            cells: Iterable[Cell] = (
                (r, c) for r in range(len(gold)) for c in range(len(system))
            )
        else:
            cells = wanted
        numbers = (
            (cell, found.get((gold[cell[0]], system[cell[1]]))) for cell in cells
        )
        return {cell: number for cell, number in numbers if number}

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """What the formula says."""
        return self._bound(view).formula.selves(view, elements)

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """What the formula sees."""
        return self._bound(view).formula.identities(view, elements)

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """What is matched inside, if that has been found out; else it is noted."""
        bound = self._bound(pair.gold)
        if (gold, system) == (None, None):
            return ()
        found = bound.aligned.get((gold, system))
        if found is None:
            bound.missing.append((gold, system))
            return ()
        return found

    def warm(self, view: View, elements: Elements) -> None:
        """Note what the formula is asked about."""
        self._bound(view).met.extend(elements)

    def _bound(self, view: View) -> Bound:
        found: Bound | None = view.kept.get(("again", self.name))
        if found is None:
            raise FormulaError(
                f"{self!r} outside of recursive({self.name!r}, ...)",
                str(self),
                str(self),
            )
        return found


@dataclass
class Bound:
    """What a name stands for while the formula of that name is worked out."""

    formula: Named
    key: Hashable
    met: list[Element] = field(default_factory=list)
    """Things that the formula was asked about."""
    aligned: dict[Ends, tuple[Aligned, ...]] = field(default_factory=dict)
    missing: list[Ends] = field(default_factory=list)
    """What ``aligned`` lacks."""


@dataclass
class Table:
    """What has been found out of two graphs."""

    values: dict[Ends, Number] = field(default_factory=dict)
    done: set[Ends] = field(default_factory=set)
    aligned: dict[Ends, tuple[Aligned, ...]] = field(default_factory=dict)


class Named(Similarity):
    """Base of formulas that have a name inside of themselves."""

    name: str

    @abstractmethod
    def table(self, pair: Pair) -> Table:
        """What has been found out of two graphs."""


def require_name(name: object, call: str) -> None:
    """Fail unless a name can be written in a formula."""
    require(
        isinstance(name, str) and name.isidentifier(),
        f"found {name!r}, expected a name such as 'Tree'",
        f"{call}({name!r})",
        repr(name),
    )


def again(name: str, normalized: bool = True, proper: bool = True) -> Again:
    """The formula that this stands in; only inside of ``recursive``.

    Args:
        name: the name of that formula.
        normalized: whether that formula is a similarity, and no amount.
        proper: whether nothing is more like another thing than like itself.
    """
    return Again(name, normalized, proper)
