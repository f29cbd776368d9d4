"""Scoring from Python in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, overload

from graphscore.errors import expecting
from graphscore.evaluation.files import score_files
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from graphscore.similarity import Similarity

_DEFAULT = Options(per_item=True, details=True, parts=True)


# Several frameworks give several results: who does not name a metric and knows that
# there is one framework need not ask.
@overload
def score(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    metric: None = ...,
    *,
    options: Options = ...,
    jobs: int | None = ...,
    executor: Executor | None = ...,
) -> Result | Any: ...
@overload
def score(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    metric: str | Metric | Similarity,
    *,
    options: Options = ...,
    jobs: int | None = ...,
    executor: Executor | None = ...,
) -> Result: ...
@overload
def score(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    metric: list[Any] | tuple[Any, ...],
    *,
    options: Options = ...,
    jobs: int | None = ...,
    executor: Executor | None = ...,
) -> list[Result]: ...


@expecting(
    gold=str | Iterable, system=str | Iterable, options=Options, jobs=Integral | None
)
def score(
    gold: str | Sequence[Graph],
    system: str | Sequence[Graph],
    metric: (
        str | Metric | Similarity | Sequence[str | Metric | Similarity] | None
    ) = None,
    *,
    options: Options = _DEFAULT,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> Result | list[Result]:
    """Score a system against gold.

    Args:
        gold: graphs, or a file, directory or glob of any known format.
        system: likewise; units pair by framework, language and id.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of the frameworks that are there.
        options: selection, pairing, budget; results per item are kept by default.
        jobs: worker processes, instead of ``options.jobs``.
        executor: any ``concurrent.futures.Executor`` to run on.

    Returns:
        A result, or a list with one per metric where several were given, or where
        none was and there are several defaults.

    Raises:
        InputError: if gold cannot be used; every problem is named.
        PairingError: if nothing pairs.
        UsageError: if a metric is unknown.

    Example:
        >>> from graphscore import Graph, Node
        >>> gold = Graph("1", "amr", 2, nodes=(Node(0, "dog"), Node(1, "bark-01")))
        >>> system = Graph("1", "amr", 2, nodes=(Node(0, "dog"), Node(1, "bark-02")))
        >>> result = score([gold], [system])
        >>> result.counts["labels"].f1, result.per_item[0].proven
        (0.5, True)
    """
    if jobs is not None:
        options = replace(options, jobs=jobs)
    if metric is None:
        results = score_files(gold, system, None, options, executor=executor)
        return results[0] if len(results) == 1 else results
    if isinstance(metric, str | Metric) or not isinstance(metric, Sequence):
        [result] = score_files(
            gold, system, [parse(metric)], options, executor=executor
        )
        return result
    metrics = [parse(each) for each in metric]
    return score_files(gold, system, metrics, options, executor=executor)
