"""Layout of arcs: their heights, ends at words, and labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from graphscore.drawing.styles import Style
from graphscore.drawing.svg import SMALL, width_of
from graphscore.drawing.words.columns import spread

PORT = 8
"""Pixels between two arcs at one word."""


BEND = 6
"""Pixels of the corners of arcs."""


GAP = 10
"""Pixels between words."""


TRIES = 4
"""Limit of attempts to move words apart for labels that other arcs cross."""


class Arc(NamedTuple):
    """An edge between columns."""

    source: int
    target: int
    label: str
    look: Style
    title: str

    @property
    def left(self) -> int:
        """The column at its left end."""
        return min(self.source, self.target)

    @property
    def right(self) -> int:
        """The column at its right end."""
        return max(self.source, self.target)


class Ports(NamedTuple):
    """Offsets of arcs at words, in pixels from the middle of each."""

    source: list[int]
    """By arc."""
    target: list[int]
    top: dict[int, int]
    """By column."""
    width: dict[int, int]
    """Pixels that a column needs for all of them."""


class ArcLayout(NamedTuple):
    """The arcs of one side, but for the places of columns."""

    arcs: list[Arc]
    levels: list[int]
    ports: Ports
    legs: dict[int, list[tuple[int, int]]]
    """By column, where arcs rise and how high they are."""


def laid(arcs: list[Arc], tops: Iterable[int]) -> ArcLayout:
    """Lay arcs out.

    Args:
        arcs: of one side.
        tops: columns at which something else touches a word.
    """
    levels = _levels(arcs)
    ports = _ports(arcs, levels, tops)
    legs: dict[int, list[tuple[int, int]]] = {}
    for number, arc in enumerate(arcs):
        legs.setdefault(arc.source, []).append((ports.source[number], levels[number]))
        legs.setdefault(arc.target, []).append((ports.target[number], levels[number]))
    return ArcLayout(arcs, levels, ports, legs)


def _levels(arcs: Sequence[Arc]) -> list[int]:
    """Return the levels of arcs, from 0: above those within, and free of overlaps."""
    levels = [0] * len(arcs)
    # Arcs by the columns that they leave or pass, going right.
    over: dict[int, list[int]] = {}
    loops: set[int] = set()
    order = sorted(
        range(len(arcs)), key=lambda n: (arcs[n].right - arcs[n].left, arcs[n].left, n)
    )
    for number in order:
        left, right = arcs[number].left, arcs[number].right
        if left == right:
            loops.add(left)
            continue
        inside = range(left, right)
        least = int(any(column in loops for column in inside if column > left))
        taken = set()
        for other in {n for column in inside for n in over.get(column, ())}:
            if left <= arcs[other].left and arcs[other].right <= right:
                least = max(least, levels[other] + 1)
            else:
                taken.add(levels[other])
        while least in taken:
            least += 1
        levels[number] = least
        for column in inside:
            over.setdefault(column, []).append(number)
    return levels


def _ports(arcs: Sequence[Arc], levels: Sequence[int], tops: Iterable[int]) -> Ports:
    """Spread arcs along their words, so that those of one word do not cross.

    From left to right: those to the left, the lowest first; what goes nowhere else;
    those to the right, the highest first.
    """
    ends: dict[int, list[tuple[tuple[int, int, int], int, bool]]] = {}
    for number, arc in enumerate(arcs):
        level = levels[number]
        for column, other, is_source in (
            (arc.source, arc.target, True),
            (arc.target, arc.source, False),
        ):
            if other < column:
                key = (0, level, number)
            elif other > column:
                key = (2, -level, number)
            else:
                key = (1, number, 0 if is_source else 1)
            ends.setdefault(column, []).append((key, number, is_source))
    for column in tops:
        ends.setdefault(column, []).append(((1, -1, 0), -1, False))
    ports = Ports([0] * len(arcs), [0] * len(arcs), {}, {})
    for column, value in ends.items():
        at: list[int] = []
        value.sort()
        before: tuple[int, bool] | None = None
        for _, number, is_source in value:
            step = PORT
            if before == (number, True) and number >= 0:
                # The other end of an arc from a word to itself.
                step = max(PORT, room_of(arcs[number]))
            at.append(at[-1] + step if at else 0)
            before = (number, is_source)
        middle = at[-1] // 2
        for x, (_, number, is_source) in zip(at, value, strict=True):
            if number < 0:
                ports.top[column] = x - middle
            else:
                (ports.source if is_source else ports.target)[number] = x - middle
        ports.width[column] = at[-1] + PORT
    return ports


def room_of(arc: Arc) -> int:
    """Return the smallest distance of the ends of an arc."""
    label = width_of(arc.label, SMALL)
    return label + 2 * BEND + 4 if label else 2 * BEND


def label_at(
    half: ArcLayout, number: int, middles: Sequence[int]
) -> tuple[int, int | None]:
    """Return the start of an arc's label: centered, or beside what crosses the arc.

    Args:
        half: the side that it is of.
        number: the arc.
        middles: of the columns.

    Returns:
        The place in pixels; and where there is no room beside what crosses, the
        column of the last arc that does.
    """
    arc, ports, level = half.arcs[number], half.ports, half.levels[number]
    ends = middles[arc.source] + ports.source[number]
    left, right = sorted((ends, middles[arc.target] + ports.target[number]))
    wide = width_of(arc.label, SMALL)
    crossing = [(left + 2, arc.left)]
    for index in range(arc.left, arc.right + 1):
        for offset, height in half.legs.get(index, ()):
            if height > level and left < middles[index] + offset < right:
                crossing.append((middles[index] + offset, index))
    crossing.sort()
    middle = (left + right - wide) // 2
    rooms = [
        min(max(middle, one + 6), two - 6 - wide)
        for one, two in pairwise([*(x for x, _ in crossing), right - 2])
        if two - one >= wide + 12
    ]
    if rooms:
        return min(rooms, key=lambda x: (abs(x - middle), x)), None
    return middle, crossing[-1][1]


def middles_of(
    halves: Sequence[ArcLayout],
    widths: Sequence[int],
    needs: list[tuple[int, int, int]],
    left: int,
) -> list[int]:
    """The middles of columns, so that labels have room beside what crosses arcs."""
    for _ in range(TRIES):
        middles = spread(widths, needs, left, GAP)
        more = []
        for half in halves:
            for number, arc in enumerate(half.arcs):
                _, crossing = label_at(half, number, middles)
                if crossing is not None and crossing != arc.right:
                    room = width_of(arc.label, SMALL) + BEND + 10
                    room += half.ports.width[crossing] + half.ports.width[arc.right]
                    more.append((crossing, arc.right, room))
        if not more:
            break
        needs = needs + more
    return middles
