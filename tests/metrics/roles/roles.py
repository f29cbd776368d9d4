"""Made-up sentences with semantic roles, for the metrics that score them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.formats.roles.layout import (
    Roles,
    Spans,
    head_based_graph,
    span_based_graph,
    tokens_of,
)
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.model.outcome import Outcome, Scores

LABELS = ("A0", "A1", "C-A0", "C-A1", "R-A0", "AM-TMP", "V", "C-V")


class Frame(NamedTuple):
    """A predicate as a test writes it down, positions from 0."""

    place: int
    label: str
    arguments: list[tuple[Any, ...]]
    """(label, first, last) or (label, head)."""


def span_graph(words: int, frames: Sequence[Frame], text: str = "") -> Graph:
    """A sentence of so many words with spans."""
    forms = text.split() or [f"w{k}" for k in range(words)]
    text_, ranges = join_tokens(forms)
    roles = [Spans(f.label or None, f.place, f.place, f.arguments) for f in frames]
    return span_based_graph("1", "", text_, ranges, roles, {})


def head_graph(
    words: int,
    frames: Sequence[Frame],
    tree: Sequence[tuple[int, str]] = (),
    text: str = "",
) -> Graph:
    """A sentence of so many words with heads, and governors numbered from 1."""
    forms = text.split() or [f"w{k}" for k in range(words)]
    text_, ranges = join_tokens(forms)
    properties = [
        (("kind", "token"), ("head", head), ("deprel", relation))
        for head, relation in tree
    ]
    nodes = tokens_of(forms, ranges, properties or None)
    roles = [Roles(f.label or None, f.place, f.arguments) for f in frames]
    return head_based_graph("1", "", text_, ranges, nodes, roles, {})


def outcome(metric: Metric, gold: Graph | None, system: Graph | None) -> Outcome:
    """What a metric says of one pair."""
    sides = [[] if each is None else [metric.prepare(each)] for each in (gold, system)]
    return metric.compare(sides[0], sides[1], budget=Budget())


def scores(metric: Metric, gold: Graph | None, system: Graph | None) -> Scores:
    """The scores of one pair."""
    return metric.scores(outcome(metric, gold, system).raw_counts)


def counted(found: Scores, tuple_type: str) -> tuple[int | float, ...]:
    """Gold, system and matched amounts of a tuple type."""
    return found.counts[tuple_type][:3]


WORDS = 7


@st.composite
def spans(draw: st.DrawFn, nested: bool = True) -> list[tuple[str, int, int]]:
    """Spans of a proposition, in the order of a column of brackets."""
    found: list[tuple[str, int, int]] = []
    drawn = draw(
        st.lists(
            st.tuples(st.sampled_from(LABELS), st.integers(0, 6), st.integers(0, 3)),
            max_size=5,
        )
    )
    for label, first, more in drawn:
        last = min(first + more, WORDS - 1)
        others = [each[1:] for each in found]
        crossing = any(
            a < first <= b < last or first < a <= last < b for a, b in others
        )
        apart = all(last < a or b < first for a, b in others)
        if apart or (nested and not crossing):
            found.append((label, first, last))
    return sorted(found, key=lambda each: (each[1], -each[2]))


@st.composite
def frames(draw: st.DrawFn, nested: bool = True) -> list[Frame]:
    """Predicates at words of their own."""
    places = sorted(draw(st.sets(st.integers(0, WORDS - 1), max_size=3)))
    label = st.sampled_from(("buy.01", "buy.1", "sell.01", "buy.02", "go"))
    return [Frame(place, draw(label), draw(spans(nested))) for place in places]


@st.composite
def headed_frames(draw: st.DrawFn) -> list[Frame]:
    """Predicates with heads."""
    places = sorted(draw(st.sets(st.integers(0, WORDS - 1), max_size=3)))
    label = st.sampled_from(("buy.01", "buy.1", "sell.01", "buy.02", "go", "a.b.01"))
    arguments = st.lists(
        st.tuples(st.sampled_from(LABELS), st.integers(0, WORDS - 1)), max_size=5
    )
    return [
        Frame(place, draw(label), sorted(draw(arguments), key=lambda each: each[1]))
        for place in places
    ]
