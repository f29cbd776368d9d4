"""``graphscore score --ci``: confidence intervals beside the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.bundles import Bundle, bundle, option
from graphscore.cli.command import OneOf

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result


class IntervalOptions(Bundle):
    """Options of confidence intervals."""

    ci: bool = option(
        "--ci",
        default=False,
        is_flag=True,
        help="Add confidence intervals (percentile bootstrap over units).",
    )
    samples: int | None = option(
        "--samples",
        needs=["ci"],
        type=click.IntRange(1),
        metavar="N",
        help="Set the number of bootstrap samples.  [default: 10000]",
    )
    seed: int | None = option(
        "--seed",
        needs=["ci"],
        type=click.IntRange(0),
        metavar="N",
        help="Set the random seed.  [default: 12345]",
    )
    level: float | None = option(
        "--level",
        needs=["ci"],
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="X",
        help="Set the confidence level.  [default: 0.95]",
    )
    cluster: str | None = option(
        "--cluster",
        needs=["ci"],
        type=OneOf(["document"]),
        help="Resample whole documents.",
    )

    def added(self, results: Sequence[Result], by: Sequence[str]) -> list[Result]:
        """Results with intervals.

        Args:
            results: one per system and metric, with items.
            by: what tables have rows for, as for ``--by``.
        """
        from graphscore.statistics.uncertainty import with_intervals

        named = ("samples", "seed", "level", "cluster")
        settings: dict[str, Any] = {
            name: getattr(self, name)
            for name in named
            if getattr(self, name) is not None
        }
        return [with_intervals(result, by, **settings) for result in results]


interval_options = bundle("intervals", IntervalOptions)
"""Adds ``intervals``: an :class:`IntervalOptions`."""
