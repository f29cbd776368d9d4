"""How scores go with an outcome: over the items of a system, and over systems.

The item level asks whether a better score of a sentence goes with a better outcome; the
system level whether the metric puts systems into the order that people do, which is
what a metric is mostly used for.  Both have bootstrap intervals: pairs of items are
drawn for the one; systems, items or both for the other (Deutsch, Dror and Roth 2021).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from graphscore.errors import PairingError, UsageError, meant
from graphscore.evaluation.result import GroupKey, ItemResult, Result, figure_getter
from graphscore.metrics.base import Metric
from graphscore.model.outcome import Masses
from graphscore.rows import Rows, Tabular, numbers_of
from graphscore.statistics.comparison import number
from graphscore.statistics.correlation import (
    OutcomeKey,
    item_pairs,
    kendall,
    outcome_of,
    pearson,
    spearman,
)
from graphscore.statistics.draws import resamples, weights
from graphscore.statistics.resampling import SEED, check_samples, quantiles
from graphscore.statistics.tables import figure_of_columns, mass_tables, resampled
from graphscore.statistics.units import is_macro

Doubles = npt.NDArray[np.float64]

Drawn = Literal["systems", "items", "both"]

LEVEL = 0.95
SAMPLES = 1000

COEFFICIENTS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True)
class Asked:
    """What shall be correlated, and how it is resampled.

    Attributes:
        figure: which figure, as for ``--fail-under``; the main F1 without.
        resample: what is drawn for correlations over systems.
        samples: bootstrap samples; none with 0, and then no intervals.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
    """

    figure: str = ""
    resample: Drawn = "systems"
    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL

    def check(self) -> None:
        """Refuse what cannot be drawn.

        Raises:
            UsageError: naming what can.
        """
        check_samples(self.samples or 1, self.level)
        if self.resample not in get_args(Drawn):
            there = get_args(Drawn)
            raise UsageError(
                f"resample {self.resample!r}{meant(self.resample, there)}: "
                f"there are {', '.join(there)}"
            )


class Estimate(NamedTuple):
    """A correlation; what is undefined is ``None``."""

    value: float | None
    low: float | None
    """Lower end of the percentile interval."""
    high: float | None
    """Upper end."""


class Point(NamedTuple):
    """A system in a correlation over systems."""

    system: str
    value: float
    """Its figure, over the items that have an outcome."""
    outcome: float
    """The mean outcome of these items, or that of the system as a whole."""
    items: int
    """How many they are."""


@dataclass(frozen=True)
class OutcomeCorrelation:
    """A figure against an outcome.

    Attributes:
        over: ``items`` of a system, or ``systems``.
        system: whose items; ``None`` over systems.
        metric: what scored.
        framework: of the items; ``None`` where all of several take part.
        n: how many items or systems have both.
        pearson: Pearson's product-moment correlation.
        spearman: Spearman's, of the ranks.
        kendall: Kendall's tau-b.
        without_outcome: scored items or systems that the outcomes do not name.
        resampled: what was drawn for the intervals.
        points: the systems.
    """

    over: Literal["items", "systems"]
    system: str | None
    metric: Metric
    framework: str | None
    n: int
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    without_outcome: int
    resampled: Drawn
    points: tuple[Point, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        estimates = {name: getattr(self, name) for name in COEFFICIENTS}
        found: dict[str, Any] = {
            "system": self.system,
            "metric": str(self.metric),
            "framework": self.framework,
            "n": self.n,
            **{name: each.value for name, each in estimates.items()},
            "without_outcome": self.without_outcome,
            "over": self.over,
            "resampled": self.resampled,
        }
        for name, each in estimates.items():
            found |= {f"{name}_low": each.low, f"{name}_high": each.high}
        if self.over == "systems":
            found["systems"] = [each._asdict() for each in self.points]
        return found


@dataclass(frozen=True)
class Correlations(Rows):
    """Correlations with an outcome.

    Attributes:
        rows: those over items by system, metric and framework, then those over systems.
        asked: what was asked for.
        unused: outcomes that belong to nothing that was scored.
    """

    rows: tuple[OutcomeCorrelation, ...]
    asked: Asked
    unused: int

    @property
    def items(self) -> tuple[OutcomeCorrelation, ...]:
        """Those over the items of a system."""
        return tuple(each for each in self.rows if each.over == "items")

    @property
    def systems(self) -> tuple[OutcomeCorrelation, ...]:
        """Those over systems."""
        return tuple(each for each in self.rows if each.over == "systems")

    def to_rows(self) -> list[dict[str, Any]]:
        """What ``graphscore correlate --json`` prints."""
        drawn = {
            "samples": self.asked.samples,
            "seed": self.asked.seed,
            "level": self.asked.level,
        }
        return [each.to_dict() | drawn for each in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        return {"correlations": self.to_rows(), "unused": self.unused}

    def tabular(self) -> Tabular:
        """A row per correlation, without the systems of each."""
        rows = self.to_rows()
        for row in rows:
            row.pop("systems", None)
        columns = tuple(rows[0]) if rows else ()
        return Tabular(columns, (tuple(row.values()) for row in rows))

    def flat(self) -> dict[str, float]:
        """Coefficients by ``METRIC/FRAMEWORK/OVER/SYSTEM``, without what is not said.

        Each name goes on with ``pearson``, ``spearman`` or ``kendall``.
        """
        if not self.rows:
            return {}
        named = "metric", "framework", "over", "system"
        return numbers_of(*self.tabular(), named, COEFFICIENTS)


def correlations_of(
    results: Sequence[Result],
    outcomes: Mapping[OutcomeKey, float],
    asked: Asked,
    names: Sequence[str] = (),
) -> Correlations:
    """Correlate scores with outcomes, over items and over systems.

    Outcomes of items that name no system say nothing of systems: there is a row over
    systems only where outcomes are of their own.

    Args:
        results: of one or more systems, by one or more metrics, with items.
        outcomes: see :func:`~graphscore.statistics.correlation.read_outcomes`.
        asked: the figure, and how it is resampled.
        names: what outcomes call the system of each result; its own name without.

    Raises:
        PairingError: if nothing that was scored has an outcome; or, where items are
            drawn, if systems were not scored on the same ones.
        UsageError: if a metric has no such figure, or nothing can be drawn so.
    """
    asked.check()
    called = list(names) or [each.system for each in results]
    rows: list[OutcomeCorrelation] = []
    used: set[OutcomeKey] = set()
    of_items = any(key.item for key in outcomes)
    for result, name in zip(results, called, strict=True):
        if of_items:
            rows += _over_items(result, name, outcomes, asked, used)
    for metric in dict.fromkeys(each.metric for each in results):
        sides = [
            _Side(name, result, outcomes)
            for result, name in zip(results, called, strict=True)
            if result.metric == metric
        ]
        rows += _over_systems(metric, sides, asked, used)
    if not used:
        raise _unpaired(results, called, outcomes)
    return Correlations(tuple(rows), asked, len(outcomes) - len(used))


def _unpaired(
    results: Sequence[Result],
    names: Sequence[str],
    outcomes: Mapping[OutcomeKey, float],
) -> PairingError:
    first = min(outcomes)
    if any(key.item for key in outcomes):
        first = min(key for key in outcomes if key.item)
        scored = sorted({item.item for result in results for item in result.items})
        there = f"first item {scored[0]!r}" if scored else "nothing was scored"
        return PairingError(
            f"no scored item has an outcome: {there}, first outcome {first.item!r}"
        )
    return PairingError(
        f"no scored system has an outcome: first system {names[0]!r}, first outcome "
        f"{first.system!r}"
    )


def _over_items(
    result: Result,
    name: str,
    outcomes: Mapping[OutcomeKey, float],
    asked: Asked,
    used: set[OutcomeKey],
) -> Iterator[OutcomeCorrelation]:
    found = item_pairs(result, outcomes, asked.figure, name)
    used |= found.used
    for framework in sorted(found.pairs):
        first, second = found.sides(framework)
        blocks: Iterable[tuple[Doubles, Doubles]] = ()
        if len(first) > 1 and asked.samples:
            drawn = resamples(len(first), asked.samples, asked.seed)
            blocks = ((first[block], second[block]) for block in drawn)
        yield OutcomeCorrelation(
            "items",
            name,
            result.metric,
            framework,
            len(first),
            *_estimates(first, second, blocks, asked.level),
            found.lacking.get(framework, 0),
            "items",
        )


class _Side:
    """A system with its outcomes."""

    def __init__(
        self, name: str, result: Result, outcomes: Mapping[OutcomeKey, float]
    ) -> None:
        self.name, self.result, self.outcomes = name, result, outcomes
        self.items = list(result.items)
        self.frameworks = {each.framework for each in self.items}

    def at(self, place: str | None, metric: Metric, figure: str) -> _Place | None:
        """The system in one framework or all; ``None`` without outcome or figure."""
        items = [each for each in self.items if place in (None, each.framework)]
        for framework in dict.fromkeys((place or "", "")):
            key = OutcomeKey("", framework, self.name)
            if self.name and items and key in self.outcomes:
                whole = self.outcomes[key]
                each_one: list[float | None] = [whole] * len(items)
                return _Place.made(self, items, each_one, {key}, metric, figure)
        keys = [outcome_of(each, self.name, self.outcomes) for each in items]
        values = [None if key is None else self.outcomes[key] for key in keys]
        used = {key for key in keys if key is not None}
        return _Place.made(self, items, values, used, metric, figure)


class _Place(NamedTuple):
    """A system in one framework, or in all."""

    point: Point
    items: list[ItemResult]
    outcomes: list[float | None]
    """Of every item."""
    used: set[OutcomeKey]

    @classmethod
    def made(
        cls,
        side: _Side,
        items: list[ItemResult],
        outcomes: list[float | None],
        used: set[OutcomeKey],
        metric: Metric,
        figure: str,
    ) -> _Place | None:
        groups: dict[GroupKey, Masses] = {}
        given: list[float] = []
        for each, value in zip(items, outcomes, strict=True):
            if value is None:
                continue
            given.append(value)
            key = each.framework, each.language, each.document, each.layer
            sums = groups.setdefault(key, {})
            for mass, amount in each.masses.items():
                sums[mass] = sums.get(mass, 0) + amount
        if not given:
            return None
        value = figure_getter(figure)(Result(metric, masses=groups, pairs=len(given)))
        if not math.isfinite(value):
            return None
        mean = math.fsum(given) / len(given)
        point = Point(side.name, float(value), mean, len(given))
        return cls(point, items, outcomes, used)

    @property
    def is_own(self) -> bool:
        """Whether outcomes are of this system."""
        return any(key.system for key in self.used)

    @property
    def is_whole(self) -> bool:
        """Whether the outcome is of the system as a whole."""
        return any(key.system and not key.item for key in self.used)

    @property
    def judged(self) -> list[ItemResult]:
        """The items; those without outcome have no masses."""
        return [
            each if value is not None else each._replace(masses={})
            for each, value in zip(self.items, self.outcomes, strict=True)
        ]


def _over_systems(
    metric: Metric, sides: Sequence[_Side], asked: Asked, used: set[OutcomeKey]
) -> Iterator[OutcomeCorrelation]:
    frameworks = sorted(set().union(*(side.frameworks for side in sides)))
    places: list[str | None] = [*frameworks]
    if len(frameworks) > 1:
        places.append(None)
    for place in places:
        every = [side.at(place, metric, asked.figure) for side in sides]
        there = [each for each in every if each is not None]
        own = any(each.is_own for each in there) and len(there) > 1
        if not own and not any(each.is_whole for each in there):
            continue
        for each in there:
            used |= each.used
        values = np.array([each.point.value for each in there])
        means = np.array([each.point.outcome for each in there])
        blocks: Iterable[tuple[Doubles, Doubles]] = ()
        if len(there) > 1 and asked.samples:
            blocks = _samples(metric, there, values, means, asked)
        yield OutcomeCorrelation(
            "systems",
            None,
            metric,
            place,
            len(there),
            *_estimates(values, means, blocks, asked.level),
            len(sides) - len(there),
            asked.resample,
            tuple(each.point for each in there),
        )


def _samples(
    metric: Metric,
    there: Sequence[_Place],
    values: Doubles,
    means: Doubles,
    asked: Asked,
) -> Iterator[tuple[Doubles, Doubles]]:
    """Figures and outcomes of the systems in every sample: (samples, systems)."""
    # Independent of the items that the same seed draws.
    seed = asked.seed + 1 if asked.resample == "both" else asked.seed
    of_systems = resamples(len(there), asked.samples, seed)
    if asked.resample == "systems":
        for block in of_systems:
            yield values[block], means[block]
        return
    figures, judged = _by_item_sample(metric, there, asked)
    if asked.resample == "items":
        yield figures, judged
        return
    start = 0
    for block in of_systems:
        own = slice(start, start + len(block))
        yield (
            np.take_along_axis(figures[own], block, axis=1),
            np.take_along_axis(judged[own], block, axis=1),
        )
        start += len(block)


def _by_item_sample(
    metric: Metric, there: Sequence[_Place], asked: Asked
) -> tuple[Doubles, Doubles]:
    """Figures and mean outcomes, where all systems draw the same items."""
    by = ("framework",) if is_macro(asked.figure) else ()
    tables = mass_tables([each.judged for each in there], "item", by)
    at = {name: row for row, name in enumerate(tables[0].units)}
    size = len(at)
    sums, counts = np.zeros((size, len(there))), np.zeros((size, len(there)))
    for column, each in enumerate(there):
        for item, value in zip(each.items, each.outcomes, strict=True):
            if value is not None:
                row = at[item.framework, item.language, item.item]
                sums[row, column] += value
                counts[row, column] += 1
    figure = figure_of_columns(metric, asked.figure, by)
    draws = weights(size, asked.samples, asked.seed)
    figures = resampled(tables, [figure] * len(tables), draws).T
    blocks = []
    for block in weights(size, asked.samples, asked.seed):
        often = block @ counts
        # A sample without a judged item of some system has no mean of it.
        total = np.where(often > 0, block @ sums, math.nan)
        blocks.append(total / np.maximum(often, 1))
    return figures, np.concatenate(blocks)


def _estimates(
    first: Doubles,
    second: Doubles,
    blocks: Iterable[tuple[Doubles, Doubles]],
    level: float,
) -> tuple[Estimate, Estimate, Estimate]:
    """The three correlations; samples where a side does not vary have none."""
    drawn = [sampled_correlations(*block) for block in blocks]
    found = np.concatenate(drawn, axis=1) if drawn else np.zeros((3, 0))
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    ends = [quantiles(each, tails) for each in found]
    one, two, three = (
        Estimate(number(function(first, second)), number(low), number(high))
        for function, (low, high) in zip(
            (pearson, spearman, kendall), ends, strict=True
        )
    )
    return one, two, three


def sampled_correlations(first: Doubles, second: Doubles) -> Doubles:
    """Pearson's, Spearman's and Kendall's correlation of many samples at once.

    Args:
        first: shape (samples, n).
        second: likewise.

    Returns:
        Shape (3, samples); ``nan`` where a side does not vary or lacks a value.

    Example:
        >>> one, two = np.array([[1., 2, 3], [1, 1, 1]]), np.array([[3., 2, 1]] * 2)
        >>> sampled_correlations(one, two).round(12).tolist()
        [[-1.0, nan], [-1.0, nan], [-1.0, nan]]
    """
    from scipy.stats import rankdata

    found = np.full((3, len(first)), math.nan)
    varied = np.isfinite(first).all(axis=1) & np.isfinite(second).all(axis=1)
    for side in (first, second):
        varied &= (side != side[:, :1]).any(axis=1)
    if not varied.any():
        return found
    first, second = first[varied], second[varied]
    found[0, varied] = _products(first, second)
    found[1, varied] = _products(rankdata(first, axis=1), rankdata(second, axis=1))
    found[2, varied] = [kendall(*row) for row in zip(first, second, strict=True)]
    return found


def _products(first: Doubles, second: Doubles) -> Doubles:
    """Pearson's correlation of rows that vary."""
    sides = []
    for side in (first, second):
        centred = side - side.mean(axis=1, keepdims=True)
        # Scaled first, so that squares neither vanish nor overflow.
        centred /= np.abs(centred).max(axis=1, keepdims=True)
        sides.append(centred / np.sqrt((centred**2).sum(axis=1, keepdims=True)))
    found: Doubles = np.clip((sides[0] * sides[1]).sum(axis=1), -1, 1)
    return found
