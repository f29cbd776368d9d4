"""What is told of several systems, or of errors, and shows itself in notebooks.

Tables are made of these; what makes one of itself stands above both.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from graphscore.evaluation.rows.shown import Shown
from graphscore.statistics.comparison import Comparison
from graphscore.statistics.crossed import Across
from graphscore.statistics.whatif.repairs import WhatIf

if TYPE_CHECKING:
    from graphscore.report.text import Table


class ShownComparison(Shown, Comparison):
    """A comparison that a notebook shows as tables."""

    @classmethod
    def of(cls, comparison: Comparison, **changes: Any) -> ShownComparison:
        """The same comparison, with some attributes changed."""
        kept = {each.name: getattr(comparison, each.name) for each in fields(cls)}
        return cls(**kept | changes)

    def shown_tables(self) -> list[Table]:
        """Systems, pairs, slices and what changed."""
        from graphscore.report.changes import shown_tables

        return shown_tables(self)


class ShownAcross(Shown, Across):
    """Systems in several frameworks, as a notebook shows them."""

    def shown_tables(self) -> list[Table]:
        """Figures with ranks."""
        from graphscore.report.crossing import across_table

        return [across_table(self)]


class ShownWhatIf(Shown, WhatIf):
    """What errors cost, as a notebook shows it."""

    @classmethod
    def of(cls, found: WhatIf) -> ShownWhatIf:
        """The same."""
        return cls(**{each.name: getattr(found, each.name) for each in fields(cls)})

    def shown_tables(self) -> list[Table]:
        """Classes of errors."""
        from graphscore.report.whatif import whatif_tables

        return whatif_tables(self)
