"""Semantic dependencies: worked examples, an oracle, differences from mtool."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from graphscore.metrics.registry import parse
from graphscore.model.anchors import PUNCTUATION, unite
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import add_raw_counts
from graphscore.report.side_by_side import Comparison
from tests.metrics.meaning.pieces import counts, graph, outcome
from tests.strategies import graph_pairs

TEXT = "A similar technique is almost impossible"
WORDS = {
    "a": (0, 1),
    "similar": (2, 9),
    "technique": (10, 19),
    "almost": (23, 29),
    "impossible": (30, 40),
}


def sentence(*edges: tuple[str, str, str], tops: tuple[str, ...] = ()) -> Graph:
    """Dependencies between words of the sentence, tops by word."""
    nodes = tuple(
        Node(word, word, anchors=(Anchor(*span),)) for word, span in WORDS.items()
    )
    return Graph(
        "1",
        "dm",
        0,
        text=TEXT,
        nodes=nodes,
        edges=tuple(Edge(*edge) for edge in edges),
        tops=tops,
    )


GOLD = sentence(
    ("a", "technique", "BV"),
    ("similar", "technique", "ARG1"),
    ("impossible", "technique", "ARG1"),
    ("almost", "impossible", "ARG1"),
    tops=("almost",),
)


# Worked examples.


def test_a_top_is_a_dependency_from_a_virtual_root() -> None:
    assert counts(GOLD, GOLD, "sdp")["labeled"] == (5, 5, 5)
    assert counts(GOLD, GOLD, "sdp(tops=false)")["labeled"] == (4, 4, 4)


def test_a_wrong_label_counts_unlabelled_only() -> None:
    system = sentence(
        ("a", "technique", "BV"),
        ("similar", "technique", "ARG2"),
        ("impossible", "technique", "ARG1"),
        tops=("impossible",),
    )
    found = counts(GOLD, system, "sdp")
    assert found["labeled"] == (5, 4, 2)
    assert found["unlabeled"] == (5, 4, 3)
    assert found["all"] == found["labeled"]


def test_errors_name_the_edge_that_stands_there_instead() -> None:
    system = sentence(("a", "technique", "BV"), ("similar", "technique", "ARG2"))
    errors = outcome(GOLD, system, "sdp").errors
    rows = [
        (e.error_type, e.object, e.gold, e.system, e.value, e.reason)
        for e in errors
        if e.tuple_type == "labeled"
    ]
    assert rows == [
        ("missing", "node", 3, 3, "", "absent"),
        ("missing", "edge", 1, 1, "ARG1", "differs"),
        ("missing", "edge", 2, None, "ARG1", "absent"),
        ("missing", "edge", 3, None, "ARG1", "absent"),
        ("spurious", "edge", 1, 1, "ARG2", "differs"),
    ]


def test_exact_graphs_are_those_with_the_same_dependencies() -> None:
    metric = parse("sdp")
    relabeled = sentence(
        ("a", "technique", "BV"),
        ("similar", "technique", "loc"),
        ("impossible", "technique", "ARG1"),
        ("almost", "impossible", "ARG1"),
        tops=("almost",),
    )
    total: dict[Any, int | float] = {}
    for system in (GOLD, relabeled, sentence(), None):
        add_raw_counts(total, outcome(GOLD, system, metric).raw_counts)
    numbers = metric.scores(total).numbers
    assert numbers["labeled.exact"] == 0.25
    assert numbers["labeled.exact_graphs"] == 1
    assert numbers["unlabeled.exact"] == 0.5
    assert numbers["unlabeled.exact_graphs"] == 2
    assert metric.scores({}).numbers["labeled.exact"] == 0.0


def test_node_labels_and_properties_do_not_count() -> None:
    one = graph(Node(0, "a", (("pos", "X"),)), Node(1, "b"), edges=(Edge(0, 1, "e"),))
    two = graph(Node(0, "c"), Node(1, "d"), edges=(Edge(0, 1, "E"),))
    assert counts(one, two, "sdp")["labeled"] == (1, 1, 1)


def test_parallel_edges_are_one_unlabelled_dependency() -> None:
    one = sentence(("a", "technique", "BV"), ("a", "technique", "ARG1"))
    assert counts(one, one, "sdp")["labeled"] == (2, 2, 2)
    assert counts(one, one, "sdp")["unlabeled"] == (1, 1, 1)
    both = counts(one, one, "sdp(duplicates=multiset)")
    assert both["unlabeled"] == (2, 2, 2)


# An oracle written down from the definition alone.


def spans(node: Node, text: str) -> tuple[tuple[int, int], ...]:
    found = []
    for start, end in unite(node.anchors):
        if text:
            while start < end and text[start] in PUNCTUATION:
                start += 1
            while end > start and text[end - 1] in PUNCTUATION:
                end -= 1
        found.append((start, end))
    return tuple(found)


def dependencies(one: Graph, labeled: bool) -> set[Any]:
    known: dict[Any, Any] = {node.id: spans(node, one.text) for node in one.nodes}
    found: set[Any] = {("top", known[top]) for top in one.tops}
    for edge in one.edges:
        source, target, label = edge.source, edge.target, edge.label
        if edge.normal:
            source, target, label = target, source, edge.normal
        elif label == "mod":
            source, target, label = target, source, "domain"
        elif label not in (None, "consist-of") and str(label).endswith("-of"):
            source, target, label = target, source, str(label)[:-3]
        says = str(label).lower() if labeled and label else None
        found.add((known[source], known[target], says))
    return found


@given(pair=graph_pairs())
def test_counts_are_those_of_the_oracle(pair: tuple[Graph, Graph]) -> None:
    found = counts(*pair, "sdp")
    for tuple_type, labeled in (("labeled", True), ("unlabeled", False)):
        one, two = (dependencies(side, labeled) for side in pair)
        assert found[tuple_type] == (len(one), len(two), len(one & two))


# The same as mtool, although it may surprise.


def test_nodes_without_anchors_are_all_one_node() -> None:
    one = graph(Node(0), Node(1), edges=(Edge(0, 1, "x"),), tops=(0,))
    two = graph(Node(0), Node(1), edges=(Edge(1, 0, "x"),), tops=(1,))
    assert counts(one, two, "sdp")["labeled"] == (2, 2, 2)


def test_ranges_over_a_blank_are_not_one_range() -> None:
    text = "Pierre Vinken"
    whole = graph(Node(0, anchors=(Anchor(0, 13),)), text=text, tops=(0,))
    split = graph(Node(0, anchors=(Anchor(0, 6), Anchor(7, 13))), text=text, tops=(0,))
    assert counts(whole, split, "sdp")["labeled"] == (1, 1, 0)
    assert counts(whole, split, "edm")["tops"] == (1, 1, 1)


def test_punctuation_alone_is_known_by_where_it_ends() -> None:
    one = graph(Node(0, anchors=(Anchor(1, 2),)), text="a, b.", tops=(0,))
    two = graph(Node(0, anchors=(Anchor(4, 5),)), text="a, b.", tops=(0,))
    three = graph(Node(0), text="a, b.", tops=(0,))
    assert counts(one, two, "sdp")["labeled"][2] == 0
    assert counts(one, three, "sdp")["labeled"][2] == 0
    assert counts(one, one, "sdp")["labeled"][2] == 1


def test_every_framework_is_scored_with_inverted_edges_turned_round() -> None:
    one = sentence(("a", "technique", "mod"))
    two = sentence(("technique", "a", "domain"))
    assert counts(one, two, "sdp")["labeled"] == (1, 1, 1)
    assert counts(one, two, "sdp(invert=amr)")["labeled"] == (1, 1, 0)


# Differences from mtool, as docs/metrics/meaning/sdp.md lists them.


def test_a_text_on_one_side_is_borrowed_by_the_other() -> None:
    # mtool: a side without text is not trimmed.
    text = "Wait, no"
    gold = graph(Node(0, anchors=(Anchor(0, 5),)), text=text, tops=(0,))
    system = graph(Node(0, anchors=(Anchor(0, 4),)), tops=(0,))
    assert counts(gold, system, "sdp")["labeled"] == (1, 1, 1)
    assert counts(system, gold, "sdp")["labeled"] == (1, 1, 1)


def test_anchors_with_a_gap_need_no_text() -> None:
    # mtool: a node with a gap and no text ends the run.
    here = (Anchor(0, 3), Anchor(5, 7))
    one = graph(Node(0, anchors=here), tops=(0,))
    assert counts(one, one, "sdp")["labeled"] == (1, 1, 1)


@pytest.mark.parametrize("label", ["consist-of", "subset-of"])
def test_consist_of_and_subset_of_are_not_inverted(label: str) -> None:
    # mtool: a missing comma in its list of exceptions turns both round.
    one = sentence(("a", "technique", label))
    two = sentence(("technique", "a", label[:-3]))
    assert counts(one, two, "sdp")["labeled"] == (1, 1, 0)
    assert counts(one, two, "sdp(preset=mtool)")["labeled"] == (1, 1, 1)


def test_what_is_wrong_is_marked_where_items_are_shown() -> None:
    system = sentence(("a", "technique", "DET"), ("similar", "technique", "ARG1"))
    metric = parse("sdp")
    shown = Comparison(GOLD, system, metric, outcome(GOLD, system, metric))
    marks = {row.gold.ordinal: row.mark for row in shown.edges() if row.gold}
    assert marks == {0: "~", 1: "=", 2: "-", 3: "-"}
    tops = {row.gold.id: row.mark for row in shown.nodes() if row.gold}
    assert tops["almost"] == "~"
    assert tops["similar"] == "="
