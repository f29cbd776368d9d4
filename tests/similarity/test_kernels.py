"""Which similarities are kernels (appendix B): Gram matrices, and a counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    Similarity,
    exact,
    f1,
    itself,
    jaccard,
    label,
    levels,
    match,
    nodes,
    property_value,
    targets,
    values,
)

LETTER = st.sampled_from("abc")
TYPE = st.sampled_from(["a.b.c", "a.b.d", "a.e.f", "g.h.i"])


def listing(labels: Sequence[str], other: Sequence[str] = ()) -> Graph:
    """A graph of single nodes, each with a second property."""
    other = other or labels
    return Graph(
        "1",
        "x",
        nodes=tuple(
            Node(k, one, (("second", two),))
            for k, (one, two) in enumerate(zip(labels, other, strict=False))
        ),
    )


def sets(groups: Sequence[Sequence[str]]) -> Graph:
    """A graph of owners, each leading to nodes with labels of their own."""
    found: list[Node] = []
    edges: list[Edge] = []
    for group in groups:
        owner = len(found)
        found.append(Node(owner, "owner"))
        for one in group:
            edges.append(Edge(owner, len(found), "has"))
            found.append(Node(len(found), one))
    return Graph("1", "x", nodes=tuple(found), edges=tuple(edges))


def gram(formula: Similarity, graphs: Sequence[Graph]) -> np.ndarray:
    """The formula's number for every two graphs."""
    return np.array([[formula.score(y, x).value for y in graphs] for x in graphs])


def is_kernel(table: np.ndarray) -> bool:
    return bool(
        np.allclose(table, table.T) and np.linalg.eigvalsh(table).min() >= -1e-9
    )


LISTS = st.lists(
    st.lists(st.tuples(LETTER, LETTER), min_size=1, max_size=4).map(
        lambda pairs: listing([a for a, _ in pairs], [b for _, b in pairs])
    ),
    min_size=2,
    max_size=6,
)

DELTA = exact(label)
PRODUCT = exact(label) * exact(property_value("second"))


@pytest.mark.parametrize("inner", [DELTA, PRODUCT], ids=str)
@given(graphs=LISTS)
def test_sums_over_everything_are_kernels(
    inner: Similarity, graphs: list[Graph]
) -> None:
    every = match(nodes(), inner, "n:n")
    assert is_kernel(gram(every, graphs))
    assert is_kernel(gram(f1(every), graphs))
    assert is_kernel(gram(jaccard(every), graphs))


@pytest.mark.parametrize("inner", [DELTA, PRODUCT], ids=str)
@given(graphs=LISTS)
def test_best_matchings_of_equalities_are_kernels(
    inner: Similarity, graphs: list[Graph]
) -> None:
    best = match(nodes(), inner)
    assert is_kernel(gram(best, graphs))
    assert is_kernel(gram(f1(best), graphs))
    assert is_kernel(gram(jaccard(best), graphs))


@given(
    st.lists(
        st.lists(TYPE, min_size=1, max_size=4).map(listing), min_size=2, max_size=6
    )
)
def test_best_matchings_of_levels_are_kernels(graphs: list[Graph]) -> None:
    best = match(nodes(), levels(label))
    assert is_kernel(gram(best, graphs))
    assert is_kernel(gram(f1(best), graphs))


def strong(table: np.ndarray) -> bool:
    """Whether κ(x, y) ≥ min(κ(x, z), κ(z, y)) for all three."""
    size = range(len(table))
    return all(
        table[x, y] >= min(table[x, z], table[z, y]) - 1e-12
        for x in size
        for y in size
        for z in size
    )


@given(st.lists(TYPE, min_size=1, max_size=4, unique=True))
def test_equality_and_levels_are_strong(types: list[str]) -> None:
    graphs = [listing([each]) for each in types]
    assert strong(gram(match(nodes(), levels(label)), graphs))
    assert strong(gram(match(nodes(), DELTA), graphs))


INNER = f1(match(targets(), DELTA))
"""F over sets: 1 to itself and never more to another, yet not strong."""


def test_a_best_matching_of_f_is_no_kernel() -> None:
    """κ(x, x) ≥ κ(x, y) holds for F↔[δ], and Σ↔ of it is no kernel all the same."""
    groups = [list(each) for k in (1, 2) for each in combinations("abc", k)]
    single = [sets([group]) for group in groups]
    table = gram(match(nodes(label="owner"), INNER), single)
    assert is_kernel(table)
    assert (np.diag(table)[:, None] >= table - 1e-12).all()
    assert not strong(table)
    best = match(nodes(label="owner"), INNER)
    two = [sets(pair) for pair in combinations(groups, 2)]
    smallest = np.linalg.eigvalsh(gram(best, [*single, *two])).min()
    assert smallest < -0.01
    # Without the matching's choice it is one.
    every = match(nodes(label="owner"), INNER, "n:n")
    assert is_kernel(gram(every, [*single, *two]))


def test_values_are_sets_too() -> None:
    graphs = [
        Graph("1", "x", nodes=(Node(0, "o", tuple(("v", each) for each in group)),))
        for group in ("a", "ab", "abc", "bc", "c")
    ]
    inner = f1(match(values("v"), exact(itself)))
    assert is_kernel(gram(match(nodes(), inner), graphs))
