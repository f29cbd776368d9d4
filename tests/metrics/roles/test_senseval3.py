"""The metric senseval3."""

from __future__ import annotations

import pytest
from hypothesis import given

from graphscore.metrics.roles.senseval3 import Senseval3
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.metrics.roles.roles import (
    WORDS,
    Frame,
    counted,
    figures,
    frames,
    head_graph,
    outcome,
    span_graph,
)


def graph(*elements: tuple[str, int, int], frame: str = "Judgment") -> Graph:
    """A target at 100 with elements at ranges of characters."""
    nodes = [Node("p", frame, (("kind", "predicate"),), (Anchor(100, 105),))]
    edges = []
    for k, (label, start, end) in enumerate(elements):
        nodes.append(Node(k, None, (("kind", "argument"),), (Anchor(start, end),)))
        edges.append(Edge("p", k, label))
    text = ("word " * 30)[:-1]
    return Graph("1", "srl", text=text, nodes=tuple(nodes), edges=tuple(edges))


def test_the_example_of_the_page() -> None:
    gold = graph(("Evaluee", 0, 4))
    system = graph(("Evaluee", 2, 9), ("Reason", 12, 20))
    found = figures(Senseval3(), gold, system)
    assert counted(found, "elements") == (1, 2, 1)
    assert found.numbers == {"overlap": 0.5, "attempted": 2.0}


def test_an_element_beside_gold_is_wrong() -> None:
    found = figures(Senseval3(), graph(("A", 0, 4)), graph(("A", 5, 9)))
    assert counted(found, "elements") == (1, 1, 0)
    assert found.numbers["overlap"] == 0


def test_blanks_count_in_the_overlap() -> None:
    found = figures(Senseval3(), graph(("A", 0, 10)), graph(("A", 0, 5)))
    assert found.numbers["overlap"] == 0.5


def test_elements_of_one_label_are_matched_one_to_one() -> None:
    gold = graph(("A", 0, 10), ("A", 20, 30))
    both = graph(("A", 5, 25), ("A", 0, 4))
    found = figures(Senseval3(), gold, both)
    assert counted(found, "elements") == (2, 2, 2)
    assert found.numbers["overlap"] == pytest.approx((0.4 + 0.5) / 2)
    once = figures(Senseval3(), gold, graph(("A", 0, 30)))
    assert counted(once, "elements") == (2, 1, 1)


def test_targets_of_one_side_count() -> None:
    gold = graph(("A", 0, 4))
    assert counted(figures(Senseval3(), gold, None), "elements") == (1, 0, 0)
    empty = Graph("1", "srl", text=gold.text)
    assert counted(figures(Senseval3(), empty, gold), "elements") == (0, 1, 0)


def test_frames_are_given_or_must_be_right() -> None:
    gold, system = graph(("A", 0, 4)), graph(("A", 0, 4), frame="Other")
    assert counted(figures(Senseval3(), gold, system), "elements") == (1, 1, 1)
    strict = Senseval3(frames="equal")
    assert counted(figures(strict, gold, system), "elements") == (1, 1, 0)


def test_spans_are_derived_from_heads() -> None:
    tree = [(2, "det"), (3, "nsubj"), (0, "root")]
    gold = span_graph(3, [Frame(2, "x", [("A0", 0, 1)])])
    system = head_graph(3, [Frame(2, "x", [("A0", 1)])], tree)
    assert figures(Senseval3(), gold, system).numbers["overlap"] == 1
    bare = head_graph(3, [Frame(2, "x", [("A0", 1)])])
    assert figures(Senseval3(), gold, bare).numbers["overlap"] == pytest.approx(2 / 5)


def test_rows_name_what_is_missing() -> None:
    gold, system = graph(("A", 0, 4), ("B", 5, 9)), graph(("A", 12, 14))
    found = outcome(Senseval3(), gold, system)
    assert [(e.side, e.label, e.reason) for e in found.errors] == [
        *(("missing", "A", "differs"), ("missing", "B", "absent")),
        ("surplus", "A", "differs"),
    ]


@given(frames())
def test_a_sentence_overlaps_itself_wholly(gold: list[Frame]) -> None:
    graph = span_graph(WORDS, gold)
    found = figures(Senseval3(), graph, graph)
    assert found.numbers["overlap"] in (0, 1)
