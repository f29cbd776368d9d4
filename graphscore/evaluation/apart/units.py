"""Units whose graphs stay with the processes that read them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec

from graphscore.evaluation.apart.fetching import Fetch
from graphscore.evaluation.apart.lines import lines_of
from graphscore.evaluation.apart.working import Far
from graphscore.evaluation.defaults import Found, Held
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.units import Identity, Unit, Units, named
from graphscore.formats import Reading, owning_up
from graphscore.formats.base import Read, Record, Rejected
from graphscore.formats.gathering import Gathered
from graphscore.formats.source import shown
from graphscore.model.graph import Graph

PEEKED = 32
"""Graphs of a side that are looked at before the rest is left to others."""


class FarUnit(Unit):
    """One graph that was read elsewhere, and is read again if it is asked for.

    Args:
        entry: what is said of it.
        file: its file.
        number: that of the record on its side.
        load: gives the graph of a record.
    """

    __slots__ = ("entry", "load", "number")

    def __init__(
        self, entry: Far, file: str, number: int, load: Callable[[int], Graph]
    ) -> None:
        self.entry, self.file, self.number, self.load = entry, file, number, load
        self.line, self.framework, self.language, self.item, self.layer = entry[:5]
        self.lost, self.unclear = (), ""

    @property
    def graph(self) -> Graph:  # type: ignore[override]
        """The graph, which is read again."""
        graph = self.load(self.number)
        if graph.id == self.item:
            return graph
        return msgspec.structs.replace(graph, id=self.item)

    @property
    def graphs(self) -> tuple[Graph, ...]:  # type: ignore[override]
        """It alone."""
        return (self.graph,)

    @property
    def document(self) -> str:
        """Document of the graph."""
        return self.entry.document

    @property
    def text(self) -> str:
        """Text of the graph."""
        return self.entry.text

    @property
    def words(self) -> int:
        """How many tokens the graph has."""
        return self.entry.words

    @property
    def anchored(self) -> bool:
        """Whether any node of the graph has anchors."""
        return self.entry.anchored

    @property
    def empty(self) -> bool:
        """Whether the graph has no nodes."""
        return self.entry.empty

    @property
    def texts(self) -> list[str]:
        """That of the graph."""
        return [self.text]

    @property
    def names(self) -> list[tuple[str, str]]:
        """Its id and document."""
        return [(self.item, self.document)]

    def identities(self) -> Iterator[Identity]:
        """Framework, language, id and digest of the graph."""
        digest = self.entry.digest or self.graph.digest()
        yield self.framework, self.language, named(self.item, self.layer), digest

    def called(self, item: str) -> FarUnit:
        """The same by an id that its file does not say; nobody else has it yet."""
        self.item = item
        return self


class FarUnits(Units):
    """One side's units, as other processes say them.

    Args:
        operand: files.
        selection: which graphs are let through.
        reading: how files are read.
        fetch: what other processes say.
        side: 0 for gold, 1 for the system.
        held: is told what there is, by some graphs of each framework.
    """

    def __init__(
        self,
        operand: str,
        selection: Selection,
        reading: Reading,
        fetch: Fetch,
        side: int,
        held: Held | None,
    ) -> None:
        seen = held.take if held else None
        super().__init__(operand, selection, reading, _all, seen=seen)
        self.fetch = self._fetch = fetch
        self._side, self._held = side, held

    def peek(self) -> None:
        """Have some graphs at the beginning seen, which others read once more."""
        reading = Units(
            self.operand, self.selection, self.reading, self.scores, seen=self.seen
        )
        for _ in islice(reading.selected(), PEEKED):
            pass

    def _see(self, unit: Unit) -> None:
        """Read a graph again that may say what there is."""
        held = self._held
        if held is None or held.knows(unit.framework):
            return
        if not (unit.empty and unit.framework in held.frameworks):
            held.take(unit.graph)

    def _gathered(self) -> Gathered:
        """The files, which were looked for already."""
        lines = self._fetch.sides[self._side]
        return Gathered([path for path, *_ in lines.files], lines.left)

    def _records(self, path: str) -> Iterator[Record]:
        """The records of a file, in each of which is a unit in place of a graph."""
        lines = self._fetch.sides[self._side]
        number, guess = next(
            (number, guess)
            for number, (name, _, guess) in enumerate(lines.files)
            if name == path
        )
        records = self._far(path, number)
        if guess is None:
            yield from records
            return
        self._guessed(path, guess)
        yield from owning_up(records, guess, path)

    def _far(self, path: str, file: int) -> Iterator[Record]:
        """What other processes say of the records of a file."""
        where, fetch, name = (
            self._fetch.sides[self._side].file,
            self._fetch,
            shown(path),
        )
        # Records are in the order of their files.
        for number in range(bisect_left(where, file), bisect_right(where, file)):
            entry = fetch.entry(self._side, number)
            if isinstance(entry, Rejected):
                yield entry
            else:
                unit: Any = FarUnit(entry, name, number, self._load)
                yield Read(entry.line, unit, entry.left_out, entry.notes)

    def _unit(self, record: Read, name: str) -> Unit:
        """What stands in place of the graph."""
        unit: Any = record.graph
        assert isinstance(unit, FarUnit)
        return unit

    def _load(self, number: int) -> Graph:
        """The graph of a record, which is read again."""
        return self._fetch.load(self._side, number)


def far_sides(
    gold: str, system: str, options: Options, found: Found | None = None
) -> tuple[FarUnits, FarUnits] | None:
    """Both sides as workers read them, each its part; for one pass.

    Args:
        gold: files of gold.
        system: files of the system.
        options: how is scored.
        found: is told what there is.

    Returns:
        ``None`` if one of them cannot be read in parts.
    """
    readings = options.reading, options.system_reading or options.reading
    mine = lines_of(gold, readings[0])
    theirs = lines_of(system, readings[1]) if mine else None
    if mine is None or theirs is None:
        return None
    fetch = Fetch(mine, theirs, options)
    held = (found.gold, found.system) if found else (None, None)
    return (
        FarUnits(gold, options.selection, readings[0], fetch, 0, held[0]),
        FarUnits(system, options.selection, readings[1], fetch, 1, held[1]),
    )


def _all(_: str) -> bool:
    return True
