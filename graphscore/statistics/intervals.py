"""How sure a figure is: confidence intervals and paired tests on stored masses.

A figure of a corpus is a function of summed masses, and masses are additive.  So
a corpus of *n* units is a matrix: a row per unit, a column per mass.  To resample
the corpus is to draw rows, sum them and ask the metric for its figure again;
nothing is paired, searched or compared a second time::

             gold  system  matched
    unit 0     12      11        9         rows drawn: 2 0 2
    unit 1      7       7        7    ->   sums:       36 35 31
    unit 2     12      12       11         figure:     F1 = 62 / 71

The bootstrap (Efron 1979) draws as many rows as there are, with replacement, and
takes quantiles of the figures for an interval.  The paired bootstrap (Koehn 2004;
with the centred distribution of Riezler and Maxwell 2005) draws the same rows of
two systems.  Approximate randomisation (Noreen 1989) swaps the two systems in a
random half of the units instead.

Draws come from PCG64 with a seed, so equal input gives equal output everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.errors import PairingError, UsageError
from graphscore.evaluation.result import ItemResult, Result, figure_getter
from graphscore.metrics.base import Metric
from graphscore.model.outcome import Masses, MassKey, add_masses

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

SEED = 12345
REPLICATES = 1000

_CELLS = 1 << 22
"""Indices drawn at a time, so that memory does not grow with the replicates."""

Unit = Literal["item", "document"]
UnitKey = tuple[str, str, str]


class Interval(NamedTuple):
    """A confidence interval of one figure."""

    low: float
    """Its lower end."""
    high: float
    """Its upper end."""
    level: float
    """How much of the distribution it holds, such as 0.95."""
    n: int
    """Units that were resampled."""
    seed: int
    """What the draws start from."""
    replicates: int
    """How many samples were drawn."""


class Significance(NamedTuple):
    """A paired test of one figure of two systems."""

    first: float
    """The figure of the first system."""
    second: float
    """The figure of the second system."""
    difference: float
    """First minus second."""
    p_value: float
    """How likely a difference of this size, in either direction, is by chance."""
    method: str
    """``paired bootstrap``, ``approximate randomisation`` or ``exact
    randomisation``, when every assignment was tried."""
    n: int
    """Units that were paired."""
    seed: int
    """What the draws start from."""
    replicates: int
    """How many samples were drawn, or assignments tried."""


class Table(NamedTuple):
    """Masses of several units: what is resampled."""

    units: tuple[UnitKey, ...]
    """Framework, language and item (or document) of every row."""
    keys: tuple[MassKey, ...]
    """The mass of every column."""
    rows: Doubles
    """Shape (units, keys)."""

    def masses(self, sums: Doubles) -> Masses:
        """Sums of columns as masses by key."""
        return dict(zip(self.keys, sums.tolist(), strict=True))


def mass_table(
    items: Iterable[ItemResult], unit: Unit = "item", keys: Sequence[MassKey] = ()
) -> Table:
    """Lay out the masses of per-item results.

    Args:
        items: ``Result.items``, from files or from a store.
        unit: what is one row: an item, or all items of a document together.
        keys: columns that come first, whether they occur or not.

    Returns:
        Their masses; rows in order of first appearance.
    """
    summed: dict[UnitKey, Masses] = {}
    for each in items:
        name = each.item if unit == "item" else each.document
        key = (each.framework, each.language, name)
        add_masses(summed.setdefault(key, {}), each.masses)
    columns = dict.fromkeys(keys)
    for masses in summed.values():
        columns |= dict.fromkeys(masses)
    place = {key: column for column, key in enumerate(columns)}
    rows = np.zeros((len(summed), len(columns)))
    for row, masses in enumerate(summed.values()):
        for mass, value in masses.items():
            rows[row, place[mass]] = value
    return Table(tuple(summed), tuple(columns), rows)


def resamples(size: int, replicates: int, seed: int) -> Iterator[Integers]:
    """Index matrices of bootstrap samples, a block of samples at a time.

    Args:
        size: units there are.
        replicates: samples wanted.
        seed: what the draws start from; the blocks do not change them.

    Yields:
        Arrays of shape (samples, size) of unit numbers.

    >>> [block.shape for block in resamples(3, 5, 1)]
    [(5, 3)]
    """
    draw = np.random.default_rng(seed)
    step = max(1, _CELLS // max(size, 1))
    for start in range(0, replicates, step):
        count = min(step, replicates - start)
        yield draw.integers(0, size, (count, size))


def _weights(sample: Integers, size: int) -> Doubles:
    """How often each sample draws each unit: shape (samples, size)."""
    offset = np.arange(len(sample))[:, None] * size
    flat = np.bincount((sample + offset).ravel(), minlength=len(sample) * size)
    return flat.reshape(len(sample), size).astype(np.float64)


Figure = Callable[[Masses], float]


def figure_of(metric: Metric, name: str = "") -> Figure:
    """A figure as a function of summed masses.

    Args:
        metric: whose figures.
        name: as for ``--fail-under``: empty for the number that stands for the
            metric, a kind, a kind with a ratio (``edges.precision``), or one of the
            further figures.
    """
    get = figure_getter(name)

    def figure(masses: Masses) -> float:
        return get(Result(metric, masses={("", "", "", ""): masses}))

    return figure


def _bootstrap(table: Table, figure: Figure, replicates: int, seed: int) -> Doubles:
    """The figure of every bootstrap sample."""
    found = []
    for sample in resamples(len(table.units), replicates, seed):
        sums = _weights(sample, len(table.units)) @ table.rows
        found += [figure(table.masses(row)) for row in sums]
    return np.array(found)


def _items(result: Result) -> Sequence[ItemResult]:
    if not result.items:
        raise UsageError(
            f"{result.system} ({result.metric}): resampling needs per-item results"
        )
    return result.items


def _check(replicates: int, level: float = 0.5) -> None:
    if replicates < 1:
        raise UsageError(f"{replicates} replicates: expected at least 1")
    if not 0 < level < 1:
        raise UsageError(f"level {level:g}: expected a number between 0 and 1")


def interval(
    result: Result,
    figure: str = "",
    *,
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = SEED,
    method: Literal["percentile", "basic", "bca"] = "percentile",
    unit: Unit = "item",
) -> Interval:
    """A bootstrap confidence interval of a figure.

    Args:
        result: with results per item.
        figure: which figure, see :func:`figure_of`.
        level: how much of the distribution the interval holds.
        replicates: samples that are drawn.
        seed: what the draws start from.
        method: quantiles of the samples (``percentile``), reflected at the figure
            itself (``basic``), or corrected for bias and acceleration (``bca``;
            Efron 1987).
        unit: what is drawn; documents where their items depend on one another.

    Returns:
        The interval; of one unit, a point.

    Raises:
        UsageError: without results per item, or for a figure, level or number of
            replicates that is none.
    """
    _check(replicates, level)
    table = mass_table(_items(result), unit)
    get = figure_of(result.metric, figure)
    found = _bootstrap(table, get, replicates, seed)
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    observed = get(table.masses(table.rows.sum(axis=0)))
    if method == "bca":
        tails = _corrected(table, get, observed, found, tails)
    low, high = np.percentile(found, 100 * tails).tolist()
    if method == "basic":
        low, high = 2 * observed - high, 2 * observed - low
    return Interval(low, high, level, len(table.units), seed, replicates)


def _corrected(
    table: Table, figure: Figure, observed: float, found: Doubles, tails: Doubles
) -> Doubles:
    """The quantiles of the bias-corrected and accelerated interval."""
    normal = NormalDist()
    below = ((found < observed).sum() + (found <= observed).sum()) / (2 * len(found))
    if not 0 < below < 1 or len(table.units) < 2:
        # Every sample lies on one side: nothing can be corrected.
        return tails
    bias = normal.inv_cdf(float(below))
    total = table.rows.sum(axis=0)
    left = np.array([figure(table.masses(total - row)) for row in table.rows])
    apart = left.mean() - left
    spread = float((apart**2).sum())
    acceleration = float((apart**3).sum()) / (6 * spread**1.5) if spread else 0.0
    shifted = [bias + normal.inv_cdf(float(tail)) for tail in tails]
    return np.array([normal.cdf(bias + z / (1 - acceleration * z)) for z in shifted])


def _paired(first: Result, second: Result, unit: Unit) -> tuple[Table, Table]:
    """The masses of two systems, rows and columns in the same order."""
    if first.metric != second.metric:
        raise UsageError(f"{first.metric} and {second.metric} are not compared")
    one = mass_table(_items(first), unit)
    two = mass_table(_items(second), unit, one.keys)
    one = mass_table(_items(first), unit, two.keys)
    place = {key: row for row, key in enumerate(two.units)}
    if place.keys() != set(one.units):
        apart = sorted(place.keys() ^ set(one.units))
        raise PairingError(
            f"{first.system} and {second.system} were not scored on the same units: "
            f"{len(apart)} are in one only, such as {' '.join(apart[0])}"
        )
    order = [place[key] for key in one.units]
    return one, Table(one.units, two.keys, two.rows[order])


def _likely(found: Doubles, observed: float) -> int:
    """Differences at least as large as the one observed, on either side."""
    # What is equal but for rounding counts as equal.
    slack = 1e-12 * max(1.0, abs(observed))
    return int((np.abs(found) >= abs(observed) - slack).sum())


def paired_bootstrap(
    first: Result,
    second: Result,
    figure: str = "",
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
        figure: which figure, see :func:`figure_of`.
        replicates: samples that are drawn.
        seed: what the draws start from.
        unit: what is drawn.

    Returns:
        The test, two-sided.

    Raises:
        UsageError: without results per item, or for different metrics.
        PairingError: if the units differ.
    """
    _check(replicates)
    one, two = _paired(first, second, unit)
    get = figure_of(first.metric, figure)
    mine, theirs = (get(each.masses(each.rows.sum(axis=0))) for each in (one, two))
    found = _bootstrap(one, get, replicates, seed)
    found = found - _bootstrap(two, get, replicates, seed)
    difference = mine - theirs
    likely = _likely(found - difference, difference)
    return Significance(
        mine,
        theirs,
        difference,
        (likely + 1) / (replicates + 1),
        "paired bootstrap",
        len(one.units),
        seed,
        replicates,
    )


def approximate_randomization(
    first: Result,
    second: Result,
    figure: str = "",
    *,
    replicates: int = 10 * REPLICATES,
    seed: int = SEED,
    unit: Unit = "item",
) -> Significance:
    """Test whether two systems differ, by swapping them in some units.

    If it made no difference which system an output comes from, swapping outputs
    would not change the figures.  Where there are no more than *replicates*
    assignments, all are tried and the p-value is exact.

    Args:
        first: one system's results per item.
        second: the other's, of the same metric on the same gold units.
        figure: which figure, see :func:`figure_of`.
        replicates: assignments that are drawn.
        seed: what the draws start from.
        unit: what is swapped.

    Returns:
        The test, two-sided.

    Raises:
        UsageError: without results per item, or for different metrics.
        PairingError: if the units differ.
    """
    _check(replicates)
    one, two = _paired(first, second, unit)
    get = figure_of(first.metric, figure)
    size = len(one.units)
    totals = one.rows.sum(axis=0), two.rows.sum(axis=0)
    apart = two.rows - one.rows
    exact = size < 63 and 1 << size <= replicates
    found = []
    for swapped in _assignments(size, replicates, seed, exact):
        moved = swapped @ apart
        for row in moved:
            mine = get(one.masses(totals[0] + row))
            found.append(mine - get(one.masses(totals[1] - row)))
    observed = get(one.masses(totals[0])), get(one.masses(totals[1]))
    difference = observed[0] - observed[1]
    likely = _likely(np.array(found), difference)
    p_value = likely / len(found) if exact else (likely + 1) / (len(found) + 1)
    method = "exact randomisation" if exact else "approximate randomisation"
    return Significance(*observed, difference, p_value, method, size, seed, len(found))


def _assignments(
    size: int, replicates: int, seed: int, exact: bool
) -> Iterator[Doubles]:
    """Which units are swapped: blocks of shape (assignments, size) of 0 and 1."""
    step = max(1, _CELLS // max(size, 1))
    total = 1 << size if exact else replicates
    draw = np.random.default_rng(seed)
    for start in range(0, total, step):
        count = min(step, total - start)
        if exact:
            numbers = np.arange(start, start + count)[:, None]
            yield (numbers >> np.arange(size) & 1).astype(np.float64)
        else:
            yield draw.integers(0, 2, (count, size)).astype(np.float64)
