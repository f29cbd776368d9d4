"""The tables of ``score``: one per result, or one of several metrics or systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.scores import group_columns
from graphscore.metrics.base import Metric
from graphscore.model.frameworks import framework
from graphscore.report.interval_cells import draws, end_cells, further, shared_draws
from graphscore.report.markup import joint_signature, signed
from graphscore.report.ranking import ranking_table, rankings_of
from graphscore.report.table import Column, Table, columns_of, side_name
from graphscore.report.tables import (
    EMPTY,
    MOST,
    TOTAL,
    comparison,
    further_tables,
    group_table,
    item_table,
    main_cell,
    ratio_cells,
    restrictions,
    shown_cell,
    shown_tuple_types,
    sides_of,
    tuple_type_comparison,
    tuple_type_table,
)

ALIGNED = ".aligned_accuracy"
"""End of the names of shares of aligned words, which have a column."""

AMOUNTS = ("gold", "system", "matched")

HEADS = {"precision": "P", "recall": "R", "f1": "F1"}
"""Columns of ratios, by the end of a score's name."""


def score_tables(
    results: Sequence[Result],
    by: Sequence[str] = ("framework",),
    *,
    per_item: bool = False,
    verbose: bool = False,
    rank: Sequence[str] = (),
) -> list[Table]:
    """One table per result, its metric's further ones, and one that compares several.

    Several systems are ranked in a first one, or in one for each score of *rank*; see
    :func:`left_out` for what is not shown then.

    Args:
        results: one per system and metric.
        by: what the rows stand for.
        per_item: whether tables of items are added.
        verbose: whether a metric's further scores and the signature are shown.
        rank: scores that systems are ranked by, as for ``--fail-under``; none means
            what stands for each metric.

    Raises:
        UsageError: if no metric has a score to rank by.
    """
    rankings = [*map(ranking_table, rankings_of(results, rank, group_columns(by)))]
    of_all = [*rankings, *_beside(results, by, verbose)]
    shared = joint_signature(own_result.signature for own_result in results)
    of_all = [*signed(of_all, shared)]
    if left_out(results, by, per_item=per_item, verbose=verbose):
        return of_all
    tables: list[Table] = []
    for result in results:
        table = _single_table(result, by, verbose)
        table.notes = draws(result) + restrictions([result])
        beneath = further_scores(result, verbose)
        if beneath and len(beneath[0].columns) == 2 and len(beneath[0].rows) == 1:
            [(name, value)] = beneath.pop().rows
            table.notes.append((name, value))
        table.notes += [f"  {result.signature}"] * verbose
        of_result = [table, *beneath, *further_tables(result)]
        of_result += [item_table(result)] * per_item
        tables += signed(of_result, result.signature)
    return [*of_all, *tables] if rankings else [*tables, *of_all]


def _single_table(result: Result, by: Sequence[str], verbose: bool) -> Table:
    """Return the table of one result: tuple types are columns, or rows where many."""
    if "tuple_type" in by:
        table = tuple_type_table(result, by)
    elif _has_rows(result.metric) and _is_plain([result], by):
        return metric_table([result], verbose)
    else:
        table = group_table(result, by)
    table.title = _title(result)
    return table


def _title(result: Result) -> str:
    """Metric, both sides and how many pairs; why the metric is said elsewhere."""
    return f"{result.metric}: {sides_of(result)}"


def _has_rows(metric: Metric) -> bool:
    """Return whether a metric has a row for each tuple type."""
    return len(shown_tuple_types(metric)) > MOST


def _is_plain(results: Sequence[Result], by: Sequence[str]) -> bool:
    """Return whether results are of a framework each, and nothing is broken down."""
    return tuple(by) == ("framework",) and all(
        len(result.frameworks) == 1 and not result.nothing for result in results
    )


def _is_of_metrics(results: Sequence[Result], by: Sequence[str]) -> bool:
    """Return whether results are several metrics of one system, in a table of all."""
    return (
        len(results) > 1
        and len({result.system for result in results}) == 1
        and len({str(result.metric) for result in results}) == len(results)
        and _is_plain(results, by)
    )


def _is_of_frameworks(results: Sequence[Result], by: Sequence[str]) -> bool:
    """Return whether results are several metrics of one system in several frameworks.

    Their table has a row for each metric, those of its tuple types under it.
    """
    return (
        len(results) > 1
        and len({result.system for result in results}) == 1
        and len({str(result.metric) for result in results}) == len(results)
        and tuple(by) == ("framework",)
        and any(len(result.frameworks) > 1 for result in results)
        and not any(result.nothing for result in results)
    )


def _of_families(results: Sequence[Result]) -> list[list[Result]]:
    """Group results by the families of their frameworks."""
    families: dict[str, list[Result]] = {}
    for result in results:
        [name] = result.frameworks
        families.setdefault(framework(name).family, []).append(result)
    return [*families.values()]


def metric_table(results: Sequence[Result], verbose: bool = False) -> Table:
    """Return a table of metrics of one system: P, R, F1, counts of each in a row.

    A metric of many tuple types has a row for each of them.

    Args:
        results: one per metric, each of one framework.
        verbose: whether counts are shown where there are further columns.
    """
    several = len(results) > 1
    typed = any(_has_rows(result.metric) for result in results)
    leading = [*dict.fromkeys(r.metric.leading for r in results if r.metric.leading)]
    aligned = any(name.endswith(ALIGNED) for r in results for name in r.scores.numbers)
    counted = verbose or not aligned
    ends = next(
        (own_result.intervals.ends for own_result in results if own_result.intervals),
        (),
    )
    table = Table(
        [
            *[Column("metric")] * several,
            *[Column("tuple_type")] * typed,
            *(Column(name, "ratio", name != "P") for name in HEADS.values()),
            *[Column("AligndAcc", "ratio")] * aligned,
            *columns_of("ratio", *leading),
            *columns_of("count", *(AMOUNTS if counted else ())),
            *columns_of("ratio", *ends),
        ],
        title=_title(results[0]) if not several else sides_of(results[0]),
    )
    for result in results:
        metric, (counts, numbers) = result.metric, result.scores
        names = shown_tuple_types(metric) if _has_rows(metric) else [metric.main]
        for tuple_type in names:
            count = counts[tuple_type]
            if not shown_cell(metric, result.frameworks, tuple_type, count):
                continue
            main = tuple_type == metric.main
            share = numbers.get(f"{tuple_type}{ALIGNED}")
            bounds = result.intervals and result.intervals.whole.of(tuple_type)
            table.rows.append(
                (
                    *[str(metric)] * several,
                    *["" if tuple_type == TOTAL else tuple_type] * typed,
                    *ratio_cells(count),
                    *[_share(share)] * aligned,
                    *(
                        main_cell(metric, result.scores)
                        if main and name == metric.leading
                        else None
                        for name in leading
                    ),
                    *((count.gold, count.system, count.matched) if counted else ()),
                    *(end_cells(bounds) if bounds else [None] * len(ends)),
                )
            )
    return table


def _share(value: float | None) -> float | str | None:
    return EMPTY if value is not None and math.isnan(value) else value


def further_scores(result: Result, verbose: bool) -> list[Table]:
    """Return the table of a metric's further scores, a row for each name before a dot.

    Args:
        result: whose scores they are.
        verbose: whether all of them are shown, or those that the metric names.
    """
    numbers = result.scores.numbers
    if not verbose:
        numbers = dict(result.metric.brief(numbers))
        if all(name.endswith((".precision", ".recall", ".f1")) for name in numbers):
            return []
    if _has_rows(result.metric) and tuple(result.frameworks[1:]) == ():
        numbers = {k: v for k, v in numbers.items() if not k.endswith(ALIGNED)}
    cells: dict[str, dict[str, Any]] = {}
    for name, value in numbers.items():
        row, _, column = name.rpartition(".")
        row, column = (row, column) if row else (column, "value")
        cells.setdefault(row, {})[column] = further(result, name, value)[1]
    names = [*dict.fromkeys(column for row in cells.values() for column in row)]
    if not names:
        return []
    heads = columns_of("number", *(HEADS.get(name, name) for name in names))
    rows = [(name, *map(row.get, names)) for name, row in cells.items()]
    title = f"{result.metric}: further scores"
    return [Table([Column("score"), *heads], rows, title)]


def left_out(
    results: Sequence[Result],
    by: Sequence[str] = ("framework",),
    *,
    per_item: bool = False,
    verbose: bool = False,
) -> bool:
    """Return whether :func:`score_tables` has no tables of single results.

    Of several systems the ranking says most; slices and items that were asked for
    are shown all the same.

    Args:
        results: one per system and metric.
        by: what the rows stand for.
        per_item: whether items were asked for.
        verbose: whether everything was.
    """
    if _is_of_metrics(results, by) or _is_of_frameworks(results, by):
        return not (verbose or per_item)
    several = len({result.system for result in results}) > 1
    sliced = tuple(by) != ("framework",) and not _by_tuple_type_alone(results, by)
    return several and not (verbose or per_item or sliced)


def _by_tuple_type_alone(results: Sequence[Result], by: Sequence[str]) -> bool:
    """Return whether several systems are only broken down by type, without bounds."""
    several = len({result.system for result in results}) > 1
    return (
        several
        and tuple(by) == ("tuple_type",)
        and not any(result.intervals for result in results)
    )


def _beside(results: Sequence[Result], by: Sequence[str], verbose: bool) -> list[Table]:
    """Make the tables that have several results side by side."""
    if len(results) < 2:
        return []
    if _is_of_metrics(results, by):
        return [_metrics_beside(group, by, verbose) for group in _of_families(results)]
    if _is_of_frameworks(results, by):
        return [_frameworks_beside(results, by)]
    if not _by_tuple_type_alone(results, by):
        return [comparison(results, by)]
    metrics = dict.fromkeys(str(result.metric) for result in results)
    return [
        tuple_type_comparison([each for each in results if str(each.metric) == metric])
        for metric in metrics
    ]


def _frameworks_beside(results: Sequence[Result], by: Sequence[str]) -> Table:
    """Make the table of several metrics of a system: a row each, their types under it.

    Args:
        results: one per metric.
        by: what the column ``macro`` is the mean over.
    """
    table = comparison(results, by)
    frameworks = [column.name for column in table.columns[2:-2]]
    of_metrics: list[list[tuple[Any, ...]]] = []
    for name, metric, *cells in table.rows:
        if metric:
            of_metrics.append([(metric, "", *cells)])
        else:
            # The ends of its intervals.
            of_metrics[-1].append((name, "", *cells))
    table.rows = []
    for result, rows in zip(results, of_metrics, strict=True):
        table.rules.add(len(table.rows))
        table.rows += [*rows, *_tuple_type_rows(result, frameworks)]
    table.rules.discard(0)
    table.columns = [table.columns[1], Column("tuple_type"), *table.columns[2:]]
    sides = {sides_of(result) for result in results}
    first = results[0]
    whose = f"{side_name(first.system)} against {side_name(first.gold)}"
    table.title = f"{whose if len(sides) > 1 else sides_of(first)}: {table.title}"
    return table


def _tuple_type_rows(
    result: Result, frameworks: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """Yield the F1 of each tuple type in every framework, and in all."""
    metric, groups = result.metric, result.by("framework")
    for tuple_type in shown_tuple_types(metric):
        cells: list[Any] = []
        for name in frameworks:
            scores = groups.get((name,))
            count = scores.counts[tuple_type] if scores else None
            known = count and shown_cell(metric, [name], tuple_type, count)
            cells.append(ratio_cells(count)[-1] if count and known else None)
        whole = ratio_cells(result.scores.counts[tuple_type])[-1]
        yield (str(metric), tuple_type, *cells, whole, None)


def _metrics_beside(
    results: Sequence[Result], by: Sequence[str], verbose: bool
) -> Table:
    """Make the table of the metrics of one family."""
    if len(results) == 1:
        table = _single_table(results[0], by, verbose)
    else:
        table = metric_table(results, verbose)
    table.notes += shared_draws(results) + restrictions(results)
    return table
