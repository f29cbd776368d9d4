"""Directed graphs laid out in layers: where boxes, links and their labels stand.

Only sizes are known here, nothing of what is drawn.  Links point down, except those
that close a cycle.  Components stand beside each other.  In each, layers are such that
links are short (``ranks``), the order within layers such that few cross
(``crossings``), and places such that long links are straight (``coordinates``), after
Gansner, Koutsofios, North & Vo 1993.  A label is a box in its link's way, so that
nothing overlaps; links cross layers upright, so that none runs through a box.

Equal input gives an equal layout: nothing depends on the order of a hash.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import ceil, floor, sqrt
from typing import NamedTuple

from graphscore.drawing.layered.coordinates import Placing, place, spread
from graphscore.drawing.layered.crossings import Layered, arrange
from graphscore.drawing.layered.ranks import ranks, turned

Point = tuple[float, float]

LOOP = 14
"""Pixels that a link from a box to itself extends beyond it."""

NEAR = 3
"""Between a loop and its label, and between labels of one box."""

PORT = 8
"""Between links that leave a box on the same side, where it is wide enough."""

LEAN = 0.3
"""Share of the way to its target that a link covers within the border of its box."""

UPRIGHT = 4
"""Weight of a port from which a link would run upright."""

SLOPE = 0.16
"""Height between layers by how far aside links go there."""

STEEPEST = 3
"""Most times the layer gap that links going aside may ask for."""

ASPECT = 1.8
"""Width by height of components that stand in several rows."""


class Link(NamedTuple):
    """A link from a box to another or to itself.

    Attributes:
        source: index of a box.
        target: index of a box.
        width: of the label, 0 where there is none.
        height: of the label, 0 where there is none.
    """

    source: int
    target: int
    width: float = 0
    height: float = 0


class Box(NamedTuple):
    """The size of a node."""

    width: float
    height: float


class Route(NamedTuple):
    """The way of a link.

    A curve whose pieces leave and reach their points upright stays within the way, so
    that it crosses no box either: ``C x1,(y1+y2)/2 x2,(y1+y2)/2 x2,y2``.

    Attributes:
        points: from the border of the source to the border of the target.
        label: centre of the label; it lies on the way, that of a loop beside it.
    """

    points: tuple[Point, ...]
    label: Point | None


class Layout(NamedTuple):
    """Places in a frame whose upper left corner is (0, 0).

    Attributes:
        centres: by box.
        routes: by link.
        width: of the frame.
        height: of the frame.
    """

    centres: tuple[Point, ...]
    routes: tuple[Route, ...]
    width: float
    height: float


def lay_out(
    boxes: Sequence[Box],
    links: Sequence[Link],
    *,
    gap: float = 16,
    layer_gap: float = 22,
    order: Sequence[float | None] | None = None,
) -> Layout:
    """Lay boxes and links out from above; centres are whole numbers.

    Args:
        boxes: sizes of the boxes.
        links: between them, from and to any; several between the same two are told
            apart.
        gap: between boxes beside each other; labels and links stand nearer.
        layer_gap: between boxes above each other, at least.
        order: by box, where it would stand from left to right, such as the position of
            its words; the order of the boxes by default.  Only what is smaller or
            greater counts, where crossings do not decide.  None is for what stands
            nowhere itself: it stands as the first of what it leads to.

    Examples:
        >>> layout = lay_out([Box(30, 20), Box(20, 20)], [Link(0, 1, 16, 12)])
        >>> layout.centres
        ((15, 10), (15, 64))
        >>> layout.routes[0]
        Route(points=((15.0, 20.0), (15.0, 54.0)), label=(15, 37))
        >>> layout.width, layout.height
        (30, 74)
    """
    wish = _wishes(len(boxes), links, order)
    parts = []
    for members in _components(len(boxes), links, wish):
        part = _Component(boxes, links, members, wish, gap, layer_gap)
        parts.append((part, part.laid_out()))
    corners, width, height = _packed([laid for _, laid in parts], gap * 2)
    centres: list[Point] = [(0, 0)] * len(boxes)
    routes = [Route((), None)] * len(links)
    for (part, laid), (x, y) in zip(parts, corners, strict=True):
        for box, (right, down) in zip(part.members, laid.centres, strict=True):
            centres[box] = (right + x, down + y)
        for link, route in zip(part.links, laid.routes, strict=True):
            label = route.label and (route.label[0] + x, route.label[1] + y)
            points = tuple((right + x, down + y) for right, down in route.points)
            routes[link] = Route(points, label)
    return Layout(tuple(centres), tuple(routes), width, height)


def _wishes(
    count: int, links: Sequence[Link], order: Sequence[float | None] | None
) -> list[int]:
    """Ranks of the wishes, so that only their order counts."""
    given = [None] * count if order is None else order
    ranked = sorted({wish for wish in given if wish is not None})
    rank = {wish: at for at, wish in enumerate(ranked)}
    wishes = {box: rank[w] for box, w in enumerate(given) if w is not None}
    # Who has no wish has the least of what it leads to, or of what leads to it.
    for upwards in (True, False):
        ahead: list[list[int]] = [[] for _ in range(count)]
        for link in links:
            start, end = link.source, link.target
            ahead[end if upwards else start].append(start if upwards else end)
        pending = sorted(wishes, key=lambda box: (-wishes[box], -box))
        while pending:
            box = pending.pop()
            new = [other for other in ahead[box] if other not in wishes]
            wishes.update(dict.fromkeys(new, wishes[box]))
            pending += new
    return [wishes.get(box, len(ranked) + box) for box in range(count)]


def _components(
    count: int, links: Sequence[Link], wish: Sequence[float]
) -> list[list[int]]:
    """Boxes that hang together, in the order of the least wish of each."""
    import rustworkx as rx

    graph = rx.PyGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from_no_data([(link.source, link.target) for link in links])
    components = [
        sorted(connected_component)
        for connected_component in rx.connected_components(graph)
    ]
    return sorted(
        components,
        key=lambda component: (min(wish[box] for box in component), component[0]),
    )


def _packed(
    parts: Sequence[Layout], gap: float
) -> tuple[list[tuple[int, int]], int, int]:
    """Corners of the components in rows of columns, and the size of the whole."""
    area = sum((part.width + gap) * (part.height + gap) for part in parts)
    widest = max((part.width for part in parts), default=0)
    most = max(widest, sqrt(area * ASPECT))
    corners: list[tuple[int, int]] = []
    # The row begins at y and is as tall as its tallest; the column at x is width wide
    # and filled down to below.
    x = y = right = width = below = tall = total = 0
    for part in parts:
        w, h = ceil(part.width), ceil(part.height)
        under = below - y + ceil(gap / 2) + h <= tall and w <= width
        if under:
            below += ceil(gap / 2)
        else:
            if width:
                x += width + ceil(gap)
            width, below = w, y
            if x and x + w > most:
                x, y, tall = 0, y + tall + ceil(gap), 0
                below = y
        corners.append((x, below))
        below += h
        tall, right = max(tall, below - y), max(right, x + w)
        total = max(total, y + tall)
    return corners, right, total


class _Component:
    """Boxes that hang together, with labels and bends as further vertices."""

    def __init__(
        self,
        boxes: Sequence[Box],
        links: Sequence[Link],
        members: list[int],
        wish: Sequence[float],
        gap: float,
        layer_gap: float,
    ) -> None:
        self.members = members
        local = {box: at for at, box in enumerate(members)}
        self.links = [at for at, link in enumerate(links) if link.source in local]
        self.ways = [
            links[at]._replace(
                source=local[links[at].source], target=local[links[at].target]
            )
            for at in self.links
        ]
        self.boxes = [boxes[box] for box in members]
        self.wish: list[float] = [wish[box] for box in members]
        self.gap, self.layer_gap = gap, layer_gap
        self.left = [box.width / 2 for box in self.boxes]
        self.right = list(self.left)
        self.height = [box.height for box in self.boxes]
        self.loops: dict[int, list[int]] = {}
        for number, way in enumerate(self.ways):
            if way.source == way.target:
                self.loops.setdefault(way.source, []).append(number)
        self._make_room_for_loops()

    def _make_room_for_loops(self) -> None:
        for box, numbers in self.loops.items():
            widest = max(self.ways[number].width for number in numbers)
            self.right[box] += LOOP + (widest and widest + NEAR)
            stack = sum(self.ways[number].height + NEAR for number in numbers)
            self.height[box] = max(self.height[box], stack)

    def laid_out(self) -> Layout:
        """The component in a frame of its own."""
        numbers = [n for n, way in enumerate(self.ways) if way.source != way.target]
        pairs = [(self.ways[n].source, self.ways[n].target) for n in numbers]
        back = turned(len(self.boxes), pairs)
        pairs = [p[::-1] if b else p for p, b in zip(pairs, back, strict=True)]
        self.labelled = any(self.ways[n].width or self.ways[n].height for n in numbers)
        # Between layers of boxes there is one for labels where there are any.
        self.rank = ranks(len(self.boxes), pairs, 2 if self.labelled else 1)
        self.chains = {
            number: self._chain(self.ways[number], *pair)
            for number, pair in zip(numbers, pairs, strict=True)
        }
        self.back = dict(zip(numbers, back, strict=True))
        self._place()
        self._stack()
        routes = [self._loop(n) or Route((), None) for n in range(len(self.ways))]
        for number, route in self._routes().items():
            routes[number] = route
        centres = tuple(
            (self.x[at], self.y[self.rank[at]]) for at in range(len(self.boxes))
        )
        return Layout(centres, tuple(routes), self.wide, self.bottoms[-1])

    def _chain(self, way: Link, upper: int, lower: int) -> list[int]:
        """The link's vertices from above: its boxes, and bends and a label between."""
        chain, first, last = [upper], self.rank[upper], self.rank[lower]
        label = 0
        if way.width or way.height:
            # In the middle of the layers for labels that it goes through.
            label = first + 1 + (last - first - 1) // 4 * 2
        for rank in range(first + 1, last):
            chain.append(len(self.rank))
            self.rank.append(rank)
            share = (rank - first) / (last - first)
            self.wish.append(
                self.wish[upper] + share * (self.wish[lower] - self.wish[upper])
            )
            width, height = (way.width, way.height) if rank == label else (0, 0)
            self.left.append(width / 2)
            self.right.append(width / 2)
            self.height.append(height)
        return [*chain, lower]

    def _place(self) -> None:
        """Assign layers, and ``x`` by vertex within each."""
        count, boxes = len(self.rank), len(self.boxes)
        above: list[list[int]] = [[] for _ in range(count)]
        below: list[list[int]] = [[] for _ in range(count)]
        for chain in self.chains.values():
            for upper, lower in itertools.pairwise(chain):
                below[upper].append(lower)
                above[lower].append(upper)
        layers: list[list[int]] = [[] for _ in range(max(self.rank) + 1)]
        for vertex, rank in enumerate(self.rank):
            layers[rank].append(vertex)
        self.layers = arrange(layers, Layered(above, below, self.wish))
        bend = [vertex >= boxes for vertex in range(count)]
        at = place(Placing(self.layers, above, below, bend, self._apart))
        least = min(at[v] - self.left[v] for v in range(count))
        # Halves are common: a last bit must not decide where they go.
        self.x = [floor(round(each - least, 3) + 0.5) for each in at]
        for layer in self.layers:
            for left, other in itertools.pairwise(layer):
                self.x[other] = max(
                    self.x[other], self.x[left] + self._apart(left, other)
                )
        by = ceil(max(self.left[v] - self.x[v] for v in range(count)))
        self.x = [each + by for each in self.x]
        self.wide = ceil(max(self.x[v] + self.right[v] for v in range(count)))

    def _apart(self, one: int, other: int) -> int:
        """Centres of two neighbours in a layer: whole, so that rounding keeps it."""
        both = one < len(self.boxes) and other < len(self.boxes)
        gap = self.gap if both else self.gap / 2
        return ceil(self.right[one] + gap + self.left[other])

    def _stack(self) -> None:
        """From above: ``tops`` and ``bottoms`` of the layers and their middles."""
        aside = [0] * len(self.layers)
        for chain in self.chains.values():
            for upper, lower in itertools.pairwise(chain):
                far = abs(self.x[upper] - self.x[lower])
                aside[self.rank[upper]] = max(aside[self.rank[upper]], far)
        least = self.layer_gap / 2 if self.labelled else self.layer_gap
        self.tops, self.bottoms, self.y = [], [], []
        top = 0
        for number, layer in enumerate(self.layers):
            # Even, so that the middle is a whole number.
            tall = 2 * ceil(max(self.height[v] for v in layer) / 2)
            self.tops.append(top)
            self.y.append(top + tall // 2)
            self.bottoms.append(top + tall)
            more = min(aside[number] * SLOPE, least * STEEPEST)
            top += tall + ceil(max(least, more))

    def _routes(self) -> dict[int, Route]:
        ports = self._ports()
        routes = {}
        for number, chain in self.chains.items():
            points: list[Point] = []
            label: Point | None = None
            way = self.ways[number]
            for vertex in chain:
                rank = self.rank[vertex]
                top, bottom = float(self.tops[rank]), float(self.bottoms[rank])
                if vertex < len(self.boxes):
                    x = ports[number, vertex]
                    half = self.boxes[vertex].height / 2
                    if vertex == chain[0]:
                        points += [(x, self.y[rank] + half), (x, bottom)]
                    else:
                        points += [(x, top), (x, self.y[rank] - half)]
                else:
                    x = self.x[vertex]
                    points += [(x, top), (x, bottom)]
                    if self.height[vertex] or self.left[vertex]:
                        label = (x, self.y[rank])
            points = _plain(points)
            routes[number] = Route(
                tuple(points[::-1] if self.back[number] else points),
                label if way.width or way.height else None,
            )
        return routes

    def _ports(self) -> dict[tuple[int, int], float]:
        """Return the horizontal offset of each link at its boxes, by link and box."""
        sides: dict[tuple[int, bool], list[tuple[int, int]]] = {}
        for number, chain in self.chains.items():
            sides.setdefault((chain[0], True), []).append((chain[1], number))
            sides.setdefault((chain[-1], False), []).append((chain[-2], number))
        ports = {}
        for (box, _), ends in sides.items():
            ends.sort(key=lambda end: (self.x[end[0]], end[0], end[1]))
            half = self.left[box]
            inset = min(PORT / 2, half / 2)
            room = 2 * (half - inset)
            apart = min(PORT, room / max(len(ends) - 1, 1))
            centre = self.x[box]
            # What stands above or below the box itself is met upright if it can be.
            wanted, weights = [], []
            for end, _ in ends:
                far = self.x[end] - centre
                upright = abs(far) <= half - inset
                wanted.append(centre + far * (1 if upright else LEAN))
                weights.append(UPRIGHT if upright else 1)
            places = spread(
                wanted,
                weights,
                [apart] * (len(ends) - 1),
                centre - half + inset,
                centre + half - inset,
            )
            for (_, number), at in zip(ends, places, strict=True):
                ports[number, box] = round(at, 1)
        return ports

    def _loop(self, number: int) -> Route | None:
        """A link of a box to itself leaves on the right and comes back below."""
        way = self.ways[number]
        if way.source != way.target:
            return None
        box, loop = way.source, self.loops[way.source]
        index, height = loop.index(number), self.boxes[box].height
        middle = self.y[self.rank[box]]
        border = self.x[box] + self.boxes[box].width / 2
        slot = height / len(loop)
        top = middle - height / 2 + index * slot
        heights = [self.ways[other].height + NEAR for other in loop]
        down = middle - sum(heights) / 2 + sum(heights[:index]) + heights[index] / 2
        if not way.height:
            down = top + slot / 2
        out, reach = border + LOOP, min(slot / 4, 4)
        start, end = top + slot / 4, top + slot * 3 / 4
        points = [(border, start), (out, down - reach), (out, down + reach)]
        points.append((border, end))
        label = None
        if way.width or way.height:
            label = (round(out + NEAR + way.width / 2, 1), round(down, 1))
        return Route(tuple((round(x, 1), round(y, 1)) for x, y in points), label)


def _plain(points: list[Point]) -> list[Point]:
    """Without points that are there twice or on the line between two others."""
    found: list[Point] = []
    for point in points:
        if found and point == found[-1]:
            continue
        if len(found) > 1 and found[-2][0] == found[-1][0] == point[0]:
            found[-1] = point
        else:
            found.append(point)
    return found
