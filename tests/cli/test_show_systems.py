"""One item of several systems."""

from __future__ import annotations

from tests.cli.conftest import ALDER, BIRCH, GOLD

ITEM = "show", "sample-09", GOLD
EDS = "--framework", "eds"


def test_the_text_is_there_once_and_only_what_differs(run):
    alone = [run(*ITEM, each, *EDS, "--table").out for each in (ALDER, BIRCH)]
    both = run(*ITEM, ALDER, BIRCH, *EDS, "--table").out
    assert both.count("We sing today because it rains.") == 1
    assert "alder.mrp: sample-09 (eds), mrp:" in both
    assert "birch.mrp: sample-09 (eds), mrp:" in both
    marks = ["=", "~", "-", "+"]
    for mark in marks:
        rows = [
            line.split()
            for text in alone
            for line in text.splitlines()
            if line.startswith(f"{mark} ") and "matched" not in line
        ]
        shown = [
            line.split()
            for line in both.splitlines()
            if line.startswith(f"{mark} ") and "matched" not in line
        ]
        assert rows
        assert shown == ([] if mark == "=" else rows)
    whole = run(*ITEM, ALDER, BIRCH, *EDS, "--table", "-v").out
    assert len(whole) > len(both)


def test_values_name_their_system(run):
    found = run(*ITEM, ALDER, BIRCH, *EDS).json
    assert [each.pop("system") for each in found] == [str(ALDER), str(BIRCH)]
    assert found == [run(*ITEM, each, *EDS).json for each in (ALDER, BIRCH)]
    head, *rows = run(*ITEM, ALDER, BIRCH, *EDS, "--csv").out.splitlines()
    assert head.startswith("system,framework,item")
    assert {row.partition(",")[0] for row in rows} == {str(ALDER), str(BIRCH)}


def test_systems_of_a_store(run, tmp_path):
    store = tmp_path / "runs.db"
    for path, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
        run("ingest", store, path, "--as", name)
    systems = "--system", "alder", "--system", "birch"
    out = run("show", "sample-09", store, "--gold", "gold", *systems, *EDS).json
    assert [each["system"] for each in out] == ["alder", "birch"]


def test_pictures_are_of_one_system(run, tmp_path):
    for option in (("--svg", tmp_path / "a.svg"), ("--explain",)):
        found = run(*ITEM, ALDER, BIRCH, *EDS, *option)
        assert found.code == 2
        assert "takes one system" in found.err
