"""Items with their scores, text, size and worst errors, as rows and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

from graphscore.evaluation.default_metrics import Choice
from graphscore.evaluation.options import Options
from graphscore.evaluation.rows.sentences import SystemItems
from graphscore.evaluation.store import Store
from graphscore.evaluation.unit import ItemResult
from graphscore.model.document import whole
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error
from graphscore.report.page.collecting import gathered_store, unit_key
from graphscore.report.page.errors import error_lines, telling
from graphscore.report.table import Column, Table, columns_of, one_line, widths

WIDTH, LEAST = 80, 16
"""Characters of a line, and of an item's text in a table at least."""

FIRST = 10
"""Items of a system whose errors a table names."""

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
            count = metric.scores(item.raw_counts).counts.get(metric.main)
            part = Part(count.gold if count else 0, item.errors, *sides)
            parts.setdefault(_key(item), []).append(part)
        summaries.append({key: summed(known) for key, known in parts.items()})
    return summaries


def _key(item: ItemResult) -> ItemKey:
    return item.language, item.item


def framework_values(
    listings: Sequence[SystemItems], summaries: Sequence[Mapping[ItemKey, ItemSummary]]
) -> list[dict[str, Any]]:
    """Items with their F1 in every framework, as JSON has them.

    Args:
        listings: the items of each system by each metric.
        summaries: what else is known of the items of each.
    """
    several = len({system_items.metric for system_items in listings}) > 1
    return [
        {
            "system": listed.system,
            **({"metric": listed.metric} if several else {}),
            "language": item.language,
            "document": item.document,
            "item": item.item,
            "f1": item.f1,
            "mean": item.mean,
            "best": item.best,
            **known.get((item.language, item.item), ItemSummary())._asdict(),
        }
        for listed, known in zip(listings, summaries, strict=True)
        for item in listed.scores.items
    ]


def framework_rows(
    listings: Sequence[SystemItems], summaries: Sequence[Mapping[ItemKey, ItemSummary]]
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The same as rows, with a column for each framework; their columns, too.

    Args:
        listings: the items of each system by each metric.
        summaries: what else is known of the items of each.
    """
    systems = len({system_items.system for system_items in listings}) > 1
    metrics = len({system_items.metric for system_items in listings}) > 1
    frameworks = sorted(
        {name for system_items in listings for name in system_items.scores.frameworks}
    )
    rows = []
    for listed, known in zip(listings, summaries, strict=True):
        for item in listed.scores.items:
            summary = known.get((item.language, item.item), ItemSummary())
            rows.append(
                (
                    *((listed.system,) * systems + (listed.metric,) * metrics),
                    *(item.item, item.language, item.document),
                    *(*map(item.f1.get, frameworks), item.mean, item.best),
                    *(*summary[:-1], "; ".join(summary.telling)),
                )
            )
    names = ["system"] * systems + ["metric"] * metrics
    columns = ["item", "language", "document", *frameworks, "mean", "best"]
    return [*names, *columns, *ItemSummary._fields], rows


def framework_tables(
    listings: Sequence[SystemItems],
    summaries: Sequence[Mapping[ItemKey, ItemSummary]],
    width: int = WIDTH,
) -> list[Table]:
    """Return a table of items by framework, and one of the errors of the first.

    A single framework is its own mean and best.  Languages and documents are left out
    where all items have the same.

    Args:
        listings: the items of each system by each metric.
        summaries: what else is known of the items of each.
        width: characters of a line, of which texts have what is left.
    """
    columns, rows = framework_rows(listings, summaries)
    first, last = columns.index("document") + 1, columns.index("text")
    alike = {"mean", "best"} if last - first < 4 else set()
    for name in ("language", "document"):
        if len({row[columns.index(name)] for row in rows}) < 2:
            alike.add(name)
    scores = [x for x in range(last) if columns[x] not in alike]
    counts = [columns.index("gold_count"), columns.index("errors")]
    table = Table(
        [
            *(
                Column(columns[index], "ratio" if index >= first else "name")
                for index in scores
            ),
            *columns_of("count", "gold", "errors"),
            Column("text", "text"),
        ]
    )
    for row in rows:
        table.rows.append(tuple(row[index] for index in (*scores, *counts, last)))
    taken = [width + 2 for width in widths(table)[:-1]]
    room = width - sum(taken)
    if room < LEAST:
        # Texts stand below the numbers then, beside the names of items again.
        names = [not column.right for column in table.columns[:-1]]
        room = max(width - sum(compress(taken, names)), LEAST)
    table.rows = [(*row[:-1], one_line(row[-1], room)) for row in table.rows]
    named = range(columns.index("item") + 1)
    heads = [
        *(Column(columns[index]) for index in named),
        Column("most telling errors", "text"),
    ]
    errors = Table(heads)
    seen: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        seen[row[: len(named) - 1]] += 1
        if row[-1] and seen[row[: len(named) - 1]] <= FIRST:
            errors.rows.append((*(row[index] for index in named), row[-1]))
    return [table, *([errors] if errors.rows else [])]
