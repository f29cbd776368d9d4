"""Errors and confusions that show themselves in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphscore.evaluation.rows.errors import Confusions, Errors
from graphscore.evaluation.rows.shown import Shown
from graphscore.store.reading.frequent import Frequent

if TYPE_CHECKING:
    from graphscore.report.text import Table


class ShownErrors(Shown, Errors):
    """Errors that a notebook shows as a table of the first."""

    def shown_tables(self) -> list[Table]:
        """The first of them."""
        from graphscore.report.shown import error_tables

        return error_tables(self)

    def _counted(
        self, columns: tuple[str, ...], rows: list[tuple[Any, ...]]
    ) -> Frequent:
        return ShownFrequent(columns, rows, [])


class ShownConfusions(Shown, Confusions):
    """Confusions that a notebook shows as a table of the most frequent."""

    def shown_tables(self) -> list[Table]:
        """The most frequent."""
        from graphscore.report.shown import confusion_tables

        return confusion_tables(self)


class ShownFrequent(Shown, Frequent):
    """What a store has counted, as a table."""

    def shown_tables(self) -> list[Table]:
        """All of it."""
        from graphscore.report.shown import as_table

        return [as_table(self.columns, self.rows)]
