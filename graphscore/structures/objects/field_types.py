"""Types that a field of a dataclass may have.

An annotation becomes a *shape*: a scalar, an enumeration, a dataclass, a
collection, a fixed tuple, or one of several;
:mod:`graphscore.structures.objects.annotations` says which.

>>> print(OneOf((Many("tuple", Scalar("int")), Scalar("None"))))
tuple[int, ...] | None
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphscore.exceptions import UsageError
from graphscore.model.graph import Value

SCALARS: dict[type, str] = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    type(None): "None",
}
"""Types that are literals of the graph model."""

COLLECTIONS = (list, tuple, set, frozenset)
"""Types of fields that hold any number of values."""

CONTAINERS = tuple(each.__name__ for each in COLLECTIONS)


class StructureError(UsageError):
    """A class or an object that cannot be laid out as a graph, or read from one.

    Args:
        where: class and field, or the place in the object.
        found: what is there.
        expected: what could be there.
    """

    def __init__(self, where: str, found: str, expected: str) -> None:
        self.where, self.found, self.expected = where, found, expected
        super().__init__(f"{where}: found {found}, expected {expected}")

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers send errors.
        return type(self), (self.where, self.found, self.expected)


@dataclass(frozen=True)
class Shape:
    """Base of shapes.

    Args:
        marks: what ``Annotated`` says besides the type.
    """

    marks: tuple[Any, ...] = dataclasses.field(
        default=(), compare=False, repr=False, kw_only=True
    )

    @property
    def label(self) -> str:
        """The label of a node that holds such a value."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.label

    def options(self) -> Iterator[Shape]:
        """The shapes that a value can have, one by one."""
        yield self


@dataclass(frozen=True)
class Scalar(Shape):
    """A literal.

    Args:
        kind: ``str``, ``int``, ``float``, ``bool`` or ``None``.
    """

    kind: str

    @property
    def label(self) -> str:
        """The type's name."""
        return self.kind


@dataclass(frozen=True)
class Choices(Shape):
    """An enumeration: its members' values, or their names if those say more.

    Args:
        cls: the enumeration.
    """

    cls: type[enum.Enum]

    @property
    def label(self) -> str:
        """The enumeration's name."""
        return self.cls.__name__

    @property
    def stored(self) -> dict[enum.Enum, Value]:
        """Stored value of each member: its value if all have literal ones."""
        return _stored(self.cls)


@dataclass(frozen=True)
class Record(Shape):
    """A dataclass.

    Args:
        cls: the class.
        args: shapes for its type variables.
    """

    cls: type[Any]
    args: tuple[Shape, ...] = ()

    @property
    def label(self) -> str:
        """The class's name."""
        return self.cls.__name__

    def __str__(self) -> str:
        if not self.args:
            return self.label
        return f"{self.label}[{', '.join(map(str, self.args))}]"


@dataclass(frozen=True)
class Many(Shape):
    """A list, a tuple of any length, or a set.

    Args:
        kind: ``list``, ``tuple``, ``set`` or ``frozenset``.
        item: what is in it.
    """

    kind: str
    item: Shape

    @property
    def label(self) -> str:
        """The kind."""
        return self.kind

    @property
    def ordered(self) -> bool:
        """True if it is a sequence."""
        return self.kind in ("list", "tuple")

    def __str__(self) -> str:
        more = ", ..." if self.kind == "tuple" else ""
        return f"{self.kind}[{self.item}{more}]"


@dataclass(frozen=True)
class Row(Shape):
    """A tuple of fixed length.

    Args:
        items: what is at each place.
    """

    items: tuple[Shape, ...]

    @property
    def label(self) -> str:
        """``tuple``."""
        return "tuple"

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items)) or '()'}]"


@dataclass(frozen=True)
class OneOf(Shape):
    """A union.

    Args:
        several: two or more shapes, none a union itself.
    """

    several: tuple[Shape, ...]

    def options(self) -> Iterator[Shape]:
        """The shapes of the union."""
        return iter(self.several)

    def __str__(self) -> str:
        return " | ".join(map(str, self.several))


@dataclass(frozen=True)
class Field:
    """A field of a dataclass.

    Args:
        owner: name of the class.
        name: name of the field.
        shape: what it holds.
        init: whether the class is made with it.
        compare: whether it makes two objects different.
    """

    owner: str
    name: str
    shape: Shape
    init: bool
    compare: bool

    @property
    def where(self) -> str:
        """Class and field, for messages."""
        return f"{self.owner}.{self.name}"


def literal(value: Any) -> bool:
    """Return true if a value is a literal of the graph model."""
    return type(value) in SCALARS


@lru_cache(maxsize=256)
def _stored(cls: type[enum.Enum]) -> dict[enum.Enum, Value]:
    values = {member: member.value for member in cls}
    keys = {(type(value), value) for value in values.values() if literal(value)}
    if len(keys) == len(values):
        return values
    return {member: member.name for member in cls}
