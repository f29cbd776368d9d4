"""SMATCH of AMR releases: the optimum over smatch.py's own triples, to the count."""

from __future__ import annotations

from typing import Any

import pytest

from graphscore import score
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from tests.wild import GRAPHS, expected, needs_wild

pytestmark = needs_wild

CASES = {
    name: case for name, case in expected(GRAPHS).items() if name.startswith("amr.")
}


def scored(case: dict[str, Any], metric: str) -> Result:
    sides = (str(GRAPHS / case[side]) for side in ("gold", "system"))
    return score(*sides, metric, options=Options(pair="order", per_item=True))


@pytest.mark.parametrize("metric", ["smatch", "smatch(preset=smatch)"])
@pytest.mark.parametrize("name", CASES)
def test_the_optimum_of_smatch_py(name: str, metric: str) -> None:
    case = CASES[name]
    found = scored(case, metric)
    gold, system, matched = found.counts["all"][:3]
    climbed, optimum = case["smatch"], case["optimum"]
    assert (found.pairs, found.unproven) == (case["pairs"], 0)
    assert (gold, system) == (climbed["gold"], climbed["system"])
    assert matched == optimum["total_matched"] >= climbed["matched"]
    below = []
    for number, (each, items) in enumerate(
        zip(found.items, case["items"].values(), strict=True)
    ):
        count = found.metric.scores(each.raw_counts).counts["all"]
        assert [*count[:3]] == [*items[:2], items[3]], each.item
        if count.matched > items[2]:
            below.append(number)
    assert below == optimum["pairs_where_hill_climbing_is_below"]


def test_the_scores_of_smatch_plus_plus() -> None:
    case = CASES["amr.lpp"]
    found = scored(case, "smatch(preset=smatchpp)")
    for name in ("precision", "recall", "f1"):
        assert round(100 * getattr(found, name), 2) == case["smatchpp"][name]


@pytest.mark.parametrize("side", ["gold", "system"])
@pytest.mark.parametrize("name", CASES)
def test_a_release_is_like_itself(name: str, side: str) -> None:
    assert (
        scored(
            CASES[name] | {"gold": CASES[name][side]} | {"system": CASES[name][side]},
            "smatch",
        ).f1
        == 1
    )
