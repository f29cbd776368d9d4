"""Discourse representation graphs (Abzianidze, Bos and Oepen 2020).

Boxes have no label; they hold concepts and roles by edges ``in``.  A role is a
node between its two arguments, joined by edges without labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from graphscore.model.graph import Graph, Node, NodeId
from graphscore.model.normalize import fold
from graphscore.validation.base import Remark


class _Roles:
    """Roles of a graph's nodes, by their edges."""

    def __init__(self, graph: Graph) -> None:
        self.plain_in: Counter[NodeId] = Counter()
        self.plain_out: Counter[NodeId] = Counter()
        """Edges without labels."""
        self.held: set[NodeId] = set()
        self.boxes: set[NodeId] = set()
        for edge in graph.edges:
            if edge.label is None or edge.label == "":
                self.plain_in[edge.target] += 1
                self.plain_out[edge.source] += 1
                continue
            self.boxes.add(edge.source)
            inner = self.held if fold(edge.label) == "in" else self.boxes
            inner.add(edge.target)


def check_drg(graph: Graph) -> Iterator[Remark]:
    """Yield the findings on a discourse representation graph.

    Args:
        graph: a graph of framework ``drg``; its edges lead to nodes.

    Yields:
        Remarks.
    """
    labels = {node.id: node.label for node in graph.nodes}
    if graph.nodes and not graph.tops:
        yield Remark("drg-top", "no top")
    for top in graph.tops:
        if labels[top] is not None:
            yield Remark("drg-top", f"the top is {labels[top]!r}, not a box", top)
    for number, edge in enumerate(graph.edges):
        holds = edge.label is not None and fold(edge.label) == "in"
        if holds and labels[edge.source] is not None:
            message = f"in leads out of {labels[edge.source]!r}, expected a box"
            yield Remark("drg-box", message, edge=number)
    roles = _Roles(graph)
    for node in graph.nodes:
        yield from _node(node, roles)


def _node(node: Node, roles: _Roles) -> Iterator[Remark]:
    before, after = roles.plain_in[node.id], roles.plain_out[node.id]
    if node.label is None:
        if node.id not in roles.boxes and (node.id in roles.held or before or after):
            yield Remark("drg-concept", "a referent without a concept", node.id)
    elif _is_role(node.label):
        if (before, after) != (1, 1):
            message = f"{before} edges to it and {after} from it, expected one each"
            yield Remark("drg-role", message, node.id)
    elif node.id not in roles.held and not _is_constant(node.label):
        yield Remark("drg-free", "no box holds it", node.id)


def _is_constant(label: object) -> bool:
    return isinstance(label, str) and label[:1] == '"'


def _is_role(label: object) -> bool:
    """Roles begin with a capital, concepts end in a sense: ``Agent``, ``dog.n.01``."""
    return isinstance(label, str) and label[:1].isupper() and "." not in label
