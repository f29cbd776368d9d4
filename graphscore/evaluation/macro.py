"""Scores by name, and means over units, of which each is as good as the others.

The macro F1 is the mean of the units' F1s, not the F1 of their mean precision and mean
recall; precision and recall are means likewise.  A unit to which a tuple type does not
apply, or where it is empty on both sides, has no part in the mean of that tuple type.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.metrics.base import (
    Metric,
    main_score,
)
from graphscore.metrics.traits import TupleTypeGroups, trait
from graphscore.model.outcome import Count, Scores

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result

MACRO = "macro"
"""Name of means over any units: rows of tables, and the prefix of scores' names.

Printed tables have it beneath a column that says what it is over: with the whole name
they would be wider than a terminal."""

FRAMEWORKS, CLASSES = "macro_frameworks", "macro_classes"
"""Means over frameworks, and over classes as a metric counts them."""


RATIOS = ("precision", "recall", "f1")

Slice = tuple[Collection[str], Scores]
"""The frameworks of a unit, and its scores."""

Means = dict[str, dict[str, float]]
"""Precision, recall and F1 by tuple type."""


def macro_counts(metric: Metric, slices: Sequence[Slice]) -> Means:
    """The mean of every tuple type.

    Args:
        metric: what scored.
        slices: the units.

    Returns:
        Means by tuple type, ``all`` last; without tuple types that no unit has.
    """
    applicable = [
        frozenset[str]().union(*map(metric.applicable, frameworks)) | {"all"}
        for frameworks, _ in slices
    ]
    of = {
        tuple_type: [
            scores.counts[tuple_type]
            for tuple_types, (_, scores) in zip(applicable, slices, strict=True)
            if tuple_type in tuple_types
        ]
        for tuple_type in (*metric.tuple_types, "all")
    }
    return _means(of)


def macro_groups(metric: Metric, slices: Sequence[Slice]) -> Means:
    """The mean of every group of tuple types, such as nodes and edges.

    Args:
        metric: what scored.
        slices: the units.
    """
    of = {
        group: [
            reduce(
                lambda total, more: total.plus(more),
                map(scores.counts.__getitem__, tuple_types),
            )
            for _, scores in slices
        ]
        for group, tuple_types in trait(metric, TupleTypeGroups).groups.items()
    }
    return _means(of)


def macro_value(metric: Metric, slices: Sequence[Slice]) -> float:
    """The mean of what stands for the metric, over the units where it is defined.

    Args:
        metric: what scored.
        slices: the units.

    Returns:
        The mean; ``nan`` of nothing.
    """
    if not metric.leading:
        return macro_counts(metric, slices).get(metric.main, {}).get("f1", math.nan)
    main_scores = [main_score(metric, scores) for _, scores in slices]
    # What is not equal to itself is undefined.  Asked so, not by math.isnan, many
    # samples can be asked at once.
    values = [value for value in main_scores if value == value]
    return sum(values) / len(values) if values else math.nan


def macro_numbers(metric: Metric, slices: Sequence[Slice]) -> dict[str, float]:
    """Means by the names that the metric's further scores have.

    Args:
        metric: what scored.
        slices: the units.

    Returns:
        Those of groups of tuple types, and of the leading score.
    """
    result = {
        f"{group}.{ratio}": value
        for group, ratios in macro_groups(metric, slices).items()
        for ratio, value in ratios.items()
    }
    if metric.leading:
        result[metric.leading] = macro_value(metric, slices)
    return result


def macro_score(metric: Metric, slices: Sequence[Slice], name: str) -> float | None:
    """A mean by the name of the score of which it is the mean.

    Args:
        metric: what scored.
        slices: the units.
        name: as for ``--fail-under``; empty for what stands for the metric.

    Returns:
        The mean, ``nan`` where no unit has the score; nothing if the metric has none
        of that name.
    """
    if not name:
        return macro_value(metric, slices)
    if name in RATIOS:
        name = f"{metric.main}.{name}"
    if name == metric.leading:
        return macro_value(metric, slices)
    part, _, ratio = name.partition(".")
    if (ratio or "f1") not in RATIOS:
        return None
    # As without macro: edges is the tuple type, edges.f1 the group.
    if part in trait(metric, TupleTypeGroups).groups and ratio:
        return macro_groups(metric, slices).get(part, {}).get(ratio, math.nan)
    if part not in (*metric.tuple_types, "all"):
        return None
    return macro_counts(metric, slices).get(part, {}).get(ratio or "f1", math.nan)


def _means(of: Mapping[str, Iterable[Count]]) -> Means:
    means: Means = {}
    for tuple_type, counts in of.items():
        nonempty = [count for count in counts if count.gold or count.system]
        if nonempty:
            means[tuple_type] = {
                name: sum(getattr(count, name) for count in nonempty) / len(nonempty)
                for name in RATIOS
            }
    return means


def score_getter(name: str, by: Sequence[str] = ()) -> Callable[[Result], float]:
    """Return a function that gets the score of ``--fail-under NAME=X``.

    Args:
        name: empty for the number that stands for the metric; ``KIND``,
            ``KIND.precision``... or one of the metric's other scores; ``macro``, or
            ``macro.`` and one of those, for its mean over units.
        by: what these units are; frameworks without.

    Raises:
        UsageError: from the returned function, if the result has no such score.
    """

    def get(result: Result) -> float:
        value = score_in(result, name, by)
        if value is not None:
            return value
        if result.nothing:
            return math.nan
        counts, numbers = result.scores
        raise UsageError(
            f"{result.metric} has no score {name!r}"
            f"{did_you_mean(name, _names_of_scores(result))}; "
            f"it has: {', '.join((*counts, *numbers, *_means_of(result)))}"
        )

    return get


def _means_of(result: Result) -> tuple[str, ...]:
    """The names of the means that a result has."""
    classes = (CLASSES,) if class_means(result) else ()
    return MACRO, FRAMEWORKS, *classes


def _names_of_scores(result: Result) -> list[str]:
    """All that :func:`score_in` finds in a result."""
    counts, numbers = result.scores
    whole = (*counts, *numbers, *RATIOS, *_means_of(result))
    of_tuple_types = (
        f"{tuple_type}.{ratio}" for tuple_type in counts for ratio in RATIOS
    )
    means = (f"{MACRO}.{count}" for count in (*counts, *RATIOS))
    return list(dict.fromkeys((*whole, *of_tuple_types, *means)))


def score_in(result: Result, name: str, by: Sequence[str] = ()) -> float | None:
    """A score of a result by the name that ``--fail-under`` takes.

    Args:
        result: any result.
        name: as for :func:`score_getter`.
        by: likewise.

    Returns:
        The score; nothing if the result has none of that name.
    """
    scores = result.scores
    if not name:
        return result.value
    if name not in scores.numbers:
        aliases = trait(result.metric, TupleTypeGroups).aliases
        name = ".".join(aliases.get(part, part) for part in name.split("."))
    tuple_type, _, ratio = name.partition(".")
    if name in scores.numbers:
        if tuple_type == MACRO and tuple(by) in ((), ("framework",)):
            refuse_ambiguous(result)
        return scores.numbers[name]
    if tuple_type in scores.counts and (ratio or "f1") in RATIOS:
        of_tuple_type: float = getattr(scores.counts[tuple_type], ratio or "f1")
        return of_tuple_type
    if name in RATIOS:
        of_main: float = getattr(result, name)
        return of_main
    if name.endswith("."):
        return None
    if tuple_type == FRAMEWORKS:
        return macro_score(result.metric, result.slices(("framework",)), ratio)
    if tuple_type == CLASSES:
        return class_mean(result, ratio)
    if tuple_type == MACRO:
        return _macro(result, ratio, by)
    return None


def class_mean(result: Result, name: str) -> float | None:
    """A mean over classes, by the name of the score of which it is the mean.

    Args:
        result: any result.
        name: as for ``--fail-under``; empty for what stands for the metric.

    Returns:
        The mean; nothing if the metric has none of that name.
    """
    numbers, main = result.scores.numbers, result.metric.main
    names = (f"{name}.f1", name) if name else (f"{main}.f1", "f1")
    if name in RATIOS:
        names = f"{main}.{name}", name
    means = (numbers.get(f"{MACRO}.{known}") for known in names)
    return next((mean for mean in means if mean is not None), None)


def class_means(result: Result) -> Means:
    """Means over classes by tuple type; none if the metric does not count by class.

    Args:
        result: any result.
    """
    means: Means = {}
    for name, value in result.scores.numbers.items():
        first, _, rest = name.partition(".")
        tuple_type, _, ratio = rest.rpartition(".")
        if first == MACRO and ratio in RATIOS:
            means.setdefault(tuple_type or result.metric.main, {})[ratio] = value
    return means


def refuse_ambiguous(result: Result) -> None:
    """Refuse ``macro`` where it may be the mean over frameworks or over classes.

    Args:
        result: any result.

    Raises:
        UsageError: naming both.
    """
    if len(result.frameworks) > 1 and class_means(result):
        raise UsageError(
            f"macro of {result.metric} may be {FRAMEWORKS} or {CLASSES}: name one"
        )


def _macro(result: Result, name: str, by: Sequence[str]) -> float | None:
    """A mean over the units, or over classes where there is one framework."""
    if by and tuple(by) != ("framework",):
        # Means of the metric's own, such as those over types, are asked for first.
        own = result.scores.numbers.get(f"{MACRO}.{name}.f1") if name else None
        if own is None:
            return macro_score(result.metric, result.slices(by), name)
        return own
    refuse_ambiguous(result)
    mean = class_mean(result, name)
    if mean is not None:
        return mean
    return macro_score(result.metric, result.slices(by), name)
