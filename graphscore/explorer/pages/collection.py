"""A collection: the evaluations that it takes part in, and its graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.explorer.downloads import Download, of_statement, ways
from graphscore.explorer.page_tables import page_table, text
from graphscore.explorer.pages.collections import evaluation_grid
from graphscore.explorer.pages.evaluation import WAYS, within_of
from graphscore.explorer.queries import graphs_sql, query
from graphscore.explorer.reader import DOWNLOAD, NotFoundError, Reader
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import SLICES
from graphscore.explorer.urls import (
    Paging,
    Parameters,
    collection_address,
    graph_address,
)
from graphscore.report.table import Cell, Table

COLUMNS = ("item", "framework", "language", "layer", "document", "text")

NARROWED = (*SLICES, "find")


def page(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """The graphs of one collection, also of one that nothing was scored with."""
    name = parameters.text("name") or ""
    texts = parameters.texts(NARROWED)
    paging, way = Paging(parameters.number("page")), parameters.one_of("format", WAYS)
    number = _number(reader, name)
    if way != "page":
        sql = graphs_sql(number, texts, reader.dialect, 0, DOWNLOAD.rows)
        return of_statement(reader, f"{name}-graphs", way, sql)
    sql = graphs_sql(number, texts, reader.dialect, paging.first, paging.size + 1)
    rows = reader.told(sql).rows

    def link(**more: Any) -> str:
        return collection_address(name, **{**texts, **more})

    own = [
        evaluation
        for evaluation in reader.evaluations()
        if name in (evaluation.gold, evaluation.system)
    ]
    return Page(
        "collection",
        f"{name}{within_of(texts)}",
        {
            "name": name,
            "evaluations": evaluation_grid(reader, own) if own else None,
            "choices": _choices(reader, number),
            "wanted": texts,
            "table": _graphs(name, rows[: paging.size]),
            "bare": collection_address(name),
            "before": link(page=paging.page - 1) if paging.page > 1 else "",
            "after": link(page=paging.page + 1) if len(rows) > paging.size else "",
            "said": f"page {paging.page}",
            "downloads": ways(lambda format_name: link(format=format_name)),
            "trail": [("Collections", "/")],
        },
    )


def _number(reader: Reader, name: str) -> int:
    """Return the id of a collection in the store."""
    for [result] in reader.told(query("collection", name=name)).rows:
        return int(result)
    raise NotFoundError(f"no collection {name!r} in {reader.name}")


def _choices(reader: Reader, number: int) -> dict[str, list[str]]:
    """The slices that there are; of documents there may be too many to list."""
    rows = reader.told(query("slices", collection=number)).rows
    return {
        name: sorted({row[index] for row in rows})
        for index, name in enumerate(SLICES[:-1])
    }


def _graphs(name: str, rows: list[tuple[Any, ...]]) -> Table:
    return page_table(COLUMNS, [_row(name, row) for row in rows], "graphs", "none")


def _row(name: str, row: tuple[Any, ...]) -> list[Cell]:
    """A graph, with the way to its picture."""
    item, framework, language, layer, document, graph_text = row
    href = graph_address(name, framework, language, item, layer)
    return [
        text(item, href),
        *map(text, (framework, language, layer, document)),
        Cell("") if graph_text is None else text(graph_text),
    ]
