"""Sides on which every graph has the same id, which then names none of them.

Parsers that were run sentence by sentence call every graph alike.  If all graphs of a
framework have one id on either side, and both sides have as many, the n-th belongs to
the n-th.

>>> class U(NamedTuple):
...     item: str
>>> one = OneId()
>>> pairs = [one.add(0, 0, U("a")), one.add(1, 0, U("x")), one.add(0, 1, U("b")),
...          one.add(1, 1, U("x"))]
>>> any(pairs), one.by_order, [(g.unit.item, s.unit.item) for g, s in one.pairs()]
(False, True, [('a', 'x'), ('b', 'x')])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Arrival(NamedTuple):
    """A unit of a side."""

    side: int
    place: int
    """Among all units of its side."""
    unit: Any


class OneId:
    """The first units of a framework, held until both sides turn out to have ids."""

    def __init__(self) -> None:
        self.held: list[Arrival] = []
        self._first: list[str | None] = [None, None]
        self._varied = [False, False]
        self._counts = [0, 0]

    @property
    def told_apart(self) -> bool:
        """Whether both sides have several ids, and units pair by them."""
        return all(self._varied)

    def add(self, side: int, place: int, unit: Any) -> list[Arrival]:
        """Take the next unit of a side, unless units have turned out to have ids.

        Args:
            side: 0 for gold, 1 for the system.
            place: among all units of its side.
            unit: the unit.

        Returns:
            What may be paired by id now, in the order in which it came.
        """
        self.held.append(Arrival(side, place, unit))
        self._counts[side] += 1
        if self._first[side] is None:
            self._first[side] = unit.item
        elif self._first[side] != unit.item:
            self._varied[side] = True
        # The first of both sides are a pair by their ids and by their order.
        firsts = self._counts == [1, 1] and self._first[0] == self._first[1]
        if not (self.told_apart or firsts):
            return []
        found, self.held = self.held, []
        return found

    @property
    def by_order(self) -> bool:
        """Whether a side has one id for all, and the other has as many units."""
        gold, system = self._counts
        return gold == system > 1 and not self.told_apart

    @property
    def ids(self) -> list[str]:
        """The one id of gold, of the system, or of both."""
        firsts = zip(self._first, self._varied, strict=True)
        return sorted({str(first) for first, varied in firsts if not varied})

    def pairs(self) -> Iterator[tuple[Arrival, Arrival]]:
        """What is held, the n-th of gold with the n-th of the system."""
        sides = ([each for each in self.held if each.side == side] for side in (0, 1))
        return zip(*sides, strict=True)
