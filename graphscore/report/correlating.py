"""Correlations with an outcome as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from typing import Any

from graphscore.report.comparing import fitted
from graphscore.report.text import Column, Table
from graphscore.statistics.correlations import (
    COEFFICIENTS,
    Correlations,
    OutcomeCorrelation,
)

ALL = "all"
"""The framework of a row over several."""


def correlation_tables(found: Correlations) -> list[Table]:
    """Correlations over items, over systems, and the systems themselves.

    Args:
        found: the correlations.
    """
    names = list(dict.fromkeys(each.system or "" for each in found.items))
    names += [point.system for each in found.systems for point in each.points]
    tables = []
    if found.items:
        tables.append(fitted(_table(found, found.items, "items"), (0,), names))
    if found.systems:
        tables.append(_table(found, found.systems, "systems"))
        tables.append(fitted(_points(found), (0,), names))
    if found.asked.samples:
        level, samples = found.asked.level, found.asked.samples
        told = f"low, high: {level:.4g} interval from {samples} bootstrap samples"
        tables[-1].notes = [told]
    return tables


def _table(
    found: Correlations, rows: tuple[OutcomeCorrelation, ...], over: str
) -> Table:
    """Three rows for each system, metric and framework."""
    metrics = list(dict.fromkeys(str(each.metric) for each in rows))
    named = [name for name in ("system",) if over == "items"]
    named += ["metric"] if len(metrics) > 1 else []
    named += ["framework"]
    ends = ("low", "high") if found.asked.samples else ()
    figure = f": {found.asked.figure}" if found.asked.figure else ""
    drawn = f", {rows[0].resampled} drawn" if over == "systems" else ""
    by = "scores" if len(metrics) > 1 else f"{metrics[0]}{figure}"
    table = Table(
        [
            *map(Column, named),
            *(Column(name, True) for name in ("n", "no outcome")),
            Column("correlation"),
            *(Column(name, True) for name in ("value", *ends)),
        ],
        title=f"{by} and outcome, over {over}{drawn}",
    )
    last: tuple[Any, ...] = ()
    for each in rows:
        values = {
            "system": each.system,
            "metric": str(each.metric),
            "framework": ALL if each.framework is None else each.framework,
        }
        head = tuple(values[name] for name in named)
        if table.rows and named[0] == "system" and head[0] != last[0]:
            table.rules.add(len(table.rows))
        shown = ("", *head[1:]) if last and over == "items" else head
        shown = head if not last or head[0] != last[0] else shown
        for name in COEFFICIENTS:
            first = name == COEFFICIENTS[0]
            estimate = getattr(each, name)[: 1 + len(ends)]
            table.rows.append(
                (
                    *(shown if first else [""] * len(head)),
                    *((each.n, each.without_outcome) if first else (None, None)),
                    name,
                    *(None if end is None else f"{end:z.2f}" for end in estimate),
                )
            )
        last = head
    return table


def _points(found: Correlations) -> Table:
    """Each system's figure and outcome."""
    table = Table(
        [
            Column("system"),
            Column("metric"),
            Column("framework"),
            *(Column(name, True) for name in ("value", "outcome", "items")),
        ]
    )
    for row in found.systems:
        if table.rows:
            table.rules.add(len(table.rows))
        for each in sorted(row.points, key=lambda point: -point.outcome):
            framework = ALL if row.framework is None else row.framework
            numbers = f"{each.value:.4g}", f"{each.outcome:.4g}", each.items
            table.rows.append((each.system, str(row.metric), framework, *numbers))
    return table
