"""From rows back to graphs, and the identities by which graphs are paired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table, exists, func, select

from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.store import schema
from graphscore.store.symbols import SymbolValues
from graphscore.store.writing.rows import SQL_VALUES, batched, find_collection, rows_of

_ranges = msgspec.json.Decoder(tuple[Anchor, ...]).decode
_fields = msgspec.json.Decoder(tuple[tuple[str, Any], ...]).decode
_json = msgspec.json.Decoder().decode


class StoredGraph(NamedTuple):
    """Which graph it is, without the graph."""

    graph: int
    """Its id in the store."""
    framework: str
    language: str
    item: str
    document: str
    digest: bytes
    """Fingerprint of what scoring can see."""
    flavor: int | None
    text: bytes | None
    """Fingerprint of its text, if it has one."""
    anchored: bool
    """Whether any of its nodes has anchors."""
    empty: bool
    """Whether it has no nodes."""
    layer: str
    """Which of several of its framework; empty where it is alone."""
    words: int
    """How many tokens it has."""


class RejectedRecord(NamedTuple):
    """A record of a file that could not be read and was put aside."""

    path: str
    line: int
    framework: str
    item: str
    message: str
    raw: str


# Ranges within a list, as JSON: counting brackets needs no decoding.
_WORDS = func.coalesce(
    func.length(schema.graph.c.tokens)
    - func.length(func.replace(schema.graph.c.tokens, "[", ""))
    - 1,
    0,
)


def identities(
    connection: Connection,
    collection: str,
    *,
    frameworks: Collection[str] | None = None,
    languages: Collection[str] | None = None,
    items: Collection[str] | None = None,
    layers: Collection[str] | None = None,
) -> list[StoredGraph]:
    """The graphs of a collection, in the order in which they were ingested.

    Args:
        connection: an open store.
        collection: name of the collection.
        frameworks: only these, if given.
        languages: only these, if given.
        items: only these, if given.
        layers: only these and graphs without a layer, if given.

    Returns:
        One identity a graph.

    Raises:
        UsageError: there is no such collection.
    """
    graph = schema.graph
    statement = (
        select(
            graph.c.id,
            graph.c.framework,
            graph.c.language,
            graph.c.item,
            graph.c.document,
            graph.c.digest,
            graph.c.flavor,
            graph.c.text,
            exists().where(schema.anchor.c.graph == graph.c.id),
            ~exists().where(schema.node.c.graph == graph.c.id),
            graph.c.layer,
            _WORDS,
        )
        .where(graph.c.collection == find_collection(connection, collection))
        .order_by(graph.c.id)
    )
    if frameworks is not None:
        statement = statement.where(graph.c.framework.in_(sorted(set(frameworks))))
    if languages is not None:
        statement = statement.where(graph.c.language.in_(sorted(set(languages))))
    if layers is not None:
        statement = statement.where(graph.c.layer.in_(["", *sorted(set(layers))]))
    wanted = None if items is None else frozenset(items)
    return [
        StoredGraph(*row)
        for row in connection.execute(statement)
        if wanted is None or row[3] in wanted
    ]


def rejected_records(connection: Connection, collection: str) -> list[RejectedRecord]:
    """What could not be read of a collection's files.

    Args:
        connection: an open store.
        collection: name of the collection.

    Returns:
        The records, by file and line.

    Raises:
        UsageError: there is no such collection.
    """
    record, file = schema.rejected, schema.ingest
    rows = connection.execute(
        select(
            file.c.path,
            record.c.line,
            record.c.framework,
            record.c.item,
            record.c.message,
            record.c.raw,
        )
        .join_from(record, file, file.c.id == record.c.ingest)
        .where(file.c.collection == find_collection(connection, collection))
        .order_by(record.c.ingest, record.c.seq)
    )
    return [RejectedRecord(*row) for row in rows]


def load_graphs(connection: Connection, ids: Iterable[int]) -> dict[int, Graph]:
    """Graphs as they were ingested.

    Args:
        connection: an open store.
        ids: their ids in the store, in any number and order.

    Returns:
        The graphs by id, in the order asked for; ids that are not there are left
        out.
    """
    found: dict[int, Graph] = {}
    for chunk in batched(dict.fromkeys(ids), SQL_VALUES):
        graphs = _load_chunk(connection, chunk)
        found.update((one, graphs[one]) for one in chunk if one in graphs)
    return found


def load_texts(connection: Connection, digests: Iterable[bytes]) -> dict[bytes, str]:
    """Texts by their fingerprints.

    Args:
        connection: an open store.
        digests: as :class:`StoredGraph` has them, in any number.
    """
    text = schema.text
    found: dict[bytes, str] = {}
    for chunk in batched(dict.fromkeys(digests), SQL_VALUES):
        wanted = text.c.digest.in_(chunk)
        rows = connection.execute(select(text.c.digest, text.c.content).where(wanted))
        found.update((digest, content) for digest, content in rows)
    return found


def _load_chunk(connection: Connection, ids: Sequence[int]) -> dict[int, Graph]:
    graph, text = schema.graph, schema.text
    heads = connection.execute(
        select(
            graph.c.id,
            graph.c.item,
            graph.c.framework,
            graph.c.flavor,
            graph.c.language,
            graph.c.document,
            text.c.content,
            graph.c.tokens,
            graph.c.extra,
        )
        .join_from(graph, text, text.c.digest == graph.c.text, isouter=True)
        .where(graph.c.id.in_(ids))
    ).all()
    nodes = _load_nodes(connection, ids)
    edges = _load_edges(connection, ids, nodes)
    tops: defaultdict[int, list[NodeId]] = defaultdict(list)
    for number, _, ordinal in rows_of(connection, schema.top, "graph", ids):
        tops[number].append(nodes[number][ordinal].id)
    return {
        number: Graph(
            item,
            framework,
            flavor,
            language,
            document,
            content or "",
            _ranges(tokens) if tokens else (),
            tuple(nodes.get(number, ())),
            tuple(edges.get(number, ())),
            tuple(tops.get(number, ())),
            _json(extra) if extra else {},
        )
        for (
            number,
            item,
            framework,
            flavor,
            language,
            document,
            content,
            tokens,
            extra,
        ) in heads
    }


def _load_pairs(
    connection: Connection, table: Table, ids: Sequence[int]
) -> dict[tuple[int, int], Pairs]:
    """(Name, value) pairs by the graph and node or edge that has them."""
    values = SymbolValues.of(connection)
    found: defaultdict[tuple[int, int], list[Any]] = defaultdict(list)
    for number, owner, _, name, value in rows_of(connection, table, "graph", ids):
        found[number, owner].append((values[name], values[value]))
    return {owner: tuple(pairs) for owner, pairs in found.items()}


def _load_nodes(
    connection: Connection, ids: Sequence[int]
) -> defaultdict[int, list[Node]]:
    values = SymbolValues.of(connection)
    properties = _load_pairs(connection, schema.property_, ids)
    anchors: defaultdict[tuple[int, int], list[Anchor]] = defaultdict(list)
    for number, ordinal, _, start, stop in rows_of(
        connection, schema.anchor, "graph", ids
    ):
        anchors[number, ordinal].append(Anchor(start, stop))
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    for number, ordinal, label, identifier, extra in rows_of(
        connection, schema.node, "graph", ids
    ):
        key = (number, ordinal)
        nodes[number].append(
            Node(
                ordinal if identifier is None else _json(identifier),
                values[label],
                properties.get(key, ()),
                tuple(anchors[key]) if key in anchors else (),
                _fields(extra) if extra else (),
            )
        )
    return nodes


def _load_edges(
    connection: Connection, ids: Sequence[int], nodes: dict[int, list[Node]]
) -> defaultdict[int, list[Edge]]:
    values = SymbolValues.of(connection)
    attributes = _load_pairs(connection, schema.attribute, ids)
    edges: defaultdict[int, list[Edge]] = defaultdict(list)
    for (
        number,
        ordinal,
        source,
        target,
        label,
        normal,
        identifier,
        anchors,
        extra,
    ) in rows_of(connection, schema.edge, "graph", ids):
        named = nodes[number]
        edges[number].append(
            Edge(
                named[source].id,
                named[target].id,
                values[label],
                values[normal],
                attributes.get((number, ordinal), ()),
                None if identifier is None else _json(identifier),
                _ranges(anchors) if anchors else (),
                _fields(extra) if extra else (),
            )
        )
    return edges
