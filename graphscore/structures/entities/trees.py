"""Entity trees: entities made of components and of further entities.

A graph of the framework ``etree`` is a sentence (Grouin et al. 2011)::

    text   ambassadeur de Turquie
    0      kind=entity     label=func.ind     anchors=[0:22]
    1      kind=component  label=kind         anchors=[0:11]
    2      kind=entity     label=loc.adm.nat  anchors=[15:22]
    3      kind=component  label=name         anchors=[15:22]
    edges  0 -component-> 1   0 -entity-> 2   2 -component-> 3

Nodes stand in the order in which they begin, outer ones first.  An edge leads from
an entity to each of its direct children and says what the child is; a component
outside of any entity has no edge.  An entity with two types (metonymy) has that of
its context as its label and the other as its property ``literal``.

Metonymy that a file writes as nesting stays nesting in the graph; whether it is read
as one entity of two types is a matter of metrics, and of :func:`slots_of`.

>>> build = TreeBuilder()
>>> org = build.entity("org.adm", [Anchor(0, 5)])
>>> loc = build.entity("loc.adm.town", [Anchor(0, 5)], parent=org)
>>> _ = build.component("name", [Anchor(0, 5)], parent=loc)
>>> graph = build.graph("1", text="Paris")
>>> [slot.types for slot in slots_of(graph)]
[('org.adm', 'loc.adm.town'), ('name',)]
>>> [slot.types for slot in slots_of(graph, metonymy="nested")]
[('org.adm',), ('loc.adm.town',), ('name',)]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.model.anchors import unite
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.structures.entities.tags import visible_place
from graphscore.structures.layout import COMPONENT, ENTITY, KIND, first_of, kind_of

ETREE = "etree"
"""The framework."""

LITERAL = "literal"
"""The property with the second type of an entity: what its words mean by themselves."""

TIMES = "times"
"""Field of ``extra``: when each token was spoken, ``[begin, end]`` in seconds."""

Metonymy = Literal["joined", "nested"]
"""Treatment of an entity directly around another: one of two types, or two entities."""

Place = tuple[tuple[int, int], ...]
"""Ranges of characters, ascending and apart."""

QUANTITIES = frozenset({"amount", "time"})
"""Main types whose nesting over the same words is no metonymy."""


class Slot(NamedTuple):
    """An entity or a component, as error rates count them."""

    ordinal: int
    """Position of its node in the graph; of the outer one where two are joined."""
    entity: bool
    """True if it is an entity."""
    types: tuple[str, ...]
    """One or two types of an entity; the label of a component."""
    place: Place
    """Its characters."""
    children: tuple[int, ...]
    """Positions, among the slots, of the direct children of an entity."""


class TreeBuilder:
    """Builds a graph of entity trees, parents before their children."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._edges: list[Edge] = []
        self._kinds: dict[NodeId, str] = {}

    def entity(
        self,
        label: str,
        anchors: Iterable[Anchor],
        *,
        literal: str | None = None,
        parent: NodeId | None = None,
        properties: Pairs = (),
        id: NodeId | None = None,
    ) -> NodeId:
        """Add an entity.

        Args:
            label: its type, in its context.
            anchors: its characters.
            literal: its second type, if it has one.
            parent: the entity that it is a direct child of.
            properties: more of it.
            id: what the node is called; a running number by default.

        Returns:
            The node's id.

        Raises:
            InvalidGraphError: if the id is taken, or the parent is no entity so far.
        """
        second: Pairs = () if literal is None else ((LITERAL, literal),)
        return self._add(ENTITY, label, anchors, parent, (*second, *properties), id)

    def component(
        self,
        label: str,
        anchors: Iterable[Anchor],
        *,
        parent: NodeId | None = None,
        properties: Pairs = (),
        id: NodeId | None = None,
    ) -> NodeId:
        """Add a component; arguments, result and errors as of :meth:`entity`."""
        return self._add(COMPONENT, label, anchors, parent, properties, id)

    def graph(
        self,
        id: str,
        *,
        document: str = "",
        language: str = "",
        text: str = "",
        tokens: tuple[Anchor, ...] = (),
        extra: dict[str, Any] | None = None,
    ) -> Graph:
        """The graph of everything that was added.

        Args:
            id: the item.
            document: the document that the item belongs to.
            language: ISO code, empty when absent.
            text: the annotated text, of which anchors are ranges.
            tokens: character ranges of the words.
            extra: remaining fields of the file.
        """
        return Graph(
            id,
            ETREE,
            1,
            language,
            document,
            text,
            tokens,
            tuple(self._nodes),
            tuple(self._edges),
            (),
            {} if extra is None else extra,
        )

    def _add(
        self,
        kind: str,
        label: str,
        anchors: Iterable[Anchor],
        parent: NodeId | None,
        properties: Pairs,
        id: NodeId | None,
    ) -> NodeId:
        if id is None:
            id = len(self._nodes)
        if id in self._kinds:
            raise InvalidGraphError(f"two nodes {id!r}", "an id for each node")
        if parent is not None and self._kinds.get(parent) != ENTITY:
            raise InvalidGraphError(f"a child of {parent!r}", "a child of an entity")
        self._kinds[id] = kind
        self._nodes.append(Node(id, label, ((KIND, kind), *properties), tuple(anchors)))
        if parent is not None:
            self._edges.append(Edge(parent, id, kind))
        return id


def main_type(label: str) -> str:
    """A type without its subtypes.

    >>> main_type("loc.adm.town")
    'loc'
    """
    return label.partition(".")[0]


def slots_of(
    graph: Graph, metonymy: Metonymy = "joined", visible: bool = False
) -> list[Slot]:
    """The entities and components of a graph, in the order of their nodes.

    Args:
        graph: entity trees; what is neither entity nor component is passed over.
        metonymy: whether an entity whose only child is an entity over the same
            characters, of another main type, is one entity with both types; amounts
            and times are not, one of them is often all that the other consists of.
            Of three around each other, the outer two are joined.
        visible: whether white space in places is left aside.
    """
    inner: dict[NodeId, list[NodeId]] = {}
    for edge in graph.edges:
        inner.setdefault(edge.source, []).append(edge.target)
    slots: dict[NodeId, tuple[int, bool, tuple[str, ...], Place]] = {}
    for ordinal, node in enumerate(graph.nodes):
        kind = kind_of(node)
        if kind in (ENTITY, COMPONENT):
            types: tuple[str, ...] = (str(node.label),)
            literal = first_of(node.properties, LITERAL)
            if kind == ENTITY and literal is not None:
                types = (*types, str(literal))
            characters = visible_place(graph.text, node) if visible else _place(node)
            slots[node.id] = (ordinal, kind == ENTITY, types, characters)
    if metonymy == "joined":
        _join(slots, inner)
    position = {id: index for index, id in enumerate(slots)}
    return [
        Slot(*value, tuple(position[k] for k in inner.get(id, ()) if k in position))
        for id, value in slots.items()
    ]


def _join(
    slots: dict[NodeId, tuple[int, bool, tuple[str, ...], Place]],
    inner: dict[NodeId, list[NodeId]],
) -> None:
    """Make one of each two entities that are a metonymy, in place."""
    for id in _outer_first(slots, inner):
        if id not in slots or len(inner.get(id, ())) != 1:
            continue
        [child] = inner[id]
        ordinal, entity, types, characters = slots[id]
        if not entity or len(types) > 1 or child not in slots:
            continue
        _, nested, others, where = slots[child]
        if not nested or len(others) > 1 or where != characters:
            continue
        mains = {main_type(types[0]), main_type(others[0])}
        if len(mains) == 2 and mains != QUANTITIES:
            slots[id] = (ordinal, True, types + others, characters)
            inner[id] = inner.pop(child, [])
            del slots[child]


def _outer_first(
    ids: Iterable[NodeId], inner: dict[NodeId, list[NodeId]]
) -> list[NodeId]:
    """Every node after those around it, however the file orders them."""
    within = {child for children in inner.values() for child in children}
    fromkeys = dict.fromkeys(id for id in ids if id not in within)
    waiting = list(fromkeys)
    while waiting:
        new = [k for id in waiting for k in inner.get(id, ()) if k not in fromkeys]
        fromkeys |= dict.fromkeys(new)
        waiting = list(dict.fromkeys(new))
    return list(fromkeys)


def _place(node: Node) -> Place:
    return tuple(unite(node.anchors))
