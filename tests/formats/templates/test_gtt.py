"""GTT: templates, gold and predicted."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.formats import ReadGraph, read_file
from graphscore.formats.registry import detect, format_named
from graphscore.model.ids import id_rule
from graphscore.structures import Argument, LayoutBuilder, nodes_of
from tests.formats.templates.fillers import (
    filled,
    good,
    graphs_of,
    kinds,
    problems,
    read,
    round_trip,
    written,
)
from tests.formats.templates.test_grit import extracts

FORMAT = format_named("gtt")

ATTACK: dict[str, Any] = {
    "incident_type": "attack / bombing",
    "PerpInd": [[["men", 0]]],
    "Target": [],
    "Victim": [[["max", 9], ["he", 17]], [["men", 0]]],
}
GOLD: dict[str, Any] = {
    "docid": "TST3-MUC4-0003",
    "doctext": "men shot max and he died",
    "templates": [ATTACK, {"incident_type": "arson", "Weapon": []}],
}
PREDICTED: dict[str, Any] = {
    "30003": {
        "doctext": "men shot max",
        "pred_seq": "attack",
        "pred_templates": [{"incident_type": "attack", "Victim": [["max"]]}],
        "gold_templates": [ATTACK],
    },
}


def gold(**changes: Any) -> str:
    return json.dumps(GOLD | changes) + "\n"


def test_templates_have_types_as_written_and_fillers_of_their_own() -> None:
    [graph] = good(FORMAT, gold())
    assert filled(graph) == [
        (
            "attack / bombing",
            [("PerpInd", ["men"]), ("Victim", ["max", "he"]), ("Victim", ["men"])],
        ),
        ("arson", []),
    ]
    assert len(nodes_of(graph, "entity")) == 3
    assert all(node.anchors for node in nodes_of(graph, "mention"))


def test_of_predictions_only_what_is_predicted_is_read() -> None:
    [graph] = good(FORMAT, json.dumps(PREDICTED, indent=4))
    assert (graph.id, filled(graph)) == ("30003", [("attack", [("Victim", ["max"])])])
    assert "bombing" not in repr(graph)


def test_files_come_out_as_they_were() -> None:
    assert json.loads(written(FORMAT, good(FORMAT, gold()))) == GOLD
    [found] = json.loads(written(FORMAT, good(FORMAT, json.dumps(PREDICTED)))).values()
    del PREDICTED["30003"]["gold_templates"]
    assert found == PREDICTED["30003"]


def test_the_conformance_files_are_read_completely(conformance: Path) -> None:
    path = conformance / "ie" / "muc4_gtt_test.json"
    found = graphs_of(path)
    assert (len(found), kinds(found)) == (
        200,
        {"mention": 1007, "entity": 625, "template": 209, "anchored": 1007},
    )
    types = Counter(n.label for graph in found for n in nodes_of(graph, "template"))
    assert types == {
        "attack": 127,
        "bombing": 55,
        "kidnapping": 14,
        "attack / bombing": 4,
        "forced work stoppage": 4,
        "arson": 3,
        "bombing / attack": 1,
        "robbery": 1,
    }
    slots = Counter(
        label for graph in found for _, s in filled(graph) for label, _ in s
    )
    assert slots == {
        "PerpInd": 174,
        "PerpOrg": 131,
        "Target": 150,
        "Victim": 101,
        "Weapon": 69,
    }
    lines = path.read_bytes().splitlines()
    again = written(FORMAT, found).splitlines()
    assert [json.loads(line) for line in again] == [json.loads(line) for line in lines]


def test_the_conformance_predictions_are_read_completely(conformance: Path) -> None:
    path = conformance / "ie" / "muc4_gtt_preds_gtt.out"
    found = graphs_of(path)
    assert (len(found), kinds(found)) == (
        200,
        {"mention": 413, "entity": 413, "template": 143, "anchored": 0},
    )
    round_trip(FORMAT, found)
    gold = graphs_of(conformance / "ie" / "muc4_gtt_test.json")
    assert [id_rule("muc4")(each.id) for each in found] == [each.id for each in gold]
    with path.open("rb") as stream:
        assert detect(stream, "-").name == "gtt"
    lines = path.read_bytes().splitlines()
    records = [
        record for record in read_file(str(path)) if isinstance(record, ReadGraph)
    ]
    for record in records:
        assert lines[record.line - 1] == f'    "{record.graph.id}": {{'.encode()


def test_gold_and_predictions_pair(sample: Path) -> None:
    gold, predicted = (
        graphs_of(sample / "ie" / name)
        for name in ("incidents.jsonl", "incidents.predicted.json")
    )
    assert [each.id for each in gold] == [f"TST3-MUC4-090{k}" for k in (1, 2, 3)]
    rule = id_rule("muc4")
    assert [rule(each.id) for each in predicted] == [each.id for each in gold]
    assert graphscore.score(gold, gold, "mrp", framework="template").f1 == 1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"templates": 3}, "$.templates: found 3, expected a list"),
        ({"templates": [3]}, "$.templates[0]: found 3, expected an object of slots"),
        (
            {"templates": [{"incident_type": ["a"]}]},
            "$.templates[0].incident_type: found ['a'], expected a string",
        ),
        (
            {"templates": [{"A": [], "B": [["x", ["y", None]]]}]},
            "$.templates[0].B[0][1][1]: found null, expected a whole number",
        ),
    ],
)
def test_what_is_wrong_with_a_document_is_said(
    changes: dict[str, Any], problem: str
) -> None:
    assert problem in "\n".join(problems(FORMAT, gold(**changes)))
    assert len(read(FORMAT, gold(**changes) + gold())) == 2


def test_an_entity_in_two_slots_is_written_in_both() -> None:
    build = LayoutBuilder()
    max_ = build.entity([build.mention(None, text="max")])
    build.template("attack", [Argument("Victim", max_), Argument("PerpInd", max_)])
    [graph] = good(FORMAT, written(FORMAT, [build.graph("1", "template")]))
    assert filled(graph) == [("attack", [("Victim", ["max"]), ("PerpInd", ["max"])])]
    assert len(nodes_of(graph, "entity")) == 2


@given(st.lists(st.tuples(st.none() | st.text(max_size=5), extracts), max_size=3))
def test_every_document_comes_back(found: list[Any]) -> None:
    templates = [
        {**slots, **({} if kind is None else {"incident_type": kind})}
        for kind, slots in found
    ]
    graphs = good(FORMAT, gold(templates=templates))
    assert [node.label for node in nodes_of(graphs[0], "template")] == [
        kind for kind, _ in found
    ]
    round_trip(FORMAT, graphs)
    assert json.loads(written(FORMAT, graphs))["templates"] == templates


def test_other_words_at_the_place_of_a_mention_are_noted() -> None:
    def noted(**changes: Any) -> list[str]:
        read = FORMAT.read
        assert read is not None
        [record] = read(io.BytesIO(gold(**changes).encode()), "a.json")
        assert isinstance(record, ReadGraph)
        return [str(note.problem) for note in record.notes]

    assert noted() == []
    assert noted(doctext="men shot Ann and he died") == [
        "a.json:1: Victim: found 'max', expected 'Ann', the characters 9 to 12 of the "
        "text"
    ]
