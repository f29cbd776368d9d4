"""Labels of a word: its form, and below it the values of its node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.drawing.styles import GLYPHS, MEANINGS, Style, StyledGraph, named
from graphscore.drawing.svg import (
    SIZE,
    SMALL,
    group,
    line,
    spoken,
    text_at,
    width_of,
)
from graphscore.drawing.words.columns import Column
from graphscore.exceptions import amount
from graphscore.model.frameworks import framework
from graphscore.model.graph import Node, Value

TAG = 12
"""Pixels from one line of tags to the next."""

MOST = 4
"""Lines of tags at a word; the rest is in its title."""

SHOWN = {"dependencies": ("upos",), "meaning": ("pos", "frame")}
"""Properties that are shown at words, by families of frameworks."""


class Tag(NamedTuple):
    """A line of small type at a word."""

    text: str
    wrong: bool = False
    marked: bool = False
    """It begins with the mark of the node's standing."""


def tags_of(side: StyledGraph, ordinal: int, column: Column) -> tuple[Tag, ...]:
    """Return the tags of a node to show beside its word.

    Args:
        side: one side.
        ordinal: the node.
        column: where it stands.

    Returns:
        Its label where that is not the word itself, the properties that its
        framework is known for, and whatever else is wrong.
    """
    node, look = side.graph.nodes[ordinal], side.nodes[ordinal]
    tags = [Tag(text, wrong) for text, wrong in _pieces(side, node, look, column)]
    if len(tags) > MOST:
        tags = [*tags[: MOST - 1], Tag("…", any(tag.wrong for tag in tags[MOST - 1 :]))]
    if look.bound or GLYPHS[look.standing]:
        first, *rest = tags or [Tag("")]
        first = first._replace(text=named(look, first.text), marked=True)
        tags = [first, *rest]
    return tuple(tag for tag in tags if tag.text)


def _pieces(
    side: StyledGraph, node: Node, look: Style, column: Column
) -> list[tuple[str, bool]]:
    graph = side.graph
    family = framework(graph.framework).family
    pieces: list[tuple[str, bool]] = []
    own = " ".join(graph.text[start:end] for start, end in sorted(node.anchors))
    if look.standing == "boundary" and own.strip() and own != column.form:
        pieces.append((f"“{spoken(own)}”", True))
    label = spoken(node.label)
    wrong = _wrong(look, "", node.label)
    if label and (wrong or label != spoken(column.form)):
        pieces.append((label, wrong))
    names = SHOWN.get(family, ())
    others = []
    for name, value in node.properties:
        wrong = _wrong(look, name, value)
        if name in names or not family:
            pieces.append((spoken(value), wrong))
        elif wrong:
            others.append((f"{spoken(name)}={spoken(value)}", wrong))
    return pieces + others


def _wrong(look: Style, name: str, value: Value) -> bool:
    """Return whether a label (without a name) or a property did not match."""
    kinds = ("tops", "anchors", "edges")
    return any(
        text == str(value) and named == name and kind not in kinds
        for kind, named, text in look.wrong
    )


def width_at(column: Column, tags: Sequence[Tag]) -> int:
    """Pixels that a word and its tags take."""
    widths = [width_of(tag.text, SMALL) for tag in tags]
    return max([width_of(spoken(column.form)), *widths])


def lines_of(tags: Sequence[Tag], middle: int, first: int) -> list[str]:
    """Tags as texts below each other.

    Args:
        tags: from top to bottom.
        middle: where they are centred.
        first: the base line of the first one.
    """
    return [
        text_at(
            middle - width_of(tag.text, SMALL) // 2,
            first + number * TAG,
            tag.text,
            "z w" if tag.wrong else "z" if tag.marked else "y",
            size=SMALL,
            spaced=True,
        )
        for number, tag in enumerate(tags)
    ]


def form_at(column: Column, middle: int, y: int) -> str:
    """A word, or the dots that stand for several."""
    text = spoken(column.form)
    x = middle - width_of(text, SIZE) // 2
    if column.folded:
        words = amount(column.folded, "word")
        return f"<g><title>{words}</title>{text_at(x, y, text, 'u')}</g>"
    if column.empty:
        return text_at(x, y, text, "i")
    return text_at(x, y, text, "" if _is_node(column) else "u")


def of_one_side(column: Column) -> bool:
    """Return whether one side alone has a node: the word is then marked."""
    return len(column.nodes) > 1 and column.nodes.count(None) == 1


def _is_node(column: Column) -> bool:
    return any(node is not None for node in column.nodes)


def title_of(side: StyledGraph, ordinal: int) -> str:
    """Return the tooltip of a node: its standing, and all its properties."""
    node, look = side.graph.nodes[ordinal], side.nodes[ordinal]
    parts = [f"{name}={spoken(value)}" for name, value in node.properties]
    if look.right and side.name:
        # Of pairs only what is wrong is explained; pictures of many must be small.
        return ""
    if node.label is not None:
        parts.insert(0, str(node.label))
    if look.standing in MEANINGS:
        parts.insert(0, f"{side.name}: {MEANINGS[look.standing]};")
    return " ".join(parts)


def node_at(
    side: StyledGraph, ordinal: int, parts: Sequence[str], x: int, y: int, width: int
) -> str:
    """A node: a rule at its word, and whatever else it consists of.

    Args:
        side: one side.
        ordinal: the node.
        parts: elements.
        x: where the rule begins.
        y: its height.
        width: its length.
    """
    rule = line(f"M{x} {y}h{width}")
    look = side.nodes[ordinal]
    return group([rule, *parts], look, "n", title_of(side, ordinal))
