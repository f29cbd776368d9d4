import csv
import gzip
import io
import json
import os
import sqlite3
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from graphscore import LossWarning, score
from tests.cli.conftest import ALDER, BIRCH, DATA, GOLD, hard, record

CONTRACT = {
    "metric",
    "signature",
    "main",
    "pairs",
    "missing_system",
    "spurious_system",
    "rejected",
    "proven",
    "reused",
    "counts",
    "scores",
    "groups",
    "macro_frameworks",
    "macro_classes",
    "scope",
}


def test_json_of_one_result_is_the_contract(run):
    found = run("score", GOLD, BIRCH).json
    assert set(found) == CONTRACT
    assert "items" not in found
    count = {"gold", "system", "matched", "precision", "recall", "f1"}
    assert set(found["counts"]["edges"]) == count
    assert [group["framework"] for group in found["groups"]] == [
        "amr",
        "dm",
        "eds",
        "psd",
        "ucca",
    ]
    assert found["proven"] == found["pairs"] == 73
    assert found["missing_system"] == found["spurious_system"] == 1


def test_groups_add_up_to_the_whole(run):
    found = run("score", GOLD, BIRCH, "--by", "framework,document").json
    for tuple_type, count in found["counts"].items():
        for name in ("gold", "system", "matched"):
            assert count[name] == sum(
                g["counts"][tuple_type][name] for g in found["groups"]
            )


def test_items_come_with_per_item(run):
    found = run("score", GOLD, ALDER, "--per-item").json
    assert len(found["items"]) == 73
    wanted = {"framework", "language", "item", "document", "counts", "proven", "bound"}
    assert wanted <= set(found["items"][0])


def test_several_systems_give_results(run):
    found = run("score", GOLD, ALDER, BIRCH).json
    assert [each["system"] for each in found["results"]] == [ALDER, BIRCH]


def test_several_metrics_give_results(run):
    names = ["mrp", "mrp(order=free,edges=unlabeled)"]
    found = run("score", GOLD, ALDER, "-m", ",".join(names), "-m", "mrp").json
    assert [each["metric"] for each in found["results"]] == names


def test_identical_files_score_one(run):
    assert run("score", GOLD, GOLD, "--score-only").out == "1.0\n"


def test_score_only_names_several_systems(run):
    f1 = {each: run("score", GOLD, each, "--score-only").out for each in (ALDER, BIRCH)}
    found = run("score", GOLD, ALDER, BIRCH, "--score-only").out
    assert found == "".join(f"{name}\t{line}" for name, line in f1.items())
    both = run("score", GOLD, ALDER, BIRCH, "-m", "mrp,edm", "--score-only").out
    named = [line.split("\t")[:2] for line in both.splitlines()]
    assert named == [[system, name] for system in f1 for name in ("mrp", "edm")]
    alone = run("score", GOLD, ALDER, "-m", "mrp,edm", "--score-only").out
    assert [len(line.split("\t")) for line in alone.splitlines()] == [1, 1]


def test_failed_thresholds_are_said_under_quiet(run):
    found = run("score", GOLD, BIRCH, "--fail-under", "0.99", "-q")
    assert found.code == 1
    [line] = found.err.splitlines()
    assert line.startswith(f"{BIRCH} (mrp): F1 is 0.76")
    assert line.endswith("under 0.99")
    assert run("score", GOLD, BIRCH, "--fail-under", "0.1", "-q").err == ""


def test_numbers_are_not_rounded(run):
    whole = run("score", GOLD, BIRCH).json["counts"]["all"]
    assert whole["f1"] == 2 * whole["matched"] / (whole["gold"] + whole["system"])
    assert float(run("score", GOLD, BIRCH, "--score-only").out) == whole["f1"]


def test_table_has_frameworks_totals_and_blank_inapplicable_cells(run):
    found = run("score", GOLD, BIRCH, "--table")
    rows = {line.split()[0]: line for line in found.out.splitlines() if line.strip()}
    assert {"framework", "amr", "dm", "eds", "psd", "ucca", "all", "macro"} <= set(rows)
    head = rows["framework"]
    place = head.index("labels")
    assert rows["ucca"][place : place + len("labels")].strip() == ""
    assert rows["dm"][place : place + len("labels")].strip() != ""
    f1 = run("score", GOLD, BIRCH).json["counts"]["all"]["f1"]
    assert rows["all"].endswith(f"{100 * f1:.2f}")


def test_places_rule_tables(run):
    f1 = run("score", GOLD, BIRCH).json["counts"]["all"]["f1"]
    assert (
        f"{100 * f1:.5f}" in run("score", GOLD, BIRCH, "--table", "--decimals", 5).out
    )


def test_table_of_tuple_types_shows_amounts(run):
    out = run("score", GOLD, BIRCH, "--table", "--by", "framework,tuple_type").out
    assert "matched" in out.splitlines()[1]
    whole = run("score", GOLD, BIRCH).json["counts"]["all"]
    last = out.splitlines()[-1].split()
    assert last[:4] == ["all", "all", str(whole["gold"]), str(whole["system"])]


def test_several_systems_are_compared_in_a_last_table(run):
    out = run("score", GOLD, ALDER, BIRCH, "--table").out
    assert "F1 of all" in out


def test_jsonl_is_one_line_per_group(run):
    found = run("score", GOLD, ALDER, BIRCH, "--jsonl").lines
    assert len(found) == 10
    assert found[0]["system"] == ALDER
    assert found[0]["framework"] == "amr"
    assert len(run("score", GOLD, ALDER, "--jsonl", "--per-item").lines) == 73


def test_csv_is_flat(run):
    out = run("score", GOLD, BIRCH, "--csv", "--by", "framework,tuple_type").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 5 * 7
    edges = [row for row in rows if row["tuple_type"] == "edges"]
    assert {row["framework"] for row in edges} == {"amr", "dm", "eds", "psd", "ucca"}
    whole = run("score", GOLD, BIRCH).json["counts"]["edges"]["matched"]
    assert sum(int(row["matched"]) for row in edges) == whole


def test_by_tuple_type_alone_is_the_total(run):
    rows = list(
        csv.DictReader(
            io.StringIO(run("score", GOLD, BIRCH, "--csv", "--by", "tuple_type").out)
        )
    )
    assert [row["tuple_type"] for row in rows][-1] == "all"
    assert len(rows) == 7


def test_losses_are_said_in_the_words_of_python(run, tmp_path):
    broken = tmp_path / "broken.mrp"
    broken.write_bytes(b"".join(Path(BIRCH).read_bytes().splitlines(True)[:5]) + b"{")
    with pytest.warns(LossWarning) as caught:
        notes = score(GOLD, str(broken), "mrp").notes
    assert {str(each.message) for each in caught} <= {*notes}
    with warnings.catch_warnings():
        # Nothing is said twice: warnings are Python's own way.
        warnings.simplefilter("error")
        said = run("score", GOLD, broken, "-m", "mrp").err.splitlines()
    bad, empty = notes[-2:]
    sentence, _, first = bad.partition("; first ")
    at = said.index(sentence)
    assert said[at + 1 : at + 3] == [first, empty]


def test_quiet_prints_a_line_per_system(run):
    found = run("score", GOLD, ALDER, BIRCH, "-m", "mrp,edm", "-q")
    first, second = found.out.splitlines()
    assert first.startswith(f"{ALDER}: mrp F1 0.909348, edm F1 0.8")
    assert second.startswith(f"{BIRCH}: mrp F1 0.7")
    assert (found.code, found.err) == (0, "")


def test_a_threshold_in_a_pipe_prints_the_same_lines_and_json_brings_json_back(run):
    args = "score", GOLD, ALDER, BIRCH, "--fail-under", "0.9"
    found = run(*args)
    assert found.code == 1
    assert found.out == run(*args, "-q").out
    assert len(found.out.splitlines()) == 2
    assert len(run(*args, "--json").json["results"]) == 2
    assert run(*args, "--csv").out.startswith("gold,")


def test_talk_goes_to_stderr(run):
    found = run("score", GOLD, BIRCH)
    assert "sample-99" in found.err
    assert "without a system graph" in found.err
    assert json.loads(found.out)
    assert run("score", GOLD, BIRCH, "--quiet").err == ""


def test_absent_framework_is_named(run, tmp_path):
    system = tmp_path / "amr.mrp"
    lines = (DATA / "alder.mrp").read_text(encoding="utf-8").splitlines(True)
    amr = [line for line in lines if '"framework": "amr"' in line]
    system.write_text("".join(amr), encoding="utf-8")
    assert "no dm graphs at all" in run("score", GOLD, system).err


def test_selection_filters_both_sides(run):
    found = run("score", GOLD, BIRCH, "--framework", "dm", "--framework", "psd").json
    assert [group["framework"] for group in found["groups"]] == ["dm", "psd"]
    found = run("score", GOLD, BIRCH, "--item", "sample-01").json
    assert found["pairs"] == 5


def test_documents_follow_the_rule(run, tmp_path):
    groups = run(
        "score", GOLD, ALDER, "--by", "document", "--document", r"sample-(\d)"
    ).json["groups"]
    assert {group["document"] for group in groups} == {"0", "1"}
    table = tmp_path / "documents.tsv"
    table.write_text("sample-01\tfirst\n")
    groups = run(
        "score", GOLD, ALDER, "--by", "document", "--document-map", table
    ).json["groups"]
    assert "first" in {group["document"] for group in groups}


def test_order_and_rewritten_ids_pair(run, tmp_path):
    gold, system = tmp_path / "g.mrp", tmp_path / "s.mrp"
    gold.write_text(record("a") + record("b"))
    system.write_text(record("x-a") + record("x-b"))
    assert run("score", gold, system).code == 3
    assert run("score", gold, system, "--pair", "order", "--score-only").out == "1.0\n"
    rule = "x-(.*)=>\\1"
    assert run("score", gold, system, "--ids", rule, "--score-only").out == "1.0\n"


def test_thresholds(run):
    assert run("score", GOLD, BIRCH, "--fail-under", "0.1").code == 0
    found = run("score", GOLD, BIRCH, "--fail-under", "0.99", "--json")
    assert found.code == 1
    assert "under 0.99" in found.err
    assert found.json["pairs"] == 73
    thresholds = ["--fail-under", "0.1", "--fail-under", "edges.precision=0.9"]
    assert run("score", GOLD, BIRCH, *thresholds).code == 1
    assert run("score", GOLD, GOLD, "--fail-under", "1", "-q").code == 0
    assert run("score", GOLD, BIRCH, "--fail-under", "nodes.f1=0.1").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["score"],
        ["score", GOLD],
        ["score", GOLD, ALDER, "--gold", "gold"],
        ["score", "-", "-"],
        ["score", GOLD, ALDER, "-m", "nonsense"],
        ["score", GOLD, ALDER, "-m", "mrp(order=sideways)"],
        ["score", GOLD, ALDER, "-m", " , "],
        ["score", GOLD, ALDER, "--by", "colour"],
        ["score", GOLD, ALDER, "--fail-under", "good"],
        ["score", GOLD, ALDER, "--fail-under", "80"],
        ["score", GOLD, ALDER, "--fail-under", "=0.5"],
        ["score", GOLD, ALDER, "--fail-under", "colour=0.5"],
        ["score", GOLD, ALDER, "--fail-under", "nan"],
        ["score", GOLD, ALDER, "--replace"],
        ["score", GOLD, ALDER, "--format", "nonsense"],
        ["score", GOLD, ALDER, "--document", "("],
        ["score", GOLD, ALDER, "--document", "x", "--document-map", "y"],
        ["score", GOLD, ALDER, "--ids", "nonsense"],
        ["score", GOLD, ALDER, "--jobs", "0"],
        ["score", GOLD, ALDER, "--limit", "0"],
        ["nonsense"],
    ],
)
def test_wrong_usage_exits_two(run, arguments):
    found = run(*arguments)
    assert found.code == 2
    assert found.out == ""
    assert found.err


def test_bad_gold_exits_three_and_names_every_problem(run, tmp_path):
    gold = tmp_path / "gold.mrp"
    gold.write_text(record("1") + "{broken\n" + record("2", tops=[9]))
    found = run("score", gold, ALDER)
    assert found.code == 3
    assert f"{gold}:2" in found.err
    assert f"{gold}:3" in found.err
    assert found.out == ""


def test_bad_system_record_is_counted_and_strict_refuses(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1") + record("2"))
    system.write_text(record("1") + "{broken\n")
    found = run("score", gold, system)
    assert found.code == 0
    assert found.json["rejected"] == 1
    assert found.json["missing_system"] == 1
    assert f"{system}:2" in found.err
    assert run("score", gold, system, "--strict").code == 3
    assert run("score", gold, system, "--strict", "--fail-under", "1").code == 3


def test_only_the_first_problems_are_listed(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1"))
    system.write_text(record("1") + "{broken\n" * 30)
    found = run("score", gold, system)
    assert found.err.count(f"\n{system}:") == 20
    assert "and 10 more" in found.err


def test_missing_file_exits_three(run, tmp_path):
    found = run("score", GOLD, tmp_path / "none.mrp")
    assert found.code == 3
    assert "no such file" in found.err


def test_messages_do_not_act_on_the_terminal(run, tmp_path):
    system = tmp_path / "system.mrp"
    system.write_text(record("sample-01") + record("1\x1b[31m", tops=["\x1b[2J"]))
    found = run("score", GOLD, system)
    assert "\x1b" not in found.err + found.out


def test_unproven_pairs_exit_four(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(hard("1", 24, 5))
    system.write_text(hard("1", 24, 7))
    found = run("score", gold, system, "--limit", 1)
    assert found.code == 4
    assert found.json["proven"] == 0
    assert "unproven" in found.err
    assert "unproven" in run("score", gold, system, "--limit", 1, "--table").out
    one = run("score", gold, system, "--limit", 1, "--fail-under", "1")
    assert one.code == 1


def test_standard_input_is_a_side(run):
    with open(BIRCH, encoding="utf-8") as file:
        text = file.read()
    found = run("score", GOLD, "-", "--score-only", stdin=text)
    assert found.out == run("score", GOLD, BIRCH, "--score-only").out
    assert (
        json.loads(run("score", GOLD, "-", "--jsonl", stdin=text).out.splitlines()[0])[
            "system"
        ]
        == "<stdin>"
    )


def test_compressed_files_directories_and_patterns(run, tmp_path):
    folder = tmp_path / "system"
    folder.mkdir()
    with open(BIRCH, encoding="utf-8") as file:
        lines = file.readlines()
    with gzip.open(folder / "1.mrp.gz", "wt", encoding="utf-8") as first:
        first.writelines(lines[:30])
    (folder / "2.mrp").write_text("".join(lines[30:]), encoding="utf-8")
    whole = run("score", GOLD, BIRCH, "--score-only").out
    assert run("score", GOLD, folder, "--score-only").out == whole
    assert run("score", GOLD, f"{folder}/*", "--score-only").out == whole


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipes_are_read_like_files(start, tmp_path):
    from threading import Thread

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = (DATA / "gold.mrp").read_text(encoding="utf-8")
    writer = Thread(target=lambda: pipe.write_text(text, encoding="utf-8"))
    writer.start()
    found = start("score", pipe, ALDER, "--score-only")
    writer.join()
    assert found.code == 0, found.err
    assert float(found.out) > 0.5


def test_output_is_equal_for_any_number_of_workers(start):
    arguments = ("score", GOLD, BIRCH, ALDER, "--per-item", "-m", "mrp,mrp(order=free)")
    one = start(*arguments, "--jobs", 1)
    two = start(*arguments, "--jobs", 2, PYTHONHASHSEED="1")
    env = start(*arguments, GRAPHSCORE_JOBS="2")
    assert one.code == 0
    assert one.out == two.out == env.out
    assert one.err == two.err


def test_files_are_scored_without_sqlalchemy(start):
    program = (
        "import sys\n"
        "from graphscore.cli.main import cli\n"
        f"cli(['score', {GOLD!r}, {ALDER!r}, '--table'], standalone_mode=False)\n"
        "assert not {'sqlalchemy', 'alembic'} & set(sys.modules)\n"
    )
    found = start("-c", program, python=True)
    assert found.code == 0, found.err


def test_store_gives_what_files_give(run, store):
    from_files = run("score", GOLD, BIRCH, "--per-item").json
    found = run("score", store, "--gold", "gold", "--system", "birch", "--per-item")
    assert found.code == 0, found.err
    for name in ("counts", "scores", "groups", "macro_frameworks", "pairs"):
        assert found.json[name] == from_files[name]
    assert len(found.json["items"]) == len(from_files["items"])


def test_second_scoring_reuses_everything_and_says_so(run, store):
    arguments = ("score", store, "--gold", "gold", "--system", "birch")
    assert run(*arguments).json["reused"] == 0
    found = run(*arguments)
    assert found.json["reused"] == 73
    assert "reused 73 of 73" in found.err
    # Nothing is to be done: a store that nobody may write will do.
    with closing(sqlite3.connect(f"file:{store}?mode=rw", uri=True)) as busy:
        busy.execute("begin immediate")
        assert run("errors", store, "--system", "birch", "--top", "1").code == 0
        assert run("items", store, "--system", "birch", "--worst", "1").code == 0
        new = ("--system", "birch", "--ids", "wsj", "--wait", "0")
        assert run("score", store, *new).code == 3
        busy.rollback()
    # Scored against one gold collection only: it goes without saying now.
    assert run("errors", store, "--system", "birch", "--top", "1").code == 0
    assert run("errors", store, "--system", "alder", "--top", "1").code == 2


def test_store_without_collections_names_what_is_there(run, store):
    found = run("score", store)
    assert found.code == 2
    assert "gold, alder, birch" in found.err
    assert run("score", store, "--gold", "gold", "--system", "cedar").code == 2
    assert run("score", store, ALDER).code == 2
    wanted = ["--gold", "gold", "--system", "birch"]
    assert run("score", store, *wanted, "--save", "x.db").code == 2
    assert run("score", store, *wanted, "--format", "mrp").code == 2


def test_save_keeps_files_and_scores(run, tmp_path):
    path = tmp_path / "kept.db"
    first = run("score", GOLD, BIRCH, ALDER, "--save", path)
    assert first.code == 0, first.err
    names = [each["name"] for each in run("store", "list", path).json]
    assert names == ["gold", "birch", "alder"]
    again = run("score", GOLD, BIRCH, "--save", path)
    assert again.json["reused"] == 73
    query = run("query", path, "select distinct system from v_scores order by 1")
    assert query.json == [{"system": "alder"}, {"system": "birch"}]


def test_save_says_when_other_files_are_scored_too(run, tmp_path):
    path, one, two = (tmp_path / name for name in ("runs.db", "1.mrp", "2.mrp"))
    one.write_text(record("1"))
    two.write_text(record("2"))
    assert run("ingest", path, two, "--as", "1").code == 0
    found = run("score", one, two, "--save", path)
    assert "1 holds graphs of other files too" in found.err


def test_save_reports_bad_system_records(run, tmp_path):
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text(record("1") + record("2"))
    system.write_text(record("1") + "{broken\n")
    found = run("score", gold, system, "--save", tmp_path / "runs.db")
    assert found.code == 0, found.err
    assert found.json["rejected"] == 1
    strict = run("score", gold, system, "--save", tmp_path / "more.db", "--strict")
    assert strict.code == 3


def test_a_part_that_was_left_out_is_no_strict_system(run, tmp_path):
    for name in ("gold", "system"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.txt").write_text("Anna sees Bert")
        (tmp_path / name / "d.ann").write_text("T1\tPER 0 4\tAnna\n")
    found = run("score", tmp_path / "gold", tmp_path / "system", "-m", "ner")
    assert found.code == 0
    with (tmp_path / "system" / "d.ann").open("a") as file:
        file.write("R1\tsees Arg1:T1 Arg2:T9\n")
    both = (tmp_path / "gold", tmp_path / "system", "-m", "relation")
    assert run("score", *both).code == 0
    assert run("score", *both, "--strict").code == 3


def test_graphs_of_one_id_are_numbered_on_their_way_into_a_store(run, tmp_path):
    for name in ("gold", "system"):
        text = "".join(record("1") for _ in range(3))
        (tmp_path / f"{name}.mrp").write_text(text)
    both = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    kept = run("score", *both, "--save", tmp_path / "runs.db")
    assert kept.code == 0
    assert kept.json["pairs"] == run("score", *both).json["pairs"] == 3
    assert "have the id '1': numbered on" in kept.err
