"""Layouts: nothing overlaps, links meet their boxes, few cross, nothing is chance."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations, product
from math import ceil

import pytest
import rustworkx as rx
from hypothesis import given
from hypothesis import strategies as st

from graphscore import read_file
from graphscore.drawing.layered.coordinates import spread
from graphscore.drawing.layered.crossings import Layered, arrange, crossings
from graphscore.drawing.layered.layout import Box, Layout, Link, lay_out
from graphscore.drawing.layered.ranks import ranks, turned
from tests.conftest import ROOT

SIZES = st.sampled_from([1, 7.5, 20, 33.3, 120])


@st.composite
def drawings(draw: st.DrawFn) -> tuple[list[Box], list[Link], list[float] | None]:
    boxes = draw(st.lists(st.builds(Box, SIZES, SIZES), max_size=9))
    links: list[Link] = []
    if boxes:
        ends = st.integers(0, len(boxes) - 1)
        label = st.sampled_from([(0, 0), (25, 12), (9.5, 30)])
        triples = st.tuples(ends, ends, label)
        for source, target, (width, height) in draw(st.lists(triples, max_size=14)):
            links.append(Link(source, target, width, height))
    wish = st.floats(-50, 50, allow_subnormal=False)
    size = len(boxes)
    order = draw(st.none() | st.lists(wish, min_size=size, max_size=size))
    return boxes, links, order


def rectangles(
    boxes: list[Box], links: list[Link], layout: Layout
) -> list[tuple[float, float, float, float]]:
    sizes = [*zip(layout.centres, boxes, strict=True)]
    for link, route in zip(links, layout.routes, strict=True):
        assert (route.label is not None) == bool(link.width or link.height)
        if route.label:
            sizes.append((route.label, Box(link.width, link.height)))
    return [
        (x - box.width / 2, y - box.height / 2, x + box.width / 2, y + box.height / 2)
        for (x, y), box in sizes
    ]


@given(drawings())
def test_nothing_overlaps_and_all_is_in_the_frame(
    drawing: tuple[list[Box], list[Link], list[float] | None],
) -> None:
    boxes, links, order = drawing
    layout = lay_out(boxes, links, order=order)
    found = rectangles(boxes, links, layout)
    # Labels of loops are rounded to a tenth.
    for one, other in combinations(found, 2):
        apart = max(one[0] - other[2], other[0] - one[2])
        above = max(one[1] - other[3], other[1] - one[3])
        assert max(apart, above) >= -0.06
    points = [point for route in layout.routes for point in route.points]
    for left, top, right, bottom in [*found, *(point * 2 for point in points)]:
        assert left >= -0.06
        assert top >= -0.06
        assert right <= layout.width + 0.06
        assert bottom <= layout.height + 0.06


def inside(point: tuple[float, float], centre: tuple[float, float], box: Box) -> float:
    """How deep a point lies in a box: 0 on its border."""
    return min(
        box.width / 2 - abs(point[0] - centre[0]),
        box.height / 2 - abs(point[1] - centre[1]),
    )


@given(drawings())
def test_links_run_from_border_to_border_and_through_no_box(
    drawing: tuple[list[Box], list[Link], list[float] | None],
) -> None:
    boxes, links, order = drawing
    layout = lay_out(boxes, links, order=order)
    for link, route in zip(links, layout.routes, strict=True):
        for box, end in (
            (link.source, route.points[0]),
            (link.target, route.points[-1]),
        ):
            assert abs(inside(end, layout.centres[box], boxes[box])) <= 0.06
        assert len(route.points) > 1
        for first, last in zip(route.points, route.points[1:], strict=False):
            for share in (0, 0.25, 0.5, 0.75, 1):
                x = first[0] + share * (last[0] - first[0])
                y = first[1] + share * (last[1] - first[1])
                for centre, box in zip(layout.centres, boxes, strict=True):
                    assert inside((x, y), centre, box) <= 0.06


@given(drawings(), st.integers(-1000, 1000))
def test_only_the_order_of_wishes_counts(
    drawing: tuple[list[Box], list[Link], list[float] | None], by: int
) -> None:
    boxes, links, order = drawing
    ranked = [sorted(set(order)).index(wish) for wish in order] if order else None
    moved = [rank + by for rank in ranked] if ranked else None
    first = lay_out(boxes, links, order=order)
    assert first == lay_out(list(boxes), list(links), order=moved)


def layered(rng: random.Random) -> tuple[list[list[int]], Layered]:
    sizes = [rng.randint(2, 4) for _ in range(3)]
    layers, start = [], 0
    for size in sizes:
        layers.append([*range(start, start + size)])
        start += size
    above: list[list[int]] = [[] for _ in range(start)]
    below: list[list[int]] = [[] for _ in range(start)]
    for upper, lower in pairwise(layers):
        for one, other in product(upper, lower):
            if rng.random() < 0.45:
                below[one].append(other)
                above[other].append(one)
    return layers, Layered(above, below, [rng.random() for _ in range(start)])


def counted(layers: list[list[int]], graph: Layered) -> int:
    """Crossings, pair by pair."""
    place = {v: at for layer in layers for at, v in enumerate(layer)}
    found = 0
    for layer in layers:
        pieces = [(v, other) for v in layer for other in graph.below[v]]
        for (a, b), (c, d) in combinations(pieces, 2):
            found += (place[a] - place[c]) * (place[b] - place[d]) < 0
    return found


def test_crossings_are_nearly_always_the_fewest_there_can_be() -> None:
    rng = random.Random(5)
    best = over = 0
    for _ in range(60):
        layers, graph = layered(rng)
        found = arrange([list(layer) for layer in layers], graph)
        assert [sorted(layer) for layer in found] == layers
        ours = counted(found, graph)
        assert ours == crossings(found, graph.below)
        orders = product(*(permutations(layer) for layer in layers))
        fewest = min(crossings([*map(list, order)], graph.below) for order in orders)
        assert ours >= fewest
        wished = [sorted(layer, key=graph.wish.__getitem__) for layer in layers]
        assert ours <= counted(wished, graph)
        best += ours == fewest
        over += ours - fewest
    assert (best, over) == (60, 0)


def joined(layout: Layout) -> int:
    """How many pairs of links cross in the picture, between the same heights."""
    pieces = [
        sorted(piece, key=lambda point: point[1])
        for route in layout.routes
        for piece in zip(route.points, route.points[1:], strict=False)
        if piece[0][1] != piece[1][1]
    ]
    found = 0
    for (a, b), (c, d) in combinations(pieces, 2):
        if a[1] == c[1] and b[1] == d[1]:
            found += (a[0] - c[0]) * (b[0] - d[0]) < 0
    return found


@given(st.integers(1, 40), st.randoms(use_true_random=False), st.booleans())
def test_trees_have_no_crossings(size: int, rng: random.Random, label: bool) -> None:
    boxes = [Box(rng.choice([10, 40, 90]), 20) for _ in range(size)]
    width, height = (20, 12) if label else (0, 0)
    links = [Link(rng.randrange(at), at, width, height) for at in range(1, size)]
    rng.shuffle(links)
    assert not joined(lay_out(boxes, links))
    order = [rng.random() for _ in boxes]
    assert not joined(lay_out(boxes, links, order=order))


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 1), (0, 2), (1, 3), (2, 3)],
        [(0, 1), (0, 2), (1, 2)],
        [(0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (5, 3)],
        [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)],
        [(0, 1), (1, 2), (2, 0)],
        [(0, 1), (0, 1), (1, 0)],
    ],
    ids=["diamond", "triangle", "zigzag", "tournament", "cycle", "parallel"],
)
def test_what_can_be_drawn_without_crossings_is(pairs: list[tuple[int, int]]) -> None:
    boxes = [Box(30, 20)] * (max(map(max, pairs)) + 1)
    for width in (0, 24):
        links = [Link(*pair, width, width / 2) for pair in pairs]
        layout = lay_out(boxes, links, order=[7, 3, 5, 1, 6, 2][: len(boxes)])
        assert not joined(layout)
        assert len({route.points for route in layout.routes}) == len(pairs)


@given(drawings())
def test_layers_have_the_least_length_of_links(
    drawing: tuple[list[Box], list[Link], list[float] | None],
) -> None:
    from scipy.optimize import linprog

    boxes, links, _ = drawing
    pairs = [(link.source, link.target) for link in links if link.source != link.target]
    back = turned(len(boxes), pairs)
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(boxes)))
    graph.add_edges_from_no_data(pairs)
    if rx.is_directed_acyclic_graph(graph):
        assert not any(back)
    pairs = [p[::-1] if b else p for p, b in zip(pairs, back, strict=True)]
    if not pairs:
        return
    found = ranks(len(boxes), pairs, 2)
    assert min(found) == 0
    rows = []
    for source, target in pairs:
        assert found[target] - found[source] >= 2
        row = [0] * len(boxes)
        row[source], row[target] = 1, -1
        rows.append(row)
    total = [-sum(column) for column in zip(*rows, strict=True)]
    least = linprog(total, A_ub=rows, b_ub=[-2] * len(rows))
    assert sum(found[b] - found[a] for a, b in pairs) == round(least.fun)


@given(st.data())
def test_spreading_is_least_squares(data: st.DataObject) -> None:
    from scipy.optimize import minimize

    size = data.draw(st.integers(1, 5))
    places = st.floats(-20, 20)
    wanted = data.draw(st.lists(places, min_size=size, max_size=size))
    weights = data.draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))
    apart = data.draw(st.lists(st.floats(0, 9), min_size=size - 1, max_size=size - 1))
    low = data.draw(places)
    high = low + sum(apart) + data.draw(st.floats(0.1, 30))

    def cost(at: list[float]) -> float:
        return sum(
            weight * (place - want) ** 2
            for place, want, weight in zip(at, wanted, weights, strict=True)
        )

    found = spread(wanted, weights, apart, low, high)
    assert found[0] >= low - 1e-9
    assert found[-1] <= high + 1e-9
    steps = zip(found, found[1:], apart, strict=False)
    assert all(other - one >= least - 1e-9 for one, other, least in steps)
    held = [{"type": "ineq", "fun": lambda at: at[0] - low}]
    held.append({"type": "ineq", "fun": lambda at: high - at[-1]})
    for number, least in enumerate(apart):
        held.append(
            {
                "type": "ineq",
                "fun": lambda at, n=number, d=least: at[n + 1] - at[n] - d,
            }
        )
    start = [low + sum(apart[:at]) for at in range(size)]
    best = minimize(cost, start, constraints=held, method="SLSQP")
    assert cost(found) <= best.fun + 1e-4


def test_links_point_down_and_long_ones_are_straight() -> None:
    boxes = [Box(30, 20)] * 6
    chain = [Link(at, at + 1, 20, 12) for at in range(5)]
    layout = lay_out(boxes, [*chain, Link(0, 5, 20, 12)])
    heights = [y for _, y in layout.centres]
    assert heights == sorted(set(heights))
    (x, top), *_, (end, bottom) = layout.routes[-1].points
    assert len(layout.routes[-1].points) == 2
    assert x == end
    assert bottom - top > 200


def test_nearly_all_long_links_bend_only_at_their_ends() -> None:
    long = straight = 0
    for seed in range(20):
        rng = random.Random(seed)
        links = [Link(rng.randrange(at), at, 20, 12) for at in range(1, 20)]
        links += [Link(*rng.sample(range(20), 2), 20, 12) for _ in range(8)]
        layout = lay_out([Box(40, 20)] * 20, links)
        for route in layout.routes:
            if abs(route.points[0][1] - route.points[-1][1]) > 60:
                long += 1
                straight += len({x for x, _ in route.points[1:-1]}) <= 1
    assert long > 100
    assert straight >= 0.95 * long


def test_a_link_against_the_layers_is_given_in_its_own_direction() -> None:
    layout = lay_out([Box(30, 20)] * 2, [Link(0, 1), Link(1, 0)])
    there, back = layout.routes
    assert there.points[0][1] < there.points[-1][1]
    assert back.points[0][1] > back.points[-1][1]
    assert back.points[0][0] != there.points[-1][0]


def test_loops_stand_beside_their_box() -> None:
    loops = [Link(0, 0, 40, 12), Link(0, 0), Link(0, 0, 20, 12)]
    layout = lay_out([Box(30, 20), Box(30, 20)], [*loops, Link(0, 1)])
    (x, y), _ = layout.centres
    for route in layout.routes[:3]:
        assert {point[0] for point in (route.points[0], route.points[-1])} == {x + 15}
        assert all(point[0] >= x + 15 for point in route.points)
    assert layout.width >= x + 15 + 40
    starts = [route.points[0][1] for route in layout.routes[:3]]
    assert starts == sorted(set(starts))
    assert all(y - 10 < start < y + 10 for start in starts)


def test_components_stand_beside_each_other_in_rows_when_there_are_many() -> None:
    assert lay_out([], []) == Layout((), (), 0, 0)
    two = lay_out([Box(30, 20)] * 4, [Link(0, 1), Link(2, 3)], order=[5, 5, 1, 1])
    assert two.centres[2][0] < two.centres[0][0]
    assert two.centres[2][1] == two.centres[0][1]
    many = lay_out([Box(30, 20)] * 100, [])
    assert 1 < many.width / many.height < 4
    places = [(y, x) for x, y in many.centres]
    assert len(set(places)) == 100


def test_siblings_stand_as_wished() -> None:
    links = [Link(0, at) for at in range(1, 5)]
    layout = lay_out([Box(30, 20)] * 5, links, order=[0, 4, 2, 3, 1])
    across = sorted(range(1, 5), key=lambda at: layout.centres[at][0])
    assert across == [4, 2, 3, 1]


def test_what_has_no_wish_stands_as_the_first_of_what_it_leads_to() -> None:
    pairs = [(0, 1), (0, 2), (0, 3), (2, 4), (2, 5), (3, 6), (3, 7)]
    links = [Link(*pair) for pair in pairs]
    order = [None, 5, None, None, 8, 9, 1, 3]
    centres = lay_out([Box(30, 20)] * 8, links, order=order).centres
    assert sorted(range(1, 4), key=lambda at: centres[at][0]) == [3, 1, 2]
    assert sorted(range(4, 8), key=lambda at: centres[at][0]) == [6, 7, 4, 5]
    # What leads nowhere stands as what leads to it.
    three = lay_out([Box(30, 20)] * 3, [Link(1, 0)], order=[None, 2, 1]).centres
    assert three[2][0] < three[0][0] == three[1][0]


def test_branches_of_equal_crossings_stand_as_wished() -> None:
    pairs = [(0, 1), (0, 2), (2, 3), (2, 4), (0, 5), (5, 6), (5, 7)]
    links = [Link(*pair, 20, 12) for pair in pairs]
    centres = lay_out([Box(30, 20)] * 8, links, order=[0, 4, 1, 1, 2, 6, 6, 7]).centres
    assert sorted([1, 2, 5], key=lambda at: centres[at][0]) == [2, 1, 5]


@pytest.mark.parametrize("framework", ["amr", "eds", "ucca", "psd"])
def test_graphs_of_sentences_are_laid_out(framework: str) -> None:
    read = 0
    for record in read_file(str(ROOT / "data" / "gold.mrp")):
        graph = record.graph
        if graph.framework != framework:
            continue
        at = {node.id: number for number, node in enumerate(graph.nodes)}
        boxes = [Box(10 + 7 * len(node.label or ""), 20) for node in graph.nodes]
        links = [
            Link(at[e.source], at[e.target], 6 * len(e.label or ""), 12)
            for e in graph.edges
        ]
        layout = lay_out(boxes, links)
        assert joined(layout) <= 1
        assert layout.width <= sum(ceil(box.width) + 48 for box in boxes)
        read += 1
    assert read
