"""The items of an evaluation, as a store keeps them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from graphscore.evaluation.unit import ItemResult
from graphscore.model.outcome import Outcome
from graphscore.store.database import Database
from graphscore.store.evaluations import (
    Grouping,
    find_evaluations,
    pairs_of,
    raw_counts_by,
)
from graphscore.store.read.outcomes import load_outcomes


def kept_items(database: Database, evaluation: int) -> list[ItemResult]:
    """The items of an evaluation that was made, with matches and errors.

    Args:
        database: the store.
        evaluation: id of the evaluation.

    Raises:
        StoreError: if the store has been closed.
    """
    with database.reading() as connection:
        return list(items_of(connection, evaluation, True))


def kept_results(
    connection: Connection, gold: str, system: str, metric: str, scope: str
) -> dict[tuple[str, str, str, str], tuple[int, bool]]:
    """The results of an evaluation by framework, language, item and layer.

    Each with whether it is proven.

    Args:
        connection: an open store.
        gold: name of the gold collection.
        system: name of the system collection.
        metric: canonical string of the metric.
        scope: what was scored.
    """
    names = {"gold": gold, "system": system, "metric": metric, "scope": scope}
    return {
        (pair.framework, pair.language, pair.item, pair.layer): (
            pair.result,
            bool(pair.proven),
        )
        for result in find_evaluations(connection, **names)
        for pair in pairs_of(connection, result.id)
        if pair.result is not None
    }


def items_of(
    connection: Connection, evaluation: int, details: bool
) -> Iterator[ItemResult]:
    """The items of an evaluation, in the order in which they were saved.

    Args:
        connection: an open store.
        evaluation: id of the evaluation.
        details: whether matches and errors are wanted.
    """
    columns: tuple[Grouping, ...] = ("framework", "language", "item", "layer")
    raw_counts = dict(raw_counts_by(connection, evaluation, columns))
    pairs = [
        pair for pair in pairs_of(connection, evaluation) if pair.result is not None
    ]
    outcomes: dict[int, Outcome] = {}
    if details:
        ids = [pair.result for pair in pairs if pair.result is not None]
        outcomes = load_outcomes(connection, ids)
    for pair in pairs:
        yield ItemResult(
            pair.framework,
            pair.language,
            pair.item,
            pair.document,
            raw_counts.get((pair.framework, pair.language, pair.item, pair.layer), {}),
            pair.score or 0,
            pair.bound or 0,
            bool(pair.proven),
            pair.status in ("missing", "rejected"),
            outcomes[pair.result].matches if details and pair.result else (),
            pair.layer,
            outcomes[pair.result].errors if details and pair.result else (),
        )
