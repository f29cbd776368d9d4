"""The ends of intervals as cells, beside and below those of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore.evaluation.confidence_intervals import Uncertainty
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.scores import group_columns
from graphscore.metrics.traits import (
    is_ratio,
)
from graphscore.report.table import Bounded, Deviating, Ratio


def ended(
    row: tuple[Any, ...], names: int, ends: Sequence[Uncertainty]
) -> list[tuple[Any, ...]]:
    """Rows of ends, or of deviations; a cell that says nothing has none."""
    rest = ("",) * (names - 1)
    if all(end is None for of_cell in ends for end in of_cell):
        return []
    return [
        (
            f"  {name}",
            *rest,
            *(
                ends_of_cell[index] if isinstance(value, float) else None
                for value, ends_of_cell in zip(row[names:], ends, strict=True)
            ),
        )
        for index, name in enumerate(ends[0]._fields)
    ]


def end_cells(ends: Uncertainty) -> list[float | None]:
    """An interval as two cells, a deviation as one."""
    return [*ends]


def further(result: Result, name: str, value: Any) -> tuple[str, Any]:
    """A further score, with its interval if there is one."""
    if not is_ratio(result.metric, name, value):
        return name, value
    if result.intervals is not None and name in result.intervals.whole.numbers:
        ends = [x for x in result.intervals.whole.numbers[name] if x is not None]
        if len(ends) == 1:
            return name, Deviating(value, *ends)
        if ends:
            return name, Bounded(value, *ends)
    return name, Ratio(value)


def draws(result: Result) -> list[str | tuple[str, Any]]:
    """Return the settings of the intervals, if there are any."""
    return [result.intervals.description] if result.intervals else []


def shared_draws(results: Sequence[Result]) -> list[str | tuple[str, Any]]:
    """Return the settings of the intervals of results, deduplicated.

    Args:
        results: those of one table.
    """
    settings: dict[Any, dict[str, None]] = {}
    for result in results:
        for note in filter(None, draws(result)):
            settings.setdefault(note, {})[str(result.metric)] = None
    if len(settings) == 1:
        return [*settings]
    return [f"{', '.join(metrics)}: {note}" for note, metrics in settings.items()]


def compared_ends(
    result: Result, row: tuple[Any, ...], frameworks: list[str], by: Sequence[str]
) -> list[tuple[Any, ...]]:
    """Ends of the main score in every framework, in all, and in the mean.

    Args:
        result: with its intervals.
        row: its cells.
        frameworks: those of the table.
        by: what the mean is over.
    """
    intervals = result.intervals
    if intervals is None:
        return []
    of_each = [intervals.group(("framework",), (name,)).value for name in frameworks]
    mean = intervals.of_macro(group_columns(by))
    main = mean.value if result.metric.leading else mean.of(result.metric.main)
    return ended(row, 2, [*of_each, intervals.whole.value, main])
