"""One graph as formulas see it, and the pair that is compared.

A :class:`View` remembers what formulas have worked out about its graph: columns
of features, members of collections, keys.  It is what ``prepare`` makes once per
graph; formulas that share parts share what was worked out.  A :class:`Pair` is a
gold and a system view with what was worked out about both, and the proof of the
searches that were needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec import Struct

from graphscore.correspondence import Budget
from graphscore.model.graph import Graph, Value
from graphscore.similarity.expression import FormulaError

T = TypeVar("T")

Element = Any
"""Element of a formula.

It is 0 for the graph, a node's or an edge's ordinal, a property as (node ordinal,
position), or a value itself.
"""

Elements = Sequence[Element]

GRAPH: Elements = (0,)
"""The one element of sort ``graph``."""

ROOT: Element = 0
"""The graph as a whole."""


def not_given(what: str, name: str) -> FormulaError:
    """The error of a formula about what no metric works out for it.

    Args:
        what: ``column`` or ``collection``.
        name: what the formula calls it.
    """
    return FormulaError(
        f"no metric gives this formula the {what} {name!r}, expected what graphs say "
        "themselves, such as label or nodes()"
    )


class Memory:
    """Base of what remembers what was worked out."""

    __slots__ = ()

    kept: dict[Hashable, Any]

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value cached under *key*, making it if absent."""
        try:
            return self.kept[key]  # type: ignore[no-any-return]
        except KeyError:
            result = self.kept[key] = make()
            return result


class View(Memory):
    """A graph and everything that formulas worked out about it.

    Args:
        graph: the graph.
    """

    __slots__ = ("graph", "kept")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.kept: dict[Hashable, Any] = {}

    def places(self) -> dict[Any, int]:
        """Position of every node, by node id."""
        return self.keep("places", self.graph.ordinals)

    def outgoing(self) -> dict[int, list[tuple[Value, int]]]:
        """Labels of edges and positions of their targets, by those of their sources."""
        return self.keep("outgoing", self._outgoing)

    def _outgoing(self) -> dict[int, list[tuple[Value, int]]]:
        ordinals = self.places()
        ends: dict[int, list[tuple[Value, int]]] = {}
        for edge in self.graph.edges:
            source, target = ordinals[edge.source], ordinals[edge.target]
            ends.setdefault(source, []).append((edge.label, target))
        return ends

    @property
    def numbers(self) -> Sequence[int] | None:
        """Number of each node in rows, if different from its position in the graph."""
        return None

    def given(self, name: str) -> Sequence[Hashable]:
        """The column of a name that a metric gives to its views.

        Raises:
            FormulaError: if there is none.
        """
        column: Sequence[Hashable] | None = self.kept.get(("given", name))
        if column is None:
            raise not_given("column", name)
        return column

    def written(self, name: str) -> Sequence[Value] | Mapping[Any, Value] | None:
        """The same column as the file has it, if that is known."""
        return None

    def listed(self, name: str) -> Iterable[Element]:
        """The members of a collection that a metric gives to its views.

        Raises:
            FormulaError: if there is none.
        """
        raise not_given("collection", name)


class Proof(Struct):
    """Proof status of all searches of one comparison."""

    proven: bool = True
    steps: int = 0
    gap: float = 0.0
    """Upper bound on the improvement of the outermost score, if not proven optimal."""


@dataclass
class Pair(Memory):
    """A gold and a system view that are compared.

    Args:
        gold: the gold view.
        system: the system view.
        budget: how much work a search may take.
        related: which gold variables may be which of the system's, while ``latent``
            looks for their map; ``None`` where nobody does.
        crossed: gold and system members of which more might match in another order;
            ``None`` where nobody asks for them.
    """

    gold: View
    system: View
    budget: Budget = field(default_factory=Budget)
    proof: Proof = field(default_factory=Proof)
    kept: dict[Hashable, Any] = field(default_factory=dict)
    related: Related | None = None
    crossed: list[tuple[Elements, Elements]] | None = None

    def under(self, related: Related | Iterable[tuple[Element, Element]]) -> Pair:
        """The same two graphs, with variables that may correspond.

        Args:
            related: gold and system variables.

        Returns:
            A pair that remembers, and proves, what is its own.
        """
        if not isinstance(related, Related):
            related = Related(related)
        return Pair(
            self.gold,
            self.system,
            self.budget,
            related=related,
            crossed=self.crossed,
        )


class Related:
    """Relation between gold and system elements that may be, or are, aligned.

    Args:
        pairs: all that may be.
    """

    def __init__(self, pairs: Iterable[tuple[Element, Element]]) -> None:
        self.pairs = frozenset(pairs)
        index: dict[Element, list[Element]] = {}
        for left, right in sorted(self.pairs):
            index.setdefault(left, []).append(right)
        self._index = index

    def __contains__(self, both: object) -> bool:
        return both in self.pairs

    def partners(self, gold: Element) -> Collection[Element]:
        """Those of the system's that a gold element may be, ascending."""
        return self._index.get(gold, ())


class Every(Related):
    """All of some gold elements with all of some of the system's, never written out.

    Args:
        gold: the gold elements.
        system: the system's.
    """

    def __init__(self, gold: Iterable[Element], system: Iterable[Element]) -> None:
        self._gold = frozenset(gold)
        self._system = dict.fromkeys(sorted(set(system)))

    def __contains__(self, both: object) -> bool:
        assert isinstance(both, tuple)
        return both[0] in self._gold and both[1] in self._system

    def partners(self, gold: Element) -> Collection[Element]:
        """All of the system's."""
        return self._system if gold in self._gold else ()


def unique(elements: Sequence[Element | None]) -> tuple[list[Element], list[int]]:
    """Distinct elements, and the position of each given one among them.

    Args:
        elements: hashable elements; ``None`` is no element.

    Returns:
        The distinct elements in order of appearance; for every given one its
        position among them, -1 for ``None``.

    Example:
        >>> unique([7, 8, None, 7])
        ([7, 8], [0, 1, -1, 0])
    """
    indices: dict[Element, int] = {}
    result: list[int] = []
    for element in elements:
        if element is None:
            result.append(-1)
        else:
            result.append(indices.setdefault(element, len(indices)))
    return list(indices), result
