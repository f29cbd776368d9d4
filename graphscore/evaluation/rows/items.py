"""The items of a result: a list, and rows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from graphscore.rows import Rows, Tabular, joined

if TYPE_CHECKING:
    from graphscore.evaluation.result import ItemResult, Result

COLUMNS = (
    *("gold", "system", "metric", "framework", "language", "document", "item"),
    *("layer", "missing", "reference", "gold_count", "system_count", "matched"),
    *("matched_system", "precision", "recall", "f1", "value", "score", "bound"),
    "proven",
)
"""Of rows of items; amounts and ratios are those of the metric's main kind."""


class Items(list["ItemResult"], Rows):
    """What a metric says of the gold units of a result, in gold order.

    Args:
        items: one for each unit.
        result: what they belong to.
    """

    def __init__(self, items: Iterable[ItemResult], result: Result) -> None:
        super().__init__(items)
        self.result = result

    def tabular(self) -> Tabular:
        """A row for each item."""
        return Tabular(COLUMNS, map(self._row, self))

    def _row(self, each: ItemResult) -> tuple[Any, ...]:
        result, metric = self.result, self.result.metric
        figures = metric.figures(each.masses)
        count, value = figures.counts[metric.main], metric.value(figures)
        return (
            *(result.gold, result.system, str(metric)),
            *(each.framework, each.language, each.document, each.item, each.layer),
            *(each.missing, each.reference),
            *(count.gold, count.system, count.matched, count.correct_system),
            *(count.precision, count.recall, count.f1),
            None if math.isnan(value) else value,
            *(each.score, each.bound, each.proven),
        )

    def flat(self) -> dict[str, float]:
        """What stands for the metric, by ``METRIC/FRAMEWORK/ITEM``.

        Layers stand between framework and item, where there are any.
        """
        metric, found = self.result.metric, {}
        for each in self:
            value = metric.value(metric.figures(each.masses))
            if math.isfinite(value):
                name = joined(str(metric), each.framework, each.layer, each.item)
                found[name] = float(value)
        return found


class ItemsField:
    """The attribute of a result that holds its items: any list becomes one of rows."""

    @overload
    def __get__(self, result: None, owner: type[Any]) -> tuple[()]: ...
    @overload
    def __get__(self, result: Result, owner: type[Any]) -> Items: ...
    def __get__(self, result: Result | None, owner: type[Any]) -> Items | tuple[()]:
        # Asked of the class it is what a result has by default.
        if result is None:
            return ()
        found: Items = vars(result)["items"]
        return found

    def __set__(self, result: Result, items: Iterable[ItemResult]) -> None:
        vars(result)["items"] = Items(items, result)
