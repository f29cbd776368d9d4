"""Brackets over or under a line of text, with their labels, stacked where they meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from graphscore.drawing.styles import GLYPHS, Standing, Style
from graphscore.drawing.svg import SMALL, group, line, text_at, width_of
from graphscore.drawing.texts.lines import WIDTH, Line
from graphscore.model.graph import Anchor

MARGIN = 54
"""Pixels left of each line, for the names of sides."""

BEHIND = 10
"""Pixels right of each line, for what goes on in the next one."""

WHOLE = MARGIN + WIDTH + BEHIND
"""Pixels of a panel of text."""

ROW = 18
"""Pixels from one row of brackets to the next."""

_ASIDE = 4
"""Pixels between what stands in one row."""

Range = tuple[int, int]


class Mark(NamedTuple):
    """Characters that are marked, and what is said of them."""

    pieces: tuple[Range, ...]
    """In order, without those between which nothing is."""
    look: Style
    label: str
    title: str
    name: str = "n"
    """Classes: what it is, and pair numbers of what else it stands for."""
    paint: str = ""
    """The class of what is drawn, where it has a colour of its own."""


class Placed(NamedTuple):
    """A mark on one line."""

    mark: Mark
    parts: tuple[Range, ...]
    """Pixels, from left to right."""
    said: str
    at: int
    """Start of the label."""
    before: bool
    """It continues to the left of the line."""
    after: bool
    """It continues to the right."""
    left: int
    right: int
    """Right end of its extent, with its label."""


def ranges(text: str, anchors: Iterable[Anchor]) -> tuple[Range, ...]:
    """The ranges of anchors that lie in a text; those with blanks between are one.

    >>> ranges("New York and", [Anchor(4, 8), Anchor(0, 3)])
    ((0, 8),)
    >>> ranges("New York and", [Anchor(9, 90), Anchor(0, 3)])
    ((0, 3), (9, 12))
    """
    result: list[Range] = []
    for start, end in sorted(anchors):
        if not (0 <= start <= end and start < len(text)):
            continue
        end = min(end, len(text))
        if result and not text[result[-1][1] : start].strip():
            result[-1] = result[-1][0], max(result[-1][1], end)
        else:
            result.append((start, end))
    return tuple(result)


def words_of(text: str, pieces: Sequence[Range]) -> str:
    """Return the text of spans, on one line.

    >>> words_of("New York and", [(0, 3), (9, 12)])
    'New … and'
    """
    return " … ".join(" ".join(text[start:end].split()) for start, end in pieces)


def glyphed(look: Style, label: str) -> str:
    """A label after the glyph of how it stands."""
    return f"{GLYPHS[look.standing]} {label}".strip()


def stacked(line_: Line, marks: Sequence[Mark]) -> list[list[Placed]]:
    """Rows of marks, the shortest ones next to the text.

    Marks that share characters stand in different rows, the longer one outside; those
    whose labels would meet do too.

    Args:
        line_: a line.
        marks: those that it has a part of.
    """
    rows: list[list[Placed]] = []
    below: list[tuple[Placed, int]] = []
    placed = [_placed(line_, mark) for mark in marks]
    order = sorted(
        range(len(placed)), key=lambda n: (_length(placed[n]), placed[n].parts, -n)
    )
    for each in (placed[n] for n in order):
        lowest = max(
            (row + 1 for other, row in below if _share(each, other)), default=0
        )
        while lowest < len(rows) and any(
            each.left < other.right + _ASIDE and other.left < each.right + _ASIDE
            for other in rows[lowest]
        ):
            lowest += 1
        if lowest == len(rows):
            rows.append([])
        rows[lowest].append(each)
        below.append((each, lowest))
    return rows


def _length(placed: Placed) -> int:
    return placed.parts[-1][1] - placed.parts[0][0]


def _share(one: Placed, two: Placed) -> bool:
    """Return whether the extents of two brackets overlap."""
    return one.parts[0][0] < two.parts[-1][1] and two.parts[0][0] < one.parts[-1][1]


def _placed(line_: Line, mark: Mark) -> Placed:
    parts = sorted(
        extent
        for start, end in mark.pieces
        if (extent := line_.extent(start, end)) is not None
    )
    parts = [(left, max(right, left + 3)) for left, right in parts]
    before = mark.pieces[0][0] < line_.start
    after = mark.pieces[-1][1] > line_.end
    label = f"… {mark.label}" if before else mark.label
    wide = width_of(label, SMALL)
    if line_.backwards:
        before, after = after, before
    left, right = parts[0][0], parts[-1][1]
    at = min(max(MARGIN, (left + right - wide) // 2), WHOLE - wide)
    return Placed(
        mark,
        tuple(parts),
        label,
        at,
        before,
        after,
        min(at, left - 6 * before),
        max(at + wide, right + 6 * after),
    )


def drawn(placed: Placed, y: int, up: int) -> str:
    """A mark with its label, in a group.

    Args:
        placed: a mark on a line.
        y: its line.
        up: pixels from there to the text, negative where that is above.
    """
    mark = placed.mark
    commands: list[str] = []
    last = len(placed.parts) - 1
    for number, (left, right) in enumerate(placed.parts):
        begins, ends = placed.before and not number, number == last
        commands.append(
            _bracket(
                left, right, y, up, mark.look.standing, begins, ends and placed.after
            )
        )
    parts = [line("".join(commands), mark.paint)]
    gaps = "".join(
        f"M{one[1]} {y}H{two[0]}"
        for one, two in pairwise(placed.parts)
        if one[1] < two[0]
    )
    if gaps:
        parts.append(line(gaps, f"thin {mark.paint}".strip()))
    at = y - 3 if up > 0 else y + 11
    # What is wrong has the colour of how it stands.
    name = f"z {mark.paint if mark.look.right else ''}".strip()
    parts.append(text_at(placed.at, at, placed.said, name, size=SMALL))
    return group(parts, mark.look, mark.name, mark.title)


def _bracket(
    left: int,
    right: int,
    y: int,
    up: int,
    standing: Standing,
    before: bool,
    after: bool,
) -> str:
    """Path commands of a bracket whose ends say how it stands.

    Args:
        left: pixels.
        right: pixels.
        y: its line.
        up: from there to the text.
        standing: round ends for what is right, corners for what one side alone has,
            slants for another label, posts for another boundary.
        before: whether an arrow is at its left, for the line before.
        after: whether one is at its right.
    """
    bend = min(4, (right - left) // 2)
    if standing in ("missing", "spurious"):
        first, final = f"M{left} {y + up}V{y}", f"H{right}V{y + up}"
    elif standing == "boundary":
        first = f"M{left} {y + up}V{y - up}M{left} {y}"
        final = f"H{right}M{right} {y + up}V{y - up}"
    elif standing in ("label", "head", "part"):
        first = f"M{left} {y + up}L{left + bend} {y}"
        final = f"H{right - bend}L{right} {y + up}"
    else:
        first = f"M{left} {y + up}Q{left} {y} {left + bend} {y}"
        final = f"H{right - bend}Q{right} {y} {right} {y + up}"
    if before:
        first = f"M{left - 2} {y - 3}l-3 3l3 3M{left - 5} {y}"
    if after:
        final = f"H{right + 5}M{right + 2} {y - 3}l3 3l-3 3"
    return first + final
