"""Clusters of spans, one list a document: coreference.

>>> [graph] = from_clusters([[[(0, 0), (5, 5)], [(2, 3)]]])
>>> graph.framework, [(edge.source, edge.target) for edge in graph.edges]
('coref', [(3, 0), (3, 2), (4, 1)])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphscore.inputs.base import (
    Ends,
    Words,
    names_of,
    numbered_text,
    refusal,
    texts_of,
)
from graphscore.inputs.spans import after_of, span_of, usual_span
from graphscore.model.anchors import anchor_of
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
        read: list[tuple[int, int, int, int, str | None]] = []
        for row, cluster in enumerate(item):
            for index, value in enumerate(cluster):
                start, end, label = usual_span(value, after) or span_of(
                    name, f"[{number}][{row}][{index}]", value, after
                )
                read.append((start, -end, row, index, label))
        size = 1 - min((end for _, end, *_ in read), default=1)
        text, anchors = texts_of(name, number, tokens) or numbered_text(size)
        # In the order of the text, the longer first.
        read.sort()
        members: list[list[int]] = [[] for _ in item]
        nodes: list[Node] = []
        for mention, (start, negative, row, index, label) in enumerate(read):
            if -negative >= len(anchors):
                where = f"[{number}][{row}][{index}]"
                expected = f"tokens up to {len(anchors) - 1}"
                raise refusal(name, where, f"token {-negative}", expected)
            place = anchor_of((anchors[start][0], anchors[-negative][1]))
            members[row].append(mention)
            nodes.append(Node(mention, label, _MENTION, (place,)))
        edges: list[Edge] = []
        for entity, mentions in enumerate(members, len(nodes)):
            edges += [Edge(entity, mention, MENTION) for mention in mentions]
            nodes.append(Node(entity, None, _ENTITY))
        # Of a document without a name, the number is one.
        document = id or str(number)
        result.append(
            Graph(
                id,
                COREF,
                1,
                document=document,
                text=text,
                tokens=anchors,
                nodes=tuple(nodes),
                edges=tuple(edges),
            )
        )
    return result
