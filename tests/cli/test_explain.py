"""``graphscore show --explain``: one item as a tree, from files and stores."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphscore import explain
from graphscore.cli.main import cli
from graphscore.report.explanation.explanation import COLUMNS

GOLD, SYSTEM = "data/gold.mrp", "data/birch.mrp"
LABELS = "f1(match(nodes(), exact(label, anchors)))"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["show", "--explain", *arguments])


def value(*arguments: str) -> Any:
    found = run(*arguments, "--json")
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)


def test_json_is_what_python_says() -> None:
    found = value("sample-02", GOLD, SYSTEM, "-m", LABELS, "--framework", "eds")
    [expected] = explain(GOLD, SYSTEM, "sample-02", LABELS, framework="eds")
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert found["metric"] == LABELS
    assert found["trees"][0]["formula"] == "F↔nodes[δ_label × δ_anchors]"
    parts = found["trees"][0]["parts"]
    count = found["counts"]["all"]
    marks = [part["mark"] for part in parts]
    assert marks.count("=") == count["matched"]
    assert marks.count("=") + marks.count("-") == count["gold"]
    assert marks.count("=") + marks.count("+") == count["system"]
    assert found["value"] == count["f1"]


def test_several_metrics_and_frameworks_are_an_array() -> None:
    found = value("sample-02", GOLD, SYSTEM, "-m", f"{LABELS},smatch")
    assert {each["metric"] for each in found} == {LABELS, "smatch"}
    assert len({each["framework"] for each in found}) > 1
    lines = run("sample-02", GOLD, SYSTEM, "-m", f"{LABELS},smatch", "--jsonl").stdout
    assert [json.loads(line) for line in lines.splitlines()] == found


def test_a_table_reads_at_80_columns() -> None:
    found = run("sample-02", GOLD, SYSTEM, "--framework", "eds", "--table")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[0] == "sample-02 (eds), mrp"
    assert max(map(len, lines)) <= 80
    assert "F1 = 2 P R / (P + R)" in found.stdout
    assert "because the files hold meaning representations" in found.stderr


def test_rows_are_flat() -> None:
    text = run("sample-02", GOLD, SYSTEM, "--framework", "eds", "--csv").stdout
    header, *rows = csv.reader(io.StringIO(text))
    assert tuple(header) == COLUMNS
    [found] = explain(GOLD, SYSTEM, "sample-02", framework="eds")
    assert len(rows) == len(list(found.flat()))


def test_a_store_explains_as_files_do(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    for path, name in ((GOLD, "gold"), (SYSTEM, "birch")):
        CliRunner().invoke(cli, ["ingest", store, path, "--as", name])
    sides = store, "--gold", "gold", "--system", "birch"
    for metric in ((), ("-m", LABELS), ("-m", "smatch")):
        found = value("sample-02", *sides, *metric, "--framework", "amr")
        assert found == value("sample-02", GOLD, SYSTEM, *metric, "--framework", "amr")
    wrong = run("sample-02x", *sides)
    assert wrong.exit_code == 3
    assert "did you mean 'sample-02'" in wrong.stderr
    assert run("sample-02", store, "--gold", "gold", "--system", "no").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("sample-02x", GOLD, SYSTEM), 3, "did you mean 'sample-02'"),
        (("sample-02", GOLD, SYSTEM, "--framework", "x"), 3, "not in x, but in: amr"),
        (("sample-02", GOLD, SYSTEM, SYSTEM), 2, "show --explain takes one system"),
        (("sample-02", f"{GOLD},{SYSTEM}", SYSTEM), 2, "several references"),
        (("sample-02", GOLD, SYSTEM, "-m", "f1(label)"), 2, "expected a similarity"),
        (("sample-02", GOLD, SYSTEM, "-m", "smach"), 2, "did you mean 'smatch'"),
        (("sample-02", GOLD, "nowhere.mrp"), 3, "nowhere.mrp"),
        (("sample-02", GOLD), 2, "give GOLD and SYSTEM"),
        (
            ("sample-02", GOLD, SYSTEM, "--fold"),
            2,
            "--explain and --fold are mutually exclusive",
        ),
        (
            ("sample-02", GOLD, SYSTEM, "--svg", "a.svg", "--html", "a.html"),
            2,
            "--explain and --svg are mutually exclusive: drop one",
        ),
    ],
)
def test_wrong_uses(arguments: tuple[str, ...], code: int, words: str) -> None:
    found = run(*arguments)
    assert found.exit_code == code
    assert words in found.stderr
    assert "Traceback" not in found.stderr


def test_a_mistake_in_a_formula_is_shown_where_it_is() -> None:
    found = CliRunner().invoke(
        cli, ["score", GOLD, SYSTEM, "-m", f"mrp,{LABELS.replace('nodes', 'node')}"]
    )
    assert found.exit_code == 2
    problem, shown, carets = found.stderr.rstrip("\n").split("\n")
    assert "there is no 'node'; did you mean nodes" in problem
    assert shown[carets.index("^") :].startswith("node(")
