"""``graphscore compare``: files, stores, Python, shapes of output, the threshold."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import graphscore
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "200")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("compare") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
        for name in ("alder", "birch"):
            runs.score("gold", name)
    return path


def test_files_a_store_and_python_say_the_same(run, store):
    files = run("compare", GOLD, ALDER, BIRCH, *QUICK, "--json").json
    stored = run("compare", store, *QUICK, "--json", "--all")
    assert "reused 73 of 73" in stored.err
    assert [each["system"] for each in files["systems"]] == [ALDER, BIRCH]
    assert [each["system"] for each in stored.json["systems"]] == ["alder", "birch"]
    for one, other in zip(files["systems"], stored.json["systems"], strict=True):
        assert {**one, "system": ""} == {**other, "system": ""}
    python = graphscore.compare(store, gold="gold", samples=200)
    assert python.to_dict() == stored.json
    named = graphscore.compare(
        GOLD, ALDER, BIRCH, names=["alder", "birch"], samples=200
    )
    assert named.to_dict() == stored.json
    assert "<table>" in python._repr_html_()


def test_a_store_where_nothing_is_new_is_only_read(run, store, tmp_path):
    copied = tmp_path / "kept.db"
    copied.write_bytes(Path(store).read_bytes())
    before = copied.read_bytes()
    found = run("compare", copied, "--gold", "gold", *QUICK, "--json")
    assert found.code == 0
    assert len(found.json["systems"]) == 2
    assert copied.read_bytes() == before
    # The same with a system that has not been scored.
    with graphscore.Store(str(copied), mode="write") as runs:
        runs.ingest(BIRCH, "new", keep_going=True)
    asked = ("--system", "alder", "--system", "new", *QUICK, "--json")
    assert run("compare", copied, "--gold", "gold", *asked).code == 0
    more = run("compare", copied, *QUICK, "--json").json
    assert [each["system"] for each in more["systems"]] == ["alder", "birch", "new"]


def test_python_compares_in_a_store_that_is_only_read(store):
    with graphscore.Store(store) as runs:
        found = graphscore.compare(runs, "gold", "birch", "alder", samples=50)
        assert [each.system for each in found.systems] == ["birch", "alder"]
        listed = graphscore.compare(
            runs, systems=["alder", "birch"], metric=["mrp"], samples=50
        )
    assert [each.metric for each in listed] == [graphscore.parse("mrp")]


def test_python_takes_systems_in_several_ways():
    first = graphscore.compare(GOLD, ALDER, BIRCH, samples=50).to_dict()
    assert graphscore.compare(GOLD, [ALDER, BIRCH], samples=50).to_dict() == first
    listed = graphscore.compare(gold=GOLD, systems=[ALDER, BIRCH], samples=50)
    assert listed.to_dict() == first
    gold, alder, birch = (
        [record.graph for record in graphscore.read_file(file)]
        for file in (GOLD, ALDER, BIRCH)
    )
    named = {"a": alder, "b": birch}
    found = graphscore.compare(gold, systems=named, samples=50)
    assert [each.system for each in found.systems] == ["a", "b"]
    assert found.pairs[0].p == first["pairs"][0]["p"]
    for operands in ((), (GOLD,), (GOLD, ALDER)):
        with pytest.raises(graphscore.GraphscoreError, match="two or more systems"):
            graphscore.compare(*operands)
    with pytest.raises(graphscore.GraphscoreError, match="3 names of 2 systems"):
        graphscore.compare(gold, alder, birch, names=["a", "b", "c"], samples=50)


def test_every_metric_and_slice_has_its_comparison(run):
    asked = ("-m", "mrp,edm", "--by", "framework", *QUICK)
    results = run("compare", GOLD, ALDER, BIRCH, *asked, "--json", "--all").json[
        "results"
    ]
    assert [each["metric"] for each in results] == ["mrp", "edm"]
    scored = graphscore.score(GOLD, ALDER, "mrp").by("framework")
    groups = {each["framework"]: each for each in results[0]["groups"]}
    assert groups.keys() == {framework for (framework,) in scored}
    for (framework,), scores in scored.items():
        group = groups[framework]
        assert group["systems"][0]["value"] == scores.counts["all"].f1
        assert {each["framework"] for each in group["items"]} == {framework}
        assert len(group["items"]) == group["units"]
    rows = run("compare", GOLD, ALDER, BIRCH, *asked, "--csv").out.splitlines()
    named = [dict(zip(rows[0].split(","), row.split(","), strict=True)) for row in rows]
    # Two systems and a pair, in the whole and in each slice.
    slices = sum(1 + len(each["groups"]) for each in results)
    assert len(named) == 1 + 3 * slices
    [pair] = [
        each
        for each in named
        if each["metric"] == "mrp" and each["framework"] == "dm" and each["against"]
    ]
    assert float(pair["value"]) == groups["dm"]["pairs"][0]["difference"]
    assert float(pair["p_adjusted"]) == groups["dm"]["pairs"][0]["p_adjusted"]
    lines = run("compare", GOLD, ALDER, BIRCH, *asked, "--jsonl").lines
    assert lines[0]["pairs"] == results[0]["pairs"]
    assert len(lines) == slices


def test_slices_by_tuple_type_have_the_score_of_the_tuple_type(run):
    asked = ("--by", "tuple_type,framework", *QUICK, "--json")
    found = run("compare", GOLD, ALDER, BIRCH, *asked).json
    scored = graphscore.score(GOLD, BIRCH, "mrp").by("framework")
    for each in found["groups"]:
        count = scored[(each["framework"],)].counts[each["tuple_type"]]
        assert each["score"] == each["tuple_type"]
        assert each["systems"][1]["value"] == count.f1
    assert found["score"] == "all.f1"
    assert len({each["tuple_type"] for each in found["groups"]}) > 4


@pytest.mark.parametrize(
    ("score", "over", "value"),
    [
        ("macro", (), lambda r: r.macro["all"]["f1"]),
        ("macro.edges", (), lambda r: r.macro["edges"]["f1"]),
        ("macro", ("item",), lambda r: r.macro_over("item")["all"]["f1"]),
        ("nodes.f1", (), lambda r: r.scores.numbers["nodes.f1"]),
        ("labels.precision", (), lambda r: r.counts["labels"].precision),
    ],
)
def test_any_score_is_compared(score, over, value):
    found = graphscore.compare(GOLD, ALDER, BIRCH, score=score, over=over, samples=50)
    for each, file in zip(found.systems, (ALDER, BIRCH), strict=True):
        assert each.value == pytest.approx(value(graphscore.score(GOLD, file)), 1e-12)


def test_the_threshold_fails_where_a_system_is_worse_by_test(run):
    threshold = (*QUICK, "--fail-if-worse")
    worse = run("compare", GOLD, ALDER, BIRCH, *threshold)
    assert worse.code == 1
    assert f"{BIRCH} (mrp): all.f1 is worse than that of {ALDER}" in worse.err
    assert run("compare", GOLD, BIRCH, ALDER, *threshold).code == 0
    assert run("compare", GOLD, ALDER, ALDER, *threshold).code == 0
    assert run("compare", GOLD, BIRCH, ALDER, *threshold, "--baseline", ALDER).code == 1
    # Two hundred assignments show no p under one in 201.
    assert run("compare", GOLD, ALDER, BIRCH, *threshold, "0.004").code == 0
    assert run("compare", GOLD, ALDER, BIRCH, *threshold, "0.006").code == 1
    for value in ("1.5", "0", "nan", GOLD):
        wrong = run("compare", GOLD, ALDER, BIRCH, "--fail-if-worse", value)
        assert (wrong.code, "expected a p-value" in wrong.err) == (2, True), value


def trees(path, wrong):
    """Thirty entity trees, of which the first *wrong* have another type."""
    lines = []
    for number in range(30):
        tuple_type = "ORG" if number < wrong else "PER"
        lines += [f"Ann\tB-{tuple_type}", "left\tO", f"w{number}\tO", ""]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_of_error_rates_the_lowest_is_the_best(run, tmp_path):
    gold, good, bad = (trees(tmp_path / f"{n}.iob2", n) for n in (0, 5, 25))
    asked = ("-m", "ser", *QUICK, "--fail-if-worse", "--json")
    found = run("compare", gold, good, bad, *asked)
    assert found.code == 1
    assert found.json["lowest_best"]
    assert [each["rank"] for each in found.json["systems"]] == [1, 2]
    [pair] = found.json["pairs"]
    assert pair["difference"] < 0
    assert (pair["wins"], pair["losses"]) == (20, 0)
    assert found.json["clusters"] == [[str(good)], [str(bad)]]
    assert run("compare", gold, bad, good, *asked).code == 0


def test_under_two_units_nothing_is_tested(run):
    asked = ("--item", "sample-01", "--framework", "dm", "--fail-if-worse", "--json")
    found = run("compare", GOLD, ALDER, BIRCH, *asked)
    assert found.code == 0
    [pair] = found.json["pairs"]
    assert pair["difference"] > 0
    assert [pair[name] for name in ("low", "high", "p", "p_adjusted")] == [None] * 4
    assert found.json["systems"][0]["low"] is None
    assert "1 item: no intervals or tests of fewer than two" in found.err
    assert "no test of all.f1" in found.err
    few = run("compare", GOLD, ALDER, BIRCH, "--framework", "dm", *QUICK)
    assert "only 15 items" in few.err


def test_documents_are_drawn_whole(run):
    asked = ("--cluster", "document", "--document", r"sample-\d(\d)", *QUICK, "--json")
    found = run("compare", GOLD, ALDER, BIRCH, *asked).json
    items = graphscore.score(GOLD, ALDER).items
    units = {(each.framework, each.item[-1]) for each in items}
    assert (found["unit"], found["units"]) == ("document", len(units))
    graphs = [
        msgspec.structs.replace(record.graph, document="")
        for record in graphscore.read_file(GOLD)
    ]
    with pytest.raises(graphscore.GraphscoreError, match="no item has a document"):
        graphscore.compare(graphs, graphs, graphs, cluster="document")


def test_wrong_use_is_one_clear_error(run, store):
    for asked, said in {
        (GOLD, ALDER): "there is one system",
        (GOLD, ALDER, BIRCH, "--baseline", "x"): "no system 'x' for the baseline",
        (GOLD, ALDER, BIRCH, "--score", "x"): "no score 'x'; it has: tops",
        (GOLD, ALDER, BIRCH, "--score", "macro.x"): "no score 'macro.x'",
        (GOLD, ALDER, BIRCH, "--by", "item"): "there are: framework",
        (GOLD, ALDER, BIRCH, "--over", "document"): "is not a mean over document",
        (
            GOLD,
            ALDER,
            BIRCH,
            "--score",
            "macro",
            "--over",
            "x",
        ): "cannot average over 'x'",
        (
            GOLD,
            ALDER,
            BIRCH,
            "--by",
            "tuple-type",
            "--score",
            "edges",
        ): "slices by tuple type",
        (GOLD, ALDER, BIRCH, "--cluster", "item"): "cannot cluster by 'item'",
        (GOLD, ALDER, BIRCH, "--level", "1"): "--level",
        (GOLD, ALDER, BIRCH, "--samples", "0"): "--samples",
        (store, "--gold", "birch"): "no system was scored against 'birch'",
        (store, "--gold", "gold", "--system", "alder"): "there is one system",
        (store, "--gold", "gold", "--system", "x", "--system", "alder"): "'x'",
    }.items():
        found = run("compare", *asked)
        assert found.code == 2, asked
        assert said in found.err, asked
        assert not found.out


def test_exit_codes_are_those_of_score(run, tmp_path):
    unproven = run("compare", GOLD, ALDER, BIRCH, "--limit", "1", *QUICK)
    assert (unproven.code, "pairs unproven" in unproven.err) == (4, True)
    other = tmp_path / "other.mrp"
    text = Path(ALDER).read_text(encoding="utf-8").replace('"sample-', '"other-')
    other.write_text(text, encoding="utf-8")
    assert run("compare", GOLD, other, other).code == 3
    broken = tmp_path / "broken.mrp"
    broken.write_bytes(Path(BIRCH).read_bytes() + b"{\n")
    bad = run("compare", GOLD, ALDER, broken, *QUICK)
    assert (bad.code, "1 bad record, scored as missing" in bad.err) == (0, True)
    assert run("compare", GOLD, ALDER, broken, *QUICK, "--strict").code == 3
    assert run("compare", broken, ALDER, BIRCH).code == 3


def test_tables_fit_in_eighty_columns(run, tmp_path):
    names = ["a", "transition-based-parser-1", "transition-based-parser-2", "d", "e"]
    files = [tmp_path / f"{name}.mrp" for name in names]
    for number, file in enumerate(files):
        file.write_bytes(Path(ALDER if number < 2 else BIRCH).read_bytes())
    found = run("compare", GOLD, GOLD, *files, "--by", "framework", *QUICK, "--table")
    assert max(map(len, found.out.splitlines())) <= 80
    assert re.search(r"tran\w*….*-1 ", found.out)
    assert re.search(r"tran\w*….*-2 ", found.out)
    pairs = run("compare", GOLD, GOLD, *files, *QUICK, "--table", "--baseline", GOLD)
    assert len(re.findall(r" \d+/\d+/\d+ ", pairs.out)) == 5
    assert max(map(len, pairs.out.splitlines()[3:])) <= 80


def test_metrics_without_the_score_are_left_out(run):
    asked = ("-m", "mrp,edm", "--score", "labels", *QUICK, "--json")
    found = run("compare", GOLD, ALDER, BIRCH, *asked)
    assert found.json["metric"] == "mrp"
    assert "edm: not compared, it has no score 'labels'" in found.err


def test_equal_names_are_told_apart(run):
    found = run("compare", GOLD, ALDER, ALDER, *QUICK, "--json", "--all").json
    names = [ALDER, f"{ALDER} (2)"]
    assert [each["system"] for each in found["systems"]] == names
    assert [found["pairs"][0][side] for side in "ab"] == names
    assert list(found["items"][0]["values"]) == names
    assert found["clusters"] == [names]
    assert found["pairs"][0]["p"] == 1


def test_a_slice_without_anything_of_a_tuple_type_is_left_out(run):
    asked = ("--by", "framework", "--score", "labels", *QUICK, "--json")
    found = run("compare", GOLD, ALDER, BIRCH, *asked).json
    assert {each["framework"] for each in found["groups"]} == {
        "amr",
        "dm",
        "eds",
        "psd",
    }


def test_tables_have_the_better_system_first_and_say_clusters_in_words(run):
    out = run("compare", GOLD, BIRCH, ALDER, *QUICK, "--top", "0", "--table").out
    [pair] = [line for line in out.splitlines() if line.startswith("alder.mrp  birch")]
    assert not pair.split()[2].startswith("-")
    assert "alder.mrp is better than all below, p under 0.05" in out


def test_a_rank_has_its_interval_behind_it(run):
    args = "--framework", "eds", "--score", "labels", "--samples", "500", "--top", "0"
    out = run("compare", GOLD, ALDER, BIRCH, *args, "--table").out
    assert "1 (1–2)  " in out
    assert "2 (1–2)  " in out
    assert "cannot be told apart, p of 0.05 or more" in out


def test_json_leaves_out_unchanged_units_unless_all_are_asked_for(run):
    args = "compare", GOLD, ALDER, BIRCH, *QUICK, "--by", "framework", "--json"
    changed, every = run(*args).json, run(*args, "--all").json
    assert len(every["items"]) == every["units"] == 73
    assert changed["items"] == [x for x in every["items"] if x["difference"]]
    assert len(changed["items"]) == 68
    assert sum(len(group["items"]) for group in changed["groups"]) == 68
