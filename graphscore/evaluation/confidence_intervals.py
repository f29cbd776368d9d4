"""Uncertainty of the scores of a result, as its tables and JSON show it.

Confidence intervals are filled in by
:func:`~graphscore.statistics.uncertainty.with_intervals`, standard deviations over runs
by :func:`~graphscore.evaluation.several.runs.mean_of_runs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from graphscore.exceptions import amount
from graphscore.model.outcome import Scores

if TYPE_CHECKING:
    from graphscore.evaluation.several.runs import Deviations


class IntervalBounds(NamedTuple):
    """A confidence interval; of two units or more, where the score is defined."""

    low: float | None = None
    """Its lower end."""
    high: float | None = None
    """Its upper end."""


class Deviation(NamedTuple):
    """A standard deviation over two runs or more, where the score is defined."""

    sd: float | None = None
    """Sample deviation: the squares are divided by one less than there are runs."""


Uncertainty = IntervalBounds | Deviation
"""Bounds or deviation, shown beside a score."""

NOTHING = IntervalBounds()


@dataclass(frozen=True)
class Bounds:
    """The intervals, or deviations, of everything that is said of some units.

    Attributes:
        units: how many were drawn from; how many runs there are.
        value: of what stands for the metric.
        counts: of precision, recall and F1, by tuple type.
        numbers: of the metric's further scores that are ratios.
        nothing: what stands beside a score of which nothing is known.
    """

    units: int = 0
    value: Uncertainty = NOTHING
    counts: Mapping[str, Mapping[str, Uncertainty]] = field(default_factory=dict)
    numbers: Mapping[str, Uncertainty] = field(default_factory=dict)
    nothing: Uncertainty = NOTHING

    def of(self, tuple_type: str, ratio: str = "f1") -> Uncertainty:
        """Return the bounds or deviation of a tuple type's ratio."""
        return self.counts.get(tuple_type, {}).get(ratio, self.nothing)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, under the names that the scores have."""
        return {
            "units": self.units,
            "counts": {
                tuple_type: {ratio: ends._asdict() for ratio, ends in ratios.items()}
                for tuple_type, ratios in self.counts.items()
            },
            "scores": {name: ends._asdict() for name, ends in self.numbers.items()},
        }


@dataclass(frozen=True)
class Intervals:
    """The intervals of a result.

    Attributes:
        unit: what was drawn.
        samples: how many samples.
        seed: what the draws started from.
        level: how much of the distribution an interval holds.
        whole: of everything.
        columns: what groups and means are over.
        groups: of every slice by its values of the columns.
        macro: of means over the slices, or over frameworks where there are none.
        notes: what the user should know, one sentence each.
    """

    unit: str
    samples: int
    seed: int
    level: float
    whole: Bounds
    columns: tuple[str, ...] = ()
    groups: Mapping[tuple[str, ...], Bounds] = field(default_factory=dict)
    macro: Bounds = field(default_factory=Bounds)
    notes: tuple[str, ...] = ()
    name: ClassVar[str] = "intervals"
    """Their name in JSON."""
    ends: ClassVar[tuple[str, ...]] = IntervalBounds._fields
    """Names of the columns beside a score."""

    @property
    def signature(self) -> str:
        """Signature fields needed to reproduce the bootstrap samples."""
        return (
            f"ci:bootstrap|samples:{self.samples}|seed:{self.seed}"
            f"|unit:{self.unit}|level:{self.level:g}"
        )

    def group(self, columns: tuple[str, ...], key: tuple[str, ...]) -> Bounds:
        """The intervals of a slice; none where slices are by other columns."""
        if columns != self.columns:
            return Bounds()
        return self.groups.get(key, Bounds())

    def of_macro(self, columns: tuple[str, ...]) -> Bounds:
        """The intervals of means; none where they are over other columns."""
        own_columns = self.columns or ("framework",)
        return self.macro if (columns or ("framework",)) == own_columns else Bounds()

    @property
    def description(self) -> str:
        """Explanation of the bounds, in a line."""
        return (
            f"low and high: {100 * self.level:g} % intervals, {self.samples} bootstrap "
            f"samples of {amount(self.whole.units, self.unit)}, seed {self.seed}"
        )

    def settings(self) -> dict[str, Any]:
        """Return the settings of the bootstrap as JSON."""
        return {
            "unit": self.unit,
            "samples": self.samples,
            "seed": self.seed,
            "level": self.level,
            "notes": list(self.notes),
        }


def bounded(
    value: float | None, bounds: Bounds, name: str = "intervals"
) -> dict[str, Any]:
    """Return the main score with its interval and the other intervals, for JSON."""
    return {"value": value, **bounds.value._asdict(), name: bounds.to_dict()}


def bounded_whole(
    value: float | None, intervals: Intervals | Deviations
) -> dict[str, Any]:
    """Return what JSON has of the intervals, or deviations, of a whole result."""
    name = intervals.name
    values = bounded(value, intervals.whole, name)
    values[name] = intervals.settings() | values[name]
    return values | {f"macro_{name}": intervals.of_macro(("framework",)).to_dict()}


def sure(scores: Scores, tuple_type: str) -> bool:
    """Return whether either side has tuples of a type: without, no interval."""
    count = scores.counts[tuple_type]
    return bool(count.gold or count.system)
