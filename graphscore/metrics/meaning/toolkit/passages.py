"""Passages of UCCA as graphs that can be rebuilt: units, and links between them.

A link has all categories that lead from one unit to another; graphs have an edge for
each.  Terminals are numbers of tokens.  Implicit units and the types of terminals are
what :mod:`graphscore.model.passages` knows; where a graph says nothing of its
terminals, those without a letter or digit are punctuation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphscore.model.graph import Anchor, Edge, Graph
from graphscore.model.normalize import fold
from graphscore.model.passages import beside

PUNCTUATION = "U"


class Unit:
    """A unit with what it leads to and what leads to it."""

    __slots__ = ("above", "implicit", "links", "node", "terminals")

    def __init__(self, node: int, implicit: bool = False) -> None:
        self.node, self.implicit = node, implicit
        self.links: list[Link] = []
        self.above: list[Link] = []
        self.terminals: list[int] = []
        """Numbers of tokens."""

    @property
    def parent(self) -> Unit | None:
        """The first unit that leads here by a primary link."""
        return next((each.source for each in self.above if not each.remote), None)


class Link:
    """From a unit to another; entered at both."""

    __slots__ = ("edge", "remote", "source", "tags", "target")

    def __init__(
        self, source: Unit, target: Unit, tags: list[str], remote: bool, edge: int
    ) -> None:
        self.source, self.target, self.tags = source, target, tags
        self.remote, self.edge = remote, edge
        source.links.append(self)
        target.above.append(self)

    def move(self, source: Unit) -> None:
        """Let it lead from another unit."""
        self.source.links.remove(self)
        self.source = source
        source.links.append(self)

    def drop(self) -> None:
        """Take it away at both ends."""
        self.source.links.remove(self)
        self.target.above.remove(self)


class Passage:
    """The units of a graph.

    Args:
        graph: its edges lead to nodes.
    """

    def __init__(self, graph: Graph) -> None:
        place = graph.ordinals()
        said = beside(graph.extra, place)
        self.tokens = _tokens(graph)
        if said is not None and said.punctuation and graph.tokens:
            self.punctuation = frozenset(said.punctuation)
        elif said is not None and graph.tokens:
            self.punctuation = frozenset()
        else:
            self.punctuation = frozenset(
                number
                for number, (start, end) in enumerate(self.tokens)
                if not any(map(str.isalnum, graph.text[start:end] or "x"))
            )
        numbers = {each: number for number, each in enumerate(self.tokens)}
        self.units = [Unit(number) for number in range(len(graph.nodes))]
        for unit, node in zip(self.units, graph.nodes, strict=True):
            for anchor in node.anchors:
                if anchor in numbers:
                    unit.terminals.append(numbers[anchor])
                else:
                    unit.terminals += _within(anchor, self.tokens)
        last: Link | None = None
        for number, edge in enumerate(graph.edges):
            source, target = (
                self.units[place[edge.source]],
                self.units[place[edge.target]],
            )
            remote = _remote(edge)
            tag = "" if edge.label is None else str(edge.label)
            # Categories of one link follow one another.
            if (
                last is not None
                and (last.source, last.target, last.remote) == (source, target, remote)
                and tag not in last.tags
            ):
                last.tags.append(tag)
            else:
                last = Link(source, target, [tag], remote, number)
        self.root = self._root(graph, place)
        if said is not None and said.implicit:
            implicit: dict[int, Unit] = {}
            for parent, number, tags, remote in said.implicit:
                if number not in implicit:
                    implicit[number] = Unit(-1, True)
                    self.units.append(implicit[number])
                Link(
                    self.units[parent], implicit[number], list(tags) or [""], remote, -1
                )

    def _root(self, graph: Graph, place: Mapping[Any, int]) -> Unit:
        for top in graph.tops:
            return self.units[place[top]]
        for unit in self.units:
            if unit.parent is None:
                return unit
        return self.units[0] if self.units else Unit(-1)

    def destroy(self, unit: Unit) -> None:
        """Take a unit away, with all links to and from it."""
        for link in (*unit.links, *unit.above):
            if link in link.source.links:
                link.drop()
        self.units.remove(unit)


def _remote(edge: Edge) -> bool:
    return any(
        fold(name) == "remote" and fold(value) != "false"
        for name, value in edge.attributes
    )


def _tokens(graph: Graph) -> list[Anchor]:
    """The tokens that the graph names, or what its nodes are anchored to."""
    if graph.tokens:
        return list(graph.tokens)
    return sorted({anchor for node in graph.nodes for anchor in node.anchors})


def _within(anchor: Anchor, tokens: Iterable[Anchor]) -> list[int]:
    return [
        number
        for number, (start, end) in enumerate(tokens)
        if anchor.start <= start and end <= anchor.end
    ]
