"""``graphscore score --ci``: confidence intervals beside the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.options import bundle
from graphscore.cli.verb import OneOf
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result


@dataclass(frozen=True)
class IntervalOptions:
    """Whether intervals are wanted, and how they are found."""

    ci: bool = False
    samples: int | None = None
    seed: int | None = None
    level: float | None = None
    cluster: str | None = None

    def check(self) -> None:
        """Refuse settings of intervals that nobody asked for.

        Raises:
            UsageError: if there are any.
        """
        for name in () if self.ci else ("samples", "seed", "level", "cluster"):
            if getattr(self, name) is not None:
                raise UsageError(f"--{name} goes with --ci")

    def added(self, results: Sequence[Result], by: Sequence[str]) -> list[Result]:
        """Results with intervals, where they are wanted.

        Args:
            results: one per system and metric, with items.
            by: what tables have rows for, as for ``--by``.
        """
        if not self.ci:
            return list(results)
        from graphscore.statistics.uncertainty import with_intervals

        named = ("samples", "seed", "level", "cluster")
        settings: dict[str, Any] = {
            name: getattr(self, name)
            for name in named
            if getattr(self, name) is not None
        }
        return [with_intervals(each, by, **settings) for each in results]


interval_options = bundle(
    "intervals",
    IntervalOptions,
    click.option(
        "--ci",
        is_flag=True,
        help="Add confidence intervals (percentile bootstrap over units).",
    ),
    click.option(
        "--samples",
        type=click.IntRange(1),
        metavar="N",
        help="With --ci: bootstrap samples that are drawn.  [default: 10000]",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        metavar="N",
        help="With --ci: what the draws start from.  [default: 12345]",
    ),
    click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="X",
        help="With --ci: level of the intervals.  [default: 0.95]",
    ),
    click.option(
        "--cluster",
        type=OneOf(["document"]),
        help="With --ci: draw all of a document together.",
    ),
)
"""Adds ``intervals``: an :class:`IntervalOptions`."""
