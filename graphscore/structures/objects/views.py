"""Between the layout of information extraction and the dataclasses of a task.

A view shows what its classes have fields for: spans, types and roles.  Types of
mentions, scores and whatever else a file says about them stay in the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Value
from graphscore.structures.layout import MENTION, LayoutBuilder, kind_of, nodes_of
from graphscore.structures.mentions import Mention, mention_of
from graphscore.structures.objects.annotations import record_of
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.to_graph import Keys

T = TypeVar("T")


def named(label: Value) -> str:
    """A type or role as a string, empty where there is none."""
    return "" if label is None else str(label)


class Laying:
    """Lays the objects of one graph out; each mention and entity once.

    Args:
        tokens: character ranges of the tokens, if mentions count tokens.
    """

    def __init__(self, tokens: Sequence[Anchor]) -> None:
        self.build = LayoutBuilder()
        self._tokens = tuple(tokens)
        self._mentions: dict[Mention, NodeId] = {}
        self._entities: dict[frozenset[Mention], NodeId] = {}

    def sorted(self, items: Iterable[T], cls: Any = None) -> list[T]:
        """The items of a set in an order that depends on nothing else.

        Args:
            items: objects of one dataclass.
            cls: their class, if it is generic.

        Raises:
            StructureError: if a field holds something else than it says.
        """
        keys = Keys()

        def key(item: T) -> Any:
            record = record_of(type(item) if cls is None else cls)
            return keys.of(record, item, str(record)).key

        return sorted(items, key=key)

    def mention(self, mention: Mention) -> NodeId:
        """The node of a mention."""
        if mention not in self._mentions:
            anchor = mention.anchor(self._tokens)
            self._mentions[mention] = self.build.mention(None, (anchor,))
        return self._mentions[mention]

    def entity(self, mentions: frozenset[Mention]) -> NodeId:
        """The node of an entity."""
        if mentions not in self._entities:
            mention_ids = [self.mention(mention) for mention in self.sorted(mentions)]
            self._entities[mentions] = self.build.entity(mention_ids)
        return self._entities[mentions]

    def graph(self, id: str, framework: str, document: str, text: str) -> Graph:
        """The graph of all that was laid out."""
        return self.build.graph(
            id, framework, document=document, text=text, tokens=self._tokens
        )


class Layer:
    """A graph in the layout, for reading.

    Args:
        graph: the graph.
        in_tokens: whether mentions count tokens, not characters.

    Raises:
        StructureError: if it has no tokens to count in.
    """

    def __init__(self, graph: Graph, in_tokens: bool) -> None:
        if in_tokens and not graph.tokens and graph.nodes:
            raise StructureError(f"graph {graph.id!r}", "no tokens", "some to count")
        self._graph = graph
        self._tokens = graph.tokens if in_tokens else ()
        self._nodes = {node.id: node for node in graph.nodes}
        self._out: dict[NodeId, list[Edge]] = {}
        for edge in graph.edges:
            self._out.setdefault(edge.source, []).append(edge)

    def nodes(self, kind: str) -> list[Node]:
        """The nodes of a kind."""
        return nodes_of(self._graph, kind)

    def edges(self, node: Node) -> list[Edge]:
        """The edges that leave a node."""
        return self._out.get(node.id, [])

    def kind(self, id: NodeId, *allowed: str) -> str:
        """Return the kind of a node.

        Raises:
            StructureError: if that is none of the allowed kinds.
        """
        result = kind_of(self._nodes[id])
        if result not in allowed:
            raise StructureError(
                f"node {id!r}", f"the kind {result!r}", " or ".join(allowed)
            )
        return result

    def node(self, id: NodeId) -> Node:
        """A node."""
        return self._nodes[id]

    def mention(self, id: NodeId) -> Mention:
        """A node as a mention.

        Raises:
            StructureError: if it is none, or not one range.
        """
        self.kind(id, MENTION)
        return self.span(self._nodes[id])

    def span(self, node: Node) -> Mention:
        """A node's anchors as a mention, whatever it is."""
        return mention_of(node, self._tokens)

    def mentions(self, id: NodeId) -> frozenset[Mention]:
        """The mentions of an entity."""
        return frozenset(self.mention(edge.target) for edge in self._out.get(id, ()))
