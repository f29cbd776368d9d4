"""Curves: a figure of several systems over the values of a parameter.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.evaluation.macro import MACRO
from graphscore.evaluation.result import Result, figure_getter
from graphscore.metrics.base import Metric
from graphscore.metrics.crossings import Point, Stretch
from graphscore.metrics.sweep import Swept
from graphscore.report.ranking import marked, ranks
from graphscore.report.text import BEST, Column, Ratio, Table

UNDEFINED = "-"
"""Cell of a figure that is undefined."""

COLUMNS = ("metric", "parameter", "value", "figure", "system", "score", "rank")
"""Columns of a flat row."""

EQUAL, UNKNOWN = "equal", "not known"
"""What is said of two systems where neither is better, and where that is not known."""

_RATIOS = ("precision", "recall", "f1")


class Standing(NamedTuple):
    """Which of two systems is better where, from the first value to the last.

    Example:
        >>> stretches = Stretch(0, 0.37, 0), Stretch(0.37, 1, 1)
        >>> standing = Standing("a", "b", stretches)
        >>> [row[0] for row in standing.rows(True)]
        ['a', 'b']
        >>> standing.to_dict(True)["parts"][1]
        {'from': 0.37, 'to': 1, 'better': 'b'}
    """

    one: str
    two: str
    stretches: tuple[Stretch, ...]

    def rows(self, lower: bool) -> Iterator[tuple[str, str, str]]:
        """Who is better than whom, and for which values.

        Args:
            lower: whether the lower one is better.
        """
        first, last = self.stretches[0].first, self.stretches[-1].last
        for each in self.stretches:
            where = f"{each.first:.6g} to {each.last:.6g}"
            if each.first == first and each.last != last:
                where = f"< {each.last:.6g}"
            elif each.last == last and each.first != first:
                where = f"> {each.first:.6g}"
            better = self._better(each, lower)
            if better is None:
                said = EQUAL if each.lower == "equal" else UNKNOWN
                yield f"{self.one}, {self.two}: {said}", "", where
            else:
                yield better, self.two if better == self.one else self.one, where

    def to_dict(self, lower: bool) -> dict[str, Any]:
        """The JSON contract; ``better`` is ``null`` where neither is.

        Args:
            lower: whether the lower one is better.
        """
        parts: list[dict[str, Any]] = []
        for each in self.stretches:
            found = {"from": each.first, "to": each.last}
            parts.append({**found, "better": self._better(each, lower)})
            if each.lower == "unknown":
                parts[-1]["known"] = False
        return {"systems": [self.one, self.two], "parts": parts}

    def _better(self, stretch: Stretch, lower: bool) -> str | None:
        if not isinstance(stretch.lower, int):
            return None
        return (self.one, self.two)[stretch.lower if lower else 1 - stretch.lower]


class Curve(NamedTuple):
    """What a sweep found.

    Example:
        >>> curve = Curve("ser", "weight", (0, 1), "ser", True, True,
        ...     {"a": (0.5, 0.75), "b": (0.25, math.nan)})
        >>> curve.ranks
        {'a': [2, 1], 'b': [1, None]}
        >>> curve.to_dict()["systems"]
        {'a': [0.5, 0.75], 'b': [0.25, nan]}
    """

    metric: str
    """The metric without the parameter."""
    parameter: str
    values: tuple[int | float, ...]
    figure: str
    """The figure, by name."""
    ratio: bool
    """Whether it is shown times 100."""
    lower: bool | None
    """Whether it is the better the lower it is; ``None`` if nobody says."""
    systems: Mapping[str, tuple[float, ...]]
    """The figure at each value, by system; ``nan`` where it is undefined."""
    standings: tuple[Standing, ...] = ()
    """Of every two systems; nothing where that cannot be known exactly."""

    @property
    def ranks(self) -> dict[str, list[int | None]]:
        """The rank of each system at each value.

        Empty if there is one system, or what is better is not known.  What is
        undefined has no rank.
        """
        if self.lower is None or len(self.systems) < 2:
            return {}
        found: dict[str, list[int | None]] = {name: [] for name in self.systems}
        for place in range(len(self.values)):
            here = {name: scores[place] for name, scores in self.systems.items()}
            there = {name: x for name, x in here.items() if not math.isnan(x)}
            ranked = ranks(list(there.values()), lower=self.lower)
            of = dict(zip(there, ranked, strict=True))
            for name, mine in found.items():
                mine.append(of.get(name))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract: plain values at full precision."""
        found: dict[str, Any] = {
            "metric": self.metric,
            "parameter": self.parameter,
            "values": list(self.values),
            "figure": self.figure,
            "systems": {name: list(mine) for name, mine in self.systems.items()},
        }
        if self.ranks:
            found["ranks"] = self.ranks
        if self.standings:
            lower = self.lower is True
            found["crossings"] = [each.to_dict(lower) for each in self.standings]
        return found

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """One row per value and system, in the order of :data:`COLUMNS`."""
        placed = self.ranks
        head = self.metric, self.parameter
        for place, value in enumerate(self.values):
            for name, scores in self.systems.items():
                rank = placed[name][place] if placed else None
                score = None if math.isnan(scores[place]) else scores[place]
                yield (*head, value, self.figure, name, score, rank)


def curves(
    results: Iterable[Result], plan: Sequence[Swept], figure: str = ""
) -> list[Curve]:
    """The curve of every metric.

    Args:
        results: of every system and every metric of the plan.
        plan: what was swept over.
        figure: as for ``--fail-under``; empty for what stands for the metric.

    Raises:
        UsageError: if a metric has no such figure.
    """
    get = figure_getter(figure)
    found: dict[Metric, dict[str, float]] = {}
    kinds: dict[Metric, bool] = {}
    ratios: dict[Metric, bool] = {}
    for result in results:
        found.setdefault(result.metric, {})[result.system] = float(get(result))
        kinds.setdefault(result.metric, _is_count(result, figure))
        number = result.figures.numbers.get(figure, 0)
        ratio = result.metric.is_ratio(figure, number)
        ratios[result.metric] = ratios.get(result.metric, False) or ratio
    made = []
    for each in plan:
        first = each.metrics[0]
        name, ratio, lower = _described(first, figure, kinds[first])
        ratio = ratio or ratios[first]
        systems = {
            system: tuple(found[metric][system] for metric in each.metrics)
            for system in found[first]
        }
        made.append(
            Curve(each.base, each.parameter, each.values, name, ratio, lower, systems)
        )
    return made


def points(
    results: Iterable[Result], swept: Swept, figure: str = ""
) -> dict[str, dict[float, Point]]:
    """The points of a curve with their slopes, by system and value.

    Args:
        results: of every system; those of other metrics are passed over.
        swept: what was swept over.
        figure: as for ``--fail-under``; empty for what stands for the metric.

    Returns:
        Nothing where the metric does not say slopes, or a system has no such figure.
    """
    get = figure_getter(figure)
    found: dict[str, dict[float, Point]] = {}
    for result in results:
        at = getattr(result.metric, swept.parameter, None)
        if type(at) is not float or result.metric != swept.at(at):
            continue
        value = float(get(result))
        numbers = result.figures.numbers
        slope = result.metric.slope(swept.parameter, figure, numbers)
        if slope is None or math.isnan(value) or math.isnan(slope) or result.references:
            return {}
        found.setdefault(result.system, {})[at] = Point(at, value, slope)
    return found


def _is_count(result: Result, figure: str) -> bool:
    """Whether a figure is precision, recall or F1 of a kind."""
    figures = result.figures
    part = figure.partition(".")[0]
    if part == MACRO:
        return not result.metric.leads(figure)
    return figure not in figures.numbers and (
        figure in _RATIOS or part in figures.counts
    )


def _described(
    metric: Metric, figure: str, counted: bool
) -> tuple[str, bool, bool | None]:
    """The name of a figure, whether it is a ratio, and whether less is better."""
    if not figure or figure == metric.leading:
        return metric.leading or f"{metric.main}.f1", True, metric.less_is_better
    if counted and figure.partition(".")[0] == MACRO:
        return figure, True, False
    if counted:
        ratio = "" if figure.rpartition(".")[2] in _RATIOS else ".f1"
        return figure + ratio, True, False
    if figure.rpartition(".")[2] in _RATIOS:
        return figure, True, False
    if metric.leads(figure):
        return figure, True, metric.less_is_better
    return figure, False, None


def curve_table(curve: Curve) -> Table:
    """A row per value, a column per system; the best of each row is marked.

    Args:
        curve: what is shown.
    """
    better = {None: "", True: ", lowest best", False: ""}[curve.lower]
    star = f" {BEST}" if curve.ranks else ""
    table = Table(
        [
            Column(curve.parameter, True),
            *(Column(system, True) for system in curve.systems),
        ],
        title=f"{curve.metric}: {curve.figure} by {curve.parameter}{better}{star}",
    )
    placed = curve.ranks
    for place, value in enumerate(curve.values):
        cells: list[Any] = [
            _cell(curve, scores[place], placed[name][place] if placed else None)
            for name, scores in curve.systems.items()
        ]
        table.rows.append((f"{value:.12g}", *cells))
    return table


def standing_tables(curve: Curve) -> list[Table]:
    """Who is better than whom, for which values; none where that is not known.

    Args:
        curve: what is shown.
    """
    if not curve.standings:
        return []
    table = Table(
        [Column("better"), Column("than"), Column(curve.parameter)],
        title=f"{curve.metric}: where {curve.figure} is better",
    )
    for each in curve.standings:
        table.rows += each.rows(curve.lower is True)
    return [table]


def _cell(curve: Curve, score: float, rank: int | None) -> Any:
    if math.isnan(score):
        return UNDEFINED
    if not curve.ratio:
        return score
    return marked(score, rank) if rank is not None else Ratio(score)
