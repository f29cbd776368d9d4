"""A graph of the layout on its way into a file: its nodes and edges, and kept fields.

>>> from graphscore.structures.layout import LayoutBuilder
>>> build = LayoutBuilder()
>>> _ = build.entity([build.mention("PER")])
>>> layer = Layer(build.graph("1", "coref"))
>>> [layer.mentions(entity)[0].label for entity in layer.of("entity")]
['PER']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

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
        graph: the graph.

    Attributes:
        nodes: its nodes by id.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self._edges: dict[NodeId, list[Edge]] = {}
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
        """The mentions of an entity."""
        targets = [self.nodes[edge.target] for edge in self.edges(entity.id)]
        return [node for node in targets if kind_of(node) == MENTION]


def own_of(node: Node) -> dict[str, Any]:
    """The properties of a node beside its kind."""
    return {name: value for name, value in node.properties if name != KIND}


def kept_fields(extra: Mapping[str, Any] | Extra, key: str) -> dict[str, Any]:
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
