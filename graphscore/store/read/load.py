"""From rows back to graphs, and the identities by which graphs are paired."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, case, exists, func, select

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.document_rules import document_of
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.store import schema
from graphscore.store.integrity import (
    changed,
    checked,
    damaged,
    kind_of,
    misfit,
    shown,
    understood,
)
from graphscore.store.symbols import SymbolValues
from graphscore.store.write.rows import SQL_VALUES, batched, find_collection, rows_of

_ranges = msgspec.json.Decoder(tuple[Anchor, ...]).decode
_fields = msgspec.json.Decoder(tuple[tuple[str, Any], ...]).decode
_identifier = msgspec.json.Decoder(int | str).decode
_extra = msgspec.json.Decoder(dict[str, Any]).decode

DIGEST = Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
"""A fingerprint as graphs and texts have it."""


class StoredGraph(NamedTuple):
    """Identity and properties of a stored graph, without the graph."""

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
    """Any of its nodes has anchors."""
    empty: bool
    """It has no nodes."""
    layer: str
    """Layer among several of its framework; empty where there is one."""
    words: int
    """Number of its tokens."""
    lost: tuple[str, ...] = ()
    """The documents that bad records right before it, of its framework, seem to be of.
    """


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


_g = schema.graph.c

_IDENTITY = (
    *(_g.id, _g.framework, _g.language, _g.item, _g.document),
    *(_g.digest, _g.flavor, _g.text, _g.id, _g.id, _g.layer, _g.tokens),
)
"""The columns behind a :class:`StoredGraph`."""

_IDENTITY_KINDS = (
    *(int, str, str, str, str, DIGEST, kind_of(_g.flavor), DIGEST | None),
    *(bool, bool, str, int),
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
            *_IDENTITY[:8],
            exists().where(schema.anchor.c.graph == graph.c.id),
            ~exists().where(schema.node.c.graph == graph.c.id),
            graph.c.layer,
            _WORDS,
        )
        .where(graph.c.collection == find_collection(connection, collection))
        .where(*limits_of(frameworks, languages, layers))
        .order_by(graph.c.id)
    )
    names = None if items is None else frozenset(items)
    rows = checked(connection.execute(statement), _IDENTITY, _IDENTITY_KINDS)
    stored_graphs = [
        StoredGraph(*row) for row in rows if names is None or row[3] in names
    ]
    bad = _bad_records(connection, collection, names)
    return _behind(connection, collection, stored_graphs, bad) if bad else stored_graphs


def frameworks_held(
    connection: Connection,
    collection: str,
    *,
    frameworks: Collection[str] | None = None,
    languages: Collection[str] | None = None,
    items: Collection[str] | None = None,
    layers: Collection[str] | None = None,
) -> dict[str, bool]:
    """The frameworks of the graphs that :func:`identities` gives.

    Args:
        connection: an open store.
        collection: name of the collection.
        frameworks: only these, if given.
        languages: only these, if given.
        items: only these, if given.
        layers: only these and graphs without a layer, if given.

    Returns:
        They, in the order in which they were ingested, each with whether any of its
        graphs has nodes.

    Raises:
        UsageError: there is no such collection.
    """
    graph = schema.graph
    columns = (graph.c.framework, *(() if items is None else (graph.c.item,)))
    has_nodes = exists().where(schema.node.c.graph == graph.c.id)
    rows = connection.execute(
        select(func.max(case((has_nodes, 1), else_=0)), *columns)
        .where(graph.c.collection == find_collection(connection, collection))
        .where(*limits_of(frameworks, languages, layers))
        .group_by(*columns)
        .order_by(func.min(graph.c.id))
    )
    held: dict[str, bool] = {}
    for filled, framework, *item in checked(rows, (graph.c.id, *columns)):
        if items is None or item[0] in items:
            held[framework] = held.get(framework, False) or bool(filled)
    return held


def limits_of(
    frameworks: Collection[str] | None,
    languages: Collection[str] | None,
    layers: Collection[str] | None,
) -> list[ColumnElement[bool]]:
    """Return the SQL conditions on graphs for the lists that are given.

    Args:
        frameworks: only these, if given.
        languages: only these, if given.
        layers: only these and graphs without a layer, if given.
    """
    graph = schema.graph
    limits: list[ColumnElement[bool]] = []
    if frameworks is not None:
        limits.append(graph.c.framework.in_(sorted(set(frameworks))))
    if languages is not None:
        limits.append(graph.c.language.in_(sorted(set(languages))))
    if layers is not None:
        limits.append(graph.c.layer.in_(["", *sorted(set(layers))]))
    return limits


Bad = tuple[int, int, str]
"""Number of the file and line of a bad record, and the document it seems to be of."""


def _bad_records(
    connection: Connection, collection: str, items: Collection[str] | None
) -> dict[str, set[Bad]]:
    """The records that could not be read, by framework.

    Args:
        connection: an open store.
        collection: name of the collection.
        items: only these, if given.
    """
    record, file = schema.rejected, schema.ingest
    columns = (
        *(record.c.framework, record.c.ingest, record.c.line, record.c.item),
        file.c.path,
    )
    rows = connection.execute(
        select(*columns)
        .join_from(record, file, file.c.id == record.c.ingest)
        .where(file.c.collection == find_collection(connection, collection))
    )
    bads: dict[str, set[Bad]] = {}
    for framework, ingest, line, item, path in checked(rows, columns):
        if items is None or item in items:
            # A record of several layers is bad in each of them.
            document = document_of(item, "", path)
            bads.setdefault(framework, set()).add((ingest, line, document))
    return bads


def _behind(
    connection: Connection,
    collection: str,
    graphs: Iterable[StoredGraph],
    bad: dict[str, set[Bad]],
) -> list[StoredGraph]:
    """Graphs with the bad records right before them."""
    graph = schema.graph
    rows = connection.execute(
        select(graph.c.id, graph.c.ingest, graph.c.line).where(
            graph.c.collection == find_collection(connection, collection)
        )
    )
    positions = {number: (ingest, line or 0) for number, ingest, line in rows}
    waiting: dict[tuple[str, str], deque[Bad]] = {}
    result = []
    for loaded in graphs:
        kind = loaded.framework, loaded.layer
        if kind not in waiting:
            either = bad.get(loaded.framework, set()) | bad.get("", set())
            waiting[kind] = deque(sorted(either))
        lost = []
        while waiting[kind] and waiting[kind][0][:2] < positions[loaded.graph]:
            lost.append(waiting[kind].popleft()[2])
        result.append(loaded._replace(lost=tuple(lost)))
    return result


def joined_digest(parts: Iterable[StoredGraph], whole: bool = False) -> bytes:
    """Fingerprint of several graphs in order: what scoring can see, and their ids.

    Args:
        parts: the graphs.
        whole: whether it counts too which documents they are of.
    """
    mixed = hashlib.blake2b(digest_size=16)
    for part in parts:
        mixed.update(part.digest + part.item.encode() + b"\0")
        if whole:
            mixed.update(part.document.encode() + b"\0")
    return mixed.digest()


def rejected_records(connection: Connection, collection: str) -> list[RejectedRecord]:
    """List the records of a collection's files that could not be read.

    Args:
        connection: an open store.
        collection: name of the collection.

    Returns:
        The records, by file and line.

    Raises:
        UsageError: there is no such collection.
    """
    record, file = schema.rejected, schema.ingest
    columns = (
        *(record.c.ingest, record.c.seq, file.c.path, record.c.line),
        *(record.c.framework, record.c.item, record.c.message, record.c.raw),
    )
    rows = connection.execute(
        select(*columns)
        .join_from(record, file, file.c.id == record.c.ingest)
        .where(file.c.collection == find_collection(connection, collection))
        .order_by(record.c.ingest, record.c.seq)
    )
    return [RejectedRecord(*row[2:]) for row in checked(rows, columns, key=2)]


def load_graphs(connection: Connection, ids: Iterable[int]) -> dict[int, Graph]:
    """Graphs as they were ingested.

    Args:
        connection: an open store.
        ids: their ids in the store, in any number and order.

    Returns:
        The graphs by id, in the order asked for; ids that are not there are left
        out.

    Raises:
        FaultError: a graph is not what was written.
    """
    result: dict[int, Graph] = {}
    for chunk in batched(dict.fromkeys(ids), SQL_VALUES):
        graphs = _load_chunk(connection, chunk)
        result.update((id, graphs[id]) for id in chunk if id in graphs)
    return result


def load_present(connection: Connection, ids: Sequence[int]) -> dict[int, Graph]:
    """Graphs that have been listed, and should be there still.

    Args:
        connection: an open store.
        ids: as :func:`identities` gave them.

    Raises:
        FaultError: a graph is gone, or not what was written.
    """
    graphs = load_graphs(connection, ids)
    for number in ids:
        if number not in graphs:
            raise changed(f"graph {number} is gone")
    return graphs


def load_texts(connection: Connection, digests: Iterable[bytes]) -> dict[bytes, str]:
    """Texts by their fingerprints.

    Args:
        connection: an open store.
        digests: as :class:`StoredGraph` has them, in any number.
    """
    text = schema.text
    result: dict[bytes, str] = {}
    for chunk in batched(dict.fromkeys(digests), SQL_VALUES):
        in_chunk = text.c.digest.in_(chunk)
        columns = (text.c.digest, text.c.content)
        rows = connection.execute(select(*columns).where(in_chunk))
        result.update((row[0], row[1]) for row in checked(rows, columns))
        if len(chunk) != sum(digest in result for digest in chunk):
            lost = next(digest for digest in chunk if digest not in result)
            raise damaged(f"table text has no row {lost.hex()}, which graphs refer to")
    return result


_HEAD = (
    *(_g.id, _g.item, _g.framework, _g.flavor, _g.language, _g.document),
    *(schema.text.c.content, _g.tokens, _g.extra, _g.digest, _g.text),
)

_HEAD_KINDS = (*map(kind_of, _HEAD[:6]), str | None, *map(kind_of, _HEAD[7:]))


def _load_chunk(connection: Connection, ids: Sequence[int]) -> dict[int, Graph]:
    graph, text = schema.graph, schema.text
    statement = (
        select(*_HEAD)
        .join_from(graph, text, text.c.digest == graph.c.text, isouter=True)
        .where(graph.c.id.in_(ids))
    )
    heads = checked(connection.execute(statement), _HEAD, _HEAD_KINDS)
    nodes = _load_nodes(connection, ids)
    edges = _load_edges(connection, ids, nodes)
    tops: defaultdict[int, list[NodeId]] = defaultdict(list)
    for number, seq, ordinal in rows_of(connection, schema.top, "graph", ids):
        with _reading("top", number, seq):
            tops[number].append(nodes[number][ordinal].id)
    result = {}
    for head in heads:
        number, item, framework, flavor, language, document, content = head[:7]
        tokens, extra, digest, text_digest = head[7:]
        if text_digest is not None and content is None:
            raise misfit("graph", (number,), "text", text_digest, "that of a text")
        with _reading("graph", number):
            made = result[number] = Graph(
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
                _extra(extra) if extra else {},
            )
        _verify(number, made, digest)
    return result


def _verify(number: int, graph: Graph, digest: bytes) -> None:
    """Check that a graph is the one that was written, in all that scoring can see."""
    try:
        same = graph.digest() == digest
    except (InvalidGraphError, ValueError, TypeError) as error:
        raise damaged(f"table graph, row {number}: {error}") from error
    if not same:
        raise damaged(
            f"table graph, row {number} ({graph.framework} item {shown(graph.id)}): "
            "what its text, tokens, nodes and edges say is not what was written "
            "(column digest)"
        )


def _reading(table: str, *key: int) -> AbstractContextManager[None]:
    """Making something of a row: what cannot be made of it is the row's fault."""
    row = ", ".join(map(str, key))
    return understood(lambda: f"table {table}, row {row}")


class _Made(dict[tuple[Any, Any], tuple[Any]]):
    """What two cells stand for, made once: they repeat from graph to graph.

    Args:
        make: makes it of the cells.
    """

    def __init__(self, make: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cells: tuple[Any, Any]) -> tuple[Any]:
        made = self[cells] = (self._make(*cells),)
        return made


def _of_owners(
    connection: Connection,
    table: Table,
    ids: Sequence[int],
    make: Callable[[Any, Any], Any],
) -> dict[tuple[int, int], tuple[Any, ...]]:
    """What the rows of a table say of nodes or edges, by graph and ordinal.

    Args:
        connection: an open store.
        table: its rows are keyed by graph, owner and place, before two cells.
        ids: of the graphs.
        make: makes something of two cells.
    """
    made, further = _Made(make), defaultdict[tuple[int, int], list[Any]](list)
    of_owners: dict[tuple[int, int], tuple[Any, ...]] = {}
    for number, owner, seq, left, right in rows_of(connection, table, "graph", ids):
        if seq:
            further[number, owner] += made[left, right]
        else:
            of_owners[number, owner] = made[left, right]
    for key, rest in further.items():
        of_owners[key] = (*of_owners.get(key, ()), *rest)
    return of_owners


def _load_pairs(
    connection: Connection, table: Table, ids: Sequence[int]
) -> dict[tuple[int, int], Pairs]:
    """(Name, value) pairs by the graph and node or edge that has them."""
    values = SymbolValues.of(connection)
    return _of_owners(
        connection, table, ids, lambda name, value: (values[name], values[value])
    )


def _load_nodes(
    connection: Connection, ids: Sequence[int]
) -> defaultdict[int, list[Node]]:
    values = SymbolValues.of(connection)
    properties = _load_pairs(connection, schema.property_, ids)
    anchors = _of_owners(connection, schema.anchor, ids, Anchor)
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    rows = rows_of(connection, schema.node, "graph", ids)
    key: tuple[int, ...] = ()
    with understood(lambda: f"table node, row {key}"):
        for number, ordinal, label, identifier, extra in rows:
            key = (number, ordinal)
            nodes[number].append(
                Node(
                    ordinal if identifier is None else _identifier(identifier),
                    values[label],
                    properties.get(key, ()),
                    anchors.get(key, ()),
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
    rows = rows_of(connection, schema.edge, "graph", ids)
    key: tuple[int, ...] = ()
    with understood(lambda: f"table edge, row {key}"):
        for row in rows:
            number, ordinal, source, target, label, normal, identifier = row[:7]
            anchors, extra = row[7:]
            key = (number, ordinal)
            named = nodes[number]
            edges[number].append(
                Edge(
                    named[source].id,
                    named[target].id,
                    values[label],
                    values[normal],
                    attributes.get(key, ()),
                    None if identifier is None else _identifier(identifier),
                    _ranges(anchors) if anchors else (),
                    _fields(extra) if extra else (),
                )
            )
    return edges
