"""Structured sentiment as task 10 of SemEval-2022 has it: read, written, recognised."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Edge, Graph
from graphscore.structures.layout import first_of, nodes_of
from tests.formats.reading import FormatReader
from tests.formats.templates.fillers import problems, round_trip, written

FORMAT = format_named("sentiment")

good = FormatReader(FORMAT, "a.json").good

TEXT = "We loved the view , not the noise"

OPINION: dict[str, Any] = {
    "Source": [["We"], ["0:2"]],
    "Target": [["the view"], ["9:17"]],
    "Polar_expression": [["loved"], ["3:8"]],
    "Polarity": "Positive",
    "Intensity": "Strong",
}


def opinion(**fields: Any) -> dict[str, Any]:
    """An opinion of which some fields are others, or are not there."""
    return {k: v for k, v in {**OPINION, **fields}.items() if v is not ...}


def sentence(*opinions: Any, **fields: Any) -> dict[str, Any]:
    found = {"sent_id": "7", "text": TEXT, "opinions": [*opinions], **fields}
    return {k: v for k, v in found.items() if v is not ...}


def file(*sentences: Any) -> str:
    return json.dumps([*sentences], indent=1)


def one(*opinions: Any, **fields: Any) -> Graph:
    [graph] = good(file(sentence(*opinions, **fields)))
    return graph


def test_an_opinion_is_anchored_at_its_expression() -> None:
    graph = one(OPINION)
    assert (graph.id, graph.framework, graph.text) == ("7", "sentiment", TEXT)
    holder, target, found = graph.nodes
    assert (found.label, found.anchors) == ("Positive", (Anchor(3, 8),))
    assert found.properties == (("kind", "opinion"), ("intensity", "Strong"))
    assert (holder.anchors, target.anchors) == ((Anchor(0, 2),), (Anchor(9, 17),))
    assert holder.properties == target.properties == (("kind", "mention"),)
    assert graph.edges == (Edge(2, 0, "holder"), Edge(2, 1, "target"))


def test_a_sentence_without_opinions_is_a_graph() -> None:
    assert one().nodes == one(opinions=None).nodes == ()


@pytest.mark.parametrize(
    "nothing", [[[], []], None, ..., [], [None, None], [[""], [""]], ["", ""]]
)
def test_a_part_may_be_absent(nothing: Any) -> None:
    graph = one(opinion(Source=nothing, Target=nothing))
    assert [node.label for node in graph.nodes] == ["Positive"]
    graph = one(opinion(Polar_expression=nothing))
    [found] = nodes_of(graph, "opinion")
    assert (found.anchors, len(graph.edges)) == ((), 2)


@pytest.mark.parametrize(
    "value",
    [
        [["loved", "not"], ["3:8", "20:23"]],
        [["loved;not"], ["3:8;20:23"]],
        ["loved;not", "3:8;20:23"],
        [[], ["3:8", "20:23"]],
        [["loved", "not"], [" 3:8 ; 20 : 23"]],
    ],
)
def test_pieces_are_listed_or_separated(value: Any) -> None:
    [found] = nodes_of(one(opinion(Polar_expression=value)), "opinion")
    assert found.anchors == (Anchor(3, 8), Anchor(20, 23))
    assert first_of(found.properties, "written") is None


def test_pieces_keep_their_order() -> None:
    value = [["not", "loved"], ["20:23", "3:8"]]
    [found] = nodes_of(one(opinion(Polar_expression=value)), "opinion")
    assert found.anchors == (Anchor(20, 23), Anchor(3, 8))


def test_characters_need_not_fit() -> None:
    # Published files have some within words, and of other words.
    parts = [["noises"], ["28:33"]], [["ise"], ["30:33"]], [["a", "b"], ["3:8"]]
    for value in parts:
        graph = one(opinion(Target=value))
        [found] = [n for n in graph.nodes if n.id == graph.edges[1].target]
        start, end = map(int, value[1][0].split(":"))
        assert found.anchors == (Anchor(start, end),)
        same = [TEXT[start:end]] == value[0]
        kept = [v for k, v in found.properties if k == "written"]
        assert kept == ([] if same else value[0])


def test_characters_end_with_the_text() -> None:
    # Published files have some beyond.
    value = [["We", "noise", ""], ["0:2", "28:34", "40:50"]]
    graph = one(opinion(Target=value))
    target = graph.nodes[1]
    assert target.anchors == (Anchor(0, 2), Anchor(28, 33), Anchor(33, 33))
    assert [v for k, v in target.properties if k == "range"] == value[1]
    assert (
        json.loads(written(FORMAT, [graph]))[0]["opinions"][0]["Target"][1] == value[1]
    )
    round_trip(FORMAT, [graph])


def test_words_without_a_place_are_kept() -> None:
    graph = one(opinion(Source=[["the guests"], []]))
    assert graph.nodes[0].properties == (("kind", "mention"), ("text", "the guests"))
    assert graph.nodes[0].anchors == ()


def test_intensity_and_polarity_may_be_null_or_missing() -> None:
    for fields, label, more in (
        ({"Polarity": None}, None, (("intensity", "Strong"),)),
        ({"Polarity": ...}, None, (("intensity", "Strong"),)),
        ({"Intensity": None}, "Positive", (("intensity", None),)),
        ({"Intensity": ...}, "Positive", ()),
    ):
        [found] = nodes_of(one(opinion(**fields)), "opinion")
        assert (found.label, found.properties[1:]) == (label, more)


def test_further_fields_are_properties() -> None:
    more = {"NOT": False, "Type": "E", "kind": "x", "notes": [1]}
    graph = one(opinion(**more), domain="hotel")
    [found] = nodes_of(graph, "opinion")
    assert found.properties[2:] == (("NOT", False), ("Type", "E"))
    assert dict(found.extra) == {"fields": {"kind": "x", "notes": [1]}}
    assert graph.extra == {"semeval2022": {"domain": "hotel"}}


def test_sentences_may_be_lines() -> None:
    lines = "\n".join(json.dumps(sentence(OPINION, sent_id=k)) for k in (1, 2))
    assert [graph.id for graph in good(lines)] == ["1", "2"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"sent_id": None}, "$.sent_id: found null, expected the id of a sentence"),
        ({"text": None}, "$.text: found null, expected the text of the sentence"),
        ({"opinions": ...},
         "$.opinions: found nothing, expected the opinions of the sentence"),
    ],
)  # fmt: skip
def test_a_bad_sentence_costs_itself(fields: dict[str, Any], problem: str) -> None:
    data = file(sentence(**fields), sentence(sent_id="8"))
    assert problems(FORMAT, data) == [f":2: {problem}"]


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ({}, ": found none of its keys, expected Polar_expression and Polarity"),
        (opinion(Source="We"), ".Source: found 'We', expected [[words], [FROM:TO]]"),
        (opinion(Source=[["We"]]),
         ".Source: found a list of 1, expected [[words], [FROM:TO]]"),
        (opinion(Target=[["a"], ["9-17"]]),
         ".Target[1][0]: found '9-17', expected FROM:TO in characters, such as '0:4'"),
        (opinion(Target=[["a"], ["17:9"]]), ".Target[1][0]: found '17:9', expected"),
        (opinion(Target=[["a"], ["-2:9"]]), ".Target[1][0]: found '-2:9', expected"),
        (opinion(Target=[["a"], ["1:2", f"0:{'9' * 30}"]]),
         ".Target[1][1]: found '0:9"),
    ],
)  # fmt: skip
def test_a_bad_opinion_costs_itself(found: Any, problem: str) -> None:
    data = file(sentence(OPINION, found, OPINION))
    [said] = problems(FORMAT, data)
    assert said.startswith(f":2: $.opinions[1]{problem}")
    [graph] = good(data)
    assert len(nodes_of(graph, "opinion")) == 2


PARTS = st.lists(st.sampled_from(["0:2", "3:8", "9:12", "13:17", "20:40"]), max_size=3)


@given(
    st.lists(
        st.builds(
            lambda spans, polarity: opinion(
                **{
                    key: [[], span]
                    for key, span in zip(
                        ("Source", "Target", "Polar_expression"), spans, strict=True
                    )
                },
                Polarity=polarity,
            ),
            st.tuples(PARTS, PARTS, PARTS),
            st.sampled_from(["Positive", "Negative", None]),
        ),
        max_size=3,
    )
)
def test_opinions_go_round(opinions: list[dict[str, Any]]) -> None:
    round_trip(FORMAT, good(file(sentence(*opinions))))


@given(
    pieces=st.lists(
        st.sampled_from(["0:2", "3:8", "9:12", "13:17", "30:33", "30:40", "5:5"]),
        min_size=1,
        max_size=3,
    ),
    word=st.sampled_from(["", "x", None]),
    place=st.none() | st.integers(0, 2),
)
def test_pieces_taken_at_once_are_those_of_one_string(
    pieces: list[str], word: Any, place: int | None
) -> None:
    ends = [map(int, piece.split(":")) for piece in pieces]
    words: list[Any] = [TEXT[start:end] for start, end in ends]
    if place is not None:
        words[place % len(words)] = word
    listed, joined = (
        one(opinion(Target=[words, spans])) for spans in (pieces, [";".join(pieces)])
    )
    assert listed == joined


def test_other_words_at_the_place_of_an_opinion_are_noted() -> None:
    def noted(*opinions: Any) -> list[str]:
        read = FORMAT.read
        assert read is not None
        [record] = read(io.BytesIO(file(sentence(*opinions)).encode()), "a.json")
        assert isinstance(record, ReadGraph)
        return [str(note.problem) for note in record.notes]

    assert noted(OPINION, opinion(Target=[["the  view"], ["9:17"]])) == []
    assert noted(opinion(Target=[["noise"], ["9:17"]])) == [
        "a.json:2: $.opinions[0].Target: found 'noise', expected 'the view', as there"
    ]
