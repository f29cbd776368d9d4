"""Tables of what has roles or slots, gold beside system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from graphscore.drawing.styles import Style, StyledGraph
from graphscore.drawing.svg import (
    LONG,
    SIZE,
    SMALL,
    Panel,
    box,
    group,
    shortened,
    spoken,
    text_at,
    width_of,
)
from graphscore.drawing.texts.brackets import WHOLE, glyphed
from graphscore.drawing.texts.events import Names, Row, meaning
from graphscore.drawing.texts.panels import skipped
from graphscore.model.graph import Edge
from graphscore.structures.layout import kind_of

ROW = 22
"""Pixels of a row."""

_NAMES = 100, 210
"""Least and most pixels of the first column, which names roles."""

_INSIDE = 6
"""Pixels between an outline and its text."""


def table_of(
    sides: Sequence[StyledGraph],
    rows: Sequence[Row],
    noun: str,
    keep: set[int] | None = None,
) -> list[Panel]:
    """A table, a panel a frame.

    Args:
        sides: one or two.
        rows: frames beside each other.
        noun: what they are.
        keep: pair numbers; frames with none of them are counted instead of drawn.

    Returns:
        Panels, with a heading; none where there are no frames.
    """
    if not rows:
        return []
    names = [Names(side) for side in sides]
    roles = (
        *(
            width_of(spoken(edge.label)) + 16
            for row in rows
            for each in row
            if each
            for edge, _ in each.edges
        ),
    )
    first = min(max(_NAMES[0], *roles, 0), _NAMES[1])
    wide = (WHOLE - first) // len(sides)
    parts = [text_at(4, 24, f"{noun}s", "side")]
    parts += [
        text_at(first + n * wide, 24, side.name, "q", size=SMALL)
        for n, side in enumerate(sides)
    ]
    panels = [Panel("".join(parts), WHOLE, 32)]
    left_out = 0
    for row in rows:
        pairs = {
            look.pair
            for each in row
            if each
            for look in (each.look, *(look for _, look in each.edges))
        }
        if keep is not None and not pairs & keep:
            left_out += 1
            continue
        panels.append(_frame(row, names, first, wide))
    if left_out:
        panels.append(skipped(left_out, noun))
    return panels


def chip(
    x: int, y: int, most: int, said: str, look: Style, title: str, name: str = "n"
) -> tuple[str, int]:
    """A text in an outline that says how it stands.

    Args:
        x: its left edge.
        y: its top.
        most: pixels that it may take.
        said: what is in it; the middle of what is too long is left out.
        look: how it stands.
        title: what browsers show when it is pointed at.
        name: classes.

    Returns:
        Elements, and pixels that they take.
    """
    said = fitted(glyphed(look, said), most - 2 * _INSIDE)
    wide = width_of(said) + 2 * _INSIDE
    parts = [
        box(x, y, wide, 18, look.standing),
        text_at(x + _INSIDE, y + 13, said),
    ]
    return group(parts, look, name, title), wide


def fitted(said: str, most: int, size: int = SIZE) -> str:
    """A text that is no wider than there is room for.

    >>> fitted("word", 100), fitted("a long name", 40)
    ('word', 'a…e')
    """
    length = min(len(said), 3 * LONG)
    said = shortened(said, length)
    while width_of(said, size) > most and length > 3:
        length -= 1
        said = shortened(said, length)
    return said


def _frame(row: Row, names: Sequence[Names], first: int, wide: int) -> Panel:
    parts: list[str] = []
    for number, (frame, known) in enumerate(zip(row, names, strict=True)):
        if frame is None:
            continue
        kind = spoken(frame.node.label) or (kind_of(frame.node) or "")
        words = known.words(frame.node.id)
        text = f"{kind} “{words[0]}”" if words else kind
        title = f"{meaning(frame.side, frame.look)} {known.title(frame.node.id)}"
        x = first + number * wide
        parts.append(chip(x, 3, wide - 8, text, frame.look, title)[0])
    y = 3 + ROW
    before = None
    for role, cells in _roles(row):
        if role != before:
            text = fitted(role, first - 12)
            parts.append(text_at(first - 8, y + 13, text, anchor="end"))
            before = role
        for number, cell in enumerate(cells):
            frame = row[number]
            if cell is not None and frame is not None:
                x = first + number * wide
                parts.append(_cell(x, y, wide, role, cell, frame.side, names[number]))
        y += ROW
    right = all(each is None or each.right for each in row)
    return Panel("".join(parts), WHOLE, y + 6, right)


def _roles(
    row: Row,
) -> Iterator[tuple[str, tuple[tuple[Edge, Style] | None, ...]]]:
    """Roles with their fillers, counterparts beside each other."""
    edges = [[*each.edges] if each is not None else [] for each in row]
    if len(edges) == 1:
        for edge, look in edges[0]:
            yield spoken(edge.label), ((edge, look),)
        return
    gold, system = edges
    system_edges = {look.pair: (edge, look) for edge, look in system}
    paired = {look.pair for _, look in gold} & system_edges.keys()
    rest: dict[str, tuple[list[tuple[Edge, Style]], list[tuple[Edge, Style]]]] = {}
    for side, found in enumerate((gold, system)):
        for edge, look in found:
            lists = rest.setdefault(spoken(edge.label), ([], []))
            if look.pair not in paired:
                lists[side].append((edge, look))
            elif not side:
                lists[0].append((edge, look))
    for role, (ones, twos) in rest.items():
        with_ = [each for each in ones if each[1].pair in paired]
        for each in with_:
            yield role, (each, system_edges[each[1].pair])
        alone = [each for each in ones if each[1].pair not in paired]
        for left, right in zip_longest(alone, twos):
            yield role, (left, right)


def _cell(
    x: int,
    y: int,
    wide: int,
    role: str,
    cell: tuple[Edge, Style],
    side: StyledGraph,
    names: Names,
) -> str:
    """Return the cell of a filler, outlined by the role's standing, or else its own."""
    edge, look = cell
    _, filler = names.nodes[edge.target]
    own = look if look.standing != "plain" else look._replace(standing=filler.standing)
    text, kind = names.name(edge.target)
    if (label := spoken(edge.label)) != role:
        text = f"{label}: {text}"
    also = "".join(
        f" p{names.nodes[mention][1].pair}" for mention in names.mentions(edge.target)
    )
    if edge.target not in names.mentions(edge.target):
        also = f" p{filler.pair}{also}"
    title = f"{meaning(side, own)} {label}: {names.title(edge.target)}"
    room = width_of(kind, SMALL) + 16 if kind else 8
    drawn, took = chip(x, y, wide - room, text, own, title, f"n{also}")
    return drawn + text_at(x + took + 4, y + 13, kind, "q", size=SMALL)
