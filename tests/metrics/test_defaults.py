"""Whose number a default is: what was asked for by name is still called so."""

from __future__ import annotations

import json
import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore import score
from graphscore.cli.main import cli
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.exceptions import GraphscoreError
from graphscore.metrics.registry import metrics, parse
from tests.conftest import DATA, ROOT

CANONICAL = [
    line.split("\t")
    for line in (Path(__file__).parent / "canonical.tsv").read_text().splitlines()
]
"""Every parameter with every value of its own, as it was called before a default
moved, and the canonical string of that."""

WHOSE = ROOT / "docs" / "metrics" / "whose.md"

ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in WHOSE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| [")
]
"""What the page says of each metric: name, whose, version, differences, tests."""

AMR = str(DATA / "gold.mrp"), str(DATA / "alder.mrp")


def test_canonical_strings_stay() -> None:
    assert {text: str(parse(text)) for text, _ in CANONICAL} == dict(CANONICAL)
    assert {text.partition("(")[0] for text, _ in CANONICAL} <= set(metrics())


def test_metrics_cannot_be_changed() -> None:
    for name in metrics():
        metric = parse(name)
        with pytest.raises(FrozenInstanceError):
            metric.overlp = 1
        with pytest.raises(FrozenInstanceError):
            del metric.name


@pytest.mark.parametrize("name", ["smatch", "gtt", "ceaf_ree", "ceaf_rme"])
def test_a_moved_default_has_a_higher_revision_and_can_be_had_as_it_was(
    name: str,
) -> None:
    metric = parse(name)
    assert metric.revision > 1
    assert metric.parameters()["preset"][0] == "standard"
    assert str(parse(f"{name}(preset=none)")) == f"{name}(preset=none)"


def test_every_metric_says_whose_number_it_is() -> None:
    said = {
        cells[0].partition("]")[0].strip("| ["): f"{cells[1]} {cells[2]}".strip()
        for cells in ROWS
    }
    assert said == {name: parse(name).follows for name in metrics()}
    assert all(said.values())
    assert len(ROWS) == len(said)


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: cells[0])
def test_the_page_names_what_is_there(cells: list[str]) -> None:
    _, _, _, differs, held = cells
    assert differs
    link = re.search(r"\((\S+)\)", cells[0])
    assert link is not None
    assert (WHOSE.parent / link[1]).is_file()
    tests = re.findall(r"`(\S+)`", held)
    assert tests
    assert all((ROOT / test).is_file() for test in tests)
    parameters = parse(cells[0].partition("]")[0].strip("| [")).parameters()
    for name, value in re.findall(r"`(\w+)=(\w+)`", differs):
        assert value in parameters[name][1]


def test_of_every_metric_is_said_what_it_was_checked_on() -> None:
    checked = WHOSE.read_text(encoding="utf-8").split("\n## Checked on what\n")[1]
    calls = re.findall(r"`(\w+(?:\(\w+=\w+\))?)`", checked)
    named = {call for call in calls if call.partition("(")[0] in metrics()}
    assert {parse(call).name for call in named} == set(metrics())
    rows = [line for line in checked.splitlines() if line.startswith("| ")]
    assert len(rows) > 20
    assert {line.count("|") for line in rows} == {6}


def test_the_page_is_linked() -> None:
    for page in ("README.md", "docs/index.md", "docs/cli.md"):
        assert "metrics/whose" in (ROOT / page).read_text(encoding="utf-8")


def test_the_command_line_says_it_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        run = CliRunner().invoke(cli, ["metrics", *words])
        assert run.exit_code == 0
        return run.output

    assert json.loads(said("smatch", "--json"))["follows"] == "smatch.py 1.0.4"
    assert "\nwhose number the default is: smatch.py 1.0.4\n" in said(
        "smatch", "--table"
    )
    listed = json.loads(said("--json"))
    assert all(each["follows"] for each in listed)
    assert said("--csv").splitlines()[0].endswith(",citation,follows")


def test_a_metric_of_ones_own_follows_nobody(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from graphscore.similarity import exact, f1, label, match, nodes\n"
        "labels = f1(match(nodes(), exact(label)))\n"
    )
    assert parse(f"{tmp_path / 'mine.py'}:labels").follows == ""


def amounts(result: Result) -> tuple[float, ...]:
    return result.counts["all"][:3]


def test_smatch_as_it_was() -> None:
    spelled = "smatch(top=label,spelling=plain,exempt=amr,duplicates=set,inverted=keep)"
    as_it_was, explicit, now = (
        amounts(score(*AMR, metric))
        for metric in ("smatch(preset=none)", spelled, "smatch")
    )
    assert as_it_was == explicit != now


INCIDENTS = tuple(
    str(DATA / "ie" / name) for name in ("incidents.jsonl", "incidents.predicted.json")
)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("gtt", "similarity=subset,mentions=text"),
        ("ceaf_ree", "mentions=text"),
        ("ceaf_rme", "mentions=text"),
    ],
)
def test_templates_as_they_were(name: str, given: str) -> None:
    # What was the default of a parameter, asked for by name, changes nothing there.
    as_it_was, explicit = (
        score(*INCIDENTS, f"{name}({each})", options=Options(ids="muc4")).counts
        for each in ("preset=none", f"{given},preset=none")
    )
    assert as_it_was == explicit


SAMPLES = [
    *sorted(str(path) for path in DATA.glob("*.mrp")),
    *(str(path) for path in sorted((DATA / "ie").iterdir()) if path.suffix != ".tsv"),
    str(DATA / "discourse" / "gold.clf"),
    str(DATA / "umr" / "gold.umr"),
    *(str(DATA / "ner" / "radio.ne"), str(DATA / "srl" / "props")),
    *sorted(str(path) for path in (DATA / "srl").glob("market.*")),
    str(DATA / "sentiment" / "reviews.json"),
]
"""The files that come with the project."""


WORDS = """# text = Dogs bark loudly
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t0:root\t_
3\tloudly\tloudly\tADV\tRB\t_\t2\tadvmod\t2:advmod\t_

"""


@pytest.mark.parametrize("name", metrics())
def test_gold_against_itself_is_perfect(name: str, tmp_path: Path) -> None:
    metric = parse(name)
    tried = 0
    words = tmp_path / "words.conllu"
    words.write_text(WORDS)
    for sample in (*SAMPLES, str(words)):
        try:
            result = score(sample, sample, metric)
        except GraphscoreError:
            continue  # Nothing there that this metric scores.
        if not result.main.gold:
            continue
        tried += 1
        for tuple_type, count in result.counts.items():
            if count.gold or count.system:
                assert (count.precision, count.recall, count.f1) == (1, 1, 1), (
                    tuple_type
                )
        if metric.leading:
            assert result.value == (0 if metric.less_is_better else 1)
    assert tried
