"""What a store takes, shown in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.evaluation.rows.shown import Shown
from graphscore.store.status import Status

if TYPE_CHECKING:
    from graphscore.report.text import Table


class ShownStatus(Shown, Status):
    """What a store takes, which a notebook shows as tables."""

    def shown_tables(self) -> list[Table]:
        """By table of the database, collection and evaluation."""
        from graphscore.report.stores.status import status_tables

        return status_tables(self)
