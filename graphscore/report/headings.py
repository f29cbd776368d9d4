"""Headings of a result, and the further tables that its metric has."""

from __future__ import annotations

import math

from graphscore.errors import amount
from graphscore.evaluation.result import Result
from graphscore.metrics.base import unit_of
from graphscore.report.text import Column, Ratio, Table, side_name

EMPTY = "-"
"""Cell of a tuple type that is empty on both sides."""


def heading(result: Result) -> str:
    """Metric, why it if nobody named it, both sides and how many pairs, in a line."""
    because = f", because {result.because}" if result.because else ""
    return f"{result.metric}{because}: {sides_of(result)}"


def sides_of(result: Result) -> str:
    """Both sides and how many pairs."""
    unit = unit_of(result.metric)
    # Of items nobody doubts what a pair is; a file of sentences may be one document.
    of_what = "" if unit == "item" else f" of {unit}s"
    parts = [amount(result.pairs, "pair") + of_what]
    if result.missing_system:
        parts.append(f"{result.missing_system} missing")
    if result.spurious_system:
        parts.append(f"{len(result.spurious_system)} spurious")
    if result.rejected_records:
        parts.append(f"{result.rejected_records} rejected")
    if result.pairs:
        parts.append(
            f"{result.unproven} unproven" if result.unproven else "all proven optimal"
        )
    golds = side_name(result.gold)
    if result.mode:
        golds = f"the {result.mode} of {golds}"
    return f"{side_name(result.system)} against {golds} ({', '.join(parts)})"


def further_tables(result: Result) -> list[Table]:
    """The further tables that the metric of a result has."""
    return [
        Table(
            [
                Column(name, right=bool(number))
                for number, name in enumerate(table.columns)
            ],
            [(name, *map(_score, row)) for name, row in table.rows.items()],
            title=f"{result.metric}: {table.title}",
        )
        for table in ([] if result.nothing else result.metric.tables(result.scores))
        if table.rows
    ]


def _score(value: int | float | None) -> Ratio | int | str | None:
    if value is None or isinstance(value, int):
        return value
    return EMPTY if math.isnan(value) else Ratio(value)
