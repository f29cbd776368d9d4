"""Comparisons that show themselves in notebooks.

Tables are made of comparisons; a comparison that makes one stands above both.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from graphscore.statistics.comparison import Comparison


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
