"""Small graphs that the paper's metrics are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphscore.model.graph import Anchor, Edge, Graph, Node, Pairs, Value


class Build:
    """A graph, node by node."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def node(
        self, kind: str, label: Value = None, *more: tuple[str, Value], at: int = -1
    ) -> int:
        """A node; *at* is the one character that it stands for."""
        properties: Pairs = (("kind", kind), *more)
        anchors = (Anchor(at, at + 1),) if at >= 0 else ()
        self.nodes.append(Node(len(self.nodes), label, properties, anchors))
        return len(self.nodes) - 1

    def edge(self, source: int, target: int, label: Value) -> None:
        self.edges.append(Edge(source, target, label))

    def graph(self, *tops: int) -> Graph:
        return Graph(
            "1", "x", nodes=tuple(self.nodes), edges=tuple(self.edges), tops=tops
        )


def letters(text: str) -> Graph:
    """A node for each letter."""
    build = Build()
    for each in text:
        build.node("n", each)
    return build.graph()


def entities(*groups: str, roles: Sequence[str] = ()) -> Graph:
    """Entities as sets of mentions, each a letter; with roles, fillers of the top."""
    build = Build()
    seen: dict[str, int] = {}
    found = []
    for group in groups:
        for each in group:
            if each not in seen:
                seen[each] = build.node("mention", at=ord(each) - ord("a"))
        entity = build.node("entity")
        found.append(entity)
        for each in group:
            build.edge(entity, seen[each], "mention")
    if not roles:
        return build.graph()
    relation = build.node("relation", "r")
    for role, entity in zip(roles, found, strict=True):
        build.edge(relation, entity, role)
    return build.graph(relation)


Event = tuple[str, int, Mapping[str, int]]
"""Type, trigger and arguments."""


def events(*found: Event) -> Graph:
    """Events with triggers and arguments at characters."""
    build = Build()
    for type_, trigger, arguments in found:
        event = build.node("event", type_, at=trigger)
        for role, place in arguments.items():
            build.edge(event, build.node("mention", at=place), role)
    return build.graph()


def templates(*found: tuple[str, Iterable[tuple[str, str, str]]]) -> Graph:
    """Templates of a type with fillers: slot, sort of filler and filler."""
    build = Build()
    for type_, fillers in found:
        template = build.node("template", type_)
        for slot, sort, filler in fillers:
            build.edge(template, build.node(sort, filler), slot)
    return build.graph()
