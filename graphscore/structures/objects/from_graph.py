"""Objects read back from their graphs.

Nothing is passed over: a property or an edge that a class has no field for is an
error, as is a field that the graph says nothing about.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from graphscore.model.graph import Graph, NodeId, Value
from graphscore.structures.objects.annotations import layout_of
from graphscore.structures.objects.field_types import (
    SCALARS,
    Choices,
    Many,
    Record,
    Row,
    Scalar,
    Shape,
    StructureError,
)
from graphscore.structures.objects.to_graph import (
    VALUE,
    Collection,
    Slot,
    constant,
    flat,
    items_of,
    plain,
    plain_items,
    slots_of,
)

Held = tuple[list[Value], list[int]]
"""Content of a node under one name: values, and ordinals of nodes."""


class Reader:
    """Reads objects from one graph.

    Args:
        graph: a graph as :func:`~graphscore.structures.objects.dataclasses.to_graph`
            makes it.

    Raises:
        StructureError: if an edge or a top leads nowhere.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._places = graph.ordinals()
        self._out: dict[int, list[tuple[Value, int]]] = {}
        for edge in graph.edges:
            ends = self._place(edge.source), self._place(edge.target)
            self._out.setdefault(ends[0], []).append((edge.label, ends[1]))
        self._read: dict[tuple[int, Shape], Any] = {}
        self._inside: dict[int, None] = {}

    def _place(self, id: NodeId) -> int:
        try:
            return self._places[id]
        except KeyError:
            raise StructureError(
                f"graph {self._graph.id!r}", f"an edge or top at {id!r}", "a node's id"
            ) from None

    def top(self, record: Record) -> Any:
        """The object that the graph's top is.

        Raises:
            StructureError: if the graph is not one of such an object.
        """
        tops = self._graph.tops
        if len(tops) != 1:
            raise StructureError(
                f"graph {self._graph.id!r}", f"{len(tops)} tops", "one, the object"
            )
        return self.node(self._place(tops[0]), record, str(record))

    def node(self, ordinal: int, shape: Shape, where: str) -> Any:
        """The value that a node stands for.

        Args:
            ordinal: the node's ordinal.
            shape: what it is declared to be.
            where: class and field, for messages.

        Raises:
            StructureError: if it is something else.
        """
        node = self._graph.nodes[ordinal]
        where = f"{where} at node {node.id!r}"
        option = next((e for e in shape.options() if e.label == node.label), None)
        if option is None:
            raise StructureError(where, f"{node.label!r}", str(shape))
        key = (ordinal, option)
        if key in self._read:
            return self._read[key]
        if ordinal in self._inside:
            ids = [self._graph.nodes[visited].id for visited in self._inside]
            way = [*ids[list(self._inside).index(ordinal) :], node.id]
            shown = " → ".join(map(str, way))
            description = f"a cycle of nodes, {shown}"
            raise StructureError(where, description, "an object without cycles")
        self._inside[ordinal] = None
        result = self._made(ordinal, option, where)
        del self._inside[ordinal]
        if isinstance(option, Record) and constant(option.cls):
            self._read[key] = result
        return result

    def field(self, ordinal: int, name: str, shape: Shape) -> Any:
        """Return the value of a field of the object at a node.

        Args:
            ordinal: the node's ordinal.
            name: the field.
            shape: what it is declared to hold.

        Raises:
            StructureError: if it is something else.
        """
        where = f"node {self._graph.nodes[ordinal].id!r}"
        return self._slot(self._held(ordinal), Slot(name, shape, name), where)

    def _made(self, ordinal: int, option: Shape, where: str) -> Any:
        held = self._held(ordinal)
        if isinstance(option, (Scalar, Choices)):
            names, result = [VALUE], self._scalar(held, option, where)
        else:
            slots = slots_of(option)
            names = [slot.name for slot in slots]
            values = {slot.name: self._slot(held, slot, where) for slot in slots}
            if isinstance(option, Record):
                result = _object(option, values)
            else:
                [result] = values.values()
        for name in held:
            if name not in names:
                raise StructureError(
                    where, f"something called {name!r}", " or ".join(names) or "nothing"
                )
        return result

    def _held(self, ordinal: int) -> dict[Value, Held]:
        held: dict[Value, Held] = {}
        for name, value in self._graph.nodes[ordinal].properties:
            held.setdefault(name, ([], []))[0].append(value)
        for label, target in self._out.get(ordinal, ()):
            held.setdefault(label, ([], []))[1].append(target)
        return held

    def _scalar(self, held: dict[Value, Held], option: Shape, where: str) -> Any:
        values, targets = held.get(VALUE, ([], []))
        if len(values) != 1 or targets:
            raise StructureError(where, f"{len(values)} values", "one value")
        return _literal(values[0], frozenset((option,)), option, where)

    def _slot(self, held: dict[Value, Held], slot: Slot, where: str) -> Any:
        values, targets = held.get(slot.name, ([], []))
        where = f"{slot.where}, {where}"
        collection, optional = flat(slot.shape)
        if collection is not None:
            if optional and values == [None] and not targets:
                return None
            return self._items(collection, values, targets, where)
        if len(values) + len(targets) != 1:
            count = len(values) + len(targets) or "nothing"
            raise StructureError(where, f"{count}", f"one {slot.shape}")
        if values:
            return _literal(values[0], plain(slot.shape), slot.shape, where)
        return self.node(targets[0], slot.shape, where)

    def _items(
        self,
        collection: Collection,
        values: list[Value],
        targets: list[int],
        where: str,
    ) -> Any:
        length = len(values) + len(targets)
        if isinstance(collection, Row) and length != len(collection.items):
            raise StructureError(where, f"{length} items", str(collection))
        if values and targets and (isinstance(collection, Row) or collection.ordered):
            description = "values beside nodes, whose order is not known"
            raise StructureError(where, description, str(collection))
        shapes, bare = items_of(collection, length), plain_items(collection, length)
        items = [
            _literal(value, bare[k], shapes[k], where) for k, value in enumerate(values)
        ]
        items += [
            self.node(target, shapes[k], where) for k, target in enumerate(targets)
        ]
        kind: type[Any] = _KINDS[collection.label]
        made = kind(items)
        if isinstance(collection, Many) and len(made) != len(items):
            raise StructureError(where, "an item twice", f"each once in a {collection}")
        return made


_KINDS: dict[str, type[Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


def literal_of(value: Value, shape: Shape, where: str) -> Any:
    """The literal, or the member of an enumeration, that a value stands for.

    Args:
        value: as the graph has it.
        shape: what it is declared to be.
        where: class and field, for messages.

    Raises:
        StructureError: if it is something else.
    """
    return _literal(value, plain(shape), shape, where)


def _literal(value: Value, allowed: frozenset[Shape], shape: Shape, where: str) -> Any:
    kind = SCALARS.get(type(value))
    for option in sorted(allowed, key=str):
        if isinstance(option, Choices):
            for member, key in option.stored.items():
                if _typed(key) == _typed(value):
                    return member
        elif option.label == kind:
            return value
    if kind == "int" and Scalar("float") in allowed:
        return value
    raise StructureError(where, f"{value!r}", str(shape))


def _typed(value: Value) -> tuple[type[Any], Hashable]:
    return type(value), value


def _object(record: Record, values: dict[str, Any]) -> Any:
    """An object with these fields, made as its class makes it."""
    fields = layout_of(record)
    result = record.cls(
        **{field.name: values[field.name] for field in fields if field.init}
    )
    for field_ in fields:
        if not field_.init:
            object.__setattr__(result, field_.name, values[field_.name])
    return result
