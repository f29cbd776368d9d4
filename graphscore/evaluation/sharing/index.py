"""Index of the records of files that have one record a line, by their ids.

Lines are found and their ids looked at, but no graph is read here.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphscore.evaluation.options import Selection
from graphscore.evaluation.sources.base import Losses
from graphscore.evaluation.sources.files import FileSource
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReaderOptions
from graphscore.formats.base import Format, LineKey, ReadGraph, Record
from graphscore.formats.discovery import gather
from graphscore.formats.registry import Guess, format_given, format_named, guess
from graphscore.formats.shared.json_values import one_to_a_line
from graphscore.formats.source import BOM, open_lines, open_raw, shown, written_out
from graphscore.formats.streams import read_once

LONGEST_LINE = 1 << 24
"""Files with longer lines have no index: so much is held at once."""


class Run(NamedTuple):
    """Lines of a file that stand one after the other."""

    path: str
    format: str
    start: int
    """The byte in which they begin."""
    end: int
    """The byte behind them."""
    number: int
    """Number of the first line, from 1."""
    place: int
    """Number of lines in the files before, by which places count through all files."""
    keys: list[LineKey]
    """Expected keys of the records."""


class UnfitError(Exception):
    """Raised by who reads records of an index that are not what was expected."""


@dataclass
class Index:
    """The records of all files of a side, in order.

    Attributes:
        left: which files were not read, in a line.
        files: the files, the format of each, how that was found out, and the number of
            lines in those before.
        file: for every record the number of its file.
        starts: the bytes in which records begin.
        ends: the bytes behind them.
        numbers: their lines, from 1.
        keys: what can be seen of their identities.
    """

    left: str = ""
    files: list[tuple[str, Format, Guess | None, int]] = field(default_factory=list)
    file: array[int] = field(default_factory=lambda: array("l"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    numbers: array[int] = field(default_factory=lambda: array("q"))
    keys: list[LineKey] = field(default_factory=list)
    _lines: int = 0

    def runs(self, records: Iterable[int]) -> list[Run]:
        """Return the lines of records, consecutive ones together.

        Args:
            records: their numbers.
        """
        result: list[Run] = []
        last = -1
        for record in records:
            file, end = self.file[record], self.ends[record]
            if result and file == last and result[-1].end == self.starts[record]:
                result[-1].keys.append(self.keys[record])
                result[-1] = result[-1]._replace(end=end)
                continue
            path, format, _, before = self.files[file]
            start, number = self.starts[record], self.numbers[record]
            key = [self.keys[record]]
            result.append(Run(path, format.name, start, end, number, before, key))
            last = file
        return result

    def losses(self) -> Losses:
        """Return the notes on files of which every record could be read."""
        hints = [f"{shown(path)}: {why}" for path, _, why, _ in self.files if why]
        return Losses(notes=[self.left] if self.left else [], hints=hints[:1], any=True)

    def add(self, path: str, reading: ReaderOptions) -> bool:
        """Take in a file, if each of its records has a line and an id of its own.

        Args:
            path: the file.
            reading: how it is read.

        Returns:
            Whether it could be.
        """
        if read_once(path) or written_out(path) != path:
            return False
        with open_lines(path) as stream:
            if type(stream.raw) is not io.FileIO:
                # Compressed, or of lines that end in another way.
                return False
            guessed = None if reading.format is not None else guess(stream, path)
            chosen = guessed.format if guessed else format_given(reading.format or "")
            if chosen.lines is None or chosen.source or not one_to_a_line(stream):
                return False
            self.files.append((path, chosen, guessed, self._lines))
            stream.seek(0)
            return self._find(stream, chosen.lines.key)

    def _find(
        self,
        stream: io.BufferedReader[Any],
        key_of: Callable[[bytes], LineKey | None],
    ) -> bool:
        """Note where the lines of a file are, and their ids."""
        file, start, number, before = len(self.files) - 1, 0, 0, len(self.keys)
        while raw := stream.readline(LONGEST_LINE):
            if len(raw) == LONGEST_LINE:
                return False
            end, number = start + len(raw), number + 1
            text = raw.removeprefix(BOM) if number == 1 else raw
            if not text.isspace() and text:
                key = key_of(text)
                if key is None or not key[1]:
                    return False
                self.file.append(file)
                self.starts.append(start)
                self.ends.append(end)
                self.numbers.append(number)
                self.keys.append(key)
            start = end
        self._lines += number
        return len(self.keys) > before


def index_of(operand: str, reading: ReaderOptions) -> Index | None:
    """The index of a side, if its records can be read each by itself.

    Args:
        operand: a file, a directory or a pattern.
        reading: how files are read.

    Returns:
        ``None`` if they cannot, for whatever reason: who reads them as a whole says
        what is wrong with them.
    """
    # Rules and tables are of this process.
    if reading.document or reading.texts or reading.inventory:
        return None
    index = Index()
    try:
        gathered = gather(operand, reading.format)
        index.left = gathered.left
        whole = all(index.add(path, reading) for path in gathered.paths)
    except GraphscoreError:
        return None
    return index if whole and index.files else None


class RecordSource(FileSource):
    """Some records of files, each of which is as good as its index says.

    Args:
        operand: the files.
        selection: which graphs take part.
        reading: how they are read.
        runs: the records.
    """

    def __init__(
        self,
        operand: str,
        selection: Selection,
        reading: ReaderOptions,
        runs: Sequence[Run],
    ) -> None:
        super().__init__(operand, selection, reading)
        self._runs = runs
        self._before = {shown(run.path): run.place for run in runs}

    def place(self, unit: Unit) -> int:
        """The place of a unit: the number of its line among those of all files.

        Args:
            unit: of this source.
        """
        assert unit.line is not None
        return self._before[unit.file] + unit.line

    def records(self) -> Iterator[tuple[str, str, Record]]:
        """Return the records.

        Raises:
            UnfitError: if one is bad, or there is more to say of it than it holds.
        """
        for run in self._runs:
            chosen, name = format_named(run.format), shown(run.path)
            assert chosen.lines is not None
            with open_raw(run.path) as stream:
                stream.seek(run.start)
                raw = stream.read(run.end - run.start)
            if run.number == 1:
                raw = raw.removeprefix(BOM)
            keys = iter(run.keys)
            lines = enumerate(io.BytesIO(raw), run.number)
            for record in chosen.lines.read(lines, run.path):
                if not isinstance(record, ReadGraph) or record.left_out or record.notes:
                    raise UnfitError
                record = self.reading.applied(record, chosen, run.path)
                if not isinstance(record, ReadGraph):
                    raise UnfitError
                graph = record.graph
                if (graph.framework, graph.id) != next(keys, None):
                    raise UnfitError
                yield run.path, name, record
            if next(keys, None) is not None:
                raise UnfitError
