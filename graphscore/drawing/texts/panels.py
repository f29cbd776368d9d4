"""Texts with brackets, a panel a line, and pictures of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from graphscore.drawing.styles import Standing, StyledGraph
from graphscore.drawing.svg import SMALL, Panel, Picture, text_at
from graphscore.drawing.texts.brackets import (
    BEHIND,
    MARGIN,
    ROW,
    WHOLE,
    Mark,
    drawn,
    stacked,
)
from graphscore.drawing.texts.lines import Line, broken, drawn_words
from graphscore.exceptions import amount


class Stack(NamedTuple):
    """The marks of one side."""

    name: str
    marks: Sequence[Mark]
    above: bool = False
    """They are placed above the text."""


def in_texts(sides: Sequence[StyledGraph]) -> list[StyledGraph]:
    """Sides of which each has a text: who has none has that of another."""
    first = next((side.graph.text for side in sides if side.graph.text), "")
    return [
        side
        if side.graph.text
        else side._replace(graph=replace(side.graph, text=first))
        for side in sides
    ]


def texts_of(
    sides: Sequence[StyledGraph], marks: Sequence[Sequence[Mark]], fold: str = ""
) -> list[Panel]:
    """The texts of sides, of both together if it is the same.

    Args:
        sides: with texts.
        marks: of each side.
        fold: why lines without marks are counted instead of drawn, if they are.
    """
    found: dict[str, list[Stack]] = {}
    for side, mark in zip(sides, marks, strict=True):
        found.setdefault(side.graph.text, []).append(Stack(side.name, mark))
    return [
        panel
        for text, stacks in found.items()
        if text
        for panel in panels_of(text, stacks, fold)
    ]


def picture_of(
    sides: Sequence[StyledGraph],
    panels: Sequence[Panel],
    stands: Sequence[Standing],
    more: int = 0,
) -> Picture:
    """A picture of annotated text.

    Args:
        sides: what it is a picture of.
        panels: from top to bottom.
        stands: how what is drawn stands.
        more: one more than the highest pair number of what sides do not have.
    """
    graph = sides[0].graph
    names = ", ".join(filter(None, (side.name for side in sides)))
    title = f"{graph.framework} {graph.id} {names}".strip()
    pairs = max(
        (look.pair for side in sides for look in (*side.nodes, *side.edges)), default=-1
    )
    panels = panels or (Panel("", WHOLE, ROW, True),)
    return Picture(title, tuple(panels), tuple(stands), False, max(pairs + 1, more))


def panels_of(text: str, stacks: Sequence[Stack], fold: str = "") -> list[Panel]:
    """A text with what is marked in it, a panel a line.

    Args:
        text: as graphs have it.
        stacks: marks by side.
        fold: why lines without marks are counted instead of drawn, if they are.

    Returns:
        Panels; those on which nothing is wrong are right.
    """
    lines = broken(text, MARGIN)
    sorted_ = [_by_line(stack.marks, lines) for stack in stacks]
    borders = {
        place
        for stack in stacks
        for mark in stack.marks
        for piece in mark.pieces
        for place in piece
    }
    ordered = sorted(borders)
    panels: list[Panel] = []
    folded = 0
    for number, line in enumerate(lines):
        here = [
            stack._replace(marks=found[number])
            for stack, found in zip(stacks, sorted_, strict=True)
        ]
        if fold and not any(stack.marks for stack in here):
            folded += 1
            continue
        if folded:
            panels.append(skipped(folded, "line", fold))
            folded = 0
        inside = ordered[
            bisect_left(ordered, line.start) : bisect_right(ordered, line.end)
        ]
        panels.append(_panel(line, here, inside))
    if folded:
        panels.append(skipped(folded, "line", fold))
    return panels


def skipped(count: int, what: str, why: str = "without errors") -> Panel:
    """A panel that says what is left out.

    Args:
        count: how much.
        what: its noun.
        why: what it does not have.
    """
    text = f"… {amount(count, what)} {why} …"
    return Panel(text_at(MARGIN, 14, text, "q", size=SMALL), WHOLE, 22)


def _panel(line_: Line, stacks: Sequence[Stack], borders: Sequence[int]) -> Panel:
    rows = [stacked(line_, stack.marks) for stack in stacks]
    above = sum(
        len(each) for each, stack in zip(rows, stacks, strict=True) if stack.above
    )
    base = above * ROW + 15
    parts = [*drawn_words(line_, base, borders)]
    over, under = base - 12, base + 4
    for stack, found in zip(stacks, rows, strict=True):
        if found and stack.name:
            at = over - 5 if stack.above else under + 15
            parts.append(text_at(4, at, stack.name, "q", size=SMALL))
        for row in found:
            # Brackets point to the text: their line is four pixels away from there.
            at, up = (over - 4, 4) if stack.above else (under + 4, -4)
            parts += (drawn(each, at, up) for each in row)
            if stack.above:
                over -= ROW
            else:
                under += ROW
        under += 3 if found and not stack.above else 0
    right = all(mark.look.right for stack in stacks for mark in stack.marks)
    # Short lines fit into narrow windows.
    edges = [each.right for found in rows for row in found for each in row]
    edges += [-int(-word.x - word.width) for word in line_.words]
    wide = min(max(edges, default=MARGIN) + BEHIND, WHOLE)
    return Panel("".join(parts), wide, under + 6, right)


def _by_line(marks: Sequence[Mark], lines: Sequence[Line]) -> list[list[Mark]]:
    """The marks of each line."""
    result: list[list[Mark]] = [[] for _ in lines]
    starts = [line.start for line in lines]
    for mark in marks:
        numbers: set[int] = set()
        for start, end in mark.pieces:
            first = bisect_right(starts, start) - 1
            numbers.update(range(first, bisect_left(starts, max(start + 1, end))))
        for number in sorted(numbers):
            result[number].append(mark)
    return result
