"""The counts of mtool's SMATCH, of smatch.py and of smatch++."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Count
from tests.conftest import CONFORMANCE

EXPECTED = CONFORMANCE / "mrp" / "expected"


def entries() -> list[Any]:
    names = [
        path.stem
        for path in sorted(EXPECTED.glob("*.json"))
        if "smatch" in json.loads(path.read_text())
    ]
    return names or [pytest.param("none", marks=pytest.mark.skip(reason="no data"))]


def run(conformance: Path, name: str, metric: str) -> tuple[dict[str, Any], Result]:
    folder = conformance / "mrp"
    entry = json.loads((folder / "expected" / f"{name}.json").read_text())
    options = Options(
        Selection(frameworks=frozenset({entry["framework"]})), per_item=True
    )
    gold, system = (str(folder / entry[side]) for side in ("gold", "system"))
    [result] = score_files(gold, system, [parse(metric)], options)
    return entry, result


def count(result: Result, raw_counts: Any) -> Count:
    return result.metric.scores(raw_counts).counts["all"]


@pytest.mark.parametrize("name", entries())
def test_counts_of_mtool_are_reproduced_and_never_fallen_short_of(
    conformance: Path, name: str
) -> None:
    entry, result = run(conformance, name, "smatch(preset=mtool)")
    expected = entry["smatch"]
    assert result.pairs == expected["n"]
    assert result.unproven == 0
    items = {each.item: each for each in result.items}
    malformed = entry.get("malformed", {})
    for item, answer in expected["items"].items():
        if item in malformed:
            continue
        gold, system, matched = count(result, items[item].raw_counts)[:3]
        assert [gold, system] == answer[:2], item
        assert matched >= answer[2], item
        assert items[item].score == items[item].bound == matched
    if not malformed:
        total = result.counts["all"]
        assert [total.gold, total.system] == expected["totals"][:2]
        assert total.matched >= expected["totals"][2]


@pytest.mark.parametrize(
    ("metric", "counts"),
    [
        ("smatch(preset=mtool)", (14097, 13345, 10496)),
        ("smatch(preset=smatch)", (14699, 13903, 10980)),
        # What the integer program of smatch++ 1.8 counts on the same pairs.
        ("smatch(preset=smatchpp)", (14678, 13891, 10930)),
    ],
)
def test_totals_of_five_hundred_parses(
    conformance: Path, metric: str, counts: tuple[int, int, int]
) -> None:
    _, result = run(conformance, "amr.coli500.penman", metric)
    assert result.counts["all"][:3] == counts
    assert result.unproven == 0
    numbers = result.scores.numbers
    for place, name in enumerate(("gold", "system", "matched")):
        parts = ("instances", "attributes", "relations")
        assert sum(numbers[f"{part}.{name}"] for part in parts) == counts[place]


def test_canonical_ties_keep_the_total(conformance: Path) -> None:
    metric = "smatch(ties=canonical,preset=smatch)"
    _, result = run(conformance, "amr.coli500.penman", metric)
    assert result.counts["all"].matched == 10980
    assert result.unproven == 0
