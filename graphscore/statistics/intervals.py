"""Confidence intervals and paired tests on stored raw counts.

The bootstrap (Efron 1979) draws as many units as there are, with replacement, and
takes quantiles of the scores for an interval.  The paired bootstrap (Koehn 2004;
with the centred distribution of Riezler and Maxwell 2005) draws the same units of
two systems.  Approximate randomisation (Noreen 1989) swaps the two systems in a
random half of the units instead.  What units are and how their raw counts are summed
:mod:`~graphscore.statistics.tables` says, and where samples come from
:mod:`~graphscore.statistics.sampling`.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import NamedTuple

from graphscore.evaluation.macro import score_getter
from graphscore.evaluation.result import Result
from graphscore.exceptions import expecting
from graphscore.metrics.base import Metric
from graphscore.model.outcome import RawCounts
from graphscore.statistics.resampling import (
    SEED,
    Method,
    Resampling,
    at_least,
    check_samples,
)
from graphscore.statistics.tables import Unit

REPLICATES = 1000


class Interval(NamedTuple):
    """A confidence interval of one score."""

    low: float
    """Its lower end."""
    high: float
    """Its upper end."""
    level: float
    """Confidence level, such as 0.95."""
    n: int
    """Units that were resampled."""
    seed: int
    """Seed of the samples."""
    replicates: int
    """Number of samples drawn."""


class Significance(NamedTuple):
    """A paired test of one score of two systems."""

    first: float
    """The score of the first system."""
    second: float
    """The score of the second system."""
    difference: float
    """First minus second."""
    p_value: float
    """Two-sided p-value: probability of a difference of this size by chance."""
    method: str
    """``paired bootstrap``, ``approximate randomisation`` or ``exact
    randomisation``, when every assignment was tried."""
    n: int
    """Units that were paired."""
    seed: int
    """Seed of the samples."""
    replicates: int
    """Number of samples drawn, or of permutations tried."""


def score_of(metric: Metric, name: str = "") -> Callable[[RawCounts], float]:
    """A score as a function of summed raw counts.

    Args:
        metric: whose scores.
        name: as for ``--fail-under``: empty for the number that stands for the
            metric, a tuple type, a tuple type with a ratio (``edges.precision``), or
            one of the further scores.
    """
    get = score_getter(name)

    def score(raw_counts: RawCounts) -> float:
        return get(Result(metric, raw_counts={("", "", "", ""): raw_counts}))

    return score


@expecting(result=Result, score=str, replicates=Integral, seed=Integral, level=Real)
def interval(
    result: Result,
    score: str = "",
    *,
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = SEED,
    method: Method = "percentile",
    unit: Unit = "item",
) -> Interval:
    """A bootstrap confidence interval of a score.

    Args:
        result: with results per item.
        score: which score, see :func:`score_of`.
        level: how much of the distribution the interval holds.
        replicates: samples that are drawn.
        seed: what the draws start from.
        method: quantiles of the samples (``percentile``), reflected at the score
            itself (``basic``), or corrected for bias and acceleration (``bca``;
            Efron 1987).
        unit: what is drawn; documents where their items depend on one another.

    Returns:
        The interval; of one unit, a point.

    Raises:
        UsageError: without results per item, or for a score, level or number of
            replicates that is none.
    """
    check_samples(replicates, level)
    resampling = Resampling([result], score, unit=unit, samples=replicates, seed=seed)
    low, high = resampling.interval(0, level, method)
    return Interval(low, high, level, resampling.size, seed, replicates)


@expecting(first=Result, second=Result, score=str, replicates=Integral, seed=Integral)
def paired_bootstrap(
    first: Result,
    second: Result,
    score: str = "",
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
    unit: Unit = "item",
) -> Significance:
    """Test whether two systems differ, by drawing the same units of both.

    The differences of the samples are centred: how far they lie from the observed
    one stands for how far chance reaches (Riezler and Maxwell 2005).  One is
    added to both sides of the ratio, so that no p-value is 0 (Noreen 1989).

    Args:
        first: one system's results per item.
        second: the other's, of the same metric on the same gold units.
        score: which score, see :func:`score_of`.
        replicates: samples that are drawn.
        seed: what the draws start from.
        unit: what is drawn.

    Returns:
        The test, two-sided.

    Raises:
        UsageError: without results per item, or for different metrics.
        PairingError: if the units differ.
    """
    both = [first, second]
    resampling = Resampling(both, score, unit=unit, samples=replicates, seed=seed)
    difference = resampling.difference(0, 1)
    result = resampling.drawn[0] - resampling.drawn[1] - difference
    return Significance(
        resampling.observed[0],
        resampling.observed[1],
        difference,
        (at_least(result, difference) + 1) / (replicates + 1),
        "paired bootstrap",
        resampling.size,
        seed,
        replicates,
    )


@expecting(first=Result, second=Result, score=str, replicates=Integral, seed=Integral)
def approximate_randomization(
    first: Result,
    second: Result,
    score: str = "",
    *,
    replicates: int = 10 * REPLICATES,
    seed: int = SEED,
    unit: Unit = "item",
) -> Significance:
    """Test whether two systems differ, by swapping them in some units.

    If it made no difference which system an output comes from, swapping outputs
    would not change the scores.  Where there are no more than *replicates*
    assignments, all are tried and the p-value is exact.

    Args:
        first: one system's results per item.
        second: the other's, of the same metric on the same gold units.
        score: which score, see :func:`score_of`.
        replicates: assignments that are drawn.
        seed: what the draws start from.
        unit: what is swapped.

    Returns:
        The test, two-sided.

    Raises:
        UsageError: without results per item, or for different metrics.
        PairingError: if the units differ.
    """
    both = [first, second]
    resampling = Resampling(both, score, unit=unit, samples=replicates, seed=seed)
    [test] = resampling.randomised([(0, 1)])
    return Significance(
        resampling.observed[0],
        resampling.observed[1],
        resampling.difference(0, 1),
        test.p,
        "exact randomisation" if test.exact else "approximate randomisation",
        resampling.size,
        seed,
        test.assignments,
    )
