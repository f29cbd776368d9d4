"""Nodes identified by their anchors, many to many.

Bi-lexical dependencies, elementary dependencies and foundational layers of
conceptual annotation are compared without any search: a node *is* what it is
anchored to.  Each metric says what identifies a node (spans, characters, the
characters of everything below it) and which tuples it makes::

    text   Dogs bark          identity of dog = {0 1 2 3}, of bark = {5 6 7 8}

    ends                       name   says
    ({5 6 7 8})                       bark      this node is labelled so
    ({5 6 7 8}, {0 1 2 3})            arg1      an edge leads from here to there
    ({5 6 7 8})                pos    vbp       this node has this property

Nodes with equal identities are one and the same, on either side and between the
sides, so one node can stand for several of the other graph.  Tuples are a set,
or a multiset where the metric declares that each of them counts.

>>> from graphscore.graph import Anchor, Edge, Graph, Node
>>> dogs = Node(7, "dog", anchors=(Anchor(0, 4),))
>>> bark = Node(8, "bark", anchors=(Anchor(5, 9),))
>>> gold = Graph("1", "dm", text="Dogs bark", nodes=(dogs, bark),
...              edges=(Edge(8, 7, "ARG1"),), tops=(8,))
>>> table = Table(gold, by_characters(gold), 1)
>>> for arc in arcs(gold, Conventions()):
...     table.add_edge(0, arc)
>>> sorted(table.keys[0])
[((480, 15), '', 'arg1')]

:mod:`graphscore.metrics.tally` compares two such tables.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import rustworkx as rx

from graphscore.anchors import Trim, characters, trimmed_ranges, visible_characters
from graphscore.graph import Graph, Value
from graphscore.normalize import (
    base_edge,
    effective_attributes,
    fold,
    mtool_edges,
    mtool_properties,
)
from graphscore.tuples import Conventions

Identity = Hashable
"""What a node is known by on both sides."""

Key = tuple[tuple[Identity, ...], str, str | None]
"""What is compared: the identities of a tuple's ends, the name of a property
(else empty), and what the tuple says of them."""


class Arc(NamedTuple):
    """An edge in its base direction."""

    ordinal: int
    """Position of the edge in its graph."""
    source: int
    """Position of the base source in the node list."""
    target: int
    """Position of the base target in the node list."""
    label: str | None
    """Base label as it is compared; absent and empty are the same."""
    attributes: tuple[str, ...]
    """Folded names of the attributes that say something."""


class Origin(NamedTuple):
    """What a tuple was made from."""

    object: Literal["node", "edge"]
    ordinal: int
    label: Value
    """Label of that node or edge as written."""
    name: str
    """Name of the property as written, else empty."""
    value: Value
    """What the tuple says, as written."""


class Table:
    """The tuples of one graph over identities, by kind.

    Args:
        graph: where they come from.
        identities: what each node is known by, in node order.
        kinds: how many kinds of tuples the metric has.

    Attributes:
        tuples: for each kind, what every distinct tuple was made from, in the
            order of the graph.
    """

    def __init__(
        self, graph: Graph, identities: Sequence[Identity], kinds: int
    ) -> None:
        self.graph = graph
        self.identities = tuple(identities)
        self.tuples: tuple[dict[Key, list[Origin]], ...] = tuple(
            {} for _ in range(kinds)
        )

    def add(
        self,
        kind: int,
        ends: tuple[Identity, ...],
        name: str,
        says: str | None,
        origin: Origin,
    ) -> None:
        """Add a tuple.

        Args:
            kind: its position among the metric's kinds.
            ends: identities of the nodes that it speaks of.
            name: folded name of a property, else empty.
            says: folded value, or ``None`` where being there is all it says.
            origin: the node or edge that says it.
        """
        self.tuples[kind].setdefault((ends, name, says), []).append(origin)

    def add_top(self, kind: int, ordinal: int) -> None:
        """Add that node *ordinal* is a top."""
        label = self.graph.nodes[ordinal].label
        origin = Origin("node", ordinal, label, "", "")
        self.add(kind, (self.identities[ordinal],), "", None, origin)

    def add_edge(self, kind: int, arc: Arc, labeled: bool = True) -> None:
        """Add an edge, with its label or as a bare pair of nodes."""
        label = self.graph.edges[arc.ordinal].label
        identities = self.identities
        self.add(
            kind,
            (identities[arc.source], identities[arc.target]),
            "",
            arc.label if labeled else None,
            Origin("edge", arc.ordinal, label, "", label),
        )

    @cached_property
    def keys(self) -> tuple[frozenset[Key], ...]:
        """The distinct tuples of each kind."""
        return tuple(frozenset(mine) for mine in self.tuples)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many tuples of each kind there are, each repetition counted."""
        return tuple(sum(map(len, mine.values())) for mine in self.tuples)

    @cached_property
    def nodes(self) -> dict[Identity, list[int]]:
        """Node ordinals by identity."""
        found: dict[Identity, list[int]] = {}
        for ordinal, identity in enumerate(self.identities):
            found.setdefault(identity, []).append(ordinal)
        return found


# What identifies a node.


def by_spans(graph: Graph) -> tuple[Identity, ...]:
    """Each node's trimmed ranges; all nodes without anchors are one."""
    text = graph.text
    return tuple(tuple(trimmed_ranges(node.anchors, text)) for node in graph.nodes)


def by_characters(graph: Graph, trim: Trim = "range") -> tuple[int, ...]:
    """The set of visible characters of each node, empty without anchors.

    Args:
        graph: any graph; where it has no text, positions are characters.
        trim: where punctuation is taken off, see :mod:`graphscore.anchors`.

    Returns:
        One integer a node, see :func:`graphscore.anchors.characters`.
    """
    visible = visible_characters(graph.text)
    return tuple(
        characters(node.anchors, graph.text, trim, visible) for node in graph.nodes
    )


def by_yields(own: Sequence[int], links: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The characters of each node and of everything that it leads to.

    Nodes on a cycle lead to one another, so they have the same yield, whatever
    the order of nodes and edges.

    Args:
        own: the characters of each node.
        links: (source, target) positions of the edges to follow.

    Returns:
        One integer a node; linear in nodes and edges.

    Example:
        >>> by_yields((0b001, 0b010, 0b100), [(0, 1), (1, 2), (2, 1)])
        (7, 6, 6)
    """
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(own)))
    graph.add_edges_from_no_data(list(links))
    below: list[list[int]] = [[] for _ in own]
    for source, target in links:
        below[source].append(target)
    found = list(own)
    # Components come out with what they lead to before them.
    for component in rx.strongly_connected_components(graph):
        union = 0
        for node in component:
            union |= found[node]
            for target in below[node]:
                union |= found[target]
        for node in component:
            found[node] = union
    return tuple(found)


# What is read from a graph.


def arcs(graph: Graph, conventions: Conventions) -> Iterator[Arc]:
    """The edges of a graph as they are compared.

    Args:
        graph: any graph; its edges name existing nodes.
        conventions: where inversion is inferred, and whether mtool's reading of
            repeated edges is followed.

    Yields:
        One arc an edge, in order; repeated edges are not merged here.
    """
    place = graph.ordinals()
    kept = None
    if conventions.mtool:
        kept = {id(edge) for edge in mtool_edges(graph)}
    for ordinal, edge in enumerate(graph.edges):
        if kept is not None and id(edge) not in kept:
            continue
        source, target, label = base_edge(
            edge, graph.framework, conventions.invert, not conventions.mtool
        )
        # An empty label is none (mtool 4cee3a2, ``graph.py``, Edge.decode).
        folded = None if label is None or label == "" else fold(label)
        names: tuple[str, ...] = ()
        if edge.attributes:
            names = tuple(each[0] for each in effective_attributes(edge.attributes))
        yield Arc(ordinal, place[source], place[target], folded, names)


def tops(graph: Graph) -> list[int]:
    """Ordinals of the top nodes, each once, in node order."""
    names = set(graph.tops)
    return [k for k, node in enumerate(graph.nodes) if node.id in names]


def properties(
    graph: Graph, conventions: Conventions
) -> Iterator[tuple[int, str, str, Origin]]:
    """The properties of a graph's nodes as they are compared.

    Args:
        graph: any graph.
        conventions: whether mtool's reading of AMR is followed.

    Yields:
        Node ordinal, folded name, folded value, and what it was made from.
    """
    merged = conventions.mtool and graph.framework == "amr"
    for ordinal, node in enumerate(graph.nodes):
        pairs = mtool_properties(node.properties) if merged else node.properties
        for name, value in pairs:
            origin = Origin("node", ordinal, node.label, name, value)
            yield ordinal, fold(name), fold(value), origin
