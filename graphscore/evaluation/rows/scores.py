"""The scores of a result as rows, and as numbers by name.

Rows are those of ``graphscore score --csv``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graphscore.evaluation.confidence_intervals import Bounds, IntervalBounds, Intervals
from graphscore.evaluation.macro import (
    MACRO,
    RATIOS,
    Slice,
    macro_counts,
    macro_value,
)
from graphscore.metrics.base import main_score
from graphscore.model.outcome import Scores
from graphscore.rows import Tabular, joined

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result

BOUNDS = tuple(
    f"{name}_{end}" for name in (*RATIOS, "value") for end in IntervalBounds._fields
)
"""Columns behind the last, where there are intervals."""


def flat_bounds(
    result: Result, bounds: Bounds | None, tuple_type: str
) -> tuple[float | None, ...]:
    """The cells of :data:`BOUNDS`; none without intervals."""
    if result.intervals is None:
        return ()
    intervals = bounds or Bounds()
    ends = (*(intervals.of(tuple_type, ratio) for ratio in RATIOS), intervals.value)
    return tuple(end for each in ends for end in each)


def group_bounds(
    intervals: Intervals, columns: tuple[str, ...], key: tuple[str, ...]
) -> Bounds:
    """The intervals of a slice; of everything where there are no slices."""
    return intervals.group(columns, key) if columns else intervals.whole


def group_columns(by: Iterable[str]) -> tuple[str, ...]:
    """The columns of ``--by`` that slice units; tuple types are cells, not units."""
    return tuple(column for column in by if column != "tuple_type")


FLAT = (
    "gold_count",
    "system_count",
    "matched",
    "matched_system",
    "precision",
    "recall",
    "f1",
)
"""Columns of a flat row after its names, as in the view ``v_scores``."""

VALUE = "value"
"""The last column: what stands for the metric in the slice, the same for all tuple
types."""


def flat_columns(
    by: Sequence[str], per_item: bool = False, bounds: bool = False
) -> list[str]:
    """Names of the columns of :func:`flat_rows`; *bounds* with intervals."""
    columns = _flat_names(by, per_item)
    more = BOUNDS if bounds else ()
    return ["gold", "system", "metric", *columns, "tuple_type", *FLAT, VALUE, *more]


def _flat_names(by: Sequence[str], per_item: bool) -> tuple[str, ...]:
    if per_item:
        more = ("layer",) if "layer" in by else ()
        return ("framework", "language", "document", "item", *more)
    return group_columns(by)


def flat_rows(
    result: Result, by: Sequence[str], per_item: bool = False
) -> Iterator[tuple[Any, ...]]:
    """One row per slice and tuple type, at full precision; an empty one without any.

    Slices other than frameworks alone are followed by their means.
    """
    columns = _flat_names(by, per_item)
    slices: list[Slice] = []
    groups: Iterable[tuple[tuple[str, ...], Scores]]
    if per_item:
        groups = (
            (
                tuple(getattr(item, name) for name in columns),
                result.metric.scores(item.raw_counts),
            )
            for item in result.items
        )
    else:
        groups = result.by(*columns).items()
        if set(columns) - {"framework"}:
            slices = result.slices(columns)
    head = (result.gold, result.system, str(result.metric))
    if result.nothing:
        blank = flat_bounds(result, None, "")
        yield (*head, *("" for _ in columns), "", *(None for _ in FLAT), None, *blank)
    intervals = None if per_item else result.intervals
    for key, scores in groups:
        value = main_score(result.metric, scores)
        bounds = group_bounds(intervals, columns, key) if intervals else None
        for tuple_type, count in scores.counts.items():
            yield (
                *head,
                *key,
                tuple_type,
                count.gold,
                count.system,
                count.matched,
                count.correct_system,
                count.precision,
                count.recall,
                count.f1,
                None if math.isnan(value) else value,
                *flat_bounds(result, bounds, tuple_type),
            )
    if len(slices) > 1:
        value = macro_value(result.metric, slices)
        names = (MACRO, *("" for _ in columns[1:]))
        for tuple_type, mean in macro_counts(result.metric, slices).items():
            ratios = (mean[ratio] for ratio in RATIOS)
            last = None if math.isnan(value) else value
            ends = flat_bounds(
                result, None if intervals is None else intervals.macro, tuple_type
            )
            yield (
                *head,
                *names,
                tuple_type,
                None,
                None,
                None,
                None,
                *ratios,
                last,
                *ends,
            )


def score_rows(result: Result, by: Sequence[str] = ("framework",)) -> Tabular:
    """The rows of a result with their columns."""
    columns = flat_columns(by, bounds=result.intervals is not None)
    return Tabular(columns, flat_rows(result, by))


def flat_numbers(result: Result) -> dict[str, float]:
    """Scores by name: ``METRIC/KIND/RATIO``, ``METRIC/FRAMEWORK/KIND/RATIO``.

    The ratios are precision, recall and F1; further scores have names of their own,
    ``METRIC/SCORE`` and ``METRIC/FRAMEWORK/SCORE``.

    Args:
        result: any; where gold has no unit there are none.
    """
    if result.nothing:
        return {}
    numbers: dict[str, float] = {}
    slices = {"": result.scores}
    slices |= {name: each for (name,), each in result.by("framework").items()}
    for framework, scores in slices.items():
        head = joined(str(result.metric), framework)
        for tuple_type, count in scores.counts.items():
            for ratio in RATIOS:
                numbers[joined(head, tuple_type, ratio)] = float(getattr(count, ratio))
        for name, value in scores.numbers.items():
            if math.isfinite(value):
                numbers[joined(head, name)] = float(value)
    return numbers
