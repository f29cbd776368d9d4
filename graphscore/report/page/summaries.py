"""Summaries of items beside their scores: text, size, the worst errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from graphscore.evaluation.default_metrics import Choice
from graphscore.evaluation.options import Options
from graphscore.evaluation.rows.sentences import SystemItems
from graphscore.evaluation.store import Store
from graphscore.evaluation.unit import ItemResult
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error
from graphscore.report.item_view.sentences import whole
from graphscore.report.page.collecting import gathered_store
from graphscore.report.page.errors import error_lines, telling
from graphscore.report.page.items import main_count
from graphscore.report.page.report_data import unit_key

ItemKey = tuple[str, str]
"""Language and id."""


class ItemSummary(NamedTuple):
    """An item in all its frameworks, in a line."""

    text: str = ""
    gold_count: float = 0
    """Size of gold: its tuples of the main type."""
    errors: int = 0
    telling: tuple[str, ...] = ()
    """The three most telling errors, in words."""


class Part(NamedTuple):
    """Summary of an item in one framework."""

    gold_count: float
    errors: Sequence[Error]
    gold: Sequence[Graph]
    """The graphs of gold, which say where errors are."""
    system: Sequence[Graph]


def summed(parts: Iterable[Part]) -> ItemSummary:
    """Sum an item up.

    Args:
        parts: it in every framework.
    """
    parts = [*parts]
    lines = [
        line
        for part in parts
        for line in error_lines(part.errors, _as_one(part.gold), _as_one(part.system))
    ]
    texts = (" ".join(filter(None, (g.text for g in part.gold))) for part in parts)
    return ItemSummary(
        next(filter(None, texts), ""),
        sum(part.gold_count for part in parts),
        sum(len(part.errors) for part in parts),
        tuple(telling(lines)),
    )


def _as_one(graphs: Sequence[Graph]) -> Graph | None:
    if len(graphs) < 2:
        return graphs[0] if graphs else None
    return whole(graphs, graphs[0].document)


def summaries_of(
    store: Store,
    gold: str,
    made: Sequence[tuple[str, Choice, str]],
    listed: Sequence[SystemItems],
    options: Options,
) -> list[dict[ItemKey, ItemSummary]]:
    """Sum up the items that are listed of each system.

    Args:
        store: where they are.
        gold: the gold collection.
        made: systems, with their metrics and scopes.
        listed: the items of each.
        options: how they were scored.
    """
    summaries = []
    for (system, choice, _), items in zip(made, listed, strict=True):
        shown_items = {(item.language, item.item) for item in items.scores.items}
        wholly = replace(choice.limited(options), per_item=True, details=True)
        how = replace(wholly, parts=True)
        scored = gathered_store(store, gold, [system], [choice.metric], how)
        [[results]] = scored.items
        chosen = [
            (choice.metric, item) for item in results if _key(item) in shown_items
        ]
        units = scored.load(0, chosen)
        parts: dict[ItemKey, list[Part]] = {}
        for metric, item in chosen:
            unit = units.get(unit_key(metric, item))
            sides = unit.sides(options.budget) if unit else ((), ())
            count = main_count(metric, item)
            part = Part(count.gold if count else 0, item.errors, *sides)
            parts.setdefault(_key(item), []).append(part)
        summaries.append({key: summed(known) for key, known in parts.items()})
    return summaries


def _key(item: ItemResult) -> ItemKey:
    return item.language, item.item
