"""Several references on the command line: files, stores, thresholds, intervals."""

from __future__ import annotations

import json
import shutil

import pytest

import graphscore
from graphscore import Selection
from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD, record

BOTH = f"{GOLD},{BIRCH}"
NEWS = str(DATA / "ie" / "news.iob2")
AMR = ("-m", "mrp", "--framework", "amr")


def test_files_a_store_and_python_say_the_same(run, tmp_path):
    store = tmp_path / "runs.db"
    for how in ("best", "mean"):
        asked = (*AMR, "--references", how, "--per-item", "--json")
        files = run("score", BOTH, ALDER, *asked)
        assert files.code == 0
        options = graphscore.Options(
            selection=Selection(frozenset({"amr"})), per_item=True, references=how
        )
        golds = graphscore.References(GOLD, BIRCH)
        python = graphscore.score(golds, ALDER, "mrp", options=options)
        assert python.to_dict(per_item=True) == files.json
        saved = run("score", BOTH, ALDER, *asked, "--save", store, "--replace")
        names = ("--gold", "gold,birch"), ("--gold", "gold", "--gold", "birch")
        kept = [
            run("score", store, *each, "--system", "alder", *asked) for each in names
        ]
        assert kept[0].json == kept[1].json
        assert "reused 17 of 17 against gold\n" in kept[0].err
        assert "reused 18 of 18 against birch\n" in kept[0].err
        for each in (saved.json, kept[0].json):
            assert each["pairs"] == 18
            assert each["counts"] == files.json["counts"]
            assert each["scores"] == files.json["scores"]
            for mine, other in zip(each["items"], files.json["items"], strict=True):
                if how == "best":
                    # Named after the files.
                    assert mine.pop("reference") in other.pop("reference")
                for one in (mine, other):
                    one.pop("document")
                assert mine == other


def test_the_contract(run):
    found = run("score", BOTH, ALDER, "-m", "mrp", "--json").json
    alone = [
        run("score", each, ALDER, "-m", "mrp", "--json").json
        for each in BOTH.split(",")
    ]
    told = found["references"]
    assert told["mode"] == "best"
    for mine, other in zip(told["golds"], alone, strict=True):
        assert mine["value"] == other["counts"]["all"]["f1"]
        assert (mine["pairs"], mine["signature"]) == (73, other["signature"])
    assert sum(each["chosen"] for each in told["golds"]) == found["pairs"] == 74
    assert "references:best|nrefs:2" in found["signature"]
    mean = run("score", BOTH, ALDER, "-m", "mrp", "--references", "mean", "--json").json
    assert "chosen" not in mean["references"]["golds"][0]
    for ratio in ("precision", "recall", "f1"):
        values = [each["counts"]["all"][ratio] for each in alone]
        assert mean["counts"]["all"][ratio] == pytest.approx(sum(values) / 2)


def test_one_gold_is_as_ever(run):
    plain = run("score", GOLD, ALDER, "-m", "mrp", "--json").out
    for how in ("best", "mean"):
        assert (
            run("score", GOLD, ALDER, "-m", "mrp", "--references", how, "--json").out
            == plain
        )


def test_a_file_with_a_comma_in_its_name_wins(run, tmp_path):
    odd, other = tmp_path / "a,b.mrp", tmp_path / "c.mrp"
    shutil.copy(GOLD, odd)
    shutil.copy(BIRCH, other)
    one = run("score", odd, ALDER, "-m", "mrp", "--json").json
    assert "references" not in one
    two = run("score", f"{other},{odd}", ALDER, "-m", "mrp", "--json").json
    golds = [each["gold"] for each in two["references"]["golds"]]
    assert golds == [str(other), str(odd)]
    pattern = run("score", tmp_path / "*,b.mrp", ALDER, "-m", "mrp", "--json").json
    assert pattern["counts"] == one["counts"]
    assert "references" not in pattern


def test_a_collection_with_a_comma_in_its_name_wins(run, tmp_path):
    store = str(tmp_path / "runs.db")
    with graphscore.Store(store, mode="create") as runs:
        for file, name in ((GOLD, "a,b"), (BIRCH, "c"), (ALDER, "s")):
            runs.ingest(file, name, keep_going=True)
    found = run(
        "score", store, "--gold", "c,a,b", "--system", "s", "-m", "mrp", "--json"
    )
    assert [each["gold"] for each in found.json["references"]["golds"]] == ["c", "a,b"]


def test_standard_input_is_one_of_the_references(run, start):
    with open(BIRCH, encoding="utf-8") as file:
        text = file.read()
    piped = start("score", f"{GOLD},-", ALDER, BIRCH, *AMR, "--json", stdin=text)
    files = run("score", BOTH, ALDER, BIRCH, *AMR, "--json").json
    for mine, other in zip(piped.json["results"], files["results"], strict=True):
        assert mine["counts"] == other["counts"]


def test_systems_are_ranked_and_compared(run):
    ranked = run("score", BOTH, ALDER, BIRCH, *AMR, "--json").json["ranking"]
    assert [each["system"] for each in ranked["systems"]] == [BIRCH, ALDER]
    for how in ("best", "mean"):
        asked = (*AMR, "--references", how, "--json")
        scores = run("score", BOTH, ALDER, BIRCH, *asked).json["results"]
        found = run("compare", BOTH, ALDER, BIRCH, *asked, "--samples", "20").json
        values = {each["system"]: each["value"] for each in found["systems"]}
        assert list(values.values()) == pytest.approx(
            [each["counts"]["all"]["f1"] for each in scores]
        )


def test_systems_of_a_store_are_compared_however_references_are_named(run, tmp_path):
    store = str(tmp_path / "runs.db")
    with graphscore.Store(store, mode="create") as runs:
        for name, file in (("gold", GOLD), ("birch", BIRCH), ("alder", ALDER)):
            runs.ingest(file, name)
    asked = ("--system", "alder", "--system", "birch", *AMR, "--samples", "20")
    names = ("--gold", "gold,birch"), ("--gold", "gold", "--gold", "birch")
    one, two = (run("compare", store, *each, *asked, "--json") for each in names)
    assert one.json == two.json
    values = [each["value"] for each in one.json["systems"]]
    files = run("compare", BOTH, ALDER, BIRCH, *AMR, "--samples", "20", "--json").json
    assert values == [each["value"] for each in files["systems"]]


def test_errors_cost_what_they_cost_against_the_references_that_were_chosen(
    run, tmp_path
):
    """A gold file that is made of the chosen graphs gives the same."""
    store, chosen = tmp_path / "runs.db", tmp_path / "chosen.mrp"
    scored = run("score", BOTH, ALDER, *AMR, "--per-item", "--json").json
    lines: list[str] = []
    for item in scored["items"]:
        with open(item["reference"], encoding="utf-8") as file:
            records = [line for line in file if json.loads(line)["id"] == item["item"]]
        lines += [line for line in records if json.loads(line)["framework"] == "amr"]
    chosen.write_text("".join(lines), encoding="utf-8")
    assert {each["reference"] for each in scored["items"]} == {GOLD, BIRCH}
    found = run("whatif", BOTH, ALDER, *AMR, "--json").json
    assert found == run("whatif", chosen, ALDER, *AMR, "--json").json
    assert found["value"] == scored["counts"]["all"]["f1"]
    assert found["classes"][0]["gain"] > 0
    run("score", BOTH, ALDER, *AMR, "--save", store)
    sides = ("--gold", "gold,birch", "--system", "alder")
    kept = run("whatif", store, *sides, *AMR, "--json")
    assert kept.json == found | {"system": "alder"}


def test_intervals_and_sweeps(run):
    asked = ("--ci", "--samples", "100")
    for how in ("best", "mean"):
        found = run(
            "score", BOTH, ALDER, "-m", "mrp", "--references", how, *asked, "--json"
        )
        assert found.json["low"] < found.json["value"] < found.json["high"]
    news = ("score", f"{NEWS},{NEWS}", NEWS, "--references", "mean", "--csv")
    swept = run(*news, "-m", "ner", "--sweep", "overlap=0:1:0.5")
    named = run(*news, "-m", "ner,ner(overlap=0.5),ner(overlap=1)")
    assert (swept.out, swept.code) == (named.out, 0)


def test_tables_say_what_was_made_of_the_references(run):
    sides = f"{GOLD},{ALDER}", BIRCH
    table = run("score", *sides, "-m", "mrp", "--per-item", "--table").out
    assert "birch.mrp against the best of " in table
    assert f"by {GOLD}" in table
    assert f"by {ALDER}" in table
    table = run(
        "score", BOTH, ALDER, "-m", "mrp", "--references", "mean", "--table"
    ).out
    assert "alder.mrp against the mean of " in table


def test_wrong_uses_are_one_clear_error(run, tmp_path):
    two = "only score, compare and whatif take several references"
    for verb in ("errors", "items"):
        found = run(verb, BOTH, ALDER)
        assert found.code == 2, verb
        assert two in found.err
    other = tmp_path / "other.mrp"
    other.write_text(record("zz"), encoding="utf-8")
    found = run("score", f"{GOLD},{other}", ALDER, *AMR)
    assert found.code == 3
    assert f"against {other}: nothing paired for mrp" in found.err
    found = run("score", f"{GOLD},,{BIRCH}", ALDER)
    assert (found.code, "before and after every comma" in found.err) == (2, True)
    found = run("score", f"{GOLD},nowhere.mrp", ALDER)
    assert (found.code, "nowhere.mrp: " in found.err) == (3, True)
    found = run("score", "no,where.mrp", ALDER)
    assert (found.code, "no,where.mrp: " in found.err) == (3, True)
    found = run("score", f"{GOLD},-", "-")
    assert (found.code, "named twice" in found.err) == (2, True)
    assert run("score", BOTH, ALDER, "--references", "worst").code == 2
    store = tmp_path / "runs.db"
    run("score", BOTH, ALDER, "-m", "mrp", "--save", store)
    found = run("score", store, "--gold", "gold,nobody", "--system", "alder")
    assert (found.code, "no collection 'nobody'" in found.err) == (2, True)
    found = run("errors", store, "--gold", "gold,birch", "--system", "alder")
    assert (found.code, two in found.err) == (2, True)
