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
>>> view.tags
['B-PER', 'B-LOC']
>>> Entities(graph, "auto").entities
[('PER', ((0, 5),))]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal

from graphscore.exceptions import GraphscoreError
from graphscore.model.anchors import unite, visible_ranges
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.model.outcome import CountKey, RawCounts
from graphscore.structures.entities.authority import AUTHORITY, NORMALIZATION
from graphscore.structures.entities.tags import (
    EXPECTED_TYPE,
    TAGS,
    AnyScheme,
    is_tagged,
    untyped,
    well_formed,
)
from graphscore.structures.layout import (
    ENTITY,
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
        nodes: the ordinal of each.
        types: the types that there are.
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
        self.entities: list[Entity] = []
        self.nodes: list[int] = []
        found = [
            (ordinal, node)
            for ordinal, node in enumerate(graph.nodes)
            if node.properties and node.properties[0] == _MENTION
        ]
        if strict is not None:
            found = _allowed(graph, found, strict)
        seen: set[Entity] = set()
        visible, text = spans != "offsets", graph.text
        counts: dict[str, int] = {}
        for ordinal, node in found:
            label, anchors = type_name(node.label), node.anchors
            place: Place | None = None
            if visible and anchors:
                if len(anchors) == 1:
                    start, end = anchors[0]
                    place = _visible_words(start, end, text[start:end])
                if place is None:
                    place = visible_ranges(anchors, text, ends=is_tagged(node))
            entity = label, place_of(node) if place is None else place
            if once:
                if entity in seen:
                    continue
                seen.add(entity)
            self.entities.append(entity)
            self.nodes.append(ordinal)
            counts[label] = counts.get(label, 0) + 1
        self._counts = counts
        self.types = self._counts.keys()

    @cached_property
    def index(self) -> dict[Entity, int] | None:
        """Index of each entity in ``entities``; ``None`` if some are equal."""
        index = {entity: k for k, entity in enumerate(self.entities)}
        return index if len(index) == len(self.entities) else None

    @cached_property
    def _on_tokens(self) -> list[Entity]:
        """The entities on tokens: what was tagged is so in all of them."""
        nodes = self.graph.nodes
        return [
            (entity[0], place_of(nodes[ordinal]))
            if is_tagged(nodes[ordinal])
            else entity
            for ordinal, entity in zip(self.nodes, self.entities, strict=True)
        ]

    @cached_property
    def tags(self) -> list[str | tuple[str, ...] | None]:
        """Tag of each token; ``None`` outside of entities."""
        return self.tags_over(self.graph.tokens)

    def of(self, label: str) -> list[Entity]:
        """The entities of a type, in order."""
        return [entity for entity in self.entities if entity[0] == label]

    def tags_over(self, tokens: Sequence[Anchor]) -> list[str | tuple[str, ...] | None]:
        """Return what is said of each token; what was tagged is so in all of them.

        Args:
            tokens: ranges of characters, ascending.
        """
        return tags_of(self._on_tokens, tokens)

    def perfect(self) -> RawCounts:
        """The raw counts where the other side has the same entities and tokens."""
        result = self.amounts("gold") | self.amounts("system")
        if self.entities:
            result[ALIGNED, "", RELATIONS[0]] = len(self.entities)
            for tuple_type in TUPLE_TYPES:
                result[tuple_type, "", "matched"] = len(self.entities)
        for label, count in self._counts.items():
            result[ALIGNED, label, RELATIONS[0]] = count
        if self.graph.tokens:
            result[TOKENS, "", "matched"] = len(self.graph.tokens)
        return result

    def amounts(self, side: str) -> RawCounts:
        """Return the raw counts of one side, whatever the other is.

        Args:
            side: ``gold`` or ``system``.
        """
        raw_counts: RawCounts = {}
        if self.entities:
            for tuple_type in TUPLE_TYPES:
                raw_counts[tuple_type, "", side] = len(self.entities)
        for label, count in self._counts.items():
            raw_counts[ALIGNED, label, side] = count
        if self.graph.tokens:
            raw_counts[TOKENS, "", side] = len(self.graph.tokens)
        return raw_counts


Keys = tuple[tuple[CountKey, ...], tuple[CountKey, ...]]


@lru_cache(maxsize=4096)
def keys_of(label: str) -> Keys:
    """The keys of the raw counts of a type by relation, as gold's and as a system's.

    Args:
        label: the type.
    """
    return (
        tuple((ALIGNED, label, name) for name in RELATIONS),
        tuple((ALIGNED, label, name) for name in OTHER_SIDE),
    )


@lru_cache(maxsize=4096)
def _visible_words(start: int, end: int, covered: str) -> Place | None:
    """Ranges of words with a blank between each two, or nothing of other texts.

    Args:
        start: where they begin.
        end: one past their end.
        covered: the text there.
    """
    if start < 0 or len(covered) != end - start or " ".join(covered.split()) != covered:
        return None
    return visible_ranges((Anchor(start, end),), " " * start + covered)


_MENTION = (KIND, MENTION)


def is_mention(node: Node) -> bool:
    """Return true if a node is a mention."""
    properties = node.properties
    return bool(properties) and properties[0] == _MENTION


_SPANS = ((KIND, MENTION), (KIND, ENTITY))
"""Kinds of the nodes that are typed spans: flat ones, and those of trees."""


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
        for node in graph.nodes:
            if not node.properties or node.properties[0] not in _SPANS:
                continue
            if node.label not in (None, ""):
                return None, True
            if first is None and not is_tagged(node):
                first = graph, node
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
    named = {label for each, label, _ in raw_counts if each == tuple_type and label}
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
    graph: Graph, found: list[tuple[int, Node]], scheme: AnyScheme
) -> list[tuple[int, Node]]:
    """The entities that a scheme allows; what has no tags is always allowed."""
    starts = [start for start, _ in graph.tokens]
    ends: dict[tuple[Value, int], Node] = {}
    begins: dict[tuple[Value, int], Node] = {}
    for _, node in found:
        for start, end in node.anchors:
            begins[node.label, bisect_left(starts, start)] = node
            ends[node.label, bisect_left(starts, end)] = node
    kept = []
    for ordinal, node in found:
        letters = next((v for name, v in node.properties if name == TAGS), None)
        if isinstance(letters, str) and node.anchors:
            first = bisect_left(starts, node.anchors[0][0])
            after = bisect_left(starts, node.anchors[-1][1])
            beside = begins if scheme == "ioe1" else ends
            place = after if scheme == "ioe1" else first
            if not well_formed(letters, scheme, (node.label, place) in beside):
                continue
        kept.append((ordinal, node))
    return kept


def tags_of(
    entities: Sequence[Entity], tokens: Sequence[Anchor]
) -> list[str | tuple[str, ...] | None]:
    """Return the IOB2 tag of each token; several tags where entities are nested.

    Args:
        entities: types and places.
        tokens: ranges of characters, ascending.

    >>> tags_of([("A", ((0, 5),)), ("B", ((4, 5),))], [Anchor(0, 3), Anchor(4, 5)])
    ['B-A', ('B-B', 'I-A')]
    """
    result: list[str | tuple[str, ...] | None] = [None] * len(tokens)
    if not tokens or not entities:
        return result
    starts = [start for start, _ in tokens]
    ends = [end for _, end in tokens]
    for label, place in entities:
        letter = "B-"
        for each in place:
            first = bisect_right(ends, each[0])
            for k in range(first, bisect_left(starts, each[1])):
                tag, there = letter + label, result[k]
                letter = "I-"
                if there is None:
                    result[k] = tag
                else:
                    more = (there,) if isinstance(there, str) else there
                    result[k] = tuple(sorted((*more, tag)))
    return result


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
    return " ".join(text[start:end] for start, end in node.anchors)
