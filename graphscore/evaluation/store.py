"""Working with a store: ingest once, score many times, ask in SQL.

A :class:`Store` is the Python face of a database: files go in, scores, errors
and SQL come out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, count
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, overload

from graphscore.evaluation.default_metrics import Choice, stored_choices
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.rows.contents import Contents
from graphscore.exceptions import Problem, expect, expecting
from graphscore.formats import ReaderOptions, format_of, read_file
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.metrics.revisions import stored_revision
from graphscore.model.graph import Graph
from graphscore.store import WAIT
from graphscore.store.opening import open_store, take_back
from graphscore.store.passwords import hidden

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.evaluation.result import Result
    from graphscore.model.outcome import Outcome
    from graphscore.similarity import Similarity
    from graphscore.store.maintenance import Cleared, Removal
    from graphscore.store.rankings import Leaderboard
    from graphscore.store.write.ingestion import IngestReport

_IN_MEMORY = frozenset({":memory:", "sqlite://", "sqlite:///:memory:"})

Mode = Literal["read", "write", "create"]

Progress = Callable[[int, int], None]


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
        operands=str | PathLike | Sequence, collection=str, reading=ReaderOptions | None
    )
    def ingest(
        self,
        operands: str | PathLike[str] | Sequence[str | PathLike[str]],
        collection: str = "{stem}",
        *,
        reading: ReaderOptions | None = None,
        replace: bool = False,
        keep_going: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> list[IngestReport]:
        """Put files into a collection, each whole or not at all.

        Args:
            operands: files, directories, globs or ``-``.
            collection: where they go; made if there is none of that name.
                ``{stem}`` stands for the name of each file without its ending,
                ``{parent}`` for that of its folder.
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
        # Few commands read files into a store.
        from graphscore.evaluation.incoming import file_digest, refuse_changes
        from graphscore.formats.discovery import gather
        from graphscore.formats.source import shown
        from graphscore.formats.streams import (
            held_files,
            held_streams,
            refuse_repeated,
        )
        from graphscore.store.write.ingestion import collection_of, ingest

        if isinstance(operands, str | PathLike):
            operands = [operands]
        names = [fspath(x) if isinstance(x, PathLike) else x for x in operands]
        refuse_repeated(names)
        reading = reading or ReaderOptions()
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
                    refuse_changes(read_file(path, reading), path, changed),
                    path=shown(path),
                    format=chosen.name,
                    digest=file_digest(path, chosen, reading),
                    collection=collection_of(collection, path),
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
            keep_going: whether good graphs go in although others are bad, or could
                not be made of what was given.
        """
        from graphscore.evaluation.incoming import graphs_digest
        from graphscore.formats.base import ReadGraph, Rejected
        from graphscore.inputs.base import Taken
        from graphscore.store.write.ingestion import ingest

        lost: dict[str, list[Problem]] = {}
        for problem in graphs.rejected if isinstance(graphs, Taken) else ():
            lost.setdefault(problem.where.partition(":")[0], []).append(problem)
        return ingest(
            self._database,
            chain(
                map(ReadGraph, count(1), graphs),
                (Rejected(0, tuple(problems), b"") for problems in lost.values()),
            ),
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
        from graphscore.store.maintenance import remove

        with self._database.writing() as connection:
            return remove(connection, collection, stored_revision)

    def clear_results(self) -> Cleared:
        """Clear outdated evaluations, and results that no evaluation refers to."""
        from graphscore.store.maintenance import clear_results

        with self._database.writing() as connection:
            return clear_results(connection, stored_revision)

    def leaderboards(self) -> list[Leaderboard]:
        """Return the systems of every gold collection, metric and scope, with ranks."""
        from graphscore.store.rankings import leaderboards

        with self._database.reading() as connection:
            return leaderboards(connection)

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
        from graphscore.evaluation.messages import note_losses

        metrics_asked, alone = parse_all(metric if metrics is None else metrics)
        results = self.evaluate(
            gold,
            system,
            metrics_asked,
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
        # Whoever only reads needs nothing that scores.
        from graphscore.evaluation.incremental import How
        from graphscore.evaluation.storing import score_collections

        how = How(executor, progress, replace, stored)
        return score_collections(
            self, (gold, system), metrics, options or Options(), how
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
        options = options or Options()
        selection = options.selection
        sides = [
            (
                self._frameworks_of(name, selection),
                partial(self._graphs_with_nodes, name, selection),
                self._read_as(name),
            )
            for name in (gold, system)
        ]
        return stored_choices(sides, holder, options.further)

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
        # Whoever only reads needs nothing that scores.
        from graphscore.evaluation.storing import compare_item

        chosen = options or Options()
        return compare_item(self, (gold, system), item, metric, framework, chosen)
