"""GRIT's, GTT's and IterX's numbers on MUC-4, to the count.

Real predictions of the three systems, paired under the ``muc4`` id rule, and the
corner cases of GRIT's script.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graphscore import score
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.metrics.registry import parse
from graphscore.metrics.templates.counts import slot_counts
from graphscore.model.outcome import Count, RawCounts, add_raw_counts
from tests.conftest import CONFORMANCE
from tests.metrics.templates.forms import compared, fillers

IE = CONFORMANCE / "ie"


def expected_of(name: str) -> dict[str, Any]:
    path = IE / name
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    found.pop("_meta", None)
    return found


CASES = {
    each["name"]: each for each in expected_of("ceaf_ree_cases.json").get("cases", ())
}
REE = expected_of("ceaf_ree_real.json")
RME = expected_of("ceaf_rme_real.json")
DOCUMENTS = expected_of("ceaf_rme_muc4_per_document.json")
EXHAUSTIVE = "muc4/gtt/gtt-eval(exhaustive)"

pytestmark = pytest.mark.skipif(
    not CASES, reason="the conformance data is not beside this checkout"
)

SYSTEMS = {
    "bart-base": "muc4_iterx_bart-base.jsonl",
    "bert-base": "muc4_iterx_bert-base.jsonl",
    "gtt": "muc4_gtt_preds_gtt.out",
}

SIMILARITIES = {"strict": "subset", "prop": "proportional"}
PHIS = {"phi-3": "phi3", "phi-subset": "subset"}
EMPTY = {"all-docs": "count", "ignore-empty": "ignore"}


@cache
def scored(gold: str, system: str, metric: str) -> Result:
    options = Options(ids="muc4", per_item=True)
    return score(str(IE / gold), str(IE / system), metric, options=options)


def amounts(count: Count) -> list[float]:
    return [count.correct_system, count.system, count.matched, count.gold]


def numbers(expected: dict[str, Any]) -> list[float]:
    return [expected[name] for name in ("p_num", "p_den", "r_num", "r_den")]


def check(expected: dict[str, Any], count: Count) -> None:
    assert amounts(count) == pytest.approx(numbers(expected), rel=1e-15)
    ratios = [count.precision, count.recall, count.f1]
    assert ratios == pytest.approx([expected[name] for name in ("p", "r", "f1")])


@pytest.mark.parametrize("schema", SIMILARITIES)
@pytest.mark.parametrize("case", CASES)
def test_grit_cases(case: str, schema: str) -> None:
    metric = parse(f"ceaf_ree(similarity={SIMILARITIES[schema]},preset=grit)")
    expected = CASES[case]["expected"][schema]
    raw_counts: RawCounts = {}
    for name, gold in CASES[case]["golds"].items():
        system = CASES[case]["preds"][name]
        add_raw_counts(
            raw_counts, compared(metric, fillers(gold), fillers(system)).raw_counts
        )
    if "raises" in expected:
        # The script divides by nothing; here an entity without mentions earns none.
        assert raw_counts.get(("all", "", "matched"), 0) == 0
        return
    slots = slot_counts(raw_counts, "all")
    for role, each in expected.items():
        count = slots.get(role, Count())
        check(
            each,
            metric.scores(raw_counts).counts["all"] if role == "micro_avg" else count,
        )


@pytest.mark.parametrize("schema", SIMILARITIES)
def test_grit(schema: str) -> None:
    metric = f"ceaf_ree(similarity={SIMILARITIES[schema]},preset=grit)"
    found = scored("muc4_grit_test.jsonl", "muc4_grit_preds.json", metric)
    assert found.pairs == 200
    expected = REE["preds_s_t.out"][schema]
    slots = slot_counts(summed(found), "all")
    for role, each in expected.items():
        if role == "macro_avg":
            for name, score in (("p", "precision"), ("r", "recall"), ("f1", "f1")):
                made = found.scores.numbers[f"macro.{score}"]
                assert made == pytest.approx(each[name], rel=1e-15)
        else:
            check(each, found.counts["all"] if role == "micro_avg" else slots[role])


def summed(found: Result) -> RawCounts:
    raw_counts: RawCounts = {}
    for each in found.items or ():
        add_raw_counts(raw_counts, each.raw_counts)
    return raw_counts


@pytest.mark.parametrize("name", [each for each in RME if each != EXHAUSTIVE])
def test_iterx(name: str) -> None:
    _, system, phi, documents = name.split("/")
    found = scored(
        "muc4_gtt_test.json",
        SYSTEMS[system],
        f"ceaf_rme(similarity={PHIS[phi]},empty={EMPTY[documents]},preset=iterx)",
    )
    assert found.pairs == 200
    check(RME[name], found.counts["all"])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_iterx_by_document(name: str) -> None:
    system, phi = name.split("/")
    metric = f"ceaf_rme(similarity={PHIS[phi]},preset=iterx)"
    found = scored("muc4_gtt_test.json", SYSTEMS[system], metric)
    made = {
        each.item: amounts(found.metric.scores(each.raw_counts).counts["all"])
        for each in found.items or ()
    }
    assert made == DOCUMENTS[name]


def test_gtt() -> None:
    found = scored("muc4_gtt_test.json", SYSTEMS["gtt"], "gtt(preset=gtt)")
    assert (found.pairs, found.unproven) == (200, 0)
    slots = slot_counts(summed(found), "all")
    slots["incident_type"], slots["micro_avg"] = slots["type"], found.counts["all"]
    for role, each in RME[EXHAUSTIVE].items():
        check(each, slots[role])


DEFAULTS = [
    ("muc4_grit_test.jsonl", "muc4_grit_preds.json", "ceaf_ree", "grit"),
    ("muc4_gtt_test.json", SYSTEMS["gtt"], "gtt", "gtt"),
    *(("muc4_gtt_test.json", each, "ceaf_rme", "iterx") for each in SYSTEMS.values()),
]


@pytest.mark.parametrize(("gold", "system", "metric", "script"), DEFAULTS)
def test_the_default_is_the_number_of_the_script(
    gold: str, system: str, metric: str, script: str
) -> None:
    default = scored(gold, system, metric)
    preset = scored(gold, system, f"{metric}(preset={script})")
    assert default.counts == preset.counts
    assert summed(default) == summed(preset)
    equation = scored(gold, system, f"{metric}(preset=none)")
    assert equation.counts != default.counts


@pytest.mark.parametrize("metric", ["ceaf_ree", "ceaf_rme", "gtt"])
@pytest.mark.parametrize("gold", ["muc4_grit_test.jsonl", "muc4_gtt_test.json"])
def test_gold_is_like_itself(gold: str, metric: str) -> None:
    count = scored(gold, gold, metric).counts["all"]
    assert count.gold == count.matched > 0
    assert count.system == count.correct_system > 0


def test_files_are_where_they_should_be(conformance: Path) -> None:
    assert all((conformance / "ie" / each).is_file() for each in SYSTEMS.values())
