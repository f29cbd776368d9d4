"""The cases of entity trees, and the scores of Table 3 of the paper.

Every case binds for ETER, SER and ERR: all counts, every pair and what it costs, and
the rates.  Tokens are characters.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from graphscore.correspondence import Budget
from graphscore.evaluation.result import Result
from graphscore.metrics.entities.eter import Eter
from graphscore.metrics.entities.slot_alignment import aligned_trees
from graphscore.metrics.entities.slot_metric import SlotMetric
from graphscore.metrics.entities.slot_scores import Tally
from graphscore.metrics.registry import parse
from tests.conftest import CONFORMANCE
from tests.metrics.entities.trees import from_case, graph

CASES = CONFORMANCE / "ner" / "eter_cases.json"
FOUND: dict[str, Any] = json.loads(CASES.read_text()) if CASES.is_file() else {}

pytestmark = pytest.mark.skipif(
    not FOUND, reason="the conformance data is not beside this checkout"
)

ALL = FOUND.get("cases", [])
every_case = pytest.mark.parametrize("case", ALL, ids=lambda case: str(case["id"]))


def chosen(case: dict[str, Any]) -> Eter:
    """The metric with the parameters of a case."""
    params = dict(case["params"])
    free = params.pop("need_overlap", True) is False
    metric = Eter(
        alpha=params.pop("alpha", 0.5), overlap="free" if free else "required"
    )
    assert not params
    return metric


def scores(case: dict[str, Any], metric: Any) -> dict[str, float]:
    sides = ([graph([from_case(x) for x in case[side]])] for side in ("ref", "hyp"))
    made = parse(metric)
    one, two = ([made.prepare(each) for each in side] for side in sides)
    found = made.compare(one, two, budget=Budget())
    assert found.proven
    return made.scores(found.raw_counts).numbers


def test_there_are_cases_of_all_four_formulas_of_metonymy() -> None:
    lengths = {
        (len(case["ref"][0]["types"]), len(case["hyp"][0]["types"]))
        for case in ALL
        if case["id"].startswith("metonymy")
    }
    assert lengths == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert len(ALL) == 23


def test_the_defaults_are_the_constants_of_the_paper() -> None:
    expected = FOUND["constants"]
    metric = Eter()
    assert metric.alpha == expected["alpha"]
    assert metric.type == expected["type"]
    assert metric.subtype == expected["subtype"]
    assert metric.boundary == expected["boundary"]
    assert metric.component_label == expected["comp_label"]
    assert metric.component_boundary == expected["comp_boundary"]
    assert metric.insertion == expected["ins"]
    assert metric.deletion == expected["dele"]
    assert not metric.anywhere


@every_case
def test_entity_tree_error_rate(case: dict[str, Any]) -> None:
    expected, metric = case["eter"], chosen(case)
    numbers = scores(case, metric)
    assert numbers["entities.slots"] == numbers["slots"] == expected["NE"]
    assert numbers["entities.deletions"] == expected["D"]
    assert numbers["entities.insertions"] == expected["I"]
    assert numbers["errors"] == pytest.approx(expected["errors"], abs=1e-12)
    assert numbers["eter"] == pytest.approx(expected["ETER"], abs=1e-12)


@every_case
def test_other_alignments_say_what_they_should(case: dict[str, Any]) -> None:
    optimal, fixed = (
        scores(case, replace(chosen(case), alpha=0, alignment=alignment))
        for alignment in ("optimal", "fixed")
    )
    assert fixed["eter"] == pytest.approx(optimal["eter"], abs=1e-12, nan_ok=True)
    aligned = scores(case, replace(chosen(case), words="aligned"))
    given = scores(case, chosen(case))
    assert {name: aligned[name] for name in given} == pytest.approx(given, nan_ok=True)
    for alpha in (0.3, 1):
        found = scores(case, replace(chosen(case), alpha=alpha, alignment="fixed"))
        ends = fixed["eter.types"], fixed["eter.decomposition"]
        line = (1 - alpha) * ends[0] + alpha * ends[1]
        assert found["eter"] == pytest.approx(line, abs=1e-12, nan_ok=True)


@every_case
def test_pairs_of_entities(case: dict[str, Any]) -> None:
    metric = chosen(case)
    gold, system = (
        metric.prepare(graph([from_case(x) for x in case[side]]))
        for side in ("ref", "hyp")
    )
    found = []
    for pair in aligned_trees(gold, system, metric):
        one, two = gold.entities[pair.gold], system.entities[pair.system]
        here, there = gold.children[pair.gold], system.children[pair.system]
        alone = len(here) + len(there) - 2 * len(pair.components)
        below = sum(each[2] for each in pair.components) + alone
        share = below / max(1, len(here))
        found.append((one.types, two.types, pair.root, share, pair.cost))
    wanted = [
        (tuple(sorted(each["ref"])), tuple(sorted(each["hyp"])))
        for each in case["eter"]["pairs"]
    ]
    assert [each[:2] for each in found] == wanted
    for pair, each in zip(found, case["eter"]["pairs"], strict=True):
        assert pair[2:] == pytest.approx([each["Er"], each["Ec"], each["E"]], abs=1e-12)


@every_case
@pytest.mark.parametrize(
    ("metric", "score", "key"),
    [
        ("ser(substitution=additive)", "ser", "SER_weighted"),
        ("ser(weights=makhoul)", "ser", "SER_makhoul"),
        ("err", "err", "ERR_muc5"),
    ],
)
def test_slot_error_rates(
    case: dict[str, Any], metric: str, score: str, key: str
) -> None:
    expected = case["ser"]
    numbers = scores(case, metric)
    names = ("correct", "substitutions", "deletions", "insertions", "slots")
    assert [numbers[name] for name in names] == [expected[name] for name in "CSDIR"]
    assert numbers[score] == pytest.approx(expected[key], abs=1e-12)
    correct, wrong, deleted, inserted, _ = (numbers[name] for name in names)
    printed = (wrong + deleted + inserted) / (correct + deleted + inserted)
    assert printed == pytest.approx(expected["ERR_as_printed_in_paper"], abs=1e-12)


TYPES, COMPONENTS = 5954, 8627
"""Slots of the test corpus, Table 1."""

TABLE_3 = [
    ("NER-4", "entities", 1925, 155, 541, 39.5),
    ("NER-4", "components", 2304, 310, 587, 33.7),
    ("NER-5", "entities", 1476, 543, 888, 41.0),
    ("NER-5", "components", 2092, 525, 589, 33.7),
    ("NER-8", "entities", 1511, 290, 818, 37.0),
    ("NER-8", "components", 4295, 266, 2908, 69.7),
]
"""Deletions, insertions and substitutions, and the rate that is printed, in percent."""

PRINTED = {"NER-5 entities": 0.5, "NER-8 entities": 0.5}
"""Half of the last digit of what is printed, where that is not a tenth."""


def raw_counts(
    tuple_type: str, deleted: int, inserted: int, wrong: int
) -> dict[Any, float]:
    """Raw counts of a corpus with so many errors, a substitution costing one half."""
    slots = TYPES if tuple_type == "entities" else COMPONENTS
    right = slots - deleted - wrong
    amounts = {
        "gold": slots,
        "system": right + wrong + inserted,
        "matched": right,
        "deletions": deleted,
        "insertions": inserted,
        "cost": wrong * 0.5,
    }
    return {(tuple_type, "", name): value for name, value in amounts.items()}


@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: f"{row[0]} {row[1]}")
def test_table_3(row: tuple[str, str, int, int, int, float]) -> None:
    system, tuple_type, *counts, printed = row
    numbers = parse("ser").scores(raw_counts(tuple_type, *counts)).numbers
    assert numbers[f"{tuple_type}.substitutions"] == counts[2]
    width = PRINTED.get(f"{system} {tuple_type}", 0.05)
    assert abs(100 * numbers[f"ser.{tuple_type}"] - printed) <= width


def test_the_global_rate_of_ner_8_is_the_sum_of_its_parts() -> None:
    total: dict[Any, float] = {}
    for system, tuple_type, *counts, _ in TABLE_3:
        if system == "NER-8":
            total |= raw_counts(str(tuple_type), *map(int, counts))
    numbers = parse("ser").scores(total).numbers
    assert numbers["slots"] == 14581
    assert [numbers[x] for x in ("deletions", "insertions", "substitutions")] == [
        *(5806, 556, 3726)
    ]
    assert abs(100 * numbers["ser"] - 56.4) <= 0.05
    parts = numbers["part.entities"] + numbers["part.components"]
    assert parts == pytest.approx(numbers["ser"], abs=1e-12)


def test_a_substitution_costs_what_the_metric_says() -> None:
    ser = parse("ser")
    assert isinstance(ser, SlotMetric)
    assert {ser.substituted(wrong) for wrong in (1, 2, 4, 5, 6)} == {0.5}
    assert Tally(4, 4, 2, 1, 1, 0.5).rate() == 0.625
    assert math.isnan(Result(ser).value)
