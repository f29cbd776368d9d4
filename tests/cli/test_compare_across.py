"""``graphscore compare --across``."""

from __future__ import annotations

import csv
import io

import pytest

import graphscore
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "200")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store in which two systems were scored against gold."""
    path = str(tmp_path_factory.mktemp("across") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for name, file in (("gold", GOLD), ("alder", ALDER), ("birch", BIRCH)):
            runs.ingest(file, name)
        for name in ("alder", "birch"):
            runs.score("gold", name)
    return path


def test_across_frameworks_from_files_a_store_and_python(run, store):
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
    stored = run(
        "compare", store, "--gold", "gold", "--system", "alder", "--system", "birch",
        "--across", "frameworks", "--all", *QUICK,
    )  # fmt: skip
    found = graphscore.compare(store, gold="gold", across="frameworks", samples=200)
    assert found.to_dict() == stored.json
    assert found.across.to_dict() == stored.json["across"]
    for one, other in zip(
        across["systems"], stored.json["across"]["systems"], strict=True
    ):
        assert {**one, "system": ""} == {**other, "system": ""}


def test_across_frameworks_in_other_shapes_and_of_one_system(run, store):
    one = (
        *("compare", store, "--gold", "gold", "--system", "alder"),
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
    assert len(found["across"]["systems"]) == 5


def test_across_what_is_not_there(run):
    for name, said in (("bogus", "there are frameworks"), ("languages", "found none")):
        told = run("compare", GOLD, ALDER, BIRCH, "--across", name, *QUICK)
        assert told.code == 2
        assert said in told.err


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


def test_metrics_of_frameworks_of_their_own_are_told_together(run, tmp_path):
    paths = {}
    for name, wrong in (("gold", ()), ("a", (4,)), ("b", (1, 2))):
        paths[name] = tmp_path / f"{name}.conllu"
        paths[name].write_text(conllu(wrong), encoding="utf-8")
    # Basic and enhanced dependencies have metrics of their own.
    both = "compare", paths["gold"], paths["a"], paths["b"], "--across", "frameworks"
    joint = run(*both, *QUICK, "--json").json
    assert len(joint["results"]) == 2
    assert joint["across"]["metrics"] == {"eud": "elas", "ud": "udeval"}
    assert (joint["across"]["unit"], joint["across"]["items"]) == ("sentence", 6)
    assert joint["across"]["means"] == []
    assert run(*both, *QUICK, "--jsonl").lines[-1]["across"] == joint["across"]
