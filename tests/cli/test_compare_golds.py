"""``graphscore compare --across`` and with two golds."""

from __future__ import annotations

import csv
import io
import json

import pytest

import graphscore
from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD

QUICK = ("--samples", "200")


@pytest.fixture(scope="module")
def corrected(tmp_path_factory):
    """The sample's gold without its first graph, with another label in the fourth."""
    lines = (DATA / "gold.mrp").read_text(encoding="utf-8").splitlines()[1:]
    fourth = json.loads(lines[2])
    fourth["nodes"][0]["label"] = "another"
    lines[2] = json.dumps(fourth)
    path = tmp_path_factory.mktemp("golds") / "corrected.mrp"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def golds(corrected, tmp_path_factory):
    """A store with both golds, scored against the old one."""
    path = str(tmp_path_factory.mktemp("golds") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        sides = {"gold": GOLD, "corrected": corrected, "alder": ALDER, "birch": BIRCH}
        for name, file in sides.items():
            runs.ingest(file, name, keep_going=True)
        for name in ("alder", "birch"):
            runs.score("gold", name)
    return path


def test_across_frameworks_from_files_a_store_and_python(run, golds):
    files = run("compare", GOLD, ALDER, BIRCH, "--across", "frameworks", *QUICK)
    across = files.json["across"]
    assert across["frameworks"] == ["amr", "dm", "eds", "psd", "ucca"]
    assert across["items"] == 7
    assert across["left_out"] == {"amr": 10, "dm": 8, "eds": 7, "psd": 7, "ucca": 6}
    assert "items that are not in all frameworks are left out" in files.err
    assert [(each["system"], each["framework"]) for each in across["systems"][4:6]] == [
        (ALDER, "ucca"),
        (BIRCH, "amr"),
    ]
    for each in across["systems"]:
        assert each["low"] <= each["value"] <= each["high"]
        assert each["rank_low"] <= each["rank"] <= each["rank_high"]
    assert len(across["correlations"]) == 30
    assert {each["system"] for each in across["correlations"]} == {ALDER, BIRCH, None}
    stored = run(
        "compare", golds, "--gold", "gold", "--system", "alder", "--system", "birch",
        "--across", "frameworks", *QUICK,
    )  # fmt: skip
    found = graphscore.compare(golds, gold="gold", across="frameworks", samples=200)
    assert found.to_dict() == stored.json
    assert found.across.to_dict() == stored.json["across"]
    for one, other in zip(
        across["systems"], stored.json["across"]["systems"], strict=True
    ):
        assert {**one, "system": ""} == {**other, "system": ""}


def test_across_frameworks_in_other_shapes_and_of_one_system(run, golds):
    one = (
        *("compare", golds, "--gold", "gold", "--system", "alder"),
        *("--across", "frameworks", *QUICK),
    )
    table = run(*one, "--table").out
    assert "mrp across frameworks, 7 items that 5 frameworks share" in table
    assert max(map(len, table.splitlines())) <= 80
    rows = list(csv.DictReader(io.StringIO(run(*one, "--csv").out)))
    assert [row["framework"] for row in rows] == [
        "amr", "dm", "eds", "psd", "ucca", "mean",
    ]  # fmt: skip
    found = run(*one, "--json").json
    assert (len(found["systems"]), found["pairs"]) == (1, [])
    assert len(found["across"]["pairs"]) == 10


def test_across_what_is_not_there(run):
    for name, said in (("bogus", "there are frameworks"), ("languages", "found none")):
        told = run("compare", GOLD, ALDER, BIRCH, "--across", name, *QUICK)
        assert told.code == 2
        assert said in told.err


def test_gold_that_changed_is_told_from_a_store(run, golds):
    both = ("compare", golds, "--gold", "gold", "--gold", "corrected", *QUICK)
    first = run(*both, "--json")
    assert first.code == 0
    # One graph of gold was changed and one taken out: one pair is new.
    assert first.err.count("reused 73 of 73") == 2
    assert first.err.count("reused 71 of 72") == 2
    found = first.json["gold"]
    assert (found["old"], found["new"]) == ("gold", "corrected")
    assert found["items"] == {"same": 71, "changed": 1, "added": 0, "removed": 1}
    for each in found["systems"]:
        assert each["change"] == each["new"] - each["old"]
        assert (each["rescored"], each["reused"]) == (1, 71)
        assert each["both"]["low"] <= each["both"]["change"] <= each["both"]["high"]
    assert [each["system"] for each in found["systems"]] == ["alder", "birch"]
    assert [each["status"] for each in found["changes"]] == ["changed", "removed"]
    again = run(*both, "--json")
    assert again.json == first.json
    assert again.err.count("reused 72 of 72") == 2


def test_gold_that_changed_is_told_from_files(run, golds, corrected):
    files = run(
        "compare", "--gold", GOLD, "--gold", corrected, ALDER, BIRCH, *QUICK, "--json"
    )
    stored = run(
        "compare", golds, "--gold", "gold", "--gold", "corrected",
        "--system", "alder", "--system", "birch", *QUICK, "--json",
    )  # fmt: skip
    assert files.json == stored.json


def test_gold_that_changed_in_other_shapes(run, golds):
    both = ("compare", golds, "--gold", "gold", "--gold", "corrected", *QUICK)
    table = run(*both, "--table").out
    assert "mrp: all.f1, old gold gold, new corrected" in table
    assert "items: 71 same, 1 changed, 0 added, 1 removed" in table
    assert "the ranking did not change" in table
    assert "removed  dm" in table
    assert "and 1 more" in run(*both, "--table", "--top", "1").out
    assert "whose gold differs" not in run(*both, "--table", "--top", "0").out
    assert max(map(len, table.splitlines())) <= 80
    rows = list(csv.DictReader(io.StringIO(run(*both, "--csv").out)))
    assert [(row["system"], row["gold_new"], row["rescored"]) for row in rows] == [
        ("alder", "corrected", "1"),
        ("birch", "corrected", "1"),
    ]
    several = run(*both, "-m", "mrp,smatch", "--json").json["results"]
    assert [each["metric"] for each in several] == ["mrp", "smatch"]
    lines = run(*both, "-m", "mrp,smatch", "--jsonl").lines
    assert lines == several


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--gold", "gold"), "--gold gold twice"),
        (("--gold", "corrected", "--gold", "alder"), "expected one, or the old and"),
        (("--gold", "corrected", "--across", "frameworks"), "--across goes with one"),
        (("--gold", "corrected", "--by", "framework"), "--by goes with one"),
        (("--gold", "corrected", "--fail-if-worse"), "--fail-if-worse goes with one"),
        (("--gold", "corrected", "--worse"), "--worse goes with one"),
        (("--gold", "bogus"), "bogus"),
    ],
)
def test_two_golds_and_wrong_use(run, golds, more, said):
    told = run("compare", golds, "--gold", "gold", *more, *QUICK)
    assert told.code == 2
    assert said in told.err
    assert not told.out


def test_two_golds_of_a_store_that_is_not_there(run, tmp_path):
    told = run("compare", tmp_path / "no.db", "--gold", "a", "--gold", "b")
    assert told.code == 3
    assert "no such store" in told.err


def test_bad_records_of_either_gold_are_refused(run, tmp_path):
    bad = tmp_path / "bad.mrp"
    bad.write_text("{\n", encoding="utf-8")
    for golds in ((bad, GOLD), (GOLD, bad)):
        told = run("compare", "--gold", golds[0], "--gold", golds[1], ALDER)
        assert told.code == 3
        assert "bad.mrp:1" in told.err


def conllu(wrong=()):
    """Two documents of three sentences; the numbers of some with a wrong head."""
    lines = []
    for number in range(6):
        if number % 3 == 0:
            lines.append(f"# newdoc id = d{number // 3}")
        head = 3 if number in wrong else 2
        lines += [
            f"# sent_id = s{number}",
            "# text = Dogs bark loudly",
            f"1\tDogs\tdog\tNOUN\t_\t_\t{head}\tnsubj\t2:nsubj\t_",
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t0:root\t_",
            "3\tloudly\tloudly\tADV\t_\t_\t2\tadvmod\t2:advmod\t_",
            "",
        ]
    return "\n".join(lines) + "\n"


def test_sentences_are_drawn_where_a_metric_sums_over_them(run, tmp_path):
    paths = {}
    for name, wrong in (("old", ()), ("new", (4,)), ("a", (4,)), ("b", (1, 2))):
        paths[name] = tmp_path / f"{name}.conllu"
        paths[name].write_text(conllu(wrong), encoding="utf-8")
    sides = "--gold", paths["old"], "--gold", paths["new"], paths["a"], paths["b"]
    found = run("compare", *sides, "-m", "las", *QUICK, "--json").json
    assert (found["unit"], found["units"]) == ("sentence", 6)
    assert found["gold"]["items"] == {"same": 1, "changed": 1, "added": 0, "removed": 0}
    a, b = found["gold"]["systems"]
    assert (a["old"], a["new"], a["rank_old"]) == (17 / 18, 1.0, 1)
    assert (b["old"], b["new"]) == (16 / 18, 15 / 18)
    assert a["both"]["low"] < a["change"] < a["both"]["high"]
    table = run("compare", *sides, "-m", "las", *QUICK, "--table").out
    assert "change over the 2 documents (6 sentences) of both golds" in table
    # Basic and enhanced dependencies have metrics of their own: told together.
    both = "compare", paths["old"], paths["a"], paths["b"], "--across", "frameworks"
    joint = run(*both, *QUICK, "--json").json
    assert len(joint["results"]) == 2
    assert joint["across"]["metrics"] == {"eud": "elas", "ud": "las"}
    assert (joint["across"]["unit"], joint["across"]["items"]) == ("sentence", 6)
    assert joint["across"]["means"] == joint["across"]["pairs"] == []
    assert run(*both, *QUICK, "--jsonl").lines[-1]["across"] == joint["across"]
