"""Figures of systems in several frameworks, of the whole and of every sample.

The same units are drawn in every framework, so that figures of two of them differ for
no other reason than the frameworks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.metrics.base import Metric
from graphscore.statistics.comparison import number
from graphscore.statistics.correlation import kendall, pearson, spearman
from graphscore.statistics.draws import weights
from graphscore.statistics.ranking import ranks_of
from graphscore.statistics.resampling import quantiles
from graphscore.statistics.tables import (
    Figure,
    Table,
    figure_of_columns,
    resampled,
    values,
    whole,
)

Doubles = npt.NDArray[np.float64]


class Cell(NamedTuple):
    """A system in one framework, language or layer; or its mean over all of them."""

    system: str
    """Its name."""
    place: str
    """The framework, language or layer; empty for the mean."""
    value: float | None
    """The figure; ``None`` where it is undefined."""
    low: float | None
    """Lower end of the percentile interval; ``None`` under two units."""
    high: float | None
    """Upper end."""
    rank: int
    """Among the systems there, 1 the best; equal figures share the better rank."""
    rank_low: int | None
    """The best rank within the interval."""
    rank_high: int | None
    """The worst one."""


class Apart(NamedTuple):
    """How far a system's figures in two places are apart, on the same units."""

    a: str
    """The place that comes first."""
    b: str
    """The other."""
    system: str
    """Whose figures."""
    difference: float | None
    """The figure in *a* less that in *b*."""
    low: float | None
    """Lower end of its percentile interval."""
    high: float | None
    """Upper end."""


class Related(NamedTuple):
    """How the scores of units in two places go together."""

    a: str
    """The place that comes first."""
    b: str
    """The other."""
    system: str | None
    """Whose scores; ``None`` for the mean of all systems' scores of a unit."""
    pearson: float | None
    """Product-moment correlation; ``None`` where either side does not vary."""
    spearman: float | None
    """That of the ranks."""
    kendall: float | None
    """Kendall's tau-b."""
    n: int
    """Units that have a score in both."""


class Drawn:
    """The figure of every system in every place, of the whole and of every sample.

    Args:
        tables: by place and system, the same units in the same order.
        metrics: by place.
        figure: its name.
        samples: how many samples are drawn.
        seed: what the draws start from.
    """

    def __init__(
        self,
        tables: list[list[Table]],
        metrics: Mapping[str, Metric],
        figure: str,
        samples: int,
        seed: int,
    ) -> None:
        self.places, self.metrics, self.name = list(metrics), metrics, figure
        self.lowest = [
            metric.lowest_best(figure or metric.leading) for metric in metrics.values()
        ]
        self.size = len(tables[0][0].units)
        self.tables = tables
        self.figures = [figure_of_columns(each, figure) for each in metrics.values()]
        self.observed = np.array(
            [[whole(table, own) for table in systems] for systems, own in self._each()]
        )
        """Shape (places, systems)."""
        self.drawn = np.zeros((*self.observed.shape, 0))
        if self.size > 1:
            # All places draw the same units, and are summed together.
            each = [(table, own) for systems, own in self._each() for table in systems]
            every, figures = zip(*each, strict=True)
            drawn = resampled(every, figures, weights(self.size, samples, seed))
            self.drawn = drawn.reshape(*self.observed.shape, samples)

    def _each(self) -> Iterable[tuple[list[Table], Figure]]:
        return zip(self.tables, self.figures, strict=True)

    def cells(self, names: Sequence[str], level: float) -> Iterable[Cell]:
        """Every system in every place, by system."""
        by_place = [
            list(_ranked(place, names, observed, drawn, lowest, level))
            for place, observed, drawn, lowest in zip(
                self.places, self.observed, self.drawn, self.lowest, strict=True
            )
        ]
        for cells in zip(*by_place, strict=True):
            yield from cells

    def means(self, names: Sequence[str], level: float) -> Iterable[Cell]:
        """The mean over places of every system."""
        observed, drawn = self.observed.mean(axis=0), self.drawn.mean(axis=0)
        return _ranked("", names, observed, drawn, self.lowest[0], level)

    def apart(self, names: Sequence[str], level: float) -> Iterable[Apart]:
        """The differences between places of every system."""
        for system, name in enumerate(names):
            for a, b in combinations(range(len(self.places)), 2):
                difference = self.observed[a, system] - self.observed[b, system]
                drawn = self.drawn[a, system] - self.drawn[b, system]
                ends = quantiles(drawn, _tails(level))
                yield Apart(
                    self.places[a],
                    self.places[b],
                    name,
                    number(difference),
                    number(ends[0]),
                    number(ends[1]),
                )

    def related(self, names: Sequence[str]) -> Iterable[Related]:
        """Correlations between places: of each system, then of their means."""
        scores = np.array(
            [
                [_scores(table, own, metric, self.name) for table in systems]
                for (systems, own), metric in zip(
                    self._each(), self.metrics.values(), strict=True
                )
            ]
        )
        whose: list[tuple[str | None, Doubles]] = [
            (name, scores[:, system]) for system, name in enumerate(names)
        ]
        if len(names) > 1:
            whose.append((None, scores.mean(axis=1)))
        for name, own in whose:
            for a, b in combinations(range(len(self.places)), 2):
                both = np.isfinite(own[a]) & np.isfinite(own[b])
                sides = own[a][both], own[b][both]
                yield Related(
                    self.places[a],
                    self.places[b],
                    name,
                    number(pearson(*sides)),
                    number(spearman(*sides)),
                    number(kendall(*sides)),
                    int(both.sum()),
                )


def _tails(level: float) -> Doubles:
    return np.array([(1 - level) / 2, (1 + level) / 2])


def _ranked(
    place: str,
    names: Sequence[str],
    observed: Doubles,
    drawn: Doubles,
    lowest: bool,
    level: float,
) -> Iterable[Cell]:
    """The systems in one place: shape (systems,), and (systems, samples)."""
    ranks = ranks_of(observed[:, None], lowest)[:, 0].tolist()
    in_samples = ranks_of(drawn, lowest) if drawn.size else None
    for system, name in enumerate(names):
        low, high = quantiles(drawn[system], _tails(level))
        best = worst = None
        if in_samples is not None:
            # A rank is one that occurs: the quantiles are not halfway between two.
            found = np.quantile(
                in_samples[system], _tails(level), method="inverted_cdf"
            )
            best, worst = (int(each) for each in found.tolist())
        yield Cell(
            name,
            place,
            number(observed[system]),
            number(low),
            number(high),
            ranks[system],
            best,
            worst,
        )


def _scores(table: Table, figure: Figure, metric: Metric, name: str) -> Doubles:
    """The figure of every unit; ``nan`` where neither side has what it counts."""

    def amount_of(masses: dict[Any, Any]) -> Any:
        counts, numbers = metric.figures(
            {key: each for (_, key), each in masses.items()}
        )
        kind = name.partition(".")[0]
        if name in numbers or (not name and metric.leading):
            return 1
        count = counts.get(metric.aliases.get(kind, kind)) or counts.get(metric.main)
        return None if count is None else count.gold + count.system

    amounts = values(table, amount_of)
    return np.where(np.nan_to_num(amounts) > 0, values(table, figure), math.nan)
