"""The errors of a result, and what it says instead: a row each, without a store.

The columns are those of a store: of its view ``v_errors``, and of what
:meth:`~graphscore.Store.confusions` gives.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from numbers import Integral
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from graphscore.exceptions import UsageError, as_text, expecting
from graphscore.metrics.traits import Confused, Nested, trait
from graphscore.model.graph import Value, json_type
from graphscore.model.outcome import Error, Match
from graphscore.rows import Rows, Tabular, brief, cell_of, joined, numbers_of
from graphscore.store.read.frequent import (
    ERROR_GROUPS,
    Frequent,
    frequent_errors,
    without_equal,
)

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.evaluation.unit import ItemResult, Unit
    from graphscore.metrics.base import Metric
    from graphscore.model.outcome import Outcome


class ErrorRow(NamedTuple):
    """A tuple that did not match; cells are found by name, too: ``row["kind"]``."""

    gold: str
    system: str
    metric: str
    scope: str
    """Scope of the evaluation."""
    revision: int
    """Revision of the metric."""
    evaluation: str
    """Status of the evaluation: ``done``."""
    framework: str
    language: str
    document: str
    item: str
    layer: str
    error_type: str
    """``missing``, ``spurious`` or ``partial``."""
    tuple_type: str
    object: str
    gold_ordinal: int | None
    system_ordinal: int | None
    label: str | None
    name: str
    value: str | None
    """Value as text; its JSON type is the next field."""
    type: str
    compared: str | None
    reason: str
    credit: float
    parent: int | None
    level: int

    def __getitem__(self, key: Any) -> Any:
        """A cell, by its number or its name."""
        return cell_of(self, key)


class ConfusionRow(NamedTuple):
    """Confusion of a gold value with a system value, and its frequency."""

    framework: str
    tuple_type: str
    name: str
    gold_value: str | None
    system_value: str | None
    times: int

    def __getitem__(self, key: Any) -> Any:
        """A cell, by its number or its name."""
        return cell_of(self, key)


RowT = TypeVar("RowT", ErrorRow, ConfusionRow)


class _Found(Rows, Generic[RowT]):
    """Rows that are made of the errors of a result.

    Args:
        result: whose errors they are.
    """

    columns: tuple[str, ...]

    def __init__(self, result: Result) -> None:
        self.result = result

    def __iter__(self) -> Iterator[RowT]:
        raise NotImplementedError

    def tabular(self) -> Tabular:
        """All rows."""
        return Tabular(self.columns, self)

    def __repr__(self) -> str:
        return brief(type(self).__name__, f"of {self.result!r}")


class Errors(_Found[ErrorRow]):
    """Every tuple that did not match, item by item.

    Those of several references are all there with ``mean``; with ``best`` they are
    those of the reference that was chosen for an item, which is called gold.
    """

    columns = ErrorRow._fields

    def __iter__(self) -> Iterator[ErrorRow]:
        for result, items in _items_with_errors(self.result):
            scope = str(result.scope)
            for item in items:
                if item.errors:
                    names = item.reference or result.gold, result.system, scope
                    yield from error_rows(names, result.metric, item, item)

    def __len__(self) -> int:
        return sum(
            len(item.errors)
            for _, items in _items_with_errors(self.result)
            for item in items
        )

    @expecting(by=Sequence, top=Integral)
    def frequent(self, by: Sequence[str] = ERROR_GROUPS, top: int = 20) -> Frequent:
        """The most frequent ones, as :meth:`~graphscore.Store.errors` counts them.

        Args:
            by: what they are grouped by: columns of these rows, from ``framework`` on.
            top: how many groups.

        Returns:
            Groups, most frequent first; where they tell tuple type, error_type, name
            and value, a last column says what stands there instead, most often, with
            its count, and in how many places there is nothing.

        Raises:
            UsageError: if a column is unknown.
        """
        names = ", ".join(self.columns)
        signs = ", ".join("?" * len(self.columns))
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute(f"create table v_errors ({names})")
            database.execute(
                "create view v_error_tuples as select framework, tuple_type, "
                "error_type, name, "
                "value, count(*) as errors from v_errors group by 1, 2, 3, 4, 5"
            )
            rows = (
                [as_text(x) if isinstance(x, str) else x for x in row] for row in self
            )
            database.executemany(f"insert into v_errors values ({signs})", rows)

            def ask(sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
                answer = database.execute(sql)
                return [name for name, *_ in answer.description], answer.fetchall()

            return frequent_errors(ask, {}, by, top)._replace(sql=[])

    def numbers(self) -> dict[str, float]:
        """Numbers of errors by ``METRIC/KIND/SIDE``, also in each framework."""
        counts: Counter[str] = Counter()
        for result, items in _items_with_errors(self.result):
            metric = str(result.metric)
            for item in items:
                for error in item.errors:
                    for framework in ("", item.framework):
                        key = metric, framework, error.tuple_type, error.error_type
                        counts[joined(*key)] += 1
        return {name: float(times) for name, times in counts.items()}


class Confusions(_Found[ConfusionRow]):
    """Confusions of gold and system values, the most frequent first."""

    columns = ConfusionRow._fields

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self._rows: list[ConfusionRow] | None = None

    @property
    def rows(self) -> list[ConfusionRow]:
        """All of them, counted when they are asked for first."""
        if self._rows is None:
            labels = trait(self.result.metric, Confused).confuses == "label"
            confused = _mistaken if labels else _confused_tuples
            counter = Counter(
                key
                for _, items in _items_with_errors(self.result)
                for item in items
                for key in confused(item.framework, item.errors)
            )
            rows = sorted(
                ((*key, times) for key, times in counter.items()), key=_by_number
            )
            self._rows = [ConfusionRow(*without_equal(row)) for row in rows]
        return self._rows

    def __iter__(self) -> Iterator[ConfusionRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def numbers(self) -> dict[str, float]:
        """Numbers of confusions by ``METRIC/FRAMEWORK/KIND/NAME/GOLD/SYSTEM/times``.

        What has no name leaves it out; a value that is null is called so.
        """
        metric = str(self.result.metric)
        rows = [
            (metric, *row[:3], *("null" if x is None else x for x in row[3:5]), row[5])
            for row in self.rows
        ]
        columns = ("metric", *self.columns)
        return numbers_of(columns, rows, columns[:-1], columns[-1:])


def _items_with_errors(
    result: Result,
) -> Iterator[tuple[Result, Sequence[ItemResult]]]:
    """Items with their errors, for each reference whose own errors are told.

    Raises:
        UsageError: if errors were not asked for.
    """
    for reference in result.references if result.mode == "mean" else (result,):
        items: Sequence[ItemResult] = reference.items
        known = bool(items) and all(item.texts for item in items)
        if reference.pairs and not known:
            if reference.fetch is None:
                raise UsageError(
                    f"{reference.system} ({reference.metric}): errors and confusions "
                    f"are known "
                    "of results with details only: Options(per_item=True, details=True)"
                )
            items = reference.fetch()
        yield reference, items


def error_rows(
    names: tuple[str, str, str],
    metric: Metric,
    unit: ItemResult | Unit,
    outcome: ItemResult | Outcome,
) -> list[ErrorRow]:
    """Return the rows of the errors of one pair.

    Args:
        names: what gold and the system are called, and what was scored.
        metric: what compared them.
        unit: of gold.
        outcome: its errors, and the matches that they are part of.
    """
    gold, system, scope = names
    head = (
        *(gold, system, str(metric), scope, metric.revision),
        *("done", unit.framework, unit.language, unit.document, unit.item),
        unit.layer,
    )
    return [
        ErrorRow._make(
            (*head, *_error_cells(error), _level(outcome.matches, error.parent))
        )
        for error in outcome.errors
    ]


def _error_cells(error: Error) -> Iterator[Any]:
    """The cells of an error, from its side to its parent."""
    value_type, _ = json_type(error.value)
    yield from (
        error.error_type,
        error.tuple_type,
        error.object,
        error.gold,
        error.system,
    )
    yield from (_text(error.label), error.name, _text(error.value), value_type)
    yield from (error.compared, error.reason, error.credit, error.parent)


def _text(value: Value) -> str | None:
    return None if value is None else json_type(value)[1]


def _level(matches: Sequence[Match], parent: int | None) -> int:
    """Return the depth of an error: that of the objects inside its match."""
    if parent is None or parent >= len(matches):
        return 0
    return matches[parent].level + 1


def with_parts(groups: Frequent, metric: Metric) -> Frequent:
    """Groups of errors with what their level is about, where the metric nests.

    Args:
        groups: the groups.
        metric: what compared.
    """
    if not trait(metric, Nested).is_nested or "level" not in groups.columns:
        return groups
    level = groups.columns.index("level")
    tuple_type = (
        groups.columns.index("tuple_type") if "tuple_type" in groups.columns else None
    )
    columns = (*groups.columns[: level + 1], "part", *groups.columns[level + 1 :])
    rows = []
    for row in groups.rows:
        own = metric.main if tuple_type is None else row[tuple_type]
        part = trait(metric, Nested).part_of(own, row[level])
        rows.append((*row[: level + 1], part, *row[level + 1 :]))
    return type(groups)(columns, rows, groups.sql)


_Confused = tuple[str, str, str, str | None, str | None]


def _confused_tuples(framework: str, errors: Sequence[Error]) -> Iterator[_Confused]:
    """Missing and spurious tuples of one type and name at the same two objects."""
    spurious: defaultdict[tuple[Any, ...], list[Error]] = defaultdict(list)
    for error in errors:
        if error.error_type == "spurious":
            spurious[_place(error)].append(error)
    for lost in errors:
        if lost.error_type == "missing" and None not in (lost.gold, lost.system):
            for rival in spurious.get(_place(lost), ()):
                yield (
                    framework,
                    lost.tuple_type,
                    lost.name,
                    _text(lost.value),
                    _text(rival.value),
                )


def _mistaken(framework: str, errors: Sequence[Error]) -> Iterator[_Confused]:
    """Labels of missing and spurious objects in each other's place, of any type."""
    spurious: defaultdict[tuple[Any, ...], list[Error]] = defaultdict(list)
    for error in errors:
        if error.error_type == "spurious" and None not in (error.gold, error.system):
            spurious[error.gold, error.system, error.object, error.name].append(error)
    for lost in errors:
        if lost.error_type == "missing":
            for rival in spurious.get(
                (lost.gold, lost.system, lost.object, lost.name), ()
            ):
                labels = _text(lost.label), _text(rival.label)
                if None not in labels and labels[0] != labels[1]:
                    yield framework, lost.tuple_type, lost.name, *labels


def _place(error: Error) -> tuple[Any, ...]:
    return error.gold, error.system, error.tuple_type, error.name


def _by_number(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The most frequent first; what has no value before what has one."""
    *key, times = row
    return -times, *_by_value(key)


def _by_value(key: Sequence[Any]) -> tuple[Any, ...]:
    return tuple((cell is not None, "" if cell is None else cell) for cell in key)
