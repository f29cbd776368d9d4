"""Systems, and items, in several frameworks, languages or layers, as tables.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from graphscore.evaluation.rows.sentences import SystemItems
from graphscore.exceptions import amount
from graphscore.metrics.base import main_name
from graphscore.metrics.traits import (
    is_ratio,
)
from graphscore.report.comparison import fitted, rank_cell
from graphscore.report.page.summaries import ItemKey, ItemSummary
from graphscore.report.table import (
    Best,
    Column,
    Ratio,
    Table,
    columns_of,
    one_line,
    widths,
)
from graphscore.statistics.cross_framework_result import MEAN, CrossFrameworkResult

WIDTH, LEAST = 80, 16
"""Characters of a line, and of an item's text in a table at least."""

FIRST = 10
"""Items of a system whose errors a table names."""


def across_tables(across: CrossFrameworkResult) -> list[Table]:
    """Systems in several frameworks, as one table."""
    return [across_table(across)]


def across_table(across: CrossFrameworkResult) -> Table:
    """A row per framework and system, the best of each first, then the means.

    Args:
        across: what was held against one another.
    """
    table = Table(
        [
            Column(across.column),
            Column("rank"),
            Column("system"),
            *columns_of("number", across.score or "value", "low", "high"),
        ],
        title=title(across),
    )
    for location in (*across.places, None):
        cells = [system for system in across.systems if system.place == location]
        cells = cells if location is not None else list(across.means)
        if table.rows and cells:
            table.rules.add(len(table.rows))
        for row, standing in enumerate(sorted(cells, key=lambda cell: cell.rank)):
            head = MEAN if location is None else across.named(location)
            alone = len(cells) > 1 and standing.rank == 1
            table.rows.append(
                (
                    "" if row else head,
                    rank_cell(standing.rank, standing.rank_low, standing.rank_high),
                    standing.system,
                    shown(across, standing.place, standing.value, best=alone),
                    shown(across, standing.place, standing.low),
                    shown(across, standing.place, standing.high),
                )
            )
    names = list(dict.fromkeys(system.system for system in across.systems))
    return fitted(table, (2,), names)


def title(across: CrossFrameworkResult) -> str:
    """Metrics, score and units in a line."""
    metrics = dict.fromkeys(map(str, across.metrics.values()))
    score = f": {across.score}" if across.score else ""
    units = amount(across.units, across.unit)
    shared = f"{units} that {len(across.places)} {across.by} share"
    return f"{', '.join(metrics)}{score} across {across.by}, {shared}"


def shown(
    across: CrossFrameworkResult, place: str, value: float | None, *, best: bool = False
) -> Any:
    """A score as a cell: ratios times 100, the best with a star."""
    metric = across.metrics.get(place) or next(iter(across.metrics.values()))
    name = across.score or main_name(metric)
    if value is None or not is_ratio(metric, name, value):
        return value
    return Best(value) if best else Ratio(value)


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
