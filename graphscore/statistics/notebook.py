"""Comparisons, correlations and what errors cost, that show themselves in notebooks.

Tables are made of these; what makes one of itself stands above both.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from graphscore.statistics.comparison import Comparison
from graphscore.statistics.correlations import Correlations
from graphscore.statistics.whatif.repairs import WhatIf


class ShownComparison(Comparison):
    """A comparison that a notebook shows as tables."""

    @classmethod
    def of(cls, comparison: Comparison, **changes: Any) -> ShownComparison:
        """The same comparison, with some attributes changed."""
        kept = {each.name: getattr(comparison, each.name) for each in fields(cls)}
        return cls(**kept | changes)

    def _repr_html_(self) -> str:
        from graphscore.report.changes import comparison_html

        return comparison_html(self)


class ShownCorrelations(Correlations):
    """Correlations that a notebook shows as tables."""

    def _repr_html_(self) -> str:
        from graphscore.report.correlating import correlations_html

        return correlations_html(self)


class ShownWhatIf(WhatIf):
    """What errors cost, as a notebook shows it."""

    @classmethod
    def of(cls, found: WhatIf) -> ShownWhatIf:
        """The same."""
        return cls(**{each.name: getattr(found, each.name) for each in fields(cls)})

    def _repr_html_(self) -> str:
        from graphscore.report.whatif import whatif_html

        return whatif_html(self)
