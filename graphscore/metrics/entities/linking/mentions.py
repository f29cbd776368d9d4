"""Linked mentions, as the metrics of entity linking look at them.

A mention is where it is, its type, and what it is linked to: the first entry that the
file gives, which begins with ``NIL`` where there is none.

>>> from graphscore.model.graph import Anchor
>>> said = ("kind", "mention"), ("authority", "NIL07")
>>> graph = Graph("1", "ner", nodes=(Node(0, "PER", said, (Anchor(0, 5),)),))
>>> [mention] = Linked(graph).mentions
>>> mention.kbid, mention.is_nil, mention.eid
(None, True, 'NIL07')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from graphscore.metrics.entities.view import Place, is_mention, place_of
from graphscore.model.anchors import visible_ranges
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.structures.entities.authority import (
    AUTHORITY,
    CANDIDATE,
    CANDIDATE_TYPE,
    CONFIDENCE,
    NIL,
    NORMALIZATION,
)
from graphscore.structures.layout import type_name

Span = tuple[str, Place]
"""Item of a mention, and its characters there."""


class Mention(NamedTuple):
    """A mention, under the names that neleval's fields have."""

    ordinal: int
    """Its node, over all graphs of a side."""
    docid: str
    span: Span
    type: str
    eid: str | None
    """Linked entry, ``NIL`` included; ``None`` if there is no link."""
    kbid: str | None
    """The same, if it is no ``NIL``."""
    is_nil: bool
    is_linked: bool
    is_first: bool
    """True if it is the first mention of its entry in its document."""
    score: Value
    node: Node
    others: tuple[tuple[str, str], ...]
    """Further entries that it may be linked to, each with the type that it then is."""

    @property
    def start(self) -> int:
        """Its first character."""
        return int(self.span[1][0][0])

    @property
    def end(self) -> int:
        """Its last character."""
        return int(self.span[1][-1][1]) - 1

    def linked_to(self, entry: str, label: str) -> Mention:
        """The mention with another entry.

        Args:
            entry: the entry.
            label: the type.
        """
        nil = is_nil(entry)
        kbid = None if nil else entry
        return self._replace(
            type=label, eid=entry, kbid=kbid, is_nil=nil, is_linked=not nil
        )


class Linked:
    """The mentions of a graph.

    Args:
        graph: of the framework ``ner``.

    Attributes:
        mentions: from the first to the last, of those that begin alike the longest
            first; neleval has them in this order.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.document = graph.document or graph.id
        """One that names none is a document of its own."""
        ordered = [
            (position[0][0], -position[-1][1], ordinal, (graph.id, position), node)
            for ordinal, node in enumerate(graph.nodes)
            if is_mention(node)
            for position in (place_of(node),)
        ]
        ordered.sort(key=itemgetter(0, 1))
        seen: set[str | None] = set()
        self.mentions = [
            _mention(self.document, ordinal, span, node, seen)
            for _, _, ordinal, span, node in ordered
        ]


def _mention(
    document: str, ordinal: int, span: Span, node: Node, seen: set[str | None]
) -> Mention:
    eid: str | None = None
    label = type_name(node.label)
    others: list[tuple[str, str]] = []
    score: Value = None
    for name, value in node.properties:
        if name in (AUTHORITY, NORMALIZATION):
            entry = "" if value is None else str(value)
            if name == NORMALIZATION and entry.partition(":")[2].startswith(NIL):
                entry = entry.partition(":")[2]
            if eid is None:
                eid = entry or None
            elif entry:
                others.append((entry, label))
        elif name == CANDIDATE:
            others.append((str(value), label))
        elif name == CANDIDATE_TYPE and others:
            others[-1] = others[-1][0], type_name(value)
        elif name == CONFIDENCE:
            score = value
    nil = eid is not None and is_nil(eid)
    kbid = None if nil else eid
    linked = kbid is not None
    first = eid not in seen
    seen.add(eid)
    return Mention(
        ordinal,
        document,
        span,
        label,
        eid,
        kbid,
        nil,
        linked,
        first,
        score,
        node,
        tuple(others),
    )


def is_nil(entry: str) -> bool:
    """Return true if neleval takes an entry for none: it begins with ``NIL``.

    Args:
        entry: as written.

    >>> [is_nil(each) for each in ("NIL", "NIL0042", "NILE", "Q3392")]
    [True, True, True, False]
    """
    return entry.startswith(NIL)


def mentions_of(side: Sequence[Linked], count_on: bool = True) -> list[Mention]:
    """The mentions of a side.

    Args:
        side: its graphs.
        count_on: whether ordinals count on from graph to graph.
    """
    mentions: list[Mention] = []
    start = 0
    for part in side:
        if start:
            made = ((start + mention[0], *mention[1:]) for mention in part.mentions)
            mentions += map(_mention_of, made)
        else:
            mentions += part.mentions
        start += len(part.graph.nodes) * count_on
    if len({part.document for part in side}) < len(side):
        return with_first(mentions)
    return mentions


# Quicker than by its own way of making one.
_mention_of: Callable[[Iterable[object]], Mention] = partial(tuple.__new__, Mention)


def with_first(mentions: Iterable[Mention]) -> list[Mention]:
    """Mentions that say which are the first of their entry in their document.

    Args:
        mentions: of one side, in order.
    """
    seen: set[tuple[str, str | None]] = set()
    result = []
    for mention in mentions:
        key = mention.docid, mention.eid
        first = key not in seen
        seen.add(key)
        result.append(
            mention if mention.is_first == first else mention._replace(is_first=first)
        )
    return result


def chosen(
    gold: Sequence[Mention], system: Sequence[Mention], by_span: bool
) -> list[Mention]:
    """Gold, where of several entries of a mention that counts which the system found.

    It is the one that the system has of the same characters; else the first that it
    has anywhere in the document; else in the collection; else the first of all.  So
    neleval documents ``select-alternatives``, which begins with the document.

    Args:
        gold: the gold mentions.
        system: the system's.
        by_span: whether what the system has of the same characters comes first.

    Returns:
        As many mentions, each of one entry.
    """
    eid_at: dict[Span, str | None] = {}
    by_document: set[tuple[str, str | None]] = set()
    anywhere: set[str | None] = set()
    for mention in system:
        eid_at[mention.span] = mention.eid
        by_document.add((mention.docid, mention.eid))
        anywhere.add(mention.eid)
    result = []
    for mention in gold:
        if mention.others and mention.eid is not None:
            entries = [(mention.eid, mention.type), *mention.others]
            same = eid_at.get(mention.span) if by_span else None
            best = (
                [entry for entry in entries if entry[0] == same]
                or [
                    entry
                    for entry in entries
                    if (mention.docid, entry[0]) in by_document
                ]
                or [entry for entry in entries if entry[0] in anywhere]
                or entries
            )
            result.append(mention.linked_to(*best[0]))
        else:
            result.append(mention)
    return result


def texts_of(gold: Iterable[Linked], system: Iterable[Linked]) -> dict[str, str]:
    """The text of each item, by its id; gold's where both sides have one.

    Args:
        gold: the gold side.
        system: the system's.
    """
    texts: dict[str, str] = {}
    for part in (*gold, *system):
        if part.graph.text:
            texts.setdefault(part.graph.id, part.graph.text)
    return texts


def spaced_apart(
    gold: Iterable[Mention], system: Iterable[Mention], texts: Mapping[str, str]
) -> int:
    """Count the gold spans that white space alone keeps from one of the system.

    Args:
        gold: the gold mentions.
        system: the system's.
        texts: the text of each item.
    """
    left, right = ({mention.span for mention in side} for side in (gold, system))
    visible = {_visible(span, texts) for span in right - left}
    return sum(_visible(span, texts) in visible for span in left - right)


def _visible(span: Span, texts: Mapping[str, str]) -> Span:
    """A span without the white space in it, where its text is known."""
    item, position = span
    text = texts.get(item, "")
    if not text or position[0][0] < 0:
        return span
    return item, visible_ranges([Anchor(*ends) for ends in position], text)
