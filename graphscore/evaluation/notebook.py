"""Results, and what has rows, that show themselves in notebooks.

Tables are made of these; what makes one of itself stands above both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.items import Items, ItemsField
from graphscore.evaluation.rows.shown import Shown

if TYPE_CHECKING:
    from graphscore.evaluation.rows.errors import Confusions, Errors
    from graphscore.report.text import Table


class ShownItems(Shown, Items):
    """Items that a notebook shows as a table."""

    def shown_tables(self) -> list[Table]:
        """The first of them."""
        from graphscore.report.shown import items_tables

        return items_tables(self, self._result)


class ShownResult(Shown, Result):
    """A result that a notebook shows as a table, and what stands for it as a bar."""

    items = ItemsField(ShownItems)

    @property
    def errors(self) -> Errors:
        """What did not match; see :attr:`Result.errors`."""
        from graphscore.evaluation.rows.notebook import ShownErrors

        return ShownErrors(self)

    @property
    def confusions(self) -> Confusions:
        """What is confused; see :attr:`Result.confusions`."""
        from graphscore.evaluation.rows.notebook import ShownConfusions

        return ShownConfusions(self)

    def shown_tables(self) -> list[Table]:
        """Frameworks and kinds."""
        from graphscore.report.shown import result_tables

        return result_tables(self)

    def _repr_svg_(self) -> str:
        from graphscore.report.shown import picture

        return picture(self) or super()._repr_svg_()
