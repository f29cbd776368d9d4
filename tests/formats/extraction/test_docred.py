"""DocRED: relations among entities, annotated and predicted."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures import LayoutBuilder, first_of, nodes_of
from tests.formats.reading import FormatReader
from tests.formats.templates.fillers import (
    good,
    problems,
    read,
    round_trip,
    words,
    written,
)

FORMAT = format_named("docred")

SKAI: dict[str, Any] = {
    "title": "Skai TV",
    "sents": [["Skai", "TV", "is", "Greek", "."], ["Skai", "runs", "."]],
    "vertexSet": [
        [
            {"name": "Skai TV", "sent_id": 0, "pos": [0, 2], "type": "ORG"},
            {
                "name": "SKAI",
                "sent_id": 1,
                "pos": [0, 1],
                "type": "ORG",
                "index": "0_1",
            },
        ],
        [{"name": "Greek", "sent_id": 0, "pos": [3, 4], "type": "LOC"}],
    ],
    "labels": [{"h": 0, "t": 1, "r": "P17", "evidence": [0, 1]}],
}
TEST: dict[str, Any] = {
    "title": "B",
    "sents": [["x", "y"]],
    "vertexSet": [
        [
            {"name": "x", "sent_id": 0, "pos": [0, 1], "type": "ORG"},
            {"name": "y", "sent_id": 0, "pos": [1, 2], "type": "LOC"},
        ],
        [],
    ],
}
PREDICTED: list[dict[str, Any]] = [
    {"title": "Skai TV", "h_idx": 1, "t_idx": 0, "r": "P17", "evidence": [0]},
    {"title": "B", "h_idx": 0, "t_idx": 1, "r": "P1", "score": 0.5},
    {"title": "Skai TV", "h_idx": 0, "t_idx": 1, "r": "P17"},
]


def file(*documents: dict[str, Any], **changes: Any) -> str:
    found = [{**each, **changes} for each in documents or (SKAI,)]
    return json.dumps(
        [{k: v for k, v in each.items() if v is not ...} for each in found]
    )


def arguments(graph: Graph) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """The relations: types, roles and the indices of entities."""
    index = {n.id: first_of(n.properties, "index") for n in graph.nodes}
    return [
        (
            relation.label,
            [
                (e.label, index[e.target])
                for e in graph.edges
                if e.source == relation.id
            ],
        )
        for relation in nodes_of(graph, "relation")
    ]


def test_a_document_has_relations_among_entities() -> None:
    relation, coref = good(FORMAT, file())
    assert (relation.framework, coref.framework) == ("relation", "coref")
    assert (relation.id, relation.document) == ("Skai TV", "Skai TV")
    assert relation.text == "Skai TV is Greek . Skai runs ."
    assert arguments(relation) == [("P17", [("h", 0), ("t", 1)])]
    [node] = nodes_of(relation, "relation")
    assert node.properties[1:] == (("evidence", 0), ("evidence", 1))
    assert relation.nodes[: len(coref.nodes)] == coref.nodes


def test_entities_are_identified_by_their_positions() -> None:
    _, coref = good(FORMAT, file())
    one, two = nodes_of(coref, "entity")
    assert (one.label, one.properties[1:]) == ("ORG", (("index", 0),))
    assert (two.label, two.properties[1:]) == ("LOC", (("index", 1),))
    assert words(coref, one.id) == ["Skai TV", "Skai"]
    assert [n.properties[1:] for n in nodes_of(coref, "mention")] == [
        (),
        (("name", "SKAI"),),
        (),
    ]


def test_a_document_without_labels_has_entities_only() -> None:
    [coref] = good(FORMAT, file(TEST))
    assert coref.framework == "coref"
    assert [node.label for node in nodes_of(coref, "entity")] == [None, None]


def test_predictions_are_put_together_by_document() -> None:
    one, two = good(FORMAT, json.dumps(PREDICTED))
    assert (one.id, one.text, one.extra) == ("Skai TV", "", {"predicted": True})
    assert arguments(one) == [
        ("P17", [("h", 1), ("t", 0)]),
        ("P17", [("h", 0), ("t", 1)]),
    ]
    assert arguments(two) == [("P1", [("h", 0), ("t", 1)])]
    assert nodes_of(two, "relation")[0].properties[1:] == (("score", 0.5),)
    assert nodes_of(one, "mention") == []
    assert [record.line for record in read(FORMAT, json.dumps(PREDICTED))] == [1, 1]


def test_files_come_out_as_they_were() -> None:
    for indent in (None, 2):
        data = json.dumps([SKAI, TEST], indent=indent)
        assert json.loads(written(FORMAT, good(FORMAT, data))) == [SKAI, TEST]
        round_trip(FORMAT, good(FORMAT, data))
    found = json.loads(written(FORMAT, good(FORMAT, json.dumps(PREDICTED))))
    assert found == [PREDICTED[0], PREDICTED[2], PREDICTED[1]]
    assert good(FORMAT, written(FORMAT, [])) == []


def test_gold_and_predictions_are_not_mixed() -> None:
    graphs = good(FORMAT, file()) + good(FORMAT, json.dumps(PREDICTED))
    with pytest.raises(GraphscoreError, match="gold or predicted, not both"):
        written(FORMAT, graphs)


def mention(**changes: Any) -> dict[str, Any]:
    found = {"sent_id": 0, "pos": [0, 1], "type": "ORG", **changes}
    return {"vertexSet": [[found]], "labels": []}


def label(**changes: Any) -> dict[str, Any]:
    found = {"h": 0, "t": 1, "r": "P17", **changes}
    return {"labels": [{k: v for k, v in found.items() if v is not ...}]}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"title": ...}, "$[0].title: found nothing, expected the title of a document"),
        ({"title": ""}, "$[0].title: found '', expected the title of a document"),
        (
            mention(sent_id=2),
            ".sent_id: found 2, expected the number of a sentence, be",
        ),
        (mention(sent_id=-1), ".sent_id: found -1, expected the number of a sentence"),
        (mention(sent_id=True), ".sent_id: found true, expected the number of a sente"),
        (
            mention(pos=[0, 6]),
            ".pos: found tokens 0:6 of the sentence, expected a ra",
        ),
        (
            mention(pos=[1, 1]),
            ".pos: found tokens 1:1 of the sentence, expected a ra",
        ),
        (
            label(h=2),
            ".labels[0].h: found 2, expected the position of an entity, below",
        ),
        (label(t=-1), ".t: found -1, expected the position of an entity, below 2"),
        (label(h=...), ".h: found nothing, expected the position of an entity"),
        (label(r=...), ".r: found nothing, expected the type of a relation"),
        (label(r=3), ".r: found 3, expected the type of a relation"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], problem: str) -> None:
    assert problem in "\n".join(problems(FORMAT, file(**changes)))
    both = [*json.loads(file(**changes)), TEST]
    assert [r.graph.id for r in read(FORMAT, json.dumps(both)) if not_bad(r)][-1] == "B"


def not_bad(record: Any) -> bool:
    return not isinstance(record, Rejected)


def test_labels_that_are_wrong_cost_only_the_relations() -> None:
    relation, coref = read(FORMAT, file(labels=3))
    assert isinstance(relation, Rejected)
    assert (relation.framework, relation.item) == ("relation", "Skai TV")
    assert not_bad(coref)


def test_a_bad_prediction_costs_its_document() -> None:
    bad = [*PREDICTED, {"title": "B", "h_idx": 0, "r": "P1"}, {"h_idx": 1}, 7]
    found = problems(FORMAT, json.dumps(bad))
    assert "$[3].t_idx: found nothing, expected the position of an entity" in found[1]
    assert ":1: $[4].title: found nothing, expected the title of a document" in found
    assert ":1: $[5]: found 7, expected a document or a relation" in found
    assert [r.graph.id for r in read(FORMAT, json.dumps(bad)) if not_bad(r)] == [
        "Skai TV"
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("[%s, %s", ":1: found a truncated file, expected a ]"),
        ("[%s %s]", "expected a comma between records"),
        ("[%s, %s,]", ":1: found a comma, expected a record, or nothing more"),
        ("[, %s, %s]", ":1: found a comma, expected a record"),
        ("[%s, %s] x", ":1: found more after the end, expected nothing"),
        ("[%s, [, %s]", "$[1]: found invalid character, expected JSON"),
        ('[%s, {"title": [[, %s]', "$[1]: found a bracket that is not closed"),
        ("[%s, }, %s]", "$[1]: found"),
        ("[%s, null, %s]", "$[1]: found null, expected a record"),
    ],
)
def test_a_broken_record_never_loses_the_others(data: str, problem: str) -> None:
    raw = data % (json.dumps(SKAI), json.dumps(TEST))
    assert problem in "\n".join(problems(FORMAT, raw))
    items = [record.graph.id for record in read(FORMAT, raw) if not_bad(record)]
    assert items == ["Skai TV", "Skai TV", "B"]


def test_a_file_that_is_no_array_is_refused() -> None:
    assert problems(FORMAT, "x") == [
        ":1: found 'x', expected an object or array of records"
    ]


def entity(index: int | None, kind: str | None, **more: Any) -> Graph:
    build = LayoutBuilder()
    mention = build.mention("ORG", [Anchor(0, more.get("end", 1))])
    properties = () if index is None else (("index", index),)
    build.entity([mention], kind, properties)
    tokens = (Anchor(0, 1), Anchor(2, 3))
    return build.graph("1", "coref", text="a b", tokens=tokens, extra={"sents": [1, 1]})


def test_entities_need_no_index_to_be_written() -> None:
    [found] = json.loads(written(FORMAT, [entity(None, "ORG")]))
    assert found["vertexSet"] == [
        [{"name": "a", "sent_id": 0, "pos": [0, 1], "type": "ORG"}]
    ]


@given(
    st.lists(st.lists(st.sampled_from(["a", "Zoë", "🙂"]), max_size=4), max_size=3),
    st.data(),
)
def test_every_document_comes_back(sents: list[Any], data: st.DataObject) -> None:
    places = [(k, p) for k, sent in enumerate(sents) for p in range(len(sent))]
    spot = st.sampled_from(places or [(0, 0)])
    made = st.tuples(spot, st.sampled_from(["ORG", "LOC"]))
    entities = data.draw(st.lists(st.lists(made, max_size=3), max_size=3))
    vertices = [
        [
            {"name": "n", "sent_id": k, "pos": [p, p + 1], "type": kind}
            for (k, p), kind in each
            if places
        ]
        for each in entities
    ]
    ends = st.integers(0, max(0, len(vertices) - 1))
    relations = data.draw(st.lists(st.tuples(ends, ends), max_size=3 * bool(vertices)))
    labels = [{"h": h, "t": t, "r": "P", "evidence": [h]} for h, t in relations]
    document = {"title": "x", "sents": sents, "vertexSet": vertices, "labels": labels}
    graphs = good(FORMAT, json.dumps([document]))
    assert json.loads(written(FORMAT, graphs)) == [document]
    round_trip(FORMAT, graphs)


def test_documents_and_relations_may_be_objects_of_their_own() -> None:
    for found in ([SKAI, TEST], PREDICTED):
        reader = FormatReader(FORMAT, "a.json")
        plain = reader.good(json.dumps(found))
        for data in (
            "".join(json.dumps(each) + "\n" for each in found),
            "\n".join(json.dumps(each, indent=2) for each in found),
        ):
            assert reader.good(data) == plain
            stream: Any = io.BufferedReader(io.BytesIO(data.encode()))
            assert detect(stream, "a.json").name == "docred"
    lines = json.dumps(SKAI)[:-1] + "\n" + json.dumps(TEST) + "\n"
    bad, *rest = reader.read(lines)
    assert isinstance(bad, Rejected)
    assert len(rest) == len(reader.good(json.dumps([TEST])))


def test_a_name_of_other_words_is_noted() -> None:
    def notes(name: str) -> list[str]:
        mention = {"name": name, "pos": [0, 1], "sent_id": 0, "type": "LOC"}
        document = {"title": "A", "sents": [["Bergen"]], "vertexSet": [[mention]]}
        stream = io.BytesIO(json.dumps([document]).encode())
        [record] = format_named("docred").read(stream, "a.json")
        assert isinstance(record, ReadGraph)
        return [note.problem.said for note in record.notes]

    assert notes("bergen") == []
    assert notes("Oslo") == [
        "$[0].vertexSet[0][0].name: found 'Oslo', expected 'Bergen', the tokens of its "
        "range"
    ]
