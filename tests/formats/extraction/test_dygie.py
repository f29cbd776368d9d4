"""DyGIE++ and SciERC: documents as JSON lines, gold and predicted."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.formats import ReaderOptions, ReadGraph, Rejected, read_file
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures import LayoutBuilder, kind_of
from tests.conftest import DATA
from tests.formats.reading import FormatReader

DYGIE_GOLD = format_named("dygie-gold")
DYGIE = format_named("dygie")


GOLD = DATA / "ie" / "abstracts.jsonl"
PREDICTED = DATA / "ie" / "abstracts.predicted.jsonl"

JENNY: dict[str, Any] = {
    "doc_key": "d1",
    "sentences": [["Jenny", "runs", "Acme"], ["She", "hired", "Zoë", "🙂"]],
    "ner": [[[0, 0, "PER"], [2, 2, "ORG"]], [[5, 6, "PER"]]],
    "relations": [[[0, 0, 2, 2, "Heads"]], [[3, 3, 5, 6, "Boss"]]],
    "clusters": [[[0, 0], [3, 3]]],
    "events": [[], [[[4, "Hire"], [3, 3, "Agent"], [5, 6, "Person"]]]],
}


def row(*documents: dict[str, Any], **changes: Any) -> bytes:
    found = [{**document, **changes} for document in documents or (JENNY,)]
    found = [{k: v for k, v in each.items() if v is not ...} for each in found]
    return "".join(json.dumps(each) + "\n" for each in found).encode()


READER = FormatReader("dygie", "a.jsonl")
ANNOTATED = FormatReader("dygie-gold", "a.jsonl")
read, good, problems = READER.read, READER.good, READER.problems


def written(graphs: list[Graph]) -> list[dict[str, Any]]:
    assert DYGIE.write is not None
    data = b"".join(DYGIE.write(graphs))
    return [json.loads(line) for line in data.splitlines()]


def words(graph: Graph) -> list[tuple[Any, ...]]:
    return [
        (kind_of(node), node.label, *(graph.text[a:b] for a, b in node.anchors))
        for node in graph.nodes
    ]


def edges(graph: Graph) -> list[tuple[Any, ...]]:
    return [(edge.source, edge.label, edge.target) for edge in graph.edges]


# What is read.


def test_a_document_gives_a_graph_for_each_layer() -> None:
    ner, relation, event, coref = good(row())
    for graph in (ner, relation, event, coref):
        assert (graph.id, graph.document, graph.flavor, graph.tops) == (
            "d1",
            "d1",
            1,
            (),
        )
        assert graph.text == "Jenny runs Acme She hired Zoë 🙂"
        assert graph.tokens[5:] == (Anchor(26, 29), Anchor(30, 31))
        assert graph.extra == {"sentences": [3, 4]}
    assert words(ner) == [
        ("mention", "PER", "Jenny"),
        ("mention", "ORG", "Acme"),
        ("mention", "PER", "Zoë 🙂"),
    ]
    assert words(relation) == [
        *words(ner),
        ("mention", None, "She"),
        ("relation", "Heads"),
        ("relation", "Boss"),
    ]
    assert edges(relation) == [
        (4, "Arg1", 0),
        (4, "Arg2", 1),
        (5, "Arg1", 3),
        (5, "Arg2", 2),
    ]
    assert words(event) == [
        *words(ner),
        ("mention", None, "She"),
        ("trigger", "Hire", "hired"),
    ]
    assert edges(event) == [(4, "Agent", 3), (4, "Person", 2)]
    assert words(coref) == [
        ("mention", "PER", "Jenny"),
        ("mention", None, "She"),
        ("entity", None),
    ]
    assert edges(coref) == [(2, "mention", 0), (2, "mention", 1)]


def test_an_empty_layer_is_a_graph_and_an_absent_one_is_none() -> None:
    absent = row(ner=..., relations=..., events=..., clusters=[])
    assert [(g.framework, g.nodes) for g in good(absent)] == [("coref", ())]
    empty = row(ner=[[], []], relations=[[], []], events=[[], []], clusters=...)
    assert [(g.framework, g.nodes) for g in good(empty)] == [
        ("ner", ()),
        ("relation", ()),
        ("event", ()),
    ]


def test_triggers_have_one_token_or_a_first_and_a_last() -> None:
    for trigger, text in (([3, "Hire"], "She"), ([3, 4, "Hire"], "She hired")):
        [graph] = good(
            row(ner=..., relations=..., clusters=..., events=[[], [[trigger]]])
        )
        assert words(graph) == [("trigger", "Hire", text)]


def test_arguments_in_one_place_with_several_mentions_belong_to_the_first() -> None:
    ner = [[[0, 0, "PER"], [0, 0, "ORG"], [2, 2, "ORG"]], []]
    relation = good(row(ner=ner))[1]
    assert edges(relation)[0] == (relation.edges[0].source, "Arg1", 0)
    assert len(good(row(ner=ner))[0].nodes) == 3
    clusters = good(row(ner=ner))[-1]
    assert words(clusters)[0] == ("mention", "PER", "Jenny")


def test_a_range_of_two_entities_is_two_mentions() -> None:
    [graph] = good(
        row(ner=..., relations=..., events=..., clusters=[[[0, 0]], [[0, 0]], []])
    )
    assert words(graph) == [("mention", None, "Jenny")] * 2 + [("entity", None)] * 3
    assert edges(graph) == [(2, "mention", 0), (3, "mention", 1)]


def test_empty_sentences_and_tokens_are_kept() -> None:
    data = row(
        sentences=[[], ["a", "", "b"], [], []],
        ner=[[], [[1, 1, "X"], [0, 2, "Y"]], [], []],
        relations=...,
        events=...,
        clusters=[[[2, 2]]],
    )
    ner, coref = good(data)
    assert [node.anchors for node in ner.nodes] == [(Anchor(2, 2),), (Anchor(0, 4),)]
    assert coref.nodes[0].anchors == (Anchor(3, 4),)


# Predictions.

SCORED: dict[str, Any] = {
    **JENNY,
    "predicted_ner": [[[0, 0, "ORG", 7.5, 0.9]], [[5, 6, "PER", 3]]],
    "predicted_relations": [[[0, 0, 2, 2, "Owns", 1.5, 0.5]], []],
    "predicted_clusters": [],
    "predicted_events": [[], [[[4, "Fire", 2.0, 0.8], [3, 3, "Agent", 1.0, 0.25]]]],
}


def test_of_a_file_of_predictions_only_these_are_read() -> None:
    ner, relation, event, coref = good(row(SCORED))
    assert [node.label for node in ner.nodes] == ["ORG", "PER"]
    assert [node.properties[1:] for node in ner.nodes] == [
        (("score", 7.5), ("probability", 0.9)),
        (("score", 3),),
    ]
    assert relation.nodes[-1].properties[1:] == (("score", 1.5), ("probability", 0.5))
    assert words(relation)[2:] == [("mention", None, "Acme"), ("relation", "Owns")]
    assert event.nodes[-1].properties[1:] == (("score", 2.0), ("probability", 0.8))
    assert event.edges[0].attributes == (("score", 1.0), ("probability", 0.25))
    assert coref.nodes == ()
    assert all(
        graph.extra["predicted"] is True for graph in (ner, relation, event, coref)
    )


def test_what_is_gold_in_the_same_file_is_read_by_name() -> None:
    assert ANNOTATED.good(row(SCORED)) == good(row())
    assert ANNOTATED.good(row()) == good(row())


def test_a_layer_that_is_gold_only_is_no_prediction() -> None:
    data = row(SCORED, predicted_relations=..., predicted_events=..., predicted_ner=...)
    assert [graph.framework for graph in good(data)] == ["coref"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (
            row(SCORED) + row(doc_key="d2"),
            "a.jsonl:2: $: found no predictions, expected keys predicted_..., as in "
            "line 1",
        ),
        (
            row() + row(SCORED, doc_key="d2"),
            "a.jsonl:2: $: found predictions, expected none, as in line 1",
        ),
    ],
)
def test_gold_is_never_passed_off_as_predicted(data: bytes, problem: str) -> None:
    records = read(data)
    assert [str(p) for r in records if isinstance(r, Rejected) for p in r.problems] == [
        problem
    ]
    assert isinstance(records[-1], Rejected)
    assert records[-1].item == "d2"


def test_one_file_serves_as_both_sides() -> None:
    predicted = [r.graph for r in read_file(str(PREDICTED)) if isinstance(r, ReadGraph)]
    named = ReaderOptions("dygie-gold")
    gold = [
        r.graph for r in read_file(str(PREDICTED), named) if isinstance(r, ReadGraph)
    ]
    assert gold == [r.graph for r in read_file(str(GOLD)) if isinstance(r, ReadGraph)]
    layers = ["ner", "relation", "event", "coref"]
    both = graphscore.score(str(GOLD), str(PREDICTED), "mrp", framework=layers)
    again = graphscore.score(gold, predicted, "mrp", framework=layers)
    assert (both.pairs, both.f1) == (7, again.f1)
    assert 0.3 < both.f1 < 1


def test_json_lines_of_mrp_stay_mrp() -> None:
    lines = [
        b'{"id": "1", "framework": "amr", "tokens": [{"from": 0, "to": 1}]}',
        b'{"sent_id": "1", "framework": "dm", "doc_key": "x", "nodes": []}',
        b'{"nodes": [], "tokens": ["a"]}',
    ]
    for line in lines:
        stream: Any = io.BufferedReader(io.BytesIO(line))  # type: ignore[arg-type]
        assert detect(stream, "-").name == "mrp"


# What is wrong.


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"doc_key": ...}, "$.doc_key: found nothing, expected the name of the doc"),
        ({"doc_key": ""}, "$.doc_key: found '', expected the name of the document"),
        ({"doc_key": True}, "$.doc_key: found true, expected the name of the document"),
        ({"ner": None}, "$.ner: found null, expected 2, one for each sentence"),
        ({"ner": [[]]}, "$.ner: found 1 lists, expected 2, one for each sentence"),
        ({"ner": [[3], []]}, "$.ner[0][0]: found 3, expected [first token, last tok"),
        ({"ner": [[[0, 0]], []]}, "$.ner[0][0]: found [0, 0], expected [first token"),
        ({"ner": [[[2, 0, "X"]], []]}, "tokens 2 to 0, expected a range within the 7"),
        ({"ner": [[[-1, 0, "X"]], []]}, "tokens -1 to 0, expected a range within"),
        ({"ner": [[[0, 7, "X"]], []]}, "found tokens 0 to 7, expected a range within"),
        ({"ner": [[[0, 10**30, "X"]], []]}, "expected a range within the 7 tokens"),
        (
            {"ner": [[[2, 3, "X"]], []]},
            "$.ner[0][0]: found tokens 2 to 3, expected tokens of sentence 0, 0 to 2",
        ),
        (
            {"ner": [[], [[0, 0, "X"]]]},
            "$.ner[1][0]: found tokens 0 to 0, expected tokens of sentence 1, 3 to 6",
        ),
        (
            {"ner": [[[0, 0, "X", 1, 2, 3]], []]},
            "[0, 0, 'X', 1, 2, 3], expected [first",
        ),
        (
            {"relations": [[[0, 0, 2, "X"]], []]},
            "$.relations[0][0]: found [0, 0, 2, 'X'], expected [first token, las",
        ),
        (
            {"relations": [[[0, 0, 3, 3, "X"]], []]},
            "$.relations[0][0]: found tokens 3 to 3, expected tokens of sentence 0",
        ),
        (
            {"events": [[[["X"]]], []]},
            "$.events[0][0][0]: found ['X'], expected [token, label] or [first token",
        ),
        (
            {"events": [[[[0, "X"], [0, 0]]], []]},
            "$.events[0][0][1]: found [0, 0], expected [first token, last token, lab",
        ),
        ({"clusters": [[[0]]]}, "$.clusters[0][0]: found [0], expected [first token"),
        (
            {"clusters": [[[2, 3]]]},
            "$.clusters[0][0]: found tokens 2 to 3, expected tokens of one sentence",
        ),
    ],
)
def test_a_problem_names_its_place_and_what_was_expected(
    changes: dict[str, Any], problem: str
) -> None:
    # The first; what refers to lost mentions is not asked for here.
    found = problems(row(**changes))
    assert found[0].startswith("a.jsonl:1: ")
    assert problem in found[0]


def test_a_document_without_layers_is_refused() -> None:
    data = row(ner=..., relations=..., events=..., clusters=...)
    assert problems(data) == [
        "a.jsonl:1: $: found no layer, expected one of ner, relations, events, clusters"
    ]


@pytest.mark.parametrize("layer", ["relations", "events", "clusters"])
def test_a_problem_costs_only_its_layer(layer: str) -> None:
    records = read(row(**{layer: [3, []]}))
    framework = {"relations": "relation", "events": "event", "clusters": "coref"}[layer]
    lost = [each for each in records if isinstance(each, Rejected)]
    assert [(each.framework, each.item, each.line) for each in lost] == [
        (framework, "d1", 1)
    ]
    assert lost[0].raw == row(**{layer: [3, []]})
    assert len(records) == 4


def test_a_problem_of_the_mentions_costs_the_document() -> None:
    [record] = read(row(ner=[[3], [3]], relations=[[3], []]))
    assert isinstance(record, Rejected)
    assert (record.framework, record.item, len(record.problems)) == ("", "d1", 3)


# What is written.


def test_a_layer_alone_brings_its_mentions() -> None:
    ner, relation, event, coref = good(row())
    assert written([relation]) == [
        {k: v for k, v in JENNY.items() if k not in ("events", "clusters")}
    ]
    assert set(written([event])[0]) == {"doc_key", "sentences", "ner", "events"}
    assert set(written([coref])[0]) == {"doc_key", "sentences", "clusters"}
    assert [set(each) for each in written([event, ner])] == [
        {"doc_key", "sentences", "ner", "events"}
    ]


def test_layers_that_disagree_stay_apart() -> None:
    ner = good(row())[0]
    relation = good(row(ner=[[], []]))[1]
    assert len(written([ner, relation])) == 2
    assert len(written([ner, ner])) == 2
    assert len(written([ner, msgspec.structs.replace(good(row())[1], id="x")])) == 2


def test_sentences_from_elsewhere_are_one() -> None:
    build = LayoutBuilder()
    build.mention("PER", [Anchor(0, 1)])
    tokens = (Anchor(0, 1), Anchor(2, 3))
    graph = build.graph("1", "ner", text="a b", tokens=tokens)
    assert written([graph]) == [
        {"doc_key": "1", "sentences": [["a", "b"]], "ner": [[[0, 0, "PER"]]]}
    ]
    full = msgspec.structs.replace(
        graph, text="a.", tokens=(Anchor(0, 2), Anchor(1, 2))
    )
    stop = msgspec.structs.replace(
        full, nodes=(msgspec.structs.replace(full.nodes[0], anchors=(Anchor(0, 2),)),)
    )
    assert written([stop])[0]["ner"] == [[[0, 0, "PER"]]]


A, B, C = Anchor(0, 1), Anchor(2, 3), Anchor(4, 5)


# Everything.

labels = st.sampled_from(("PER", "ORG", "Größe", ""))


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A document with any layers, gold or predicted."""
    token = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
    sentences = draw(st.lists(st.lists(token, max_size=4), max_size=4))
    starts = [sum(map(len, sentences[:k])) for k in range(len(sentences))]
    predicted = draw(st.booleans())
    number = st.sampled_from((0.5, 3, -1.25))
    scores = st.lists(number, max_size=2)

    def span(k: int) -> st.SearchStrategy[list[int]]:
        places = st.integers(starts[k], starts[k] + len(sentences[k]) - 1)
        return st.tuples(places, places).map(lambda two: sorted(two))

    def lists(k: int, count: int) -> st.SearchStrategy[list[Any]]:
        spans = st.lists(span(k), min_size=count, max_size=count).map(
            lambda found: [end for each in found for end in each]
        )
        return st.tuples(spans, labels, scores).map(lambda t: [*t[0], t[1], *t[2]])

    def by_sentence(count: int) -> list[Any]:
        return [
            draw(st.lists(lists(k, count), max_size=3)) if tokens else []
            for k, tokens in enumerate(sentences)
        ]

    prefix = "predicted_" if predicted else ""
    found: dict[str, Any] = {"doc_key": "d", "sentences": sentences}
    layers = draw(st.sets(st.sampled_from(("ner", "relations", "clusters", "events")),
                          min_size=1))  # fmt: skip
    if "ner" in layers:
        found[prefix + "ner"] = by_sentence(1)
    if "relations" in layers:
        found[prefix + "relations"] = by_sentence(2)
    if "events" in layers:
        found[prefix + "events"] = [
            [
                [[*sorted({*draw(span(k))}), draw(labels)],
                 *draw(st.lists(lists(k, 1), max_size=2))]
                for _ in range(draw(st.integers(0, 2)) if tokens else 0)
            ]
            for k, tokens in enumerate(sentences)
        ]  # fmt: skip
    if "clusters" in layers:
        spans = [k for k, tokens in enumerate(sentences) if tokens]
        members: st.SearchStrategy[list[Any]] = st.just([])
        if spans:
            members = st.lists(st.sampled_from(spans).flatmap(span), max_size=3)
        found[prefix + "clusters"] = draw(st.lists(members, max_size=3))
    if draw(st.booleans()):
        found["dataset"] = "x"
    return found


@given(documents())
def test_what_is_read_is_written_as_it_was(document: dict[str, Any]) -> None:
    graphs = good(json.dumps(document).encode())
    assert written(graphs) == [document]
    again = b"".join(DYGIE.write(graphs)) if DYGIE.write else b""
    assert good(again) == graphs
