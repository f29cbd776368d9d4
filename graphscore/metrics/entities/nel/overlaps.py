"""How far mentions overlap: neleval's measures for offsets that are not quite right.

Every mention earns the share of its characters that mentions of the other side have
(``sum``), or that the one has which it shares most with (``max``).

Mentions of equal fields are gone through from the last to the first on both sides at
once, and of two, the one that begins later is done with; so mentions that lie within
others are not always met.  That is neleval's way, and so is that all mentions are in
the denominators, whether or not they count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction

from graphscore.metrics.entities.nel.measures import Measure
from graphscore.metrics.entities.nel.mentions import Mention
from graphscore.model.outcome import Count

Range = tuple[int, int]
"""First and last character."""

Met = tuple[list[tuple[Range, list[Range]]], list[tuple[Range, list[Range]]]]
"""Ranges of gold and of the system that overlap others, each with these."""


def overlap_count(
    measure: Measure, gold: Sequence[Mention], system: Sequence[Mention]
) -> Count:
    """How far the mentions of both sides overlap.

    Args:
        measure: one of ``overlap-...``.
        gold: gold's mentions, in order.
        system: the system's.
    """
    modes = measure.agg.removeprefix("overlap-")
    mine, theirs = met(measure, gold, system)
    return Count(
        len(gold),
        len(system),
        float(sum((share(*each, modes[:3]) for each in mine), Fraction(0))),
        float(sum((share(*each, modes[3:]) for each in theirs), Fraction(0))),
    )


def met(measure: Measure, gold: Sequence[Mention], system: Sequence[Mention]) -> Met:
    """The mentions that meet others.

    Args:
        measure: which count, and what must be the same besides.
        gold: gold's mentions, in order.
        system: the system's.
    """
    mine, theirs = (_by_key(measure, side) for side in (gold, system))
    found: Met = [], []
    for key, right in theirs.items():
        left = mine.get(key)
        if left:
            _meet(left, right, found)
    return found


def _by_key(
    measure: Measure, side: Sequence[Mention]
) -> dict[Hashable, list[tuple[Range, list[Range]]]]:
    fields = *(each for each in measure.key if each != "span"), "docid"
    counting = measure.counting(side)
    keys = measure._replace(key=fields).keys(counting)
    found: defaultdict[Hashable, list[tuple[Range, list[Range]]]] = defaultdict(list)
    for key, each in zip(keys, counting, strict=True):
        if each.start >= 0:
            found[key, each.span[0]].append(((each.start, each.end), []))
    for ranges in found.values():
        ranges.sort(key=lambda each: (each[0][0], -each[0][1]))
    return found


def _meet(
    gold: list[tuple[Range, list[Range]]],
    system: list[tuple[Range, list[Range]]],
    found: Met,
) -> None:
    left, right = len(gold) - 1, len(system) - 1
    while left >= 0 and right >= 0:
        (mine, beside_mine), (theirs, beside_theirs) = gold[left], system[right]
        if mine[0] <= theirs[1] and mine[1] >= theirs[0]:
            beside_mine.append(theirs)
            beside_theirs.append(mine)
        if (theirs[0], -theirs[1]) > (mine[0], -mine[1]):
            right -= 1
        else:
            left -= 1
    found[0].extend(each for each in gold if each[1])
    found[1].extend(each for each in system if each[1])


def share(own: Range, others: Sequence[Range], mode: str) -> Fraction:
    """What share of a range others have.

    Args:
        own: the range.
        others: those that overlap it.
        mode: ``max`` for that which has most, ``sum`` for all together.

    >>> [str(share((0, 9), [(2, 4), (4, 5)], mode)) for mode in ("max", "sum")]
    ['3/10', '2/5']
    """
    first, last = own
    size = last - first + 1
    if mode == "max":
        most = max(min(last, end) - max(first, start) for start, end in others)
        return Fraction(most + 1, size)
    shared, reached = 0, first
    for start, end in sorted(others):
        start, end = max(start, reached), min(end, last)
        shared += max(0, end - start + 1)
        reached = max(reached, end + 1)
    return Fraction(shared, size)
