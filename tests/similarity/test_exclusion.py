"""Choices among things that exclude one another: proven, or ended with a true bound."""

from __future__ import annotations

import random
import time
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    Similarity,
    custom,
    exact,
    f1,
    label,
    match,
    nodes,
    weight,
)
from graphscore.similarity.base import Request
from graphscore.similarity.evaluation.functions import pairs
from graphscore.similarity.operators.orders import reachable
from graphscore.similarity.solvers.chains import settle
from graphscore.similarity.solvers.clique_bound import Cutting
from graphscore.similarity.solvers.independent_set import Cases, Choice, heaviest
from graphscore.similarity.solvers.local_search import Choosing, Places, exchange
from graphscore.similarity.solvers.ordering import Problem, before, keep_order
from graphscore.similarity.view import Pair, View

STUCK = "01000 10111 01010 01100 01000"
"""What excludes what where the best choice needs what has just gone."""


def by_trying(amounts: list[int], clash: np.ndarray) -> int:
    """The optimum, by all choices."""
    best = 0
    for size in range(len(amounts) + 1):
        for chosen in combinations(range(len(amounts)), size):
            if not clash[np.ix_(chosen, chosen)].any():
                best = max(best, sum(amounts[k] for k in chosen))
    return best


@st.composite
def exclusions(draw: st.DrawFn) -> tuple[list[int], np.ndarray]:
    """Amounts, and who excludes whom."""
    amounts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=9))
    size = len(amounts)
    clash = np.zeros((size, size), dtype=bool)
    for one, two in combinations(range(size), 2):
        clash[one, two] = clash[two, one] = draw(st.booleans())
    return amounts, clash


def choose(amounts: list[int], clash: np.ndarray, limit: int) -> Choice:
    every = list(range(len(amounts)))
    search = Choosing(amounts, clash.__getitem__, limit)
    return heaviest(search, every, sum(amounts))


@given(exclusions())
def test_the_choice_is_the_best_one(given_: tuple[list[int], np.ndarray]) -> None:
    amounts, clash = given_
    found = choose(amounts, clash, 10_000)
    assert sum(amounts[k] for k in found.chosen) == found.bound
    assert found.bound == by_trying(amounts, clash)
    assert not clash[np.ix_(found.chosen, found.chosen)].any()


@given(exclusions(), st.integers(1, 30))
def test_any_budget_leaves_a_true_bound(
    given_: tuple[list[int], np.ndarray], limit: int
) -> None:
    amounts, clash = given_
    found = choose(amounts, clash, limit)
    earned = sum(amounts[k] for k in found.chosen)
    assert 0 < earned <= by_trying(amounts, clash) <= found.bound
    assert not clash[np.ix_(found.chosen, found.chosen)].any()


def at_random(size: int, edges: int, seed: int) -> View:
    """A graph without labels."""
    rng = random.Random(seed)
    ends = {(rng.randrange(size), rng.randrange(size)) for _ in range(edges)}
    return View(
        Graph(
            id=str(seed),
            framework="amr",
            nodes=tuple(Node(id=k) for k in range(size)),
            edges=tuple(Edge(source=s, target=t) for s, t in sorted(ends)),
        )
    )


@pytest.mark.parametrize(("size", "edges"), [(25, 30), (60, 120)])
@pytest.mark.parametrize("steps", [100, 5_000])
def test_orders_of_many_nodes_end(size: int, edges: int, steps: int) -> None:
    views = at_random(size, edges, 1), at_random(size, edges, 2)
    pair = Pair(*views, Budget(steps=steps))
    members = list(range(size))
    cells = {(i, j): 1 for i in members for j in members}
    start = time.process_time()
    found = keep_order(reachable(), pair, members, members, cells, "1:1")
    # The table of what excludes what is looked at row by row.
    assert time.process_time() - start < 2 + steps * 0.001
    assert pair.proof.steps <= steps + 100
    assert len(found) >= size // 4
    assert len(found) + pair.proof.gap <= size
    assert pair.proof.proven == (pair.proof.gap == 0)
    gold, system = (before(reachable(), view) for view in views)
    for (p, q), (r, s) in combinations(found, 2):
        assert (r in gold[p]) == (s in system[q])
        assert (p in gold[r]) == (q in system[s])


def test_an_order_of_25_nodes_is_proven() -> None:
    views = at_random(25, 30, 1), at_random(25, 30, 2)
    pair = Pair(*views, Budget())
    members = list(range(25))
    cells = {(i, j): 1 for i in members for j in members}
    keep_order(reachable(), pair, members, members, cells, "1:1")
    assert pair.proof.proven


@given(exclusions(), st.booleans())
def test_prices_of_cliques_bound_every_choice(
    given_: tuple[list[int], np.ndarray], paired: bool
) -> None:
    """Before anything is known, and without losing what is better."""
    amounts, clash = given_
    places = None
    if paired:
        # Each excludes what is in its row or column, three to a row.
        rows, columns = np.arange(len(amounts)) // 3, np.arange(len(amounts)) % 3
        clash |= (rows[:, None] == rows) | (columns[:, None] == columns)
        np.fill_diagonal(clash, val=False)
        places = Places(rows, columns, (True, True))
    search = Choosing(amounts, clash.__getitem__, 2_000)
    search.offer([0])
    cutting = Cutting(search, places)
    cutting.run(2_000)
    best = by_trying(amounts, clash)
    assert cutting.bound >= best
    if best > search.earned:
        left = np.flatnonzero(cutting.alive)
        kept = [amounts[k] for k in left]
        assert by_trying(kept, clash[np.ix_(left, left)]) == best


@given(exclusions())
@example(
    ([1, 3, 1, 2, 1], np.array([list(map(int, r)) for r in STUCK.split()], dtype=bool))
)
def test_exchange_keeps_to_what_is_allowed(
    given_: tuple[list[int], np.ndarray],
) -> None:
    amounts, clash = given_
    search = Choosing([each / 3 for each in amounts], clash.__getitem__, 400)
    search.offer([0])
    exchange(search, sum(amounts), 400)
    assert not clash[np.ix_(search.best, search.best)].any()
    assert search.earned == pytest.approx(by_trying(amounts, clash) / 3)


@st.composite
def chain_and_order(draw: st.DrawFn) -> tuple[Graph, Graph]:
    """A chain in any order of its nodes, and any graph without cycles."""
    places = draw(st.permutations(range(4)))
    links = draw(st.sets(st.sampled_from(list(combinations(range(4), 2)))))
    names = st.lists(st.sampled_from("ab"), min_size=4, max_size=4)
    return (
        graph(draw(names), list(pairwise(places))),
        graph(draw(names), sorted(links)),
    )


def graph(labels: list[str], links: list[tuple[int, int]]) -> Graph:
    return Graph(
        "1",
        "x",
        nodes=tuple(Node(k, each) for k, each in enumerate(labels)),
        edges=tuple(Edge(s, t) for s, t in links),
    )


KEPT = match(nodes(), exact(label), order=reachable())


@given(chain_and_order(), st.booleans())
def test_a_chain_is_matched_in_any_order(
    sides: tuple[Graph, Graph], turned: bool
) -> None:
    gold, system = sides[::-1] if turned else sides
    found = KEPT.score(gold, system, budget=1)
    assert found.proven
    reach = [before(reachable(), View(each)) for each in (gold, system)]
    cells = [
        (p, q)
        for p, one in enumerate(gold.nodes)
        for q, two in enumerate(system.nodes)
        if one.label == two.label
    ]
    clash = np.ones((len(cells), len(cells)), dtype=bool)
    for (i, (p, q)), (j, (r, s)) in combinations(enumerate(cells), 2):
        order = (r in reach[0][p], p in reach[0][r])
        fits = p != r and q != s and order == (s in reach[1][q], q in reach[1][s])
        clash[i, j] = clash[j, i] = not fits
    most = max(
        (
            size
            for size in range(1, 5)
            for chosen in combinations(range(len(cells)), size)
            if not clash[np.ix_(chosen, chosen)][~np.eye(size, dtype=bool)].any()
        ),
        default=0,
    )
    assert found.matched == most


def test_a_budget_is_kept_and_what_it_leaves_is_said() -> None:
    one, two = (at_random(25, 30, seed).graph for seed in (1, 2))
    ratio = f1(match(nodes(), exact(label), order=reachable()))
    short, full = ratio.score(one, two, budget=30), ratio.score(one, two)
    assert full.proven
    assert not full.gap
    assert full.matched > short.matched
    assert not short.proven
    assert short.matched + short.gap >= full.matched
    assert short.proof.steps <= 30 + 100
    assert ratio.score(one, two, budget=Budget(steps=30)).matched == short.matched
    with pytest.raises(ValueError, match="budget of 0, expected at least 1"):
        ratio.score(one, two, budget=0)


@given(exclusions(), st.integers(10, 20))
def test_cases_go_on_where_they_ended(
    given_: tuple[list[int], np.ndarray], piece: int
) -> None:
    amounts, clash = given_
    best = by_trying(amounts, clash)
    search = Choosing(amounts, clash.__getitem__, 10**6)
    cases = Cases(search, np.arange(len(amounts)))
    for _ in range(200):
        bound = cases.run(search.steps + piece)
        assert search.earned <= best <= bound
        if bound == search.earned:
            break
    assert bound == best


@st.composite
def sparse(draw: st.DrawFn) -> tuple[Graph, Graph]:
    """Graphs of small parts: chains, forks and nodes alone, and cycles at times."""
    size = draw(st.integers(2, 6))
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    names = st.lists(st.sampled_from("abc"), min_size=size, max_size=size)
    links = st.lists(ends, max_size=4)
    return (
        graph(draw(names), draw(links)),
        graph(draw(names), draw(links)),
    )


def half(predicted: object, gold: object) -> float:
    return 1.0 if predicted == gold else 0.5


WORTHS = (
    exact(label),
    weight(label, {"a": 3, "b": 2, "c": 0.5}),
    exact(label) * weight(label, {"a": 3, "b": 2, "c": 0.5}),
    custom(half, label),
)


@pytest.mark.parametrize("worth", WORTHS, ids=str)
@given(sparse())
def test_parts_that_are_alike_cost_nothing(
    worth: Similarity, sides: tuple[Graph, Graph]
) -> None:
    """The search without them finds as much."""
    gold, system = sides
    pair = Pair(View(gold), View(system), Budget())
    members = list(range(len(gold.nodes)))
    cells = pairs(worth, Request(pair, members, members))
    tables = [
        np.array([[k in each for k in members] for each in before(reachable(), view)])
        for view in (pair.gold, pair.system)
    ]
    if cells:
        rows, columns = (sorted({cell[axis] for cell in cells}) for axis in (0, 1))
        problem = Problem.from_cells(
            cells, (tables[0][np.ix_(rows, rows)], tables[1][np.ix_(columns, columns)])
        )
        expected = sum(cells[cell] for cell in problem.choose(pair, "1:1"))
        found = keep_order(reachable(), pair, members, members, cells, "1:1")
        assert sum(cells[cell] for cell in found) == pytest.approx(expected)
        assert pair.proof.proven
        for (p, q), (r, s) in combinations(found, 2):
            assert p != r
            assert q != s
            assert tables[0][p, r] == tables[1][q, s]
            assert tables[0][r, p] == tables[1][s, q]


def test_parts_that_are_alike_are_matched_without_a_search() -> None:
    one = graph(list("aabbabc"), [(0, 2), (0, 3), (4, 5)])
    two = graph(list("cbabbaa"), [(2, 1), (5, 4), (5, 3)])
    found = KEPT.score(one, two, budget=1)
    assert (found.matched, found.proven) == (7, True)
    # What is said of a part says nothing where labels earn more elsewhere.
    table = np.array([[1.0, 3.0], [1.0, 1.0]])
    alone = (np.eye(2, dtype=bool), np.eye(2, dtype=bool))
    cells = {(p, q): table[p, q] for p in range(2) for q in range(2)}
    assert settle(cells, alone) == [(0, 1), (1, 0)]
    assert settle({(0, 0): 2, (0, 1): 3, (1, 1): 2}, alone) == []
