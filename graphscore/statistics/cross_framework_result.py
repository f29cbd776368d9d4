"""Systems in several frameworks, languages or layers, as they were found to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphscore.exceptions import amount
from graphscore.metrics.base import Metric
from graphscore.rows import Rows, Tabular, brief, numbers_of
from graphscore.statistics.bootstrap_scores import Cell
from graphscore.statistics.tables import Unit

MEAN = "mean"
"""The row of the mean over frameworks."""


@dataclass(frozen=True)
class CrossFrameworkResult(Rows):
    """Systems in several frameworks, languages or layers, over the units of all.

    Attributes:
        by: ``frameworks``, ``languages`` or ``layers``.
        places: which of them there are, in alphabetical order.
        metrics: what scores each of them.
        score: the score that was asked for; empty for what stands for each metric.
        unit: what was drawn.
        units: how many are shared by all places.
        left_out: how many units of each place are not in all of them.
        samples: how many samples were drawn.
        seed: what the draws started from.
        level: of the intervals.
        systems: every system in every place, by system.
        means: the mean over places of each system; none where metrics differ.
        notes: what the user should know, one sentence each.
    """

    by: str
    places: tuple[str, ...]
    metrics: Mapping[str, Metric]
    score: str
    unit: Unit
    units: int
    left_out: Mapping[str, int]
    samples: int
    seed: int
    level: float
    systems: tuple[Cell, ...]
    means: tuple[Cell, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        text = f"{', '.join(self.places)} over {amount(self.units, self.unit)}"
        return brief(type(self).__name__, text, self.notes)

    @property
    def metric(self) -> Metric | None:
        """Metric of all columns; ``None`` if the metrics differ."""
        result = set(self.metrics.values())
        return result.pop() if len(result) == 1 else None

    @property
    def column(self) -> str:
        """Dimension of the columns: ``framework``, ``language`` or ``layer``."""
        return self.by.removesuffix("s")

    def named(self, place: str) -> str:
        """Return the display name of a column."""
        return place or "none"

    def tabular(self) -> Tabular:
        """A row per system and place, then one per system with its mean."""
        head = ("metric", "score", "unit", "items", "samples", "seed", "level")
        columns = (*head, "system", self.column, *Cell._fields[2:])
        return Tabular(columns, self._cells())

    def _cells(self) -> Iterator[tuple[Any, ...]]:
        first_metric = str(next(iter(self.metrics.values())))
        for system in (*self.systems, *self.means):
            mean = system in self.means
            metric = first_metric if mean else str(self.metrics[system.place])
            yield (
                *(metric, self.score, self.unit, self.units),
                *(self.samples, self.seed, self.level),
                *(system.system, MEAN if mean else system.place, *system[2:]),
            )

    def numbers(self) -> dict[str, float]:
        """Numbers by ``METRIC/SCORE/SYSTEM/PLACE`` and value, ends and ranks."""
        named = ("metric", "score", "system", self.column)
        return numbers_of(*self.tabular(), named, Cell._fields[2:])

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        return {
            "by": self.by,
            self.by: list(self.places),
            "metrics": {place: str(metric) for place, metric in self.metrics.items()},
            "score": self.score,
            "unit": self.unit,
            "items": self.units,
            "left_out": dict(self.left_out),
            "samples": self.samples,
            "seed": self.seed,
            "level": self.level,
            "systems": [self._cell(system) for system in self.systems],
            "means": [self._cell(cell) for cell in self.means],
            "notes": list(self.notes),
        }

    def _cell(self, cell: Cell) -> dict[str, Any]:
        result = cell._asdict()
        place = result.pop("place")
        return {
            "system": result.pop("system"),
            **({self.column: place} if place else {}),
        } | result
