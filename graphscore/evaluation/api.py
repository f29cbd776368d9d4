"""Scoring from Python in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, overload

from graphscore.errors import expecting
from graphscore.evaluation.files import score_files, score_references
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.result import Result
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
    readings = options.reading, options.system_reading or options.reading
    several = not isinstance(metric, str | Metric) and isinstance(metric, Sequence)
    named: Any = None if metric is None else metric if several else [metric]
    metrics = None if named is None else [metric_of(each) for each in named]
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
            metrics = [derived_metric(cls)]
        results = score_files(gold, system, metrics, options, executor=executor)
    return results if several or len(results) != 1 else results[0]


def metric_of(given: Any) -> Metric:
    """A metric as people name it.

    Args:
        given: a metric, its string, a formula, or the dataclass whose objects it is
            about.

    Raises:
        UsageError: if it is unknown.
    """
    if isinstance(given, type) and is_dataclass(given):
        return derived_metric(given)
    return parse(given)


def derived_metric(cls: type[Any]) -> Metric:
    """The metric that is derived from a dataclass, under the name of the class.

    Args:
        cls: a dataclass.

    Raises:
        FormulaError: if its fields say nothing that can be compared.

    Example:
        >>> from graphscore.structures.coreference import EntitySet
        >>> str(derived_metric(EntitySet))
        'EntitySet'
    """
    from graphscore.metrics.formula import suite
    from graphscore.similarity import derive

    return suite(cls.__qualname__.rpartition(".")[2], derive(cls))
