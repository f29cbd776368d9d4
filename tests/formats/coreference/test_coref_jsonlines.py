"""Clusters of coreference as JSON lines, in the shapes of several systems."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.reading import FormatReader

EXCLUSIVE = format_named("coref-jsonlines-exclusive")
INCLUSIVE = format_named("coref-jsonlines")

INCLUSIVE, EXCLUSIVE = (
    INCLUSIVE,
    EXCLUSIVE,
)

E2E: dict[str, Any] = {
    "doc_key": "nw/a_0001_0",
    "sentences": [["Jo", "Ann", "left"], ["Zoë", "saw", "her", "🙂"]],
    "speakers": [["A", "A", "A"], ["B", "B", "B", "B"]],
    "constituents": [],
    "ner": [[0, 1, "PERSON"], [3, 3, "PERSON"]],
    "clusters": [[[3, 3]], [[5, 5], [0, 1]]],
}

WL: dict[str, Any] = {
    "document_id": "nw/a_0001",
    "part_id": 0,
    "cased_words": ["Jo", "Ann", "left", "Zoë", "saw", "her"],
    "sent_id": [0, 0, 0, 1, 1, 1],
    "speaker": ["A"] * 6,
    "word_clusters": [[0, 5]],
    "span_clusters": [[[0, 2], [5, 6]]],
}

FAST: dict[str, Any] = {
    "text": "Jo Ann left. Zoë saw her.",
    "clusters": [[[0, 6], [21, 24]]],
    "clusters_strings": [["Jo Ann", "her"]],
}


def row(fields: dict[str, Any], **changes: Any) -> bytes:
    found = {k: v for k, v in {**fields, **changes}.items() if v is not ...}
    return json.dumps(found, ensure_ascii=False).encode() + b"\n"


READER = FormatReader("coref-jsonlines", "a.jsonl")
OTHER = FormatReader("coref-jsonlines-exclusive", "a.jsonl")
SCIENCE = FormatReader("dygie", "a.jsonl")
read, good, problems = READER.read, READER.good, READER.problems


def written(*graphs: Graph) -> list[dict[str, Any]]:
    assert INCLUSIVE.write is not None
    return [json.loads(line) for line in INCLUSIVE.write(graphs)]


def entities(graph: Graph) -> list[list[str]]:
    """The texts of the mentions of each entity."""
    texts = {node.id: "+".join(graph.text[a:b] for a, b in node.anchors)
             for node in graph.nodes}  # fmt: skip
    return [
        [texts[edge.target] for edge in graph.edges if edge.source == node.id]
        for node in graph.nodes
        if node.properties == (("kind", "entity"),)
    ]


# What is read.


def test_sentences_with_the_last_token_included() -> None:
    [graph] = good(row(E2E))
    assert (graph.id, graph.document) == ("nw/a_0001_0", "nw/a_0001_0")
    assert (graph.framework, graph.flavor) == ("coref", 1)
    assert graph.text == "Jo Ann left Zoë saw her 🙂"
    assert graph.tokens[:2] == (Anchor(0, 2), Anchor(3, 6))
    assert entities(graph) == [["Zoë"], ["her", "Jo Ann"]]
    assert graph.extra["sentences"] == [3, 4]


def test_mentions_are_in_the_order_of_the_text() -> None:
    clusters = [[[3, 3], [0, 1]], [[0, 2], [0, 0], [3, 3]]]
    [graph] = good(row(E2E, clusters=clusters))
    assert [tuple(n.anchors[0]) for n in graph.nodes[:5]] == [
        *((0, 11), (0, 6), (0, 2), (12, 15), (12, 15))
    ]
    assert entities(graph) == [["Zoë", "Jo Ann"], ["Jo Ann left", "Jo", "Zoë"]]
    assert [node.id for node in graph.nodes] == list(range(7))


def test_cased_words_with_ranges_that_end_before_their_second_number() -> None:
    [graph] = good(row(WL))
    assert (graph.id, graph.document) == ("nw/a_0001/0", "nw/a_0001")
    assert entities(graph) == [["Jo Ann", "her"]]
    assert graph.extra["sentences"] == [3, 3]
    assert OTHER.good(row(WL)) == [graph]
    gold = row(WL, span_clusters=..., clusters=WL["span_clusters"], part_id=...)
    assert entities(good(gold)[0]) == [["Jo Ann", "her"]]
    assert good(gold)[0].id == "nw/a_0001"


def test_a_text_with_ranges_of_characters() -> None:
    [graph] = good(row(FAST))
    assert (graph.id, graph.text, graph.tokens) == ("", FAST["text"], ())
    assert entities(graph) == [["Jo Ann", "her"]]


def test_tokens_may_be_one_list() -> None:
    tokens = [token for sentence in E2E["sentences"] for token in sentence]
    [graph] = good(row(E2E, sentences=..., tokens=tokens, text="is not looked at"))
    assert entities(graph) == [["Zoë"], ["her", "Jo Ann"]]
    assert graph.extra["sentences"] == [7]


def test_ranges_that_end_before_their_second_number_must_be_said() -> None:
    clusters = [[[3, 4]], [[5, 6], [0, 2]]]
    [graph] = OTHER.good(row(E2E, clusters=clusters))
    [other] = good(row(E2E))
    assert graph.digest() == other.digest()
    assert OTHER.good(row(E2E, clusters=[[[0, 1]]])) != good(
        row(E2E, clusters=[[[0, 1]]])
    )


def test_what_is_predicted_is_read() -> None:
    data = row(E2E, predicted_clusters=[[[1, 1], [2, 2]]])
    assert entities(good(data)[0]) == [["Ann", "left"]]


def test_no_clusters_are_a_graph() -> None:
    [graph] = good(row(E2E, clusters=[]))
    assert graph.nodes == ()
    assert entities(good(row(E2E, clusters=[[]]))[0]) == [[]]


def test_ranges_may_go_on_in_the_next_sentence() -> None:
    assert entities(good(row(E2E, clusters=[[[2, 3]]]))[0]) == [["left Zoë"]]


# Which format a file is.


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (row(E2E), "coref-jsonlines"),
        (row(WL), "coref-jsonlines"),
        (row(FAST), "coref-jsonlines"),
        (row(E2E, speakers=..., constituents=..., ner=...), "coref-jsonlines"),
        (row(E2E, ner=...).rstrip(b"\n"), "coref-jsonlines"),
        (row(E2E, speakers=..., constituents=..., ner=[[], []]), "dygie"),
        (row(E2E, relations=[[], []]), "dygie"),
        (row(E2E, ner=[[[0, 1, "PER"]], []]), "dygie"),
        (row(E2E, sentences=[["word"] * 2000]), "coref-jsonlines"),
        (row(E2E, speakers=[["x"]] * 2000), "coref-jsonlines"),
        (b'{"id": "1", "framework": "coref", "nodes": []}\n', "mrp"),
    ],
)
@pytest.mark.parametrize("name", ["x", "x.jsonl", "x.json", "x.jsonlines", "-"])
def test_the_right_format_is_recognised(data: bytes, found: str, name: str) -> None:
    stream = io.BufferedReader(io.BytesIO(data), 1 << 16)
    assert detect(stream, name).name == found


def test_what_began_like_dygie_is_handed_on() -> None:
    data = row(E2E) * 3
    assert SCIENCE.good(data) == good(data)
    plain = row(E2E, speakers=..., constituents=..., ner=...)
    [one], [two] = SCIENCE.good(plain), good(plain)
    assert one.digest() == two.digest()


# What is wrong.


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"clusters": ...}, "$: found no clusters, expected one of predicted_clusters"),
        ({"sentences": ...}, "$: found no words, expected one of sentences, cased_wo"),
        ({"doc_key": []}, "$.doc_key: found [], expected the name of the document"),
        ({"doc_key": ""}, "$.doc_key: found '', expected the name of the document"),
        ({"part_id": {}}, "$.part_id: found an object, expected the number of"),
        ({"clusters": [[3]]}, "$.clusters[0][0]: found 3, expected [first token, last"),
        ({"clusters": [[[1, 1, 1]]]}, "found [1, 1, 1], expected [first token, last"),
        ({"clusters": [[[2, 1]]]}, "tokens 2 to 1, expected a range within the 7"),
        ({"clusters": [[[-1, 1]]]}, "tokens -1 to 1, expected a range within the 7"),
        ({"clusters": [[[0, 7]]]}, "expected a range within the 7 tokens, its last one "
         "included (or say coref-jsonlines-exclusive)"),
        ({"clusters": [[[0, 10**30]]]}, "found tokens 0 to a number out of range"),
    ],
)  # fmt: skip
def test_problems_have_their_places(changes: dict[str, Any], problem: str) -> None:
    found = problems(row(E2E, **changes))
    assert problem in found[0], found
    assert found[0].startswith("a.jsonl:1: $")


def test_a_range_without_tokens_is_refused() -> None:
    [found] = OTHER.problems(row(E2E, clusters=[[[3, 3]]]))
    assert found == (
        "a.jsonl:1: $.clusters[0][0]: found tokens 3 to 3, expected a range within "
        "the 7 tokens, which ends before its second number"
    )
    [found] = problems(row(FAST, clusters=[[[3, 99]]]))
    assert "found characters 3 to 99, expected a range within the 25 char" in found


@pytest.mark.parametrize("first", [True, False])
def test_gold_is_never_passed_off_as_predicted(first: bool) -> None:
    one, two = row(E2E), row(E2E, doc_key="p", predicted_clusters=[])
    records = read(one + two if first else two + one)
    assert isinstance(records[0], ReadGraph)
    assert isinstance(records[1], Rejected)
    expected = "none, as in line 1" if first else "them, as in line 1"
    assert expected in str(records[1].problems[0])
    assert records[1].item in ("p", "nw/a_0001_0")


# What is written.


@pytest.mark.parametrize("fields", [E2E, WL, FAST, {**E2E, "predicted_clusters": []}])
def test_what_is_read_is_written_as_it_was(fields: dict[str, Any]) -> None:
    assert written(*good(row(fields))) == [fields]


def test_it_remembers_where_ranges_end() -> None:
    fields = {**E2E, "clusters": [[[3, 4], [0, 2]]]}
    assert written(*OTHER.good(row(fields))) == [fields]


A, M, E = Anchor(0, 1), (("kind", "mention"),), (("kind", "entity"),)


def graph(*nodes: Node, edges: tuple[Edge, ...] = (), **more: Any) -> Graph:
    fields = {"text": "a b", "tokens": (A, Anchor(2, 3)), **more}
    return Graph("1", "coref", nodes=nodes, edges=edges, **fields)


ONE, ENTITY, LINK = Node(0, None, M, (A,)), Node(9, None, E), Edge(9, 0, "mention")


def test_graphs_from_elsewhere_get_usual_keys() -> None:
    assert written(graph(ONE, ENTITY, edges=(LINK,))) == [
        {"doc_key": "1", "sentences": [["a", "b"]], "clusters": [[[0, 0]]]}
    ]
    assert written(graph(ONE, ENTITY, edges=(LINK,), tokens=())) == [
        {"doc_key": "1", "text": "a b", "clusters": [[[0, 1]]]}
    ]


# Everything.


@st.composite
def documents(draw: st.DrawFn) -> tuple[dict[str, Any], bool]:
    """A line, and whether its ranges end before their second number."""
    token = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
    sentences = draw(st.lists(st.lists(token, max_size=4), max_size=4))
    words = [word for sentence in sentences for word in sentence]
    key = draw(st.sampled_from(("sentences", "tokens", "cased_words")))
    exclusive = draw(st.booleans()) or key == "cased_words"
    clusters: list[Any] = []
    if words:
        place = st.integers(0, len(words) - 1)
        span = st.tuples(place, place).map(lambda two: [min(two), max(two) + exclusive])
        clusters = draw(st.lists(st.lists(span, max_size=4), max_size=4))
    name = draw(st.sampled_from(("doc_key", "document_id", "doc_id", "id")))
    found = {
        name: draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1)),
        key: sentences if key == "sentences" else words,
        draw(st.sampled_from(("clusters", "predicted_clusters"))): clusters,
    }
    if draw(st.booleans()):
        found["speakers"] = [["x"]]
    return found, exclusive


@given(documents())
def test_any_document_comes_back(made: tuple[dict[str, Any], bool]) -> None:
    fields, exclusive = made
    reader = EXCLUSIVE if exclusive else INCLUSIVE
    [graph] = FormatReader(reader, "a.jsonl").good(row(fields))
    assert written(graph) == [fields]
