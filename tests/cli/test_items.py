import csv
import io
import sqlite3
from contextlib import closing

import pytest

from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD, record


def test_rows_are_the_f1_of_every_framework(run):
    scored = run("score", GOLD, BIRCH, "--per-item").json["items"]
    f1 = {(e["item"], e["framework"]): e["counts"]["all"] for e in scored}
    found = run("items", GOLD, BIRCH).json
    assert {(e["item"], name) for e in found for name in e["f1"]} == set(f1)
    for each in found:
        for name, value in each["f1"].items():
            count = f1[each["item"], name]
            if value is None:
                assert (count["gold"], count["system"]) == (0, 0)
            else:
                assert value == pytest.approx(count["f1"], rel=1e-12)
        told = [value for value in each["f1"].values() if value is not None]
        assert each["mean"] == sum(told) / len(told)
        assert each["best"] == max(told)


def test_the_worst_come_first(run):
    whole = run("items", GOLD, BIRCH).json
    means = [each["mean"] for each in whole]
    assert means == sorted(means)
    for option in ("--worst", "--top"):
        assert run("items", GOLD, BIRCH, option, "3").json == whole[:3]
    best = [each["best"] for each in run("items", GOLD, BIRCH, "--order", "best").json]
    assert best == sorted(best)


def test_items_that_all_frameworks_have(run):
    whole = run("items", GOLD, BIRCH).json
    shared = run("items", GOLD, BIRCH, "--shared").json
    most = max(len(each["f1"]) for each in whole)
    assert shared == [each for each in whole if len(each["f1"]) == most]
    assert 0 < len(shared) < len(whole)


def test_missing_items_have_nothing_and_empty_ones_come_last(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    empty = {"nodes": [], "edges": [], "tops": []}
    gold.write_text(
        record("1") + record("1", "eds", flavor=1) + record("2") + record("3", **empty)
    )
    system.write_text(record("1") + record("2") + record("3", **empty) + record("4"))
    found = run("items", gold, system).json
    assert [(each["item"], each["f1"], each["mean"]) for each in found] == [
        ("1", {"amr": 1.0, "eds": 0.0}, 0.5),
        ("2", {"amr": 1.0}, 1.0),
        ("3", {"amr": None}, None),
    ]


def test_a_table_has_a_column_per_framework(run):
    out = run("items", GOLD, BIRCH, ALDER, "--table", "--worst", "2", "--sql").out
    lines = out.splitlines()
    assert lines[0].split() == [
        *("system", "item", "amr", "dm", "eds", "psd", "ucca", "mean", "best"),
        *("gold", "errors", "text"),
    ]
    assert [line.split()[0] for line in lines[2:6]] == [
        "birch",
        "birch",
        "alder",
        "alder",
    ]
    assert "from v_items" in out


def test_a_table_says_of_one_framework_once_what_it_has(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1") + record("2"))
    system.write_text(record("1"))
    out = run("items", gold, system, "--table").out.splitlines()
    head, _, *rows = [line.split() for line in out[: out.index("")]]
    assert head == ["item", "amr", "gold", "errors", "text"]
    assert [row[:2] for row in rows] == [["2", "0.00"], ["1", "100.00"]]
    assert "most telling errors" in "\n".join(out)
    [first, *_] = run("items", gold, system).json
    names = ["system", "language", "document", "item", "f1", "mean", "best"]
    assert list(first) == [*names, "text", "gold_count", "errors", "telling"]
    assert len(first["telling"]) <= 3
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.mrp").write_text(record("1"))
    (folder / "b.mrp").write_text(record("2"))
    out = run("items", folder, folder, "--table").out.splitlines()
    assert out[0].split()[:3] == ["item", "document", "amr"]


def test_csv_has_full_precision(run):
    rows = list(csv.DictReader(io.StringIO(run("items", GOLD, BIRCH, "--csv").out)))
    for row, each in zip(rows, run("items", GOLD, BIRCH).json, strict=True):
        assert row["item"] == each["item"]
        assert float(row["mean"]) == each["mean"]


def test_a_store_answers_the_same(run, store):
    found = run("items", store, "--gold", "gold", "--system", "birch").json
    assert found == run("items", GOLD, BIRCH).json


def test_selection(run):
    found = run("items", GOLD, BIRCH, "--framework", "dm", "--item", "sample-09").json
    assert [(each["item"], list(each["f1"])) for each in found] == [
        ("sample-09", ["dm"])
    ]


def test_one_metric_at_a_time(run):
    found = run("items", GOLD, BIRCH, "-m", "mrp,mrp(order=free)")
    assert found.code == 2
    assert "one metric" in found.err


def test_python_answers_the_same(run, store):
    from graphscore.evaluation.store import Store

    wanted = {"gold": "gold", "system": "birch", "metric": "mrp"}
    found = run("items", store, "--gold", "gold", "--system", "birch").json
    confused = run(
        "errors", store, "--gold", "gold", "--system", "birch", "--confusions"
    ).json
    with Store(str(store)) as opened:
        scores = opened.item_scores(worst=4, **wanted)
        assert [(e.item, e.f1, e.mean) for e in scores.items] == [
            (e["item"], e["f1"], e["mean"]) for e in found[:4]
        ]
        answer = opened.confusions(**wanted)
        assert [dict(zip(answer.columns, row, strict=True)) for row in answer.rows] == (
            confused
        )


@pytest.mark.parametrize("gold", ["incidents.jsonl", "incidents.key"])
def test_where_nothing_pairs_the_rule_is_named_that_helps(run, gold):
    sides = DATA / "ie" / gold, DATA / "ie" / "incidents.predicted.json"
    for verb in ("items", "score"):
        found = run(verb, *sides, "-m", "gtt")
        assert found.code == 3
        assert "; give --ids muc4, under which ids are the same" in found.err
    listed = run("items", *sides, "-m", "gtt", "--ids", "muc4").json
    assert len(listed) == 3
    for each in listed:
        opened = run("show", each["item"], *sides, "-m", "gtt", "--ids", "muc4").json
        counted = opened["counts"]["all"]
        assert each["mean"] == (counted["f1"] if counted["gold"] else None)


def test_no_rule_is_named_that_would_not_help(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1"))
    system.write_text(record("20003008"))
    assert "give --ids" not in run("items", gold, system).err
    gold.write_text(record("wsj_0003.8"))
    assert "give --ids wsj," in run("items", gold, system).err


def test_a_damaged_store_is_named(run, store):
    assert run("items", store, "--gold", "gold", "--system", "birch").code == 0
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("update pair set language = x'00'")
        connection.commit()
    found = run("items", store, "--gold", "gold", "--system", "birch")
    assert found.code == 3
    assert f"{store}: is damaged: table pair" in found.err


def test_equal_items_are_in_the_order_of_their_numbers(run, tmp_path):
    gold = tmp_path / "gold.mrp"
    gold.write_text("".join(record(str(number)) for number in (10, 9, 1, 100)))
    assert [each["item"] for each in run("items", gold, gold).json] == [
        *("1", "9", "10", "100")
    ]
    groups = run("score", gold, gold, "--by", "item").json["groups"]
    assert [group["item"] for group in groups] == ["1", "9", "10", "100"]
