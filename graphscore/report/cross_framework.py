"""Systems in several frameworks, languages or layers, as tables.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from typing import Any

from graphscore.exceptions import amount
from graphscore.metrics.base import main_name
from graphscore.metrics.traits import (
    is_ratio,
)
from graphscore.report.comparison import fitted, rank_cell
from graphscore.report.table import Best, Column, Ratio, Table, columns_of
from graphscore.statistics.cross_framework_result import MEAN, CrossFrameworkResult


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
