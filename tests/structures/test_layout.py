"""The layout of mentions, entities, relations and events in one graph."""

from __future__ import annotations

import doctest

import pytest

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Anchor, Edge, Node
from graphscore.structures import (
    KINDS,
    Argument,
    LayoutBuilder,
    first_of,
    kind_of,
    layout,
    nodes_of,
)


def test_examples_run() -> None:
    assert doctest.testmod(layout).failed == 0


def test_the_kind_is_the_first_property_of_every_node() -> None:
    build = LayoutBuilder()
    one = build.mention("PER", [Anchor(0, 1)], (("kind", "x"), ("subtype", "s")))
    build.value("yes")
    build.entity([one], "PER")
    build.relation("Heads", [Argument("Arg1", one)])
    build.trigger("Die", [Anchor(1, 2)])
    build.opinion("Positive", [Anchor(2, 3)], [Argument("holder", one)])
    build.template("Attack", [Argument("Victim", one)])
    graph = build.graph("1", "template")
    assert [node.properties[0] for node in graph.nodes] == [
        ("kind", kind)
        for kind in (
            *("mention", "value", "entity", "relation", "trigger", "opinion"),
            "template",
        )
    ]
    # The rest are those of semantic roles and entity trees, which others lay out.
    rest = {"token", "predicate", "argument", "component"}
    assert {kind_of(node) for node in graph.nodes} == set(KINDS) - rest
    assert graph.nodes[0].properties[1:] == (("kind", "x"), ("subtype", "s"))
    assert kind_of(graph.nodes[0]) == "mention"


def test_mentions_come_first_whenever_they_are_added() -> None:
    build = LayoutBuilder()
    build.relation("A", [Argument("Arg1", "m")], id="r")
    build.mention(None, id="m")
    build.entity(["m"], id="e")
    build.value("v", id="v")
    graph = build.graph("1", "x")
    assert [node.id for node in graph.nodes] == ["m", "v", "r", "e"]
    assert graph.edges == (Edge("r", "m", "Arg1"), Edge("e", "m", "mention"))
    assert [node.id for node in nodes_of(graph, "entity")] == ["e"]


def test_the_words_of_a_mention_are_a_property_only_without_anchors() -> None:
    build = LayoutBuilder()
    build.mention("PER", text="Jenny")
    build.mention("PER", [Anchor(0, 5)], text="Jenny")
    bare, anchored = build.graph("1", "ner", text="Jenny").nodes
    assert bare.properties == (("kind", "mention"), ("text", "Jenny"))
    assert anchored.properties == (("kind", "mention"),)


def test_a_graph_says_where_it_belongs_and_has_no_tops() -> None:
    graph = LayoutBuilder().graph(
        "1", "ner", document="d", language="eng", text="a", tokens=(Anchor(0, 1),)
    )
    assert (graph.flavor, graph.tops, graph.ordered) == (1, (), False)
    assert (graph.document, graph.language, graph.tokens) == ("d", "eng", ((0, 1),))
    assert graph.extra == {}


def test_arguments_carry_attributes() -> None:
    build = LayoutBuilder()
    one = build.mention(None)
    argument = Argument("Agent", one, (("score", 0.5),), (("role", "Agent2"),))
    build.trigger("Die", (), [argument])
    [edge] = build.graph("1", "event").edges
    assert (edge.attributes, edge.extra) == (
        (("score", 0.5),),
        (("role", "Agent2"),),
    )


def test_numbers_are_given_where_no_id_is() -> None:
    build = LayoutBuilder()
    assert build.mention(None, id=0) == 0
    assert build.mention(None, id=1) == 1
    assert build.mention(None) == 2
    assert 2 in build
    assert "2" not in build


def test_two_nodes_of_one_id_and_fillers_that_are_not_there_are_refused() -> None:
    build = LayoutBuilder()
    build.mention(None, id="T1")
    with pytest.raises(InvalidGraphError, match="two nodes 'T1'"):
        build.relation("A", [], id="T1")
    build.relation("A", [Argument("Arg1", "T9")], id="R1")
    with pytest.raises(InvalidGraphError, match="a filler 'T9' of 'R1'"):
        build.graph("1", "relation")


@pytest.mark.parametrize("value", ["dog", 1, True, None])
def test_what_is_no_kind_is_none(value: str | int | None) -> None:
    assert kind_of(Node(0, properties=(("kind", value), ("kind", "mention")))) is None
    assert first_of((), "kind") is None
