"""Search in texts, labels and ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.explorer.downloads import Download, of_statement, ways
from graphscore.explorer.page_tables import number, page_table, text
from graphscore.explorer.pages.evaluation import WAYS
from graphscore.explorer.queries import pattern_of, query
from graphscore.explorer.reader import DOWNLOAD, Reader, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.urls import Parameters, address, graph_address
from graphscore.report.table import Cell, Column, Table

PLACES = ("text", "labels", "items")

PLACE_NAMES = (("text", "texts"), ("labels", "labels"), ("items", "ids of items"))

MOST = 100

GRAPH = ("collection", "framework", "language", "document", "item", "layer", "text")


FOUND = {"text": "texts_found", "labels": "label_users", "items": "items_found"}
"""Names of queries, by field."""


def page(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """The form, and what was found."""
    q, field = parameters.text("q"), parameters.one_of("in", PLACES)
    way = parameters.one_of("format", WAYS)
    if way != "page":
        sql = _sql(reader, FOUND[field], q or "", DOWNLOAD.rows)
        return of_statement(reader, "graphs-found", way, sql)
    tables = [] if q is None else _tables(reader, q, field)
    known_query = {"q": q, "in_": field}
    most = any(len(table.rows) >= MOST for table in tables)
    return Page(
        "search",
        "Search",
        {
            "q": q,
            "place": field,
            "places": PLACE_NAMES,
            "tables": tables,
            "elsewhere": []
            if q is None or any(table.rows for table in tables)
            else [
                (name, address("search", q=q, in_=other_field))
                for other_field, name in PLACE_NAMES
                if other_field != field
            ],
            "more": f"Only the first {MOST} are shown." if most else "",
            "downloads": ways(
                lambda format_name: address("search", **known_query, format=format_name)
            ),
            "trail": [],
        },
    )


def _sql(reader: Reader, name: str, q: str, count: int = MOST) -> str:
    return query(name, pattern=pattern_of(q, reader.dialect), count=count)


def _tables(reader: Reader, q: str, field: str) -> list[Table]:
    if field == "labels":
        return [_labels(reader, q), _users(reader, q)]
    answer = reader.told(_sql(reader, FOUND[field], q))
    rows = [_graph(row) for row in answer.rows]
    return [page_table(GRAPH, rows, "graphs", "nothing has it")]


def _graph(row: tuple[Any, ...]) -> list[Cell]:
    """A graph, with the way to it."""
    collection, framework, language, document, item, layer, graph_text = row
    href = graph_address(collection, framework, language, item, layer)
    last = Cell("") if graph_text is None else text(graph_text)
    names = (collection, framework, language, document)
    return [*map(text, names), text(item, href), text(layer), last]


def _users(reader: Reader, q: str) -> Table:
    rows = reader.told(_sql(reader, "label_users", q)).rows
    columns = (*GRAPH[:-1], "label")
    return page_table(
        columns, [*map(_graph, rows)], "graphs that have it", "no graph has it"
    )


def _labels(reader: Reader, q: str) -> Table:
    made = {evaluation.id: evaluation for evaluation in reader.evaluations()}
    rows = []
    for value, number_of, framework, tuple_type, side, errors in reader.told(
        _sql(reader, "labels_found", q)
    ).rows:
        each = made[number_of]
        href = address(
            *("evaluation", name_of(each), "errors", "single"),
            framework=framework,
            tuple_type=tuple_type,
            error_type=side,
            value=value,
        )
        cells = (value, each.system, each.metric, framework, tuple_type, side)
        rows.append([*map(text, cells), number(errors, href)])
    columns = [
        "value",
        "system",
        "metric",
        "framework",
        "tuple_type",
        "error_type",
        Column("errors", "count"),
    ]
    return page_table(columns, rows, "errors with it, most frequent first", "none")
