"""Ways through the graph of an object: to its fields, and to an item at its place.

>>> from graphscore.similarity.navigation.steps import (Along)
>>> print(Path(Along("trig"), Along("mention")))
trig.mention
>>> of_top(items("relations"))
of_top(items('relations'))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from graphscore.model.graph import Value
from graphscore.similarity.expression import ARTICLES, Sort, require
from graphscore.similarity.navigation.collections import (
    Around,
    Collection,
    Values,
    Whole,
)
from graphscore.similarity.navigation.steps import Step, top
from graphscore.similarity.view import Element, Elements, View


@dataclass(frozen=True, repr=False)
class Nth(Step):
    """From a node along one of its outgoing edges with a label.

    Args:
        label: label of the edges.
        place: which of them, from 0.
    """

    call: ClassVar[str] = "nth"
    of: ClassVar[Sort] = "node"
    leads: ClassVar[Sort] = "node"

    label: Value
    place: int

    @property
    def short(self) -> str:
        """The label with the place."""
        return f"{self.label}[{self.place}]"

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """Where that edge of each node leads."""
        table: dict[int, list[int]] = view.keep(
            ("nth", self.label), lambda: self._table(view)
        )
        found = (table.get(element, ()) for element in elements)
        return [ends[self.place] if len(ends) > self.place else None for ends in found]

    def _table(self, view: View) -> dict[int, list[int]]:
        places = view.places()
        found: dict[int, list[int]] = {}
        for edge in view.graph.edges:
            if edge.label == self.label:
                found.setdefault(places[edge.source], []).append(places[edge.target])
        return found


nth = Nth


@dataclass(frozen=True, repr=False)
class Path(Step):
    """Two steps, one after the other.

    Args:
        first: the first step.
        then: a step that starts where the first one leads.
    """

    call: ClassVar[str] = "path"

    first: Step
    then: Step

    def __post_init__(self) -> None:
        require(
            self.first.leads == self.then.of,
            f"{self.then} starts at {ARTICLES[self.then.of]}, expected a step that "
            f"starts at {ARTICLES[self.first.leads]}, where {self.first} leads",
            self.short,
            self.then.short,
        )

    @property
    def of(self) -> Sort:
        """Where the first step starts."""
        return self.first.of

    @property
    def leads(self) -> Sort:
        """Where the second step leads."""
        return self.then.leads

    @property
    def short(self) -> str:
        """Both names."""
        return f"{self.first.short}.{self.then.short}"

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """Where both steps lead."""
        ends = self.first.follow(view, elements)
        there = iter(self.then.follow(view, [end for end in ends if end is not None]))
        return [None if end is None else next(there) for end in ends]


path = Path


@dataclass(frozen=True, repr=False)
class OfTop(Whole):
    """What a collection of a node leads to from the graph's top.

    Args:
        collection: whose members; it must start at a node.
    """

    call: ClassVar[str] = "of_top"

    collection: Collection

    def __post_init__(self) -> None:
        require(
            self.collection.of == "node",
            f"{self.collection} starts at {ARTICLES[self.collection.of]}, expected "
            "a collection that starts at a node",
            str(self.collection),
        )

    @property
    def yields(self) -> Sort:
        """What the collection leads to."""
        return self.collection.yields

    @property
    def short(self) -> str:
        """The collection's name."""
        return self.collection.short

    def every(self, view: View) -> Iterable[Element]:
        """The top's members; none where there is no top."""
        [start] = top.follow(view, [0])
        return () if start is None else self.collection.members(view, [start])[0]


of_top = OfTop


@dataclass(frozen=True, repr=False)
class Items(Around):
    """What an object holds in a field that has a node of its own, in order.

    Args:
        name: name of the field.
    """

    call: ClassVar[str] = "items"
    yields: ClassVar[Sort] = "node"

    name: str

    @property
    def short(self) -> str:
        """The field's name, as it is."""
        return self.name

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """Sources and targets of the edges with that label."""
        places = view.places()
        for edge in view.graph.edges:
            if edge.label == self.name:
                yield places[edge.source], places[edge.target]


@dataclass(frozen=True, repr=False)
class Literals(Values):
    """The literals that an object holds in a field, in order.

    Args:
        name: name of the field.
    """

    call: ClassVar[str] = "literals"

    @property
    def short(self) -> str:
        """The field's name, as it is."""
        return self.name


items = Items
literals = Literals
