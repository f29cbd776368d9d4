"""What differs between the scorers of the shared tasks of 2019 and 2020."""

from __future__ import annotations

import pytest

from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.registry import parse
from graphscore.model.frameworks import TUPLE_TYPES, framework
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.metrics.meaning.pieces import counts


def test_the_scorer_of_2020_is_the_default() -> None:
    assert str(Mrp()) == "mrp"
    assert str(Mrp(conventions=2019)) == "mrp(conventions=2019)"
    assert parse("mrp(conventions=2020)") == Mrp()
    assert Mrp().normalization != Mrp(conventions=2019).normalization


@pytest.mark.parametrize("name", ["effective", "member"])
def test_prague_attributes_have_defaults_since_2020(name: str) -> None:
    nodes = Node(0, "a"), Node(1, "b")
    bare = Graph("1", "ptg", 1, nodes=nodes, edges=(Edge(0, 1, "ACT"),))
    said = Graph(
        "1",
        "ptg",
        1,
        nodes=nodes,
        edges=(Edge(0, 1, "ACT", attributes=((name, False), ("remote", False))),),
    )
    assert counts(bare, said, "mrp")["attributes"] == (0, 0, 0)
    assert counts(bare, said, "mrp(conventions=2019)")["attributes"] == (0, 1, 0)
    assert counts(said, said, "mrp(conventions=2019)")["attributes"] == (1, 1, 1)


def test_anchors_are_united_before_they_are_trimmed_since_2020() -> None:
    text = "e.g. this"
    whole = Graph("1", "eds", 1, text=text, nodes=(Node(0, "x", (), (Anchor(0, 3),)),))
    pieces = Graph(
        "1",
        "eds",
        1,
        text=text,
        nodes=(Node(0, "x", (), (Anchor(0, 2), Anchor(2, 3))),),
    )
    assert counts(whole, pieces, "mrp")["anchors"] == (1, 1, 1)
    assert counts(whole, pieces, "mrp(conventions=2019)")["anchors"] == (1, 1, 0)
    whole_set = "mrp(trim=anchor,conventions=2019)"
    assert counts(whole, pieces, whole_set)["anchors"] == (1, 1, 1)


def test_tuple_types_of_the_frameworks_of_2020() -> None:
    assert framework("ptg").tuple_types == frozenset(TUPLE_TYPES)
    assert framework("drg").tuple_types == {"tops", "labels", "edges"}
    assert framework("ucca").tuple_types == {"tops", "anchors", "edges", "attributes"}


@pytest.mark.parametrize("framework", ["ptg", "drg"])
def test_graphs_of_2020_are_searched_without_order(framework: str) -> None:
    nodes = Node(0, "a"), Node(1, "b")
    one = Graph("1", framework, 1, nodes=nodes, edges=(Edge(0, 1, "x"),))
    two = Graph("1", framework, 1, nodes=nodes[::-1], edges=(Edge(0, 1, "x"),))
    assert counts(one, two, "mrp")["all"] == (3, 3, 3)
