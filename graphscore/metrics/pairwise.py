"""Metrics that compare one graph of each side, whatever a unit has."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome


class Prepared(Protocol):
    """Prepared form of one graph; it keeps the graph."""

    @property
    def graph(self) -> Graph:
        """Graph that it was prepared from."""
        ...


Side = TypeVar("Side", bound=Prepared)


class PairMetric(Metric):
    """Base of metrics that compare one graph of each side.

    An absent graph is an empty one, and several graphs of a document are one.

    Class attributes:
        lends: whether a side that has anchors and no text is read with the other's.
    """

    lends: ClassVar[bool] = True

    @abstractmethod
    def compare_sides(
        self, gold: Any, system: Any, budget: Budget, details: bool
    ) -> Outcome:
        """Compare the two sides of a unit.

        Args:
            gold: the prepared gold graph.
            system: the prepared system graph.
            budget: how much work may be spent.
            details: whether matches and errors are wanted beside the raw counts.
        """

    def compare(
        self,
        gold: Sequence[Any],
        system: Sequence[Any],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare one unit of each side."""
        return self.compare_sides(*self.sides(gold, system), budget, details)

    def sides(
        self, gold: Sequence[Prepared], system: Sequence[Prepared]
    ) -> tuple[Any, Any]:
        """The prepared graph of either side; what is not there is prepared now.

        Args:
            gold: prepared gold graphs of the unit.
            system: prepared system graphs.
        """
        framework = next(
            (prepared.graph.framework for prepared in (*gold, *system)), ""
        )
        left, right = (self._whole(side, framework) for side in (gold, system))
        if not (self.lends and gold and system):
            return left, right
        return with_text(left, right, self.prepare)

    def _whole(self, parts: Sequence[Any], framework: str) -> Any:
        if len(parts) == 1:
            return parts[0]
        # Most units have one graph.
        from graphscore.model.document import united

        graphs = [part.graph for part in parts]
        return self.prepare(united(graphs) if graphs else Graph("", framework))


def with_text(
    gold: Side, system: Side, prepare: Callable[[Graph], Side]
) -> tuple[Side, Side]:
    """Both sides, the one without a text read with the other's.

    Args:
        gold: the prepared gold graph.
        system: the prepared system graph.
        prepare: prepares a graph that has borrowed its text.

    Returns:
        Both; a side that borrows nothing is returned as it is.
    """
    if bool(gold.graph.text) == bool(system.graph.text):
        return gold, system
    from graphscore.model.document import lent

    left, right = lent(gold.graph, system.graph)
    return (
        gold if left is gold.graph else prepare(left),
        system if right is system.graph else prepare(right),
    )
