"""The paper's outputs, in the layout of information extraction and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.coreference import entities_of, entity_graph
from graphscore.structures.dependencies import (
    Dependency,
    DependencyParse,
    dependencies_of,
    dependency_graph,
)
from graphscore.structures.extraction import (
    Relation,
    RelationSet,
    event_graph,
    events_of,
    nary_relation_graph,
    nary_relations_of,
    relation_graph,
    relations_of,
)
from graphscore.structures.layout import Argument, LayoutBuilder
from graphscore.structures.meaning import AMR, Prop, amr_graph, amr_of
from graphscore.structures.mentions import IndexedMention, Mention
from graphscore.structures.objects.dataclasses import (
    StructureError,
    from_graph,
    to_graph,
)
from graphscore.structures.objects.variables import Var
from graphscore.structures.templates import template_graph, templates_of
from tests.structures.outputs import (
    TEXT,
    TOKENS,
    WORDS,
    amrs,
    entity_sets,
    event_sets,
    nary_sets,
    parses,
    relation_sets,
    template_sets,
)

LAYERS = [
    (relation_sets, relation_graph, relations_of),
    (nary_sets, nary_relation_graph, nary_relations_of),
    (event_sets, event_graph, events_of),
    (entity_sets(), entity_graph, entities_of),
    (template_sets, template_graph, templates_of),
]


@pytest.mark.parametrize(("values", "lay", "read"), LAYERS)
@pytest.mark.parametrize("tokens", [(), TOKENS])
def test_outputs_come_back_from_the_layout(
    values: st.SearchStrategy[Any], lay: Any, read: Any, tokens: Any
) -> None:
    @given(values)
    def check(value: Any) -> None:
        graph = lay(value, id="1", document="d", text=TEXT, tokens=tokens)
        assert read(graph, in_tokens=bool(tokens)) == value
        assert graph == lay(value, id="1", document="d", text=TEXT, tokens=tokens)
        assert all(node.properties[0][0] == "kind" for node in graph.nodes)

    check()


@pytest.mark.parametrize("values", [*(each[0] for each in LAYERS), parses(), amrs()])
def test_outputs_come_back_as_objects(values: st.SearchStrategy[Any]) -> None:
    @given(values)
    def check(value: Any) -> None:
        assert from_graph(to_graph(value), type(value)) == value

    check()


@given(parses())
def test_parses_come_back(parse: DependencyParse) -> None:
    assert dependencies_of(dependency_graph(parse, WORDS)) == parse


def test_the_relation_of_a_root_is_kept() -> None:
    parse = DependencyParse(frozenset({Dependency(0, 1, "parataxis")}))
    graph = dependency_graph(parse, ["Well"])
    assert graph.nodes[0].properties == (("deprel", "parataxis"),)
    assert dependencies_of(graph) == parse


@given(amrs())
def test_propositions_come_back(amr: AMR) -> None:
    assert amr_of(amr_graph(amr)) == amr


def test_tops_are_propositions_and_inverted_edges_are_turned_round() -> None:
    bark, dog = Node("b", "bark-01"), Node("d", "dog")
    inverse = Edge("d", "b", "ARG0-of", "ARG0")
    graph = Graph("1", "amr", nodes=(bark, dog), edges=(inverse,), tops=("d",))
    found = amr_of(graph)
    assert Prop("ARG0", Var("b"), Var("d")) in found.props
    assert Prop("TOP", Var("d"), "dog") in found.props
    assert amr_of(amr_graph(found)) == found
    assert amr_of(graph, top=False).props < found.props


def test_mentions_are_one_node_for_all_their_relations() -> None:
    ada, acme = Mention(0, 1), Mention(3, 3)
    both = RelationSet(frozenset({Relation("A", ada, acme), Relation("B", acme, ada)}))
    graph = relation_graph(both, tokens=TOKENS, text=TEXT)
    assert [node.anchors for node in graph.nodes[:2]] == [
        (Anchor(0, 11),),
        (Anchor(20, 24),),
    ]
    assert len(graph.nodes) == 4


def test_mentions_with_indices_are_the_same_mentions() -> None:
    assert IndexedMention.of(Mention(2, 4)).indices == {2, 3, 4}


def layout(*roles: str, anchors: tuple[Anchor, ...] = (Anchor(0, 5),)) -> Graph:
    build = LayoutBuilder()
    fillers = [build.mention(None, anchors) for _ in roles]
    arguments = [Argument(*each) for each in zip(roles, fillers, strict=True)]
    build.relation("A", arguments, id="r")
    return build.graph("1", "relation", text=TEXT, tokens=TOKENS)


@pytest.mark.parametrize(
    ("graph", "options", "said"),
    [
        (layout("Arg1"), {}, "relation 'r': found the arguments Arg1, expected Arg1"),
        (layout("Arg1", "Arg3"), {}, "expected Arg1 and Arg2"),
        (layout("Arg1", "Arg2", anchors=()), {}, "found 0 ranges"),
        (
            layout("Arg1", "Arg2", anchors=(Anchor(0, 5), Anchor(6, 11))),
            {},
            "found 2 ranges",
        ),
        (
            layout("Arg1", "Arg2", anchors=(Anchor(1, 5),)),
            {"in_tokens": True},
            "found characters 1:5, expected the beginning and end of tokens",
        ),
    ],
)
def test_what_a_class_has_no_place_for_is_an_error(
    graph: Graph, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(StructureError, match=said):
        relations_of(graph, **options)


@pytest.mark.parametrize(
    ("mention", "tokens"), [(Mention(3, 2), ()), (Mention(0, 5), TOKENS)]
)
def test_mentions_that_are_nowhere_are_refused(mention: Mention, tokens: Any) -> None:
    with pytest.raises(StructureError, match="left <= right"):
        relation_graph(
            RelationSet(frozenset({Relation("A", mention, mention)})), tokens=tokens
        )


def test_arcs_between_words_that_are_not_there_are_refused() -> None:
    parse = DependencyParse(frozenset({Dependency(3, 1, "obj")}))
    with pytest.raises(StructureError, match="no such word of 2"):
        dependency_graph(parse, ["a", "b"])


def test_a_variable_has_one_concept_in_a_graph() -> None:
    two = AMR(
        frozenset({Prop("instance", Var("x"), "a"), Prop("instance", Var("x"), "b")})
    )
    with pytest.raises(StructureError, match="concepts"):
        amr_graph(two)
