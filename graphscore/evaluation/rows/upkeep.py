"""What a store takes, and what was copied of it, shown in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.evaluation.rows.shown import Shown
from graphscore.store.status import Status
from graphscore.store.transfer.api import Copied

if TYPE_CHECKING:
    from graphscore.report.text import Table


class ShownStatus(Shown, Status):
    """What a store takes, which a notebook shows as tables."""

    def shown_tables(self) -> list[Table]:
        """By table of the database, collection and evaluation."""
        from graphscore.report.stores.status import status_tables

        return status_tables(self)


class ShownCopied(Shown, Copied):
    """What was copied, which a notebook shows as a table."""

    def shown_tables(self) -> list[Table]:
        """A row per collection and evaluation."""
        from graphscore.report.shown import as_table

        return [as_table(*self.tabular())]
