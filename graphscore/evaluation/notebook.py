"""Results that show themselves in notebooks.

Reports are made of results; a result that makes one stands above both.
"""

from __future__ import annotations

from graphscore.evaluation.result import Result


class ShownResult(Result):
    """A result that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        from graphscore.report.html import result_table

        return result_table(self)
