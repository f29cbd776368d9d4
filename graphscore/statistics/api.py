"""Comparing from Python in one call."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from numbers import Integral, Real
from os import PathLike
from typing import Any, Unpack

from graphscore.evaluation.api import into_class
from graphscore.evaluation.collection_selection import compared_collections
from graphscore.evaluation.messages import as_called, warn_of_losses
from graphscore.evaluation.options import (
    WORD_TYPES,
    Options,
    OptionWords,
    References,
    Runs,
    options_of,
)
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files, score_references
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError, expecting
from graphscore.formats.source import shown
from graphscore.inputs.alignment import several_sides
from graphscore.inputs.alignment import sides as as_sides
from graphscore.inputs.type_checks import is_text
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import frameworks_of, is_known, parse, parse_all
from graphscore.statistics.comparison import Comparison
from graphscore.statistics.comparisons import ComparisonOptions, comparisons_of
from graphscore.store.detect import best_mode, is_store


class CompareWords(OptionWords, total=False):
    """Keywords of :func:`compare`, which its docstring describes."""

    score: str
    by: str | Sequence[str]
    over: str | Sequence[str]
    cluster: str
    baseline: str
    samples: int
    seed: int
    level: float
    changes: bool
    across: str


_COMPARED: Mapping[str, Any] = {
    "score": str,
    "by": str | Sequence,
    "over": str | Sequence,
    "cluster": str,
    "baseline": str,
    "samples": Integral,
    "seed": Integral,
    "level": Real,
    "changes": bool,
    "across": str,
}


@expecting(
    names=Sequence,
    options=Options | None,
    **_COMPARED,
    **WORD_TYPES,
)
def compare(
    *operands: Any,
    gold: Any = None,
    systems: Sequence[Any] | Mapping[str, Any] = (),
    metric: Any = None,
    names: Sequence[str] = (),
    options: Options | None = None,
    **words: Unpack[CompareWords],
) -> Comparison | list[Comparison]:
    """Compare systems: is one better, and how sure is that.

    Args:
        operands: gold and two or more systems, each whatever :func:`~graphscore.score`
            takes; or a :class:`~graphscore.Store`, or its file.  Gold may be several
            :class:`~graphscore.References`, a system several :class:`~graphscore.Runs`,
            which are kept together.
        gold: gold, if it is not the first of the operands; its collection in a store.
        systems: likewise the systems, perhaps by their names; in a store all that were
            scored against gold without.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of the frameworks that are there.
        names: what the systems are called; without, as their files or collections.
        options: selection, pairing, budget.
        words: the same by keywords, as for :func:`~graphscore.score`, and

            - score: which score, as for ``--fail-under``; what stands for each metric
              without
            - by: columns whose slices are compared by themselves too: ``framework``,
              ``language``, ``document``, ``layer``
            - over: columns that a mean ``macro`` is over; frameworks without
            - cluster: ``document`` draws all of a document together
            - baseline: the system that others are compared with; the first without
            - samples: bootstrap samples and assignments (10000)
            - seed: what the draws start from
            - level: confidence level of intervals (0.95)
            - changes: whether units that got better or worse and errors that are fixed
              or new are listed
            - across: ``frameworks``, ``languages`` or ``layers`` compares in each of
              them too, over the items that all share; one system will do

    Returns:
        A comparison, or a list with one per metric where several were given, or where
        none was and there are several defaults.

    Warns:
        LossWarning: if records of a system cannot be read and count as missing; the
            notes of the comparison say it too.

    Raises:
        InputError: if gold cannot be used; every problem is named.
        PairingError: if nothing pairs.
        UsageError: if there are fewer than two systems, or a metric, score or
            collection is unknown.

    Example:
        >>> from graphscore import Graph, Node
        >>> def corpus(label):
        ...     return [Graph(str(n), "amr", 2, nodes=(Node(0, label),), tops=(0,))
        ...             for n in range(30)]
        >>> found = compare(corpus("dog"), corpus("dog"), corpus("cat"), names="ab")
        >>> [(each.system, each.value) for each in found.systems]
        [('a', 1.0), ('b', 0.5)]
        >>> found.pairs[0].wins, found.pairs[0].p_adjusted < 0.001
        (30, True)
    """
    compared: dict[str, Any] = {"changes": True}
    compared |= {word: value for word, value in words.items() if word in _COMPARED}
    for number, kind in (("samples", int), ("seed", int), ("level", float)):
        if number in compared:
            compared[number] = kind(compared[number])
    for columns in ("by", "over"):
        compared[columns] = _columns(compared.get(columns, ()))
    comparison_options = ComparisonOptions(**compared)
    others = {k: v for k, v in words.items() if k not in compared}
    known = "gold", "systems", "metric", "names", *_COMPARED
    options = options_of("compare", options, others, known)
    metrics, alone = parse_all(metric)
    several = metrics is not None and not alone
    changes = comparison_options.changes
    chosen = replace(options, per_item=True, details=changes, parts=True)
    if isinstance(systems, Mapping):
        names, systems = names or list(systems), list(systems.values())
    chosen = into_class(chosen, metric, gold, *operands, *systems)
    scored, called = _scored(operands, gold, systems, metrics, chosen)
    if names and len(names) != len(called):
        raise UsageError(f"{len(names)} names of {len(called)} systems")
    called = list(names) or called
    comparisons = comparisons_of(scored, comparison_options, called)
    warn_of_losses(as_called(scored, called), stacklevel=3)
    return comparisons if several or len(comparisons) > 1 else comparisons[0]


def _columns(given: str | Sequence[str]) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else given
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _scored(
    operands: Sequence[Any],
    gold: Any,
    systems: Sequence[Any],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> tuple[list[list[Result]], list[str]]:
    """The results of every system, and its name."""
    left = list(operands)
    first = left[0] if left else None
    held = isinstance(first, Store) or (isinstance(first, str) and is_store(first))
    source = left.pop(0) if held else None
    if gold is None and left:
        gold = left.pop(0)
    given = [*left, *([systems] if isinstance(systems, str) else systems)]
    sides: list[Any] = [
        side for each in given for side in (each if _are_names(each) else [each])
    ]
    if source is not None:
        own = isinstance(source, str)
        with (
            Store(source, mode=best_mode(source)) if own else nullcontext(source)
        ) as store:
            return _of_store(store, gold, sides, metrics, options)
    for side in sides:
        if isinstance(side, str) and _is_metric(side):
            raise UsageError(f"{side} is a metric, not a system: metric={side!r}")
    if gold is None or len(sides) < 2:
        raise UsageError(
            "nothing to compare: give gold and two or more systems, one by one or as "
            "systems=[...]"
        )
    called = _names(sides)
    groups, sides = _apart(sides)
    readings = options.reading, options.system_reading or options.reading
    scored = frameworks_of(metrics)
    if isinstance(gold, References):
        result = [
            score_references(
                gold,
                side,
                metrics,
                options,
                sides=lambda one, other: as_sides(
                    one, other, readings=readings, frameworks=scored
                )[:2],
            )
            for side in sides
        ]
        return _together(result, groups), called
    if isinstance(gold, Iterator):
        # What can be gone through once only is needed for every system.
        gold = list(gold)
    gold, laid, cls = several_sides(gold, sides, readings, scored)
    both: list[tuple[Any, Any]] = [(gold, each) for each in laid]
    if metrics is None and cls is not None:
        metrics = [parse(cls)]
    result = [score_files(*each, metrics, options) for each in both]
    return _together(result, groups), called


def _names(sides: Sequence[Any]) -> list[str]:
    """What systems are called."""
    return [
        side.name
        if isinstance(side, Runs)
        else shown(str(side))
        if isinstance(side, str | PathLike)
        else f"system {number}"
        for number, side in enumerate(sides, 1)
    ]


def _together(
    scored: list[list[Result]], groups: Sequence[tuple[str, int]]
) -> list[list[Result]]:
    """The results of every system, those of runs as one."""
    if not any(name for name, _ in groups):
        return scored
    # Few have several.
    from graphscore.evaluation.several.runs import put_together

    return put_together(scored, groups)


def _apart(sides: Sequence[Any]) -> tuple[list[tuple[str, int]], list[Any]]:
    """How runs are grouped, and every run of every system."""
    groups = [(x.name, len(x)) if isinstance(x, Runs) else ("", 1) for x in sides]
    runs = [run for x in sides for run in (x.systems if isinstance(x, Runs) else [x])]
    return groups, runs


def _is_metric(side: str) -> bool:
    """Return true if a string names a metric or is a formula, and is no file."""
    return not os.path.exists(side) and is_known(side)


def _are_names(side: Any) -> bool:
    """Return true for a list of files or collections, each of them a system."""
    return (
        isinstance(side, list | tuple)
        and bool(side)
        and all(isinstance(name, str) for name in side)
        and not any(map(is_text, side))
    )


def _of_store(
    store: Store,
    gold: str | References | None,
    systems: Sequence[Any],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> tuple[list[list[Result]], list[str]]:
    # Of several references the first says which systems are meant.
    named = gold.golds[0] if isinstance(gold, References) else gold
    groups, runs = _apart(systems)
    first, names = compared_collections(store, named, runs)
    against = gold if isinstance(gold, References) else first
    listed = list(metrics) if metrics is not None else None
    results = {
        name: store.evaluate(against, name, listed, options, stored=True)
        for name in names
    }
    if not any(name for name, _ in groups):
        return [*results.values()], list(names)
    return _together([results[run] for run in runs], groups), _names(systems)
