"""Results of every two annotators in both directions, drawn together.

A unit that one of two lacks has no part in their agreement; samples draw from the units
of all, so that the intervals of pairs, means and coefficients rest on the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.evaluation.result import ItemResult, Result
from graphscore.metrics.base import Metric
from graphscore.statistics.columns import all_by_sample
from graphscore.statistics.draws import weights
from graphscore.statistics.resampling import items_of
from graphscore.statistics.tables import (
    WHOLE,
    ColumnKey,
    Figure,
    Table,
    Unit,
    UnitKey,
    drawn_sums,
    figure_of_columns,
    mass_table,
)
from graphscore.statistics.units import refuse_unit

Doubles = npt.NDArray[np.float64]

Directed = Mapping[tuple[int, int], Result]
"""By numbers of gold and system: every two annotators in both directions."""

_THERE: ColumnKey = (WHOLE, ("units", "", "there"))
"""A mass that every unit has once which both annotated."""


class Pool(NamedTuple):
    """What all pairs have in common units."""

    units: tuple[UnitKey, ...]
    """Everything that any two annotated."""
    pairs: tuple[tuple[int, int], ...]
    """Numbers of annotators, the first named first."""
    there: npt.NDArray[np.bool_]
    """Which units a pair annotated: shape (pairs, units)."""
    by_unit: Doubles
    """The figure of each pair in each unit: shape (pairs, units)."""
    observed: dict[str, Doubles]
    """By figure that of each pair over all of its units."""
    drawn: dict[str, Doubles]
    """By figure that of each pair in each sample: shape (pairs, samples)."""
    symmetric: bool
    """Whether all figures are the same in both directions."""


def pool(
    scored: Directed,
    figures: Sequence[str],
    unit: Unit,
    samples: int,
    seed: int,
    framework: str | None = None,
) -> Pool:
    """Lay out the results of all pairs alike, and draw samples.

    Args:
        scored: every two annotators, with items.
        figures: which figures, as for ``--fail-under``; that by unit is the first.
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
    for way in directed:
        items = [
            each
            for each in items_of(scored[way])
            if not each.missing and framework in (None, each.framework)
        ]
        refuse_unit(metric, unit, items)
        tables.append(_marked(mass_table(items, unit)))
    # Either direction has the same units: those that both annotated.
    units = tuple(dict.fromkeys(each for table in tables for each in table.units))
    tables = [_spread(table, units) for table in tables]
    function = _all_of(metric, figures)
    there = np.array([_column(table) > 0 for table in tables]).reshape(-1, len(units))
    by_unit = np.array(
        [_values(table, {"": function(figures[0])}, table.rows)[""] for table in tables]
    ).reshape(-1, len(units))
    asked = {name: function(name) for name in figures}
    whole = [_values(table, asked, table.rows.sum(axis=0)[None]) for table in tables]
    found: list[dict[str, list[Doubles]]] = [
        {name: [] for name in asked} for _ in tables
    ]
    for sums in drawn_sums(tables, weights(len(units), samples, seed)):
        for table, kept, own in zip(tables, found, sums, strict=True):
            for name, values in _values(table, asked, own).items():
                kept[name].append(values)
    observed = {name: np.array([each[name][0] for each in whole]) for name in asked}
    drawn = {
        name: np.array([np.concatenate(each[name]) for each in found]) for name in asked
    }
    apart = np.abs(by_unit[0::2] - by_unit[1::2])
    totals = np.abs(observed[figures[0]][0::2] - observed[figures[0]][1::2])
    return Pool(
        units,
        pairs,
        there[0::2] | there[1::2],
        both_ways(by_unit),
        {name: both_ways(values) for name, values in observed.items()},
        {name: both_ways(values) for name, values in drawn.items()},
        not ((apart > _SLACK).any() or (totals > _SLACK).any()),
    )


_SLACK = 1e-9


def both_ways(values: Doubles) -> Doubles:
    """Means of every two directions, which stand one behind the other.

    Example:
        >>> both_ways(np.array([0.5, 1.0, 0.25, 0.25])).tolist()
        [0.75, 0.25]
    """
    found: Doubles = (values[0::2] + values[1::2]) / 2
    return found


def mean_of(values: Doubles) -> Doubles:
    """Means over the first axis of what is defined; ``nan`` where nothing is."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0.0).sum(axis=0)
    found: Doubles = np.where(counts > 0, sums / np.maximum(counts, 1), math.nan)
    return found


def _marked(table: Table) -> Table:
    """A table with a column that says that its units are there."""
    rows = table.rows if isinstance(table.rows, np.ndarray) else table.rows.toarray()
    marks = np.ones((len(table.units), 1))
    return Table(table.units, (*table.columns, _THERE), np.hstack([rows, marks]))


def _spread(table: Table, units: Sequence[UnitKey]) -> Table:
    """The same table with rows for all units, in their order."""
    places = {each: place for place, each in enumerate(units)}
    rows = np.zeros((len(units), len(table.columns)))
    rows[[places[each] for each in table.units]] = table.rows
    return Table(tuple(units), table.columns, rows)


def _column(table: Table) -> Doubles:
    found: Doubles = table.rows[:, -1]
    return found


def _all_of(metric: Metric, figures: Sequence[str]) -> Callable[[str], Figure]:
    """Figures that are none where a sample drew nothing that both annotated."""
    known = {name: figure_of_columns(metric, name) for name in figures}

    def of(name: str) -> Figure:
        figure = known[name]
        kind = name.removesuffix(".f1")
        if not name and not metric.leading:
            kind = metric.main

        def value(masses: dict[ColumnKey, Any]) -> Any:
            rest = dict(masses)
            if not rest.pop(_THERE):
                return None
            counts = metric.figures(
                {key: mass for (_, key), mass in rest.items()}
            ).counts
            # Where neither has anything there is nothing to agree on.
            if kind in counts and not (counts[kind].gold + counts[kind].system):
                return None
            return figure(rest)

        return value

    return of


def _values(
    table: Table, figures: Mapping[str, Figure], sums: Doubles
) -> dict[str, Doubles]:
    found = all_by_sample(
        lambda masses: {name: figure(masses) for name, figure in figures.items()},
        table.by_column(sums),
        len(sums),
    )
    return {name: found.get(name, np.full(len(sums), math.nan)) for name in figures}


def annotated(results: Directed, number: int) -> set[tuple[str, str, str, str]]:
    """What one annotator has at all, as gold of anybody.

    Args:
        results: every two annotators, with items.
        number: whose.
    """
    items: list[ItemResult] = [
        each
        for (gold, _), result in results.items()
        if gold == number
        for each in result.items
    ]
    return {(each.framework, each.language, each.item, each.layer) for each in items}
