"""Sentences of SpERT."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

FORMAT = format_named("spert")
READER = FormatReader(FORMAT, "a.json")

ADA = {"type": "Peop", "start": 0, "end": 2}
ACME = {"type": "Org", "start": 3, "end": 4}
LINK = {"type": "Work_For", "head": 0, "tail": 1}


def sentence(**changes: Any) -> dict[str, Any]:
    fields = {
        "tokens": ["Ada", "Lo", "runs", "Acme"],
        "entities": [ADA, ACME],
        "relations": [LINK],
        "orig_id": 7,
    }
    return fields | changes


SENTENCES = [sentence(), sentence(orig_id=8, relations=[], dep=["a"])]


def test_ends_are_exclusive() -> None:
    ner, relation, *_ = READER.good(json.dumps(SENTENCES))
    assert ner.id == relation.id == "7"
    assert [n.anchors for n in ner.nodes] == [(Anchor(0, 6),), (Anchor(12, 16),)]
    assert [(e.label, e.target) for e in relation.edges] == [("Arg1", 0), ("Arg2", 1)]


def test_tags_may_stand_for_entities() -> None:
    tagged = sentence(tags=["B-Peop", "I-Peop", "O", "B-Org"])
    del tagged["entities"]
    graphs = READER.good(json.dumps([tagged]))
    assert repr(graphs) == repr(READER.good(json.dumps([sentence()])))
    tagged["tags"] = ["B-Peop", "Peop"]
    assert READER.problems(json.dumps(tagged)) == [
        "a.json:1: $.tags[1]: found 'Peop', expected a tag: O, or B, I, E, L, S, U "
        "with a type (B-PER)"
    ]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            sentence(entities=[{**ADA, "end": 5}, ACME]),
            "$.entities[0]: found tokens 0:5, expected a range within the 4 tokens",
        ),
        (
            sentence(relations=[{**LINK, "tail": 2}]),
            "$.relations[0].tail: found 2, expected the number of an entity, below 2",
        ),
        (
            sentence(entities=[{"start": 0, "end": 1}, ACME]),
            "$.entities[0].type: found nothing, expected the type of an entity",
        ),
        (sentence(tokens="Ada"), "$.tokens: found 'Ada', expected a list"),
    ],
)
def test_what_is_wrong_costs_its_sentence(bad: Any, problem: str) -> None:
    said = READER.problems(json.dumps([bad, SENTENCES[0]]))
    assert said[0] == f"a.json:1: {problem}"
    assert isinstance(READER.read(json.dumps([bad, SENTENCES[0]]))[-1], ReadGraph)


def test_scores_and_further_fields_are_kept() -> None:
    further = {"tags": ["O", "O", "O", "B-Org"], "dep": ["a"]}
    scored = {**ADA, "score": 0.5}, {**LINK, "score": 0.25}
    data = sentence(entities=[scored[0], ACME], relations=[scored[1]], **further)
    ner, relation = READER.good(json.dumps(data))
    assert dict(ner.nodes[0].properties)["score"] == 0.5
    assert dict(relation.nodes[-1].properties)["score"] == 0.25
    assert ner.extra == {"spert": further}
    del data["entities"]
    [problem] = READER.problems(json.dumps({**data, "tags": ["O"] * 3}))
    assert problem.endswith("$.tags: found 3 tags, expected one for each of 4 tokens")
