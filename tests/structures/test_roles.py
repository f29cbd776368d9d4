"""Sentences with semantic roles read back, and spans made of heads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import InvalidGraphError
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.roles.reading import alike, sentence_of
from graphscore.structures.roles.sentence import (
    ROOT,
    Sentence,
    Word,
    derived_span,
    lemma_of,
    subtree,
)
from tests.metrics.roles.roles import Frame, head_graph, span_graph


def sentence(*words: tuple[str, int, str]) -> Sentence:
    """Form, governor from 1 or 0, relation."""
    tree = tuple(Word(form, head - 1, name, False) for form, head, name in words)
    return Sentence(Graph("", "srl"), len(tree), tree, ())


ABOUT = sentence(
    ("taxing", 0, "root"), ("about", 3, "case"), ("Egypt", 1, "obl"), (",", 3, "punct"),
    ("of", 6, "case"), ("course", 3, "nmod"), (",", 3, "punct"),
)  # fmt: skip


def test_case_stays_only_below_an_oblique_of_the_predicate() -> None:
    assert derived_span(ABOUT, 0, 2) == (1, 2, 3, 4, 5)
    assert derived_span(ABOUT, 5, 2) == (2,)
    assert derived_span(ABOUT, 0, 5) == (5,)


def test_commas_at_the_ends_are_dropped_and_the_head_stays() -> None:
    rest = ("so", 1, "advmod"), (",", 3, "punct")
    tree = sentence(("go", 0, "root"), (",", 3, "punct"), *rest)
    assert derived_span(tree, 0, 2) == (2,)
    assert derived_span(tree, 0, 1) == (1,)


def test_what_is_below_the_predicate_is_left_out() -> None:
    road = sentence(
        ("a", 2, "det"), ("road", 0, "root"), ("that", 4, "nsubj"), ("leads", 2, "acl"),
        ("home", 4, "obj"), ("now", 2, "advmod"),
    )  # fmt: skip
    assert derived_span(road, 3, 1) == (0, 1)
    assert derived_span(road, 1, 3) == (2, 3, 4)
    # A predicate that is its own argument has all that is below it.
    assert derived_span(road, 3, 3) == (2, 3, 4)


def test_cycles_end_where_they_began() -> None:
    tree = sentence(("a", 2, "x"), ("b", 1, "x"), ("c", 3, "x"))
    assert subtree(tree, 0) == [0, 1]
    assert derived_span(tree, 1, 0) == (0,)
    assert derived_span(tree, 1, 2) == (2,)


def test_without_a_tree_there_is_only_the_head() -> None:
    assert derived_span(Sentence(Graph("", "srl"), 3, (), ()), 0, 2) == (2,)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", ","]),
            st.integers(0, 6),
            st.sampled_from(["case", "obl", "obj"]),
        ),
        min_size=6,
        max_size=6,
    ),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_a_derived_span_has_its_head_and_only_what_is_below(
    words: list[tuple[str, int, str]], predicate: int, head: int
) -> None:
    tree = sentence(*words)
    span = derived_span(tree, predicate, head)
    assert head in span
    assert list(span) == sorted(set(span))
    assert set(span) <= set(subtree(tree, head))
    assert predicate == head or predicate not in span


def test_heads_and_spans_are_told_apart() -> None:
    heads = sentence_of(head_graph(3, [Frame(1, "go.01", [("A0", 2)])]))
    [piece] = heads.propositions[0].pieces
    assert (piece.head, piece.words) == (2, None)
    spans = sentence_of(span_graph(3, [Frame(1, "go.01", [("A0", 1, 2)])]))
    [piece] = spans.propositions[0].pieces
    assert (piece.head, piece.words) == (None, (1, 2))


def test_a_head_beside_a_span() -> None:
    graph = span_graph(3, [Frame(1, "go.01", [("A0", 1, 2)])])
    nodes = (
        *graph.nodes[:1],
        Node("p1.1", None, (("kind", "argument"), ("head", "6:8")), (Anchor(3, 8),)),
    )
    both = Graph("1", "srl", text=graph.text, tokens=graph.tokens, nodes=nodes,
                 edges=graph.edges)  # fmt: skip
    [piece] = sentence_of(both).propositions[0].pieces
    assert (piece.head, piece.words) == (2, (1, 2))


def test_empty_nodes_come_last_and_have_no_characters() -> None:
    graph = Graph(
        "1", "srl", text="ab",
        nodes=(
            Node("0.1", "_", (("kind", "token"), ("empty", True))),
            Node(1, "ab", (("kind", "token"), ("head", 0)), (Anchor(0, 2),)),
            Node("p", "x.01", (("kind", "predicate"), ("token", 2))),
        ),
    )  # fmt: skip
    found = sentence_of(graph)
    assert (found.size, found.tree[0].head, found.tree[1].empty) == (1, ROOT, True)
    assert found.propositions[0].words == (1,)
    assert found.by_characters.propositions[0].words == (-3,)


def test_sides_of_other_words_are_compared_by_characters() -> None:
    one = sentence_of(span_graph(0, [Frame(1, "go", [])], "I 'll go"))
    two = sentence_of(span_graph(0, [Frame(1, "go", [])], "I'll go"))
    assert alike(one, one) == (one, one)
    gold, system = alike(one, two)
    assert (gold.counted, system.counted) == ("characters", "characters")
    assert gold.propositions[0].words == (2, 3, 4)


@pytest.mark.parametrize(
    ("nodes", "found"),
    [
        ((Node(1, "a", (("kind", "token"), ("head", 2))),), "a word with the head 2"),
        ((Node(1, "a", (("kind", "token"), ("head", "x"))),), "head 'x'"),
        (
            (Node(1, "a", (("kind", "token"),)),
             Node(2, "p", (("kind", "predicate"), ("token", 2)))),
            "a word 2",
        ),
    ],
)  # fmt: skip
def test_numbers_of_words_are_checked(nodes: tuple[Node, ...], found: str) -> None:
    with pytest.raises(InvalidGraphError, match=found):
        sentence_of(Graph("1", "srl", text="a", nodes=nodes))


def test_edges_lead_from_predicates_to_arguments() -> None:
    node = Node("p", "x", (("kind", "predicate"),))
    with pytest.raises(InvalidGraphError, match="an edge from 'p' to 'p'"):
        sentence_of(Graph("1", "srl", nodes=(node,), edges=(Edge("p", "p", "A0"),)))


def test_lemmas_stand_before_the_last_dot() -> None:
    assert [lemma_of(each) for each in ("a.01", "a.b.01", "a", ".01", "")] == [
        *("a", "a.b", "a", ".01", "")
    ]
