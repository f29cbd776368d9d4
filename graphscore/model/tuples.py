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
...     print(fact.tuple_type, fact.ends, fact.name, repr(fact.value), fact.compared)
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
from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from graphscore.model.anchors import AnchorKeys, Trim, characters, places_of, spans
from graphscore.model.frameworks import (
    ANCHORS,
    ATTRIBUTES,
    LABELS,
    PROPERTIES,
    TOPS,
    TUPLE_TYPES,
    framework,
)
from graphscore.model.graph import Anchor, Edge, Graph, Pairs, Value
from graphscore.model.normalize import (
    DEFAULT_ATTRIBUTES,
    DEFAULT_ATTRIBUTES_2019,
    Invert,
    base_edge,
    counted_role,
    effective_attributes,
    fold,
    label_keys,
    mtool_edges,
    mtool_properties,
    property_keys,
    roles_of,
)

if TYPE_CHECKING:
    from graphscore.model.fact_arrays import FactArrays

Key = tuple[Any, ...]
"""A node-local fact as it is compared: its tuple type, and what it says."""

TOP: Key = (TOPS,)


class Conventions(Struct, frozen=True):
    """Conventions for reading a graph before it is counted.

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
        applicable: whether tuples of tuple types that a framework does not have are
            left out.
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

    tuple_type: str
    """One of :data:`TUPLE_TYPES`."""
    object: Literal["node", "edge"]
    """Object that carries the attribute."""
    ordinal: int
    """Position of that node or edge in its graph."""
    ends: tuple[int, ...]
    """The node, or base source and target of the edge, as ordinals."""
    label: Value
    """Label of the node or edge as written."""
    name: str
    """Name of the property or attribute, else empty."""
    value: Value
    """Value of the tuple as written; anchors as ``start:end`` joined by blanks."""
    compared: str | None
    """Compared value, or ``None`` for tops."""


class Facts:
    """A graph's tuples, laid out for comparing.

    Attributes:
        graph: where they come from.
        size: number of nodes.
        said: for each node the node-local tuples, in order, with the property that
            each comes from, else 0.
        edge_numbers: (source, target, folded label) of each edge tuple, as ordinals,
            with its number.
        edge_ordinals: the first edge of the graph behind each edge tuple.
        attributes: attribute tuples of each edge tuple: (name, value) → slot.
        totals: number of tuples of each tuple type.
        left_out: number of tuples of each tuple type that the framework does not have,
            where these are left out.
    """

    __slots__ = (
        "__dict__",
        "attributes",
        "conventions",
        "edge_numbers",
        "edge_ordinals",
        "graph",
        "left_out",
        "said",
        "size",
        "totals",
    )

    def __init__(self, graph: Graph, conventions: Conventions) -> None:
        self.graph = graph
        self.conventions = conventions
        self.size = len(graph.nodes)
        self.left_out: dict[str, int] = {}
        self.said: list[dict[Key, int]] = []
        self.attributes: dict[int, dict[tuple[str, str], tuple[int, int]]] = {}
        counts = self._take_nodes()
        self._take_edges()
        if conventions.applicable:
            counts = self._leave_out(framework(graph.framework).tuple_types)
        self.totals: tuple[int, ...] = (
            *counts,
            len(self.edge_numbers),
            sum(map(len, self.attributes.values())) if self.attributes else 0,
        )

    def _take_nodes(self) -> tuple[int, int, int, int]:
        """Say what nodes say; gives how many tuples of each tuple type that is."""
        graph, conventions = self.graph, self.conventions
        tops = set(graph.tops)
        anchored = graph.framework not in conventions.drop_anchors
        mtool = conventions.mtool and graph.framework == "amr"
        anchor_keys: AnchorKeys | None = None
        facts = self.said
        top = unlabeled = bare = 0
        for node in graph.nodes:
            keys: dict[Key, int] = {}
            if node.id in tops:
                keys[TOP] = 0
                top += 1
            label = node.label
            if type(label) is str:
                # What is derived from a string may be spelt otherwise.
                keys[label_keys[label]] = 0
            elif label is None:
                unlabeled += 1
            else:
                keys[LABELS, fold(label)] = 0
            properties = node.properties
            if properties:
                if mtool:
                    properties = mtool_properties(properties)
                for slot, (name, value) in enumerate(properties):
                    if type(value) is str and type(name) is str:
                        keys.setdefault(property_keys[name, value], slot)
                    else:
                        keys.setdefault((PROPERTIES, fold(name), fold(value)), slot)
            ranges = node.anchors
            if not (ranges and anchored):
                bare += 1
            else:
                if anchor_keys is None:
                    anchor_keys = places_of(graph.text)
                if len(ranges) == 1:
                    keys[anchor_keys[ranges[0]]] = 0
                else:
                    keys[ANCHORS, self._characters(ranges, anchor_keys.visible)] = 0
            facts.append(keys)
        labels, anchors = len(facts) - unlabeled, len(facts) - bare
        return top, labels, sum(map(len, facts)) - top - labels - anchors, anchors

    def _characters(self, anchors: tuple[Anchor, ...], visible: int) -> int:
        """The characters that several ranges stand for."""
        conventions, text = self.conventions, self.graph.text
        if conventions.task == 2019 and conventions.trim == "range":
            members = 0
            for anchor in anchors:
                members |= characters((anchor,), text, conventions.trim, visible)
            return members
        return characters(anchors, text, conventions.trim, visible)

    def _take_edges(self) -> None:
        """Say what edges say; of equal ones the first counts, with all attributes."""
        graph, conventions = self.graph, self.conventions
        ordinal_of = graph.ordinals()
        first: dict[tuple[int, int, str | None], int] = {}
        edges: Iterable[tuple[int, Edge]] = enumerate(graph.edges)
        if conventions.mtool:
            kept = {id(edge) for edge in mtool_edges(graph)}
            edges = [pair for pair in edges if id(pair[1]) in kept]
        infer = conventions.invert == "all" or graph.framework == "amr"
        roles = roles_of(infer, not conventions.mtool, conventions.labeled)
        for ordinal, edge in edges:
            source, target, label = edge.source, edge.target, edge.label
            folded: str | None
            if type(label) is str and (edge.normal is None or edge.normal == ""):
                turned, folded = roles[label]
                if turned:
                    source, target = target, source
            else:
                source, target, label = base_edge(
                    edge, graph.framework, conventions.invert, not conventions.mtool
                )
                bare = label is None or label == "" or not conventions.labeled
                folded = None if bare else fold(label)
            key = (ordinal_of[source], ordinal_of[target], folded)
            number = first.setdefault(key, ordinal)
            if edge.attributes:
                self._take_attributes(number, ordinal, edge.attributes)
        ordinals = self.edge_ordinals = [*first.values()]
        if ordinals and ordinals[-1] >= len(ordinals):
            # Some edges say what others say, and are none of their own.
            numbers = {ordinal: number for number, ordinal in enumerate(ordinals)}
            first = dict(zip(first, numbers.values(), strict=True))
            self.attributes = {
                numbers[ordinal]: keys for ordinal, keys in self.attributes.items()
            }
        self.edge_numbers = first

    def _take_attributes(self, number: int, ordinal: int, attributes: Pairs) -> None:
        early = self.conventions.task == 2019
        defaults = DEFAULT_ATTRIBUTES_2019 if early else DEFAULT_ATTRIBUTES
        attribute_keys = self.attributes.setdefault(number, {})
        for slot, attribute in enumerate(attributes):
            for name, value, _, _ in effective_attributes((attribute,), defaults):
                attribute_keys.setdefault((name, value), (ordinal, slot))

    def _leave_out(self, tuple_types: frozenset[str]) -> tuple[int, int, int, int]:
        """Take away tuples of other types than *tuple_types*; gives how many are."""
        if self.graph.framework in self.conventions.keep_anchors:
            tuple_types |= {TUPLE_TYPES[ANCHORS]}
        lacking = {
            number
            for number, tuple_type in enumerate(TUPLE_TYPES)
            if tuple_type not in tuple_types
        }
        left_out: Counter[str] = Counter()
        counts = [0] * 4
        for ordinal, keys in enumerate(self.said):
            for key in keys:
                if key[0] in lacking:
                    left_out[TUPLE_TYPES[key[0]]] += 1
                else:
                    counts[key[0]] += 1
            if any(key[0] in lacking for key in keys):
                self.said[ordinal] = {
                    key: slot for key, slot in keys.items() if key[0] not in lacking
                }
        if ATTRIBUTES in lacking:
            left_out[TUPLE_TYPES[ATTRIBUTES]] = sum(map(len, self.attributes.values()))
            self.attributes = {}
        self.left_out = {
            tuple_type: count for tuple_type, count in left_out.items() if count
        }
        return counts[0], counts[1], counts[2], counts[3]

    @cached_property
    def edges(self) -> tuple[tuple[int, int, str | None], ...]:
        """(source, target, folded label) of each edge tuple."""
        return tuple(self.edge_numbers)

    @cached_property
    def arrays(self) -> FactArrays:
        """The same as numbers, for joining with those of another graph."""
        from graphscore.model.fact_arrays import FactArrays

        return FactArrays(self, itemgetter(0))

    def node_fact(self, ordinal: int, key: Key) -> Fact:
        """The node-local tuple of a node that is compared as *key*."""
        node = self.graph.nodes[ordinal]
        tuple_type, name, value, compared = key[0], "", node.label, None
        if tuple_type == TOPS:
            value = ""
        elif tuple_type == LABELS:
            compared = str(key[1])
        elif tuple_type == PROPERTIES:
            properties = node.properties
            if self.conventions.mtool and self.graph.framework == "amr":
                properties = mtool_properties(properties)
            name, value = properties[self.said[ordinal][key]]
            compared = str(key[2])
        else:
            value = " ".join(f"{start}:{end}" for start, end in node.anchors)
            compared = " ".join(f"{a}:{b}" for a, b in spans(int(key[1])))
        return Fact(
            TUPLE_TYPES[tuple_type],
            "node",
            ordinal,
            (ordinal,),
            node.label,
            name,
            value,
            compared,
        )

    def edge_fact(self, number: int) -> Fact:
        """Edge tuple *number*."""
        ordinal = self.edge_ordinals[number]
        label = self.graph.edges[ordinal].label
        source, target, folded = self.edges[number]
        ends, value = (source, target), counted_role(label, folded)
        return Fact("edges", "edge", ordinal, ends, label, "", value, folded)

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
        for ordinal, keys in enumerate(self.said):
            for key in keys:
                yield self.node_fact(ordinal, key)
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
