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
>>> triples.arrays.facts
[('instance', 'dog'), ('top', 'bark-01'), ('instance', 'bark-01'), \
('property', 'polarity', '-')]
>>> triples.totals
(2, 2, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from graphscore.metrics.meaning.conventions import (
    TripleConventions,
    counted_properties,
    tables_of,
)
from graphscore.model.anchors import AnchorKeys, characters, places_of, spans
from graphscore.model.frameworks import COMMENTED
from graphscore.model.graph import Graph
from graphscore.model.normalize import counted_role, effective_attributes, mtool_edges
from graphscore.model.reification import Origin, Rewritten, rewrite
from graphscore.model.tuples import Fact as Said

if TYPE_CHECKING:
    from graphscore.model.fact_arrays import FactArrays

PARTS = ("instances", "attributes", "relations")
"""The three sorts of triples, in the order in which ties prefer them."""

INSTANCES, ATTRIBUTES, RELATIONS = range(3)


Fact = tuple[str, ...] | tuple[str, int]
"""``instance``, ``top``, ``property`` or ``anchor``, and what it says."""

Label = str | tuple[str, str] | None
"""Label of a relation; (name, value) for an edge attribute."""


Where = tuple[
    Literal["instance", "top", "property", "anchor", "edge", "attribute"],
    int,
    int,
    str | None,
]
"""A place in the rewritten graph: what it is, its ordinal, its slot (of anchors the
characters), and what is compared of it."""


K = TypeVar("K")


class Places:
    """The places that say something: mostly one each, and for some further ones.

    Attributes:
        first: the first place of each, by position.
        again: further places of some, by position.

    Example:
        >>> places, known = Places(), {}
        >>> for ordinal in range(2):
        ...     places.add(known, "dog", ("instance", ordinal, 0, "dog"))
        >>> known, len(places.at(0)), places.counts(once=False)
        ({'dog': 0}, 2, [2])
    """

    __slots__ = ("again", "first")

    def __init__(self) -> None:
        self.first: list[Where] = []
        self.again: dict[int, list[Where]] = {}

    def add(self, known: dict[K, int], key: K, where: Where) -> None:
        """Note one more place.

        Args:
            known: positions of what was said, which it gets if it is new.
            key: what is said.
            where: the place.
        """
        if key in known:
            self.again.setdefault(known[key], []).append(where)
        else:
            known[key] = len(self.first)
            self.first.append(where)

    def at(self, position: int) -> list[Where]:
        """Return every place that says something, in order.

        Args:
            position: of what is said.
        """
        return [self.first[position], *self.again.get(position, ())]

    def counts(self, once: bool) -> list[int]:
        """Return how often each of what is said counts.

        Args:
            once: whether further places are of no account.
        """
        counts = [1] * len(self.first)
        for position, others in () if once else self.again.items():
            counts[position] += len(others)
        return counts


class Triples:
    """A graph's triples, laid out for comparing.

    Attributes:
        graph: the graph as read.
        rewritten: the graph that the triples are of, with its origins.
        conventions: what became a triple.
        size: number of nodes of the rewritten graph.
        fact_counts, relation_counts: how often each fact and relation counts.
        said: for each node its facts, with their positions.
        relations: (source, target, label) to position; in order.
        single: whether everything is said once.
        totals: instances, attributes and relations, as often as they count.
    """

    __slots__ = (
        "__dict__",
        "_facts",
        "_relations",
        "conventions",
        "fact_counts",
        "graph",
        "relation_counts",
        "relations",
        "rewritten",
        "said",
        "single",
        "size",
        "totals",
    )

    attributes: ClassVar[Mapping[int, Mapping[Any, Any]]] = MappingProxyType({})
    """Those of edges are relations of their own."""

    def __init__(
        self, graph: Graph, rewritten: Rewritten, conventions: TripleConventions
    ) -> None:
        self.graph = graph
        self.rewritten = rewritten
        self.conventions = conventions
        self.size = len(rewritten.graph.nodes)
        self.said: list[dict[Fact, int]] = [{} for _ in range(self.size)]
        self.relations: dict[tuple[int, int, Label], int] = {}
        self._facts, self._relations = Places(), Places()

    def add_fact(self, node: int, fact: Fact, where: Where) -> None:
        """Say *fact* of *node* once more."""
        self._facts.add(self.said[node], fact, where)

    def add_relation(
        self, source: int, target: int, label: Label, where: Where
    ) -> None:
        """Say once more that an edge leads from *source* to *target*."""
        self._relations.add(self.relations, (source, target, label), where)

    def close(self) -> Triples:
        """Count everything that was said; who adds more closes again."""
        self.__dict__.clear()
        once = self.conventions.duplicates == "set"
        counts = self.fact_counts = self._facts.counts(once)
        self.relation_counts = self._relations.counts(once)
        instances = sum(
            [
                count
                for count, where in zip(counts, self._facts.first, strict=True)
                if where[0] == "instance"
            ]
        )
        facts, relations = sum(counts), sum(self.relation_counts)
        self.totals = (instances, facts - instances, relations)
        self.single = facts + relations == len(counts) + len(self.relations)
        return self

    @property
    def facts(self) -> dict[tuple[int, Fact], int]:
        """The facts of all nodes, with their positions, in order."""
        facts = [
            (position, node, fact)
            for node, said in enumerate(self.said)
            for fact, position in said.items()
        ]
        return {(node, fact): position for position, node, fact in sorted(facts)}

    @property
    def edge_numbers(self) -> dict[tuple[int, int, Label], int]:
        """The relations, with their positions."""
        return self.relations

    @cached_property
    def arrays(self) -> FactArrays:
        """The same as numbers, for joining with those of another graph."""
        from graphscore.model.fact_arrays import FactArrays

        return FactArrays(self, kind_of)

    def same(self, opposite: Triples) -> bool:
        """Return true if both have the same triples for the same node ordinals."""
        if self.totals != opposite.totals or self.size != opposite.size:
            return False
        if self.relations.keys() != opposite.relations.keys() or any(
            left.keys() != right.keys()
            for left, right in zip(self.said, opposite.said, strict=True)
        ):
            return False
        return (self.single and opposite.single) or (
            _by_key(self.facts, self.fact_counts)
            == _by_key(opposite.facts, opposite.fact_counts)
            and _by_key(self.relations, self.relation_counts)
            == _by_key(opposite.relations, opposite.relation_counts)
        )

    def restricted(
        self,
        facts: Callable[[int, Fact], bool],
        relations: Callable[[int, int, Label], bool],
    ) -> Triples:
        """Only those triples that the two functions accept, of the same nodes."""
        triples = Triples(self.graph, self.rewritten, self.conventions)
        for (node, fact), position in self.facts.items():
            if facts(node, fact):
                for where in self._facts.at(position):
                    triples.add_fact(node, fact, where)
        for key, position in self.relations.items():
            if relations(*key):
                for where in self._relations.at(position):
                    triples.add_relation(*key, where)
        return triples.close()

    def fact_said(self, position: int) -> list[Said]:
        """Every place that says a fact of a node, in order."""
        return [self._show(where) for where in self._facts.at(position)]

    def relation_said(self, position: int) -> list[Said]:
        """Every place that says a relation, in order."""
        return [self._show(where) for where in self._relations.at(position)]

    def object_of(self, node: int) -> Origin:
        """Return the origin of a rewritten graph's node in the graph as read."""
        return self.rewritten.nodes[node]

    def edge_ordinal(self, relation: tuple[int, int, Label]) -> int:
        """The edge of the rewritten graph that says *relation* first."""
        return self._relations.first[self.relations[relation]][1]

    def edge_of(self, position: int) -> Origin:
        """Return the origin of a relation in the graph as read."""
        return self.rewritten.edges[self._relations.first[position][1]]

    def _show(self, where: Where) -> Said:
        what, ordinal, slot, compared = where
        graph = self.rewritten.graph
        if what in ("edge", "attribute"):
            edge = graph.edges[ordinal]
            origin = self.rewritten.edges[ordinal]
            name, value = "", counted_role(edge.label, compared)
            if what == "attribute":
                name, value = edge.attributes[slot]
            return Said(what, *origin, (), edge.label, name, value, compared)
        node = graph.nodes[ordinal]
        name, value = "", node.label
        if what == "top":
            name, value = "TOP", node.label
        elif what == "property":
            name, value = node.properties[slot]
        elif what == "anchor":
            name = "anchors"
            compared = " ".join(f"{a}:{b}" for a, b in spans(slot))
            value = " ".join(f"{start}:{end}" for start, end in node.anchors)
        origin = self.rewritten.nodes[ordinal]
        return Said(what, *origin, (), node.label, name, value, compared)


def kind_of(fact: Fact) -> int:
    """The sort of a fact of a node.

    >>> kind_of(("instance", "dog")), kind_of(("top", "dog"))
    (0, 1)
    """
    return INSTANCES if fact[0] == "instance" else ATTRIBUTES


def _by_key(positions: dict[K, int], amounts: list[int]) -> dict[K, int]:
    return dict(zip(positions, amounts, strict=True))


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
    spellings, _ = tables_of(conventions)
    compared = conventions.compared
    tops = set(graph.tops)
    anchored = conventions.anchors == "keep" or (
        conventions.anchors == "annotated" and graph.framework not in COMMENTED
    )
    anchor_keys: AnchorKeys | None = None
    say = triples.add_fact
    for ordinal, node in enumerate(graph.nodes):
        label, written = None, node.label
        if written is not None:
            label = spellings[written] if type(written) is str else compared(written)
        if node.id in tops:
            top = "top" if conventions.top == "constant" else label or ""
            say(ordinal, ("top", top), ("top", ordinal, 0, top))
        if label is not None:
            say(ordinal, ("instance", label), ("instance", ordinal, 0, label))
        properties = node.properties
        if properties:
            for slot in counted_properties(graph, properties, conventions):
                name, written = properties[slot]
                value = (
                    spellings[written] if type(written) is str else compared(written)
                )
                about = spellings[name] if type(name) is str else compared(name)
                where: Where = ("property", ordinal, slot, value)
                say(ordinal, ("property", about, value), where)
        if anchored and node.anchors:
            if anchor_keys is None:
                anchor_keys = places_of(graph.text)
            if len(node.anchors) == 1:
                start, end = node.anchors[0]
                members = anchor_keys[start, end][1]
            else:
                members = characters(
                    node.anchors, graph.text, "range", anchor_keys.visible
                )
            say(ordinal, ("anchor", members), ("anchor", ordinal, members, None))


def _take_edges(triples: Triples, graph: Graph, conventions: TripleConventions) -> None:
    spellings, relations = tables_of(conventions)
    ordinals = graph.ordinals()
    kept = None
    if conventions.repeated == "mtool":
        kept = {id(edge) for edge in mtool_edges(graph)}
    for ordinal, edge in enumerate(graph.edges):
        if kept is not None and id(edge) not in kept:
            continue
        source, target, written = edge.source, edge.target, edge.label
        label: str | None
        if type(written) is str and (edge.normal is None or edge.normal == ""):
            turned, label = relations[written]
            if turned:
                source, target = target, source
        else:
            source, target, written = conventions.relation(edge)
            label = None
            if written is not None and written != "":
                if type(written) is str:
                    label = spellings[written]
                else:
                    label = conventions.compared(written)
        left, right = ordinals[source], ordinals[target]
        triples.add_relation(left, right, label, ("edge", ordinal, 0, label))
        if not edge.attributes or conventions.attributes == "drop":
            continue
        for slot, attribute in enumerate(edge.attributes):
            for _, _, name, value in effective_attributes((attribute,)):
                pair = conventions.compared(name), conventions.compared(value)
                triples.add_relation(
                    left, right, pair, ("attribute", ordinal, slot, pair[1])
                )
