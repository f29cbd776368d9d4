"""Events with triggers and arguments (section 3.1).

>>> start = Event(Trigger(Mention(6, 12), "Start"),
...               frozenset({Argument(Mention(0, 4), "Agent")}))
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
from graphscore.structures.layout import EVENTS, TRIGGER
from graphscore.structures.mentions import Mention
from graphscore.structures.objects.declared import summed
from graphscore.structures.objects.views import Layer, Laying, named


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
class Argument:
    """What takes part in an event.

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
    args: Annotated[frozenset[Argument], summed]


@dataclass(frozen=True)
class EventSet:
    """What event extraction gives (ArgF1, eq. 16; without *args* TrigF1, eq. 15).

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
    found = lay.sorted(events.events)
    arguments = [
        [
            layout.Argument(each.role, lay.mention(each.mention))
            for each in lay.sorted(event.args)
        ]
        for event in found
    ]
    for event, fillers in zip(found, arguments, strict=True):
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
        Argument(layer.mention(edge.target), named(edge.label))
        for edge in layer.edges(node)
    )
    return Event(Trigger(layer.span(node), named(node.label)), args)
