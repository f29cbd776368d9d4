"""Paths of labels and edges: worked examples, a brute-force oracle, invariants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.metrics.meaning.larger import Larger
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.normalize import base_edge, fold
from tests.metrics.meaning.pieces import counts, graph, outcome
from tests.metrics.meaning.test_predications import GOLD, NODES, correspondence, wanting
from tests.strategies import graph_pairs, graphs, orders, renamed, reordered

METRICS = [
    "ngrams",
    "ngrams(n=1)",
    "ngrams(n=2,properties=leaves)",
    "ngrams(properties=leaves)",
    "ngrams(order=free,ties=canonical)",
]
every_metric = pytest.mark.parametrize("name", METRICS)


# Worked examples.


def test_kinds_are_paths_of_one_two_and_three_nodes() -> None:
    # want -> boy, want -> believe, believe -> girl, believe -> boy;
    # want -> believe -> girl, want -> believe -> boy.
    assert counts(GOLD, GOLD, "ngrams") == {
        "unigrams": (4, 4, 4),
        "bigrams": (4, 4, 4),
        "trigrams": (2, 2, 2),
        "all": (10, 10, 10),
    }


def test_a_wrong_label_spoils_every_path_through_the_node() -> None:
    nodes = (*NODES[:2], Node(2, "think"), NODES[3])
    system = graph(*nodes, framework="amr", edges=GOLD.edges)
    found = counts(GOLD, system, "ngrams")
    assert found["unigrams"] == (4, 4, 3)
    assert found["bigrams"] == (4, 4, 1)
    assert found["trigrams"] == (2, 2, 0)


def test_a_wrong_edge_spoils_the_paths_along_it() -> None:
    system = wanting((0, 1, "ARG0"), (0, 2, "ARG1"), (2, 3, "ARG2"), (2, 1, "ARG1"))
    found = counts(GOLD, system, "ngrams")
    assert found["unigrams"] == (4, 4, 4)
    assert found["bigrams"] == (4, 4, 3)
    assert found["trigrams"] == (2, 2, 1)


@pytest.mark.parametrize(("n", "total"), [(1, 4), (2, 8), (3, 10)])
def test_n_is_the_longest_path_that_counts(n: int, total: int) -> None:
    metric = parse(f"ngrams(n={n})")
    assert counts(GOLD, GOLD, metric)["all"] == (total, total, total)
    assert len(metric.applicable("amr")) == n


def test_paths_of_the_same_words_elsewhere_do_not_match() -> None:
    # As bags of words along paths, the two graphs would be equal.
    nodes = tuple(Node(k, label) for k, label in enumerate("abab"))
    gold = graph(*nodes, edges=(Edge(0, 1, "x"), Edge(2, 3, "x"), Edge(0, 2, "y")))
    system = graph(*nodes, edges=(Edge(0, 1, "x"), Edge(0, 3, "x"), Edge(0, 2, "y")))
    assert counts(gold, system, "ngrams")["bigrams"] == (3, 3, 2)


def test_an_absent_label_is_no_unigram_and_equals_another() -> None:
    one = graph(Node(0), Node(1), framework="ucca", edges=(Edge(0, 1, "A"),))
    found = counts(one, one, "ngrams")
    assert found["unigrams"] == (0, 0, 0)
    assert found["bigrams"] == (1, 1, 1)
    assert "unigrams" not in parse("ngrams").applicable("ucca")
    two = graph(Node(0), Node(1, "b"), framework="ucca", edges=(Edge(0, 1, "A"),))
    assert counts(one, two, "ngrams")["bigrams"] == (1, 1, 0)


def test_a_path_may_come_back_to_a_node() -> None:
    loop = graph(Node(0, "a"), edges=(Edge(0, 0, "x"),))
    found = counts(loop, loop, "ngrams")
    assert found["bigrams"] == found["trigrams"] == (1, 1, 1)


def test_properties_lead_to_leaves_where_asked_for() -> None:
    def hurt(value: str) -> Graph:
        nodes = (Node(0, "say"), Node(1, "hurt", (("polarity", value),)))
        return graph(*nodes, framework="amr", edges=(Edge(0, 1, "ARG1"),))

    assert counts(hurt("-"), hurt("+"), "ngrams")["all"] == (3, 3, 3)
    found = counts(hurt("-"), hurt("-"), "ngrams(properties=leaves)")
    assert found["unigrams"] == (3, 3, 3)
    assert found["bigrams"] == (2, 2, 2)
    assert found["trigrams"] == (1, 1, 1)
    found = counts(hurt("-"), hurt("+"), "ngrams(properties=leaves)")
    assert found["unigrams"] == (3, 3, 2)
    assert found["bigrams"] == (2, 2, 1)
    assert found["trigrams"] == (1, 1, 0)


def test_errors_spell_the_path() -> None:
    system = wanting((0, 1, "ARG0"), (0, 2, "ARG1"), (2, 3, "ARG2"), (2, 1, "ARG1"))
    errors = outcome(GOLD, system, "ngrams").errors
    rows = [(e.side, e.object, e.gold, e.system, e.value, e.reason) for e in errors]
    assert rows == [
        ("missing", "edge", 2, 2, "believe -arg0-> girl", "differs"),
        ("missing", "path", 1, 1, "want -arg1-> believe -arg0-> girl", "differs"),
        ("surplus", "edge", 2, 2, "believe -arg2-> girl", "differs"),
        ("surplus", "path", 1, 1, "want -arg1-> believe -arg2-> girl", "differs"),
    ]


def test_many_paths_are_counted_without_walking_them() -> None:
    size = 1_000
    nodes = tuple(Node(k, str(k)) for k in range(2 * size + 1))
    edges = (
        *(Edge(k + 1, 0, "x") for k in range(size)),
        *(Edge(0, size + k + 1, "x") for k in range(size)),
    )
    hub = graph(*nodes, edges=edges)
    metric = parse("ngrams")
    found = metric.figures(outcome(hub, hub, metric, details=False).masses).counts
    assert found["trigrams"][:3] == (size**2,) * 3


# An oracle: every path written out, its image looked up.


def paths(one: Graph, leaves: bool) -> Iterator[tuple[Any, ...]]:
    """Every path as (node, edge, node, ...), nodes by ordinal, distinct edges once."""
    ordinals = one.ordinals()
    steps: set[tuple[Any, Any, Any]] = set()
    for edge in one.edges:
        source, target, label = base_edge(edge, one.framework)
        says = None if label in (None, "") else fold(label)
        steps.add((ordinals[source], says, ordinals[target]))
    values = set()
    if leaves:
        for k, node in enumerate(one.nodes):
            for name, value in node.properties:
                values.add((k, fold(name), ("value", k, fold(name), fold(value))))
    for k, node in enumerate(one.nodes):
        if node.label is not None:
            yield (k,)
    for _, _, leaf in values:
        yield (leaf,)
    for step in steps | values:
        yield step
        if not isinstance(step[2], tuple):
            for after in steps | values:
                if after[0] == step[2]:
                    yield (*step, *after[1:])


def images(one: Graph, place: dict[int, int], leaves: bool) -> dict[int, Counter[Any]]:
    """The paths by length, nodes as what they correspond to and their label."""

    def name(end: Any) -> Any:
        if isinstance(end, tuple):
            _, node, *rest = end
            return ("value", place.get(node, ("alone", node, id(one))), *rest)
        label = one.nodes[end].label
        known = place.get(end, ("alone", end, id(one)))
        return known, None if label is None else fold(label)

    found: dict[int, Counter[Any]] = {1: Counter(), 2: Counter(), 3: Counter()}
    for path in paths(one, leaves):
        shown = tuple(
            name(part) if k % 2 == 0 else ("edge", part) for k, part in enumerate(path)
        )
        found[(len(path) + 1) // 2][shown] += 1
    return found


@every_metric
@settings(deadline=None, max_examples=40)
@given(pair=graph_pairs(largest=4))
def test_counts_are_those_of_the_oracle(name: str, pair: tuple[Graph, Graph]) -> None:
    gold, system = pair
    metric: Any = parse(name)
    assert isinstance(metric, Larger)
    pairs = correspondence(metric, gold, system)
    leaves = metric.properties == "leaves"
    one = images(gold, pairs, leaves)
    two = images(system, {there: there for there in pairs.values()}, leaves)
    found = counts(gold, system, metric)
    for length, kind in enumerate(("unigrams", "bigrams", "trigrams"), 1):
        left, right = one[length], two[length]
        expected = (left.total(), right.total(), (left & right).total())
        assert found[kind] == (expected if length <= metric.n else (0, 0, 0))


# Invariants.


@every_metric
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_a_graph_equals_itself_in_any_order(name: str, data: st.DataObject) -> None:
    one = data.draw(graphs(framework=data.draw(st.sampled_from(("eds", "ucca")))))
    other = renamed(reordered(one, data.draw(orders(one))))
    for gold, system, matched in counts(one, other, name).values():
        assert gold == system == matched


@every_metric
@settings(deadline=None, max_examples=40)
@given(pair=graph_pairs())
def test_errors_and_credits_account_for_every_path(
    name: str, pair: tuple[Graph, Graph]
) -> None:
    found = outcome(*pair, name)
    rows = Counter((error.side, error.kind) for error in found.errors)
    for kind, (gold, system, matched) in counts(*pair, name).items():
        assert 0 <= matched <= min(gold, system)
        if kind != "all":
            assert rows["missing", kind] == gold - matched
            assert rows["surplus", kind] == system - matched
    credits = sum(match.credit for match in found.matches)
    assert credits == counts(*pair, name)["all"][2]
    assert found.proven
    assert outcome(*pair, name, details=False).masses == found.masses
