"""Queries of a store: evaluations, SQL, and the rows made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection

from graphscore.evaluation.outdated import refuse_mixed, refuse_outdated, with_status
from graphscore.exceptions import UsageError, expecting
from graphscore.metrics.registry import homes, metric_named
from graphscore.metrics.revisions import stored_revision
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome
from graphscore.rows import Library, frame_of, refuse_missing
from graphscore.store.database import Database
from graphscore.store.database_errors import guarded
from graphscore.store.evaluations import (
    Evaluation,
    find_evaluations,
    numbers_of_units,
    pairs_of,
)
from graphscore.store.read.frequent import (
    ERROR_GROUPS,
    Frequent,
    frequent_confusions,
    frequent_errors,
)
from graphscore.store.read.limits import Limits, bounded, in_time
from graphscore.store.read.load import load_present
from graphscore.store.read.queries import query
from graphscore.store.revisions import mark_outdated

if TYPE_CHECKING:
    from graphscore.find.pattern import Pattern
    from graphscore.find.search import Hits
    from graphscore.store.read.item_scores import ItemScores


LONGEST_SEARCH = 1_000_000
"""Seconds that may be searched; beyond some more PostgreSQL counts none."""


class StoreQueries:
    """A store that answers.

    Attributes:
        url: its name, without a password.
    """

    url: str
    _url: str
    _in_memory: bool
    _database: Database

    def evaluations(self) -> list[Evaluation]:
        """The evaluations that have been made, oldest first."""
        return [with_status(evaluation) for evaluation in self._evaluations()]

    def _evaluations(self) -> list[Evaluation]:
        with self._database.reading() as connection:
            return find_evaluations(connection)

    def refuse_outdated(self, **filters: str | None) -> None:
        """Raise if an evaluation is outdated: its scores are no longer the metric's.

        Args:
            filters: ``gold``, ``system``, ``metric`` and ``scope``; all evaluations
                with these.

        Raises:
            StoreError: naming the command that scores again.
        """
        refuse_outdated(
            self.url, self._evaluations(), filters, requested=filters.get("metric")
        )

    def _refuse_mixed(self, filters: Mapping[str, str | None]) -> None:
        """Raise if scores of several scopes would be added up."""
        made = self._evaluations()
        if len({evaluation.names[:3] for evaluation in made}) < len(made):
            with self._database.reading() as connection:
                units = numbers_of_units(connection)
            refuse_mixed(self.url, made, filters, units)

    @expecting(sql=str, limits=Limits | None)
    def query(
        self, sql: str, *, limits: Limits | None = None
    ) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
        """Ask in SQL; the database refuses to change anything.

        Args:
            sql: one statement that reads.
            limits: of the values and the answer.

        Returns:
            Column names, and the rows as they are asked for.
        """
        if not self._database.read_only:
            mark_outdated(self._database, stored_revision)
        rows = query(self._database, sql, limits)
        columns = next(rows)
        # A database in memory has one connection, which may be wanted meanwhile.
        return columns, iter([*rows]) if self._in_memory else rows

    @expecting(sql=str, library=str)
    def frame(self, sql: str, library: Library = "pandas") -> Any:
        """The answer to a question in SQL as a frame.

        Args:
            sql: one statement that reads, as for :meth:`query`.
            library: whose frame: ``pandas``, ``polars`` or ``arrow``.

        Returns:
            A ``pandas.DataFrame``, ``polars.DataFrame`` or ``pyarrow.Table`` of all
            rows.  A column whose name is there already has a number behind it.

        Raises:
            UsageError: if the statement is wrong, the library is unknown or missing, or
                a column has values of several types and the library no such columns.
            StoreError: if the statement would write.
        """
        # Few ask for frames.
        from graphscore.store.columnar.frames import (
            FEW,
            frame_from,
            in_columns,
            table_of,
        )

        refuse_missing(library)
        columns, rows = self.query(sql)
        if self._in_memory or not in_columns():
            return frame_of(columns, rows, library)
        first = [*islice(rows, FEW)]
        if len(first) == FEW:
            table = table_of(self._url, sql, columns, first, stored_revision)
            if table is not None:
                return frame_from(table, library)
        return frame_of(columns, chain(first, rows), library)

    @expecting(by=Sequence, top=Integral | None, seconds=Real | None)
    def find(
        self,
        pattern: str | Pattern,
        *,
        gold: str | None = None,
        system: str | None = None,
        metric: str | None = None,
        scope: str | None = None,
        framework: str | None = None,
        by: Sequence[str] = (),
        top: int | None = None,
        items: bool = True,
        distinct: Literal["nodes"] | None = None,
        seconds: float | None = None,
    ) -> Hits:
        """Search graphs, and what became of them, by a pattern.

        Args:
            pattern: such as ``pattern { X -[ARG1]-> Y; missing(Y) }``.
            gold: the gold collection, or the only one that is searched.
            system: the system collection.
            metric: of the evaluation, where the pattern compares both sides.
            scope: of the evaluation, where there are several.
            framework: only graphs of this one.
            by: what hits are counted by, as ``X.label``, ``e.label``, ``item``.
            top: how many hits and groups are given; all without.
            items: whether hits are given, not only counted.
            distinct: ``nodes`` makes one of hits that differ in edges alone.
            seconds: how long may be searched; without, as long as it takes.

        Returns:
            How many hits there are, the hits, and the groups.

        Raises:
            UsageError: if the pattern is wrong, pointing into it, or it is not clear
                what is searched.
            StoreError: if the evaluation is outdated.
            TooLongError: when the time is over.
        """
        # SQLAlchemy is here already, a parser need not be.
        from graphscore.find.search import HitRequest, Sides, find

        _check_distinct(distinct)
        sides = Sides(gold, system, metric, scope)
        hit_request = HitRequest(framework, tuple(by), top, items, distinct is not None)
        with self._search_connection(seconds) as connection:
            result = find(connection, pattern, sides, hit_request)
        if result.sides.metric is not None:
            names = result.sides._asdict()
            refuse_outdated(self.url, self._evaluations(), names, requested=metric)
        return result

    def judged(
        self,
        gold: str,
        system: str,
        metric: str,
        units: Sequence[tuple[str, str, str, str]],
        scope: str | None = None,
    ) -> list[tuple[Graph | None, Graph | None, Outcome | None]]:
        """Pairs of an evaluation, as it paired and compared them.

        Args:
            gold: the gold collection.
            system: the system collection.
            metric: canonical string of the metric.
            units: framework, language, item and layer of each, as it names them.
            scope: of the evaluation, where there are several.

        Returns:
            Of each its graphs, of those that are single ones, and what was found; of
            units of the system alone that is nothing.
        """
        from graphscore.store.read.outcomes import load_outcomes

        with self._database.reading() as connection:
            names = {"gold": gold, "system": system, "metric": metric}
            made = find_evaluations(connection, **names, scope=scope)
            known = {
                (pair.framework, pair.language, pair.item, pair.layer): pair
                for pair in pairs_of(connection, made[-1].id)
            }
            pairs = [known[unit] for unit in units]
            ids = {x for pair in pairs for x in (pair.gold, pair.system) if x}
            graphs = load_present(connection, sorted(ids))
            results = [pair.result for pair in pairs if pair.result is not None]
            outcomes = load_outcomes(connection, results)
        return [
            (
                graphs.get(pair.gold or 0),
                graphs.get(pair.system or 0),
                outcomes.get(pair.result or 0),
            )
            for pair in pairs
        ]

    @expecting(top=Integral | None, seconds=Real | None)
    def hits(
        self,
        pattern: str | Pattern,
        *,
        gold: str | None = None,
        system: str | None = None,
        metric: str | None = None,
        scope: str | None = None,
        framework: str | None = None,
        top: int | None = None,
        distinct: Literal["nodes"] | None = None,
        seconds: float | None = None,
    ) -> Iterator[dict[str, Any]]:
        """The hits of a pattern one after another, which may be too many to keep.

        Args:
            pattern: as for :meth:`find`, and so is everything else.
            gold: the gold collection, or the only one that is searched.
            system: the system collection.
            metric: of the evaluation, where the pattern compares both sides.
            scope: of the evaluation, where there are several.
            framework: only graphs of this one.
            top: how many; all without.
            distinct: ``nodes`` makes one of hits that differ in edges alone.
            seconds: how long they may be asked for.

        Yields:
            What ``items`` of :meth:`find` has.
        """
        from graphscore.find.search import HitRequest, Sides, hits

        _check_distinct(distinct)
        hit_request = HitRequest(framework, (), top, True, distinct is not None)
        with self._search_connection(seconds) as connection:
            result = hits(
                connection, pattern, Sides(gold, system, metric, scope), hit_request
            )
            if seconds is not None:
                result = in_time(result, seconds)
            # A database in memory has one connection, which may be wanted meanwhile.
            kept = [*result] if self._in_memory else None
            if kept is None:
                yield from result
        if kept is not None:
            yield from kept

    @contextmanager
    def _search_connection(self, seconds: float | None) -> Iterator[Connection]:
        """A connection to search, perhaps for a while only."""
        if seconds is not None and not 0 < seconds <= LONGEST_SEARCH:
            raise UsageError(
                f"seconds is {seconds!r}, expected a number above 0, at most "
                f"{LONGEST_SEARCH:,}"
            )
        with self._database.reading() as connection:
            if seconds is None:
                yield connection
                return
            with bounded(connection, Limits(seconds)):
                yield connection

    @expecting(str | None, by=Sequence, top=Integral)
    def errors(
        self,
        *,
        by: Sequence[str] = ERROR_GROUPS,
        top: int = 20,
        **filters: str | None,
    ) -> Frequent:
        """The most frequent error tuples, and the SQL that finds them.

        Args:
            by: what they are grouped by: columns of ``v_errors``.
            top: how many.
            filters: ``gold``, ``system``, ``metric``, ``scope``, ``framework``,
                ``document``, ``item``, ``kind``, ``side``, to look at only those.

        Returns:
            Columns, rows and statements.

        Raises:
            StoreError: if an evaluation that is asked for is outdated.
            UsageError: if one system has evaluations of several scopes.
        """
        self.refuse_outdated(**filters)
        self._refuse_mixed(filters)
        return frequent_errors(self.query, filters, by, top)

    @expecting(str | None, top=Integral)
    def confusions(self, *, top: int = 20, **filters: str | None) -> Frequent:
        """The most frequent pairs of gold value and system value.

        Of a metric of semantic roles that is named, pairs of roles and of senses.

        Args:
            top: how many.
            filters: ``gold``, ``system``, ``metric``, ``scope``, ``framework``,
                ``document``, ``kind``, to look at only those.

        Returns:
            Columns, rows and the statement.

        Raises:
            StoreError: if an evaluation that is asked for is outdated.
            UsageError: if one system has evaluations of several scopes.
        """
        self.refuse_outdated(**filters)
        self._refuse_mixed(filters)
        labels = _confuses_labels(filters.get("metric"))
        return frequent_confusions(self.query, filters, top, labels)

    @expecting(str | None, worst=Integral | None, order=str, shared=object)
    def item_scores(
        self,
        *,
        worst: int | None = None,
        order: Literal["mean", "best"] = "mean",
        shared: bool = False,
        **filters: str | None,
    ) -> ItemScores:
        """The same items seen by different frameworks, worst first.

        Args:
            worst: how many items.
            order: sorted by the mean over the frameworks, or by the best of them.
            shared: whether only items count that every framework has.
            filters: ``gold``, ``system``, ``metric`` and ``scope`` of one evaluation;
                also ``framework``, ``language``, ``document``, ``item``.

        Returns:
            Frameworks, items with their F1, and the statement.

        Raises:
            StoreError: if an evaluation that is asked for is outdated.
            UsageError: if one system has evaluations of several scopes.
        """
        from graphscore.store.read.item_scores import item_scores

        self.refuse_outdated(**filters)
        self._refuse_mixed(filters)
        with guarded(self._database.name):
            return item_scores(self.query, filters, worst, order, shared)


def _check_distinct(distinct: str | None) -> None:
    if distinct not in (None, "nodes"):
        raise UsageError(f"distinct is {distinct!r}, expected 'nodes' or None")


def _confuses_labels(metric: str | None) -> bool:
    """Return whether the confusions of a built-in metric are of labels."""
    name = "" if metric is None else metric.partition("(")[0]
    return name in homes() and getattr(metric_named(name), "confuses", "") == "label"
