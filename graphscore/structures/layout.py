"""Layout of mentions, entities, relations and events in the uniform graph.

Every node says as its first property what it is, its *kind*; its label is its
type.  Edges lead from what is built to what it is built of::

    text     Jenny founded Acme
    0        kind=mention  label=PER    anchors=[0:5]
    1        kind=mention  label=ORG    anchors=[14:18]
    2        kind=trigger  label=Start  anchors=[6:13]
    edges    2 -Agent-> 0    2 -Org-> 1

=========  ==================================================================
ner        mentions
relation   mentions, then relations; relation -role-> mention
event      mentions, then triggers, one an event; trigger -role-> mention, trigger
coref      mentions, then entities; entity -mention-> mention
template   mentions, entities and values, then templates; template -slot-> filler
sentiment  mentions, then opinions; opinion -holder-> mention, -target-> mention
=========  ==================================================================

Mentions come first, so that a layer can be compared with another by the
beginning of its nodes.  A mention without characters of its own carries its
words in the property ``text``.  Graphs have flavor 1 (anchored) and no tops.

>>> build = LayoutBuilder()
>>> jenny = build.mention("PER", [Anchor(0, 5)])
>>> acme = build.mention("ORG", [Anchor(14, 18)])
>>> start = build.trigger("Start", [Anchor(6, 13)],
...                       [Argument("Agent", jenny), Argument("Org", acme)])
>>> graph = build.graph("1", "event", text="Jenny founded Acme")
>>> [(kind_of(node), node.label) for node in graph.nodes]
[('mention', 'PER'), ('mention', 'ORG'), ('trigger', 'Start')]
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[(2, 'Agent', 0), (2, 'Org', 1)]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import (
    Anchor,
    Edge,
    Graph,
    Node,
    NodeId,
    Pairs,
    Value,
    json_type,
)

OBJECT = "structure"
"""The framework of graphs that are objects, whose nodes have no kinds."""

KIND = "kind"
"""The property that says what a node is; always the first."""

MENTION = "mention"
"""Words that refer to something; also the label of edges from entity to mention."""

ENTITY = "entity"
"""Kind of an entity, to which mentions refer."""

RELATION = "relation"
"""A relation between its arguments."""

TRIGGER = "trigger"
"""An event, anchored at the words that evoke it."""

TEMPLATE = "template"
"""A form whose slots are filled."""

OPINION = "opinion"
"""An opinion, anchored at the words that express it and labelled by its polarity."""

VALUE = "value"
"""A filler that is no mention: one of a closed set, a number."""

TOKEN = "token"
"""A word, where the sentence's words are nodes; :mod:`graphscore.structures.roles`."""

PREDICATE = "predicate"
"""Kind of a predicate, anchored at its word and labelled by its sense."""

ARGUMENT = "argument"
"""A labelled piece of an argument of one predicate."""

COMPONENT = "component"
"""A labelled piece of an entity tree; :mod:`graphscore.structures.entities.trees`."""

KINDS = (
    *(MENTION, ENTITY, RELATION, TRIGGER, TEMPLATE, VALUE),
    *(TOKEN, PREDICATE, ARGUMENT, COMPONENT, OPINION),
)
"""Everything that a node can be."""

NER, RELATIONS, EVENTS, COREF = "ner", "relation", "event", "coref"
"""Frameworks of the layers that annotated text has, in the order readers give them."""

LAYERS = (NER, RELATIONS, EVENTS, COREF)

ROLES = ("Arg1", "Arg2")
"""Roles of the subject and object of a relation."""

SENTIMENT = "sentiment"
"""The framework of opinions."""

HOLDER, TARGET = "holder", "target"
"""Labels of the edges from an opinion: who holds it, and what it is about."""

INTENSITY = "intensity"
"""The property of an opinion that says how strong it is."""

TEXT = "text"
"""The property with the words of a mention that has no anchors."""

GIVEN = "given"
"""The property of a mention that both sides were given: what it is called there."""

EQUIVALENT = "equivalent"
"""The property of mentions of which each may stand for the others: what the first one
is called."""

REPEATED, NUMBER = "trigger", "number"
"""The property of an event whose trigger is another one at the same place, of the same
type: its number there, from 2; and the attribute of an argument with the number of its
role, where that is not how many have the role so far."""

SCORE, PROBABILITY = "score", "probability"
"""Properties (of edges: attributes) that say how sure a system is."""

UNTYPED = "(none)"
"""Type shown in scores for a node without one."""

_FIRST = frozenset({MENTION, VALUE})
"""Kinds that come before all others."""

Extra = tuple[tuple[str, Any], ...]


class Argument(NamedTuple):
    """Filler of a role of a relation, an event or a template.

    Example:
        >>> Argument("Agent", "T1").role
        'Agent'
    """

    role: Value
    """The role or slot, as the file has it."""
    filler: NodeId
    """The id of a node, which need not be there yet."""
    attributes: Pairs = ()
    """Attributes of the edge."""
    extra: Extra = ()
    """Fields of the file that the model has no place for."""


class LayoutBuilder:
    """Builds one graph in the layout.

    Nodes get running numbers where no id is given.  Fillers may be named before
    they are added; :meth:`graph` checks that they are there.

    Example:
        >>> build = LayoutBuilder()
        >>> one, two = build.mention("PER", [Anchor(0, 2)]), build.mention(None)
        >>> entity = build.entity([one, two])
        >>> build.graph("1", "coref").edges[1].target
        1
    """

    def __init__(self) -> None:
        self._first: list[Node] = []
        self._then: list[Node] = []
        self._edges: list[Edge] = []
        self._taken: set[NodeId] = set()
        self._number = 0

    def __contains__(self, id: object) -> bool:
        """Return true if a node has that ID already."""
        return id in self._taken

    def mention(
        self,
        label: Value,
        anchors: Iterable[Anchor] = (),
        properties: Pairs = (),
        *,
        text: str | None = None,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add a mention.

        Args:
            label: its type, ``None`` where there is none.
            anchors: its characters; several ranges if it is discontinuous.
            properties: more of it, ``mention_type`` and the like.
            text: its words; a property where there are no anchors, else unused.
            id: what the node is called.
            extra: fields of the file that the model has no place for.

        Returns:
            The node's id.

        Raises:
            InvalidGraphError: if another node has the id.
        """
        anchors = tuple(anchors)
        if text is not None and not anchors:
            properties = ((TEXT, text), *properties)
        return self._add(MENTION, label, anchors, properties, id, extra)

    def value(
        self,
        label: Value,
        properties: Pairs = (),
        *,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add a filler that is no mention; its label is the value."""
        return self._add(VALUE, label, (), properties, id, extra)

    def entity(
        self,
        mentions: Iterable[NodeId],
        label: Value = None,
        properties: Pairs = (),
        *,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add an entity.

        Args:
            mentions: ids of its mentions, in order.
            label: its type, if it has one of its own.
            properties: more of it.
            id: what the node is called.
            extra: fields of the file that the model has no place for.

        Returns:
            The node's id.

        Raises:
            InvalidGraphError: if another node has the id.
        """
        arguments = [Argument(MENTION, mention) for mention in mentions]
        return self._with(arguments, ENTITY, label, (), properties, id, extra)

    def relation(
        self,
        label: Value,
        arguments: Iterable[Argument],
        properties: Pairs = (),
        *,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add a relation.

        Args:
            label: its type.
            arguments: roles and their fillers, in order.
            properties: ``subtype`` and the like.
            id: what the node is called.
            extra: fields of the file that the model has no place for.

        Returns:
            The node's id.

        Raises:
            InvalidGraphError: if another node has the id.
        """
        return self._with(arguments, RELATION, label, (), properties, id, extra)

    def trigger(
        self,
        label: Value,
        anchors: Iterable[Anchor] = (),
        arguments: Iterable[Argument] = (),
        properties: Pairs = (),
        *,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add an event.

        Args:
            label: its type.
            anchors: the characters of its trigger; events may share them.
            arguments: roles and their fillers, in order.
            properties: more of it.
            id: what the node is called.
            extra: fields of the file that the model has no place for.

        Returns:
            The node's id.

        Raises:
            InvalidGraphError: if another node has the id.
        """
        result = tuple(anchors)
        return self._with(arguments, TRIGGER, label, result, properties, id, extra)

    def opinion(
        self,
        polarity: Value,
        anchors: Iterable[Anchor] = (),
        roles: Iterable[Argument] = (),
        properties: Pairs = (),
        *,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add an opinion, anchored at its expression, with its holder and target.

        Args:
            polarity: its label, ``None`` where it has none.
            anchors: the characters of the expression; several ranges if it is
                discontinuous.
            roles: who holds it and what it is about.
            properties: ``intensity`` and the like.
            id: what the node is called.
            extra: fields of the file that the model has no place for.

        Returns:
            The node's id.

        Raises:
            InvalidGraphError: if another node has the id.
        """
        result = tuple(anchors)
        return self._with(roles, OPINION, polarity, result, properties, id, extra)

    def template(
        self,
        label: Value,
        slots: Iterable[Argument],
        properties: Pairs = (),
        *,
        id: NodeId | None = None,
        extra: Extra = (),
    ) -> NodeId:
        """Add a template with its slots and their fillers."""
        return self._with(slots, TEMPLATE, label, (), properties, id, extra)

    def link(
        self,
        source: NodeId,
        target: NodeId,
        label: Value,
        attributes: Pairs = (),
        *,
        extra: Extra = (),
    ) -> None:
        """Add an edge that is no argument: from an entity to another one.

        Args:
            source: the id of a node.
            target: the id of a node, which need not be there yet.
            label: what the edge says.
            attributes: more of it.
            extra: fields of the file that the model has no place for.

        Raises:
            InvalidGraphError: if the source is not there.
        """
        if source not in self._taken:
            raise InvalidGraphError(f"an edge from {source!r}", "the id of a node")
        self._edges.append(
            Edge(source, target, label, attributes=attributes, extra=extra)
        )

    def graph(
        self,
        id: str,
        framework: str,
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
            framework: the layer: ``ner``, ``relation``, ``event``, ``coref``...
            document: the document that the item belongs to.
            language: ISO code, empty when absent.
            text: the annotated text, of which anchors are ranges.
            tokens: character ranges of the tokens, where there are any.
            extra: remaining fields of the file.

        Raises:
            InvalidGraphError: if a filler or mention is not there.
        """
        for edge in self._edges:
            if edge.target not in self._taken:
                raise InvalidGraphError(
                    f"a filler {edge.target!r} of {edge.source!r}", "the id of a node"
                )
        return Graph(
            id,
            framework,
            1,
            language,
            document,
            text,
            tokens,
            (*self._first, *self._then),
            tuple(self._edges),
            (),
            {} if extra is None else extra,
        )

    def _with(
        self,
        arguments: Iterable[Argument],
        kind: str,
        label: Value,
        anchors: tuple[Anchor, ...],
        properties: Pairs,
        id: NodeId | None,
        extra: Extra,
    ) -> NodeId:
        source = self._add(kind, label, anchors, properties, id, extra)
        for role, filler, attributes, more in arguments:
            self._edges.append(
                Edge(source, filler, role, attributes=attributes, extra=more)
            )
        return source

    def _add(
        self,
        kind: str,
        label: Value,
        anchors: tuple[Anchor, ...],
        properties: Pairs,
        id: NodeId | None,
        extra: Extra,
    ) -> NodeId:
        if id is None:
            while self._number in self._taken:
                self._number += 1
            id = self._number
        elif id in self._taken:
            raise InvalidGraphError(f"two nodes {id!r}", "an id for each node")
        self._taken.add(id)
        nodes = self._first if kind in _FIRST else self._then
        nodes.append(Node(id, label, ((KIND, kind), *properties), anchors, extra))
        return id


def first_of(pairs: Pairs, name: str) -> Value:
    """The first value of that name; ``None`` where there is none.

    >>> first_of((("kind", "mention"), ("kind", "x")), "kind")
    'mention'
    """
    for key, value in pairs:
        if key == name:
            return value
    return None


def type_name(label: Value) -> str:
    """A type as scores and rules name it.

    >>> type_name("PER"), type_name(None), type_name(7)
    ('PER', '(none)', '7')
    """
    if isinstance(label, str):
        return label or UNTYPED
    return UNTYPED if label is None else json_type(label)[1]


def kind_of(node: Node) -> str | None:
    """Return the kind of a node: one of :data:`KINDS`, or ``None`` outside the layout.

    >>> kind_of(Node(0, "PER", (("kind", "mention"),))), kind_of(Node(0, "dog"))
    ('mention', None)
    """
    result = first_of(node.properties, KIND)
    return result if isinstance(result, str) and result in KINDS else None


def nodes_of(graph: Graph, kind: str) -> list[Node]:
    """The nodes of a kind, in order.

    Args:
        graph: a graph in the layout.
        kind: one of :data:`KINDS`.
    """
    return [node for node in graph.nodes if kind_of(node) == kind]
