"""UCCA edges between yields: worked examples, an oracle, differences from mtool."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given

from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.normalize import base_edge, effective_attributes, fold
from tests.metrics.meaning.pieces import counts, graph, outcome, sizes
from tests.metrics.meaning.test_edm import members
from tests.strategies import graph_pairs

TEXT = "John moved to Paris"
REMOTE = (("remote", True),)


def passage(*more: Edge, participant: str = "A", relator: bool = True) -> Graph:
    """John, his move and its goal; *to* inside the goal or beside it."""
    nodes = (
        Node(0),
        Node(1, anchors=(Anchor(0, 4),)),
        Node(2, anchors=(Anchor(5, 10),)),
        Node(3),
        Node(4, anchors=(Anchor(11, 13),)),
        Node(5, anchors=(Anchor(14, 19),)),
    )
    edges = (
        Edge(0, 1, participant),
        Edge(0, 2, "P"),
        Edge(0, 3, "A"),
        Edge(3 if relator else 0, 4, "R"),
        Edge(3, 5, "C"),
        *more,
    )
    return Graph("1", "ucca", 1, text=TEXT, nodes=nodes, edges=edges, tops=(0,))


GOLD = passage()


# Worked examples.


def test_edges_count_between_the_yields_of_their_ends() -> None:
    found = counts(GOLD, GOLD, "ucca")
    assert found["labeled primary"] == found["unlabeled primary"] == (5, 5, 5)
    assert found["labeled remote"] == found["unlabeled remote"] == (0, 0, 0)
    assert found["all"] == found["labeled primary"]


def test_another_category_counts_unlabelled_only() -> None:
    found = counts(GOLD, passage(participant="D"), "ucca")
    assert found["labeled primary"] == (5, 5, 4)
    assert found["unlabeled primary"] == (5, 5, 5)


def test_a_word_attached_too_high_spoils_the_units_between() -> None:
    # The goal is now Paris alone: a yield that gold knows as a word only.
    found = counts(GOLD, passage(relator=False), "ucca")
    assert found["labeled primary"] == (5, 5, 2)
    assert found["unlabeled primary"] == (5, 5, 2)


def test_a_remote_edge_adds_nothing_to_a_yield() -> None:
    gold = passage(Edge(3, 1, "A", attributes=REMOTE))
    found = counts(gold, GOLD, "ucca")
    assert found["labeled primary"] == (5, 5, 5)
    assert found["labeled remote"] == (1, 0, 0)


def test_a_remote_edge_is_not_a_primary_one() -> None:
    gold = passage(Edge(0, 5, "A", attributes=REMOTE))
    system = passage(Edge(0, 5, "A"))
    found = counts(gold, system, "ucca")
    assert found["labeled primary"] == (5, 6, 5)
    assert found["labeled remote"] == (1, 0, 0)


def test_remote_false_is_primary() -> None:
    edge = Edge(0, 5, "A", attributes=(("remote", False),))
    assert counts(passage(edge), passage(Edge(0, 5, "A")), "ucca")[
        "labeled primary"
    ] == (6, 6, 6)


def test_groups_of_primary_and_remote_are_scores() -> None:
    metric = parse("ucca")
    gold = passage(Edge(3, 1, "A", attributes=REMOTE))
    system = passage(Edge(3, 1, "D", attributes=REMOTE))
    numbers = metric.scores(outcome(gold, system, metric).raw_counts).numbers
    assert numbers["labeled.f1"] == 5 / 6
    assert numbers["unlabeled.f1"] == 1.0


def test_errors_tell_what_is_missing_and_what_stands_there() -> None:
    errors = outcome(GOLD, passage(participant="D"), "ucca").errors
    rows = [
        (e.error_type, e.tuple_type, e.gold, e.system, e.value, e.reason)
        for e in errors
    ]
    assert rows == [
        ("missing", "labeled primary", 0, 0, "A", "differs"),
        ("spurious", "labeled primary", 0, 0, "D", "differs"),
    ]


# An oracle written down from the definition alone.


def tuples(one: Graph) -> dict[str, set[Any]]:
    edges = []
    for edge in one.edges:
        source, target, label = base_edge(edge, one.framework)
        names = {each[0] for each in effective_attributes(edge.attributes)}
        tuple_type = "remote" if "remote" in names else "primary"
        edges.append((source, target, fold(label) if label else None, tuple_type))
    below: dict[Any, set[Any]] = {node.id: {node.id} for node in one.nodes}
    for _ in one.nodes:
        for source, target, _, tuple_type in edges:
            if tuple_type == "primary":
                below[source] |= below[target]
    own = {node.id: members(node, one.text) for node in one.nodes}
    yields: dict[Any, frozenset[int]] = {
        top: frozenset().union(*(own[node] for node in reached))
        for top, reached in below.items()
    }
    found: dict[str, set[Any]] = {
        f"{left} {right}": set()
        for left in ("labeled", "unlabeled")
        for right in ("primary", "remote")
    }
    for source, target, label, tuple_type in edges:
        found[f"labeled {tuple_type}"].add((yields[source], yields[target], label))
        found[f"unlabeled {tuple_type}"].add((yields[source], yields[target]))
    return found


@given(pair=graph_pairs())
def test_counts_are_those_of_the_oracle(pair: tuple[Graph, Graph]) -> None:
    found = counts(*pair, "ucca")
    expected = sizes(*map(tuples, pair))
    assert {name: found[name] for name in expected} == expected


# The same as mtool, although it may surprise.


def test_units_with_one_and_the_same_yield_are_one_unit() -> None:
    def chain(length: int) -> Graph:
        nodes = (*map(Node, range(length)), Node(length, anchors=(Anchor(0, 4),)))
        edges = tuple(Edge(k, k + 1, "C") for k in range(length))
        return graph(*nodes, framework="ucca", text=TEXT, edges=edges)

    assert counts(chain(1), chain(3), "ucca")["labeled primary"] == (1, 1, 1)
    multiset = counts(chain(1), chain(3), "ucca(duplicates=multiset)")
    assert multiset["labeled primary"] == (1, 3, 1)


def test_tops_do_not_count() -> None:
    other = msgspec.structs.replace(GOLD, tops=(3,))
    assert counts(GOLD, other, "ucca")["all"] == (5, 5, 5)


# Differences from mtool, as docs/metrics/meaning/ucca.md lists them.


def cycle(order: tuple[int, ...]) -> Graph:
    """Two units that lead to one another, and a word each; edges in any order."""
    edges = (Edge(0, 1, "A"), Edge(1, 0, "B"), Edge(0, 2, "P"), Edge(1, 3, "D"))
    nodes = (
        Node(0),
        Node(1),
        Node(2, anchors=(Anchor(0, 4),)),
        Node(3, anchors=(Anchor(5, 10),)),
    )
    chosen = tuple(edges[k] for k in order)
    return graph(*nodes, framework="ucca", text=TEXT, edges=chosen)


def test_nodes_on_a_cycle_have_the_yield_of_the_cycle() -> None:
    # mtool: they have what the walk had gathered when it came round.
    one, two = cycle((0, 1, 2, 3)), cycle((2, 0, 3, 1))
    assert counts(one, two, "ucca")["labeled primary"] == (4, 4, 4)
    walked = counts(one, two, "ucca(preset=mtool)")
    assert walked["labeled primary"] == (4, 4, 1)


def test_a_primary_and_a_remote_edge_may_be_alike() -> None:
    # mtool: of edges with equal ends and label only the first is read.
    one = passage(Edge(0, 1, "A", attributes=REMOTE))
    assert counts(one, one, "ucca")["labeled remote"] == (1, 1, 1)
    assert counts(one, one, "ucca(preset=mtool)")["labeled remote"] == (0, 0, 0)


def test_a_text_on_one_side_is_borrowed_by_the_other() -> None:
    # mtool: then characters of one side are compared with ranges of the other.
    bare = msgspec.structs.replace(GOLD, text="")
    assert counts(GOLD, bare, "ucca")["labeled primary"] == (5, 5, 5)
    assert counts(bare, GOLD, "ucca")["labeled primary"] == (5, 5, 5)


def test_yields_without_any_text_compare_as_positions() -> None:
    # mtool: without text, a yield is the list of the ranges below.
    def unit(*spans: tuple[int, int]) -> Graph:
        leaves = [Node(k + 1, anchors=(Anchor(*span),)) for k, span in enumerate(spans)]
        edges = tuple(Edge(0, leaf.id, "T") for leaf in leaves)
        top = Edge("root", 0, "H")
        return graph(Node("root"), Node(0), *leaves, edges=(top, *edges))

    found = counts(unit((0, 4)), unit((0, 2), (2, 4)), "ucca")
    assert found["labeled primary"] == (2, 3, 1)


def test_consist_of_and_subset_of_are_not_inverted() -> None:
    # mtool: a missing comma in its list of exceptions turns both round.
    two = (Node(0, anchors=(Anchor(0, 4),)), Node(1, anchors=(Anchor(5, 10),)))
    gold = graph(*two, text=TEXT, edges=(Edge(0, 1, "subset-of", None, REMOTE),))
    system = graph(*two, text=TEXT, edges=(Edge(1, 0, "subset", None, REMOTE),))
    assert counts(gold, system, "ucca")["labeled remote"] == (1, 1, 0)
    assert counts(gold, system, "ucca(preset=mtool)")["labeled remote"] == (1, 1, 1)
