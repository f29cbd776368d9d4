"""Elementary dependencies: worked examples, an oracle, differences from mtool."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from graphscore.metrics.meaning.edm import Edm
from graphscore.metrics.registry import parse
from graphscore.model.anchors import PUNCTUATION
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.normalize import base_edge, fold
from tests.metrics.meaning.pieces import counts, graph, outcome, sizes
from tests.strategies import graph_pairs

TEXT = "Kim hired an actor."


def dependencies(
    actor: str = "_actor_n_1", second: str = "ARG2", sf: str = "prop", top: int = 1
) -> Graph:
    """Who hired whom, with one name, argument, property or top to be changed."""
    nodes = (
        Node(0, "named", (("CARG", "Kim"),), (Anchor(0, 3),)),
        Node(1, "_hire_v_1", (("SF", sf), ("TENSE", "past")), (Anchor(4, 9),)),
        Node(2, "_a_q", (), (Anchor(10, 12),)),
        Node(3, actor, (("NUM", "sg"),), (Anchor(13, 19),)),
    )
    edges = (Edge(1, 0, "ARG1"), Edge(1, 3, second), Edge(2, 3, "BV"))
    return Graph("1", "eds", 1, text=TEXT, nodes=nodes, edges=edges, tops=(top,))


GOLD = dependencies()


# Worked examples.


def test_the_tuple_types_are_names_arguments_properties_and_tops() -> None:
    assert counts(GOLD, GOLD, "edm") == {
        "names": (4, 4, 4),
        "arguments": (3, 3, 3),
        "properties": (4, 4, 4),
        "tops": (1, 1, 1),
        "all": (12, 12, 12),
    }


@pytest.mark.parametrize(
    ("changed", "tuple_type"),
    [
        ({"actor": "_actress_n_1"}, "names"),
        ({"second": "ARG3"}, "arguments"),
        ({"sf": "ques"}, "properties"),
        ({"top": 2}, "tops"),
    ],
)
def test_each_change_costs_one_tuple_of_its_tuple_type(
    changed: dict[str, Any], tuple_type: str
) -> None:
    found = counts(GOLD, dependencies(**changed), "edm")
    lost = {name: gold - matched for name, (gold, _, matched) in found.items()}
    expected = {name: int(name in (tuple_type, "all")) for name in lost}
    assert lost == expected


def test_a_wrong_name_does_not_spoil_the_arguments() -> None:
    found = counts(GOLD, dependencies(actor="_actress_n_1"), "edm")
    assert found["arguments"] == (3, 3, 3)


def test_a_shifted_anchor_spoils_all_that_is_said_of_it() -> None:
    nodes = (
        *GOLD.nodes[:3],
        Node(3, "_actor_n_1", (("NUM", "sg"),), (Anchor(10, 18),)),
    )
    system = Graph(
        "1", "eds", 1, text=TEXT, nodes=nodes, edges=GOLD.edges, tops=GOLD.tops
    )
    found = counts(GOLD, system, "edm")
    assert found["names"] == (4, 4, 3)
    assert found["properties"] == (4, 4, 3)
    assert found["arguments"] == (3, 3, 1)


def test_weights_scale_the_tuple_types_within_all() -> None:
    system = dependencies(actor="_actress_n_1", sf="ques")
    assert counts(GOLD, system, "edm")["all"] == (12, 12, 10)
    assert counts(GOLD, system, "edm(properties=0)")["all"] == (8, 8, 7)
    found = counts(GOLD, system, "edm(names=2,arguments=0.5,tops=0)")
    assert found["all"] == (8 + 1.5 + 4, 8 + 1.5 + 4, 6 + 1.5 + 3)
    assert found["names"] == (4, 4, 3)
    assert outcome(GOLD, system, "edm(names=2,arguments=0.5,tops=0)").score == 10.5


def test_the_published_splits_are_scores() -> None:
    metric = parse("edm")
    raw_counts = outcome(GOLD, dependencies(actor="x", sf="ques"), metric).raw_counts
    numbers = metric.scores(raw_counts).numbers
    assert numbers["edm_a.f1"] == 1.0
    assert numbers["edm_l.f1"] == 0.75
    assert numbers["edm_p.recall"] == 0.75
    assert numbers["edm_na.precision"] == 6 / 7


def test_the_canonical_string_does_not_depend_on_how_a_weight_is_written() -> None:
    assert Edm(names=2) == Edm(names=2.0) == parse("edm(names=2)")
    assert str(Edm(names=2)) == str(parse(str(Edm(names=2)))) == "edm(names=2.0)"
    assert str(Edm(names=1)) == "edm"


def test_errors_show_values_as_written() -> None:
    errors = outcome(GOLD, dependencies(sf="QUES"), "edm").errors
    rows = [
        (e.error_type, e.tuple_type, e.name, e.value, e.compared, e.reason)
        for e in errors
    ]
    assert rows == [
        ("missing", "properties", "SF", "prop", None, "differs"),
        ("spurious", "properties", "SF", "QUES", "ques", "differs"),
    ]


# An oracle written down from the definition alone.


def members(node: Node, text: str) -> frozenset[int]:
    """Positions of a node: united ranges, trimmed, without white space."""
    covered = {k for start, end in node.anchors for k in range(start, end)}
    if not text:
        return frozenset(covered)
    covered = {k for k in covered if k < len(text)}
    changed = True
    while changed:
        edges = {
            k
            for k in covered
            if text[k] in PUNCTUATION and not {k - 1, k + 1} <= covered
        }
        changed = bool(edges)
        covered -= edges
    return frozenset(k for k in covered if not text[k].isspace())


def tuples(one: Graph) -> dict[str, set[Any]]:
    known: dict[Any, Any] = {node.id: members(node, one.text) for node in one.nodes}
    found: dict[str, set[Any]] = {
        tuple_type: set() for tuple_type in ("names", "arguments", "properties", "tops")
    }
    for node in one.nodes:
        if node.label is not None:
            found["names"].add((known[node.id], fold(node.label)))
        for name, value in node.properties:
            found["properties"].add((known[node.id], name.lower(), fold(value)))
    for edge in one.edges:
        source, target, label = base_edge(edge, one.framework)
        says = None if label in (None, "") else fold(label)
        found["arguments"].add((known[source], known[target], says))
    found["tops"] = {known[top] for top in one.tops}
    return found


@given(pair=graph_pairs())
def test_counts_are_those_of_the_oracle(pair: tuple[Graph, Graph]) -> None:
    found = counts(*pair, "edm")
    expected = sizes(*map(tuples, pair))
    everything = tuple(map(sum, zip(*expected.values(), strict=True)))
    assert found == expected | {"all": everything}


# The same as mtool, although it may surprise.


def test_equal_names_on_the_same_characters_are_one_tuple() -> None:
    here = (Anchor(0, 3),)
    one = graph(Node(0, "a", anchors=here), Node(1, "A", anchors=here), text="Kim")
    assert counts(one, one, "edm")["names"] == (1, 1, 1)
    assert counts(one, one, "edm(duplicates=multiset)")["names"] == (2, 2, 2)


def test_no_anchor_and_an_anchor_of_punctuation_are_the_same() -> None:
    one = graph(Node(0, "a"), text="Wait, no")
    two = graph(Node(0, "a", anchors=(Anchor(4, 6),)), text="Wait, no")
    assert counts(one, two, "edm")["names"] == (1, 1, 1)


def test_an_empty_node_label_is_a_name() -> None:
    assert counts(graph(Node(0, "")), graph(Node(0, "")), "edm")["names"] == (1, 1, 1)
    assert counts(graph(Node(0)), graph(Node(0)), "edm")["names"] == (0, 0, 0)


# Differences from mtool, as docs/metrics/meaning/edm.md lists them.


def test_a_text_on_one_side_is_borrowed_by_the_other() -> None:
    # mtool: then both sides compare their ranges, one trimmed, the other not.
    gold = graph(Node(0, "a", anchors=(Anchor(0, 5),)), text="Wait, no")
    system = graph(Node(0, "a", anchors=(Anchor(0, 2), Anchor(2, 4))))
    assert counts(gold, system, "edm")["names"] == (1, 1, 1)


def test_ranges_without_any_text_compare_as_positions() -> None:
    # mtool: without text, the ranges compare as they are written.
    gold = graph(Node(0, "a", anchors=(Anchor(0, 4),)))
    system = graph(Node(0, "a", anchors=(Anchor(2, 4), Anchor(0, 2))))
    assert counts(gold, system, "edm")["names"] == (1, 1, 1)


def test_every_kind_of_white_space_is_invisible() -> None:
    # mtool: only blank, tab, new line and form feed are.
    text = "a\u3000b"
    whole = graph(Node(0, "x", anchors=(Anchor(0, 3),)), text=text)
    split = graph(Node(0, "x", anchors=(Anchor(0, 1), Anchor(2, 3))), text=text)
    assert counts(whole, split, "edm")["names"] == (1, 1, 1)


def test_a_null_value_is_spelt_as_in_json() -> None:
    # mtool: it is spelt none.
    one = graph(Node(0, "a", (("x", None),)))
    assert counts(one, graph(Node(0, "a", (("x", "null"),))), "edm")["properties"][2]
    two = graph(Node(0, "a", (("x", "none"),)))
    assert not counts(one, two, "edm")["properties"][2]


def test_wiki_and_repeated_properties_are_kept_in_amr() -> None:
    # mtool: its AMR reader drops :wiki and keeps the last of a repeated role.
    node = Node(0, "a", (("wiki", "Q1"), ("op1", "x"), ("op1", "y")))
    one = graph(node, framework="amr")
    assert counts(one, one, "edm")["properties"] == (3, 3, 3)
    assert counts(one, one, "edm(preset=mtool)")["properties"] == (1, 1, 1)


def test_consist_of_and_subset_of_are_not_inverted() -> None:
    # mtool: a missing comma in its list of exceptions turns both round.
    two = (Node(0, anchors=(Anchor(0, 1),)), Node(1, anchors=(Anchor(2, 3),)))
    gold = graph(*two, text="a b", edges=(Edge(0, 1, "consist-of"),))
    system = graph(*two, text="a b", edges=(Edge(1, 0, "consist"),))
    assert counts(gold, system, "edm")["arguments"] == (1, 1, 0)
    assert counts(gold, system, "edm(preset=mtool)")["arguments"] == (1, 1, 1)
