"""Training data of spaCy, of version 2 and as pairs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

READER = FormatReader(format_named("spacy-json"), "a.json")
PAIR_READER = FormatReader(format_named("spacy-pairs"), "a.json")


def tokens(*tagged: str) -> list[dict[str, Any]]:
    cells = [cell.split("/") for cell in tagged]
    return [
        {"id": number, "orth": form, "ner": tag, "head": 0}
        for number, (form, tag) in enumerate(cells)
    ]


ADA = {"tokens": tokens("Ada/B-PER", "Lo/L-PER", "left/O"), "brackets": []}
ROME = {"tokens": tokens("Rome/U-LOC", "fell/-")}
PARAGRAPH = {"raw": "Ada Lo left Rome fell", "sentences": [ADA, ROME], "cats": []}

DOCUMENTS = [
    {"id": 0, "paragraphs": [PARAGRAPH]},
    {"id": 1, "paragraphs": [PARAGRAPH, {"sentences": [ROME]}]},
    {"id": 2, "paragraphs": [{"sentences": []}]},
]

PAIRS = [
    ["Rome 🎉 fell", {"entities": [[0, 4, "LOC"], [0, 4, "GPE"]]}],
    ["Yes", {"entities": [], "cats": {"A": 1.0}}],
]

EXPORTED = json.dumps(
    {"classes": ["LOC", "GPE"], "annotations": [*PAIRS, None]}, indent=1
)

LINES = "".join(json.dumps(pair) + "\n" for pair in PAIRS)


def test_paragraphs_are_items_of_their_document() -> None:
    graphs = READER.good(json.dumps(DOCUMENTS))
    assert [(g.id, g.document) for g in graphs] == [
        *(("0", "0"), ("1.0", "1"), ("1.1", "1"), ("2", "2"))
    ]
    assert [(n.label, n.anchors) for n in graphs[0].nodes] == [
        ("PER", (Anchor(0, 6),)),
        ("LOC", (Anchor(12, 16),)),
    ]


def test_pairs_stand_in_an_array_in_lines_or_in_an_object() -> None:
    graphs = PAIR_READER.good(json.dumps(PAIRS, indent=1))
    assert [(n.label, n.anchors) for n in graphs[0].nodes] == [
        ("LOC", (Anchor(0, 4),)),
        ("GPE", (Anchor(0, 4),)),
    ]
    for data in (EXPORTED, LINES):
        assert repr(PAIR_READER.good(data)) == repr(graphs)


def test_tags_are_written_as_bilou() -> None:
    data = b"".join(write_checked(READER.format, READER.good(json.dumps(DOCUMENTS))))
    assert json.loads(data)[0]["paragraphs"][0]["sentences"][0] == ADA


@pytest.mark.parametrize(
    ("reader", "bad", "problem"),
    [
        (
            READER,
            {"id": 7, "paragraphs": [{"sentences": [{"tokens": [{"ner": "O"}]}]}]},
            "$.paragraphs[0].sentences[0].tokens[0].orth: found nothing, expected the "
            "token as a string",
        ),
        (
            READER,
            {"id": 7, "paragraphs": [{"sentences": [{"tokens": tokens("a/PER")}]}]},
            "$.paragraphs[0].sentences[0].tokens[0].ner: found 'PER', expected a tag: O"
            ", or B, I, E, L, S, U with a type (B-PER)",
        ),
        (READER, {"paragraphs": {}}, "$.paragraphs: found an object, expected a list"),
        (PAIR_READER, ["Rome"], "$[0]: found ['Rome'], expected [text, {annotations}]"),
        (
            PAIR_READER,
            [7, {"entities": []}],
            "$[0][0]: found 7, expected the text as a string",
        ),
        (
            PAIR_READER,
            ["Rome", {"entities": [[0, 9, "LOC"]]}],
            "$[0][1].entities[0]: found characters 0 to 9, expected a range within 4",
        ),
        (
            PAIR_READER,
            ["Rome", {"entities": [[0, 4]]}],
            "$[0][1].entities[0]: found a range without a type",
        ),
    ],
)
def test_what_is_wrong_costs_its_text(
    reader: FormatReader, bad: Any, problem: str
) -> None:
    good = DOCUMENTS[0] if reader is READER else PAIRS[0]
    data = json.dumps([bad, good])
    assert reader.problems(data)[0].startswith(f"a.json:1: {problem}")
    assert isinstance(reader.read(data)[-1], ReadGraph)


def test_an_object_without_annotations_is_refused() -> None:
    assert PAIR_READER.problems('{"classes": ["A"]}') == [
        "a.json:1: found no annotations, expected an array"
    ]
