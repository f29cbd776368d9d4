"""Scores of evaluations by slices, and of every item: summed once, then kept."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple, cast

from graphscore.evaluation.unit import ItemResult
from graphscore.explorer.queries import query
from graphscore.explorer.reader import ITEMS, Reader, metric_of
from graphscore.explorer.sentences import sentences_of
from graphscore.metrics.base import Metric, main_score
from graphscore.model.outcome import Count, RawCounts
from graphscore.store import schema
from graphscore.store.evaluations import Evaluation, Grouping, raw_counts_by
from graphscore.store.integrity import checked

SLICES: tuple[Grouping, ...] = ("framework", "language", "layer", "document")
"""Columns by which scores are sliced; documents, of which there may be many, last."""

Key = tuple[str, ...]


class Score(NamedTuple):
    """Main score of a slice, or F1 of a tuple type."""

    value: float
    amounts: Count


class Sums:
    """The summed raw counts of an evaluation by slices.

    Args:
        made: the evaluation.
        groups: raw counts by framework, language and layer, and perhaps document.
    """

    def __init__(self, made: Evaluation, groups: Mapping[Key, RawCounts]) -> None:
        self.metric = metric_of(made)
        self.groups = groups

    def values(self, column: str) -> list[str]:
        """The slices that there are by a column.

        Args:
            column: any of :data:`SLICES` that was summed by.
        """
        index = [*SLICES].index(cast(Grouping, column))
        return sorted({key[index] for key in self.groups if index < len(key)})

    def by(self, column: str, filters: Mapping[str, str | None]) -> dict[str, Score]:
        """Scores of each slice by a column, within other slices.

        Args:
            column: what to slice by.
            filters: the slices that it is all within.
        """
        index = [*SLICES].index(cast(Grouping, column))
        result: defaultdict[str, RawCounts] = defaultdict(dict)
        for key, raw_counts in self._within(filters):
            _add(result[key[index]], raw_counts)
        return {name: self._score(result[name]) for name in sorted(result)}

    def tuple_types(self, filters: Mapping[str, str | None]) -> dict[str, Score]:
        """Scores of each tuple type that is there.

        Args:
            filters: the slices that it is all within.
        """
        if self.metric is None:
            return {}
        counts = self.metric.scores(self._whole(filters)).counts
        return {
            tuple_type: Score(count.f1, count)
            for tuple_type, count in counts.items()
            if count.gold or count.system
        }

    def whole(self, filters: Mapping[str, str | None]) -> Score:
        """Return the total score.

        Args:
            filters: the slices that it is all within.
        """
        return self._score(self._whole(filters))

    def numbers(self, filters: Mapping[str, str | None]) -> dict[str, float]:
        """The metric's other scores, as tables show them."""
        if self.metric is None:
            return {}
        scores = self.metric.scores(self._whole(filters))
        return dict(self.metric.brief(scores.numbers))

    def _within(self, wanted: Mapping[str, str | None]) -> list[tuple[Key, RawCounts]]:
        filters = [wanted.get(name) for name in SLICES]
        return [
            (key, raw_counts)
            for key, raw_counts in self.groups.items()
            if all(
                value in (None, own) for value, own in zip(filters, key, strict=False)
            )
        ]

    def _whole(self, filters: Mapping[str, str | None]) -> RawCounts:
        summed: RawCounts = {}
        for _, raw_counts in self._within(filters):
            _add(summed, raw_counts)
        return summed

    def _score(self, raw_counts: RawCounts) -> Score:
        if self.metric is None:
            return Score(math.nan, Count())
        scores = self.metric.scores(raw_counts)
        count = scores.counts.get(self.metric.main, Count())
        known = self.metric.leading or count.gold or count.system
        return Score(main_score(self.metric, scores) if known else math.nan, count)


def _add(into: RawCounts, more: RawCounts) -> None:
    for key, value in more.items():
        into[key] = into.get(key, 0) + value


def sums_of(reader: Reader, made: Evaluation, *, documents: bool = False) -> Sums:
    """The sums of an evaluation.

    Args:
        reader: the store.
        made: which.
        documents: whether they are also by document.
    """

    def add() -> Sums:
        by = SLICES if documents else SLICES[:-1]
        with reader.connected() as connection:
            return Sums(made, dict(raw_counts_by(connection, made.id, by)))

    return reader.kept(_key_of_sums(made, documents), add, "whole")


def _key_of_sums(made: Evaluation, documents: bool) -> tuple[str, int, bool]:
    return "sums", made.id, documents


def is_summed(reader: Reader, made: Evaluation) -> bool:
    """Return whether the totals are cached, and need no time."""
    return reader.knows(_key_of_sums(made, False), "whole")


_p = schema.pair.c

_COLUMNS = (
    *(_p.framework, _p.language, _p.document, _p.item, _p.layer, _p.status),
    *[schema.raw_count.c.value] * 3,
    schema.error_count.c.errors,
)
"""Columns of the query about units."""

_TUPLE_TYPES = (*[str] * 6, *[int | float | None] * 3, int)


class Unit(NamedTuple):
    """An item in one framework."""

    framework: str
    language: str
    document: str
    item: str
    layer: str
    status: str
    f1: float | None
    """F1; ``None`` where both sides are empty."""
    gold: float
    """Size of gold: its tuples of the main type."""
    errors: int

    @property
    def column(self) -> str:
        """Column of its F1: the framework, and the layer if it has one."""
        return f"{self.framework}/{self.layer}" if self.layer else self.framework


class ItemLine(NamedTuple):
    """An item in all frameworks that have it."""

    language: str
    document: str
    item: str
    f1: dict[str, float | None]
    mean: float | None
    best: float | None
    gold: float
    errors: int


def units_of(reader: Reader, made: Evaluation) -> list[Unit]:
    """Every unit of an evaluation that was scored, or its sentences.

    Args:
        reader: the store.
        made: the evaluation.
    """

    def ask() -> list[Unit]:
        if (sentences := sentences_of(reader, made)) is not None:
            metric = sentences.result.metric
            return [_sentence(metric, item) for item in sentences.result.items]
        names = ("gold", "system", "metric", "scope")
        sql = query("items", **dict(zip(names, made.names, strict=True)))
        return [
            Unit._make((*row[:6], _f1(*row[6:9]), row[6] or 0, row[9]))
            for row in checked(
                reader.ask(sql, ITEMS).rows, _COLUMNS, _TUPLE_TYPES, key=5
            )
        ]

    return reader.kept(("units", made.id), ask, "whole")


def _sentence(metric: Metric, item: ItemResult) -> Unit:
    count = metric.scores(item.raw_counts).counts[metric.main]
    f1 = _f1(count.gold, count.system, count.f1)
    status = "missing" if item.missing else "paired"
    named = item.framework, item.language, item.document, item.item, item.layer
    return Unit(*named, status, f1, count.gold, len(item.errors))


def _f1(gold: float | None, system: float | None, f1: float | None) -> float | None:
    return float(f1 or 0) if gold or system else None


def lines_of(
    reader: Reader, made: Evaluation, filters: Mapping[str, str | None], order: str
) -> tuple[list[str], list[ItemLine]]:
    """Items in order, with the columns of their F1.

    Args:
        reader: the store.
        made: the evaluation.
        filters: ``framework``, ``language``, ``document``, ``layer``, which they are
            within; ``find``, which their ids have in them.
        order: ``mean`` or ``best``, the worst first; ``errors``, the most first;
            ``item``.
    """
    chosen = tuple(sorted((name, value) for name, value in filters.items() if value))

    def sort() -> tuple[list[str], list[ItemLine]]:
        units = _wanted(units_of(reader, made), filters)
        columns = sorted({unit.column for unit in units})
        found: dict[tuple[str, str], list[Unit]] = {}
        for unit in units:
            found.setdefault((unit.language, unit.item), []).append(unit)
        lines = [_line(each) for each in found.values()]
        lines.sort(key=lambda line: _rank(line, order))
        return columns, lines

    return reader.kept(("lines", made.id, chosen, order), sort, "list")


def _wanted(units: list[Unit], filters: Mapping[str, str | None]) -> list[Unit]:
    """Those units that are within slices, and have something in their id."""
    for name in SLICES:
        value, index = filters.get(name), Unit._fields.index(name)
        if value is not None:
            units = [unit for unit in units if unit[index] == value]
    find = (filters.get("find") or "").lower()
    return [unit for unit in units if find in unit.item.lower()] if find else units


def _line(units: list[Unit]) -> ItemLine:
    f1 = {unit.column: unit.f1 for unit in sorted(units, key=lambda e: e.column)}
    defined = [value for value in f1.values() if value is not None]
    first = units[0]
    return ItemLine(
        first.language,
        first.document,
        first.item,
        f1,
        sum(defined) / len(defined) if defined else None,
        max(defined, default=None),
        sum(unit.gold for unit in units),
        sum(unit.errors for unit in units),
    )


def _rank(line: ItemLine, order: str) -> tuple[float | str, ...]:
    """Return the sort key of an item; one where both sides are empty comes last."""
    last = line.item, line.language
    if order == "item":
        return last
    if order == "errors":
        return (-line.errors, *last)
    value = line.mean if order == "mean" else line.best
    return (value is None, value or 0.0, line.mean or 0.0, *last)
