"""``--fail-under`` and ``--fail-over``: what scores must not be.

>>> threshold("--fail-over", "eter=0.3")
Threshold(score='eter', limit=0.3, over=True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from graphscore.exceptions import UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric

MEANS = ("macro", "macro_frameworks", "macro_classes")
"""Means over units, or classes, of what stands for a metric."""


class Threshold(NamedTuple):
    """A score, and what it must not be."""

    score: str
    """Empty for the number that stands for the metric."""
    limit: float
    over: bool
    """The limit is a maximum; otherwise it is a minimum."""


def threshold(option: str, text: str) -> Threshold:
    """A threshold as an option names it.

    Args:
        option: ``--fail-under`` or ``--fail-over``.
        text: its value, ``X`` or ``SCORE=X``.

    Raises:
        UsageError: if that is neither.
    """
    name, equals, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if math.isnan(value) or (equals and not name):
        raise UsageError(f"{option} {text!r}: expected a number or SCORE=NUMBER")
    return Threshold(name, value, option == "--fail-over")


def check_thresholds(
    thresholds: Sequence[Threshold], metrics: Sequence[Metric]
) -> None:
    """Refuse what is meant in percent, or for the other kind of score.

    Raises:
        UsageError: for an F1 that would be over 1, a threshold that would let any error
            rate pass, and one without a score over error rates and scores.
    """
    from graphscore.metrics.base import lowest_best

    lower = [metric for metric in metrics if metric.less_is_better]
    higher = [metric for metric in metrics if not metric.less_is_better]
    for threshold in thresholds:
        option = "--fail-over" if threshold.over else "--fail-under"
        limit = f"{threshold.limit:g}"
        if threshold.score in ("", *MEANS) and lower and higher:
            raise UsageError(
                f"{option} {limit}: of {lower[0]} the lowest is the best, of "
                f"{higher[0]} the highest; name a score, as in {option} "
                f"{_score(lower[0] if threshold.over else higher[0])}={limit}"
            )
        for metric in metrics:
            if threshold.score not in ("", *MEANS):
                if not threshold.over and lowest_best(metric, threshold.score):
                    raise UsageError(
                        f"{option} {threshold.score}={limit}: the lowest "
                        f"{threshold.score} of {metric} is the best; use --fail-over"
                    )
                if threshold.limit > 1 and _is_ratio(metric, threshold.score):
                    raise _too_high(
                        f"{option} {threshold.score}=", threshold.score, threshold.limit
                    )
                continue
            if not metric.leading and not threshold.over and threshold.limit > 1:
                what = threshold.score or "F1"
                named = (
                    f"{option} {threshold.score}=" if threshold.score else f"{option} "
                )
                raise _too_high(named, what, threshold.limit)
            if metric.less_is_better != threshold.over:
                what, opposite = (
                    metric.leading or "F1",
                    "under" if threshold.over else "over",
                )
                better = "lower" if metric.less_is_better else "higher"
                raise UsageError(
                    f"{option} {limit}: of {metric}, {what} is the better the "
                    f"{better} it is; use --fail-{opposite}"
                )


def _is_ratio(metric: Metric, score: str) -> bool:
    """Return whether a score is precision, recall or F1 by its name alone.

    Others, such as amounts and rates, may be over 1.
    """
    from graphscore.evaluation.macro import RATIOS
    from graphscore.metrics.traits import TupleTypeGroups, trait

    last = score.rpartition(".")[2]
    return trait(metric, TupleTypeGroups).aliases.get(last, last) in (
        *RATIOS,
        *metric.tuple_types,
        "all",
        *MEANS,
    )


def _too_high(named: str, what: str, limit: float) -> UsageError:
    """A threshold that nothing would pass, or everything."""
    text = f"{named}{limit:g}: {what} goes from 0 to 1"
    return UsageError(text + from_percent(limit))


def from_percent(limit: float) -> str:
    """Return a hint for a limit above 1, which may have been meant in percent.

    Args:
        limit: the score; perhaps it was meant in percent.

    Example:
        >>> print("80: F1 goes from 0 to 1" + from_percent(80))
        80: F1 goes from 0 to 1 (did you mean 0.8?)
        >>> from_percent(800)
        ''
    """
    return f" (did you mean {limit / 100:g}?)" if 1 < limit <= 100 else ""


def _score(metric: Metric) -> str:
    """The name of the score that stands for a metric."""
    return metric.leading or metric.main


def failures(
    results: Sequence[Result],
    thresholds: Sequence[Threshold],
    by: Sequence[str] = (),
    decimals: int | None = None,
) -> list[str]:
    """The thresholds that failed, a sentence each; what is undefined passes none.

    A threshold looks at the results that have its score, and at no result without gold:
    see :func:`unchecked_results`.

    Args:
        results: what was scored.
        thresholds: what scores must not be.
        by: what the means ``macro`` are over; frameworks without.
        decimals: beneath tables, where scores are times 100: their decimals.

    Raises:
        UsageError: if none has.
    """
    from graphscore.evaluation.macro import score_getter, score_in
    from graphscore.metrics.traits import is_ratio

    messages = []
    for name, limit, over in thresholds:
        scored = [result for result in results if not result.nothing]
        values = [(result, score_in(result, name, by)) for result in scored]
        if all(value is None for _, value in values):
            # Says what there is.
            score_getter(name, by)(scored[0])
        for result, value in values:
            if value is None or (value <= limit if over else value >= limit):
                continue
            what = name or result.metric.leading or "F1"
            shown = f"{value:.6g}", f"{limit:g}"
            if decimals is not None and is_ratio(result.metric, what, value):
                shown = f"{100 * value:.{decimals}f}", f"{100 * limit:g}"
            is_, bound = shown
            whose = f"{result.system} ({result.metric}): {what} is"
            if math.isnan(value):
                most = "at most" if over else "at least"
                messages.append(f"{whose} undefined, and so not {most} {bound}")
            else:
                messages.append(f"{whose} {is_}, {'over' if over else 'under'} {bound}")
    return messages


def unchecked_results(results: Sequence[Result]) -> list[str]:
    """Return a sentence for each result without a threshold, for lack of gold.

    Args:
        results: what was scored.
    """
    return [
        f"{result.system} ({result.metric}): gold has nothing to score: it "
        "neither passes nor fails"
        for result in results
        if result.nothing
    ]
