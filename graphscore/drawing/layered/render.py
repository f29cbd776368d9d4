"""Directed graphs in layers: AMR, EDS, UCCA, PTG, DRG, entity trees.

Of a pair the union is laid out once, and each side drawn in a panel of its own: what
corresponds stands at the same place in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.drawing.layered.layout import Box, Layout, Link, Route, lay_out
from graphscore.drawing.styles import GLYPHS, Style, StyledGraph, named, standings
from graphscore.drawing.svg import (
    LINE,
    SMALL,
    Panel,
    Picture,
    arrow,
    box,
    group,
    line,
    shortened,
    spoken,
    text_at,
    width_of,
)
from graphscore.exceptions import amount
from graphscore.model.graph import Edge, Graph, Node
from graphscore.structures.layout import KIND

MARGIN = 8
"""Pixels around all."""

HEAD = 18
"""Pixels that the name of a side takes."""

BARE = 12
"""Pixels of a node that says nothing."""

ROOT = 12
"""Pixels of the arrow that leads to a top."""


class Line(NamedTuple):
    """A line of text in a node."""

    text: str
    name: str
    """Its class: ``q`` for what is said quietly."""
    wrong: bool

    @property
    def size(self) -> int:
        """Pixels of a letter's height."""
        return SMALL if self.name else 12


def draw_layered(sides: Sequence[StyledGraph], keep: set[int] | None = None) -> Picture:
    """A picture of one graph, or of two beside each other, in layers.

    Args:
        sides: one or two.
        keep: pair numbers that are drawn; all without it.

    Returns:
        A panel a side.
    """
    plan = _Plan(sides, keep)
    panels = tuple(_panel(side, plan) for side in sides)
    graph = sides[0].graph
    return Picture(
        f"{graph.framework} {graph.id}",
        panels,
        tuple(standings(sides)),
        beside=True,
        pairs=plan.pairs,
    )


class _Plan:
    """Layout of nodes and edges, by their pair numbers."""

    def __init__(self, sides: Sequence[StyledGraph], keep: set[int] | None) -> None:
        self.keep, self.alone = keep, len(sides) == 1
        self.lines: dict[int, list[list[Line]]] = {}
        order: dict[int, float | None] = {}
        # Counterparts with another head have one pair number, and two places.
        widths: dict[tuple[int, int, int], int] = {}
        numbers = [0]
        for side in sides:
            pair_of = {node.id: look.pair for node, look in side.seen_nodes()}
            for node, look in side.seen_nodes():
                numbers.append(look.pair + 1)
                if self.drawn(look.pair):
                    lines = lines_of(side.graph, node, look)
                    self.lines.setdefault(look.pair, []).append(lines)
                    order[look.pair] = order.get(look.pair) or _place(node)
            for edge, look in side.seen_edges():
                numbers.append(look.pair + 1)
                ends = pair_of[edge.source], pair_of[edge.target]
                if self.drawn(look.pair) and all(map(self.drawn, ends)):
                    wide = width_of(label_of(edge, look), SMALL)
                    both = look.pair, *ends
                    widths[both] = max(widths.get(both, 0), wide)
        self.pairs = max(numbers)
        self.boxes = {pair: _size(lines) for pair, lines in self.lines.items()}
        number = {pair: at for at, pair in enumerate(self.boxes)}
        links = [
            Link(number[source], number[target], *((wide + 6, 13) if wide else ()))
            for (_, source, target), wide in widths.items()
        ]
        # Without anchors nodes stand in the order of the file.
        anchored = any(offset is not None for offset in order.values())
        places = [order[pair] if anchored else at for at, pair in enumerate(self.boxes)]
        self.layout: Layout = lay_out([*self.boxes.values()], links, order=places)
        self.at = dict(zip(self.boxes, self.layout.centres, strict=True))
        self.routes = dict(zip(widths, self.layout.routes, strict=True))

    def drawn(self, pair: int) -> bool:
        """Return whether a node or edge is not folded."""
        return self.keep is None or pair in self.keep


def _panel(side: StyledGraph, plan: _Plan) -> Panel:
    """One side, under its name."""
    top = HEAD if side.name else 0
    if side.name and not side.graph.nodes:
        # Where nothing is, no room is taken as if there were.
        text = f"{side.name}: no nodes"
        body = text_at(MARGIN, 13, text, "side")
        return Panel(body, round(width_of(text) + 2 * MARGIN), HEAD + MARGIN)
    tops = set(side.graph.tops)
    parts = [text_at(MARGIN, 13, side.name, "side")]
    drawn = []
    pair_of = {node.id: look.pair for node, look in side.seen_nodes()}
    for edge, look in side.seen_edges():
        route = plan.routes.get((look.pair, pair_of[edge.source], pair_of[edge.target]))
        if route is not None:
            drawn.append(_edge(edge, look, route))
    for node, look in side.seen_nodes():
        if look.pair in plan.at:
            drawn.append(_node(side.graph, node, look, plan, node.id in tops))
    hidden = sum(not plan.drawn(look.pair) for look in side.nodes)
    height = plan.layout.height + top + 2 * MARGIN + ROOT
    parts.append(
        f'<g transform="translate({MARGIN} {top + MARGIN + ROOT})">{"".join(drawn)}</g>'
    )
    width = plan.layout.width + 2 * MARGIN
    if hidden:
        text = f"{amount(hidden, 'matched node')} folded"
        parts.append(text_at(MARGIN, height + 4, text, "q", size=SMALL))
        height += 10
        width = max(width, width_of(text, SMALL) + 2 * MARGIN)
    return Panel("".join(parts), round(width), round(height))


def _node(graph: Graph, node: Node, look: Style, plan: _Plan, top: bool) -> str:
    """The box with its lines."""
    x, y = plan.at[look.pair]
    width, height = plan.boxes[look.pair]
    left, upper = x - width / 2, y - height / 2
    parts = []
    if top:
        root = f"M{x:.0f} {upper - ROOT:.0f}V{upper:.0f}"
        parts.append(line(root + arrow(x, upper, 0, -1), "t"))
    lines = lines_of(graph, node, look)
    if not lines:
        left, upper, width, height = x - BARE / 2, y - BARE / 2, BARE, BARE
    parts.append(box(left, upper, width, height, look.standing))
    base = y - len(lines) * LINE / 2 + 11
    for number, each in enumerate(lines):
        name = " ".join(filter(None, (each.name, "w" if each.wrong else "")))
        at = base + number * LINE
        parts.append(text_at(x, at, each.text, name, size=each.size, anchor="middle"))
    glyph = GLYPHS[look.standing]
    if glyph and not lines:
        parts.append(text_at(x, y + 4, glyph, anchor="middle"))
    # Of pairs only what is wrong or cut is explained: pictures of many must be small.
    explained = plan.alone or not look.right or any("…" in each.text for each in lines)
    title = _title(graph, node) if explained else ""
    return group(parts, look, "n", title)


def _edge(edge: Edge, look: Style, route: Route) -> str:
    """The line with its arrowhead and its label."""
    points = route.points
    (x, y), (fx, fy) = points[-1], points[-2]
    parts = [line(_curve(points) + arrow(x, y, fx - x, fy - y))]
    label = label_of(edge, look)
    if label and route.label:
        at_x, at_y = route.label
        parts.append(text_at(at_x, at_y + 4, label, size=SMALL, anchor="middle"))
    return group(parts, look, "e")


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A smooth line through points: straight out, then level with each next one."""
    (x, y), *rest = points
    d = f"M{x:.0f} {y:.0f}"
    if len(rest) == 1:
        return d + f"L{rest[0][0]:.0f} {rest[0][1]:.0f}"
    for to_x, to_y in rest:
        if abs(to_x - x) < 1:
            d += f"L{to_x:.0f} {to_y:.0f}"
        else:
            mid = (y + to_y) / 2
            d += f"C{x:.0f} {mid:.0f} {to_x:.0f} {mid:.0f} {to_x:.0f} {to_y:.0f}"
        x, y = to_x, to_y
    return d


def lines_of(graph: Graph, node: Node, look: Style) -> list[Line]:
    """Return the lines in the box of a node: label, properties, words.

    Args:
        graph: its graph, whose text its anchors are of.
        node: the node.
        look: how it stands; its glyph is before the first line.
    """
    wrong = {piece[:2] for piece in look.wrong}
    lines = []
    if node.label is not None:
        lines.append(Line(spoken(node.label), "", ("labels", "") in wrong))
    for name, value in node.properties:
        if name != KIND:
            text = shortened(f"{name}={spoken(value)}")
            bad = ("properties", name, str(value)) in look.wrong
            lines.append(Line(text, "q", bad))
    words = words_of(graph, node)
    if words:
        name = "q" if lines else ""
        lines.append(Line(f"“{words}”", name, ("anchors", "") in wrong))
    if look.bound and not lines:
        lines.append(Line("", "", False))
    if lines:
        lines[0] = lines[0]._replace(text=named(look, lines[0].text))
    return lines


def words_of(graph: Graph, node: Node) -> str:
    """The words that a node is anchored in, or the places where there is no text."""
    if graph.text:
        pieces = [graph.text[start:end] for start, end in node.anchors]
        return spoken(" … ".join(filter(None, pieces)))
    return spoken(" ".join(f"{start}:{end}" for start, end in node.anchors))


def label_of(edge: Edge, look: Style) -> str:
    """Return the label of an edge: its glyph, label and attributes."""
    parts = [spoken(edge.label)]
    for name, value in edge.attributes:
        parts.append(name if value is True else f"{name}={spoken(value)}")
    return shortened(named(look, " ".join(filter(None, parts))))


def _title(graph: Graph, node: Node) -> str:
    """Return the tooltip of a node: all of its values, untruncated."""
    parts = [f"{node.id}"]
    if node.label is not None:
        parts.append(str(node.label))
    parts += [f"{name}={value}" for name, value in node.properties]
    parts += [graph.text[start:end] for start, end in node.anchors]
    return " · ".join(filter(None, parts))


def _place(node: Node) -> float | None:
    """Return the offset of its words; without words its targets determine it."""
    return float(node.anchors[0].start) if node.anchors else None


def _size(said: Sequence[Sequence[Line]]) -> Box:
    """Pixels that the lines of a node take, on the side where they take more."""
    most = max(map(len, said))
    if not most:
        return Box(BARE, BARE)
    widths = [width_of(each.text, each.size) for lines in said for each in lines]
    return Box(max(widths, default=0) + 14, most * LINE + 5)
