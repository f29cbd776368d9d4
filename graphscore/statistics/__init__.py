"""How sure a figure is, whether two differ, and whether one agrees with another.

:mod:`~graphscore.statistics.intervals` resamples summed masses,
:mod:`~graphscore.statistics.comparison` says which of several systems differ,
:mod:`~graphscore.statistics.crossing` holds systems against one another in several
frameworks, :mod:`~graphscore.statistics.correlation` scores of items against an outcome
from elsewhere, :mod:`~graphscore.statistics.correlations` those of systems too.
:mod:`~graphscore.statistics.coefficients` says how far annotators agree beyond chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.statistics.agreement.gamma import Gamma, gamma
    from graphscore.statistics.changes import (
        Change,
        ChangedKind,
        ChangedTuple,
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
    from graphscore.statistics.correlation import (
        Correlated,
        Correlation,
        OutcomeKey,
        correlate,
        kendall,
        pearson,
        ranks,
        read_outcomes,
        spearman,
    )
    from graphscore.statistics.correlations import (
        Correlations,
        OutcomeCorrelation,
        correlations_of,
    )
    from graphscore.statistics.crossed import Across
    from graphscore.statistics.crossing import across
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
    "Across",
    "Change",
    "ChangedKind",
    "ChangedTuple",
    "ChangedUnit",
    "Changes",
    "Comparison",
    "Correlated",
    "Correlation",
    "Correlations",
    "Gamma",
    "Interval",
    "OutcomeCorrelation",
    "OutcomeKey",
    "Significance",
    "Table",
    "across",
    "approximate_randomization",
    "cohen_kappa",
    "compare_results",
    "correlate",
    "correlations_of",
    "error_changes",
    "figure_of",
    "fleiss_kappa",
    "gamma",
    "interval",
    "kendall",
    "krippendorff_alpha",
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
        "agreement.gamma": "Gamma gamma",
        "changes": (
            "Change ChangedKind ChangedTuple ChangedUnit Changes error_changes"
        ),
        "coefficients": "cohen_kappa fleiss_kappa krippendorff_alpha",
        "comparison": "Comparison compare_results",
        "correlation": (
            "Correlated Correlation OutcomeKey correlate kendall pearson ranks "
            "read_outcomes spearman"
        ),
        "correlations": "Correlations OutcomeCorrelation correlations_of",
        "crossed": "Across",
        "crossing": "across",
        "draws": "resamples",
        "intervals": (
            "Interval Significance approximate_randomization figure_of interval "
            "paired_bootstrap"
        ),
        "tables": "Table mass_table",
    },
)
