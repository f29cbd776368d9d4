"""The same item seen by different frameworks: which are lost in all of them.

The statement uses the public view ``v_items`` only and has all values written in,
so that it can be copied, changed and run with ``graphscore query``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from graphscore.exceptions import amount
from graphscore.rows import brief, by_number
from graphscore.store import schema
from graphscore.store.integrity import checked
from graphscore.store.read.frequent import Ask
from graphscore.store.read.queries import literal

Order = Literal["mean", "best"]
"""Sorted by the mean over the frameworks, or by the best of them."""


class ItemScore(NamedTuple):
    """One item with its F1 in every framework that has it."""

    language: str
    document: str
    item: str
    f1: dict[str, float | None]
    """By framework; ``None`` where neither side has anything."""

    @property
    def told(self) -> list[float]:
        """The F1 of every framework that has something to compare."""
        return [value for value in self.f1.values() if value is not None]

    @property
    def mean(self) -> float | None:
        """Mean F1 over the frameworks."""
        return sum(self.told) / len(self.told) if self.told else None

    @property
    def best(self) -> float | None:
        """The F1 of the framework that did best."""
        return max(self.told, default=None)


class ItemScores(NamedTuple):
    """Items, worst first, and the SQL behind them."""

    frameworks: list[str]
    items: list[ItemScore]
    sql: str

    def __repr__(self) -> str:
        return brief("ItemScores", amount(len(self.items), "item"))


_p = schema.pair.c

_COLUMNS = (
    *(_p.framework, _p.language, _p.document, _p.item),
    *[schema.raw_count.c.value] * 3,
)
"""Sources of the columns of :func:`items_sql`."""

_TUPLE_TYPES = (str, str, str, str, *[int | float | None] * 3)


def item_scores(
    ask: Ask,
    filters: Mapping[str, str | Sequence[str] | None],
    worst: int | None = None,
    order: Order = "mean",
    shared: bool = False,
) -> ItemScores:
    """F1 of every item in every framework, the worst first.

    Args:
        ask: runs SQL on the store.
        filters: values of columns of ``v_items``: ``gold``, ``system``, ``metric``
            and filters; ``None`` and an empty list filter nothing.
        worst: how many items; all by default.
        order: what is sorted by.  The best framework's F1 puts those first that
            are bad in all frameworks.
        shared: whether only items count that every framework has.

    Returns:
        An item that a system lacks has F1 0; one where neither side has anything
        comes last.
    """
    sql = items_sql(filters)
    scores: dict[tuple[str, str], ItemScore] = {}
    frameworks: set[str] = set()
    for row in checked(ask(sql)[1], _COLUMNS, _TUPLE_TYPES, key=4):
        framework, language, document, item, gold, system, f1 = row
        frameworks.add(framework)
        score = scores.setdefault(
            (language, item), ItemScore(language, document, item, {})
        )
        score.f1[framework] = float(f1) if gold or system else None
    return ItemScores(
        sorted(frameworks), worst_first(scores.values(), worst, order, shared), sql
    )


def worst_first(
    scores: Collection[ItemScore],
    worst: int | None = None,
    order: Order = "mean",
    shared: bool = False,
) -> list[ItemScore]:
    """Items in order, the worst first; one where neither side has anything is last.

    Args:
        scores: all of them.
        worst: how many; all by default.
        order: what is sorted by.
        shared: whether only items count that every framework has.
    """
    frameworks = len({name for item_score in scores for name in item_score.f1})
    items = [
        item_score
        for item_score in scores
        if not shared or len(item_score.f1) == frameworks
    ]
    items.sort(key=lambda item: _rank(item, order))
    return items[:worst]


def _rank(score: ItemScore, order: Order) -> tuple[Any, ...]:
    value = score.mean if order == "mean" else score.best
    name = by_number(score.item), score.language
    return (value is None, value or 0.0, score.mean or 0.0, *name)


def items_sql(filters: Mapping[str, str | Sequence[str] | None]) -> str:
    """SQL that gives the amounts and F1 of every scored unit."""
    conditions = []
    for name, value in filters.items():
        if isinstance(value, str):
            conditions.append(f"{name} = {literal(value)}")
        elif value:
            conditions.append(f"{name} in ({', '.join(map(literal, value))})")
    conditions.append("status <> 'spurious'")
    return (
        "select framework, language, document, item,\n"
        "  gold_count, system_count, f1\nfrom v_items"
        f"\nwhere {' and '.join(conditions)}"
        "\norder by item, language, framework"
    )
