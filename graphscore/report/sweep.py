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
from graphscore.metrics.sweep import Swept
from graphscore.report.ranking import marked, ranks
from graphscore.report.text import BEST, Column, Ratio, Table

UNDEFINED = "-"
"""Cell of a figure that is undefined."""

COLUMNS = ("metric", "parameter", "value", "figure", "system", "score", "rank")
"""Columns of a flat row."""

_RATIOS = ("precision", "recall", "f1")


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


def _cell(curve: Curve, score: float, rank: int | None) -> Any:
    if math.isnan(score):
        return UNDEFINED
    if not curve.ratio:
        return score
    return marked(score, rank) if rank is not None else Ratio(score)
