"""Intervals of everything that a result shows, from one set of samples.

Every slice is resampled by itself, as it is compared by itself: its units alone are
drawn, and all of its scores are worked out from the same sums.  A mean over slices
draws from all units together.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from graphscore.evaluation.confidence_intervals import (
    NOTHING,
    Bounds,
    IntervalBounds,
    Intervals,
    sure,
)
from graphscore.evaluation.macro import (
    MACRO,
    RATIOS,
    macro_counts,
    macro_numbers,
    macro_value,
)
from graphscore.evaluation.result import GroupKey, Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError, amount
from graphscore.metrics.base import (
    Metric,
    main_score,
    unit_of,
)
from graphscore.metrics.traits import (
    ratio_names,
)
from graphscore.model.outcome import CountKey, RawCounts, Scores
from graphscore.statistics.comparison import FEW, LEVEL, SAMPLES
from graphscore.statistics.resampling import SEED, check_samples, items_of, quantiles
from graphscore.statistics.resampling_units import default_unit, refuse_unit
from graphscore.statistics.sampling import weights
from graphscore.statistics.tables import (
    Table,
    Unit,
    drawn_sums,
    in_blocks,
    raw_count_table,
    raw_count_tables,
)
from graphscore.statistics.vectorized_counts import Doubles, all_by_sample

Name = tuple[str, str, str]
"""A score: ``value``, a tuple type and its ratio, or one of the further scores."""

_VALUE: Name = ("value", "", "")


def with_intervals(
    result: Result,
    by: Sequence[str] = ("framework",),
    *,
    cluster: str = "",
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Result:
    """A result whose scores have confidence intervals.

    Args:
        result: with results per item.
        by: the slices that get intervals too, as for ``--by``.
        cluster: ``document`` draws all of a document together.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution an interval holds.

    Returns:
        The same with ``intervals``, and a signature that names the draws.

    Raises:
        UsageError: without results per item, or for a column, level or number of
            samples that is none.
    """
    check_samples(samples, level)
    if seed < 0:
        raise UsageError(f"seed {seed}: expected a number from 0")
    if cluster not in ("", "document"):
        raise UsageError(f"clusters of {cluster!r}: there are document")
    unit: Unit = "document" if cluster else default_unit(result.metric)
    items = items_of(result)
    refuse_unit(result.metric, unit, items)
    drawn = _Drawing(result.metric, unit, samples, seed, level)
    columns = tuple(column for column in by if column != "tuple_type")
    whole = drawn.bounds(items, result.scores)
    groups: dict[tuple[str, ...], Bounds] = {}
    if columns:
        sliced = result.by(*columns)
        parts: dict[tuple[str, ...], list[ItemResult]] = {}
        for item in items:
            key = tuple(str(getattr(item, column)) for column in columns)
            parts.setdefault(key, []).append(item)
        for key, scores in sliced.items():
            groups[key] = drawn.bounds(parts[key], scores)
    over = columns or ("framework",)
    macro = Bounds()
    if len(groups) > 1 or (not columns and len(result.frameworks) > 1):
        of_means: Unit = (
            "document" if cluster else default_unit(result.metric, MACRO, over)
        )
        refuse_unit(result.metric, of_means, items)
        drawn.unit = of_means
        macro = drawn.means(result, over)
    intervals = Intervals(
        unit,
        samples,
        seed,
        level,
        whole,
        columns,
        groups,
        macro,
        tuple(_notes(result, unit, whole, groups, over)),
    )
    signature = "|".join(filter(None, (result.signature, intervals.signature)))
    return dataclasses.replace(
        result,
        intervals=intervals,
        signature=signature,
        notes=[*result.notes, *intervals.notes],
    )


class _Drawing:
    """Bootstrap sampling for the scores and means of a metric."""

    def __init__(
        self, metric: Metric, unit: Unit, samples: int, seed: int, level: float
    ) -> None:
        self.metric = metric
        self.unit = unit
        self.samples = samples
        self.seed = seed
        self.tails = np.array([(1 - level) / 2, (1 + level) / 2])

    def bounds(self, items: Sequence[ItemResult], scores: Scores) -> Bounds:
        """The intervals of some units' own scores."""
        table = raw_count_table(items, self.unit)
        size = len(table.units)
        if size < 2:
            return Bounds(size)
        metric, ratios = self.metric, ratio_names(self.metric, scores)
        tuple_types = [
            tuple_type for tuple_type in scores.counts if sure(scores, tuple_type)
        ]

        def every(sums: RawCounts) -> dict[Name, Any]:
            return _named(metric, metric.scores(sums), tuple_types, ratios)

        kept: dict[Name, list[Doubles]] = {}
        draws = weights(size, self.samples, self.seed)
        for [sums] in drawn_sums([table], draws):
            found = all_by_sample(every, _raw_counts(table, sums), len(sums))
            _keep(kept, found, len(sums))
        return self._gathered(size, kept)

    def means(self, result: Result, over: tuple[str, ...]) -> Bounds:
        """The intervals of means over slices; none where a unit has several."""
        if self.alone(over):
            return self._means_of_units(result, over)
        if "item" in over:
            return Bounds()
        table = raw_count_table(result.items, self.unit, by=over)
        size = len(table.units)
        if size < 2:
            return Bounds(size)
        slices = _slices(result, over, table)
        kept: dict[Name, list[Doubles]] = {}
        draws = weights(size, self.samples, self.seed)
        for [sums] in drawn_sums([table], draws):
            mean = _Mean(len(sums))
            for places, function in slices.values():
                raw_counts = {
                    table.columns[place][1]: sums[:, place] for place in places
                }
                mean.add(all_by_sample(function, raw_counts, len(sums)))
            _keep(kept, mean.found(), len(sums))
        return self._gathered(size, kept)

    def alone(self, over: tuple[str, ...]) -> bool:
        """Return true if a mean is over the units themselves."""
        of_items = "item" in over and self.unit == unit_of(self.metric)
        return self.unit in over or of_items

    def _means_of_units(self, result: Result, over: tuple[str, ...]) -> Bounds:
        """Means over the units themselves, as often as they are drawn."""
        [table] = raw_count_tables([result.items], self.unit, known_by=over)
        size = len(table.units)
        if size < 2:
            return Bounds(size)
        function = _of_slice(self.metric, result.frameworks)
        blocks: dict[Name, list[Doubles]] = {}
        for rows in in_blocks(table):
            found = all_by_sample(function, _raw_counts(table, rows), len(rows))
            _keep(blocks, found, len(rows))
        names = list(blocks)
        values = np.stack([np.concatenate(blocks[name]) for name in names], axis=1)
        there = ~np.isnan(values)
        rows = np.hstack([np.where(there, values, 0.0), there.astype(float)])
        keys = [(("", "", "", ""), ("", "", str(n))) for n in range(2 * len(names))]
        both = Table(table.units, tuple(keys), rows)
        kept: dict[Name, list[Doubles]] = {}
        draws = weights(size, self.samples, self.seed)
        for [sums] in drawn_sums([both], draws):
            totals, often = np.split(sums, 2, axis=1)
            means = np.full(totals.shape, math.nan)
            np.divide(totals, often, out=means, where=often > 0)
            _keep(kept, dict(zip(names, means.T, strict=True)), len(sums))
        return self._gathered(size, kept)

    def _gathered(self, size: int, kept: Mapping[Name, list[Doubles]]) -> Bounds:
        """The quantiles of every score."""
        value = NOTHING
        counts: dict[str, dict[str, IntervalBounds]] = {}
        numbers: dict[str, IntervalBounds] = {}
        for name, blocks in kept.items():
            low, high = quantiles(np.concatenate(blocks), self.tails)
            ends = NOTHING if math.isnan(low) else IntervalBounds(low, high)
            what, part, ratio = name
            if what == "value":
                value = ends
            elif what == "counts":
                counts.setdefault(part, {})[ratio] = ends
            else:
                numbers[part] = ends
        return Bounds(size, value, counts, numbers)


class _Mean:
    """The mean of scores over slices, of those that have them in a sample."""

    def __init__(self, samples: int) -> None:
        self.samples = samples
        self.sums: dict[Name, Doubles] = {}
        self.often: dict[Name, Doubles] = {}

    def add(self, values: Mapping[Name, Doubles]) -> None:
        """Take in a slice."""
        for name, column in values.items():
            there = ~np.isnan(column)
            if name not in self.sums:
                self.sums[name] = np.zeros(self.samples)
                self.often[name] = np.zeros(self.samples)
            self.sums[name] += np.where(there, column, 0.0)
            self.often[name] += there

    def found(self) -> dict[Name, Doubles]:
        """The means; ``nan`` where no slice has the score."""
        result = {}
        for name, often in self.often.items():
            mean = np.full(self.samples, math.nan)
            np.divide(self.sums[name], often, out=mean, where=often > 0)
            result[name] = mean
        return result


def _raw_counts(table: Table, sums: Doubles) -> dict[CountKey, Doubles]:
    return dict(zip(table.keys, sums.T, strict=True))


def _keep(
    kept: dict[Name, list[Doubles]], found: Mapping[Name, Doubles], samples: int
) -> None:
    """Add a block of samples; a score that none of them has lacks in all of them."""
    before = sum(map(len, next(iter(kept.values())))) if kept else 0
    for name in {**kept, **found}:
        if name not in kept:
            kept[name] = [np.full(before, math.nan)]
        column = found.get(name)
        kept[name].append(np.full(samples, math.nan) if column is None else column)


def _named(
    metric: Metric,
    scores: Scores,
    tuple_types: Iterable[str],
    ratios: Collection[str],
) -> dict[Name, Any]:
    result: dict[Name, Any] = {_VALUE: main_score(metric, scores)}
    for tuple_type in tuple_types:
        count = scores.counts[tuple_type]
        for ratio in RATIOS:
            result["counts", tuple_type, ratio] = getattr(count, ratio)
    for name in ratios:
        result["scores", name, ""] = scores.numbers.get(name)
    return result


Places = list[int]


def _slices(
    result: Result, over: tuple[str, ...], table: Table
) -> dict[GroupKey, tuple[Places, Any]]:
    """Map every slice to its columns, and the function of its raw counts."""
    found: dict[GroupKey, tuple[Places, Any]] = {}
    for index, (group, _) in enumerate(table.columns):
        if group not in found:
            there = [group[0]] if "framework" in over else result.frameworks
            found[group] = [], _of_slice(result.metric, there)
        found[group][0].append(index)
    return found


def _of_slice(metric: Metric, frameworks: Collection[str]) -> Any:
    """Return a function for a slice's contribution to the means: its own mean."""

    def function(raw_counts: RawCounts) -> dict[Name, Any]:
        alone = [(frameworks, metric.scores(raw_counts))]
        result: dict[Name, Any] = {_VALUE: macro_value(metric, alone)}
        for tuple_type, ratios in macro_counts(metric, alone).items():
            for ratio, value in ratios.items():
                result["counts", tuple_type, ratio] = value
        for name, value in macro_numbers(metric, alone).items():
            result["scores", name, ""] = value
        return result

    return function


def _notes(
    result: Result,
    unit: Unit,
    whole: Bounds,
    groups: Mapping[tuple[str, ...], Bounds],
    over: tuple[str, ...],
) -> Iterable[str]:
    where = f"{result.system} ({result.metric})"
    if whole.units < 2:
        yield f"{where}: {amount(whole.units, unit)}: no intervals of fewer than two"
        return
    if whole.units < FEW:
        yield f"{where}: only {amount(whole.units, unit)}: intervals are unreliable"
        return
    if "item" in over and unit == "item":
        yield f"{where}: a single item has no interval"
        return
    few = [" ".join(key) for key, group in groups.items() if group.units < FEW]
    if few:
        more = f" and {len(few) - 3} more" if len(few) > 3 else ""
        yield (
            f"{where}: under {FEW} {unit}s in {', '.join(few[:3])}{more}: intervals "
            "are unreliable, and missing for fewer than two"
        )
