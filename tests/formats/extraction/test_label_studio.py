"""Tasks of Label Studio."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from graphscore import agree
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor, Graph
from graphscore.statistics.agreement.result import Agreement
from tests.formats.reading import FormatReader

FORMAT = format_named("label-studio")


def span(start: int, end: int, text: str, label: str, id: str = "") -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": [label]}
    return {"id": id, "type": "labels", "value": value}


LINK = {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["runs"]}

TEXT = "🎉 Petra runs Acme"

SPANS = [span(3, 8, "Petra", "PER", "a"), span(14, 18, "Acme", "ORG", "b")]


def task(id: int, *annotations: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "data": {"text": TEXT}, "annotations": [*annotations], **more}


ANNOTATED = {"id": 1, "completed_by": 7, "result": [*SPANS, LINK]}

TASKS = [
    task(1, ANNOTATED, {"completed_by": {"email": "ann@x.org"}, "result": SPANS[:1]}),
    task(2, {"completed_by": 7, "result": [], "lead_time": 2.5}, project=3),
]

MINIMAL = [
    {
        "id": number,
        "text": TEXT,
        "label": [SPANS[0]["value"]],
        "annotator": 7,
        "annotation_id": number,
    }
    for number in (1, 2)
]

PREDICTED = {
    **task(3, ANNOTATED),
    "predictions": [
        {"model_version": "m1", "result": [{**SPANS[0], "score": 0.5}], "score": 0.5}
    ],
}


def read(*tasks: Any, name: str = "label-studio") -> list[Any]:
    return FormatReader(format_named(name), "a.json").read(json.dumps([*tasks]))


def graphs(*tasks: Any, name: str = "label-studio") -> list[Graph]:
    reader = FormatReader(format_named(name), "a.json")
    return reader.good(json.dumps([*tasks]))


def test_offsets_are_counted_in_characters() -> None:
    ner, relation = graphs(task(1, ANNOTATED))
    assert [(n.label, n.anchors) for n in ner.nodes] == [
        ("PER", (Anchor(2, 7),)),
        ("ORG", (Anchor(13, 17),)),
    ]
    assert (ner.id, ner.layer, relation.nodes[2].label) == ("1", "", "runs")
    assert [(e.label, e.target) for e in relation.edges] == [("Arg1", 0), ("Arg2", 1)]


def test_several_annotators_are_layers() -> None:
    found = [(g.id, g.framework, g.layer) for g in graphs(*TASKS)]
    assert found == [
        ("1", "ner", "7"),
        ("1", "relation", "7"),
        ("1", "ner", "ann@x.org"),
        ("1", "relation", "ann@x.org"),
        ("2", "ner", ""),
        ("2", "relation", ""),
    ]
    both = ({**MINIMAL[0], "annotator": name} for name in ("ann", "ben"))
    assert [g.layer for g in graphs(*both)] == ["ann", "ann", "ben", "ben"]
    assert {g.layer for g in graphs(*MINIMAL)} == {""}


def test_annotators_agree() -> None:
    gold = graphs(*TASKS[:1])
    ann, ben = (
        [
            replace(g, extra={})
            for g in gold
            if g.layer == layer and g.framework == "ner"
        ]
        for layer in ("7", "ann@x.org")
    )
    agreement = agree(ann, ben, metric="ner", samples=10)
    assert isinstance(agreement, Agreement)
    assert round(agreement.pairs[0].value, 3) == 0.667


def test_what_is_written_comes_back() -> None:
    gold = graphs(*TASKS)
    tasks = json.loads(b"".join(write_checked(FORMAT, gold)))
    assert [len(each["annotations"]) for each in tasks] == [2, 1]
    value = tasks[0]["annotations"][0]["result"][0]["value"]
    assert (value["start"], value["end"]) == (3, 8)
    assert repr(graphs(*tasks)) == repr(gold)


def test_arrows_to_the_left_are_turned() -> None:
    left = {**ANNOTATED, "result": [*SPANS, {**LINK, "direction": "left"}]}
    gold = graphs(task(1, left))
    assert [edge.target for edge in gold[1].edges] == [1, 0]
    [back] = json.loads(b"".join(write_checked(FORMAT, gold)))
    assert back["annotations"][0]["result"][2]["from_id"] == "a"


def test_what_was_cancelled_is_left_out() -> None:
    cancelled = {"was_cancelled": True, "result": SPANS}
    kept, _ = read(task(1, cancelled, ANNOTATED))
    assert [note.what for note in kept.notes] == ["annotations that were cancelled"]
    for alone in (task(1, cancelled), task(1)):
        [record] = read(alone)
        assert isinstance(record, Rejected)
        assert record.aside


def test_predictions_are_read_where_they_are_asked_for() -> None:
    both = {**task(1, ANNOTATED), "predictions": PREDICTED["predictions"]}
    assert len(graphs(both)[0].nodes) == 2
    [node] = graphs(both, name="label-studio-predictions")[0].nodes
    assert dict(node.properties)["score"] == 0.5


def test_results_of_other_kinds_are_noted() -> None:
    choice = {"type": "choices", "value": {"choices": ["good"]}}
    record, _ = read(task(1, {"result": [choice, *SPANS]}))
    assert isinstance(record, ReadGraph)
    [note] = record.notes
    assert str(note.problem).startswith(
        "a.json:1: $.annotations[0].result[0].type: found 'choices'"
    )


def result(*results: Any) -> dict[str, Any]:
    return task(1, {"result": [*results]})


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            result(span(2, 7, "Petra", "PER")),
            "$.annotations[0].result[0].value.text: found 'Petra', expected ' Petr', "
            "the UTF-16 units 2 to 7 (counted in characters, the range fits)",
        ),
        (
            result(span(3, 99, "Petra", "PER")),
            "result[0].value: found UTF-16 units 3 to 99, expected a range of char",
        ),
        (result(span(1, 8, "Petra", "PER")), "value: found UTF-16 units 1 to 8"),
        (
            result({"type": "labels", "value": {"start": "/p[1]", "end": 2}}),
            "result[0].value.start: found '/p[1]', expected a whole number",
        ),
        (
            result(SPANS[0], LINK),
            "result[1].to_id: found 'b', expected the id of a span with labels",
        ),
        (
            result(*SPANS, {**LINK, "direction": "up"}),
            "result[2].direction: found 'up', expected left, right, bi",
        ),
        ({"id": 1, "data": {}, "annotations": [ANNOTATED]}, "$.data.text: found []"),
        ({"id": 1, "data": {"text": "a"}, "annotations": 3}, "$.annotations: found 3"),
        (
            {**MINIMAL[0], "label": [{"start": 0, "end": 1, "labels": "A"}]},
            "$.label[0].labels: found 'A', expected a list of labels",
        ),
    ],
)
def test_what_is_wrong_is_said(bad: Any, problem: str) -> None:
    reader = FormatReader(FORMAT, "a.json")
    [said] = reader.problems(json.dumps([bad, TASKS[1]]))
    assert problem in said
    assert said.startswith("a.json:1: $")
    assert isinstance(read(bad, TASKS[1])[-1], ReadGraph)
