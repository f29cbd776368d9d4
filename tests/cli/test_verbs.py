import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD, hard, record

SIDES = ("--gold", "gold", "--system", "birch")


def test_metrics_lists_parameters_and_citation(run):
    found = run("metrics").json
    [mrp] = [each for each in found if each["name"] == "mrp"]
    assert {"name", "title", "unit", "parameters", "citation"} <= set(mrp)
    [order] = [each for each in mrp["parameters"] if each["name"] == "order"]
    assert order["default"] == "surface"
    assert order["choices"] == ["surface", "free"]
    assert run("metrics", "mrp").json == mrp
    assert "order" in run("metrics", "mrp", "--table").out
    assert run("metrics", "--csv").out.startswith("name,title,unit")
    assert run("metrics", "nonsense").code == 2


def test_formats_lists_what_can_be_read_and_written(run):
    [mrp] = [each for each in run("formats").json if each["name"] == "mrp"]
    assert mrp["read"]
    assert mrp["write"]
    assert ".mrp" in mrp["suffixes"]
    assert "read, write" in run("formats", "--table").out
    assert len(run("formats", "--jsonl").lines) == len(run("formats").json)


def test_validate_counts_frameworks(run):
    found = run("validate", GOLD)
    assert found.code == 0
    [file] = found.json["files"]
    assert file["format"] == "mrp"
    assert file["graphs"] == {"amr": 17, "dm": 15, "eds": 14, "psd": 14, "ucca": 13}
    assert found.json["problems"] == 0


def test_validate_counts_a_submission_beside_gold(run, tmp_path):
    submission = tmp_path / "team.mrp"
    lines = Path(GOLD).read_text("utf-8").splitlines(keepends=True)
    submission.write_text("".join([*lines[2:15], lines[14]]), encoding="utf-8")
    found = run("validate", submission, "--like", GOLD, "--csv")
    assert found.code == 3
    assert f"{submission},dm,15,13,2,0,1,0" in found.out
    assert "dm: 2 items of 15 missing: sample-01, sample-02" in found.err
    assert run("validate", BIRCH, "--like", GOLD).json["like"][-1]["missing"] == []
    assert run("validate", GOLD, "--like", GOLD).code == 0


def test_everyday_questions_have_names(run, tmp_path):
    runs = tmp_path / "runs.db"
    assert run("ingest", runs, GOLD, BIRCH, ALDER).code == 0
    run("score", runs, "--gold", "gold", "-m", "mrp")
    names = [each["name"] for each in run("query", runs, "--example").json]
    assert len(names) == 12
    [first, *_] = run("query", runs, "--example", "worst-everywhere").json
    assert (first["wrong"], first["systems"]) == (2, 2)
    assert "did you mean 'alone'" in run("query", runs, "--example", "alon").err
    assert run("query", runs).code == 2


def test_collections_are_named_by_files(run, tmp_path):
    runs, folder = tmp_path / "runs.db", DATA.name
    found = run("ingest", runs, GOLD, BIRCH).json
    assert [each["collection"] for each in found] == ["gold", "birch"]
    [found] = run("ingest", runs, BIRCH, "--as", "{parent}-{stem}").json
    assert found["collection"] == f"{folder}-birch"
    refused = run("ingest", runs, ALDER, "--as", "birch")
    assert refused.code == 3
    assert f"72 items that 'birch' has already from {BIRCH}" in refused.err
    assert len(refused.err.splitlines()) == 2
    assert run("ingest", runs, "-", stdin=Path(GOLD).read_text("utf-8")).code == 2


def test_validate_lists_the_first_twenty_problems_and_all_if_asked(run, tmp_path):
    file = tmp_path / "bad.mrp"
    # Each says something else: the top that is no node.
    records = [record(str(n), nodes=[], edges=[], tops=[n]) for n in range(25)]
    file.write_text("".join(records))

    def places(*more):
        err = run("validate", file, "--table", *more).err
        return [row for row in err.splitlines() if row.startswith(str(file))], err

    listed, err = places()
    assert len(listed) == 20
    assert "and 5 more; --all lists them" in err
    assert len(places("--all")[0]) == 25


def test_validate_reports_every_problem_with_its_place(run, tmp_path):
    bad = tmp_path / "bad.mrp"
    bad.write_text(record("1") + "{broken\n" + record("2", tops=[9]) + record("1"))
    found = run("validate", bad)
    assert found.code == 3
    [file] = found.json["files"]
    assert file["rejected"] == 2
    assert {each["line"] for each in file["problems"]} == {2, 3, 4}
    assert set(file["problems"][0]) == {
        "file",
        "line",
        "column",
        "where",
        "found",
        "expected",
        "guess",
        "nearest",
    }
    text = run("validate", bad, "--table")
    assert text.code == 3
    assert f"{bad}:2" in text.err
    assert f"{bad}:1" in text.err, "the first place of the duplicate"
    assert "amr" in text.out


def test_validate_goes_on_after_a_bad_file(run, tmp_path):
    empty = tmp_path / "empty.mrp"
    empty.write_text("")
    found = run("validate", tmp_path / "none.mrp", empty, GOLD)
    assert found.code == 3
    assert len(found.json["files"]) == 3
    assert found.json["files"][2]["problems"] == []


def test_validate_reads_standard_input(run):
    found = run("validate", "-", stdin=record("1"))
    assert found.code == 0
    assert found.json["files"][0]["file"] == "<stdin>"
    assert found.json["files"][0]["format"] == "mrp"


def test_show_sets_gold_beside_system(run):
    found = run("show", "sample-02", GOLD, BIRCH, "--framework", "amr").json
    assert found["item"] == "sample-02"
    assert found["proven"]
    assert found["text"].startswith("The old cat")
    assert {row["mark"] for row in found["edges"]} == {"=", "-", "+"}
    assert all(row["mark"] == "=" for row in found["nodes"])


def test_show_marks_account_for_every_error(run):
    for item in ("sample-01", "sample-05", "sample-11"):
        for each in run("show", item, GOLD, BIRCH).json:
            wrong = [
                piece
                for rows in (each["nodes"], each["edges"])
                for row in rows
                for side in ("gold", "system")
                if row[side]
                for piece in row[side]["pieces"]
                if not piece["matched"]
            ]
            assert len(wrong) == len(each["errors"])


def test_show_of_identical_graphs_marks_all_as_matched(run):
    for each in run("show", "sample-02", GOLD, GOLD).json:
        assert {row["mark"] for row in each["nodes"] + each["edges"]} == {"="}


def test_show_in_text_marks_without_colour(run):
    out = run("show", "sample-02", GOLD, BIRCH, "--framework", "dm", "--table").out
    assert "-want" in out
    assert "proven optimal" in out
    assert out.count("\n~ ") + out.count("\n= ") + out.count("\n- ") > 5


def test_show_shows_every_framework_unless_told(run):
    found = run("show", "sample-02", GOLD, BIRCH).json
    assert [each["framework"] for each in found] == ["dm", "psd", "eds", "ucca", "amr"]


def test_show_of_a_missing_system_graph(run):
    found = run("show", "sample-11", GOLD, BIRCH, "--framework", "ucca").json
    assert found["missing"]
    assert {row["mark"] for row in found["nodes"] + found["edges"]} == {"-"}


def test_show_in_flat_shapes(run):
    arguments = ("show", "sample-02", GOLD, BIRCH, "--framework", "amr")
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv").out)))
    assert {row["object"] for row in rows} == {"node", "edge"}
    assert run(*arguments, "--jsonl").lines == [run(*arguments).json]


def test_show_tells_what_is_not_there(run):
    found = run("show", "sample-77", GOLD, BIRCH)
    assert found.code == 3
    assert "sample-77" in found.err
    found = run("show", "sample-04", GOLD, BIRCH, "--framework", "psd")
    assert found.code == 3
    assert "amr" in found.err
    assert run("show", "sample-04", GOLD, ALDER, BIRCH).code == 0
    assert run("show", "sample-04", GOLD, BIRCH, "-m", "mrp,mrp(trim=anchor)").code == 2


def test_show_says_that_a_pair_is_unproven(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(hard("1", 24, 5))
    system.write_text(hard("1", 24, 7))
    arguments = ("show", "1", gold, system, "--limit", 1)
    assert not run(*arguments).json["proven"]
    assert "unproven" in run(*arguments, "--table").out


def test_show_follows_rewritten_ids(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("a"))
    system.write_text(record("x-a"))
    found = run("show", "a", gold, system, "--ids", "x-=>").json
    assert not found["missing"]


def test_show_from_a_store_equals_show_from_files(run, store):
    from_files = run("show", "sample-02", GOLD, BIRCH, "--framework", "eds").json
    found = run("show", "sample-02", store, *SIDES, "--framework", "eds")
    assert found.code == 0, found.err
    assert found.json == from_files | {"document": found.json["document"]}
    assert len(run("show", "sample-02", store, *SIDES).json) == 5
    assert run("show", "sample-77", store, *SIDES).code == 3
    assert run("show", "sample-04", store, *SIDES, "--framework", "psd").code == 3


def test_ingest_is_idempotent_and_says_so(run, tmp_path):
    path = tmp_path / "runs.db"
    first = run("ingest", path, GOLD, "--as", "gold")
    assert first.code == 0, first.err
    [report] = first.json
    assert report["graphs"] == 73
    assert report["frameworks"]["amr"] == 17
    assert not report["unchanged"]
    again = run("ingest", path, GOLD, "--as", "gold")
    assert again.json[0]["unchanged"]
    assert "nothing changed" in again.err
    assert "unchanged" in run("ingest", path, GOLD, "--as", "gold", "--csv").out


def test_ingest_refuses_bad_files_unless_it_shall_go_on(run, tmp_path):
    path, bad = tmp_path / "runs.db", tmp_path / "bad.mrp"
    bad.write_text(record("1") + "{broken\n")
    found = run("ingest", path, bad, "--as", "gold")
    assert found.code == 3
    assert f"{bad}:2" in found.err
    found = run("ingest", path, bad, "--as", "gold", "--keep-going")
    assert found.code == 0
    assert found.json[0]["rejected"] == 1


def test_ingest_refuses_a_clash_unless_it_shall_replace(run, tmp_path):
    path, one, two = (tmp_path / name for name in ("runs.db", "1.mrp", "2.mrp"))
    one.write_text(record("1"))
    two.write_text(record("1", tops=[1]))
    assert run("ingest", path, one, "--as", "gold").code == 0
    found = run("ingest", path, two, "--as", "gold")
    assert found.code == 3
    assert str(one) in found.err
    assert str(two) in found.err
    found = run("ingest", path, two, "--as", "gold", "--replace")
    assert found.json[0]["replaced"] == 1


def test_ingest_reads_standard_input(run, tmp_path):
    found = run("ingest", tmp_path / "runs.db", "-", "--as", "g", stdin=record("1"))
    assert found.json[0]["graphs"] == 1


def test_collections_lists_what_is_there(run, store):
    found = run("store", "list", store).json
    assert [each["name"] for each in found] == ["gold", "alder", "birch"]
    assert found[0]["frameworks"]["dm"] == 15
    assert "amr:17" in run("store", "list", store, "--table").out


def test_collections_says_how_large_the_store_is(run, store):
    line = run("store", "list", store).err
    assert re.fullmatch(
        rf"{store}: [\d.]+ [kM]B, of which graphs [\d.]+ [kM]B, "
        r"results [\d.]+ (bytes|[kM]B), free [\d.,]+ (bytes|[kM]B)\n",
        line,
    ), line
    assert run("store", "list", store, "--quiet").err == ""


def test_remove_takes_a_collection_out(run, store):
    found = run("store", "remove", store, "alder")
    assert found.code == 0, found.err
    assert found.err.startswith("removed alder: 73 graphs, 0 evaluations; cleared ")
    assert [each["name"] for each in run("store", "list", store).json] == [
        "gold",
        "birch",
    ]
    assert run("store", "remove", store, "alder").code == 2


def test_migrate_says_when_there_is_nothing_to_do(run, store):
    found = run("store", "migrate", store)
    assert found.code == 0
    said = f"{store} is up to date; cleared 0 results, 0 outdated evaluations\n"
    assert found.err == said
    assert run("store", "migrate", store.parent / "none.db").code == 3


def test_query_prints_rows_in_every_shape(run, store):
    sql = "select collection, count(*) as n from v_graphs group by 1 order by 1"
    assert run("query", store, sql).json == [
        {"collection": "alder", "n": 73},
        {"collection": "birch", "n": 73},
        {"collection": "gold", "n": 73},
    ]
    assert run("query", store, sql, "--csv").out.startswith("collection,n\nalder,73\n")
    assert len(run("query", store, sql, "--jsonl").lines) == 3
    assert "alder" in run("query", store, sql, "--table").out
    assert run("query", store, "-", stdin=sql).json[0]["n"] == 73


def test_query_has_a_value_for_everything_sql_gives(run, store):
    sql = "select 1 as a, 2 as a, null as b, x'00ff' as c, 9e999 as d"
    assert run("query", store, sql).json == [
        {"a": 1, "a_2": 2, "b": None, "c": "00ff", "d": None}
    ]
    assert run("query", store, "select 1 where 1 = 0").json == []
    assert "00ff" in run("query", store, sql, "--table").out


def test_query_cannot_write(run, store):
    for sql in ("delete from graph", "create table x (y)", "vacuum into 'copy.db'"):
        assert run("query", store, sql).code in (2, 3), sql
    assert run("query", store, "selec").code == 2


def test_query_answers_within_limits(store, run, start):
    sql = "select item, hex(zeroblob(10000)) as x from v_graphs order by 1"
    whole = run("query", store, sql, "--csv")
    cut = run("query", store, sql, "--csv", "--bytes", "1000000")
    assert (whole.code, cut.code) == (0, 3)
    assert len(cut.out) > 900_000
    assert whole.out.startswith(cut.out)
    assert "after 49 rows: the answer is longer than 1,000,000 bytes" in cut.err
    assert "--bytes" in cut.err
    sql = "select count(*) from (select replace(hex(zeroblob(50000000)), '0', '11'))"
    long = run("query", store, sql)
    assert long.code == 2
    assert "a value has 10,000,000 bytes at most" in long.err
    for most, code in (("999999", 2), ("20000000000", 0), ("20000000001", 2)):
        assert run("query", store, "select 1", "--bytes", most).code == code
    # Of a process of its own, as the memory of this one would stay bounded.
    columns = ", ".join(["hex(zeroblob(3900000))"] * 80)
    done = start("query", store, f"select {columns}", "--bytes", "160000000")
    assert (done.code, done.out) == (2, "")
    assert "needs more than 416,000,000 bytes of memory, which is the limit" in done.err
    assert run("store", "list", store).json[0]["graphs"] == 73


def test_files_that_are_no_store_are_refused(run, tmp_path):
    plain = tmp_path / "plain.db"
    plain.write_text("not a database")
    for verb in (["store", "list", plain], ["query", plain, "select 1"]):
        found = run(*verb)
        assert found.code == 3
        assert str(plain) in found.err
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("create table t (x)")
    assert run("store", "list", tmp_path / "other.db").code == 3
    assert run("store", "list", tmp_path / "none.db").code == 3


def test_errors_of_files_and_of_a_store_are_the_same(run, store):
    arguments = ("--tuple-type", "edges", "--framework", "dm", "--top", 5)
    from_files = run("errors", GOLD, BIRCH, *arguments)
    assert from_files.code == 0, from_files.err
    found = run("errors", store, *SIDES, *arguments)
    assert found.json == from_files.json
    assert len(found.json) == 5
    assert all(row["tuple_type"] == "edges" for row in found.json)
    counts = [row["errors"] for row in found.json]
    assert counts == sorted(counts, reverse=True)


def test_errors_add_up_to_what_did_not_match(run):
    rows = run(
        "errors", GOLD, BIRCH, "--top", 100000, "--by", "tuple_type,error_type"
    ).json
    counts = run("score", GOLD, BIRCH).json["counts"]
    for row in rows:
        count = counts[row["tuple_type"]]
        side = "gold" if row["error_type"] == "missing" else "system"
        assert row["errors"] == count[side] - count["matched"]


def test_errors_say_what_stands_there_instead(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1"))
    edge = {"source": 0, "target": 1, "label": "ARG1"}
    system.write_text(record("1", edges=[edge]))
    rows = run("errors", gold, system).json
    found = {(row["error_type"], row["value"]): row["instead"] for row in rows}
    assert found == {
        ("missing", "ARG0"): "ARG1 instead (1)",
        ("spurious", "ARG1"): "ARG0 instead (1)",
    }


def test_errors_can_be_filtered_and_grouped(run, store):
    by = ("--by", "framework,document,reason")
    rows = run("errors", store, *SIDES, *by, "--error-type", "missing").json
    assert set(rows[0]) == {"framework", "document", "reason", "errors"}
    rows = run("errors", store, *SIDES, "--item", "sample-08", "--document", "no").json
    assert rows == []
    assert run("errors", store, *SIDES, "--by", "colour").code == 2
    assert run("errors", store, *SIDES, "--tuple-type", "colour").code == 2
    assert run("errors", GOLD, BIRCH, "-m", "mrp,mrp(order=free)").code == 2


def test_errors_show_sql_that_can_be_asked(run, store):
    found = run("errors", store, *SIDES, "--top", 3, "--sql")
    statements = [each for each in found.err.split(";\n") if "select" in each]
    assert len(statements) == 1
    again = run("query", store, statements[0]).json
    assert {"tuple_type", "errors", "instead"} <= again[0].keys()
    columns = set(again[0])
    assert again == [{k: row[k] for k in columns} for row in found.json]
    table = run("errors", store, *SIDES, "--top", 3, "--sql", "--table")
    assert "from v_errors" in table.out


def test_errors_of_several_systems_name_them(run):
    rows = run("errors", GOLD, ALDER, BIRCH, "--top", 2).json
    assert [row["system"] for row in rows] == ["alder", "alder", "birch", "birch"]


def test_demo_makes_a_store_and_shows_everything(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run("demo")
    assert found.code == 0, found.err
    for word in (
        "alder",
        "birch",
        "ucca",
        "macro",
        "most frequent",
        "spurious: a tuple",
    ):
        assert word in found.out
    assert str(tmp_path / "graphscore-demo.db") in found.err
    assert "graphscore errors" in found.err
    assert (tmp_path / "graphscore-demo.db").exists()
    again = run("demo", "--json").json
    assert again["store"].endswith("graphscore-demo-2.db")
    assert [each["pairs"] for each in again["results"]] == [73, 73]
    assert len(again["errors"]) == 10


def test_demo_in_the_shape_that_is_asked_for(run, tmp_path):
    told = run("demo", "--store", tmp_path / "a.db", "--jsonl").out
    assert told.count("\n") == 1
    assert list(json.loads(told)) == ["store", "results", "errors", "sql"]
    table = run("demo", "--store", tmp_path / "b.db", "--csv").out
    rows = list(csv.DictReader(io.StringIO(table)))
    # They are those of score, of which each system is asked for.
    for name, file in (("alder", ALDER), ("birch", BIRCH)):
        asked = run("score", GOLD, file, "-m", "mrp", "--csv").out
        wanted = list(csv.DictReader(io.StringIO(asked)))
        own = [row for row in rows if row["system"] == name]
        sides = {"gold": "gold", "system": name}
        assert own == [row | sides for row in wanted]


def test_demo_does_not_touch_what_is_there(run, tmp_path):
    path = tmp_path / "mine.db"
    path.write_text("precious")
    assert run("demo", "--store", path).code == 2
    assert path.read_text() == "precious"


def test_what_the_demo_tells_to_type_works(run, tmp_path, monkeypatch):
    import shlex

    monkeypatch.chdir(tmp_path)
    said = run("demo").err
    commands = [line for line in said.splitlines() if line.startswith("  graphscore ")]
    assert len(commands) == 3
    for line in commands:
        found = run(*shlex.split(line)[1:])
        assert found.code == 0, found.err
        assert json.loads(found.out)


def test_bundled_sample_is_found():
    from graphscore.cli.commands.demo import sample_folder

    assert sample_folder() == DATA


@pytest.mark.parametrize("verb", ["score", "errors", "show"])
def test_a_plain_file_is_not_taken_for_a_store(run, verb):
    head = ["show", "sample-01"] if verb == "show" else [verb]
    assert run(*head, GOLD, *SIDES).code == 2
    found = run(*head, "no-such-store.db", *SIDES)
    assert found.code == 3
    assert "no such store" in found.err


def test_validate_tells_errors_from_warnings(run, tmp_path):
    file = tmp_path / "a.mrp"
    apart = record("1", edges=[])
    loose = record("2", "dm", flavor=0, nodes=[], edges=[], tops=[])
    file.write_text(apart + loose)
    found = run("validate", file)
    assert found.code == 3
    assert (found.json["errors"], found.json["warnings"]) == (1, 3)
    assert found.json["problems"] == 0, "both could be read"
    [first, *_] = found.json["files"][0]["findings"]
    assert first == {
        "severity": "error",
        "code": "amr-disconnected",
        "file": str(file),
        "line": 1,
        "framework": "amr",
        "item": "1",
        "node": 1,
        "edge": None,
        "message": "2 pieces, expected one",
    }
    assert [each["code"] for each in run("validate", file, "--jsonl").lines] == [
        "amr-disconnected",
        "isolated-node",
        "isolated-node",
        "empty-graph",
    ]


def test_validate_passes_with_warnings_alone(run, tmp_path):
    file = tmp_path / "a.mrp"
    file.write_text(record("1", "dm", flavor=0, nodes=[], edges=[], tops=[]))
    assert run("validate", file).code == 0


def test_validate_leaves_out_what_is_to_be_ignored(run, tmp_path):
    file = tmp_path / "a.mrp"
    file.write_text(record("1", edges=[]))
    codes = ("--ignore", "amr-disconnected", "--ignore", "no-top, isolated-node")
    found = run("validate", file, *codes)
    assert found.code == 0
    assert found.json["files"][0]["findings"] == []
    unknown = run("validate", file, "--ignore", "nope")
    assert unknown.code == 2
    assert "amr-disconnected" in unknown.err


def test_validate_prints_findings_beside_a_table(run, tmp_path):
    file = tmp_path / "a.mrp"
    file.write_text(record("1", edges=[]) + record("2", "eds", flavor=1))
    found = run("validate", file, "--csv")
    rows = [line.split(",")[2:] for line in found.out.splitlines()]
    assert rows[0] == ["framework", "graphs", "rejected", "errors", "warnings"]
    assert rows[1:] == [["amr", "1", "0", "1", "2"], ["eds", "1", "0", "2", "0"]]
    assert f"{file}:1: item 1: warning isolated-node" in found.err
    quiet = run("validate", file, "--csv", "-q")
    assert "error amr-disconnected" in quiet.err
    assert "warning" not in quiet.err


def test_validate_folds_what_is_equal_and_counts_codes(run, tmp_path):
    for name in ("a", "b"):
        text = "".join(record(f"{name}{n}", edges=[]) for n in range(3))
        (tmp_path / f"{name}.mrp").write_text(text)
    found = run("validate", tmp_path, "--csv")
    lines = found.err.splitlines()
    first = tmp_path / "a.mrp"
    assert [line for line in lines if "isolated-node" in line] == [
        f"{first}:1: item a0: warning isolated-node: no edge leads to or from it "
        "(node 0) (and 11 more of the kind)",
        "     12 isolated-node: warning, a node without edges beside others",
    ]
    assert [line.split(" (")[-1] for line in lines if "error amr" in line] == [
        "and 2 more like it)"
    ] * 2
    assert len(run("validate", tmp_path, "--csv", "-v").err.splitlines()) == 20
    assert run("validate", tmp_path).json["codes"] == {
        "isolated-node": 12,
        "amr-disconnected": 6,
    }


def test_validate_takes_each_argument_as_a_collection(run, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.mrp").write_text(record("1"))
    apart = run("validate", tmp_path / "a.mrp", tmp_path / "b.mrp")
    assert (apart.code, apart.json["problems"]) == (0, 0)
    together = run("validate", tmp_path)
    assert (together.code, together.json["codes"]) == (3, {"repeated-item": 1})


def test_validate_sees_what_only_the_whole_file_shows(run, tmp_path):
    file = tmp_path / "a.mrp"
    said = {"source": 0, "target": 1, "label": "ARG0-of", "normal": "ARG0"}
    silent = {"source": 0, "target": 1, "label": "ARG1-of"}
    file.write_text(record("1", edges=[silent]) + record("2", edges=[said]))
    [finding] = run("validate", file, "--jsonl").lines
    assert (finding["code"], finding["line"], finding["edge"]) == (
        "missing-normal",
        1,
        0,
    )


def test_validate_marks_what_cannot_be_read_and_what_is_repeated(run, tmp_path):
    file = tmp_path / "a.mrp"
    file.write_text(record("1") + "{\n" + record("1"))
    found = run("validate", file)
    codes = [each["code"] for each in found.json["files"][0]["findings"]]
    assert codes == ["unreadable", "repeated-item"]
    assert found.json["problems"] == found.json["errors"] == 2
