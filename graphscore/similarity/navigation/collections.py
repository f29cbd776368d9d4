"""Ways through a graph: from an element to another one, or to many.

A *step* leads from an edge to its target, from a property to its node, from a node
along an edge; a *collection* leads to all entities of a graph, all outgoing edges
of a node, all words of a label.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> graph = Graph("1", "coref", nodes=(
...     Node(0, None, (("kind", "mention"),)), Node(1, None, (("kind", "entity"),))),
...     edges=(Edge(1, 0, "mention"),))
>>> view = View(graph)
>>> Nodes("entity").members(view, [0]), Targets("mention").members(view, [1])
([(1,)], [(0,)])
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from graphscore.model.graph import Edge, Value
from graphscore.similarity.expression import (
    Expression,
    Notation,
    Sort,
    delegate,
    plural,
)
from graphscore.similarity.features.elements import NULL, comparable
from graphscore.similarity.features.elements import kind as kind_feature
from graphscore.similarity.view import Element, Elements, View


class Collection(Expression, frozen=True):
    """Base of what leads from an element to any number of others."""

    @property
    @abstractmethod
    def of(self) -> Sort:
        """Sort of the elements where it starts."""

    @property
    @abstractmethod
    def yields(self) -> Sort:
        """Sort of its members."""

    @property
    @abstractmethod
    def short(self) -> str:
        """Short name in formulas."""

    @abstractmethod
    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The members of each owner.

        Args:
            view: the graph.
            owners: elements of sort ``of``.

        Returns:
            The members of each, in the order of the graph.
        """

    def spell(self, notation: Notation) -> str:
        """Its name."""
        return notation.name(self.short)


class Whole(Collection, frozen=True):
    """Base of collections of the whole graph."""

    of: ClassVar[Sort] = "graph"

    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The members of the graph."""
        result = view.keep(self.token, lambda: tuple(self.every(view)))
        return [result] * len(owners)

    @abstractmethod
    def every(self, view: View) -> Iterable[Element]:
        """All members, in the order of the graph."""


class Around(Collection, frozen=True):
    """Base of collections around a node."""

    of: ClassVar[Sort] = "node"

    def members(self, view: View, owners: Elements) -> list[tuple[Element, ...]]:
        """The members of each node."""
        table = view.keep(self.token, lambda: self._table(view))
        return [table.get(owner, ()) for owner in owners]

    def _table(self, view: View) -> dict[int, tuple[Element, ...]]:
        elements: dict[int, list[Element]] = {}
        for node, member in self.each(view):
            elements.setdefault(node, []).append(member)
        return {node: tuple(members) for node, members in elements.items()}

    @abstractmethod
    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """All (node ordinal, member), in the order of the graph."""


def _filter(view: View, kind: str | None, label: Value) -> Callable[[int], bool]:
    """Return a test whether a node has a kind and a label, as far as specified."""
    everything = range(len(view.graph.nodes))
    kinds = None if kind is None else kind_feature.of_all(view, everything)
    nodes, same = view.graph.nodes, comparable(label)

    def fits(node: int) -> bool:
        return (kinds is None or kinds[node] == kind) and (
            label is None or comparable(nodes[node].label) == same
        )

    return fits


class Nodes(Whole, frozen=True):
    """The nodes of the graph.

    Args:
        kind: only those of this kind (their property ``kind``).
        label: only those with this label.
    """

    call: ClassVar[str] = "nodes"
    yields: ClassVar[Sort] = "node"

    kind: str | None = None
    label: Value = None

    @property
    def short(self) -> str:
        """The kind or the label, in the plural."""
        return _plural_name(self.kind, self.label, "nodes")

    def every(self, view: View) -> Iterable[Element]:
        """Their ordinals."""
        return filter(
            _filter(view, self.kind, self.label), range(len(view.graph.nodes))
        )


class Edges(Whole, frozen=True):
    """The edges of the graph.

    Args:
        label: only those with this label.
    """

    call: ClassVar[str] = "edges"
    yields: ClassVar[Sort] = "edge"

    label: Value = None

    @property
    def short(self) -> str:
        """The label in the plural, or ``edges``."""
        return _plural_name(None, self.label, "edges")

    def every(self, view: View) -> Iterable[Element]:
        """Their ordinals."""
        return (index for index, _ in _labeled_edges(view, self.label))


class Tops(Whole, frozen=True):
    """The tops of the graph, each once, in node order."""

    call: ClassVar[str] = "tops"
    yields: ClassVar[Sort] = "node"
    short: ClassVar[str] = "tops"

    def every(self, view: View) -> Iterable[Element]:
        """Their ordinals."""
        ordinals = view.places()
        return sorted({ordinals[top] for top in view.graph.tops})


class AllProperties(Whole, frozen=True):
    """The properties of all nodes of the graph."""

    call: ClassVar[str] = "all_properties"
    yields: ClassVar[Sort] = "property"
    short: ClassVar[str] = "properties"

    def every(self, view: View) -> Iterable[Element]:
        """(node ordinal, position) of each."""
        for index, node in enumerate(view.graph.nodes):
            for number in range(len(node.properties)):
                yield index, number


class Listed(Whole, frozen=True):
    """Members that the metric works out and gives to its views.

    Args:
        name: what they are called, in the plural.
        sort: what they are.
    """

    call: ClassVar[str] = "listed"

    name: str
    sort: Sort

    yields = delegate("sort")
    short = delegate("name")

    def every(self, view: View) -> Iterable[Element]:
        """Return the members supplied to the view.

        Raises:
            FormulaError: if it was given no such members.
        """
        return view.listed(self.name)


class EdgesAround(Around, frozen=True):
    """Base of the edges at one end of which a node is."""

    yields: ClassVar[Sort] = "edge"
    end: ClassVar[str]

    label: Value = None

    @property
    def short(self) -> str:
        """The label in the plural, or the name of the function."""
        return _plural_name(None, self.label, self.call)

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """Nodes at one of their ends, and ordinals."""
        for index, edge in _labeled_edges(view, self.label):
            yield view.places()[getattr(edge, self.end)], index


class EdgesOut(EdgesAround, frozen=True):
    """The edges that leave a node.

    Args:
        label: only those with this label.
    """

    call: ClassVar[str] = "edges_out"
    end: ClassVar[str] = "source"


class EdgesIn(EdgesAround, frozen=True):
    """The edges that reach a node.

    Args:
        label: only those with this label.
    """

    call: ClassVar[str] = "edges_in"
    end: ClassVar[str] = "target"


class Neighbors(Around, frozen=True):
    """Base of the nodes at the other end of a node's edges."""

    yields: ClassVar[Sort] = "node"
    ends: ClassVar[tuple[str, str]]

    kind: str | None = None
    edge: Value = None
    label: Value = None

    @property
    def short(self) -> str:
        """The kind or label in the plural."""
        return _plural_name(self.kind or self.edge, self.label, self.call)

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """The node that an edge starts from, and the one that it is followed to."""
        ordinals, fits = view.places(), _filter(view, self.kind, self.label)
        start, end = self.ends
        for _, edge in _labeled_edges(view, self.edge):
            if fits(member := ordinals[getattr(edge, end)]):
                yield ordinals[getattr(edge, start)], member


class Targets(Neighbors, frozen=True):
    """The nodes that a node's edges lead to.

    Args:
        kind: only nodes of this kind.
        edge: only along edges with this label.
        label: only nodes with this label.
    """

    call: ClassVar[str] = "targets"
    ends: ClassVar[tuple[str, str]] = ("source", "target")


class Sources(Neighbors, frozen=True):
    """The nodes whose edges lead to a node.

    Args:
        kind: only nodes of this kind.
        edge: only along edges with this label.
        label: only nodes with this label.
    """

    call: ClassVar[str] = "sources"
    ends: ClassVar[tuple[str, str]] = ("target", "source")


class Properties(Around, frozen=True):
    """The properties of a node.

    Args:
        name: only those of this name.
    """

    call: ClassVar[str] = "properties"
    yields: ClassVar[Sort] = "property"

    name: str | None = None

    @property
    def short(self) -> str:
        """Their name in the plural."""
        return plural(self.name or "property")

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """Node and (node, position) of each."""
        for index, node in enumerate(view.graph.nodes):
            for number, (name, _) in enumerate(node.properties):
                if self.name is None or name == self.name:
                    yield index, (index, number)


class Values(Around, frozen=True):
    """The values of a node's property, which may be there many times.

    Args:
        name: name of the property.
    """

    call: ClassVar[str] = "values"
    yields: ClassVar[Sort] = "value"

    name: str

    @property
    def short(self) -> str:
        """The name in the plural."""
        return plural(self.name)

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """Node and value of each."""
        for index, node in enumerate(view.graph.nodes):
            for name, value in node.properties:
                if name == self.name:
                    yield index, NULL if value is None else comparable(value)


class Items(Around, frozen=True):
    """Items that an object has in a field with a node of its own, in order.

    Args:
        name: name of the field.
    """

    call: ClassVar[str] = "items"
    yields: ClassVar[Sort] = "node"

    name: str

    short = delegate("name")

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """Sources and targets of the edges with that label."""
        ordinals = view.places()
        for edge in view.graph.edges:
            if edge.label == self.name:
                yield ordinals[edge.source], ordinals[edge.target]


class Literals(Values, frozen=True):
    """The literals that an object holds in a field, in order.

    Args:
        name: name of the field.
    """

    call: ClassVar[str] = "literals"

    short = delegate("name")


def _plural_name(kind: Value, label: Value, otherwise: str) -> str:
    result = label if label is not None else kind
    return plural(str(result)) if result is not None else otherwise


def _labeled_edges(view: View, label: Value) -> Iterator[tuple[int, Edge]]:
    same = comparable(label)
    for index, edge in enumerate(view.graph.edges):
        if label is None or comparable(edge.label) == same:
            yield index, edge


# As parts of a formula they are named in small letters.
all_properties = AllProperties
edges = Edges
edges_in = EdgesIn
edges_out = EdgesOut
items = Items
listed = Listed
literals = Literals
nodes = Nodes
properties = Properties
sources = Sources
targets = Targets
tops = Tops
values = Values
