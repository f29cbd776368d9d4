"""Confusions of gold and system values, as maps of counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.errors import ConfusionRow
from graphscore.model.graph import unlabelled
from graphscore.report.page.fragments import part, text
from graphscore.report.page.report_data import ReportData

SHADES = 10
"""Classes ``h0`` to ``h9``."""

MOST = 12
"""Rows and columns of a map at most."""

MAPS = 8
"""Maps of a result at most."""

LEAST = 3
"""Confusions that a map has at least."""

PLACES = frozenset({"anchors"})
"""Tuple types whose values are places in a text, of which no two are the same."""


class HeatMap(NamedTuple):
    """Counts by gold's value and the system's."""

    framework: str
    tuple_type: str
    name: str
    golds: tuple[str, ...]
    systems: tuple[str, ...]
    counts: dict[tuple[str, str], int]
    times: int
    """All confusions of it, those that are not shown included."""

    @property
    def title(self) -> str:
        """Title of the map."""
        return " ".join(filter(None, (self.framework, self.tuple_type, self.name)))

    @property
    def listed(self) -> int:
        """The confusions in its cells."""
        return sum(
            self.counts.get((gold, system), 0)
            for gold in self.golds
            for system in self.systems
        )


def heat_maps(rows: Iterable[ConfusionRow]) -> list[HeatMap]:
    """Maps of the most frequent confusions, by framework, tuple type and name.

    Args:
        rows: as :attr:`Result.confusions` has them.

    Returns:
        Those with the most confusions first, each with the values that are confused
        most.
    """
    by: dict[tuple[str, str, str], dict[tuple[str, str], int]] = {}
    for row in rows:
        if row.tuple_type in PLACES:
            continue
        cells = by.setdefault((row.framework, row.tuple_type, row.name), {})
        both = _said(row.gold_value, row.name), _said(row.system_value, row.name)
        cells[both] = cells.get(both, 0) + row.times
    made = [
        HeatMap(*key, *_confused(cells), cells, sum(cells.values()))
        for key, cells in by.items()
    ]
    made = [each for each in made if each.times >= LEAST]
    made.sort(
        key=lambda each: (-each.times, each.framework, each.tuple_type, each.name)
    )
    return made[:MAPS]


def _said(value: str | None, name: str) -> str:
    return value if value is not None else unlabelled(value, name)


def _confused(
    cells: dict[tuple[str, str], int],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Values of gold and of the system, without those that have no cell left."""
    golds, systems = _most(cells, 0), _most(cells, 1)
    shown = {
        (gold, system) for gold, system in cells if gold in golds and system in systems
    }
    return (
        tuple(gold for gold in golds if any(gold == pair[0] for pair in shown)),
        tuple(system for system in systems if any(system == pair[1] for pair in shown)),
    )


def _most(cells: dict[tuple[str, str], int], side: int) -> tuple[str, ...]:
    """The values of a side that are confused most, with others beside the same ones."""
    totals: dict[str, int] = {}
    for both, times in cells.items():
        totals[both[side]] = totals.get(both[side], 0) + times
    result = sorted(totals, key=lambda value: (-totals[value], value))
    return tuple(result[:MOST])


def heat_table(heat: HeatMap) -> str:
    """A map as a table: numbers in cells, the more the darker.

    Args:
        heat: the map.
    """
    most = max(heat.counts.values())
    head = "".join(
        f'<th scope="col"><span>{text(value, 24)}</span></th>' for value in heat.systems
    )
    lines = []
    for gold in heat.golds:
        cells = "".join(
            _cell(heat.counts.get((gold, system), 0), most, gold == system)
            for system in heat.systems
        )
        lines.append(f'<tr><th scope="row">{text(gold, 24)}</th>{cells}</tr>')
    rest = heat.times - heat.listed
    more = f", {rest} more are not in it" if rest else ""
    return (
        f'<div class="scroll"><table class="heat"><caption>{text(heat.title)}: '
        f"{heat.times} confusions{more}</caption><thead><tr>"
        f'<th scope="col">gold \\ system</th>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _cell(times: int, most: int, same: bool) -> str:
    if not times:
        return '<td class="same">·</td>' if same else "<td></td>"
    shade = min(SHADES - 1, times * SHADES // (most + 1))
    return f'<td class="h{shade}">{times}</td>'


def confusions_part(findings: ReportData) -> str:
    """The maps of every result.

    Args:
        findings: what a report tells.
    """
    body = []
    for place, result in findings.every:
        body.append(_of(result, findings.systems[place]))
    if not any(body):
        return ""
    legend = (
        "<p>Rows are what gold says, columns what the system says of the same object; "
        "numbers say how often, and the more often the darker.  Places in the text "
        "are left out.</p>"
    )
    return part("confusions", "Confusions", legend, *body)


def _of(result: Result, system: str) -> str:
    maps: Sequence[HeatMap] = heat_maps(result.confusions)
    if not maps:
        return ""
    tables = "".join(map(heat_table, maps))
    return (
        f"<h3>{text(system)}, {text(str(result.metric))}</h3>"
        f'<div class="maps">{tables}</div>'
    )
