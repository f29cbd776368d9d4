"""One metric with many values of one parameter: the points of a curve.

Values are worked out in decimal numbers, so that 0.3 is 0.3 and the end is one of
them.

>>> from graphscore.metrics.registry import parse
>>> sweep = sweep_of("overlap=0:0.9:0.3")
>>> [str(metric) for metric in swept(parse("ner"), sweep).metrics]
['ner', 'ner(overlap=0.3)', 'ner(overlap=0.6)', 'ner(overlap=0.9)']
"""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal, DecimalException, localcontext
from typing import Any, NamedTuple

from graphscore.errors import UsageError, meant
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse

MOST = 1000
"""So many values may be asked for."""

DIGITS = 60
"""Digits that values are worked out with."""

EXPECTED = "PARAMETER=START:STOP:STEP or PARAMETER=VALUE,VALUE,..."

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class Sweep(NamedTuple):
    """A parameter and its values."""

    parameter: str
    values: tuple[Decimal, ...]
    """As they were given, each once."""


class Swept(NamedTuple):
    """A metric at every value of one of its parameters."""

    base: str
    """The metric without that parameter, as it is named."""
    parameter: str
    values: tuple[int | float, ...]
    metrics: tuple[Metric, ...]
    """One for each value."""

    def at(self, value: float) -> Metric:
        """The metric at another value.

        Args:
            value: of a parameter that is no whole number.
        """
        return _with(self.metrics[0], self.parameter, value)


def sweep_of(text: str) -> Sweep:
    """The sweep that a string describes.

    Args:
        text: ``PARAMETER=START:STOP:STEP``, with the end among the values if the
            steps lead to it, or ``PARAMETER=VALUE,VALUE,...``.

    Raises:
        UsageError: if it is neither, the step is not positive, or there are more
            than :data:`MOST` values.

    Example:
        >>> sweep_of("alpha=0:1:0.4").values
        (Decimal('0.0'), Decimal('0.4'), Decimal('0.8'))
        >>> sweep_of("alpha=1,0.25").values
        (Decimal('1'), Decimal('0.25'))
    """
    parameter, equals, listed = (part.strip() for part in text.partition("="))
    if not equals or not parameter or not listed:
        raise UsageError(f"--sweep {text!r}: expected {EXPECTED}")
    if ":" in listed:
        values = _range(text, listed)
    else:
        values = [_number(text, each) for each in listed.split(",")]
    if len(values) > MOST:
        raise UsageError(f"--sweep {text!r}: {len(values)} values, at most {MOST}")
    return Sweep(parameter, tuple(dict.fromkeys(values)))


def _range(text: str, listed: str) -> list[Decimal]:
    parts = listed.split(":")
    if len(parts) != 3:
        raise UsageError(f"--sweep {text!r}: expected {EXPECTED}")
    start, stop, step = (_number(text, part) for part in parts)
    if step <= 0:
        raise UsageError(f"--sweep {text!r}: step {step}, expected more than 0")
    if stop < start:
        raise UsageError(f"--sweep {text!r}: {stop} is below {start}, nothing between")
    with localcontext(prec=DIGITS):
        try:
            steps = int((stop - start) / step)
            if steps >= MOST:
                found = f"{steps + 1} values" if steps < 10**12 else "too many values"
                raise UsageError(f"--sweep {text!r}: {found}, at most {MOST}")
            return [start + step * number for number in range(steps + 1)]
        except DecimalException:
            raise UsageError(f"--sweep {text!r}: the step is too small") from None


def _number(text: str, part: str) -> Decimal:
    part = part.strip()
    if not _NUMBER.fullmatch(part):
        raise UsageError(f"--sweep {text!r}: {part!r} is no number; {EXPECTED}")
    return Decimal(part)


def swept(metric: Metric, sweep: Sweep) -> Swept:
    """A metric at every value.

    Args:
        metric: what it says of the parameter is of no account.
        sweep: a parameter of it, and values.

    Raises:
        UsageError: if it has no such parameter, that is no number, or one of the
            values is not allowed.
    """
    from graphscore.metrics.user import UserMetric

    inner = metric.inner if isinstance(metric, UserMetric) else metric
    declared = inner.parameters()
    name = sweep.parameter
    if name not in declared:
        there = ", ".join(declared) or "none"
        raise UsageError(
            f"{metric} has no parameter {name!r}{meant(name, declared)}; "
            f"it has: {there}"
        )
    default, kind = declared[name]
    values = tuple(
        dict.fromkeys(_value(metric, name, each, kind) for each in sweep.values)
    )
    base = str(_with(metric, name, default))
    return Swept(base, name, values, tuple(_with(metric, name, v) for v in values))


def _with(metric: Metric, name: str, value: Any) -> Metric:
    """The metric with another value of a parameter."""
    from graphscore.metrics.user import UserMetric

    if isinstance(metric, UserMetric):
        inner = dataclasses.replace(metric.inner, **{name: value})
        # What stands there may be a metric already, that has no parameters left.
        return parse(
            metric.place.partition("(")[0] + str(inner).removeprefix(inner.name)
        )
    return dataclasses.replace(metric, **{name: value})


def _value(metric: Metric, name: str, value: Decimal, kind: Any) -> int | float:
    """A value as the parameter has it."""
    where = f"{metric.name}: {name}={value}"
    if isinstance(kind, tuple):
        numbers = [each for each in kind if type(each) in (int, float)]
        for choice in numbers:
            if Decimal(repr(choice)) == value:
                return choice  # type: ignore[no-any-return]
        if numbers:
            choices = ", ".join(map(str, numbers))
            raise UsageError(f"{where}, expected one of: {choices}")
    elif kind is int:
        if value != value.to_integral_value():
            raise UsageError(f"{where}, expected a whole number")
        return int(value)
    elif kind is float:
        return float(value)
    raise UsageError(
        f"{metric.name}: {name} is no number, there is nothing to sweep over"
    )
