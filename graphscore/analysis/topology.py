"""The bare shape of a graph: what is left without labels, values and text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Graph
from graphscore.model.normalize import base_edge, mtool_edges

Inverted = Literal["keep", "turn"]
"""Treatment of inverted edges: as written, or turned to their base direction."""


@dataclass(frozen=True)
class Topology:
    """Nodes by ordinal, and the edges between them.

    Args:
        size: number of nodes.
        edges: source and target of each edge, as ordinals from 0; edges that
            differ in their label alone are there several times.
        tops: ordinals of the top nodes.
        positions: position of every node in the surface string, counted in tokens,
            where the graph is bi-lexical; else ``None``.

    Example:
        >>> Topology(3, ((0, 1), (2, 1)), frozenset({0})).incoming
        (0, 2, 0)
    """

    size: int
    edges: tuple[tuple[int, int], ...] = ()
    tops: frozenset[int] = frozenset()
    positions: tuple[int, ...] | None = None

    @cached_property
    def incoming(self) -> tuple[int, ...]:
        """Number of edges that enter each node."""
        return self._degrees(1)

    @cached_property
    def outgoing(self) -> tuple[int, ...]:
        """Number of edges that leave each node."""
        return self._degrees(0)

    def _degrees(self, end: int) -> tuple[int, ...]:
        degrees = [0] * self.size
        for edge in self.edges:
            degrees[edge[end]] += 1
        return tuple(degrees)

    @cached_property
    def singletons(self) -> frozenset[int]:
        """Nodes without edges that are no tops: words that mean nothing here.

        >>> sorted(Topology(4, ((0, 1),), frozenset({2})).singletons)
        [3]
        """
        return frozenset(
            node
            for node in range(self.size)
            if not self.incoming[node]
            and not self.outgoing[node]
            and node not in self.tops
        )

    @property
    def proper(self) -> int:
        """Number of nodes that are no singletons."""
        return self.size - len(self.singletons)


def shape_of(graph: Graph, inverted: Inverted = "keep") -> Topology:
    """The shape of a graph.

    Of edges that repeat source, target and label only the first counts, as in
    mtool, whose graphs have sets of edges.

    Args:
        graph: any graph.
        inverted: ``keep`` takes edges as written, ``turn`` in their base
            direction: those with a ``normal``, and in AMR those whose role says
            that it is inverted.

    Raises:
        InvalidGraphError: if an edge or top names a node that is not there.

    Example:
        >>> from graphscore.model.graph import Edge, Node
        >>> nodes = (Node(2), Node(5))
        >>> graph = Graph("1", "amr", nodes=nodes, edges=(Edge(2, 5, "ARG0-of"),))
        >>> shape_of(graph).edges, shape_of(graph, "turn").edges
        (((0, 1),), ((1, 0),))
    """
    ordinals = graph.ordinals()
    edges = []
    try:
        for edge in mtool_edges(graph):
            source, target = edge.source, edge.target
            if inverted == "turn":
                source, target, _ = base_edge(edge, graph.framework, "amr")
            edges.append((ordinals[source], ordinals[target]))
        tops = frozenset(ordinals[top] for top in graph.tops)
    except KeyError as error:
        raise InvalidGraphError(
            f"an edge or top at {error.args[0]!r}", "the id of a node"
        ) from None
    positions = _positions(graph) if graph.ordered else None
    return Topology(len(graph.nodes), tuple(edges), tops, positions)


def _positions(graph: Graph) -> tuple[int, ...]:
    # Readers of bi-lexical formats number nodes by token, leaving out the words
    # that are no nodes; other ids tell nothing about distances.
    ids = [node.id for node in graph.nodes if type(node.id) is int]
    if len(ids) == len(graph.nodes) and ids == sorted(ids):
        return tuple(ids)
    return tuple(range(len(graph.nodes)))
