"""The reference scorer's counts on PENMAN files, under its own conventions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.scoring import score_files
from graphscore.metrics.registry import parse
from graphscore.model.tuples import TUPLE_TYPES
from tests.conftest import CONFORMANCE

EXPECTED = CONFORMANCE / "mrp" / "expected"


def entries() -> list[Any]:
    names = sorted(path.stem for path in EXPECTED.glob("*.penman.json"))
    return names or [pytest.param("none", marks=pytest.mark.skip(reason="no data"))]


@pytest.mark.parametrize("name", entries())
def test_counts_of_the_reference_are_reproduced(conformance: Path, name: str) -> None:
    folder = conformance / "mrp"
    entry = json.loads((folder / "expected" / f"{name}.json").read_text())
    expected = entry["mrp"]
    [result] = score_files(
        str(folder / entry["gold"]),
        str(folder / entry["system"]),
        [parse("mrp(preset=mtool)")],
        Options(per_item=True, pair="order"),
    )
    assert result.pairs == len(result.items) == expected["n"]
    assert result.unproven == 0
    # The reference numbers graphs without ids from 0; in order they are the same.
    for each, answer in zip(result.items, expected["items"].values(), strict=True):
        counts = result.metric.scores(each.raw_counts).counts
        for tuple_type in TUPLE_TYPES:
            found = [counts[tuple_type].gold, counts[tuple_type].system]
            assert found == answer["counts"][tuple_type][:2], (each.item, tuple_type)
        matched = counts["all"].matched
        assert each.bound == each.score == matched
        if "optimum" in answer:
            assert matched == answer["optimum"], each.item
        elif answer["finished"]:
            assert matched == answer["matched"], each.item
        else:
            assert matched >= answer["matched"], each.item
    for tuple_type in (*TUPLE_TYPES, "all"):
        count = result.counts[tuple_type]
        assert [count.gold, count.system] == expected["totals"][tuple_type][:2]
    assert result.counts["all"].matched >= expected["totals"]["all"][2]


def test_the_reader_keeps_what_the_preset_drops(conformance: Path) -> None:
    folder = conformance / "mrp" / "amr"
    gold, system = (str(folder / f"coli500.{side}.amr") for side in ("gold", "system"))
    options = Options(pair="order")
    [everything] = score_files(gold, system, [parse("mrp")], options)
    [reduced] = score_files(gold, system, [parse("mrp(preset=mtool)")], options)
    assert [reduced.counts["all"].gold, reduced.counts["all"].system] == [14096, 13345]
    assert reduced.counts["all"].matched == 10546
    # Wikification and repeated attributes count without the preset.
    assert everything.counts["properties"].gold > reduced.counts["properties"].gold
    assert everything.counts["properties"].system > reduced.counts["properties"].system
