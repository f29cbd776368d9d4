"""When two values count as the same."""

from __future__ import annotations

import pytest

from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.normalize import (
    base_edge,
    effective_attributes,
    fold,
    mtool_edges,
    mtool_properties,
)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (42, "42"),
        ("Pierre", "pierre"),
        (True, "true"),
        (1.5, "1.5"),
        (None, "NULL"),
        ("ÉTÉ", "été"),
    ],
)
def test_values_compare_as_case_insensitive_strings(one: object, two: object) -> None:
    assert fold(one) == fold(two)


@pytest.mark.parametrize(
    ("one", "two"), [(1, 1.0), (1, True), (0, False), ("a", "a "), ("", None)]
)
def test_values_that_are_spelt_differently_differ(one: object, two: object) -> None:
    assert fold(one) != fold(two)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("ARG0", (1, 2, "ARG0")),
        ("ARG0-of", (2, 1, "ARG0")),
        ("mod", (2, 1, "domain")),
        ("Mod", (1, 2, "Mod")),
        ("domain", (1, 2, "domain")),
        ("prep-on-behalf-of", (1, 2, "prep-on-behalf-of")),
        ("x-of-of", (2, 1, "x-of")),
        ("consist-of", (1, 2, "consist-of")),
        ("consist-of-of", (2, 1, "consist-of")),
        ("subset-of", (1, 2, "subset-of")),
        ("of", (1, 2, "of")),
        (None, (1, 2, None)),
        (7, (1, 2, 7)),
    ],
)
def test_inverted_edges_are_turned_round(label: object, expected: object) -> None:
    assert base_edge(Edge(1, 2, label), "amr") == expected


def test_inversion_is_inferred_everywhere_or_in_amr_only() -> None:
    edge = Edge(1, 2, "mod")
    assert base_edge(edge, "dm", "all") == (2, 1, "domain")
    assert base_edge(edge, "dm", "amr") == (1, 2, "mod")
    assert base_edge(edge, "amr", "amr") == (2, 1, "domain")


def test_an_explicit_normal_is_honoured_in_every_framework() -> None:
    edge = Edge(1, 2, "actor", normal="acts")
    assert base_edge(edge, "eds", "amr") == (2, 1, "acts")


def test_an_empty_normal_is_none() -> None:
    assert base_edge(Edge(1, 2, "ARG0", normal=""), "eds") == (1, 2, "ARG0")


def test_the_oversight_of_mtool_is_a_parameter() -> None:
    edge = Edge(1, 2, "subset-of")
    assert base_edge(edge, "amr", keep_base=False) == (2, 1, "subset")


@pytest.mark.parametrize("name", ["remote", "effective", "member"])
def test_default_attributes_disappear(name: str) -> None:
    pairs = ((name, False), (name.upper(), "False"), (name, True), ("x", False))
    kept = [(key, value) for key, value, _, _ in effective_attributes(pairs)]
    assert kept == [(name, "true"), ("x", "false")]


def test_mtool_keeps_the_last_of_a_repeated_property_and_no_wiki() -> None:
    pairs = (("op1", "a"), ("Wiki", "Q1"), ("OP1", "b"), ("op2", 1))
    assert mtool_properties(pairs) == (("OP1", "b"), ("op2", 1))


def test_mtool_keeps_the_first_of_repeated_edges_as_written() -> None:
    edges = (
        Edge(0, 1, "A", attributes=(("x", 1),)),
        Edge(0, 1, "A", attributes=(("x", 2),)),
        Edge(0, 1, "a"),
        Edge(1, 0, "A-of"),
    )
    graph = Graph("1", "x", nodes=(Node(0), Node(1)), edges=edges)
    assert mtool_edges(graph) == (edges[0], edges[2], edges[3])
