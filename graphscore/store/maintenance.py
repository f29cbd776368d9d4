"""Looking after a store: what is in it, and taking something out."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, or_, select

from graphscore.store import schema
from graphscore.store.writing.rows import find_collection, hold_write_lock


class CollectionSummary(NamedTuple):
    """What a collection holds."""

    name: str
    graphs: dict[str, int]
    """Number of graphs by framework."""
    documents: int
    """Number of different documents."""
    files: int
    """Number of files it was made from."""
    rejected: int
    """Number of records that could not be read."""
    evaluations: int
    """Number of evaluations that use it, on either side."""
    created: str
    """When it was made, in UTC."""


class Removal(NamedTuple):
    """What went away with a collection."""

    collection: str
    graphs: int
    evaluations: int
    results: int


def collections(connection: Connection) -> list[CollectionSummary]:
    """An overview of the collections.

    Args:
        connection: an open store.

    Returns:
        One summary a collection, in the order in which they were made.
    """
    table, graph = schema.collection, schema.graph
    file, evaluation = schema.ingest, schema.evaluation
    graphs: dict[int, dict[str, int]] = {}
    for number, framework, count in connection.execute(
        select(graph.c.collection, graph.c.framework, func.count())
        .group_by(graph.c.collection, graph.c.framework)
        .order_by(graph.c.collection, graph.c.framework)
    ):
        graphs.setdefault(number, {})[framework] = count
    mine = graph.c.collection == table.c.id
    documents = select(func.count(graph.c.document.distinct())).where(mine)
    of_mine = file.c.collection == table.c.id
    files = select(func.count(file.c.id)).where(of_mine)
    rejected = select(func.coalesce(func.sum(file.c.rejected), 0)).where(of_mine)
    uses = or_(evaluation.c.gold == table.c.id, evaluation.c.system == table.c.id)
    evaluations = select(func.count(evaluation.c.id)).where(uses)
    rows = connection.execute(
        select(
            table.c.id,
            table.c.name,
            documents.scalar_subquery(),
            files.scalar_subquery(),
            rejected.scalar_subquery(),
            evaluations.scalar_subquery(),
            table.c.created,
        ).order_by(table.c.id)
    )
    return [
        CollectionSummary(name, graphs.get(number, {}), *rest)
        for number, name, *rest in rows
    ]


def remove(connection: Connection, collection: str) -> Removal:
    """Take a collection out, with everything that nothing else needs.

    Its graphs go, the evaluations that use it, and the results that no
    evaluation refers to any more.

    Args:
        connection: a writing connection; the caller commits.
        collection: name of the collection.

    Returns:
        How much went away.

    Raises:
        UsageError: there is no such collection.
    """
    hold_write_lock(connection, schema.collection)
    number = find_collection(connection, collection)
    graph, evaluation, pair = schema.graph, schema.evaluation, schema.pair
    evaluations = connection.execute(
        delete(evaluation).where(
            (evaluation.c.gold == number) | (evaluation.c.system == number)
        )
    ).rowcount
    graphs = connection.execute(
        delete(graph).where(graph.c.collection == number)
    ).rowcount
    table = schema.collection
    connection.execute(delete(table).where(table.c.id == number))
    result = schema.result
    used = select(pair.c.seq).where(pair.c.result == result.c.id).exists()
    results = connection.execute(delete(result).where(~used)).rowcount
    text = schema.text
    kept = select(graph.c.text).where(graph.c.text.is_not(None))
    connection.execute(delete(text).where(text.c.digest.not_in(kept)))
    return Removal(collection, graphs, evaluations, results)
