"""``graphscore agree``: files, stores, Python, shapes of output, wrong usage."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import graphscore
from graphscore.evaluation.options import Options, Selection
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "50", "--chance", "6", "--framework", "dm")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("agree") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
    return path


def test_files_a_store_and_python_say_the_same(run, store):
    asked = *QUICK, "-m", "mrp", "--json"
    files = run("agree", GOLD, ALDER, BIRCH, *asked).json
    assert files["annotators"] == ["gold", "alder", "birch"]
    first = run("agree", store, "gold", "alder", "birch", *asked).json
    named = "--system", "alder", "--system", "birch"
    again = run("agree", store, "gold", *named, *asked).json
    python = graphscore.agree(
        GOLD,
        ALDER,
        BIRCH,
        metric="mrp",
        names=["gold", "alder", "birch"],
        samples=50,
        chance=6,
        options=Options(selection=Selection(frameworks=frozenset({"dm"}))),
    )
    assert files == first == again == python.to_dict()
    assert set(files) >= {"metric", "annotators", "pairs", "mean", "coefficients"}
    assert {"a", "b", "value", "low", "high"} <= set(files["pairs"][0])
    assert 0 < files["coefficients"]["alpha"] < 1
    assert files["intervals"]["alpha"]["low"] < files["coefficients"]["alpha"]


def test_items_on_which_all_agree_are_not_listed(run):
    asked = "agree", GOLD, GOLD, *QUICK, "-m", "mrp"
    assert "least agreement" not in run(*asked, "--table").out
    assert {each["value"] for each in run(*asked, "--json").json["documents"]} == {1.0}
    assert "least agreement" in run("agree", GOLD, ALDER, *QUICK, "--table").out


def test_shapes_of_output(run):
    asked = "agree", GOLD, ALDER, *QUICK
    table = run(*asked, "-m", "mrp", "--table").out
    assert "only a" in table
    assert "missing" not in table
    assert "spurious" not in table
    rows = list(csv.DictReader(io.StringIO(run(*asked, "-m", "mrp", "--csv").out)))
    whole = run(*asked, "-m", "mrp", "--json", "--top", "2").json
    assert float(rows[0]["value"]) == whole["pairs"][0]["value"]
    tuple_types = [row["tuple_type"] for row in rows[1:] if not row["label"]]
    assert tuple_types == [each["tuple_type"] for each in whole["tuple_types"]]
    labels = [(row["label"], row["value"]) for row in rows if row["label"]]
    assert labels == [
        (each["label"], str(each["pairs"][0]["value"])) for each in whole["labels"]
    ]
    assert labels
    assert len(whole["documents"]) == 2
    [line] = run(*asked, "-m", "mrp", "--jsonl").lines
    assert line["pairs"] == whole["pairs"]
    several = run(*asked, "-m", "mrp,sdp", "--json").json["results"]
    assert [each["metric"] for each in several] == ["mrp", "sdp"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((GOLD,), 2, "give two or more annotators"),
        ((GOLD, ALDER, "--pair", "order"), 2, "No such option"),
        ((GOLD, ALDER, "--system", "a"), 2, "is not one"),
        ((GOLD, ALDER, "-m", "mrp", "--score", "no"), 2, "has no score 'no'"),
        ((GOLD, "nowhere.mrp"), 3, "nowhere.mrp"),
        ((GOLD, ALDER, "--item", "none"), 3, "nothing to score"),
    ],
)
def test_wrong_usage_is_one_clear_error(run, words, code, said):
    found = run("agree", *words)
    assert found.code == code
    assert said in found.err


def test_wrong_collections_and_bad_records(run, store, tmp_path):
    one = run("agree", store, "gold")
    assert one.code == 2
    assert "it holds: " in one.err
    unknown = run("agree", store, "gold", "nobody")
    assert unknown.code == 2
    assert "nobody" in unknown.err
    bad = tmp_path / "bad.mrp"
    lines = Path(ALDER).read_text(encoding="utf-8").splitlines()
    bad.write_text("\n".join([*lines[:3], "{"]), encoding="utf-8")
    found = run("agree", GOLD, str(bad))
    assert found.code == 3
    assert "bad.mrp:4" in found.err


def iob(*sentences: str) -> str:
    """Columns of words with a tag each, as in ``Jenny/B-PER left/O``."""
    return "".join(
        "".join(word.replace("/", "\t") + "\n" for word in each.split()) + "\n"
        for each in sentences
    )


def test_two_that_share_nothing_lack_what_the_other_has(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, items in (("ann", "ab"), ("ben", "b"), ("eve", "a")):
        graphs = [
            graphscore.Graph(each, "amr", 2, nodes=(graphscore.Node(0, "x"),))
            for each in items
        ]
        written = b"".join(graphscore.write_graphs(graphs, "mrp"))
        Path(f"{name}.mrp").write_bytes(written)
    files = "ann.mrp", "ben.mrp", "eve.mrp"
    pairs = run("agree", *files, "-m", "mrp", "--samples", "9", "--json").json["pairs"]
    assert [(p["items"], p["only_a"], p["only_b"]) for p in pairs] == [
        (1, 1, 0),
        (1, 1, 0),
        (0, 1, 1),
    ]
    assert pairs[2]["value"] is None


def test_files_of_different_kinds_have_nothing_in_common(run, tmp_path):
    words, trees = tmp_path / "a.iob2", tmp_path / "b.conllu"
    words.write_text(iob("Jenny/B-PER left/O"), encoding="utf-8")
    row = "1\tJenny\tJenny\tPROPN\t_\t_\t0\troot\t_\t_\n\n"
    trees.write_text(row, encoding="utf-8")
    found = run("agree", str(trees), str(words))
    assert found.code == 3
    assert "gold holds ud, system ner" in found.err


def test_nobody_is_gold_in_any_shape(run, tmp_path):
    """What two have apart is only one's: it is neither missing nor spurious."""
    sides = "Jenny/B-PER left/O", "Jenny/B-LOC left/O", "Jenny/O left/O"
    files = []
    for number, side in enumerate(sides):
        file = tmp_path / f"ann{number}.iob2"
        file.write_text(iob(side, "x/O"), encoding="utf-8")
        files.append(str(file))
    quick = "--samples", "9", "--chance", "2"
    for shape in ("--table", "--csv", "--json", "--jsonl"):
        found = run("agree", *files, "-m", "ner,ser,err", *quick, shape)
        assert found.code == 0, found.err
        said = (found.out + found.err).lower()
        assert not {"missing", "spurious", "gold"} & {
            word.strip('":,_') for word in said.split()
        }


def task(number: int, *annotations: tuple[str, str]) -> dict[str, object]:
    value = {"start": 0, "end": 5, "text": "Jenny"}
    return {
        "id": number,
        "data": {"text": "Jenny left"},
        "annotations": [
            {
                "completed_by": who,
                "result": [{"type": "labels", "value": {**value, "labels": [label]}}],
            }
            for who, label in annotations
        ],
    }


def test_layers_of_one_file_are_annotators(run, tmp_path):
    tasks = [
        task(1, ("ann", "PER"), ("ben", "PER"), ("eve", "LOC")),
        task(2, ("ann", "PER"), ("ben", "LOC"), ("eve", "LOC")),
        task(3, ("ann", "PER")),
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    quick = "-m", "ner", "--samples", "9", "--json"
    found = run("agree", path, *quick)
    assert [(p["a"], p["b"], p["value"]) for p in found.json["pairs"]] == [
        ("ann", "ben", 0.5),
        ("ann", "eve", 0.0),
        ("ben", "eve", 0.5),
    ]
    assert f"{path}: 2 graphs without a layer left out" in found.err
    two = run("agree", path, *quick, "--layer", "ben", "--layer", "eve").json
    python = graphscore.agree(str(path), metric="ner", layer=["ben", "eve"], samples=9)
    assert two["annotators"] == list(python.annotators) == ["ben", "eve"]
    assert two["pairs"][0]["value"] == python.pairs[0].value == 0.5
    with graphscore.Store(str(tmp_path / "runs.db"), mode="create") as runs:
        runs.ingest(str(path), "wave")
        of_store = graphscore.agree(runs, "wave", metric="ner", samples=9)
    stored = run("agree", tmp_path / "runs.db", "wave", *quick).json
    assert stored["pairs"] == found.json["pairs"] == of_store.to_dict()["pairs"]


def test_one_file_without_layers_is_refused(run, tmp_path):
    for operands in ((GOLD,), (GOLD, "--layer", "ann")):
        found = run("agree", *operands, "-m", "mrp")
        assert found.code == 2
        assert "(--layer selects); it has no layers" in found.err


def test_an_id_that_is_repeated_without_an_annotator_is_refused(run, tmp_path):
    row = '{"id": 1, "text": "Jenny", "spans": []}\n'
    path, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_text(row * 2 + row.replace("1", "2"), encoding="utf-8")
    other.write_text(row, encoding="utf-8")
    found = run("agree", path, other, "-m", "ner")
    assert found.code == 3
    assert "expected each item once, or a layer for each annotator (--layer)" in (
        found.err
    )
