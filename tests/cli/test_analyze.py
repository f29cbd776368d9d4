import csv
import io

import pytest

from tests.cli.conftest import ALDER, GOLD, record


def statistics(found):
    return {each["framework"]: each["statistics"] for each in found["frameworks"]}


def test_json_has_every_framework(run):
    found = run("analyze", GOLD).json
    assert set(found) == {
        "operands",
        "collection",
        "inverted",
        "rejected",
        "frameworks",
    }
    by = statistics(found)
    assert list(by) == ["amr", "dm", "eds", "psd", "ucca"]
    assert by["dm"]["noncrossing"] is not None
    assert by["amr"]["noncrossing"] is None
    for each in found["frameworks"]:
        total = sum(tuple_type["count"] for tuple_type in each["tuple_types"].values())
        for tuple_type in each["tuple_types"].values():
            assert tuple_type["share"] == tuple_type["count"] / total


def test_counts_are_those_of_the_store(run, store):
    from_store = run("analyze", store, "--collection", "gold").json
    from_file = run("analyze", GOLD).json
    assert from_store["frameworks"] == from_file["frameworks"]
    assert from_store["collection"] == "gold"
    sql = "select framework, count(*) as n from v_graphs where collection = 'gold' "
    asked = run("query", store, sql + "group by 1").json
    assert {row["framework"]: row["n"] for row in asked} == {
        name: each["graphs"] for name, each in statistics(from_file).items()
    }


def test_a_small_file_by_hand(run, tmp_path):
    path = tmp_path / "a.mrp"
    edges = [
        {"source": 0, "target": 1, "label": "ARG0"},
        {"source": 1, "target": 0, "label": "ARG1-of", "normal": "ARG1"},
    ]
    path.write_text(record("1") + record("2", edges=edges))
    kept = statistics(run("analyze", path).json)["amr"]
    assert (kept["graphs"], kept["trees"], kept["cyclic"]) == (2, 0.5, 0.5)
    turned = run("analyze", path, "--inverted", "turn").json
    assert statistics(turned)["amr"]["cyclic"] == 0.0
    cases = {each["framework"]: each["cases"] for each in turned["frameworks"]}
    assert cases["amr"]["inverted"] == {"count": 1, "share": 1 / 3}
    assert cases["amr"]["reentrancies"] == {"count": 1, "share": 1 / 3}


def test_table_has_frameworks_as_columns(run):
    out = run("analyze", GOLD, "--table").out
    head = next(row for row in out.splitlines() if row.startswith("property"))
    assert head.split() == ["property", "amr", "dm", "eds", "psd", "ucca"]
    assert "%g page number two" in out
    assert "special cases among the edges" in out


def test_csv_and_jsonl_say_the_same(run):
    lines = run("analyze", GOLD, "--jsonl").lines
    rows = list(csv.DictReader(io.StringIO(run("analyze", GOLD, "--csv").out)))
    assert [each["framework"] for each in lines] == sorted(
        {row["framework"] for row in rows}
    )
    for each in lines:
        mine = [row for row in rows if row["framework"] == each["framework"]]
        told = {r["name"]: r["value"] for r in mine if r["section"] == "statistics"}
        assert told == {
            name: "" if value is None else str(value)
            for name, value in each["statistics"].items()
        }


def test_only_one_framework(run):
    found = run("analyze", GOLD, "--framework", "dm", "--framework", "amr").json
    assert list(statistics(found)) == ["amr", "dm"]
    none = run("analyze", GOLD, "--framework", "xyz")
    assert none.code == 0
    assert none.json["frameworks"] == []
    assert "no graphs" in none.err


def test_several_files_are_one_collection(run):
    both = statistics(run("analyze", GOLD, ALDER).json)
    one, two = (statistics(run("analyze", file).json) for file in (GOLD, ALDER))
    for name, each in both.items():
        assert each["nodes"] == one[name]["nodes"] + two[name]["nodes"]


def test_each_collection_has_a_column_of_its_own(run, store):
    given = GOLD, ALDER
    found = run("analyze", *given, "--by", "collection").json["frameworks"]
    for path in given:
        mine = [{**each} for each in found if each["collection"] == path]
        assert {each.pop("collection") for each in mine} == {path}
        assert mine == run("analyze", path).json["frameworks"]
    assert [each["framework"] for each in found][:4] == ["amr", "amr", "dm", "dm"]
    args = ("--by", "collection", "--framework", "dm")
    out = run("analyze", *given, *args, "--table").out
    head = next(row for row in out.splitlines() if row.startswith("property"))
    assert head.split() == ["property", *given]
    rows = list(csv.DictReader(io.StringIO(run("analyze", *given, *args, "--csv").out)))
    assert {row["collection"] for row in rows} == {*given}
    named = ("--collection", "gold", "--collection", "alder")
    stored = run("analyze", store, *named, *args).json
    assert stored["collection"] == ["gold", "alder"]
    by_name = {each["collection"]: each["statistics"] for each in stored["frameworks"]}
    assert by_name["alder"] == statistics(run("analyze", ALDER).json)["dm"]
    both = statistics(run("analyze", store, *named, "--framework", "dm").json)["dm"]
    assert both["graphs"] == sum(each["graphs"] for each in by_name.values())


def test_the_same_file_twice_is_two_columns(run):
    found = run("analyze", GOLD, GOLD, "--by", "collection", "--framework", "dm").json
    one, two = found["frameworks"]
    assert one == two


def test_bad_records_are_reported_and_the_rest_is_analyzed(run, tmp_path):
    path = tmp_path / "a.mrp"
    path.write_text(record("1") + record("2", nodes=[{"label": "x"}]) + record("3"))
    found = run("analyze", path)
    assert found.code == 3
    assert found.json["rejected"] == 1
    assert statistics(found.json)["amr"]["graphs"] == 2
    assert f"{path}:2" in found.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["STORE"], "it holds: gold, alder, birch"),
        (["STORE", "--collection", "elm"], "elm"),
        (["STORE", GOLD], "is a store"),
        (["STORE", "--collection", "gold", "--format", "mrp"], "--format"),
        ([GOLD, "--collection", "gold"], "not one"),
    ],
)
def test_wrong_usage(run, store, arguments, message):
    given = [store if each == "STORE" else each for each in arguments]
    found = run("analyze", *given)
    assert found.code == 2
    assert message in found.err


ROLES = """\
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\t_
2\troad\troad\tNOUN\t_\t_\t0\troot\t_\t_\tA0
3\tthat\tthat\tPRON\t_\t_\t4\tnsubj\t_\t_\tR-A0
4\tleads\tlead\tVERB\t_\t_\t2\tacl:relcl\tY\tlead.01\t_
5\tdown\tdown\tADV\t_\t_\t4\tadvmod\t_\t_\tA4
6\tnow\tnow\tADV\t_\t_\t4\tadvmod\t_\t_\tC-A4

"""


def test_semantic_roles_have_shares_of_their_own(run, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(ROLES)
    found = statistics(run("analyze", path, "--format", "conllu-srl").json)["srl"]
    assert (found["predicates"], found["arguments"]) == (1, 4)
    assert found["continuations"] == found["references"] == 0.25
    out = run("analyze", path, "--format", "conllu-srl", "--table").out
    rows = [line.split() for line in out.splitlines()]
    assert ["%a", "C-X", "25.00"] in rows
    assert ["%a", "R-X", "25.00"] in rows
    # What exists for no framework of the table has no row.
    assert "noncrossing" not in out
    assert "C-X" not in run("analyze", GOLD, "--table").out
