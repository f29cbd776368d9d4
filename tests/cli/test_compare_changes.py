"""What changed, in every shape of ``graphscore compare``."""

from __future__ import annotations

import csv
import io

import graphscore
from graphscore import Graph, Node
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "50")
FILES = ("compare", GOLD, ALDER, BIRCH, *QUICK)


def test_tables_show_units_tuple_types_and_tuples(run):
    out = run(*FILES, "--table").out
    assert "birch.mrp: 4 better and 64 worse" in out
    lines = out.splitlines()
    start = next(n for n, line in enumerate(lines) if "4 better" in line)
    units = lines[start + 3 : start + 13]
    assert units[0].split()[:5] == ["sample-16", "eds", "80.85", "100.00", "19.15"]
    assert units[0].endswith("The parcel doesn’t weigh 2 kilo…")
    assert [len(line.split()) > 4 for line in units] == [True] * 4 + [False] + [
        True
    ] * 5
    assert all(len(line) <= 80 for line in units)
    assert lines[start + 14] == "errors that are fixed, newly wrong, and still wrong"
    [total] = [line.split() for line in lines if line.startswith("all  ")]
    assert total == ["all", "190", "593", "66"]
    assert "fixed        edges       missing           ARG1       10" in lines


def test_one_direction_and_how_many(run):
    worse = run(*FILES, "--table", "--worse", "--top", "2").out
    assert ": 4 better and 64 worse" in worse
    assert worse.count("sample-") == 2
    assert "sample-16" not in worse
    assert "\nfixed " not in worse
    assert worse.count("\nnewly wrong ") == 2
    better = run(*FILES, "--json", "--better", "--top", "3").json["changes"]
    [changes] = better
    assert "worse" not in changes
    assert [each["item"] for each in changes["better"]] == [
        "sample-16",
        "sample-09",
        "sample-08",
    ]
    assert [each["status"] for each in changes["tuples"]] == ["fixed"] * 3


def test_json_holds_everything(run):
    found = run(*FILES, "--json").json
    [changes] = found["changes"]
    assert (changes["baseline"], changes["system"]) == (ALDER, BIRCH)
    assert (len(changes["better"]), len(changes["worse"])) == (4, 64)
    assert changes["better"][0]["text"] == "The parcel doesn’t weigh 2 kilograms."
    for status in ("fixed", "broken", "still"):
        of_status = [each for each in changes["tuples"] if each["status"] == status]
        by_tuple_type = sum(each[status] for each in changes["tuple_types"])
        assert (
            sum(each["errors"] for each in of_status)
            == by_tuple_type
            == changes[status]
        )
    values = {
        each["item"]: each for each in found["items"] if each["framework"] == "eds"
    }
    first = changes["better"][0]
    assert values[first["item"]]["values"] == {
        ALDER: first["baseline"],
        BIRCH: first["system"],
    }
    assert values[first["item"]]["difference"] == -first["change"]


def test_nothing_is_found_out_without_units(run):
    found = run(*FILES, "--json", "--top", "0").json
    assert "changes" not in found
    assert "fixed" not in run(*FILES, "--table", "--top", "0").out


def test_csv_of_units_where_they_are_asked_for(run):
    rows = list(csv.DictReader(io.StringIO(run(*FILES, "--csv", "--top", "2").out)))
    assert [each["item"] for each in rows[:2]] == ["sample-16", "sample-09"]
    assert len(rows) == 4
    assert rows[0]["baseline_system"] == ALDER
    assert float(rows[0]["change"]) > 0 > float(rows[2]["change"])
    plain = run(*FILES, "--csv").out
    assert plain.startswith("metric,score,unit")


def test_a_store_says_what_its_view_says(run, tmp_path):
    path = str(tmp_path / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
        for name in ("alder", "birch"):
            runs.score("gold", name)
        _, rows = runs.query(
            "select tuple_type, error_type, "
            "sum(case status when 'fixed' then errors else 0 end), "
            "sum(case status when 'broken' then errors else 0 end), "
            "sum(case status when 'still' then errors else 0 end) from v_changes "
            "where baseline = 'birch' and system = 'alder' group by 1, 2"
        )
        stored = set(rows)
    found = run("compare", path, "--baseline", "birch", *QUICK, "--json").json
    [changes] = found["changes"]
    assert {tuple(each.values()) for each in changes["tuple_types"]} == stored


def test_nothing_in_a_text_acts_on_a_terminal(run, tmp_path):
    def corpus(label):
        text = "red \x1b[31m\nand\u202e more"
        return [Graph("1\x07", "amr", 2, text=text, nodes=(Node(0, label),), tops=(0,))]

    path = str(tmp_path / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for name, label in (("gold", "a"), ("one", "a"), ("two", "b\x1b")):
            runs.add(corpus(label), name)
    out = run("compare", path, "--gold", "gold", "--system", "one", "--system", "two",
              *QUICK, "--table").out  # fmt: skip
    assert "red \\x1b[31m\\nand\\u202e more" in out
    assert "b\\x1b" in out
    assert not set("\x1b\x07\u202e") & set(out)
