"""Clause scores of published files, beside those of Counter, which climbs hills."""

from __future__ import annotations

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.metrics.registry import parse
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = {name: each for name, each in expected(GRAPHS).items() if name[:4] == "drs."}

BETTER = {"drs.pmb22_dev.boxer": 2, "drs.pmb21_dev.boxer": 2}
"""Clauses more than hill climbing found; none elsewhere."""


def scored(name: str, metric: str = "counter") -> Result:
    gold, system = (str(GRAPHS / CASES[name][side]) for side in ("gold", "system"))
    # Counter pairs by position, whatever the ids say.
    [found] = score_files(
        gold, system, [parse(metric)], Options(pair="order", per_item=True)
    )
    return found


@pytest.mark.parametrize("name", CASES)
def test_clauses_are_counters_and_matches_proven(name: str) -> None:
    case, found = CASES[name], scored(name)
    wanted = case["counter"]
    count = found.counts["all"]
    assert (count.gold, count.system) == (wanted["gold"], wanted["system"])
    assert found.proven == found.pairs
    assert count.matched == wanted["matched"] + BETTER.get(name, 0)
    if name not in BETTER:
        assert count.f1 == pytest.approx(wanted["f"], abs=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_each_pair_matches_at_least_as_many_as_the_climb(name: str) -> None:
    items = scored(name).items
    # The reference lists the first pairs only.
    for (_, gold, system, matched), item in zip(
        CASES[name]["items"], items, strict=False
    ):
        count = parse("counter").scores(item.raw_counts).counts["all"]
        assert (count.gold, count.system) == (gold, system)
        assert count.matched >= matched


@pytest.mark.parametrize("name", CASES)
def test_clauses_by_operator_are_counters(name: str) -> None:
    numbers = scored(name).scores.numbers
    for tuple_type, labels in CASES[name]["by_clause"].items():
        for label, (gold, system, _) in labels.items():
            assert numbers[f"{tuple_type}.{label}.gold"] == gold
            assert numbers[f"{tuple_type}.{label}.system"] == system
