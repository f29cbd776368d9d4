"""``graphscore whatif``: files, stores, Python, shapes of output."""

from __future__ import annotations

import csv
import io

import pytest

import graphscore
from tests.cli.conftest import ALDER, BIRCH, GOLD


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("whatif") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
        runs.score("gold", "birch")
    return path


def test_files_a_store_and_python_say_the_same(run, store):
    files = run("whatif", GOLD, BIRCH, "-m", "mrp", "--json").json
    stored = run("whatif", store, "--gold", "gold", "--system", "birch", "--json")
    assert "reused 73 of 73" in stored.err
    assert files | {"system": "birch"} == stored.json
    python = graphscore.whatif(GOLD, BIRCH, metric="mrp")
    assert python.to_dict() == files
    kept = graphscore.whatif(store, gold="gold", system="birch")
    assert kept.to_dict() == stored.json
    assert "<table>" in python._repr_html_()


def test_the_contract(run):
    found = run("whatif", GOLD, BIRCH, "-m", "mrp", "--json").json
    assert list(found) == ["metric", "system", "score", "value", "classes"]
    assert (found["metric"], found["score"]) == ("mrp", "all.f1")
    assert found["value"] == graphscore.score(GOLD, BIRCH, "mrp").value
    gains = [each["gain"] for each in found["classes"]]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) >= 0
    for each in found["classes"]:
        assert list(each) == [
            "tuple_type",
            "label",
            "error_type",
            "errors",
            "value",
            "gain",
        ]
        assert each["gain"] == each["value"] - found["value"]
    tuple_types = {each["tuple_type"] for each in found["classes"]}
    assert {"graph", "edges", "labels", "tops"} <= tuple_types


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


def test_a_metric_whose_errors_depend_on_each_other_is_exit_code_2(run):
    found = run("whatif", GOLD, BIRCH, "-m", "b3")
    assert found.code == 2
    assert "b3: the cost of its errors is not known" in found.err
