"""The reference scorer's counts, for every MRP file pair it was run on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.scoring import score_files
from graphscore.metrics.registry import parse
from graphscore.model.tuples import TUPLE_TYPES
from tests.conftest import CONFORMANCE

EXPECTED = CONFORMANCE / "mrp" / "expected"
ORDERED = {"dm", "psd"}


def entries() -> list[Any]:
    names = sorted(path.stem for path in EXPECTED.glob("*.json"))
    names = [name for name in names if not name.endswith("penman") and name != "native"]
    return names or [pytest.param("none", marks=pytest.mark.skip(reason="no data"))]


def run(conformance: Path, name: str, metric: str = "mrp") -> tuple[Any, Any]:
    entry = json.loads((conformance / "mrp" / "expected" / f"{name}.json").read_text())
    folder = conformance / "mrp"
    options = Options(
        Selection(frameworks=frozenset({entry["framework"]})), per_item=True
    )
    [result] = score_files(
        str(folder / entry["gold"]),
        str(folder / entry["system"]),
        [parse(metric)],
        options,
    )
    return entry, result


@pytest.mark.parametrize("name", entries())
def test_counts_of_the_reference_are_reproduced(conformance: Path, name: str) -> None:
    entry, result = run(conformance, name)
    assert result.unproven == 0
    if "mrp" not in entry:
        pytest.skip("the reference scorer crashes on this pair")
    expected = entry["mrp"]
    items = {each.item: each for each in result.items}
    malformed = entry.get("malformed", {})
    assert result.pairs == expected["n"]
    assert result.missing_system == expected["missing_system"] + len(malformed)
    missing = {item for item, each in items.items() if each.missing}
    assert items.keys() - expected["items"].keys() <= missing
    assert expected["items"].keys() <= items.keys()
    for item, answer in expected["items"].items():
        if item in malformed:
            continue
        counts = result.metric.scores(items[item].raw_counts).counts
        assert items[item].proven
        assert items[item].bound == items[item].score == counts["all"].matched
        for tuple_type in TUPLE_TYPES:
            found = [counts[tuple_type].gold, counts[tuple_type].system]
            assert found == answer["counts"][tuple_type][:2], (item, tuple_type)
        matched = counts["all"].matched
        if entry["framework"] not in ORDERED:
            assert matched == answer["optimum"], item
        elif answer["finished"]:
            assert matched == answer["matched"], item
        else:
            assert matched >= answer["matched"], item


@pytest.mark.parametrize("name", ["eds.pet", "eds.lpps", "dm.light", "psd.light"])
def test_totals_of_the_reference_are_reproduced(conformance: Path, name: str) -> None:
    entry, result = run(conformance, name)
    totals = entry["mrp"]["totals"]
    for tuple_type in TUPLE_TYPES:
        count = result.counts[tuple_type]
        assert [count.gold, count.system] == totals[tuple_type][:2]
    assert result.counts["all"].matched >= totals["all"][2]


@pytest.mark.parametrize("name", ["dm.light", "psd.light", "psd.107480"])
def test_free_order_reaches_the_unconstrained_optimum(
    conformance: Path, name: str
) -> None:
    entry, result = run(conformance, name, "mrp(order=free)")
    for each in result.items:
        optimum = entry["mrp"]["items"][each.item].get("optimum")
        if optimum is not None:
            assert each.score == optimum
        assert each.proven


def test_empty_gold_counts_nothing_and_charges_the_system(conformance: Path) -> None:
    # The reference crashes here; what is gold is empty, the rest is spurious.
    _, result = run(conformance, "dm.empty")
    counts = {
        each.item: result.metric.scores(each.raw_counts).counts["all"]
        for each in result.items
    }
    assert counts["22100001"].gold == counts["22100002"].gold == 0
    assert counts["22100001"].system > 0
    assert counts["22100003"].gold > 0
    assert counts["22100003"].system == 0
    assert result.counts["all"].matched == 0


def test_every_framework_of_one_file_is_scored_in_one_run(conformance: Path) -> None:
    gold = str(conformance / "mrp" / "gold" / "lpps.mrp")
    [result] = score_files(gold, gold, [parse("mrp")])
    assert result.frameworks == ["amr", "dm", "eds", "psd", "ucca"]
    assert result.f1 == 1.0
    assert result.unproven == 0
