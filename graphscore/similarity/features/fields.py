"""Ways through the graph of an object: its fields, and what they hold.

What :func:`graphscore.structures.objects.dataclasses.to_graph` lays out is a graph like
any other.  Here are the parts of formulas that speak of it as of an object: all that a
field holds as one value, and the type of that.

>>> from graphscore.structures.objects.dataclasses import to_graph
>>> from graphscore.structures.extraction import Mention, Relation
>>> view = View(to_graph(Relation("in", Mention(0, 4), Mention(9, 12))))
>>> field("subj").of_all(view, [0]) == field("obj").of_all(view, [0])
False
>>> field_type("subj").of_all(view, [0]), field_type("type").of_all(view, [0])
(['Mention'], ['str'])
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from graphscore.errors import InvalidGraphError
from graphscore.model.graph import Value
from graphscore.similarity.expression import Notation, Sort
from graphscore.similarity.features.elements import Column, comparable
from graphscore.similarity.view import Element, View
from graphscore.structures.objects.shapes import SCALARS

Content = tuple[Hashable, ...]

VARIABLE = ("variable",)
"""All that can be seen of a variable: not its name."""


@dataclass(frozen=True, repr=False)
class FieldContent(Column):
    """All that an object holds in a field, whatever it is; variables are alike.

    Sets are in an order of their own, so equal objects hold the same.

    Args:
        name: name of the field.
        variables: labels of nodes that are variables.
    """

    call: ClassVar[str] = "field"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False

    name: str
    variables: frozenset[str] = frozenset()

    @property
    def short(self) -> str:
        """Its name."""
        return self.name

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple for each node."""
        inner = contents(view, self.variables)
        held: list[list[Hashable]] = [
            [comparable(value) for name, value in node.properties if name == self.name]
            for node in view.graph.nodes
        ]
        places = view.places()
        for edge in view.graph.edges:
            if edge.label == self.name:
                held[places[edge.source]].append(inner[places[edge.target]])
        return [tuple(each) for each in held]

    def raw(self, view: View, element: Element) -> Value:
        """The literal in the field, if it holds one."""
        found = [
            value
            for name, value in view.graph.nodes[element].properties
            if name == self.name
        ]
        return found[0] if len(found) == 1 else super().raw(view, element)


def field(name: str, variables: Iterable[str] = ()) -> FieldContent:
    """All that an object holds in a field.

    Args:
        name: name of the field.
        variables: labels of nodes that are variables.
    """
    return FieldContent(name, frozenset(variables))


@dataclass(frozen=True, repr=False)
class ObjectContent(Column):
    """All that is in an object; variables are alike.

    Args:
        variables: labels of nodes that are variables.
    """

    call: ClassVar[str] = "whole"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False
    short: ClassVar[str] = "whole"

    variables: frozenset[str] = frozenset()

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple for each node."""
        return contents(view, self.variables)

    def spell(self, notation: Notation) -> str:
        """Its name."""
        return notation.name(self.short)


def whole(variables: Iterable[str] = ()) -> ObjectContent:
    """All that is in an object.

    Args:
        variables: labels of nodes that are variables.
    """
    return ObjectContent(frozenset(variables))


def contents(view: View, variables: frozenset[str]) -> list[Content]:
    """All that is in each node: label, properties, and what its edges lead to."""
    return view.keep(("contents", variables), lambda: _contents(view, variables))


def _contents(view: View, variables: frozenset[str]) -> list[Content]:
    graph, places = view.graph, view.places()
    out: list[list[tuple[Value, int]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        out[places[edge.source]].append((edge.label, places[edge.target]))
    found: list[Content | None] = [None] * len(graph.nodes)
    state = [0] * len(graph.nodes)
    for start in range(len(graph.nodes)):
        waiting = [start]
        while waiting:
            place = waiting[-1]
            if state[place] == 2:
                waiting.pop()
                continue
            node = graph.nodes[place]
            if node.label in variables:
                state[place], found[place] = 2, (*VARIABLE, node.label)
                continue
            missing = [end for _, end in out[place] if state[end] != 2]
            if missing and state[place] == 1:
                raise InvalidGraphError(
                    f"a cycle through node {node.id!r}", "an object without cycles"
                )
            state[place] = 1
            waiting += missing
            if not missing:
                state[place] = 2
                found[place] = (
                    node.label,
                    tuple((name, comparable(value)) for name, value in node.properties),
                    tuple((name, found[end]) for name, end in out[place]),
                )
    return [each for each in found if each is not None]


@dataclass(frozen=True, repr=False)
class FieldType(Column):
    """The type of what an object holds in a field: a class, ``str``, ``None``...

    Args:
        name: name of the field.
    """

    call: ClassVar[str] = "field_type"
    of: ClassVar[Sort] = "node"

    name: str

    @property
    def short(self) -> str:
        """The type's name."""
        return f"type({self.name})"

    def column(self, view: View) -> Sequence[Hashable]:
        """A name for each node; that of the first thing in the field."""
        found: list[Hashable] = [
            next((SCALARS[type(v)] for n, v in node.properties if n == self.name), None)
            for node in view.graph.nodes
        ]
        places = view.places()
        for edge in view.graph.edges:
            source = places[edge.source]
            if edge.label == self.name and found[source] is None:
                found[source] = view.graph.nodes[places[edge.target]].label
        return found


field_type = FieldType
