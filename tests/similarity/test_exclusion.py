"""Choices among things that exclude one another: proven, or ended with a true bound."""

from __future__ import annotations

import random
import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity.solving.exclusion import Choice, heaviest
from graphscore.similarity.solving.ordering import keeping_order, reachable
from graphscore.similarity.view import Pair, View


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
    return heaviest(amounts, clash.__getitem__, every, sum(amounts), limit)


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
    found = keeping_order(reachable(), pair, members, members, cells, "1:1")
    # The table of what excludes what is looked at row by row.
    assert time.process_time() - start < 2 + steps * 0.001
    assert pair.proof.steps <= steps + 100
    assert len(found) >= size // 4
    assert len(found) + pair.proof.gap <= size
    assert pair.proof.proven == (pair.proof.gap == 0)
    gold, system = (reachable().before(view) for view in views)
    for (p, q), (r, s) in combinations(found, 2):
        assert (r in gold[p]) == (s in system[q])
        assert (p in gold[r]) == (q in system[s])


def test_an_order_of_25_nodes_is_proven() -> None:
    views = at_random(25, 30, 1), at_random(25, 30, 2)
    pair = Pair(*views, Budget())
    members = list(range(25))
    cells = {(i, j): 1 for i in members for j in members}
    keeping_order(reachable(), pair, members, members, cells, "1:1")
    assert pair.proof.proven
