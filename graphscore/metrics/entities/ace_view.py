"""The entities of one graph with their mentions, as the metric ``ace_value`` sees them.

In a graph of the framework ``coref`` entities have mentions; in one of the framework
``ner`` each mention is an entity by itself.  What an entity does not say of itself
(its type, its subtype) is what most of its mentions say.

>>> from graphscore.model.graph import Anchor
>>> from graphscore.structures import LayoutBuilder
>>> build = LayoutBuilder()
>>> ada = build.mention("PER", [Anchor(0, 3)], (("mention_type", "NAM"),))
>>> she = build.mention("PER", [Anchor(9, 12)], (("mention_type", "PRO"),))
>>> _ = build.entity([ada, she])
>>> table = Values("table", {"type": {"PER": 2.0}, "mention": {"NAM": 1.0, "PRO": 0.5}},
...                (), (), 0.75, 1.0)
>>> [entity] = Layout(build.graph("1", "coref", text="Ada says she"), table).entities
>>> entity.type, entity.worth, [mention.worth for mention in entity.mentions]
('PER', 2.0, [1.0, 0.5])
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphscore.metrics.entities.ace_table import CLASS, MENTION, TYPE, Values
from graphscore.metrics.entities.view import Place
from graphscore.model.anchors import unite
from graphscore.model.graph import Graph, Node, Value
from graphscore.structures.layout import ENTITY, TEXT, first_of, kind_of, type_name
from graphscore.structures.layout import MENTION as MENTION_NODE

MENTION_TYPE, HEAD = "mention_type", "head"
"""Properties of mentions."""

_RANGE = re.compile(r"(\d{1,18}):(\d{1,18})")


class Mention(NamedTuple):
    """A mention of one entity."""

    node: int
    """Ordinal of its node."""
    place: Place
    """Ranges of characters; ``((-1, -1, words),)`` for what is only a string."""
    head: Place | None
    """Those of its head, where the file says it."""
    type: str
    """``NAM``, ``NOM``, ``PRO``..."""
    worth: float
    said: tuple[str, ...]
    """What it says where it may be wrong, in the order of the table."""


class Entity(NamedTuple):
    """An entity, or a mention that stands for one."""

    node: int
    """Ordinal of its node."""
    type: str
    type_worth: float
    class_worth: float
    said: tuple[str, ...]
    """What it says where it may be wrong, in the order of the table."""
    mentions: tuple[Mention, ...]

    @property
    def worth(self) -> float:
        """What it is worth before its mentions are looked at."""
        return self.type_worth * self.class_worth

    @property
    def total(self) -> float:
        """What its mentions are worth together."""
        return sum(mention.worth for mention in self.mentions)

    @property
    def level(self) -> float:
        """What its best mention is worth."""
        return max((mention.worth for mention in self.mentions), default=0.0)


class Layout:
    """What is compared of one graph.

    Args:
        graph: a graph of the framework ``coref`` or ``ner``.
        values: the table.

    Attributes:
        entities: those that have a mention, in the order of their places.

    Raises:
        UsageError: if the table has no value for something.
    """

    __slots__ = ("entities", "graph", "values")

    def __init__(self, graph: Graph, values: Values) -> None:
        self.graph, self.values = graph, values
        found = [
            self._entity(ordinal, [*members])
            for ordinal, members in _members(graph)
            if members
        ]
        self.entities = sorted(found, key=_order)

    def _entity(self, ordinal: int, members: Sequence[int]) -> Entity:
        nodes = self.graph.nodes
        every = [nodes[ordinal], *(nodes[each] for each in members)]
        kind = said_by(every, TYPE)
        mentions = sorted(map(self._mention, members), key=_place_of)
        return Entity(
            ordinal,
            kind,
            self.values.of(TYPE, kind),
            self.values.of(CLASS, said_by(every, CLASS)),
            tuple(said_by(every, name) for name, _ in self.values.entity_errors),
            tuple(mentions),
        )

    def _mention(self, ordinal: int) -> Mention:
        node = self.graph.nodes[ordinal]
        kind = type_name(first_of(node.properties, MENTION_TYPE))
        return Mention(
            ordinal,
            _place(node),
            _head(node),
            kind,
            self.values.of(MENTION, kind),
            tuple(said_by([node], name) for name, _ in self.values.mention_errors),
        )


def said_by(nodes: Sequence[Node], name: str) -> str:
    """What an entity says of itself, or most of its mentions say.

    Args:
        nodes: the entity, then its mentions.
        name: a property, or ``type`` for the label.

    Returns:
        The first of those that are said most often, ``(none)`` where nobody says
        anything.
    """
    said: list[Value] = [
        node.label if name == TYPE else first_of(node.properties, name)
        for node in nodes
    ]
    if said[0] is None:
        there = Counter(type_name(each) for each in said[1:] if each is not None)
        if there:
            return max(there, key=there.__getitem__)
    return type_name(said[0])


def _members(graph: Graph) -> Iterable[tuple[int, list[int]]]:
    """Ordinals of entities and of their mentions."""
    if graph.framework != "coref":
        for ordinal, node in enumerate(graph.nodes):
            if kind_of(node) == MENTION_NODE:
                yield ordinal, [ordinal]
        return
    of = {node.id: ordinal for ordinal, node in enumerate(graph.nodes)}
    found: dict[int, list[int]] = {
        ordinal: []
        for ordinal, node in enumerate(graph.nodes)
        if kind_of(node) == ENTITY
    }
    for edge in graph.edges:
        one, two = of[edge.source], of[edge.target]
        if edge.label == MENTION_NODE and one in found:
            found[one].append(two)
    yield from found.items()


def _place(node: Node) -> Place:
    if node.anchors:
        return tuple((start, end) for start, end in unite(node.anchors))
    return ((-1, -1, str(first_of(node.properties, TEXT) or "")),)


def _head(node: Node) -> Place | None:
    written = _RANGE.fullmatch(str(first_of(node.properties, HEAD)))
    return ((int(written[1]), int(written[2])),) if written else None


_Standing = tuple[Place, str, tuple[str, ...]]


def _place_of(mention: Mention) -> _Standing:
    return mention.place, mention.type, mention.said


def _order(entity: Entity) -> tuple[list[_Standing], str, tuple[str, ...], float]:
    """Where an entity stands, whatever the order of the file."""
    places = [*map(_place_of, entity.mentions)]
    return places, entity.type, entity.said, entity.class_worth
