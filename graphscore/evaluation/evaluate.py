"""The evaluation of a system against gold: one loop over what is paired.

It is the same whatever the sides are (files, graphs in memory, a store) and wherever
pairs are compared (here, or by workers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.run import EvaluationRun, Listener, OutcomeSink
from graphscore.evaluation.sources.base import UnitSource
from graphscore.evaluation.tasks import executor_for
from graphscore.exceptions import expect
from graphscore.formats.base import Takes
from graphscore.metrics.base import Metric, unit_of
from graphscore.metrics.base import Unit as UnitKind

if TYPE_CHECKING:
    from concurrent.futures import Executor

KINDS: tuple[UnitKind, ...] = ("item", "document", "collection")


def evaluate(
    gold: UnitSource,
    system: UnitSource,
    metrics: Sequence[Metric],
    options: Options,
    *,
    executor: Executor | None = None,
    sink: Callable[[], OutcomeSink] | None = None,
    listener: Listener | None = None,
    scored: Takes | None = None,
) -> list[Result]:
    """Score a system against gold with several metrics.

    Metrics over items take one pass together, metrics over documents another, and
    metrics over collections a third.

    Args:
        gold: where gold units come from.
        system: where those of the system come from.
        metrics: what to score with.
        options: how.
        executor: where batches are compared; by default ``options.jobs`` decides.
        sink: makes what keeps the outcomes of a pass; without, they are only added up.
        listener: is told of every scored gold unit, in order of pairing.
        scored: which frameworks are scored at all, so that nothing is said of graphs
            that another call scores; by default those of the metrics.

    Returns:
        One result per metric.

    Raises:
        InputError: if gold has a bad record or a duplicate; all are listed.
        PairingError: if nothing pairs.
    """
    for metric in metrics:
        if not isinstance(metric, Metric):
            expect(metric, Metric, "a metric")
    counts = scored or (lambda name: any(options.takes(m, name) for m in metrics))
    kinds: dict[UnitKind, list[Metric]] = {kind: [] for kind in KINDS}
    for metric in metrics:
        kinds[unit_of(metric)].append(metric)
    results: dict[Metric, Result] = {}
    alone = options.jobs <= 1 or executor is not None
    with nullcontext(executor) if alone else executor_for(options.jobs) as pool:
        for kind, group in kinds.items():
            if group:
                evaluation_run = EvaluationRun(gold, system, group, options, kind)
                if sink or listener or not (pool and _shared_out(evaluation_run, pool)):
                    evaluation_run.run(pool, sink() if sink else None, listener)
                evaluation_run.finish(counts)
                results.update(zip(group, evaluation_run.results, strict=True))
    return [results[metric] for metric in metrics]


def _shared_out(evaluation: EvaluationRun, executor: Executor) -> bool:
    """Split the evaluation among workers; return whether they completed all of it."""
    # Only where there are workers.
    from graphscore.evaluation.sharing.shares import shared_out
    from graphscore.evaluation.sharing.workers import Readers

    return isinstance(executor, Readers) and shared_out(evaluation, executor)
