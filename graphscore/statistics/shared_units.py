"""The units that several frameworks, languages or layers share, laid out alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import PairingError, UsageError
from graphscore.metrics.base import Metric
from graphscore.statistics.resampling import items_of
from graphscore.statistics.tables import Table, Unit, UnitKey, raw_count_tables

DIMENSIONS = {
    "frameworks": ("language", "item"),
    "languages": ("framework", "item"),
    "layers": ("framework", "language", "item"),
}
"""Dimensions to compare across, and the columns that identify the shared units."""


Parts = dict[str, tuple[Metric, list[list[ItemResult]]]]
"""By place the metric, and the items of every system."""


def parts_of(scored: Sequence[Sequence[Result]], column: str) -> Parts:
    """Items by place, with one metric each."""
    parts: Parts = {}
    for metric in dict.fromkeys(each.metric for mine in scored for each in mine):
        results = [[each for each in mine if each.metric == metric] for mine in scored]
        if not all(results):
            lacking = next(n for n, result in enumerate(results) if not result)
            raise PairingError(
                f"{metric} did not score {scored[lacking][0].system}; -m {metric} does"
            )
        own: dict[str, list[list[ItemResult]]] = {}
        for system, [result, *_] in enumerate(results):
            for item in items_of(result):
                sides = own.setdefault(getattr(item, column), [[] for _ in scored])
                sides[system].append(item)
        for place, sides in own.items():
            if place in parts:
                raise UsageError(
                    f"{parts[place][0]} and {metric} both score {place or 'the same'}: "
                    "name one metric, or several that share none"
                )
            parts[place] = metric, sides
    return dict(sorted(parts.items()))


def shared_tables(
    parts: Parts, by: str, unit: Unit
) -> tuple[list[list[Table]], dict[str, int]]:
    """The shared units, laid out alike, by place and system; how many are left out."""
    if by == "frameworks":
        parts = _with_languages(parts)
    tables = [
        raw_count_tables(sides, unit, known_by=DIMENSIONS[by])
        for _, sides in parts.values()
    ]
    units: dict[UnitKey, None] = dict.fromkeys(tables[0][0].units)
    for systems in tables[1:]:
        shared = set(systems[0].units)
        units = {unit: None for unit in units if unit in shared}
    sizes = {
        part: len(systems[0].units) for part, systems in zip(parts, tables, strict=True)
    }
    if not units:
        held = ", ".join(f"{place or 'none'} {size}" for place, size in sizes.items())
        raise PairingError(
            f"no {unit} is in all {by}: {unit}s by {by.removesuffix('s')}: {held}; "
            f"choose some of them with --{by.removesuffix('s')}"
        )
    left_out = {place: size - len(units) for place, size in sizes.items()}
    return [
        [_chosen(system, units) for system in systems] for systems in tables
    ], left_out


def _with_languages(parts: Parts) -> Parts:
    """Items whose language only some frameworks say, with that language."""
    languages_of: dict[str, set[str]] = {}
    for _, sides in parts.values():
        for item in sides[0]:
            if item.language:
                languages_of.setdefault(item.item, set()).add(item.language)

    def with_language(item: ItemResult) -> ItemResult:
        languages = languages_of.get(item.item, ())
        if item.language or len(languages) != 1:
            return item
        return item._replace(language=next(iter(languages)))

    return {
        place: (metric, [[with_language(item) for item in side] for side in sides])
        for place, (metric, sides) in parts.items()
    }


def _chosen(table: Table, units: Iterable[UnitKey]) -> Table:
    """The rows of some units, in their order."""
    at = {unit: row for row, unit in enumerate(table.units)}
    chosen = tuple(units)
    return Table(chosen, table.columns, table.rows[[at[each] for each in chosen]])
