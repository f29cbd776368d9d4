"""Scores of systems in several frameworks, of the whole and of every sample.

The same units are drawn in every framework, so that scores of two of them differ for
no other reason than the frameworks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.metrics.base import Metric, lowest_best
from graphscore.rows import number
from graphscore.statistics.ranking import ranks_of
from graphscore.statistics.resampling import quantiles
from graphscore.statistics.sampling import weights
from graphscore.statistics.tables import (
    Score,
    Table,
    resampled,
    score_of_columns,
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
    """The score; ``None`` where it is undefined."""
    low: float | None
    """Lower end of the percentile interval; ``None`` under two units."""
    high: float | None
    """Upper end."""
    rank: int
    """Among the systems there, 1 the best; equal scores share the better rank."""
    rank_low: int | None
    """The best rank within the interval."""
    rank_high: int | None
    """The worst one."""


class BootstrapScores:
    """The score of every system in every place, of the whole and of every sample.

    Args:
        tables: by place and system, the same units in the same order.
        metrics: by place.
        score: its name.
        samples: how many samples are drawn.
        seed: what the draws start from.
    """

    def __init__(
        self,
        tables: list[list[Table]],
        metrics: Mapping[str, Metric],
        score: str,
        samples: int,
        seed: int,
    ) -> None:
        self.places = list(metrics)
        self.lowest = [
            lowest_best(metric, score or metric.leading) for metric in metrics.values()
        ]
        self.size = len(tables[0][0].units)
        self.tables = tables
        self.scores = [score_of_columns(value, score) for value in metrics.values()]
        self.observed = np.array(
            [[whole(table, own) for table in systems] for systems, own in self._each()]
        )
        """Shape (places, systems)."""
        self.drawn = np.zeros((*self.observed.shape, 0))
        if self.size > 1:
            # All places draw the same units, and are summed together.
            each = [(table, own) for systems, own in self._each() for table in systems]
            every, scores = zip(*each, strict=True)
            drawn = resampled(every, scores, weights(self.size, samples, seed))
            self.drawn = drawn.reshape(*self.observed.shape, samples)

    def _each(self) -> Iterable[tuple[list[Table], Score]]:
        return zip(self.tables, self.scores, strict=True)

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
