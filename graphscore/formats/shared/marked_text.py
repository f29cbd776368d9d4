"""A text with mentions and relations among them, as many programs keep it.

It is two graphs, ``ner`` and ``relation``; both have the mentions.  Files do not say
that a layer was not annotated, so both are always given, as for brat.

>>> marked = MarkedText()
>>> marked.mention("PER", [Anchor(0, 5)], name="T1")
>>> marked.mention("ORG", [Anchor(14, 18)], name="T2")
>>> marked.relation("founded", [("Arg1", "T1"), ("Arg2", "T2")])
>>> ner, relation = marked.graphs("d1", "Jenny founded Acme")
>>> len(ner.nodes), len(relation.nodes), relation.edges[1].target
(2, 3, 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.shared.layers import Layer
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.writing import join_layers
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.layout import (
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    Argument,
    Extra,
    LayoutBuilder,
)

FRAMEWORKS = (NER, RELATIONS)
"""The layers of a marked text."""

INDEX = "index"
"""The property of an entity that identifies it, as for the metric ``docred``."""

_JOINT = re.compile("[|,;]")


class MarkedText:
    """A text on its way to its two graphs.

    Attributes:
        nodes: the mention, or entity, of each name.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, NodeId] = {}
        self._identified: dict[str, list[NodeId]] = {}
        self._layers = {framework: LayoutBuilder() for framework in FRAMEWORKS}

    def mention(
        self,
        label: Value,
        anchors: Iterable[Anchor],
        properties: Pairs = (),
        *,
        name: str = "",
        extra: Extra = (),
    ) -> None:
        """Add a mention; the first one of a name is what relations mean by it."""
        anchors = tuple(anchors)
        for build in self._layers.values():
            node = build.mention(label, anchors, properties, extra=extra)
            if name:
                self.nodes.setdefault(name, node)
        for identifier in _identifiers(properties):
            self._identified.setdefault(identifier, []).append(node)

    def identified(self, identifier: str) -> str:
        """Return the name of the entity that an identifier means, for relations.

        Its mentions are those with the identifier.  The property ``index`` says it,
        which is what the metric ``docred`` compares.
        """
        name = f"={identifier}"
        if name not in self.nodes:
            mentions = self._identified.get(identifier, ())
            properties = ((INDEX, identifier),)
            entity = self._layers[RELATIONS].entity(mentions, None, properties)
            self.nodes[name] = entity
        return name

    def relation(
        self,
        label: Value,
        ends: Iterable[tuple[str, str]],
        properties: Pairs = (),
        *,
        extra: Extra = (),
    ) -> None:
        """Add a relation of mentions that are there, by role and name."""
        arguments = [Argument(role, self.nodes[name]) for role, name in ends]
        build = self._layers[RELATIONS]
        build.relation(label, arguments, properties, extra=extra)

    def graphs(self, id: str, text: str, **fields: Any) -> list[Graph]:
        """Return both graphs, with fields as of :meth:`LayoutBuilder.graph`."""
        return [
            build.graph(id, framework, text=text, **fields)
            for framework, build in self._layers.items()
        ]

    def records(self, draft: RecordBuilder, text: str, **fields: Any) -> list[Record]:
        """Return both records, or the draft as a single bad one."""
        if draft.problems:
            return [draft.rejected()]
        ner, relation = self.graphs(draft.item, text, **fields)
        left_out, notes = tuple(draft.left_out), tuple(draft.notes)
        return [
            ReadGraph(draft.line, ner, left_out, notes),
            ReadGraph(draft.line, relation, left_out),
        ]


def _identifiers(properties: Pairs) -> set[str]:
    """Return what a mention is resolved to, each part of what is joined by itself."""
    joined = {str(value) for name, value in properties if name == AUTHORITY}
    return joined | {part for value in joined for part in _JOINT.split(value)}


class Marked(NamedTuple):
    """A text with mentions and relations on its way into a file."""

    graph: Graph
    mentions: list[Node]
    relations: list[tuple[Node, list[Edge]]]
    nodes: dict[NodeId, Node]
    """Mentions of relations, by id."""

    def names(self, key: str, prefix: str) -> dict[NodeId, str]:
        """Return what mentions are called: as ``extra`` says if no two are the same."""
        kept = [dict(node.extra).get(key) for node in self.mentions]
        distinct = len({*kept}) == len(kept) and all(isinstance(n, str) for n in kept)
        numbered = [f"{prefix}{number}" for number in range(1, len(kept) + 1)]
        names = map(str, kept if distinct else numbered)
        return {node.id: name for node, name in zip(self.mentions, names, strict=True)}


def marked_texts(graphs: Iterable[Graph], format: str) -> Iterator[Marked]:
    """Join the layers of each text.

    Args:
        graphs: what is written.
        format: the name of the format, as people call it.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for layers with different mentions.
    """
    for graphs_of_text in join_layers(graphs, FRAMEWORKS, format):
        first = next(iter(graphs_of_text.values()))
        layers = [Layer(graph) for graph in graphs_of_text.values()]
        mentions, last = layers[0].of(MENTION), layers[-1]
        if mentions != last.of(MENTION):
            # What only one layer says of a mention would come back in the other, too.
            found = f"other mentions in each layer of item {first.id!r}"
            raise InvalidGraphError(found, "the same ones")
        relations = [(node, last.edges(node.id)) for node in last.of(RELATION)]
        yield Marked(first, mentions, relations, last.nodes)


def one_range(node: Node, text: str) -> Anchor:
    """Return the range of a mention within a text.

    Raises:
        InvalidGraphError: if it has another number of them, or one outside the text.
    """
    inside = [a for a in node.anchors if 0 <= a.start < a.end <= len(text)]
    if len(node.anchors) != 1 or not inside:
        found = f"a node {node.id!r} of {len(inside)} ranges within the text"
        raise InvalidGraphError(found, "one range")
    return inside[0]
