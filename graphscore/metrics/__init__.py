"""Metrics: one small declaration a file, found through a registry.

>>> from graphscore.metrics import parse
>>> str(parse("mrp(order=free)"))
'mrp(order=free)'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.metrics.base import (
        Metric,
        numbered,
        outcome_of,
        unit_of,
    )
    from graphscore.metrics.entities.rules import (
        Rules,
    )
    from graphscore.metrics.formula import (
        FormulaMetric,
        Suite,
        suite,
    )
    from graphscore.metrics.made_scores import (
        Derived,
        average_of,
        product_of,
    )
    from graphscore.metrics.registry import (
        metrics,
        parse,
        split_metrics,
    )

__all__ = [
    "Derived",
    "FormulaMetric",
    "Metric",
    "Rules",
    "Suite",
    "average_of",
    "metrics",
    "numbered",
    "outcome_of",
    "parse",
    "product_of",
    "split_metrics",
    "suite",
    "unit_of",
]

__getattr__ = lazily(
    __name__,
    {
        "base": "Metric numbered outcome_of unit_of",
        "formula": "FormulaMetric Suite suite",
        "made_scores": "Derived average_of product_of",
        "registry": "metrics parse split_metrics",
        "entities.rules": "Rules",
    },
)
