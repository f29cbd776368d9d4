"""Clusters of spans, one list a document: coreference.

>>> [graph] = from_clusters([[[(0, 0), (5, 5)], [(2, 3)]]])
>>> graph.framework, [(edge.source, edge.target) for edge in graph.edges]
('coref', [(3, 0), (3, 2), (4, 1)])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count, repeat
from operator import countOf, le, mul, sub
from typing import Any

from graphscore.inputs.base import (
    Ends,
    TokenRanges,
    Words,
    names_of,
    numbered_ranges,
    numbered_text,
    refusal,
    texts_of,
)
from graphscore.inputs.spans import after_of, span_of
from graphscore.model.graph import Edge, Graph, Node
from graphscore.structures.layout import COREF, ENTITY, KIND, MENTION

_MENTION, _ENTITY = ((KIND, MENTION),), ((KIND, ENTITY),)


def from_clusters(
    clusters: Iterable[Iterable[Iterable[Any]]],
    *,
    tokens: Words | None = None,
    ids: Iterable[Any] | None = None,
    ends: Ends = "inclusive",
    name: str = "clusters",
) -> list[Graph]:
    """Coreference from clusters of spans of tokens.

    Args:
        clusters: those of each document; a cluster is a list of ``(first, last)`` in
            tokens of the document, from 0.
        tokens: the words of each document; without, tokens go by their numbers.
        ids: the id of each document; without, documents pair by their order.
        ends: whether the second number is the last token or the one after it.
        name: what messages call them.

    Returns:
        A graph of the framework ``coref`` for each document.

    Raises:
        InputError: if a span is none, or not within its words.
        UsageError: if ``ends`` is something else.
    """
    after = after_of(ends)
    items = [[list(cluster) for cluster in document] for document in clusters]
    result = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        starts, lasts, labels = _columns(name, number, item, after)
        size = 1 + max(lasts, default=-1)
        worded = texts_of(name, number, tokens)
        text, anchors = worded or numbered_text(size)
        ranges = TokenRanges(*worded) if worded else numbered_ranges(size)
        # In the order of the text, the longer first.
        places = [*map(sub, map(mul, starts, repeat(size)), lasts)]
        order = sorted(range(len(places)), key=places.__getitem__)
        entities = range(len(order), len(order) + len(item))
        owners = [*chain.from_iterable(map(repeat, entities, map(len, item)))]
        if size > len(anchors):
            index = next(k for k in order if lasts[k] >= len(anchors))
            row = owners[index] - len(order)
            where = f"[{number}][{row}][{index - owners.index(owners[index])}]"
            expected = f"tokens up to {len(anchors) - 1}"
            raise refusal(name, where, f"token {lasts[index]}", expected)
        anchored = [ranges[starts[k], lasts[k]] for k in order]
        types = [labels[k] for k in order] if labels else repeat(None)
        nodes = map(Node, count(), types, repeat(_MENTION), anchored)
        owner_of = [owners[k] for k in order].__getitem__
        members = sorted(range(len(order)), key=owner_of)
        result.append(
            Graph(
                id,
                COREF,
                1,
                # Of a document without a name, the number is one.
                document=id or str(number),
                text=text,
                tokens=anchors,
                nodes=(*nodes, *map(Node, entities, repeat(None), repeat(_ENTITY))),
                edges=tuple(map(Edge, owners, members, repeat(MENTION))),
            )
        )
    return result


def _columns(
    name: str, number: int, item: list[list[Any]], after: bool
) -> tuple[Sequence[int], Sequence[int], Sequence[str | None]]:
    """First tokens of the mentions of a document, last ones, and labels if any has one.

    Args:
        name: what messages call clusters.
        number: which document it is.
        item: its clusters.
        after: whether spans say the token after their last.
    """
    values = [*chain.from_iterable(item)]
    # Most are pairs of numbers, which is seen of all at once.
    pairs = len(values)
    if _PAIRS.issuperset(map(type, values)) and countOf(map(len, values), 2) == pairs:
        numbers = [*chain.from_iterable(values)]
        starts, lasts = numbers[::2], numbers[1::2]
        whole = countOf(map(type, numbers), int) == 2 * pairs
        if whole and min(starts, default=0) >= 0:
            if after:
                lasts = [end - 1 for end in lasts]
            if all(map(le, starts, lasts)):
                return starts, lasts, ()
    spans = [
        span_of(name, f"[{number}][{row}][{index}]", value, after)
        for row, cluster in enumerate(item)
        for index, value in enumerate(cluster)
    ]
    first_tokens, last_tokens, labels = zip(*spans, strict=True)
    return first_tokens, last_tokens, labels


_PAIRS = frozenset((list, tuple))
