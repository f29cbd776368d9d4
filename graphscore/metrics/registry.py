"""Metrics by name: finding them, and parsing their canonical strings.

Every module of ``graphscore.metrics`` that defines a :class:`Metric` is found
by itself; other distributions add theirs through the entry point group
``graphscore.metrics``, as classes, metrics or formulas.  ``module:name`` and
``file.py:name`` are users' own, see :mod:`graphscore.metrics.user`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any

import graphscore.metrics
from graphscore.errors import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.entities.rules import PREFIX as RULES
from graphscore.metrics.entities.rules import Rules
from graphscore.metrics.formula import suite
from graphscore.metrics.user import as_metric, found_at, is_class
from graphscore.similarity import Similarity

GROUP = "graphscore.metrics"

_CALL = re.compile(r"\s*([A-Za-z0-9_-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_TRUTH = {"true": True, "false": False, "1": True, "0": False}


@lru_cache(maxsize=1)
def metrics() -> dict[str, type[Metric] | Metric]:
    """Every metric by canonical name, in alphabetical order.

    Returns:
        Classes; what another distribution offers ready made is a metric itself.
    """
    found: dict[str, type[Metric] | Metric] = {}
    package = graphscore.metrics
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        loaded = importlib.import_module(module.name)
        for value in vars(loaded).values():
            if (
                is_class(value)
                and value.__module__ == loaded.__name__
                # What is named when it is made is no metric by itself.
                and isinstance(value.name, str)
            ):
                found[value.name] = value
    for entry in entry_points(group=GROUP):
        value = entry.load()
        if is_class(value):
            found.setdefault(value.name, value)
        else:
            _, digest = found_at(f"{entry.module}:{entry.attr}")
            found.setdefault(entry.name, as_metric(entry.name, value, digest))
    return dict(sorted(found.items()))


def parse(text: str | Metric | Similarity) -> Metric:
    """The metric that a string names.

    Args:
        text: ``name`` or ``name(parameter=value,...)``, where ``name`` may be
            ``module:name`` or ``file.py:name`` of one's own; a metric is returned
            as it is, a formula as a metric that goes by its ``repr``.

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
    if isinstance(text, Similarity):
        return suite(repr(text), text)
    if text.strip().startswith(RULES):
        return _ruled(text)
    place, colon, _ = text.partition(":")
    if colon and "(" not in place:
        return _users(text)
    call = _CALL.fullmatch(text)
    if call is None:
        raise UsageError(
            f"{text!r} is not a metric: expected name(parameter=value,...)"
        )
    name = call[1].lower()
    known = metrics()
    if name not in known:
        raise UsageError(f"no metric {name!r}; there are: {', '.join(known)}")
    return _made(text, name, known[name], call[2] or "")


def _ruled(text: str) -> Metric:
    """The metric of a file of rules."""
    file = text.strip().removeprefix(RULES).strip()
    if not file:
        raise UsageError(f"{text!r}: expected rules:FILE, or rules alone")
    return Rules(file)


def _users(text: str) -> Metric:
    """The metric that a user brings."""
    place, bracket, rest = text.partition("(")
    found, digest = found_at(place)
    canonical = place.strip()
    if not is_class(found):
        if bracket:
            raise UsageError(f"{text!r}: {canonical} is no class: it has no parameters")
        return as_metric(canonical, found, digest)
    if bracket and not rest.rstrip().endswith(")"):
        raise UsageError(f"{text!r}: expected ) at the end")
    inner = _made(text, canonical, found, rest.rstrip()[:-1] if bracket else "")
    shown = str(inner).removeprefix(inner.name)
    return as_metric(canonical + shown, inner, digest)


def _made(
    text: str, name: str, metric: type[Metric] | Metric, arguments: str
) -> Metric:
    """The metric with the parameters that the text gives."""
    declared = metric.parameters()
    values: dict[str, Any] = {}
    for piece in filter(str.strip, arguments.split(",")):
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
    return metric if isinstance(metric, Metric) else metric(**values)


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
