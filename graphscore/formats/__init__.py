"""On-disk formats: one file each, found through a registry.

:func:`read_file` is the one way in: it opens, recognises, reads and gives every
graph its document.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from io import BufferedReader
from itertools import chain
from os import PathLike, fspath
from os.path import dirname, isdir
from typing import TYPE_CHECKING, Any

import msgspec

from graphscore.exceptions import (
    GraphscoreError,
    InputError,
    LossWarning,
    Problem,
    amount,
    as_text,
    expect,
    expecting,
)
from graphscore.formats.base import (
    Format,
    Given,
    Reader,
    ReadGraph,
    Record,
    Rejected,
    Takes,
)
from graphscore.formats.document_rules import (
    DocumentRule,
    document_of,
    known_document,
)
from graphscore.formats.registry import (
    Guess,
    detect,
    format_given,
    format_named,
    formats,
    guess,
    guess_by_name,
    reader_of,
)
from graphscore.formats.source import (
    expand,
    open_lines,
    problem,
    shown,
    suffix_of,
    written_out,
)
from graphscore.formats.streams import STDIN, read_once
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from graphscore.formats.entities.inventories import Inventory
    from graphscore.formats.raw_text import Texts

__all__ = [
    "Format",
    "ReadGraph",
    "ReaderOptions",
    "Record",
    "Rejected",
    "expand",
    "formats",
    "read_file",
    "write_graphs",
]


@dataclass(frozen=True)
class ReaderOptions:
    """Options of reading files.

    Args:
        format: name of the format, or ``None`` to recognise it; also one of one's own:
            ``file.py:name``, a function that reads, or a dataclass.
        document: the user's rule for documents, if there is one.
        described: that rule in words; it tells two readings of a file apart.
        texts: raw sentences for graphs that have tokens or anchors but no text of
            their own.
        framework: the framework of files that do not say it.
        inventory: which tags are entities and which components, for formats that
            have both and do not say it.
        folder: where what belongs to a file, such as its text, may be if it is not
            beside it.
        labels: names of tags, for formats whose tags may be numbers.
        takes: the frameworks whose graphs are looked at; without, all of them.
    """

    format: Given | None = None
    document: DocumentRule | None = None
    described: str = ""
    texts: Texts | None = None
    framework: str | None = None
    inventory: Inventory | None = None
    folder: str = ""
    labels: tuple[str, ...] = ()
    takes: Takes | None = None

    def reader(self, chosen: Format) -> Reader:
        """Return the reader of a format."""
        options = self.inventory, self.folder, self.labels, self.takes
        return reader_of(chosen, *options)

    def lent(self, gold: Any) -> ReaderOptions:
        """The same, with the folder of gold to find what a system does not repeat.

        Args:
            gold: files of gold, or anything else, which has no folder.
        """
        if self.folder or not isinstance(gold, str) or not gold or gold == STDIN:
            return self
        # Asked of os.path, to which a name that no file can have is no folder.
        return replace(self, folder=gold if isdir(gold) else dirname(gold) or ".")

    @property
    def identity(self) -> str:
        """Key of the options that affect how a file is read, besides the format."""
        texts = self.texts.digest if self.texts else ""
        inventory = self.inventory.digest if self.inventory else ""
        labels = "\n".join(self.labels)
        named = (self.described, texts, self.framework or "", inventory, labels)
        return "\0".join(named).rstrip("\0")

    def applied(self, record: ReadGraph, chosen: Format, path: str) -> Record:
        """A record as the user wants it: framework, raw text and document given.

        Args:
            record: as the reader of *chosen* gave it.
            chosen: the format of the file.
            path: the file.
        """
        graph = record.graph
        if self.framework is not None and chosen.unsaid:
            graph = msgspec.structs.replace(graph, framework=self.framework)
        if self.texts is not None:
            result = self.texts.given_to(graph, shown(path), record.line)
            if not isinstance(result, Graph):
                return Rejected(record.line, result, b"", graph.framework, graph.id)
            graph = result
        document = document_of(graph.id, graph.document, path, self.document)
        if document != graph.document:
            graph = msgspec.structs.replace(graph, document=document)
        if graph is record.graph:
            return record
        return ReadGraph(record.line, graph, record.left_out, record.notes)


def format_of(path: str, reading: ReaderOptions) -> Format:
    """The format in which *path* would be read (not for standard input)."""
    if reading.format is not None:
        return format_given(reading.format)
    with open_lines(path) as stream:
        return detect(stream, path)


@expecting(path=str | PathLike, reading=ReaderOptions | None, guessed=Callable | None)
def read_file(
    path: str,
    reading: ReaderOptions | None = None,
    guessed: Callable[[Guess], None] | None = None,
) -> Iterator[Record]:
    """Read one file, record by record.

    Args:
        path: a file, plain or compressed, or ``-``.
        reading: format and documents; by default both are found out.
        guessed: is told the format where it is found out.

    Yields:
        Graphs, with their documents, and rejected records, in file order.

    Raises:
        InputError: if the file as a whole cannot be read.
    """
    path, reading = fspath(path), reading or ReaderOptions()
    # Readers find what stands beside a file by its name.
    name = "<stdin>" if path == STDIN else path
    recognized, needed = None, reading.texts
    lacking = having = 0
    with ExitStack() as files:
        stream = files.enter_context(open_lines(path))
        if reading.format is None:
            recognized, records = _recognize(files, stream, path, name, reading)
            chosen = recognized.format
            if guessed is not None:
                guessed(recognized)
        else:
            chosen = format_given(reading.format)
            records = reading.reader(chosen)(stream, name)
        if written_out(name) != name:
            records = _legible(records)
        # Until a record has borne out what the file was taken for.
        doubtful, named = recognized is not None, suffix_of(path) in chosen.suffixes
        empty = True
        try:
            for record in records:
                empty = False
                if isinstance(record, ReadGraph):
                    if needed is not None and needed.wanted_by(record.graph):
                        has_one = needed.sentence(record.graph.id) is not None
                        lacking, having = lacking + (not has_one), having + has_one
                    record = reading.applied(record, chosen, path)
                if doubtful:
                    if isinstance(record, ReadGraph):
                        doubtful = not named
                    else:
                        record = record._replace(
                            problems=_with_guess(record.problems, recognized)
                        )
                        doubtful = False
                yield record
            if needed is not None and lacking > 1 and not having:
                raise problem(
                    path,
                    f"{amount(lacking, 'item')} without a sentence in {needed.path}",
                    "a table of the sentences of this file",
                )
            if empty:
                raise problem(path, "a file without graphs", "at least one graph")
        except InputError as error:
            if not doubtful:
                raise
            problems = _with_guess(error.problems, recognized)
            raise InputError(problems, error.summary) from None


def _recognize(
    files: ExitStack,
    stream: BufferedReader[Any],
    path: str,
    name: str,
    reading: ReaderOptions,
) -> tuple[Guess, Iterator[Record]]:
    """Find out the format of a file, and begin to read it.

    Where the ending of its name decides, its first record is read once: only if that
    is a bad one the content is looked at.

    Args:
        files: closes what is opened again.
        stream: the file, at its beginning.
        path: its name.
        name: what readers call it.
        reading: how it is read.
    """
    named = None if read_once(path) else guess_by_name(stream, path)
    if named is not None:
        read = reading.reader(named.format)
        records = read(stream, name)
        try:
            first = next(records, None)
        except InputError:
            first = None
        if isinstance(first, ReadGraph):
            return named, chain((first,), records)
        stream = files.enter_context(open_lines(path))
    result = guess(stream, path)
    read = reading.reader(result.format)
    return result, read(stream, name)


def _with_guess(
    problems: tuple[Problem, ...], guess: Guess | None
) -> tuple[Problem, ...]:
    return (*(p._replace(guess=str(guess)) for p in problems[:1]), *problems[1:])


def _legible(records: Iterator[Record]) -> Iterator[Record]:
    """Yield records of a file whose name, which they have taken up, is no text."""
    try:
        for record in records:
            if isinstance(record, ReadGraph):
                graph = msgspec.structs.replace(
                    record.graph,
                    id=as_text(record.graph.id),
                    document=as_text(record.graph.document),
                )
                yield record._replace(
                    graph=graph,
                    left_out=_with_shown_names(record.left_out),
                    notes=tuple(
                        note._replace(problem=problem)
                        for note in record.notes
                        for problem in _with_shown_names((note.problem,))
                    ),
                )
            else:
                problems = _with_shown_names(record.problems)
                item = as_text(record.item)
                yield record._replace(problems=problems, item=item)
    except InputError as error:
        raise InputError(_with_shown_names(error.problems), error.summary) from None


def _with_shown_names(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems with the name of their file as it is shown."""
    return tuple(
        p._replace(
            file=written_out(p.file),
            where=written_out(p.where),
            found=written_out(p.found),
        )
        for p in problems
    )


@expecting(graphs=Iterable, name=str)
def write_graphs(graphs: Iterable[Graph], name: str) -> Iterator[bytes]:
    """Write graphs in the format *name*, piece by piece.

    Args:
        graphs: any graphs that the format can hold.
        name: the format.

    Returns:
        The bytes of the file.  After the last of them comes the warning.  Graphs of one
        document do not lose it: it is what the file is called.

    Raises:
        UsageError: if the format is unknown.
        GraphscoreError: if it cannot be written.

    Warns:
        LossWarning: if the format has no place for something that graphs say, with
            the number of graphs, in the words of ``convert``.
    """
    chosen = format_named(name)
    if chosen.write is None:
        raise GraphscoreError(f"the format {name} can be read but not written")
    return _warning(chosen, graphs)


def _warning(chosen: Format, graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file, and a warning of what is not in it."""
    # Who only reads needs none of it.
    from graphscore.formats.round_trip import Losses, write_with_losses

    losses = Losses(chosen.name)
    documents: set[str] = set()

    def checked() -> Iterator[Graph]:
        for graph in graphs:
            expect(graph, Graph, "a graph that is written")
            documents.add(graph.document)
            if chosen.lost is not None:
                losses.add(chosen.lost(graph))
            yield graph

    def lose(graph: Graph, lost: tuple[str, ...]) -> None:
        if chosen.lost is None:
            known = graph.document == known_document(graph.id)
            losses.add(each for each in lost if each != "documents" or not known)

    yield from write_with_losses(chosen, checked(), lose)
    if len(documents) == 1:
        losses.without("documents")
    if losses:
        warnings.warn(str(losses), LossWarning, stacklevel=2)
