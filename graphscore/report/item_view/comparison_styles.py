"""Styles of the nodes and edges of both sides, for pictures of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from graphscore.drawing.styles import Standing, Style, StyledGraph
from graphscore.model.frameworks import framework
from graphscore.model.graph import Anchor, Edge, Graph, NodeId
from graphscore.report.element_values import (
    DIFFERENT,
    MISSING,
    SAME,
    SPURIOUS,
    UNCOUNTED,
    SideElement,
)
from graphscore.report.item_view.underlined import SPANS
from graphscore.report.side_by_side import Comparison, Row
from graphscore.structures.layout import (
    ENTITY,
    OPINION,
    RELATION,
    TEMPLATE,
    TRIGGER,
    kind_of,
)

FRAMES = frozenset({RELATION, TRIGGER, TEMPLATE, OPINION})
"""Kinds of nodes that have roles or slots."""

_STANDINGS: dict[str, Standing] = {
    SAME: "same",
    UNCOUNTED: "plain",
    MISSING: "missing",
    SPURIOUS: "spurious",
}


def sides_of(comparison: Comparison) -> tuple[StyledGraph, StyledGraph]:
    """Both sides as pictures need them.

    Args:
        comparison: an item with what a metric found.

    Returns:
        Gold and system.  Spans that did not match stand beside one that they share
        characters with: that has the wrong label, or the wrong boundary.  Edges that
        lead to one node from different ones have the wrong head.
    """
    graphs = comparison.gold, comparison.system
    nodes = _joined(_fillers(comparison, graphs), _spans(graphs))
    looks, ends = _looks(nodes, 0, partial(_of_node, graphs))
    edges = _joined(comparison.edges(), _dependents(graphs, ends))
    edge_looks, _ = _looks(edges, len(nodes), partial(_of_edge, graphs, ends))
    gold, system = (
        StyledGraph(
            name,
            graphs[number],
            tuple(looks[number][n] for n in range(len(graphs[number].nodes))),
            tuple(edge_looks[number][n] for n in range(len(graphs[number].edges))),
        )
        for number, name in enumerate(("gold", "system"))
    )
    if framework(gold.graph.framework).family == "dependencies":
        return _of_arcs(gold, system), _of_arcs(system, gold)
    return gold, system


Likeness = Callable[[SideElement, SideElement], float]
"""Similarity of a gold and a system object that are unmatched; 0 is none."""


def _joined(rows: Sequence[Row], likeness: Likeness) -> list[Row]:
    """Rows in which what matched nothing stands beside what it is most like."""
    golds = [n for n, row in enumerate(rows) if row.gold and row.mark == MISSING]
    systems = [n for n, row in enumerate(rows) if row.system and row.mark == SPURIOUS]
    alike: list[tuple[float, int, int]] = []
    for gold_row in golds:
        for system_row in systems:
            gold, system = rows[gold_row].gold, rows[system_row].system
            if gold and system and (value := likeness(gold, system)):
                alike.append((-value, gold_row, system_row))
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for _, gold_row, system_row in sorted(alike):
        if gold_row not in partners and system_row not in taken:
            partners[gold_row] = system_row
            taken.add(system_row)
    joined = []
    for number, row in enumerate(rows):
        if number in partners:
            partner = rows[partners[number]].system
            row = row._replace(mark=DIFFERENT, system=partner)
        elif number in taken:
            continue
        joined.append(row)
    return joined


def _fillers(comparison: Comparison, graphs: tuple[Graph, Graph]) -> list[Row]:
    """Nodes, with entities that no metric counts beside those that they are like.

    They have no words of their own: they are like those that fill the same matched
    slot, and then those that share most mentions.
    """
    rows = comparison.nodes()
    plain = [
        number
        for number, row in enumerate(rows)
        if row.mark == UNCOUNTED
        and (half := row.gold or row.system)
        and kind_of(graphs[row.gold is None].nodes[half.ordinal]) == ENTITY
    ]
    if not plain:
        return rows
    golds = {half.id: half for n in plain if (half := rows[n].gold)}
    systems = {half.id: half for n in plain if (half := rows[n].system)}
    beside: dict[NodeId | None, SideElement] = {}
    for (gold, system), _ in _shared(rows, comparison.edges(), graphs).most_common():
        if gold in golds and system in systems and gold not in beside:
            beside[gold] = systems.pop(system)
    left = {half.id for half in systems.values()}
    joined: list[Row] = []
    for number, row in enumerate(rows):
        if number not in plain:
            joined.append(row)
        elif row.gold:
            joined.append(row._replace(system=beside.get(row.gold.id)))
    rest = [half for n in plain if (half := rows[n].system) and half.id in left]
    return [*joined, *(Row(UNCOUNTED, None, half) for half in rest)]


def _shared(
    rows: Sequence[Row], edges: Sequence[Row], graphs: tuple[Graph, Graph]
) -> Counter[tuple[NodeId, NodeId]]:
    """Return the numbers of mentions that nodes share; a matched slot outweighs all."""
    alike: Counter[tuple[NodeId, NodeId]] = Counter()
    for row in edges:
        if row.gold and row.system and row.mark != UNCOUNTED:
            target = graphs[0].edges[row.gold.ordinal].target
            alike[target, graphs[1].edges[row.system.ordinal].target] += len(rows)
    entities: list[dict[NodeId | None, set[NodeId]]] = [{}, {}]
    for graph, entity in zip(graphs, entities, strict=True):
        for edge in graph.edges:
            entity.setdefault(edge.target, set()).add(edge.source)
    for row in rows:
        if row.gold and row.system:
            golds = entities[0].get(row.gold.id, set())
            systems = entities[1].get(row.system.id, set())
            alike.update(product(sorted(golds, key=str), sorted(systems, key=str)))
    return alike


def _spans(graphs: tuple[Graph, Graph]) -> Likeness:
    """Likeness of spans: shared characters, and a little for the same label."""

    def likeness(gold: SideElement, system: SideElement) -> float:
        left, right = graphs[0].nodes[gold.ordinal], graphs[1].nodes[system.ordinal]
        if kind_of(left) not in SPANS or kind_of(left) != kind_of(right):
            return 0.0
        shared = _overlap(left.anchors, right.anchors)
        return shared + (0.05 if shared and left.label == right.label else 0.0)

    return likeness


def _overlap(left: Sequence[Anchor], right: Sequence[Anchor]) -> float:
    """Characters that both have, of those that either has."""
    gold, system = (
        {at for start, end in anchors for at in range(start, end)}
        for anchors in (left, right)
    )
    return len(gold & system) / len(gold | system) if gold & system else 0.0


def _dependents(graphs: tuple[Graph, Graph], ends: list[dict[Any, int]]) -> Likeness:
    """Likeness of edges to the same node, from different ones."""
    framed = any(kind_of(node) in FRAMES for graph in graphs for node in graph.nodes)
    otherwise = 0.5 * _treelike(graphs)

    def likeness(gold: SideElement, system: SideElement) -> float:
        left, right = graphs[0].edges[gold.ordinal], graphs[1].edges[system.ordinal]
        if ends[0][left.target] != ends[1][right.target]:
            return 0.0
        if framed and ends[0][left.source] != ends[1][right.source]:
            # What fills a role of one event is no role of another one.
            return 0.0
        return 1.0 if left.label == right.label else otherwise

    return likeness


def _treelike(graphs: tuple[Graph, Graph]) -> bool:
    """Return whether no node has two heads on either side."""
    return all(
        len({edge.target for edge in graph.edges}) == len(graph.edges)
        for graph in graphs
    )


def _looks(
    rows: Sequence[Row],
    first: int,
    difference: Callable[[SideElement, SideElement], Standing],
) -> tuple[list[dict[int, Style]], list[dict[Any, int]]]:
    """Looks by side and ordinal; pair numbers by side and id."""
    looks: list[dict[int, Style]] = [{}, {}]
    pairs: list[dict[Any, int]] = [{}, {}]
    for number, row in enumerate(rows, first):
        if row.gold is not None and row.system is not None and row.mark == DIFFERENT:
            standing = difference(row.gold, row.system)
        else:
            standing = _STANDINGS[row.mark]
        for side, half in enumerate((row.gold, row.system)):
            if half is not None:
                looks[side][half.ordinal] = Style(number, standing, _wrong(half))
                pairs[side][half.id] = number
    return looks, pairs


def _wrong(half: SideElement) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (piece.tuple_type, piece.name, str(piece.value))
        for piece in half.pieces
        if not piece.matched
    )


def _of_node(
    graphs: tuple[Graph, Graph], gold: SideElement, system: SideElement
) -> Standing:
    """Return the difference of two nodes: the first one that applies."""
    left, right = graphs[0].nodes[gold.ordinal], graphs[1].nodes[system.ordinal]
    wrong = {kind for half in (gold, system) for kind, _, _ in _wrong(half)}
    if left.label != right.label and not wrong <= {"anchors", "tops", "properties"}:
        return "label"
    if left.anchors != right.anchors and not wrong <= {"tops", "properties"}:
        return "boundary"
    return "part"


def _of_edge(
    graphs: tuple[Graph, Graph],
    ends: list[dict[Any, int]],
    gold: SideElement,
    system: SideElement,
) -> Standing:
    """Return the difference of two edges: another head, label, or attribute."""
    left, right = graphs[0].edges[gold.ordinal], graphs[1].edges[system.ordinal]
    if ends[0][left.source] != ends[1][right.source]:
        return "head"
    return "label" if left.label != right.label else "part"


class _Arc(NamedTuple):
    """An edge that leads to a word."""

    head: int
    """The pair number of the word that it comes from."""
    edge: Edge
    look: Style


def _of_arcs(side: StyledGraph, other: StyledGraph) -> StyledGraph:
    """A side in which edges have the looks that metrics of words give to words.

    Such metrics say of a word that its head or its label is wrong; who looks at a
    tree looks for that at the arc.
    """
    own_arcs, other_arcs = _arcs(side), _arcs(other)
    nodes, edges = [*side.nodes], [*side.edges]
    words = {look.pair: (number, look) for number, look in enumerate(side.nodes)}
    for pair, arcs in own_arcs.items():
        ordinal, word = words[pair]
        for number, arc in arcs.items():
            if arc.look.standing != "plain" or word.standing == "plain":
                continue
            others = [*other_arcs.get(pair, {}).values()]
            standing = _of_arc(word, arc, others)
            shared = arc.look.pair
            if len(arcs) == len(others) == 1:
                # One head on each side: these two are counterparts.
                shared = min(shared, others[0].look.pair)
            edges[number] = arc.look._replace(standing=standing, pair=shared)
            if standing in ("head", "label"):
                nodes[ordinal] = word._replace(standing="same")
    for ordinal, word in enumerate(nodes):
        rooted = word.pair in other_arcs and word.pair not in own_arcs
        if word.standing == "part" and rooted:
            nodes[ordinal] = word._replace(standing="head")
    return side._replace(nodes=tuple(nodes), edges=tuple(edges))


def _arcs(side: StyledGraph) -> dict[int, dict[int, _Arc]]:
    """By the pair number of a word, its arcs by their ordinals."""
    words = {node.id: look.pair for node, look in side.seen_nodes()}
    arcs: dict[int, dict[int, _Arc]] = {}
    for ordinal, (edge, look) in enumerate(side.seen_edges()):
        arc = _Arc(words[edge.source], edge, look)
        arcs.setdefault(words[edge.target], {})[ordinal] = arc
    return arcs


def _of_arc(word: Style, arc: _Arc, others: Sequence[_Arc]) -> Standing:
    """Return the standing of an arc to a word of that style."""
    if word.standing != "part":
        return word.standing
    # Without others it is a root there.
    if all(other.head != arc.head for other in others):
        return "head"
    if all(
        (other.head, other.edge.label) != (arc.head, arc.edge.label) for other in others
    ):
        return "label"
    return "same"
