"""Entities as ranges of characters with a type, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from graphscore import Anchor, Graph, Node

Said = tuple[str | None, tuple[tuple[int, int], ...]]
"""A type and ranges of characters."""

TEXT = "Ada Lovelace hired Bob in New York City ."


def graph(said: Sequence[Said], item: str = "1", tokens: bool = False) -> Graph:
    """Entities as a graph."""
    made, at = [], 0
    for word in TEXT.split() if tokens else ():
        made.append(Anchor(at, at + len(word)))
        at += len(word) + 1
    nodes = tuple(
        Node(k, label, (("kind", "mention"),), tuple(Anchor(*each) for each in ranges))
        for k, (label, ranges) in enumerate(said)
    )
    return Graph(item, "ner", 1, text=TEXT, tokens=tuple(made), nodes=nodes)


RANGES = st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda x: (x[0], sum(x)))
PLACES = st.one_of(
    RANGES.map(lambda x: (x,)),
    st.tuples(RANGES, st.integers(2, 4)).map(
        lambda x: (x[0], (x[0][1] + x[1], x[0][1] + x[1] + 2))
    ),
)
ENTITIES = st.tuples(st.sampled_from(["A", "B", "C"]), PLACES)
FEW = st.lists(ENTITIES, max_size=4)
MANY = st.lists(ENTITIES, max_size=12)
