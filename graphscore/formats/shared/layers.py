"""A graph of the layout on its way into a file: what is in it, and what may be.

>>> from graphscore.structures.layout import LayoutBuilder
>>> build = LayoutBuilder()
>>> _ = build.entity([build.mention("PER")])
>>> Layer(build.graph("1", "coref"), {MENTION}, "mentions")
Traceback (most recent call last):
    ...
graphscore.exceptions.InvalidGraphError: found a node 1 of kind 'entity', \
expected mentions
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import msgspec

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Edge, Graph, Node, NodeId
from graphscore.structures.layout import (
    KIND,
    MENTION,
    Extra,
    kind_of,
    nodes_of,
)

T = TypeVar("T")


class Layer:
    """A graph by its nodes and edges.

    Args:
        graph: the graph, which may have no tops.
        kinds: what its nodes may be.
        expected: what they should be, in words; by default, those kinds.

    Attributes:
        nodes: its nodes by id.

    Raises:
        InvalidGraphError: for a node of another kind, and for tops.
    """

    def __init__(
        self, graph: Graph, kinds: Collection[str | None], expected: str = ""
    ) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self._edges: dict[NodeId, list[Edge]] = {}
        if graph.tops:
            raise InvalidGraphError("tops", "none")
        for node in graph.nodes:
            if kind_of(node) not in kinds:
                found = f"a node {node.id!r} of kind {kind_of(node)!r}"
                expected = expected or " or ".join(sorted(map(str, kinds)))
                raise InvalidGraphError(found, expected)
        for edge in graph.edges:
            self._edges.setdefault(edge.source, []).append(edge)

    def of(self, kind: str) -> list[Node]:
        """The nodes of a kind, in order."""
        return nodes_of(self.graph, kind)

    def edges(self, node: NodeId) -> list[Edge]:
        """The edges that lead away from a node, in order."""
        return self._edges.get(node, [])

    def is_a(self, kind: str, node: NodeId) -> bool:
        """Return whether a node is of a kind."""
        return kind_of(self.nodes[node]) == kind

    def mentions(self, entity: Node) -> list[Node]:
        """The mentions of an entity.

        Raises:
            InvalidGraphError: for an edge to anything else.
        """
        for edge in self.edges(entity.id):
            if edge.label != MENTION or not self.is_a(MENTION, edge.target):
                found = f"an edge {edge.label!r} of entity {entity.id!r}"
                raise InvalidGraphError(found, "mentions")
        return [self.nodes[edge.target] for edge in self.edges(entity.id)]

    def to_mentions(self) -> None:
        """Check that edges lead from what is built to mentions.

        Raises:
            InvalidGraphError: for any other edge.
        """
        for edge in self.graph.edges:
            built = not self.is_a(MENTION, edge.source)
            if not built or not self.is_a(MENTION, edge.target):
                found = f"an edge from {edge.source!r} to {edge.target!r}"
                raise InvalidGraphError(found, "edges to mentions")


def own_of(node: Node) -> dict[str, Any]:
    """The properties of a node beside its kind."""
    return {name: value for name, value in node.properties if name != KIND}


def kept(extra: Mapping[str, Any] | Extra, key: str) -> dict[str, Any]:
    """The further fields that a reader kept; none if there are no such ones.

    Args:
        extra: that of a graph, a node or an edge.
        key: where they are.
    """
    result = dict(extra).get(key)
    return {**result} if isinstance(result, dict) else {}


def kept_as(extra: Mapping[str, Any] | Extra, key: str, kind: type[T], default: T) -> T:
    """Return a kept field, where it has the shape that the reader gave it.

    A field of that name may be another format's, or anybody's.

    Args:
        extra: that of a graph, a node or an edge.
        key: where it is.
        kind: its type, such as ``list[str]``.
        default: what counts where there is none, or another thing.

    Example:
        >>> kept_as({"lines": ["a"]}, "lines", list[str], [])
        ['a']
        >>> kept_as({"lines": 7}, "lines", list[str], [])
        []
    """
    result = dict(extra)
    if key not in result:
        return default
    try:
        return msgspec.convert(result[key], kind)
    except msgspec.ValidationError:
        return default
