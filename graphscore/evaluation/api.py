"""Scoring from Python in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from graphscore.errors import expecting
from graphscore.evaluation.files import score_files, score_references
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.result import Result
from graphscore.formats.own import is_class
from graphscore.formats.source import suffix_of
from graphscore.inputs.alignment import sides
from graphscore.inputs.base import Ends
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.similarity import Similarity

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
    options: Options = ...,
    jobs: int | None = ...,
    executor: Executor | None = ...,
) -> Result | Any: ...
@overload
def score(
    gold: Any,
    system: Any,
    metric: str | Metric | Similarity,
    *,
    ends: Ends = ...,
    options: Options = ...,
    jobs: int | None = ...,
    executor: Executor | None = ...,
) -> Result: ...
@overload
def score(
    gold: Any,
    system: Any,
    metric: list[Any] | tuple[Any, ...],
    *,
    ends: Ends = ...,
    options: Options = ...,
    jobs: int | None = ...,
    executor: Executor | None = ...,
) -> list[Result]: ...


@expecting(ends=str, options=Options, jobs=Integral | None)
def score(
    gold: Any,
    system: Any,
    metric: (
        str | Metric | Similarity | Sequence[str | Metric | Similarity] | None
    ) = None,
    *,
    ends: Ends = "inclusive",
    options: Options = _DEFAULT,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> Result | list[Result]:
    """Score a system against gold.

    Args:
        gold: a file, directory or glob of any known format (a ``str`` always is one),
            graphs, or what programs hold: lists of tags, spans or clusters, spaCy
            documents, PENMAN and CoNLL-U, objects, networks, frames
            (:mod:`graphscore.inputs`).  The outermost list holds items.  Several of
            these to the same items are :class:`~graphscore.References`.
        system: likewise; units pair by framework, language and id, lists by order.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of the frameworks that are there.
        ends: of spans of tokens, whether they say their last token or the one after.
        options: selection, pairing, budget; results per item are kept by default.
        jobs: worker processes, instead of ``options.jobs``.
        executor: any ``concurrent.futures.Executor`` to run on.

    Returns:
        A result, or a list with one per metric where several were given, or where
        none was and there are several defaults.

    Raises:
        InputError: if gold cannot be used; every problem is named.
        TypeError: if a side is nothing that is taken, or fits two readings.
        PairingError: if nothing pairs.
        UsageError: if a metric is unknown.

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
    if jobs is not None:
        options = replace(options, jobs=jobs)
    several = not isinstance(metric, str | Metric) and isinstance(metric, Sequence)
    named: Any = None if metric is None else metric if several else [metric]
    metrics = None if named is None else [metric_of(each) for each in named]
    classes = [
        given if is_class(given) else found.name
        for given, found in zip(named or (), metrics or (), strict=True)
        if is_class(given) or getattr(found, "of_class", False)
    ]
    options = _of_objects(options, gold, system, classes)
    readings = options.reading, options.system_reading or options.reading
    if isinstance(gold, References):
        results = score_references(
            gold,
            system,
            metrics,
            options,
            executor,
            sides=lambda one, other: sides(one, other, ends, readings)[:2],
        )
    else:
        gold, system, cls = sides(gold, system, ends, readings)
        if metrics is None and cls is not None:
            from graphscore.metrics.derived import derived_metric

            metrics = [derived_metric(cls)]
        results = score_files(gold, system, metrics, options, executor=executor)
    return results if several or len(results) != 1 else results[0]


def _of_objects(
    options: Options, gold: Any, system: Any, classes: Sequence[Any]
) -> Options:
    """Options by which files are read into the class that is scored, if there is one.

    Where only the other side says which, graphs of its objects may be in a file, too.
    """
    read = {*classes}
    paths = [str(x) for x in (gold, system) if isinstance(x, str | PathLike)]
    if not read and paths and suffix_of(paths[0]) != ".mrp":
        held = [x[0] for x in (gold, system) if isinstance(x, list | tuple) and x]
        read = {type(each) for each in held if is_class(type(each))}
    if len(read) != 1:
        return options
    [cls] = read
    reading, other = options.reading, options.system_reading or options.reading
    return replace(
        options,
        reading=replace(reading, format=reading.format or cls),
        system_reading=replace(other, format=other.format or cls),
    )


def metric_of(given: Any) -> Metric:
    """A metric as people name it.

    Args:
        given: a metric, its string, a formula, or the dataclass whose objects it is
            about.

    Raises:
        UsageError: if it is unknown.
    """
    if is_class(given):
        from graphscore.metrics.derived import derived_metric

        return derived_metric(given)
    return parse(given)
