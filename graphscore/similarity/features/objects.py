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

Objects read back from their graphs: for functions of one's own.

>>> from graphscore.structures.objects.dataclasses import to_graph
>>> from graphscore.structures.extraction import Mention, Relation
>>> view = View(to_graph(Relation("in", Mention(0, 4), Mention(9, 12))))
>>> objects("obj", Mention).of_all(view, [0])
[Mention(left=9, right=12)]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Value
from graphscore.similarity.expression import Notation, Sort, delegate
from graphscore.similarity.features.elements import (
    Column,
    Feature,
    OfOther,
    comparable,
    plain_value,
)
from graphscore.similarity.view import Element, Elements, View
from graphscore.structures.objects.annotations import shape_of
from graphscore.structures.objects.field_types import SCALARS, Shape
from graphscore.structures.objects.from_graph import Reader, literal_of

Content = tuple[Hashable, ...]

VARIABLE = ("variable",)
"""All that can be seen of a variable: not its name."""


class FieldContent(Column, frozen=True):
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

    short = delegate("name")

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple for each node."""
        inner = contents(view, self.variables)
        held: list[list[Hashable]] = [
            [comparable(value) for name, value in node.properties if name == self.name]
            for node in view.graph.nodes
        ]
        for node, ends in view.outgoing().items():
            held[node] += [inner[end] for name, end in ends if name == self.name]
        return [tuple(values) for values in held]

    def raw(self, view: View, element: Element) -> Value:
        """The literal in the field, if it holds one; else all it holds as text."""
        values = [
            value
            for name, value in view.graph.nodes[element].properties
            if name == self.name
        ]
        if len(values) == 1:
            return values[0]
        objects = [
            spell_object(view, end)
            for name, end in view.outgoing().get(element, ())
            if name == self.name
        ]
        return ", ".join([*map(str, values), *objects])


def field(name: str, variables: Iterable[str] = ()) -> FieldContent:
    """All that an object holds in a field.

    Args:
        name: name of the field.
        variables: labels of nodes that are variables.
    """
    return FieldContent(name, frozenset(variables))


class ObjectContent(Column, frozen=True):
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
    graph, out = view.graph, view.outgoing()
    result: list[Content | None] = [None] * len(graph.nodes)
    state = [0] * len(graph.nodes)
    for start in range(len(graph.nodes)):
        waiting = [start]
        while waiting:
            ordinal = waiting[-1]
            if state[ordinal] == 2:
                waiting.pop()
                continue
            node = graph.nodes[ordinal]
            if node.label in variables:
                state[ordinal], result[ordinal] = 2, (*VARIABLE, node.label)
                continue
            missing = [end for _, end in out.get(ordinal, ()) if state[end] != 2]
            if missing and state[ordinal] == 1:
                raise InvalidGraphError(
                    f"a cycle through node {node.id!r}", "an object without cycles"
                )
            state[ordinal] = 1
            waiting += missing
            if not missing:
                state[ordinal] = 2
                result[ordinal] = (
                    node.label,
                    tuple((name, comparable(value)) for name, value in node.properties),
                    tuple((name, result[end]) for name, end in out.get(ordinal, ())),
                )
    return [content for content in result if content is not None]


DEEPEST, LONGEST = 3, 160
"""Limits of depth and length for objects in messages."""


def spell_object(view: View, ordinal: int) -> str:
    """An object as one would write it, cut where that gets long.

    Args:
        view: the graph of an object.
        ordinal: the node that it is.

    Example:
        >>> from graphscore.structures.objects.dataclasses import to_graph
        >>> from graphscore.structures.extraction import Mention
        >>> spell_object(View(to_graph(Mention(0, 4))), 0)
        'Mention(left=0, right=4)'
    """
    out = view.outgoing()
    shown = _spell_object(view, out, ordinal, DEEPEST)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"


def _spell_object(
    view: View, out: dict[int, list[tuple[Value, int]]], ordinal: int, depth: int
) -> str:
    node = view.graph.nodes[ordinal]
    held: dict[Value, list[str]] = {}
    for key, value in node.properties:
        held.setdefault(key, []).append(repr(value))
    for name, end in out.get(ordinal, ()):
        inner = held.setdefault(name, [])
        if sum(map(len, inner)) > LONGEST:
            continue
        inner.append(_spell_object(view, out, end, depth - 1) if depth else "…")
    fields = []
    for name, values in held.items():
        shown = values[0] if len(values) == 1 else f"[{', '.join(values)}]"
        fields.append(f"{name}={shown}")
    return f"{node.label}({', '.join(fields)})"


class FieldType(Column, frozen=True):
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
        result: list[Hashable] = [
            next((SCALARS[type(v)] for n, v in node.properties if n == self.name), None)
            for node in view.graph.nodes
        ]
        for node, ends in view.outgoing().items():
            target = next((end for name, end in ends if name == self.name), None)
            if result[node] is None and target is not None:
                result[node] = view.graph.nodes[target].label
        return result


field_type = FieldType


class Objects(Feature, frozen=True):
    """Objects read back, for functions of one's own.

    Args:
        name: the field that holds them; ``None`` for the object itself.
        shape: what they are.
    """

    call: ClassVar[str] = "objects"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False

    name: str | None
    shape: Shape

    def arguments(self) -> Iterator[str]:
        """The field, and what it holds as an annotation says it."""
        yield repr(self.name)
        yield str(self.shape)

    @property
    def short(self) -> str:
        """The field's name, or that of the class."""
        return self.name or self.shape.label

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the object of each element, or its field."""
        reader = view.keep(("reader", "objects"), lambda: Reader(view.graph))
        read: dict[Element, Hashable] = view.keep(self.token, dict)
        for element in elements:
            if element not in read:
                if self.name is None:
                    read[element] = reader.node(element, self.shape, "object")
                else:
                    read[element] = reader.field(element, self.name, self.shape)
        return [read[element] for element in elements]


def objects(name: str | None, cls: Any) -> Objects:
    """Objects read back, for functions of one's own.

    Args:
        name: the field that holds them; ``None`` for the object itself.
        cls: what they are.
    """
    return Objects(name, shape_of(cls, name or str(cls), {}))


class Members(OfOther, frozen=True):
    """Members of an enumeration, or truth values, for functions of one's own.

    Args:
        feature: what stands for them.
        shape: what they are.
    """

    call: ClassVar[str] = "members"

    feature: Feature
    shape: Shape

    def arguments(self) -> Iterator[str]:
        """The feature, and what it stands for as an annotation says it."""
        yield repr(self.feature)
        yield str(self.shape)

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the stored literal of each value."""
        literals = self.feature.of_all(view, elements)
        return [
            literal_of(plain_value(literal), self.shape, self.short)
            for literal in literals
        ]


def members(feature: Feature, cls: Any) -> Members:
    """Members of an enumeration, or truth values, for functions of one's own.

    Args:
        feature: what stands for them.
        cls: what they are.
    """
    return Members(feature, shape_of(cls, feature.short, {}))
