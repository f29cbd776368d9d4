"""The entities of one graph, as the metric ``ner`` looks at them.

An entity is its type and its *place*: ranges of characters, touching ones united and
white space left out where the metric says so, or its words where it is only a string.

>>> from graphscore.model.graph import Anchor, Node
>>> one = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 5),))
>>> two = Node(1, "LOC", (("kind", "mention"), ("tags", "I")), (Anchor(6, 10),))
>>> graph = Graph("1", "ner", text="Jenny Rome", nodes=(one, two),
...               tokens=(Anchor(0, 5), Anchor(6, 10)))
>>> view = Entities(graph)
>>> view.entities
[('PER', ((0, 5),)), ('LOC', ((6, 10),))]
>>> Entities(graph, "auto").entities
[('PER', ((0, 5),))]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Literal

from graphscore.exceptions import GraphscoreError
from graphscore.model.anchors import unite, visible_ranges
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.model.outcome import CountKey, RawCounts
from graphscore.structures.entities.authority import AUTHORITY, NORMALIZATION
from graphscore.structures.entities.span_types import (
    EXPECTED_TYPE,
    untyped,
    without_type,
)
from graphscore.structures.entities.tags import (
    TAGS,
    AnyScheme,
    is_tagged,
    well_formed,
)
from graphscore.structures.layout import (
    KIND,
    MENTION,
    TEXT,
    UNTYPED,
    first_of,
    type_name,
)

Place = tuple[tuple[Any, ...], ...]
"""Ranges of characters; ``((-1, -1, words),)`` for what is only a string."""

Entity = tuple[str, Place]
"""Type and place; equal entities cannot be told apart."""

Key = tuple[str, Any]
"""Type, and what equal entities of one text have in common."""

Spans = Literal["characters", "offsets"]
"""Span convention: ignore white space at the ends, or compare every offset."""

TUPLE_TYPES = ("strict", "exact", "partial", "type")

ALIGNED = "aligned"
"""Kind of the raw counts that say how entities correspond; their label is the type."""

APART = {schema: f"{ALIGNED}_{schema}" for schema in ("exact", "type")}
"""Kinds of these raw counts where schemas have alignments of their own; those of
``partial`` are those of ``exact``, and those of ``strict`` are of the usual kind."""

TOKENS = "tokens"
"""Kind of the raw counts that accuracy is made of."""

LINKS = "links"
"""Kind of the raw counts that say how many spans have links, which are not compared."""

RELATIONS = ("equal", "place", "typed", "overlap")
"""Quantities of the raw counts of alignment, by the relation of two entities: equal;
same place, other type; overlap, same type; overlap, other type."""

OTHER_SIDE = ("equal", "place_system", "typed", "overlap_system")
"""Likewise by the type of the system entity, where that may be another."""


class Entities:
    """Entities of one graph, prepared for comparing.

    Args:
        graph: a graph of the framework ``ner``.
        strict: the scheme that forbids entities whose tags it does not allow;
            ``None`` keeps all.
        once: whether entities of equal type and place are one.
        spans: whether white space in places counts.

    Attributes:
        entities: type and place of each, in the order of the nodes.
        keys: what tells entities of one text apart: the entities, or where all are
            tagged their types and characters, which are known sooner.
        nodes: the ordinal of each.
        counts: how many of each type there are, in order.
        types: the types that there are.
        typed: whether there is any.
        all_tagged: whether all nodes are entities of tags, of one range of characters
            and a type that is a string or none, of which nothing else is said, and all
            of them count.
    """

    def __init__(
        self,
        graph: Graph,
        strict: AnyScheme | None = None,
        once: bool = False,
        spans: Spans = "offsets",
    ) -> None:
        self.graph = graph
        self.spans = spans
        self._strict, self._once = strict, once

    def __getattr__(self, name: str) -> Any:
        """Look at the nodes once something is asked about them."""
        if name == "entities":
            self.entities = self.at(range(len(self.nodes)))
        elif name in _OF_NODES:
            self.look()
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def look(self) -> None:
        """Look at the nodes, once: which are entities, and how many of each type.

        Needed by who asks for many things at once; it is done whenever one is asked.
        """
        if "keys" in self.__dict__:
            return
        counts: dict[str, int] = {}
        tagged = not (self._once or self._strict)
        keys = _tagged(self.graph.nodes, counts) if tagged else None
        self.all_tagged = keys is not None
        if keys is None:
            keys = self.entities = self._counting(counts)
        else:
            self.nodes: Sequence[int] = range(len(keys))
        self.keys: Sequence[Key] = keys
        self.counts: TypeCounts = tuple(counts.items())
        self.types = counts.keys()
        self.typed = len(counts) > (UNTYPED in counts)

    def _counting(self, counts: dict[str, int]) -> list[Entity]:
        """Return the entities that count, whatever nodes there are; count the types."""
        counts.clear()
        entities: list[Entity] = []
        ordinals: list[int] = []
        nodes = [
            (ordinal, node)
            for ordinal, node in enumerate(self.graph.nodes)
            if is_mention(node)
        ]
        if self._strict is not None:
            nodes = _allowed(self.graph, nodes, self._strict)
        seen: set[Entity] = set()
        for ordinal, node in nodes:
            entity = self._entity(node)
            if self._once:
                if entity in seen:
                    continue
                seen.add(entity)
            entities.append(entity)
            ordinals.append(ordinal)
            counts[entity[0]] = counts.get(entity[0], 0) + 1
        self.nodes = tuple(ordinals)
        return entities

    def at(self, positions: Iterable[int]) -> list[Entity]:
        """Return some of the entities.

        Args:
            positions: which, by number.
        """
        nodes, ordinals = self.graph.nodes, self.nodes
        return [self._entity(nodes[ordinals[position]]) for position in positions]

    def alike(self, other: Entities) -> bool:
        """Return whether another graph has the same tags on the same text.

        Args:
            other: its entities, prepared in the same way.
        """
        own, others = self.graph, other.graph
        return (
            self.all_tagged
            and own.nodes == others.nodes
            and own.text == others.text
            and own.tokens == others.tokens
        )

    def _entity(self, node: Node) -> Entity:
        """The type of a mention, and its place, whatever it is made of."""
        label, anchors, visible = node.label, node.anchors, self.spans != "offsets"
        if visible and len(anchors) == 1 and type(label) is str:
            start, end = anchors[0]
            entity = _of_words(label, start, end, self.graph.text[start:end])
            if entity is not None:
                return entity
        if not (visible and anchors):
            return type_name(label), place_of(node)
        place = visible_ranges(anchors, self.graph.text, ends=is_tagged(node))
        return type_name(label), place

    def on_tokens(self, positions: Iterable[int] | None = None) -> list[Entity]:
        """Return the entities on tokens: what was tagged is so in all of them.

        Args:
            positions: which of them; by default all.
        """
        if positions is None:
            positions = range(len(self.keys))
        keys = self.keys
        if self.all_tagged:
            return [(keys[k][0], (keys[k][1],)) for k in positions]
        ordinals, nodes = self.nodes, self.graph.nodes
        return [
            (keys[k][0], place_of(nodes[ordinals[k]]))
            if is_tagged(nodes[ordinals[k]])
            else self.entities[k]
            for k in positions
        ]


_OF_NODES = frozenset(("keys", "nodes", "counts", "types", "typed", "all_tagged"))
"""Attributes that are made of the nodes of a graph."""


def _tagged(nodes: Iterable[Node], counts: dict[str, int]) -> list[Key] | None:
    """Return types and characters of nodes, if all are entities of tags.

    Args:
        nodes: the nodes.
        counts: get the number of each type.
    """
    keys: list[Key] = []
    for node in nodes:
        label, properties, anchors = node.label, node.properties, node.anchors
        if (
            len(anchors) != 1
            or len(properties) != 2
            or properties[0] != _MENTION
            or properties[1][0] != TAGS
            or not (type(label) is str or label is None)
        ):
            return None
        name = label or UNTYPED
        counts[name] = counts.get(name, 0) + 1
        keys.append((name, anchors[0]))
    return keys


def keys_of(gold: Entities, system: Entities) -> tuple[Sequence[Key], Sequence[Key]]:
    """Return what tells the entities of two graphs apart.

    Args:
        gold: gold entities.
        system: the system's, prepared in the same way.
    """
    if gold.all_tagged and system.all_tagged and gold.graph.text == system.graph.text:
        return gold.keys, system.keys
    return gold.entities, system.entities


TypeCounts = tuple[tuple[str, int], ...]
"""Types of a graph in order, and how many entities have each: many graphs are alike."""


def amounts(gold: Entities, system: Entities) -> RawCounts:
    """Return the raw counts of both sides, however they correspond.

    Args:
        gold: gold entities.
        system: the system's.
    """
    raw_counts: RawCounts = {}
    _add_side(raw_counts, "gold", gold.counts, len(gold.keys))
    if gold.graph.tokens:
        raw_counts[TOKENS, "", "gold"] = len(gold.graph.tokens)
    _add_side(raw_counts, "system", system.counts, len(system.keys))
    if system.graph.tokens:
        raw_counts[TOKENS, "", "system"] = len(system.graph.tokens)
    return raw_counts


def _add_side(raw_counts: RawCounts, side: str, counts: TypeCounts, total: int) -> None:
    """Add how many entities a side has, and how many of each type."""
    if total:
        for key in _TOTALS[side]:
            raw_counts[key] = total
        for label, count in counts:
            raw_counts[ALIGNED, label, side] = count


_TOTALS = {
    quantity: [(tuple_type, "", quantity) for tuple_type in TUPLE_TYPES]
    for quantity in ("gold", "system", "matched")
}
"""The keys of the raw counts of all schemas."""


def equal_counts(entities: Entities) -> RawCounts:
    """Return the raw counts of two sides with the same entities and tokens.

    Args:
        entities: those of either side.
    """
    tokens = len(entities.graph.tokens)
    raw_counts = _equal_counts(entities.counts, tokens > 0).copy()
    if tokens:
        for quantity in _TOTALS:
            raw_counts[TOKENS, "", quantity] = tokens
    return raw_counts


@lru_cache(maxsize=1 << 12)
def _equal_counts(counts: TypeCounts, tokens: bool) -> RawCounts:
    """The raw counts of two equal sides, with room for the number of tokens."""
    raw_counts: RawCounts = {}
    total = sum(count for _, count in counts)
    for side in ("gold", "system"):
        _add_side(raw_counts, side, counts, total)
        if tokens:
            raw_counts[TOKENS, "", side] = 0
    if counts:
        raw_counts[ALIGNED, "", RELATIONS[0]] = total
        for key in _TOTALS["matched"]:
            raw_counts[key] = total
    for label, count in counts:
        raw_counts[ALIGNED, label, RELATIONS[0]] = count
    if tokens:
        raw_counts[TOKENS, "", "matched"] = 0
    return raw_counts


@lru_cache(maxsize=1 << 14)
def _of_words(label: str, start: int, end: int, covered: str) -> Entity | None:
    """An entity of words with a blank between each two; nothing of other texts.

    Args:
        label: its type.
        start: where it begins.
        end: one past its end.
        covered: the text there.
    """
    if start < 0 or len(covered) != end - start or " ".join(covered.split()) != covered:
        return None
    span = visible_ranges((Anchor(start, end),), " " * start + covered)
    return type_name(label), span


_MENTION = (KIND, MENTION)


def is_mention(node: Node) -> bool:
    """Return true if a node is a mention."""
    properties = node.properties
    return bool(properties) and properties[0] == _MENTION


def check_types(gold: Iterable[Graph], system: Iterable[Graph]) -> None:
    """Fail if the spans of one side have types and those of the other have none.

    Tags without a type say so themselves.

    Args:
        gold: gold graphs.
        system: the system's.

    Raises:
        GraphscoreError: naming the first span without a type.
    """
    (gold_bare, gold_typed), (system_bare, system_typed) = map(_typing, (gold, system))
    for name, bare, typed in (
        ("gold", gold_bare, system_typed),
        ("the system", system_bare, gold_typed),
    ):
        if bare is not None and typed:
            graph, node = bare
            keys = [key for key, _ in node.extra]
            raise GraphscoreError(
                f"item {graph.id}: span {words_of(graph, node)!r} of {name}: found "
                f"{untyped(keys)}, expected {EXPECTED_TYPE}, as on the other side"
            )


def _typing(graphs: Iterable[Graph]) -> tuple[tuple[Graph, Node] | None, bool]:
    """Return the first mention, if none has a type or tags; and whether any has one."""
    first: tuple[Graph, Node] | None = None
    for graph in graphs:
        bare, typed = without_type(graph)
        if typed:
            return None, True
        if first is None and bare is not None:
            first = graph, bare
    return first, False


def remark_untyped(
    metric: object, raw_counts: Mapping[CountKey, int | float], tuple_type: str
) -> Iterator[str]:
    """Yield what is said where spans have no type.

    Args:
        metric: what compares them.
        raw_counts: summed raw counts.
        tuple_type: the raw counts that are also counted by type.
    """
    named = {label for part, label, _ in raw_counts if part == tuple_type and label}
    bare = [
        raw_counts.get((tuple_type, UNTYPED, side), 0) for side in ("gold", "system")
    ]
    if named == {UNTYPED}:
        yield f"{metric}: no span of either side has a type: types are not compared"
    elif any(bare):
        yield (
            f"{metric}: {bare[0]:g} of the spans of gold and {bare[1]:g} of the "
            "system's have no type, which counts as a type of its own"
        )


def add_links(
    raw_counts: RawCounts, gold: Iterable[Graph], system: Iterable[Graph]
) -> None:
    """Add how many spans have links, where any has.

    Args:
        raw_counts: those of a pair.
        gold: gold graphs.
        system: the system's.
    """
    for side, graphs in (("gold", gold), ("system", system)):
        linked = 0
        for graph in graphs:
            for node in graph.nodes:
                properties = node.properties
                if len(properties) == 2 and properties[1][0] == TAGS:
                    # Most entities are tagged, and nothing else is said of them.
                    continue
                for name, _ in properties[1:]:
                    if name in (AUTHORITY, NORMALIZATION):
                        linked += 1
                        break
        if linked:
            raw_counts[LINKS, "", side] = linked


def remark_links(
    metric: object, raw_counts: Mapping[CountKey, int | float]
) -> Iterator[str]:
    """Yield what is said where spans have links, which a metric does not compare.

    Args:
        metric: the metric.
        raw_counts: summed raw counts.
    """
    gold, system = (raw_counts.get((LINKS, "", side), 0) for side in ("gold", "system"))
    if gold or system:
        yield (
            f"{metric}: links are not compared, which {gold:g} of the spans of gold "
            f"and {system:g} of the system's have: neleval compares them, and so does "
            "hipe where they are a column of their own (--format hipe-columns)"
        )


def place_of(node: Node) -> Place:
    """Return the span of a mention: its characters, or its words if it has none."""
    anchors = node.anchors
    if len(anchors) == 1:
        return (tuple(anchors[0]),)
    if anchors:
        return tuple((start, end) for start, end in unite(anchors))
    words = next((value for name, value in node.properties if name == TEXT), "")
    return ((-1, -1, str(words)),)


def _allowed(
    graph: Graph, mentions: list[tuple[int, Node]], scheme: AnyScheme
) -> list[tuple[int, Node]]:
    """The entities that a scheme allows; what has no tags is always allowed."""
    starts = [start for start, _ in graph.tokens]
    ends: dict[tuple[Value, int], Node] = {}
    begins: dict[tuple[Value, int], Node] = {}
    for _, node in mentions:
        for start, end in node.anchors:
            begins[node.label, bisect_left(starts, start)] = node
            ends[node.label, bisect_left(starts, end)] = node
    kept = []
    for ordinal, node in mentions:
        letters = next((v for name, v in node.properties if name == TAGS), None)
        if isinstance(letters, str) and node.anchors:
            first = bisect_left(starts, node.anchors[0][0])
            after = bisect_left(starts, node.anchors[-1][1])
            beside = begins if scheme == "ioe1" else ends
            token = after if scheme == "ioe1" else first
            if not well_formed(letters, scheme, (node.label, token) in beside):
                continue
        kept.append((ordinal, node))
    return kept


def tags_of(
    entities: Iterable[Entity], tokens: Sequence[Anchor]
) -> dict[int, tuple[str, ...]]:
    """Return the IOB2 tags of each token within entities; several where these nest.

    Args:
        entities: types and places.
        tokens: ranges of characters, ascending.

    >>> tags_of([("A", ((0, 5),)), ("B", ((4, 5),))], [Anchor(0, 3), Anchor(4, 5)])
    {0: ('B-A',), 1: ('B-B', 'I-A')}
    """
    tags: dict[int, tuple[str, ...]] = {}
    size = len(tokens)
    for label, spans in entities:
        tag = "B-" + label
        for span in spans:
            token, end = bisect_right(tokens, span[0], key=_END), span[1]
            while token < size and tokens[token][0] < end:
                others = tags.get(token)
                tags[token] = tuple(sorted((*others, tag))) if others else (tag,)
                tag = "I-" + label
                token += 1
    return tags


_END = itemgetter(1)


def words_of(graph: Graph, node: Node) -> str:
    """The words of an entity, or its characters where there is no text.

    Args:
        graph: where it is.
        node: the entity.
    """
    text = graph.text
    if not node.anchors:
        return str(first_of(node.properties, TEXT) or "")
    if not text:
        return ";".join(f"{start}:{end}" for start, end in node.anchors)
    return " ".join([text[start:end] for start, end in node.anchors])
