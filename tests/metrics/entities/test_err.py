"""Error per response fill."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from graphscore import score
from graphscore.metrics.base import main_score
from graphscore.metrics.entities.err import Err
from graphscore.metrics.registry import parse
from graphscore.model.outcome import CountKey
from tests.metrics.entities.test_ser import cost_of_all, flat
from tests.metrics.entities.trees import (
    FUNC,
    FUNC_SYSTEM,
    Tree,
    comp,
    ent,
    flattened,
    graph,
    numbers,
    pairs_of_trees,
)
from tests.metrics.meaning.pieces import outcome


@given(sides=pairs_of_trees())
def test_no_alignment_has_fewer_errors(sides: tuple[list[Tree], list[Tree]]) -> None:
    gold, system = ([x for x in flattened(side) if x.entity] for side in sides)
    cost, right = cost_of_all(gold, system, (1.0, 1.0, 1.0))
    found = numbers(*sides, "err(slots=types,metonymy=nested)")
    assert (found["errors"], found["correct"]) == (cost, -right)
    expected = cost / (cost - right) if cost - right else math.nan
    assert found["err"] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(sides=pairs_of_trees())
def test_the_rate_is_between_0_and_1(sides: tuple[list[Tree], list[Tree]]) -> None:
    one = parse("err")
    scores = one.scores(outcome(graph(sides[0]), graph(sides[1]), one).raw_counts)
    found, count = scores.numbers, scores.counts["all"]
    wrong, right = found["substitutions"], found["correct"]
    every = right + wrong + found["deletions"] + found["insertions"]
    if every:
        assert found["err"] == pytest.approx(1 - right / every)
    else:
        assert math.isnan(found["err"])
    assert right + wrong + found["insertions"] == count.system
    assert right + wrong + found["deletions"] == count.gold
    # Jaccard's distance, and that of F1, where nothing is substituted.
    if not wrong and every:
        assert found["err"] == pytest.approx(1 - count.f1 / (2 - count.f1))


def test_substitutions_are_in_the_denominator() -> None:
    gold, system = [ent("loc.adm", 0, 2)], [ent("org.ent", 0, 2)]
    found = numbers(gold, system, "err")
    assert found["err"] == 1.0
    # As printed in the ETER paper there would be nothing to divide by.
    assert found["correct"] + found["deletions"] + found["insertions"] == 0


def test_a_wrong_boundary_is_an_error() -> None:
    gold, system = flat(("PER", 0, 12)), flat(("PER", 0, 3))
    assert score([gold], [system], "err").value == 1.0
    found = score([gold], [system], "ner").scores.numbers
    assert found["partial.ERR"] == 0.5


def test_precision_and_recall_are_those_of_muc() -> None:
    gold = flat(("PER", 0, 3), ("LOC", 7, 13))
    system = flat(("PER", 0, 3), ("ORG", 7, 13), ("PER", 20, 25))
    result = score([gold], [system], "err")
    assert (result.precision, result.recall) == (1 / 3, 1 / 2)
    assert result.value == 2 / 3


def test_trees_have_components_too() -> None:
    found = numbers([FUNC], [FUNC_SYSTEM], "err")
    assert found["err"] == 2 / 6
    assert found["err.entities"] == 2 / 3
    assert found["err.components"] == 0.0
    only = numbers([comp("name", 0, 1)], [], "err(slots=components)")
    assert only["err"] == 1.0


def test_nothing_has_no_rate() -> None:
    nothing: dict[CountKey, int] = {}
    assert math.isnan(main_score(Err(), Err().scores(nothing)))
    assert numbers([], [FUNC], "err")["err"] == 1.0
