"""What errors cost, as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from graphscore.report.tables import side_name
from graphscore.report.text import Column, Ratio, Table
from graphscore.statistics.whatif.repairs import WhatIf

FIRST = 20
"""So many classes are listed where nobody asks for more."""


def whatif_tables(found: WhatIf, top: int = FIRST) -> list[Table]:
    """The classes of errors, the most costly first.

    Args:
        found: what errors cost.
        top: how many classes are listed.
    """
    table = Table(
        [
            *(Column(name) for name in ("kind", "label", "side")),
            *(Column(name, True) for name in ("errors", "if right", "gain")),
        ],
        title=f"{side_name(found.system)}: {found.metric}: {found.figure}",
    )
    for each in found.classes[:top]:
        table.rows.append((*each[:4], Ratio(each.value), Ratio(each.gain)))
    table.notes.append((found.figure, Ratio(found.value)))
    if len(found.classes) > top:
        table.notes.append(f"{top} of {len(found.classes)} classes of errors")
    return [table]
