"""Complete predications: worked examples, a brute-force oracle, invariants."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from graphscore.correspondence import Budget
from graphscore.metrics.meaning.predications import Predications
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.normalize import base_edge, effective_attributes, fold
from graphscore.report.side_by_side import Comparison
from tests.metrics.meaning.pieces import counts, graph, outcome
from tests.strategies import graph_pairs, renamed

METRICS = [
    "predications",
    "predications(node=none)",
    "predications(node=all)",
    "predications(order=free,ties=canonical)",
]
every_metric = pytest.mark.parametrize("name", METRICS)

NODES = (
    Node(0, "want", (("pos", "VB"),)),
    Node(1, "boy"),
    Node(2, "believe"),
    Node(3, "girl"),
)


def wanting(
    *edges: tuple[int, int, str], label: str = "want", pos: str = "VB"
) -> Graph:
    """The boy wants the girl to believe him."""
    nodes = (Node(0, label, (("pos", pos),)), *NODES[1:])
    return graph(*nodes, framework="amr", edges=tuple(Edge(*e) for e in edges))


GOLD = wanting((0, 1, "ARG0"), (0, 2, "ARG1"), (2, 3, "ARG0"), (2, 1, "ARG1"))


# Worked examples.


def test_only_nodes_that_lead_somewhere_are_predications() -> None:
    assert counts(GOLD, GOLD, "predications")["predications"] == (2, 2, 2)
    assert counts(graph(Node(0, "a")), graph(Node(0, "a")), "predications") == {
        "predications": (0, 0, 0),
        "all": (0, 0, 0),
    }


def test_one_wrong_edge_spoils_its_predication_and_no_other() -> None:
    system = wanting((0, 1, "ARG0"), (0, 2, "ARG2"), (2, 3, "ARG0"), (2, 1, "ARG1"))
    assert counts(GOLD, system, "predications")["predications"] == (2, 2, 1)


def test_a_missing_or_additional_edge_spoils_it_too() -> None:
    fewer = wanting((0, 1, "ARG0"), (2, 3, "ARG0"), (2, 1, "ARG1"))
    assert counts(GOLD, fewer, "predications")["all"] == (2, 2, 1)
    assert counts(fewer, GOLD, "predications")["all"] == (2, 2, 1)


def test_an_edge_to_another_node_spoils_it() -> None:
    system = wanting((0, 3, "ARG0"), (0, 2, "ARG1"), (2, 3, "ARG0"), (2, 1, "ARG1"))
    assert counts(GOLD, system, "predications")["all"] == (2, 2, 1)


def test_the_node_counts_as_much_as_is_asked_for() -> None:
    edges = ((0, 1, "ARG0"), (0, 2, "ARG1"), (2, 3, "ARG0"), (2, 1, "ARG1"))
    for changed, matched in (
        ({"label": "wish"}, {"label": 1, "none": 2, "all": 1}),
        ({"pos": "VBZ"}, {"label": 2, "none": 2, "all": 1}),
    ):
        system = wanting(*edges, **changed)
        for node, number in matched.items():
            found = counts(GOLD, system, f"predications(node={node})")
            assert found["all"] == (2, 2, number)


def test_labels_of_arguments_belong_to_the_arguments() -> None:
    nodes = (*NODES[:3], Node(3, "woman"))
    system = graph(*nodes, framework="amr", edges=GOLD.edges)
    assert counts(GOLD, system, "predications")["all"] == (2, 2, 2)


def test_an_inverted_edge_goes_out_of_its_base_source() -> None:
    edges = (Edge(0, 1, "ARG0"), Edge(0, 2, "ARG1"), Edge(2, 3, "ARG0"))
    system = graph(*NODES, framework="amr", edges=(*edges, Edge(1, 2, "ARG1-of")))
    assert counts(GOLD, system, "predications")["all"] == (2, 2, 2)


def test_attributes_belong_to_the_edge() -> None:
    two = (Node(0, "a"), Node(1, "b"))
    one = graph(*two, edges=(Edge(0, 1, "A", None, (("remote", True),)),))
    other = graph(*two, edges=(Edge(0, 1, "A", None, (("remote", False),)),))
    assert counts(one, other, "predications")["all"] == (1, 1, 0)
    assert counts(one, one, "predications")["all"] == (1, 1, 1)


def test_errors_spell_the_piece() -> None:
    system = wanting((0, 1, "ARG0"), (2, 3, "ARG0"), (3, 1, "mod"))
    errors = outcome(GOLD, system, "predications").errors
    rows = [
        (e.error_type, e.object, e.gold, e.system, e.value, e.reason) for e in errors
    ]
    assert rows == [
        ("missing", "node", 0, 0, "want(arg0 boy, arg1 believe)", "differs"),
        ("missing", "node", 2, 2, "believe(arg0 girl, arg1 boy)", "differs"),
        ("spurious", "node", 0, 0, "want(arg0 boy)", "differs"),
        ("spurious", "node", 2, 2, "believe(arg0 girl)", "differs"),
        ("spurious", "node", 1, 1, "boy(domain girl)", "absent"),
    ]


def test_every_framework_is_scored() -> None:
    for framework in ("dm", "psd", "eds", "ucca", "amr", "ptg", "drg", "ud"):
        one = graph(*NODES, framework=framework, edges=GOLD.edges)
        assert counts(one, renamed(one), "predications")["all"] == (2, 2, 2)


# An oracle: every piece written out, its image looked up.


def correspondence(metric: Predications, gold: Graph, system: Graph) -> dict[int, int]:
    sides = metric.prepare(gold), metric.prepare(system)
    [found] = metric.maps_of([sides], Budget())
    return dict(found.pairs)


def written_out(one: Graph, place: dict[int, int], node: str) -> Counter[Any]:
    """Every predication, its nodes named by *place* (those that have none by id)."""
    ordinals = one.ordinals()

    def name(end: Any) -> Any:
        return place.get(ordinals[end], ("alone", ordinals[end], id(one)))

    outgoing: dict[Any, set[Any]] = {}
    for edge in one.edges:
        source, target, label = base_edge(edge, one.framework)
        says = None if label in (None, "") else fold(label)
        merged = [
            each
            for other in one.edges
            if (lambda b: (b[0], b[1], None if b[2] in (None, "") else fold(b[2])))(
                base_edge(other, one.framework)
            )
            == (source, target, says)
            for each in effective_attributes(other.attributes)
        ]
        attributes = frozenset(each[:2] for each in merged)
        outgoing.setdefault(source, set()).add((says, name(target), attributes))
    found: Counter[Any] = Counter()
    for each in one.nodes:
        if each.id in outgoing:
            said: list[Any] = []
            if node != "none" and each.label is not None:
                said.append(fold(each.label))
            if node == "all":
                pairs = {(fold(n), fold(v)) for n, v in each.properties}
                said.append(frozenset(pairs))
            key = (name(each.id), tuple(said), frozenset(outgoing[each.id]))
            found[key] += 1
    return found


@every_metric
@given(pair=graph_pairs(largest=4))
def test_counts_are_those_of_the_oracle(name: str, pair: tuple[Graph, Graph]) -> None:
    gold, system = pair
    metric = parse(name)
    assert isinstance(metric, Predications)
    pairs = correspondence(metric, gold, system)
    node = getattr(metric, "node")  # noqa: B009
    one = written_out(gold, pairs, node)
    two = written_out(system, {there: there for there in pairs.values()}, node)
    expected = (one.total(), two.total(), (one & two).total())
    assert counts(gold, system, metric)["predications"] == expected


# Invariants.


@every_metric
@given(pair=graph_pairs())
def test_credits_are_the_pieces_that_match(
    name: str, pair: tuple[Graph, Graph]
) -> None:
    found = outcome(*pair, name)
    matched = counts(*pair, name)["all"][2]
    assert sum(match.credit for match in found.matches) == matched


def test_the_oracle_sees_the_worked_example() -> None:
    place = {k: k for k in range(4)}
    assert written_out(GOLD, place, "label").total() == 2


@pytest.mark.parametrize("budget", [Budget(), Budget(0)], ids=["usual", "none"])
@given(pair=graph_pairs())
def test_score_bound_and_proof_are_those_of_the_correspondence(
    budget: Budget, pair: tuple[Graph, Graph]
) -> None:
    one = outcome(*pair, "predications", budget=budget)
    two = outcome(*pair, "mrp", budget=budget)
    assert (one.score, one.bound, one.proven) == (two.score, two.bound, two.proven)
    assert (one.steps, one.method) == (two.steps, two.method)


def test_a_spoilt_predication_is_shown_with_its_node() -> None:
    system = wanting((0, 1, "ARG0"), (0, 2, "ARG2"), (2, 3, "ARG0"), (2, 1, "ARG1"))
    metric = parse("predications")
    shown = Comparison(GOLD, system, metric, outcome(GOLD, system, metric))
    first, *rest = shown.nodes()
    assert first.mark == "~"
    assert first.gold is not None
    assert [piece.value for piece in first.gold.pieces if not piece.matched] == [
        "want(arg0 boy, arg1 believe)"
    ]
    assert {row.mark for row in rest} == {"="}
