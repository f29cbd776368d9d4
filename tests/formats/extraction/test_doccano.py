"""Entities and relations of doccano."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import detect, format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

FORMAT = format_named("doccano")
READER = FormatReader(FORMAT, "a.jsonl")

ADA = {"id": 11, "label": "PER", "start_offset": 0, "end_offset": 5}
ACME = {"id": 12, "label": "ORG", "start_offset": 11, "end_offset": 15}
LINK = {"id": 3, "from_id": 11, "to_id": 12, "type": "runs"}


def text(**changes: Any) -> dict[str, Any]:
    fields = {"id": 7, "text": "Ada 🎉 runs Acme", "entities": [ADA, ACME]}
    return {**fields, "relations": [LINK], "Comments": [], **changes}


def lines(*texts: Any) -> str:
    return "".join(json.dumps(fields) + "\n" for fields in texts)


TEXTS = lines(text(), text(id=8, relations=[]), text(id=9, entities=[], relations=[]))


def test_relations_are_of_entities_by_their_ids() -> None:
    ner, relation, *_ = READER.good(TEXTS)
    assert [n.anchors for n in ner.nodes] == [(Anchor(0, 5),), (Anchor(11, 15),)]
    assert [(e.label, e.target) for e in relation.edges] == [("Arg1", 0), ("Arg2", 1)]
    assert relation.nodes[2].label == "runs"


def test_what_is_written_comes_back() -> None:
    graphs = READER.good(TEXTS)
    data = b"".join(write_checked(FORMAT, graphs))
    assert repr(READER.good(data)) == repr(graphs)
    first = json.loads(data.splitlines()[0])
    assert {**first, "id": 7} == text()


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        (text(), "doccano"),
        (text(entities=[], relations=[]), "doccano"),
        ({"text": "a", "entities": [ADA]}, "spans"),
        (text(relations=[{"head": 0, "child": 1}]), "spans"),
        (text(entities=[{"start": 0, "end": 3, "label": "PER"}]), "spans"),
    ],
)
def test_only_relations_of_doccano_are_told_apart(
    fields: dict[str, Any], name: str
) -> None:
    stream = io.BufferedReader(io.BytesIO(lines(fields).encode()))  # type: ignore
    assert detect(stream, "a.jsonl").name == name


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            text(entities=[{**ADA, "end_offset": 99}], relations=[]),
            "$.entities[0]: found characters 0:99, expected a range within the 15 "
            "characters",
        ),
        (
            text(relations=[{**LINK, "to_id": 13}]),
            "$.relations[0].to_id: found '13', expected the id of an entity",
        ),
        (
            text(entities=[ADA, {**ACME, "id": 11}], relations=[]),
            "$.entities[1].id: found 11, expected an id of its own",
        ),
        (
            text(entities=[{**ADA, "text": "Bob"}], relations=[]),
            "$.entities[0].text: found 'Bob', expected 'Ada 🎉', the characters 0 to 5 "
            "of the text",
        ),
        (text(text=None), "$.text: found null, expected a string"),
    ],
)
def test_what_is_wrong_costs_its_text(bad: Any, problem: str) -> None:
    data = lines(bad, text())
    assert READER.problems(data)[0] == f"a.jsonl:1: {problem}"
    assert isinstance(READER.read(data)[-1], ReadGraph)
