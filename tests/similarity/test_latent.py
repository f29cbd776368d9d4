"""Variables at any depth of a formula (eq. 34 to 36): no map earns more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    Similarity,
    along,
    at,
    choice,
    custom,
    edge_label,
    edges,
    edges_out,
    exact,
    excess,
    f1,
    in_sequence,
    jaccard,
    kind,
    label,
    latent,
    match,
    nodes,
    precision,
    recall,
    source,
    target,
    targets,
    total,
    variable,
)
from graphscore.similarity.base import Request
from graphscore.similarity.evaluation.functions import pairs
from graphscore.similarity.solvers.chains import through
from graphscore.similarity.view import Pair, View
from tests.similarity.strategies import alike, graph_pairs, graphs


def _ratio(draw: st.DrawFn, amount: Similarity) -> Similarity:
    return draw(st.sampled_from((f1, jaccard, precision, recall)))(amount)


def _sum(draw: st.DrawFn, depth: int) -> Similarity:
    """A Σ around a node, of edges or of nodes."""
    order = draw(st.sampled_from((None, None, in_sequence)))
    if draw(st.booleans()):
        of_edge = draw(
            st.sampled_from(
                (
                    variable(target),
                    exact(edge_label) * variable(target),
                    exact(edge_label) * variable(source) * variable(target),
                )
            )
        )
        return match(edges_out(), of_edge, order=order)
    return match(targets(), draw(of_nodes(depth - 1)), order=order)


@st.composite
def of_nodes(draw: st.DrawFn, depth: int) -> Similarity:
    """How two nodes are compared, with variables at some depth."""
    how = draw(st.integers(0, 8 if depth > 0 else 1))
    if how == 0:
        return draw(st.sampled_from((variable(), variable(along("a")))))
    if how == 1:
        return custom(alike, label) * variable()
    inner = draw(of_nodes(depth - 1))
    if how == 2:
        return exact(kind) * inner * draw(of_nodes(depth - 1))
    if how == 3:
        return total(inner, exact(label))
    if how == 4:
        return at(along("a"), inner)
    if how == 5:
        return choice(kind, {"m": inner, "e": exact(label)}, otherwise=variable())
    amount = _sum(draw, depth)
    if how == 6:
        return excess(amount, draw(st.sampled_from((0.5, 1))))
    found = _ratio(draw, amount)
    if how == 7:
        return found > 0.5 if draw(st.booleans()) else found >= 0.5
    return found


@st.composite
def deep(draw: st.DrawFn) -> Similarity:
    """The best sum over things with variables at some depth."""
    order = draw(st.sampled_from((None, in_sequence)))
    found = match(nodes(), draw(of_nodes(2)), order=order)
    if draw(st.booleans()):
        edge = exact(edge_label) * variable(source) * variable(target)
        found = total(found, match(edges(), edge))
    which = draw(st.sampled_from((nodes(), nodes(), nodes("m"))))
    return latent(which, found)


def maps(mine: list[int], theirs: list[int]) -> Iterator[frozenset[tuple[int, int]]]:
    """All one-to-one maps, those of few variables included."""
    if not mine:
        yield frozenset()
        return
    for rest in maps(mine[1:], theirs):
        yield rest
        taken = {two for _, two in rest}
        for each in theirs:
            if each not in taken:
                yield rest | {(mine[0], each)}


def best(formula: Similarity, gold: Graph, system: Graph) -> float:
    """The greatest amount of all maps, tried one by one."""
    pair = Pair(View(gold), View(system))
    [mine] = formula.variables.members(pair.gold, [0])
    [theirs] = formula.variables.members(pair.system, [0])
    amounts = [
        pairs(formula.operand, Request(pair.under(found), [0], [0])).get((0, 0), 0)
        for found in maps(mine, theirs)
    ]
    return max(map(float, amounts))


@given(deep(), graph_pairs())
def test_no_map_earns_more(formula: Similarity, both: tuple[Graph, Graph]) -> None:
    report = formula.score(*both)
    assert report.proven
    assert report.matched == pytest.approx(best(formula, *both))


@given(deep(), graph_pairs())
def test_what_is_not_proven_says_how_much_more_there_may_be(
    formula: Similarity, both: tuple[Graph, Graph]
) -> None:
    report = formula.score(*both, budget=Budget(steps=1))
    most = best(formula, *both)
    assert report.matched <= most + 1e-6
    assert most <= report.matched + report.gap + 1e-6
    if not report.gap:
        assert report.matched == pytest.approx(most)


@given(deep(), graphs())
def test_everything_is_worth_most_to_itself_under_identity(
    formula: Similarity, graph: Graph
) -> None:
    report = formula.score(graph, graph)
    assert report.matched >= report.gold - 1e-9


@pytest.mark.parametrize("steps", [1, 50, 2_000])
def test_budgets_hold_however_many_are_alike(steps: int) -> None:
    """Three hundred nodes of one kind, in cycles that differ: all is open."""
    formula = latent(nodes(), match(nodes(), f1(match(targets(), variable()))))
    size = 300
    mine, theirs = (
        Graph(
            "1",
            "x",
            nodes=tuple(Node(k) for k in range(size)),
            edges=tuple(Edge(k, (k + step) % size, "a") for k in range(size)),
        )
        for step in (1, 2)
    )
    report = formula.score(mine, theirs, budget=steps)
    assert report.proof.steps <= 1.5 * steps + 2 * size
    assert report.matched + report.gap == pytest.approx(size)
    assert report.matched > 0


def test_a_thousand_members_are_compared_by_what_they_have() -> None:
    """Where words tell things apart not all pairs are looked at."""
    formula = latent(
        nodes("m"),
        match(nodes("e"), exact(label) * f1(match(targets(), variable()))),
    )
    size = 1_000
    pairs = [(k, (k * 7 + shift) % size) for shift in (0, 1) for k in range(size)]
    graph = Graph(
        "1",
        "x",
        nodes=(
            *(Node(k, str(k), (("kind", "e"),)) for k in range(size)),
            *(Node(size + k, None, (("kind", "m"),)) for k in range(size)),
        ),
        edges=tuple(Edge(one, size + two, "a") for one, two in pairs),
    )
    report = formula.score(graph, graph)
    assert (report.matched, report.proven) == (size, True)


def test_the_heaviest_chain_through_each_cell() -> None:
    cells = {(0, 1): 3, (1, 0): 2, (1, 2): 1, (2, 1): 1, (4, 4): 2}
    for cell in cells:
        chains = [
            chain
            for size in range(len(cells))
            for chain in combinations(sorted(cells), size + 1)
            if cell in chain
            and all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(chain))
        ]
        most = max(sum(cells[each] for each in chain) for chain in chains)
        assert through(cells)[cell] == most
