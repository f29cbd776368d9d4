"""``graphscore score --ci``."""

import csv
import io
import json
import random
from pathlib import Path

import pytest

from tests.cli.conftest import ALDER, BIRCH, GOLD

CI = ("--ci", "--samples", "200", "--seed", "7")
SIGNED = "|ci:bootstrap|samples:200|seed:7|unit:item|level:0.95"


def test_json_has_intervals_beside_what_was_there(run):
    plain = run("score", GOLD, ALDER, "-m", "mrp", "--json").json
    found = run("score", GOLD, ALDER, "-m", "mrp", "--json", *CI).json
    assert found["signature"] == plain["signature"] + SIGNED
    assert found["low"] < found["value"] < found["high"]
    told = found["intervals"]
    assert (told["unit"], told["units"]) == ("item", 73)
    assert (told["samples"], told["seed"], told["level"]) == (200, 7, 0.95)
    ends = told["counts"]["edges"]["recall"]
    assert ends["low"] < found["counts"]["edges"]["recall"] < ends["high"]
    assert told["scores"]["nodes.f1"]["low"] < found["scores"]["nodes.f1"]
    mean = found["macro_intervals"]["counts"]["edges"]["f1"]
    macro = found["macro_frameworks"]["counts"]["edges"]["f1"]
    assert mean["low"] < macro < mean["high"]
    for group in found["groups"]:
        assert group["low"] < group["value"] < group["high"]
        del group["value"], group["low"], group["high"], group["intervals"]
    for name in ("value", "low", "high", "intervals", "macro_intervals"):
        del found[name]
    assert {**found, "signature": plain["signature"]} == plain


def test_compare_gives_the_same_intervals(run):
    system = run("score", GOLD, ALDER, "-m", "mrp", "--json", *CI).json
    more = ("-m", "mrp", "--json", "--by", "framework", *CI[1:])
    found = run("compare", GOLD, ALDER, BIRCH, *more).json
    first = found["systems"][0]
    assert (first["low"], first["high"]) == (system["low"], system["high"])
    for group, slice_ in zip(system["groups"], found["groups"], strict=True):
        assert slice_["framework"] == group["framework"]
        first = slice_["systems"][0]
        assert (first["low"], first["high"]) == (group["low"], group["high"])


def test_jobs_stores_and_the_order_of_a_system_do_not_show(run, store, tmp_path):
    def intervals(*operands):
        found = run("score", *operands, "-m", "mrp", "--json", *CI)
        assert found.code == 0
        return [found.json["intervals"]["counts"], found.json["macro_intervals"]]

    files = intervals(GOLD, ALDER)
    assert intervals(GOLD, ALDER, "--jobs", "2") == files
    assert intervals(store, "--gold", "gold", "--system", "alder") == files
    # Once more, now from what is kept.
    assert intervals(store, "--gold", "gold", "--system", "alder") == files
    lines = Path(ALDER).read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    mixed = tmp_path / "mixed.mrp"
    mixed.write_text("".join(lines), encoding="utf-8")
    assert intervals(GOLD, mixed) == files


def test_a_store_keeps_signatures_without_draws(run, store):
    operands = (store, "--gold", "gold", "--system", "alder", "-m", "mrp", "--json")
    before = run("score", *operands).json
    run("score", *operands, *CI)
    assert run("score", *operands).json == {**before, "reused": before["pairs"]}


def test_csv_and_lines_have_ends(run):
    found = run("score", GOLD, ALDER, "-m", "mrp", "--csv", *CI)
    rows = list(csv.DictReader(io.StringIO(found.out)))
    plain = run("score", GOLD, ALDER, "-m", "mrp", "--csv").out
    names = plain.splitlines()[0].split(",")
    ends = [
        f"{name}_{end}"
        for name in ("precision", "recall", "f1", "value")
        for end in ("low", "high")
    ]
    assert list(rows[0]) == names + ends
    lines = run("score", GOLD, ALDER, "-m", "mrp", "--jsonl", *CI).lines
    assert all(line["signature"].endswith(SIGNED) for line in lines)
    by_name = {line["framework"]: line for line in lines}
    for row in rows:
        line = by_name[row["framework"]]
        told = line["intervals"]["counts"].get(row["tuple_type"])
        wanted = told["f1"] if told else {"low": None, "high": None}
        for end in ("low", "high"):
            assert row[f"f1_{end}"] == str("" if wanted[end] is None else wanted[end])
            assert float(row[f"value_{end}"]) == line[end]
    items = run("score", GOLD, ALDER, "-m", "mrp", "--csv", "--per-item", *CI).out
    assert all(row["f1_low"] == "" for row in csv.DictReader(io.StringIO(items)))


def test_tables_have_rows_and_columns_of_ends(run):
    whole = run("score", GOLD, ALDER, BIRCH, "-m", "mrp", "--json", *CI).json
    table = run("score", GOLD, ALDER, BIRCH, "-m", "mrp", "--table", "-v", *CI).out
    lines = [line.split() for line in table.splitlines()]
    [compared] = [place for place, line in enumerate(lines) if line[:1] == ["system"]][
        :1
    ]
    for result in whole["results"]:
        low, high = (f"{100 * result[end]:.2f}" for end in ("low", "high"))
        [place] = [
            place
            for place, line in enumerate(lines)
            if line[:2] == [result["system"], "mrp"] and len(line) > 4
        ]
        assert place > compared
        assert lines[place + 1][0] == "low"
        assert low in lines[place + 1]
        assert lines[place + 2][0] == "high"
        assert high in lines[place + 2]
        nodes = result["intervals"]["scores"]["nodes.f1"]
        shown = f"[{100 * nodes['low']:.2f}, {100 * nodes['high']:.2f}]"
        assert shown in table
    said = "200 bootstrap samples of 73 items, seed 7"
    assert table.count(said) == 3
    # Without the tables of each system it is said of the ends of both.
    brief = run("score", GOLD, ALDER, BIRCH, "-m", "mrp", "--table", *CI).out
    assert brief.count(said) == 1
    both = run("score", GOLD, ALDER, BIRCH, "-m", "mrp,smatch", "--table", *CI).out
    assert both.count(said) == 1
    tuple_types = run(
        "score", GOLD, ALDER, "-m", "mrp", "--table", "--by", "tuple_type", *CI
    ).out
    told = whole["results"][0]["intervals"]["counts"]["edges"]["f1"]
    [edges] = [line for line in tuple_types.splitlines() if line.startswith("edges ")]
    assert edges.split()[-2:] == [f"{100 * told[end]:.2f}" for end in ("low", "high")]
    assert "low" not in run("score", GOLD, ALDER, "--table", "--by", "tuple_type").out


def test_score_only_prints_the_ends_too(run):
    found = run("score", GOLD, ALDER, "-m", "mrp", "--score-only", *CI).out
    whole = run("score", GOLD, ALDER, "-m", "mrp", "--json", *CI).json
    value, low, high = map(float, found.split("\t"))
    assert (value, low, high) == (whole["value"], whole["low"], whole["high"])


def test_bars_have_lines_from_low_to_high(run, tmp_path):
    pytest.importorskip("altair")
    target = tmp_path / "bars.json"
    args = ("score", GOLD, ALDER, BIRCH, "-m", "mrp", "--json")
    whole = run(*args, "--plot", target, *CI).json
    drawn = json.loads(target.read_text())
    [rows] = drawn["datasets"].values() if "datasets" in drawn else [None]
    rows = rows or drawn["data"]["values"]
    for row, result in zip(rows, whole["results"], strict=True):
        assert row["low"] == pytest.approx(100 * result["low"])
        assert row["high"] == pytest.approx(100 * result["high"])
    assert [layer["mark"]["type"] for layer in drawn["layer"]] == ["bar", "errorbar"]
    run(*args, "--plot", target)
    assert "layer" not in json.loads(target.read_text())


def test_documents_are_drawn_together(run):
    rule = ("--document-regex", r"^(.*?-\d)")
    found = run("score", GOLD, ALDER, "-m", "mrp", "--json", *CI, *rule)
    drawn = run(
        "score", GOLD, ALDER, "-m", "mrp", "--json", *CI, *rule, "--cluster", "document"
    )
    assert drawn.json["intervals"]["unit"] == "document"
    assert drawn.json["intervals"]["units"] < found.json["intervals"]["units"]
    assert "unit:document" in drawn.json["signature"]


def test_one_item_has_no_interval(run):
    args = ("--item", "sample-01", "--framework", "dm")
    found = run("score", GOLD, ALDER, "-m", "mrp", "--json", *CI, *args)
    assert found.json["pairs"] == 1
    assert found.json["low"] is None
    assert "1 item: no intervals of fewer than two" in found.err
    table = run("score", GOLD, ALDER, "-m", "mrp", "--table", *CI, *args).out
    assert "\n  low" not in table


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--samples", "10"), "--samples goes with --ci"),
        (("--cluster", "document"), "--cluster goes with --ci"),
        (("--ci", "--samples", "0"), "--samples"),
        (("--ci", "--level", "1"), "--level"),
        (("--ci", "--seed", "-1"), "--seed"),
    ],
)
def test_wrong_use_is_refused(run, options, message):
    found = run("score", GOLD, ALDER, "-m", "mrp", *options)
    assert found.code == 2
    assert message in found.err


def test_attachment_scores_draw_sentences(run, tmp_path):
    words = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n\n"
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(words * 30)
    system.write_text((words + words.replace("dep", "obj")) * 15)
    args = ("score", gold, system, "-m", "las", "--json", *CI)
    found = run(*args).json
    assert (found["intervals"]["unit"], found["intervals"]["units"]) == ("sentence", 30)
    assert found["low"] < found["value"] == 0.75 < found["high"]
    compared = run("compare", gold, system, system, *args[3:5], "--json", *CI[1:]).json
    first = compared["systems"][0]
    assert (first["low"], first["high"]) == (found["low"], found["high"])
    whole = run(*args, "--cluster", "document")
    assert whole.json["low"] is None
    assert "1 document: no intervals of fewer than two" in whole.err
