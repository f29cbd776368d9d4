"""Segmentations made up at random, both sides of one text."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from graphscore.model.graph import Graph, Node


def graph(masses: Sequence[int], item: str = "1") -> Graph:
    """A text in segments of so many units."""
    nodes = tuple(Node(k, None, (("units", mass),)) for k, mass in enumerate(masses))
    return Graph(item, "segments", 1, document=item, nodes=nodes)


@st.composite
def masses(draw: st.DrawFn, size: int) -> list[int]:
    """Units of segments of a text."""
    found = [1]
    for cut in draw(st.lists(st.booleans(), min_size=size - 1, max_size=size - 1)):
        if cut:
            found.append(1)
        else:
            found[-1] += 1
    return found


both = st.integers(1, 24).flatmap(lambda n: st.tuples(masses(n), masses(n)))
"""Units of segments of both sides."""
