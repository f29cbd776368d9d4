"""Semantic roles from files to a store, scores, errors and SQL."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import metric_page

TABLE_6 = (
    ("stare.01", "look.01"),
    ("politeness.01", "minimalism.01"),
    ("peel.01", "peer.01"),
    ("drug.01", "dropper.01"),
    ("overheat.01", "soothe.01"),
    ("tire.01", "hiring.01"),
)
MORE = (("buy.01", "buy.05"), ("buy.01", "sell.02"), ("buy.01", "buy.01"))
"""Another number, both, and a right one."""

DOCUMENT = r"--document=^(\w+)-"


def conllu(senses: Sequence[str]) -> str:
    blocks = []
    for number, sense in enumerate(senses, 1):
        lemma = sense.partition(".")[0]
        blocks.append(
            f"# sent_id = {'ab'[number % 2]}-{number}\n"
            f"1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\tA0\n"
            f"2\tdo{number}\t{lemma}\tVERB\t_\t_\t0\troot\tY\t{sense}\t_\n\n"
        )
    return "".join(blocks)


def conll2009(senses: Sequence[str]) -> str:
    blocks = []
    for number, sense in enumerate(senses, 1):
        lemma = sense.partition(".")[0]
        blocks.append(
            f"1\tDogs\tdog\tdog\tN\tN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n"
            f"2\tdo{number}\t{lemma}\t{lemma}\tV\tV\t_\t_\t0\t0\tROOT\tROOT"
            f"\tY\t{sense}\t_\n\n"
        )
    return "".join(blocks)


FILES = {"conllu-srl": (conllu, ".conllu"), "conll2009": (conll2009, ".conll09")}


@pytest.fixture(params=FILES)
def roles(request, run, tmp_path: Path) -> str:
    """A store with gold and system, read from files of either format."""
    write, ending = FILES[request.param]
    store = tmp_path / "runs.db"
    for side, name in enumerate(("gold", "system")):
        path = tmp_path / f"{name}{ending}"
        path.write_text(write([pair[side] for pair in (*TABLE_6, *MORE)]))
        more = [DOCUMENT] if request.param == "conllu-srl" else []
        args = ("--format", request.param, *more)
        assert run("ingest", store, path, "--as", name, *args).code == 0
    return str(store)


SIDES = ("--gold", "gold", "--system", "system")


def test_a_store_scores_once(run, roles) -> None:
    first = run("score", roles, *SIDES, "-m", "primesrl,conll09").json["results"]
    again = run("score", roles, *SIDES, "-m", "primesrl,conll09").json["results"]
    assert [each["reused"] for each in first] == [0, 0]
    assert [each["reused"] for each in again] == [9, 9]
    for one, two in zip(first, again, strict=True):
        assert one | {"reused": 9} == two
    ours, theirs = (each["counts"] for each in again)
    assert (ours["senses"]["matched"], theirs["senses"]["matched"]) == (1, 7)
    assert (ours["core"]["matched"], theirs["arguments"]["matched"]) == (1, 9)
    losses = again[0]["scores"]
    assert losses["loss.senses.sense"] == pytest.approx(8 / 9)


METRICS = (
    *("primesrl", "primesrl(preset=tool)"),
    *("conll05", "conll09", "framenet"),
)


@pytest.mark.parametrize("metric", METRICS)
def test_items_of_a_store_have_the_score_of_the_metric(run, roles, metric) -> None:
    per_item = run("score", roles, *SIDES, "-m", metric, "--per-item").json
    main = per_item["main"]
    f1 = {each["item"]: each["counts"][main]["f1"] for each in per_item["items"]}
    assert len(f1) == 9
    found = run("items", roles, *SIDES, "-m", metric).json
    assert {each["item"]: each["f1"]["srl"] for each in found} == pytest.approx(f1)


def test_an_item_without_an_id_is_shown_by_its_number(run, tmp_path) -> None:
    paths = [tmp_path / name for name in ("gold.conll09", "system.conll09")]
    for path, sense in zip(paths, ("buy.01", "sell.01"), strict=True):
        path.write_text(conll2009(["be.01", sense]))
    shown = run("show", "1", *paths, "-m", "primesrl")
    assert (shown.code, shown.json["item"]) == (0, "1")
    assert shown.json["counts"]["senses"]["matched"] == 0
    assert run("show", "2", *paths, "-m", "primesrl").code != 0
    only = run("score", *paths, "-m", "primesrl", "--item", "0").json
    assert (only["pairs"], only["counts"]["senses"]["matched"]) == (1, 1)


def test_table_6_from_the_page_on_a_stored_evaluation(run, roles) -> None:
    page = metric_page("primesrl")
    [sql] = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    assert run("query", roles, sql).json == []
    run("score", roles, *SIDES, "-m", "primesrl")
    found = run("query", roles, sql).json
    assert [row["item"] for row in found] == sorted(row["item"] for row in found)
    assert {row["word"]: (row["sense"], row["predicted"]) for row in found} == {
        f"do{number}": pair for number, pair in enumerate(TABLE_6, 1)
    }


def test_errors_of_senses_are_grouped(run, roles) -> None:
    args = ("-m", "primesrl", "--tuple-type", "senses")
    found = run("errors", roles, *SIDES, *args, "--by", "error_type,name").json
    assert {(row["error_type"], row["name"]): row["errors"] for row in found} == {
        (side, name): count
        for side in ("missing", "spurious")
        for name, count in (("lemma", 6), ("number", 1), ("lemma and number", 1))
    }
    labels = run("errors", roles, *SIDES, *args, "--by", "error_type,name,label").json
    lemma = {row["label"] for row in labels if row["name"] == "lemma"}
    assert lemma == {sense for pair in TABLE_6 for sense in pair}
    assert run("errors", roles, *SIDES, "-m", "conll09", "--tuple-type", "senses").json


def test_documents_add_up(run, tmp_path: Path) -> None:
    paths = []
    for side, name in enumerate(("gold", "system")):
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(conllu([pair[side] for pair in (*TABLE_6, *MORE)]))
    args = ("--format", "conllu-srl", DOCUMENT, "-m", "primesrl", "--by", "document")
    found = run("score", *paths, *args).json
    groups = {each["document"]: each for each in found["groups"]}
    assert list(groups) == ["a", "b"]
    for tuple_type in ("predicates", "senses", "core"):
        for amount in ("gold", "system", "matched"):
            total = sum(each["counts"][tuple_type][amount] for each in groups.values())
            assert total == found["counts"][tuple_type][amount]
    assert groups["b"]["scores"]["loss.senses.sense"] == pytest.approx(4 / 5)
    # A store says the same, document by document.
    store = tmp_path / "runs.db"
    for path in paths:
        run("ingest", store, path, "--as", path.stem, *args[:3])
    stored = run("score", store, *SIDES, *args[3:]).json
    assert stored["groups"] == found["groups"]


def test_systems_are_ranked_by_a_score_of_several_metrics(run, tmp_path) -> None:
    gold, numbers, lemmas = (
        tmp_path / f"{name}.conllu" for name in ("gold", "numbers", "lemmas")
    )
    gold.write_text(conllu(["buy.01"] * 4))
    # One wrong number against three wrong lemmas, of which conll09 knows nothing.
    numbers.write_text(conllu(["buy.02", "buy.01", "buy.01", "buy.01"]))
    lemmas.write_text(conllu(["sell.01", "sell.01", "sell.01", "buy.01"]))
    args = ("score", gold, numbers, lemmas, "--format", "conllu-srl")
    asked = ("-m", "conll05,conll09,primesrl", "--rank", "senses, arguments.f1")
    found = run(*args, *asked).json
    assert "ranking" not in found
    senses, arguments = found["rankings"]
    assert (senses["score"], senses["without"]) == ("senses", ["conll05"])
    assert senses["metrics"] == ["conll09", "primesrl"]
    by = {each["system"]: each for each in senses["systems"]}
    assert list(by) == [str(lemmas), str(numbers)]
    assert by[str(lemmas)]["places"] == {
        "conll09": {
            **{"senses": 1.0, "rank": 1, "best": True},
            **{"precision": 1.0, "recall": 1.0},
        },
        "primesrl": {
            **{"senses": 0.25, "rank": 2, "best": False},
            **{"precision": 0.25, "recall": 0.25},
        },
    }
    change = by[str(lemmas)]["changes"]["primesrl"]
    assert change == {"difference": -0.75, "rank_change": -1}
    assert by[str(numbers)]["changes"]["primesrl"]["rank_change"] == 1
    assert arguments["metrics"] == ["conll05", "conll09", "primesrl"]
    assert arguments["without"] == []
    rows = list(csv.DictReader(run(*args, *asked, "--csv").out.splitlines()))
    assert len(rows) == 2 * 2 + 3 * 2
    [row] = [
        row
        for row in rows
        if (row["score"], row["metric"], row["system"])
        == ("senses", "primesrl", str(lemmas))
    ]
    assert list(row.values())[3:] == [
        *("0.25", "2", "False", "0.25", "0.25", "-0.75", "-1")
    ]
    [first] = [row for row in rows if row["difference"] == "" and row["rank"] == "1"][
        :1
    ]
    assert (first["metric"], first["rank_change"]) == ("conll09", "")
    lines = run(*args, *asked, "--jsonl").lines
    assert [each["value"] for each in lines] == [float(row["value"]) for row in rows]
    out = run(*args, *asked, "--table").out
    _, _, shown = out.partition("ranking by senses (* best)\n")
    lines = [line.split() for line in shown.splitlines()]
    assert lines[2][1:] == ["*100.00", "1", "25.00", "2", "-75.00", "-1"]
    assert ["no", "senses:", "conll05"] in lines
    assert "ranking by arguments.f1 (* best)" in out
    assert "ranking by F1 of all" not in out


def test_precision_and_recall_are_ranked_by_name(run) -> None:
    folder = Path(__file__).parents[2] / "data" / "srl"
    gold, system = (folder / f"{name}.conll09" for name in ("market", "labeller"))
    args = ("score", gold, system, gold, "-m", "primesrl", "--rank")
    out = run(*args, "core.recall,core,macro", "--csv").out
    rows = list(csv.DictReader(out.splitlines()))
    said = {(r["score"], r["rank"]): r for r in rows}
    assert said["core.recall", "2"]["value"] == "0.25"
    assert said["core.recall", "2"]["precision"] == ""
    core = said["core", "2"]
    assert (float(core["precision"]), float(core["recall"])) == (1 / 3, 1 / 4)
    assert said["macro", "2"]["precision"] != ""


def test_a_file_without_predicates_is_named(run, tmp_path) -> None:
    gold, nothing = tmp_path / "gold.conllu", tmp_path / "nothing.conllu"
    gold.write_text(conllu(["buy.01"]))
    nothing.write_text(
        "# sent_id = b-1\n1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
        "2\tdo1\tbuy\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = run("score", gold, nothing, "-m", "primesrl")
    assert found.code == 0
    assert found.json["missing_system"] == found.json["pairs"]
    assert "does not score ud: 1 graph" in found.err
    read = run("score", gold, nothing, "-m", "primesrl", "--format", "conllu-srl")
    counts = read.json["counts"]["all"]
    assert (counts["gold"], counts["system"], counts["recall"]) == (2, 0, 0)


def test_amounts_are_ranked_as_they_are(run, tmp_path) -> None:
    paths = [tmp_path / f"{name}.conllu" for name in ("gold", "one", "two")]
    for path, sense in zip(paths, ("buy.01", "buy.01", "sell.01"), strict=True):
        path.write_text(conllu(["buy.01", sense]))
    args = ("--format", "conllu-srl", "-m", "conll05", "--rank", "perfect", "--table")
    lines = run("score", *paths, *args).out.splitlines()
    lines = lines[: lines.index("")]
    assert lines[-2].split()[1:] == ["*2", "1"]
    assert lines[-1].split()[1:] == ["1", "2"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["one", "--rank", "senses"], "one system"),
        (["one", "two", "--rank", "senses,,core"], "expected scores"),
        (["one", "two", "--rank", ""], "expected scores"),
        (["one", "two", "--rank", "sense"], "primesrl has no score 'sense'"),
        (["one", "two", "--rank", "senses", "--score-only"], "--score-only"),
    ],
)
def test_wrong_ranks_are_refused(run, tmp_path, more, message) -> None:
    for name in ("gold", "one", "two"):
        (tmp_path / f"{name}.conllu").write_text(conllu(["buy.01"]))
    paths = [tmp_path / f"{x}.conllu" if x in ("one", "two") else x for x in more]
    found = run(
        *("score", tmp_path / "gold.conllu", *paths),
        *("--format", "conllu-srl", "-m", "primesrl"),
    )
    assert found.code == 2
    assert found.out == ""
    assert message in found.err
