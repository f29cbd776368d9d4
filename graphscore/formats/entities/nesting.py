"""Entity trees from mentions with places, and back: nesting by ids or by containment.

A format of ranges has mentions, one beside the other.  Which of them is a component is
said by the mention (``kind``, or a property ``component``), else by an inventory of
tags; what that does not have is an entity.  What a mention is a child of is said by the
file, for all of its mentions or for none.  Where it does not say so, the smallest
entity around it is its parent: one that begins no later and ends no sooner.  Entities
over the same characters are within each other in the order of the file, components
within them.

>>> from graphscore.structures.layout import LayoutBuilder
>>> build = LayoutBuilder()
>>> for label, start, end in [("name", 9, 13), ("func.ind", 0, 13), ("loc", 9, 13)]:
...     _ = build.mention(label, [Anchor(start, end)])
>>> graph = build.graph("1", "ner", text="maire de Lyon")
>>> tree = nested(graph, QUAERO)
>>> [node.label for node in tree.nodes]
['func.ind', 'loc', 'name']
>>> [(edge.source, edge.label, edge.target) for edge in tree.edges]
[(1, 'entity', 2), (2, 'component', 0)]
>>> [graph.text[start:end] for start, end in tree.tokens]
['maire', 'de', 'Lyon']
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from graphscore.errors import InvalidGraphError
from graphscore.formats.entities.inventories import QUAERO, Inventory
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.structures.entities.trees import ETREE, LITERAL
from graphscore.structures.layout import (
    COMPONENT,
    ENTITY,
    KIND,
    MENTION,
    NER,
    first_of,
    kind_of,
)

Parents = Mapping[NodeId, NodeId]
"""What each mention is a child of, by ids."""

_WORD = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> tuple[Anchor, ...]:
    """The words of a text, whatever is annotated in it: letters, or a single mark.

    >>> ["l'an 2010."[a:b] for a, b in words_of("l'an 2010.")]
    ['l', "'", 'an', '2010', '.']
    """
    return tuple(Anchor(*found.span()) for found in _WORD.finditer(text))


def nested(
    graph: Graph, inventory: Inventory = QUAERO, parents: Parents | None = None
) -> Graph:
    """The trees of some mentions.

    Args:
        graph: of the framework ``ner``; its tokens are kept, or else :func:`words_of`.
        inventory: which labels are components, where mentions do not say so.
        parents: what each mention is a child of; ``None``: by containment.

    Returns:
        A graph of the framework ``etree``, parents before their children.

    Raises:
        InvalidGraphError: if a parent is not there, is no entity, or is within its own
            children; or a mention is nowhere, or of a kind that there is not.
    """
    kinds = {node.id: _kind(node, inventory) for node in graph.nodes}
    for node in graph.nodes:
        if not node.anchors:
            raise InvalidGraphError(f"a mention {node.id!r} without a place", "a range")
    ordered = sorted(
        enumerate(graph.nodes),
        key=lambda each: (
            *_ends(each[1]),
            kinds[each[1].id] == COMPONENT,
            each[0],
        ),
    )
    nodes = [node for _, node in ordered]
    found = _containers(nodes, kinds) if parents is None else dict(parents)
    _check(found, kinds)
    below: dict[NodeId | None, list[Node]] = {}
    for node in nodes:
        below.setdefault(found.get(node.id), []).append(node)
    made: list[Node] = []
    edges: list[Edge] = []
    waiting = below.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        made.append(_tree_node(node, kinds[node.id]))
        if node.id in found:
            edges.append(Edge(found[node.id], node.id, kinds[node.id]))
        waiting += below.get(node.id, [])[::-1]
    if len(made) < len(nodes):
        known = {node.id for node in made}
        lost = next(node.id for node in nodes if node.id not in known)
        raise InvalidGraphError(f"{lost!r} within itself", "a parent around it")
    return msgspec.structs.replace(
        graph,
        framework=ETREE,
        flavor=1,
        tokens=graph.tokens or words_of(graph.text),
        nodes=tuple(made),
        edges=tuple(edges),
    )


def parents_of(graph: Graph) -> dict[NodeId, NodeId]:
    """What each node of a tree is a child of.

    Args:
        graph: of the framework ``etree``.

    Raises:
        InvalidGraphError: if a node has two parents.
    """
    found: dict[NodeId, NodeId] = {}
    for edge in graph.edges:
        if edge.target in found:
            raise InvalidGraphError(f"two edges to {edge.target!r}", "one at most")
        found[edge.target] = edge.source
    return found


def flat(graph: Graph) -> Graph:
    """The mentions of a tree, entities and components alike, as they stand in it.

    Args:
        graph: of the framework ``etree``.

    Returns:
        A graph of the framework ``ner`` without edges; the kind of each is not said.

    Raises:
        InvalidGraphError: if there are other nodes, or tops.
    """
    nodes = []
    for node in graph.nodes:
        if kind_of(node) not in (ENTITY, COMPONENT):
            found = f"a node {node.id!r} of kind {kind_of(node)!r}"
            raise InvalidGraphError(found, "an entity or a component")
        properties = tuple(pair for pair in node.properties if pair[0] != KIND)
        said = ((KIND, MENTION), *properties)
        nodes.append(msgspec.structs.replace(node, properties=said))
    if graph.tops:
        raise InvalidGraphError("tops", "entities and components")
    return msgspec.structs.replace(graph, framework=NER, nodes=tuple(nodes), edges=())


def _kind(node: Node, inventory: Inventory) -> str:
    """Whether a mention is an entity or a component."""
    said: Any = dict(node.extra).get(KIND)
    if said is not None and said not in (ENTITY, COMPONENT):
        raise InvalidGraphError(f"a kind {said!r}", f"{ENTITY!r} or {COMPONENT!r}")
    if said is not None:
        return str(said)
    for kind in (COMPONENT, ENTITY):
        if first_of(node.properties, kind) is not None:
            return kind
    return inventory.kind_of(str(node.label)) or ENTITY


def _ends(node: Node) -> tuple[int, int]:
    """Where a mention begins, and where it ends, from the last on."""
    start = min(anchor.start for anchor in node.anchors)
    return start, -max(anchor.end for anchor in node.anchors)


def _containers(nodes: list[Node], kinds: Mapping[NodeId, str]) -> dict[NodeId, NodeId]:
    """The smallest entity around each mention.

    Args:
        nodes: as they begin, longer ones first.
        kinds: of each.
    """
    found: dict[NodeId, NodeId] = {}
    open_: list[tuple[int, NodeId]] = []
    for node in nodes:
        start, end = _ends(node)
        open_ = [each for each in open_ if each[0] > start]
        around = [each for each in open_ if each[0] >= -end]
        if around:
            # Those that cross others may be anywhere among them.
            shortest = min(each[0] for each in around)
            found[node.id] = [id for last, id in around if last == shortest][-1]
        if kinds[node.id] == ENTITY:
            open_.append((-end, node.id))
    return found


def _check(parents: Parents, kinds: Mapping[NodeId, str]) -> None:
    for child, parent in parents.items():
        for each in (child, parent):
            if each not in kinds:
                raise InvalidGraphError(f"a parent of or for {each!r}", "a mention")
        if kinds[parent] != ENTITY:
            found = f"{child!r} within {parent!r}, a component"
            raise InvalidGraphError(found, "an entity around it")


def _tree_node(node: Node, kind: str) -> Node:
    """A mention as a node of a tree."""
    extra = dict(node.extra)
    properties = [
        pair for pair in node.properties if pair[0] not in (KIND, ENTITY, COMPONENT)
    ]
    literal = extra.pop(LITERAL, None)
    if literal is not None:
        if kind == COMPONENT or not isinstance(literal, str):
            found = f"a literal type {literal!r} of {node.id!r}"
            raise InvalidGraphError(found, "a string, of an entity")
        properties.insert(0, (LITERAL, literal))
    extra.pop(KIND, None)
    return msgspec.structs.replace(
        node, properties=((KIND, kind), *properties), extra=tuple(extra.items())
    )
