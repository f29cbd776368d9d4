"""Elements in words: what errors and explanations show of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from graphscore.model.graph import Graph, Value
from graphscore.similarity.base import Aligned, Partition
from graphscore.similarity.expression import Sort, singular
from graphscore.similarity.features.elements import Feature, kind, plain_value, surface
from graphscore.similarity.features.objects import spell_object
from graphscore.similarity.view import Element, View
from graphscore.structures.layout import OBJECT

OBJECTS = {
    "graph": "graph",
    "node": "node",
    "edge": "edge",
    "property": "node",
}
"""Name of an element in rows, by its sort; a value has that of its collection."""


def object_name(member: Aligned | Partition) -> str:
    """Return the name of a member in rows: node, edge, or a value's collection."""
    return singular(member.via) if member.sort == "value" else OBJECTS[member.sort]


def labels_of(graph: Graph, sort: Sort, elements: Sequence[Element]) -> list[Value]:
    """The labels of nodes, of edges, or of the nodes that properties are of."""
    nodes, edges = graph.nodes, graph.edges
    if sort == "node":
        return [nodes[element].label for element in elements]
    if sort == "edge":
        return [edges[element].label for element in elements]
    if sort == "property":
        return [nodes[element[0]].label for element in elements]
    return [None] * len(elements)


def describe_member(
    view: View, member: Aligned | Partition, element: Element, feature: Feature | None
) -> tuple[str, Value, str | None]:
    """Name, value as written, and as compared where that differs."""
    if member.sort == "property":
        name, value = view.graph.nodes[element[0]].properties[element[1]]
        return name, value, _compared_value(view, element, member, value)
    if feature is None and _is_built(view, member.sort, element):
        return "", describe(view, member.sort, element), None
    if feature is None:
        feature = next((f for f in member.similarity.split()[0] if f.says), None)
    if feature is None:
        return "", describe(view, member.sort, element), None
    if member.sort == "node" and surface(view.graph, view.graph.nodes[element]):
        return "", describe(view, member.sort, element), None
    value = feature.raw(view, element)
    return "", value, compared_text(value, feature.of_all(view, [element])[0])


def _is_built(view: View, sort: str, element: Element) -> bool:
    """Return true if an element is an event, relation or the like, or its argument.

    Its type alone says too little of it where it stands alone.
    """
    if sort == "edge":
        element = view.places()[view.graph.edges[element].source]
    elif sort != "node":
        return False
    if view.graph.framework == OBJECT:
        return True
    return kind.of_all(view, [element])[0] is not None


def _compared_value(
    view: View, element: Element, member: Aligned | Partition, value: Value
) -> str | None:
    for feature in member.similarity.split()[0]:
        if feature.says:
            return compared_text(value, feature.of_all(view, [element])[0])
    return None


def compared_text(value: Value, compared: Hashable) -> str | None:
    """Return the compared value if it differs from the value as written."""
    written = "" if value is None else str(value)
    if isinstance(compared, str) and compared != written:
        return compared
    return None


def describe(view: View, sort: str, element: Element) -> str:
    """An element in a few words, for people.

    Args:
        view: its graph.
        sort: what it is.
        element: the element.

    Returns:
        A node's type and text, and what its edges lead to if it has no text; an
        edge's label and target; a property's name and value.
    """
    graph = view.graph
    if sort == "node":
        return _node(view, element, deep=True)
    if sort == "edge":
        edge = graph.edges[element]
        return f"{spell(edge.label)}: {_node(view, view.places()[edge.target])}"
    if sort == "property":
        name, value = graph.nodes[element[0]].properties[element[1]]
        return f"{name}={spell(value)}"
    return "graph" if sort == "graph" else spell(plain_value(element))


def _node(view: View, ordinal: int, deep: bool = False) -> str:
    graph = view.graph
    if graph.framework == OBJECT:
        return spell_object(view, ordinal)
    node = graph.nodes[ordinal]
    text = surface(graph, node)
    label = "" if node.label is None else str(node.label)
    if text is not None:
        return f"{label} “{text}”".strip()
    if not deep:
        ranges = ", ".join(f"{start}:{end}" for start, end in node.anchors)
        return label or (f"[{ranges}]" if ranges else "·")
    inside = [
        f"{spell(role)}: {_node(view, end)}"
        for role, end in view.outgoing().get(ordinal, ())
    ]
    if not inside:
        return _node(view, ordinal)
    return f"{label}({', '.join(inside)})"


def spell(value: object) -> str:
    """A value as text; nothing for ``None``."""
    return "" if value is None else str(value)
