"""UCCA under ``preset=toolkit``: raw counts, rows and categories.

What the reference program counts and what differs is said at the door of this folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from graphscore.correspondence import Budget
from graphscore.metrics.label_tables import amounts_of, label_table, labels_of
from graphscore.metrics.meaning.ucca import GROUPS, Ucca
from graphscore.metrics.meaning.ucca_toolkit import (
    CONSTRUCTIONS,
    TUPLE_TYPES,
    Item,
    Items,
    Laid,
    shared_yields,
    sides_of,
)
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    CountKey,
    ErrorType,
    Outcome,
    Scores,
    ScoreTable,
    count_of,
)
from graphscore.model.outcome_builder import Described, OutcomeBuilder, aligned_by_key

MAIN = "labeled primary"

CATEGORY = "category."
"""Prefix of the names of scores by category."""


class ToolkitUcca(Ucca):
    """Yields with the categories of all links that lead to them."""

    tuple_types = TUPLE_TYPES

    @property
    def normalization(self) -> str:
        """The toolkit's normal form, or none."""
        return f"toolkit,normalize={str(self.normalize).lower()}"

    def prepare(self, graph: Graph) -> Laid:
        """Work out what depends on one graph alone."""
        return Laid(graph, self.normalize)

    def compare_sides(
        self, gold: Any, system: Any, budget: Budget, details: bool
    ) -> Outcome:
        """Compare two passages."""
        return compared(gold, system, details)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Every type, all sorts of edges together, and primary edges by category."""
        result, numbers = super().scores(raw_counts)
        return Scores(result, numbers | by_category(raw_counts))

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """All but those by category, which have a table."""
        return {k: value for k, value in numbers.items() if not k.startswith(CATEGORY)}

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """Primary edges by category."""
        labels = labels_of(scores.numbers, CATEGORY, by_frequency=True)
        if not labels:
            return ()
        title = "primary edges by category"
        columns = ("category", "gold", "system", "matched", "F1")
        ends = ("gold", "system", "matched", "f1")
        return (label_table(title, columns, scores.numbers, CATEGORY, ends, labels),)


def compared(gold: Laid, system: Laid, details: bool) -> Outcome:
    """Count the items of both sides, and enter what matches and what does not.

    Args:
        gold: a passage.
        system: the other one's.
        details: whether rows are wanted beside the raw counts.
    """
    builder = OutcomeBuilder(details)
    matched = 0
    credits: dict[tuple[int, int], float] = {}
    for name, sides in zip(CONSTRUCTIONS, sides_of(gold, system), strict=True):
        for group in GROUPS:
            tuple_type = f"{group} {name}"
            shared = shared_yields(group, sides)
            builder.count(tuple_type, len(sides[0]), len(sides[1]), len(shared))
            if tuple_type == MAIN:
                matched = len(shared)
                for key in shared:
                    edges = sides[0][key].link.edge, sides[1][key].link.edge
                    credits[edges] = credits.get(edges, 0.0) + 1.0
            if details:
                units = aligned_by_key(*sides, same=set(shared))
                builder.enter(units, partial(_described, tuple_type))
        if name == "primary":
            _count_categories(builder, *sides)
    for (left, right), credit in sorted(credits.items()):
        builder.match(left, right, credit, "edge")
    return builder.outcome(matched, "identity")


def _described(
    tuple_type: str, side: ErrorType, item: Item, counterpart: Item | None
) -> Described:
    what, own = _object(item)
    beside = None if counterpart is None else _object(counterpart)[1]
    return Described(tuple_type, own, beside, what, value="|".join(item.tags))


def _object(item: Item) -> tuple[str, int]:
    """An edge; of implicit units, which have none, the unit above."""
    if item.link.target.implicit:
        return "node", item.link.source.node
    return "edge", item.link.edge


def _count_categories(builder: OutcomeBuilder, gold: Items, system: Items) -> None:
    for key, item in gold.items():
        counterpart = system.get(key)
        for tag in item.tags:
            same = counterpart is not None and tag in counterpart.tags
            builder.count(MAIN, 1, 0, int(same), label=tag)
    for item in system.values():
        for tag in item.tags:
            builder.count(MAIN, 0, 1, 0, label=tag)


def by_category(raw_counts: Mapping[CountKey, int | float]) -> dict[str, float]:
    """Scores of the categories of primary edges.

    Args:
        raw_counts: summed raw counts.
    """
    numbers: dict[str, float] = {}
    for label in sorted(
        {label for tuple_type, label, _ in raw_counts if tuple_type == MAIN and label}
    ):
        numbers |= amounts_of(f"{CATEGORY}{label}", count_of(raw_counts, MAIN, label))
    return numbers
