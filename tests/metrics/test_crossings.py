"""Where concave curves cross: against their pieces, which the search does not see."""

from __future__ import annotations

from bisect import insort
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphscore.metrics.crossings import Point, compared

Lines = list[tuple[int, int]]
"""What pieces are at 0 and at 1, in hundredths."""

CURVES = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=5
)


def at(lines: Lines, x: float) -> Point:
    """The least of the lines, and the slope of the first that is."""
    value, number = min(
        (a / 100 + (b - a) / 100 * x, k) for k, (a, b) in enumerate(lines)
    )
    return Point(x, value, (lines[number][1] - lines[number][0]) / 100)


def corners(*curves: Lines) -> list[float]:
    """All values at which any two lines of any curves meet."""
    lines = [line for curve in curves for line in curve]
    found = {0.0, 1.0}
    for k, (a, b) in enumerate(lines):
        for c, d in lines[:k]:
            if (b - a) != (d - c):
                x = (c - a) / ((b - a) - (d - c))
                if 0 < x < 1:
                    found.add(x)
    return sorted(found)


@given(CURVES, CURVES)
def test_who_is_lower_is_found_exactly_and_soon(one: Lines, two: Lines) -> None:
    known = ([at(one, 0), at(one, 1)], [at(two, 0), at(two, 1)])
    for _ in range(12):
        stretches, wanted = compared(*known)
        if not wanted:
            break
        for x in wanted:
            insort(known[0], at(one, x))
            insort(known[1], at(two, x))
    else:
        raise AssertionError("still open after 12 rounds")
    assert [x.first for x in stretches[1:]] == [x.last for x in stretches[:-1]]
    assert (stretches[0].first, stretches[-1].last) == (0, 1)
    assert all(x.lower != y.lower for x, y in pairwise(stretches))
    # Between neighbouring corners nothing changes: their middles say everything.
    places = corners(one, two)
    for first, last in pairwise(places):
        if last - first < 1e-6:
            continue
        middle = (first + last) / 2
        difference = at(one, middle).value - at(two, middle).value
        [stretch] = [x for x in stretches if x.first <= middle < x.last]
        if stretch.lower == "equal":
            assert abs(difference) < 1e-9
        elif abs(difference) > 1e-9:
            assert stretch.lower == (0 if difference < 0 else 1)
    for stretch in stretches[1:]:
        ends = at(one, stretch.first).value - at(two, stretch.first).value
        assert abs(ends) < 1e-9


def test_points_that_are_no_concave_curve_leave_open_what_is_not_known() -> None:
    bad = [Point(0, 0.2, -1.0), Point(1, 0.3, 1.0)]
    other = [Point(0, 0.3, 0.0), Point(1, 0.2, 0.0)]
    stretches, wanted = compared(bad, other)
    assert [x.lower for x in stretches] == ["unknown"]
    assert all(0 < x < 1 for x in wanted)


def test_one_point_says_nothing() -> None:
    assert compared([Point(0, 1, 1)], [Point(0, 2, 1)]) == ([], [])
