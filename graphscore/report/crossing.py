"""Systems in several frameworks, languages or layers, as tables.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from typing import Any

from graphscore.errors import amount
from graphscore.report.comparing import fitted
from graphscore.report.text import Best, Column, Ratio, Table
from graphscore.statistics.crossed import MEAN, Across
from graphscore.statistics.drawn import Cell


def across_tables(found: Across) -> list[Table]:
    """Figures with ranks by framework, how far frameworks are apart, correlations.

    Args:
        found: what was held against one another.
    """
    names = list(dict.fromkeys(each.system for each in found.systems))
    return [
        fitted(figures_table(found), (3,), names),
        fitted(relations_table(found), (0,), names),
    ]


def figures_table(found: Across) -> Table:
    """A row per framework and system, the best of each first, then the means."""
    table = Table(
        [
            Column(found.column),
            Column("rank", True),
            Column("ranks", True),
            Column("system"),
            Column(found.figure or "value", True),
            Column("low", True),
            Column("high", True),
        ],
        title=title(found),
    )
    for place in (*found.places, None):
        cells = [each for each in found.systems if each.place == place]
        cells = cells if place is not None else list(found.means)
        if table.rows and cells:
            table.rules.add(len(table.rows))
        for row, each in enumerate(sorted(cells, key=lambda cell: cell.rank)):
            head = MEAN if place is None else found.named(place)
            alone = len(cells) > 1 and each.rank == 1
            table.rows.append(
                (
                    "" if row else head,
                    each.rank,
                    ranks(each),
                    each.system,
                    shown(found, each.place, each.value, best=alone),
                    shown(found, each.place, each.low),
                    shown(found, each.place, each.high),
                )
            )
    return table


def relations_table(found: Across) -> Table:
    """A row per system and pair of frameworks: how far apart, and how much alike."""
    ends = ("a - b", "low", "high") if found.pairs else ()
    table = Table(
        [
            Column("system"),
            Column("a"),
            Column("b"),
            *(Column(name, True) for name in ends),
            *(Column(name, True) for name in ("Pearson", "Spearman", "Kendall", "n")),
        ],
        title=f"differences between {found.by}, " * bool(ends)
        + f"correlation of the scores of {found.unit}s",
    )
    apart = {(each.system, each.a, each.b): each for each in found.pairs}
    last: str | None = ""
    for row, each in enumerate(found.correlations):
        whose = "all" if each.system is None else each.system
        if whose != last and row:
            table.rules.add(row)
        ways = each.pearson, each.spearman, each.kendall
        pair = apart.get((each.system or "", each.a, each.b))
        numbers = (None,) * len(ends) if pair is None else pair[3:]
        table.rows.append(
            (
                "" if whose == last else whose,
                found.named(each.a),
                found.named(each.b),
                *(shown(found, each.a, number) for number in numbers),
                *(None if way is None else f"{way:z.2f}" for way in ways),
                each.n,
            )
        )
        last = whose
    return table


def title(found: Across) -> str:
    """Metrics, figure and units in a line."""
    metrics = dict.fromkeys(map(str, found.metrics.values()))
    figure = f": {found.figure}" if found.figure else ""
    units = amount(found.units, found.unit)
    shared = f"{units} that {len(found.places)} {found.by} share"
    return f"{', '.join(metrics)}{figure} across {found.by}, {shared}"


def shown(found: Across, place: str, value: float | None, *, best: bool = False) -> Any:
    """A figure as a cell: ratios times 100, the best with a star."""
    metric = found.metrics.get(place) or next(iter(found.metrics.values()))
    name = found.figure or metric.leading or f"{metric.main}.f1"
    if value is None or not metric.is_ratio(name, value):
        return value
    return Best(value) if best else Ratio(value)


def ranks(each: Cell) -> str | None:
    """The interval of a rank."""
    if each.rank_low is None:
        return None
    if each.rank_low == each.rank_high:
        return str(each.rank_low)
    return f"{each.rank_low}-{each.rank_high}"
