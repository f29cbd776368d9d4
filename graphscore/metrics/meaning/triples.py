"""A graph as SMATCH triples: instances, attributes and relations.

Cai and Knight (2013) compare meaning representations as sets of triples::

    instance(b, bark-01)      this node's concept       one per labelled node
    polarity(b, -)            this node's attribute     properties, tops, anchors
    ARG0(b, d)                a relation of two nodes   edges

The first two speak of one node, so that they are facts of nodes; relations are edges.
Tools disagree about what exactly becomes a triple, and how often one counts that is
said twice: ``graphscore.metrics.meaning.conventions`` names every choice.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> dog, bark = Node(0, "dog"), Node(1, "bark-01", (("polarity", "-"),))
>>> graph = Graph("1", "amr", nodes=(dog, bark), edges=(Edge(1, 0, "ARG0"),),
...               tops=(1,))
>>> triples = lay_out(graph, TripleConventions())
>>> list(triples.codes)
[('instance', 'dog'), ('top', 'bark-01'), ('instance', 'bark-01'), \
('property', 'polarity', '-')]
>>> triples.totals
(2, 2, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from graphscore.metrics.meaning.conventions import TripleConventions, counted_properties
from graphscore.metrics.meaning.overlap import Integers
from graphscore.model.anchors import characters, spans, visible_characters
from graphscore.model.graph import Graph
from graphscore.model.normalize import effective_attributes, mtool_edges
from graphscore.model.reification import Origin, Rewritten, rewrite
from graphscore.model.tuples import Fact as Said

PARTS = ("instances", "attributes", "relations")
"""The three sorts of triples, in the order in which ties prefer them."""

INSTANCES, ATTRIBUTES, RELATIONS = range(3)


Fact = tuple[str, ...] | tuple[str, int]
"""``instance``, ``top``, ``property`` or ``anchor``, and what it says."""

Label = str | tuple[str, str] | None
"""Label of a relation; (name, value) for an edge attribute."""


class Where(NamedTuple):
    """A place in the rewritten graph."""

    what: Literal["instance", "top", "property", "anchor", "edge", "attribute"]
    ordinal: int
    slot: int
    compared: str | None


K = TypeVar("K")


class Triples:
    """A graph's triples, laid out for comparing (see ``overlap.Laid``).

    Attributes:
        graph: the graph as read.
        rewritten: the graph that the triples are of, with its origins.
        conventions: what became a triple.
        size: number of nodes of the rewritten graph.
        codes, fact_codes, fact_nodes, fact_kinds: facts of nodes.
        fact_amounts: how often each is said.
        label_codes, edge_codes, edge_ends: relations.
        edge_amounts: how often each is said.
        facts: (node, fact) to position; in order.
        relations: (source, target, label) to position; in order.
        single: whether everything is said once.
        totals: instances, attributes and relations, as often as they count.
    """

    __slots__ = (
        "_fact_said",
        "_relation_said",
        "codes",
        "conventions",
        "edge_amounts",
        "edge_codes",
        "edge_ends",
        "fact_amounts",
        "fact_codes",
        "fact_kinds",
        "fact_nodes",
        "facts",
        "graph",
        "label_codes",
        "relations",
        "rewritten",
        "single",
        "size",
        "totals",
    )

    def __init__(
        self, graph: Graph, rewritten: Rewritten, conventions: TripleConventions
    ) -> None:
        self.graph = graph
        self.rewritten = rewritten
        self.conventions = conventions
        self.size = len(rewritten.graph.nodes)
        self.facts: dict[tuple[int, Fact], int] = {}
        self.relations: dict[tuple[int, int, Label], int] = {}
        self._fact_said: list[list[Where]] = []
        self._relation_said: list[list[Where]] = []

    def add_fact(self, node: int, fact: Fact, where: Where) -> None:
        """Say *fact* of *node* once more."""
        position = self.facts.setdefault((node, fact), len(self.facts))
        _said(self._fact_said, position, where)

    def add_relation(
        self, source: int, target: int, label: Label, where: Where
    ) -> None:
        """Say once more that an edge leads from *source* to *target*."""
        key = (source, target, label)
        position = self.relations.setdefault(key, len(self.relations))
        _said(self._relation_said, position, where)

    def close(self) -> Triples:
        """Number everything that was said; nothing is added afterwards."""
        multiset = self.conventions.duplicates != "set"
        self.codes: dict[Fact, int] = {}
        self.label_codes: dict[Label, int] = {}
        codes, nodes, kinds = [], [], []
        for node, fact in self.facts:
            codes.append(self.codes.setdefault(fact, len(self.codes)))
            nodes.append(node)
            kinds.append(INSTANCES if fact[0] == "instance" else ATTRIBUTES)
        labels, sources, targets = [], [], []
        for source, target, label in self.relations:
            labels.append(self.label_codes.setdefault(label, len(self.label_codes)))
            sources.append(source)
            targets.append(target)
        self.fact_codes: Integers = np.array(codes, dtype=np.int64)
        self.fact_nodes: Integers = np.array(nodes, dtype=np.int64)
        self.fact_kinds: Integers = np.array(kinds, dtype=np.int64)
        self.edge_codes: Integers = np.array(labels, dtype=np.int64)
        self.edge_ends: Integers = np.array([sources, targets], dtype=np.int64)
        self.fact_amounts = _amounts(self._fact_said, multiset)
        self.edge_amounts = _amounts(self._relation_said, multiset)
        instances = int(self.fact_amounts[self.fact_kinds == INSTANCES].sum())
        facts, relations = int(self.fact_amounts.sum()), int(self.edge_amounts.sum())
        self.totals = (instances, facts - instances, relations)
        self.single = facts + relations == len(self.facts) + len(self.relations)
        return self

    def same(self, other: Triples) -> bool:
        """Whether both say the same, as often, of the same node ordinals."""
        if self.totals != other.totals or self.size != other.size:
            return False
        if self.facts.keys() != other.facts.keys():
            return False
        if self.relations.keys() != other.relations.keys():
            return False
        return (self.single and other.single) or (
            _by_key(self.facts, self.fact_amounts)
            == _by_key(other.facts, other.fact_amounts)
            and _by_key(self.relations, self.edge_amounts)
            == _by_key(other.relations, other.edge_amounts)
        )

    def restricted(
        self,
        facts: Callable[[int, Fact], bool],
        relations: Callable[[int, int, Label], bool],
    ) -> Triples:
        """Only those triples that the two functions accept, of the same nodes."""
        found = Triples(self.graph, self.rewritten, self.conventions)
        for (node, fact), position in self.facts.items():
            if facts(node, fact):
                for where in self._fact_said[position]:
                    found.add_fact(node, fact, where)
        for key, position in self.relations.items():
            if relations(*key):
                for where in self._relation_said[position]:
                    found.add_relation(*key, where)
        return found.close()

    def fact_said(self, position: int) -> list[Said]:
        """Every place that says a fact of a node, in order."""
        return [self._show(where) for where in self._fact_said[position]]

    def relation_said(self, position: int) -> list[Said]:
        """Every place that says a relation, in order."""
        return [self._show(where) for where in self._relation_said[position]]

    def object_of(self, node: int) -> Origin:
        """What of the graph as read a node of the rewritten graph stands for."""
        return self.rewritten.nodes[node]

    def edge_ordinal(self, relation: tuple[int, int, Label]) -> int:
        """The edge of the rewritten graph that says *relation* first."""
        return self._relation_said[self.relations[relation]][0].ordinal

    def edge_of(self, position: int) -> Origin:
        """What of the graph as read a relation stands for."""
        return self.rewritten.edges[self._relation_said[position][0].ordinal]

    def _show(self, where: Where) -> Said:
        graph = self.rewritten.graph
        if where.what in ("edge", "attribute"):
            edge = graph.edges[where.ordinal]
            origin = self.rewritten.edges[where.ordinal]
            name, value = ("", edge.label)
            if where.what == "attribute":
                name, value = edge.attributes[where.slot]
            label, compared = edge.label, where.compared
            return Said(where.what, *origin, (), label, name, value, compared)
        node = graph.nodes[where.ordinal]
        name, value = "", node.label
        if where.what == "top":
            name, value = "TOP", node.label
        elif where.what == "property":
            name, value = node.properties[where.slot]
        elif where.what == "anchor":
            name = "anchors"
            value = " ".join(f"{start}:{end}" for start, end in node.anchors)
        origin = self.rewritten.nodes[where.ordinal]
        return Said(where.what, *origin, (), node.label, name, value, where.compared)


def _said(places: list[list[Where]], position: int, where: Where) -> None:
    if position == len(places):
        places.append([where])
    else:
        places[position].append(where)


def _amounts(places: list[list[Where]], multiset: bool) -> Integers:
    if multiset:
        return np.array([len(each) for each in places], dtype=np.int64)
    return np.ones(len(places), dtype=np.int64)


def _by_key(positions: dict[K, int], amounts: Integers) -> dict[K, int]:
    return dict(zip(positions, amounts.tolist(), strict=True))


def lay_out(
    graph: Graph, conventions: TripleConventions, read: Graph | None = None
) -> Triples:
    """The triples of *graph*.

    Args:
        graph: any graph; its edges and tops name existing nodes.
        conventions: what becomes a triple.
        read: the graph with other values, to be compared in place of those of
            *graph*, which are shown; both have the same nodes, edges and
            properties in the same order, and neither is reified.

    Returns:
        Its triples, ready for comparing.
    """
    how = conventions.reify if graph.framework == "amr" else "none"
    rewritten = rewrite(graph, how)
    read = rewritten.graph if read is None else read
    triples = Triples(graph, rewritten, conventions)
    _take_nodes(triples, read, conventions)
    _take_edges(triples, read, conventions)
    return triples.close()


def _take_nodes(triples: Triples, graph: Graph, conventions: TripleConventions) -> None:
    compared = conventions.compared
    tops = set(graph.tops)
    anchored = conventions.anchors == "keep"
    visible = -1
    for ordinal, node in enumerate(graph.nodes):
        label = None if node.label is None else compared(node.label)
        if node.id in tops:
            value = "top" if conventions.top == "constant" else label or ""
            triples.add_fact(ordinal, ("top", value), Where("top", ordinal, 0, value))
        if label is not None:
            triples.add_fact(
                ordinal, ("instance", label), Where("instance", ordinal, 0, label)
            )
        for slot in counted_properties(graph, node.properties, conventions):
            name, said = node.properties[slot]
            value = compared(said)
            triples.add_fact(
                ordinal,
                ("property", compared(name), value),
                Where("property", ordinal, slot, value),
            )
        if anchored and node.anchors:
            if visible < 0:
                visible = visible_characters(graph.text)
            members = characters(node.anchors, graph.text, "range", visible)
            shown = " ".join(f"{a}:{b}" for a, b in spans(members))
            triples.add_fact(
                ordinal, ("anchor", members), Where("anchor", ordinal, 0, shown)
            )


def _take_edges(triples: Triples, graph: Graph, conventions: TripleConventions) -> None:
    place = graph.ordinals()
    kept = None
    if conventions.repeated == "mtool":
        kept = {id(edge) for edge in mtool_edges(graph)}
    for ordinal, edge in enumerate(graph.edges):
        if kept is not None and id(edge) not in kept:
            continue
        source, target, said = conventions.relation(edge)
        label = None if said is None or said == "" else conventions.compared(said)
        one, two = place[source], place[target]
        triples.add_relation(one, two, label, Where("edge", ordinal, 0, label))
        if conventions.attributes == "drop":
            continue
        for slot, attribute in enumerate(edge.attributes):
            for _, _, name, value in effective_attributes((attribute,)):
                pair = conventions.compared(name), conventions.compared(value)
                where = Where("attribute", ordinal, slot, pair[1])
                triples.add_relation(one, two, pair, where)
