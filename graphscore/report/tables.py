"""Results as rows: for tables, and flat for programs.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphscore.evaluation.confidence_intervals import Bounds
from graphscore.evaluation.macro import (
    MACRO,
    RATIOS,
    Slice,
    macro_counts,
    macro_groups,
    macro_value,
)
from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.scores import group_columns
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import amount
from graphscore.metrics.base import Metric, main_score, unit_of
from graphscore.model.outcome import Count, Scores
from graphscore.report.interval_cells import (
    compared_ends,
    end_cells,
    ended,
    shared_draws,
)
from graphscore.report.ranking import mark_best
from graphscore.report.table import (
    COUNTED,
    NAME,
    Column,
    Table,
    columns_of,
    one_line,
    side_name,
)

EMPTY = "-"
"""Cell of a tuple type that is empty on both sides."""

TOTAL = "all"

MOST = 6
"""Tuple types that are columns of a table; more of them are its rows."""


def heading(result: Result) -> str:
    """Metric, why it if nobody named it, both sides and how many pairs, in a line."""
    because = f", because {result.because}" if result.because else ""
    return f"{result.metric}{because}: {sides_of(result)}"


def sides_of(result: Result) -> str:
    """Both sides and how many pairs."""
    unit = unit_of(result.metric)
    # Of items nobody doubts what a pair is; a file of sentences may be one document.
    of_what = "" if unit == "item" else f" of {unit}s"
    parts = [amount(len(result.runs), "run")] * bool(result.runs)
    parts.append(amount(result.pairs, "pair") + of_what)
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
                Column(name, "ratio" if number else "name")
                for number, name in enumerate(table.columns)
            ],
            [(name, *map(_score, row)) for name, row in table.rows.items()],
            title=f"{result.metric}: {table.title}",
        )
        for table in ([] if result.nothing else result.metric.tables(result.scores))
        if table.rows
    ]


def _score(value: int | float | None) -> int | float | str | None:
    return EMPTY if value is not None and math.isnan(value) else value


def shown_tuple_types(metric: Metric) -> list[str]:
    """The tuple types that have a column beside ``all``."""
    return [tuple_type for tuple_type in metric.tuple_types if tuple_type != TOTAL]


def shown_cell(
    metric: Metric, frameworks: Iterable[str], tuple_type: str, count: Count
) -> bool:
    """Return whether a tuple type has a cell: it applies, or it counts all the same."""
    if tuple_type == TOTAL or count.gold or count.system:
        return True
    return any(tuple_type in metric.applicable(framework) for framework in frameworks)


def _f1(count: Count) -> float | str:
    return count.f1 if count.gold or count.system else EMPTY


def ratio_cells(count: Count) -> list[float | str]:
    """P, R and F1; of nothing there are none."""
    if not (count.gold or count.system):
        return [EMPTY] * len(RATIOS)
    return [count.precision, count.recall, count.f1]


def main_cell(metric: Metric, scores: Scores) -> float | str:
    """Return the main score."""
    if not metric.leading:
        return _f1(scores.counts[metric.main])
    result = main_score(metric, scores)
    return EMPTY if math.isnan(result) else float(result)


def _last_columns(metric: Metric) -> list[Column]:
    """Columns for P, R and F1 of the main tuple type, and the leading score."""
    last = [Column(metric.leading, "ratio")] if metric.leading else []
    if not _has_ratios(metric):
        return last
    ratios = Column("R", "ratio", joined=True), Column("F1", "ratio", joined=True)
    return [Column(f"{metric.main} P", "ratio"), *ratios, *last]


def _has_ratios(metric: Metric) -> bool:
    """Return whether rows end with P, R and F1: not where many columns have the F1."""
    names = shown_tuple_types(metric)
    return len(names) <= MOST or metric.main not in names


def _row(
    result: Result, names: tuple[str, ...], scores: Scores, frameworks: list[str]
) -> tuple[Any, ...]:
    counts, metric = scores.counts, result.metric
    if not counts:
        unknown = [EMPTY] * len(_last_columns(metric))
        return (*names, *(None for _ in shown_tuple_types(metric)), *unknown)
    cells = [
        _f1(counts[tuple_type])
        if shown_cell(metric, frameworks, tuple_type, counts[tuple_type])
        else None
        for tuple_type in shown_tuple_types(metric)
    ]
    ratios = ratio_cells(counts[metric.main]) if _has_ratios(metric) else []
    last = [main_cell(metric, scores)] if metric.leading else []
    return (*names, *cells, *ratios, *last)


def _end_rows(
    result: Result,
    row: tuple[Any, ...],
    names: int,
    bounds: Bounds | None,
) -> list[tuple[Any, ...]]:
    """The rows below one: lower and upper ends of what stands in its cells.

    Args:
        result: whose row it is.
        row: its cells.
        names: how many of them are names.
        bounds: the intervals; ``None`` where nobody asked for them.
    """
    if bounds is None:
        return []
    metric = result.metric
    ends = [bounds.of(tuple_type) for tuple_type in shown_tuple_types(metric)]
    if _has_ratios(metric):
        ends += [bounds.of(metric.main, ratio) for ratio in RATIOS]
    ends += [bounds.value] * bool(metric.leading)
    return ended(row, names, ends)


def group_table(result: Result, by: Sequence[str]) -> Table:
    """Rows are slices; columns are the F1 of each tuple type, then P, R, F1 of all.

    A metric that a score of its own stands for has it as the last column.  Of several
    slices the row ``all`` is the sum over everything (micro), the row ``macro`` the
    mean over the slices, or over the frameworks where there are none.
    """
    columns = group_columns(by) or ("",)
    table = Table(
        [
            *map(Column, columns),
            *columns_of("ratio", *shown_tuple_types(result.metric)),
            *_last_columns(result.metric),
        ]
    )
    groups: Mapping[tuple[str, ...], Scores] = {}
    ends = result.intervals
    width = len(columns)
    if columns != ("",):
        index = columns.index("framework") if "framework" in columns else None
        groups = result.by(*columns)
        for key, scores in groups.items():
            frameworks = result.frameworks if index is None else [key[index]]
            row = _row(result, key, scores, frameworks)
            bounds = None if ends is None else ends.group(columns, key)
            table.rows += [row, *_end_rows(result, row, width, bounds)]
        table.rules = {len(table.rows)}
    if len(groups) == 1:
        table.rules = set()
        return table
    rest = ("",) * (width - 1)
    total = _row(result, (TOTAL, *rest), result.scores, result.frameworks)
    table.rows += [
        total,
        *_end_rows(result, total, width, None if ends is None else ends.whole),
    ]
    slices = result.slices(group_columns(by))
    if len(slices) > 1:
        mean = _macro_row(result, (MACRO, *rest), slices)
        bounds = None if ends is None else ends.of_macro(group_columns(by))
        table.rows += [mean, *_end_rows(result, mean, width, bounds)]
    return table


def _macro_row(
    result: Result, names: tuple[str, ...], slices: Sequence[Slice]
) -> tuple[Any, ...]:
    macro = macro_counts(result.metric, slices)
    cells = [
        macro[tuple_type]["f1"] if tuple_type in macro else None
        for tuple_type in shown_tuple_types(result.metric)
    ]
    main = macro.get(result.metric.main, {})
    ratios = [main[name] if main else EMPTY for name in RATIOS]
    ratios = ratios if _has_ratios(result.metric) else []
    last = [_macro_value(result, slices)] if result.metric.leading else []
    return (*names, *cells, *ratios, *last)


def _macro_value(result: Result, slices: Sequence[Slice]) -> float | str:
    """Mean of what stands for the metric, where it is defined."""
    if result.nothing:
        return EMPTY
    value = macro_value(result.metric, slices)
    return EMPTY if math.isnan(value) else value


def tuple_type_table(result: Result, by: Sequence[str]) -> Table:
    """Rows are slices and tuple types; columns are amounts, P, R and F1."""
    columns = group_columns(by)
    table = Table(
        [
            *map(Column, (*columns, "tuple_type")),
            *COUNTED,
            *columns_of("ratio", *(result.intervals.ends if result.intervals else ())),
        ]
    )
    intervals = result.intervals
    groups = result.by(*columns) if columns else {}
    index = columns.index("framework") if "framework" in columns else None
    for key, scores in groups.items():
        frameworks = result.frameworks if index is None else [key[index]]
        table.rules.add(len(table.rows))
        bounds = None if intervals is None else intervals.group(columns, key)
        table.rows += _tuple_type_rows(result, key, scores, frameworks, bounds)
    rest = ["" for _ in columns[1:]]
    slices = result.slices(columns)
    if len(slices) > 1:
        table.rules.add(len(table.rows))
        mean = (MACRO, *rest) if columns else ()
        table.rows += _macro_tuple_type_rows(result, mean, slices, columns)
    if len(groups) != 1:
        table.rules.add(len(table.rows))
        names = (TOTAL, *rest) if columns else ()
        bounds = None if intervals is None else intervals.whole
        total = result.scores
        table.rows += _tuple_type_rows(result, names, total, result.frameworks, bounds)
    table.rules.discard(0)
    return table


def _macro_tuple_type_rows(
    result: Result,
    names: tuple[str, ...],
    slices: Sequence[Slice],
    columns: tuple[str, ...],
) -> Iterator[tuple[Any, ...]]:
    """Means of the ratios of each tuple type and group of types; amounts have none."""
    means = macro_counts(result.metric, slices)
    groups = macro_groups(result.metric, slices)
    of = means | {f"({group})": mean for group, mean in groups.items()}
    intervals = result.intervals
    bounds = intervals.of_macro(columns) if intervals else None
    for tuple_type, mean in of.items():
        # Without other columns nothing else says what the row is.
        label = tuple_type if names else f"{MACRO} {tuple_type}"
        last: list[Any] = []
        if bounds is not None:
            group = tuple_type[1:-1] if tuple_type not in means else ""
            ends = bounds.of(tuple_type)
            last = end_cells(bounds.numbers.get(f"{group}.f1", ends) if group else ends)
        ratios = (mean[ratio] for ratio in RATIOS)
        yield (*names, label, None, None, None, *ratios, *last)


def _tuple_type_rows(
    result: Result,
    names: tuple[str, ...],
    scores: Scores,
    frameworks: list[str],
    bounds: Bounds | None,
) -> Iterator[tuple[Any, ...]]:
    for tuple_type, count in scores.counts.items():
        if not shown_cell(result.metric, frameworks, tuple_type, count):
            continue
        amounts = count.gold, count.system, count.matched
        last = [] if bounds is None else end_cells(bounds.of(tuple_type))
        yield (*names, tuple_type, *amounts, *ratio_cells(count), *last)


def item_table(result: Result, items: Sequence[ItemResult] | None = None) -> Table:
    """One row per gold unit.

    Args:
        result: any, with items.
        items: some of them; all without.
    """
    table = Table(
        [
            *map(Column, ("framework", "item", "document")),
            *columns_of("ratio", *shown_tuple_types(result.metric)),
            *_last_columns(result.metric),
            Column("remark", "text"),
        ],
        title=f"{result.metric}: items of {one_line(result.system, NAME)}",
    )
    for item_result in result.items if items is None else items:
        remark = "missing" if item_result.missing else ""
        if item_result.reference and not item_result.missing:
            remark = f"by {one_line(item_result.reference, NAME)}"
        if not item_result.proven:
            remark = f"unproven: {item_result.score:g}, at most {item_result.bound:g}"
        scores = result.metric.scores(item_result.raw_counts)
        item = (
            f"{item_result.item} ({item_result.layer})"
            if item_result.layer
            else item_result.item
        )
        names = (item_result.framework, item, item_result.document)
        row = _row(result, names, scores, [item_result.framework])
        table.rows.append((*row, remark))
    return table


def tuple_type_comparison(results: Sequence[Result]) -> Table:
    """Make a table of the F1 of systems by type: a row each, a column per type.

    The best system is marked in every column; what stands for the metric is last.

    Args:
        results: one per system, of one metric.

    Returns:
        The table.
    """
    metric = results[0].metric
    tuple_types = [
        tuple_type
        for tuple_type in shown_tuple_types(metric)
        if tuple_type != metric.leading
    ]
    last = metric.leading or TOTAL
    table = Table(
        [
            Column("system"),
            Column("metric"),
            *columns_of("ratio", *tuple_types, last),
        ],
        title="F1 by tuple type",
    )
    for result in results:
        counts = result.scores.counts
        cells = [
            _f1(counts[tuple_type])
            if shown_cell(metric, result.frameworks, tuple_type, counts[tuple_type])
            else None
            for tuple_type in tuple_types
        ]
        whole = EMPTY if result.nothing else main_cell(metric, result.scores)
        table.rows.append((result.system, str(metric), *cells, whole))
    lower = {str(metric)} if metric.less_is_better else set()
    table.rows = [
        (*row[:-1], marked[-1]) if lower else marked
        for row, marked in zip(table.rows, mark_best(table.rows, 1, lower), strict=True)
    ]
    table.notes += restrictions(results)
    return table


def comparison(results: Sequence[Result], by: Sequence[str] = ("framework",)) -> Table:
    """Return the table of several results: a row each, a column per framework.

    The best system under each metric is marked, in every column.

    Args:
        results: one per system and metric.
        by: what the column ``macro`` is the mean over.
    """
    frameworks = sorted({name for result in results for name in result.frameworks})
    table = Table(
        [
            Column("system"),
            Column("metric"),
            *columns_of("ratio", *frameworks, TOTAL, MACRO),
        ],
        title=", ".join(dict.fromkeys(map(_stands, results))),
    )
    for result in results:
        metric, groups = result.metric, result.by("framework")
        cells = [
            main_cell(metric, groups[(name,)]) if (name,) in groups else None
            for name in frameworks
        ]
        total = EMPTY if result.nothing else main_cell(metric, result.scores)
        names = (result.system, str(metric))
        slices = result.slices(group_columns(by))
        table.rows.append((*names, *cells, total, _macro_value(result, slices)))
    lower = {
        str(own_result.metric)
        for own_result in results
        if own_result.metric.less_is_better
    }
    marked = mark_best(table.rows, 1, lower)
    table.rows = []
    for result, row in zip(results, marked, strict=True):
        table.rows += [row, *compared_ends(result, row, frameworks, by)]
    table.notes += shared_draws(results) + restrictions(results)
    return table


def restrictions(results: Sequence[Result]) -> list[str | tuple[str, Any]]:
    """Return the restrictions of results, deduplicated."""
    restrictions = (str(result.restriction) for result in results if result.restriction)
    return [one_line(text) for text in dict.fromkeys(restrictions)]


def _stands(result: Result) -> str:
    """Return the name of the main score of a result."""
    return result.metric.leading or "F1 of all"
