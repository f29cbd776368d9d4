"""Ranks of all systems of a task, made when the set of its evaluations has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.statistics.comparison import Comparison
from graphscore.statistics.comparisons import ComparisonOptions, comparisons_of
from graphscore.store.evaluations import find_evaluations
from graphscore.store.rankings import ALL, Rank, is_ranked, save_ranks

if TYPE_CHECKING:
    from graphscore.evaluation.store import Store

SAMPLES = 1_000
"""Samples that the intervals and tests of a leaderboard are made of."""


def rank_systems(
    store: Store,
    results: Sequence[Sequence[Result]],
    options: Options,
    say: Callable[[str], object] = lambda _: None,
) -> None:
    """Rank systems by every metric that scored all of them, and keep the ranks.

    Nothing is done where the ranks were made from the same evaluations.

    Args:
        store: where the evaluations are; open for writing if there is something to do.
        results: of each system, as the store scored them with these options.
        options: how they were scored.
        say: is told of metrics by which systems cannot be ranked.
    """
    listed = replace(options, per_item=True, parts=True)
    tasks = {
        (result.gold, str(result.metric), str(result.scope)): result
        for of_system in results
        for result in of_system
        if not result.nothing
    }
    for (gold, metric, scope), result in tasks.items():
        with store._database.reading() as connection:
            every = find_evaluations(connection, gold=gold, metric=metric, scope=scope)
            if len(every) < 2 or is_ranked(connection, every):
                continue
        scored = [
            store.evaluate(gold, x.system, [result.metric], listed, stored=True)
            for x in every
        ]
        by = ("framework",) if len(result.frameworks) > 1 else ()
        comparison_options = ComparisonOptions(samples=SAMPLES, by=by)
        [comparison] = comparisons_of(
            scored, comparison_options, [x.system for x in every]
        )
        ranks = {ALL: _ranks(comparison)}
        for group in comparison.groups:
            ranks[group.slice["framework"]] = _ranks(group)
        say(f"ranked {len(every)} systems by {metric}")
        with store._database.writing() as connection:
            score, signature = comparison.score, comparison.signature
            save_ranks(connection, every, score, signature, ranks)


def _ranks(comparison: Comparison) -> list[Rank]:
    cluster = {
        system: number
        for number, systems in enumerate(comparison.clusters, 1)
        for system in systems
    }
    return [
        Rank(
            system.system,
            system.low,
            system.high,
            system.rank,
            system.rank_low,
            system.rank_high,
            cluster[system.system],
        )
        for system in comparison.systems
    ]
