"""Files as a source of units, with what exists for files alone.

Bad records are counted and keep their numbers, items without an id are numbered on,
and problems are folded, so that a file of nothing but bad records takes little memory.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from os.path import isfile

import msgspec

from graphscore.duplicates import DuplicateCounter
from graphscore.evaluation.options import Selection
from graphscore.evaluation.sources.base import Losses, UnitSource
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import Problem, Problems, amount, and_more
from graphscore.formats import ReaderOptions, Rejected, read_file
from graphscore.formats.base import Note, Notes, ReadGraph, Record, Takes
from graphscore.formats.discovery import gather
from graphscore.formats.document_rules import document_of
from graphscore.formats.registry import Guess, format_given
from graphscore.formats.source import shown
from graphscore.metrics.base import Unit as UnitKind


class FileSource(UnitSource):
    """Files that are read as they are scored.

    Args:
        operand: a file, directory, glob or ``-``.
        selection: which graphs take part.
        reading: how files are read.

    Attributes:
        operand: the same.
        reading: the same.
    """

    def __init__(
        self, operand: str, selection: Selection, reading: ReaderOptions
    ) -> None:
        super().__init__(shown(operand))
        self.operand, self._selection, self.reading = operand, selection, reading
        self._everything = selection == Selection()
        self._gone_through = False
        self._begin()

    def _begin(self) -> None:
        """Forget what was noted when the files were read before."""
        self._bad: Counter[str] = Counter()
        """Number of records that cannot be read, by framework."""
        self._problems: defaultdict[str, DuplicateCounter[tuple[str, Problem]]]
        self._problems = defaultdict(partial(DuplicateCounter, _kind))
        """Frameworks and problems of these ``records``, and of ``parts`` of others."""
        self._notes: dict[str, Notes] = {}
        """Ignored parts of graphs that were read, by framework."""
        self._any = False
        self._left_alone = ""
        """Files of a folder or pattern that were not read, in a line."""
        self._guesses: dict[str, str] = {}
        """Why the first file was taken for one of its format."""
        self._numbers = Numbers(self.reading)

    def units(self, kind: UnitKind, takes: Takes) -> Iterator[Unit]:
        """Return the units that are scored, in order.

        Args:
            kind: whether a unit is an item, a document or all there is.
            takes: whether a framework is scored; other graphs are counted.
        """
        # Of what is watched every graph is looked at.
        if self._begun is None:
            self._begun = self._units_of(replace(self.reading, takes=takes))
        return super().units(kind, takes)

    def items(self) -> Iterator[Unit]:
        """Return the graphs of all files that take part.

        Raises:
            InputError: if a file as a whole cannot be read.
        """
        return self._units_of(self.reading)

    def _units_of(self, reading: ReaderOptions) -> Iterator[Unit]:
        if self._gone_through:
            self._begin()
        self._gone_through = True
        return filter(None, map(self._unit, self.records(reading)))

    def records(self, reading: ReaderOptions) -> Iterator[tuple[str, str, Record]]:
        """Return all records, each with its file and what messages call that.

        Nothing is opened before the first one is asked for.

        Args:
            reading: how files are read.

        Raises:
            InputError: if a file as a whole cannot be read.
        """
        records_of = partial(self._records_of, reading)
        if isfile(self.operand):
            return records_of(self.operand)
        paths = chain.from_iterable(map(self._gather, (self.operand,)))
        return chain.from_iterable(map(records_of, paths))

    def _gather(self, operand: str) -> list[str]:
        gathered = gather(operand, self.reading.format)
        self._left_alone = gathered.left
        return gathered.paths

    def _records_of(
        self, reading: ReaderOptions, path: str
    ) -> Iterator[tuple[str, str, Record]]:
        if reading.format is not None:
            self.metric = format_given(reading.format).metric
        records = read_file(path, reading, partial(self._note_guess, path))
        return zip(repeat(path), repeat(shown(path)), records, strict=False)

    def _unit(self, row: tuple[str, str, Record]) -> Unit | None:
        """Return the unit of a record; ``None`` if it is bad, or takes no part."""
        path, name, record = row
        numbers = self._numbers
        if isinstance(record, Rejected):
            self._reject(record, path)
            return None
        graph = record.graph
        if record.left_out or record.notes:
            self._note(record)
        self._any = True
        unit = Unit((graph,), graph.id, name, record.line)
        numbers.frameworks.add(unit.framework)
        if not unit.item:
            numbers.number(unit)
        if not self._everything and not self._selection.takes(
            unit.framework, unit.language, unit.item, unit.layer
        ):
            return None
        if numbers.lost is not None:
            numbers.place(unit, self._selection)
        return unit

    def losses(self, takes: Takes) -> Losses:
        """Say what could not be read, of what concerns the frameworks that are scored.

        Args:
            takes: whether a framework is scored.
        """

        def concerns(framework: str) -> bool:
            return not framework or bool(takes(framework))

        notes = [self._left_alone] if self._left_alone else []
        notes += [
            line
            for framework, note in self._notes.items()
            if concerns(framework)
            for line in note.lines(self.name)
        ]
        hints = [f"{path}: {why}" for path, why in self._guesses.items()]
        if not self._bad and not self._problems:
            return Losses(notes=notes, hints=hints, any=self._any)
        bad, parts = self._problems["records"], self._problems["parts"]
        problems, left_out = _problems_of(bad, concerns), _problems_of(parts, concerns)
        unusable = Problems(problems)
        unusable.extend(left_out)
        passed_over = _problems_of(bad, lambda name: not concerns(name))
        passed_over.extend(_problems_of(parts, lambda name: not concerns(name)))
        if passed_over:
            notes.append(
                f"{self.name}: {amount(len(passed_over), 'problem')} in layers that "
                f"nothing here scores, first {next(iter(passed_over))}"
            )
        return Losses(
            [f"{problem}{and_more(count)}" for problem, count in problems.weighted()],
            sum(n for framework, n in self._bad.items() if concerns(framework)),
            left_out,
            unusable,
            notes,
            hints,
            self._any,
        )

    def _note_guess(self, path: str, guess: Guess) -> None:
        """Note how the format of a file was found out."""
        self._numbers.of_any = not guess.format.frameworks
        self.metric = guess.format.metric
        if not self._guesses:
            self._guesses[shown(path)] = str(guess)

    def _reject(self, record: Rejected, path: str) -> None:
        """Note a bad record."""
        if record.aside:
            self._add_note(record.framework, record.note)
        else:
            self._bad[record.framework] += 1
            for problem in record.problems:
                self._problems["records"].add((record.framework, problem))
        self._numbers.lose(record, path, self._selection)

    def _note(self, record: ReadGraph) -> None:
        """Note what was left out of, or passed over in, a record that was read."""
        for problem in record.left_out:
            self._problems["parts"].add((record.graph.framework, problem))
        for note in record.notes:
            self._add_note(record.graph.framework, note)

    def _add_note(self, framework: str, note: Note) -> None:
        self._notes.setdefault(framework, Notes()).add(note)


class Numbers:
    """Numbers of items without an id, and of bad records, which keep theirs.

    Args:
        reading: how the files are read.

    Attributes:
        of_any: whether a record of the file at hand may be of any framework.
        frameworks: those of the units so far.
        lost: the bad records, if there was any.
    """

    def __init__(self, reading: ReaderOptions) -> None:
        format = reading.format
        self.of_any = format is not None and not format_given(format).frameworks
        self.lost: LostRecords | None = None
        self._reading = reading
        self._numbers: Counter[tuple[str, str, str]] = Counter()
        self._nameless: Counter[tuple[str, str]] = Counter()
        """Bad records without an id so far, by framework and layer, empty where nobody
        knows it."""
        self.frameworks: set[str] = set()
        self._astray = ""
        """The first bad record that may be of any framework."""

    def number(self, unit: Unit) -> None:
        """Give a unit its number as its id, where its file says none.

        Args:
            unit: the next one that was read.
        """
        key = unit.framework, unit.language, unit.layer
        number = self._numbers[key]
        self._numbers[key] = number + 1
        if self._nameless:
            number += self._nameless_before(unit.framework, unit.layer)
        unit.item = str(number)
        unit.graphs = (msgspec.structs.replace(unit.graph, id=unit.item),)

    def place(self, unit: Unit, selection: Selection) -> None:
        """Say in a unit which bad records come before it.

        Args:
            unit: one that takes part.
            selection: what takes part.
        """
        if self.lost is not None:
            unit.lost = self.lost.before(unit.framework, unit.layer)
        if self._astray and len(self.frameworks) > 1:
            unit.unclear = f"{self._astray} may be of any framework"
        elif unit.lost and selection.languages:
            unit.unclear = "bad records before it may be of any language"

    def lose(self, record: Rejected, path: str, selection: Selection) -> None:
        """Let a bad record keep its number, so that those after it keep theirs.

        Args:
            record: the bad record.
            path: its file.
            selection: what takes part.
        """
        self.lost = self.lost or LostRecords()
        framework, layer, item = record.framework, record.layer, record.item
        if not framework and self.of_any:
            self._astray = self._astray or str(record.problems[0])
        if not item:
            number = self._nameless_before(framework, layer)
            item = str(number + self._numbers[framework, "", layer])
            self._nameless[framework, layer] += 1
        # Of what framework and language it is may be unknown.
        framework = framework or next(iter(selection.frameworks), "")
        language = next(iter(selection.languages), "")
        if selection.takes(framework, language, item, layer):
            document = document_of(record.item, "", path, self._reading.document)
            self.lost.add(record.framework, layer, document)

    def _nameless_before(self, framework: str, layer: str) -> int:
        """Return how many bad records without an id a graph comes behind."""
        return sum(self._nameless[kind] for kind in possible_kinds(framework, layer))


def possible_kinds(framework: str, layer: str) -> set[tuple[str, str]]:
    """Return the keys of bad records that may be of a framework and layer."""
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


def _kind(pair: tuple[str, Problem]) -> Hashable:
    return pair[0], pair[1].kind


def _problems_of(
    every: DuplicateCounter[tuple[str, Problem]], takes: Takes
) -> Problems:
    problems = Problems()
    for (framework, problem), count in every.weighted():
        if takes(framework):
            problems.add(problem, count)
    return problems
