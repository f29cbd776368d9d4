r"""Coreference as JSON lists: clusters of ranges, as neural systems read and write it.

>>> line = JsonLine("a.jsonl", 1, b"")
>>> clusters = [[[3, 3], [0, 1]], [[0, 1]]]
>>> build = read_clusters(line, "$.clusters", clusters, Ends,
...                       lambda where, ends: (ends.first_token, ends.last_token),
...                       lambda span: Anchor(span[0], span[1] + 1))
>>> graph = build.graph("1", "coref")
>>> [(node.id, *node.anchors) for node in graph.nodes[:3]]
... # doctest: +NORMALIZE_WHITESPACE
[(0, Anchor(start=0, end=2)), (1, Anchor(start=0, end=2)),
 (2, Anchor(start=3, end=4))]
>>> members_of(graph)
[[2, 0], [1]]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from graphscore.errors import InvalidGraphError
from graphscore.formats.shared.json_lines import JsonLine, Row
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures.layout import ENTITY, MENTION, LayoutBuilder, nodes_of

Span = tuple[int, int]
"""Two numbers, whatever they count."""

Range = TypeVar("Range", bound=Row)


class Ends(Row):
    """A range of tokens, the last one included."""

    first_token: int
    last_token: int


def read_clusters(
    line: JsonLine,
    where: str,
    value: Any,
    kind: type[Range],
    span: Callable[[str, Range], Span | None],
    anchor: Callable[[Span], Anchor],
    label: Callable[[Span], str | None] = lambda span: None,
) -> LayoutBuilder:
    """Mentions in the order of the text, and entities in that of the file.

    What stands twice becomes two mentions, in one entity or in two.

    Args:
        line: where problems go.
        where: the place of the clusters.
        value: the list of clusters.
        kind: the struct of the numbers that say a range.
        span: the range that they say, by their place; ``None`` and a problem if they
            say none.
        anchor: the characters of a range.
        label: its type.

    Returns:
        What was found; of no use if there were problems.
    """
    found: list[tuple[int, int, int]] = []
    clusters: list[list[int]] = []
    for place, cluster in line.elements(where, value):
        clusters.append([])
        for at, given in line.elements(place, cluster):
            ends = line.typed(at, given, kind)
            if ends is not None and (good := span(at, ends)) is not None:
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
        graph: a graph of mentions and entities.

    Raises:
        InvalidGraphError: for an edge that is not from an entity to a mention.
    """
    mentions = {node.id for node in nodes_of(graph, MENTION)}
    found: dict[NodeId, list[NodeId]] = {
        node.id: [] for node in nodes_of(graph, ENTITY)
    }
    for edge in graph.edges:
        if edge.source not in found or edge.target not in mentions:
            shown_as = f"an edge from {edge.source!r} to {edge.target!r}"
            raise InvalidGraphError(shown_as, "edges from entities to mentions")
        found[edge.source].append(edge.target)
    return list(found.values())
