"""Looking after a store: what is in it, and taking something out."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select

from graphscore.store import schema
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.integrity import checked
from graphscore.store.revisions import RevisionOf, changes, mark
from graphscore.store.write.across import delete_evaluations
from graphscore.store.write.rows import find_collection


class CollectionSummary(NamedTuple):
    """Contents of a collection."""

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
    scored: tuple[Evaluation, ...] = ()
    """Those evaluations of which it is the system."""
    outdated: int = 0
    """Number of outdated evaluations that use it, on either side."""


class Cleared(NamedTuple):
    """Numbers of rows removed because nothing needed them."""

    results: int
    """Results of pairs that no evaluation refers to."""
    outdated: int
    """Evaluations that an older revision of their metric made."""


class Removal(NamedTuple):
    """Numbers of rows removed with a collection."""

    collection: str
    graphs: int
    evaluations: int
    """Those that used the collection."""
    results: int
    """Results of pairs that no evaluation refers to after that."""
    outdated: int
    """Other evaluations, that an older revision of their metric made."""


_SHOWN = (int, str, int, int, int, int)
"""Types of a collection's id, name and numbers."""


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
    counted = connection.execute(
        select(graph.c.collection, graph.c.framework, func.count())
        .group_by(graph.c.collection, graph.c.framework)
        .order_by(graph.c.collection, graph.c.framework)
    )
    columns = (graph.c.collection, graph.c.framework, graph.c.id)
    for number, framework, count in checked(counted, columns):
        graphs.setdefault(number, {})[framework] = count
    in_collection = graph.c.collection == table.c.id
    documents = select(func.count(graph.c.document.distinct())).where(in_collection)
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
    shown = (table.c.id, table.c.name, *[table.c.id] * 4, table.c.created)
    made: dict[str, list[Evaluation]] = {}
    outdated: Counter[str] = Counter()
    for scored in find_evaluations(connection):
        made.setdefault(scored.system, []).append(scored)
        if scored.status == "outdated":
            outdated.update({scored.gold, scored.system})
    return [
        CollectionSummary(name, graphs.get(number, {}), *rest)._replace(
            scored=tuple(made.get(name, ())), outdated=outdated[name]
        )
        for number, name, *rest in checked(rows, shown, [*_SHOWN, str])
    ]


def remove(connection: Connection, collection: str, revision_of: RevisionOf) -> Removal:
    """Take a collection out, with everything that nothing else needs.

    Its graphs go, the evaluations that use it, and what :func:`clear_results` clears.

    Args:
        connection: a writing connection; the caller commits.
        collection: name of the collection.
        revision_of: the revision of a metric now.

    Returns:
        How much went away.

    Raises:
        UsageError: there is no such collection.
    """
    number = find_collection(connection, collection)
    graph, evaluation = schema.graph, schema.evaluation
    uses = (evaluation.c.gold == number) | (evaluation.c.system == number)
    evaluations = delete_evaluations(connection, uses, gone=[number])
    graphs = connection.execute(
        delete(graph).where(graph.c.collection == number)
    ).rowcount
    table = schema.collection
    connection.execute(delete(table).where(table.c.id == number))
    cleared = clear_results(connection, revision_of)
    return Removal(collection, graphs, evaluations, *cleared)


def clear_results(connection: Connection, revision_of: RevisionOf) -> Cleared:
    """Clear outdated evaluations, and the results that no evaluation refers to.

    Texts that no graph has and revisions of metrics without results go with them.

    Args:
        connection: a writing connection; the caller commits.
        revision_of: the revision of a metric now.

    Returns:
        How much went away.
    """
    mark(connection, changes(connection, revision_of))
    evaluation, pair = schema.evaluation, schema.pair
    result, metric = schema.result, schema.metric
    outdated = delete_evaluations(connection, evaluation.c.outdated)
    used = select(pair.c.seq).where(pair.c.result == result.c.id).exists()
    results = connection.execute(delete(result).where(~used)).rowcount
    held = select(result.c.id).where(result.c.metric == metric.c.id).exists()
    connection.execute(delete(metric).where(~held))
    connection.execute(delete(schema.text).where(_unused_texts()))
    return Cleared(results, outdated)


def _unused_texts() -> ColumnElement[bool]:
    """Return the condition for rows of texts that no graph uses."""
    graph, text = schema.graph, schema.text
    # A difference of sets is quick on every database, whatever its statistics say.
    return text.c.digest.in_(
        select(text.c.digest).except_(
            select(graph.c.text).where(graph.c.text.is_not(None))
        )
    )
