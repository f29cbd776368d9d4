"""Names that a formula around them gives a meaning: itself, and variables (eq. 34).

Inside of ``recursive`` :class:`SelfReference` stands for the formula itself, inside of
``latent`` :class:`Variable` for what corresponds under a map.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Cell,
    Number,
    Similarity,
    Sparse,
    join_size,
    joined,
)
from graphscore.similarity.expression import (
    FormulaError,
    Notation,
    Sort,
    delegated,
    require,
)
from graphscore.similarity.navigation.steps import Step, require_step
from graphscore.similarity.view import Element, Elements, Pair, Related, View

Ends = tuple[Element | None, Element | None]
"""A gold and a system element that are compared, or one alone."""


@dataclass(frozen=True, repr=False)
class SelfReference(Similarity):
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

    capped = delegated("proper")

    @property
    def sided(self) -> bool:
        """Never: see ``Recursive``."""
        return False

    def spell(self, notation: Notation) -> str:
        """The name."""
        return notation.name(self.name)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """Return the values computed for elements below."""
        found = self._bound(pair.gold).formula.table(pair).values
        if requested is None:
            cells: Iterable[Cell] = (
                (r, c) for r in range(len(gold)) for c in range(len(system))
            )
        else:
            cells = requested
        numbers = (
            (cell, found.get((gold[cell[0]], system[cell[1]]))) for cell in cells
        )
        return {cell: number for cell, number in numbers if number}

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Return the self-similarities by the formula."""
        return self._bound(view).formula.selves(view, elements)

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the identities by the formula."""
        return self._bound(view).formula.identities(view, elements)

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """Return the matches inside if computed already; otherwise note the request."""
        bound = self._bound(pair.gold)
        if (gold, system) == (None, None):
            return ()
        result = bound.aligned.get((gold, system))
        if result is None:
            bound.missing.append((gold, system))
            return ()
        return result

    def warm(self, view: View, elements: Elements) -> None:
        """Note what the formula is asked about."""
        self._bound(view).met.extend(elements)

    def _bound(self, view: View) -> Bound:
        result: Bound | None = view.kept.get(("again", self.name))
        if result is None:
            raise FormulaError(
                f"{self!r} outside of recursive({self.name!r}, ...)",
                str(self),
                str(self),
            )
        return result


@dataclass
class Bound:
    """Binding of a name while the formula of that name is evaluated."""

    formula: Named
    key: Hashable
    met: list[Element] = field(default_factory=list)
    """Things that the formula was asked about."""
    aligned: dict[Ends, tuple[Aligned, ...]] = field(default_factory=dict)
    missing: list[Ends] = field(default_factory=list)
    """Pairs that ``aligned`` lacks."""


@dataclass
class Table:
    """Table of computed values for two graphs."""

    values: dict[Ends, Number] = field(default_factory=dict)
    done: set[Ends] = field(default_factory=set)
    aligned: dict[Ends, tuple[Aligned, ...]] = field(default_factory=dict)


class Named(Similarity):
    """Base of formulas that have a name inside of themselves."""

    name: str

    @abstractmethod
    def table(self, pair: Pair) -> Table:
        """Return the table of computed values for two graphs."""


def require_name(name: object, call: str) -> None:
    """Fail unless a name can be written in a formula."""
    require(
        isinstance(name, str) and name.isidentifier(),
        f"found {name!r}, expected a name such as 'Tree'",
        f"{call}({name!r})",
        repr(name),
    )


again = SelfReference


@dataclass(frozen=True, repr=False)
class Variable(Similarity):
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

    def at(self, view: View, elements: Elements) -> list[int | None]:
        """The variable of each element."""
        if self.step is None:
            return list(elements)
        return self.step.follow(view, elements)

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
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
        left, right = self.at(pair.gold, gold), self.at(pair.system, system)
        if related is None:
            # What something earns with itself: every variable is itself.
            return joined(left, right, requested)
        if requested is None:
            return dict.fromkeys(_candidates(related, left, right), 1)
        return {
            (r, c): 1
            for r, c in requested
            if (left[r], right[c]) in related or (left[r] is None is right[c])
        }

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Return the number of variables that may correspond."""
        left, right = self.at(pair.gold, gold), self.at(pair.system, system)
        if pair.related is None:
            return join_size(left, right)
        counter = Counter(right)
        fewest = len(counter)
        result = 0
        for key, number in Counter(left).items():
            if key is None:
                result += number * counter[None]
            elif len(others := pair.related.partners(key)) > fewest:
                result += number * len(right)
            else:
                result += number * sum(counter[two] for two in others)
        return result

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """1 each."""
        return [1] * len(elements)

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """The variables themselves: two are never the same."""
        return [("variable", each) for each in self.at(view, elements)]


variable = Variable


def _candidates(
    related: Related, left: list[int | None], right: list[int | None]
) -> Iterator[Cell]:
    """Positions of what may correspond, and of what is absent on both sides."""
    places: dict[int | None, list[int]] = {}
    for c, their in enumerate(right):
        places.setdefault(their, []).append(c)
    for r, first in enumerate(left):
        if first is None:
            others: Iterable[int | None] = (None,)
        else:
            others = related.partners(first)
            if len(others) > len(places):
                others = [place for place in places if place in others]
        for second in others:
            for c in places.get(second, ()):
                yield r, c
