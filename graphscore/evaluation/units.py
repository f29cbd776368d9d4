"""Units: what is paired and handed to a metric, an item or a whole document.

One side of an evaluation is a stream of :class:`Unit`.  For a metric over items
a unit is one graph; for a metric over documents it is all graphs of a document,
in order, and its identity is the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from graphscore.errors import Problem, Problems, expect
from graphscore.evaluation.documents import joined_name
from graphscore.evaluation.options import Selection
from graphscore.evaluation.sameids import LostDocuments, LostRecords, possible_kinds
from graphscore.folding import Fold
from graphscore.formats import Reading, Rejected, read_file
from graphscore.formats.base import Note, Notes, Read, Record
from graphscore.formats.documents import document_of
from graphscore.formats.gathering import Gathered, gather
from graphscore.formats.own import format_given
from graphscore.formats.registry import Guess
from graphscore.formats.source import shown
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.evaluation.tasks import Timed
    from graphscore.metrics.base import Metric

Identity = tuple[str, str, str, bytes]
"""Framework, language and id of a graph, and the digest of what scoring can see."""


HELD_GRAPHS, HELD_NODES = 1000, 20_000
"""How much is held of a side that is looked into before it is scored."""


def named(item: str, layer: str) -> str:
    """An id that is another in each layer.

    Args:
        item: the id.
        layer: the layer, or empty.
    """
    return f"{item}\0{layer}" if layer else item


@dataclass(slots=True)
class Unit:
    """Graphs that are compared together, and where the first was read.

    Args:
        graphs: at least one, all of one framework, language, layer and document.
        item: the graph's id, or the document.
        file: where the first was read.
        line: its line.

    Attributes:
        graph: the first graph: the only one of an item.
        framework: framework of the graphs.
        language: language of the graphs.
        layer: layer of the graphs, or empty.
    """

    graphs: tuple[Graph, ...]
    item: str
    file: str
    line: int | None
    lost: tuple[str, ...] = field(default=(), compare=False)
    """The documents that bad records right before it, of its framework and layer, seem
    to be of."""
    unclear: str = field(default="", compare=False)
    """Why nobody knows how many there are, if nobody does."""
    graph: Graph = field(init=False, repr=False, compare=False)
    framework: str = field(init=False, repr=False, compare=False)
    language: str = field(init=False, repr=False, compare=False)
    layer: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # All of this is asked for several times of every unit.
        self.graph = graph = self.graphs[0]
        self.framework, self.language = graph.framework, graph.language
        self.layer = graph.layer if graph.extra else ""

    @property
    def document(self) -> str:
        """Document of the graphs; several go by the name that they have together."""
        return self.item if len(self.graphs) > 1 else self.graphs[0].document

    @property
    def place(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @property
    def text(self) -> str:
        """Text of the first graph."""
        return self.graphs[0].text

    @property
    def words(self) -> int:
        """How many tokens the first graph has."""
        return len(self.graphs[0].tokens)

    @property
    def anchored(self) -> bool:
        """Whether any node of the first graph has anchors."""
        return any(node.anchors for node in self.graphs[0].nodes)

    @property
    def empty(self) -> bool:
        """Whether the first graph has no nodes."""
        return not self.graphs[0].nodes

    def identities(self) -> Iterator[Identity]:
        """Framework, language, id and digest of every graph."""
        for graph in self.graphs:
            item = named(graph.id, graph.layer)
            yield graph.framework, graph.language, item, graph.digest()

    def called(self, item: str) -> Unit:
        """The same by an id that its file does not say."""
        graph = msgspec.structs.replace(self.graph, id=item)
        return replace(self, graphs=(graph,), item=item)

    @property
    def texts(self) -> list[str]:
        """Those of the graphs."""
        return [graph.text for graph in self.graphs]

    @property
    def names(self) -> list[tuple[str, str]]:
        """Id and document of every graph."""
        return [(graph.id, graph.document) for graph in self.graphs]

    def joined(self, others: Sequence[Unit]) -> Unit:
        """One document of this one and those after it."""
        graphs = tuple(graph for unit in (self, *others) for graph in unit.graphs)
        return replace(self, graphs=graphs, item=joined_name(self.item, others))


def _kind(found: tuple[str, Problem]) -> Hashable:
    return found[0], found[1].kind


class Fetching(Protocol):
    """What reads and compares elsewhere."""

    def start(
        self,
        metrics: Sequence[Metric],
        families: Sequence[tuple[int, ...]],
        details: bool,
        executor: Executor,
    ) -> None:
        """Begin, with metrics and the numbers of those that are laid out alike."""
        ...

    def outcomes(
        self, batches: Iterable[tuple[tuple[int, ...], list[Any]]]
    ) -> Iterator[list[Timed]]:
        """What metrics of those numbers say of batches of pairs."""
        ...


class Units:
    """One side's units as a stream that remembers what it could not read.

    Args:
        operand: a file, directory, glob or ``-``; or graphs in memory.
        selection: which graphs are let through.
        reading: how files are read.
        scores: which frameworks any of the metrics scores.
        documents: whether a unit is a document rather than an item.
        seen: is told of every graph that the selection lets through.

    Attributes:
        fetch: what reads and compares elsewhere, where units are read so.
    """

    fetch: Fetching | None = None

    def __init__(
        self,
        operand: str | Iterable[Graph],
        selection: Selection,
        reading: Reading,
        scores: Callable[[str], bool],
        documents: bool = False,
        seen: Callable[[Graph], None] | None = None,
    ) -> None:
        self.operand = operand
        self.selection, self.reading, self.scores = selection, reading, scores
        self.documents, self.seen = documents, seen
        self.whole = False
        """Whether a unit is all there is of a framework, language and layer."""
        self._bad: Counter[str] = Counter()
        """How many records cannot be read, by framework."""
        self._problems: Fold[tuple[str, Problem]] = Fold(_kind)
        """Their frameworks and problems."""
        self._parts: Fold[tuple[str, Problem]] = Fold(_kind)
        """The same of parts of graphs that were read."""
        self._notes: dict[str, Notes] = {}
        """What was passed over in graphs that were read, by framework."""
        self.any = False
        """Whether any graph could be read."""
        self.unscored: dict[str, int] = {}
        self.left_alone = ""
        """Which files of a folder or pattern were not read, in a line."""
        self.guesses: dict[str, str] = {}
        """Why the first file was taken for one of its format, if that was found out."""
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._lost = LostRecords()
        self._nameless: Counter[tuple[str, str]] = Counter()
        """Bad records without an id so far, by framework and layer, empty where nobody
        knows it."""
        self._seen_frameworks: set[str] = set()
        self._astray = ""
        """The first bad record that may be of any framework."""
        given = reading.format
        self._of_any = given is not None and not format_given(given).frameworks
        """Whether a record of the file may be of any framework."""
        self._begun: Iterator[Unit] | None = None

    @property
    def rejected(self) -> int:
        """How many records cannot be read, of what is scored."""
        return sum(
            number
            for framework, number in self._bad.items()
            if self._concerns(framework)
        )

    @property
    def problems(self) -> Problems:
        """What is wrong with them."""
        return self._of(self._problems, True)

    @property
    def left_out(self) -> Problems:
        """What is wrong with parts of graphs, which are there without them."""
        return self._of(self._parts, True)

    @property
    def passed_over(self) -> Problems:
        """What is wrong with graphs that nothing scores."""
        found = self._of(self._problems, False)
        found.extend(self._of(self._parts, False))
        return found

    def notes(self, name: str) -> list[str]:
        """What was passed over in graphs that are scored, a line for each kind.

        Args:
            name: what messages call this side.
        """
        return [
            line
            for framework, notes in self._notes.items()
            if self._concerns(framework)
            for line in notes.lines(name)
        ]

    def _of(self, every: Fold[tuple[str, Problem]], concerning: bool) -> Problems:
        found = Problems()
        for (framework, problem), count in every.weighted():
            if self._concerns(framework) == concerning:
                found.add(problem, count)
        return found

    def _concerns(self, framework: str) -> bool:
        """Whether what is wrong with a framework's graphs matters here."""
        return not framework or self.scores(framework)

    def __iter__(self) -> Iterator[Unit]:
        items = self._items()
        if self.whole:
            return by_collection(items)
        return by_document(items) if self.documents else items

    def peek(self) -> None:
        """Read the first graphs; who asks for units then gets these before the rest.

        They are few enough to be held, and all are *seen*.
        """
        rest = self.selected()
        first: list[Unit] = []
        nodes = 0
        for unit in rest:
            first.append(unit)
            nodes += len(unit.graph.nodes)
            if len(first) >= HELD_GRAPHS or nodes >= HELD_NODES:
                break
        self._begun = chain(first, rest)

    def _items(self) -> Iterator[Unit]:
        begun, self._begun = self._begun, None
        scores = cache(self.scores)
        for unit in begun or self.selected():
            framework = unit.framework
            if scores(framework):
                yield unit
            else:
                self.unscored[framework] = self.unscored.get(framework, 0) + 1

    def selected(self) -> Iterator[Unit]:
        """The units that the selection lets through; what comes is seen."""
        self._numbers.clear()
        self._lost = LostRecords()
        self._nameless.clear()
        chosen = self.selection != Selection()
        for unit in self._read():
            self.any = True
            self._seen_frameworks.add(unit.framework)
            if not unit.item:
                # Before the selection, which may name it by its number.
                number = self._number(unit.framework, unit.language, unit.layer)
                unit = unit.called(str(number))
            if chosen and not self.selection.takes(
                unit.framework, unit.language, unit.item, unit.layer
            ):
                continue
            unit.lost = self._lost.before(unit.framework, unit.layer)
            unit.unclear = self._why_unclear(unit)
            if self.seen is not None:
                self._see(unit)
            yield unit

    def _see(self, unit: Unit) -> None:
        """Let a unit be seen."""
        if self.seen is not None:
            self.seen(unit.graph)

    def _read(self) -> Iterator[Unit]:
        if not isinstance(self.operand, str):
            for graph in self.operand:
                expect(graph, Graph, "a graph that is scored")
                yield Unit((graph,), graph.id, "<memory>", None)
            return
        gathered = self._gathered()
        self.left_alone = gathered.left
        for path in gathered.paths:
            name = shown(path)
            for record in self._records(path):
                if isinstance(record, Rejected):
                    if record.aside:
                        self._add_note(record.framework, record.note)
                    else:
                        self._bad[record.framework] += 1
                        for each in record.problems:
                            self._problems.add((record.framework, each))
                    self._lose(record, path)
                else:
                    for each in record.left_out:
                        self._parts.add((record.graph.framework, each))
                    for note in record.notes:
                        self._add_note(record.graph.framework, note)
                    yield self._unit(record, name)

    def _add_note(self, framework: str, note: Note) -> None:
        self._notes.setdefault(framework, Notes()).add(note)

    def _gathered(self) -> Gathered:
        """The files."""
        return gather(str(self.operand), self.reading.format)

    def _records(self, path: str) -> Iterator[Record]:
        """The records of a file."""
        return read_file(path, self.reading, partial(self._guessed, path))

    def _unit(self, record: Read, name: str) -> Unit:
        """The unit of a graph, and of the name of its file."""
        return Unit((record.graph,), record.graph.id, name, record.line)

    def _lose(self, record: Rejected, path: str) -> None:
        """Let a bad record keep its number, so that those after it keep theirs."""
        framework, layer, item = record.framework, record.layer, record.item
        if not framework and self._of_any:
            self._astray = self._astray or str(record.problems[0])
        if not item:
            number = self._nameless_before(framework, layer)
            number += self._numbers.get((framework, "", layer), 0)
            item = str(number)
            self._nameless[framework, layer] += 1
        chosen = self.selection
        # Of what framework and language it is may be unknown.
        framework = framework or next(iter(chosen.frameworks), "")
        language = next(iter(chosen.languages), "")
        if chosen.takes(framework, language, item, layer):
            document = document_of(record.item, "", path, self.reading.document)
            self._lost.add(record.framework, layer, document)

    def _nameless_before(self, framework: str, layer: str) -> int:
        """How many bad records without an id a graph comes behind."""
        return sum(self._nameless[kind] for kind in possible_kinds(framework, layer))

    def _why_unclear(self, unit: Unit) -> str:
        """Why nobody knows behind how many bad records a unit comes, if so."""
        if self._astray and len(self._seen_frameworks) > 1:
            return f"{self._astray} may be of any framework"
        if unit.lost and self.selection.languages:
            return "bad records before it may be of any language"
        return ""

    def _guessed(self, path: str, guess: Guess) -> None:
        self._of_any = not guess.format.frameworks
        if not self.guesses:
            self.guesses[shown(path)] = str(guess)

    def _number(self, framework: str, language: str, layer: str) -> int:
        """The number of the next graph without an id."""
        key = (framework, language, layer)
        number = self._numbers.get(key, 0)
        self._numbers[key] = number + 1
        return number + self._nameless_before(framework, layer)


COLLECTION = "collection"
"""What a unit is called that is all there is."""


def by_collection(items: Iterable[Unit]) -> Iterator[Unit]:
    """Join all graphs of one framework, language and layer into one unit.

    Args:
        items: units of one graph each.

    Yields:
        Units, in order of their first graphs.
    """
    gathered: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in items:
        key = (unit.framework, unit.language, unit.layer)
        gathered.setdefault(key, []).append(unit)
    for units in gathered.values():
        yield replace(_joined(units), item=COLLECTION)


def by_document(items: Iterable[Unit]) -> Iterator[Unit]:
    """Join consecutive graphs of one document into one unit.

    Layers may alternate: a document goes on until another document of the same
    framework, language and layer begins.  Documents come out in order of their ends.

    Args:
        items: units of one graph each.

    Yields:
        Units of one document each.
    """
    open_units: dict[tuple[str, str, str], list[Unit]] = {}
    counts: dict[tuple[str, str, str], LostDocuments] = {}
    for unit in items:
        key = (unit.framework, unit.language, unit.layer)
        gathered = open_units.setdefault(key, [])
        lost = counts.setdefault(key, LostDocuments())
        if gathered and gathered[-1].document != unit.document:
            yield _joined(gathered, lost)
            gathered.clear()
        lost.add(unit.document, unit.lost, unit.unclear)
        gathered.append(unit)
    for key, gathered in open_units.items():
        yield _joined(gathered, counts[key])


def _joined(gathered: list[Unit], lost: LostDocuments | None = None) -> Unit:
    first = gathered[0]
    graphs = tuple(unit.graph for unit in gathered)
    unit = Unit(graphs, first.document, first.file, first.line)
    if lost is not None:
        unit.lost, unit.unclear = lost.take(), lost.unclear
    return unit
