"""Graphs to networkx and rustworkx, and back."""

from __future__ import annotations

from hypothesis import given

from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.interchange import (
    from_networkx,
    from_rustworkx,
    to_networkx,
    to_rustworkx,
)
from tests.strategies import graphs


@given(graphs())
def test_networkx_gives_back_an_equal_graph(graph: Graph) -> None:
    assert from_networkx(to_networkx(graph)) == graph


@given(graphs())
def test_rustworkx_gives_back_an_equal_graph(graph: Graph) -> None:
    assert from_rustworkx(to_rustworkx(graph)) == graph


def test_a_plain_networkx_graph_becomes_a_graph() -> None:
    import networkx

    network = networkx.MultiDiGraph()
    network.add_node("b", label="bark")
    network.add_edge("b", "d", label="ARG0")
    found = from_networkx(network)
    assert found.nodes == (Node("b", "bark"), Node("d"))
    assert found.edges == (Edge("b", "d", "ARG0"),)


def test_networkx_algorithms_see_tops_and_parallel_edges() -> None:
    edges = (Edge(0, 1, "A"), Edge(0, 1, "B"))
    graph = Graph("1", "x", nodes=(Node(0), Node(1)), edges=edges, tops=(0,))
    network = to_networkx(graph)
    assert network.number_of_edges(0, 1) == 2
    assert [n for n, top in network.nodes(data="top") if top] == [0]
