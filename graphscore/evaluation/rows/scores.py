"""The scores of a result as rows, and as numbers by name.

Rows are those of ``graphscore score --csv``.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, mul
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.evaluation.confidence_intervals import Bounds, Intervals
from graphscore.evaluation.macro import (
    CLASSES,
    FRAMEWORKS,
    MACRO,
    RATIOS,
    Slice,
    macro_counts,
    macro_value,
)
from graphscore.exceptions import UsageError, truncate
from graphscore.metrics.base import item_scores, main_score
from graphscore.metrics.traits import ClassCounts, TupleTypeGroups, trait
from graphscore.model.outcome import Count, Scores, total_count
from graphscore.rows import Rows, Tabular, brief, joined, numbers_of

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.evaluation.several.runs import Deviations


def flat_bounds(
    result: Result, bounds: Bounds | None, tuple_type: str
) -> tuple[float | None, ...]:
    """The cells of what stands beside ratios; none without intervals."""
    if result.intervals is None:
        return ()
    nothing = result.intervals.whole.nothing
    intervals = bounds or Bounds(value=nothing, nothing=nothing)
    ends = (*(intervals.of(tuple_type, ratio) for ratio in RATIOS), intervals.value)
    return tuple(end for interval in ends for end in interval)


def group_bounds(
    intervals: Intervals | Deviations, columns: tuple[str, ...], key: tuple[str, ...]
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
    by: Sequence[str], per_item: bool = False, results: Iterable[Result] = ()
) -> list[str]:
    """Names of the columns of :func:`flat_rows`.

    Args:
        by: what tables have rows for, as for ``--by``.
        per_item: whether rows are items.
        results: those of the rows, perhaps with intervals.
    """
    columns = _flat_names(by, per_item)
    ends = next((result.intervals.ends for result in results if result.intervals), ())
    more = [f"{name}_{end}" for name in (*RATIOS, VALUE) for end in ends]
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
                item_scores(result.metric, item.raw_counts),
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
                result, intervals.of_macro(columns) if intervals else None, tuple_type
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
    columns = flat_columns(by, results=[result])
    return Tabular(columns, flat_rows(result, by))


class ClassRow(NamedTuple):
    """Scores of a class; its support are the gold tuples of it."""

    name: str
    precision: float
    recall: float
    f1: float
    support: int | float


def _class_row(name: str, count: Count) -> ClassRow:
    return ClassRow(name, count.precision, count.recall, count.f1, count.gold)


class ClassRows(list[ClassRow], Rows):
    """Scores of the classes of a result, in alphabetical order.

    Args:
        metric: what scored.
        counts: those of the classes.
    """

    columns = ClassRow._fields

    def __init__(self, metric: str, counts: Mapping[str, Count]) -> None:
        super().__init__(
            _class_row(name, count) for name, count in sorted(counts.items())
        )
        self.metric, self.counts = metric, counts

    def tabular(self) -> Tabular:
        """A row for each class."""
        return Tabular(self.columns, self)

    def numbers(self) -> dict[str, float]:
        """``METRIC/CLASS/RATIO`` and ``METRIC/CLASS/support``."""
        rows = ((self.metric, *row) for row in self)
        columns = ("metric", *self.columns)
        return numbers_of(columns, rows, columns[:2], columns[2:])

    def averages(self) -> list[ClassRow]:
        """The sum of all classes, and means of them, as seqeval has them."""
        counts = [*self.counts.values()]
        micro, support = total_count(counts), sum(count.gold for count in counts)
        rows = [_class_row("micro avg", micro)]
        for name, weights in (
            ("macro avg", [1] * len(counts)),
            ("weighted avg", [count.gold for count in counts]),
        ):
            whole = sum(weights) or 1
            precision, recall, f1 = (
                sum(map(mul, weights, map(attrgetter(ratio), counts))) / whole
                for ratio in RATIOS
            )
            rows.append(ClassRow(name, precision, recall, f1, support))
        return rows

    def table(self) -> str:
        """A report with the columns, widths and decimals of seqeval's."""
        if not self:
            return "no classes\n"
        means = self.averages()
        width = max(len(row.name) for row in (*self, *means))
        lines = []
        for name, *ratios, support in (*self, *means):
            cells = (*(f"{ratio:.2f}" for ratio in ratios), support)
            lines.append(" ".join([f"{name:>{width}} ", *(f"{x:>9}" for x in cells)]))
        names = ("precision", "recall", "f1-score", "support")
        head = " ".join([" " * (width + 1), *(f"{name:>9}" for name in names)])
        parts = [head, "", *lines[: len(self)], "", *lines[len(self) :]]
        return "\n".join(parts) + "\n"

    def __repr__(self) -> str:
        return brief("ClassRows", f"{truncate(self.metric)}: {len(self)} classes")


def class_rows(result: Result) -> ClassRows:
    """Scores of each class, of a metric that counts by class.

    Args:
        result: any.

    Raises:
        UsageError: if the metric does not.
    """
    counter = trait(result.metric, ClassCounts)
    own = type(counter).classes is not ClassCounts.classes
    if not (own or counter.classed):
        raise UsageError(
            f"{truncate(str(result.metric))} does not count by class; "
            "errors.frequent(['label']) counts errors by label"
        )
    return ClassRows(str(result.metric), counter.classes(result.total))


def flat_numbers(result: Result) -> dict[str, float]:
    """Scores by path: ``METRIC/KIND/RATIO``, ``METRIC/FRAMEWORK/KIND/RATIO``.

    The ratios are precision, recall and F1; further scores have names of their own,
    ``METRIC/SCORE`` and ``METRIC/FRAMEWORK/SCORE``, those of groups of tuple types
    ``METRIC/groups/SCORE``.  What stands for the metric in a framework comes before
    its scores, as ``METRIC/FRAMEWORK/f1`` or by the name of the leading score.

    Args:
        result: any; where gold has no unit there are none.
    """
    if result.nothing:
        return {}
    metric, head = result.metric, str(result.metric)
    groups = trait(metric, TupleTypeGroups).groups
    slices = {name: scores for (name,), scores in result.by("framework").items()}
    brief = metric.brief(result.scores.numbers)
    parts = [_ratios(head, result.scores), _further(head, brief, groups)]
    parts.append(
        {
            joined(head, name, metric.leading or "f1"): main_score(metric, scores)
            for name, scores in slices.items()
        }
    )
    means = [(FRAMEWORKS, result.macro_frameworks)] if len(slices) > 1 else []
    means.append((CLASSES, result.macro_classes))
    averages = {
        joined(head, name, tuple_type, ratio): ratios[ratio]
        for name, of_tuple_types in means
        for tuple_type, ratios in of_tuple_types.items()
        for ratio in RATIOS
    }
    main = f"/{metric.main}/f1"
    parts.append({name: x for name, x in averages.items() if name.endswith(main)})
    parts.append(_further(head, result.scores.numbers, groups))
    for name, scores in slices.items():
        path = joined(head, name)
        parts += [_ratios(path, scores), _further(path, scores.numbers, groups)]
    parts.append(averages)
    return {
        name: float(value)
        for part in parts
        for name, value in part.items()
        if math.isfinite(value)
    }


def _ratios(head: str, scores: Scores) -> dict[str, float]:
    return {
        joined(head, tuple_type, ratio): getattr(count, ratio)
        for tuple_type, count in scores.counts.items()
        for ratio in RATIOS
    }


def _further(
    head: str, numbers: Mapping[str, float], groups: Container[str]
) -> dict[str, float]:
    return {
        joined(head, "groups" if name.partition(".")[0] in groups else "", name): value
        for name, value in numbers.items()
        if not (name.startswith(f"{MACRO}.") and name.endswith(RATIOS))
    }
