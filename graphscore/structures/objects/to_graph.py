"""Conversion of values of each shape to a graph, and the order of sets.

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
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from graphscore.model.graph import Value
from graphscore.structures.objects.annotations import layout_of
from graphscore.structures.objects.field_types import (
    COLLECTIONS,
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
    """Field or item of a node under one name."""

    name: str
    shape: Shape
    where: str


def slots_of(shape: Shape) -> list[Slot]:
    """Return the slots of a node of a shape, in order.

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
        for left, right in (shape.several, shape.several[::-1]):
            if isinstance(left, (Many, Row)) and right == Scalar("None"):
                clash = any(
                    None in _literals(item_option)
                    for item_option in _item_options(left)
                )
                return (None, False) if clash else (left, True)
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
    kinds = [_kinds(option) for option in options]
    result = []
    for index, option in enumerate(options):
        others = set().union(*kinds[:index], *kinds[index + 1 :])
        if isinstance(option, Scalar) or (
            isinstance(option, Choices) and not kinds[index] & others
        ):
            result.append(option)
    return frozenset(result)


def _kinds(shape: Shape) -> set[str]:
    if isinstance(shape, Scalar):
        return {"int", "float"} if shape.kind in ("int", "float") else {shape.kind}
    if isinstance(shape, Choices):
        kinds = {SCALARS[type(value)] for value in shape.stored.values()}
        return kinds | ({"int", "float"} if kinds & {"int", "float"} else set())
    return set()


def plain_items(collection: Collection, length: int) -> list[frozenset[Shape]]:
    """For each place the options that are properties.

    All or none are in a sequence, as edges and properties have no common order.
    """
    if isinstance(collection, Row):
        result = [plain(item) for item in collection.items]
        whole = all(
            options == set(item.options())
            for options, item in zip(result, collection.items, strict=True)
        )
        return result if whole else [frozenset()] * length
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
    """Return true if a value fits a shape, as far as its own type tells."""
    if isinstance(shape, Scalar):
        kind = SCALARS.get(type(value))
        return kind == shape.kind or (kind == "int" and shape.kind == "float")
    if isinstance(shape, (Choices, Record)):
        return type(value) is shape.cls
    if isinstance(shape, Row):
        return type(value) is tuple and len(value) == len(shape.items)
    return isinstance(shape, Many) and type(value).__name__ == shape.kind


def option_of(shape: Shape, value: Any, where: str) -> Shape:
    """Return the option of a shape that a value fits.

    Raises:
        StructureError: if it is of none.
    """
    if not isinstance(shape, OneOf) and fits(shape, value):
        return shape
    options = [option for option in shape.options() if fits(option, value)]
    if not options:
        kind = type(value).__name__
        shown = repr(value) if type(value) in SCALARS else f"a {kind}"
        known = f"{shown} ({kind})" if shown[:2] != "a " else shown
        raise StructureError(where, known, str(shape))
    # An int is a float only where nothing says int.
    exact = [option for option in options if option.label == type(value).__name__]
    return (exact or options)[0]


def stored(shape: Shape, value: Any, where: str) -> Value:
    """Return the stored value of a literal or a member of an enumeration.

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
            description = f"{value!r}, half of a character"
            raise StructureError(
                where, description, "text that can be written"
            ) from None
    found_value: Value = value
    return found_value


class Known(NamedTuple):
    """Keys of an object, to find equal ones."""

    key: tuple[Any, ...]
    """Equal for equal objects, and in an order of its own."""
    number: Hashable
    """Likewise equal for equal objects, however deep they are."""
    shared: bool
    """True if equal objects may share a node: none of them can change."""


class Keys:
    """Keys of all objects inside of one, by which sets are sorted.

    The order is that of the values themselves, so it depends neither on hash seeds
    nor on addresses.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, Shape], Known] = {}
        self._numbers: dict[Hashable, int] = {}
        self._held: list[Any] = []

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
        result = self._found(option, value, where)
        # Depth is that of the objects, so it must not be that of calls.
        if result is None:
            inside: dict[int, Any] = {id(value): value}
            stack: list[
                tuple[Shape, Any, Iterator[tuple[Shape, Any, str]], list[Known]]
            ]
            stack = [(option, value, self._inner(option, value, where), [])]
            while result is None:
                option, value, inner, parts = stack[-1]
                for shape, item, item_where in inner:
                    item_option = option_of(shape, item, item_where)
                    part = self._found(item_option, item, item_where)
                    if part is None:
                        if id(item) in inside:
                            raise _circle(item, inside, item_where)
                        inside[id(item)] = item
                        stack.append(
                            (
                                item_option,
                                item,
                                self._inner(item_option, item, item_where),
                                [],
                            )
                        )
                        break
                    parts.append(part)
                else:
                    made = self._compound(option, parts)
                    self._known[id(value), option] = made
                    self._held.append(value)
                    del inside[id(value)]
                    stack.pop()
                    if stack:
                        stack[-1][-1].append(made)
                    else:
                        result = made
        return result

    def _found(self, option: Shape, value: Any, where: str) -> Known | None:
        """The key of a literal, or one that is known."""
        if isinstance(option, Scalar):
            key = _scalar_key(stored(option, value, where))
            return Known(key, key, True)
        if isinstance(option, Choices):
            index = list(option.cls).index(value)
            return Known((4, option.label, index), (4, option.label, index), True)
        return self._known.get((id(value), option))

    def _inner(
        self, option: Shape, value: Any, where: str
    ) -> Iterator[tuple[Shape, Any, str]]:
        """Yield the parts of an object or a collection, with their declared shapes."""
        if isinstance(option, Record):
            for field in layout_of(option):
                yield field.shape, getattr(value, field.name), field.where
        else:
            assert isinstance(option, (Many, Row))
            inner_where = f"{where}, {option}"
            shapes = items_of(option, len(value))
            for shape, item in zip(shapes, value, strict=True):
                yield shape, item, inner_where

    def _compound(self, option: Shape, inner: list[Known]) -> Known:
        """The key of something of which all that is inside is known."""
        shared = all(known.shared for known in inner)
        if isinstance(option, Record):
            head: tuple[Any, ...] = (5, option.label)
            shared = shared and constant(option.cls)
        else:
            head = (6, CONTAINERS.index(option.label))
            shared = shared and option.label in ("tuple", "frozenset")
            if isinstance(option, Many) and not option.ordered:
                inner.sort(key=lambda part: part.key)
        number = (*head, *(known.number for known in inner))
        return Known(
            (*head, *(known.key for known in inner)),
            self._numbers.setdefault(number, len(self._numbers)),
            shared,
        )

    def in_order(self, collection: Collection, value: Any, where: str) -> list[Any]:
        """The items of a collection; those of a set in the order of their keys."""
        if isinstance(collection, Many) and not collection.ordered:
            return sorted(
                value, key=lambda item: self.of(collection.item, item, where).key
            )
        return list(value)


def _circle(value: Any, inside: dict[int, Any], where: str) -> StructureError:
    """Return the error of an object that contains itself."""
    way = list(inside.values())
    way = [*way[list(inside).index(id(value)) :], value]
    steps = [_step(holder, held) for holder, held in itertools.pairwise(way)]
    shown = "".join(steps if len(steps) < 10 else [*steps[:5], "…", *steps[-3:]])
    name = type(value).__name__
    result = f"a {name} that contains itself, as {shown.removeprefix('.')}"
    return StructureError(where, result, "an object without cycles")


def _step(owner: Any, part: Any) -> str:
    """Return the path from an object to a part directly in it."""
    if isinstance(owner, COLLECTIONS):
        at = next(index for index, element in enumerate(owner) if element is part)
        return f"[{at}]" if isinstance(owner, (list, tuple)) else "{…}"
    names = (field.name for field in dataclasses.fields(owner))
    return next(f".{name}" for name in names if getattr(owner, name) is part)


def constant(cls: type[Any]) -> bool:
    """Return true if equal objects of a dataclass stay equal."""
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
