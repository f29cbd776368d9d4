"""Comparisons of systems as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from graphscore.exceptions import amount
from graphscore.metrics.base import Metric
from graphscore.metrics.traits import is_ratio
from graphscore.report.markup import signed
from graphscore.report.table import (
    Column,
    Meaning,
    Short,
    Table,
    columns_of,
    one_line,
    widths,
)
from graphscore.statistics.comparison import ALPHA, Comparison, PairTest, RankedSystem

WIDTH = 80
"""Characters of a terminal's line, in which tables stay if names can be cut."""

GAP = 2
"""Characters between two columns."""

LEAST, STACKED = 8, 20
"""Characters of a name that are always shown, and where columns are stacked."""

SENTENCE = 44
"""Characters of what is said of a cluster beside its names."""

FIXED_OF_SYSTEMS = 40
"""Characters of all columns of systems but their names and slices."""


SIGNIFICANT = ((0.001, "***"), (0.01, "**"), (ALPHA, "*"))
"""Marks of differences, by the p-value that they are under."""

DIFFERS = "†"
"""Mark of a system that differs from the best one, or the baseline."""


def comparison_tables(
    comparisons: Sequence[Comparison],
    signatures: Mapping[str, str] | None = None,
    width: int = WIDTH,
) -> list[Table]:
    """The systems, their pairs, and both again in every slice.

    Args:
        comparisons: one by each metric.
        signatures: of the results that were compared, by metric.
        width: characters of a line, for which names are shortened.
    """
    tables: list[Table] = []
    for comparison in comparisons:
        scored = (signatures or {}).get(str(comparison.metric), "")
        signature = "|".join(filter(None, (scored, comparison.signature)))
        tables += signed(_tables(comparison, width), signature)
    lines = (line for comparison in comparisons for line in _legend(comparison))
    tables[-1].notes = [*dict.fromkeys(lines)]
    return tables


def _tables(comparison: Comparison, width: int) -> list[Table]:
    tables = _both([comparison], width)
    tables[0].title = title(comparison)
    if comparison.groups:
        names = ", ".join(comparison.by)
        slices = _both(comparison.groups, width)
        slices[0].title = f"{comparison.metric} by {names}"
        tables += slices
    return tables


def _both(comparisons: Sequence[Comparison], width: int) -> list[Table]:
    """Systems and pairs; of one system there are no pairs."""
    tables = [systems_table(comparisons, width)]
    if not comparisons[0].pairs:
        return tables
    return [*tables, pairs_table(comparisons, width)]


def systems_table(comparisons: Sequence[Comparison], width: int = WIDTH) -> Table:
    """A row per system, best first, a line between clusters.

    Args:
        comparisons: one, or those of slices, which have columns and lines of their own.
        width: characters of a line, for which names are shortened.
    """
    first = comparisons[0]
    table = Table(
        [
            *_slice_columns(first),
            Column("rank"),
            Column("system"),
            *columns_of(_scale(first), _score(first), "low", "high"),
        ]
    )
    heads = _slice_columns(first)
    slices = Table(heads, [_slice_cells(comparison) for comparison in comparisons])
    used = sum(width + GAP for width in widths(slices)) + FIXED_OF_SYSTEMS
    shown = short_names([ranked.system for ranked in first.systems], width - used)
    for comparison in comparisons:
        order = sorted(comparison.systems, key=lambda system: system.rank)
        indexes = {system.system: index for index, system in enumerate(order)}
        start = len(table.rows)
        differing = _differing(comparison, order)
        if not comparison.slice:
            best = {
                min(indexes[name] for name in group) for group in comparison.clusters
            }
            table.rules |= best - {0}
        elif start:
            table.rules.add(start)
        for index, system in enumerate(order):
            if system.rank == 1 and system.value is not None and len(order) > 1:
                table.best.add((len(table.rows), len(heads) + 2))
            if system.system in differing:
                table.marks[len(table.rows), len(heads) + 2] = DIFFERS
            table.rows.append(
                (
                    *_slice_cells(comparison, index == 0),
                    rank_cell(system.rank, system.rank_low, system.rank_high),
                    shown[system.system],
                    *(system.value, system.low, system.high),
                )
            )
    if table.marks:
        than = first.baseline or "the best system"
        table.legend = f"{DIFFERS} differs from {than}, adjusted p under {ALPHA:g}"
    return table


def _differing(comparison: Comparison, order: Sequence[RankedSystem]) -> set[str]:
    """The systems that tests tell from the baseline, or from the best."""
    base = comparison.baseline or order[0].system
    return {
        pair.b if pair.a == base else pair.a
        for pair in comparison.pairs
        if base in (pair.a, pair.b)
        and pair.p_adjusted is not None
        and pair.p_adjusted < ALPHA
    }


def significance(p: float | None) -> str:
    """The mark of a difference with this p-value.

    >>> significance(0.0004), significance(0.049), significance(0.05)
    ('***', '*', '')
    """
    if p is None:
        return ""
    return next((mark for limit, mark in SIGNIFICANT if p < limit), "")


def pairs_table(comparisons: Sequence[Comparison], width: int = WIDTH) -> Table:
    """A row per pair: how its systems differ, and how likely that is by chance.

    Slices leave out what there is no room for.

    Args:
        comparisons: one, or those of slices, which have columns and lines of their own.
        width: characters of a line, for which names are shortened.
    """
    first = comparisons[0]
    difference = "b - a" if first.lowest_best else "a - b"
    last = () if first.slice else ("effect",)
    p = () if first.slice else ("p",)
    names = (*p, "adj. p", "W/T/L", *last)
    table = Table(
        [
            *_slice_columns(first),
            *map(Column, ("a", "b")),
            *columns_of(_scale(first), difference, "low", "high"),
            *columns_of("number", *names),
        ]
    )
    tested = [pair for comparison in comparisons for pair in _asked_pairs(comparison)]
    for number, pair in enumerate(tested):
        if mark := significance(pair.p_adjusted):
            table.marks[number, len(_slice_columns(first)) + 2] = mark
    if table.marks:
        under = (f"{mark} {limit:g}" for limit, mark in reversed(SIGNIFICANT))
        table.legend = f"adjusted p under: {', '.join(under)}"
    table.rows = [
        (
            *_slice_cells(comparison, index == 0),
            pair.a,
            pair.b,
            *(pair.difference, pair.low, pair.high),
            *(_probability(pair.p) for _ in p),
            _probability(pair.p_adjusted),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
            *(_two_places(pair.effect) for _ in last),
        )
        for comparison in comparisons
        for index, pair in enumerate(_asked_pairs(comparison))
    ]
    start = len(_slice_columns(first))
    used = sum(widths(table)) - sum(widths(table)[start : start + 2])
    room = (width - used - len(table.columns) * GAP) // 2
    # Where there is hardly any the columns are stacked, and there is more.
    room = room if room >= LEAST else STACKED
    shown = short_names([system.system for system in first.systems], room)
    for index, row in enumerate(table.rows):
        if start and row[0] is not None and index and len(first.systems) > 2:
            table.rules.add(index)
        a, b = row[start : start + 2]
        table.rows[index] = (*row[:start], shown[a], shown[b], *row[start + 2 :])
    return table


def title(comparison: Comparison) -> str:
    """Metric, score and units in a line."""
    best = ", the lowest is the best" if comparison.lowest_best else ""
    units = amount(comparison.units, comparison.unit)
    return f"{comparison.metric}: {comparison.score} over {units}{best}"


def short_names(names: Sequence[str], most: int) -> dict[str, str]:
    """Names of systems as tables show them: without what all paths have in common.

    What is longer goes without the ending of all, and is cut in the middle unless two
    would then be the same.

    Args:
        names: of all systems, each different.
        most: characters that there is room for; eight are shown anyway.

    Returns:
        By name what is shown.

    Example:
        >>> short_names(["runs/alder.mrp", "runs/birch.mrp"], 8)
        {'runs/alder.mrp': 'alder', 'runs/birch.mrp': 'birch'}
        >>> short_names(["transition-based-1", "transition-based-2"], 9)
        {'transition-based-1': 'tran…ed-1', 'transition-based-2': 'tran…ed-2'}
        >>> short_names(["old-parser.a.conllu", "new.b.conllu"], 8)
        {'old-parser.a.conllu': 'old-…r.a', 'new.b.conllu': 'new.b'}
    """
    if all(len(one_line(name)) <= most for name in names):
        return {name: name for name in names}
    for shown in (PurePath(name).name for name in names), names:
        lines = [one_line(name) for name in shown]
        end = _ending(lines)
        if end and max(map(len, lines)) > most:
            lines = [name.removesuffix(end) for name in lines]
        for shortened in (
            [middle_out(name, max(LEAST, most)) for name in lines],
            lines,
        ):
            if len(set(shortened)) == len(names) and all(shortened):
                return dict(zip(names, map(Short, shortened, names), strict=True))
    return {name: name for name in names}


def _ending(names: Sequence[str]) -> str:
    """Return the common suffix of file names, such as ``.conllu`` or ``.mrp.gz``."""
    suffixes = [PurePath(name).suffixes for name in names]
    same = 0
    while all(len(suffix) > same for suffix in suffixes) and (
        len({suffix[-same - 1] for suffix in suffixes}) == 1
    ):
        same += 1
    return "".join(suffixes[0][len(suffixes[0]) - same :])


def middle_out(name: str, most: int) -> str:
    """A name without its middle, if it is longer than *most* characters.

    >>> middle_out("weblog-2004-0015", 9)
    'webl…0015'
    """
    if len(name) <= most:
        return name
    end = (most - 1) // 2
    return f"{name[: most - 1 - end]}…{name[-end:]}"


def _asked_pairs(comparison: Comparison) -> list[PairTest]:
    """The pairs that are shown, the better system first.

    They are those with the baseline, where one was named.
    """
    baseline = comparison.baseline
    return [
        _better_first(pair, comparison.lowest_best)
        for pair in comparison.pairs
        if not baseline or baseline in (pair.a, pair.b)
    ]


def _better_first(pair: PairTest, lowest_best: bool) -> PairTest:
    """Return a pair whose first system is the better one, and by how much it is."""
    if pair.difference is None:
        return pair
    turned = (pair.difference > 0) == lowest_best and pair.difference != 0
    if turned:
        pair = pair._replace(a=pair.b, b=pair.a, wins=pair.losses, losses=pair.wins)
    if turned == lowest_best:
        return pair
    # What is less of the one than of the other is more the other way.
    return pair._replace(
        difference=_negated(pair.difference),
        low=_negated(pair.high),
        high=_negated(pair.low),
        effect=_negated(pair.effect),
    )


def _negated(value: float | None) -> float | None:
    return None if value is None else 0 - value


def _slice_columns(comparison: Comparison) -> list[Column]:
    names = [*map(Column, comparison.slice)]
    return [*names, Column("units", "count")] if names else []


def _slice_cells(comparison: Comparison, first: bool = True) -> tuple[Any, ...]:
    """Return the cells that identify a slice, for the first of its rows."""
    if not comparison.slice:
        return ()
    if not first:
        return tuple(None for _ in range(len(comparison.slice) + 1))
    return (*comparison.slice.values(), comparison.units)


def _score(comparison: Comparison) -> str:
    """The score; of tuple types, which have a column, only that it is their F1."""
    return "F1" if "tuple_type" in comparison.slice else comparison.score


def _two_places(effect: float | None) -> str | None:
    return None if effect is None else f"{effect:z.2f}"


def fitted(table: Table, indexes: Sequence[int], names: Sequence[str]) -> Table:
    """A table whose names of systems are short enough for a line, if they can be.

    Args:
        table: any; it is changed.
        indexes: of the columns that names are in, which share the room.
        names: of all systems; other cells of these columns stay.
    """
    others = (w for n, w in enumerate(widths(table)) if n not in indexes)
    rest = sum(width + GAP for width in others)
    shown = short_names(names, (WIDTH - rest + GAP) // len(indexes) - GAP)
    table.rows = [
        tuple(
            shown.get(cell, cell) if n in indexes else cell
            for n, cell in enumerate(row)
        )
        for row in table.rows
    ]
    return table


def _legend(comparison: Comparison) -> list[str | tuple[str, Any]]:
    """Return the legend of the columns, beneath the last table."""
    percent = f"{100 * comparison.level:g} %"
    pairs, shown = len(comparison.pairs), len(_asked_pairs(comparison))
    notes: list[str | tuple[str, Any]] = [
        f"low, high: {percent} interval of {comparison.samples:,} samples of "
        f"{comparison.unit}s, seed {comparison.seed}",
        f"p: paired randomisation, adjusted for {amount(pairs, 'pair')} (Holm); "
        "effect: Cohen's d",
        f"W/T/L: {comparison.unit}s in which a is better, both are equal, b is better",
    ]
    notes += _cluster_notes(comparison)
    if shown < pairs:
        notes.append("pairs with the baseline; the others are in JSON")
    return notes


def _cluster_notes(comparison: Comparison) -> Iterator[str]:
    """Yield which systems are better than all below, in words."""
    largest = max(map(len, comparison.clusters))
    room = (WIDTH - SENTENCE) // largest - GAP
    shown = short_names([system.system for system in comparison.systems], room)
    *better, last = [
        ", ".join(str(shown[name]) for name in group) for group in comparison.clusters
    ]
    for names, group in zip(better, comparison.clusters, strict=False):
        verb = "is" if len(group) == 1 else "are"
        yield f"{names} {verb} better than all below, p under {ALPHA:g}"
    if len(comparison.clusters[-1]) > 1:
        yield f"{last} cannot be told apart, p of {ALPHA:g} or more"


def scale(metric: Metric, score: str) -> Meaning:
    """Return the meaning of a column of scores: ratios are shown times 100."""
    return "ratio" if is_ratio(metric, score, 0.0) else "number"


def _scale(comparison: Comparison) -> Meaning:
    return scale(comparison.metric, comparison.score)


def rank_cell(rank: int, low: int | None, high: int | None) -> str:
    """Return a rank with its interval, where that has several.

    >>> rank_cell(1, 1, 2), rank_cell(1, 1, 1), rank_cell(2, 1, 1)
    ('1 (1–2)', '1', '2 (1)')
    """
    if low is None or (low == high == rank):
        return str(rank)
    return f"{rank} ({low if low == high else f'{low}–{high}'})"


def _probability(p: float | None) -> str | None:
    """A p-value in four decimals, or fewer than one in ten thousand.

    >>> _probability(0.04312), _probability(0.00001), _probability(1.0)
    ('0.0431', '<.0001', '1.0000')
    """
    if p is None:
        return None
    return f"{p:.4f}" if p >= 0.00005 else "<.0001"


def nested_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """The whole and each slice as in the JSON contract, one value each."""
    for part in (comparison, *comparison.groups):
        value = part.to_dict()
        value.pop("groups", None)
        yield value
