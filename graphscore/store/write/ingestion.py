"""From records to rows: one file, one transaction, whole or not at all.

A file that is there already changes nothing.  An item that is there already
from another file is refused with both places, unless it shall be replaced.  A
record that cannot be read refuses the whole file, with everything that is wrong
with it, unless the good records shall be kept; then the bad ones are kept too,
as ``rejected`` rows.

Records are streamed: memory holds a few hundred graphs, however long the file.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Integer, cast, delete, func, or_, select, update

from graphscore.exceptions import (
    InputError,
    InvalidGraphError,
    Problem,
    Problems,
    UsageError,
    listed,
)
from graphscore.formats.base import Notes, ReadGraph, Record, Rejected
from graphscore.formats.source import stem_of
from graphscore.formats.streams import read_once
from graphscore.lazy import rarely_collected
from graphscore.model.graph import Graph
from graphscore.store import schema
from graphscore.store.database import Database
from graphscore.store.integrity import checked
from graphscore.store.write.cells import bulk_insert
from graphscore.store.write.constant_ids import Apart
from graphscore.store.write.graph_rows import GraphRows, PreparedGraph, nul_in
from graphscore.store.write.incoming import (
    Candidate,
    ItemKey,
    NumberKey,
    Place,
    as_rejected,
    describe,
    find_places,
    mark_stale,
    next_numbers,
    obtain_collection,
    writable,
)
from graphscore.store.write.rows import batched, next_id, now

CHUNK = 256
"""Records in memory at a time."""

STREAMS = frozenset({"-", "<stdin>"})
"""Names that say nothing about which file it is."""

MEMORY = "<memory>"
"""The name of graphs that come from no file."""

Progress = Callable[[int], None]
"""Takes the number of records read so far."""


COLUMNS = ("file", "collection", "graphs", "frameworks", "rejected", "state")
"""Columns of the reports on files."""


class IngestReport(NamedTuple):
    """Report on the ingestion of one file."""

    path: str
    collection: str
    frameworks: dict[str, int]
    """Graphs that went in, by framework."""
    rejected: int
    """Bad records that were kept as ``rejected`` rows."""
    replaced: int
    """Graphs that took the place of an earlier one of the same identity."""
    removed: int
    """Graphs of an earlier version of the file that it has no more."""
    numbered: int
    """Graphs without an id, or all of one, which were given a running number."""
    unchanged: bool
    """The file was stored already, so that nothing was done."""
    left_out: tuple[Problem, ...] = ()
    """Parts of graphs that went in that could not be read, and did not."""
    unnamed: Mapping[str, str] = MappingProxyType({})
    """The id that all graphs of a framework had, which named none of them."""
    notes: tuple[str, ...] = ()
    """Ignored parts of its records, which nothing needs, a line for each kind."""

    @property
    def graphs(self) -> int:
        """Number of graphs that went in."""
        return sum(self.frameworks.values())

    @property
    def state(self) -> str:
        """Return the report in one line."""
        if self.unchanged:
            return f"is in {self.collection} already, nothing changed"
        counts = {
            "replaced": self.replaced,
            "removed": self.removed,
            "without an id of their own, numbered on": self.numbered,
            "bad records left out": self.rejected,
            "bad parts of records left out": len(self.left_out),
        }
        more = [f"{count} {text}" for text, count in counts.items() if count]
        return ", ".join([f"{self.graphs} graphs into {self.collection}", *more])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "file": self.path,
            "collection": self.collection,
            "graphs": self.graphs,
            "frameworks": dict(sorted(self.frameworks.items())),
            "rejected": self.rejected,
            "replaced": self.replaced,
            "removed": self.removed,
            "numbered": self.numbered,
            "unchanged": self.unchanged,
        }

    def flat(self) -> tuple[Any, ...]:
        """The same as a row of :data:`COLUMNS`."""
        graphs = sorted(self.frameworks.items())
        frameworks = " ".join(f"{name}:{count}" for name, count in graphs)
        state = "unchanged" if self.unchanged else "new"
        if self.replaced or self.removed:
            state = "replaced"
        return (
            *(self.path, self.collection, self.graphs, frameworks),
            *(self.rejected, state),
        )


def check_name(collection: str) -> None:
    """Refuse names that no database holds, or that nobody can ask for.

    Args:
        collection: the name.

    Raises:
        UsageError: for such a name.
    """
    bad = next((c for c in collection if c == "\0" or "\ud800" <= c <= "\udfff"), "")
    if bad or not collection:
        known = (
            "NUL" if bad == "\0" else f"U+{ord(bad):04X}, half of a pair" if bad else ""
        )
        expected = f"a name without {known}" if bad else "a name"
        raise UsageError(f"found collection {collection!r}, expected {expected}")


_FIELDS = re.compile(r"\{(stem|parent)\}")


def collection_of(pattern: str, path: str) -> str:
    """Return the name of the collection that a file goes into.

    Args:
        pattern: a name, in which ``{stem}`` stands for the name of the file without
            its ending, and ``{parent}`` for that of its folder.
        path: the file.

    Raises:
        UsageError: for a stream, which has no such names.

    Example:
        >>> collection_of("{parent}-{stem}", "peking/run1.mrp.gz")
        'peking-run1'
    """
    if not _FIELDS.search(pattern):
        return pattern
    if path in STREAMS or read_once(path):
        raise UsageError(
            f"{path} has no name to call a collection by: --as NAME gives it one"
        )
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    names = {"stem": stem_of(path), "parent": folder}
    return _FIELDS.sub(lambda field: names[field[1]], pattern)


def ingest(
    database: Database,
    records: Iterable[Record],
    *,
    path: str,
    format: str,
    digest: bytes,
    collection: str,
    replace: bool = False,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> IngestReport:
    """Put one file into a collection, which is made if there is none.

    Args:
        database: a store that is open for writing.
        records: what a reader gives for the file; not touched if the file is
            there already.
        path: the file as its user named it; absolute or relative to the
            current directory, it also tells which file this is a new version of.
        format: name of the format.
        digest: fingerprint of the file's bytes.
        collection: name of the collection.
        replace: whether graphs of the same identity are replaced, and those of
            an earlier version of the file removed.
        keep_going: whether good records are kept although others are bad.
        progress: is told now and then how many records have been read.

    Returns:
        What was done.

    Raises:
        InputError: bad records, items that are there already, or no record at
            all; nothing has changed.
        StoreError: the database cannot be written; nothing has changed.
        UsageError: the collection has no name, or one that cannot be asked for.
    """
    check_name(collection)
    with rarely_collected(), database.writing() as connection:
        task = _Ingest(connection, path, collection, replace, keep_going)
        if task.is_unchanged(digest):
            return IngestReport(path, collection, {}, 0, 0, 0, 0, True)
        task.begin(format, digest)
        read = 0
        every = Apart(records)
        for chunk in batched(every, CHUNK):
            task.add(chunk)
            read += len(chunk)
            if progress is not None:
                progress(read)
        return task.finish()._replace(unnamed=every.unnamed)


def drop_empty_files(connection: Connection, collection: int) -> None:
    """Forget files all of whose graphs have been replaced.

    Args:
        connection: a writing connection.
        collection: id of the collection.
    """
    table, graph = schema.ingest, schema.graph
    held = select(graph.c.id).where(graph.c.ingest == table.c.id).exists()
    connection.execute(
        delete(table).where(
            table.c.collection == collection, table.c.rejected == 0, ~held
        )
    )


class _Ingest:
    """The state of one file's way into the store."""

    def __init__(
        self,
        connection: Connection,
        path: str,
        collection: str,
        replace: bool,
        keep_going: bool,
    ) -> None:
        self.connection = connection
        self.path = path
        self.name = collection
        self.replace = replace
        self.keep_going = keep_going
        self.collection = obtain_collection(connection, collection)
        self.ingest = next_id(connection, schema.ingest)
        self.graph = next_id(connection, schema.graph)
        self.rows = GraphRows(connection)
        self.refuses_nul = connection.dialect.name == "postgresql"
        self.problems = Problems()
        self.clashes: dict[str, list[tuple[int, ItemKey, int]]] = {}
        """Items that are there already, with both lines, by the file they are from."""
        self.left_out: list[Problem] = []
        self.notes = Notes()
        self.frameworks: Counter[str] = Counter()
        self.rejected = self.replaced = self.numbered = 0
        self.nameless = 0
        """Bad records so far that say neither their framework nor an id."""
        self.earlier: set[ItemKey] = set()
        self.numbers: dict[NumberKey, int] | None = None
        self.starts: dict[NumberKey, int] = {}

    def is_unchanged(self, digest: bytes) -> bool:
        """Return whether all graphs of a file with these bytes are stored."""
        table, graph = schema.ingest, schema.graph
        known = self.connection.execute(
            select(table.c.id, table.c.graphs).where(
                table.c.collection == self.collection, table.c.digest == digest
            )
        ).first()
        if known is None:
            return False
        numbers = self.connection.execute(
            select(func.count()).select_from(graph).where(graph.c.ingest == known.id)
        ).scalar()
        return bool(numbers == known.graphs)

    def begin(self, format_: str, digest: bytes) -> None:
        """Note the file down, and take out its earlier version if asked to."""
        stream = self.path in STREAMS or read_once(self.path)
        nowhere = stream or self.path == MEMORY
        location = self.path if nowhere else os.path.abspath(self.path)
        table = schema.ingest
        # The same bytes, but not all of their graphs: others have replaced them.
        same = table.c.digest == digest
        if self.replace and not stream:
            same = or_(same, table.c.location == location)
        for earlier in self.connection.execute(
            select(table.c.id).where(table.c.collection == self.collection, same)
        ).all():
            self._take_out(earlier.id)
        row = (self.ingest, self.collection, self.path, location, format_, digest)
        bulk_insert(self.connection, table, [(*row, 0, 0, now())])

    def _take_out(self, number: int) -> None:
        graph = schema.graph
        of_ingest = graph.c.ingest == number
        columns = (
            *(graph.c.id, graph.c.framework, graph.c.language),
            *(graph.c.item, graph.c.layer),
        )
        rows = self.connection.execute(select(*columns).where(of_ingest))
        self.earlier.update(row[1:] for row in checked(rows, columns))
        # A new version of a file without ids starts at the number it started at.
        for row in self.connection.execute(
            select(
                graph.c.framework, graph.c.layer, func.min(cast(graph.c.item, Integer))
            )
            .where(of_ingest, graph.c.numbered)
            .group_by(graph.c.framework, graph.c.layer)
        ):
            self.starts[row[0], row[1]] = row[2]
        self.connection.execute(delete(graph).where(of_ingest))
        table = schema.ingest
        self.connection.execute(delete(table).where(table.c.id == number))

    def add(self, chunk: list[Record]) -> None:
        """Write one chunk of records, or note what is wrong with it."""
        bad: list[Rejected] = []
        candidates: list[Candidate] = []
        for record in chunk:
            if isinstance(record, Rejected):
                if record.aside:
                    self.notes.add(record.note)
                else:
                    bad.append(record)
                if not record.item:
                    # It keeps its number, so that those after it keep theirs.
                    if record.framework:
                        self._next_number(record.framework, record.layer)
                    else:
                        self.nameless += 1
                continue
            graph, numbered = record.graph, False
            if not graph.id:
                graph, numbered = self._number(graph), True
            try:
                laid = PreparedGraph(graph)
                if self.refuses_nul and (where := nul_in(graph)):
                    raise InvalidGraphError(
                        f"the character U+0000 in {where} (item {graph.id!r})",
                        "text without it, which PostgreSQL cannot hold",
                    )
                candidates.append(Candidate(record.line, laid, numbered))
            except InvalidGraphError as error:
                problem = self._problem(record.line, "", error.found, error.expected)
                bad.append(as_rejected(record, problem))
            else:
                self._leave_out(record)
        bad.extend(self._place(candidates))
        self._reject(bad)

    def _place(self, candidates: list[Candidate]) -> list[Rejected]:
        """Write what has its identity for itself; the others are given back."""
        identities = [candidate.identity for candidate in candidates]
        taken = find_places(self.connection, self.collection, identities)
        again: list[Rejected] = []
        leaving: list[int] = []
        for candidate in candidates:
            identity = candidate.identity
            known = taken.get(identity)
            if known is not None and known.ingest == self.ingest:
                again.append(self._repeated(candidate, known))
                continue
            if known is not None:
                # A number is the store's own: it never replaces another's.
                if not self.replace or candidate.numbered:
                    clash = candidate.line, identity, known.line
                    self.clashes.setdefault(known.path, []).append(clash)
                    continue
                leaving.append(known.graph)
            if known is not None or identity in self.earlier:
                self.replaced += 1
                self.earlier.discard(identity)
            taken[identity] = Place(self.graph, self.ingest, self.path, candidate.line)
            self.rows.add(
                candidate.laid,
                self.graph,
                self.collection,
                self.ingest,
                candidate.line,
                candidate.numbered,
            )
            self.graph += 1
            self.numbered += candidate.numbered
            self.frameworks[identity[0]] += 1
        if leaving:
            table = schema.graph
            self.connection.execute(delete(table).where(table.c.id.in_(leaving)))
        self.rows.flush()
        return again

    def _number(self, graph: Graph) -> Graph:
        number = self._next_number(graph.framework, graph.layer)
        return msgspec.structs.replace(graph, id=str(number))

    def _next_number(self, framework: str, layer: str) -> int:
        if self.numbers is None:
            known = next_numbers(self.connection, self.collection)
            self.numbers = known | self.starts
        number = self.numbers.setdefault((framework, layer), 0)
        self.numbers[framework, layer] = number + 1
        return number + self.nameless

    def _problem(self, line: int, where: str, found: str, expected: str) -> Problem:
        return Problem(self.path, line, None, where, found, expected)

    def _clash(self, path: str) -> Problem:
        """What is wrong with items that are there already from a file."""
        clashes = self.clashes[path]
        line, identity, stored_line = clashes[0]
        if len(clashes) == 1:
            return self._problem(
                line,
                "id",
                f"{describe(identity)}, which {self.name!r} has already "
                f"from {path}:{stored_line}",
                "a new item; --replace (replace=True) takes it in place of the old one",
            )
        return self._problem(
            line,
            "id",
            f"{len(clashes)} items that {self.name!r} has already from {path}, "
            f"the first {describe(identity)}",
            "new items; --replace (replace=True) takes them in place of the old ones",
        )

    def _repeated(self, candidate: Candidate, first: Place) -> Rejected:
        problem = self._problem(
            candidate.line,
            "id",
            f"{describe(candidate.identity)} again, first at {first.path}:{first.line}",
            "each item once, or a layer for each annotator (--layer)",
        )
        return as_rejected(ReadGraph(candidate.line, candidate.laid.graph), problem)

    def _leave_out(self, record: ReadGraph) -> None:
        """Refuse the file for parts that cannot be read; or do without them."""
        if not self.keep_going:
            self.problems.extend(record.left_out)
        self.left_out.extend(record.left_out)
        for note in record.notes:
            self.notes.add(note)

    def _reject(self, bad: list[Rejected]) -> None:
        if not self.keep_going:
            for record in bad:
                self.problems.extend(record.problems)
            return
        rows = []
        for record in bad:
            message = "\n".join(listed(record.problems))
            cells = map(writable, (record.framework, record.item, message))
            raw = record.raw.decode("utf-8", "backslashreplace")
            texts = [*cells, raw]
            if self.refuses_nul:
                texts = [text.replace("\x00", "\\x00") for text in texts]
            rows.append((self.ingest, self.rejected, record.line, *texts))
            self.rejected += 1
        bulk_insert(self.connection, schema.rejected, rows)

    def finish(self) -> IngestReport:
        """Note what went in; refuse the file if there was anything wrong."""
        for path in self.clashes:
            self.problems.add(self._clash(path))
        if self.problems:
            self.problems.sort(lambda problem: problem.line or 0)
            raise InputError(self.problems, f"{self.path}: nothing was ingested")
        if not self.frameworks and not self.rejected:
            nothing = Problem(self.path, None, None, "", "no graph", "at least one")
            raise InputError([nothing])
        table = schema.ingest
        self.connection.execute(
            update(table)
            .where(table.c.id == self.ingest)
            .values(graphs=self.frameworks.total(), rejected=self.rejected)
        )
        drop_empty_files(self.connection, self.collection)
        mark_stale(self.connection, self.collection)
        return IngestReport(
            self.path,
            self.name,
            dict(self.frameworks),
            self.rejected,
            self.replaced,
            len(self.earlier),
            self.numbered,
            False,
            tuple(self.left_out),
            notes=tuple(self.notes.lines(self.path)),
        )
