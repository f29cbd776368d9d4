"""Confusions of gold and system values, as maps of counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from graphscore.evaluation.rows.errors import ConfusionRow
from graphscore.model.graph import unlabelled
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
    def rest(self) -> int:
        """The confusions that have no cell."""
        return self.times - sum(
            self.counts.get((gold, system), 0)
            for gold in self.golds
            for system in self.systems
        )

    @property
    def lines(self) -> list[tuple[str, list[tuple[int | str, str]]]]:
        """By gold's values the cells, each with its class: the more the darker."""
        most = max(self.counts.values())
        return [
            (gold, [self._cell(gold, system, most) for system in self.systems])
            for gold in self.golds
        ]

    def _cell(self, gold: str, system: str, most: int) -> tuple[int | str, str]:
        times = self.counts.get((gold, system), 0)
        if not times:
            return ("·", "same") if gold == system else ("", "")
        return times, f"h{min(SHADES - 1, times * SHADES // (most + 1))}"


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
    maps = [
        HeatMap(*key, *_confused(cells), cells, sum(cells.values()))
        for key, cells in by.items()
    ]
    maps = [heat for heat in maps if heat.times >= LEAST]
    maps.sort(
        key=lambda heat: (-heat.times, heat.framework, heat.tuple_type, heat.name)
    )
    return maps[:MAPS]


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


def confusions_of(findings: ReportData) -> list[tuple[str, list[HeatMap]]]:
    """Return the maps of every result that has any, under its title.

    Args:
        findings: what a report tells.
    """
    maps = [
        (f"{findings.systems[place]}, {result.metric}", heat_maps(result.confusions))
        for place, result in findings.every
    ]
    return [(title, heats) for title, heats in maps if heats]
