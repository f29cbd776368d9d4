"""Systems, and items, in several frameworks, languages or layers, as tables.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from typing import Any

from graphscore.exceptions import amount
from graphscore.metrics.traits import (
    is_ratio,
)
from graphscore.report.comparison import fitted, rank_cell
from graphscore.report.text import Best, Column, Ratio, Table
from graphscore.statistics.cross_framework_result import MEAN, CrossFrameworkResult


def across_tables(found: CrossFrameworkResult) -> list[Table]:
    """Systems in several frameworks, as one table."""
    return [across_table(found)]


def across_table(found: CrossFrameworkResult) -> Table:
    """A row per framework and system, the best of each first, then the means.

    Args:
        found: what was held against one another.
    """
    table = Table(
        [
            Column(found.column),
            Column("rank"),
            Column("system"),
            Column(found.score or "value", True),
            Column("low", True),
            Column("high", True),
        ],
        title=title(found),
    )
    for location in (*found.places, None):
        cells = [system for system in found.systems if system.place == location]
        cells = cells if location is not None else list(found.means)
        if table.rows and cells:
            table.rules.add(len(table.rows))
        for row, each in enumerate(sorted(cells, key=lambda cell: cell.rank)):
            head = MEAN if location is None else found.named(location)
            alone = len(cells) > 1 and each.rank == 1
            table.rows.append(
                (
                    "" if row else head,
                    rank_cell(each.rank, each.rank_low, each.rank_high),
                    each.system,
                    shown(found, each.place, each.value, best=alone),
                    shown(found, each.place, each.low),
                    shown(found, each.place, each.high),
                )
            )
    names = list(dict.fromkeys(system.system for system in found.systems))
    return fitted(table, (2,), names)


def title(found: CrossFrameworkResult) -> str:
    """Metrics, score and units in a line."""
    metrics = dict.fromkeys(map(str, found.metrics.values()))
    score = f": {found.score}" if found.score else ""
    units = amount(found.units, found.unit)
    shared = f"{units} that {len(found.places)} {found.by} share"
    return f"{', '.join(metrics)}{score} across {found.by}, {shared}"


def shown(
    found: CrossFrameworkResult, place: str, value: float | None, *, best: bool = False
) -> Any:
    """A score as a cell: ratios times 100, the best with a star."""
    metric = found.metrics.get(place) or next(iter(found.metrics.values()))
    name = found.score or metric.leading or f"{metric.main}.f1"
    if value is None or not is_ratio(metric, name, value):
        return value
    return Best(value) if best else Ratio(value)
