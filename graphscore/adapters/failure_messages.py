"""Message of a failed test: scores, errors, items, within 80 columns.

pytest puts its mark and blanks, eight columns, before every line.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graphscore.evaluation.macro import score_in
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import amount
from graphscore.report.comparison import scale
from graphscore.report.table import Column, Table, cell, one_line, widths
from graphscore.report.text import render
from graphscore.statistics.changes import error_changes
from graphscore.statistics.resampling import SLACK

if TYPE_CHECKING:
    from graphscore.adapters.assertions import ScoreRequirement
    from graphscore.adapters.baselines import Baseline
    from graphscore.metrics.base import Metric
    from graphscore.model.outcome import Error

WIDTH = 72
"""Width of a line: the rest that pytest leaves of 80 columns."""

_HEAD = len("AssertionError: ")

_LONGEST = 18
"""Characters of a name or id."""


def shown_score(metric: Metric, score: str) -> str:
    """Return the name of a score.

    Args:
        metric: whose it is.
        score: its name; empty for what stands for the metric.
    """
    return score or metric.leading or "F1"


def failure_message(
    demand: ScoreRequirement,
    result: Result,
    value: float,
    unmet: Sequence[str],
    baseline: Baseline | None,
    before: float | None,
    worse: bool,
) -> str:
    """Why a test fails.

    Args:
        demand: what was wanted.
        result: what was reached.
        value: the score in it.
        unmet: the limits that are not kept.
        baseline: the earlier system, if there is one.
        before: the score in its result.
        worse: whether the score is worse than that, and should not be.
    """
    what = f"{result.metric}: {shown_score(result.metric, demand.score)}"
    reached = "undefined" if math.isnan(value) else f"{value:.6g}"
    sentences = [f"{what} is {reached}, wanted {' and '.join(unmet)}"] if unmet else []
    if baseline is not None and before is not None:
        change = f"{before:.6g} of {one_line(baseline.name, 90)}"
        if worse:
            requirement = f"wanted no worse than {change}"
            if demand.tolerance:
                requirement += f" by more than {demand.tolerance:g}"
            sentences.append(
                requirement if unmet else f"{what} is {reached}, {requirement}"
            )
        else:
            sentences.append(f"the baseline: {change}")
    if result.nothing:
        sentences.append("gold has nothing to score")
    sentences += _shortcomings(result)
    first, *rest = sentences
    lines = textwrap.wrap(" " * _HEAD + first, WIDTH, drop_whitespace=True)
    lines[0] = lines[0].lstrip()
    for sentence in rest:
        lines += textwrap.wrap(sentence, WIDTH)
    tables = [*_tables(demand, result, baseline, worse)] if demand.top else []
    if baseline is not None:
        fixed, new, still = _totals(baseline, result)
        lines.append(f"errors: {new:,} new, {fixed:,} fixed, {still:,} still there")
    body = render(tables) if tables else ""
    return "\n".join(lines) + (f"\n\n{body.rstrip()}" if body else "")


def _shortcomings(result: Result) -> Iterator[str]:
    if result.missing_system:
        yield f"the system lacks {result.missing_system:,} of {result.pairs:,} items"
    if result.rejected_records:
        yield f"{amount(result.rejected_records, 'record')} could not be read"
        yield from result.rejected[:1]
    if result.unproven:
        yield f"{amount(result.unproven, 'pair')} unproven"


def _totals(baseline: Baseline, result: Result) -> tuple[int, int, int]:
    counts: Counter[str] = Counter()
    for error_change in error_changes(baseline.result, result):
        counts[error_change.status] += error_change.errors
    return counts["fixed"], counts["broken"], counts["still"]


def _tables(
    demand: ScoreRequirement, result: Result, baseline: Baseline | None, worse: bool
) -> Iterator[Table]:
    if baseline is None:
        listed = [
            (error, item.item, 1) for item in result.items for error in item.errors
        ]
        yield from _errors(listed, "error", demand.top)
    else:
        listed = [
            (error_change.error, error_change.item, error_change.errors)
            for error_change in error_changes(baseline.result, result)
            if error_change.status == "broken"
        ]
        yield from _errors(listed, "new error", demand.top)
    yield from _worst(demand, result, baseline, worse)


def _errors(
    listed: Sequence[tuple[Error, str, int]], title: str, top: int
) -> Iterator[Table]:
    """Errors that say the same, once, with the items in which they are."""
    counts: Counter[tuple[str, ...]] = Counter()
    items: dict[tuple[str, ...], dict[str, None]] = {}
    for error, item, number in listed:
        value = error.label if error.value is None else error.value
        key = (
            error.tuple_type,
            error.error_type,
            error.name,
            "" if value is None else cell(value),
        )
        counts[key] += number
        items.setdefault(key, {})[item] = None
    if not counts:
        return
    ranked = sorted(counts, key=lambda key: (-counts[key], key))
    total = sum(counts.values())
    table = Table(
        [
            Column("number", "count"),
            *(
                Column(name)
                for name in ("tuple_type", "error_type", "name", "value", "items")
            ),
        ],
        title=_title(amount(total, title), len(ranked), top),
    )
    rows = [
        (
            counts[key],
            *(one_line(part, _LONGEST) for part in key),
            ", ".join(items[key]),
        )
        for key in ranked[:top]
    ]
    yield _fit_last_column(table, rows)


def _worst(
    demand: ScoreRequirement, result: Result, baseline: Baseline | None, worse: bool
) -> Iterator[Table]:
    """The items that are worst, or that got worse where this is what fails."""
    from graphscore.metrics.base import lowest_best

    sign = -1 if lowest_best(result.metric, demand.score or "macro") else 1
    old = baseline.result.items if baseline is not None else ()
    before = {_key(scored): _value(result, scored, demand.score) for scored in old}
    item_values = []
    for item in result.items:
        value = _value(result, item, demand.score)
        earlier = before.get(_key(item), math.nan)
        moved = sign * (value - earlier) < -SLACK
        if moved if worse else item.errors:
            item_values.append(
                (sign * (value - earlier) if worse else sign * value, item)
            )
    if not item_values:
        return
    item_values.sort(
        key=lambda pair: (math.isnan(pair[0]), pair[0], -len(pair[1].errors))
    )
    what = shown_score(result.metric, demand.score)
    several = len({item.framework for item in result.items}) > 1
    table = Table(
        [
            Column("item"),
            *((Column("framework"),) if several else ()),
            Column(what, scale(result.metric, what)),
            *(
                (Column("baseline", scale(result.metric, what)),)
                if baseline is not None
                else ()
            ),
            Column("errors", "count"),
            Column("text", "text"),
        ],
        title=_title(
            f"{amount(len(item_values), 'item')} got worse" if worse else "worst items",
            len(item_values),
            demand.top,
        ),
    )
    rows = []
    for _, scored in item_values[: demand.top]:
        values = [_value(result, scored, demand.score)]
        if baseline is not None:
            values.append(before.get(_key(scored), math.nan))
        rows.append(
            (
                one_line(scored.item, _LONGEST),
                *((scored.framework,) if several else ()),
                *(None if math.isnan(value) else value for value in values),
                len(scored.errors),
                "missing" if scored.missing else " ".join(scored.texts),
            )
        )
    yield _fit_last_column(table, rows)


def _key(item: ItemResult) -> tuple[str, str, str, str]:
    return item.framework, item.language, item.item, item.layer


def _value(result: Result, item: ItemResult, score: str) -> float:
    """The score of one item; what stands for the metric where it has none."""
    key = item.framework, item.language, item.document, item.layer
    alone = Result(result.metric, raw_counts={key: item.raw_counts}, pairs=1)
    own_score = score_in(alone, score)
    return alone.value if own_score is None else own_score


def _title(what: str, count: int, top: int) -> str:
    return f"{what}, first {top}" if count > top else what


def _fit_last_column(table: Table, rows: Sequence[tuple[Any, ...]]) -> Table:
    """A table whose last column is as wide as there is room."""
    table.rows = [*rows]
    used = sum(width + 2 for width in widths(table)[:-1])
    if any(row[-1] for row in rows):
        room = max(WIDTH - used, len(table.columns[-1].name))
        table.rows = [(*row[:-1], one_line(row[-1], room)) for row in rows]
    else:
        table.columns.pop()
        table.rows = [row[:-1] for row in rows]
    return table
