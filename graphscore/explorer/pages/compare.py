"""Two systems: scores, items in which they differ, errors fixed and broken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.kept import items_of
from graphscore.exceptions import UsageError, amount
from graphscore.explorer.downloads import Download, ways
from graphscore.explorer.page_tables import (
    narrowed,
    number,
    page_table,
    plain,
    ratio,
    text,
)
from graphscore.explorer.pages.collections import numbers_of_units
from graphscore.explorer.pages.errors import item_address
from graphscore.explorer.pages.evaluation import WAYS, within_of
from graphscore.explorer.queries import Wanted, changes_sql, single_changes_sql
from graphscore.explorer.reader import ITEMS, Reader, metric_of, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import SLICES, Score, lines_of, sums_of
from graphscore.explorer.sentences import sentences_of
from graphscore.explorer.urls import Paging, Parameters, address
from graphscore.report.comparison import comparison_tables
from graphscore.report.table import Cell, Table, columns_of
from graphscore.report.text import WIDE
from graphscore.statistics.changes import Change, error_changes
from graphscore.statistics.comparison import compare_results
from graphscore.statistics.leaderboard import SAMPLES
from graphscore.store.evaluations import Evaluation
from graphscore.store.revisions import OUTDATED

ORDERS = ("worse", "better", "item")

ORDER_NAMES = (
    ("worse", "most worsened first"),
    ("better", "most bettered first"),
    ("item", "by id"),
)

NARROWED = (*SLICES, "item")


class Difference(NamedTuple):
    """An item of both systems."""

    language: str
    document: str
    item: str
    one: float | None
    two: float | None
    one_errors: int
    two_errors: int

    @property
    def gain(self) -> float:
        """By how much the second is better."""
        return (self.two or 0.0) - (self.one or 0.0)


def page(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """The comparison of two evaluations, or the form that asks which."""
    names = parameters.text("baseline"), parameters.text("system")
    texts = parameters.texts(NARROWED)
    evaluations = [
        evaluation
        for evaluation in reader.evaluations()
        if evaluation.status != OUTDATED
    ]
    choices = [
        (name_of(e), f"{e.system} ({e.gold}, {e.metric}, {e.scope})")
        for e in evaluations
    ]
    order = parameters.one_of("order", ORDERS)
    values: dict[str, Any] = {
        "evaluations": choices,
        "baseline": names[0],
        "system": names[1] or _rival(evaluations, names[0]),
        "order": order,
        "orders": ORDER_NAMES,
        "wanted": texts,
        "choices": {name: [] for name in SLICES[:-1]},
        "tables": [],
        "changes": "",
        "tests": "",
        "items": "",
        "trail": [],
    }
    if names[0] is None or names[1] is None:
        return Page("compare", "Compare two systems", values)
    left, right = _both(reader, parameters)
    paging, way = Paging(parameters.number("page")), parameters.one_of("format", WAYS)
    differences = _differences(reader, left, right, texts, order)
    title = (
        f"{left.system} and {right.system} against {left.gold}, {left.metric}"
        + within_of(texts)
    )
    if way != "page":
        heads = [*Difference._fields, "difference"]
        rows = [(*difference, difference.gain) for difference in differences]
        return Download(f"{left.system}-{right.system}-items", way, heads, rows)

    def link(**more: Any) -> str:
        query = {"baseline": names[0], "system": names[1], **texts, "order": order}
        return address("compare", **(query | more))

    shown = differences[paging.first : paging.first + paging.size]
    last = paging.first + len(shown)
    if texts["item"]:
        # Scores are not summed by item: what both have there stands in its row.
        table = _single_changes(reader, left, right, texts)
    else:
        table = _scores(reader, left, right, texts)
    values |= {
        "choices": _choices(reader, left, right),
        "tables": [table],
        "changes": address(
            "compare", "changes", baseline=names[0], system=names[1], **texts
        ),
        "tests": address(
            *("compare", "tests"),
            baseline=names[0],
            system=names[1],
            **{name: texts[name] for name in SLICES},
        ),
        "items": _grid(left, right, shown, texts),
        "before": link(page=paging.page - 1) if paging.page > 1 else "",
        "after": link(page=paging.page + 1) if last < len(differences) else "",
        "said": f"{paging.first + 1:,} to {last:,} of {len(differences):,}",
        "downloads": ways(lambda format_name: link(format=format_name)),
    }
    return Page("compare", title, values)


def _single_changes(
    reader: Reader, left: Evaluation, right: Evaluation, filters: Wanted
) -> Table:
    """Return the errors of an item that are fixed, broken and left, one by one."""
    answer = reader.told(single_changes_sql(left, right, filters))
    columns, rows = answer.columns, answer.rows
    sides = [sentences_of(reader, made) for made in (left, right)]
    if not rows and None not in sides:
        item = filters["item"] or ""
        changes = error_changes(*(side.alone(item) for side in sides if side))
        rows = [_change(change) for change in changes]
    return plain(columns, rows, "errors of this item")


def _change(change: Change) -> tuple[Any, ...]:
    error = change.error
    kinds = (error.tuple_type, error.error_type, error.object)
    values = (error.label, error.name, error.value)
    return (change.status, change.framework, *kinds, *values, change.errors)


def _choices(
    reader: Reader, left: Evaluation, right: Evaluation
) -> dict[str, list[str]]:
    """The slices that either has."""
    sums = [sums_of(reader, side) for side in (left, right)]
    return {
        name: sorted({value for side in sums for value in side.values(name)})
        for name in SLICES[:-1]
    }


def _rival(made: list[Evaluation], name: str | None) -> str | None:
    """Return the default rival of a baseline, or of the first evaluation."""
    named = [evaluation for evaluation in made if name in (None, name_of(evaluation))][
        :1
    ]
    for left in named:
        for evaluation in made:
            if left.task == evaluation.task and left.id != evaluation.id:
                return name_of(evaluation)
    return None


def _both(reader: Reader, parameters: Parameters) -> tuple[Evaluation, Evaluation]:
    """The two evaluations of an address.

    Raises:
        UsageError: if they are not of one gold collection and metric, or of other
            units.
    """
    left = reader.evaluation(parameters.text("baseline") or "")
    right = reader.evaluation(parameters.text("system") or "")
    if (left.gold, left.metric) != (right.gold, right.metric):
        raise UsageError(
            f"{left.system} was scored against {left.gold} with {left.metric}, "
            f"{right.system} against {right.gold} with {right.metric}: "
            "expected the same gold collection and metric"
        )
    if left.id == right.id:
        raise UsageError(f"{left.system} is compared with itself, expected two systems")
    units = [numbers_of_units(reader).get(side.id, 0) for side in (left, right)]
    if left.scope != right.scope or units[0] != units[1]:
        raise UsageError(
            f"{left.system} was scored on {amount(units[0], 'unit')} ({left.scope}), "
            f"{right.system} on {amount(units[1], 'unit')} ({right.scope}): expected "
            "evaluations of the same units"
        )
    return left, right


def _scores(
    reader: Reader, left: Evaluation, right: Evaluation, filters: Wanted
) -> Table:
    """Return the scores of both, by framework and tuple type."""
    rows = []
    documents = bool(filters["document"])
    sums = [sums_of(reader, side, documents=documents) for side in (left, right)]
    whole = [{"all": side.whole(filters)} for side in sums]
    by = [side.by("framework", filters) for side in sums]
    tuple_types = [side.tuple_types(filters) for side in sums]
    for name, (first, second) in (
        ("", whole),
        ("framework", by),
        ("tuple_type", tuple_types),
    ):
        for slice_ in dict.fromkeys((*first, *second)):
            if name == "tuple_type" and slice_ == "all":
                continue
            both = first.get(slice_), second.get(slice_)
            rows.append([text(f"{name} {slice_}".strip()), *_beside(*both)])
    numbers = (left.system, right.system, "difference")
    return page_table(["", *columns_of("ratio", *numbers)], rows, "scores")


def _beside(left: Score | None, right: Score | None) -> list[Cell]:
    values = [None if score is None else score.value for score in (left, right)]
    return [*(ratio(value, bar=True) for value in values), _gain(*values)]


def _gain(left: float | None, right: float | None) -> Cell:
    if left is None or right is None or left != left or right != right:
        return Cell(None)
    return Cell(f"{100 * (right - left):+.2f}")


def _differences(
    reader: Reader, left: Evaluation, right: Evaluation, filters: Wanted, order: str
) -> list[Difference]:
    """The items that both have, the most worsened or bettered first."""
    within: Wanted = {name: filters[name] for name in SLICES}
    item = filters["item"]

    def work_out() -> list[Difference]:
        _, others = lines_of(reader, right, within, "item")
        known = {(line.language, line.item): line for line in others}
        differences = []
        for line in lines_of(reader, left, within, "item")[1]:
            rival = known.get((line.language, line.item))
            if rival is not None and item in (None, line.item):
                head = line.language, line.document, line.item
                means = line.mean, rival.mean
                differences.append(Difference(*head, *means, line.errors, rival.errors))
        if order != "item":
            differences.sort(
                key=lambda difference: (
                    difference.gain,
                    difference.item,
                    difference.language,
                )
            )
        return differences[::-1] if order == "better" else differences

    key = ("differences", left.id, right.id, tuple(within.items()), item, order)
    return reader.kept(key, work_out, "list")


def _grid(
    left: Evaluation, right: Evaluation, shown: list[Difference], filters: Wanted
) -> Table:
    """Items of both systems, each with the way to it."""
    rows = []
    for difference in shown:
        known = {name: filters[name] for name in ("framework", "layer")}
        known["language"] = difference.language or None
        first, second = (
            item_address(e, difference.item, **known) for e in (left, right)
        )
        query = {**known, "document": filters["document"], "item": difference.item}
        names = name_of(left), name_of(right)
        both = address("compare", baseline=names[0], system=names[1], **query)
        rows.append(
            [
                text(difference.item, both),
                *(text(difference.language), text(difference.document)),
                *(ratio(difference.one, first), ratio(difference.two, second)),
                _gain(difference.one, difference.two),
                *(number(difference.one_errors), number(difference.two_errors)),
            ]
        )
    heads = [
        *("item", "language", "document"),
        *columns_of("ratio", left.system, right.system, "difference"),
        *columns_of("count", f"errors of {left.system}", f"errors of {right.system}"),
    ]
    return page_table(heads, rows, "", "they share no items")


def changes(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """Return the section on the numbers of fixed and broken errors."""
    left, right = _both(reader, parameters)
    filters, way = parameters.texts(NARROWED), parameters.one_of("format", WAYS)
    result = reader.told(changes_sql(left, right, filters))
    if way != "page":
        name = f"{left.system}-{right.system}-changes"
        return Download(name, way, result.columns, result.rows)

    def link(way: str) -> str:
        query = {"baseline": name_of(left), "system": name_of(right), **filters}
        return address("compare", "changes", **query, format=way)

    counted = plain(result.columns, result.rows, "")
    if not counted.rows:
        counted.empty = "neither has errors"
    title = f"Errors of {left.system} fixed and broken by {right.system}"
    values = {"part": counted, "downloads": ways(link), "trail": []}
    return Page("fragment", title, values)


def tests(reader: Reader, _: Mapping[str, str], parameters: Parameters) -> Page:
    """Return the section on intervals and the test of the difference."""
    left, right = _both(reader, parameters)
    filters = parameters.texts(SLICES)

    def compare() -> list[Table]:
        results = [_result(reader, side, filters) for side in (left, right)]
        comparison = compare_results(results, samples=SAMPLES)
        tables = comparison_tables([comparison], width=WIDE)
        for table in map(narrowed, tables):
            table.title = table.title or "differences, with intervals and tests"
        tables[-1].notes += comparison.notes
        return tables

    key = ("tests", left.id, right.id, tuple(filters.items()))
    title = f"{left.system} and {right.system}: intervals and test"
    values = {"part": reader.kept(key, compare, "list"), "downloads": [], "trail": []}
    return Page("fragment", title, values)


def _result(reader: Reader, made: Evaluation, filters: Wanted) -> Result:
    """The result of an evaluation with the items of some slices.

    Raises:
        UsageError: if its metric takes code or files of a user's.
    """
    metric = metric_of(made)
    if metric is None:
        raise UsageError(f"{made.metric} takes files of its own: graphscore compare")
    chosen = filters.items()
    with reader.connected(ITEMS) as connection:
        items = [
            item
            for item in items_of(connection, made.id, False)
            if all(value in (None, getattr(item, name)) for name, value in chosen)
        ]
    result = Result(metric, made.gold, made.system, pairs=len(items), items=items)
    for item in items:
        key = item.framework, item.language, item.document, item.layer
        result.add(key, item.raw_counts)
    return result
