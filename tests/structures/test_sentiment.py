"""Opinions as dataclasses, in the layout and back."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.graph import Anchor
from graphscore.structures import (
    Argument,
    LayoutBuilder,
    Mention,
    Opinion,
    OpinionSet,
    StructureError,
    opinion_graph,
    opinions_of,
    sentiment,
)
from tests.structures.outputs import TEXT, TOKENS, mentions, set_of

parts = st.frozensets(mentions, max_size=2)
opinion_sets = set_of(
    st.builds(
        Opinion,
        parts,
        parts,
        parts,
        st.sampled_from(("", "Positive", "Negative")),
        st.sampled_from(("", "Strong")),
    )
).map(OpinionSet)


def test_examples_run() -> None:
    assert doctest.testmod(sentiment).failed == 0


@given(opinion_sets)
def test_opinions_go_into_the_layout_and_back(opinions: OpinionSet) -> None:
    graph = opinion_graph(opinions, id="1", text=TEXT, tokens=TOKENS)
    assert opinions_of(graph, in_tokens=True) == opinions
    assert (graph.id, graph.framework, graph.text) == ("1", "sentiment", TEXT)


def test_roles_are_those_of_opinions() -> None:
    build = LayoutBuilder()
    one = build.mention(None, [Anchor(0, 2)])
    build.opinion("Positive", [Anchor(3, 8)], [Argument("cause", one)])
    with pytest.raises(StructureError, match="an edge 'cause'"):
        opinions_of(build.graph("1", "sentiment"))


def test_a_piece_has_a_beginning_and_an_end() -> None:
    turned = Opinion(frozenset({Mention(3, 1)}))
    with pytest.raises(StructureError, match="left=3, right=1"):
        opinion_graph(OpinionSet(frozenset({turned})))
