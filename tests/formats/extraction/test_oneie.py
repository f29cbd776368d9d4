"""OneIE: sentences as JSON lines, annotated and predicted."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.formats import ReadGraph, Rejected, read_file
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures import kind_of
from tests.conftest import DATA
from tests.formats.reading import FormatReader

FORMAT = format_named("oneie")

GOLD = DATA / "ie" / "wire.json"
PREDICTED = DATA / "ie" / "wire.predicted.json"

DEATH: dict[str, Any] = {
    "doc_id": "d1",
    "sent_id": "d1-1",
    "tokens": ["Zoë", "🙂", "died", "in", "Bern"],
    "sentence": "Zoë🙂 died in Bern",
    "entity_mentions": [
        {"id": "E1", "text": "Zoë🙂", "start": 0, "end": 2, "entity_type": "PER",
         "mention_type": "NAM", "entity_subtype": "Individual"},
        {"id": "E2", "start": 4, "end": 5, "entity_type": "GPE"},
    ],
    "relation_mentions": [
        {"id": "R1", "relation_type": "PHYS", "relation_subtype": "PHYS:Located",
         "arguments": [{"entity_id": "E1", "text": "Zoë", "role": "Arg-1"},
                       {"entity_id": "E2", "role": "Arg-2"}]},
    ],
    "event_mentions": [
        {"id": "V1", "event_type": "Life:Die", "trigger": {"text": "died", "start": 2,
                                                           "end": 3},
         "arguments": [{"entity_id": "E1", "role": "Victim"},
                       {"entity_id": "E2", "role": "Place"}]},
    ],
}  # fmt: skip

FOUND: dict[str, Any] = {
    "doc_id": "d1",
    "sent_id": "d1-1",
    "tokens": DEATH["tokens"],
    "graph": {
        "entities": [[0, 2, "PER", "NAM", 1.0], [4, 5, "GPE", "NAM", 0.5]],
        "triggers": [[2, 3, "Life:Die", 0.75], [3, 4, "Life:Injure", 0.25]],
        "relations": [[0, 1, "PHYS", 0.5]],
        "roles": [[1, 1, "Place", 0.5], [0, 0, "Victim", 1.0]],
    },
}


def row(base: dict[str, Any] | None = None, /, **changes: Any) -> bytes:
    found = {**(base or DEATH), **changes}
    found = {key: value for key, value in found.items() if value is not ...}
    return json.dumps(found).encode() + b"\n"


READER = FormatReader("oneie", "a.json")
read, good, problems = READER.read, READER.good, READER.problems


def written(graphs: list[Graph]) -> list[dict[str, Any]]:
    data = b"".join(FORMAT.write(graphs)) if FORMAT.write else b""
    return [json.loads(line) for line in data.splitlines()]


def words(graph: Graph) -> list[tuple[Any, ...]]:
    return [
        (
            node.id,
            kind_of(node),
            node.label,
            *(graph.text[a:b] for a, b in node.anchors),
        )
        for node in graph.nodes
    ]


def edges(graph: Graph) -> list[tuple[Any, ...]]:
    return [(edge.source, edge.label, edge.target) for edge in graph.edges]


PEOPLE = [("E1", "mention", "PER", "Zoë 🙂"), ("E2", "mention", "GPE", "Bern")]


# What is read.


def test_a_sentence_gives_a_graph_for_each_layer() -> None:
    ner, relation, event = good(row())
    for graph in (ner, relation, event):
        assert (graph.id, graph.document, graph.flavor) == ("d1-1", "d1", 1)
        assert graph.text == "Zoë 🙂 died in Bern"
        assert graph.tokens[:2] == (Anchor(0, 3), Anchor(4, 5))
        assert graph.extra == {"oneie": {"sentence": "Zoë🙂 died in Bern"}}
    assert words(ner) == PEOPLE
    assert ner.nodes[0].properties == (
        ("kind", "mention"),
        ("mention_type", "NAM"),
        ("subtype", "Individual"),
    )
    assert ner.nodes[0].extra == (("oneie", {"text": "Zoë🙂"}),)
    assert words(relation) == [*PEOPLE, ("R1", "relation", "PHYS")]
    assert relation.nodes[2].properties[1:] == (("subtype", "PHYS:Located"),)
    assert edges(relation) == [("R1", "Arg-1", "E1"), ("R1", "Arg-2", "E2")]
    assert words(event) == [*PEOPLE, ("V1", "trigger", "Life:Die", "died")]
    assert edges(event) == [("V1", "Victim", "E1"), ("V1", "Place", "E2")]


def test_an_empty_layer_is_a_graph_and_an_absent_one_is_none() -> None:
    data = row(entity_mentions=[], relation_mentions=..., event_mentions=[])
    assert [(g.framework, g.nodes) for g in good(data)] == [("ner", ()), ("event", ())]
    lists = {"entities": [], "relations": []}
    assert [g.framework for g in good(row(FOUND, graph=lists))] == ["ner", "relation"]


def test_what_the_system_puts_out_looks_like_what_is_annotated() -> None:
    ner, relation, event = good(row(FOUND))
    assert [node.label for node in ner.nodes] == ["PER", "GPE"]
    assert ner.nodes[1].properties == (
        ("kind", "mention"),
        ("mention_type", "NAM"),
        ("score", 0.5),
    )
    assert edges(relation) == [(2, "Arg-1", 0), (2, "Arg-2", 1)]
    assert relation.nodes[2].properties[1:] == (("score", 0.5),)
    assert words(event)[2:] == [
        (2, "trigger", "Life:Die", "died"),
        (3, "trigger", "Life:Injure", "in"),
    ]
    assert edges(event) == [(2, "Victim", 0), (3, "Place", 1)]
    assert event.edges[0].attributes == (("score", 1.0),)


def test_mention_types_and_scores_may_be_left_out() -> None:
    lists = {"entities": [[0, 2, "PER"], [0, 1, "X", "PRO"], [0, 1, "Y", 0.5]]}
    [ner] = good(row(FOUND, graph=lists))
    assert [node.properties[1:] for node in ner.nodes] == [
        (),
        (("mention_type", "PRO"),),
        (("score", 0.5),),
    ]
    event = good(row(FOUND, graph={"entities": [], "triggers": [[0, 1, "X"]]}))[1]
    assert event.edges == ()


def test_an_id_that_a_mention_has_already_is_kept_beside() -> None:
    relation = {**DEATH["relation_mentions"][0], "id": "E1"}
    second = {k: v for k, v in relation.items() if k != "id"}
    data = row(relation_mentions=[relation, second], event_mentions=...)
    graph = good(data)[1]
    assert [node.id for node in graph.nodes] == ["E1", "E2", 0, 1]
    assert graph.nodes[2].extra == (("oneie", {"id": "E1"}),)
    assert written(good(data))[0]["relation_mentions"][0] == relation


def test_ids_may_be_numbers() -> None:
    data = row(
        tokens=["a"],
        sent_id=7,
        doc_id=3,
        entity_mentions=[{"id": 0, "start": 0, "end": 1, "entity_type": "X"}],
        relation_mentions=[
            {
                "id": 0,
                "relation_type": "R",
                "arguments": [{"entity_id": 0, "role": "A"}],
            }
        ],
        event_mentions=...,
    )
    graph = good(data)[1]
    assert (graph.id, graph.document) == ("7", "3")
    assert edges(graph) == [(1, "A", 0)]


def test_scores_of_annotated_form_are_properties() -> None:
    mention = {"id": "E1", "start": 0, "end": 1, "entity_type": "X", "score": 2,
               "probability": 0.5}  # fmt: skip
    [ner] = good(
        row(entity_mentions=[mention], relation_mentions=..., event_mentions=...)
    )
    assert ner.nodes[0].properties[1:] == (("score", 2), ("probability", 0.5))


def test_entities_across_sentences_are_kept_but_give_no_layer() -> None:
    mention = {**DEATH["entity_mentions"][0], "entity_id": "d1-E7"}
    graphs = good(row(entity_mentions=[mention, DEATH["entity_mentions"][1]]))
    assert [graph.framework for graph in graphs] == ["ner", "relation", "event"]
    assert dict(graphs[0].nodes[0].extra)["oneie"]["entity_id"] == "d1-E7"


def test_a_prediction_is_scored_against_what_is_annotated() -> None:
    layers = ["ner", "relation", "event"]
    result = graphscore.score(str(GOLD), str(PREDICTED), "mrp", framework=layers)
    assert (result.pairs, result.missing_system) == (6, 0)
    assert 0 < result.f1 < 1
    for record in read_file(str(PREDICTED)):
        assert isinstance(record, ReadGraph)
        assert record.graph.document == "wire-7"


# What is wrong.

MENTION = DEATH["entity_mentions"][0]
RELATION = DEATH["relation_mentions"][0]
EVENT = DEATH["event_mentions"][0]


def mentions(**changes: Any) -> dict[str, Any]:
    found = {k: v for k, v in {**MENTION, **changes}.items() if v is not ...}
    return {"entity_mentions": [found], "relation_mentions": [], "event_mentions": []}


def relations(**changes: Any) -> dict[str, Any]:
    found = {k: v for k, v in {**RELATION, **changes}.items() if v is not ...}
    return {"relation_mentions": [found]}


def events(**changes: Any) -> dict[str, Any]:
    found = {k: v for k, v in {**EVENT, **changes}.items() if v is not ...}
    return {"event_mentions": [found]}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"sent_id": ...}, "$.sent_id: found nothing, expected the id of the sentence"),
        ({"doc_id": []}, "$.doc_id: found [], expected the id of the document"),
        (mentions(start=2), "[0]: found tokens 2:2, expected a range within the 5"),
        (mentions(end=6), "[0]: found tokens 0:6, expected a range within the 5 to"),
        (mentions(start=-1), "[0]: found tokens -1:2, expected a range within the 5"),
        (
            {**mentions(), "entity_mentions": [MENTION, MENTION]},
            "$.entity_mentions[1].id: found 'E1', expected an id of its own",
        ),
        (relations(relation_type=...), "$.relation_mentions[0].relation_type: found n"),
        (relations(arguments=...), "$.relation_mentions[0].arguments: found nothing, "),
        (
            relations(arguments=[{"entity_id": "E9", "role": "x"}]),
            "$.relation_mentions[0].arguments[0].entity_id: found 'E9', expected "
            "the id of an entity mention",
        ),
        (
            relations(arguments=[{"role": "x"}]),
            "arguments[0].entity_id: found nothing, expected the id of an entity",
        ),
        (
            relations(arguments=[{"entity_id": ["E1"], "role": "x"}]),
            "arguments[0].entity_id: found ['E1'], expected the id of an entity",
        ),
        (events(trigger=...), "$.event_mentions[0].trigger: found nothing, expected"),
        (events(trigger=[1]), "$.event_mentions[0].trigger: found [1], expected an"),
        (events(trigger={"start": 0, "end": 9}), "[0].trigger: found tokens 0:9, expe"),
        (
            events(arguments=[{"entity_id": "V1", "role": "x"}]),
            "$.event_mentions[0].arguments[0].entity_id: found 'V1', expected the",
        ),
        (
            {"entity_mentions": ..., "relation_mentions": [], "event_mentions": ...,
             "graph": {}},
            "$: found graph beside relation_mentions, expected what is predicted or",
        ),
        (
            {"entity_mentions": ..., "relation_mentions": ..., "event_mentions": ...},
            "$: found no layer, expected one of entity_mentions, relation_mentions, ev",
        ),
    ],
)  # fmt: skip
def test_a_problem_names_its_place_and_what_was_expected(
    changes: dict[str, Any], problem: str
) -> None:
    found = problems(row(**changes))
    assert len(found) == 1
    assert found[0].startswith("a.json:1: $")
    assert problem in found[0]


def lists(**changes: Any) -> dict[str, Any]:
    return {"graph": {**FOUND["graph"], **changes}}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"graph": {}},
            "$.graph: found no layer, expected one of entities, relations,",
        ),
        (lists(relations=[3]), "$.graph.relations[0]: found 3, expected [number of an"),
        (lists(relations=[[0, 5, "X"]]), "$.graph.relations[0]: found 5, expected the"),
        (
            lists(relations=[[-1, 0, "X"]]),
            "$.graph.relations[0]: found -1, expected th",
        ),
        (
            lists(triggers=[[0, 1]], roles=[]),
            "found [0, 1], expected [start, end, type",
        ),
        (lists(triggers=[[1, 0, "X"]], roles=[]), "found tokens 1:0, expected a range"),
        (
            lists(roles=[[2, 0, "X"]]),
            "$.graph.roles[0]: found 2, expected the number o",
        ),
        (
            lists(roles=[[0, 2, "X"]]),
            "$.graph.roles[0]: found 2, expected the number o",
        ),
        (
            lists(entities=[[0, 9, "X", "NAM", 1.0]], relations=[], roles=[]),
            "$.graph.entities[0]: found tokens 0:9, expected a range within the 5",
        ),
        (
            lists(entities=[[0, 1, "X", "NAM", 1.0, 2]], relations=[], roles=[]),
            "$.graph.entities[0]: found [0, 1, 'X', 'NAM', 1.0, 2], expected [start",
        ),
    ],
)
def test_a_problem_of_lists_names_its_place(
    changes: dict[str, Any], problem: str
) -> None:
    found = problems(row(FOUND, **changes))
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    ("changes", "layer"),
    [
        ({"relation_mentions": 3}, "relation"),
        ({"event_mentions": 3}, "event"),
        (relations(arguments=[{"entity_id": "E9", "role": "x"}]), "relation"),
    ],
)
def test_a_problem_costs_only_its_layer(changes: dict[str, Any], layer: str) -> None:
    records = read(row(**changes))
    lost = [each for each in records if isinstance(each, Rejected)]
    assert [(each.framework, each.item) for each in lost] == [(layer, "d1-1")]
    assert len(records) == 3


def test_a_problem_of_the_mentions_costs_the_sentence() -> None:
    [record, *others] = read(row(entity_mentions=[MENTION, MENTION]) + row())
    assert isinstance(record, Rejected)
    assert (record.framework, record.item) == ("", "d1-1")
    assert all(isinstance(each, ReadGraph) for each in others)
    assert len(others) == 3


# What is written.


def test_predictions_are_written_in_annotated_form() -> None:
    graphs = good(row(FOUND))
    [found] = written(graphs)
    assert found["entity_mentions"][1] == {
        "id": 1, "start": 4, "end": 5, "entity_type": "GPE", "mention_type": "NAM",
        "score": 0.5,
    }  # fmt: skip
    assert good(json.dumps(found).encode()) == graphs


def test_a_layer_alone_brings_its_mentions() -> None:
    ner, relation, event = good(row())
    for graph, key in ((relation, "relation_mentions"), (event, "event_mentions")):
        [found] = written([graph])
        assert found["entity_mentions"] == DEATH["entity_mentions"]
        assert found[key] == DEATH[key]
    assert len(written([event, ner])) == 1
    assert len(written([ner, ner])) == 2


A, B = Anchor(0, 1), Anchor(2, 3)


def graph(framework: str, *nodes: Node, **changes: Any) -> Graph:
    fields = {"text": "a b", "tokens": (A, B), "nodes": nodes, **changes}
    return Graph("1", framework, 1, **fields)


# Everything.


@st.composite
def sentences(draw: st.DrawFn) -> dict[str, Any]:
    """An annotated sentence with any layers."""
    token = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
    tokens = draw(st.lists(token, min_size=1, max_size=5))
    word = st.sampled_from(("X", "Größe", "A:B", ""))
    number = st.sampled_from((0.5, 3, -1.25))
    own = st.dictionaries(st.sampled_from(("text", "entity_id")), word, max_size=2)

    def place() -> dict[str, int]:
        start = draw(st.integers(0, len(tokens) - 1))
        return {"start": start, "end": draw(st.integers(start + 1, len(tokens)))}

    def some(required: str, *optional: str) -> dict[str, Any]:
        found: dict[str, Any] = {required: draw(word)}
        for name in draw(st.sets(st.sampled_from(optional))) if optional else ():
            found[name] = draw(word)
        if draw(st.booleans()):
            found["score"] = draw(number)
        return found

    ids = draw(st.lists(st.sampled_from(("E1", "E2", "E3", 0, 1)), unique=True))
    found: dict[str, Any] = {"sent_id": "s", "tokens": tokens}
    if draw(st.booleans()):
        found["doc_id"] = "d"
    if draw(st.booleans()):
        found["pieces"] = ["x"]
    found["entity_mentions"] = [
        {
            "id": name,
            **place(),
            **some("entity_type", "mention_type", "entity_subtype"),
            **draw(own),
        }
        for name in ids
    ]

    def arguments() -> list[dict[str, Any]]:
        filler = st.sampled_from(ids) if ids else st.nothing()
        count = draw(st.integers(0, 3)) if ids else 0
        return [
            {"entity_id": draw(filler), **some("role"), **draw(st.just({}))}
            for _ in range(count)
        ]

    layers = draw(st.sets(st.sampled_from(("relation", "event"))))
    names = st.sampled_from(("E1", "R1", "R2", 0, 7))
    if "relation" in layers:
        found["relation_mentions"] = [
            {
                "id": draw(names),
                **some("relation_type", "relation_subtype"),
                "arguments": arguments(),
            }
            for _ in range(draw(st.integers(0, 3)))
        ]
    if "event" in layers:
        found["event_mentions"] = [
            {
                "id": draw(names),
                **some("event_type", "event_subtype"),
                "trigger": {**place(), "text": "x"},
                "arguments": arguments(),
            }
            for _ in range(draw(st.integers(0, 3)))
        ]
    return found


@given(sentences())
def test_what_is_read_is_written_as_it_was(sentence: dict[str, Any]) -> None:
    graphs = good(json.dumps(sentence).encode())
    assert written(graphs) == [sentence]
    again = b"".join(FORMAT.write(graphs)) if FORMAT.write else b""
    assert good(again) == graphs


def test_other_words_than_those_of_the_tokens_are_noted() -> None:
    def noted(**changes: Any) -> list[list[str]]:
        data = json.dumps(DEATH | changes).encode()
        records = list(FORMAT.read(io.BytesIO(data), "a.json"))
        assert all(isinstance(each, ReadGraph) for each in records)
        return [[str(note.problem) for note in each.notes] for each in records]

    assert noted() == [[], [], []]
    entities = [{**DEATH["entity_mentions"][0], "text": "Bern"},
                DEATH["entity_mentions"][1]]  # fmt: skip
    first, *others = noted(entity_mentions=entities)
    assert first == [
        "a.json:1: $.entity_mentions[0].text: found 'Bern', expected 'Zoë 🙂', the "
        "tokens of its range"
    ]
    assert others == [[], []]
    events = [{**DEATH["event_mentions"][0],
               "trigger": {"text": "lived", "start": 2, "end": 3}}]  # fmt: skip
    assert [len(each) for each in noted(event_mentions=events)] == [0, 0, 1]


def test_an_argument_of_other_words_than_its_mention_is_noted() -> None:
    argument = {"entity_id": MENTION["id"], "role": "x", "text": "Nobody"}
    relation = {"id": "R1", "relation_type": "X", "arguments": [argument]}
    data = json.dumps(DEATH | {"relation_mentions": [relation]}).encode()
    records = list(FORMAT.read(io.BytesIO(data), "a.json"))
    [note] = [
        note for each in records if isinstance(each, ReadGraph) for note in each.notes
    ]
    assert note.problem.where == "$.relation_mentions[0].arguments[0].text"
    assert note.problem.found == "'Nobody'"
