"""``graphscore whatif``: files, stores, Python, shapes of output."""

from __future__ import annotations

import csv
import io
import json

import pytest

import graphscore
from graphscore.evaluation.result import figure_in
from tests.cli.conftest import ALDER, BIRCH, GOLD


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("whatif") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
        runs.score("gold", "birch")
    return path


FIX = ("--fix", "kind=edges,label=ARG1", "--fix", "kind=graph")


def test_files_a_store_and_python_say_the_same(run, store):
    files = run("whatif", GOLD, BIRCH, "-m", "mrp", *FIX, "--json").json
    stored = run("whatif", store, "--gold", "gold", "--system", "birch", *FIX, "--json")
    assert "reused 73 of 73" in stored.err
    assert files | {"system": "birch"} == stored.json
    fixes = [{"kind": "edges", "label": "ARG1"}, {"kind": "graph"}]
    python = graphscore.whatif(GOLD, BIRCH, metric="mrp", fix=fixes)
    assert python.to_dict() == files
    kept = graphscore.whatif(store, gold="gold", system="birch", fix=fixes)
    assert kept.to_dict() == stored.json
    assert "<table>" in python._repr_html_()


def test_the_contract(run):
    found = run("whatif", GOLD, BIRCH, "-m", "mrp", *FIX, "--json").json
    assert (found["metric"], found["figure"]) == ("mrp", "all.f1")
    assert found["value"] == graphscore.score(GOLD, BIRCH, "mrp").value
    gains = [each["gain"] for each in found["classes"]]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) >= 0
    for each in found["classes"]:
        assert list(each) == ["kind", "label", "side", "errors", "value", "gain"]
        assert each["gain"] == each["value"] - found["value"]
    kinds = {each["kind"] for each in found["classes"]}
    assert {"graph", "edges", "labels", "tops"} <= kinds
    assert found["fixed"]["fixes"] == [
        {"kind": "edges", "label": "ARG1"},
        {"kind": "graph"},
    ]
    assert found["fixed"]["value"] > found["classes"][0]["value"]


def test_a_mean_over_frameworks_and_a_group_of_kinds(run, store):
    for figure, kinds in (
        ("macro", {"edges", "labels", "graph"}),
        ("macro.edges.recall", {"edges", "graph"}),
        ("nodes.f1", {"labels", "anchors", "graph"}),
    ):
        given = ("--figure", figure, "--fix", "side=missing", "--json")
        files = run("whatif", GOLD, BIRCH, "-m", "mrp", *given).json
        stored = run("whatif", store, "--gold", "gold", "--system", "birch", *given)
        assert files | {"system": "birch"} == stored.json
        assert "reused 73 of 73" in stored.err
        scored = graphscore.score(GOLD, BIRCH, "mrp")
        assert files["figure"] == figure
        assert files["value"] == figure_in(scored, figure)
        assert files["fixed"]["value"] > files["classes"][0]["value"]
        assert kinds <= {each["kind"] for each in files["classes"]}


def test_every_shape_has_every_class(run):
    given = ("whatif", GOLD, ALDER, "-m", "edm")
    classes = run(*given, "--json").json["classes"]
    rows = list(csv.DictReader(io.StringIO(run(*given, "--csv").out)))
    assert [(row["label"], float(row["gain"])) for row in rows] == [
        (each["label"], each["gain"]) for each in classes
    ]
    assert len(run(*given, "--jsonl").out.splitlines()) == len(classes)
    table = run(*given, "--table", "--top", "3").out
    assert f"3 of {len(classes)} classes of errors" in table


def test_several_systems_and_metrics_are_a_list(run):
    found = run("whatif", GOLD, ALDER, BIRCH, "-m", "mrp,smatch", "--json").json
    assert [(each["system"], each["metric"]) for each in found["results"]] == [
        (system, metric) for system in (ALDER, BIRCH) for metric in ("mrp", "smatch")
    ]


def rows_of(path):
    chart = json.loads(path.read_text())
    [rows] = chart["datasets"].values()
    return chart, rows


def test_the_curve_has_every_step(run, store, tmp_path):
    path, stored = tmp_path / "a.json", tmp_path / "b.json"
    given = ("-m", "mrp", "--fix", "kind=graph", "--top", "4", "--json")
    found = run("whatif", GOLD, BIRCH, *given, "--plot", path).json
    chart, rows = rows_of(path)
    steps = found["cumulative"]
    assert len(steps) == 4
    assert [(row["fixes"], row["fixed"], row["score"]) for row in rows] == [
        (0, "kind=graph", 100 * found["fixed"]["value"]),
        *(
            (
                n,
                " ".join(each[k] for k in ("kind", "label", "side") if each[k]),
                100 * each["value"],
            )
            for n, each in enumerate(steps, 1)
        ),
    ]
    assert [each["mark"]["type"] for each in chart["layer"]] == ["line", "text"]
    assert chart["layer"][0]["encoding"]["y"]["title"] == "all.f1 (%)"
    sides = ("--gold", "gold", "--system", "birch")
    again = run("whatif", store, *sides, *given, "--plot", stored)
    assert "reused 73 of 73" in again.err
    assert [row["score"] for row in rows_of(stored)[1]] == [
        row["score"] for row in rows
    ]


def test_several_systems_have_a_line_each(run, tmp_path):
    path = tmp_path / "a.json"
    given = ("whatif", GOLD, ALDER, BIRCH, "-m", "mrp,smatch", "--top", "2")
    found = run(*given, "--plot", path, "--json").json["results"]
    chart, rows = rows_of(path)
    assert chart["mark"] == {"point": True, "type": "line"}
    assert chart["encoding"]["color"]["scale"]["domain"] == [ALDER, BIRCH]
    assert [
        [row["score"] for row in rows if (row["system"], row["metric"]) == key]
        for key in ((each["system"], each["metric"]) for each in found)
    ] == [
        [
            100 * value
            for value in (
                each["value"],
                *(step["value"] for step in each["cumulative"]),
            )
        ]
        for each in found
    ]


def test_pictures_are_made_and_equal(run, tmp_path):
    paths = [tmp_path / f"{name}.svg" for name in "ab"]
    for path in paths:
        assert run("whatif", GOLD, ALDER, "-m", "edm", "--plot", path).code == 0
    assert paths[0].read_bytes() == paths[1].read_bytes() != b""


def test_a_class_without_errors_is_said(run):
    found = run("whatif", GOLD, BIRCH, "-m", "mrp", "--fix", "label=nowhere", "--json")
    assert found.code == 0
    assert "no errors of label=nowhere to put right" in found.err
    assert found.json["fixed"]["gain"] == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-m", "b3"), "b3: what its errors cost is not known"),
        (("-m", "mrp", "--fix", "edges"), "cannot fix 'edges'"),
        (("-m", "mrp", "--fix", "kind=edgy"), "no kind 'edgy'"),
        (("-m", "mrp", "--figure", "nodal"), "no figure 'nodal'"),
        (("-m", "mrp", "--plot", "a.gif"), "expected a file ending in .svg"),
        (("-m", "mrp", "--plot", GOLD), "expected a file ending in .svg"),
    ],
)
def test_wrong_usage_is_exit_code_2(run, more, said):
    found = run("whatif", GOLD, BIRCH, *more)
    assert found.code == 2
    assert said in found.err
