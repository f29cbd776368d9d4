"""Edges, labels and yields as the scorers of meaning representations read them.

An edge may be written against its direction (``ARG0-of``, ``mod``); its *base*
source, target and label are those of the edge turned round.  Labels compare as
case-insensitive strings, an empty one is none.  With ``mtool`` a part follows
that program's reading of repeated edges, of properties in AMR and of two roles
(see :mod:`graphscore.model.normalize`).

>>> from graphscore.model.graph import Edge, Graph, Node
>>> view = View(Graph("1", "amr", nodes=(Node(7), Node(8)),
...                   edges=(Edge(7, 8, "ARG0-of"),)))
>>> BaseEnd("target").follow(view, [0]), BaseLabel().of_all(view, [0])
([0], ['arg0'])
>>> BaseLabel().raw(view, 0)
'ARG0-of'
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple

from graphscore.model.graph import Value
from graphscore.model.normalize import (
    Invert,
    base_edge,
    effective_attributes,
    fold,
    mtool_edges,
    mtool_slots,
)
from graphscore.similarity.expression import (
    ARTICLES,
    FormulaError,
    Sort,
    delegate,
    require,
)
from graphscore.similarity.features.elements import (
    Characters,
    Column,
    Feature,
    Given,
)
from graphscore.similarity.features.values import Computed
from graphscore.similarity.navigation.collections import Collection, Whole
from graphscore.similarity.navigation.steps import Step
from graphscore.similarity.view import GRAPH, Element, Elements, View


class Base(NamedTuple):
    """All edges of a graph in their base direction, one entry each."""

    sources: list[int]
    targets: list[int]
    labels: list[str | None]


def base(view: View, invert: Invert, mtool: bool) -> Base:
    """The edges of a graph in their base direction.

    Args:
        view: the graph; its edges name existing nodes.
        invert: where inversion is inferred from labels.
        mtool: whether roles are turned round that it turns round by oversight.

    Returns:
        Node ordinals, and labels as they are compared.
    """
    return view.keep(("base", invert, mtool), lambda: _base(view, invert, mtool))


def _base(view: View, invert: Invert, mtool: bool) -> Base:
    graph, ordinals = view.graph, view.places()
    result = Base([], [], [])
    for edge in graph.edges:
        source, target, label = base_edge(edge, graph.framework, invert, not mtool)
        result.sources.append(ordinals[source])
        result.targets.append(ordinals[target])
        # An empty label is none (mtool 4cee3a2, ``graph.py``, Edge.decode).
        result.labels.append(None if label is None or label == "" else fold(label))
    return result


class BaseEnd(Step, frozen=True):
    """An end of an edge that is read in its base direction.

    Args:
        end: ``target`` or ``source``.
        invert: where inversion is inferred from labels.
        mtool: whether mtool's reading is followed.
    """

    call: ClassVar[str] = "base_end"
    of: ClassVar[Sort] = "edge"
    leads: ClassVar[Sort] = "node"

    end: Literal["target", "source"]
    invert: Invert = "all"
    mtool: bool = False

    short = delegate("end")

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """The node at that end of each edge."""
        edges = base(view, self.invert, self.mtool)
        column = edges.targets if self.end == "target" else edges.sources
        return [column[element] for element in elements]


class BaseLabel(Column, frozen=True):
    """An edge's label in its base direction, as a case-insensitive string.

    Args:
        invert: where inversion is inferred from labels.
        mtool: whether mtool's reading is followed.
    """

    call: ClassVar[str] = "base_label"
    of: ClassVar[Sort] = "edge"
    short: ClassVar[str] = "label"

    invert: Invert = "all"
    mtool: bool = False

    def column(self, view: View) -> Sequence[Hashable]:
        """One label for each edge, ``None`` where it is empty."""
        return base(view, self.invert, self.mtool).labels

    def raw(self, view: View, element: Element) -> Value:
        """The label as written."""
        return view.graph.edges[element].label


class BaseEdges(Whole, frozen=True):
    """The edges of the graph that say something.

    Args:
        having: only those with this attribute; an attribute with its default
            value says nothing.
        lacking: only those without this attribute.
        mtool: whether of edges with equal ends and label only the first counts.
    """

    call: ClassVar[str] = "base_edges"
    yields: ClassVar[Sort] = "edge"

    having: str | None = None
    lacking: str | None = None
    mtool: bool = False

    @property
    def short(self) -> str:
        """``edges``, with the condition."""
        conditions = [self.having] if self.having else []
        conditions += [f"¬{self.lacking}"] if self.lacking else []
        return f"edges({','.join(conditions)})" if conditions else "edges"

    def every(self, view: View) -> Iterable[Element]:
        """Their ordinals."""
        graph = view.graph
        kept = {id(edge) for edge in mtool_edges(graph)} if self.mtool else None
        for index, edge in enumerate(graph.edges):
            if kept is not None and id(edge) not in kept:
                continue
            names: set[str] = set()
            if edge.attributes:
                names = {
                    effective_attribute[0]
                    for effective_attribute in effective_attributes(edge.attributes)
                }
            if (self.having is None or self.having in names) and (
                self.lacking is None or self.lacking not in names
            ):
                yield index


class KeptProperties(Whole, frozen=True):
    """The properties of all nodes, as a reader of AMR may keep them.

    Args:
        mtool: whether in AMR links to Wikipedia are dropped and the last of a
            repeated property counts, as mtool reads it.
    """

    call: ClassVar[str] = "kept_properties"
    yields: ClassVar[Sort] = "property"
    short: ClassVar[str] = "properties"

    mtool: bool = False

    def every(self, view: View) -> Iterable[Element]:
        """(node ordinal, position) of each."""
        merged = self.mtool and view.graph.framework == "amr"
        for index, node in enumerate(view.graph.nodes):
            slots: Iterable[int] = range(len(node.properties))
            if merged:
                slots = mtool_slots(node.properties)
            for slot in slots:
                yield index, slot


class Yields(Column, frozen=True):
    """Yields of nodes: what they and all their descendants cover.

    Nodes on a cycle lead to one another, so they have the same yield.

    Args:
        own: what a node covers by itself, as a set of characters: ``characters()``.
        edges: the edges that are followed, in their base direction.
        invert: where inversion is inferred from labels.
        mtool: whether mtool's walk is followed, which gives nodes on a cycle
            what it had gathered when it came round.

    Raises:
        FormulaError: if *own* is something else, as the ranges of ``anchors`` are.
    """

    call: ClassVar[str] = "yields"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False
    short: ClassVar[str] = "yield"

    own: Feature
    edges: Collection
    invert: Invert = "all"
    mtool: bool = False

    def __post_init__(self) -> None:
        for part, sort, expected in (
            (self.own, self.own.of, "node"),
            (self.edges, self.edges.of, "graph"),
            (self.edges, self.edges.yields, "edge"),
        ):
            require(
                sort == expected,
                f"{part} is about {ARTICLES[sort]}, expected {ARTICLES[expected]}",
                f"yields({self.own}, {self.edges})",
                str(part),
            )
        require(
            isinstance(self.own, Characters | Computed | Given | Yields),
            f"{self.own} is not a set of characters, expected characters()",
            f"yields({self.own}, {self.edges})",
            str(self.own),
        )

    def column(self, view: View) -> Sequence[Hashable]:
        """One set of characters for each node.

        Raises:
            FormulaError: if a function of one's own gives something else.
        """
        own = self.own.of_all(view, range(len(view.graph.nodes)))
        for node, characters in enumerate(own):
            if type(characters) is not int:
                raise FormulaError(
                    f"item {view.graph.id} ({view.graph.framework}): {self.own} of "
                    f"node {node} is {characters!r}, expected a set of characters as "
                    "an int",
                    f"yields({self.own}, {self.edges})",
                    str(self.own),
                )
        sources, targets, _ = base(view, self.invert, self.mtool)
        [edges] = self.edges.members(view, GRAPH)
        links = [(sources[edge], targets[edge]) for edge in edges]
        gather = walk_yields if self.mtool else by_yields
        return gather(own, links)  # type: ignore[arg-type]


def by_yields(own: Sequence[int], links: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The characters of each node and of everything that it leads to.

    Nodes on a cycle lead to one another, so they have the same yield, whatever
    the order of nodes and edges.

    Args:
        own: the characters of each node.
        links: (source, target) positions of the edges to follow.

    Returns:
        One integer a node; linear in nodes and edges.

    Example:
        >>> by_yields((0b001, 0b010, 0b100), [(0, 1), (1, 2), (2, 1)])
        (7, 6, 6)
    """
    import rustworkx as rx

    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(own)))
    graph.add_edges_from_no_data(list(links))
    below: list[list[int]] = [[] for _ in own]
    for source, target in links:
        below[source].append(target)
    result = list(own)
    # Components come out with what they lead to before them.
    for component in rx.strongly_connected_components(graph):
        union = 0
        for node in component:
            union |= result[node]
            for target in below[node]:
                union |= result[target]
        for node in component:
            result[node] = union
    return tuple(result)


def walk_yields(
    own: Sequence[int], links: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """Yields as one depth-first walk gathers them (mtool 4cee3a2).

    A node that is met again while its own yield is still being gathered gives
    what it has so far.  So nodes on a cycle have different yields, by the order
    of nodes and edges; without cycles the walk finds the same as ``by_yields``.

    Args:
        own: the characters of each node.
        links: (source, target) positions of the edges to follow.

    Returns:
        One integer a node.

    Example:
        >>> walk_yields((0b001, 0b010, 0b100), [(0, 1), (1, 2), (2, 1)])
        (7, 6, 6)
        >>> walk_yields((0b01, 0b10), [(0, 1), (1, 0)])
        (3, 3)
        >>> walk_yields((1, 2, 4), [(1, 0), (2, 1)])
        (1, 3, 7)
    """
    below: list[list[int]] = [[] for _ in own]
    for source, target in links:
        below[source].append(target)
    result: dict[int, int] = {}
    for first in range(len(own)):
        if first in result:
            continue
        result[first] = own[first]
        stack = [(first, iter(below[first]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in result:
                    result[target] = own[target]
                    stack.append((target, iter(below[target])))
                    break
                result[node] |= result[target]
            else:
                stack.pop()
                if stack:
                    result[stack[-1][0]] |= result[node]
    return tuple(result[node] for node in range(len(own)))


# As parts of a formula they are named in small letters.
base_edges = BaseEdges
base_end = BaseEnd
base_label = BaseLabel
kept_properties = KeptProperties
yields = Yields
