"""The closed forms of role fillers and templates against the plain algebra."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.metrics.registry import parse
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.model.graph import Graph
from tests.metrics.templates.forms import (
    EVENTS,
    VALUES,
    WORDS,
    amounts,
    compared,
    forms,
)

METRICS = (
    *(
        f"ceaf_ree(similarity={phi},preset=none)"
        for phi in ("subset", "phi3", "phi4", "proportional")
    ),
    "ceaf_ree(mentions=normalized,templates=merged,preset=none)",
    "ceaf_rme(preset=none)",
    "ceaf_rme(similarity=phi3,preset=none)",
    "ceaf_rme(recall=formula,preset=none)",
    "ceaf_rme(similarity=phi3,recall=formula,templates=merged,preset=none)",
    "rolefillers",
    "rolefillers(mentions=exact,templates=aligned)",
    "gtt(preset=none)",
    "gtt(similarity=rme_subset,preset=none)",
    "gtt(similarity=rme_phi3,preset=none)",
    "granular",
    "granular(spans=rme_phi3,events=type)",
    "granular(spans=phi4)",
)

FULL = st.lists(WORDS, min_size=1, max_size=3) | VALUES | EVENTS
"""Fillers that say something: MUC passes over entities without mentions."""

SCRIPTS = (
    *("ceaf_ree", "ceaf_ree(preset=grit)", "ceaf_ree(similarity=proportional)"),
    *("ceaf_rme", "ceaf_rme(preset=iterx)", "ceaf_rme(recall=formula)"),
    *("gtt", "gtt(preset=gtt)", "gtt(similarity=subset)", "gtt(mentions=text)"),
)
"""Numbers of scripts, which are no formulas."""

MUC = (
    "muc4(generic=)",
    "muc4",
    "muc4(constraint=none)",
    "muc4(strings=rme_phi3,fills=strings,generic=,constraint=none)",
    "muc4(strings=rme_subset,constraint=none)",
    "muc4(strings=subset)",
)


def check(name: str, gold: Graph, system: Graph) -> None:
    metric = parse(name)
    assert isinstance(metric, TemplateMetric)
    made = metric.scores(compared(name, gold, system).raw_counts).counts
    for tuple_type, measured in metric.measured(gold, system).items():
        count = made[tuple_type]
        found = count.gold, count.system, count.matched, count.correct_system
        expected = measured.count
        assert found == pytest.approx(
            (
                expected.gold,
                expected.system,
                expected.matched,
                expected.correct_system,
            ),
            rel=1e-12,
            abs=1e-12,
        )


@pytest.mark.parametrize("name", METRICS)
@given(gold=forms(), system=forms())
def test_closed_forms_are_the_algebra(name: str, gold: Graph, system: Graph) -> None:
    check(name, gold, system)


@pytest.mark.parametrize("name", MUC)
@given(gold=forms(FULL), system=forms(FULL))
def test_muc_is_the_algebra(name: str, gold: Graph, system: Graph) -> None:
    check(name, gold, system)


@given(gold=forms(FULL), system=forms(FULL))
def test_the_constraint_with_several_to_one(gold: Graph, system: Graph) -> None:
    # The formula takes what a template earns with itself for its worth; one without
    # any of the seven slots is not aligned even to itself, and still asked for.
    metric = parse("muc4(strings=rme_subset)")
    assert isinstance(metric, TemplateMetric)
    measured = metric.measured(gold, system)["all"]
    correct, said, matched, asked = amounts(metric, gold, system)
    assert (matched, correct) == pytest.approx(
        (measured.found.recall, measured.found.precision)
    )
    assert said >= measured.system
    assert asked >= measured.gold


@pytest.mark.parametrize("name", [*METRICS, *SCRIPTS, *MUC])
@given(gold=forms(), system=forms())
def test_slots_add_up(name: str, gold: Graph, system: Graph) -> None:
    metric = parse(name)
    tuple_type = "slots" if name.startswith("granular") else "all"
    raw_counts = compared(metric, gold, system, details=False).raw_counts
    for quantity in ("gold", "system", "matched", "matched_system"):
        parts = [
            amount
            for (one, label, what), amount in raw_counts.items()
            if (one, what) == (tuple_type, quantity) and label
        ]
        assert sum(parts) == pytest.approx(
            raw_counts.get((tuple_type, "", quantity), 0)
        )


@pytest.mark.parametrize("name", [*METRICS, *SCRIPTS, *MUC])
@given(gold=forms(), system=forms())
def test_rows_are_complete(name: str, gold: Graph, system: Graph) -> None:
    found = compared(name, gold, system)
    for error in found.errors:
        if error.parent is not None:
            parent = found.matches[error.parent]
            assert parent.object == "node"
            assert parent.level == 0
        if error.object == "edge":
            assert error.gold is None or error.gold < len(gold.edges)
            assert error.system is None or error.system < len(system.edges)
        if error.error_type != "partial":
            own = error.gold if error.error_type == "missing" else error.system
            assert own is not None
    edges = [each for each in found.matches if each.object == "edge"]
    credit = sum(each.credit for each in edges)
    raw_counts = found.raw_counts
    tuple_type = "slots" if name.startswith("granular") else "all"
    typed = raw_counts.get((tuple_type, "type", "matched"), 0)
    precision = raw_counts.get(
        (tuple_type, "", "matched_system"),
        raw_counts.get((tuple_type, "", "matched"), 0),
    )
    if name.startswith("gtt") and name not in METRICS:
        # One mention may find two entities, and is a row for each.
        assert credit >= precision - typed
    else:
        assert credit == pytest.approx(precision - typed)


def exhaustive(gold: Graph, system: Graph) -> tuple[Any, ...]:
    """GTT's alignment, by trying all of them."""
    from graphscore.metrics.templates.gtt import Gtt, filled_any, type_fits

    metric = Gtt(preset="gtt")
    one, two = metric.preset_sides(metric.prepare(gold), metric.prepare(system))
    sizes = [
        len(e.forms) + sum(sum(map(len, f.slots.values())) for f in e.forms)
        for e in (one, two)
    ]
    best: tuple[float, int, int] | None = None
    rows = [*range(len(one.forms)), -1]
    for chosen in itertools.product(rows, repeat=len(two.forms)):
        used = [row for row in chosen if row >= 0]
        if len(used) != len(set(used)):
            continue
        right = [0, 0]
        for column, row in enumerate(chosen):
            if row >= 0 and type_fits(one.forms[row], two.forms[column]):
                slots = filled_any(metric.scheme, one.forms[row], two.forms[column])
                right[0] += 1 + sum(int(e.sides.recall) for e in slots.values())
                right[1] += 1 + sum(int(e.sides.precision) for e in slots.values())
        recall = right[0] / sizes[0] if sizes[0] else 0.0
        precision = right[1] / sizes[1] if sizes[1] else 0.0
        f1 = 2 * precision * recall / (precision + recall) if right[0] else 0.0
        if best is None or f1 > best[0] + 1e-12:
            best = f1, right[1], right[0]
    assert best is not None
    return best[1], sizes[1], best[2], sizes[0]


@given(
    gold=forms(st.lists(WORDS, max_size=2), 4),
    system=forms(st.lists(WORDS, max_size=2), 4),
)
def test_gtt_takes_the_first_of_the_best_alignments(gold: Graph, system: Graph) -> None:
    assert amounts("gtt(preset=gtt)", gold, system) == exhaustive(gold, system)
    metric = parse("gtt(preset=gtt)")
    prepared = metric.prepare(gold), metric.prepare(system)
    again = metric.compare(prepared[:1], prepared[1:], budget=Budget())
    assert again.proven
