r"""Coreference as JSON lists: clusters of ranges, as neural systems read and write it.

>>> line = JsonLine("a.jsonl", 1, b"")
>>> clusters = [[[3, 3], [0, 1]], [[0, 1]]]
>>> build = read_clusters(line, "$.clusters", clusters, lambda where, ends: (*ends,),
...                       lambda span: Anchor(span[0], span[1] + 1), lambda span: None)
>>> graph = build.graph("1", "coref")
>>> [(node.id, *node.anchors) for node in graph.nodes[:3]]
... # doctest: +NORMALIZE_WHITESPACE
[(0, Anchor(start=0, end=2)), (1, Anchor(start=0, end=2)),
 (2, Anchor(start=3, end=4))]
>>> members_of(graph)
[[2, 0], [1]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.shared.json_lines import JsonLine, shown
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures.layout import ENTITY, MENTION, LayoutBuilder, kind_of

Span = tuple[int, int]
"""Two numbers, whatever they count."""


def read_clusters(
    line: JsonLine,
    where: str,
    value: Any,
    span: Callable[[str, list[Any]], Span | None],
    anchor: Callable[[Span], Anchor],
    label: Callable[[Span], str | None],
    shape: Sequence[str] = ("first token", "last token"),
) -> LayoutBuilder:
    """Mentions in the order of the text, and entities in that of the file.

    What stands twice becomes two mentions, in one entity or in two.

    Args:
        line: where problems go.
        where: the place of the clusters.
        value: the list of clusters.
        span: checks the numbers that say a range at their place; ``None`` and a
            problem if they say none.
        anchor: the characters of a range.
        label: its type.
        shape: what these numbers are.

    Returns:
        What was found; of no use if there were problems.
    """
    found: list[tuple[int, int, int]] = []
    clusters: list[list[int]] = []
    for place, cluster in line.elements(where, value):
        clusters.append([])
        for each, ends in line.elements(place, cluster):
            if not isinstance(ends, list) or len(ends) != len(shape):
                line.add(each, shown(ends), f"[{', '.join(shape)}]")
            elif (good := span(each, ends)) is not None:
                clusters[-1].append(len(found))
                found.append((good[0], -good[1], len(found)))
    build = LayoutBuilder()
    nodes: dict[int, NodeId] = {}
    for first, last, number in sorted(found):
        range_ = first, -last
        nodes[number] = build.mention(label(range_), [anchor(range_)])
    for members in clusters:
        build.entity([nodes[number] for number in members])
    return build


def members_of(graph: Graph) -> list[list[NodeId]]:
    """The mentions of each entity, in the order of nodes and edges.

    Args:
        graph: a graph of mentions and of entities without a type; the type of a
            mention is not looked at.

    Raises:
        InvalidGraphError: if there is more in it than lists of ranges can say.
    """
    found: dict[NodeId, list[NodeId]] = {}
    alone: set[NodeId] = set()
    for node in graph.nodes:
        kind = kind_of(node)
        if kind == MENTION and len(node.properties) == 1:
            alone.add(node.id)
        elif kind == MENTION:
            raise InvalidGraphError("a mention with more than its place", "no more")
        elif (
            kind != ENTITY
            or node.label is not None
            or len(node.properties) > 1
            or node.anchors
        ):
            shown_as = f"an entity {node.id!r}" if kind == ENTITY else f"a {kind}"
            raise InvalidGraphError(f"{shown_as} with more than mentions", "no more")
        else:
            found[node.id] = []
    mentions = frozenset(alone)
    for edge in graph.edges:
        plain = edge.label == MENTION and not edge.attributes
        if edge.source not in found or edge.target not in mentions or not plain:
            shown_as = f"an edge from {edge.source!r} to {edge.target!r}"
            expected = f"edges {MENTION!r} from entities to mentions"
            raise InvalidGraphError(shown_as, expected)
        found[edge.source].append(edge.target)
        alone.discard(edge.target)
    if alone:
        shown_as = f"{len(alone)} mentions without an entity"
        raise InvalidGraphError(shown_as, "an entity for each")
    return list(found.values())
