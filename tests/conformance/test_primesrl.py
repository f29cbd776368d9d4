"""PriMeSRL: the paper's rules and tables, and what the published code prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphscore.metrics.roles.conll09 import Conll09
from graphscore.metrics.roles.primesrl import Primesrl
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count, Scores
from tests.conformance.test_srl import (
    CASES,
    SRL,
    example,
    graphs,
    probe,
    ratios,
    said,
    scores,
)

TOOL = Primesrl(preset="tool")
TUPLE_TYPES = {
    "PredicateId": "predicates",
    "Predicate": "senses",
    "CoreArgHead": "core",
    "ContextArgHead": "context",
    "ArgumentHead": "arguments",
}
CLASSES = (
    *("Correct", "Missing", "Spurious", "SameValueDiffSpan", "SameSpanDiffValue"),
    *("SameHeadSameValueDiffSpan", "SameValueSameSpanDiffHead"),
)
PROBES = 20


@pytest.fixture(autouse=True)
def _there(conformance: Path) -> None:
    """Skip where the data is not."""


def arguments(found: Scores) -> Count:
    """Core and contextual arguments together."""
    return Count(
        *(found.numbers[f"arguments.{each}"] for each in ("gold", "system", "matched"))
    )


def count(found: Scores, tuple_type: str) -> Count:
    return arguments(found) if tuple_type == "arguments" else found.counts[tuple_type]


@pytest.mark.parametrize("number", range(CASES))
def test_the_preset_prints_what_the_tool_prints(number: int) -> None:
    case = said("primesrl_expected.json")["cases"][number]
    gold, system = (graphs(SRL / case[f"{side}_file"]) for side in ("gold", "pred"))
    found = scores(gold, system, TOOL)
    assert len(case["proposed"]) == len(TUPLE_TYPES)
    for row in case["proposed"]:
        tuple_type = TUPLE_TYPES[row["Type"]]
        each = count(found, tuple_type)
        assert each.precision == pytest.approx(row["Precision"], abs=1e-12)
        assert each.recall == pytest.approx(row["Recall"], abs=1e-12)
        assert each.f1 == pytest.approx(row["F1"], abs=1e-12)
        if tuple_type == "predicates":
            assert each.matched == row["Correct"]
            assert each.gold - each.matched == row["Missing"]
            assert each.system - each.matched == row["Spurious"]
        elif tuple_type != "senses":
            for name in CLASSES:
                assert found.numbers[f"{tuple_type}.{name}"] == row[name], (
                    tuple_type,
                    name,
                )
        if tuple_type != "senses":
            assert found.numbers[f"{tuple_type}.accuracy"] == pytest.approx(
                row["Accuracy"]
            )


@pytest.mark.parametrize("number", range(CASES))
def test_the_paper_agrees_with_the_tool_on_its_own_files(number: int) -> None:
    case = said("primesrl_expected.json")["cases"][number]
    gold, system = (graphs(SRL / case[f"{side}_file"]) for side in ("gold", "pred"))
    mine, theirs = scores(gold, system, Primesrl()), scores(gold, system, TOOL)
    for tuple_type in TUPLE_TYPES.values():
        assert count(mine, tuple_type) == count(theirs, tuple_type)


def probes(number: int) -> tuple[list[Graph], list[Graph], Any]:
    data = said("primesrl_probes.json")
    assert len(data) == PROBES
    found = list(data.values())[number]
    gold, system = (
        probe(found["sentences"], side, "head") for side in ("gold", "pred")
    )
    return gold, system, found


@pytest.mark.parametrize("number", range(PROBES))
def test_probes_follow_the_paper(number: int) -> None:
    gold, system, data = probes(number)
    expected = data["paper_reference"]
    spans = tuple(probe(data["sentences"], side, "span") for side in ("gold", "pred"))
    for one, two, metric in (
        (gold, system, Primesrl()),
        (spans[0], spans[1], Primesrl(unit="span")),
    ):
        found = scores(one, two, metric)
        for tuple_type, names in (
            ("predicates", ("gold_pred", "pred_pred", "id_tp")),
            ("senses", ("gold_pred", "pred_pred", "sense_tp")),
            ("core", ("core_gold", "core_pred", "core_tp")),
            ("context", ("ctx_gold", "ctx_pred", "ctx_tp")),
            ("arguments", ("gold", "pred", "tp")),
        ):
            assert count(found, tuple_type) == Count(
                *(expected[each] for each in names)
            )


@pytest.mark.parametrize("number", range(PROBES))
def test_probes_follow_the_tool_with_the_preset(number: int) -> None:
    gold, system, data = probes(number)
    found = scores(gold, system, TOOL)
    for name, expected in data["tool"].items():
        each = count(found, TUPLE_TYPES[name])
        assert each.precision == pytest.approx(expected["P"], abs=1e-9), name
        assert each.recall == pytest.approx(expected["R"], abs=1e-9), name
        if name != "Predicate":
            amounts = tuple(expected[key] for key in ("gold", "pred", "tp"))
            assert each == Count(*amounts), name


@pytest.mark.parametrize("name", ["missing_predicate", "spurious_predicate"])
def test_arguments_of_lost_and_made_up_predicates_count(name: str) -> None:
    """The tool's official rows take them away from both sides first."""
    sentences = said("primesrl_probes.json")[name]["sentences"]
    gold, system = (probe(sentences, side, "head") for side in ("gold", "pred"))
    real = said("official_probes.json")[name]["real_eval09"]
    found = scores(gold, system, Primesrl())
    # No sense is wrong, nothing is C-X or R-X: then the paper agrees with eval09.
    assert arguments(found) == Count(
        *(real["args"][each] for each in ("gold", "pred", "labeled_correct"))
    )
    assert found.counts["senses"] == Count(
        *(real["predicates"][each] for each in ("gold", "pred", "sense_correct"))
    )


@pytest.mark.parametrize("unit", ["head", "span"])
def test_every_cell_of_the_papers_tables(unit: Any) -> None:
    seen = 0
    metric = Primesrl(unit=unit)
    for table in said("paper_tables.json")["tables"]:
        [first] = [each for each in table["examples"] if each["id"] == "Gold"]
        for each in table["examples"]:
            gold, system = (
                example(table, one["predicted_sense"], one["predicted_args"], unit)
                for one in (first, each)
            )
            found = scores(gold, system, metric)
            total = arguments(found)
            mine = {
                f"PriMeSRL_{unit}": {
                    "R": f"{total.matched}/{total.gold}",
                    "P": f"{total.matched}/{total.system}",
                },
                "PriMeSRL_sense": ratios(found, "senses"),
            }
            for name, cells in mine.items():
                assert cells == each["reference_scorer"][name]
                if name in each["paper"]:
                    assert cells == each["paper"][name]
                    seen += len(cells)
    assert seen == {"head": 46, "span": 38}[unit]


TABLE_8 = (
    # Gold sense, predicted sense, existing score, PriMeSRL's.
    ("buy.01", "sell.01", "3/3", "0/3"),
    ("buy.01", "buy_out.03", "2/3", "0/3"),
    ("buy_out.03", "buy_out.03", "3/3", "3/3"),
    ("buy.01", "buy_out.03", "2/3", "0/3"),
)


@pytest.mark.parametrize(("gold", "predicted", "existing", "ours"), TABLE_8)
def test_table_8(gold: str, predicted: str, existing: str, ours: str) -> None:
    words = ["XYZ", "company", "bought", "$2.4", "billion", "in", "bonds"]

    def sentence(sense: str) -> list[Graph]:
        roles = {"pos": 3, "sense": sense, "args": [["A0", 2, 0], ["A1", 5, 0]]}
        return probe([{"tokens": words, "x": [roles]}], "x", "head")

    one, two = sentence(gold), sentence(predicted)
    assert ratios(scores(one, two, Conll09()), "all")["R"] == existing
    found = scores(one, two, Primesrl())
    assert ratios(found, "all") == {"R": ours, "P": ours}
    assert found.numbers["sense_arguments.f1"] == found.counts["all"].f1
