r"""Texts with ranges of characters, as JSON lines.

>>> from graphscore.model.graph import Anchor
>>> jenny = Node(0, "PER", (("kind", "mention"), ("authority", "Q42")), (Anchor(0, 5),))
>>> ner = Graph("d1", "ner", 1, text="Jenny left", nodes=(jenny,))
>>> [line] = write([ner])
>>> import json
>>> json.loads(line)["spans"]
[{'start': 0, 'end': 5, 'label': 'PER', 'authority': ['Q42']}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from graphscore.errors import InvalidGraphError
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.authority import AUTHORITY, CONFIDENCE
from graphscore.structures.entities.tags import TAGS
from graphscore.structures.layout import (
    KIND,
    MENTION,
    NER,
    PROBABILITY,
    SCORE,
    kind_of,
)

_encode = msgspec.json.Encoder().encode

_ONCE = (SCORE, PROBABILITY, CONFIDENCE)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one text to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for graph in graphs:
        check_framework(graph, (NER,), "a text with spans")
        with naming(graph):
            line = _line(graph)
        yield _encode(line) + b"\n"


def _line(graph: Graph) -> dict[str, Any]:
    if graph.edges or graph.tops:
        raise InvalidGraphError("edges or tops", "entities alone")
    found: dict[str, Any] = {"id": graph.id} if graph.id else {}
    found["text"] = graph.text
    if graph.tokens:
        found["tokens"] = [
            {"text": graph.text[start:end], "start": start, "end": end, "id": number}
            for number, (start, end) in enumerate(graph.tokens)
        ]
    found["spans"] = [_span(node) for node in graph.nodes]
    own = graph.extra.get("spans", {})
    return {**own, **found} if isinstance(own, dict) else found


def _span(node: Node) -> dict[str, Any]:
    if kind_of(node) != MENTION:
        found = f"a node {node.id!r} of kind {kind_of(node)!r}"
        raise InvalidGraphError(found, MENTION)
    if len(node.anchors) != 1:
        found = f"a node {node.id!r} of {len(node.anchors)} ranges"
        raise InvalidGraphError(found, "one range")
    [(start, end)] = node.anchors
    span: dict[str, Any] = {"start": start, "end": end, "label": node.label}
    for name, value in node.properties:
        if name == AUTHORITY:
            span.setdefault(name, []).append(value)
        elif name in _ONCE and name not in span:
            span[name] = value
        elif name not in (KIND, TAGS):
            raise InvalidGraphError(f"a property {name!r}", "one that spans have")
    return {**dict(node.extra), **span}
