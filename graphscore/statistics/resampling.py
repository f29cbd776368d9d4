"""One score of several systems, resampled: what intervals and tests are made of.

All systems draw the same units (Koehn 2004), so that what is hard for all of them does
not blur how they differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.evaluation.macro import macro_score, score_getter
from graphscore.evaluation.result import GroupKey, Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import PairingError, UsageError
from graphscore.model.outcome import RawCounts
from graphscore.statistics.resampling_units import is_macro, refuse_unit
from graphscore.statistics.sampling import assignments, every_assignment, weights
from graphscore.statistics.tables import (
    WHOLE,
    ColumnKey,
    Score,
    Table,
    Unit,
    left_out,
    raw_count_tables,
    resampled,
    score_of_columns,
    swapped,
    values,
    whole,
)

Doubles = npt.NDArray[np.float64]

Method = Literal["percentile", "basic", "bca"]

SEED = 12345

SLACK = 1e-12
"""Scores that differ by no more, beside 1, differ by rounding only."""

_SUM: ColumnKey = (WHOLE, ("mean", "", "sum"))
_UNITS: ColumnKey = (WHOLE, ("mean", "", "units"))


class Randomised(NamedTuple):
    """Result of a permutation test between two systems."""

    p: float
    """Two-sided p-value: probability of a difference of this size by chance."""
    exact: bool
    """True if every permutation was tried."""
    assignments: int
    """Number of permutations tried."""


def check_samples(samples: int, level: float = 0.5) -> None:
    """Refuse numbers of samples and levels that are none.

    Raises:
        UsageError: if there are none, or the level is not between 0 and 1.
    """
    if samples < 1:
        raise UsageError(f"{samples} replicates: expected at least 1")
    if not 0 < level < 1:
        raise UsageError(f"level {level:g}: expected a number between 0 and 1")


def items_of(result: Result) -> Sequence[ItemResult]:
    """Results per item.

    Raises:
        UsageError: if they were not kept.
    """
    if not result.items and not result.nothing:
        raise UsageError(
            f"{result.system} ({result.metric}): resampling needs per-item results"
        )
    return result.items


class Resampling:
    """One score of several systems over the same units.

    Args:
        results: of the systems, by one metric on one gold side, with items.
        score: which score, as for ``--fail-under``.
        unit: what is drawn and swapped.
        over: what a mean ``macro`` is over; frameworks without.
        samples: how many samples are drawn.
        seed: what the draws start from.

    Raises:
        UsageError: without results per item, for different metrics, or if the metric
            has no such score.
        PairingError: if the systems were not scored on the same units.
    """

    def __init__(
        self,
        results: Sequence[Result],
        score: str = "",
        *,
        unit: Unit = "item",
        over: Sequence[str] = (),
        samples: int = 1000,
        seed: int = SEED,
    ) -> None:
        check_samples(samples)
        metric = results[0].metric
        for result in results[1:]:
            if result.metric != metric:
                raise UsageError(f"{metric} and {result.metric} are not compared")
        self.samples = samples
        self.seed = seed
        self.names = [result.system for result in results]
        macro = is_macro(score)
        by = (tuple(over) or ("framework",)) if macro else ()
        # A mean over the units themselves counts a unit as often as it is drawn.
        alone = macro and (unit in by or "item" in by) and not _own(results, score)
        self.score: Score = (
            _score_of_one(results, score)
            if alone
            else score_of_columns(metric, score, by)
        )
        try:
            items = [items_of(result) for result in results]
            for item in items:
                refuse_unit(metric, unit, item)
            tables = (
                raw_count_tables(items, unit, known_by=by)
                if alone
                else raw_count_tables(items, unit, by)
            )
        except PairingError as error:
            names = " and ".join(dict.fromkeys(self.names))
            raise PairingError(f"{names}: {error}") from None
        self.tables = tables
        self._refuse_unknown(results, score, () if alone else by)
        if alone:
            self.tables = [self._means(table) for table in tables]
            self.score = _mean

    def _refuse_unknown(
        self, results: Sequence[Result], score: str, by: Sequence[str]
    ) -> None:
        get = score_getter(score, by)
        for table, result in zip(self.tables, results, strict=True):
            groups: dict[GroupKey, RawCounts] = {}
            sums = table.rows.sum(axis=0).tolist()
            for (group, key), value in zip(table.columns, sums, strict=True):
                groups.setdefault(group, {})[key] = value
            get(Result(result.metric, raw_counts=groups or dict(result.raw_counts)))

    def _means(self, table: Table) -> Table:
        means = values(table, self.score)
        defined = ~np.isnan(means)
        rows = np.stack([np.where(defined, means, 0.0), defined.astype(float)], axis=1)
        return Table(table.units, (_SUM, _UNITS), rows)

    @property
    def size(self) -> int:
        """Number of units."""
        return len(self.tables[0].units)

    @cached_property
    def observed(self) -> list[float]:
        """The score of each system, of all units."""
        return [whole(table, self.score) for table in self.tables]

    @cached_property
    def by_unit(self) -> Doubles:
        """The score of each system in each unit: shape (systems, units)."""
        return np.array([values(table, self.score) for table in self.tables])

    @cached_property
    def drawn(self) -> Doubles:
        """The score of each system in each bootstrap sample: (systems, samples)."""
        blocks = weights(self.size, self.samples, self.seed)
        return resampled(self.tables, [self.score] * len(self.tables), blocks)

    def interval(
        self, system: int, level: float, method: Method = "percentile"
    ) -> tuple[float, float]:
        """A bootstrap confidence interval.

        Args:
            system: whose.
            level: how much of the distribution it holds.
            method: quantiles of the samples (``percentile``), reflected at the score
                itself (``basic``), or corrected for bias and acceleration (``bca``;
                Efron 1987).

        Returns:
            Its ends; ``nan`` where no sample has the score.
        """
        drawn, observed = self.drawn[system], self.observed[system]
        tails = np.array([(1 - level) / 2, (1 + level) / 2])
        if method == "bca":
            tails = self._corrected(system, tails)
        low, high = quantiles(drawn, tails)
        if method == "basic":
            low, high = 2 * observed - high, 2 * observed - low
        return low, high

    def _corrected(self, system: int, tails: Doubles) -> Doubles:
        """The quantiles of the bias-corrected and accelerated interval."""
        drawn, observed = _defined(self.drawn[system]), self.observed[system]
        if not len(drawn) or self.size < 2:
            return tails
        below = (drawn < observed).sum() + (drawn <= observed).sum()
        share = float(below) / (2 * len(drawn))
        if not 0 < share < 1:
            # Every sample lies on one side: nothing can be corrected.
            return tails
        normal = NormalDist()
        bias = normal.inv_cdf(share)
        left = _defined(left_out(self.tables[system], self.score))
        apart = left.mean() - left
        spread = float((apart**2).sum())
        slope = float((apart**3).sum()) / (6 * spread**1.5) if spread else 0.0
        shifted = [bias + normal.inv_cdf(float(tail)) for tail in tails]
        return np.array([normal.cdf(bias + z / (1 - slope * z)) for z in shifted])

    def difference(self, a: int, b: int) -> float:
        """The score of one system less that of another."""
        return self.observed[a] - self.observed[b]

    def difference_interval(self, a: int, b: int, level: float) -> tuple[float, float]:
        """The percentile interval of a difference, both systems drawn alike."""
        tails = np.array([(1 - level) / 2, (1 + level) / 2])
        return quantiles(self.drawn[a] - self.drawn[b], tails)

    def randomised(self, pairs: Sequence[tuple[int, int]]) -> list[Randomised]:
        """Paired randomisation tests, two-sided (Noreen 1989).

        Where there are no more assignments than samples, all are tried and the
        p-value is exact; otherwise one is added to both sides of the ratio.

        Args:
            pairs: numbers of the systems that are swapped.
        """
        if not pairs:
            return []
        exact = self.size < 63 and 1 << self.size <= self.samples
        blocks = (
            every_assignment(self.size)
            if exact
            else assignments(self.size, self.samples, self.seed)
        )
        drawn = swapped(self.tables, self.score, blocks, pairs)
        more = 0 if exact else 1
        tests = []
        for (a, b), differences in zip(pairs, drawn, strict=True):
            count = len(differences)
            likely = at_least(differences, self.difference(a, b))
            p = (likely + more) / (count + more)
            tests.append(Randomised(p, exact, count))
        return tests


def _own(results: Sequence[Result], score: str) -> bool:
    """Return true if a mean is one of the metric's own, such as over types."""
    numbers = results[0].scores.numbers
    return score in numbers or f"{score}.f1" in numbers


def _score_of_one(results: Sequence[Result], score: str) -> Score:
    """Return a unit's contribution to the mean; ``None`` if it has none."""
    metric = results[0].metric
    frameworks = sorted({name for result in results for name in result.frameworks})
    ratio = score.partition(".")[2]

    def value(raw_counts: dict[ColumnKey, Any]) -> Any:
        sums = {key: amount for (_, key), amount in raw_counts.items()}
        result = macro_score(metric, [(frameworks, metric.scores(sums))], ratio)
        return None if result is None or result is math.nan else result

    return value


def _mean(raw_counts: dict[ColumnKey, Any]) -> Any:
    return raw_counts[_SUM] / raw_counts[_UNITS] if raw_counts[_UNITS] else None


def _defined(values: Doubles) -> Doubles:
    return values[~np.isnan(values)]


def quantiles(samples: Doubles, tails: Doubles) -> tuple[float, float]:
    """Two quantiles of the samples that have the score; ``nan`` where none has."""
    defined = _defined(samples)
    if not len(defined):
        return math.nan, math.nan
    low, high = np.percentile(defined, 100 * tails).tolist()
    return low, high


def at_least(differences: Doubles, observed: float) -> int:
    """Differences at least as large as the one observed, on either side.

    A sample that lacks the score counts as one: it is no evidence.
    """
    # What is equal but for rounding counts as equal.
    slack = SLACK * max(1.0, abs(observed))
    return int((~(np.abs(differences) < abs(observed) - slack)).sum())
