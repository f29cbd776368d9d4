"""Metrics by name: finding them, and parsing their canonical strings.

Every family has a table of its metrics at its door (``graphscore.metrics.meaning``
and so on); a metric is imported when it is asked for.  Other distributions add theirs
through the entry point group ``graphscore.metrics``, as classes, metrics or formulas.
``module:name`` and ``file.py:name`` are users' own, see :mod:`graphscore.metrics.user`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graphscore.exceptions import GraphscoreError, UsageError, did_you_mean, expect
from graphscore.lazy import entry_points
from graphscore.metrics.base import Metric

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from graphscore.similarity import Similarity

GROUP = "graphscore.metrics"

DOORS = (
    "meaning",
    "dependencies",
    "coreference",
    "entities",
    "extraction",
    "templates",
    "roles",
    "sentiment",
)
"""The packages with the metrics of each family, which are opened until one is found."""

RULES = "rules:"
"""Prefix of a metric with user-defined rules."""

_HEAD = r"\s*([^\W\d]\w*)\s*[(*+>-]"
"""Beginning of an unbracketed formula, or of a metric with parameters."""

_QUOTED = re.compile(r"""(?<![\w\\])(?:'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")""")
"""A text in a formula.  An apostrophe within a word opens none."""

_CALL = r"(?s)\s*([A-Za-z0-9_-]+)\s*(?:\((.*)\))?\s*"
_TRUTH = {"true": True, "false": False, "1": True, "0": False}


def _homes_at(door: str) -> dict[str, str]:
    """Return where the class of every metric of a family is, by name."""
    package = f"{__package__}.{door}"
    metrics: dict[str, str] = import_module(package).METRICS
    return {name: f"{package}.{home}" for name, home in metrics.items()}


@cache
def _home(name: str) -> str:
    """Return where the class of a metric of ours is; empty if there is none."""
    result = (_homes_at(door).get(name, "") for door in DOORS)
    return next(filter(None, result), "")


def homes() -> dict[str, str]:
    """Return the module and class of every built-in metric, by name."""
    return {name: home for door in DOORS for name, home in _homes_at(door).items()}


@lru_cache(maxsize=1)
def offered_metrics() -> dict[str, type[Metric] | Metric]:
    """Return the metrics of other distributions, by name."""
    entries: dict[str, type[Metric] | Metric] = {}
    for entry in entry_points(GROUP):
        name, offered = _offered(entry)
        entries.setdefault(name, offered)
    return entries


def _offered(entry: EntryPoint) -> tuple[str, type[Metric] | Metric]:
    from graphscore.metrics.user import as_metric, at_place, is_class

    value = entry.load()
    if is_class(value):
        return value.name, value
    _, digest = at_place(f"{entry.module}:{entry.attr}")
    return entry.name, as_metric(entry.name, value, digest)


@cache
def metric_named(name: str) -> type[Metric] | Metric:
    """The metric of that name.

    Args:
        name: its canonical name, without parameters.

    Returns:
        A class; what another distribution offers ready made is a metric itself.

    Raises:
        UsageError: if there is none; the message lists what there is, or says that
            it was removed.
    """
    if home := _home(name):
        module, _, called = home.partition(":")
        metric: type[Metric] = getattr(import_module(module), called)
        return metric
    if name not in offered_metrics():
        from graphscore.removed import removal

        known = sorted({*homes(), *offered_metrics()})
        raise UsageError(
            removal("metric", name)
            or f"no metric {name!r}{_meant(name, known)}; there are: {', '.join(known)}"
        )
    return offered_metrics()[name]


def _meant(name: str, known: Sequence[str]) -> str:
    """Return a suggestion for an unknown name."""
    from graphscore.similarity.parsing.symbols import is_formula_name

    if is_formula_name(name):
        return " (a name of formulas, such as f1(match(nodes(), exact(label))))"
    return did_you_mean(name, known)


def metrics() -> dict[str, type[Metric] | Metric]:
    """Every metric by canonical name, in alphabetical order; all are imported."""
    return {name: metric_named(name) for name in sorted({*homes(), *offered_metrics()})}


def parse(
    text: str | Metric | Similarity | Mapping[str, Similarity] | type[Any],
) -> Metric:
    """The metric that a string names.

    Args:
        text: ``name`` or ``name(parameter=value,...)``, where ``name`` may be
            ``module:name`` or ``file.py:name`` of one's own; a formula such as
            ``f1(match(nodes(), exact(label)))``, or formulas by kind in braces,
            which are read and never run; a metric, which is returned as it is;
            a formula or a mapping of kinds to formulas, which goes by its ``repr``;
            or a dataclass, whose derived metric goes by its name.

    Returns:
        The metric; ``parse(str(metric)) == metric``.

    Raises:
        UsageError: if the name, a parameter or a value is unknown; the message
            lists what there is.
        FormulaError: if a formula is none, with the place where it is wrong.

    Example:
        >>> str(parse(" MRP( order = free , edges=labeled )"))
        'mrp(order=free)'
        >>> str(parse("f1( match(nodes(),exact(label)) )"))
        'f1(match(nodes(), exact(label)))'
    """
    if isinstance(text, Metric):
        return text
    if isinstance(text, type):
        from graphscore.structures.objects.models import as_dataclass

        text = as_dataclass(text)
    if isinstance(text, type) and is_dataclass(text) and not issubclass(text, Metric):
        from graphscore.metrics.derived import derived_metric

        return derived_metric(text)
    if not isinstance(text, str):
        from graphscore.similarity import Similarity

        by_kind = isinstance(text, Mapping) and all(
            isinstance(kind, str) and isinstance(value, Similarity)
            for kind, value in text.items()
        )
        if not by_kind:
            expect(text, str | Metric | Similarity, "a metric")
        result: Any = text
        return _of_formulas(result)
    if text.strip().startswith(RULES):
        return _ruled(text)
    if _is_formula(text):
        from graphscore.similarity.parsing.builder import formulas

        return _of_formulas(formulas(text))
    location, colon, _ = text.partition(":")
    if colon and "(" not in location:
        return _users(text)
    call = re.fullmatch(_CALL, text)
    if call is None and text.endswith(".py"):
        raise UsageError(f"{text}: name the metric in this file, as in {text}:Report")
    if call is None:
        raise UsageError(
            f"{text!r} is not a metric: expected name(parameter=value,...)"
        )
    name = call[1].lower()
    return _made(text, name, metric_named(name), call[2] or "")


@lru_cache(maxsize=256)
def stored_metric(text: str) -> Metric | None:
    """The metric that a store, or another file, names.

    Nobody typed such a name.  So nothing is imported, executed or opened for it: a
    metric of a module, of rules or of tables is only made where a user asks for it by
    name, by :func:`parse`.

    Args:
        text: as a cell of the store has it.

    Returns:
        The metric, if it is one of ours or a formula; ``None`` if it needs code or a
        file of somebody's, or is none.

    Example:
        >>> str(stored_metric("mrp(order=free)"))
        'mrp(order=free)'
        >>> stored_metric("os:system"), stored_metric("rules:/dev/stdin")
        (None, None)
        >>> stored_metric("docred(facts=/dev/stdin)"), stored_metric("nothing")
        (None, None)
    """
    try:
        return parse(text) if _is_self_contained(text) else None
    except GraphscoreError:
        return None


def _is_self_contained(text: str) -> bool:
    """Return true if a string names a built-in metric only, or is a formula."""
    if text.strip().startswith(RULES):
        return False
    if _is_formula(text):
        return True
    call = re.fullmatch(_CALL, text)
    if call is None or not _home(call[1].lower()):
        return False
    opened = metric_named(call[1].lower()).opens
    pairs = (piece.partition("=") for piece in (call[2] or "").split(","))
    values = (f"{name.strip()}={value.strip()}" for name, _, value in pairs)
    return not any(value.startswith(opened) for value in values)


def parse_all(chosen: Any) -> tuple[list[Metric] | None, bool]:
    """The metrics that are asked for in Python.

    Args:
        chosen: what :func:`parse` takes, a sequence of such, or ``None``.

    Returns:
        The metrics, ``None`` where nobody asks for any; and whether one alone was
        asked for, not in a sequence.

    Example:
        >>> parse_all("mrp")[1], [str(each) for each in parse_all(["b3", "muc"])[0]]
        (True, ['b3', 'muc'])
    """
    if chosen is None:
        return None, False
    if isinstance(chosen, str | Metric) or not isinstance(chosen, Sequence):
        return [parse(chosen)], True
    return [parse(text) for text in chosen], False


def is_known(text: str) -> bool:
    """Return true if a string names a built-in metric, or is a formula.

    Args:
        text: anything.

    Example:
        >>> [is_known(each) for each in ("mrp(order=free)", "f1(match", "gold.mrp")]
        [True, True, False]
    """
    return bool(_home(text.partition("(")[0].strip().lower())) or _is_formula(text)


def frameworks_of(metrics: Iterable[Metric] | None) -> frozenset[str]:
    """The frameworks that metrics score; none where one of them scores all.

    Args:
        metrics: the metrics, ``None`` where nobody asks for any.

    Example:
        >>> sorted(frameworks_of([parse("muc"), parse("ner")]))
        ['coref', 'ner']
    """
    frameworks = [metric.frameworks for metric in metrics or ()]
    return frozenset().union(*frameworks) if all(frameworks) else frozenset()


def _is_formula(text: str) -> bool:
    """Return true if a string is a formula and not a metric's."""
    if text.lstrip()[:1] not in ("{", "("):
        head = re.match(_HEAD, text)
        if head is None or _home(head[1].lower()):
            return False
    # Only now, as to score with a metric that is named needs no formulas.
    from graphscore.similarity.parsing.builder import begins

    return begins(text)


def _of_formulas(value: Similarity | Mapping[str, Similarity]) -> Metric:
    """Formulas as a metric that goes by how they are written."""
    from graphscore.metrics.formula import suite
    from graphscore.similarity import Similarity

    if isinstance(value, Similarity):
        return suite(repr(value), value)
    return suite(repr(dict(value)), value)


def _ruled(text: str) -> Metric:
    """The metric of a file of rules."""
    from graphscore.metrics.entities.rules import Rules

    file = text.strip().removeprefix(RULES).strip()
    if not file:
        raise UsageError(f"{text!r}: expected rules:FILE, or rules alone")
    return Rules(file)


def _users(text: str) -> Metric:
    """The metric that a user brings."""
    from graphscore.metrics.user import as_metric, at_place, is_class

    location, bracket, rest = text.partition("(")
    users, digest = at_place(location)
    canonical = location.strip()
    if not is_class(users):
        if bracket:
            raise UsageError(
                f"{text!r}: {canonical} is not a class and has no parameters"
            )
        return as_metric(canonical, users, digest)
    if bracket and not rest.rstrip().endswith(")"):
        raise UsageError(f"{text!r}: expected ) at the end")
    inner = _made(text, canonical, users, rest.rstrip()[:-1] if bracket else "")
    shown = str(inner).removeprefix(inner.name)
    return as_metric(canonical + shown, inner, digest)


def _made(
    text: str, name: str, metric: type[Metric] | Metric, arguments: str
) -> Metric:
    """The metric with the parameters that the text gives."""
    if not arguments.strip(" ,"):
        return metric if isinstance(metric, Metric) else metric()
    declared = metric.parameters()
    values: dict[str, Any] = {}
    for piece in filter(str.strip, arguments.split(",")):
        parameter, equals, value = (part.strip() for part in piece.partition("="))
        if not equals:
            raise UsageError(f"{text!r}: {piece.strip()!r} is not parameter=value")
        if parameter not in declared:
            known = ", ".join(declared) or "none"
            raise UsageError(
                f"{text!r}: {name} has no parameter {parameter!r}"
                f"{did_you_mean(parameter, declared)}; it has: {known}"
            )
        if parameter in values:
            raise UsageError(f"{text!r}: {parameter} is given twice")
        values[parameter] = _value(text, parameter, value, declared[parameter][1])
    if isinstance(metric, Metric):
        return metric
    fields = {parameter: name for name, parameter in metric.spelled.items()}
    return metric(**{fields.get(name, name): values[name] for name in values})


def _value(text: str, parameter: str, value: str, kind: Any) -> Any:
    """*value* as a parameter of this *kind* (a tuple of choices, or a type)."""
    if isinstance(kind, tuple):
        for choice in kind:
            if str(choice) == value:
                return choice
        choices = [str(choice) for choice in kind]
        raise UsageError(
            f"{text!r}: {parameter}={value}, expected one of: {', '.join(choices)}"
            f"{did_you_mean(value, choices)}"
        )
    try:
        return _TRUTH[value.lower()] if kind is bool else kind(value)
    except (KeyError, ValueError):
        raise UsageError(
            f"{text!r}: {parameter}={value}, expected {kind.__name__}"
        ) from None


def split_metrics(text: str) -> list[str]:
    """Metric strings of a comma-separated list; commas inside brackets stay.

    So do those in texts in quotes that stand in brackets.

    >>> split_metrics("mrp,mrp(order=free,ties=canonical)")
    ['mrp', 'mrp(order=free,ties=canonical)']
    >>> split_metrics("f1(match(nodes('a),b'), exact(label))), smatch")
    ["f1(match(nodes('a),b'), exact(label)))", 'smatch']
    """
    parts, depth, start, index = [], 0, 0, 0
    while index < len(text):
        character = text[index]
        if depth and (quoted := _QUOTED.match(text, index)):
            index = quoted.end()
            continue
        depth += (character in "([{") - (character in ")]}")
        depth = max(depth, 0)
        if character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
        index += 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
