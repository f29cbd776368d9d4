"""What is asked of a store: evaluations, SQL, and the rows that are made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any, Literal

from graphscore.errors import expecting
from graphscore.evaluation.outdated import judged, refuse_outdated
from graphscore.evaluation.rows.notebook import ShownFrequent
from graphscore.metrics.registry import homes, metric_named
from graphscore.metrics.revisions import current_revision
from graphscore.rows import Library, frame_of, refuse_missing
from graphscore.store.database import Database
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.reading.frequent import (
    ERROR_GROUPS,
    Frequent,
    frequent_confusions,
    frequent_errors,
)
from graphscore.store.reading.perframework import ItemScores, item_scores
from graphscore.store.reading.queries import answer, query
from graphscore.store.revisions import mark_outdated


class Questions:
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
        with self._database.reading() as connection:
            made = find_evaluations(connection)
        return [judged(each) for each in made]

    def refuse_outdated(self, **wanted: str | None) -> None:
        """Raise if an evaluation is outdated: its figures are no longer the metric's.

        Args:
            wanted: ``gold``, ``system`` and ``metric``; all evaluations with these.

        Raises:
            StoreError: naming the command that scores again.
        """
        refuse_outdated(self.url, self.evaluations(), wanted)

    @expecting(sql=str)
    def query(self, sql: str) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
        """Ask in SQL; the database refuses to change anything.

        Returns:
            Column names, and the rows as they are asked for.
        """
        if not self._in_memory:
            return query(self._url, sql, revision_of=current_revision)
        # A database in memory has no second, read-only connection.
        mark_outdated(self._database, current_revision)
        with self._database.reading() as connection:
            columns, *rows = answer(connection, sql)
        return columns, iter(rows)

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
        refuse_missing(library)
        return frame_of(*self.query(sql), library)

    @expecting(str | None, by=Sequence, top=Integral)
    def errors(
        self,
        *,
        by: Sequence[str] = ERROR_GROUPS,
        top: int = 20,
        **wanted: str | None,
    ) -> Frequent:
        """The most frequent error tuples, and the SQL that finds them.

        Args:
            by: what they are grouped by: columns of ``v_errors``.
            top: how many.
            wanted: ``gold``, ``system``, ``metric``, ``framework``, ``document``,
                ``item``, ``kind``, ``side``, to look at only those.

        Returns:
            Columns, rows and statements.

        Raises:
            StoreError: if an evaluation that is asked for is outdated.
        """
        self.refuse_outdated(**wanted)
        return ShownFrequent(*frequent_errors(self.query, wanted, by, top))

    @expecting(str | None, top=Integral)
    def confusions(self, *, top: int = 20, **wanted: str | None) -> Frequent:
        """The most frequent pairs of gold value and system value.

        Of a metric of semantic roles that is named, pairs of roles and of senses.

        Args:
            top: how many.
            wanted: ``gold``, ``system``, ``metric``, ``framework``, ``document``,
                ``kind``, to look at only those.

        Returns:
            Columns, rows and the statement.

        Raises:
            StoreError: if an evaluation that is asked for is outdated.
        """
        self.refuse_outdated(**wanted)
        labels = _confuses_labels(wanted.get("metric"))
        found = frequent_confusions(self.query, wanted, top, labels)
        return ShownFrequent(*found)

    @expecting(str | None, worst=Integral | None, order=str, shared=object)
    def item_scores(
        self,
        *,
        worst: int | None = None,
        order: Literal["mean", "best"] = "mean",
        shared: bool = False,
        **wanted: str | None,
    ) -> ItemScores:
        """The same items seen by different frameworks, worst first.

        Args:
            worst: how many items.
            order: sorted by the mean over the frameworks, or by the best of them.
            shared: whether only items count that every framework has.
            wanted: ``gold``, ``system`` and ``metric`` of one evaluation; also
                ``framework``, ``language``, ``document``, ``item``.

        Returns:
            Frameworks, items with their F1, and the statement.

        Raises:
            StoreError: if an evaluation that is asked for is outdated.
        """
        self.refuse_outdated(**wanted)
        return item_scores(self.query, wanted, worst, order, shared)


def _confuses_labels(metric: str | None) -> bool:
    """Whether what a metric of ours confuses are labels."""
    name = "" if metric is None else metric.partition("(")[0]
    return name in homes() and metric_named(name).confuses == "label"
