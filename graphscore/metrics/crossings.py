"""Where one concave curve crosses another, from some of their points and slopes.

A rate that is the least over many alignments, each of which costs more or less with a
parameter in a straight line, is a concave curve of straight pieces.  Every point with
its slope is a line that the curve nowhere rises above, and between two points it
nowhere falls below the line that joins them.  If the line of one point leads to the
other, the curve is that line in between.  Where that is not known and the two curves
may cross, the lines of both points meet at the next value to be looked at: there is a
corner of the curve, or another of its pieces, so that this ends.

>>> one = [Point(0, 0.2, 0.4), Point(1, 0.6, 0.4)]
>>> two = [Point(0, 0.5, -0.2), Point(1, 0.3, -0.2)]
>>> compared(one, two)
([Stretch(first=0, last=0.5, lower=0), Stretch(first=0.5, last=1, lower=1)], [])

A corner of the second has to be looked at, which is not known from its ends:

>>> bent = [Point(0, 0.3, 1.0), Point(1, 0.3, -1.0)]
>>> compared(one, bent)[1]
[0.5]
>>> from pprint import pp
>>> one.insert(1, Point(0.5, 0.4, 0.4)); bent.insert(1, Point(0.5, 0.8, 1.0))
>>> stretches, wanted = compared(one, bent)
>>> [(round(x.first, 4), round(x.last, 4), x.lower) for x in stretches], wanted
([(0, 0.7857, 0), (0.7857, 1, 1)], [])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

SLIGHT = 1e-11
"""Smaller differences are of rounding: rates are sums of very many numbers."""

Lower = Literal[0, 1, "equal", "unknown"]
"""Which of two curves is lower."""


class Point(NamedTuple):
    """A point of a curve."""

    at: float
    """The value of the parameter."""
    value: float
    """That of the curve."""
    slope: float
    """Of a line through the point that the curve nowhere rises above."""


class Stretch(NamedTuple):
    """Values between which one of two curves is lower throughout."""

    first: float
    last: float
    lower: Lower


def compared(
    one: Sequence[Point], two: Sequence[Point]
) -> tuple[list[Stretch], list[float]]:
    """Which of two concave curves is lower where.

    Args:
        one: points of a curve, at ascending values.
        two: points of the other one, at the same values.

    Returns:
        What is known, from the first value to the last, each stretch as long as can be
        and ``unknown`` where that is not known; and the values at which more points are
        wanted for it, ascending.
    """
    found: list[Stretch] = []
    wanted: list[float] = []
    for k in range(len(one) - 1):
        parts, more = _between(one[k], one[k + 1], two[k], two[k + 1])
        wanted += more
        for each in parts:
            if found and found[-1].lower == each.lower:
                found[-1] = found[-1]._replace(last=each.last)
            else:
                found.append(each)
    return found, sorted(set(wanted))


def _between(
    one: Point, one_next: Point, two: Point, two_next: Point
) -> tuple[list[Stretch], list[float]]:
    """What is known between two values."""
    first, last = one.at, one_next.at
    begins = _snapped(one.value - two.value)
    ends = _snapped(one_next.value - two_next.value)
    one_bent, two_bent = _corner(one, one_next), _corner(two, two_next)
    if one_bent is None and two_bent is None:
        return _straight(first, last, begins, ends), []
    # At the corner of one the other can be no lower than the line between its points.
    below = above = 0.0
    if two_bent is not None:
        at, most = two_bent
        below = _snapped(_on(one, one_next, at) - most)
    if one_bent is not None:
        at, most = one_bent
        above = _snapped(most - _on(two, two_next, at))
    if begins >= 0 and ends >= 0 and (begins or ends) and not (two_bent and below <= 0):
        return [Stretch(first, last, 1)], []
    if begins <= 0 and ends <= 0 and (begins or ends) and not (one_bent and above >= 0):
        return [Stretch(first, last, 0)], []
    more = [each[0] for each in (one_bent, two_bent) if each is not None]
    return [Stretch(first, last, "unknown")], more


def _straight(first: float, last: float, begins: float, ends: float) -> list[Stretch]:
    """Both curves are lines, so that their difference is one."""
    if not begins and not ends:
        return [Stretch(first, last, "equal")]
    if begins * ends >= 0:
        return [Stretch(first, last, 0 if begins < 0 or ends < 0 else 1)]
    middle = first + (last - first) * (begins / (begins - ends))
    lower: tuple[Lower, Lower] = (0, 1) if begins < 0 else (1, 0)
    return [Stretch(first, middle, lower[0]), Stretch(middle, last, lower[1])]


def _corner(here: Point, there: Point) -> tuple[float, float] | None:
    """Where the lines of two points meet, if the curve is not one line between them."""
    width = there.at - here.at
    reached = here.value + here.slope * width
    back = there.value - there.slope * width
    slight = SLIGHT * max(1.0, abs(reached), abs(back))
    if abs(reached - there.value) <= slight or abs(back - here.value) <= slight:
        return None
    turn = here.slope - there.slope
    # Points that are no concave curve's leave the middle to be looked at.
    share = (reached - there.value) / (turn * width) if turn else 0.5
    at = there.at - width * share
    if not here.at < at < there.at:
        at = here.at + width / 2
    most = min(
        here.value + here.slope * (at - here.at),
        there.value - there.slope * (there.at - at),
    )
    return at, most


def _on(here: Point, there: Point, at: float) -> float:
    """The line between two points."""
    share = (at - here.at) / (there.at - here.at)
    return here.value + (there.value - here.value) * share


def _snapped(difference: float) -> float:
    return 0.0 if abs(difference) <= SLIGHT else difference
