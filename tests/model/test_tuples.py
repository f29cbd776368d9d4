"""A graph as countable facts."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats import ReadGraph, read_file
from graphscore.model import anchors, normalize
from graphscore.model.anchors import characters
from graphscore.model.frameworks import ANCHORS, FRAMEWORKS, TUPLE_TYPES, framework
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.tuples import (
    Conventions,
    decompose,
)
from tests.model.slow_tuples import slow_tuples
from tests.strategies import TEXTS, graphs, renamed


def totals(*nodes: Node, **rest: object) -> dict[str, int]:
    graph = Graph("1", "x", nodes=nodes, **rest)  # type: ignore[arg-type]
    return dict(zip(TUPLE_TYPES, decompose(graph).totals, strict=True))


def test_an_unlabelled_node_gives_no_label_tuple() -> None:
    assert totals(Node(0))["labels"] == 0


def test_an_empty_label_is_a_label() -> None:
    assert totals(Node(0, ""))["labels"] == 1


@pytest.mark.parametrize("label", [0, False, 0.0])
def test_a_label_that_is_falsy_is_a_label(label: object) -> None:
    assert totals(Node(0, label))["labels"] == 1


def test_a_repeated_property_is_one_tuple() -> None:
    node = Node(0, None, (("pos", "NN"), ("POS", "nn"), ("pos", "VB")))
    assert totals(node)["properties"] == 2


def test_no_anchors_give_no_tuple_but_an_emptied_anchor_does() -> None:
    found = totals(Node(0), Node(1, anchors=(Anchor(0, 1),)), text="!?")
    assert found["anchors"] == 1


def test_a_top_named_twice_is_one_tuple() -> None:
    assert totals(Node(0), tops=(0, 0))["tops"] == 1


def test_repeated_edges_are_one_tuple_with_all_attributes() -> None:
    edges = (
        Edge(0, 1, "A", attributes=(("x", 1),)),
        Edge(0, 1, "a", attributes=(("x", 1), ("y", 2))),
        Edge(1, 0, "A-of"),
    )
    found = totals(Node(0), Node(1), edges=edges)
    assert (found["edges"], found["attributes"]) == (1, 2)


def test_an_empty_edge_label_is_an_absent_one() -> None:
    edges = (Edge(0, 0, ""), Edge(0, 0))
    assert totals(Node(0), edges=edges)["edges"] == 1


def test_unlabelled_reading_collapses_parallel_edges() -> None:
    edges = (Edge(0, 1, "A"), Edge(0, 1, "B"), Edge(1, 0, "A"))
    graph = Graph("1", "x", nodes=(Node(0), Node(1)), edges=edges)
    assert decompose(graph).totals[4] == 3
    assert decompose(graph, Conventions(labeled=False)).totals[4] == 2


def test_facts_show_values_as_written() -> None:
    nodes = (Node("n", 42, (("Pos", "NN"),), (Anchor(0, 4), Anchor(5, 7))),)
    graph = Graph("1", "x", text="Nov. 29", nodes=nodes, tops=("n",))
    found = {each.tuple_type: each for each in decompose(graph).listing()}
    assert (found["labels"].value, found["labels"].compared) == (42, "42")
    assert (found["properties"].name, found["properties"].compared) == ("Pos", "nn")
    assert (found["anchors"].value, found["anchors"].compared) == ("0:4 5:7", "0:3 5:7")


def test_no_tuple_of_an_inapplicable_type_is_in_the_sample(sample: Path) -> None:
    seen: dict[str, Counter[str]] = {}
    for record in read_file(str(sample / "gold.mrp")):
        assert isinstance(record, ReadGraph)
        counts = seen.setdefault(record.graph.framework, Counter())
        counts.update(
            dict(zip(TUPLE_TYPES, decompose(record.graph).totals, strict=True))
        )
    assert seen.keys() == {"dm", "psd", "eds", "ucca", "amr"}
    for name, counts in seen.items():
        for kind in TUPLE_TYPES:
            assert (counts[kind] > 0) == (kind in FRAMEWORKS[name].tuple_types), name


def test_an_unknown_framework_has_every_tuple_type() -> None:
    assert framework("mine").tuple_types == frozenset(TUPLE_TYPES)


@given(graphs())
def test_the_listing_has_as_many_facts_as_the_totals_say(graph: Graph) -> None:
    facts = decompose(graph)
    counts = Counter(fact.tuple_type for fact in facts.listing())
    assert tuple(counts[kind] for kind in TUPLE_TYPES) == facts.totals


@given(graphs())
def test_names_of_nodes_are_no_facts(graph: Graph) -> None:
    other = renamed(graph)
    assert list(decompose(graph).listing()) == list(decompose(other).listing())
    assert graph.digest() == other.digest()


readings = st.builds(
    Conventions,
    labeled=st.booleans(),
    trim=st.sampled_from(("range", "anchor")),
    invert=st.sampled_from(("all", "amr")),
    mtool=st.booleans(),
    task=st.sampled_from((2020, 2019)),
    drop_anchors=st.sampled_from((frozenset(), frozenset({"eds"}))),
    keep_anchors=st.sampled_from((frozenset(), frozenset({"amr"}))),
    applicable=st.booleans(),
)


@given(graphs(), readings)
def test_tuples_are_those_that_are_worked_out_one_by_one(
    graph: Graph, conventions: Conventions
) -> None:
    expected = slow_tuples(graph, conventions)
    facts = decompose(graph, conventions)
    assert [list(mine.items()) for mine in facts.said] == expected.said
    assert list(facts.edges) == expected.edges
    assert facts.edge_ordinals == expected.edge_ordinals
    assert {
        number: found for number, found in facts.attributes.items() if found
    } == expected.attributes
    assert facts.totals == expected.totals


class Spelt(str):
    """A string that is spelt otherwise than it compares."""

    def __str__(self) -> str:
        return "Otherwise"


def test_what_is_derived_from_a_string_is_not_taken_for_it() -> None:
    nodes = (
        Node(0, "x", (("p", "x"), ("q", 1), ("q", True), ("q", 1.0))),
        Node(1, Spelt("x"), (("p", Spelt("x")),)),
    )
    graph = Graph(
        "1", "x", nodes=nodes, edges=(Edge(0, 1, "x"), Edge(1, 0, Spelt("x")))
    )
    for _ in range(2):
        facts = decompose(graph)
        assert [fact.compared for fact in facts.listing()] == [
            *("x", "x", "1", "true", "1.0", "otherwise", "otherwise", "x", "otherwise")
        ]


@given(st.sampled_from(TEXTS), st.integers(-2, 30), st.integers(-2, 30))
def test_a_place_stands_for_the_same_characters_as_an_anchor(
    text: str, start: int, end: int
) -> None:
    for trim in ("range", "anchor"):
        expected = characters((Anchor(start, end),), text, trim)  # type: ignore[arg-type]
        assert anchors.AnchorKeys(text)[start, end] == (ANCHORS, expected)


def test_tables_forget_what_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normalize, "MOST", 3)
    monkeypatch.setattr(anchors, "TEXTS", 3)
    monkeypatch.setattr(anchors, "PLACES", 3)
    words = tuple(
        Node(k, f"N{k}", (("P", f"V{k}"),), (Anchor(k, 9),)) for k in range(9)
    )
    graph = Graph("1", "x", text="abcdefghi", nodes=words)
    for number in range(9):
        again = msgspec.structs.replace(graph, text=f"{number}{graph.text}")
        found = [each.compared for each in decompose(again).listing()]
        assert found == [
            said for k in range(9) for said in (f"n{k}", f"v{k}", f"{k}:9")
        ]
    assert len(normalize.label_keys) <= 3
    assert len(normalize.property_keys) <= 3
    assert len(anchors._texts) <= 3
    assert all(len(each) <= 3 for each in anchors._texts.values())


@given(st.lists(graphs(), min_size=1, max_size=4), st.data())
def test_digests_are_those_of_the_whole_encoding(
    some: list[Graph], data: st.DataObject
) -> None:
    tokens = (), (Anchor(0, 2),), (Anchor(0, 2), Anchor(2, 3))
    for graph in some:
        changed = msgspec.structs.replace(
            graph,
            tokens=data.draw(st.sampled_from(tokens)),
            flavor=data.draw(st.sampled_from((None, 0, 1, 2))),
            framework=data.draw(st.sampled_from(("ner", "eds"))),
        )
        ordinals = changed.ordinals()
        visible = (
            *(changed.framework, changed.flavor, changed.text, changed.tokens),
            [(node.label, node.properties, node.anchors) for node in changed.nodes],
            [
                (
                    ordinals[e.source],
                    ordinals[e.target],
                    e.label,
                    e.normal,
                    e.attributes,
                )
                for e in changed.edges
            ],
            [ordinals[top] for top in changed.tops],
        )
        encoded = msgspec.json.encode(visible)
        assert changed.digest() == hashlib.blake2b(encoded, digest_size=16).digest()
