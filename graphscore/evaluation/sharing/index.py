"""Index of the records of files that have one record a line, or of their documents.

Lines and documents are found and their ids looked at, but no graph is read here.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from typing import Any, NamedTuple

from graphscore.evaluation.options import Selection
from graphscore.evaluation.sources.base import Losses
from graphscore.evaluation.sources.files import FileSource
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReaderOptions
from graphscore.formats.base import (
    DocumentFormat,
    Format,
    LineKey,
    ReadGraph,
    Record,
    Takes,
)
from graphscore.formats.discovery import gather
from graphscore.formats.registry import Guess, format_given, format_named, guess
from graphscore.formats.shared.json_values import one_to_a_line
from graphscore.formats.source import BOM, open_lines, open_raw, shown, written_out
from graphscore.formats.streams import read_once
from graphscore.metrics.base import Unit as UnitKind

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
    kind: UnitKind
    """What has a key: a record or a document."""
    shared: bytes
    """The line by which all documents are read, if there is one."""
    keys: list[LineKey]
    """Expected keys, those of documents without a framework."""


class UnfitError(Exception):
    """Raised by who reads records of an index that are not what was expected."""


@dataclass
class Index:
    """The records of all files of a side, in order.

    Args:
        kind: whether records are items, or whole documents.

    Attributes:
        left: which files were not read, in a line.
        files: the files, the format of each, how that was found out, and the number of
            lines in those before.
        file: for every record the number of its file.
        starts: the bytes in which records begin.
        ends: the bytes behind them.
        numbers: their lines, from 1.
        keys: what can be seen of their identities.
        shared: by the number of a file the line by which all its documents are read.
    """

    kind: UnitKind = "item"
    left: str = ""
    files: list[tuple[str, Format, Guess | None, int]] = field(default_factory=list)
    file: array[int] = field(default_factory=lambda: array("l"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    numbers: array[int] = field(default_factory=lambda: array("q"))
    keys: list[LineKey] = field(default_factory=list)
    shared: dict[int, bytes] = field(default_factory=dict)
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
            place = start, end, number, before
            shared = self.shared.get(file, b"")
            result.append(Run(path, format.name, *place, self.kind, shared, key))
            last = file
        return result

    def losses(self) -> Losses:
        """Return the notes on files of which every record could be read."""
        hints = [f"{shown(path)}: {why}" for path, _, why, _ in self.files if why]
        return Losses(notes=[self.left] if self.left else [], hints=hints[:1], any=True)

    def add(self, path: str, reading: ReaderOptions) -> bool:
        """Take in a file, if each record has a line, or lines, and an id of its own.

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
            self.files.append((path, chosen, guessed, self._lines))
            if self.kind == "document":
                documents = chosen.documents
                return bool(documents and self._find_documents(stream, documents))
            if chosen.lines is None or chosen.source or not one_to_a_line(stream):
                return False
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

    def _find_documents(
        self, stream: io.BufferedReader[Any], documents: DocumentFormat
    ) -> bool:
        """Note where the documents of a file are, and their names."""
        names: dict[int, str] = {}
        with mmap(stream.fileno(), 0, access=ACCESS_READ) as data:
            end = 0
            while (sign := data.find(documents.sign, end)) >= 0:
                start, end, line = _comment_at(data, sign)
                name = documents.begins(line) if line else ""
                if name is not None:
                    if not name or start in names:
                        return False
                    names[start] = name
            starts = [*names, len(data)]
            if not names or data[: starts[0]].strip():
                return False
            if (shared := data.find(documents.shared)) >= 0:
                start, end, line = _comment_at(data, shared)
                again = data.find(documents.shared, end) >= 0
                if start != starts[0] or not line or again:
                    return False
                self.shared[len(self.files) - 1] = line
            number = 1
            for start, end in pairwise(starts):
                self.file.append(len(self.files) - 1)
                self.starts.append(start)
                self.ends.append(end)
                self.numbers.append(number)
                self.keys.append(("", names[start]))
                number += data[start:end].count(b"\n")
        self._lines += number
        return True


def _comment_at(data: mmap, sign: int) -> tuple[int, int, bytes]:
    """The comment that something stands in, with where its paragraph begins.

    Args:
        data: the file.
        sign: what stands in it.

    Returns:
        Where the paragraph begins, where the line ends, and the line; an empty one if
        anything but comments is before it in its paragraph, or it is none itself.
    """
    blank, end = data.rfind(b"\n\n", 0, sign), data.find(b"\n", sign)
    start, end = blank + 2 if blank >= 0 else 0, end if end >= 0 else len(data)
    lines = data[start:end].removeprefix(BOM).lstrip(b"\r\n").split(b"\n")
    whole = all(line.startswith(b"#") for line in lines)
    return start, end, lines[-1] if whole else b""


def index_of(
    operand: str, reading: ReaderOptions, kind: UnitKind = "item"
) -> Index | None:
    """The index of a side, if its records can be read each by itself.

    Args:
        operand: a file, a directory or a pattern.
        reading: how files are read.
        kind: whether records are items, or whole documents.

    Returns:
        ``None`` if they cannot, for whatever reason: who reads them as a whole says
        what is wrong with them.
    """
    # Rules and tables are of this process.
    if reading.document or reading.texts or reading.inventory:
        return None
    index = Index(kind)
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

    def records(self, reading: ReaderOptions) -> Iterator[tuple[str, str, Record]]:
        """Return the records.

        Args:
            reading: how they are read.

        Raises:
            UnfitError: if one is bad, or there is more to say of it than it holds.
        """
        for run in self._runs:
            chosen, name = format_named(run.format), shown(run.path)
            with open_raw(run.path) as stream:
                stream.seek(run.start)
                raw = stream.read(run.end - run.start)
            if run.number == 1:
                raw = raw.removeprefix(BOM)
            keys = iter(run.keys)
            last: LineKey | None = None
            for record in _records(run, chosen, raw, reading.takes or bool):
                if not isinstance(record, ReadGraph) or record.left_out or record.notes:
                    raise UnfitError
                record = reading.applied(record, chosen, run.path)
                if not isinstance(record, ReadGraph) or not record.graph.id:
                    raise UnfitError
                graph = record.graph
                key = graph.framework, graph.id
                if run.kind == "document":
                    key = "", graph.document
                if (run.kind == "item" or key != last) and key != next(keys, None):
                    raise UnfitError
                last = key
                yield run.path, name, record
            if next(keys, None) is not None:
                raise UnfitError


def _records(run: Run, chosen: Format, raw: bytes, takes: Takes) -> Iterator[Record]:
    """Return the records of lines of a file."""
    stream, before = io.BytesIO(raw), run.number - 1
    if run.kind == "document":
        assert chosen.documents is not None
        return chosen.documents.read(stream, run.path, before, run.shared, takes)
    assert chosen.lines is not None
    return chosen.lines.read(enumerate(stream, run.number), run.path)
