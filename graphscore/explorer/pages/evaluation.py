"""An evaluation, or a slice of it: scores by framework, type, language, document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from graphscore.exceptions import truncate
from graphscore.explorer.downloads import FORMATS, Download, ways
from graphscore.explorer.page_tables import number, page_table, ratio, text
from graphscore.explorer.queries import Wanted, totals_sql
from graphscore.explorer.queries import query as query_of
from graphscore.explorer.reader import Reader, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import SLICES, Score, Sums, sums_of
from graphscore.explorer.urls import Paging, Parameters, address
from graphscore.metrics.base import Metric
from graphscore.metrics.traits import (
    is_ratio,
)
from graphscore.model.outcome import Count
from graphscore.report.table import Cell, Table, cell, columns_of
from graphscore.store.evaluations import Evaluation

WAYS = ("page", *FORMATS)

COLUMNS = ("gold", "system", "matched")

MANY = 12
"""Further scores, more of which stand there when they are asked for."""

_NAMED = 80
"""Characters of a filter that a title has."""

SIDES = ("missing", "spurious", "partial")


def title_of(made: Evaluation) -> str:
    """Return the title of the pages of an evaluation."""
    return f"{made.system} against {made.gold}, {made.metric}"


def page(
    reader: Reader, path: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """The scores of an evaluation."""
    result = reader.evaluation(path["name"])
    texts = parameters.texts(SLICES)
    by = parameters.one_of("by", ("", "document"))
    paging = Paging(parameters.number("page"))
    way = parameters.one_of("format", WAYS)
    documents = bool(by or texts["document"])
    sums = sums_of(reader, result, documents=documents)
    query = {**texts, "by": by or None}

    def link(**more: Any) -> str:
        return address("evaluation", name_of(result), **(query | more))

    if way != "page":
        return _download(result, sums, texts, by, way)
    tables, before, after, note = [], "", "", ""
    further = [
        (name, _score(sums.metric, name, value))
        for name, value in sums.numbers(texts).items()
    ]
    if by:
        scores = sums.by("document", texts)
        names = sorted(scores, key=lambda name: (_rank(scores[name]), name))
        shown = names[paging.first : paging.first + paging.size]
        rows = {name: scores[name] for name in shown}
        errors = _errors(reader, result, "document", texts)
        tables.append(_table(result, "document", rows, errors, texts))
        note = f"{paging.first + 1} to {paging.first + len(shown)} of {len(names)}"
        before = link(page=paging.page - 1) if paging.page > 1 else ""
        more = paging.first + len(shown) < len(names)
        after = link(page=paging.page + 1) if more else ""
    else:
        tables += _tables(reader, result, sums, texts)
    return Page(
        "evaluation",
        title_of(result) + within_of(texts),
        {
            "warning": _warning(result),
            "main": _main(sums, texts),
            "summary": f"{result.status}, {result.created}",
            "head": [("signature", result.signature)],
            "known": known_values(reader, result),
            "scores": further,
            "many": len(further) > MANY,
            "errors": address("evaluation", name_of(result), "errors", **texts),
            "items": address("evaluation", name_of(result), "items", **texts),
            "others": _others(reader, result, texts),
            "choices": {name: sums.values(name) for name in SLICES[:-1]},
            "wanted": texts,
            "tables": tables,
            "documents": "" if by else link(by="document"),
            "before": before,
            "after": after,
            "said": note,
            "downloads": ways(lambda format_name: link(format=format_name)),
            "trail": [("Evaluations", "/")],
        },
    )


def within_of(filters: Wanted) -> str:
    """Return the filters of a page, to follow its title.

    >>> within_of({"framework": "eds", "document": None, "error_type": "missing"})
    ', eds, missing'
    """
    return "".join(
        f", {truncate(value, _NAMED)}" for value in filters.values() if value
    )


def _warning(made: Evaluation) -> str:
    if made.status == "stale":
        return "Graphs have come, gone or changed since: score again."
    return ""


def _rank(score: Score) -> tuple[bool, float]:
    return score.value != score.value, score.value


def known_values(reader: Reader, made: Evaluation) -> dict[str, list[str]]:
    """Documents and labels that fields suggest, the most frequent labels first.

    Args:
        reader: the store.
        made: the evaluation.
    """
    return {
        name: [
            value for [value] in reader.told(query_of(name, evaluation=made.id)).rows
        ]
        for name in ("document", "label")
    }


def _main(sums: Sums, filters: Wanted) -> tuple[str, str]:
    """Return the name and the value of the total score."""
    if sums.metric is None:
        return "", ""
    value = cell(ratio(sums.whole(filters).value)) or "undefined"
    return sums.metric.leading or "F1", value


def _score(metric: Metric | None, name: str, value: float) -> str:
    """A further score as tables have it."""
    if metric is not None and is_ratio(metric, name, value):
        return cell(ratio(value)) or "undefined"
    return cell(value)


def _others(reader: Reader, made: Evaluation, filters: Wanted) -> list[tuple[str, str]]:
    """Evaluations that it can be compared with, in the same slice."""
    own = name_of(made)
    return [
        (
            evaluation.system,
            address("compare", baseline=own, system=name_of(evaluation), **filters),
        )
        for evaluation in reader.evaluations()
        if evaluation.task == made.task and evaluation.id != made.id
    ][:50]


def _errors(
    reader: Reader, made: Evaluation, column: str, filters: Wanted
) -> dict[str, Counter[str]]:
    """Errors by a column and side; nothing where they were not counted by a slice."""
    if any(filters.get(name) for name in ("language", "layer")):
        return {}
    counts: dict[str, Counter[str]] = {}
    for name, side, errors in reader.told(totals_sql(made, column, filters)).rows:
        counts.setdefault(name, Counter())[side] += errors
    return counts


def _tables(
    reader: Reader, made: Evaluation, sums: Sums, filters: Wanted
) -> list[Table]:
    """By framework, tuple type, language and layer, as far as there are several."""
    tables = []
    for column in SLICES[:-1]:
        scores = sums.by(column, filters)
        if column == "framework" or len(scores) > 1:
            errors = {}
            if column == "framework":
                errors = _errors(reader, made, column, filters)
            tables.append(_table(made, column, scores, errors, filters))
    tuple_types = sums.tuple_types(filters)
    errors = _errors(reader, made, "tuple_type", filters)
    nothing = {name: Score(math.nan, Count()) for name in errors}
    tables.append(_table(made, "tuple_type", nothing | tuple_types, errors, filters))
    return tables


def _table(
    made: Evaluation,
    column: str,
    scores: Mapping[str, Score],
    errors: Mapping[str, Counter[str]],
    filters: Wanted,
) -> Table:
    """Scores, a row each, with what leads to a slice and to its errors."""
    name, rows = name_of(made), []
    every = sum(errors.values(), Counter[str]())
    sides = [side for side in SIDES if every[side]]
    for value, (score, count) in scores.items():
        query = {**filters, column: value or None}
        own = errors.get(value, every if value == "all" else Counter[str]())
        if column == "tuple_type" and value not in errors:
            del query["tuple_type"]
        wrong = address("evaluation", name, "errors", **query)
        href = wrong if column == "tuple_type" else address("evaluation", name, **query)
        # Of some tuple types there are errors, and no scores.
        blank = count == Count() and value in errors
        counted = (count.gold, count.system, count.matched)
        row = [
            text(value, href) if value else Cell("(none)"),
            ratio(score, bar=True),
            ratio(count.precision if count.system else None),
            ratio(count.recall if count.gold else None),
            *(number(None if blank else count) for count in counted),
        ]
        if sides:
            for side in sides:
                to = address("evaluation", name, "errors", **query, error_type=side)
                row.append(number(own[side], to if own[side] else ""))
        rows.append(row)
    value = "value" if column != "tuple_type" else "F1"
    heads = columns_of("ratio", value, "P", "R") + columns_of("count", *COLUMNS, *sides)
    return page_table([column, *heads], rows, f"by {column}", "nothing is there")


def _download(
    made: Evaluation, sums: Sums, filters: Wanted, by: str, way: Any
) -> Download:
    """All scores as rows."""
    columns = [by] if by else [*SLICES[:-1], "tuple_type"]
    rows: list[tuple[Any, ...]] = []
    for column in columns:
        scores = (
            sums.tuple_types(filters)
            if column == "tuple_type"
            else sums.by(column, filters)
        )
        rows += [
            (
                *(column, name, None if value != value else value),
                *(count.precision, count.recall, count.f1),
                *(count.gold, count.system, count.matched),
            )
            for name, (value, count) in scores.items()
        ]
    heads = ["by", "slice", "value", "precision", "recall", "f1", *COLUMNS]
    return Download(f"{made.system}-{made.metric}-scores", way, heads, rows)
