"""What is entered into the ledger of a pair comes out as its outcome."""

from __future__ import annotations

from graphscore.model.ledger import Ledger, unlike
from graphscore.model.outcome import Error, Match


def test_masses_add_up_and_nothing_is_not_one() -> None:
    ledger = Ledger()
    ledger.count("a", 2, 1, 0)
    ledger.count("a", 1, 0, 1)
    ledger.add("a", "b", "gold")
    assert ledger.masses == {
        ("a", "", "gold"): 3,
        ("a", "", "system"): 1,
        ("a", "", "matched"): 1,
        ("a", "b", "gold"): 1,
    }


def test_parts_stand_below_their_matches() -> None:
    ledger = Ledger(first=3)
    parent = ledger.match(0, 1)
    child = ledger.match(4, 5, 0.5, "edge", parent)
    ledger.match(6, None, parent=child)
    assert (parent, child) == (3, 4)
    assert ledger.matches == [
        Match("node", 0, 1, 1.0, None, 0),
        Match("edge", 4, 5, 0.5, 3, 1),
        Match("node", 6, None, 1.0, 4, 2),
    ]


def test_errors_name_both_sides_gold_first() -> None:
    ledger = Ledger()
    ledger.error("surplus", "a", 1, 2, label="x", name="n", value="v")
    ledger.error("missing", "a", 3)
    ledger.error("partial", "a", 4, 5, credit=0.5, parent=0)
    missing, partial, surplus = ledger.errors
    assert missing == Error(
        "missing", "a", "node", 3, None, None, "", None, None, "no counterpart"
    )
    assert (partial.gold, partial.system, partial.credit) == (4, 5, 0.5)
    assert surplus == Error(
        "surplus", "a", "node", 2, 1, "x", "n", "v", None, "differs"
    )


def test_errors_keep_their_order_where_sides_do_not_matter() -> None:
    ledger = Ledger(by_side=False)
    ledger.error("surplus", "a", 0)
    ledger.error("missing", "a", 0)
    assert [each.side for each in ledger.errors] == ["surplus", "missing"]


def test_details_that_nobody_wants_are_dropped() -> None:
    ledger = Ledger(details=False)
    ledger.match(0, 0)
    ledger.error("missing", "a", 0)
    outcome = ledger.outcome(2, "m", bound=3, proven=False, steps=7)
    assert (outcome.matches, outcome.errors) == ((), ())
    assert (outcome.score, outcome.bound, outcome.steps) == (2, 3, 7)
    assert not outcome.proven
    assert ledger.outcome(2, "m").bound == 2


def test_only_what_differs_is_shown_as_compared() -> None:
    assert unlike("dog", "Dog") == "dog"
    assert unlike("1", 1) is None
    assert unlike(None, "Dog") is None
