"""UCCA: the foundational layer (Abend and Rappoport 2013).

Primary edges form a tree with the passage as its root; remote edges add further
parents.  A unit without units below it has words.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphscore.model.graph import Anchor, Edge, Graph, NodeId
from graphscore.model.normalize import fold
from graphscore.validation.base import Remark, circle

CATEGORIES = frozenset("APSDCENRTQFGHLU")
"""The categories of the foundational layer, and ``U`` for punctuation."""


def check_ucca(graph: Graph) -> Iterator[Remark]:
    """Yield the findings on a UCCA graph.

    Args:
        graph: a graph of framework ``ucca``; its edges lead to nodes.

    Yields:
        Remarks.
    """
    if graph.nodes and len(set(graph.tops)) != 1:
        yield Remark("ucca-top", f"{len(set(graph.tops))} tops, expected one")
    yield from _edges(graph)
    yield from _tree(graph)
    yield from _leaves(graph)


def is_remote(edge: Edge) -> bool:
    """Return whether an edge is remote; ``remote`` is compared as the metrics do.

    >>> is_remote(Edge(0, 1, "A", attributes=(("remote", True),)))
    True
    """
    return any(
        fold(name) == "remote" and fold(value) == "true"
        for name, value in edge.attributes
    )


def _edges(graph: Graph) -> Iterator[Remark]:
    for number, edge in enumerate(graph.edges):
        label = edge.label
        if label is None or label == "":
            yield Remark("ucca-category", "no category", edge=number)
        elif not isinstance(label, str) or label.upper() not in CATEGORIES:
            message = f"{label!r} is none of {' '.join(sorted(CATEGORIES))}"
            yield Remark("ucca-unknown", message, edge=number)
        for name, value in edge.attributes:
            if fold(name) != "remote":
                yield Remark("ucca-attribute", f"{name!r}", edge=number)
            elif fold(value) not in ("true", "false"):
                message = f"remote is {value!r}, expected true"
                yield Remark("ucca-remote", message, edge=number)
    for node in graph.nodes:
        if any(fold(name) == "remote" for name, _ in node.properties):
            message = "remote on a node, expected on an edge"
            yield Remark("ucca-remote", message, node.id)


def _tree(graph: Graph) -> Iterator[Remark]:
    parents: dict[NodeId, list[NodeId]] = {node.id: [] for node in graph.nodes}
    primary: dict[NodeId, set[NodeId]] = {node.id: set() for node in graph.nodes}
    every: dict[NodeId, set[NodeId]] = {node.id: set() for node in graph.nodes}
    for edge in graph.edges:
        every[edge.source].add(edge.target)
        # Two categories of one edge are two edges between the same units.
        if not is_remote(edge) and edge.target not in primary[edge.source]:
            primary[edge.source].add(edge.target)
            parents[edge.target].append(edge.source)
    tops = set(graph.tops)
    for node, above in parents.items():
        if len(above) > 1:
            shown = " and ".join(map(str, above))
            yield Remark("ucca-parents", f"below {shown} by primary edges", node)
        elif not above and node not in tops:
            yield Remark("ucca-orphan", "no primary parent, and not a top", node)
        elif above and node in tops:
            yield Remark("ucca-top-below", f"a top, but below {above[0]}", node)
    at = circle(primary)
    if at is not None:
        yield Remark("ucca-cycle", "it is below itself", at)
    elif (at := circle(every)) is not None:
        yield Remark("ucca-remote-cycle", "it is below itself by remote edges", at)


def _leaves(graph: Graph) -> Iterator[Remark]:
    inner = {edge.source for edge in graph.edges}
    words: dict[Anchor, NodeId] = {}
    for node in graph.nodes:
        if node.id not in inner and not node.anchors:
            message = "nothing is below it and it has no words"
            yield Remark("ucca-unanchored", message, node.id)
        for anchor in node.anchors:
            first = words.setdefault(anchor, node.id)
            if first != node.id:
                message = f"{anchor.start}:{anchor.end} is below {first} already"
                yield Remark("ucca-shared", message, node.id)
