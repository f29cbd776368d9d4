"""What errors cost, as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.errors import amount
from graphscore.report.tables import side_name
from graphscore.report.text import Column, Ratio, Table
from graphscore.statistics.whatif.repairs import ErrorClass, Step, WhatIf

FIRST = 20
"""So many classes are listed where nobody asks for more."""


def whatif_tables(found: WhatIf, top: int = FIRST) -> list[Table]:
    """The classes, and the best fix each time where that was asked for.

    Args:
        found: what errors cost.
        top: how many classes are listed.
    """
    table = _table(found, found.classes[:top], "if right")
    table.title = f"{side_name(found.system)}: {found.metric}: {found.figure}"
    table.notes.append((found.figure, Ratio(found.value)))
    if found.fixed.fixes:
        fixes = " and ".join(map(str, found.fixed.fixes))
        errors = amount(found.fixed.errors, "error")
        table.notes.append((f"with {fixes} right ({errors})", Ratio(found.fixed.value)))
    if len(found.classes) > top:
        table.notes.append(f"{top} of {len(found.classes)} classes of errors")
    if not found.steps:
        return [table]
    steps = _table(found, found.steps, "so far")
    steps.title = "the best next class each time"
    return [table, steps]


def _table(found: WhatIf, rows: Sequence[ErrorClass | Step], reached: str) -> Table:
    table = Table(
        [
            *(Column(name) for name in ("kind", "label", "side")),
            *(Column(name, True) for name in ("errors", reached, "gain")),
        ]
    )
    for each in rows:
        table.rows.append((*each[:4], Ratio(each.value), Ratio(each.gain)))
    return table
