"""Statistics of graphs: by hand, against brute force, and documented."""

from __future__ import annotations

import re
from itertools import combinations, permutations, product
from time import process_time

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.analysis import (
    CASES,
    STATISTICS,
    CollectionStatistics,
    Topology,
    Width,
    components,
    crossings,
    density,
    edge_lengths,
    is_connected,
    is_cyclic,
    is_noncrossing,
    is_page2,
    is_tree,
    nontop_roots,
    reentrant_nodes,
    roots,
    shape_of,
    special_cases,
    treewidth,
    tuple_counts,
)
from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.tuples import TUPLE_TYPES
from tests.conftest import ROOT


def line(size: int, *edges: tuple[int, int], tops: tuple[int, ...] = ()) -> Topology:
    """A shape whose nodes stand in order."""
    return Topology(size, edges, frozenset(tops), tuple(range(size)))


TREE = line(4, (1, 0), (1, 3), (3, 2), tops=(1,))
DIAMOND = line(4, (0, 1), (0, 2), (1, 3), (2, 3), tops=(0,))
CYCLE = line(3, (0, 1), (1, 2), (2, 0))
CROSSING = line(4, (0, 2), (1, 3))
APART = line(5, (0, 1), (2, 3))
THREE_PAGES = line(6, (0, 3), (1, 4), (2, 5))
LONE = line(1, tops=(0,))
NOTHING = line(0)


@pytest.mark.parametrize(
    ("shape", "tree", "cyclic", "parts", "reentrant", "top", "dense", "width"),
    [
        (TREE, True, False, 1, 0, {1}, 1.0, 1),
        (DIAMOND, False, False, 1, 1, {0}, 4 / 3, 2),
        (CYCLE, False, True, 1, 0, set(), 1.5, 2),
        (CROSSING, False, False, 2, 0, {0, 1}, 2 / 3, 1),
        (APART, False, False, 2, 0, {0, 2}, 2 / 3, 1),
        (THREE_PAGES, False, False, 3, 0, {0, 1, 2}, 3 / 5, 1),
        (LONE, True, False, 1, 0, {0}, 1.0, 1),
        (NOTHING, False, False, 0, 0, set(), 1.0, 1),
        (line(1, (0, 0)), False, True, 1, 0, set(), 1.0, 1),
        (line(2, (0, 1), (0, 1)), False, False, 1, 1, {0}, 2.0, 1),
    ],
)
def test_small_graphs_by_hand(
    shape: Topology,
    tree: bool,
    cyclic: bool,
    parts: int,
    reentrant: int,
    top: set[int],
    dense: float,
    width: int,
) -> None:
    assert is_tree(shape) == tree
    assert is_cyclic(shape) == cyclic
    assert components(shape) == parts
    assert is_connected(shape) == (parts == 1)
    assert reentrant_nodes(shape) == reentrant
    assert roots(shape) == top
    assert nontop_roots(shape) == len(top - shape.tops)
    assert density(shape) == dense
    assert treewidth(shape) == Width(width, True)


def test_arcs_by_hand() -> None:
    assert [is_noncrossing(s) for s in (TREE, DIAMOND, CYCLE, CROSSING)] == [
        True,
        False,
        True,
        False,
    ]
    assert crossings(CROSSING) == [((0, 2), (1, 3))]
    assert [is_page2(s) for s in (TREE, CROSSING, THREE_PAGES)] == [True, True, False]
    # Five arcs in a ring of crossings: no two colours do, though no three cross.
    ring = line(10, (0, 3), (2, 5), (4, 7), (6, 9), (1, 8))
    assert len(crossings(ring)) == 5
    assert not is_page2(ring)
    assert edge_lengths(TREE) == [1, 2, 1]


def test_ends_that_touch_do_not_cross() -> None:
    assert is_noncrossing(line(4, (0, 2), (2, 3), (0, 3), (0, 0), (2, 0)))


@given(
    st.lists(st.integers(0, 9), min_size=10, max_size=10),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=14),
)
def test_crossings_are_those_of_all_pairs_of_arcs(
    positions: list[int], edges: list[tuple[int, int]]
) -> None:
    shape = Topology(10, tuple(edges), positions=tuple(positions))
    ends = [sorted((positions[a], positions[b])) for a, b in edges]
    arcs = sorted({(left, right) for left, right in ends if left < right})
    pairs = [
        (one, two)
        for one, two in combinations(arcs, 2)
        if one[0] < two[0] < one[1] < two[1]
    ]
    assert crossings(shape) == pairs
    assert is_noncrossing(shape) == (not pairs)
    crossing = networkx.Graph(pairs)
    assert is_page2(shape) == networkx.is_bipartite(crossing)


def test_a_chain_of_words_takes_no_time_that_grows_with_its_square() -> None:
    nodes = tuple(Node(n, anchors=(Anchor(2 * n, 2 * n + 1),)) for n in range(25_000))
    edges = tuple(Edge(n, n + 1, "dep") for n in range(len(nodes) - 1))
    text = "w " * len(nodes)
    graph = Graph("1", "ud", 0, text=text, nodes=nodes, edges=edges, tops=(0,))
    began = process_time()
    collection = CollectionStatistics("ud")
    collection.add(graph)
    shown = str(collection.to_dict())
    assert process_time() - began < 20
    assert "noncrossing" in shown


def test_arcs_of_unordered_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="order"):
        is_noncrossing(Topology(2, ((0, 1),)))


SIZE = 6


@st.composite
def shapes(draw: st.DrawFn, size: int = SIZE, most: int = 9) -> Topology:
    count = draw(st.integers(1, size))
    ends = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=most))
    tops = draw(st.sets(ends, max_size=2))
    return Topology(count, tuple(edges), frozenset(tops), tuple(range(count)))


def cross(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether exactly one end of the second lies strictly inside the first."""
    low, high = sorted(first)
    if len({*first, *second}) < 4:
        return False
    return sum(low < end < high for end in second) == 1


@given(shapes())
def test_noncrossing_is_what_trying_all_pairs_finds(shape: Topology) -> None:
    pairs = list(product(shape.edges, repeat=2))
    assert is_noncrossing(shape) == (not any(cross(a, b) for a, b in pairs))


@given(shapes(size=8))
def test_page_two_is_what_trying_all_drawings_finds(shape: Topology) -> None:
    def fine(pages: tuple[int, ...]) -> bool:
        drawn = list(zip(shape.edges, pages, strict=True))
        return not any(
            p == q and cross(a, b) for (a, p), (b, q) in product(drawn, repeat=2)
        )

    found = any(map(fine, product((0, 1), repeat=len(shape.edges))))
    assert is_page2(shape) == found


def width_of(shape: Topology) -> int:
    """The least width of any order in which the nodes can be taken out."""

    def width(order: tuple[int, ...]) -> int:
        around: dict[int, set[int]] = {node: set() for node in range(shape.size)}
        for a, b in shape.edges:
            if a != b:
                around[a].add(b)
                around[b].add(a)
        most = 1
        for node in order:
            mine = around.pop(node)
            most = max(most, len(mine))
            for each in mine:
                around[each] = (around[each] | mine) - {each, node}
        return most

    return min(map(width, permutations(range(shape.size))))


@given(shapes(most=14))
def test_treewidth_is_what_trying_all_orders_finds(shape: Topology) -> None:
    assert treewidth(shape) == Width(width_of(shape), True)


def shape_of_networkx(graph: networkx.Graph) -> Topology:
    numbers = {node: number for number, node in enumerate(graph)}
    return Topology(
        len(numbers), tuple((numbers[a], numbers[b]) for a, b in graph.edges)
    )


@pytest.mark.parametrize(
    ("graph", "width"),
    [
        (networkx.complete_graph(8), 7),
        (networkx.cycle_graph(50), 2),
        (networkx.path_graph(2000), 1),
        (networkx.star_graph(2000), 1),
        (networkx.grid_2d_graph(4, 4), 4),
        (networkx.grid_2d_graph(3, 30), 3),
        (networkx.petersen_graph(), 4),
        (networkx.complete_bipartite_graph(4, 9), 4),
        (networkx.octahedral_graph(), 4),
        (networkx.icosahedral_graph(), 6),
        (networkx.grid_2d_graph(5, 5), 5),
        (networkx.hypercube_graph(3), 3),
        (networkx.wheel_graph(20), 3),
    ],
    ids=str,
)
def test_known_treewidths(graph: networkx.Graph, width: int) -> None:
    assert treewidth(shape_of_networkx(graph)) == Width(width, True)


def test_a_search_without_steps_gives_a_bound_and_says_so() -> None:
    grid = shape_of_networkx(networkx.grid_2d_graph(6, 6))
    bound = treewidth(grid, steps=0)
    assert not bound.exact
    assert bound.value >= 6


def test_the_widest_block_decides() -> None:
    joined = networkx.disjoint_union(
        networkx.complete_graph(6), networkx.grid_2d_graph(6, 6)
    )
    joined.add_edge(0, 6)
    found = treewidth(shape_of_networkx(joined), steps=0)
    assert found.value >= 6
    assert not found.exact


@given(shapes(), st.randoms(use_true_random=False))
def test_names_and_order_of_nodes_do_not_matter(
    shape: Topology, random: object
) -> None:
    order = list(range(shape.size))
    random.shuffle(order)  # type: ignore[attr-defined]
    edges = tuple((order[a], order[b]) for a, b in shape.edges)
    other = Topology(shape.size, edges, frozenset(order[top] for top in shape.tops))
    for ask in (is_tree, is_cyclic, components, density, reentrant_nodes, treewidth):
        assert ask(other) == ask(shape), ask  # type: ignore[operator]


@given(shapes())
def test_cycles_and_components_are_those_of_networkx(shape: Topology) -> None:
    graph = networkx.MultiDiGraph(shape.edges)
    assert is_cyclic(shape) == (not networkx.is_directed_acyclic_graph(graph))
    graph.add_nodes_from(set(range(shape.size)) - shape.singletons)
    assert components(shape) == networkx.number_weakly_connected_components(graph)
    if len(graph):
        assert is_tree(shape) == networkx.is_arborescence(graph)


def test_a_top_without_edges_is_no_singleton() -> None:
    shape = Topology(3, ((0, 1),), frozenset({2}))
    assert shape.singletons == frozenset()
    assert Topology(3, ((0, 1),)).singletons == {2}


GRAPH = Graph(
    "1",
    "ucca",
    1,
    text="Dogs bark loud",
    tokens=(Anchor(0, 4), Anchor(5, 9), Anchor(10, 14)),
    nodes=(Node("a"), Node("b", anchors=(Anchor(0, 4),)), Node("c")),
    edges=(
        Edge("a", "b", "A"),
        Edge("a", "b", "A"),
        Edge("c", "b", "A", attributes=(("remote", True),)),
        Edge("c", "b", "P", attributes=(("remote", False),)),
        Edge("c", "c", "x", normal="y"),
    ),
    tops=("a",),
)


def test_special_cases_by_hand() -> None:
    assert special_cases(GRAPH) == {
        "remote": 1,
        "reentrancies": 2,
        "inverted": 1,
        "loops": 1,
        "repeated": 1,
    }
    assert tuple_counts(GRAPH) == dict(
        zip(TUPLE_TYPES, (1, 0, 0, 1, 4, 1), strict=True)
    )


def test_inverted_edges_are_turned_on_demand() -> None:
    nodes = tuple(map(Node, range(3)))
    edges = (Edge(0, 1, "ARG0-of"), Edge(1, 2, "mod"), Edge(2, 0, "consist-of"))
    graph = Graph("1", "amr", 2, nodes=nodes, edges=edges, tops=(0,))
    assert shape_of(graph).edges == ((0, 1), (1, 2), (2, 0))
    assert shape_of(graph, "turn").edges == ((1, 0), (2, 1), (2, 0))
    assert is_cyclic(shape_of(graph))
    assert not is_cyclic(shape_of(graph, "turn"))


def test_places_are_tokens_where_ids_are() -> None:
    nodes = (Node(1), Node(4), Node(9))
    graph = Graph("1", "dm", 0, nodes=nodes, edges=(Edge(9, 1, "x"),))
    assert edge_lengths(shape_of(graph)) == [8]
    named = Graph("1", "dm", 0, nodes=(Node("n"), Node("m")), edges=(Edge("m", "n"),))
    assert edge_lengths(shape_of(named)) == [1]
    falling = Graph("1", "dm", 0, nodes=(Node(3), Node(0)), edges=(Edge(3, 0),))
    assert edge_lengths(shape_of(falling)) == [1]
    assert shape_of(GRAPH).positions is None


def test_dangling_edges_are_refused() -> None:
    with pytest.raises(InvalidGraphError, match="7"):
        shape_of(Graph("1", "dm", nodes=(Node(0),), edges=(Edge(0, 7),)))
    with pytest.raises(InvalidGraphError, match="7"):
        CollectionStatistics("dm").add(Graph("1", "dm", nodes=(Node(0),), tops=(7,)))


def test_a_collection_sums_up() -> None:
    found = CollectionStatistics("ucca")
    found.add(GRAPH)
    found.add(Graph("2", "ucca", 1, nodes=(Node(0), Node(1)), edges=(Edge(0, 1, "A"),)))
    statistics = found.statistics()
    assert list(statistics) == list(STATISTICS)
    assert statistics == {
        "graphs": 2,
        "tokens_per_graph": 3.0,
        "nodes": 5,
        "nodes_per_graph": 2.5,
        "singletons": 0.0,
        "edges": 5,
        "edges_per_node": 1.0,
        "edge_labels": 3,
        "trees": 0.5,
        "treewidth_one": 1.0,
        "average_treewidth": 1.0,
        "maximal_treewidth": 1,
        "treewidth_bounds": 0,
        "average_density": (3 / 2 + 1) / 2,
        "reentrant": 1 / 5,
        "cyclic": 0.5,
        "unconnected": 0.0,
        "multirooted": 0.0,
        "nontop_roots": 1 / 5,
        "edge_length": None,
        "noncrossing": None,
        "page_two": None,
        "predicates": None,
        "arguments": None,
        "continuations": None,
        "references": None,
    }
    assert found.tuple_types()["edges"] == {"count": 5, "share": 5 / 8}
    assert set(found.tuple_types()) == {"tops", "anchors", "edges", "attributes"}
    assert found.cases()["repeated"] == {"count": 1, "share": 1 / 6}


def test_a_lone_graph_is_counted_in_numbers() -> None:
    found = CollectionStatistics("ucca")
    found.add(GRAPH)
    kinds = {type(value) for value in found.statistics().values()}
    assert kinds == {int, float, type(None)}


def test_an_empty_collection_says_nothing() -> None:
    statistics = CollectionStatistics("dm").statistics()
    assert statistics["graphs"] == 0
    assert statistics["trees"] is None
    assert statistics["maximal_treewidth"] is None
    assert CollectionStatistics("dm").cases()["loops"] == {"count": 0, "share": None}


def test_every_property_is_documented() -> None:
    page = (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert rows == set(STATISTICS) | set(CASES)
