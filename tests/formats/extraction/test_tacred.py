"""Examples of TACRED, and labels alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore import score
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

READER = FormatReader(format_named("tacred"), "a.json")
LABELS = FormatReader(format_named("tacred-labels"), "a.key")

SUBJECT = {"subj_start": 0, "subj_end": 1, "subj_type": "PERSON"}
OBJECT = {"obj_start": 3, "obj_end": 3, "obj_type": "ORGANIZATION"}


def example(**changes: Any) -> dict[str, Any]:
    fields = {"id": "e1", "docid": "d1", "token": ["Ada", "Lo", "runs", "Acme"]}
    return {**fields, **SUBJECT, **OBJECT, "relation": "per:employee_of", **changes}


EXAMPLES = [example(), example(id="e2", relation="no_relation", stanford_pos=["NN"])]

KEY = "per:title\nno_relation\norg:founded\n"


def test_ends_are_inclusive_and_no_relation_is_none() -> None:
    first, second = READER.good(json.dumps(EXAMPLES))
    assert [(n.label, n.anchors) for n in first.nodes[:2]] == [
        ("PERSON", (Anchor(0, 6),)),
        ("ORGANIZATION", (Anchor(12, 16),)),
    ]
    assert [(e.label, e.target) for e in first.edges] == [("Arg1", 0), ("Arg2", 1)]
    assert (first.document, second.id, len(second.nodes)) == ("d1", "e2", 2)
    assert second.extra == {"tacred": {"stanford_pos": ["NN"]}}


def test_labels_count_as_in_the_scorer() -> None:
    # Of two guesses that are relations one is right, of two relations one is found.
    system = LABELS.good("per:title\nper:title\nno_relation\n")
    assert score(LABELS.good(KEY), system, "relation").f1 == 0.5


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            example(subj_end=9),
            "$.subj_start: found tokens 0:10, expected a range within the 4 tokens",
        ),
        (example(relation=None), "$.relation: found null, expected a label"),
        (example(token="Ada"), "$.token: found 'Ada', expected a list of tokens"),
        (example(obj_start="3"), "$.obj_start: found '3', expected a whole number"),
    ],
)
def test_what_is_wrong_costs_its_example(bad: Any, problem: str) -> None:
    records = json.dumps([bad, EXAMPLES[0]])
    assert READER.problems(records) == [f"a.json:1: {problem}"]
    assert isinstance(READER.read(records)[-1], ReadGraph)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("a\n\nb\nc\n", "a.key:2: found '', expected one label on each line"),
        ("a\nb c\n", "a.key:2: found 'b c', expected one label on each line"),
        ("a\n" + "b" * 2000, "a.key:2: found a line of more than 1,000 bytes"),
    ],
)
def test_what_is_no_label_keeps_its_place(lines: str, problem: str) -> None:
    [said] = LABELS.problems(lines)
    assert said.startswith(problem)
