"""What moved through gold, asked of a store: only what changed is scored again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from graphscore.errors import PairingError, UsageError
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.stored import Store
from graphscore.metrics.base import Metric
from graphscore.statistics.comparison import LEVEL, SAMPLES, distinct
from graphscore.statistics.goldchange import gold_change
from graphscore.statistics.goldchanged import GoldChange
from graphscore.statistics.goldsides import Prints
from graphscore.statistics.resampling import SEED, check_samples
from graphscore.store.reading.golds import fingerprints


class GoldChanges(NamedTuple):
    """What moved by each metric."""

    found: list[GoldChange]
    """One by each metric."""
    notes: list[str]
    """Metrics by which nothing could be said, a sentence each."""


def gold_changes(
    store: Store,
    golds: Sequence[str],
    systems: Sequence[str],
    metrics: Sequence[Metric] | None = None,
    figure: str = "",
    *,
    over: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    options: Options | None = None,
) -> GoldChanges:
    """Score systems against two golds of a store, and say what moved.

    Args:
        store: open for writing.
        golds: names of the old and of the new gold.
        systems: names of the systems.
        metrics: what scores; ``None`` for the default metrics of what is there.
        figure: which figure, as for ``--fail-under``; what stands for each metric
            where it is empty.
        over: what a mean ``macro`` is over; frameworks without.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        options: selection, pairing, budget.

    Returns:
        What moved, by every metric that scored all systems against both golds.

    Raises:
        UsageError: unless there are two golds, which differ, and a system, or if a
            collection or figure is unknown.
        PairingError: if nothing pairs, or no metric scored everything.
    """
    check_samples(samples, level)
    if len(golds) != 2 or golds[0] == golds[1]:
        raise UsageError(
            f"golds {', '.join(golds) or 'none'}: expected two, the old and the new one"
        )
    if not systems:
        raise UsageError("no system to hold against both golds; name one")
    chosen = options or Options(per_item=True, parts=True)
    listed = list(metrics) if metrics is not None else None
    old, new = (
        [store.score(gold, each, listed, chosen) for each in systems] for gold in golds
    )
    return held_against(
        store,
        golds,
        systems,
        old,
        new,
        figure=figure,
        over=over,
        samples=samples,
        seed=seed,
        level=level,
    )


def held_against(
    store: Store,
    golds: Sequence[str],
    systems: Sequence[str],
    old: Sequence[Sequence[Result]],
    new: Sequence[Sequence[Result]],
    **asked: Any,
) -> GoldChanges:
    """Say what moved, of systems that have been scored against both golds.

    Args:
        store: where they were.
        golds: names of the old and of the new gold.
        systems: names of the systems.
        old: the results of each system against the old gold, with items.
        new: against the new gold.
        asked: as for :func:`~graphscore.statistics.goldchange.gold_change`.

    Returns:
        What moved, by every metric that scored all systems against both golds.

    Raises:
        UsageError: if a metric has no such figure.
        PairingError: if no metric scored everything.
    """
    notes, found = [], []
    for metric in dict.fromkeys(each.metric for mine in (*old, *new) for each in mine):
        sides = [
            [next((r for r in mine if r.metric == metric), None) for mine in side]
            for side in (old, new)
        ]
        there = [[each for each in side if each and not each.nothing] for side in sides]
        if any(len(side) < len(systems) for side in there):
            notes.append(f"{metric}: it did not score every system against both golds")
            continue
        prints = [_prints(store, golds, each, metric) for each in systems]
        found.append(
            gold_change(
                there[0],
                there[1],
                prints,
                names=distinct(systems),
                **asked,
            )
        )
    if not found:
        raise PairingError("; ".join(notes))
    return GoldChanges(found, notes)


def _prints(
    store: Store, golds: Sequence[str], system: str, metric: Metric
) -> tuple[Prints, Prints]:
    old, new = (fingerprints(store.query, gold, system, str(metric)) for gold in golds)
    return old, new
