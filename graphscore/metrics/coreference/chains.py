"""A document's entities as lists of mentions, laid out for counting.

A *mention* here is one membership: a span that two entities share is two mentions.
What makes two mentions the same is their key, so that comparing two documents
begins with looking keys up.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> def node(name, kind, *ranges):
...     return Node(name, None, (("kind", kind),), tuple(Anchor(*r) for r in ranges))
>>> nodes = (node("a", "mention", (0, 3)), node("b", "mention", (8, 11)),
...          node("e", "entity"))
>>> edges = (Edge("e", "a", "mention"), Edge("e", "b", "mention"))
>>> chains = lay_out(Graph("1", "coref", nodes=nodes, edges=edges), MentionOptions())
>>> chains.nodes, chains.owner, chains.sizes
([0, 1], [0, 0], [2])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain, count, repeat
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from graphscore.model.anchors import visible_ranges
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.model.token_variants import differ, move_ranges
from graphscore.structures.layout import first_of

Mentions = Literal["exact", "partial", "head"]
"""When a gold and a system mention are the same."""

Singletons = Literal["keep", "drop"]
Zeros = Literal["linear", "dependent"]
Split = Literal["drop", "exact"]
Preset = Literal["none", "perl", "corefud"]
Spans = Literal["characters", "offsets"]
"""Span convention: ignore white space at the ends, or compare every offset."""

Key = Hashable

Membership = tuple[int, int, Key]
"""Node ordinals of an entity and of a mention, and the key of the mention."""

Columns = Sequence[Sequence[Any]]
"""The same of many mentions, by column."""

MEMBER = "mention"
"""Label of the edges from an entity to its mentions."""

SPLIT = "split_antecedent"
"""Label of the edges from an entity to those it is made of."""


class MentionOptions(NamedTuple):
    """Options for reading mentions: which ones count, and how they are compared."""

    mentions: Mentions = "exact"
    singletons: Singletons = "keep"
    zeros: Zeros = "linear"
    split: Split = "drop"
    preset: Preset = "none"
    spans: Spans = "characters"


class Chains:
    """The entities of one document.

    Args:
        graph: where they come from.
        reading: what was looked at.
        columns: the mentions of each entity, those of one entity together.
    """

    def __init__(self, graph: Graph, reading: MentionOptions, columns: Columns) -> None:
        self.graph, self.reading = graph, reading
        self.origin = graph
        """The document as it was given, where the graph has been moved."""
        self.columns = columns
        entities, nodes, keys = columns
        sizes = Counter(entities)
        self.entities = list(sizes)
        """Node ordinal of each entity."""
        self.sizes = list(sizes.values())
        """Number of mentions of each entity."""
        self.owner = [*chain.from_iterable(map(repeat, count(), self.sizes))]
        """Position of each mention's entity."""
        self.nodes: Sequence[int] = nodes
        """Node ordinal of each mention, that of its entity for a split antecedent."""
        self.keys: Sequence[Key] = keys
        """Key of each mention."""
        self.first = dict(zip(keys, count(), strict=False))
        """The first mention with each key."""
        self.repeated: dict[Key, list[int]] = {}
        """All mentions with a key, of those that several entities share."""
        if len(self.first) < len(keys):
            self.first.clear()
            for index, key in enumerate(keys):
                first = self.first.setdefault(key, index)
                if first != index:
                    self.repeated.setdefault(key, [first]).append(index)
        self.copies = len(keys) - len(self.first)
        """Number of mentions that repeat one of another entity, or of their own."""
        self._kept: dict[str, Any] = {}

    def put(self, name: str, value: object) -> None:
        """Keep a value under a name, in place of an earlier one."""
        self._kept[name] = value

    def got(self, name: str) -> Any:
        """Return the value cached under a name, or ``None``."""
        return self._kept.get(name)

    def once(self) -> Chains:
        """The same entities, each key in the first of them that has it.

        That is how the reference scorer (8.01, ``IdentifMentions``) treats repeated
        mentions of a response.
        """
        return self._once if self.repeated else self

    @cached_property
    def _once(self) -> Chains:
        result = lay_out(self.graph, self.reading, True)
        result.origin = self.origin
        return result

    def node(self, mention: int) -> Node:
        """The node of a mention."""
        return self.graph.nodes[self.nodes[mention]]

    def head(self, mention: int) -> Value:
        """The head of a mention, as :func:`head_of` has it."""
        bare = leaves_blanks(self.graph, self.reading)
        return head_of(self.graph, self.node(mention), bare)

    def beside(self, opposite: Chains) -> Chains:
        """The same entities, in the words of the other side.

        Args:
            opposite: entities of a document with the same words.
        """
        if not differ(opposite.graph, self.graph):
            return self
        kept: tuple[Graph, Chains] | None = self.got("beside")
        if kept is None or kept[0] is not opposite.graph:
            result = lay_out(move_ranges(self.graph, opposite.graph), self.reading)
            result.origin = self.graph
            kept = opposite.graph, result
            self.put("beside", kept)
        return kept[1]

    @cached_property
    def zero(self) -> list[bool]:
        """For each mention, true if it is an empty node."""
        nodes = self.graph.nodes
        return [first_of(nodes[node].properties, "zero") is True for node in self.nodes]


def columns_of(memberships: Iterable[Membership]) -> Columns:
    """Return mentions by column.

    Args:
        memberships: the mentions of each entity, those of one entity together.
    """
    return [*zip(*memberships, strict=True)] or ((), (), ())


def lay_out(
    graph: Graph, reading: MentionOptions, once: bool = False, *, copies: bool = False
) -> Chains:
    """The entities of a document.

    An entity is a set of mentions: what is said twice of one counts once.

    Args:
        graph: a document in the layout of coreference: entity nodes with edges
            ``mention`` to what refers to them.  Mentions of no entity are no part
            of coreference.
        reading: what of it is looked at.
        once: whether a key counts only in the first entity that has it.
        copies: whether what is said twice of an entity counts twice.
    """
    ordinal_of, nodes = graph.ordinals(), graph.nodes
    bare = leaves_blanks(graph, reading)
    # Most mentions are only that, and one range.
    plain = None if bare or reading.mentions == "head" else _MENTION
    owners, mentions, keys = list[int](), list[int](), list[Key]()
    parts: list[tuple[int, int]] = []
    for edge in graph.edges:
        if edge.label == MEMBER:
            mention = ordinal_of[edge.target]
            node = nodes[mention]
            key: Key
            anchors = node.anchors
            if node.properties == plain and len(anchors) == 1:
                start, end = anchors[0]
                key = start << 32 | end
            else:
                key = _key(graph, node, reading, bare)
            owners.append(ordinal_of[edge.source])
            mentions.append(mention)
            keys.append(key)
        elif edge.label == SPLIT and reading.split == "exact":
            parts.append((ordinal_of[edge.source], ordinal_of[edge.target]))
    columns: Columns = owners, mentions, keys
    sources = {*owners, *chain.from_iterable(parts)}
    entities = {k for k in sources if first_of(nodes[k].properties, "kind") == "entity"}
    if len(entities) < len(sources) or owners != sorted(owners):
        rows = [row for row in zip(*columns, strict=True) if row[0] in entities]
        columns = columns_of(sorted(rows, key=_ENTITY))
    chains = Chains(graph, reading, columns)
    if not (parts or chains.repeated) and reading.singletons == "keep":
        return chains
    memberships, doubles = _distinct([*zip(*columns, strict=True)], once)
    if parts:
        made_of_others = _split(parts, entities, memberships)
        memberships = sorted([*memberships, *made_of_others], key=_ENTITY)
    if reading.singletons == "drop":
        sizes = Counter(map(_ENTITY, memberships))
        memberships, doubles = (
            [value for value in values if sizes[value[0]] > 1]
            for values in (memberships, doubles)
        )
    if copies and doubles:
        memberships = sorted([*memberships, *doubles], key=_ENTITY)
    chains = Chains(graph, reading, columns_of(memberships))
    chains.copies += 0 if copies else len(doubles)
    return chains


_MENTION = (("kind", "mention"),)

_ENTITY = itemgetter(0)


def _distinct(
    memberships: list[Membership], once: bool
) -> tuple[list[Membership], list[Membership]]:
    """Memberships without those that repeat others, and these.

    Args:
        memberships: in order of their entities.
        once: whether a key counts only in the first entity that has it.

    Returns:
        What repeats a key of another entity is in neither.
    """
    firsts: dict[Key, int] = {}
    kept: list[Membership] = []
    doubles: list[Membership] = []
    for membership in memberships:
        entity, mention, key = membership
        name = key if once else (entity, key)
        if name not in firsts:
            firsts[name] = mention
            kept.append(membership)
        elif not once and firsts[name] != mention:
            doubles.append(membership)
    return kept, doubles


def _split(
    parts: Sequence[tuple[int, int]],
    entities: set[int],
    memberships: Sequence[Membership],
) -> list[Membership]:
    """A mention for each entity that is made of others, known by what those are."""
    members: dict[int, set[Key]] = {entity: set() for entity in entities}
    for entity, _, key in memberships:
        members[entity].add(key)
    keys: dict[int, set[Key]] = {}
    for entity, part in parts:
        if entity in members and part in members:
            keys.setdefault(entity, set()).add(frozenset(members[part]))
    return [(entity, entity, (SPLIT, frozenset(key))) for entity, key in keys.items()]


def _key(graph: Graph, node: Node, reading: MentionOptions, bare: bool) -> Key:
    """Return what makes a mention the same as others."""
    key = _by_place(graph, node, bare)
    return (key, head_of(graph, node, bare)) if reading.mentions == "head" else key


def _by_place(graph: Graph, node: Node, bare: bool) -> Key:
    """Return the key of a mention: its ranges, its empty nodes, or its string.

    Args:
        graph: its document.
        node: the mention.
        bare: whether white space at the ends of ranges is left aside.
    """
    anchors, properties = node.anchors, node.properties
    if bare and any(_padded(graph.text, *anchor) for anchor in anchors):
        anchors = tuple(
            Anchor(*visible_range_)
            for visible_range_ in visible_ranges(anchors, graph.text)
        )
    ranges: Key
    if len(anchors) == 1:
        # Numbers are found faster than pairs of them.
        ranges = anchors[0][0] << 32 | anchors[0][1]
    else:
        ranges = joined(graph.text, anchors)
        if len(ranges) == 1:
            ranges = ranges[0][0] << 32 | ranges[0][1]
    if len(properties) > 1:
        words = [value for name, value in properties if name == "word"]
        if words:
            return ranges, frozenset(words)
    if anchors:
        return ranges
    text = first_of(properties, "text")
    # What says nothing of itself is like nothing else.
    return object() if text is None else ("text", str(text))


def _padded(text: str, start: int, end: int) -> bool:
    """Return true if a range begins or ends with white space."""
    return text[start : start + 1].isspace() or text[end - 1 : end].isspace()


def joined(text: str, anchors: Sequence[Anchor]) -> tuple[tuple[int, int], ...]:
    """Ranges in order; those with nothing but blanks between them are one.

    Args:
        text: the annotated text.
        anchors: ranges of a mention.

    Example:
        >>> joined("the old dog", [Anchor(4, 7), Anchor(0, 3), Anchor(9, 11)])
        ((0, 7), (9, 11))
    """
    result: list[tuple[int, int]] = []
    for start, end in sorted(anchors):
        if result and (start <= result[-1][1] or text[result[-1][1] : start].isspace()):
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return tuple(result)


def leaves_blanks(graph: Graph, reading: MentionOptions) -> bool:
    """Return whether white space at the ends of mentions is left aside.

    Tokens are equal or not, whatever they are written with.

    Args:
        graph: a document.
        reading: how it is read.
    """
    return reading.spans == "characters" and not graph.tokens


def head_of(graph: Graph, node: Node, bare: bool) -> Value:
    """The head of a mention, as ``START:END`` or the name of an empty node.

    Args:
        graph: its document.
        node: the mention.
        bare: whether white space at the ends of ranges is left aside.

    Returns:
        The property ``head``; without one the word of a mention that is only one,
        else ``None``.
    """
    head = first_of(node.properties, "head")
    if head is not None:
        return head
    if not node.anchors:
        words = [value for name, value in node.properties if name == "word"]
        return words[0] if len(words) == 1 else None
    if len(node.anchors) != 1:
        return None
    ranges = visible_ranges(node.anchors, graph.text) if bare else node.anchors
    if len(ranges) != 1:
        return None
    [(start, end)] = ranges
    # Where there is no text nobody knows whether a range is one word.
    covered = graph.text[start:end] or " "
    return None if any(map(str.isspace, covered)) else f"{start}:{end}"
