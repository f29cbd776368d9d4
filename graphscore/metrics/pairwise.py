"""Metrics that compare one graph of each side, whatever a unit has."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.base import Metric
from graphscore.metrics.traits import Batched
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome

if TYPE_CHECKING:
    from graphscore.correspondence.problem import Problem


class Prepared(Protocol):
    """Prepared form of one graph; it keeps the graph."""

    @property
    def graph(self) -> Graph:
        """Graph that it was prepared from."""
        ...


Side = TypeVar("Side", bound=Prepared)
T = TypeVar("T")


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
        left, right = self._whole(gold, system), self._whole(system, gold)
        if not (self.lends and gold and system):
            return left, right
        return with_text(left, right, self.prepare)

    def _whole(self, parts: Sequence[Any], others: Sequence[Any]) -> Any:
        if len(parts) == 1:
            return parts[0]
        # Most units have one graph.
        from graphscore.model.document import united

        graphs = [part.graph for part in parts]
        framework = others[0].graph.framework if others else ""
        return self.prepare(united(graphs) if graphs else Graph("", framework))


class MappedPairMetric(PairMetric, Batched):
    """Base of metrics that need the best map of the nodes of either graph.

    The maps of many units are looked for together, unless a subclass compares them in
    a way of its own.
    """

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Note whether units are compared here."""
        super().__init_subclass__(**keywords)
        if "batched" not in vars(cls):
            cls.batched = (
                cls.compare is PairMetric.compare
                and cls.compare_sides is MappedPairMetric.compare_sides
            )

    @property
    @abstractmethod
    def ties(self) -> str:
        """How one of several best maps is chosen."""

    @abstractmethod
    def plain_map(
        self, gold: Any, system: Any, budget: Budget
    ) -> Correspondence | None:
        """The best map, where it is plain.

        Args:
            gold: the prepared gold graph.
            system: the prepared system graph.
            budget: how much work may be spent.
        """

    @abstractmethod
    def problem(self, gold: Any, system: Any) -> Problem:
        """What is searched where the best map is not plain.

        Args:
            gold: the prepared gold graph.
            system: the prepared system graph.
        """

    @abstractmethod
    def outcome(
        self, gold: Any, system: Any, result: Correspondence, details: bool
    ) -> Outcome:
        """Count what both graphs share under a map.

        Args:
            gold: the prepared gold graph.
            system: the prepared system graph.
            result: the map.
            details: whether matches and errors are wanted beside the raw counts.
        """

    def maps_of(
        self, pairs: Sequence[tuple[Any, Any]], budget: Budget
    ) -> list[Correspondence]:
        """The best map of each of some pairs of prepared graphs.

        Args:
            pairs: prepared graphs of both sides.
            budget: how much work may be spent on each.
        """
        return best_maps(
            pairs,
            lambda pair: self.plain_map(*pair, budget),
            lambda pair: self.problem(*pair),
            budget,
            self.ties,
        )

    def compare_sides(
        self, gold: Any, system: Any, budget: Budget, details: bool
    ) -> Outcome:
        """Compare the two sides of a unit under their best map."""
        [result] = self.maps_of([(gold, system)], budget)
        return self.outcome(gold, system, result, details)

    def compare_many(
        self,
        pairs: Sequence[tuple[Sequence[Any], Sequence[Any]]],
        *,
        budget: Budget,
        details: bool = True,
    ) -> list[Outcome]:
        """Compare many units, whose maps are looked for together."""
        sides = [self.sides(*pair) for pair in pairs]
        return [
            self.outcome(*both, result, details)
            for both, result in zip(sides, self.maps_of(sides, budget), strict=True)
        ]


def best_maps(
    pairs: Sequence[T],
    plain: Callable[[T], Correspondence | None],
    problem: Callable[[T], Problem],
    budget: Budget,
    ties: str,
) -> list[Correspondence]:
    """Return the best map of each of some pairs of graphs.

    Args:
        pairs: what is mapped.
        plain: gives the best map of a pair, where that is plain.
        problem: gives what is searched where it is not.
        budget: how much work may be spent on each search.
        ties: how one of several best maps is chosen.
    """
    results = [plain(pair) for pair in pairs]
    if None not in results:
        return [result for result in results if result is not None]
    # Not for those that are plain to map.
    from graphscore.correspondence.search import solve_many

    problems = (
        problem(pair)
        for pair, result in zip(pairs, results, strict=True)
        if result is None
    )
    solved = solve_many(problems, budget, ties)
    return [next(solved) if result is None else result for result in results]


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
