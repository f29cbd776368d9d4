"""``graphscore metrics FORMULA --sensitivity``: what is printed and refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graphscore.statistics import sensitivity
from tests.cli.conftest import Ran

FORMULA = "f1(match(nodes('mention'), exact(label, anchors)))"

Run = Callable[..., Ran]


def tagged(folder: Path, name: str, *tags: str) -> str:
    """A sentence of eight words with tags."""
    file = folder / f"{name}.iob2"
    words = zip("abcdefgh", tags, strict=True)
    file.write_text("".join(f"{word}\t{tag}\n" for word, tag in words) + "\n")
    return str(file)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gold, and two systems whose order is that of precision, not of recall."""
    monkeypatch.chdir(tmp_path)
    b, o = "B-X", "O"
    tagged(tmp_path, "gold", b, b, b, o, o, o, o, o)
    tagged(tmp_path, "few", b, o, o, o, o, o, o, o)
    tagged(tmp_path, "many", b, b, o, b, b, b, b, o)
    return ["gold.iob2", "few.iob2", "many.iob2"]


def test_the_choices_that_turn_a_ranking_are_named(run: Run, files: list[str]) -> None:
    found = run("metrics", FORMULA, "--sensitivity", *files, "--table", "--width", "80")
    assert found.code == 0
    assert max(map(len, found.out.splitlines())) <= 80
    lines = found.out.splitlines()
    assert lines[3].split() == ["few.iob2", "50.00", "1", "33.33", "100.00", "1-2"]
    variants = "64 variants of 16 formulas (all combinations)"
    assert variants in found.out
    assert f"{variants}, scored in" in found.err
    [by] = [line.split() for line in lines if line.split()[:1] == ["R"]]
    assert by == ["R", "1", "0", "16", "16"]
    assert "pairs that are not always in this order: 1 of 1, under 64 variants" in lines
    assert lines[-1].split() == ["few.iob2", "many.iob2", "16", "0", "ratio:", "R"]


def test_json_and_csv_say_what_python_does(run: Run, files: list[str]) -> None:
    gold, *systems = files
    expected = sensitivity(gold, systems, FORMULA)
    asked = ("metrics", FORMULA, "--sensitivity", *files)
    told = run(*asked, "--json").json
    assert told["seconds"] > 0
    mine = {**expected.to_dict(), "seconds": told["seconds"]}
    assert told == json.loads(json.dumps(mine))
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").out)))
    assert [float(row["score"]) for row in rows] == [
        score for each in expected.variants for score in each.scores
    ]
    lines = run(*asked, "--jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == told["scores"]


def test_few_combinations_are_all_scored_many_one_at_a_time(
    run: Run, files: list[str]
) -> None:
    asked = ("metrics", FORMULA, "--sensitivity", *files, "--variants", "15")
    told = run(*asked).json
    assert (told["variants"], told["scored"], told["complete"]) == (28, 7, False)
    assert "7 formulas (one choice at a time)" in run(*asked, "--table").out


def test_a_metric_is_varied_by_its_formula(run: Run, files: list[str]) -> None:
    found = run("metrics", "ner", "--sensitivity", *files, "--kind", "exact")
    told = found.json
    assert (told["metric"], told["kind"]) == ("ner", "exact")
    score = run("score", *files[:2], "-m", "ner", "--json").json
    assert told["systems"][0]["score"] == score["counts"]["exact"]["f1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--sensitivity",), "expected a metric, GOLD, and one SYSTEM or more"),
        (("ner", "--sensitivity", "gold.iob2"), "expected a metric, GOLD, and one"),
        (("ner", "gold.iob2"), "'gold.iob2' behind a metric: --sensitivity lacks"),
        (("ner", "--kind", "exact"), "--kind goes with --sensitivity"),
        (("ner", "--variants", "3"), "--variants goes with --sensitivity"),
        (("ner", "--pair", "order"), "--pair goes with --sensitivity"),
        (("ner", "--gold-format", "iob"), "--gold-format goes with --sensitivity"),
        (("smatch", "--sensitivity", "F", "F"), "smatch has no formulas"),
        (("ner", "--kind", "exakt", "--sensitivity", "F", "F"), "did you mean 'exact'"),
        (("ner", "--sensitivity", "S", "F"), "is a store: --sensitivity scores files"),
    ],
)
def test_what_does_not_go_together(
    run: Run, files: list[str], arguments: tuple[str, ...], said: str
) -> None:
    given = [{"F": files[1], "S": "runs.db"}.get(each, each) for each in arguments]
    if "S" in arguments:
        assert run("ingest", "runs.db", files[0], "--as", "gold").code == 0
    found = run("metrics", *given)
    assert found.code == 2
    assert said in found.err
