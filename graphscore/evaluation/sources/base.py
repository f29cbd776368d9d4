"""Sources: where the units of one side of an evaluation come from.

Files, graphs in memory and a store are three sources of the same five members: a name,
items, the units made of these, their graphs, and what was lost on the way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from graphscore.evaluation.options import Selection
from graphscore.evaluation.unit import Unit, by_collection, by_document
from graphscore.exceptions import Problem, Problems, expect
from graphscore.formats.base import Takes
from graphscore.metrics.base import Unit as UnitKind
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from graphscore.evaluation.default_metrics import SideContent

HELD_GRAPHS, HELD_NODES = 1000, 20_000
"""Numbers of graphs and nodes held of a side that is inspected before scoring."""


class Losses(Struct):
    """Records and parts of a side that are not scored, known at its end.

    Attributes:
        rejected: what is wrong with records that cannot be read, a line each.
        records: number of these records.
        left_out: what is wrong with parts of records that are read without them.
        unusable: problems by which the side cannot be gold.
        notes: what else the user should know, one sentence each.
        hints: why files were taken for what they were read as.
        any: whether any graph could be read.
    """

    rejected: list[str] = []
    records: int = 0
    left_out: Problems | tuple[()] = ()
    unusable: Problems | tuple[()] = ()
    notes: list[str] = []
    hints: list[str] = []
    any: bool = False


class UnitSource(ABC):
    """One side of an evaluation.

    Args:
        name: what messages call it.

    Attributes:
        unscored: number of graphs by framework that were in no unit, as nothing scores
            them.
        held: what is told of every item as it is read, where that was asked for.
        metric: the default metric of the format that is read now, if it has one.
    """

    metric = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.unscored: Counter[str] = Counter()
        self.held: SideContent | None = None
        self._begun: Iterator[Unit] | None = None

    @abstractmethod
    def items(self) -> Iterator[Unit]:
        """Return all graphs that take part as units of one graph each, in order."""

    def load(self, units: Sequence[Unit]) -> list[Unit]:
        """Return units with their graphs, which by default they have.

        Args:
            units: any of this side.
        """
        return list(units)

    @abstractmethod
    def losses(self, takes: Takes) -> Losses:
        """Say what is not scored of the items that were gone through.

        Args:
            takes: whether a framework is scored.
        """

    def units(self, kind: UnitKind, takes: Takes) -> Iterator[Unit]:
        """Return the units that are scored, in order.

        Args:
            kind: whether a unit is an item, a document or all there is.
            takes: whether a framework is scored; other graphs are counted.
        """
        self.unscored.clear()
        known = cache(takes)

        def taken(unit: Unit) -> bool:
            if known(unit.framework):
                return True
            self.unscored[unit.framework] += 1
            return False

        begun, self._begun = self._begun, None
        items = filter(taken, begun or self.items())
        return items if kind == "item" else self.grouped(kind, items)

    def grouped(self, kind: UnitKind, items: Iterator[Unit]) -> Iterator[Unit]:
        """Return documents, or all there is, as units.

        Args:
            kind: ``document`` or ``collection``.
            items: units of one graph each.
        """
        return by_document(items) if kind == "document" else by_collection(items)

    def peek(self, held: SideContent, most: int | None = None) -> None:
        """Have the first items looked at; the others are as they are asked for.

        They are few enough to be held until :meth:`units` is called.

        Args:
            held: is told of every item.
            most: how many graphs are held, where that is not for this module to say.
        """
        rest = self.watch(held)
        first: list[Unit] = []
        nodes = 0
        for unit in rest:
            first.append(unit)
            nodes += len(unit.graph.nodes)
            if len(first) >= (most or HELD_GRAPHS) or nodes >= HELD_NODES:
                break
        self._begun = chain(first, rest)

    def watch(self, held: SideContent) -> Iterator[Unit]:
        """Have all items looked at as they are read by who asks for units next.

        Args:
            held: is told of every item.

        Returns:
            The items.
        """

        def looked_at(unit: Unit) -> Unit:
            held.take(unit.graph, self.metric)
            return unit

        self.held = held
        self._begun = map(looked_at, self.items())
        return self._begun

    def repeated(self, unit: Unit, first: str) -> Problem:
        """Say what is wrong with a unit whose identity the side had already.

        Args:
            unit: the later one.
            first: place of the earlier one.
        """
        return repeated_problem(unit, unit.file, unit.line, first)


class GraphSource(UnitSource):
    """Graphs in memory.

    Args:
        graphs: the graphs.
        selection: which of them take part.
    """

    def __init__(self, graphs: Iterable[Graph], selection: Selection) -> None:
        super().__init__("<memory>")
        self._graphs, self._selection = graphs, selection
        self._any = False

    def items(self) -> Iterator[Unit]:
        """Return a unit for each graph; one without an id is called by its number."""
        numbers: Counter[tuple[str, str, str]] = Counter()
        everything = self._selection == Selection()
        for graph in self._graphs:
            if not isinstance(graph, Graph):
                expect(graph, Graph, "a graph that is scored")
            self._any = True
            if not graph.id:
                key = graph.framework, graph.language, graph.layer
                graph = msgspec.structs.replace(graph, id=str(numbers[key]))
                numbers[key] += 1
            unit = Unit((graph,), graph.id, self.name)
            if everything or self._selection.takes(
                unit.framework, unit.language, unit.item, unit.layer
            ):
                yield unit

    def losses(self, takes: Takes) -> Losses:
        """Say what was lost where graphs were made of something else in memory."""
        from graphscore.inputs.base import Taken

        if not isinstance(self._graphs, Taken):
            return Losses(any=self._any)
        lost = self._graphs.rejected
        return Losses(
            list(map(str, lost)),
            len({problem.where.partition(":")[0] for problem in lost}),
            notes=self._graphs.notes,
            any=self._any,
        )


def repeated_problem(
    unit: Unit, file: str, line: int | None, first: str = ""
) -> Problem:
    """Return what is wrong with a unit whose identity its side had already.

    Args:
        unit: the later one.
        file: file that it was read from.
        line: its line.
        first: place of the earlier one.
    """
    parts = (unit.framework, unit.language, unit.layer)
    before = f" (first at {first})" if first else ""
    return Problem(
        file,
        line,
        None,
        "id",
        f"{unit.item!r} ({', '.join(filter(None, parts))}) a second time{before}",
        "each item once, or a layer for each annotator (--layer)",
    )
