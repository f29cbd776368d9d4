"""Several runs of one system on the command line."""

from __future__ import annotations

import shutil

import pytest

from graphscore import Runs, score
from graphscore.report.plots import bar_chart
from tests.cli.conftest import DATA

GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
RUNS = Runs(ALDER, BIRCH, name="tree")


def test_command_line(run, tmp_path):
    one = run("score", GOLD, f"tree={ALDER},{BIRCH}", "-m", "mrp").json
    result = score(GOLD, RUNS, "mrp")
    assert one["value"] == pytest.approx(result.value)
    assert one["sd"] == pytest.approx(result.intervals.whole.value.sd)
    assert [each["system"] for each in one["runs"]] == [ALDER, BIRCH]
    brief = run("score", GOLD, f"tree={ALDER},{BIRCH}", BIRCH, "-m", "mrp", "-q").out
    assert brief.splitlines()[0].startswith("tree: mrp F1 0.835")
    assert " ± 0." in brief.splitlines()[0]
    assert "±" not in brief.splitlines()[1]
    table = run("score", GOLD, f"tree={ALDER},{BIRCH}", "-m", "mrp", "--table").out
    assert "(2 runs, 73 pairs" in table
    assert "  sd " in table
    rows = run("score", GOLD, f"tree={ALDER},{BIRCH}", "-m", "mrp", "--csv").out
    assert rows.splitlines()[0].endswith("f1_sd,value_sd")
    assert "no such file" in run("score", GOLD, "tree=nothing.mrp").err
    shutil.copy(ALDER, tmp_path / "a=b")
    named = run("score", GOLD, tmp_path / "a=b", "-m", "mrp", "--format", "mrp").json
    assert "runs" not in named
    assert bar_chart([result])


def test_command_line_compares_runs(run, tmp_path):
    options = "-m", "mrp", "--samples", "50"
    found = run("compare", GOLD, f"tree={ALDER},{BIRCH}", BIRCH, *options).json
    assert [each["system"] for each in found["systems"]] == ["tree", BIRCH]
    refused = run("errors", GOLD, f"tree={ALDER},{BIRCH}")
    assert "runs of a system go with score and compare" in refused.err
    store = tmp_path / "runs.db"
    for path in (GOLD, ALDER, BIRCH):
        run("ingest", store, path, "--as", path.rsplit("/", 1)[1].removesuffix(".mrp"))
    names = "--gold", "gold", "--system", "tree=alder,birch", "--system", "birch"
    again = run("compare", store, *names, *options).json
    assert again["systems"][0]["value"] == pytest.approx(found["systems"][0]["value"])
