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
from graphscore.inputs.spans import Span, after_of, span_of, usual_span
from graphscore.model.graph import Anchor, Edge, Graph, Node
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
        read = [
            (
                usual_span(value, after)
                or span_of(name, f"[{number}][{row}][{index}]", value, after),
                row,
                index,
            )
            for row, cluster in enumerate(item)
            for index, value in enumerate(cluster)
        ]
        size = max((span.end + 1 for span, _, _ in read), default=0)
        text, anchors = texts_of(name, number, tokens) or numbered_text(size)
        nodes: list[Node] = []
        members: list[list[int]] = [[] for _ in item]
        for span, row, index in sorted(read, key=_order):
            if span.end >= len(anchors):
                where = f"[{number}][{row}][{index}]"
                expected = f"tokens up to {len(anchors) - 1}"
                raise refusal(name, where, f"token {span.end}", expected)
            anchor = Anchor(anchors[span.start].start, anchors[span.end].end)
            members[row].append(len(nodes))
            nodes.append(Node(len(nodes), span.label, _MENTION, (anchor,)))
        edges: list[Edge] = []
        for mentions in members:
            edges += [Edge(len(nodes), mention, MENTION) for mention in mentions]
            nodes.append(Node(len(nodes), None, _ENTITY))
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


def _order(read: tuple[Span, int, int]) -> tuple[int, int, int, int]:
    """In the order of the text, the longer first."""
    (start, end, _), row, index = read
    return start, -end, row, index
