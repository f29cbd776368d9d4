"""What moved through gold, as tables.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from typing import Any

from graphscore.errors import amount
from graphscore.metrics.base import unit_of
from graphscore.report.comparing import fitted
from graphscore.report.text import Column, Ratio, Table
from graphscore.statistics.goldchanged import GoldChange
from graphscore.statistics.goldsides import FATES, Moved

SHOWN = 10
"""Items that a table lists, unless it is told."""


def gold_tables(found: GoldChange, top: int = SHOWN) -> list[Table]:
    """Figures against both golds, where the difference comes from, and items.

    Args:
        found: what moved.
        top: items that are listed.
    """
    names = [each.system for each in found.systems]
    tables = [
        fitted(figures_table(found), (0,), names),
        fitted(parts_table(found), (0,), names),
    ]
    if found.items and top:
        items = items_table(found, top)
        tables.append(fitted(items, (3,), names) if len(names) > 1 else items)
    return tables


def figures_table(found: GoldChange) -> Table:
    """A row per system: its figure and rank against both golds."""
    several = len(found.systems) > 1
    ranks = ("rank", "new rank") if several else ()
    table = Table(
        [
            Column("system"),
            *(Column(name, True) for name in ("old", "new", "change", *ranks)),
            *(Column(name, True) for name in ("in both", "low", "high")),
        ],
        title=title(found),
    )
    for each in found.systems:
        numbers = each.both.change, each.both.low, each.both.high
        table.rows.append(
            (
                each.system,
                *(shown(found, value) for value in (each.old, each.new, each.change)),
                *((each.rank_old, each.rank_new) if several else ()),
                *(shown(found, value) for value in numbers),
            )
        )
    level = f"{100 * found.level:g} %"
    unit = unit_of(found.metric)
    both = found.counts["same"] + found.counts["changed"]
    counts = ", ".join(f"{number} {name}" for name, number in found.counts.items())
    drawn = f" ({amount(found.units, found.unit)})" if found.unit != unit else ""
    table.notes.append(f"{unit}s: {counts}")
    table.notes.append(
        f"in both: change over the {amount(both, unit)}{drawn} of both golds, with its "
        f"{level} interval"
    )
    if several:
        said = "changed" if found.ranking_changed else "did not change"
        table.notes.append(f"the ranking {said}")
    return table


def parts_table(found: GoldChange) -> Table:
    """A row per system: what the change is due to, and what was scored again."""
    fates = f"{', '.join(FATES[:-1])} and {FATES[-1]}"
    table = Table(
        [
            Column("system"),
            *(Column(f"by {fate}", True) for fate in FATES),
            *(Column(name, True) for name in ("better", "worse")),
            *(Column(name, True) for name in ("rescored", "reused")),
        ],
        title=f"of the change, due to {unit_of(found.metric)}s {fates}",
    )
    for each in found.systems:
        table.rows.append(
            (
                each.system,
                *(_part(found, each, fate) for fate in FATES),
                *(each.better, each.worse, each.rescored, each.reused),
            )
        )
    return table


def _part(found: GoldChange, each: Moved, fate: Any) -> Any:
    """What the change is due to; nothing where there are no such items."""
    return shown(found, each.due[fate]) if found.counts[fate] else None


def items_table(found: GoldChange, top: int = SHOWN) -> Table:
    """A row per item and system: what became of its score, most moved first."""
    several = len(found.systems) > 1
    whose = [Column("system")] if several else []
    table = Table(
        [
            *(Column(name) for name in ("gold", "framework", "item")),
            *whose,
            *(Column(name, True) for name in ("old", "new", "change")),
        ],
        title=f"{unit_of(found.metric)}s whose gold differs",
    )
    for each in found.items[:top]:
        for place, system in enumerate(found.systems):
            numbers = each.old[place], each.new[place], each.change[place]
            head = (each.status, each.framework, each.item)
            table.rows.append(
                (
                    *(("", "", "") if place else head),
                    *((system.system,) if several else ()),
                    *(shown(found, value) for value in numbers),
                )
            )
    if len(found.items) > top:
        table.notes.append(f"and {len(found.items) - top} more")
    return table


def title(found: GoldChange) -> str:
    """Metric, figure and both golds in a line."""
    best = ", lowest best" if found.lowest_best else ""
    return (
        f"{found.metric}: {found.figure}{best}, old gold {found.old}, new {found.new}"
    )


def shown(found: GoldChange, value: float | None) -> Any:
    """A figure as a cell: ratios times 100."""
    if value is None or not found.metric.is_ratio(found.figure, value):
        return value
    return Ratio(value)
