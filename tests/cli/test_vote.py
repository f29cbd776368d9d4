"""``graphscore agree --vote``: what is written, where, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import graphscore
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "20", "--chance", "4")

ANNOTATORS = {
    "ann": "Jenny B-PER|Lee I-PER|left O|Acme B-ORG||Rome B-LOC|is O||",
    "ben": "Jenny B-PER|Lee I-PER|left O|Acme B-LOC||Rome B-LOC|is O||x O||",
    "eve": "Jenny B-PER|Lee O|left O|Acme B-PER||",
}

ELECTED = "Jenny B-PER|Lee I-PER|left O|Acme O||Rome B-LOC|is O||x O||"


def iob(lines: str) -> str:
    return lines.replace(" ", "\t").replace("|", "\n")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in ANNOTATORS.items():
        Path(f"{name}.iob2").write_text(iob(lines), encoding="utf-8")
    return [f"{name}.iob2" for name in ANNOTATORS]


def test_a_vote_is_written_and_told(run, files):
    found = run("agree", *files, *QUICK, "--vote", "out.iob2", "--json")
    assert Path("out.iob2").read_text(encoding="utf-8") == iob(ELECTED)
    vote = found.json["vote"]
    assert {key: vote[key] for key in ("annotators", "items", "alone", "spans")} == {
        "annotators": ["ann", "ben", "eve"],
        "items": 3,
        "alone": 1,
        "spans": 2,
    }
    [tie] = vote["ties"]
    assert (tie["item"], tie["text"]) == ("0", "Acme")
    assert "out.iob2: 3 graphs as iob\n" in found.err
    assert "not in iob" not in found.err
    assert "1 tie left out" in found.err


def test_shapes_of_output(run, files):
    voting = "agree", *files, *QUICK, "--vote", "out.iob2", "--force"
    table = run(*voting, "--table").out
    assert "vote of 3: 2 spans in 3 items (1 of one annotator alone), 1 tie" in table
    assert max(map(len, table.splitlines())) <= 80
    assert "vote" in run(*voting, "--jsonl").lines[-1]
    several = run(*voting, "--json", "-m", "ner,ser").json
    assert set(several) == {"results", "vote"}
    assert "Acme" not in run(*voting, "--csv").out


def test_the_format_is_told_by_the_ending_or_named(run, files):
    quiet = *QUICK, "-q", "--json"
    run("agree", *files, *quiet, "--vote", "out.mrp")
    run("agree", *files, *quiet, "--vote", "out.iob2", "--to", "spans")
    run("agree", *files, *quiet, "--vote", "unsaid")
    mrp, spans, unsaid = (
        [each.graph for each in graphscore.read_file(name)]
        for name in ("out.mrp", "out.iob2", "unsaid")
    )
    places = [[node.anchors for node in graph.nodes] for graph in mrp]
    assert places == [[node.anchors for node in graph.nodes] for graph in spans]
    assert Path("unsaid").read_text(encoding="utf-8") == iob(ELECTED)
    assert len(unsaid) == 3


def test_folders_of_brat(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, label in (("ann", "LOC"), ("ben", "LOC"), ("eve", "ORG")):
        Path(name).mkdir()
        for document in ("d1", "d2"):
            Path(name, f"{document}.txt").write_text("In Rome", encoding="utf-8")
            line = f"T1\t{label} 3 7\tRome\n"
            Path(name, f"{document}.ann").write_text(line, encoding="utf-8")
    found = run("agree", "ann", "ben", "eve", *QUICK, "--vote", "out/", "--json")
    assert found.json["vote"]["spans"] == 2
    assert sorted(each.name for each in Path("out").iterdir()) == [
        "d1.ann",
        "d1.txt",
        "d2.ann",
        "d2.txt",
    ]
    assert Path("out", "d2.ann").read_text(encoding="utf-8") == "T1\tLOC 3 7\tRome\n"


def test_a_store_is_not_written_to(run, files, tmp_path):
    with graphscore.Store("runs.db", mode="create") as runs:
        for file in files:
            runs.ingest(file, file.removesuffix(".iob2"))
    asked = "agree", "runs.db", *ANNOTATORS, *QUICK, "--json"
    run(*asked)
    before = Path("runs.db").read_bytes()
    found = run(*asked, "--vote", "out.iob2", "--to", "iob")
    assert found.json["vote"]["spans"] == 2
    assert Path("out.iob2").read_text(encoding="utf-8") == iob(ELECTED)
    assert Path("runs.db").read_bytes() == before
    unnamed = run(*asked, "--vote", "unsaid")
    assert unnamed.code == 2
    assert "name it with --to" in unnamed.err


def test_what_is_there_stays(run, files):
    Path("out.iob2").write_text("precious", encoding="utf-8")
    found = run("agree", *files, *QUICK, "--vote", "out.iob2")
    assert found.code == 2
    assert "out.iob2 is there already; --force overwrites it" in found.err
    assert Path("out.iob2").read_text(encoding="utf-8") == "precious"


def test_nothing_is_written_where_something_is_wrong(run, files):
    lines = iob(ANNOTATORS["eve"]).replace("Acme", "Acmes")
    Path("eve.iob2").write_text(lines, encoding="utf-8")
    found = run("agree", *files, *QUICK, "--vote", "out.iob2")
    assert found.code == 3
    assert "eve: item 0: found another text, expected the text of ann" in found.err
    # What a format cannot hold is said of the item.
    Path("eve.iob2").write_text(iob(ANNOTATORS["eve"]), encoding="utf-8")
    amr = run("agree", *files, *QUICK, "--vote", "out.amr", "--to", "amr")
    assert amr.code == 3
    assert "item 0" in amr.err
    assert sorted(each.name for each in Path().iterdir()) == sorted(files)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((GOLD, ALDER, BIRCH, "--framework", "dm", "--vote", "out.mrp"), "spans alone"),
        ((GOLD, ALDER, "--framework", "dm", "--vote", "out.mrp"), "a vote of 2"),
        ((GOLD, ALDER, "--vote", "-"), "name a file"),
        ((GOLD, ALDER, "--to", "mrp"), "--to is for what --vote OUT writes"),
        ((GOLD, ALDER, "--force"), "--force is for what --vote OUT writes"),
        ((GOLD, ALDER, BIRCH, "--vote", "no/out.mrp"), "no directory"),
    ],
)
def test_wrong_usage_is_one_clear_error(run, words, said):
    found = run("agree", *words, *QUICK)
    assert found.code == 2
    assert said in found.err
