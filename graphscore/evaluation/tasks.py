"""Comparing batches of pairs, here or on any executor.

Batches come back in the order in which they were sent, whatever the number of
workers, so the outcome is the same byte for byte.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.evaluation.unit import NO_SHARES, Shares
from graphscore.metrics.base import Metric
from graphscore.metrics.traits import (
    Batched,
    SumsOver,
    sums_over,
    trait,
)
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error, Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor

BATCH = 32
"""Pairs per task: enough to hide the cost of handing them over."""

AHEAD = 4
"""Batches in flight per worker."""


class Task(NamedTuple):
    """A batch of pairs for metrics of one layout."""

    metrics: tuple[Metric, ...]
    pairs: tuple[tuple[tuple[Graph, ...], tuple[Graph, ...]], ...]
    """Graphs of both sides of each pair, in order; empty where missing."""
    budget: Budget
    details: bool
    parts: bool = False
    """Request the raw counts of the gold graphs from metrics that have them."""
    timed: bool = False
    """Request the time of each outcome, which a store keeps."""


class Timed(NamedTuple):
    """An outcome and the processor time that it took."""

    outcome: Outcome
    microseconds: int
    """Its share of the batch where a metric compares many together; 0 where it was not
    requested."""
    parts: Shares = NO_SHARES
    """Counts of every gold graph, where requested and known."""


def run_task(task: Task) -> list[Timed]:
    """Compare a batch of pairs; runs in this process or in a worker.

    Returns:
        Outcomes of every pair, for each one those of all metrics in order.  The
        first metric's time has the preparing in it.
    """
    if all(trait(metric, Batched).batched for metric in task.metrics):
        return _run_together(task)
    prepare, budget, details = task.metrics[0].prepare, task.budget, task.details
    metrics = [(metric, task.parts and sums_over(metric)) for metric in task.metrics]
    outcomes = []
    clock = time.thread_time_ns if task.timed else _NO_TIME
    start = clock()
    for gold, system in in_one_text(task):
        prepared_gold = tuple(map(prepare, gold))
        prepared_system = tuple(map(prepare, system))
        for metric, parted in metrics:
            outcome = metric.compare(
                prepared_gold, prepared_system, budget=budget, details=details
            )
            end = clock()
            parts = NO_SHARES
            if parted:
                sides = prepared_gold, prepared_system
                parts = _shares(task, metric, *sides, outcome.errors)
            outcomes.append(Timed(outcome, (end - start) // 1000, parts))
            start = clock() if parts.raw_counts else end
    return outcomes


_NO_TIME: Callable[[], int] = repeat(0).__next__
"""The clock of who does not ask for times."""


def _shares(
    task: Task,
    metric: Metric,
    gold: Sequence[Any],
    system: Sequence[Any],
    errors: Sequence[Error],
) -> Shares:
    shared = trait(metric, SumsOver)
    if not (task.parts and shared.sums_over):
        return NO_SHARES
    raw_counts = shared.shares(gold, system, budget=task.budget)
    if not errors:
        return Shares(raw_counts)
    return Shares(raw_counts, shared.places(gold, system, errors, budget=task.budget))


def shares_of(task: Task, errors: Iterable[Sequence[Error]]) -> list[Shares]:
    """Return the counts of the gold graphs of every pair, by a task's only metric.

    For pairs whose outcome is known already.

    Args:
        task: the pairs.
        errors: of each of them.
    """
    [metric] = task.metrics
    shares = []
    for (gold, system), error in zip(in_one_text(task), errors, strict=True):
        sides = tuple(map(metric.prepare, gold)), tuple(map(metric.prepare, system))
        shares.append(_shares(task, metric, *sides, error))
    return shares


def in_one_text(
    task: Task,
) -> Iterable[tuple[tuple[Graph, ...], tuple[Graph, ...]]]:
    """Return the pairs, with the system in the text of gold where words differ.

    Args:
        task: the pairs, whose metrics compare by tokens or not.
    """
    return (
        map(_in_text_of_gold, task.pairs)
        if task.metrics[0].spans_by == "tokens"
        else task.pairs
    )


def _in_text_of_gold(
    pair: tuple[tuple[Graph, ...], tuple[Graph, ...]],
) -> tuple[tuple[Graph, ...], tuple[Graph, ...]]:
    """Return a pair, with the system in the text of gold where only words differ."""
    gold, system = pair
    if len(gold) == len(system) == 1:
        if gold[0].text == system[0].text:
            return pair
        partners: Iterable[Graph | None] = gold
    else:
        by_id = {graph.id: graph for graph in gold}
        partners = [by_id.get(graph.id) for graph in system]
    if all(
        partner is None or partner.text == graph.text
        for partner, graph in zip(partners, system, strict=True)
    ):
        return pair
    # Few systems have another text.
    from graphscore.model.token_variants import move_ranges, same_words

    return gold, tuple(
        graph
        if partner is None or not same_words(partner, graph)
        else move_ranges(graph, partner)
        for partner, graph in zip(partners, system, strict=True)
    )


def _run_together(task: Task) -> list[Timed]:
    """Compare a batch as a whole; its time is shared among its pairs."""
    clock = time.thread_time_ns if task.timed else _NO_TIME
    start = clock()
    prepare = task.metrics[0].prepare
    pairs = [
        (tuple(map(prepare, gold)), tuple(map(prepare, system)))
        for gold, system in in_one_text(task)
    ]
    columns: list[list[Timed]] = []
    for metric in task.metrics:
        together = trait(metric, Batched).compare_many
        outcomes = together(pairs, budget=task.budget, details=task.details)
        end = clock()
        microseconds = (end - start) // 1000 // max(len(pairs), 1)
        columns.append(
            [
                Timed(
                    outcome, microseconds, _shares(task, metric, *pair, outcome.errors)
                )
                for outcome, pair in zip(outcomes, pairs, strict=True)
            ]
        )
        start = clock()
    return [timed for row in zip(*columns, strict=True) for timed in row]


FEW = 8
"""Workers that may be started however few processors there are."""


def workers_of(jobs: int) -> int:
    """Return the number of workers to start.

    More than twice as many as there are processors only take memory, and a thousand
    take half a minute to start; the outcome is the same for any number.

    Args:
        jobs: how many are asked for.

    Example:
        >>> workers_of(2), workers_of(10**9) < 10**6
        (2, True)
    """
    return min(jobs, max(FEW, 2 * (os.cpu_count() or 1)))


@contextmanager
def executor_for(
    jobs: int, executor: Executor | None = None
) -> Iterator[Executor | None]:
    """The executor to run on: the caller's, a process pool, or none."""
    if executor is not None or jobs <= 1:
        yield executor
        return
    # Only where there are workers: it brings multiprocessing along.
    from multiprocessing import active_children

    from graphscore.evaluation.sharing.workers import Workers

    others = {child.pid for child in active_children()}
    with Workers(workers_of(jobs), _begin_worker) as pool:
        try:
            yield pool
        except KeyboardInterrupt:
            # Nobody waits for what the workers are at.
            for child in active_children():
                if child.pid not in others:
                    child.terminate()
            raise


def _begin_worker() -> None:
    """Leave interrupts to the process that started the workers, and end with it.

    Who scores over a store keeps the garbage collector out, but only there.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.enable()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Nobody takes what a worker finds when the process that asked was killed."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def families(metrics: Sequence[Metric]) -> list[list[int]]:
    """Positions of metrics that take each other's prepared graphs.

    Example:
        >>> from graphscore.metrics.registry import parse
        >>> families([parse(name) for name in ("muc", "mrp", "b3")])
        [[0, 2], [1]]
    """
    result: dict[object, list[int]] = {}
    for number, metric in enumerate(metrics):
        key = (metric.layout, metric.frameworks, metric.made_for, metric.spans_by)
        result.setdefault(key, []).append(number)
    return list(result.values())
