"""Agreements and votes that show themselves in notebooks.

Tables are made of them; what makes tables stands above both.
"""

from __future__ import annotations

from graphscore.statistics.agreement.found import Agreement
from graphscore.statistics.agreement.voted import Vote


class ShownAgreement(Agreement):
    """An agreement that a notebook shows as tables."""

    def _repr_html_(self) -> str:
        from graphscore.report.agreeing import agreement_html

        return agreement_html(self)


class ShownVote(Vote):
    """A vote that a notebook shows as a table of its ties."""

    def _repr_html_(self) -> str:
        from graphscore.report.voting import vote_html

        return vote_html(self)
