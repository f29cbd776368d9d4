"""Results of every two annotators in both directions, drawn together.

A unit that one of two lacks has no part in their agreement; samples draw from the units
of all, so that the intervals of pairs, means and coefficients rest on the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.evaluation.macro import score_in
from graphscore.evaluation.result import GroupKey, Result
from graphscore.evaluation.unit import ItemResult
from graphscore.metrics.base import Metric
from graphscore.model.outcome import RawCounts, Scores
from graphscore.statistics.resampling import items_of
from graphscore.statistics.resampling_units import is_macro, refuse_unit
from graphscore.statistics.sampling import weights
from graphscore.statistics.tables import (
    WHOLE,
    ColumnKey,
    Score,
    Table,
    Unit,
    UnitKey,
    drawn_sums,
    raw_count_table,
)
from graphscore.statistics.vectorized_counts import all_by_sample

Doubles = npt.NDArray[np.float64]

Directed = Mapping[tuple[int, int], Result]
"""By numbers of gold and system: every two annotators in both directions."""

_THERE: ColumnKey = (WHOLE, ("units", "", "there"))
"""A raw count that every unit has once which both annotated: the last column."""


class Pool(NamedTuple):
    """Counts of all pairs of annotators in common units."""

    units: tuple[UnitKey, ...]
    """Everything that any two annotated."""
    pairs: tuple[tuple[int, int], ...]
    """Numbers of annotators, the first named first."""
    there: npt.NDArray[np.bool_]
    """Units that each pair annotated: shape (pairs, units)."""
    by_unit: Doubles
    """The score of each pair in each unit: shape (pairs, units)."""
    observed: dict[str, Doubles]
    """By score that of each pair over all of its units."""
    drawn: dict[str, Doubles]
    """By score that of each pair in each sample: shape (pairs, samples)."""
    symmetric: bool
    """True if all scores are equal in both directions."""


def pool(
    scored: Directed,
    scores: Sequence[str],
    unit: Unit,
    samples: int,
    seed: int,
    framework: str | None = None,
) -> Pool:
    """Lay out the results of all pairs alike, and draw samples.

    Args:
        scored: every two annotators, with items.
        scores: which scores, as for ``--fail-under``; that by unit is the first.
        unit: what is drawn.
        samples: how many samples are drawn.
        seed: what the draws start from.
        framework: the only one that counts; all without.

    Raises:
        UsageError: without results per item, or if the metric is no sum over the unit.
    """
    pairs = tuple((a, b) for a, b in scored if a < b)
    directed = [way for a, b in pairs for way in ((a, b), (b, a))]
    metric = next(iter(scored.values())).metric
    tables = []
    # A mean over frameworks needs the raw counts of each.
    by = ("framework",) if any(map(is_macro, scores)) else ()
    for way in directed:
        items = [
            item
            for item in items_of(scored[way])
            if not item.missing and framework in (None, item.framework)
        ]
        refuse_unit(metric, unit, items)
        tables.append(raw_count_table(items, unit, by=by))
    # Either direction has the same units: those that both annotated.
    units = tuple(dict.fromkeys(unit for table in tables for unit in table.units))
    columns = tuple(
        dict.fromkeys(column for table in tables for column in table.columns)
    )
    tables = [_spread(table, units, columns) for table in tables]
    shared = np.array([table.rows[:, -1] > 0 for table in tables]).reshape(
        -1, len(units)
    )
    first, all_scores = scores_of(metric, scores[:1]), scores_of(metric, scores)
    by_unit = _of_units(tables, first)[scores[0]]
    whole = _values(
        tables, all_scores, [table.rows.sum(axis=0)[None] for table in tables]
    )
    drawn: dict[str, list[Doubles]] = {name: [] for name in scores}
    for sums in drawn_sums(tables, weights(len(units), samples, seed)):
        for name, values in _values(tables, all_scores, sums).items():
            drawn[name].append(values)
    apart = np.abs(by_unit[0::2] - by_unit[1::2])
    totals = np.abs(whole[scores[0]][0::2] - whole[scores[0]][1::2])
    return Pool(
        units,
        pairs,
        shared[0::2] | shared[1::2],
        both_ways(by_unit),
        {name: both_ways(values[:, 0]) for name, values in whole.items()},
        {name: both_ways(np.hstack(blocks)) for name, blocks in drawn.items()},
        not ((apart > _SLACK).any() or (totals > _SLACK).any()),
    )


_SLACK = 1e-9


def both_ways(values: Doubles) -> Doubles:
    """Means of every two directions, which stand one behind the other.

    Example:
        >>> both_ways(np.array([0.5, 1.0, 0.25, 0.25])).tolist()
        [0.75, 0.25]
    """
    doubles: Doubles = (values[0::2] + values[1::2]) / 2
    return doubles


def mean_of(values: Doubles) -> Doubles:
    """Means over the first axis of what is defined; ``nan`` where nothing is."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0.0).sum(axis=0)
    doubles: Doubles = np.where(counts > 0, sums / np.maximum(counts, 1), math.nan)
    return doubles


def _spread(
    table: Table, units: Sequence[UnitKey], columns: Sequence[ColumnKey]
) -> Table:
    """The same table with rows and columns of all, in their order, and a mark."""
    along, across = (
        np.array([index_of[key] for key in own], dtype=np.int64)
        for own, every in ((table.units, units), (table.columns, columns))
        for index_of in [{key: number for number, key in enumerate(every)}]
    )
    rows = np.zeros((len(units), len(columns) + 1))
    own = table.rows if isinstance(table.rows, np.ndarray) else table.rows.toarray()
    rows[np.ix_(along, across)] = own
    rows[along, -1] = 1
    return Table(tuple(units), (*columns, _THERE), rows)


class _Summed(Result):
    """A result whose scores are worked out once, whichever are asked for."""

    @cached_property
    def scores(self) -> Scores:
        return self.metric.scores(self.total)


Asked = tuple[Sequence[str], Score]
"""Names of scores, and what gives them by name of raw counts by column."""


def scores_of(metric: Metric, names: Sequence[str]) -> Asked:
    """Scores that are none where a sample drew nothing that both annotated.

    Args:
        metric: whose scores.
        names: which, as for ``--fail-under``.
    """
    kinds = {
        name: name.removesuffix(".f1") if name or metric.leading else metric.main
        for name in names
    }

    def values(raw_counts: dict[ColumnKey, Any]) -> dict[str, Any]:
        if not raw_counts[_THERE]:
            return dict.fromkeys(names)
        groups: dict[GroupKey, RawCounts] = {}
        for column, raw_count in raw_counts.items():
            if column != _THERE:
                group, key = column
                groups.setdefault(group, {})[key] = raw_count
        result = _Summed(metric, raw_counts=groups, pairs=1)
        counts = result.scores.counts
        result_values: dict[str, Any] = {}
        for name, kind in kinds.items():
            # Where neither has anything there is nothing to agree on.
            none = kind in counts and not (counts[kind].gold + counts[kind].system)
            result_values[name] = None if none else score_in(result, name)
        return result_values

    return names, values


def _values(
    tables: Sequence[Table], named_scores: Asked, sums: Sequence[Doubles]
) -> dict[str, Doubles]:
    """Scores of tables that are laid out alike: each of shape (tables, samples)."""
    names, function = named_scores
    rows = np.concatenate(sums)
    result = all_by_sample(function, tables[0].by_column(rows), len(rows))
    none = np.full(len(rows), math.nan)
    return {name: result.get(name, none).reshape(len(tables), -1) for name in names}


def _of_units(tables: Sequence[Table], named_scores: Asked) -> dict[str, Doubles]:
    """Scores of every unit; those with equal raw counts are worked out once."""
    names, function = named_scores
    rows = np.concatenate([table.rows for table in tables])
    rows, row_of = np.unique(rows, axis=0, return_inverse=True)
    of_units = all_by_sample(function, tables[0].by_column(rows), len(rows))
    none = np.full(len(rows), math.nan)
    row_of = row_of.reshape(len(tables), -1)
    return {name: of_units.get(name, none)[row_of] for name in names}


def annotated(results: Directed, number: int) -> set[tuple[str, str, str, str]]:
    """Return the units that an annotator annotated at all, as gold of anybody.

    Args:
        results: every two annotators, with items.
        number: whose.
    """
    items: list[ItemResult] = [
        item
        for (gold, _), result in results.items()
        if gold == number
        for item in result.items
    ]
    return {(item.framework, item.language, item.item, item.layer) for item in items}
