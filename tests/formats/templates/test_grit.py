"""GRIT: role fillers, gold and predicted."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphscore.cli.main import cli
from graphscore.exceptions import GraphscoreError
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor
from graphscore.model.ids import id_rule
from graphscore.structures import nodes_of
from tests.formats.damage import calls
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

FORMAT = format_named("grit")

TEXT = "Zoë 🙂 shot Max, and he died."
GOLD: dict[str, Any] = {
    "docid": "TST3-MUC4-0003",
    "doctext": TEXT,
    "extracts": {
        "PerpInd": [[["Zoë", 0]]],
        "PerpOrg": [],
        "Victim": [[["Max", 11], ["he", 20]]],
    },
}
PREDICTED: dict[str, Any] = {
    "30003": {
        "doctext": "zoe shot max",
        "pred_seq": "zoe [SEP] max",
        "pred_extracts": {"PerpInd": [["zoe"]], "Victim": []},
        "gold_extracts": {"PerpInd": [["zo"]], "Victim": [["max", "he"]]},
    },
    "30004": {"doctext": "", "pred_extracts": {}, "gold_extracts": {}},
}


def gold(**changes: Any) -> str:
    fields = {k: v for k, v in {**GOLD, **changes}.items() if v is not ...}
    return json.dumps(fields) + "\n"


# What is read.


def test_a_document_is_one_template_without_a_type() -> None:
    [graph] = good(FORMAT, gold())
    assert (graph.id, graph.document, graph.framework, graph.flavor) == (
        "TST3-MUC4-0003",
        "TST3-MUC4-0003",
        "template",
        1,
    )
    assert filled(graph) == [(None, [("PerpInd", ["Zoë"]), ("Victim", ["Max", "he"])])]
    assert [node.anchors for node in nodes_of(graph, "mention")] == [
        (Anchor(0, 3),),
        (Anchor(11, 14),),
        (Anchor(20, 22),),
    ]
    assert (graph.text, graph.tops) == (TEXT, ())


@pytest.mark.parametrize("start", [1, -1, 10**20, 25])
def test_a_mention_that_is_not_where_it_should_be_is_its_words(start: int) -> None:
    [graph] = good(FORMAT, gold(extracts={"Victim": [[["Max", start]]]}))
    assert graph.nodes[0].anchors == ()
    assert graph.nodes[0].properties[1:] == (("text", "Max"), ("offset", start))
    round_trip(FORMAT, [graph])


def test_of_predictions_only_what_is_predicted_is_read() -> None:
    one, two = good(FORMAT, json.dumps(PREDICTED))
    assert (one.id, one.document, one.text) == ("30003", "30003", "zoe shot max")
    assert filled(one) == [(None, [("PerpInd", ["zoe"])])]
    assert one.nodes[0].properties == (("kind", "mention"), ("text", "zoe"))
    assert one.extra == {"predicted": True, "document": {"pred_seq": "zoe [SEP] max"}}
    assert "gold" not in repr(one)
    assert filled(two) == [(None, [])]


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_predictions_may_be_laid_out_in_any_way(indent: int | None) -> None:
    data = json.dumps(PREDICTED, indent=indent)
    assert good(FORMAT, data) == good(FORMAT, json.dumps(PREDICTED))
    lines = [record.line for record in read(FORMAT, data)]
    assert lines == [
        data[: data.index(key)].count("\n") + 1 for key in ("300", "30004")
    ]


def test_the_conformance_files_are_read_completely(conformance: Path) -> None:
    found = graphs_of(conformance / "ie" / "muc4_grit_test.jsonl")
    assert len(found) == 200
    assert kinds(found) == {
        "mention": 812,
        "entity": 511,
        "template": 200,
        "anchored": 812,
    }
    round_trip(FORMAT, found)
    predicted = graphs_of(conformance / "ie" / "muc4_grit_preds.json")
    assert kinds(predicted) == {
        "mention": 377,
        "entity": 377,
        "template": 200,
        "anchored": 0,
    }
    round_trip(FORMAT, predicted)
    rule = id_rule("muc4")
    assert [rule(each.id) for each in predicted] == [each.id for each in found]


def sniffed(data: str) -> str:
    stream: Any = io.BufferedReader(io.BytesIO(data.encode()), 1 << 16)  # type: ignore[arg-type]
    return detect(stream, "-").name


def test_a_long_first_text_does_not_hide_the_keys() -> None:
    long = "x " * 4000
    assert sniffed(gold(doctext=long)) == "grit"
    templates = gold(doctext=long, extracts=..., templates=[{"incident_type": "a"}])
    assert sniffed(templates) == "gtt"
    assert filled(good(FORMAT, templates)[0]) == [("a", [])]
    assert sniffed(gold(doctext=TEXT, extracts=..., templates=[])) == "gtt"
    assert sniffed(json.dumps({"30001": {"doctext": long}})) == "grit"


# What is wrong.

SLOT = '[["he", ["max", 14]]]'


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"docid": ...}, "$.docid: found nothing, expected the name of the document"),
        ({"docid": ""}, "$.docid: found '', expected the name of the document"),
        ({"docid": True}, "$.docid: found true, expected the name of the document"),
        ({"doctext": 3}, "$.doctext: found 3, expected a string"),
        ({"extracts": ...}, "$: found no templates, expected extracts or templates"),
        ({"templates": []}, "$: found both extracts and templates, expected one of"),
        ({"extracts": []}, "$.extracts: found [], expected an object of slots"),
        (
            {"extracts": {"A": None}},
            f"$.extracts.A: found null, expected a list, as in {SLOT}",
        ),
        ({"extracts": {"A": ["x"]}}, "$.extracts.A[0]: found 'x', expected a list"),
        (
            {"extracts": {"incident_type": "x"}},
            "incident_type: found 'x', expected a l",
        ),
        (
            {"extracts": {"A": [[3]]}},
            f"$.extracts.A[0][0]: found 3, expected a string or a list, as in {SLOT}",
        ),
        ({"extracts": {"A": [[[]]]}}, "A[0][0]: found [], expected a list of at lea"),
        ({"extracts": {"A": [[["x", "y"]]]}}, "A[0][0][1]: found 'y', expected a wh"),
        ({"extracts": {"A": [[["x", True]]]}}, "A[0][0][1]: found true, expected a w"),
        ({"extracts": {"A": [[["x", 1.0]]]}}, "A[0][0][1]: found 1.0, expected a wh"),
        ({"extracts": {"A": [[[3, 1]]]}}, "A[0][0][0]: found 3, expected a string"),
        (
            {"extracts": ..., "templates": {}},
            "$.templates: found an object, expected a list",
        ),
        (
            {"extracts": ..., "templates": [{"incident_type": 3}]},
            "$.templates[0].incident_type: found 3, expected a string",
        ),
    ],
)
def test_what_is_wrong_with_a_document_is_said(
    changes: dict[str, Any], problem: str
) -> None:
    assert problem in "\n".join(problems(FORMAT, gold(**changes)))
    assert len(good(FORMAT, gold() + gold(docid="x"))) == 2
    assert len(read(FORMAT, gold() + gold(**changes) + gold(docid="x"))) == 3


def test_all_that_is_wrong_is_said_at_once() -> None:
    extracts = {"A": [[3], 4], "B": 5}
    assert len(problems(FORMAT, gold(docid=None, doctext=1, extracts=extracts))) == 4


ONE = '"1": {"doctext": "", "pred_extracts": {"A": [["x"]]}}'
TWO = '"2": {"doctext": "", "pred_extracts": {"B": [["y"]]}}'


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("{%s,\n %s}", ""),
        ("{%s,\n %s", ":2: found a truncated file, expected a }"),
        ("{%s\n %s}", ':2: found \'"2": {"doctext": "",\', expected a comma bet'),
        ("{%s,, %s}", 'doctext": "\', expected the key of a record'),
        ("{%s, %s,}", ":1: found a comma, expected a record, or nothing more"),
        ("{%s, %s} x", ":1: found more after the end, expected nothing"),
        ("{%s, 7, %s}", ':1: found \'7, "2": {"doctext": \', expected the key of'),
        ('{%s, "3": 7, %s}', ":1: $.3: found 7, expected an object with predictions"),
        ('{%s, "3": null, %s}', ":1: $.3: found null, expected a record"),
        ('{%s, "3": {"a": [}, %s}', ":1: $.3: found a bracket that is not closed"),
        ('{%s, "3": {"doctext": [[[[, %s}', "$.3: found a bracket that is not clo"),
        ('{%s, "3": {"a" "b"}, %s}', ":1: $.3: found expected ':', expected JSON"),
        ('{%s,\n "3": {"a":\n "b" 1}, %s}', ":3:6: $.3: found expected ',' or '}'"),
        ('{%s, "3": {"a": "\\ud800"}, %s}', "$.3: found half of a surrogate pair"),
        ('{%s, "3": {}, %s}', "$.3: found no predictions, expected pred_extracts o"),
        ('{%s, "": {"pred_extracts": {}}, %s}', "$.: found '', expected the name"),
        (
            '{%s, "3": {"pred_extracts": {}, "pred_templates": []}, %s}',
            "$.3: found both pred_extracts and pred_templates, expected one of them",
        ),
    ],
)
def test_a_broken_prediction_costs_only_itself(data: str, problem: str) -> None:
    raw = data % (ONE, TWO)
    found = problems(FORMAT, raw)
    assert bool(found) is bool(problem)
    assert problem in "\n".join(found)
    graphs = [r.graph.id for r in read(FORMAT, raw) if not hasattr(r, "problems")]
    assert graphs == ["1", "2"]


def test_a_file_that_is_no_object_is_refused_as_a_whole() -> None:
    assert problems(FORMAT, "{\n") == [":2: found a truncated file, expected a }"]
    assert read(FORMAT, "{}") == []


# What is written.


def test_gold_and_predictions_come_out_as_they_were() -> None:
    assert json.loads(written(FORMAT, good(FORMAT, gold()))) == GOLD
    predicted = json.loads(written(FORMAT, good(FORMAT, json.dumps(PREDICTED))))
    bare = {
        key: {k: v for k, v in fields.items() if not k.startswith("gold")}
        for key, fields in PREDICTED.items()
    }
    del bare["30004"]["doctext"]
    assert predicted == bare


def test_gold_and_predictions_are_not_mixed() -> None:
    graphs = [*good(FORMAT, gold()), *good(FORMAT, json.dumps(PREDICTED))]
    with pytest.raises(GraphscoreError, match="gold or predicted, not both"):
        written(FORMAT, graphs)


mentions = st.one_of(
    st.text(max_size=3),
    st.tuples(st.text("Maxnd Zoë🙂", max_size=3), st.integers(-2, 40)).map(list),
)
extracts = st.dictionaries(
    st.text(max_size=3), st.lists(st.lists(mentions, max_size=3), max_size=3)
).filter(lambda found: not {"incident_type", "template-spans"} & found.keys())


@given(st.lists(extracts, max_size=3), st.booleans())
def test_every_file_is_read_and_comes_back(found: list[Any], predicted: bool) -> None:
    if predicted:
        documents = {str(k): {"pred_extracts": each} for k, each in enumerate(found)}
        data = json.dumps(documents, indent=1)
    else:
        data = "".join(gold(docid=k, extracts=each) for k, each in enumerate(found))
    graphs = good(FORMAT, data)
    assert len(graphs) == len(found)
    if graphs:
        round_trip(FORMAT, graphs)


@pytest.mark.parametrize(
    "piece", [ONE + ",", '"3": {"doctext": [[,', '"3": ,', '"\\ud800": {,', "[", "7, "]
)
def test_reading_takes_steps_in_proportion(piece: str) -> None:
    def steps(times: int) -> int:
        data = ("{" + piece * times + TWO + "}").encode()
        return calls(lambda: read(FORMAT, data))

    few, many = steps(100), steps(400)
    assert many < 6 * few


def test_an_irrelevant_document_of_muc(tmp_path: Path) -> None:
    """GRIT has one template a document, even where nothing fills it; MUC has none."""
    source = tmp_path / "muc.key"
    source.write_text(
        "0. MESSAGE: ID                     TST3-MUC4-0001\n"
        "1. MESSAGE: TEMPLATE               *\n"
    )
    target = tmp_path / "grit.json"
    arguments = ["convert", str(source), str(target), "--to", "grit"]
    refused = CliRunner().invoke(cli, arguments)
    assert refused.exit_code == 3
    assert not target.exists()
    assert (
        "item TST3-MUC4-0001: found what grit cannot hold (found no templates in item "
        "'TST3-MUC4-0001', expected one template without a type)" in refused.stderr
    )
    arguments[-1] = "gtt"
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    assert json.loads(target.read_text())["templates"] == []
