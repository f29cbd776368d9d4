"""The MRP metric: named equivalences, and properties that always hold."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.metrics.meaning import overlap as module
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import Count, Outcome
from graphscore.model.tuples import TUPLE_TYPES
from tests.metrics.meaning.pieces import counts, graph
from tests.metrics.meaning.pieces import outcome as compare
from tests.strategies import graph_pairs, orders, renamed, reordered

METRICS = [
    Mrp(order=order, edges=edges)
    for order in ("surface", "free")
    for edges in ("labeled", "unlabeled")
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=str)


# Named equivalences of the published evaluation.


@pytest.mark.parametrize(("one", "two"), [(42, "42"), ("Pierre", "pierre")])
def test_equal_values_are_equal_in_every_place(one: Any, two: Any) -> None:
    def annotated(value: Any) -> Graph:
        nodes = (Node(0, value, ((str(value), value),)), Node(1))
        return graph(*nodes, edges=(Edge(0, 1, value, None, ((str(value), value),)),))

    assert counts(annotated(one), annotated(two))["all"] == (4, 4, 4)


@pytest.mark.parametrize("trim", ["range", "anchor"])
def test_a_gap_of_white_space_between_anchors_does_not_count(trim: str) -> None:
    text = "Pierre Vinken, 61"
    one = graph(Node(0, anchors=(Anchor(0, 13),)), text=text)
    two = graph(Node(0, anchors=(Anchor(0, 6), Anchor(7, 13))), text=text)
    assert counts(one, two, f"mrp(trim={trim})")["anchors"] == (1, 1, 1)


def test_punctuation_at_anchor_edges_does_not_count() -> None:
    one = graph(Node(0, anchors=(Anchor(0, 4),)), text="Wait, no")
    two = graph(Node(0, anchors=(Anchor(0, 5),)), text="Wait, no")
    assert counts(one, two)["anchors"] == (1, 1, 1)


def test_another_label_is_nothing_labelled_and_an_edge_unlabelled() -> None:
    nodes = (Node(0, "bark"), Node(1, "dog"))
    one = graph(*nodes, edges=(Edge(0, 1, "ARG1"),))
    two = graph(*nodes, edges=(Edge(0, 1, "ARG3"),))
    assert counts(one, two)["edges"] == (1, 1, 0)
    assert counts(one, two, "mrp(edges=unlabeled)")["edges"] == (1, 1, 1)


def test_an_inverted_edge_equals_its_base() -> None:
    nodes = (Node(0, "bark"), Node(1, "dog"))
    one = graph(*nodes, edges=(Edge(0, 1, "ARG0"), Edge(1, 0, "domain")))
    two = graph(*nodes, edges=(Edge(1, 0, "ARG0-of"), Edge(0, 1, "mod")))
    assert counts(one, two)["edges"] == (2, 2, 2)
    assert counts(one, two, "mrp(invert=amr)")["edges"] == (2, 2, 0)


def test_default_attributes_count_as_absent() -> None:
    nodes = (Node(0, "a"), Node(1, "b"))
    one = graph(*nodes, edges=(Edge(0, 1, "A", attributes=(("remote", False),)),))
    two = graph(*nodes, edges=(Edge(0, 1, "A"),))
    assert counts(one, two)["attributes"] == (0, 0, 0)


def test_order_is_kept_in_bilexical_graphs_only_if_asked() -> None:
    one = graph(Node(0, "a"), Node(1, "b"), framework="dm")
    two = graph(Node(0, "b"), Node(1, "a"), framework="dm")
    assert counts(one, two)["labels"] == (2, 2, 1)
    assert counts(one, two, "mrp(order=free)")["labels"] == (2, 2, 2)
    free = msgspec.structs.replace(one, framework="eds")
    assert counts(free, msgspec.structs.replace(two, framework="eds"))["labels"][2] == 2


def test_four_nodes_on_one_anchor_are_told_apart_by_their_edges() -> None:
    here = (Anchor(0, 5),)
    nodes = tuple(Node(k, None, (), here) for k in range(4))
    chain = tuple(Edge(k, k + 1, "A") for k in range(3))
    one = graph(*nodes, text="today", edges=chain)
    two = reordered(one, [2, 0, 3, 1])
    assert counts(one, two)["all"] == (7, 7, 7)


# What is absent.


def test_graphs_without_anchors_still_score_everything_else() -> None:
    text = "Dogs bark"
    gold = graph(
        Node(0, "dog", anchors=(Anchor(0, 4),)),
        Node(1, "bark", anchors=(Anchor(5, 9),)),
        text=text,
        edges=(Edge(1, 0, "ARG1"),),
        tops=(1,),
    )
    nodes = tuple(msgspec.structs.replace(node, anchors=()) for node in gold.nodes)
    found = counts(gold, msgspec.structs.replace(gold, nodes=nodes))
    assert found["anchors"] == (2, 0, 0)
    assert found["all"] == (6, 4, 4)


# Properties.


@pytest.mark.parametrize("edges", ["labeled", "unlabeled"])
@given(data=st.data(), pair=graph_pairs())
def test_permuting_nodes_keeps_total_bound_and_proof(
    edges: Any, data: Any, pair: tuple[Graph, Graph]
) -> None:
    gold, system = pair
    metric = Mrp(order="free", edges=edges)
    one = compare(gold, system, metric)
    two = compare(
        reordered(gold, data.draw(orders(gold))),
        reordered(system, data.draw(orders(system))),
        metric,
    )
    assert (one.score, one.bound, one.proven) == (two.score, two.bound, two.proven)


@every_metric
@given(pair=graph_pairs())
def test_matches_are_one_to_one(metric: Mrp, pair: tuple[Graph, Graph]) -> None:
    outcome = compare(*pair, metric)
    for tuple_type in ("node", "edge"):
        mine = [match for match in outcome.matches if match.object == tuple_type]
        assert len({match.gold for match in mine}) == len(mine)
        assert len({match.system for match in mine}) == len(mine)


@given(pair=graph_pairs())
def test_a_spurious_node_never_raises_precision(pair: tuple[Graph, Graph]) -> None:
    gold, system = pair
    stranger = Node("stranger", "a label that no other node has")
    more = msgspec.structs.replace(system, nodes=(*system.nodes, stranger))
    metric = Mrp()
    one = metric.scores(compare(gold, system).raw_counts).counts["all"]
    two = metric.scores(compare(gold, more).raw_counts).counts["all"]
    assert two.matched == one.matched
    assert two.precision <= one.precision


@given(pair=graph_pairs())
def test_a_tuple_more_never_lowers_what_matches(pair: tuple[Graph, Graph]) -> None:
    gold, system = pair
    if not system.nodes:
        return
    first = system.nodes[0]
    more = msgspec.structs.replace(
        first, properties=(*first.properties, ("pos", "new"))
    )
    richer = msgspec.structs.replace(system, nodes=(more, *system.nodes[1:]))
    assert compare(gold, richer).score >= compare(gold, system).score


@given(pair=graph_pairs())
def test_free_order_is_never_worse_than_surface_order(
    pair: tuple[Graph, Graph],
) -> None:
    assert compare(*pair, "mrp(order=free)").score >= compare(*pair).score


@given(data=st.data(), pair=graph_pairs())
def test_canonical_ties_make_the_counts_of_each_tuple_type_invariant(
    data: Any, pair: tuple[Graph, Graph]
) -> None:
    gold, system = pair
    metric = Mrp(order="free", ties="canonical")
    one = compare(gold, system, metric)
    two = compare(
        renamed(reordered(gold, data.draw(orders(gold)))),
        reordered(system, data.draw(orders(system))),
        metric,
    )
    swapped = compare(system, gold, metric)
    found = metric.scores(one.raw_counts).counts
    assert found == metric.scores(two.raw_counts).counts
    other = metric.scores(swapped.raw_counts).counts
    assert found == {
        tuple_type: Count(each.system, each.gold, each.matched)
        for tuple_type, each in other.items()
    }
    assert one.score == compare(gold, system, Mrp(order="free")).score
    assert one.proven


@given(pair=graph_pairs())
def test_canonical_ties_prefer_tops_then_labels(pair: tuple[Graph, Graph]) -> None:
    def vector(ties: Any) -> list[int | float]:
        metric = Mrp(ties=ties)
        found = metric.scores(compare(*pair, metric).raw_counts).counts
        return [found[tuple_type].matched for tuple_type in TUPLE_TYPES]

    assert vector("canonical") >= vector("found")


@given(pair=graph_pairs(largest=6))
def test_the_guidance_by_anchors_never_changes_the_total(
    pair: tuple[Graph, Graph],
) -> None:
    guided = compare(*pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.Overlap, "anchor_hint", None)
        alone = compare(*pair)
    assert (guided.score, guided.bound) == (alone.score, alone.bound)


@given(pair=graph_pairs())
def test_a_spent_budget_is_never_called_proven_wrongly(
    pair: tuple[Graph, Graph],
) -> None:
    best = compare(*pair)
    hasty = compare(*pair, budget=Budget(steps=1))
    assert hasty.score <= best.score <= hasty.bound
    if hasty.proven:
        assert hasty.score == best.score


# What errors say.


def test_an_error_says_whether_the_counterpart_differs_or_lacks_it() -> None:
    nodes = (Node(0, "bark", (("pos", "VBP"), ("x", "1"))), Node(1, "dog"))
    gold = graph(*nodes, Node(2, "owl"), edges=(Edge(0, 1, "ARG1"),), tops=(0,))
    system = graph(
        Node("a", "bark", (("pos", "VBD"), ("x", "1"))),
        Node("b", "dog"),
        edges=(Edge("a", "b", "ARG2"),),
    )
    listed = {
        (error.error_type, error.tuple_type, error.value): error.reason
        for error in compare(gold, system).errors
    }
    assert listed == {
        ("missing", "tops", ""): "absent",
        ("missing", "properties", "VBP"): "differs",
        ("missing", "labels", "owl"): "no counterpart",
        ("missing", "edges", "ARG1"): "differs",
        ("spurious", "properties", "VBD"): "differs",
        ("spurious", "edges", "ARG2"): "differs",
    }


def test_an_error_shows_the_value_as_written_and_as_compared() -> None:
    gold = graph(Node(0, "Pierre"), Node(1, 42), Node(2, "same"))
    errors = compare(gold, graph(Node(0, "other"))).errors
    shown = {error.value: error.compared for error in errors}
    assert shown == {"Pierre": "pierre", 42: None, "same": None, "other": None}


def test_scores_have_groups_of_node_and_edge_tuples() -> None:
    nodes = (Node(0, "a"), Node(1, "b"))
    gold = graph(*nodes, edges=(Edge(0, 1, "A"), Edge(1, 0, "B")), tops=(0,))
    system = graph(*nodes, edges=(Edge(0, 1, "A"),))
    numbers = Mrp().scores(compare(gold, system).raw_counts).numbers
    assert numbers["nodes.precision"] == 1.0
    assert numbers["nodes.recall"] == 2 / 3
    assert numbers["edges.recall"] == 0.5


def test_subclasses_that_compare_in_their_own_way_are_asked() -> None:
    class Half(Mrp):
        def compare(self, *sides: Any, budget: Budget, details: bool = True) -> Outcome:
            return super().compare(*sides, budget=budget, details=False)

    class Whole(Mrp):
        pass

    assert Mrp.batched
    assert Whole.batched
    assert not Half.batched
