"""Metrics at several values of one of their parameters, scored in the same run.

Values are decimal numbers, so that 0.3 is 0.3 and the end of a range is one of them.

>>> from graphscore.metrics.registry import parse
>>> [str(metric) for metric in swept([parse("ner")], "overlap=0:0.9:0.3")]
['ner', 'ner(overlap=0.3)', 'ner(overlap=0.6)', 'ner(overlap=0.9)']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, DecimalException, Inexact, localcontext
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.metrics.user import UserMetric

MOST = 1000
"""Values that may be asked for."""

DIGITS = 60
"""Digits that values are worked out with."""

EXPECTED = "PARAMETER=START:STOP:STEP or PARAMETER=VALUE,VALUE,..."

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class Point(NamedTuple):
    """Position of a metric in a sweep."""

    metric: str
    """The metric without the parameter."""
    parameter: str
    value: float


def swept(metrics: Iterable[Metric], text: str) -> dict[Metric, Point]:
    """Metrics at every value of a parameter, as if each had been named.

    Args:
        metrics: what they say of the parameter themselves is left out.
        text: ``PARAMETER=START:STOP:STEP``, with the end among the values if the
            steps lead to it, or ``PARAMETER=VALUE,VALUE,...``.

    Returns:
        The metrics, each once, with their points.

    Raises:
        UsageError: if the text is neither, the step is not positive, there are more
            than :data:`MOST` values, a metric has no such parameter, that is no number,
            or one of the values is not allowed.

    Example:
        >>> [*swept([parse("eter")], "alpha=0,1").values()][1]
        Point(metric='eter', parameter='alpha', value=1.0)
    """
    parameter, equals, listed = (part.strip() for part in text.partition("="))
    if not equals or not parameter or not listed:
        raise UsageError(f"--sweep {text!r}: expected {EXPECTED}")
    if ":" in listed:
        values = _range(text, listed)
    else:
        values = [_number(text, value) for value in listed.split(",")]
    if len(values) > MOST:
        raise UsageError(f"--sweep {text!r}: {len(values)} values, at most {MOST}")
    points: dict[Metric, Point] = {}
    for metric in metrics:
        base, head, others = _without(metric, parameter)
        for value in values:
            inside = ",".join([*others, f"{parameter}={_spelled(value)}"])
            at_value = parse(f"{head}({inside})")
            points.setdefault(at_value, Point(base, parameter, float(value)))
    return points


def _range(text: str, listed: str) -> list[Decimal]:
    parts = listed.split(":")
    if len(parts) != 3:
        raise UsageError(f"--sweep {text!r}: expected {EXPECTED}")
    start, stop, step = (_number(text, part) for part in parts)
    if step <= 0:
        raise UsageError(f"--sweep {text!r}: step {step}, expected more than 0")
    if stop < start:
        raise UsageError(f"--sweep {text!r}: {stop} is below {start}, nothing between")
    with localcontext(prec=DIGITS) as context:
        context.traps[Inexact] = True
        try:
            steps = int((stop - start) // step)
            if steps < MOST:
                return [start + step * number for number in range(steps + 1)]
            amount = f"{steps + 1} values" if steps < 10**12 else "too many values"
        except DecimalException:
            amount = f"values of more than {DIGITS} digits, or too many of them"
    raise UsageError(f"--sweep {text!r}: {amount}, at most {MOST}")


def _number(text: str, part: str) -> Decimal:
    part = part.strip()
    if not _NUMBER.fullmatch(part):
        raise UsageError(f"--sweep {text!r}: {part!r} is not a number; {EXPECTED}")
    return Decimal(part)


def _spelled(value: Decimal) -> str:
    """A value as parameters have it: whole numbers have no point."""
    whole = value == value.to_integral_value()
    return str(int(value)) if whole else f"{value:f}"


def _without(metric: Metric, parameter: str) -> tuple[str, str, list[str]]:
    """The string of a metric without a parameter; its name, and other parameters.

    Raises:
        UsageError: if the metric has no such parameter, or it is not a number.
    """
    inner = metric.inner if isinstance(metric, UserMetric) else metric
    declared = inner.parameters()
    if parameter not in declared:
        known = ", ".join(declared) or "none"
        raise UsageError(
            f"{metric} has no parameter "
            f"{parameter!r}{did_you_mean(parameter, declared)}; "
            f"it has: {known}"
        )
    if not _is_number(declared[parameter][1]):
        raise UsageError(f"{metric}: {parameter} is not a number and cannot be swept")
    head, _, inside = str(metric).partition("(")
    parameters = inside.removesuffix(")").split(",") if inside else []
    others = [shown for shown in parameters if shown.partition("=")[0] != parameter]
    return f"{head}({','.join(others)})" if others else head, head, others


def _is_number(kind: Any) -> bool:
    """Return true if a parameter takes numbers, by its type or tuple of choices."""
    if isinstance(kind, tuple):
        return any(type(choice) in (int, float) for choice in kind)
    return kind in (int, float)
