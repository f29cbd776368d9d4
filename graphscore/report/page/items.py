"""Items with their pictures, scores and errors, and the list that leads to them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.drawing.svg import shortened
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import amount
from graphscore.metrics.base import Metric
from graphscore.model.outcome import Count, Error, Outcome
from graphscore.report.page.errors import (
    ErrorLine,
    ErrorTable,
    error_lines,
    error_table,
    telling,
)
from graphscore.report.page.pictures import Drawn, Form, Pictured
from graphscore.report.page.report_data import Item, ReportData, UnitResult, main_value
from graphscore.report.side_by_side import ABSENT
from graphscore.report.table import Ratio, cell
from graphscore.statistics.changes import STATUSES, error_changes, identity

OPEN = 10
"""Items that are open at first."""

NAME = 24
"""Characters of an item's name in the list of items."""

ItemPlace = tuple[str, str, str, str, str, int]
"""Metric, framework, language, item, layer and the system's place."""

Identity = tuple[Any, ...]


class Moved(NamedTuple):
    """Changes of the errors of a unit of a system."""

    counts: Counter[str]
    """Against the first system: how many are fixed, broken and still there."""
    status: dict[Identity, str]
    """Status of each error, for the table of errors."""

    def status_of(self, error: Error) -> str:
        """The status of an error; empty where it has none."""
        return self.status.get(identity(error), "")


Changed = Mapping[ItemPlace, Moved]


def changes_of(findings: ReportData) -> dict[ItemPlace, Moved]:
    """Count the errors that each system fixed and broke in each unit.

    Args:
        findings: nothing is told of them unless systems were compared.
    """
    changes: dict[ItemPlace, Moved] = {}
    if not findings.comparisons:
        return changes
    compared = {comparison.metric for comparison in findings.comparisons}
    first, *others = findings.read
    for index, results in enumerate(others, 1):
        for result in results:
            before = _by(result, first)
            if before is None or result.metric not in compared:
                continue
            languages = {
                (item.framework, item.item, item.layer): item.language
                for item in result.items
            }
            for error_change in error_changes(before, result):
                unit = error_change.framework, error_change.item, error_change.layer
                key = (
                    *(str(result.metric), error_change.framework, languages[unit]),
                    *(error_change.item, error_change.layer),
                )
                moved = changes.setdefault((*key, index), Moved(Counter(), {}))
                moved.counts[error_change.status] += error_change.errors
                known = identity(error_change.error)
                moved.status.setdefault(known, error_change.status)
                if len(others) == 1:
                    # Of two systems the first says, too, what the other fixed.
                    base = changes.setdefault((*key, 0), Moved(Counter(), {}))
                    base.status.setdefault(known, error_change.status)
    return changes


def _by(result: Result, results: Sequence[Result]) -> Result | None:
    return next((each for each in results if each.metric == result.metric), None)


def _place(seen: UnitResult) -> ItemPlace:
    result = seen.result
    return (
        *(
            str(seen.metric),
            result.framework,
            result.language,
            result.item,
            result.layer,
        ),
        seen.system,
    )


class Seen(NamedTuple):
    """One metric of an item for one system, as pages show it."""

    metric: str
    value: str
    remarks: list[str]
    errors: ErrorTable
    picture: str = ""
    wide: bool = False
    system: str = ""
    """Name of the system, where there are several."""
    moved: str = ""
    """Numbers of errors fixed, broken and still there."""


class Frame(NamedTuple):
    """An item in one framework: every system and metric."""

    where: str
    framework: str
    units: list[Seen]

    @property
    def several(self) -> bool:
        """There are several systems, which stand beside each other."""
        return any(seen.system for seen in self.units)

    @property
    def wide(self) -> bool:
        """A picture has the whole width of a page."""
        return any(seen.wide for seen in self.units)


class ShownItem(NamedTuple):
    """An item in all its frameworks, as a report shows it."""

    id: str
    name: str
    short: str
    """Its name in the list of items."""
    brief_score: str
    summary: str
    telling: str
    """The most telling errors, which are seen before the item is opened."""
    text: str
    frames: list[Frame]
    wide: bool
    opened: bool
    form: Form = "left out"


def shown_items(
    findings: ReportData, pictures: Sequence[Pictured], changed: Changed
) -> list[ShownItem]:
    """Return the items of a report.

    Args:
        findings: what a report tells.
        pictures: those of each item.
        changed: what the systems fixed and broke.
    """
    return [
        _shown_item(findings, item, drawn, changed)
        for item, drawn in zip(findings.items, pictures, strict=True)
    ]


def _shown_item(
    findings: ReportData, item: Item, pictures: Pictured, changed: Changed
) -> ShownItem:
    by: dict[str, list[tuple[UnitResult, Drawn]]] = {}
    lines: list[ErrorLine] = []
    for seen, drawn in zip(item.seen, pictures.drawn, strict=True):
        by.setdefault(seen.where, []).append((seen, drawn))
        lines += error_lines(seen.result.errors, drawn.gold, drawn.system)
    frames = [
        Frame(where, units[0][0].result.framework, _seen(findings, units, changed))
        for where, units in by.items()
    ]
    known = not math.isnan(item.score)
    score = cell(Ratio(item.score), findings.places) if known else ""
    size = f"{gold_size(item):g} in gold"
    parts = (score, amount(item.errors, "error"), size, _moved(item.seen, changed))
    return ShownItem(
        item.id,
        item.name,
        shortened(item.name, NAME),
        cell(Ratio(item.score), 1) if known else "",
        ", ".join(filter(None, parts)),
        "; ".join(telling(lines)),
        item.text,
        frames,
        # Several systems stand beside each other.
        wide=len(by) == 1 or findings.several,
        opened=item.number <= OPEN,
    )


def _seen(
    findings: ReportData, units: Sequence[tuple[UnitResult, Drawn]], changed: Changed
) -> list[Seen]:
    """An item in one framework: every system and metric, below each other."""
    several = len({unit.system for unit, _ in units}) > 1
    shown = []
    for unit, drawn in units:
        item, moved = unit.result, changed.get(_place(unit))
        count = main_count(unit.metric, item)
        status = moved.status_of if moved else None
        errors = error_table(item.errors, drawn.gold, drawn.system, status, count)
        seen = seen_unit(unit.metric, item, errors, item.missing, findings.places)
        shown.append(
            seen._replace(
                system=findings.systems[unit.system] if several else "",
                moved=_named(moved.counts) if moved else "",
                picture=drawn.figure,
                wide=drawn.wide,
            )
        )
    return shown


def main_count(metric: Metric, unit: Outcome | ItemResult) -> Count | None:
    """Return the counts of the main tuple type of a metric, where it has them.

    Args:
        metric: any.
        unit: its outcome.
    """
    return metric.scores(unit.raw_counts).counts.get(metric.main)


def seen_unit(
    metric: Metric,
    unit: Outcome | ItemResult,
    errors: ErrorTable,
    absent: bool,
    places: int = 2,
) -> Seen:
    """Return what pages show of one metric of an item, but its picture.

    Args:
        metric: any.
        unit: its outcome.
        errors: of it.
        absent: the system has no such item.
        places: decimals of ratios.
    """
    value, count = main_value(metric, unit.raw_counts), main_count(metric, unit)
    remarks = [] if count is None else [counted(count, places)]
    remarks += [ABSENT] * absent + ["unproven"] * (not unit.proven)
    shown = "" if math.isnan(value) else cell(Ratio(value), places)
    return Seen(str(metric), shown, remarks, errors)


def gold_size(item: Item) -> float:
    """Return the size of gold: its tuples of each main type, by the first system.

    Args:
        item: in all its frameworks.
    """
    counts = (
        seen.metric.scores(seen.result.raw_counts).counts.get(seen.metric.main)
        for seen in item.seen
        if seen.system == item.seen[0].system
    )
    return math.fsum(count.gold for count in counts if count is not None)


def counted(count: Count, places: int) -> str:
    """Describe the counts of a metric: ratios and amounts.

    Args:
        count: of its main tuple type.
        places: decimals of ratios.
    """
    if not (count.gold or count.system):
        return "nothing on either side"
    ratios = (
        f"{name} {cell(Ratio(value), places)}"
        for name, value in (("P", count.precision), ("R", count.recall))
    )
    amounts = f"{count.matched:g} of {count.gold:g} gold and {count.system:g} system"
    return ", ".join((*ratios, amounts))


def _named(changed: Mapping[str, int]) -> str:
    parts = (
        f"{changed[status]} {status}" for status in STATUSES if changed.get(status)
    )
    return ", ".join(parts)


def _moved(units: Sequence[UnitResult], changed: Changed) -> str:
    total: Counter[str] = Counter()
    for seen in units:
        if moved := changed.get(_place(seen)):
            total.update(moved.counts)
    return _named({name: total[name] for name in ("fixed", "broken")})
