"""A collection into another store: file by file, by the rules of ingesting."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from sqlalchemy import Connection, Select, delete, or_, select

from graphscore.errors import InputError, Problem, Problems
from graphscore.store import schema
from graphscore.store.damage import checked, damaged
from graphscore.store.failures import guarded
from graphscore.store.reading.load import load_texts
from graphscore.store.transfer.carrying import (
    BATCH,
    Carrier,
    NulError,
    Numbers,
    Row,
    Source,
    in_parts,
)
from graphscore.store.writing.cells import bulk_insert
from graphscore.store.writing.incoming import (
    describe,
    find_places,
    mark_stale,
    obtain_collection,
)
from graphscore.store.writing.ingestion import MEMORY, STREAMS, drop_empty_files
from graphscore.store.writing.rows import (
    SQL_VALUES,
    batched,
    find_collection,
    next_id,
    unknown_texts,
)

_PARTS = (
    schema.top,
    schema.node,
    schema.property_,
    schema.anchor,
    schema.edge,
    schema.attribute,
)
"""What a graph is made of."""

_AT = {column.name: place for place, column in enumerate(schema.graph.columns)}
"""Where the columns of graphs are in a row."""

_SAME = ("framework", "language", "item", "layer", "document", "digest")
"""What graphs have in common that are the same."""

Step = Callable[[int], None]
"""Takes how many graphs or results more are done."""


class Wish(NamedTuple):
    """What is to be copied."""

    collection: str
    name: str
    """What it shall be called."""
    replace: bool


class CopiedCollection(NamedTuple):
    """What became of a collection."""

    collection: str
    name: str
    """What it is called where it went."""
    graphs: int
    """Graphs that went in."""
    files: int
    """Files that went in."""
    rejected: int
    """Records of theirs that could not be read."""
    replaced: int
    """Graphs that made place for others."""
    unchanged: int
    """Files that were there already, with the same graphs."""


class _File(NamedTuple):
    """A row of files that were ingested."""

    id: int
    collection: int
    path: str
    location: str
    format: str
    digest: bytes
    graphs: int
    rejected: int
    created: str


def clashes(source: Source, target: Connection, wish: Wish) -> tuple[bool, Problems]:
    """Look for items that are there already, without writing anything.

    Args:
        source: what is copied.
        target: the other store.
        wish: what is to be copied.

    Returns:
        Whether the collection would change, and what is wrong.
    """
    table = schema.collection
    found = select(table.c.id).where(table.c.name == wish.name)
    number = target.execute(found).scalar()
    if number is None:
        return True, Problems()
    changed, problems = False, Problems()
    for file in _files(source, wish.collection):
        if _whole(source, target, number, file) is not None:
            continue
        changed = True
        leaving = _replaced(target, number, file, wish.replace)
        for rows in _graphs(source, file):
            _places(target, number, (file, rows), wish, leaving, problems)
    return changed, problems


class Copy:
    """A collection on its way, within one transaction of the store it goes into.

    Args:
        source: what is copied.
        target: a writing connection; the caller commits.
        wish: what is to be copied.
        step: is told how far it is.
    """

    def __init__(
        self, source: Source, target: Connection, wish: Wish, step: Step
    ) -> None:
        self.source, self.target, self.wish, self.step = source, target, wish, step
        self.files = _files(source, wish.collection)
        self.collection = obtain_collection(target, wish.name)
        files = schema.ingest
        there = select(files.c.id).where(files.c.collection == self.collection)
        self.is_new = target.execute(there.limit(1)).first() is None
        self.carrier = Carrier(source, target)
        self.graph = next_id(target, schema.graph)
        self.problems = Problems()
        self.graphs = self.replaced = self.rejected = 0

    def run(self) -> tuple[CopiedCollection, Numbers]:
        """Take the collection over.

        Returns:
            What became of it, and what its graphs are there.

        Raises:
            InputError: items are there already, or something that the database
                cannot hold.
        """
        unchanged, parts = 0, []
        for file in self.files:
            found = None
            if not self.is_new:
                found = _whole(self.source, self.target, self.collection, file)
            if found is None:
                found = self._file(file)
            else:
                unchanged += 1
                self.step(len(found))
            parts.append(found)
        refuse(self.problems, self.source)
        changed = len(self.files) - unchanged
        if changed:
            drop_empty_files(self.target, self.collection)
            mark_stale(self.target, self.collection)
        done = CopiedCollection(
            *(self.wish.collection, self.wish.name, self.graphs, changed),
            *(self.rejected, self.replaced, unchanged),
        )
        return done, Numbers.joined(parts)

    def _file(self, file: _File) -> Numbers:
        if not self.is_new:
            self._take_out(file)
        number = next_id(self.target, schema.ingest)
        row = file._replace(id=number, collection=self.collection)
        bulk_insert(self.target, schema.ingest, [row])
        numbers = Numbers()
        for rows in _graphs(self.source, file):
            if not self.is_new:
                self._make_place(file, rows)
            owners = {row[0]: self.graph + n for n, row in enumerate(rows)}
            self.graph += len(rows)
            for before, after in owners.items():
                numbers.add(before, after)
            if not self.problems:
                self._write(file, rows, owners, number)
            self.step(len(rows))
        self.graphs += len(numbers)
        self._take_rejected(file, number)
        return numbers

    def _take_out(self, file: _File) -> None:
        """Remove what the file is another version of, as ingesting does."""
        graph, table = schema.graph, schema.ingest
        leaving = _replaced(self.target, self.collection, file, self.wish.replace)
        for number in sorted(leaving):
            gone = delete(graph).where(graph.c.ingest == number)
            self.replaced += self.target.execute(gone).rowcount
            self.target.execute(delete(table).where(table.c.id == number))

    def _make_place(self, file: _File, rows: list[Row]) -> None:
        graph, what = schema.graph, (file, rows)
        leaving = _places(
            self.target, self.collection, what, self.wish, set(), self.problems
        )
        self.replaced += len(leaving)
        for chunk in batched(leaving, SQL_VALUES):
            self.target.execute(delete(graph).where(graph.c.id.in_(chunk)))

    def _write(
        self, file: _File, rows: list[Row], owners: dict[int, int], ingest: int
    ) -> None:
        try:
            self.carrier.refuse_nul(schema.graph, rows)
            self._take_texts(rows)
            mine = self.collection, ingest
            bulk_insert(
                self.target,
                schema.graph,
                [(owners[row[0]], *mine, *row[3:]) for row in rows],
            )
            for table in _PARTS:
                self.carrier.carry(table, owners)
        except NulError as error:
            refuse(Problems([_unfit(file, rows, error)]), self.source)

    def _take_texts(self, rows: list[Row]) -> None:
        place = _AT["text"]
        having = {row[place]: row[0] for row in rows if row[place] is not None}
        wanted = unknown_texts(self.target, having)
        with guarded(self.source.name):
            texts = load_texts(self.source.connection, wanted)
        self.carrier.refuse_nul(
            schema.text, [(having[digest], text) for digest, text in texts.items()]
        )
        bulk_insert(self.target, schema.text, [*texts.items()])

    def _take_rejected(self, file: _File, number: int) -> None:
        table = schema.rejected
        statement = select(table).where(table.c.ingest == file.id).order_by(table.c.seq)
        for rows in self.source.streamed(statement):
            said = [(number, *row[1:]) for row in rows]
            bulk_insert(self.target, table, self.carrier.without_nul(said))
            self.rejected += len(said)


def refuse(problems: Problems, source: Source) -> None:
    """Raise if there is anything wrong.

    Args:
        problems: what is.
        source: what is copied.

    Raises:
        InputError: with all of it.
    """
    if problems:
        raise InputError(problems, f"{source.name}: nothing was copied")


def _files(source: Source, collection: str) -> list[_File]:
    table = schema.ingest
    with guarded(source.name):
        number = find_collection(source.connection, collection)
    mine = select(table).where(table.c.collection == number).order_by(table.c.id)
    return [_File._make(row) for row in source.asked(mine)]


def _graphs(source: Source, file: _File) -> Iterator[list[Row]]:
    """Rows of the graphs of a file, some at a time, in order."""
    graph = schema.graph
    ids = array("q")
    mine = select(graph.c.id).where(graph.c.ingest == file.id).order_by(graph.c.id)
    for part in source.streamed(mine):
        ids.extend(number for [number] in part)
    for chunk in batched(ids, BATCH):
        rows = source.rows(graph, chunk)
        if len(rows) != len(chunk):
            with guarded(source.name):
                raise damaged("table graph and its indexes do not agree")
        yield rows


def _whole(
    source: Source, target: Connection, collection: int, file: _File
) -> Numbers | None:
    """What the graphs of a file are in the other store, if all of them are there."""
    table, graph = schema.ingest, schema.graph
    number = target.execute(
        select(table.c.id).where(
            table.c.collection == collection, table.c.digest == file.digest
        )
    ).scalar()
    if number is None:
        return None

    def of(ingest: int) -> Select[*tuple[object, ...]]:
        columns = (graph.c.id, *(graph.c[name] for name in _SAME))
        return select(*columns).where(graph.c.ingest == ingest).order_by(graph.c.id)

    numbers = Numbers()
    mine = (row for part in source.streamed(of(file.id)) for row in part)
    theirs = (row for part in in_parts(target, of(int(number))) for row in part)
    for ours, other in zip_longest(mine, theirs):
        if ours is None or other is None or ours[1:] != other[1:]:
            return None
        numbers.add(ours[0], other[0])
    return numbers


def _replaced(
    target: Connection, collection: int, file: _File, replace: bool
) -> set[int]:
    """Files that one is a version of: by its bytes, by its name if replacing."""
    table = schema.ingest
    same = table.c.digest == file.digest
    if replace and file.path not in STREAMS and file.location != MEMORY:
        same = or_(same, table.c.location == file.location)
    found = target.execute(
        select(table.c.id).where(table.c.collection == collection, same)
    )
    return {number for [number] in checked(found, [table.c.id])}


def _places(
    target: Connection,
    collection: int,
    what: tuple[_File, list[Row]],
    wish: Wish,
    leaving: set[int],
    problems: Problems,
) -> list[int]:
    """Graphs that have to make place; what may not be replaced is a problem."""
    file, rows = what
    wanted = {
        (row[_AT["framework"]], row[_AT["language"]], row[_AT["item"]], row[-1]): row
        for row in rows
    }
    found = []
    for identity, place in find_places(target, collection, [*wanted]).items():
        row = wanted.get(identity)
        if row is None or place.ingest in leaving:
            continue
        if wish.replace and not row[_AT["numbered"]]:
            found.append(place.graph)
            continue
        said = (
            f"{describe(identity)}, which {wish.name!r} has already "
            f"from {place.path}:{place.line}"
        )
        expected = (
            "a new item; --replace (replace=True) takes it in place of the old one"
        )
        if wish.replace:
            expected = "a new item: one that was numbered replaces no other"
        line = row[_AT["line"]]
        problems.add(Problem(file.path, line, None, "id", said, expected))
    return found


def _unfit(file: _File, rows: list[Row], error: NulError) -> Problem:
    """What is wrong with a graph that the other database cannot hold."""
    [row] = [row for row in rows if row[0] == error.owner]
    where = "its head" if error.where == "graph" else f"its {error.where}"
    return Problem(
        *(file.path, row[_AT["line"]], None, ""),
        f"the character U+0000 in {where} (item {row[_AT['item']]!r})",
        "text without it, which PostgreSQL cannot hold",
    )
