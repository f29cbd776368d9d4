"""Statistics of scores: confidence intervals, tests, comparisons, agreement.

:mod:`~graphscore.statistics.intervals` resamples summed raw counts,
:mod:`~graphscore.statistics.comparison` says which of several systems differ,
:mod:`~graphscore.statistics.cross_framework` holds systems against one another in
several frameworks, and :mod:`~graphscore.statistics.coefficients` says how far
annotators agree beyond chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.statistics.changes import (
        Change,
        ChangedTuple,
        ChangedTupleType,
        ChangedUnit,
        Changes,
        error_changes,
    )
    from graphscore.statistics.coefficients import (
        cohen_kappa,
        fleiss_kappa,
        krippendorff_alpha,
    )
    from graphscore.statistics.comparison import Comparison, compare_results
    from graphscore.statistics.cross_framework import across
    from graphscore.statistics.cross_framework_result import CrossFrameworkResult
    from graphscore.statistics.intervals import (
        Interval,
        Significance,
        approximate_randomization,
        interval,
        paired_bootstrap,
        score_of,
    )
    from graphscore.statistics.leaderboard import rank_systems
    from graphscore.statistics.sampling import resamples
    from graphscore.statistics.tables import Table, raw_count_table

__all__ = [
    "Change",
    "ChangedTuple",
    "ChangedTupleType",
    "ChangedUnit",
    "Changes",
    "Comparison",
    "CrossFrameworkResult",
    "Interval",
    "Significance",
    "Table",
    "across",
    "approximate_randomization",
    "cohen_kappa",
    "compare_results",
    "error_changes",
    "fleiss_kappa",
    "interval",
    "krippendorff_alpha",
    "paired_bootstrap",
    "rank_systems",
    "raw_count_table",
    "resamples",
    "score_of",
]

__getattr__ = lazily(
    __name__,
    {
        "changes": (
            "Change ChangedTupleType ChangedTuple ChangedUnit Changes error_changes"
        ),
        "coefficients": "cohen_kappa fleiss_kappa krippendorff_alpha",
        "comparison": "Comparison compare_results",
        "cross_framework_result": "CrossFrameworkResult",
        "cross_framework": "across",
        "leaderboard": "rank_systems",
        "sampling": "resamples",
        "intervals": (
            "Interval Significance approximate_randomization score_of interval "
            "paired_bootstrap"
        ),
        "tables": "Table raw_count_table",
    },
)
