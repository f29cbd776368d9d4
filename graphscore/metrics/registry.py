"""Metrics by name: finding them, and parsing their canonical strings.

Every module of ``graphscore.metrics`` that defines a :class:`Metric` is found
by itself; other distributions add theirs through the entry point group
``graphscore.metrics``.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import lru_cache
from importlib.metadata import entry_points
from inspect import isabstract
from typing import Any

import graphscore.metrics
from graphscore.errors import UsageError
from graphscore.metrics.base import Metric

GROUP = "graphscore.metrics"

_CALL = re.compile(r"\s*([A-Za-z0-9_-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_TRUTH = {"true": True, "false": False, "1": True, "0": False}


@lru_cache(maxsize=1)
def metrics() -> dict[str, type[Metric]]:
    """Every metric class, by canonical name, in alphabetical order."""
    found: dict[str, type[Metric]] = {}
    for module in pkgutil.iter_modules(graphscore.metrics.__path__):
        loaded = importlib.import_module(f"graphscore.metrics.{module.name}")
        for value in vars(loaded).values():
            if (
                isinstance(value, type)
                and issubclass(value, Metric)
                and not isabstract(value)
                and value.__module__ == loaded.__name__
            ):
                found[value.name] = value
    for entry in entry_points(group=GROUP):
        value = entry.load()
        found.setdefault(value.name, value)
    return dict(sorted(found.items()))


def parse(text: str | Metric) -> Metric:
    """The metric that a string names.

    Args:
        text: ``name`` or ``name(parameter=value,...)``; a metric is returned as
            it is.

    Returns:
        The metric; ``parse(str(metric)) == metric``.

    Raises:
        UsageError: if the name, a parameter or a value is unknown; the message
            lists what there is.

    Example:
        >>> str(parse(" MRP( order = free , edges=labeled )"))
        'mrp(order=free)'
    """
    if isinstance(text, Metric):
        return text
    call = _CALL.fullmatch(text)
    if call is None:
        raise UsageError(
            f"{text!r} is not a metric: expected name(parameter=value,...)"
        )
    name = call[1].lower()
    known = metrics()
    if name not in known:
        raise UsageError(f"no metric {name!r}; there are: {', '.join(known)}")
    metric = known[name]
    declared = metric.parameters()
    values: dict[str, Any] = {}
    for piece in filter(str.strip, (call[2] or "").split(",")):
        parameter, equals, value = (part.strip() for part in piece.partition("="))
        if not equals:
            raise UsageError(f"{text!r}: {piece.strip()!r} is not parameter=value")
        if parameter not in declared:
            there = ", ".join(declared) or "none"
            raise UsageError(
                f"{text!r}: {name} has no parameter {parameter!r}; it has: {there}"
            )
        if parameter in values:
            raise UsageError(f"{text!r}: {parameter} is given twice")
        values[parameter] = _value(text, parameter, value, declared[parameter][1])
    return metric(**values)


def _value(text: str, parameter: str, value: str, kind: Any) -> Any:
    """*value* as a parameter of this *kind* (a tuple of choices, or a type)."""
    if isinstance(kind, tuple):
        for choice in kind:
            if str(choice) == value:
                return choice
        choices = ", ".join(map(str, kind))
        raise UsageError(f"{text!r}: {parameter}={value}, expected one of: {choices}")
    try:
        return _TRUTH[value.lower()] if kind is bool else kind(value)
    except (KeyError, ValueError):
        raise UsageError(
            f"{text!r}: {parameter}={value}, expected {kind.__name__}"
        ) from None


def split_metrics(text: str) -> list[str]:
    """Metric strings of a comma-separated list; commas inside brackets stay.

    >>> split_metrics("mrp,mrp(order=free,ties=canonical)")
    ['mrp', 'mrp(order=free,ties=canonical)']
    """
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
