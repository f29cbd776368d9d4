"""All members of a collection as one value, in their order: types of several levels.

>>> from graphscore.model.graph import Graph, Node
>>> from graphscore.similarity import itself, values
>>> levels = (("type", "conflict"), ("type", "attack"), ("type", "bombing"))
>>> view = View(Graph("1", "structure", nodes=(Node(0, "Event", levels),)))
>>> [said] = row(values("type"), itself).of_all(view, [0])
>>> row_said(said)
('conflict', 'attack', 'bombing')
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from graphscore.model.graph import Value
from graphscore.similarity.features.elements import Feature, plain
from graphscore.similarity.features.fillers import REPEATED, Bag
from graphscore.similarity.features.values import itself
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.view import Element, View

ROW = "row"
"""What stands before members in their order: nothing else is so."""


@dataclass(frozen=True, repr=False)
class Row(Bag):
    """All members of a collection, as one value: what is said of each, in order.

    Two things with equal rows have the same members in the same order.

    Args:
        collection: whose members.
        features: what is looked at of each member, at least one.

    Raises:
        FormulaError: if a feature is not said of the members.
    """

    @property
    def short(self) -> str:
        """The collection, and what is looked at, if not all there is."""
        return self.collection.short if self.features == (itself,) else super().short

    def __repr__(self) -> str:
        return f"row({', '.join(map(repr, (self.collection, *self.features)))})"

    def together(self, said: Sequence[tuple[Hashable, ...]]) -> Hashable:
        """A value that only the same members in the same order give."""
        single = len(self.features) == 1
        return ROW, tuple(each[0] if single else each for each in said)

    def raw(self, view: View, element: Element) -> Value:
        """The members as written, with commas between."""
        found = row_said(self.of_all(view, [element])[0])
        return ", ".join(str(plain(each)) for each in found or ()) or None


def row(collection: Collection, *features: Feature) -> Row:
    """All members of a collection, in order as one value.

    Args:
        collection: such as ``values("type")``.
        features: what is looked at of each member, such as ``itself``.

    Raises:
        FormulaError: if a feature is not said of the members.
    """
    return Row(collection, features)


def row_said(found: Hashable) -> tuple[Hashable, ...] | None:
    """The members that a row says; ``None`` for what is no row.

    Args:
        found: what a feature says.
    """
    if isinstance(found, tuple) and len(found) == 2 and found[0] == ROW:
        members = found[1]
        return members if isinstance(members, tuple) else None
    return None


def members_said(found: Hashable) -> Iterable[Hashable] | None:
    """The members that a row or a bag says, each once; ``None`` for anything else.

    Args:
        found: what a feature says.

    Example:
        >>> members_said("poet"), members_said(frozenset({("poet",)}))
        (None, ['poet'])
    """
    row = row_said(found)
    if row is not None:
        return dict.fromkeys(row)
    if isinstance(found, tuple) and len(found) == 2 and found[0] == REPEATED:
        counted = found[1]
        if not isinstance(counted, frozenset):
            return None
        return [only for (only, *_), _ in counted]
    if isinstance(found, frozenset):
        return [only for (only, *_) in found]
    return None
