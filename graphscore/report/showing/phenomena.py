"""What systems make of phenomena, as tables and as rows."""

from __future__ import annotations

from typing import Any

from graphscore.find.phenomena.counting import ScoredPhenomena
from graphscore.report.tables import EMPTY, side_name
from graphscore.report.text import Best, Column, Ratio, Table

ROW = (
    *("phenomenon", "system", "gold_hits", "right", "wrong", "missing"),
    *("system_hits", "system_right", "system_wrong", "surplus"),
    *("precision", "recall", "f1"),
)
"""Columns of a flat row."""

FIGURES = {"f1": "F1", "recall": "recall"}
"""What several systems are compared by."""


def phenomenon_rows(found: ScoredPhenomena) -> list[tuple[Any, ...]]:
    """A row for each phenomenon and system."""
    return [tuple(each[name] for name in ROW) for each in found]


def phenomenon_tables(found: ScoredPhenomena) -> list[Table]:
    """Of one system all counts, of several a table for each figure, a system a column.

    Args:
        found: the counts.
    """
    about = f"{found.metric}, against {side_name(found.gold)}"
    if len(found.systems) > 1:
        return [_compared(found, name, about) for name in FIGURES]
    columns = [Column("phenomenon")]
    heads = ("gold", "right", "wrong", "missing", "P", "R", "F1")
    columns += [Column(name, right=True) for name in heads]
    table = Table(columns, title=f"{side_name(found.systems[0])} ({about})")
    for phenomenon, [tally] in found.phenomena:
        figures = (tally.precision, tally.recall, tally.f1)
        table.rows.append(
            (
                *(phenomenon.name, tally.gold_hits),
                *(tally.right, tally.wrong, tally.missing),
                *map(_ratio, figures),
            )
        )
    return [table]


def _compared(found: ScoredPhenomena, figure: str, about: str) -> Table:
    columns = [Column("phenomenon"), Column("gold", right=True)]
    columns += [Column(side_name(each), right=True) for each in found.systems]
    table = Table(columns, title=f"{FIGURES[figure]} ({about})")
    for phenomenon, tallies in found.phenomena:
        values = [getattr(each, figure) for each in tallies]
        best = max((x for x in values if x is not None), default=None)
        cells = [
            Best(x) if x is not None and x == best and len({*values}) > 1 else _ratio(x)
            for x in values
        ]
        # All systems were scored against the same graphs, if they have all of them.
        gold = max(each.gold_hits for each in tallies)
        table.rows.append((phenomenon.name, gold, *cells))
    return table


def _ratio(value: float | None) -> Any:
    return EMPTY if value is None else Ratio(value)
