"""How sure a figure is, whether two differ, and whether one agrees with another.

:mod:`~graphscore.statistics.intervals` resamples summed masses,
:mod:`~graphscore.statistics.correlation` holds scores of items against an outcome
from elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.statistics.correlation import (
        Correlated,
        Correlation,
        correlate,
        kendall,
        pearson,
        ranks,
        read_outcomes,
        spearman,
    )
    from graphscore.statistics.intervals import (
        Interval,
        Significance,
        Table,
        approximate_randomization,
        figure_of,
        interval,
        mass_table,
        paired_bootstrap,
        resamples,
    )

__all__ = [
    "Correlated",
    "Correlation",
    "Interval",
    "Significance",
    "Table",
    "approximate_randomization",
    "correlate",
    "figure_of",
    "interval",
    "kendall",
    "mass_table",
    "paired_bootstrap",
    "pearson",
    "ranks",
    "read_outcomes",
    "resamples",
    "spearman",
]

__getattr__ = lazily(
    __name__,
    {
        "correlation": (
            "Correlated Correlation correlate kendall pearson ranks read_outcomes "
            "spearman"
        ),
        "intervals": (
            "Interval Significance Table approximate_randomization figure_of interval "
            "mass_table paired_bootstrap resamples"
        ),
    },
)
