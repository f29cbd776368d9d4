"""``graphscore rules``, and the metric ``rules`` through files and stores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphscore.cli.main import cli
from tests.conftest import ROOT, metric_page
from tests.rules.generate import documents
from tests.rules.oracle import SYSTEM

TEXT = "Mr. Smith of Acme said it rained in Rome"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def line(*spans: tuple[str, str]) -> str:
    listed = [
        {"start": TEXT.index(w), "end": TEXT.index(w) + len(w), "label": kind}
        for kind, w in spans
    ]
    return json.dumps({"id": "a", "text": TEXT, "spans": listed}) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    gold = line(("PER", "Mr. Smith"), ("ORG", "Acme"), ("CITY", "Rome"))
    system = line(("PER", "Smith"), ("ORG", "Acme"), ("LOC", "Rome"), ("PER", "it"))
    (tmp_path / "gold.jsonl").write_text(gold)
    (tmp_path / "system.jsonl").write_text(system)
    (tmp_path / "my.toml").write_text('extends = "default"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_scoring_by_the_shipped_rules_and_by_a_file(folder: Path) -> None:
    for metric in ("rules", "rules:my.toml"):
        done = run("score", "gold.jsonl", "system.jsonl", "-m", metric)
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)
        assert found["metric"] == metric
        count = found["counts"]["span"]
        assert (count["gold"], count["system"], count["matched"]) == (3, 3, 2.5)
        assert found["scores"]["span.system.FP-ignored:stop word"] == 1
        assert found["scores"]["span.strict.f1"] == pytest.approx(1 / 3)


def test_classes_and_treatments_are_tables(folder: Path) -> None:
    done = run("score", "gold.jsonl", "system.jsonl", "-m", "rules", "--table")
    scores, treated, classes = done.stdout.split("\n\nrules: ")
    assert "span.gold" not in scores
    rows = [line.split() for line in treated.splitlines()]
    assert rows[1] == ["worth", "span", "document", "resolution"]
    assert rows[3:] == [
        ["strict", "33.33", "33.33", "-"],
        ["half", "66.67", "66.67", "-"],
        ["full", "100.00", "100.00", "-"],
    ]
    listed = {line[:20].strip(): line[20:].split() for line in classes.splitlines()}
    assert listed["TP"] == ["1", "1", "1", "1"]
    assert listed["FzTP"] == ["1", "1", "1", "1"]
    assert listed["FP-ignored:mentions"] == ["1"]
    assert listed["FP-ignored:stop word"] == ["1"]


def test_errors_are_rows_with_the_rule_that_said_so(folder: Path) -> None:
    done = run(
        *(
            "errors",
            "gold.jsonl",
            "system.jsonl",
            "-m",
            "rules",
            "--tuple-type",
            "span",
        ),
        *("--by", "error_type,name,value,reason", "--json"),
    )
    assert done.exit_code == 0, done.output
    rows = {(r["name"], r["value"], r["reason"]) for r in json.loads(done.stdout)}
    assert ("FzTP", "Smith", "fuzzy match") in rows
    assert ("FP-ignored:stop word", "it", "stop word") in rows
    assert ("partial TP", "Rome", "partial label") in rows


def test_show_takes_the_metric(folder: Path) -> None:
    done = run("show", "a", "gold.jsonl", "system.jsonl", "-m", "rules", "--table")
    assert done.exit_code == 0, done.output
    assert "Smith" in done.stdout or "PER" in done.stdout


def test_check(folder: Path) -> None:
    done = run("rules", "check", "my.toml")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["files"] == ["my.toml", "default.toml"]
    assert "rules in 7 phases" in run("rules", "check", "my.toml", "--table").stdout
    (folder / "my.toml").write_text('extends = "default"\n\n[[rule]]\nname = 3\n')
    done = run("rules", "check", "my.toml")
    assert done.exit_code == 3
    assert "my.toml:4: name: found 3, expected a string" in done.stderr
    assert run("rules", "check", "absent.toml").exit_code == 2
    assert (
        run("score", "gold.jsonl", "system.jsonl", "-m", "rules:my.toml").exit_code == 3
    )


def test_show_of_rules(folder: Path) -> None:
    rules = 'extends = "default"\nremove = ["stop word"]\n'
    (folder / "my.toml").write_text(rules)
    names = [each["name"] for each in json.loads(run("rules", "show").stdout)["rules"]]
    assert names[:3] == ["true positive", "false positive", "false negative"]
    found = json.loads(run("rules", "show", "my.toml").stdout)
    assert [each["name"] for each in found["rules"]] == [
        name for name in names if name != "stop word"
    ]
    for shape in ("--table", "--csv", "--jsonl"):
        assert "fuzzy match" in run("rules", "show", shape).stdout


def test_trace(folder: Path) -> None:
    words = ("rules", "trace", "default", "gold.jsonl", "system.jsonl")
    rows = json.loads(run(*words).stdout)
    smith = [r for r in rows if (r["level"], r["text"]) == ("span", "Smith")]
    assert [(r["step"], r["class"], r["rule"], r["matched"]) for r in smith] == [
        (1, "FP", "false positive", ""),
        (2, "FzTP", "fuzzy match", "Mr. Smith (PER, 0:9)"),
    ]
    assert {(r["item"], r["start"], r["end"]) for r in smith} == {("a", 4, 9)}
    entity = [r for r in rows if (r["level"], r["text"]) == ("document", "Acme")]
    assert {(r["item"], r["start"]) for r in entity} == {("a", 13)}
    only = json.loads(run(*words, "--class", "FP-ignored:stop word").stdout)
    assert {r["text"] for r in only} == {"it"}
    assert run(*words, "--class", "nonsense").exit_code == 2
    assert run(*words, "--only", "absent").exit_code == 3


def test_a_store_computes_anew_after_an_edit(folder: Path) -> None:
    words = ("gold.jsonl", "system.jsonl", "-m", "rules:my.toml", "--save", "runs.db")

    def reused() -> tuple[int, float]:
        done = run("score", *words, "--replace")
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)
        return found["reused"], found["counts"]["span"]["matched"]

    assert reused() == (0, 2.5)
    assert reused() == (1, 2.5)
    edited = 'extends = "default"\n[settings]\ncredit = { partial = 1.0 }\n'
    (folder / "my.toml").write_text(edited)
    assert reused() == (0, 3)
    query = "select distinct name from v_errors where tuple_type = 'span' order by 1"
    done = run("query", "runs.db", query)
    assert "FzTP" in done.stdout


def test_workers_say_the_same(folder: Path) -> None:
    made = list(documents(80, gold=6, system=6))
    for side in ("gold", "system"):
        lines = []
        for document in made:
            spans = [
                {"start": span.start, "end": span.end, "label": span.type}
                for span in document.spans
                if (span.side == SYSTEM) == (side == "system")
            ]
            said = {"id": document.name, "text": document.text, "spans": spans}
            lines.append(json.dumps(said) + "\n")
        (folder / f"{side}.jsonl").write_text("".join(lines))
    words = ("score", "gold.jsonl", "system.jsonl", "-m", "rules", "--per-item")
    one, two = run(*words), run(*words, "--jobs", "2")
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout


def test_the_page_names_tests_that_exist() -> None:
    import re

    page = metric_page("rules")
    tests = (ROOT / "tests" / "rules" / "test_decisions.py").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    assert named
    assert named <= set(re.findall(r"^def (test_\w+)", tests, re.MULTILINE))


def test_the_guide_lists_every_column_and_function() -> None:
    from graphscore.rules import sandbox
    from graphscore.rules.functions import BUILT_IN, OWN
    from graphscore.rules.parser import PARTS, SETTINGS

    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for name in (
        *(*sandbox.SPAN_COLUMNS, *sandbox.ENTRY_COLUMNS, *sandbox.OVERLAP_COLUMNS),
        *(*BUILT_IN, *PARTS, *SETTINGS),
    ):
        assert f"`{name}`" in page, name
    for name in OWN:
        assert f"`{name}(" in page, name
