"""What is entered into the outcome builder of a pair comes out as its outcome."""

from __future__ import annotations

import pytest

from graphscore.model.outcome import Error, ErrorType, Match
from graphscore.model.outcome_builder import (
    Alignment,
    Described,
    OutcomeBuilder,
    aligned_by_key,
    unlike,
)


def test_raw_counts_add_up_and_nothing_is_not_one() -> None:
    builder = OutcomeBuilder()
    builder.count("a", 2, 1, 0)
    builder.count("a", 1, 0, 1)
    builder.add("a", "b", "gold")
    assert builder.raw_counts == {
        ("a", "", "gold"): 3,
        ("a", "", "system"): 1,
        ("a", "", "matched"): 1,
        ("a", "b", "gold"): 1,
    }


def test_parts_stand_below_their_matches() -> None:
    builder = OutcomeBuilder(first=3)
    parent = builder.match(0, 1)
    child = builder.match(4, 5, 0.5, "edge", parent)
    builder.match(6, None, parent=child)
    assert (parent, child) == (3, 4)
    assert builder.matches == [
        Match("node", 0, 1, 1.0, None, 0),
        Match("edge", 4, 5, 0.5, 3, 1),
        Match("node", 6, None, 1.0, 4, 2),
    ]


def test_errors_name_both_sides_gold_first() -> None:
    builder = OutcomeBuilder()
    builder.error("spurious", Described("a", 1, 2, label="x", name="n", value="v"))
    builder.error("missing", Described("a", 3))
    builder.error("partial", Described("a", 4, 5, credit=0.5), 0)
    missing, partial, spurious = builder.errors
    assert missing == Error(
        "missing", "a", "node", 3, None, None, "", None, None, "no counterpart"
    )
    assert (partial.gold, partial.system, partial.credit) == (4, 5, 0.5)
    assert spurious == Error(
        "spurious", "a", "node", 2, 1, "x", "n", "v", None, "differs"
    )


def test_errors_keep_their_order_where_sides_do_not_matter() -> None:
    builder = OutcomeBuilder(by_side=False)
    builder.error("spurious", Described("a", 0))
    builder.error("missing", Described("a", 0))
    assert [each.error_type for each in builder.errors] == ["spurious", "missing"]


def test_details_that_nobody_wants_are_dropped() -> None:
    builder = OutcomeBuilder(details=False)
    builder.match(0, 0)
    builder.error("missing", Described("a", 0))
    outcome = builder.outcome(2, "m", bound=3, proven=False, steps=7)
    assert (outcome.matches, outcome.errors) == ((), ())
    assert (outcome.score, outcome.bound, outcome.steps) == (2, 3, 7)
    assert not outcome.proven
    assert builder.outcome(2, "m").bound == 2


def test_only_what_differs_is_shown_as_compared() -> None:
    assert unlike("dog", "Dog") == "dog"
    assert unlike("1", 1) is None
    assert unlike(None, "Dog") is None


def test_what_is_aligned_by_key_is_entered_once() -> None:
    builder = OutcomeBuilder()
    gold, system = {"a": 0, "b": 1, "c": 2}, {"c": 5, "b": 6, "d": 7}

    def describe(side: ErrorType, own: int, other: int | None) -> Described:
        return Described("k", own, other, label=side)

    alignment = aligned_by_key(gold, system, ordinal=int, same={"b"})
    builder.enter(alignment, describe, what="edge", parent=None)
    assert builder.matches == [Match("edge", 1, 6, 1.0)]
    rows = [(e.error_type, e.gold, e.system, e.label, e.reason) for e in builder.errors]
    assert rows == [
        ("missing", 0, None, "missing", "no counterpart"),
        ("missing", 2, 5, "missing", "differs"),
        ("spurious", 2, 5, "spurious", "differs"),
        ("spurious", None, 7, "spurious", "no counterpart"),
    ]
    beside = aligned_by_key(gold, system, beside=lambda side, key, own: own + 10)
    assert list(beside.missing) == [(0, 10)]
    assert list(beside.spurious) == [(7, 17)]
    assert not list(beside.matched)


def test_nothing_is_described_where_no_details_are_wanted() -> None:
    builder = OutcomeBuilder(details=False)
    alignment = Alignment([(0, None)], [(1, None)], [(2, 3)], [(4, 5, 1.0)])
    builder.enter(alignment, lambda *_: pytest.fail("described"))
    assert not builder.matches
    assert not builder.errors


def test_partial_rows_stand_among_the_missing() -> None:
    builder = OutcomeBuilder()
    alignment = Alignment([(0, None)], [(1, None)], [(2, 3)])
    builder.enter(alignment, lambda _, own, other: Described("k", own, other), parent=9)
    assert [(e.error_type, e.parent) for e in builder.errors] == [
        ("missing", 9),
        ("partial", 9),
        ("spurious", 9),
    ]
