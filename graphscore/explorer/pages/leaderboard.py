"""Leaderboards: systems of a task by frameworks, and what they have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphscore.explorer.downloads import Download, ways
from graphscore.explorer.page_tables import narrowed, number, page_table, ratio, text
from graphscore.explorer.pages.errors import item_address
from graphscore.explorer.pages.evaluation import WAYS
from graphscore.explorer.queries import Sql, query
from graphscore.explorer.reader import NotFoundError, Reader, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.urls import Paging, Parameters, address
from graphscore.report.leaderboard.table import leaderboard_table
from graphscore.report.table import Column, Table, columns_of
from graphscore.store.evaluations import Evaluation
from graphscore.store.rankings import Leaderboard, leaderboards

KIND_NAMES = (
    ("items", "items, most failed first"),
    ("errors", "errors, most frequent first"),
    ("alone", "errors of one system"),
    ("confusions", "confusions"),
    ("profile", "systems by tuple type"),
)
"""Dimensions across which systems are shown."""


def boards_of(reader: Reader, document: str = "") -> list[Leaderboard]:
    """The leaderboards of a store.

    Args:
        reader: the store.
        document: only this one, if given.
    """

    def read() -> list[Leaderboard]:
        with reader.connected() as connection:
            return leaderboards(connection, document)

    made = {evaluation.id: evaluation for evaluation in reader.evaluations()}
    return [
        board._replace(
            standings=tuple(
                x._replace(evaluation=made.get(x.evaluation.id, x.evaluation))
                for x in board.standings
            )
        )
        for board in reader.kept(("leaderboards", document), read)
    ]


def name_of_board(board: Leaderboard) -> str:
    """Return the name of a leaderboard in URLs: that of its first evaluation."""
    return name_of(board.standings[0].evaluation)


def linked_table(reader: Reader, board: Leaderboard, score: str = "") -> Table:
    """A leaderboard whose systems lead to their evaluations.

    Args:
        reader: the store.
        board: the leaderboard.
        score: what is ranked; what stands for the metric without.
    """
    table = leaderboard_table(board, score, store=reader.name)
    made = {x.system: name_of(x.evaluation) for x in board.standings}
    # Systems are what rows are called by; intervals of ranks may not be known yet.
    rank, ranks, system, *scores = table.columns
    intervals = columns_of(ranks.meaning, ranks.name) * any(
        row[1] for row in table.rows
    )
    table.columns = [system, rank, *intervals, *scores]
    table.rows = [
        (
            text(name, address("evaluation", made[name])),
            *(own_rank, *(span,) * len(intervals), *cells),
        )
        for own_rank, span, name, *cells in table.rows
    ]
    table.name = "sortable"
    return narrowed(table)


def page(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """A leaderboard with switches for task, score and document."""
    document = parameters.text("document") or ""
    board = _board(reader, parameters.text("task"), document)
    score, way = (
        parameters.text("score") or board.main,
        parameters.one_of("format", WAYS),
    )
    task = name_of_board(board)
    address_query = {"task": task, "score": score, "document": document or None}
    if way != "page":
        table = leaderboard_table(board, score)
        heads = [column.name for column in table.columns]
        return Download(f"{board.metric}-leaderboard", way, heads, table.rows)
    tasks = [
        (
            name_of_board(other_board),
            f"{other_board.metric} ({other_board.gold}, {other_board.scope})",
        )
        for other_board in boards_of(reader)
    ]
    return Page(
        "leaderboard",
        f"Leaderboard: {board.metric}, {board.gold}",
        {
            "task": task,
            "tasks": tasks,
            "score": score,
            "scores": board.scores,
            "document": document,
            "documents": _documents(reader, board),
            "table": linked_table(reader, board, score),
            "across": address("across", task=task),
            "downloads": ways(
                lambda format_name: address(
                    "leaderboard", **address_query, format=format_name
                )
            ),
            "trail": [],
        },
    )


def _documents(reader: Reader, board: Leaderboard) -> list[str]:
    first = board.standings[0].evaluation
    return [row[0] for row in reader.told(query("document", evaluation=first.id)).rows]


def _board(reader: Reader, task: str | None, document: str = "") -> Leaderboard:
    """The leaderboard of an address; the first one where none is named.

    Raises:
        NotFoundError: if there is none.
    """
    boards = boards_of(reader, document)
    for board in boards:
        names = {name_of(x.evaluation) for x in board.standings}
        if task is None or task in names:
            return board
    problem = f"no leaderboard {task!r}" if boards else "nothing has been scored"
    raise NotFoundError(f"{problem}: graphscore score {reader.name} --gold NAME")


def across(
    reader: Reader, _: Mapping[str, str], parameters: Parameters
) -> Page | Download:
    """Items, errors and confusions by the number of systems; systems by tuple type."""
    board = _board(reader, parameters.text("task"))
    kind = parameters.one_of("by", [name for name, _ in KIND_NAMES])
    paging, way = Paging(parameters.number("page")), parameters.one_of("format", WAYS)
    task, first = name_of_board(board), board.standings[0].evaluation
    tables = {"confusions": _confusions, "profile": _profile}

    def link(**more: Any) -> str:
        return address("across", **({"task": task, "by": kind} | more))

    count = paging.size + 1 if way == "page" else 100_000
    start = paging.first if way == "page" else 0
    shown = tables.get(kind, _items if kind == "items" else _errors)
    columns, rows = shown(reader, first, kind, count, start)
    if way != "page":
        heads = [getattr(column, "name", column) for column in columns]
        values = [[getattr(x, "value", x) for x in row] for row in rows]
        return Download(f"{board.metric}-{kind}", way, heads, values)
    more = len(rows) > paging.size and kind != "profile"
    rows = rows if kind == "profile" else rows[: paging.size]
    last = paging.first + len(rows)
    return Page(
        "across",
        f"Across {len(board.standings)} systems: {board.metric}, {board.gold}",
        {
            "task": task,
            "by": kind,
            "kinds": KIND_NAMES,
            "board": address("leaderboard", task=task),
            "table": page_table(columns, rows, dict(KIND_NAMES)[kind]),
            "before": link(page=paging.page - 1) if paging.page > 1 else "",
            "after": link(page=paging.page + 1) if more else "",
            "said": f"{paging.first + 1:,} to {last:,}",
            "downloads": ways(lambda format_name: link(format=format_name)),
            "trail": [],
        },
    )


def _items(
    reader: Reader, made: Evaluation, _: str, count: int, first: int
) -> tuple[tuple[Any, ...], list[Any]]:
    sql = query("items_across", evaluation=made.id, count=count, first=first)
    rows = []
    for framework, language, document, item, layer, wrong, of, errors in reader.told(
        sql
    ).rows:
        href = item_address(made, item, framework=framework, language=language or None)
        head = text(item, href), text(framework), text(language), text(document)
        numbers = number(wrong), number(of), number(errors)
        rows.append((*head, text(layer), *numbers))
    names = "item", "framework", "language", "document", "layer"
    amounts = columns_of("count", "wrong", "systems", "errors")
    return (*names, *amounts), rows


def _errors(
    reader: Reader, made: Evaluation, kind: str, count: int, first: int
) -> tuple[tuple[Any, ...], list[Any]]:
    systems_wanted = Sql("= 1" if kind == "alone" else "> 1")
    sql = query(
        "errors_across",
        evaluation=made.id,
        count=count,
        first=first,
        wanted=systems_wanted,
    )
    rows = []
    for item, framework, *cells, systems, of, only in reader.told(sql).rows:
        href = item_address(made, item, framework=framework)
        rows.append(
            (
                text(item, href),
                *(text(value or "") for value in (framework, *cells)),
                *(number(systems), number(of), text(only or "")),
            )
        )
    names = "item", "framework", "error_type", "tuple_type", "label", "name", "value"
    amounts = columns_of("count", "made by", "of")
    return (*names, *amounts, "only"), rows


def _confusions(
    reader: Reader, made: Evaluation, _: str, count: int, first: int
) -> tuple[tuple[Any, ...], list[Any]]:
    sql = query("confusions_across", evaluation=made.id, count=count, first=first)
    rows = [
        (*(text(value or "") for value in row[:4]), *map(number, row[4:]))
        for row in reader.told(sql).rows
    ]
    names = "tuple_type", "name", "gold", "system"
    amounts = columns_of("count", "systems", "times")
    return (*names, *amounts), rows


def _profile(
    reader: Reader, made: Evaluation, _: str, __: int, ___: int
) -> tuple[tuple[Any, ...], list[Any]]:
    """Share of each tuple type in the errors of a system, beside that of all."""
    counts: dict[str, dict[str, int]] = {}
    for system, tuple_type, errors in reader.told(
        query("profile", evaluation=made.id)
    ).rows:
        counts.setdefault(system, {})[tuple_type] = errors
    tuple_types = sorted({name for of in counts.values() for name in of})
    field = {
        name: sum(of.get(name, 0) for of in counts.values()) for name in tuple_types
    }
    rows = []
    for system, of in [*counts.items(), ("all systems", field)]:
        total = sum(of.values())
        shares = (ratio(of.get(name, 0) / total if total else None) for name in field)
        rows.append((text(system), number(total), *shares))
    kinds = columns_of("ratio", *(f"{name} %" for name in tuple_types))
    return ("system", Column("errors", "count"), *kinds), rows
