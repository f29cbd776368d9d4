"""Tuple decomposition: a graph as countable facts.

A metric never compares graphs, it compares *tuples* (Oepen et al. 2019):

    tops        this node is a top
    labels      this node is labelled *bark*
    properties  this node's *pos* is *VBP*
    anchors     this node stands for characters 5 to 8
    edges       an edge *ARG1* leads from here to there
    attributes  that edge is *remote*

The first four speak of one node, the last two of a pair of nodes.  Tuples form
a set: saying a thing twice does not make it two things.  Each tuple remembers
the node or edge it comes from, so that a missing tuple is shown as written.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> dogs = Node(7, "dog", (("pos", "NNS"),))
>>> bark = Node(8, "Bark", anchors=(Anchor(5, 9),))
>>> graph = Graph("1", "dm", 0, text="Dogs bark", nodes=(dogs, bark),
...               edges=(Edge(8, 7, "ARG1"),), tops=(8,))
>>> facts = decompose(graph)
>>> for fact in facts.listing():
...     print(fact.kind, fact.ends, fact.name, repr(fact.value), fact.compared)
labels (0,)  'dog' dog
properties (0,) pos 'NNS' nns
tops (1,)  '' None
labels (1,)  'Bark' bark
anchors (1,)  '5:9' 5:9
edges (1, 0)  'ARG1' arg1
>>> facts.totals
(1, 2, 1, 1, 1, 0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.model.anchors import Trim, characters, spans, visible_characters
from graphscore.model.frameworks import KINDS, framework
from graphscore.model.graph import Anchor, Graph, Value
from graphscore.model.normalize import (
    DEFAULT_ATTRIBUTES,
    DEFAULT_ATTRIBUTES_2019,
    Invert,
    base_edge,
    effective_attributes,
    fold,
    mtool_edges,
    mtool_properties,
)

_ALL = frozenset(KINDS)

TOPS, LABELS, PROPERTIES, ANCHORS, EDGES, ATTRIBUTES = range(6)

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Conventions:
    """How a graph is read before it is counted.

    Args:
        labeled: whether edges keep their labels; without, parallel edges are one.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred.
        mtool: whether mtool's reading of AMR and of repeated edges is followed.
        task: the shared task whose scorer is followed.  In 2019 anchors were
            trimmed one by one (with ``trim="range"``) rather than united before,
            and only ``remote`` had a default among the edge attributes.
        drop_anchors: frameworks whose anchors are not counted.
        keep_anchors: frameworks of which anchors are comments that count.
        applicable: whether tuples of kinds that a framework does not have are left
            out.
    """

    labeled: bool = True
    trim: Trim = "range"
    invert: Invert = "all"
    mtool: bool = False
    task: Literal[2020, 2019] = 2020
    drop_anchors: frozenset[str] = frozenset()
    keep_anchors: frozenset[str] = frozenset()
    applicable: bool = False


class Fact(NamedTuple):
    """One tuple, for people and for the store."""

    kind: str
    """One of :data:`KINDS`."""
    object: Literal["node", "edge"]
    """What carries it."""
    ordinal: int
    """Position of that node or edge in its graph."""
    ends: tuple[int, ...]
    """The node, or base source and target of the edge, as ordinals."""
    label: Value
    """Label of the node or edge as written."""
    name: str
    """Name of the property or attribute, else empty."""
    value: Value
    """What the tuple says, as written; anchors as ``start:end`` joined by blanks."""
    compared: str | None
    """What is compared, or ``None`` for tops."""


class Facts:
    """A graph's tuples, laid out for comparing.

    Attributes:
        graph: where they come from.
        size: number of nodes.
        codes: every distinct node-local fact, numbered in order of appearance.
        fact_codes, fact_nodes, fact_kinds: one entry per node-local tuple.
        slots: for each node-local tuple the property it comes from, else 0.
        edges: (source, target, folded label) of each edge tuple, as ordinals.
        edge_ordinals: the first edge of the graph behind each edge tuple.
        edge_ends: array of shape (2, edges): sources and targets.
        label_codes: every distinct edge label, numbered.
        edge_codes: label number of each edge tuple.
        attributes: attribute tuples of each edge tuple: (name, value) → slot.
        totals: number of tuples of each kind.
        left_out: number of tuples of each kind that the framework does not have,
            where these are left out.
    """

    __slots__ = (
        "__dict__",
        "attributes",
        "codes",
        "conventions",
        "edge_codes",
        "edge_ends",
        "edge_ordinals",
        "edges",
        "fact_codes",
        "fact_kinds",
        "fact_nodes",
        "graph",
        "label_codes",
        "left_out",
        "size",
        "slots",
        "totals",
    )

    def __init__(self, graph: Graph, conventions: Conventions) -> None:
        self.graph = graph
        self.conventions = conventions
        self.size = len(graph.nodes)
        kinds = framework(graph.framework).kinds if conventions.applicable else _ALL
        if graph.framework in conventions.keep_anchors:
            kinds |= {KINDS[ANCHORS]}
        self._lacking = frozenset(
            number for number, kind in enumerate(KINDS) if kind not in kinds
        )
        self.left_out: Counter[str] = Counter()
        self._take_nodes()
        self._take_edges()
        counts = np.bincount(self.fact_kinds, minlength=4).tolist()
        self.totals: tuple[int, ...] = (
            *counts,
            len(self.edges),
            sum(map(len, self.attributes.values())),
        )

    def _take_nodes(self) -> None:
        graph, conventions = self.graph, self.conventions
        visible = visible_characters(graph.text)
        tops = set(graph.tops)
        anchored = graph.framework not in conventions.drop_anchors
        codes: dict[Hashable, int] = {}
        rows: list[tuple[int, int, int, int]] = []
        for ordinal, node in enumerate(graph.nodes):
            mine: dict[tuple[Hashable, ...], int] = {}
            if node.id in tops:
                mine[(TOPS,)] = 0
            if node.label is not None:
                mine[(LABELS, fold(node.label))] = 0
            if node.properties:
                properties = node.properties
                if conventions.mtool and graph.framework == "amr":
                    properties = mtool_properties(properties)
                for slot, (name, value) in enumerate(properties):
                    mine.setdefault((PROPERTIES, fold(name), fold(value)), slot)
            if node.anchors and anchored:
                pieces: tuple[tuple[Anchor, ...], ...] = (node.anchors,)
                if conventions.task == 2019 and conventions.trim == "range":
                    pieces = tuple((anchor,) for anchor in node.anchors)
                members = 0
                for piece in pieces:
                    members |= characters(piece, graph.text, conventions.trim, visible)
                mine[(ANCHORS, members)] = 0
            for key, slot in mine.items():
                if key[0] in self._lacking:
                    self.left_out[KINDS[key[0]]] += 1
                    continue
                code = codes.setdefault(key, len(codes))
                rows.append((code, ordinal, key[0], slot))  # type: ignore[arg-type]
        table: Integers = np.array(rows, dtype=np.int64).reshape(len(rows), 4)
        self.codes = codes
        self.fact_codes, self.fact_nodes, self.fact_kinds, self.slots = table.T.copy()

    def _take_edges(self) -> None:
        graph, conventions = self.graph, self.conventions
        place = graph.ordinals()
        label_codes: dict[str | None, int] = {}
        first: dict[tuple[int, int, str | None], int] = {}
        self.attributes: dict[int, dict[tuple[str, str], tuple[int, int]]] = {}
        edges = mtool_edges(graph) if conventions.mtool else graph.edges
        early = conventions.task == 2019
        defaults = DEFAULT_ATTRIBUTES_2019 if early else DEFAULT_ATTRIBUTES
        kept = None if edges is graph.edges else {id(edge) for edge in edges}
        ordinals: list[int] = []
        codes: list[int] = []
        for ordinal, edge in enumerate(graph.edges):
            if kept is not None and id(edge) not in kept:
                continue
            source, target, label = base_edge(
                edge, graph.framework, conventions.invert, not conventions.mtool
            )
            # An empty label is none (mtool 4cee3a2, ``graph.py``, Edge.decode).
            bare = label is None or label == "" or not conventions.labeled
            folded = None if bare else fold(label)
            key = (place[source], place[target], folded)
            number = first.setdefault(key, len(first))
            if number == len(ordinals):
                ordinals.append(ordinal)
                codes.append(label_codes.setdefault(folded, len(label_codes)))
            if edge.attributes:
                mine = self.attributes.setdefault(number, {})
                for slot, attribute in enumerate(edge.attributes):
                    for name, value, _, _ in effective_attributes(
                        (attribute,), defaults
                    ):
                        mine.setdefault((name, value), (ordinal, slot))
        if ATTRIBUTES in self._lacking:
            counted = sum(map(len, self.attributes.values()))
            self.left_out += Counter({KINDS[ATTRIBUTES]: counted})
            self.attributes = {}
        self.edges = tuple(first)
        self.edge_ordinals = ordinals
        self.label_codes = label_codes
        self.edge_codes: Integers = np.array(codes, dtype=np.int64)
        ends = [(source, target) for source, target, _ in first]
        self.edge_ends: Integers = (
            np.array(ends, dtype=np.int64).reshape(len(ends), 2).T.copy()
        )

    @cached_property
    def keys(self) -> tuple[tuple[Hashable, ...], ...]:
        """The distinct node-local facts, by number."""
        return tuple(self.codes)  # type: ignore[arg-type]

    @cached_property
    def carriers(self) -> npt.NDArray[np.bool_]:
        """Which edge tuples have attributes."""
        found = np.zeros(len(self.edges), dtype=np.bool_)
        found[list(self.attributes)] = True
        return found

    @cached_property
    def of_node(self) -> tuple[frozenset[Hashable], ...]:
        """The node-local facts of every node."""
        found: list[set[Hashable]] = [set() for _ in range(self.size)]
        keys = self.keys
        for code, node in zip(
            self.fact_codes.tolist(), self.fact_nodes.tolist(), strict=True
        ):
            found[node].add(keys[code])
        return tuple(map(frozenset, found))

    def node_fact(self, position: int) -> Fact:
        """The node-local tuple at *position* of the ``fact_`` arrays."""
        kind = int(self.fact_kinds[position])
        ordinal = int(self.fact_nodes[position])
        key = self.keys[int(self.fact_codes[position])]
        node = self.graph.nodes[ordinal]
        name, value, compared = "", node.label, None
        if kind == TOPS:
            value = ""
        elif kind == LABELS:
            compared = str(key[1])
        elif kind == PROPERTIES:
            properties = node.properties
            if self.conventions.mtool and self.graph.framework == "amr":
                properties = mtool_properties(properties)
            name, value = properties[int(self.slots[position])]
            compared = str(key[2])
        else:
            value = " ".join(f"{start}:{end}" for start, end in node.anchors)
            compared = " ".join(f"{a}:{b}" for a, b in spans(int(key[1])))  # type: ignore[call-overload]
        return Fact(
            KINDS[kind], "node", ordinal, (ordinal,), node.label, name, value, compared
        )

    def edge_fact(self, number: int) -> Fact:
        """Edge tuple *number*."""
        ordinal = self.edge_ordinals[number]
        label = self.graph.edges[ordinal].label
        source, target, folded = self.edges[number]
        return Fact(
            "edges", "edge", ordinal, (source, target), label, "", label, folded
        )

    def attribute_fact(self, number: int, attribute: tuple[str, str]) -> Fact:
        """Attribute tuple *attribute* (folded name and value) of edge *number*."""
        ordinal, slot = self.attributes[number][attribute]
        edge = self.graph.edges[ordinal]
        name, value = edge.attributes[slot]
        source, target, _ = self.edges[number]
        return Fact(
            "attributes",
            "edge",
            ordinal,
            (source, target),
            edge.label,
            name,
            value,
            attribute[1],
        )

    def listing(self) -> Iterator[Fact]:
        """All tuples: those of the nodes, then edges and their attributes."""
        yield from map(self.node_fact, range(len(self.fact_codes)))
        for number in range(len(self.edges)):
            yield self.edge_fact(number)
            for attribute in self.attributes.get(number, ()):
                yield self.attribute_fact(number, attribute)


_DEFAULT = Conventions()


def decompose(graph: Graph, conventions: Conventions = _DEFAULT) -> Facts:
    """Lay out the tuples of *graph*.

    Args:
        graph: any graph; its edges and tops name existing nodes.
        conventions: how it is read, see :class:`Conventions`.

    Returns:
        Its tuples, ready for comparing; one graph is decomposed once and
        compared many times.
    """
    return Facts(graph, conventions)
