"""Sentences with opinions, made by hand and at random, and the script's way to count.

Opinions are tuples of a holder, a target, an expression (each a list of ranges of
characters) and a polarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import Argument, LayoutBuilder

TEXT = "We loved the view but the staff was  rude to us"

Ranges = Sequence[tuple[int, int]]


class Held(NamedTuple):
    """An opinion."""

    holder: Ranges
    target: Ranges
    expression: Ranges
    polarity: str | None = "Positive"


def at(*words: str, text: str = TEXT) -> list[tuple[int, int]]:
    """Where words stand in the text."""
    return [(text.index(word), text.index(word) + len(word)) for word in words]


def sentence(*opinions: Held, text: str = TEXT, id: str = "1") -> Graph:
    """The sentence as a graph."""
    build = LayoutBuilder()
    for each in opinions:
        roles = [
            Argument(role, build.mention(None, [Anchor(*span) for span in ranges]))
            for role, ranges in (("holder", each.holder), ("target", each.target))
            if ranges
        ]
        expression = [Anchor(*span) for span in each.expression]
        build.opinion(each.polarity, expression, roles)
    return build.graph(id, "sentiment", text=text)


# Some begin or end within a word, and one ends where there are two blanks.
SPANS = [
    (0, 2),
    (3, 8),
    (9, 17),
    (9, 12),
    (4, 8),
    (22, 31),
    (0, 47),
    (26, 29),
    (36, 41),
]

ranges = st.lists(st.sampled_from(SPANS), max_size=2)

POLARITIES = st.sampled_from(["Positive", "Negative", None])

anything = st.lists(st.builds(Held, ranges, ranges, ranges, POLARITIES), max_size=4)

WHOLE = [(0, 2), (3, 8), (9, 17), (9, 12), (22, 31), (0, 47)]

expressed = st.lists(
    st.builds(
        Held,
        st.lists(st.sampled_from(WHOLE), max_size=1),
        st.lists(st.sampled_from(WHOLE), max_size=2),
        st.lists(st.sampled_from(WHOLE), min_size=1, max_size=2),
        POLARITIES,
    ),
    max_size=4,
)
"""Opinions all of which have an expression with words."""


# The slow, obvious version.


def numbers(ranges: Ranges, text: str) -> set[Any]:
    """The words of ranges, one after the other."""
    words = []
    place = 0
    for word in text.split(" "):
        words.append((place, place + len(word)))
        place += len(word) + 1
    # A blank at the beginning or at the end has no word beside it.
    words = [each for each in words if each[1] and each[0] < len(text)]
    found = set()
    for start, end in ranges:
        inside = False
        for number, (first, last) in enumerate(words):
            inside = inside or first == start
            if inside:
                found.add(number)
            if last == end:
                inside = False
    return found


def sets(held: Held, text: str) -> list[set[Any]]:
    """The words of all parts; a holder or target that is not there is one, too."""
    holder, target, expression = (numbers(part, text) for part in held[:3])
    return [holder or {"_"}, target or {"_"}, expression]


def shares(one: Held, other: Held, text: str) -> float | None:
    """The mean share that the other has of each part; ``None`` without an overlap."""
    pairs = list(zip(sets(one, text), sets(other, text), strict=True))
    if not all(mine & theirs for mine, theirs in pairs):
        return None
    return sum(len(mine & theirs) / len(mine) for mine, theirs in pairs) / 3


def credit(
    mine: Sequence[Held],
    theirs: Sequence[Held],
    polar: bool,
    weighted: bool,
    text: str = TEXT,
) -> float:
    """What the opinions of one side earn."""
    total = 0.0
    for one in mine:
        found = [(shares(one, other, text), other) for other in theirs]
        overlapping = [(share, other) for share, other in found if share is not None]
        if any(not polar or other.polarity == one.polarity for _, other in overlapping):
            total += max(share for share, _ in overlapping) if weighted else 1
    return total


def spans(side: Sequence[Held], part: str, text: str = TEXT) -> set[Any]:
    """The distinct spans of a tuple type."""
    found = set()
    for each in side:
        words = frozenset(
            numbers(each.target if part == "targeted" else getattr(each, part), text)
        )
        if words:
            found.add((words, each.polarity) if part == "targeted" else words)
    return found
