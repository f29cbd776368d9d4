"""The compiled rounds give what the plain search gives, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from graphscore.correspondence import Budget, Problem, solve
from graphscore.correspondence.fast import accelerator
from tests.correspondence.strategies import problems, random_problem

numba = pytest.importorskip("numba", reason="the extra [fast] is not installed")


@pytest.fixture(autouse=True)
def _plain_afterwards() -> Iterator[None]:
    yield
    accelerator.use(False)


def both(problem: Problem, budget: Budget | None = None) -> tuple[object, object]:
    assert accelerator.use(False)
    plain = solve(problem, budget)
    assert accelerator.use(True)
    return plain, solve(problem, budget)


@given(problems(largest=7))
@settings(max_examples=300, deadline=None)
def test_compiled_and_plain_search_are_identical(problem: Problem) -> None:
    plain, fast = both(problem)
    assert plain == fast


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_they_are_identical_on_larger_graphs(seed: int, ordered: bool) -> None:
    problem = random_problem(seed, 18 + seed, 30 - seed, 2 + seed % 6, ordered)
    plain, fast = both(problem)
    assert plain == fast


@pytest.mark.parametrize("steps", range(1, 8))
def test_they_stop_at_the_same_step(steps: int) -> None:
    plain, fast = both(random_problem(3, 24, 24, 1), Budget(steps=steps))
    assert plain == fast


@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=300, deadline=None)
def test_the_assignment_breaks_ties_as_scipy_does(
    rows: int, columns: int, largest: int, seed: int
) -> None:
    from graphscore.correspondence.kernel import assign

    table = np.random.default_rng(seed).integers(0, largest, (rows, columns))
    expected = np.full(rows, -1)
    one, two = linear_sum_assignment(table, maximize=True)
    expected[one] = two
    assert assign(table).tolist() == expected.tolist()


def test_it_is_loaded_only_when_it_pays() -> None:
    from graphscore.correspondence.fast import WORTHWHILE, Accelerator

    fresh = Accelerator()
    problem = random_problem(1, 4, 4, 2)
    answers = [fresh.close(problem, 100, 12) for _ in range(3)]
    assert answers == [None, None, None]
    assert WORTHWHILE > 3
