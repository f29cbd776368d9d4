"""A graph as rows: the one place that knows what goes into which column."""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import Any

import msgspec
from sqlalchemy import Connection

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Graph, NodeId
from graphscore.store import schema
from graphscore.store.symbols import SymbolIds
from graphscore.store.write.cells import Cells, bulk_insert, insert_cells
from graphscore.store.write.rows import unknown_texts

_json = msgspec.json.Encoder().encode

_LARGEST = 2**63

Row = tuple[Any, ...]


class PreparedGraph:
    """A graph that is fit for the tables, with what is computed once for it.

    Args:
        graph: the graph.

    Raises:
        InvalidGraphError: two nodes of the same id, an edge or top that names no
            node, or a value that JSON cannot hold.
    """

    __slots__ = ("digest", "extra", "graph", "place", "text_digest", "tokens")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.place = graph.ordinals()
        if len(self.place) != len(graph.nodes):
            raise InvalidGraphError("two nodes with the same id", "ids of their own")
        try:
            _json(graph)
            self.digest = graph.digest()
            self.extra = _text(graph.extra) if graph.extra else None
            self.tokens = _text(graph.tokens) if graph.tokens else None
            text = graph.text.encode()
        except (ValueError, OverflowError, TypeError, msgspec.MsgspecError) as error:
            raise InvalidGraphError(str(error), "what JSON can hold") from error
        ranges = chain.from_iterable(node.anchors for node in graph.nodes)
        positions = [0, *chain.from_iterable(ranges)]
        if not -_LARGEST < min(positions) <= max(positions) < _LARGEST:
            raise InvalidGraphError("an anchor beyond 64 bits", "a place in the text")
        if graph.flavor is not None and not -_LARGEST < graph.flavor < _LARGEST:
            raise InvalidGraphError("a flavor beyond 64 bits", "0, 1 or 2")
        self.text_digest: bytes | None = None
        if text:
            self.text_digest = hashlib.blake2b(text, digest_size=16).digest()


def nul_in(graph: Graph) -> str | None:
    """Locate the character U+0000 in a graph, which PostgreSQL's text does not allow.

    Args:
        graph: the graph.

    Returns:
        The place, in words; ``None`` if it is nowhere but in what is kept as JSON.
    """
    for where, value in (
        ("its id", graph.id),
        ("its framework", graph.framework),
        ("its language", graph.language),
        ("its document", graph.document),
        ("its layer", graph.layer),
        ("its text", graph.text),
    ):
        if "\x00" in value:
            return where
    for ordinal, node in enumerate(graph.nodes):
        if _has_nul(node.label, *chain(*node.properties)):
            return f"node {ordinal}"
    for ordinal, edge in enumerate(graph.edges):
        if _has_nul(edge.label, edge.normal, *chain(*edge.attributes)):
            return f"edge {ordinal}"
    return None


def _has_nul(*values: object) -> bool:
    return any(isinstance(value, str) and "\x00" in value for value in values)


_PLAIN = {
    schema.node: ("graph", "ordinal", "label"),
    schema.edge: ("graph", "ordinal", "source", "target", "label"),
}
"""Columns of most nodes and edges, the only ones that these need."""


class GraphRows:
    """Rows of many graphs, collected and then written together.

    They are collected as cells, one row after another: a chunk has a hundred thousand
    rows, each of which would be a tuple otherwise.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._symbols = SymbolIds.of(connection)
        self._graphs: list[Row] = []
        self._texts: dict[bytes, str] = {}
        self._tops: Cells = []
        self._nodes: Cells = []
        self._plain_nodes: Cells = []
        self._properties: Cells = []
        self._anchors: Cells = []
        self._edges: Cells = []
        self._plain_edges: Cells = []
        self._attributes: Cells = []

    def add(
        self,
        laid: PreparedGraph,
        number: int,
        collection: int,
        ingest: int,
        line: int,
        numbered: bool,
    ) -> None:
        """Collect the rows of one graph.

        Args:
            laid: the graph.
            number: its id in the store.
            collection: the collection it goes into.
            ingest: the file it comes from.
            line: its line there.
            numbered: whether its item is a running number of the store's.
        """
        graph = laid.graph
        if laid.text_digest is not None:
            self._texts[laid.text_digest] = graph.text
        self._graphs.append(
            (
                number,
                collection,
                ingest,
                line,
                graph.framework,
                graph.language,
                graph.id,
                graph.document,
                numbered,
                graph.flavor,
                laid.digest,
                laid.text_digest,
                laid.tokens,
                laid.extra,
                graph.layer,
            )
        )
        index = laid.place
        for seq, top in enumerate(graph.tops):
            self._tops += (number, seq, index[top])
        self._add_nodes(number, graph)
        self._add_edges(number, graph, index)

    def _add_nodes(self, number: int, graph: Graph) -> None:
        symbols, id_of = self._symbols, self._symbols.id_of
        nodes, plain = self._nodes, self._plain_nodes
        properties, anchors = self._properties, self._anchors
        for ordinal, node in enumerate(graph.nodes):
            label, identifier, extra = node.label, node.id, node.extra
            number_of_label = symbols[label] if type(label) is str else id_of(label)
            # Most files count their nodes as we do.
            if identifier == ordinal and not extra:
                plain += (number, ordinal, number_of_label)
            else:
                nodes += (
                    number,
                    ordinal,
                    number_of_label,
                    None if identifier == ordinal else _text(identifier),
                    _text(extra) if extra else None,
                )
            if node.properties:
                for seq, (name, value) in enumerate(node.properties):
                    value_id = symbols[value] if type(value) is str else id_of(value)
                    properties += (number, ordinal, seq, symbols[name], value_id)
            if node.anchors:
                for seq, (start, stop) in enumerate(node.anchors):
                    anchors += (number, ordinal, seq, start, stop)

    def _add_edges(
        self, number: int, graph: Graph, ordinals: dict[NodeId, int]
    ) -> None:
        symbols, id_of = self._symbols, self._symbols.id_of
        edges, plain, attributes = self._edges, self._plain_edges, self._attributes
        for ordinal, edge in enumerate(graph.edges):
            label, normal = edge.label, edge.normal
            source, target = ordinals[edge.source], ordinals[edge.target]
            number_of_label = symbols[label] if type(label) is str else id_of(label)
            if normal is edge.id is None and not edge.anchors and not edge.extra:
                plain += (number, ordinal, source, target, number_of_label)
            else:
                edges += (
                    number,
                    ordinal,
                    source,
                    target,
                    number_of_label,
                    None if normal is None else id_of(normal),
                    None if edge.id is None else _text(edge.id),
                    _text(edge.anchors) if edge.anchors else None,
                    _text(edge.extra) if edge.extra else None,
                )
            for seq, (name, value) in enumerate(edge.attributes):
                attributes += (number, ordinal, seq, symbols[name], id_of(value))

    def flush(self) -> None:
        """Write what was collected, parents before children."""
        self._symbols.flush()
        new = unknown_texts(self._connection, self._texts)
        texts = [(digest, self._texts[digest]) for digest in new]
        self._texts.clear()
        bulk_insert(self._connection, schema.text, texts)
        bulk_insert(self._connection, schema.graph, self._graphs)
        self._graphs.clear()
        for table, cells in (
            (schema.top, self._tops),
            (schema.node, self._nodes),
            (schema.property_, self._properties),
            (schema.anchor, self._anchors),
            (schema.edge, self._edges),
            (schema.attribute, self._attributes),
        ):
            insert_cells(self._connection, table, table.columns.keys(), cells)
            cells.clear()
        for table, cells in (
            (schema.node, self._plain_nodes),
            (schema.edge, self._plain_edges),
        ):
            insert_cells(self._connection, table, _PLAIN[table], cells)
            cells.clear()


def _text(value: Any) -> str:
    """JSON, with whatever the encoder refuses said as what it is."""
    return _json(value).decode()
