"""Metrics that a score of their own stands for: error rates, values."""

import math

import pytest

from graphscore.report.ranking import ranked
from tests.cli.conftest import ALDER, BIRCH, GOLD

SOURCE = '''
from dataclasses import dataclass
import math
from typing import ClassVar

from graphscore.metrics.meaning.mrp import Mrp
from graphscore.model.outcome import Scores


@dataclass(frozen=True)
class Rate(Mrp):
    """The share of gold's tuples that are missing."""

    name: ClassVar[str] = "rate"
    leading: ClassVar[str] = "rate"
    less_is_better: ClassVar[bool] = True

    def scores(self, raw_counts):
        counts, _ = super().scores(raw_counts)
        whole = counts["all"]
        rate = (whole.gold - whole.matched) / whole.gold if whole.gold else math.nan
        return Scores(counts, {"rate": rate})
'''


@pytest.fixture
def rate(tmp_path):
    place = tmp_path / "rate.py"
    place.write_text(SOURCE)
    return f"{place}:Rate"


def test_the_leading_score_stands_for_the_metric(run, rate):
    whole = run("score", GOLD, BIRCH, "-m", rate).json
    count = whole["counts"]["all"]
    assert whole["main"] == "rate"
    missed = count["gold"] - count["matched"]
    assert whole["scores"]["rate"] == missed / count["gold"]
    only = run("score", GOLD, BIRCH, "-m", rate, "--score-only").out
    assert float(only) == whole["scores"]["rate"]
    table = run("score", GOLD, BIRCH, "-m", rate, "--table").out.splitlines()
    assert table[1].split()[-1] == "rate"
    total = next(line.split() for line in table if line.startswith("all"))
    assert total[-1] == f"{100 * whole['scores']['rate']:.2f}"


def test_the_lowest_rate_is_ranked_first(run, rate):
    found = run("score", GOLD, BIRCH, ALDER, "-m", f"mrp,{rate}")
    systems = {each["system"]: each for each in found.json["ranking"]["systems"]}
    rates = {name: each["places"][rate]["rate"] for name, each in systems.items()}
    for name, each in systems.items():
        better = [other for other in rates if rates[other] < rates[name]]
        assert each["places"][rate]["rank"] == 1 + len(better)
        assert "f1" in each["places"]["mrp"]
    out = run("score", GOLD, BIRCH, ALDER, "-m", f"mrp,{rate}", "--table").out
    assert "\nF1 of all, rate\n" in out
    assert out.startswith("ranking by F1; rate, lowest first (* best)\n")
    lowest = f"*{100 * min(rates.values()):.2f}"
    highest = f"*{100 * max(rates.values()):.2f}"
    assert lowest in out
    assert highest not in out


def test_what_is_undefined_has_no_rank():
    ranking = ranked({"a": {"m": math.nan}, "b": {"m": 0.25}}, lower={"m"})
    assert ranking.places["a"] == {}
    assert ranking.places["b"]["m"] == (0.25, 1)
    assert ranking.order == ["b", "a"]


def test_an_undefined_score_is_null(run, rate, tmp_path):
    for name in ("gold.mrp", "system.mrp"):
        text = '{"id": "1", "framework": "dm", "nodes": [], "edges": [], "tops": []}\n'
        (tmp_path / name).write_text(text)
    sides = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    found = run("score", *sides, "-m", rate)
    assert found.json["scores"] == {"rate": None}
    table = run("score", *sides, "-m", rate, "--table").out
    total = next(line for line in table.splitlines() if line.startswith("dm"))
    assert total.split()[-1] == "-"
    assert run("score", *sides, "-m", rate, "--fail-over", "1").code == 1


def test_thresholds_go_the_way_of_the_score(run, rate):
    assert run("score", GOLD, BIRCH, "-m", rate, "--fail-over", "0.9").code == 0
    found = run("score", GOLD, BIRCH, "-m", rate, "--fail-over", "0.001")
    assert found.code == 1
    assert "rate is 0." in found.err
    assert "over 0.001" in found.err
    assert run("score", GOLD, BIRCH, "--fail-over", "edges=0.01").code == 1


@pytest.mark.parametrize(
    ("metric", "threshold", "expected"),
    [
        ("mrp", ["--fail-over", "0.5"], "use --fail-under"),
        ("rate", ["--fail-under", "0.5"], "use --fail-over"),
        ("rate", ["--fail-under", "rate=0.5"], "the lowest rate of"),
        ("mrp", ["--fail-under", "80"], "80: F1 goes from 0 to 1 (did you mean 0.8?)"),
        *(
            ("mrp", ["--fail-under", f"{name}=80"], f"{name} goes from 0 to 1 (did you")
            for name in ("edges", "edges.recall", "precision", "macro", "macro.edges")
        ),
        ("mrp", ["--fail-over", "edges=800"], "edges=800: edges goes from 0 to 1\n"),
        ("mrp", ["--fail-over", "x"], "expected a number or SCORE=NUMBER"),
    ],
)
def test_a_threshold_that_cannot_be_meant_is_refused(
    run, rate, metric, threshold, expected
):
    found = run(
        "score", GOLD, BIRCH, "-m", rate if metric == "rate" else metric, *threshold
    )
    assert found.code == 2
    assert expected in found.err
