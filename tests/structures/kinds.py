"""Random dataclasses with values, and classes that need a module of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum, IntEnum
from typing import Annotated, Any, Generic, Literal, NewType, Optional, TypeVar, Union

from hypothesis import strategies as st

from graphscore.structures.objects.variables import Var

T = TypeVar("T")
K = TypeVar("K", bound="Leaf")

Words = NewType("Words", str)


class Color(Enum):
    RED = "red"
    GREEN = "green"


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


class Odd(Enum):
    PAIR = (1, 2)
    OTHER = object()


@dataclass(frozen=True)
class Leaf:
    name: Words
    size: Annotated[int, "any number"] = 0


@dataclass(frozen=True)
class Holder(Generic[T]):
    value: T
    more: tuple[T, ...] = ()


@dataclass(frozen=True)
class Leaves(Holder[Leaf]):
    odd: Odd = Odd.PAIR


@dataclass(frozen=True)
class Bounded(Generic[K]):
    inner: K


@dataclass(frozen=True)
class Tree:
    label: Optional[str]  # noqa: UP045
    mode: Literal["x", "y", 3]
    children: tuple[Tree, ...] = ()
    best: Union[Tree, Leaf, None] = None  # noqa: UP007


@dataclass
class Mutable:
    items: list[Mutable]
    seen: set[int]
    size: int = dataclass_field(init=False, default=0)
    note: str = dataclass_field(default="", compare=False)

    def __post_init__(self) -> None:
        self.size = len(self.items)


@dataclass(frozen=True)
class Formula:
    props: frozenset[tuple[str, Var | str]]
    top: Var


@dataclass(frozen=True)
class Clash:
    either: Color | str
    both: frozenset[Size | int | None] | None
    nested: tuple[frozenset[tuple[int, str]] | Leaf | Color | str, ...]
    pair: tuple[Leaf, int, Leaf | None]
    rows: tuple[int | None, str]


@dataclass(frozen=True)
class Lost:
    where: Nowhere  # type: ignore[name-defined]  # noqa: F821


@dataclass
class Loop:
    next: Loop | None = None
    items: list[Loop] = dataclass_field(default_factory=list)


Kind = tuple[Any, st.SearchStrategy[Any], str]
"""An annotation, its values, and the name of what it is in a union."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
SCALARS: list[Kind] = [
    (str, texts | st.sampled_from(["red", "green", ""]), "str"),
    (int, st.integers(-3, 3) | st.integers(), "int"),
    (float, st.floats(allow_nan=False, allow_infinity=False), "float"),
    (bool, st.booleans(), "bool"),
    (None, st.none(), "None"),
    (Color, st.sampled_from(Color), "Color"),
    (Size, st.sampled_from(Size), "Size"),
    (Odd, st.sampled_from(Odd), "Odd"),
    (Var, st.sampled_from("xyz").map(Var), "Var"),
    (Leaf, st.builds(Leaf, texts, st.integers(0, 2)), "Leaf"),
]


@st.composite
def kinds(draw: st.DrawFn, depth: int = 2, hashable: bool = False) -> Kind:
    """A type with a strategy for its values."""
    if depth == 0:
        return draw(st.sampled_from(SCALARS))
    inner = kinds(depth - 1, hashable)
    choice = draw(st.integers(0, 7))
    if choice == 0:
        return draw(st.sampled_from(SCALARS))
    if choice == 1:
        return draw(records(depth, hashable))
    if choice == 2:
        return _union(draw(st.lists(inner, min_size=2, max_size=4)))
    if choice == 3:
        items = draw(st.lists(inner, max_size=3))
        found = tuple[tuple(each[0] for each in items)] if items else tuple[()]
        return found, st.tuples(*(each[1] for each in items)), "tuple"
    if choice == 4 or (hashable and choice == 5):
        item = draw(inner)
        values = st.lists(item[1], max_size=3).map(tuple)
        return tuple[item[0], ...], values, "tuple"
    if choice == 5:
        item = draw(inner)
        return list[item[0]], st.lists(item[1], max_size=3), "list"
    item = draw(kinds(depth - 1, True))
    values = st.frozensets(item[1], max_size=4)
    if hashable or choice == 6:
        return frozenset[item[0]], values, "frozenset"
    return set[item[0]], values.map(set), "set"


def _union(options: list[Kind]) -> Kind:
    named: dict[str, Kind] = {}
    for each in options:
        if "|" not in each[2]:
            named.setdefault(each[2], each)
    if not named:
        return options[0]
    found = Union[tuple(each[0] for each in named.values())]  # noqa: UP007
    return found, st.one_of(*(each[1] for each in named.values())), "|".join(named)


_count = iter(range(10**9))


@st.composite
def records(draw: st.DrawFn, depth: int = 2, hashable: bool = False) -> Kind:
    """A dataclass of its own, frozen if it must be hashable."""
    found = draw(st.lists(kinds(depth - 1, hashable), max_size=3))
    frozen = hashable or draw(st.booleans())
    name = f"Made{next(_count)}"
    cls = dataclasses.make_dataclass(
        name,
        [(f"f{place}", each[0]) for place, each in enumerate(found)],
        frozen=frozen,
        slots=draw(st.booleans()),
    )
    build: Callable[..., Any] = cls
    return cls, st.builds(build, *(each[1] for each in found)), name


@st.composite
def objects(draw: st.DrawFn) -> tuple[type[Any], Any]:
    """A dataclass with an object of it."""
    cls, values, _ = draw(records(3))
    return cls, draw(values)
