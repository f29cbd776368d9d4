"""Records on their way in: their identity, their place, their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Integer, cast, func, or_, select, update

from graphscore.exceptions import Problem
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.store import schema
from graphscore.store.integrity import checked
from graphscore.store.write.cells import bulk_insert
from graphscore.store.write.graph_rows import PreparedGraph
from graphscore.store.write.rows import next_id, now

ItemKey = tuple[str, str, str, str]
"""Framework, language, item and layer: what a graph is within its collection."""

NumberKey = tuple[str, str]
"""Framework and layer: graphs without ids are numbered apart for each."""


class Candidate(NamedTuple):
    """A good record on its way in."""

    line: int
    laid: PreparedGraph
    numbered: bool

    @property
    def identity(self) -> ItemKey:
        """Identity of the graph within its collection."""
        graph = self.laid.graph
        return graph.framework, graph.language, graph.id, graph.layer


class Place(NamedTuple):
    """Location of the graph of an identity."""

    graph: int
    ingest: int
    path: str
    line: int


def find_places(
    connection: Connection, collection: int, keys: Sequence[ItemKey]
) -> dict[ItemKey, Place]:
    """Return the locations of the graphs that a collection has already.

    Args:
        connection: an open store.
        collection: id of the collection.
        keys: identities to look for, a few hundred at most.

    Returns:
        Places by identity; there may be others than those wanted.
    """
    graph, file = schema.graph, schema.ingest
    frameworks, languages, items = (
        sorted({identity[part] for identity in keys}) for part in range(3)
    )
    columns = (
        *(graph.c.framework, graph.c.language, graph.c.item, graph.c.layer),
        *(graph.c.id, graph.c.ingest, file.c.path, graph.c.line),
    )
    statement = connection.execute(
        select(*columns)
        .join_from(graph, file, file.c.id == graph.c.ingest)
        .where(
            graph.c.collection == collection,
            graph.c.framework.in_(frameworks),
            graph.c.language.in_(languages),
            graph.c.item.in_(items),
        )
    )
    rows = checked(statement, columns, key=5)
    return {(row[0], row[1], row[2], row[3]): Place(*row[4:]) for row in rows}


def next_numbers(connection: Connection, collection: int) -> dict[NumberKey, int]:
    """The numbers that graphs without ids get next.

    Args:
        connection: an open store.
        collection: id of the collection.

    Returns:
        The next number by framework and layer; 0 where there is none.
    """
    graph = schema.graph
    largest = connection.execute(
        select(graph.c.framework, graph.c.layer, func.max(cast(graph.c.item, Integer)))
        .where(graph.c.collection == collection, graph.c.numbered)
        .group_by(graph.c.framework, graph.c.layer)
    )
    rows = checked(largest, (graph.c.framework, graph.c.layer, graph.c.line), key=2)
    return {(framework, layer): number + 1 for framework, layer, number in rows}


def mark_stale(connection: Connection, collection: int) -> None:
    """Note that evaluations were made of graphs that have changed since.

    Args:
        connection: a writing connection.
        collection: id of the collection whose graphs have changed.
    """
    table = schema.evaluation
    connection.execute(
        update(table)
        .where(or_(table.c.gold == collection, table.c.system == collection))
        .values(status="stale")
    )


def obtain_collection(connection: Connection, name: str) -> int:
    """The id of a collection, which is made if there is none.

    Args:
        connection: a writing connection.
        name: the collection's name.

    Returns:
        Its id.
    """
    table = schema.collection
    result = connection.execute(select(table.c.id).where(table.c.name == name)).scalar()
    if result is None:
        result = next_id(connection, table)
        bulk_insert(connection, table, [(result, name, now())])
    return int(result)


def describe(identity: ItemKey) -> str:
    """Describe the identity of a graph within its collection.

    Args:
        identity: of the graph.

    Returns:
        Framework, language, layer and item.
    """
    framework, language, item, layer = identity
    more = ", ".join(filter(None, (language, layer)))
    return f"{framework}{f' ({more})' if more else ''} item {item!r}"


def writable(text: str) -> str:
    """The text with what UTF-8 cannot hold spelled out.

    Args:
        text: any string.

    Returns:
        A string that every database takes.
    """
    return text.encode("utf-8", "backslashreplace").decode()


def as_rejected(record: ReadGraph, problem: Problem) -> Rejected:
    """A record that was read well, but cannot go in.

    Args:
        record: the record.
        problem: what is wrong with it.

    Returns:
        It as a reader would give it had it seen that.
    """
    graph = record.graph
    # Its bytes are gone by now; what was made of them says the same.
    try:
        raw = msgspec.json.encode(graph)
    except (ValueError, OverflowError, TypeError):
        raw = repr(graph).encode("utf-8", "backslashreplace")
    return Rejected(record.line, (problem,), raw, graph.framework, graph.id)
