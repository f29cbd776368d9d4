"""Tables and rows of the changes between systems.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphscore.report.comparison import (
    WIDTH,
    comparison_tables,
    middle_out,
    scale,
    short_names,
)
from graphscore.report.table import Column, Table, cell, columns_of, one_line, widths
from graphscore.statistics.changes import STATUSES, ChangedUnit, Changes, Status
from graphscore.statistics.comparison import Comparison

WORDS: dict[Status, str] = {
    "fixed": "fixed",
    "broken": "newly wrong",
    "still": "still wrong",
}
"""Labels of the change of an error in tables."""

FIRST = 5
"""Units and tuples of each tuple type that tables show where nobody says how many."""

_LONGEST, _LEAST = 30, 20
"""Characters of an id or a value at most, and of a text that are always shown."""

UNIT_COLUMNS = (
    *("metric", "score", "baseline_system", "system_compared", "framework"),
    *("language", "item", "baseline", "system", "change", "text"),
)
"""Names of the columns of :func:`unit_rows`."""


def shown_tables(comparison: Comparison) -> list[Table]:
    """A comparison and what changed, as a notebook shows it."""
    tables = comparison_tables([comparison])
    for changes in comparison.changes:
        shown = changes.first(FIRST)
        tables += changes_tables(comparison, changes, shown, WIDTH)
    return tables


def changes_tables(
    comparison: Comparison, changes: Changes, shown: Changes, width: int
) -> list[Table]:
    """Units, tuple types and tuples that changed.

    Args:
        comparison: what the changes are of.
        changes: all of them, which are counted.
        shown: those that are listed.
        width: how many columns texts are cut to.
    """
    tables = [_units(comparison, changes, shown, width), _tuple_types(changes)]
    tuples = _tuples(shown)
    return [*tables, tuples] if tuples.rows else tables


def unit_rows(comparison: Comparison) -> Iterator[tuple[Any, ...]]:
    """A row for each unit that got better, then for each that got worse."""
    for changes in comparison.changes:
        head = str(comparison.metric), comparison.score
        for unit in (*(changes.better or ()), *(changes.worse or ())):
            framework, language, item, text, *numbers = unit
            yield (
                *(*head, changes.baseline, changes.system),
                *(framework, language, item, *numbers, text),
            )


def _units(
    comparison: Comparison, changes: Changes, shown: Changes, width: int
) -> Table:
    listed = [*(shown.better or ()), *(shown.worse or ())]
    counts = " and ".join(
        f"{len(units)} {name}"
        for name, units in (("better", changes.better), ("worse", changes.worse))
        if units is not None
    )
    several = len({item.framework for item in comparison.items}) > 1
    heads = [
        Column(comparison.unit),
        *(Column(name) for name in ("framework",) * several),
        *columns_of(
            scale(comparison.metric, comparison.score), "baseline", "system", "change"
        ),
    ]
    names = short_names([system.system for system in comparison.systems], _LONGEST)
    title = f"{names[changes.baseline]} to {names[changes.system]}: {counts}"
    table = Table(heads, title=title if listed else f"{title} {comparison.unit}s")
    table.rows = [_cells(unit, several) for unit in listed]
    if shown.better and shown.worse:
        table.rules = {len(shown.better)}
    texts = [changed.text for changed in listed]
    if any(texts):
        used = sum(2 + width for width in widths(table))
        room = max(width - used, _LEAST)
        heads.append(Column("text", "text"))
        table.rows = [
            (*row, one_line(text, room))
            for row, text in zip(table.rows, texts, strict=True)
        ]
    return table if table.rows else Table([], title=table.title)


def _cells(unit: ChangedUnit, several: bool) -> tuple[Any, ...]:
    return (
        middle_out(one_line(unit.item), _LONGEST),
        *(unit.framework,) * several,
        *(unit.baseline, unit.system, unit.change),
    )


def _tuple_types(changes: Changes) -> Table:
    table = Table(
        [
            Column("tuple_type"),
            Column("error_type"),
            *columns_of("count", *(WORDS[status] for status in STATUSES)),
        ],
        title="errors that are fixed, newly wrong, and still wrong",
    )
    table.rows = [tuple(changed) for changed in changes.tuple_types]
    if len(table.rows) > 1:
        table.rules = {len(table.rows)}
        totals = (changes.total(status) for status in STATUSES)
        table.rows.append(("all", None, *totals))
    return table


def _tuples(shown: Changes) -> Table:
    table = Table(
        [
            *(
                Column(name)
                for name in ("status", "tuple_type", "error_type", "name", "value")
            ),
            Column("errors", "count"),
        ],
        title="most frequent errors that are fixed or newly wrong",
    )
    statuses: tuple[Status, ...] = ("fixed", "broken")
    for status in statuses:
        tuple_s = [tuple_ for tuple_ in shown.tuples if tuple_.status == status]
        if tuple_s and table.rows:
            table.rules = {len(table.rows)}
        for each in tuple_s:
            value = None if each.value is None else one_line(cell(each.value), _LONGEST)
            name = one_line(each.name, _LONGEST)
            table.rows.append(
                (
                    WORDS[status],
                    each.tuple_type,
                    each.error_type,
                    name,
                    value,
                    each.errors,
                )
            )
    return table
