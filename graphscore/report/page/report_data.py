"""Data of a report: results, the items that it shows, comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError
from graphscore.metrics.base import (
    Metric,
    main_score,
    unit_of,
)
from graphscore.model.outcome import RawCounts
from graphscore.report.item_view.lookup import Found
from graphscore.report.item_view.sentences import compared
from graphscore.report.page.collecting import Scored, unit_key
from graphscore.report.side_by_side import Comparison as Pair
from graphscore.statistics.comparison import LEVEL, SAMPLES, Comparison, distinct
from graphscore.statistics.comparisons import ComparisonOptions, comparisons_of
from graphscore.statistics.resampling import SEED
from graphscore.statistics.uncertainty import with_intervals

WORST = 100
"""Default number of items to show."""

SLICED = 200
"""Slices by a column that are shown at most, and have intervals."""


@dataclass(frozen=True)
class ReportOptions:
    """Options of a report.

    Args:
        worst: so many items, the worst first; ``None`` for items in gold order.
        first: so many items in gold order.
        compare: whether systems are compared.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution an interval holds.

    Raises:
        UsageError: if both numbers of items are given, or one is negative.
    """

    worst: int | None = None
    first: int | None = None
    compare: bool = False
    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL

    def __post_init__(self) -> None:
        if self.worst is not None and self.first is not None:
            raise UsageError("--worst and --items: only one can say which items")
        for number in (self.worst, self.first):
            if number is not None and number < 0:
                raise UsageError(f"{number} items: expected a number from 0")

    def check(self, systems: Sequence[str]) -> None:
        """Refuse to compare what is not several.

        Args:
            systems: what they are called.

        Raises:
            UsageError: if systems are to be compared, and there is one.
        """
        if self.compare and len(systems) < 2:
            raise UsageError(
                f"--compare takes two or more systems; there is one, {systems[0]}"
            )

    @property
    def most(self) -> int:
        """Largest number of items."""
        if self.first is not None:
            return self.first
        return WORST if self.worst is None else self.worst


class UnitResult(NamedTuple):
    """A unit as one metric sees it for one system."""

    system: int
    """The system's place."""
    metric: Metric
    because: str
    result: ItemResult
    value: float
    """Main score; ``nan`` where it is undefined."""
    found: Found | None
    """Its graphs; ``None`` where they cannot be had."""

    def pair(self, budget: Budget) -> Pair | None:
        """Both sides beside each other.

        Args:
            budget: how much work may be spent on the shares of sentences.
        """
        return None if self.found is None else compared(self.found, budget)

    @property
    def is_right(self) -> bool:
        """The system has all of it, without any error to show."""
        count = self.metric.scores(self.result.raw_counts).counts.get(self.metric.main)
        return count is not None and count.gold == count.matched == count.system

    @property
    def where(self) -> str:
        """Framework and layer."""
        return " ".join(filter(None, (self.result.framework, self.result.layer)))


class Item(NamedTuple):
    """An item in all its frameworks, under all metrics, for all systems."""

    number: int
    """Its place in the report, from 1."""
    name: str
    language: str
    text: str
    score: float
    """The mean of what stands for the metrics; ``nan`` where nothing is defined."""
    seen: tuple[UnitResult, ...]

    @property
    def id(self) -> str:
        """Target of links."""
        return f"i{self.number}"

    @property
    def errors(self) -> int:
        """Number of tuples that did not match."""
        return sum(len(unit_result.result.errors) for unit_result in self.seen)


@dataclass(frozen=True)
class ReportData:
    """All that a report tells.

    Attributes:
        gold: what gold is called.
        systems: what the systems are called.
        results: of each system one per metric; with intervals by framework.
        read: the same with the items that people read: sentences of documents.
        slices: the same with intervals by other columns, by the column.
        items: those that are shown.
        of: how many there are.
        wanted: what was asked for.
        comparisons: of the systems, one by each metric, where that was asked for.
        command: what makes the same report again.
        budget: work per pair.
        places: decimals of ratios.
    """

    gold: str
    systems: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...]
    read: tuple[tuple[Result, ...], ...]
    slices: Mapping[str, tuple[Result, ...]]
    items: tuple[Item, ...]
    of: int
    wanted: ReportOptions = field(default_factory=ReportOptions)
    comparisons: tuple[Comparison, ...] = ()
    command: str = ""
    budget: Budget = field(default_factory=Budget)
    places: int = 2

    @property
    def every(self) -> Iterator[tuple[int, Result]]:
        """Every result with the place of its system."""
        for index, results in enumerate(self.results):
            for result in results:
                yield index, result

    @property
    def title(self) -> str:
        """Title of the report: the compared files by their names, in a line."""
        return f"{', '.join(self.systems)} against {self.gold}"

    @property
    def several(self) -> bool:
        """There are several systems."""
        return len(self.systems) > 1


def file_names(names: Sequence[str]) -> list[str]:
    """Names of files without the folders that tell none of them apart.

    Example:
        >>> file_names(["/data/gold.mrp", "/data/runs/alder.mrp"])
        ['gold.mrp', 'alder.mrp']
        >>> file_names(["gold/a.conllu", "run/a.conllu"])
        ['gold/a.conllu', 'run/a.conllu']
    """
    split = [name.split("/") for name in names]
    for length in range(1, max(map(len, split), default=0)):
        short = ["/".join(parts[-length:]) for parts in split]
        if all(short) and len({*short}) == len({*names}):
            return short
    return list(names)


def findings_of(
    scored: Scored,
    systems: Sequence[str],
    wanted: ReportOptions,
    *,
    command: str = "",
    budget: Budget | None = None,
    places: int = 2,
) -> ReportData:
    """Return the data of a report on results.

    Args:
        scored: results with items, details and parts.
        systems: what the systems are called.
        wanted: what of it is wanted.
        command: what makes the same report again.
        budget: work per pair.
        places: decimals of ratios.

    Raises:
        UsageError: if systems are to be compared that are not two or more, or have no
            metric in common.
    """
    scored, systems = _briefly_named(scored, systems)
    draws: dict[str, Any] = {
        name: getattr(wanted, name) for name in ("samples", "seed", "level")
    }
    comparisons: Sequence[Comparison] = ()
    if wanted.compare:
        wanted.check(systems)
        comparisons = comparisons_of(
            scored.results, ComparisonOptions(changes=True, **draws), systems
        )
    results = tuple(
        tuple(with_intervals(each, ("framework",), **draws) for each in system_results)
        for system_results in scored.results
    )
    slices: dict[str, tuple[Result, ...]] = {}
    for column in ("document", "language", "layer"):
        found = tuple(
            with_intervals(each, (column,), **draws)
            for system_results in scored.results
            for each in system_results
            if not each.nothing and 1 < len(each.by(column)) <= SLICED
        )
        if found:
            slices[column] = found
    read = [
        [
            replace(result, items=items)
            for result, items in zip(made, listed, strict=True)
        ]
        for made, listed in zip(scored.results, scored.items, strict=True)
    ]
    items, number = chosen_items(scored._replace(results=read), wanted)
    first = next(
        iter(result for system_results in results for result in system_results)
    )
    return ReportData(
        first.gold,
        tuple(systems),
        results,
        tuple(map(tuple, read)),
        slices,
        tuple(items),
        number,
        wanted,
        tuple(comparisons),
        command,
        budget or Budget(),
        places,
    )


def _briefly_named(scored: Scored, systems: Sequence[str]) -> tuple[Scored, list[str]]:
    """Name both sides by their files without the folders that all share."""
    [gold] = {result.gold for results in scored.results for result in results}
    gold, *names = file_names([gold, *systems])
    names = distinct(names)
    results = [
        [replace(result, gold=gold, system=name) for result in results]
        for name, results in zip(names, scored.results, strict=True)
    ]
    return scored._replace(results=results), names


ItemKey = tuple[str, str]
"""Language and name."""


def chosen_items(scored: Scored, wanted: ReportOptions) -> tuple[list[Item], int]:
    """The items that are shown, and how many there are.

    Items are the same if name and language are.  The worst have the lowest mean over
    systems, metrics and frameworks, of which one that is better the lower it is counts
    the other way round; of equal ones that with more errors is worse, then that which
    comes first in gold.

    Args:
        scored: results with items and details.
        wanted: which and how many.
    """
    every: dict[ItemKey, list[tuple[int, Result, ItemResult, float]]] = {}
    for place, results in enumerate(scored.results):
        for result in results:
            if unit_of(result.metric) == "collection":
                continue
            for item in result.items:
                value = main_value(result.metric, item.raw_counts)
                known = every.setdefault((item.language, item.item), [])
                known.append((place, result, item, value))
    keys = list(every)
    if wanted.first is None:
        order = {key: number for number, key in enumerate(keys)}
        keys.sort(key=lambda key: (*_badness(every[key]), order[key]))
    keys = keys[: wanted.most]
    loaded = [
        scored.load(
            place,
            [
                (result.metric, each)
                for key in keys
                for system, result, each, _ in every[key]
                if system == place
            ],
        )
        for place in range(len(scored.results))
    ]
    items = []
    for number, key in enumerate(keys, 1):
        seen = tuple(
            UnitResult(
                place,
                result.metric,
                result.because,
                each,
                value,
                loaded[place].get(unit_key(result.metric, each)),
            )
            for place, result, each, value in sorted(
                every[key], key=lambda it: (it[2].framework, it[2].layer, it[0])
            )
        )
        texts = dict.fromkeys(
            text for each in seen for text in each.result.texts if text
        )
        values = [each.value for each in seen if math.isfinite(each.value)]
        mean = math.fsum(values) / len(values) if values else math.nan
        items.append(Item(number, key[1], key[0], " ".join(texts), mean, seen))
    return items, len(every)


def main_value(metric: Metric, raw_counts: RawCounts) -> float:
    """Return the main score; ``nan`` where both sides are empty.

    Args:
        metric: any.
        raw_counts: what it counted.
    """
    scores = metric.scores(raw_counts)
    count = scores.counts.get(metric.main)
    if not metric.leading and count is not None and not (count.gold or count.system):
        return math.nan
    return main_score(metric, scores)


def _badness(
    every: Sequence[tuple[int, Result, ItemResult, float]],
) -> tuple[float, int]:
    """The lower the worse: the mean, then the number of errors."""
    values = [
        -value if result.metric.less_is_better else value
        for _, result, _, value in every
        if math.isfinite(value)
    ]
    mean = math.fsum(values) / len(values) if values else math.inf
    return mean, -sum(len(item.errors) for _, _, item, _ in every)
