"""Coreference: entities as sets of mentions (section 3.2).

>>> ada = Entity(frozenset({Mention(0, 2), Mention(10, 12)}))
>>> graph = entity_graph(EntitySet(frozenset({ada})))
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[(2, 'mention', 0), (2, 'mention', 1)]
>>> entities_of(graph).entities == {ada}
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import COREF, ENTITY
from graphscore.structures.mentions import Mention
from graphscore.structures.objects.declarations import by_either, within
from graphscore.structures.objects.views import Layer, Laying


@dataclass(frozen=True)
class Entity:
    """Mentions of one thing; two are as alike as φ4 says (eq. 18).

    Args:
        mentions: its mentions.
    """

    mentions: frozenset[Mention]


@dataclass(frozen=True)
class EntitySet:
    """Output of coreference resolution (CEAF with φ4, eq. 19).

    Args:
        entities: the entities.
    """

    entities: frozenset[Entity]


@dataclass(frozen=True)
class Membership:
    """A mention with the entity that it belongs to.

    Args:
        mention: the mention.
        entity: the whole entity.
    """

    mention: Mention
    entity: Annotated[Entity, within(mentions=by_either)]


@dataclass(frozen=True)
class CorefOutputForB3:
    """Coreference, mention by mention (B³, eq. 23 and 24).

    Args:
        rels: every mention with its entity.
    """

    rels: Annotated[frozenset[Membership], by_either]

    @classmethod
    def of(cls, entities: EntitySet) -> CorefOutputForB3:
        """The same entities, mention by mention."""
        return cls(
            frozenset(
                Membership(mention, entity)
                for entity in entities.entities
                for mention in entity.mentions
            )
        )


def entity_graph(
    entities: EntitySet,
    *,
    id: str = "",
    document: str = "",
    text: str = "",
    tokens: Sequence[Anchor] = (),
) -> Graph:
    """Lay entities out: mentions, then entity -mention-> mention.

    Args:
        entities: the entities.
        id: the item.
        document: the document that it belongs to.
        text: the text that mentions are of.
        tokens: character ranges of the tokens, if mentions count tokens.

    Raises:
        StructureError: if a mention ends before it begins.
    """
    lay = Laying(tokens)
    for entity in lay.sorted(entities.entities):
        lay.entity(entity.mentions)
    return lay.graph(id, COREF, document, text)


def entities_of(graph: Graph, *, in_tokens: bool = False) -> EntitySet:
    """The entities of a graph in the layout.

    Args:
        graph: a graph of the framework ``coref``.
        in_tokens: whether mentions count tokens, not characters.

    Raises:
        StructureError: if a mention is not one range.
    """
    layer = Layer(graph, in_tokens)
    return EntitySet(
        frozenset(Entity(layer.mentions(node.id)) for node in layer.nodes(ENTITY))
    )
