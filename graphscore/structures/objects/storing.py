"""How values of each shape stand in a graph, and in which order sets do.

A field's literals are properties of its object's node, everything else is at the
end of an edge; both carry the field's name.  What would be ambiguous gets a node
of its own::

    literal among others in a sequence   node int, property value=3
    member of an enumeration that could
    be mistaken for another literal      node Color, property value=red
    collection within a collection,
    or in a union                        node tuple, its items under item
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from graphscore.model.graph import Value
from graphscore.structures.objects.annotations import layout_of
from graphscore.structures.objects.shapes import (
    CONTAINERS,
    SCALARS,
    Choices,
    Field,
    Many,
    OneOf,
    Record,
    Row,
    Scalar,
    Shape,
    StructureError,
)

ITEM = "item"
"""Name of what is in a collection that has a node of its own."""

VALUE = "value"
"""Name of the literal that a node of its own stands for."""

Collection = Many | Row


class Slot(NamedTuple):
    """What a node has under one name."""

    name: str
    shape: Shape
    where: str


def slots_of(shape: Shape) -> list[Slot]:
    """What a node of a shape has, in order.

    Args:
        shape: a dataclass or a collection.
    """
    if isinstance(shape, Record):
        return [_slot(field) for field in layout_of(shape)]
    return [Slot(ITEM, shape, str(shape))]


def _slot(field: Field) -> Slot:
    return Slot(field.name, field.shape, field.where)


def flat(shape: Shape) -> tuple[Collection | None, bool]:
    """The collection whose items stand under the field's own name, if it is one.

    Returns:
        The collection, and whether there may be ``None`` instead of it.
    """
    if isinstance(shape, (Many, Row)):
        return shape, False
    if isinstance(shape, OneOf) and len(shape.several) == 2:
        for one, other in (shape.several, shape.several[::-1]):
            if isinstance(one, (Many, Row)) and other == Scalar("None"):
                clash = any(None in _literals(each) for each in _item_options(one))
                return (None, False) if clash else (one, True)
    return None, False


def _item_options(collection: Collection) -> Iterator[Shape]:
    items = (collection.item,) if isinstance(collection, Many) else collection.items
    for item in items:
        yield from item.options()


def _literals(shape: Shape) -> Iterable[Value]:
    if isinstance(shape, Choices):
        return shape.stored.values()
    return (None,) if shape == Scalar("None") else ()


@lru_cache(maxsize=1024)
def plain(shape: Shape) -> frozenset[Shape]:
    """The options of a shape that are properties.

    Enumerations are not, where other options are literals of the same type.
    """
    options = list(shape.options())
    kinds = [_kinds(each) for each in options]
    found = []
    for place, option in enumerate(options):
        others = set().union(*kinds[:place], *kinds[place + 1 :])
        if isinstance(option, Scalar) or (
            isinstance(option, Choices) and not kinds[place] & others
        ):
            found.append(option)
    return frozenset(found)


def _kinds(shape: Shape) -> set[str]:
    if isinstance(shape, Scalar):
        return {"int", "float"} if shape.kind in ("int", "float") else {shape.kind}
    if isinstance(shape, Choices):
        found = {SCALARS[type(each)] for each in shape.stored.values()}
        return found | ({"int", "float"} if found & {"int", "float"} else set())
    return set()


def plain_items(collection: Collection, length: int) -> list[frozenset[Shape]]:
    """For each place the options that are properties.

    All or none are in a sequence, as edges and properties have no common order.
    """
    if isinstance(collection, Row):
        found = [plain(each) for each in collection.items]
        whole = all(
            options == set(each.options())
            for options, each in zip(found, collection.items, strict=True)
        )
        return found if whole else [frozenset()] * length
    options = plain(collection.item)
    if collection.ordered and options != set(collection.item.options()):
        options = frozenset()
    return [options] * length


def items_of(collection: Collection, length: int) -> list[Shape]:
    """The shape at each place."""
    if isinstance(collection, Row):
        return list(collection.items)
    return [collection.item] * length


def fits(shape: Shape, value: Any) -> bool:
    """Whether a value is of a shape, as far as its own type says."""
    if isinstance(shape, Scalar):
        kind = SCALARS.get(type(value))
        return kind == shape.kind or (kind == "int" and shape.kind == "float")
    if isinstance(shape, (Choices, Record)):
        return type(value) is shape.cls
    if isinstance(shape, Row):
        return type(value) is tuple and len(value) == len(shape.items)
    return isinstance(shape, Many) and type(value).__name__ == shape.kind


def option_of(shape: Shape, value: Any, where: str) -> Shape:
    """Which option of a shape a value is of.

    Raises:
        StructureError: if it is of none.
    """
    if not isinstance(shape, OneOf) and fits(shape, value):
        return shape
    options = [each for each in shape.options() if fits(each, value)]
    if not options:
        kind = type(value).__name__
        shown = repr(value) if type(value) in SCALARS else f"a {kind}"
        known = f"{shown} ({kind})" if shown[:2] != "a " else shown
        raise StructureError(where, known, str(shape))
    # An int is a float only where nothing says int.
    exact = [each for each in options if each.label == type(value).__name__]
    return (exact or options)[0]


def stored(shape: Shape, value: Any, where: str) -> Value:
    """What stands for a literal or a member of an enumeration.

    Raises:
        StructureError: for numbers and characters that no file could hold.
    """
    if isinstance(shape, Choices):
        return shape.stored[value]
    if isinstance(value, float) and not math.isfinite(value):
        raise StructureError(where, repr(value), "a finite number")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            found = f"{value!r}, half of a character"
            raise StructureError(where, found, "text that can be written") from None
    found_value: Value = value
    return found_value


class Known(NamedTuple):
    """What an object comes down to."""

    key: tuple[Any, ...]
    """Equal for equal objects, and in an order of its own."""
    shared: bool
    """Whether equal objects may be one node: none of them can change."""


class Keys:
    """Keys of all objects inside of one, by which sets are sorted.

    The order is that of the values themselves, so it depends neither on hash seeds
    nor on addresses.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, Shape], Known] = {}
        self._held: list[Any] = []
        self._inside: set[int] = set()

    def of(self, shape: Shape, value: Any, where: str) -> Known:
        """The key of a value.

        Args:
            shape: what it is declared to be.
            value: the value.
            where: class and field, for messages.

        Raises:
            StructureError: if something inside of it is of no declared shape, or
                if it contains itself.
        """
        option = option_of(shape, value, where)
        if isinstance(option, Scalar):
            return Known(_scalar_key(stored(option, value, where)), True)
        if isinstance(option, Choices):
            place = list(option.cls).index(value)
            return Known((4, option.label, place), True)
        memory = (id(value), option)
        if memory not in self._known:
            if id(value) in self._inside:
                found = f"a {type(value).__name__} that contains itself"
                raise StructureError(where, found, "an object without cycles")
            self._inside.add(id(value))
            self._known[memory] = self._compound(option, value, where)
            self._inside.discard(id(value))
            self._held.append(value)
        return self._known[memory]

    def _compound(self, option: Shape, value: Any, where: str) -> Known:
        if isinstance(option, Record):
            inner = [
                self.of(field.shape, getattr(value, field.name), field.where)
                for field in layout_of(option)
            ]
            shared = constant(option.cls) and all(each.shared for each in inner)
            return Known((5, option.label, *(each.key for each in inner)), shared)
        assert isinstance(option, (Many, Row))
        inner = [
            self.of(shape, item, f"{where}, {option}")
            for shape, item in zip(items_of(option, len(value)), value, strict=True)
        ]
        keys = [each.key for each in inner]
        if isinstance(option, Many) and not option.ordered:
            keys.sort()
        kind = CONTAINERS.index(option.label)
        shared = option.label in ("tuple", "frozenset")
        return Known((6, kind, *keys), shared and all(each.shared for each in inner))

    def in_order(self, collection: Collection, value: Any, where: str) -> list[Any]:
        """The items of a collection; those of a set in the order of their keys."""
        if isinstance(collection, Many) and not collection.ordered:
            return sorted(
                value, key=lambda each: self.of(collection.item, each, where).key
            )
        return list(value)


def constant(cls: type[Any]) -> bool:
    """Whether equal objects of a dataclass are the same for good."""
    parameters = getattr(cls, dataclasses._PARAMS, None)  # type: ignore[attr-defined]
    return bool(parameters and parameters.frozen and parameters.eq)


def _scalar_key(value: Value) -> tuple[Any, ...]:
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, str):
        return (3, value)
    return (2, value, type(value).__name__)
