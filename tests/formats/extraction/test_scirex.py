"""SciREX: mentions, entities and relations among entities."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures import first_of, nodes_of
from tests.formats.templates.fillers import (
    good,
    problems,
    read,
    round_trip,
    words,
    written,
)

FORMAT = format_named("scirex")

TEXT = "We train BERT ( large ) on SQuAD v1 and report F1"
WORDS = TEXT.split()

GOLD: dict[str, Any] = {
    "coref": {"BERT": [[2, 3]], "SQuAD": [[7, 9], [7, 8]], "F1": [[11, 12]], "QA": []},
    "doc_id": "a1",
    "method_subrelations": {"BERT": [[[0, 4], "BERT"], [[5, 10], "large"]]},
    "n_ary_relations": [
        {
            "Material": "SQuAD",
            "Method": "BERT",
            "Metric": "F1",
            "Task": "QA",
            "score": "90.9",
        },
        {"Material": "SQuAD", "Method": "BERT", "Metric": "F1"},
    ],
    "ner": [[2, 3, "Method"], [7, 9, "Material"], [11, 12, "Metric"]],
    "sections": [[0, 12]],
    "sentences": [[0, 12]],
    "words": WORDS,
}
GOLD["coref"]["large"] = [[4, 5]]

NER = {key: GOLD[key] for key in ("words", "sections", "sentences", "ner", "doc_id")}
CLUSTERS = {
    "doc_id": "a1",
    "spans": [[2, 3], [7, 9]],
    "clusters": {"0": [[2, 3]], "1": [[7, 9]]},
}
RELATIONS = {
    "doc_id": "a1",
    "predicted_relations": [
        [["1", "0", None, None], 0.75, 1],
        [["1", "0", "1", "0"], 0.25, 0],
    ],
}


def row(*rows: dict[str, Any], **changes: Any) -> str:
    found = [{**each, **changes} for each in rows or (GOLD,)]
    found = [{k: v for k, v in each.items() if v is not ...} for each in found]
    return "".join(json.dumps(each) + "\n" for each in found)


def layers(data: str) -> dict[str, Graph]:
    return {graph.framework: graph for graph in good(FORMAT, data)}


def edges(graph: Graph, kind: str) -> list[tuple[Any, Any]]:
    names = {node.id for node in nodes_of(graph, kind)}
    found = [e for e in graph.edges if e.source in names and e.label != "mention"]
    return [(edge.label, edge.target) for edge in found]


def test_an_article_gives_three_layers() -> None:
    found = layers(row())
    assert list(found) == ["ner", "relation", "coref"]
    for graph in found.values():
        assert (graph.id, graph.document, graph.flavor) == ("a1", "a1", 1)
        assert (graph.text, len(graph.tokens)) == (TEXT, 12)
        assert graph.extra == {"sentences": [[0, 12]], "sections": [[0, 12]]}


def test_ends_are_exclusive() -> None:
    nodes = layers(row())["ner"].nodes
    assert [(node.label, node.anchors) for node in nodes] == [
        ("Method", (Anchor(9, 13),)),
        ("Material", (Anchor(27, 35),)),
        ("Metric", (Anchor(47, 49),)),
    ]


def test_entities_have_their_names_and_mentions_of_their_own() -> None:
    graph = layers(row())["coref"]
    entities = nodes_of(graph, "entity")
    assert [node.id for node in entities] == ["BERT", "SQuAD", "F1", "QA", "large"]
    assert words(graph, "SQuAD") == ["SQuAD v1", "SQuAD"]
    assert words(graph, "QA") == []
    labels = [node.label for node in nodes_of(graph, "mention")]
    assert labels == ["Method", "Material", None, "Metric", None]


def test_duplicate_mentions_are_kept() -> None:
    coref = {"A": [[0, 1], [0, 1]], "B": [[0, 1]]}
    graph = layers(row(coref=coref, n_ary_relations=..., method_subrelations=...))
    assert len(nodes_of(graph["coref"], "mention")) == 3


def test_parts_of_methods_are_edges_between_entities() -> None:
    graph = layers(row())["coref"]
    assert edges(graph, "entity") == [("part", "BERT"), ("part", "large")]
    assert graph.edges[-1].attributes == (("span", "5:10"),)


def test_relations_lead_to_entities_and_say_if_one_is_not_mentioned() -> None:
    graph = layers(row())["relation"]
    one, two = nodes_of(graph, "relation")
    assert (one.label, one.anchors) == (None, ())
    assert one.properties[1:] == (("result", "90.9"), ("unmentioned", True))
    assert two.properties[1:] == ()
    assert edges(graph, "relation")[:4] == [
        ("Material", "SQuAD"),
        ("Method", "BERT"),
        ("Metric", "F1"),
        ("Task", "QA"),
    ]


def test_a_name_that_only_a_relation_has_is_an_entity_without_mentions() -> None:
    relations = [{"Method": "BERT", "Task": "Parsing"}]
    graph = layers(row(n_ary_relations=relations))["relation"]
    assert words(graph, "Parsing") == []
    [relation] = nodes_of(graph, "relation")
    assert first_of(relation.properties, "unmentioned") is True
    round_trip(FORMAT, good(FORMAT, row(n_ary_relations=relations)))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_files_of_a_system_are_put_together(order: tuple[int, ...]) -> None:
    files = (NER, CLUSTERS, RELATIONS)
    found = layers(row(*(files[k] for k in order)))
    assert list(found) == ["ner", "relation", "coref"]
    assert edges(found["relation"], "relation") == [("Material", "1"), ("Method", "0")]
    [relation] = nodes_of(found["relation"], "relation")
    assert relation.properties[1:] == (("score", 0.75),)
    assert found["coref"].extra["predicted"] is True
    round_trip(FORMAT, list(found.values()))


def test_layers_without_a_key_are_not_there() -> None:
    assert list(layers(row(NER))) == ["ner"]
    assert list(layers(row(NER, CLUSTERS))) == ["ner", "coref"]
    assert list(layers(row(NER, ner=...) + row(CLUSTERS))) == ["coref"]


def test_files_come_out_as_they_were() -> None:
    assert json.loads(written(FORMAT, good(FORMAT, row()))) == GOLD
    round_trip(FORMAT, good(FORMAT, row() + row(doc_id="a2", mine={"deep": [1]})))
    for framework in ("ner", "relation", "coref"):
        again = layers(written(FORMAT, [layers(row())[framework]]).decode())
        assert [n.anchors for n in again[framework].nodes] == [
            n.anchors for n in layers(row())[framework].nodes
        ]


def test_gold_and_predictions_pair() -> None:
    gold, predicted = good(FORMAT, row()), good(FORMAT, row(NER, CLUSTERS, RELATIONS))
    layers = ["ner", "coref", "relation"]
    found = graphscore.score(gold, predicted, "mrp", framework=layers)
    assert found.pairs == 3
    assert 0 < found.f1 < 1
    assert graphscore.score(gold, gold, "mrp", framework=layers).f1 == 1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"doc_id": ...}, "$.doc_id: found nothing, expected the id of the article"),
        ({"words": ...}, "$.words: found nothing, expected the words (those of ner.js"),
        ({"ner": [[0, 1]]}, "$.ner[0]: found [0, 1], expected [first token, one past"),
        ({"ner": [[0, 13, "X"]]}, "$.ner[0]: found tokens 0:13, expected a range with"),
        ({"ner": [[1, 1, "X"]]}, "$.ner[0]: found tokens 1:1, expected a range within"),
        ({"ner": [[-1, 1, "X"]]}, "found tokens -1:1, expected a range within the 12"),
        ({"coref": {"A": [3]}}, "$.coref.A[0]: found 3, expected [first token, one p"),
        ({"clusters": {}}, "$: found both coref and clusters, expected one of them"),
        ({"coref": ...}, "$.coref: found nothing, expected the entities of the relati"),
        ({"n_ary_relations": [{"Task": 3}]}, "[0].Task: found 3, expected the name o"),
        ({"n_ary_relations": [{"score": []}]}, "[0].score: found [], expected a resu"),
        (
            {"predicted_relations": []},
            "found both n_ary_relations and predicted_relations, expected one of them",
        ),
        (
            {
                "n_ary_relations": ...,
                "predicted_relations": [[["a", "b", "c", 1], 1, 1], [[None] * 4, 1, 2]],
            },
            "$.predicted_relations[1]: found a list of 3, expected [[Material",
        ),
        (
            {k: ... for k in ("ner", "coref", "n_ary_relations")},
            "$: found no layer, expected ner, coref or n_ary_relations",
        ),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], problem: str) -> None:
    assert problem in "\n".join(problems(FORMAT, row(**changes)))
    data = row(doc_id="a0") + row(**changes) + row(doc_id="a2")
    items = {r.graph.id for r in read(FORMAT, data) if not isinstance(r, Rejected)}
    assert {"a0", "a2"} <= items


def test_a_layer_that_is_wrong_costs_only_itself() -> None:
    kinds = [type(record).__name__ for record in read(FORMAT, row(ner=3))]
    assert kinds == ["Rejected", "ReadGraph", "ReadGraph"]
    found = read(FORMAT, row(coref={"A": 3}))
    assert [type(record).__name__ for record in found] == ["ReadGraph"] + [
        "Rejected"
    ] * 2
    assert "entities with problems" in str(found[1].problems[0])  # type: ignore[union-attr]


def test_lines_of_an_article_must_not_contradict_each_other() -> None:
    data = row() + row(words=["x"], coref=...)
    found = problems(FORMAT, data)
    assert found == [
        ":2: $.words: found another words of 'a1', expected that of line 1"
    ]
    assert len(read(FORMAT, data)) == 4
    assert len(read(FORMAT, row() + row())) == 3


spans = (
    st.tuples(st.integers(0, 11), st.integers(1, 12))
    .map(sorted)
    .filter(lambda ends: ends[0] < ends[1])
)


@given(
    st.dictionaries(st.text(max_size=2), st.lists(spans, max_size=3), max_size=4),
    st.data(),
)
def test_every_article_comes_back(coref: dict[str, Any], data: st.DataObject) -> None:
    names = st.sampled_from(["Method", "Task", "Metric"])
    entities = st.sampled_from(sorted(coref)) if coref else st.just("x")
    relations = data.draw(st.lists(st.dictionaries(names, entities), max_size=3))
    ner = [[*span, "X"] for each in coref.values() for span in each]
    fields = {"coref": coref, "n_ary_relations": relations, "ner": ner}
    round_trip(FORMAT, good(FORMAT, row(**fields, method_subrelations={})))
