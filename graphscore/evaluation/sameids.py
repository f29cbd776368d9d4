"""What pairs by its number: sides on which every graph has one id, and bad records.

Parsers that were run sentence by sentence call every graph alike.  If all graphs of a
framework have one id on either side, and both sides have as many, the n-th belongs to
the n-th.

>>> class U(NamedTuple):
...     item: str; lost: tuple = ()
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
    number: int = 0
    """Among those of its kind and the bad records before it."""


class OneId:
    """The first units of a framework, held until both sides turn out to have ids."""

    def __init__(self) -> None:
        self.held: list[Arrival] = []
        self.told_apart = False
        """Whether both sides have several ids, and units pair by them."""
        self._first: list[str | None] = [None, None]
        self._varied = [False, False]
        self._counts = [0, 0]
        """Of units and bad records before the last one."""

    def add(self, side: int, place: int, unit: Any) -> list[Arrival]:
        """Take the next unit of a side, unless units have turned out to have ids.

        Args:
            side: 0 for gold, 1 for the system.
            place: among all units of its side.
            unit: the unit.

        Returns:
            What may be paired by id now, in the order in which it came.
        """
        number = self._counts[side] + len(unit.lost)
        self._counts[side] = number + 1
        self.held.append(Arrival(side, place, unit, number))
        if self._first[side] is None:
            self._first[side] = unit.item
        elif self._first[side] != unit.item:
            self._varied[side] = True
            self.told_apart = all(self._varied)
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

    def pairs(self) -> Iterator[tuple[Arrival | None, Arrival | None]]:
        """What is held, the n-th of gold with the n-th of the system.

        Where one of them is bad, the other is alone.
        """
        gold, system = (
            {each.number: each for each in self.held if each.side == side}
            for side in (0, 1)
        )
        for number in sorted(gold.keys() | system.keys()):
            yield gold.get(number), system.get(number)


def possible_kinds(framework: str, layer: str) -> set[tuple[str, str]]:
    """What bad records are counted under that may be of a framework and layer."""
    return {(framework, layer), (framework, ""), ("", layer), ("", "")}


class LostRecords:
    """Bad records that come before graphs of their framework and layer.

    >>> lost = LostRecords()
    >>> lost.add("ner", "", "d1")
    >>> lost.add("", "", "d2")
    >>> lost.before("ner", "a"), lost.before("ner", "a"), lost.before("ud", "")
    (('d1', 'd2'), (), ('d2',))
    """

    def __init__(self) -> None:
        self._records: list[tuple[str, str, str]] = []
        self._told: dict[tuple[str, str], int] = {}

    def add(self, framework: str, layer: str, document: str) -> None:
        """Note a bad record.

        Args:
            framework: its framework; empty where it may be of any.
            layer: its layer, likewise.
            document: the document that it seems to be of.
        """
        self._records.append((framework, layer, document))

    def before(self, framework: str, layer: str) -> tuple[str, ...]:
        """The documents of bad records between the last graph of a kind and the next.

        Args:
            framework: that of the next graph.
            layer: its layer.
        """
        first = self._told.get((framework, layer), 0)
        if first == len(self._records):
            return ()
        self._told[framework, layer] = len(self._records)
        kinds = possible_kinds(framework, layer)
        return tuple(
            document
            for *kind, document in self._records[first:]
            if tuple(kind) in kinds
        )


class LostDocuments:
    """Documents of which nothing can be read, right before others.

    Where documents have a record each a bad record is a document.  Where they have
    several, nobody knows whether one between two documents belongs to either.

    >>> lost = LostDocuments()
    >>> lost.add("d1", (), "")
    >>> lost.add("d3", ("d2",), "")
    >>> lost.take(), lost.unclear
    (('d2',), '')
    >>> lost.add("d3", (), "")
    >>> lost.unclear
    'a bad record before it may belong to the document before, or after'
    """

    def __init__(self) -> None:
        self._document: str | None = None
        self._between: list[str] = []
        self._several = self._any = False
        self._unclear = ""

    def add(self, document: str, lost: tuple[str, ...], unclear: str) -> None:
        """Take in a graph.

        Args:
            document: its document.
            lost: the documents that bad records right before it seem to be of.
            unclear: why nobody knows how many there are.
        """
        if document == self._document:
            self._several = True
        else:
            near = document, self._document
            self._between += [each for each in lost if each not in near]
        self._any = self._any or bool(self._between)
        self._document, self._unclear = document, self._unclear or unclear

    def take(self) -> tuple[str, ...]:
        """Those between the last document and the one before, which are told once."""
        between, self._between = tuple(self._between), []
        return between

    @property
    def unclear(self) -> str:
        """Why nobody knows how many there are, if nobody does."""
        if self._several and self._any and not self._unclear:
            return "a bad record before it may belong to the document before, or after"
        return self._unclear
