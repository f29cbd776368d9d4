"""``graphscore agree``: files, stores, Python, shapes of output, wrong usage."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import graphscore
from graphscore.evaluation.options import Options, Selection
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "50", "--chance", "6", "--framework", "dm")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("agree") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
    return path


def test_files_a_store_and_python_say_the_same(run, store):
    asked = *QUICK, "-m", "mrp", "--json"
    files = run("agree", GOLD, ALDER, BIRCH, *asked).json
    assert files["annotators"] == ["gold", "alder", "birch"]
    first = run("agree", store, "gold", "alder", "birch", *asked).json
    named = "--system", "alder", "--system", "birch"
    again = run("agree", store, "gold", *named, *asked).json
    python = graphscore.agree(
        GOLD,
        ALDER,
        BIRCH,
        metric="mrp",
        names=["gold", "alder", "birch"],
        samples=50,
        chance=6,
        options=Options(selection=Selection(frameworks=frozenset({"dm"}))),
    )
    assert files == first == again == python.to_dict()
    assert set(files) >= {"metric", "annotators", "pairs", "mean", "coefficients"}
    assert {"a", "b", "value", "low", "high"} <= set(files["pairs"][0])
    assert 0 < files["coefficients"]["alpha"] < 1
    assert files["intervals"]["alpha"]["low"] < files["coefficients"]["alpha"]


def test_shapes_of_output(run):
    asked = "agree", GOLD, ALDER, *QUICK
    table = run(*asked, "-m", "mrp", "--table").out
    assert "only a" in table
    assert "missing" not in table
    assert "surplus" not in table
    rows = list(csv.DictReader(io.StringIO(run(*asked, "-m", "mrp", "--csv").out)))
    whole = run(*asked, "-m", "mrp", "--json", "--top", "2").json
    assert float(rows[0]["value"]) == whole["pairs"][0]["value"]
    assert [row["kind"] for row in rows[1:]] == [k["kind"] for k in whole["kinds"]]
    assert len(whole["documents"]) == 2
    [line] = run(*asked, "-m", "mrp", "--jsonl").lines
    assert line["pairs"] == whole["pairs"]
    several = run(*asked, "-m", "mrp,sdp", "--json").json["results"]
    assert [each["metric"] for each in several] == ["mrp", "sdp"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((GOLD,), 2, "give two annotators"),
        ((GOLD, ALDER, "--pair", "order"), 2, "go by their ids"),
        ((GOLD, ALDER, "--system", "a"), 2, "is not one"),
        ((GOLD, ALDER, "-m", "mrp", "--figure", "no"), 2, "has no figure 'no'"),
        ((GOLD, "nowhere.mrp"), 3, "nowhere.mrp"),
        ((GOLD, ALDER, "--item", "none"), 3, "nothing to score"),
    ],
)
def test_wrong_usage_is_one_clear_error(run, words, code, said):
    found = run("agree", *words)
    assert found.code == code
    assert said in found.err


def test_wrong_collections_and_bad_records(run, store, tmp_path):
    one = run("agree", store, "gold")
    assert one.code == 2
    assert "it holds: " in one.err
    unknown = run("agree", store, "gold", "nobody")
    assert unknown.code == 2
    assert "nobody" in unknown.err
    bad = tmp_path / "bad.mrp"
    lines = Path(ALDER).read_text(encoding="utf-8").splitlines()
    bad.write_text("\n".join([*lines[:3], "{"]), encoding="utf-8")
    found = run("agree", GOLD, str(bad))
    assert found.code == 3
    assert "bad.mrp:4" in found.err
