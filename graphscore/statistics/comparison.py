"""Systems compared: is one better than another, how sure is that, on which units.

Every system gets its score with two intervals and the interval of its rank; every
pair of systems a test.  See :mod:`~graphscore.statistics.resampling` for how.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.evaluation.result import Result
from graphscore.exceptions import amount
from graphscore.metrics.base import Metric, lowest_best, main_name
from graphscore.rows import Rows, Tabular, brief, four_places, number, numbers_of
from graphscore.statistics.changes import Changes
from graphscore.statistics.ranking import adjusted, clusters, ranks_of
from graphscore.statistics.resampling import (
    SEED,
    SLACK,
    Resampling,
    check_samples,
)
from graphscore.statistics.resampling_units import default_unit
from graphscore.statistics.tables import Unit, UnitKey

if TYPE_CHECKING:
    from graphscore.statistics.cross_framework_result import CrossFrameworkResult

Doubles = npt.NDArray[np.float64]

SAMPLES = 10_000
LEVEL = 0.95
ALPHA = 0.05
FEW = 20
"""Under so many units intervals and tests say little."""


class RankedSystem(NamedTuple):
    """A system, its score and its place among the others."""

    system: str
    """Its name."""
    value: float | None
    """The score; ``None`` where it is undefined."""
    low: float | None
    """Lower end of the percentile interval; ``None`` under two units."""
    high: float | None
    """Upper end."""
    bca_low: float | None
    """Lower end of the interval corrected for bias and acceleration."""
    bca_high: float | None
    """Upper end."""
    rank: int
    """1 the best; equal scores share the better rank."""
    rank_low: int | None
    """The best rank within the interval."""
    rank_high: int | None
    """The worst one."""


class PairTest(NamedTuple):
    """Two systems, and whether they differ."""

    a: str
    """The system that was named first."""
    b: str
    """The other."""
    difference: float | None
    """The score of *a* less that of *b*."""
    low: float | None
    """Lower end of its percentile interval."""
    high: float | None
    """Upper end."""
    p: float | None
    """Two-sided p-value of paired randomisation; ``None`` under two units."""
    p_adjusted: float | None
    """The same, adjusted for all pairs (Holm 1979)."""
    wins: int
    """Units in which *a* is better."""
    ties: int
    """Units in which neither is."""
    losses: int
    """Units in which *b* is better."""
    effect: float | None
    """Mean difference of the units over its standard deviation (Cohen's d)."""


class UnitScores(NamedTuple):
    """A unit and what every system gets in it."""

    framework: str
    language: str
    item: str
    """The item, sentence or document."""
    values: tuple[float | None, ...]
    """The score of each system, in their order."""


_SYSTEM = tuple(name for name in RankedSystem._fields if name != "system")
_PAIR = ("p", "p_adjusted", "wins", "ties", "losses", "effect")
_NUMBERS = ("value", "low", "high", "rank", "p", "p_adjusted", "effect")


@dataclass(frozen=True, repr=False)
class Comparison(Rows):
    """Several systems compared by one score of one metric.

    Attributes:
        metric: the metric.
        score: the score's name.
        unit: what was drawn and swapped.
        units: how many there are.
        samples: how many samples were drawn.
        seed: what the draws started from.
        level: of the intervals.
        systems: in the order in which they were named.
        pairs: likewise; of three systems a-b, a-c, b-c.
        clusters: names of the systems that cannot be told apart, best first.
        items: every unit, in gold order.
        lowest_best: whether the lowest score is the best.
        slice: what the units have in common, by column; empty for all of them.
        by: the columns of the slices that were asked for.
        groups: a comparison of each slice.
        baseline: the system that the others are held against, where one was named.
        changes: what changed from the baseline, or the first system, to each of the
            others, where that was asked for.
        across: the same systems in each framework, over the items that all share;
            where that was asked for.
        notes: what the user should know, one sentence each.
    """

    metric: Metric
    score: str
    unit: Unit
    units: int
    samples: int
    seed: int
    level: float
    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairTest, ...]
    clusters: tuple[tuple[str, ...], ...]
    items: tuple[UnitScores, ...]
    lowest_best: bool = False
    slice: dict[str, str] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    groups: tuple[Comparison, ...] = ()
    baseline: str = ""
    changes: tuple[Changes, ...] = ()
    across: CrossFrameworkResult | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        scores = ", ".join(
            f"{system.system} {four_places(system.value)}" for system in self.systems
        )
        text = (
            f"{self.metric}: {self.score} {scores} over {amount(self.units, self.unit)}"
        )
        return brief("Comparison", text, self.notes)

    @property
    def signature(self) -> str:
        """Signature that reproduces the samples: method, samples, seed, unit."""
        return (
            f"bootstrap+randomisation|samples:{self.samples}|seed:{self.seed}"
            f"|unit:{self.unit}|level:{self.level:g}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract: plain values at full precision."""
        names = [system.system for system in self.systems]
        # What several metrics are in together stands beside them.
        own = self.across if self.across and self.across.metric else None
        across = {"across": own.to_dict()} if own else {}
        return {
            "metric": str(self.metric),
            "score": self.score,
            **self.slice,
            "unit": self.unit,
            "units": self.units,
            "samples": self.samples,
            "seed": self.seed,
            "level": self.level,
            "signature": self.signature,
            **({"baseline": self.baseline} if self.baseline else {}),
            "lowest_best": self.lowest_best,
            "systems": [system._asdict() for system in self.systems],
            "pairs": [pair._asdict() for pair in self.pairs],
            "clusters": [list(cluster) for cluster in self.clusters],
            "items": [
                {
                    "framework": item.framework,
                    "language": item.language,
                    "item": item.item,
                    "values": dict(zip(names, item.values, strict=True)),
                    "difference": _difference(item.values),
                }
                for item in self.items
            ],
            **(
                {"groups": [group.to_dict() for group in self.groups]}
                if self.by
                else {}
            ),
            **self._changes(),
            **across,
            "notes": list(self.notes),
        }

    def tabular(self) -> Tabular:
        """A row per system, with what it is *against* empty, and one per pair.

        The *value* of a pair is its difference.  Rows of the whole come first, those
        of slices after them.
        """
        head = ("metric", "score", *self.by, "unit", "units", "samples", "seed")
        columns = (*head, "level", "system", "against", "cluster", *_SYSTEM, *_PAIR)
        return Tabular(columns, self._cells())

    def _cells(self) -> Iterator[tuple[Any, ...]]:
        for each in (self, *self.groups):
            head = (
                str(each.metric),
                each.score,
                *(each.slice.get(name, "") for name in self.by),
                *(each.unit, each.units, each.samples, each.seed, each.level),
            )
            cluster = {
                name: number
                for number, group in enumerate(each.clusters, 1)
                for name in group
            }
            for system in each.systems:
                own = (system.system, "", cluster[system.system])
                yield (*head, *own, *system[1:], *(None for _ in _PAIR))
            for pair in each.pairs:
                yield (*head, *_pair_cells(pair))

    def numbers(self) -> dict[str, float]:
        """Numbers by ``METRIC/SCORE/SYSTEM`` and ``METRIC/SCORE/SYSTEM/AGAINST``.

        Each name goes on with ``value``, ``low``, ``high``, ``rank``, ``p``,
        ``p_adjusted`` or ``effect``; slices stand before the systems.
        """
        named = ("metric", "score", *self.by, "system", "against")
        return numbers_of(*self.tabular(), named, _NUMBERS)

    def _changes(self) -> dict[str, Any]:
        if not self.changes:
            return {}
        return {"changes": [change.to_dict() for change in self.changes]}


def _pair_cells(pair: PairTest) -> tuple[Any, ...]:
    """The cells of a pair, from what stands for the system on."""
    ends = (pair.difference, pair.low, pair.high)
    blank = (None for _ in range(len(_SYSTEM) - len(ends)))
    return (
        *(pair.a, pair.b, None, *ends, *blank),
        *(getattr(pair, name) for name in _PAIR),
    )


def _difference(values: Sequence[float | None]) -> float | None:
    """The first system's score less the second's, as in the first of the pairs."""
    if len(values) < 2 or values[0] is None or values[1] is None:
        return None
    return values[0] - values[1]


def compare_results(
    results: Sequence[Result],
    score: str = "",
    *,
    unit: Unit | None = None,
    over: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    names: Sequence[str] = (),
) -> Comparison:
    """Compare systems by a score of one metric.

    Args:
        results: of the systems, with items, all on the same gold.
        score: which score, as for ``--fail-under``; what stands for the metric
            where it is empty.
        unit: what is drawn and swapped; what the score is a function of sums over
            where nothing is said.
        over: what a mean ``macro`` is over; frameworks without.
        samples: bootstrap samples and assignments that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        names: what the systems are called; ``Result.system`` without.

    Returns:
        The comparison.

    Raises:
        UsageError: without results per item, for different metrics, or if the metric
            has no such score.
        PairingError: if the systems were not scored on the same units.
    """
    check_samples(samples, level)
    metric = results[0].metric
    unit = unit or default_unit(metric, score, over)
    resampling = Resampling(
        results, score, unit=unit, over=over, samples=samples, seed=seed
    )
    called = list(names) or distinct([result.system for result in results])
    lowest = lowest_best(metric, score or metric.leading)
    systems = _rated(resampling, called, level, lowest)
    pairs = _tested(resampling, called, level, lowest)
    return Comparison(
        metric,
        score or main_name(metric),
        unit,
        resampling.size,
        samples,
        seed,
        level,
        tuple(systems),
        tuple(pairs),
        tuple(_clusters(systems, pairs, lowest)),
        tuple(_varied(resampling)),
        lowest,
        notes=tuple(_notes(resampling, unit, metric)),
    )


def distinct(names: Sequence[str]) -> list[str]:
    """Names under which systems are told apart: the second ``a`` is ``a (2)``.

    Example:
        >>> distinct(["a", "b", "a"])
        ['a', 'b', 'a (2)']
    """
    result: list[str] = []
    for name in names:
        number, called = 1, name
        while called in result:
            number += 1
            called = f"{name} ({number})"
        result.append(called)
    return result


def _rated(
    made: Resampling, names: Sequence[str], level: float, lowest: bool
) -> list[RankedSystem]:
    observed = np.array(made.observed)
    ranks = ranks_of(observed[:, None], lowest)[:, 0].tolist()
    if made.size < 2:
        nothing = (None,) * 4
        return [
            RankedSystem(name, number(value), *nothing, rank, None, None)
            for name, value, rank in zip(names, observed, ranks, strict=True)
        ]
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    drawn = ranks_of(made.drawn, lowest)
    result = []
    for index, name in enumerate(names):
        low, high = made.interval(index, level)
        bca_low, bca_high = made.interval(index, level, "bca")
        # A rank is one that occurs: the quantiles are not halfway between two.
        best, worst = np.quantile(drawn[index], tails, method="inverted_cdf").tolist()
        result.append(
            RankedSystem(
                name,
                number(observed[index]),
                number(low),
                number(high),
                number(bca_low),
                number(bca_high),
                ranks[index],
                int(best),
                int(worst),
            )
        )
    return result


def _tested(
    made: Resampling, names: Sequence[str], level: float, lowest: bool
) -> list[PairTest]:
    pairs = list(combinations(range(len(names)), 2))
    enough = made.size >= 2
    tests = made.randomised(pairs) if enough else []
    p_values: list[float | None] = [test.p for test in tests]
    p_values = p_values or [None] * len(pairs)
    result = []
    for (a, b), p, corrected in zip(pairs, p_values, adjusted(p_values), strict=True):
        ends = made.difference_interval(a, b, level) if enough else (math.nan,) * 2
        gained = made.by_unit[a] - made.by_unit[b]
        better = -gained if lowest else gained
        there = gained[np.isfinite(gained)]
        deviation = float(there.std(ddof=1)) if len(there) > 1 else 0.0
        difference = number(made.difference(a, b))
        defined = difference is not None
        result.append(
            PairTest(
                names[a],
                names[b],
                difference,
                number(ends[0]),
                number(ends[1]),
                p if defined else None,
                corrected if defined else None,
                int((better > SLACK).sum()),
                int((~(np.abs(better) > SLACK)).sum()),
                int((better < -SLACK).sum()),
                float(there.mean()) / deviation if deviation > SLACK else None,
            )
        )
    return result


def _clusters(
    systems: Sequence[RankedSystem], pairs: Sequence[PairTest], lowest: bool
) -> list[tuple[str, ...]]:
    places = {system.system: index for index, system in enumerate(systems)}
    apart = set()
    for pair in pairs:
        if pair.p_adjusted is None or pair.p_adjusted >= ALPHA or not pair.difference:
            continue
        better, worse = places[pair.a], places[pair.b]
        if (pair.difference < 0) != lowest:
            better, worse = worse, better
        apart.add((better, worse))
    order = sorted(range(len(systems)), key=lambda place: systems[place].rank)
    return [
        tuple(systems[place].system for place in group)
        for group in clusters(order, apart)
    ]


def _varied(made: Resampling) -> list[UnitScores]:
    units: Sequence[UnitKey] = made.tables[0].units
    return [
        UnitScores(*unit, tuple(number(value) for value in column))
        for unit, column in zip(units, made.by_unit.T.tolist(), strict=True)
    ]


def _notes(made: Resampling, unit: Unit, metric: Metric) -> list[str]:
    if made.size < 2:
        if unit == "collection":
            return [
                f"{metric} compares whole collections and is not a sum over items: "
                "no intervals and no tests"
            ]
        return [f"{amount(made.size, unit)}: no intervals or tests of fewer than two"]
    if made.size < FEW:
        return [f"only {amount(made.size, unit)}: intervals and tests are unreliable"]
    return []
