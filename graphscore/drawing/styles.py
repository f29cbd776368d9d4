"""Input of a drawing: one graph, or both sides of a pair, and the style of each part.

Whoever compared the two says here what came of it; the pictures know nothing of
metrics.  Counterparts share a *pair number*: they stand at the same place, and one is
marked when the other is pointed at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from graphscore.model.graph import Edge, Graph, Node

Standing = Literal[
    "plain", "same", "missing", "spurious", "label", "boundary", "head", "part"
]
"""Standing of a node or an edge against the other side:

========  ======================================================
plain     nothing is said: there is no other side, or no metric
          counts it
same      it matched
missing   only gold has it
spurious   only the system has it
label     its counterpart says something else
boundary  its counterpart is anchored elsewhere
head      only this side joins these two; the other side has the
          dependent elsewhere
part      it matched in part
========  ======================================================
"""

GLYPHS: dict[Standing, str] = {
    "plain": "",
    "same": "",
    "missing": "−",
    "spurious": "+",
    "label": "≠",
    "boundary": "↔",
    "head": "↷",
    "part": "≈",
}
"""Glyphs that distinguish standings without colors."""

MEANINGS: dict[Standing, str] = {
    "same": "matched",
    "missing": "only gold",
    "spurious": "only system",
    "label": "other label",
    "boundary": "other boundary",
    "head": "other head",
    "part": "matched in part",
}
"""Texts of legends, in their order."""

RIGHT = frozenset({"plain", "same"})
"""Standings of what is no error."""


class Style(NamedTuple):
    """Style of one node or edge."""

    pair: int
    """Counterparts share it, and nothing else of the same picture does."""
    standing: Standing = "plain"
    wrong: frozenset[tuple[str, str, str]] = frozenset()
    """Pieces that did not match: tuple type, name and value as text."""
    bound: str | None = None
    """Name in the pattern of a hit, if any; such parts are marked."""

    @property
    def right(self) -> bool:
        """It is no error."""
        return self.standing in RIGHT


class StyledGraph(NamedTuple):
    """A graph with the looks of its nodes and edges, in their order."""

    name: str
    """``gold``, ``system``; empty where there is one graph alone."""
    graph: Graph
    nodes: tuple[Style, ...]
    edges: tuple[Style, ...]

    def seen_nodes(self) -> Iterator[tuple[Node, Style]]:
        """Nodes with their looks."""
        return zip(self.graph.nodes, self.nodes, strict=True)

    def seen_edges(self) -> Iterator[tuple[Edge, Style]]:
        """Edges with theirs."""
        return zip(self.graph.edges, self.edges, strict=True)


def alone(graph: Graph) -> StyledGraph:
    """A graph that is compared with nothing.

    Args:
        graph: any graph.

    Example:
        >>> from graphscore.model.graph import Node
        >>> alone(Graph("1", "amr", nodes=(Node(0, "dog"),))).nodes[0]
        Style(pair=0, standing='plain', wrong=frozenset(), bound=None)
    """
    count = len(graph.nodes)
    nodes = tuple(map(Style, range(count)))
    edges = tuple(map(Style, range(count, count + len(graph.edges))))
    return StyledGraph("", graph, nodes, edges)


def named(look: Style, said: str) -> str:
    """Return the text of a part: its name in a pattern, its sign, and its label.

    Args:
        look: how it stands.
        said: its label.

    Example:
        >>> named(Style(0, "missing", bound="X"), "dog"), named(Style(0), "dog")
        ('X: − dog', 'dog')
    """
    name = f"{look.bound}:" if look.bound else ""
    return " ".join(filter(None, (name, GLYPHS[look.standing], said)))


def kept(sides: Sequence[StyledGraph]) -> set[int]:
    """The pair numbers that are left where everything is folded that matched.

    Args:
        sides: one or two.

    Returns:
        Those of all errors, of the nodes that wrong edges join, and of the nodes and
        edges that touch a wrong node; of everything where nothing is wrong.
    """
    wrong: set[int] = set()
    kept: set[int] = set()
    for side in sides:
        ids = side.graph.ordinals()
        wrong |= {look.pair for look in (*side.nodes, *side.edges) if not look.right}
        for edge, look in side.seen_edges():
            ends = {side.nodes[ids[end]].pair for end in (edge.source, edge.target)}
            touched = not all(
                side.nodes[ids[end]].right for end in (edge.source, edge.target)
            )
            if touched or not look.right:
                kept |= {look.pair, *ends}
    if not wrong:
        return {look.pair for side in sides for look in (*side.nodes, *side.edges)}
    return wrong | kept


def standings(sides: Sequence[StyledGraph]) -> list[Standing]:
    """The standings that occur, in the order of legends."""
    present = {look.standing for side in sides for look in (*side.nodes, *side.edges)}
    return [each for each in MEANINGS if each in present]
