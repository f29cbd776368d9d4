"""Bi-lexical graphs: DM, PSD, PAS and CCD.

Their nodes are the words of the sentence, in its order (Oepen et al. 2014, 2015);
the order-preserving search of the ``mrp`` metric relies on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.validation.base import Remark


def check_sdp(graph: Graph) -> Iterator[Remark]:
    """Yield the findings on a bi-lexical graph.

    Args:
        graph: a graph of framework ``dm``, ``psd``, ``pas`` or ``ccd``.

    Yields:
        Remarks.
    """
    if graph.framework == "dm" and len(set(graph.tops)) > 1:
        yield Remark("sdp-tops", f"{len(set(graph.tops))} tops, DM has one")
    yield from _words(graph)
    for number, edge in enumerate(graph.edges):
        if edge.label is None or edge.label == "":
            yield Remark("sdp-label", "no label", edge=number)


def _words(graph: Graph) -> Iterator[Remark]:
    tokens = set(graph.tokens)
    seen: dict[Anchor, NodeId] = {}
    before: Anchor | None = None
    for node in graph.nodes:
        if len(node.anchors) != 1:
            message = f"{len(node.anchors)} ranges, expected one"
            yield Remark("sdp-anchors", message, node.id)
            continue
        [anchor] = node.anchors
        shown = f"{anchor.start}:{anchor.end}"
        if tokens and anchor not in tokens:
            yield Remark("sdp-token", f"{shown} is not a token", node.id)
        elif not tokens and anchor.start == anchor.end:
            yield Remark("sdp-token", f"{shown} covers nothing", node.id)
        if anchor in seen:
            message = f"{shown} is node {seen[anchor]} already"
            yield Remark("sdp-shared", message, node.id)
        seen.setdefault(anchor, node.id)
        if before is not None and anchor.start < before.start:
            message = f"{shown} comes after {before.start}:{before.end}"
            yield Remark("sdp-order", message, node.id)
        before = anchor
