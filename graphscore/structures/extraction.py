"""Relations of two mentions, of any number of entities, and events.

Sections 2.1, 3.1 and 3.3 of Chen et al. (2023), as dataclasses, and their place in
the layout of information extraction.

>>> founded = Relation("founded", Mention(0, 4), Mention(14, 17))
>>> graph = relation_graph(RelationSet(frozenset({founded})), text="Jenny founded Acme")
>>> [(edge.label, edge.target) for edge in graph.edges]
[('Arg1', 0), ('Arg2', 1)]
>>> relations_of(graph).relations == {founded}
True

>>> start = Event(Trigger(Mention(6, 12), "Start"),
...               frozenset({EventArgument(Mention(0, 4), "Agent")}))
>>> graph = event_graph(EventSet(frozenset({start})), text="Jenny founded Acme")
>>> [(node.label, node.anchors) for node in graph.nodes]
[(None, (Anchor(start=0, end=5),)), ('Start', (Anchor(start=6, end=13),))]
>>> events_of(graph).events == {start}
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures import layout
from graphscore.structures.coreference import Entity
from graphscore.structures.layout import (
    ENTITY,
    EVENTS,
    MENTION,
    RELATION,
    RELATIONS,
    ROLES,
    TRIGGER,
)
from graphscore.structures.mentions import Mention
from graphscore.structures.objects.declarations import summed
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.views import Layer, Laying, named


@dataclass(frozen=True)
class Relation:
    """A typed relation of two mentions (eq. 9).

    Args:
        type: its type.
        subj: the mention that it is said of.
        obj: the other one.
    """

    type: str
    subj: Mention
    obj: Mention


@dataclass(frozen=True)
class RelationSet:
    """Output of binary relation extraction (RelF1, eq. 10).

    Args:
        relations: the relations.
    """

    relations: frozenset[Relation]


@dataclass(frozen=True)
class RoleFillerEntity:
    """An entity that fills a role.

    Args:
        role: the role.
        entity: the entity.
    """

    role: str
    entity: Entity


@dataclass(frozen=True)
class NAryRelation:
    """A relation of any number of entities.

    Args:
        type: its type.
        args: its roles and their fillers.
    """

    type: str
    args: frozenset[RoleFillerEntity]


@dataclass(frozen=True)
class NAryRelationSet:
    """Output of n-ary relation extraction.

    Args:
        relations: the relations.
    """

    relations: frozenset[NAryRelation]


def relation_graph(
    relations: RelationSet,
    *,
    id: str = "",
    document: str = "",
    text: str = "",
    tokens: Sequence[Anchor] = (),
    roles: tuple[str, str] = ROLES,
) -> Graph:
    """Lay relations of two mentions out.

    Args:
        relations: the relations.
        id: the item.
        document: the document that it belongs to.
        text: the text that mentions are of.
        tokens: character ranges of the tokens, if mentions count tokens.
        roles: what edges to the subject and to the object are labelled.

    Raises:
        StructureError: if a mention ends before it begins.
    """
    lay = Laying(tokens)
    in_order = lay.sorted(relations.relations)
    for relation in in_order:
        lay.mention(relation.subj)
        lay.mention(relation.obj)
    for relation in in_order:
        ends = zip(roles, (relation.subj, relation.obj), strict=True)
        arguments = [layout.Argument(role, lay.mention(end)) for role, end in ends]
        lay.build.relation(relation.type, arguments)
    return lay.graph(id, RELATIONS, document, text)


def relations_of(
    graph: Graph, *, in_tokens: bool = False, roles: tuple[str, str] = ROLES
) -> RelationSet:
    """The relations of a graph in the layout, each with two mentions.

    Args:
        graph: a graph of the framework ``relation``.
        in_tokens: whether mentions count tokens, not characters.
        roles: labels of the edges to the subject and to the object.

    Raises:
        StructureError: if a relation has other arguments, or a mention is not one
            range.
    """
    layer = Layer(graph, in_tokens)
    relations = set()
    for node in layer.nodes(RELATION):
        edges = layer.edges(node)
        if sorted(named(edge.label) for edge in edges) != sorted(roles):
            shown = ", ".join(named(edge.label) for edge in edges) or "none"
            raise StructureError(
                f"relation {node.id!r}", f"the arguments {shown}", " and ".join(roles)
            )
        ends = {edge.label: layer.mention(edge.target) for edge in edges}
        relations.add(Relation(named(node.label), ends[roles[0]], ends[roles[1]]))
    return RelationSet(frozenset(relations))


def nary_relation_graph(
    relations: NAryRelationSet,
    *,
    id: str = "",
    document: str = "",
    text: str = "",
    tokens: Sequence[Anchor] = (),
) -> Graph:
    """Lay relations of entities out: relation -role-> entity -mention-> mention.

    Args:
        relations: the relations.
        id: the item.
        document: the document that it belongs to.
        text: the text that mentions are of.
        tokens: character ranges of the tokens, if mentions count tokens.

    Raises:
        StructureError: if a mention ends before it begins.
    """
    lay = Laying(tokens)
    in_order = lay.sorted(relations.relations)
    arguments = [
        [
            layout.Argument(arg.role, lay.entity(arg.entity.mentions))
            for arg in lay.sorted(relation.args)
        ]
        for relation in in_order
    ]
    for relation, fillers in zip(in_order, arguments, strict=True):
        lay.build.relation(relation.type, fillers)
    return lay.graph(id, RELATIONS, document, text)


def nary_relations_of(graph: Graph, *, in_tokens: bool = False) -> NAryRelationSet:
    """The relations of a graph in the layout; a mention is an entity by itself.

    Args:
        graph: a graph of the framework ``relation``.
        in_tokens: whether mentions count tokens, not characters.

    Raises:
        StructureError: if an argument is neither an entity nor a mention, or if a
            mention is not one range.
    """
    layer = Layer(graph, in_tokens)
    nary_relations = set()
    for node in layer.nodes(RELATION):
        args = set()
        for edge in layer.edges(node):
            kind = layer.kind(edge.target, ENTITY, MENTION)
            mentions = (
                layer.mentions(edge.target)
                if kind == ENTITY
                else frozenset({layer.mention(edge.target)})
            )
            args.add(RoleFillerEntity(named(edge.label), Entity(mentions)))
        nary_relations.add(NAryRelation(named(node.label), frozenset(args)))
    return NAryRelationSet(frozenset(nary_relations))


@dataclass(frozen=True)
class Trigger:
    """The words that evoke an event, and its type.

    Args:
        mention: the words.
        type: the type of the event.
    """

    mention: Mention
    type: str


@dataclass(frozen=True)
class EventArgument:
    """Participant of an event.

    Args:
        mention: its words.
        role: its role.
    """

    mention: Mention
    role: str


@dataclass(frozen=True)
class Event:
    """An event; its arguments count one by one.

    Args:
        trig: its trigger.
        args: its arguments.
    """

    trig: Trigger
    args: Annotated[frozenset[EventArgument], summed]


@dataclass(frozen=True)
class EventSet:
    """Output of event extraction (ArgF1, eq. 16; without *args* TrigF1, eq. 15).

    Args:
        events: the events.
    """

    events: frozenset[Event]


def event_graph(
    events: EventSet,
    *,
    id: str = "",
    document: str = "",
    text: str = "",
    tokens: Sequence[Anchor] = (),
) -> Graph:
    """Lay events out: mentions, then trigger -role-> mention.

    Args:
        events: the events.
        id: the item.
        document: the document that it belongs to.
        text: the text that mentions are of.
        tokens: character ranges of the tokens, if mentions count tokens.

    Raises:
        StructureError: if a mention ends before it begins.
    """
    lay = Laying(tokens)
    in_order = lay.sorted(events.events)
    arguments = [
        [
            layout.Argument(arg.role, lay.mention(arg.mention))
            for arg in lay.sorted(event.args)
        ]
        for event in in_order
    ]
    for event, fillers in zip(in_order, arguments, strict=True):
        anchor = event.trig.mention.anchor(tokens)
        lay.build.trigger(event.trig.type, (anchor,), fillers)
    return lay.graph(id, EVENTS, document, text)


def events_of(graph: Graph, *, in_tokens: bool = False) -> EventSet:
    """The events of a graph in the layout; their arguments must be mentions.

    Args:
        graph: a graph of the framework ``event``.
        in_tokens: whether mentions count tokens, not characters.

    Raises:
        StructureError: if an argument is an event, or a mention is not one range.
    """
    layer = Layer(graph, in_tokens)
    return EventSet(frozenset(event_of(layer, node) for node in layer.nodes(TRIGGER)))


def event_of(layer: Layer, node: Node) -> Event:
    """One event of a graph in the layout.

    Args:
        layer: the graph.
        node: a trigger.

    Raises:
        StructureError: if an argument is no mention, or a mention is not one range.
    """
    args = frozenset(
        EventArgument(layer.mention(edge.target), named(edge.label))
        for edge in layer.edges(node)
    )
    return Event(Trigger(layer.span(node), named(node.label)), args)
