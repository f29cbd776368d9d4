"""Scoring from Python in one call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack, overload

from graphscore.evaluation.messages import note_losses
from graphscore.evaluation.options import (
    WORD_TYPES,
    Options,
    References,
    Runs,
    ScoreWords,
    options_of,
)
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files, score_references
from graphscore.exceptions import expecting
from graphscore.formats.base import is_class
from graphscore.formats.source import suffix_of
from graphscore.inputs.alignment import sides
from graphscore.inputs.base import Ends
from graphscore.lazy import rarely_collected
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import frameworks_of, parse, parse_all
from graphscore.rows import computing

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.similarity import Similarity

_GRAPHS = ".mrp"
"""The ending of files that hold graphs, perhaps of objects."""

_DEFAULT = Options(per_item=True, details=True, parts=True)


# Several frameworks give several results: who does not name a metric and knows that
# there is one framework need not ask.
@overload
def score(
    gold: Any,
    system: Any,
    metric: None = ...,
    *,
    ends: Ends = ...,
    options: Options | None = ...,
    executor: Executor | None = ...,
    **words: Unpack[ScoreWords],
) -> Result | Any: ...
@overload
def score(
    gold: Any,
    system: Any,
    metric: str | Metric | Similarity,
    *,
    ends: Ends = ...,
    options: Options | None = ...,
    executor: Executor | None = ...,
    **words: Unpack[ScoreWords],
) -> Result: ...
@overload
def score(
    gold: Any,
    system: Any,
    metric: list[Any] | tuple[Any, ...],
    *,
    ends: Ends = ...,
    options: Options | None = ...,
    executor: Executor | None = ...,
    **words: Unpack[ScoreWords],
) -> list[Result]: ...


@expecting(
    ends=str,
    options=Options | None,
    by=str | Sequence | None,
    ci=bool | float,
    **WORD_TYPES,
)
def score(
    gold: Any,
    system: Any,
    metric: (
        str | Metric | Similarity | Sequence[str | Metric | Similarity] | None
    ) = None,
    *,
    ends: Ends = "inclusive",
    options: Options | None = None,
    executor: Executor | None = None,
    **words: Unpack[ScoreWords],
) -> Result | list[Result]:
    """Score a system against gold.

    Args:
        gold: a file, directory or glob of any known format (a ``str`` always is one),
            graphs, or what programs hold: lists of tags, spans or clusters, spaCy
            documents, PENMAN and CoNLL-U, objects, networks, frames
            (:mod:`graphscore.inputs`).  The outermost list holds items.  Several of
            these to the same items are :class:`~graphscore.References`.
        system: likewise; units pair by framework, language and id, lists by order.
            Several runs of one system are :class:`~graphscore.Runs`.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of the frameworks that are there.
        ends: of spans of tokens, whether they say their last token or the one after.
        options: how items and details are kept; both are by default.
        executor: any ``concurrent.futures.Executor`` to run on.
        words: ``framework``, ``language``, ``layer``, ``item`` select graphs; a metric
            scores those that it is made for, and others only where ``framework`` names
            them.  ``where`` is a pattern such as ``pattern { V -[ARG2]-> A }``: only
            items count in whose gold graph it is found; ``within``: only tuples about
            what it binds.  ``pair``, ``ids``: which units pair; ``limit``,
            ``time_limit``: of the search; ``jobs``: worker processes; ``references``;
            ``format`` of the files; ``of``: the class of dicts and files; ``labels``:
            names of tags that are numbers.  ``by``: columns that tables and rows are
            broken down by, as ``framework,language``; ``ci``: intervals, of 95 % or
            of the level that it is.

    Returns:
        A result, or a list with one per metric where several were given, or where
        none was and there are several defaults.

    Warns:
        LossWarning: if records of the system cannot be read and count as missing; the
            same is said by ``repr`` and the notes of the result.

    Raises:
        InputError: if gold cannot be used; every problem is named.
        TypeError: if a side is nothing that is taken, or fits two readings.
        PairingError: if nothing pairs.
        UsageError: if a metric is unknown, or a pattern is wrong.

    Example:
        >>> from graphscore import Graph, Node
        >>> gold = Graph("1", "amr", 2, nodes=(Node(0, "dog"), Node(1, "bark-01")))
        >>> system = Graph("1", "amr", 2, nodes=(Node(0, "dog"), Node(1, "bark-02")))
        >>> result = score([gold], [system])
        >>> result.counts["labels"].f1, result.per_item[0].proven
        (0.5, True)
        >>> score([["B-PER", "I-PER", "O"]], [[("PER", 0, 0)]], "ner").f1
        0.0
    """
    by, ci = words.pop("by", None), words.pop("ci", False)
    known = "ends", "options", "by", "ci"
    options = options_of("score", options or _DEFAULT, words, known)
    metrics, alone = parse_all(metric)
    several = metrics is not None and not alone
    if (
        not isinstance(metric, str)
        or ":" in metric
        or any(
            isinstance(side, str | PathLike | References | Runs)
            for side in (gold, system)
        )
    ):
        options = into_class(options, metric, gold, system)
    how = metrics, options, ends, executor
    if isinstance(system, Runs):
        # Few have several.
        from graphscore.evaluation.several.runs import put_together

        gold = list(gold) if isinstance(gold, Iterator) else gold
        runs = [_results(gold, run, *how) for run in system.systems]
        [results] = put_together(runs, [(system.name, len(system))])
    else:
        results = _results(gold, system, *how)
    if by is not None or ci:
        results = [_broken_down(result, by, ci) for result in results]
    note_losses(results, stacklevel=3)
    return results if several or len(results) != 1 else results[0]


def _results(
    gold: Any,
    system: Any,
    metrics: list[Metric] | None,
    options: Options,
    ends: Ends,
    executor: Executor | None,
) -> list[Result]:
    """A result by each metric."""
    readings = options.reading, options.system_reading or options.reading
    scored = frameworks_of(metrics)
    with rarely_collected():
        if isinstance(gold, References):
            return score_references(
                gold,
                system,
                metrics,
                options,
                executor,
                sides=lambda gold, system: sides(gold, system, ends, readings, scored)[
                    :2
                ],
            )
        gold, system, cls = sides(gold, system, ends, readings, scored)
        if metrics is None and cls is not None:
            metrics = [parse(cls)]
        return score_files(gold, system, metrics, options, executor=executor)


def _broken_down(
    result: Result, by: str | Sequence[str] | None, ci: bool | float
) -> Result:
    """A result whose tables and rows have other columns, or intervals."""
    if by is not None:
        names = by.split(",") if isinstance(by, str) else by
        columns = [name.strip().replace("-", "_") for name in names]
        result.columns = tuple(name for name in columns if name != "tuple_type")
        result.by(*result.columns)
    if ci:
        level = {} if ci is True else {"level": ci}
        result = computing("intervals")(result, result.columns, **level)
    return result


def into_class(options: Options, metric: Any, *sides: Any) -> Options:
    """Options by which files are read into the class that is scored, if there is one.

    A class is named as a metric; or it is that of the objects of another side, unless a
    file holds graphs, which may be of such objects.

    Args:
        options: how is scored; a format that they name goes before the class.
        metric: what scores, as it was given: one, several, or nothing.
        sides: gold and systems, as they were given.

    Raises:
        UsageError: if a metric is unknown.

    Example:
        >>> from graphscore.structures.coreference import EntitySet
        >>> options = into_class(Options(), EntitySet, "gold.jsonl", "system.jsonl")
        >>> options.reading.format is EntitySet
        True
    """
    alone = isinstance(metric, str | Metric) or not isinstance(metric, Sequence)
    classes = {_class_of(choice) for choice in ([metric] if alone else metric)} - {None}
    paths = [str(side) for side in sides if isinstance(side, str | PathLike)]
    if not classes and all(suffix_of(path) != _GRAPHS for path in paths):
        held = [side[0] for side in sides if isinstance(side, list | tuple) and side]
        classes = {type(value) for value in held if is_class(type(value))}
    if len(classes) != 1:
        return options
    [cls] = classes
    reading, system_reading = options.reading, options.system_reading or options.reading
    return replace(
        options,
        reading=replace(reading, format=reading.format or cls),
        system_reading=replace(system_reading, format=system_reading.format or cls),
    )


def _class_of(metric: Any) -> Any:
    """The class that a metric is derived from, or where it is; if it is such a one."""
    if isinstance(metric, type):
        from graphscore.structures.objects.models import as_dataclass

        metric = as_dataclass(metric)
    if is_class(metric):
        return None if issubclass(metric, Metric) else metric
    if isinstance(metric, str) and ":" in metric:
        metric = parse(metric)
    return metric.name if getattr(metric, "of_class", False) else None
