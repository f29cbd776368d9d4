"""PreCo: clusters of ranges within sentences."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore.formats.registry import format_named
from tests.formats.reading import FormatReader

DOCUMENT = {
    "id": "train_1",
    "sentences": [["Jo", "Ann", "left", "."], [" "], ["She", "ran", "to", "Rome"]],
    "mention_clusters": [[[2, 0, 1], [0, 0, 2]], [[2, 3, 4]]],
}
"""As the corpus has it, a sentence of a blank among others."""

_reading = FormatReader(format_named("preco"), "a.jsonl")
good = _reading.good
problems = _reading.problems


def row(**fields: Any) -> str:
    """A line."""
    return json.dumps({**DOCUMENT, **fields}) + "\n"


def test_a_line_is_a_document() -> None:
    one, two = good(row() + row(id=7, mention_clusters=[], source="x"))
    assert (one.id, one.document, one.framework) == ("train_1", "train_1", "coref")
    assert len(one.tokens) == 9
    words = [one.text[a:b] for node in one.nodes for a, b in node.anchors]
    # Mentions stand in the order of the text, entities in that of the file.
    assert words == ["Jo Ann", "She", "Rome"]
    assert [(edge.source, edge.target) for edge in one.edges] == [
        (3, 1),
        (3, 0),
        (4, 2),
    ]
    assert one.extra == {"sentences": [4, 1, 4]}
    assert (two.id, two.nodes, two.extra["preco"]) == ("7", (), {"source": "x"})


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"id": None}, "$.id: found null, expected the name of the document"),
        ({"mention_clusters": [[[0, 1]]]},
         "$.mention_clusters[0][0]: found [0, 1], expected [sentence, first token, one "
         "past the last]"),
        ({"mention_clusters": [[[0, 1, True]]]}, "_clusters[0][0][2]: found true"),
        ({"mention_clusters": [[[3, 0, 1]]]},
         "found sentence 3, expected one of 3, counted from 0"),
        ({"mention_clusters": [[[-1, 0, 1]]]}, "found sentence -1, expected one of 3"),
        ({"mention_clusters": [[[0, 3, 5]]]},
         "found tokens 3:5 of sentence 0, expected a range within the 4 tokens"),
        ({"mention_clusters": [[[0, 1, 1]]]}, "found tokens 1:1 of sentence 0"),
    ],
)  # fmt: skip
def test_problems_have_their_places(fields: dict[str, Any], problem: str) -> None:
    [found] = problems(row(**fields))
    assert found.startswith("a.jsonl:1: $")
    assert problem in found
