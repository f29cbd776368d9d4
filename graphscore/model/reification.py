"""Reification: relations as concepts, and back.

AMR can say the same in two ways: with a role, or with a concept that stands for
that role and has two arguments::

    (w / worm :location (c / can))      (b / be-located-at-91
                                            :ARG1 (w / worm) :ARG2 (c / can))

*Reifying* rewrites every role of the table into its concept, *dereifying* every
such concept into its role, where nothing is lost by it: the concept is no top,
nothing points to it, and it has its two arguments and nothing else.  What comes
out is a graph again, in which every node and edge knows where it comes from.

The table is that of the AMR specification (Banarescu et al. 2019, version
1.2.6, section on reification), with the first concept where it names several.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> graph = Graph("1", "amr", nodes=(Node(0, "worm"), Node(1, "can")),
...               edges=(Edge(0, 1, "location"),), tops=(0,))
>>> longer = reify(graph).graph
>>> [(edge.source, edge.label, edge.target) for edge in longer.edges]
[('r0', 'ARG1', 0), ('r0', 'ARG2', 1)]
>>> dereify(longer).graph == graph
True
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from graphscore.model.graph import Edge, Graph, Node, NodeId, Value
from graphscore.model.normalize import base_edge, fold

Reify = Literal["none", "reify", "dereify"]


class Rule(NamedTuple):
    """One row of the table: a role and the concept that stands for it."""

    role: str
    """The role, leading from source to target."""
    concept: str
    """The concept that says the same."""
    source: str
    """The concept's argument for the source of the role."""
    target: str
    """The concept's argument for the target of the role."""


RULES = (
    Rule("accompanier", "accompany-01", "ARG1", "ARG0"),
    Rule("age", "age-01", "ARG1", "ARG2"),
    Rule("beneficiary", "benefit-01", "ARG0", "ARG1"),
    Rule("concession", "have-concession-91", "ARG1", "ARG2"),
    Rule("condition", "have-condition-91", "ARG1", "ARG2"),
    Rule("degree", "have-degree-91", "ARG1", "ARG2"),
    Rule("destination", "be-destined-for-91", "ARG1", "ARG2"),
    Rule("duration", "last-01", "ARG1", "ARG2"),
    Rule("example", "exemplify-01", "ARG1", "ARG0"),
    Rule("extent", "have-extent-91", "ARG1", "ARG2"),
    Rule("frequency", "have-frequency-91", "ARG1", "ARG2"),
    Rule("instrument", "have-instrument-91", "ARG1", "ARG2"),
    Rule("li", "have-li-91", "ARG1", "ARG2"),
    Rule("location", "be-located-at-91", "ARG1", "ARG2"),
    Rule("manner", "have-manner-91", "ARG1", "ARG2"),
    Rule("mod", "have-mod-91", "ARG1", "ARG2"),
    Rule("name", "have-name-91", "ARG1", "ARG2"),
    Rule("ord", "have-ord-91", "ARG1", "ARG2"),
    Rule("part", "have-part-91", "ARG1", "ARG2"),
    Rule("polarity", "have-polarity-91", "ARG1", "ARG2"),
    Rule("poss", "own-01", "ARG1", "ARG0"),
    Rule("purpose", "have-purpose-91", "ARG1", "ARG2"),
    Rule("quant", "have-quant-91", "ARG1", "ARG2"),
    Rule("source", "be-from-91", "ARG1", "ARG2"),
    Rule("subevent", "have-subevent-91", "ARG1", "ARG2"),
    Rule("time", "be-temporally-at-91", "ARG1", "ARG2"),
    Rule("topic", "concern-02", "ARG0", "ARG1"),
    Rule("value", "have-value-91", "ARG1", "ARG2"),
)
"""Roles and their concepts, in alphabetical order of the roles."""

BY_ROLE = {rule.role: rule for rule in RULES}
BY_CONCEPT = {rule.concept: rule for rule in RULES}


class Origin(NamedTuple):
    """Node or edge of the graph as read from which another one derives."""

    object: Literal["node", "edge"]
    ordinal: int


class Rewritten(NamedTuple):
    """A rewritten graph that remembers where its parts come from."""

    graph: Graph
    nodes: tuple[Origin, ...]
    """For each node: itself, or the edge or node whose role it reifies."""
    edges: tuple[Origin, ...]
    """For each edge: itself, or the node that it dereifies."""


def _direct(edge: Edge, framework: str) -> tuple[NodeId, NodeId, str]:
    """Source, target and folded role; ``domain`` is read as ``mod`` backwards."""
    source, target, label = base_edge(edge, framework)
    role = fold("" if label is None else label)
    return (target, source, "mod") if role == "domain" else (source, target, role)


def _fresh(taken: set[NodeId], start: int) -> tuple[str, int]:
    """A node id that is not taken, and where to look for the next."""
    while f"r{start}" in taken:
        start += 1
    return f"r{start}", start + 1


def reify(graph: Graph) -> Rewritten:
    """Rewrite every role of the table, of edges and properties, into its concept.

    Args:
        graph: any graph whose edges name existing nodes.

    Returns:
        The graph with a new node for every such role, after the others.
    """
    taken = {node.id for node in graph.nodes}
    nodes: list[Node] = []
    added: list[tuple[Node, Origin]] = []
    edges: list[tuple[Edge, Origin]] = []
    arguments: list[tuple[Edge, Origin]] = []
    number = 0
    for ordinal, node in enumerate(graph.nodes):
        kept = []
        for name, value in node.properties:
            rule = BY_ROLE.get(fold(name))
            if rule is None:
                kept.append((name, value))
                continue
            origin = Origin("node", ordinal)
            name, number = _fresh(taken, number)
            added.append((Node(name, rule.concept, ((rule.target, value),)), origin))
            arguments.append((Edge(name, node.id, rule.source), origin))
        if len(kept) < len(node.properties):
            node = msgspec.structs.replace(node, properties=tuple(kept))
        nodes.append(node)
    for ordinal, edge in enumerate(graph.edges):
        origin = Origin("edge", ordinal)
        source, target, role = _direct(edge, graph.framework)
        rule = BY_ROLE.get(role)
        if rule is None:
            edges.append((edge, origin))
            continue
        name, number = _fresh(taken, number)
        added.append((Node(name, rule.concept), origin))
        arguments.append((Edge(name, source, rule.source), origin))
        arguments.append((Edge(name, target, rule.target), origin))
    edges += arguments
    return Rewritten(
        msgspec.structs.replace(
            graph,
            nodes=(*nodes, *(node for node, _ in added)),
            edges=tuple(edge for edge, _ in edges),
        ),
        (
            *(Origin("node", ordinal) for ordinal in range(len(nodes))),
            *(origin for _, origin in added),
        ),
        tuple(origin for _, origin in edges),
    )


class _Relation(NamedTuple):
    """Relation that a node dereifies to; the target is a node, or a value."""

    source: NodeId
    role: str
    target: NodeId | None
    value: Value


def dereify(graph: Graph) -> Rewritten:
    """Rewrite every concept of the table into its role, where nothing is lost.

    Args:
        graph: any graph whose edges name existing nodes.

    Returns:
        The graph without these nodes, with the new edges after the others.
    """
    directed = [_direct(edge, graph.framework) for edge in graph.edges]
    incoming = Counter(target for _, target, _ in directed)
    outgoing: dict[NodeId, list[tuple[str, NodeId]]] = {}
    for source, target, role in directed:
        outgoing.setdefault(source, []).append((role, target))
    relations: dict[NodeId, _Relation] = {}
    for node in graph.nodes:
        if node.id not in graph.tops and not incoming[node.id]:
            relation = _relation(node, outgoing.get(node.id, []))
            if relation is not None:
                relations[node.id] = relation
    values: dict[NodeId, list[tuple[str, Value]]] = {}
    for relation in relations.values():
        if relation.target is None:
            role_value = (relation.role, relation.value)
            values.setdefault(relation.source, []).append(role_value)
    nodes, kept, edges = [], [], []
    for ordinal, node in enumerate(graph.nodes):
        if node.id in relations:
            continue
        if node.id in values:
            properties = (*node.properties, *values[node.id])
            node = msgspec.structs.replace(node, properties=properties)
        nodes.append(node)
        kept.append(Origin("node", ordinal))
    for ordinal, (edge, (source, _, _)) in enumerate(
        zip(graph.edges, directed, strict=True)
    ):
        if source not in relations:
            edges.append((edge, Origin("edge", ordinal)))
    ordinals = graph.ordinals()
    for name, relation in relations.items():
        if relation.target is not None:
            new = Edge(relation.source, relation.target, relation.role)
            edges.append((new, Origin("node", ordinals[name])))
    return Rewritten(
        msgspec.structs.replace(
            graph, nodes=tuple(nodes), edges=tuple(edge for edge, _ in edges)
        ),
        tuple(kept),
        tuple(origin for _, origin in edges),
    )


def _relation(node: Node, outgoing: list[tuple[str, NodeId]]) -> _Relation | None:
    """The role that *node* stands for, if it has exactly its two arguments."""
    rule = None if node.label is None else BY_CONCEPT.get(fold(node.label))
    if rule is None or len(outgoing) + len(node.properties) != 2:
        return None
    arguments = dict(outgoing)
    values = {fold(name): value for name, value in node.properties}
    source = arguments.get(fold(rule.source))
    if source is None:
        return None
    if fold(rule.target) in arguments:
        return _Relation(source, rule.role, arguments[fold(rule.target)], None)
    if fold(rule.target) in values:
        return _Relation(source, rule.role, None, values[fold(rule.target)])
    return None


def rewrite(graph: Graph, how: Reify) -> Rewritten:
    """Reify, dereify or leave alone.

    Args:
        graph: any graph.
        how: ``none`` leaves the graph as it is.
    """
    if how == "reify":
        return reify(graph)
    if how == "dereify":
        return dereify(graph)
    nodes, edges = len(graph.nodes), len(graph.edges)
    return Rewritten(graph, _themselves("node", nodes), _themselves("edge", edges))


_SMALL = 200
"""Parts of a graph up to which their origins are shared."""


def _themselves(what: Literal["node", "edge"], count: int) -> tuple[Origin, ...]:
    """Origins of parts that stand for themselves."""
    if count <= _SMALL:
        return _few(what)[:count]
    return tuple(Origin(what, ordinal) for ordinal in range(count))


@cache
def _few(what: Literal["node", "edge"]) -> tuple[Origin, ...]:
    return tuple(Origin(what, ordinal) for ordinal in range(_SMALL))
