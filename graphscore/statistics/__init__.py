"""How sure a figure is, whether two differ, and whether one agrees with another.

:mod:`~graphscore.statistics.intervals` resamples summed masses,
:mod:`~graphscore.statistics.comparison` says which of several systems differ,
:mod:`~graphscore.statistics.correlation` holds scores of items against an outcome
from elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.statistics.changes import (
        Change,
        ChangedKind,
        ChangedTuple,
        ChangedUnit,
        Changes,
        error_changes,
    )
    from graphscore.statistics.comparison import Comparison, compare_results
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
    from graphscore.statistics.draws import resamples
    from graphscore.statistics.intervals import (
        Interval,
        Significance,
        approximate_randomization,
        figure_of,
        interval,
        paired_bootstrap,
    )
    from graphscore.statistics.tables import Table, mass_table

__all__ = [
    "Change",
    "ChangedKind",
    "ChangedTuple",
    "ChangedUnit",
    "Changes",
    "Comparison",
    "Correlated",
    "Correlation",
    "Interval",
    "Significance",
    "Table",
    "approximate_randomization",
    "compare_results",
    "correlate",
    "error_changes",
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
        "changes": (
            "Change ChangedKind ChangedTuple ChangedUnit Changes error_changes"
        ),
        "comparison": "Comparison compare_results",
        "correlation": (
            "Correlated Correlation correlate kendall pearson ranks read_outcomes "
            "spearman"
        ),
        "draws": "resamples",
        "intervals": (
            "Interval Significance approximate_randomization figure_of interval "
            "paired_bootstrap"
        ),
        "tables": "Table mass_table",
    },
)
