"""Agreements that show themselves in notebooks.

Tables are made of agreements; an agreement that makes one stands above both.
"""

from __future__ import annotations

from graphscore.statistics.agreement.found import Agreement


class ShownAgreement(Agreement):
    """An agreement that a notebook shows as tables."""

    def _repr_html_(self) -> str:
        from graphscore.report.agreeing import agreement_html

        return agreement_html(self)
