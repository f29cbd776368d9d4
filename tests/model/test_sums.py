"""Sums that no order changes."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import reduce
from math import fsum, inf, isnan, nan
from operator import add

from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.outcome import (
    ExactCounts,
    RawCounts,
    to_nearest_double,
    to_scaled_integer,
)

A, B = ("b3", "", "gold"), ("b3", "", "matched")

NUMBERS = st.integers(-(2**60), 2**60) | st.floats(-1e300, 1e300)
RAW_COUNTS = st.lists(st.dictionaries(st.sampled_from([A, B]), NUMBERS), max_size=8)


def exactly(several: list[RawCounts], key: tuple[str, str, str]) -> float | int | None:
    """The sum as fractions, rounded once; an integer where all are."""
    there = [each[key] for each in several if key in each]
    if all(isinstance(each, int) for each in there):
        return sum(there) if there else None
    return float(sum(map(Fraction, there)))


@given(RAW_COUNTS)
def test_sums_are_those_of_fractions(several: list[RawCounts]) -> None:
    wanted = {key: exactly(several, key) for key in (A, B)}
    found = ExactCounts(several)
    for key in (A, B):
        assert found.get(key) == wanted[key]
        assert type(found.get(key)) is type(wanted[key])


@given(RAW_COUNTS, st.integers(0, 8))
def test_no_order_and_no_parting_changes_a_bit(
    several: list[RawCounts], cut: int
) -> None:
    whole = ExactCounts(several)
    parts = [ExactCounts(several[cut:]), ExactCounts(several[:cut])]
    again = ExactCounts(parts)
    kept = ExactCounts(pickle.loads(pickle.dumps(part)) for part in reversed(parts))
    assert dict(again) == dict(kept) == dict(whole)
    assert again.exact == kept.exact == whole.exact


def test_doubles_are_rounded_once() -> None:
    tenths = [{A: 0.1}] * 10
    # From Python 3.12 on sum() is not this one.
    one_by_one = reduce(add, [0.1] * 10)
    assert ExactCounts(tenths)[A] == fsum([0.1] * 10) == 1.0 != one_by_one
    assert to_nearest_double(to_scaled_integer(0.1)) == 0.1


def test_what_is_infinite_stays_so() -> None:
    assert ExactCounts([{A: inf}, {A: 1.5}])[A] == inf
    assert isnan(ExactCounts([{A: 0.5}, {A: nan}])[A])
