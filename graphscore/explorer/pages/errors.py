"""The errors of an evaluation: equal ones folded, or one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.explorer.downloads import Download, of_statement, ways
from graphscore.explorer.error_index import hits_of
from graphscore.explorer.page_tables import number, page_table, text
from graphscore.explorer.pages.evaluation import (
    WAYS,
    known_values,
    title_of,
    within_of,
)
from graphscore.explorer.queries import (
    FILTERS,
    SYMBOLS,
    Known,
    Wanted,
    groups_sql,
    occurrences_sql,
    query,
    totals_sql,
)
from graphscore.explorer.reader import DOWNLOAD, Reader, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import SLICES, sums_of
from graphscore.explorer.urls import Paging, Parameters, address
from graphscore.report.table import Cell, Column, Table
from graphscore.store.evaluations import Evaluation
from graphscore.store.read.frequent import frequent_errors

GROUPS = ("framework", "tuple_type", "error_type", "name", "value", "errors")

TOLD = ("framework", "document", "layer", "item", "tuple_type", "error_type")
"""Filters within which it is known what stands in the place of errors."""

MANY = 3_000
"""Errors from which on it is said only if that is asked for."""

SINGLE = (
    *(
        "framework",
        "language",
        "document",
        "item",
        "layer",
        "error_type",
        "tuple_type",
        "object",
    ),
    *("label", "name", "value", "compared", "reason", "credit", "instead"),
)


def narrowed(reader: Reader, made: Evaluation, filters: Wanted) -> Known:
    """Filters as statements take them.

    Args:
        reader: the store.
        made: the evaluation.
        filters: by their texts.

    Returns:
        Labels and values by their numbers; without a language or layer that
        everything has, as errors are counted already without it.
    """
    sums = sums_of(reader, made)
    left: dict[str, str | tuple[int, ...] | None] = {}
    for name, value in filters.items():
        left[name] = value
        if value is None:
            continue
        if name in SYMBOLS:
            rows = reader.told(query("symbols", text=value)).rows
            left[name] = tuple(number for [number] in rows)
            if name == "name" and not value:
                left[name] = (0,)
        elif name in SLICES[:-1] and sums.values(name) == [value]:
            left[name] = None
    return left


def folded(
    reader: Reader, path: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """Errors that say the same in one row, the most frequent first."""
    result = reader.evaluation(path["name"])
    texts = parameters.texts(FILTERS)
    left = narrowed(reader, result, texts)
    paging = Paging(parameters.number("page"))
    way = parameters.one_of("format", WAYS)
    if way != "page":
        sql = groups_sql(result, left, 0, DOWNLOAD.rows)
        return of_statement(reader, f"{result.system}-{result.metric}-errors", way, sql)
    known = paging.first <= MANY
    with_instead = _tells_instead(reader, result, texts, parameters) if known else None
    if with_instead:
        rows = _with_instead(reader, result, texts, paging)
    else:
        hits = hits_of(reader, result, left)
        sql = groups_sql(result, left, paging.first, paging.size + 1, hits)
        rows = [(*row, None) for row in reader.told(sql).rows]
    cells = [_group(result, texts, row) for row in rows[: paging.size]]
    columns = (*GROUPS[:-1], Column("errors", "count"), "instead")
    table = page_table(columns, cells, "equal errors, the most frequent first")
    more = len(rows) > paging.size
    page = _page(reader, result, (texts, {}), paging, (table, more), "errors")
    if with_instead is False:
        known_query = {**texts, "page": parameters.text("page"), "instead": True}
        page.values["instead"] = address(
            "evaluation", name_of(result), "errors", **known_query
        )
    return page


def _tells_instead(
    reader: Reader, made: Evaluation, filters: Wanted, parameters: Parameters
) -> bool | None:
    """Return whether to show the other side's values, slow for many errors.

    Returns:
        Nothing where it cannot be said.
    """
    if any(value and name not in TOLD for name, value in filters.items()):
        return None
    if parameters.text("instead") == "yes":
        return True
    rows = reader.told(totals_sql(made, "tuple_type", filters)).rows
    count: int = sum(errors for *_, errors in rows)
    return count <= MANY


def _with_instead(
    reader: Reader, made: Evaluation, filters: Wanted, paging: Paging
) -> list[tuple[Any, ...]]:
    """The groups of a page, and whether there are more, as the command has them."""

    def ask(sql: str) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        frequent = reader.told(sql)
        return frequent.columns, frequent.rows

    names = ("gold", "system", "metric", "scope")
    sides = dict(zip(names, made.names, strict=True))
    last = paging.first + paging.size + 1
    frequent = frequent_errors(ask, {**sides, **filters}, GROUPS[:-1], last)
    return frequent.rows[paging.first :]


def single(
    reader: Reader, path: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """Errors one by one, in the order of items, with what stands there instead."""
    result = reader.evaluation(path["name"])
    texts = parameters.texts(FILTERS)
    texts["value"] = (
        parameters.exact("value") if parameters.text("exact") else texts["value"]
    )
    name, null = parameters.exact("name"), parameters.text("null") == "yes"
    left = narrowed(reader, result, {**texts, "name": name})
    paging = Paging(parameters.number("page"))
    way = parameters.one_of("format", WAYS)
    if way != "page":
        sql = occurrences_sql(result, left, 0, DOWNLOAD.rows, null)
        return of_statement(reader, f"{result.system}-{result.metric}-errors", way, sql)
    hits = hits_of(reader, result, left)
    sql = occurrences_sql(result, left, paging.first, paging.size + 1, null, hits)
    rows = reader.told(sql).rows
    cells = [_single(result, row) for row in rows[: paging.size]]
    columns = [
        Column(name, "number" if name == "credit" else "name")
        for name in SINGLE
        if name not in ("language", "layer")
    ]
    table = page_table(columns, cells, "errors in the order of items")
    more = len(rows) > paging.size
    exact = {"name": name, "null": null, "exact": parameters.text("exact")}
    return _page(
        reader, result, (texts, exact), paging, (table, more), "errors", "single"
    )


def _page(
    reader: Reader,
    made: Evaluation,
    filters: tuple[Wanted, Mapping[str, Any]],
    paging: Paging,
    listing: tuple[Table, bool],
    *path: str,
) -> Page:
    """A page of errors.

    Args:
        reader: the store.
        made: the evaluation.
        filters: those of the form, and those that links alone say.
        paging: which part it is.
        listing: its table, and whether there is more.
        path: behind that of the evaluation.
    """
    filters_wanted, exact = filters
    table, more = listing
    own = name_of(made)
    sums = sums_of(reader, made)
    alone = path[-1] == "single"

    def link(**more: Any) -> str:
        return address("evaluation", own, *path, **{**filters_wanted, **exact, **more})

    other_path = ("errors",) if alone else ("errors", "single")
    tuple_types = [
        row[0] for row in reader.told(totals_sql(made, "tuple_type", {})).rows
    ]
    return Page(
        "errors",
        f"Errors of {title_of(made)}{within_of(filters_wanted)}",
        {
            "single": alone,
            "name": exact.get("name"),
            "null": "yes" if exact.get("null") else "",
            "choices": {name: sums.values(name) for name in SLICES[:-1]}
            | {"tuple_type": [*dict.fromkeys(tuple_types)]},
            "known": known_values(reader, made),
            "wanted": filters_wanted,
            "table": table,
            "bare": address("evaluation", own, *path),
            "other": address("evaluation", own, *other_path, **filters_wanted),
            "instead": "",
            "before": link(page=paging.page - 1) if paging.page > 1 else "",
            "after": link(page=paging.page + 1) if more else "",
            "said": f"page {paging.page}",
            "downloads": ways(lambda format_name: link(format=format_name)),
            "trail": trail(made),
        },
    )


def trail(made: Evaluation) -> list[tuple[str, str]]:
    """The way to the pages of an evaluation."""
    return [
        ("Evaluations", "/"),
        (title_of(made), address("evaluation", name_of(made))),
    ]


def _group(made: Evaluation, filters: Wanted, row: tuple[Any, ...]) -> list[Cell]:
    """Equal errors, with the way to each of them."""
    framework, tuple_type, side, name, value, errors, instead = row
    known_query = {
        **filters,
        "framework": framework,
        "tuple_type": tuple_type,
        "error_type": side,
        "name": name,
        "value": value,
        "null": value is None,
        "exact": True,
    }
    href = address("evaluation", name_of(made), "errors", "single", **known_query)
    return [
        *(text(framework), text(tuple_type), text(side), text(name)),
        *(text(value, href), number(errors, href)),
        text(instead or ""),
    ]


def _single(made: Evaluation, row: tuple[Any, ...]) -> list[Cell]:
    """One error, with the way to its item."""
    known = dict(zip(SINGLE, row, strict=True))
    href = item_address(
        made,
        known["item"],
        **{name: known[name] or None for name in ("framework", "language", "layer")},
    )
    cells = []
    for name in SINGLE:
        value = known[name]
        if name in ("language", "layer"):
            continue
        if name == "item":
            cells.append(text(value, href))
        elif name in ("compared", "instead", "label") and value is None:
            cells.append(Cell(""))
        elif name == "credit":
            cells.append(number(value))
        else:
            cells.append(text(value))
    return cells


def item_address(made: Evaluation, item: str, **known: Any) -> str:
    """Return the URL of an item.

    Args:
        made: the evaluation.
        item: its id.
        known: what else it is known by, and how the list is sorted that it is from.
    """
    return address("evaluation", name_of(made), "item", id=item, **known)
