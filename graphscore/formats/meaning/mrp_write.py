r"""Graphs as MRP: JSON objects, one to a line.

>>> from graphscore.model.graph import Graph
>>> b"".join(write([Graph("1", "dm", 0)]))
b'{"id":"1","flavor":0,"framework":"dm","nodes":[]}\n'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from graphscore.model.graph import Anchor, Edge, Graph, Node


def _without_empty(**fields: Any) -> dict[str, Any]:
    """Fields of an object, without those that say nothing."""
    return {
        key: value for key, value in fields.items() if value is not None and value != []
    }


def _anchors_of(anchors: tuple[Anchor, ...]) -> list[dict[str, int]]:
    return [{"from": start, "to": end} for start, end in anchors]


def to_json(graph: Graph) -> dict[str, Any]:
    """The MRP object of a graph; what is empty is left out, but for ``nodes``."""
    return {
        **_without_empty(
            id=graph.id,
            flavor=graph.flavor,
            framework=graph.framework,
            language=graph.language or None,
        ),
        **graph.extra,
        **_without_empty(
            input=graph.text or None,
            tokens=_anchors_of(graph.tokens),
            tops=[*graph.tops],
        ),
        "nodes": [_node_json(node) for node in graph.nodes],
        **_without_empty(edges=[_edge_json(edge) for edge in graph.edges]),
    }


def _node_json(node: Node) -> dict[str, Any]:
    result = _without_empty(
        id=node.id,
        label=node.label,
        properties=[name for name, _ in node.properties],
        values=[value for _, value in node.properties],
        anchors=_anchors_of(node.anchors),
    )
    return result | dict(node.extra)


def _edge_json(edge: Edge) -> dict[str, Any]:
    result = _without_empty(
        source=edge.source,
        target=edge.target,
        label=edge.label,
        normal=edge.normal,
        attributes=[name for name, _ in edge.attributes],
        values=[value for _, value in edge.attributes],
        id=edge.id,
        anchors=_anchors_of(edge.anchors),
    )
    return result | dict(edge.extra)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
    for graph in graphs:
        yield encode(to_json(graph)) + b"\n"
