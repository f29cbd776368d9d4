"""``--fail-under`` and ``--fail-over``: what figures must not be.

>>> gate("--fail-over", "eter=0.3")
Gate(figure='eter', limit=0.3, over=True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric


class Gate(NamedTuple):
    """A figure, and what it must not be."""

    figure: str
    """Empty for the number that stands for the metric."""
    limit: float
    over: bool
    """Whether the figure must not be over the limit; else not under it."""


def gate(option: str, text: str) -> Gate:
    """A gate as an option names it.

    Args:
        option: ``--fail-under`` or ``--fail-over``.
        text: its value, ``X`` or ``FIGURE=X``.

    Raises:
        UsageError: if that is neither.
    """
    name, equals, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if math.isnan(value) or (equals and not name):
        raise UsageError(f"{option} {text!r}: expected a number or FIGURE=NUMBER")
    return Gate(name, value, option == "--fail-over")


def check_gates(gates: Sequence[Gate], metrics: Sequence[Metric]) -> None:
    """Refuse what is meant in percent, or for the other kind of figure.

    Raises:
        UsageError: for an F1 that would be over 1, and a gate that would let any
            error rate pass.
    """
    for each in gates:
        option = "--fail-over" if each.over else "--fail-under"
        for metric in metrics:
            if each.figure:
                if not each.over and metric.lowest_best(each.figure):
                    raise UsageError(
                        f"{option} {each.figure}={each.limit:g}: the lowest "
                        f"{each.figure} of {metric} is the best; use --fail-over"
                    )
                continue
            if not metric.leading and not each.over and each.limit > 1:
                raise UsageError(f"{option} {each.limit:g}: F1 goes from 0 to 1")
            if metric.less_is_better != each.over:
                what, other = metric.leading or "F1", "under" if each.over else "over"
                better = "lower" if metric.less_is_better else "higher"
                raise UsageError(
                    f"{option} {each.limit:g}: of {metric}, {what} is the better the "
                    f"{better} it is; use --fail-{other}"
                )


def failures(results: Sequence[Result], gates: Sequence[Gate]) -> list[str]:
    """The gates that failed, a sentence each; what is undefined passes none."""
    from graphscore.evaluation.result import figure_getter

    found = []
    for name, limit, over in gates:
        get = figure_getter(name)
        for result in results:
            value = get(result)
            if not (value <= limit if over else value >= limit):
                found.append(
                    f"{result.system} ({result.metric}): "
                    f"{name or result.metric.leading or 'F1'} is {value:.6g}, "
                    f"{'over' if over else 'under'} {limit:g}"
                )
    return found
