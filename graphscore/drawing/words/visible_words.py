"""Selection of the words to draw, and other shared parts of pictures of words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from graphscore.drawing.styles import StyledGraph
from graphscore.drawing.words.columns import Column, folded, leftward, spans_of

MARGIN = 8
"""Pixels around everything."""

GUTTER = 52
"""Pixels left of the words of a pair, for the names of its sides."""


def shown(
    sides: Sequence[StyledGraph],
    columns: list[Column],
    keep: set[int] | None,
    needed: Collection[int] = (),
) -> tuple[list[Column], list[dict[int, int]], list[int]]:
    """The columns that are drawn, in the order in which they are read.

    Args:
        sides: one or two.
        columns: all words.
        keep: pair numbers of what is drawn, if not everything is.
        needed: columns that are drawn besides those.

    Returns:
        Columns; for each side the places of its nodes that stand at words; and where
        each of all columns is among those that are drawn.
    """
    places: list[dict[int, int]] = []
    for number, side in enumerate(sides):
        own = {
            ordinal: index
            for index, column in enumerate(columns)
            if (ordinal := column.nodes[number]) is not None
        }
        several = spans_of(side.graph)
        own |= {ordinal: own[words[0]] for ordinal, words in several.items()}
        places.append(own)
    moved = [*range(len(columns))]
    if keep is not None:
        kept = _kept_columns(sides, places, keep) | {*needed}
        columns, moved = folded(columns, kept)
    if leftward(columns):
        columns = columns[::-1]
        moved = [len(columns) - 1 - index for index in moved]
    there_now = [
        {ordinal: moved[index] for ordinal, index in own.items()} for own in places
    ]
    return columns, there_now, moved


def _kept_columns(
    sides: Sequence[StyledGraph], places: Sequence[dict[int, int]], keep: set[int]
) -> set[int]:
    """Places of words whose nodes are kept, or touched by edges that are."""
    kept_columns: set[int] = set()
    for side, own in zip(sides, places, strict=True):
        ids = side.graph.ordinals()
        several = spans_of(side.graph)
        kept = {n for n, look in enumerate(side.nodes) if look.pair in keep}
        for edge, look in side.seen_edges():
            if look.pair in keep:
                kept |= {ids[edge.source], ids[edge.target]}
        kept |= {word for n in kept for word in several.get(n, ())}
        kept_columns |= {own[ordinal] for ordinal in kept if ordinal in own}
    return kept_columns


def title_of(sides: Sequence[StyledGraph]) -> str:
    """Return the title of pictures of words: framework and text."""
    text = next((side.graph.text for side in sides if side.graph.text), "")
    return f"{sides[0].graph.framework}: {text or sides[0].graph.id}"


def pairs_in(sides: Sequence[StyledGraph]) -> int:
    """One more than the highest pair number."""
    pairs = [look.pair for side in sides for look in (*side.nodes, *side.edges)]
    return max(pairs, default=-1) + 1


def all_right(sides: Sequence[StyledGraph]) -> bool:
    """Return whether no side has an error."""
    return all(look.right for side in sides for look in (*side.nodes, *side.edges))
