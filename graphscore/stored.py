"""Working with a store: ingest once, score many times, ask in SQL.

Scoring two collections pairs their identities, looks up which pairs have a
result already (by the digests of both sides, whatever the collections are
called), loads and compares only the others, and keeps what it finds chunk by
chunk, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Literal, NamedTuple

from graphscore import store
from graphscore.errors import UsageError
from graphscore.evaluation import (
    AHEAD,
    BATCH,
    Fingerprint,
    Options,
    Selection,
    Task,
    add_notes,
    executor_for,
    refuse_unpaired,
    run_task,
    run_tasks,
    signature,
)
from graphscore.formats import Reading, expand, format_of, read_file
from graphscore.formats.source import STDIN, problem, shown
from graphscore.graph import Graph
from graphscore.metrics.base import Metric
from graphscore.pairing import Pair, Pairing, id_rule
from graphscore.results import Outcome
from graphscore.scores import ItemResult, Result, Surplus

CHUNK = 16 * BATCH
"""Pairs that are loaded, compared and kept together."""

_IN_MEMORY = frozenset({":memory:", "sqlite://", "sqlite:///:memory:"})

Mode = Literal["read", "write", "create"]


class Store:
    """A database of graphs, results and errors.

    Args:
        url: a file, or any SQLAlchemy URL.
        mode: ``read`` refuses every write; ``write`` needs an existing store;
            ``create`` makes one where there is none.
        say: is told what the user should know, such as a migration.

    Raises:
        StoreError: if it cannot be opened.

    Example:
        >>> with Store("sqlite://", mode="create") as runs:
        ...     runs.add([Graph("1", "amr", 2)], "gold").frameworks
        {'amr': 1}
    """

    def __init__(
        self,
        url: str,
        *,
        mode: Mode = "read",
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.url = url
        self._say = say or _silently
        self._in_memory = url in _IN_MEMORY
        self._database = store.open_store(
            url, create=mode == "create", read_only=mode == "read", notify=self._say
        )

    def close(self) -> None:
        """Give the database back."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ingest(
        self,
        operands: str | Sequence[str],
        collection: str,
        *,
        reading: Reading | None = None,
        replace: bool = False,
        keep_going: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> list[store.IngestReport]:
        """Put files into a collection, each whole or not at all.

        Args:
            operands: files, directories, globs or ``-``.
            collection: where they go; made if there is none of that name.
            reading: format and documents.
            replace: whether items that are there already are replaced.
            keep_going: whether good records go in although others are bad.
            progress: is told how many records of a file have been read.

        Returns:
            What became of each file.

        Raises:
            InputError: if a file is bad or clashes; it left nothing behind.
        """
        if isinstance(operands, str):
            operands = [operands]
        reading = reading or Reading()
        paths = [path for operand in operands for path in expand(operand)]
        return [
            self._ingest_file(path, collection, reading, replace, keep_going, progress)
            for path in paths
        ]

    def _ingest_file(
        self,
        path: str,
        collection: str,
        reading: Reading,
        replace: bool,
        keep_going: bool,
        progress: Callable[[int], None] | None,
    ) -> store.IngestReport:
        if path == STDIN:
            # Read twice, for its digest and its records: it needs a place.
            with tempfile.TemporaryDirectory() as folder:
                spooled = Path(folder) / "stdin"
                with spooled.open("wb") as file:
                    while block := sys.stdin.buffer.read(1 << 20):
                        file.write(block)
                return self._ingest_named(
                    str(spooled), "<stdin>", collection, reading, replace,
                    keep_going, progress,
                )  # fmt: skip
        return self._ingest_named(
            path, shown(path), collection, reading, replace, keep_going, progress
        )

    def _ingest_named(
        self,
        path: str,
        name: str,
        collection: str,
        reading: Reading,
        replace: bool,
        keep_going: bool,
        progress: Callable[[int], None] | None,
    ) -> store.IngestReport:
        chosen = format_of(path, reading).name
        return store.ingest(
            self._database,
            read_file(path, reading),
            path=name,
            format=chosen,
            digest=_file_digest(path, f"{chosen}\0{reading.described}"),
            collection=collection,
            replace=replace,
            keep_going=keep_going,
            progress=progress,
        )

    def add(
        self, graphs: Sequence[Graph], collection: str, *, replace: bool = False
    ) -> store.IngestReport:
        """Put graphs that are in memory into a collection.

        Args:
            graphs: what goes in.
            collection: where to.
            replace: whether items that are there already are replaced.
        """
        from graphscore.formats.base import Read

        mixed = hashlib.blake2b(digest_size=16)
        for graph in graphs:
            head = "\0".join((graph.framework, graph.language, graph.id))
            mixed.update(head.encode() + graph.digest())
        return store.ingest(
            self._database,
            (Read(number, graph) for number, graph in enumerate(graphs, 1)),
            path="<memory>",
            format="memory",
            digest=mixed.digest(),
            collection=collection,
            replace=replace,
        )

    def collections(self) -> list[store.CollectionSummary]:
        """What is in the store."""
        with self._database.reading() as connection:
            return store.collections(connection)

    def remove(self, collection: str) -> store.Removal:
        """Take a collection out, with its evaluations and what only they need."""
        with self._database.writing() as connection:
            return store.remove(connection, collection)

    def graphs(
        self, collection: str, selection: Selection | None = None
    ) -> Iterator[Graph]:
        """The graphs of a collection, in order of ingest."""
        found = self._identities(collection, selection or Selection())
        for start in range(0, len(found), CHUNK):
            ids = [each.graph for each in found[start : start + CHUNK]]
            with self._database.reading() as connection:
                loaded = store.load_graphs(connection, ids)
            yield from (loaded[number] for number in ids)

    def _identities(
        self, collection: str, selection: Selection
    ) -> list[store.Identity]:
        with self._database.reading() as connection:
            return store.identities(
                connection,
                collection,
                frameworks=selection.frameworks or None,
                languages=selection.languages or None,
                items=selection.items or None,
            )

    def score(
        self,
        gold: str,
        system: str,
        metrics: Sequence[Metric],
        options: Options | None = None,
        *,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Result]:
        """Score one collection against another, computing only what is new.

        Args:
            gold: name of the gold collection.
            system: name of the system collection.
            metrics: what to score with.
            options: how.
            executor: where batches run; by default ``options.jobs`` decides.
            progress: is told how many of how many new pairs are done.

        Returns:
            One result per metric.

        Raises:
            UsageError: if a collection is unknown.
            PairingError: if nothing pairs.
        """
        options = options or Options()
        sides = [self._identities(name, options.selection) for name in (gold, system)]
        with executor_for(options.jobs, executor) as pool:
            return [
                _Evaluation(self._database, gold, system, metric, options).run(
                    sides[0], sides[1], pool, progress
                )
                for metric in metrics
            ]

    def query(self, sql: str) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
        """Ask in SQL; the database refuses to change anything.

        Returns:
            Column names, and the rows as they are asked for.
        """
        if not self._in_memory:
            return store.query(self.url, sql)
        # A database in memory has no second, read-only connection.
        with self._database.reading() as connection:
            connection.exec_driver_sql("pragma query_only = on")
            try:
                answer = connection.exec_driver_sql(sql)
                columns = tuple(answer.keys())
                return columns, iter([tuple(row) for row in answer])
            finally:
                connection.exec_driver_sql("pragma query_only = off")

    def top_errors(
        self, *, top: int | None = 20, **wanted: str | None
    ) -> store.TopErrors:
        """The most frequent error tuples, and the SQL that finds them.

        Args:
            top: how many.
            wanted: ``gold``, ``system``, ``metric``, ``framework``, ``document``,
                ``item``, ``kind``, ``side``.
        """
        with self._database.reading() as connection:
            return store.top_errors(connection, limit=top, **wanted)

    def pair(
        self,
        gold: str,
        system: str,
        item: str,
        metric: Metric,
        framework: str | None = None,
        options: Options | None = None,
    ) -> tuple[Graph, Graph | None, Outcome]:
        """One item of both sides, with its matches and errors.

        Args:
            gold: name of the gold collection.
            system: name of the system collection.
            item: the gold item's id.
            metric: what compares them.
            framework: needed where several frameworks have the item.
            options: pairing rules and budget.

        Raises:
            UsageError: if there is no such item, or several frameworks have it.
        """
        options = options or Options()
        pairing: Pairing[store.Identity] = Pairing(options.pair, id_rule(options.ids))
        sides = [self._identities(name, options.selection) for name in (gold, system)]
        found = [
            pair
            for pair in pairing.pairs(*sides)
            if pair.gold is not None
            and pair.gold.item == item
            and framework in (None, pair.gold.framework)
        ]
        if not found:
            raise UsageError(f"no item {item!r} in {gold}")
        if len(found) > 1:
            there = ", ".join(pair.gold.framework for pair in found if pair.gold)
            raise UsageError(f"item {item!r} is there in several: {there}")
        ids = [unit.graph for unit in (found[0].gold, found[0].system) if unit]
        with self._database.reading() as connection:
            loaded = store.load_graphs(connection, ids)
        graphs = [loaded[number] for number in ids]
        other = graphs[1] if len(graphs) > 1 else None
        [timed] = run_task(Task(metric, ((graphs[0], other),), options.budget, True))
        return graphs[0], other, timed.outcome


class _New(NamedTuple):
    """A pair that has no result yet."""

    digests: tuple[bytes, bytes]
    gold: int
    system: int | None


class _Evaluation:
    """One metric over two collections."""

    def __init__(
        self,
        database: store.Database,
        gold: str,
        system: str,
        metric: Metric,
        options: Options,
    ) -> None:
        self.database, self.metric, self.options = database, metric, options
        self.result = Result(metric, gold=gold, system=system)

    def run(
        self,
        gold: list[store.Identity],
        system: list[store.Identity],
        pool: Executor | None,
        progress: Callable[[int, int], None] | None,
    ) -> Result:
        """Pair, compute what is new, write the evaluation, sum up."""
        pairs = self._pair(gold, system)
        scored = [pair for pair in pairs if pair.gold is not None]
        digests = {
            (pair.gold.digest, pair.system.digest if pair.system else store.NOTHING)
            for pair in scored
            if pair.gold is not None
        }
        found = self._find(digests)
        new: dict[tuple[bytes, bytes], _New] = {}
        for pair in scored:
            key = _key(pair)
            if pair.gold is not None:
                if key in found:
                    self.result.reused += 1
                elif key not in new:
                    other = pair.system.graph if pair.system else None
                    new[key] = _New(key, pair.gold.graph, other)
        self._compute(list(new.values()), pool, found, progress)
        self._save(pairs, found)
        return self.result

    def _pair(
        self, gold: list[store.Identity], system: list[store.Identity]
    ) -> list[Pair[store.Identity]]:
        """Pairs in gold order, then surplus system units; notes on the way."""
        scores = self.metric.scores
        unscored: dict[str, int] = {}
        for unit in gold:
            if not scores(unit.framework):
                unscored[unit.framework] = unscored.get(unit.framework, 0) + 1
        options = self.options
        pairing: Pairing[store.Identity] = Pairing(options.pair, id_rule(options.ids))
        mine = [unit for unit in gold if scores(unit.framework)]
        theirs = [unit for unit in system if scores(unit.framework)]
        pairs = list(pairing.pairs(mine, theirs))
        if pairing.duplicates:
            side, unit = pairing.duplicates[0]
            raise UsageError(
                f"under --ids {options.ids} the {side} item {unit.item!r} "
                f"({unit.framework}) is there twice"
            )
        add_notes(
            self.result,
            {unit.framework for unit in mine},
            {unit.framework for unit in theirs},
            unscored,
        )
        self.prints = (Fingerprint(), Fingerprint())
        for side_print, units in zip(self.prints, (mine, theirs), strict=True):
            for unit in units:
                side_print.add(unit.framework, unit.language, unit.item, unit.digest)
        pairs.sort(key=lambda pair: (pair.gold is None, pair.position))
        return pairs

    def _find(
        self, digests: set[tuple[bytes, bytes]]
    ) -> dict[tuple[bytes, bytes], int]:
        with self.database.reading() as connection:
            found = store.find_results(
                connection,
                str(self.metric),
                self.metric.revision,
                sorted(digests),
                self.options.budget.steps,
            )
        return {
            (one or b"", two or b""): number for (one, two), number in found.items()
        }

    def _compute(
        self,
        new: list[_New],
        pool: Executor | None,
        found: dict[tuple[bytes, bytes], int],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        """Compare the new pairs, chunk by chunk, each kept at once."""
        budget = self.options.budget
        for start in range(0, len(new), CHUNK):
            chunk = new[start : start + CHUNK]
            wanted = {each.gold for each in chunk}
            wanted |= {each.system for each in chunk if each.system is not None}
            with self.database.reading() as connection:
                graphs = store.load_graphs(connection, sorted(wanted))
            tasks = [
                Task(
                    self.metric,
                    tuple(
                        (
                            graphs[each.gold],
                            None if each.system is None else graphs[each.system],
                        )
                        for each in chunk[first : first + BATCH]
                    ),
                    budget,
                    True,
                )
                for first in range(0, len(chunk), BATCH)
            ]
            ahead = AHEAD * max(self.options.jobs, 2)
            timed = [each for batch in run_tasks(tasks, pool, ahead) for each in batch]
            rows = [
                store.ResultRow(
                    each.digests[0],
                    each.digests[1],
                    outcome,
                    microseconds,
                    # Stopped by the clock: worth the steps it really took.
                    outcome.steps if budget.seconds is not None else budget.steps,
                )
                for each, (outcome, microseconds) in zip(chunk, timed, strict=True)
            ]
            with self.database.writing() as connection:
                numbers = store.save_results(
                    connection, str(self.metric), self.metric.revision, rows
                )
            found.update(
                (each.digests, number)
                for each, number in zip(chunk, numbers, strict=True)
            )
            if progress is not None:
                progress(start + len(chunk), len(new))

    def _save(
        self,
        pairs: list[Pair[store.Identity]],
        found: dict[tuple[bytes, bytes], int],
    ) -> None:
        """Write the evaluation with its totals, and read the sums back."""
        result, options = self.result, self.options
        with self.database.reading() as connection:
            rejected = store.rejected_records(connection, result.system)
        taken = options.selection.takes
        rejected = [
            each
            for each in rejected
            if not each.framework or taken(each.framework, "", each.item)
        ]
        result.rejected_records = len(rejected)
        result.rejected = [
            line for each in rejected for line in each.message.splitlines()
        ]
        broken = {(each.framework, each.item) for each in rejected}
        rows: list[store.PairRow] = []
        for pair in pairs:
            unit = pair.gold or pair.system
            assert unit is not None
            status: store.Status = "paired"
            if pair.gold is None:
                status = "surplus"
                result.surplus_system.append(
                    Surplus(unit.framework, unit.language, unit.item)
                )
            elif pair.system is None:
                gone = (unit.framework, unit.item) in broken
                status = "rejected" if gone else "missing"
                result.missing_system += 1
            rows.append(
                store.PairRow(
                    unit.framework,
                    unit.language,
                    unit.document,
                    unit.item,
                    pair.gold.graph if pair.gold else None,
                    pair.system.graph if pair.system else None,
                    found[_key(pair)] if pair.gold else None,
                    status,
                )
            )
        result.pairs = sum(row.result is not None for row in rows)
        refuse_unpaired(result)
        with self.database.reading() as connection:
            scored = [row.result for row in rows if row.result is not None]
            unproven = store.unproven_results(connection, scored)
        result.unproven = sum(number in unproven for number in scored)
        result.signature = signature(result, options, *self.prints)
        with self.database.writing() as connection:
            number = store.save_evaluation(
                connection,
                result.gold,
                result.system,
                str(self.metric),
                result.signature,
                rows,
            )
        with self.database.reading() as connection:
            columns: tuple[store.Grouping, ...] = ("framework", "language", "document")
            for key, masses in store.masses_by(connection, number, columns):
                result.add((key[0], key[1], key[2]), masses)
            if options.per_item:
                result.items = list(_items(connection, number, options.details))


def _items(connection: Any, evaluation: int, details: bool) -> Iterator[ItemResult]:
    columns: tuple[store.Grouping, ...] = ("framework", "language", "item")
    masses = dict(store.masses_by(connection, evaluation, columns))
    pairs = [
        pair
        for pair in store.pairs_of(connection, evaluation)
        if pair.result is not None
    ]
    outcomes: dict[int, Outcome] = {}
    if details:
        ids = [pair.result for pair in pairs if pair.result is not None]
        outcomes = store.load_outcomes(connection, ids)
    for pair in pairs:
        yield ItemResult(
            pair.framework,
            pair.language,
            pair.item,
            pair.document,
            masses.get((pair.framework, pair.language, pair.item), {}),
            pair.score or 0,
            pair.bound or 0,
            bool(pair.proven),
            pair.system is None,
            outcomes[pair.result].matches if details and pair.result else (),
        )


def _key(pair: Pair[store.Identity]) -> tuple[bytes, bytes]:
    return (
        pair.gold.digest if pair.gold else store.NOTHING,
        pair.system.digest if pair.system else store.NOTHING,
    )


def _file_digest(path: str, described: str) -> bytes:
    """Fingerprint of a file's bytes and of how it is read."""
    mixed = hashlib.blake2b(described.encode(), digest_size=16)
    try:
        with Path(path).open("rb") as file:
            while block := file.read(1 << 20):
                mixed.update(block)
    except OSError as error:
        raise problem(path, f"a file that cannot be read ({error.strerror})") from None
    return mixed.digest()


def _silently(_: str) -> None:
    """Say nothing."""
