"""Linked mentions, as the metrics of entity linking look at them.

A mention is where it is, its type, and what it is linked to: the entries of an
authority file that are correct for it, or ``NIL`` with or without a number.

>>> from graphscore.model.graph import Anchor
>>> said = ("kind", "mention"), ("authority", "NIL07")
>>> graph = Graph("1", "ner", nodes=(Node(0, "PER", said, (Anchor(0, 5),)),))
>>> [mention] = Linked(graph).mentions
>>> mention.entries, mention.nil, mention.cluster
((), True, 'NIL07')
"""

from __future__ import annotations

from typing import NamedTuple

from graphscore.metrics.entities.view import Place, is_mention, place_of
from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.authority import (
    AUTHORITY,
    NIL,
    NORMALIZATION,
    entries_of,
    is_nil,
)
from graphscore.structures.layout import type_name


class Mention(NamedTuple):
    """A mention and what it is linked to."""

    ordinal: int
    """Its node."""
    item: str
    document: str
    place: Place
    label: str
    entries: tuple[str, ...]
    """What it is linked to; the authority file may have several entries of it."""
    nil: bool
    """Whether it says that there is no entry."""
    cluster: str
    """What all mentions of the same thing share; empty where nothing is said."""

    @property
    def linked(self) -> bool:
        """Whether it is linked to an entry."""
        return bool(self.entries)


class Linked:
    """The mentions of a graph.

    Args:
        graph: of the framework ``ner``.

    Attributes:
        mentions: in the order of the nodes.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.mentions = [
            _mention(graph, ordinal, node)
            for ordinal, node in enumerate(graph.nodes)
            if is_mention(node)
        ]


def _mention(graph: Graph, ordinal: int, node: Node) -> Mention:
    entries = entries_of(node)
    nils = [
        str(value)
        for name, value in node.properties
        if name in (AUTHORITY, NORMALIZATION) and is_nil(str(value))
    ]
    nil = bool(nils) and not entries
    cluster = entries[0] if entries else ""
    if nil and nils[0].rpartition(":")[2] != NIL:
        cluster = nils[0]
    document = document_of(graph)
    place, label = place_of(node), type_name(node.label)
    return Mention(ordinal, graph.id, document, place, label, entries, nil, cluster)


def document_of(graph: Graph) -> str:
    """The document of a graph; one that names none is a document of its own."""
    return graph.document or graph.id
