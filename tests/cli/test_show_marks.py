"""What the marks of ``show`` say, of metrics of every tuple type."""

import csv
import io

import pytest

from tests.cli.conftest import DATA

OVERLAP = "f1(match(nodes('mention'), span_jaccard(anchors)))"
TEXT = ["John", "Smith", "lives", "in", "New", "York", "City", "."]


@pytest.fixture
def tagged(tmp_path):
    """Writes tags of the words of a sentence."""

    def write(name, tags):
        path = tmp_path / name
        lines = zip(TEXT, tags.split(), strict=True)
        path.write_text("".join(f"{word}\t{tag}\n" for word, tag in lines))
        return path

    return write


GOLD_TAGS = "B-PER I-PER O O B-LOC I-LOC I-LOC O"


def test_what_matches_in_part_says_what_it_earns(run, tagged):
    gold = tagged("gold.iob2", GOLD_TAGS)
    system = tagged("system.iob2", "B-PER I-PER O O B-LOC I-LOC O O")
    found = run("show", "0", gold, system, "-m", OVERLAP)
    whole, part = found.json["nodes"]
    assert (whole["mark"], whole["credit"]) == ("=", None)
    assert part["mark"] == "~"
    assert part["credit"] == pytest.approx(len("New York") / len("New York City"))
    assert found.json["score"] == pytest.approx(1 + part["credit"], abs=1e-6)
    out = run("show", "0", gold, system, "-m", OVERLAP, "--table").out
    assert "\n~ 0.615  1 " in out
    text = run("show", "0", gold, system, "-m", OVERLAP, "--csv").out
    rows = [*csv.DictReader(io.StringIO(text))]
    assert [row["credit"] for row in rows[:2]] == ["", ""]
    assert {float(row["credit"]) for row in rows[2:]} == {part["credit"]}


def test_slots_that_are_wrong_in_one_thing_say_what_they_earn(run, tagged):
    gold = tagged("gold.iob2", GOLD_TAGS)
    system = tagged("system.iob2", "O B-PER O O B-ORG I-ORG I-ORG O")
    found = run("show", "0", gold, system, "-m", "ser").json
    assert [(row["mark"], row["credit"]) for row in found["nodes"]] == [("~", 0.5)] * 2
    # Nothing is earned under the strict kind of ner.
    found = run("show", "0", gold, system, "-m", "ner").json
    assert [(row["mark"], row["credit"]) for row in found["nodes"]] == [("~", None)] * 2


def test_words_are_there_once(run, tagged):
    gold = tagged("gold.iob2", GOLD_TAGS)
    system = tagged("system.iob2", "O B-PER O O B-LOC I-LOC I-LOC O")
    out = run("show", "0", gold, system, "-m", "ser", "--table").out
    [row] = [line for line in out.splitlines() if line.startswith("~")]
    assert row.count("John Smith") == 1
    [row] = [line for line in out.splitlines() if line.startswith("=  ")]
    assert row.count('"New York City"') == 2


def test_what_a_metric_does_not_count_is_no_error(run, tmp_path):
    gold = DATA / "srl" / "market.conll09"
    system = tmp_path / "system.conll09"
    system.write_text(gold.read_text().replace("A1", "A2"))
    found = run("show", "0", gold, system, "-m", "primesrl").json
    tokens = [row for row in found["nodes"] if row["gold"]["id"] in range(1, 12)]
    assert len(tokens) == 11
    for row in found["nodes"]:
        assert row["gold"]["id"] == row["system"]["id"]
        counted = str(row["gold"]["id"]) in ("p1", "p2")
        assert row["mark"] == ("=" if counted else " ")
    marks = [row["mark"] for row in found["edges"]]
    assert marks.count("~") == len(found["errors"]) / 2 == 2


def test_edges_that_no_metric_counts_stand_beside_each_other(run, tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    rows = ["Dogs\t_\t_\t_\t_\t2\tnsubj", "bark\t_\t_\t_\t_\t0\troot"]
    rows += ["here\t_\t_\t_\t_\t2\tadvmod"]
    lines = [f"{number}\t{row}\t_\t_\n" for number, row in enumerate(rows, 1)]
    gold.write_text("".join(["# sent_id = s1\n", *lines, "\n"]))
    other = "".join(lines).replace("nsubj", "obj").replace("2\tadvmod", "1\tadvmod")
    system.write_text(f"# sent_id = s1\n{other}\n")
    found = run("show", "s1", gold, system, "-m", "las")
    edges = [
        [each[side] and each[side]["place"] for side in ("gold", "system")]
        for each in found.json["edges"]
    ]
    assert edges == [
        ["2:bark -> 1:Dogs", "2:bark -> 1:Dogs"],
        ["2:bark -> 3:here", None],
        [None, "1:Dogs -> 3:here"],
    ]
    assert {each["mark"] for each in found.json["edges"]} == {" "}
    assert [row["mark"] for row in found.json["nodes"]] == ["~", "=", "~"]
