"""Which similarities are kernels (appendix B): Gram matrices, and a counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    FormulaError,
    Similarity,
    again,
    along,
    at,
    choice,
    descendant,
    exact,
    f1,
    f_beta,
    hierarchy,
    in_sequence,
    itself,
    jaccard,
    label,
    levels,
    match,
    nodes,
    precision,
    property_value,
    reachable,
    recursive,
    target,
    targets,
    values,
    weight,
)
from graphscore.similarity.explanation.kernels import OPEN

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


# What formulas say of themselves.

OWNERS = nodes(label="owner")
SINGLES = [listing([each]) for each in ("a.b.c", "a.b.d", "a.e.f", "g.h.i")]


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        (DELTA, "equality"),
        (match(nodes(), DELTA) > 1, "unknown"),
        (levels(label, depth=3), "strong"),
        (levels(label, depth=3) > 0.3, "equality"),
        (levels(label), "unknown"),
        (exact(property_value("second")) * levels(label, depth=3), "strong"),
        (levels(label, depth=3) * levels(label, depth=4), "kernel"),
        (weight(label, {"a": 2, "b": 3}) - 2, "strong"),
        (choice(label, {"a": DELTA, "b": levels(label, depth=3)}), "strong"),
        (at(target, INNER), "kernel"),
        (at(target, DELTA), "equality"),
        (match(nodes(), levels(label, depth=3)), "kernel"),
        (match(nodes(), DELTA) + match(nodes(), PRODUCT), "kernel"),
        (match(nodes(), DELTA, "n:1"), "none"),
        (precision(match(nodes(), DELTA)), "none"),
        (f_beta(2, match(nodes(), DELTA)), "none"),
        (INNER, "kernel"),
        (jaccard(match(nodes(), DELTA)), "kernel"),
        (match(OWNERS, INNER), "unknown"),
        (match(OWNERS, INNER, "n:n"), "kernel"),
        (f1(match(OWNERS, INNER, "n:n")), "unknown"),
        (f1(match(OWNERS, INNER, "n:n"), counting="formula"), "kernel"),
        (match(nodes(), DELTA, order=in_sequence), "unknown"),
        (descendant(label, hierarchy({"a": "b"})), "none"),
        (descendant(label, hierarchy({"a": "b"}), above=0.5), "unknown"),
        (match(nodes(), DELTA) - 1, "unknown"),
        (recursive("T", DELTA * f1(match(targets(), again("T")))), "unknown"),
        (
            recursive(
                "T",
                DELTA
                * f1(
                    match(targets(), again("T", proper=False), "n:n"),
                    counting="formula",
                ),
            ),
            "kernel",
        ),
        (recursive("T", DELTA * at(along("a"), again("T"))), "equality"),
        (recursive("T", levels(label, depth=3) * at(along("a"), again("T"))), "kernel"),
    ],
    ids=str,
)
def test_what_a_formula_is_is_said(formula: Similarity, kind: str) -> None:
    verdict = formula.kernel()
    assert verdict.kind == kind
    assert bool(verdict) == (kind in ("equality", "strong", "kernel"))


def test_a_verdict_gives_the_lemma_of_every_part() -> None:
    assert str(f1(match(OWNERS, INNER)).kernel()).splitlines() == [
        "unknown   F↔owners[F↔targets[δ_label]]  " + OPEN,
        "unknown     Σ↔owners[F↔targets[δ_label]]  "
        "best matching of what is not strong: need be none",
        "kernel        F↔targets[δ_label]  F of a kernel (Lemma 7)",
        "kernel          Σ↔targets[δ_label]  best matching of what is strong (Lemma 5)",
        "equality          δ_label  equality (Lemma 1)",
    ]


TYPED = st.sampled_from(["a", "a.b", "a.b.c", "a.b.d", "a.e.f", "g.h.i"])
CANDIDATES = [
    match(nodes(), each, constraint)
    for constraint in ("1:1", "n:n")
    for each in (
        PRODUCT,
        levels(label, depth=3),
        exact(property_value("second")) * levels(label, depth=3),
        weight(label, {"a": 2, "a.b": 0.5}, otherwise=1) * levels(label, depth=3),
        levels(label, depth=3) * levels(property_value("second"), depth=3),
        levels(label, depth=3) > 0.3,
    )
]


@pytest.mark.parametrize("formula", CANDIDATES, ids=str)
@given(
    st.lists(
        st.lists(st.tuples(TYPED, TYPED), min_size=1, max_size=4).map(
            lambda pairs: listing([a for a, _ in pairs], [b for _, b in pairs])
        ),
        min_size=2,
        max_size=6,
    )
)
def test_what_is_said_to_be_a_kernel_is_one(
    formula: Similarity, graphs: list[Graph]
) -> None:
    for each in (formula, f1(formula, counting="formula"), jaccard(formula)):
        if each.kernel():
            assert is_kernel(gram(each, graphs))
    if formula.similarity.kernel().kind in ("equality", "strong"):
        assert strong(gram(formula, [listing([n.label]) for n in graphs[0].nodes]))


def test_levels_of_different_depth_are_not_strong() -> None:
    graphs = [listing([each]) for each in ("a.b.c", "a.b.c.d.e", "a.b.c.d.e.f")]
    assert not strong(gram(match(nodes(), levels(label)), graphs))


def test_a_gram_matrix_has_the_formulas_number_of_every_two() -> None:
    graphs = [listing(each) for each in ("ab", "abc", "c", "ca")]
    for formula in (f1(match(nodes(), DELTA)), precision(match(nodes(), DELTA))):
        assert (formula.gram(graphs) == gram(formula, graphs)).all()
    assert f1(match(nodes(), DELTA)).gram([]).shape == (0, 0)


def test_a_gram_matrix_of_bounds_is_refused() -> None:
    hard = f1(match(nodes(), DELTA, order=reachable()))
    draw = Random(1)
    one, two = (
        Graph(
            "1",
            "x",
            nodes=tuple(Node(k, draw.choice("ab")) for k in range(30)),
            edges=tuple(
                Edge(*pair, "x")
                for pair in combinations(range(30), 2)
                if draw.random() < 0.1
            ),
        )
        for _ in range(2)
    )
    with pytest.raises(FormulaError, match=r"graphs 0 and 0: .* of more than 1 steps"):
        hard.gram([one, two], budget=1)
