"""Annotators held against one another: nobody is gold.

Every two annotators are scored with either of them as gold, over the items that both
annotated; the mean of both directions is their agreement.  Bootstrap samples draw items
for all pairs at once.  See :mod:`~graphscore.statistics.agreement.pooling` for how.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError, amount
from graphscore.metrics.base import Metric
from graphscore.rows import Rows, Tabular, brief, four_places, joined, numbers_of
from graphscore.statistics.agreement.labels import Given
from graphscore.statistics.comparison import LEVEL, SAMPLES
from graphscore.statistics.resampling import SEED, check_samples
from graphscore.statistics.tables import Unit

CHANCE = 200
"""Pairs of annotations of different items that are scored, unless it is told."""


class AgreementOptions(NamedTuple):
    """Options of an agreement study.

    Args:
        score: which score, as for ``--fail-under``.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        chance: how many pairs of annotations of different items are scored for what is
            expected by chance; with 0 there is no alpha.
    """

    score: str = ""
    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL
    chance: int = CHANCE

    def check(self) -> None:
        """Refuse what is no number of samples, level, seed or number of pairs.

        Raises:
            UsageError: saying what was found and expected.
        """
        check_samples(self.samples, self.level)
        for name in ("seed", "chance"):
            value = getattr(self, name)
            if value < 0:
                raise UsageError(f"{name} {value}: expected a number from 0")


class Bounds(NamedTuple):
    """A number with its interval."""

    value: float | None
    """Value; ``None`` if undefined."""
    low: float | None
    """Lower end of the percentile interval; ``None`` under two units."""
    high: float | None
    """Upper end."""


class PairAgreement(NamedTuple):
    """Two annotators, and how far they agree."""

    a: str
    """The annotator that was named first."""
    b: str
    """The other."""
    value: float | None
    """Mean of both directions."""
    low: float | None
    """Lower end of its percentile interval; ``None`` under two units."""
    high: float | None
    """Upper end."""
    items: int
    """Units that both annotated."""
    only_a: int
    """Units that only *a* annotated, which have no part."""
    only_b: int
    """Units that only *b* annotated."""


class AnnotatorAgreement(NamedTuple):
    """An annotator and the mean agreement with all others."""

    annotator: str
    value: float | None
    low: float | None
    high: float | None


class Sliced(NamedTuple):
    """A tuple type or a framework, the mean over pairs there, and every pair."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    pairs: tuple[Bounds, ...]
    """In the order of :attr:`Agreement.pairs`."""


class Difference(NamedTuple):
    """Annotation that only one of two annotators has, in one item."""

    only: str
    """Annotator who has it."""
    against: str
    """Annotator who lacks it."""
    tuple_type: str
    label: Any
    name: str
    value: Any
    times: int
    """Number of occurrences."""


class ItemDisagreement(NamedTuple):
    """An item or document, and how far the annotators agree on it."""

    framework: str
    language: str
    item: str
    value: float | None
    """Mean over the pairs that annotated it."""
    annotators: int
    """Number of annotators who annotated it."""
    differences: tuple[Difference, ...] = ()
    """Annotations that only one of two has, most frequent first."""


class LabelUnits(NamedTuple):
    """Units with labels of one framework, and how far annotators agree on these."""

    framework: str
    unit: Given
    """Unit type."""
    labels: str
    """Kind of their labels: tags, relations..."""
    units: int
    """Number of units that two or more annotators labeled."""
    left_out: int
    """Items that are not the same text, or words, for all."""
    method: str
    """Whose kappa it is: ``cohen`` of two, ``fleiss`` of more annotators."""
    kappa: Bounds
    mean_kappa: Bounds
    """Mean of Cohen's over the pairs."""
    alpha: Bounds
    pairs: tuple[Bounds, ...]
    """Cohen's of every two, in the order of the pairs of the agreement."""


class LabelAgreement(NamedTuple):
    """A label, and the F1 of every two annotators on what has it."""

    framework: str
    tuple_type: str
    label: str
    times: int
    """Number of times that all annotators together gave it."""
    value: float | None
    """Mean over the pairs."""
    low: float | None
    high: float | None
    pairs: tuple[Bounds, ...]


COLUMNS = (
    "metric",
    "score",
    "tuple_type",
    "framework",
    "label",
    "a",
    "b",
    "value",
    "low",
    "high",
    "items",
    "only_a",
    "only_b",
)
"""Columns of the rows of an :class:`Agreement`."""

_NAMED = ("metric", "score", "framework", "tuple_type", "label", "a", "b")


@dataclass(frozen=True, repr=False)
class Agreement(Rows):
    """Agreement of annotators, by one score of one metric.

    Attributes:
        metric: the metric.
        score: the score's name.
        annotators: their names, as they were given.
        pairs: every two of them; of three a-b, a-c, b-c.
        mean: over the pairs.
        standings: every annotator with the mean over the others, in their order.
        tuple_types: the F1 of each tuple type, where the metric has several.
        frameworks: the score in each framework, where there are several.
        coefficients: agreement beyond chance, by name.
        documents: units that two or more annotated, worst first.
        unit: what was drawn.
        units: how many of them any annotator has.
        shared: how many of them all annotators have.
        samples: how many samples were drawn.
        seed: what the draws started from.
        level: of the intervals.
        lowest_best: whether the lowest score is the best.
        symmetric: whether all scores are the same in both directions.
        unproven: how many pairs of annotations have no proven optimum.
        notes: what the user should know, one sentence each.
        losses: those of the notes that say which records could not be read.
        label_units: units with labels, and kappa and alpha of these, by framework.
        labels: every label with the F1 on what has it.
    """

    metric: Metric
    score: str
    annotators: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    mean: Bounds
    standings: tuple[AnnotatorAgreement, ...]
    tuple_types: tuple[Sliced, ...]
    frameworks: tuple[Sliced, ...]
    coefficients: dict[str, Bounds]
    documents: tuple[ItemDisagreement, ...]
    unit: Unit
    units: int
    shared: int
    samples: int
    seed: int
    level: float
    lowest_best: bool = False
    symmetric: bool = True
    unproven: int = 0
    notes: tuple[str, ...] = ()
    label_units: tuple[LabelUnits, ...] = ()
    labels: tuple[LabelAgreement, ...] = ()
    losses: tuple[str, ...] = ()

    def __repr__(self) -> str:
        text = (
            f"{self.metric}: {self.score} {four_places(self.mean.value)} of "
            f"{', '.join(self.annotators)} over {amount(self.units, self.unit)}"
        )
        return brief("Agreement", text, self.notes)

    @property
    def apart(self) -> str | None:
        """Annotator who agrees least with the others; ``None`` for two, or for ties."""
        known = [standing for standing in self.standings if standing.value is not None]
        values = {each.value for each in known}
        if len(self.annotators) < 3 or len(values) < 2:
            return None
        sign = -1 if self.lowest_best else 1
        return min(known, key=lambda each: sign * (each.value or 0.0)).annotator

    def matrix(self) -> list[list[float | None]]:
        """The agreement of every two, a row per annotator; ``None`` with oneself."""
        index_of = {name: number for number, name in enumerate(self.annotators)}
        result: list[list[float | None]] = [[None] * len(index_of) for _ in index_of]
        for pair in self.pairs:
            a, b = index_of[pair.a], index_of[pair.b]
            result[a][b] = result[b][a] = pair.value
        return result

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract: plain values at full precision."""
        return {
            "metric": str(self.metric),
            "score": self.score,
            "annotators": list(self.annotators),
            "unit": self.unit,
            "units": self.units,
            "shared": self.shared,
            "samples": self.samples,
            "seed": self.seed,
            "level": self.level,
            "lowest_best": self.lowest_best,
            "symmetric": self.symmetric,
            "unproven": self.unproven,
            "pairs": [pair._asdict() for pair in self.pairs],
            "mean": self.mean.value,
            "mean_low": self.mean.low,
            "mean_high": self.mean.high,
            "standings": [standing._asdict() for standing in self.standings],
            "apart": self.apart,
            "coefficients": {
                name: coefficient.value
                for name, coefficient in self.coefficients.items()
            },
            "intervals": {
                name: {"low": coefficient.low, "high": coefficient.high}
                for name, coefficient in self.coefficients.items()
            },
            "tuple_types": [
                self._sliced("tuple_type", sliced) for sliced in self.tuple_types
            ],
            "frameworks": [
                self._sliced("framework", framework) for framework in self.frameworks
            ],
            "label_units": [self._units(label_unit) for label_unit in self.label_units],
            "labels": [
                {
                    "framework": label.framework,
                    "tuple_type": label.tuple_type,
                    "label": label.label,
                    "times": label.times,
                    "mean": label.value,
                    "low": label.low,
                    "high": label.high,
                    "pairs": self._of_pairs(label.pairs),
                }
                for label in self.labels
            ],
            "documents": [
                document._asdict()
                | {"differences": [every._asdict() for every in document.differences]}
                for document in self.documents
            ],
            "notes": list(self.notes),
        }

    def tabular(self) -> Tabular:
        """A row per pair, of everything and of each tuple type, framework and label."""
        return Tabular(COLUMNS, self._cells())

    def _cells(self) -> Iterator[tuple[Any, ...]]:
        head = str(self.metric), self.score
        for pair in self.pairs:
            yield (*head, None, None, None, *pair)
        slices = (
            *(((sliced.name, None, None), sliced.pairs) for sliced in self.tuple_types),
            *(
                ((None, framework.name, None), framework.pairs)
                for framework in self.frameworks
            ),
            *(
                ((label.tuple_type, label.framework, label.label), label.pairs)
                for label in self.labels
            ),
        )
        for where, pairs in slices:
            for pair, bounds in zip(self.pairs, pairs, strict=True):
                yield (*head, *where, pair.a, pair.b, *bounds, None, None, None)

    def numbers(self) -> dict[str, float]:
        """Means and coefficients, and every two annotators.

        The mean over the pairs is ``METRIC/SCORE/mean``, a coefficient
        ``METRIC/NAME``; those of two are ``METRIC/SCORE/A/B/value``, with ``low`` and
        ``high``, behind framework, tuple type and label where it is not of everything.
        """
        metric = str(self.metric)
        single = {joined(metric, self.score, "mean"): self.mean.value}
        single |= {joined(metric, x): y.value for x, y in self.coefficients.items()}
        result = {
            name: float(value)
            for name, value in single.items()
            if value is not None and math.isfinite(value)
        }
        return result | numbers_of(*self.tabular(), _NAMED, ("value", "low", "high"))

    def _sliced(self, column: str, sliced: Sliced) -> dict[str, Any]:
        return {
            column: sliced.name,
            "mean": sliced.value,
            "low": sliced.low,
            "high": sliced.high,
            "pairs": self._of_pairs(sliced.pairs),
        }

    def _of_pairs(self, pairs: Sequence[Bounds]) -> list[dict[str, Any]]:
        return [
            {"a": pair.a, "b": pair.b} | bounds._asdict()
            for pair, bounds in zip(self.pairs, pairs, strict=True)
        ]

    def _units(self, labels: LabelUnits) -> dict[str, Any]:
        units = labels._asdict()
        # Fields with intervals are three.
        for name in ("kappa", "mean_kappa", "alpha"):
            bounds = units.pop(name)
            units[name] = bounds.value
            units[f"{name}_low"], units[f"{name}_high"] = bounds.low, bounds.high
        return units | {"pairs": self._of_pairs(labels.pairs)}
