"""The items of an evaluation in all frameworks, the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.explorer.downloads import Download, ways
from graphscore.explorer.page_tables import number, page_table, ratio, text
from graphscore.explorer.pages.errors import item_address, trail
from graphscore.explorer.pages.evaluation import (
    WAYS,
    known_values,
    title_of,
    within_of,
)
from graphscore.explorer.queries import Wanted
from graphscore.explorer.reader import Reader, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import SLICES, ItemLine, lines_of, sums_of
from graphscore.explorer.sentences import sentences_of, summaries_of
from graphscore.explorer.urls import Paging, Parameters, address
from graphscore.report.page.summaries import ItemSummary
from graphscore.report.table import Cell, columns_of
from graphscore.store.evaluations import Evaluation

ORDERS = ("mean", "best", "errors", "item")

ORDER_NAMES = (
    ("mean", "worst mean first"),
    ("best", "worst best first"),
    ("errors", "most errors first"),
    ("item", "by id"),
)

NARROWED = (*SLICES, "find")


def page(
    reader: Reader, path: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """A list of items."""
    result = reader.evaluation(path["name"])
    filters, order = parameters.texts(NARROWED), parameters.one_of("order", ORDERS)
    paging, way = Paging(parameters.number("page")), parameters.one_of("format", WAYS)
    columns, lines = lines_of(reader, result, filters, order)
    query = {**filters, "order": order if order != "mean" else None}

    def link(**more: Any) -> str:
        return address("evaluation", name_of(result), "items", **(query | more))

    heads = [
        *columns_of("name", "item", "language", "document"),
        *columns_of("ratio", *columns, "mean", "best"),
        *columns_of("count", "gold", "errors"),
    ]
    if way != "page":
        names = [head.name for head in heads]
        rows = (
            (line.item, line.language, line.document, *_values(line, columns))
            for line in lines
        )
        return Download(f"{result.system}-{result.metric}-items", way, names, rows)
    shown = lines[paging.first : paging.first + paging.size]
    summaries = summaries_of(reader, result, [(e.language, e.item) for e in shown])
    sentences = sentences_of(reader, result) is not None
    cells = []
    for line in shown:
        href = of_line(result, line, query)
        # Errors are kept by document: those of a sentence stand on its page.
        wrong = href if sentences else _errors_of(result, line, query)
        summary = summaries.get((line.language, line.item), ItemSummary())
        texts = (text("; ".join(summary.telling)), text(summary.text))
        cells.append([*_row(line, columns, href, wrong), *texts])
    heads += columns_of("text", "most telling errors", "text")
    # Of one framework, and of whole documents, some columns would say the same.
    same = {"mean", "best"} if len(columns) == 1 else set()
    if all(line.document == line.item for line in shown):
        same.add("document")
    kept = [index for index, head in enumerate(heads) if head.name not in same]
    more = paging.first + len(shown) < len(lines)
    sums = sums_of(reader, result)
    last = paging.first + len(shown)
    return Page(
        "items",
        f"Items of {title_of(result)}{within_of(filters)}",
        {
            "choices": {name: sums.values(name) for name in SLICES[:-1]},
            "known": known_values(reader, result),
            "wanted": filters,
            "bare": address("evaluation", name_of(result), "items"),
            "order": order,
            "orders": ORDER_NAMES,
            "table": page_table(
                [heads[index] for index in kept],
                [[row[index] for index in kept] for row in cells],
                f"items, {dict(ORDER_NAMES)[order]}",
            ),
            "before": link(page=paging.page - 1) if paging.page > 1 else "",
            "after": link(page=paging.page + 1) if more else "",
            "said": f"{paging.first + 1:,} to {last:,} of {len(lines):,}",
            "downloads": ways(lambda format_name: link(format=format_name)),
            "trail": trail(result),
        },
    )


def _values(line: ItemLine, columns: list[str]) -> list[Any]:
    return [*map(line.f1.get, columns), line.mean, line.best, line.gold, line.errors]


def _errors_of(made: Evaluation, line: ItemLine, filters: Wanted) -> str:
    """The URL of the errors of an item."""
    return address(
        *("evaluation", name_of(made), "errors", "single"),
        item=line.item,
        language=line.language or None,
        framework=filters.get("framework"),
        layer=filters.get("layer"),
    )


def _row(line: ItemLine, columns: list[str], href: str, wrong: str) -> list[Cell]:
    """An item, with the way to it and to its errors."""
    return [
        text(line.item, href),
        *(text(line.language), text(line.document)),
        *(ratio(line.f1.get(name), bar=len(columns) == 1) for name in columns),
        *(ratio(line.mean, bar=True), ratio(line.best)),
        *(number(line.gold), number(line.errors, wrong)),
    ]


def of_line(made: Evaluation, line: ItemLine, filters: Wanted) -> str:
    """Return the URL of an item of a list, from which one can go on in that list.

    Args:
        made: the evaluation.
        line: the item.
        filters: the filters and the order of the list.
    """
    known = {
        **filters,
        "language": line.language or None,
        "in": filters.get("language"),
    }
    return item_address(made, line.item, **known)
