"""Contents of a store: its evaluations, and their collections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphscore.explorer.page_tables import number, page_table, ratio, text
from graphscore.explorer.pages.leaderboard import (
    boards_of,
    linked_table,
    name_of_board,
)
from graphscore.explorer.queries import query
from graphscore.explorer.reader import Reader, metric_of, name_of
from graphscore.explorer.rendering import Page
from graphscore.explorer.scores import is_summed, sums_of
from graphscore.explorer.urls import Parameters, address, collection_address
from graphscore.report.table import Cell, Column, Table, columns_of
from graphscore.store.evaluations import Evaluation
from graphscore.store.maintenance import CollectionSummary, collections
from graphscore.store.revisions import OUTDATED


def page(reader: Reader, _: Mapping[str, str], __: Parameters) -> Page:
    """The first page."""
    return Page(
        "collections",
        "What the store holds",
        {
            "boards": [*_boards(reader)],
            "evaluations": evaluation_grid(reader, reader.evaluations()),
            "collections": _collections(reader),
        },
    )


def _boards(reader: Reader) -> Iterator[tuple[Table, str, str]]:
    """Yield the leaderboards of several systems, with the ways to more of each."""
    for board in boards_of(reader):
        if len(board.standings) > 1 and board.frameworks:
            task = name_of_board(board)
            other_scores, across = (
                address(name, task=task) for name in ("leaderboard", "across")
            )
            yield linked_table(reader, board), other_scores, across


def evaluation_grid(reader: Reader, made: list[Evaluation]) -> Table:
    """Evaluations, each with the way to its scores and errors.

    Args:
        reader: the store.
        made: which.
    """
    errors = dict(reader.told(query("errors")).rows)
    units = numbers_of_units(reader)
    rows = [
        [
            text(evaluation.system, address("evaluation", name_of(evaluation))),
            text(evaluation.gold, collection_address(evaluation.gold)),
            text(evaluation.metric),
            text(evaluation.scope),
            value_cell(reader, evaluation),
            number(units.get(evaluation.id, 0)),
            number(
                errors.get(evaluation.id, 0),
                address("evaluation", name_of(evaluation), "errors"),
            ),
            text(evaluation.status),
            text(evaluation.created),
        ]
        for evaluation in made
    ]
    numbers = [Column("value", "ratio"), *columns_of("count", "units", "errors")]
    heads = ["system", "gold", "metric", "scope", *numbers, "status", "made"]
    return page_table(heads, rows, "", "none yet: graphscore score makes them")


def numbers_of_units(reader: Reader) -> dict[int, int]:
    """Return the number of gold units of every evaluation, by its id in the store.

    Args:
        reader: the store.
    """
    return dict(reader.told(query("units")).rows)


def value_cell(reader: Reader, made: Evaluation) -> Cell:
    """Return the cell of a main score; loaded later where it takes time.

    Args:
        reader: the store.
        made: the evaluation.
    """
    if made.status == OUTDATED or metric_of(made) is None:
        return Cell(None)
    if is_summed(reader, made):
        value = sums_of(reader, made).whole({}).value
        return ratio(value, bar=True)
    path = "evaluation", name_of(made)
    later = address(*path, "value")
    return Cell(None, address(*path), later=later)


def value(reader: Reader, path: Mapping[str, str], _: Parameters) -> Page:
    """Return the main score of one evaluation, to replace the cell in the table."""
    result = reader.evaluation(path["name"])
    sums_of(reader, result)
    cell = value_cell(reader, result)
    return Page("fragment", result.system, {"part": cell, "downloads": [], "trail": []})


def _collections(reader: Reader) -> Table:
    def ask() -> list[CollectionSummary]:
        with reader.connected() as connection:
            return collections(connection)

    rows = [
        [
            text(collection.name, collection_address(collection.name)),
            number(sum(collection.graphs.values())),
            text(", ".join(f"{name} {n:,}" for name, n in collection.graphs.items())),
            number(collection.documents),
            number(collection.files),
            number(collection.rejected),
            text(collection.created),
        ]
        for collection in reader.kept("collections", ask)
    ]
    numbers = columns_of("count", "documents", "files", "rejected")
    heads = ["name", Column("graphs", "count"), "frameworks", *numbers, "made"]
    return page_table(heads, rows, "", "none")
