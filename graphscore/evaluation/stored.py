"""Working with a store: ingest once, score many times, ask in SQL.

A :class:`Store` is the Python face of a database: files go in, scores, errors
and SQL come out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, overload

from graphscore.errors import StoreError, expect, expecting
from graphscore.evaluation.defaults import Choice, nothing_found, stored_choices
from graphscore.evaluation.evaluate import evaluate
from graphscore.evaluation.incoming import file_digest, graphs_digest, unchanged
from graphscore.evaluation.notes import note_losses, with_gold
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.pairing import Pairing, of_item
from graphscore.evaluation.rescoring import How, StoreSink
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.contents import Contents
from graphscore.evaluation.sources.store import StoreSource
from graphscore.evaluation.tasks import Task, run_task
from graphscore.formats import Reading, format_of, read_file
from graphscore.formats.base import Read
from graphscore.formats.gathering import gather
from graphscore.formats.source import shown
from graphscore.formats.streams import held_files, held_streams, refuse_repeated
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.metrics.revisions import stored_revision
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule
from graphscore.model.outcome import Outcome
from graphscore.store.database import Database
from graphscore.store.maintenance import (
    Cleared,
    Removal,
    clear_results,
    remove,
)
from graphscore.store.opening import open_store, take_back
from graphscore.store.passwords import hidden
from graphscore.store.turns import WAIT
from graphscore.store.watching import (
    ChangedContentsError,
    WatchedDatabase,
    contents,
)
from graphscore.store.writing.ingestion import IngestReport, ingest
from graphscore.store.writing.rows import uncollected

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.similarity import Similarity

_IN_MEMORY = frozenset({":memory:", "sqlite://", "sqlite:///:memory:"})

Mode = Literal["read", "write", "create"]

Progress = Callable[[int, int], None]


TRIES = 5
"""How often collections are scored that change meanwhile."""

SIDES: dict[str, Any] = {"gold": str, "system": str, "options": Options | None}


class Store(Contents):
    """A database of graphs, results and errors.

    Args:
        url: a file, or any SQLAlchemy URL.
        mode: ``read`` refuses every write; ``write`` needs an existing store;
            ``create`` makes one where there is none.
        say: is told what the user should know, such as a migration, or for whom is
            waited; without, the log says these two.
        wait: seconds to wait, each time that something is written, for another process
            that writes to the store; 0 not to wait.

    Raises:
        StoreError: if it cannot be opened.
        LockedError: if another process still writes when the time to wait is up; so
            does whatever writes, and nothing has changed then.

    Example:
        >>> with Store("sqlite://", mode="create") as runs:
        ...     runs.add([Graph("1", "amr", 2)], "gold").frameworks
        {'amr': 1}
    """

    @expecting(url=str | PathLike, mode=str, wait=int | float)
    def __init__(
        self,
        url: str | PathLike[str],
        *,
        mode: Mode = "read",
        say: Callable[[str], None] | None = None,
        wait: float = WAIT,
    ) -> None:
        url = fspath(url)
        self.url = hidden(url)
        self._url = url
        self._say = say or (lambda _: None)
        self._in_memory = url in _IN_MEMORY
        self._database = open_store(
            url,
            create=mode == "create",
            read_only=mode == "read",
            wait=wait,
            notify=say,
            revision_of=stored_revision,
        )
        self.migrated = self._database.migrated

    def close(self) -> None:
        """Give the database back."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        self.close()
        if failed is not None:
            # A store that was made for what failed is none.
            take_back(self._database)

    @expecting(
        operands=str | PathLike | Sequence, collection=str, reading=Reading | None
    )
    def ingest(
        self,
        operands: str | PathLike[str] | Sequence[str | PathLike[str]],
        collection: str,
        *,
        reading: Reading | None = None,
        replace: bool = False,
        keep_going: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> list[IngestReport]:
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
            UsageError: if a stream is named twice.
        """
        if isinstance(operands, str | PathLike):
            operands = [operands]
        names = [fspath(x) if isinstance(x, PathLike) else x for x in operands]
        refuse_repeated(names)
        reading = reading or Reading()
        paths: list[str] = []
        for operand in names:
            expect(operand, str, "a file")
            paths += (gathered := gather(operand, reading.format)).paths
            if gathered.left:
                self._say(gathered.left)
        reports = []
        for path in paths:
            # Its bytes are asked for twice, for the digest and for the records.
            with held_streams(), held_files() as changed:
                chosen = format_of(path, reading)
                report = ingest(
                    self._database,
                    unchanged(read_file(path, reading), path, changed),
                    path=shown(path),
                    format=chosen.name,
                    digest=file_digest(path, chosen, reading),
                    collection=collection,
                    replace=replace,
                    keep_going=keep_going,
                    progress=progress,
                )
            for name, item in report.unnamed.items():
                self._say(
                    f"{report.path}: all {name} graphs have the id {item!r}: "
                    "numbered on (--pair order pairs the n-th with the n-th)"
                )
            reports.append(report)
        return reports

    @expecting(graphs=Sequence, collection=str)
    def add(
        self,
        graphs: Sequence[Graph],
        collection: str,
        *,
        replace: bool = False,
        keep_going: bool = False,
    ) -> IngestReport:
        """Put graphs that are in memory into a collection.

        Args:
            graphs: what goes in.
            collection: where to.
            replace: whether items that are there already are replaced.
            keep_going: whether good graphs go in although others are bad.
        """
        return ingest(
            self._database,
            (Read(number, graph) for number, graph in enumerate(graphs, 1)),
            path="<memory>",
            format="memory",
            digest=graphs_digest(graphs),
            collection=collection,
            replace=replace,
            keep_going=keep_going,
        )

    @expecting(collection=str)
    def remove(self, collection: str) -> Removal:
        """Take a collection out, with its evaluations and what nothing else needs.

        What :meth:`clear_results` clears goes with it.
        """
        with self._database.writing() as connection:
            return remove(connection, collection, stored_revision)

    def clear_results(self) -> Cleared:
        """Clear outdated evaluations, and results that no evaluation refers to."""
        with self._database.writing() as connection:
            return clear_results(connection, stored_revision)

    @overload
    def score(
        self,
        gold: str | References,
        system: str,
        metric: str | Metric | Similarity | Mapping[str, Similarity],
        options: Options | None = ...,
        *,
        executor: Executor | None = ...,
        progress: Progress | None = ...,
        replace: bool = ...,
        stored: bool = ...,
    ) -> Result: ...
    @overload
    def score(
        self,
        gold: str | References,
        system: str,
        metric: list[Any] | tuple[Any, ...] | None = ...,
        options: Options | None = ...,
        *,
        metrics: Sequence[Any] | None = ...,
        executor: Executor | None = ...,
        progress: Progress | None = ...,
        replace: bool = ...,
        stored: bool = ...,
    ) -> list[Result]: ...

    @expecting(**SIDES | {"gold": str | References})
    def score(
        self,
        gold: str | References,
        system: str,
        metric: Any = None,
        options: Options | None = None,
        *,
        metrics: Sequence[Any] | None = None,
        executor: Executor | None = None,
        progress: Progress | None = None,
        replace: bool = False,
        stored: bool = False,
    ) -> Result | list[Result]:
        """Score one collection against another, computing only what is new.

        Args:
            gold: name of the gold collection, or several as references, against each
                of which the system is scored and kept.
            system: name of the system collection.
            metric: a metric, its string or a formula, or several; without,
                :meth:`default_metrics`.
            options: how.
            metrics: several, by the name that this had before.
            executor: where batches run; by default ``options.jobs`` decides.
            progress: is told how many of how many new pairs are done.
            replace: whether an evaluation that is there already gives way, where it
                has the same scope and other results.
            stored: whether an evaluation that is there already is read as it is,
                however much work it was allowed.

        Returns:
            A result, or one per metric where several or none were given.

        Warns:
            LossWarning: if records of the system could not be read when they were
                ingested, and count as missing; notes of the result say it too.

        Raises:
            UsageError: if a collection or a metric is unknown, or an evaluation would
                have to give way.
            PairingError: if nothing pairs.
        """
        asked, alone = parse_all(metric if metrics is None else metrics)
        results = self.evaluate(
            gold,
            system,
            asked,
            options,
            executor=executor,
            progress=progress,
            replace=replace,
            stored=stored,
        )
        note_losses(results, stacklevel=3)
        return results[0] if alone else results

    def evaluate(
        self,
        gold: str | References,
        system: str,
        metrics: Sequence[Metric] | None,
        options: Options | None = None,
        *,
        executor: Executor | None = None,
        progress: Progress | None = None,
        replace: bool = False,
        stored: bool = False,
    ) -> list[Result]:
        """Score as :meth:`score` does, where the caller says what is lost.

        Args:
            gold: name of the gold collection, or several as references.
            system: name of the system collection.
            metrics: what scores; ``None`` for :meth:`default_metrics`.
            options: how.
            executor: where batches run; by default ``options.jobs`` decides.
            progress: is told how many of how many new pairs are done.
            replace: as for :meth:`score`.
            stored: likewise.

        Raises:
            PairingError: if nothing pairs.
            UsageError: as :meth:`score`.
        """
        how = How(executor, progress, replace, stored)
        return self._scored(gold, system, metrics, options or Options(), how)

    def _scored(
        self,
        gold: str | References,
        system: str,
        metrics: Sequence[Metric] | None,
        given: Options,
        how: How,
    ) -> list[Result]:
        if given.where is not None or given.within:
            # Few ask for a part.
            from graphscore.evaluation.where.restricting import Where

            where = Where(given)
            where.check(metrics or (), gold)
            every = self._scored(gold, system, metrics, where.whole, how)
            return [where.part(self._database, each) for each in every]
        if isinstance(gold, References):
            # Few have several.
            from graphscore.evaluation.references import with_references

            return with_references(
                gold,
                lambda one, *rest: self._scored(one, system, rest[0], rest[1], how),
                metrics,
                given,
            )
        before = contents(self._database, (gold, system))
        for _ in range(TRIES):
            try:
                return self._scored_as(
                    gold, system, metrics, given, how._replace(before=before)
                )
            except (ChangedContentsError, StoreError) as error:
                now = contents(self._database, (gold, system))
                if isinstance(error, StoreError) and now == before:
                    raise
            what = f"{self.url}: another process changed {gold} or {system} meanwhile"
            self._say(f"{what}; scoring what is new")
            before = now
        raise StoreError(f"{what}; score again")

    def _scored_as(
        self,
        gold: str,
        system: str,
        metrics: Sequence[Metric] | None,
        given: Options,
        how: How,
    ) -> list[Result]:
        """Score two collections as they are now.

        Raises:
            ChangedContentsError: another process changed them meanwhile.
        """
        database = WatchedDatabase(self._database, (gold, system), how.before or [])
        sides = self._sources(gold, system, given, database)
        if metrics is not None:
            return with_gold(self._score(database, sides, metrics, given, how))
        if not any(side.identities for side in sides):
            raise nothing_found(gold, system, given)
        chosen = self.default_metrics(gold, system, given)
        made = self._score(
            database,
            sides,
            [each.metric for each in chosen],
            chosen[0].limited(given),
            how,
            lambda _: True,
        )
        for each, result in zip(chosen, made, strict=True):
            result.because = each.because
        return with_gold(made)

    def _sources(
        self, gold: str, system: str, options: Options, database: Database | None = None
    ) -> tuple[StoreSource, StoreSource]:
        """Both sides as sources of units."""
        one, two = (
            StoreSource(
                database or self._database,
                name,
                self._identities(name, options.selection),
                options,
                is_gold,
            )
            for name, is_gold in ((gold, True), (system, False))
        )
        return one, two

    def _score(
        self,
        database: Database,
        sides: tuple[StoreSource, StoreSource],
        metrics: Sequence[Metric],
        options: Options,
        how: How,
        scored: Callable[[str], bool] | None = None,
    ) -> list[Result]:
        with uncollected():
            return evaluate(
                *sides,
                metrics,
                options,
                executor=how.executor,
                sink=lambda: StoreSink(database, how),
                scored=scored,
            )

    @expecting(**SIDES)
    def default_metrics(
        self,
        gold: str,
        system: str,
        options: Options | None = None,
        holder: str = "collections",
    ) -> list[Choice]:
        """The metrics for what two collections hold, each with the reason.

        Args:
            gold: name of the gold collection.
            system: name of the system collection.
            options: which graphs take part.
            holder: what is said to hold them.
        """
        selection = (options or Options()).selection
        sides = [
            (self._held(name, selection), partial(self._filled, name, selection))
            for name in (gold, system)
        ]
        return stored_choices(sides, holder)

    @expecting(**SIDES, item=str, metric=Metric, framework=str | None)
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
            StoreError: if the evaluation that it belongs to is outdated.
        """
        self.refuse_outdated(gold=gold, system=system, metric=str(metric))
        options = options or Options()
        pairing = Pairing(options.pair, id_rule(options.ids))
        sides = self._sources(gold, system, options)
        pairs = pairing.pairs(*(side.items() for side in sides))
        found = of_item(pairs, item, framework, gold)
        units = sides[0].load([unit for unit in (found.gold, found.system) if unit])
        graphs = [unit.graph for unit in units]
        other = graphs[1] if len(graphs) > 1 else None
        both = ((graphs[0],), (other,) if other else ())
        [timed] = run_task(Task((metric,), (both,), options.budget, True))
        return graphs[0], other, timed.outcome
