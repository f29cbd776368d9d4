"""Reifying roles and dereifying concepts."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.reification import RULES, Origin, dereify, reify, rewrite


def amr(*nodes: Node, **rest: object) -> Graph:
    return Graph("1", "amr", 2, nodes=nodes, **rest)  # type: ignore[arg-type]


def edges(graph: Graph) -> set[tuple[object, object, object]]:
    return {(edge.source, edge.label, edge.target) for edge in graph.edges}


X, Y = Node("x", "x"), Node("y", "y")

roles = st.sampled_from(
    (*(rule.role for rule in RULES[:6]), "mod", "domain", "ARG0", "location-of", "Mod")
)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs with roles of the table, on edges and properties."""
    size = draw(st.integers(1, 4))
    names = st.sampled_from(("quant", "polarity", "op1", "Age"))
    pairs = st.lists(st.tuples(names, st.sampled_from(("-", 2, "x"))), max_size=3)
    nodes = tuple(Node(k, f"c{k % 2}", tuple(draw(pairs))) for k in range(size))
    place = st.integers(0, size - 1)
    found = draw(st.lists(st.tuples(place, place, roles), max_size=5))
    return Graph(
        "1",
        "amr",
        2,
        nodes=nodes,
        edges=tuple(Edge(*each) for each in found),
        tops=(draw(place),),
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.role)
def test_every_row_works_both_ways(rule: tuple[str, str, str, str]) -> None:
    role, concept, source, target = rule
    short = amr(X, Y, edges=(Edge("x", "y", role),), tops=("x",))
    long = reify(short).graph
    assert long.nodes[2].label == concept
    new = long.nodes[2].id
    assert edges(long) == {(new, source, "x"), (new, target, "y")}
    back = dereify(long)
    assert edges(back.graph) == {("x", role, "y")}
    assert back.edges == (Origin("node", 2),)


@pytest.mark.parametrize(
    "edge",
    [
        Edge("y", "x", "location-of"),
        Edge("y", "x", "location-of", "location"),
        Edge("y", "x", "x", "Location"),
    ],
)
def test_inverted_roles_are_reified_in_their_base_direction(edge: Edge) -> None:
    long = reify(amr(X, Y, edges=(edge,))).graph
    assert edges(long) == {("r0", "ARG1", "x"), ("r0", "ARG2", "y")}


@pytest.mark.parametrize(
    "edge",
    [Edge("x", "y", "mod"), Edge("x", "y", "mod", "domain"), Edge("y", "x", "domain")],
)
def test_domain_is_mod_backwards(edge: Edge) -> None:
    long = reify(amr(X, Y, edges=(edge,))).graph
    assert long.nodes[2].label == "have-mod-91"
    assert edges(long) == {("r0", "ARG1", "x"), ("r0", "ARG2", "y")}


def test_properties_are_reified_too() -> None:
    found = reify(amr(Node("r0", "x", (("Quant", 4), ("op1", "a")))))
    assert found.graph.nodes == (
        Node("r0", "x", (("op1", "a"),)),
        Node("r1", "have-quant-91", (("ARG2", 4),)),
    )
    assert edges(found.graph) == {("r1", "ARG1", "r0")}
    assert found.nodes == (Origin("node", 0), Origin("node", 0))
    back = dereify(found.graph).graph
    assert back.nodes == (Node("r0", "x", (("op1", "a"), ("quant", 4))),)


AT = Node("l", "be-located-at-91")
BOTH = (Edge("l", "x", "ARG1"), Edge("l", "y", "ARG2"))


@pytest.mark.parametrize(
    "graph",
    [
        amr(X, Y, AT, edges=BOTH, tops=("l",)),
        amr(X, Y, AT, edges=(*BOTH, Edge("x", "l", "ARG0"))),
        amr(X, Y, AT, edges=(*BOTH, Edge("l", "x", "ARG0-of"))),
        amr(X, Y, AT, edges=(*BOTH, Edge("l", "x", "time"))),
        amr(X, Y, AT, edges=BOTH[:1]),
        amr(X, Y, AT, edges=(BOTH[0], BOTH[0])),
        amr(X, Y, Node("l", "be-located-at-91", (("polarity", "-"),)), edges=BOTH),
        amr(Y, Node("l", "be-located-at-91", (("ARG1", "a"),)), edges=BOTH[1:]),
        amr(X, Y, Node("l", "be-located-at-92"), edges=BOTH),
        amr(X, Y, Node("l"), edges=BOTH),
    ],
)
def test_what_would_lose_something_stays(graph: Graph) -> None:
    assert dereify(graph).graph == graph


def test_other_graphs_stay_and_know_where_they_come_from() -> None:
    graph = amr(X, Y, AT, edges=BOTH)
    found = rewrite(graph, "none")
    assert found.graph is graph
    assert found.nodes == tuple(Origin("node", k) for k in range(3))
    assert found.edges == tuple(Origin("edge", k) for k in range(2))
    assert rewrite(graph, "dereify").graph == dereify(graph).graph
    assert rewrite(graph, "reify").graph == reify(graph).graph


@given(graphs())
def test_dereifying_undoes_reifying(graph: Graph) -> None:
    back = dereify(reify(graph).graph).graph
    metric = parse("smatch(exempt=none,duplicates=multiset)")
    outcome = metric.compare(
        (metric.prepare(graph),), (metric.prepare(back),), budget=Budget()
    )
    count = metric.scores(outcome.raw_counts).counts["all"]
    assert count.gold == count.system == count.matched


@given(graphs())
def test_reified_graphs_hold_together(graph: Graph) -> None:
    for found in (reify(graph), dereify(graph), dereify(reify(graph).graph)):
        there = [node.id for node in found.graph.nodes]
        assert len(set(there)) == len(there) == len(found.nodes)
        assert len(found.graph.edges) == len(found.edges)
        for edge in found.graph.edges:
            assert {edge.source, edge.target} <= set(there)
        assert set(found.graph.tops) <= set(there)
    again = reify(reify(graph).graph).graph
    assert again == reify(graph).graph


@given(graphs())
def test_origins_are_parts_of_the_graph(graph: Graph) -> None:
    for found in (reify(graph), dereify(graph)):
        for origin in (*found.nodes, *found.edges):
            parts = graph.nodes if origin.object == "node" else graph.edges
            assert 0 <= origin.ordinal < len(parts)


def test_the_text_of_the_graph_is_kept() -> None:
    graph = msgspec.structs.replace(amr(X), text="x", extra={"a": 1})
    assert reify(graph).graph == graph
