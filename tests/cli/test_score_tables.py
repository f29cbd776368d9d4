"""Tables that a metric adds beneath its scores."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given

from graphscore import score
from graphscore.evaluation.options import Options
from graphscore.metrics.registry import parse
from graphscore.metrics.roles.primesrl import Primesrl
from graphscore.metrics.roles.primesrl_count import LOST
from graphscore.metrics.user import UserMetric
from graphscore.model.graph import Graph
from graphscore.model.outcome import Scores
from graphscore.report.score_tables import score_tables
from graphscore.report.tables import further_tables
from graphscore.report.text import render
from tests.conftest import DATA, metric_page
from tests.metrics.roles.roles import Frame, head_graph, headed_frames

ORDER = Options(pair="order")

GOLD = """\
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\t_
2\troad\troad\tNOUN\t_\t_\t0\troot\t_\t_\tA0
3\tthat\tthat\tPRON\t_\t_\t4\tnsubj\t_\t_\tR-A0
4\tleads\tlead\tVERB\t_\t_\t2\tacl:relcl\tY\tlead.01\t_
5\tdown\tdown\tADV\t_\t_\t4\tadvmod\t_\t_\tA4
6\tnow\tnow\tADV\t_\t_\t4\tadvmod\t_\t_\tC-A4

"""
SYSTEM = GOLD.replace("\tA0\n", "\tA1\n").replace("lead.01", "lead.02")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for path, text in zip(paths, (GOLD, SYSTEM), strict=True):
        path.write_text(text)
    return paths


def cells(out: str, title: str) -> dict[str, list[str]]:
    """Rows of a table by their first cell."""
    _, found, rest = out.partition(f"{title}\n")
    assert found, title
    lines = [line.split() for line in rest.split("\n\n")[0].splitlines()]
    return {line[0]: line[1:] for line in [lines[0], *lines[2:]]}


def test_the_table_says_where_f1_is_lost(run, pair) -> None:
    args = ("--format", "conllu-srl", "-m", "primesrl")
    out = run("score", *pair, *args, "--table").out
    found = cells(out, "primesrl: what F1 is lost by")
    core = ["0.00", "0.00", "0.00", "25.00", "8.33", "33.33", "33.33"]
    # Of four pieces one has a wrong label.  Of three whole arguments A0 is wrong, R-A0
    # refers to it, and A4 with C-A4 stands under a wrong sense.
    assert found == {
        "score": ["F1", *LOST],
        "senses": ["0.00", "0.00", "100.00"],
        "core": core,
        "context": ["-"] * 7,
        "arguments": core,
        "sense_arguments": ["0.00"] * 3 + ["20.00", "5.00", "25.00", "50.00"],
    }
    # What is in the table is not listed again; JSON and -v have it by name.
    assert "loss." not in out
    numbers = run("score", *pair, *args).json["scores"]
    assert numbers["loss.arguments.reference"] == pytest.approx(1 / 3)
    verbose = run("score", *pair, *args, "--table", "-v").out
    assert "loss.arguments" in verbose


ALLOW = """\
1\tThose\tthose\tDET\t_\t_\t2\tdet\t_\t_\t_
2\tpeople\tpeople\tNOUN\t_\t_\t5\tnsubj:pass\t_\t_\tA1
3\tshould\tshould\tAUX\t_\t_\t5\taux\t_\t_\t_
4\tbe\tbe\tAUX\t_\t_\t5\taux:pass\t_\t_\t_
5\tallowed\tallow\tVERB\t_\t_\t0\troot\tY\tallow.01\t_
6\tto\tto\tPART\t_\t_\t7\tmark\t_\t_\t_
7\tlive\tlive\tVERB\t_\t_\t5\txcomp\t_\t_\tC-A1

"""


def test_the_page_shows_the_table_of_its_example(run, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(ALLOW)
    system.write_text(ALLOW.replace("C-A1", "_"))
    page = metric_page("primesrl")
    [block] = re.findall(r"```\n(primesrl: what F1.*?)```", page, re.DOTALL)
    args = ("--format", "conllu-srl", "-m", "primesrl", "--table")
    assert block in run("score", gold, system, *args).out


def test_each_result_has_its_own(run, pair) -> None:
    out = run(
        *("score", *pair, pair[0], "--format", "conllu-srl", "--table"),
        *("-m", "primesrl,conll09,conll05,primesrl(preset=tool)"),
        *("--by", "framework,document"),
    ).out
    assert out.count("primesrl: what F1 is lost by") == 2
    assert "primesrl(preset=tool): what" not in out
    assert out.count("conll09: by role") == out.count("conll05: by role") == 2
    roles = cells(out, "conll09: by role")
    assert roles["role"] == ["P", "R", "F1"]
    assert roles["A1"] == ["0.00"] * 3
    assert roles["C-A4"] == ["100.00"] * 3
    assert "role.A1" not in out


def test_a_user_metric_has_the_tables_of_the_metric(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from graphscore.metrics.roles.primesrl import Primesrl\nm = Primesrl()\n"
    )
    metric = parse(f"{path}:m")
    assert isinstance(metric, UserMetric)
    scores = Primesrl().scores({})
    assert len(metric.tables(scores)) == 2
    assert parse("smatch").tables(scores) == ()


def sentence(said: list[Frame]) -> Graph:
    return head_graph(7, said)


def test_several_metrics_of_several_frameworks_are_one_table() -> None:
    gold, system = (str(DATA / f"{name}.mrp") for name in ("gold", "alder"))
    results = [*score(gold, system, ["mrp", "smatch"])]
    [table] = score_tables(results)
    assert [column.name for column in table.columns[:3]] == [
        *("metric", "tuple_type", "amr")
    ]
    mrp, smatch = parse("mrp"), parse("smatch")
    names = [(row[0], row[1]) for row in table.rows]
    types = [("mrp", name) for name in mrp.tuple_types if name != "all"]
    assert names == [("mrp", ""), *types, (str(smatch), "")]
    assert table.rules == {len(names) - 1}
    # What is asked for by -v comes before it.
    assert len(score_tables(results, verbose=True)) > 1


@given(headed_frames().map(sentence), headed_frames().map(sentence))
def test_rows_sum_to_one(gold: Graph, system: Graph) -> None:
    result = score([gold], [system], Primesrl(), options=ORDER)
    scores: Scores = result.scores
    table, roles = Primesrl().tables(scores)
    assert {*roles.rows} == {
        name.split(".")[1] for name in scores.numbers if name.startswith("role.")
    }
    shown, *_ = further_tables(result)
    scores = {
        "senses": scores.counts["senses"].f1,
        "core": scores.counts["core"].f1,
        "context": scores.counts["context"].f1,
        "arguments": scores.numbers["arguments.f1"],
        "sense_arguments": scores.counts["all"].f1,
    }
    assert list(table.rows) == list(scores) == [row[0] for row in shown.rows]
    for (name, row), cells_ in zip(table.rows.items(), shown.rows, strict=True):
        there = [value for value in row if value is not None]
        assert len(row) == len(table.columns) - 1
        if any(map(math.isnan, there)):
            assert all(map(math.isnan, there))
            assert set(cells_[1:]) <= {"-", None}
            assert scores[name] == 0
        else:
            assert row[0] == scores[name]
            assert sum(there) == pytest.approx(1)
            assert all(type(each) in (float, type(None)) for each in cells_[1:])
    assert "-0.00" not in render([shown])
