"""Scores by framework, type, document, language and layer, with intervals and bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from graphscore.evaluation.confidence_intervals import NOTHING, Bounds, Uncertainty
from graphscore.evaluation.macro import MACRO, RATIOS, macro_counts, macro_value
from graphscore.evaluation.result import Result
from graphscore.metrics.base import (
    Metric,
    main_score,
)
from graphscore.model.outcome import Count, Scores
from graphscore.report.interval_cells import draws, further
from graphscore.report.page.report_data import SLICED, ReportData
from graphscore.report.table import Bar, Column, Table, columns_of, without_constants
from graphscore.report.tables import (
    TOTAL,
    further_tables,
    group_table,
    heading,
    shown_tuple_types,
)


class ScoreRow(NamedTuple):
    """A slice, or a tuple type, with what stands for it."""

    names: tuple[str, ...]
    value: float
    """Main score; the F1 of a tuple type; ``nan`` where undefined."""
    ends: Uncertainty
    amounts: Count | None
    """Counts of gold, system and matches; a mean has none."""
    precision: float = math.nan
    recall: float = math.nan
    f1: float = math.nan


def slice_rows(result: Result, column: str) -> list[ScoreRow]:
    """A row for each slice, then the sum over everything and the mean over slices.

    Args:
        result: with intervals by that column, if with any.
        column: ``framework``, ``document``, ``language`` or ``layer``.
    """
    groups = {} if result.nothing else result.by(column)
    intervals = result.intervals
    rows = [
        _row(
            result.metric,
            key,
            scores,
            intervals.group((column,), key) if intervals else Bounds(),
        )
        for key, scores in groups.items()
    ]
    whole = intervals.whole if intervals else Bounds()
    rows.append(_row(result.metric, (TOTAL,), result.scores, whole))
    slices = result.slices((column,))
    if len(slices) > 1:
        mean = macro_counts(result.metric, slices).get(result.metric.main, {})
        bounds = intervals.of_macro((column,)) if intervals else Bounds()
        ratios = (mean.get(name, math.nan) for name in RATIOS)
        value = macro_value(result.metric, slices)
        rows.append(ScoreRow((MACRO,), value, bounds.value, None, *ratios))
    return rows


def tuple_type_rows(result: Result) -> list[ScoreRow]:
    """A row for each tuple type that is there, over everything.

    Args:
        result: any.
    """
    bounds = result.intervals.whole if result.intervals else Bounds()
    return [
        _counted((tuple_type,), count.f1, bounds.of(tuple_type), count)
        for tuple_type, count in result.counts.items()
        if count.gold or count.system
    ]


def _row(
    metric: Metric, names: tuple[str, ...], scores: Scores, bounds: Bounds
) -> ScoreRow:
    count = scores.counts.get(metric.main)
    if count is None:
        return ScoreRow(names, math.nan, NOTHING, None)
    known = metric.leading or count.gold or count.system
    value = main_score(metric, scores) if known else math.nan
    return _counted(names, value, bounds.value, count)


def _counted(
    names: tuple[str, ...], value: float, ends: Uncertainty, count: Count
) -> ScoreRow:
    ratios = (math.nan,) * 3
    if count.gold or count.system:
        ratios = count.precision, count.recall, count.f1
    return ScoreRow(names, value, ends, count, *ratios)


def score_table(
    rows: Sequence[ScoreRow], column: str, score: str, title: str = ""
) -> Table:
    """Rows of scores as a table with bars.

    Args:
        rows: of one result.
        column: what their names are.
        score: what stands for the metric; ``F1`` is not shown twice.
        title: the caption.
    """
    more = score != "F1"
    sure = any(row.ends != NOTHING for row in rows)
    heads = [Column(column), Column(score, "ratio"), Column("")]
    heads += columns_of("ratio", "low", "high") * sure
    heads += columns_of("ratio", "P", "R") + columns_of("ratio", "F1") * more
    heads += columns_of("count", "gold", "system", "matched")
    table = Table(heads, title=title, name="scores")
    for row in rows:
        count = row.amounts
        amounts = (
            (count.gold, count.system, count.matched) if count else (None, None, None)
        )
        ends = [*row.ends] * sure
        f1 = [row.f1] * more
        table.rows.append(
            (
                " ".join(row.names),
                row.value,
                Bar(row.value, *row.ends),
                *ends,
                *(row.precision, row.recall, *f1, *amounts),
            )
        )
    names = [row.names for row in rows]
    table.rules = {names.index((TOTAL,))} if (TOTAL,) in names[1:] else set()
    return table


def _score(result: Result) -> str:
    return result.metric.leading or "F1"


class ResultScores(NamedTuple):
    """Everything that a report tells of the scores of a result."""

    heading: str
    tables: list[Table]
    many: int
    """Number of its documents, where they are too many to list."""
    further: list[Table]
    numbers: list[tuple[str, Any]]
    notes: list[str]


def scores_of(findings: ReportData, result: Result) -> ResultScores:
    """Return the tables of one result.

    Args:
        findings: what a report tells.
        result: one of its results.
    """
    score, tables = _score(result), []
    tuple_types = tuple_type_rows(result)
    rows = slice_rows(result, "framework")
    if len(result.frameworks) == 1:
        # Its sum is the same, and stands below the tuple types.
        rows = [] if len(tuple_types) > 1 and not result.metric.leading else rows[:1]
    if rows:
        tables.append(score_table(rows, "framework", score, "by framework"))
    if len(tuple_types) > 1:
        title = "by tuple type, over everything"
        tables.append(score_table(tuple_types, "tuple_type", "F1", title))
        if len(result.frameworks) > 1:
            bare = replace(result, intervals=None)
            matrix = group_table(bare, ("framework",))
            matrix.title = "F1 of each tuple type by framework"
            # What follows the tuple types stands in the table by framework.
            width = 1 + len(shown_tuple_types(result.metric))
            matrix.columns = matrix.columns[:width]
            matrix.rows = [row[:width] for row in matrix.rows]
            tables.append(matrix)
    for column, results in findings.slices.items():
        for sliced in results:
            if (sliced.system, sliced.metric) == (result.system, result.metric):
                rows = slice_rows(sliced, column)
                tables.append(score_table(rows, column, score, f"by {column}"))
    documents = 0 if result.nothing else len(result.by("document"))
    numbers = dict(result.metric.brief(result.scores.numbers))
    return ResultScores(
        heading(result),
        tables,
        documents if documents > SLICED else 0,
        further_tables(result),
        [further(result, name, value) for name, value in numbers.items()],
        [str(line) for line in draws(result)],
    )


def main_table(findings: ReportData) -> Table:
    """Return the main score of each result, for the head of a page.

    Args:
        findings: what a report tells.
    """
    heads = columns_of("name", "system", "metric", "score")
    heads += [Column("value", "ratio"), Column(""), *columns_of("ratio", "low", "high")]
    heads.append(Column("pairs", "count"))
    table = Table(heads, title="main scores", name="main")
    for place, result in findings.every:
        ends = result.intervals.whole.value if result.intervals else NOTHING
        table.rows.append(
            (
                findings.systems[place],
                str(result.metric),
                _score(result),
                result.value,
                Bar(result.value, *ends),
                *ends,
                result.pairs,
            )
        )
    return without_constants(table)
