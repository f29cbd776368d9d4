"""Statements that users write, over the documented views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.explorer.downloads import FORMATS, Download, offered
from graphscore.explorer.page_tables import page_table, plain
from graphscore.explorer.queries import Sql, query
from graphscore.explorer.reader import BOX, Reader
from graphscore.explorer.rendering import Page
from graphscore.explorer.urls import Parameters, address
from graphscore.report.table import Table
from graphscore.store.read.examples import EXAMPLES
from graphscore.store.views import VIEWS

LONGEST = 20_000
"""Characters of a statement."""

_LINKED = 3_000
"""Characters of a statement that fits into an address."""


def form(reader: Reader, _: Mapping[str, str], parameters: Parameters) -> Page:
    """The box, with a statement that an address brings; it is not run by that."""
    return _page(reader, parameters.text("sql") or "")


def answer(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """Return the answer of the store to a statement."""
    # Forms end lines as no editor does that shows them again.
    sql = parameters.long("sql", LONGEST).replace("\r\n", "\n")
    way = parameters.one_of("format", ("page", *FORMATS))
    if not sql.strip():
        return _page(reader, sql, status=400, problem="expected a statement in SQL")
    try:
        result = reader.ask_apart(sql, BOX)
        if way != "page" and result.more:
            # A file says nothing of what was left out of it.
            raise UsageError(
                f"more than {result.more}, the limit of this page: expected fewer "
                "in a file, as with limit and offset; graphscore query writes all"
            )
        if way != "page":
            return Download("query", way, result.columns, result.rows)
    except GraphscoreError as error:
        return _page(reader, sql, status=400, problem=str(error))
    more = (
        f"Only the first {len(result.rows):,} rows are shown; the limit is "
        f"{result.more}."
        if result.more
        else ""
    )
    table = plain(result.columns, result.rows, f"{len(result.rows):,} rows")
    return _page(reader, sql, table=table, more=more)


def _page(
    reader: Reader,
    sql: str,
    *,
    table: Table | None = None,
    more: str = "",
    problem: str = "",
    status: int = 200,
) -> Page:
    values: dict[str, Any] = {
        "sql": sql,
        "limits": BOX,
        "formats": offered(),
        "problem": problem,
        "link": address("sql", sql=sql) if sql and len(sql) <= _LINKED else "",
        "table": table,
        "more": more,
        "views": _views(reader),
        "examples": EXAMPLES.values(),
        "trail": [],
    }
    return Page("sql", "Ask in SQL", values, status)


def _views(reader: Reader) -> Table:
    """The documented views and their columns."""

    def ask() -> list[tuple[str, str]]:
        views = []
        for view in VIEWS:
            columns = reader.ask(query("columns", view=Sql(view))).columns
            views.append((view, ", ".join(columns)))
        return views

    rows = reader.kept("views", ask)
    return page_table(("view", "columns"), rows, "documented views")
