"""Agreements that show themselves in notebooks.

Tables are made of them; what makes tables stands above both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.evaluation.rows.shown import Shown
from graphscore.statistics.agreement.found import Agreement

if TYPE_CHECKING:
    from graphscore.report.text import Table


class ShownAgreement(Shown, Agreement):
    """An agreement that a notebook shows as tables."""

    def shown_tables(self) -> list[Table]:
        """Pairs, coefficients, slices and documents."""
        from graphscore.report.agreeing import agreement_tables

        return agreement_tables(self)
