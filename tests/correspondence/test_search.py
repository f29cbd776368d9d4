"""The search against its oracles, and the promises it makes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.correspondence import (
    Budget,
    LinkPairs,
    Preference,
    Problem,
    evaluate,
    solve,
)
from graphscore.correspondence.candidates import find_candidates
from graphscore.correspondence.problem import SCALE
from graphscore.correspondence.relaxation import Assignment, Relaxation, assign
from graphscore.correspondence.search import solve_many
from tests.correspondence.oracles import (
    best_by_brute_force,
    best_by_integer_program,
    bounds_through,
    credited_halves,
    preference_vector,
)
from tests.correspondence.strategies import problems, random_problem


def permuted(problem: Problem, rows: np.ndarray, columns: np.ndarray) -> Problem:
    """The same problem with its objects renumbered."""
    back_rows, back_columns = np.argsort(rows), np.argsort(columns)
    links = problem.links

    def renumber(table: np.ndarray) -> np.ndarray:
        return table[rows][:, columns]

    return Problem(
        renumber(problem.reward),
        LinkPairs(
            back_rows[links.gold_source],
            back_rows[links.gold_target],
            back_columns[links.system_source],
            back_columns[links.system_target],
            links.weight,
        ),
        problem.ordered,
        [
            Preference(renumber(part.reward), part.weight)
            for part in problem.preferences
        ],
    )


def transposed(problem: Problem) -> Problem:
    """The same problem with its sides swapped."""
    links = problem.links
    return Problem(
        problem.reward.T.copy(),
        LinkPairs(
            links.system_source,
            links.system_target,
            links.gold_source,
            links.gold_target,
            links.weight,
        ),
        problem.ordered,
        [Preference(part.reward.T, part.weight) for part in problem.preferences],
    )


def assert_valid(problem: Problem, pairs: tuple[tuple[int, int], ...]) -> None:
    gold = [one for one, _ in pairs]
    system = [two for _, two in pairs]
    assert gold == sorted(set(gold))
    assert len(set(system)) == len(system)
    if problem.ordered:
        assert system == sorted(system)


@given(problems())
@settings(max_examples=400, deadline=None)
def test_brute_force_agrees_on_tiny_graphs(problem: Problem) -> None:
    best, maps = best_by_brute_force(problem)
    found = solve(problem)
    assert found.score == best
    assert found.proven
    assert found.bound == best
    assert_valid(problem, found.pairs)
    assert evaluate(problem, found.pairs) == best
    assert set(found.pairs) <= {pair for each in maps for pair in each}


@given(
    st.lists(problems()),
    st.sampled_from(["found", "canonical"]),
    st.sampled_from([0, 1, 2, 3, 5, 8, 100_000]),
)
@settings(max_examples=200, deadline=None)
def test_what_is_found_does_not_depend_on_what_is_searched_beside_it(
    several: list[Problem], ties: str, steps: int
) -> None:
    budget = Budget(steps)
    alone = [solve(problem, budget, ties) for problem in several]
    assert [*solve_many(several, budget, ties)] == alone


@given(st.lists(problems(ordered=False), min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_maps_through_a_candidate_are_bounded_by_least_potentials(
    several: list[Problem],
) -> None:
    candidates = find_candidates(several)
    values = candidates.reward * SCALE
    matching = Assignment(candidates)
    totals, _ = matching.best(values, range(len(several)))
    of = candidates.grid.problem[candidates.gold]
    through = matching.through(values, np.array(totals)[of])
    expected = []
    for number, (problem, total) in enumerate(zip(several, totals, strict=True)):
        own = candidates.alone(number)
        bounds = bounds_through(problem.reward * SCALE, assign(problem.reward), total)
        expected += bounds[own.gold, own.system].tolist()
    assert through.tolist() == expected


@given(problems(), st.data())
@settings(max_examples=200, deadline=None)
def test_credits_are_those_of_the_definition(
    problem: Problem, data: st.DataObject
) -> None:
    candidates = find_candidates([problem])
    most = (candidates.weight * SCALE).tolist()
    split = [data.draw(st.sampled_from([0, size // 2, size])) for size in most]
    credited = credited_halves(candidates, split)
    relaxation = Relaxation(candidates)
    values = relaxation.values(np.array(split, dtype=np.int64))
    assert (values - candidates.reward * SCALE).tolist() == [
        credit for credit, _ in credited
    ]
    if split:
        size = len(credited)
        chosen = data.draw(st.sets(st.integers(0, size - 1), max_size=size))
        imbalance = [0] * len(split)
        for half in {half for k in chosen for half in credited[k][1]}:
            imbalance[half % len(split)] += 1 if half < len(split) else -1
        positions = np.array(sorted(chosen), dtype=np.int64)
        assert relaxation.imbalance(positions).tolist() == imbalance


@given(problems(largest=4))
@settings(max_examples=250, deadline=None)
def test_canonical_ties_reach_the_lexicographic_optimum(problem: Problem) -> None:
    best, maps = best_by_brute_force(problem)
    found = solve(problem, ties="canonical")
    assert found.score == best
    assert found.proven
    assert preference_vector(problem, found.pairs) == max(
        preference_vector(problem, each) for each in maps
    )


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_plain_integer_program_agrees_on_larger_graphs(
    seed: int, ordered: bool
) -> None:
    problem = random_problem(seed, 11 + seed % 5, 9 + seed % 7, 4, ordered)
    found = solve(problem)
    assert found.proven
    assert found.score == best_by_integer_program(problem)
    assert_valid(problem, found.pairs)


@given(problems(largest=5, ordered=False), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_permuting_objects_keeps_total_bound_and_proof(
    problem: Problem, random: object
) -> None:
    rows, columns = (list(range(size)) for size in problem.shape)
    random.shuffle(rows)  # type: ignore[attr-defined]
    random.shuffle(columns)  # type: ignore[attr-defined]
    one = solve(problem)
    two = solve(permuted(problem, np.array(rows), np.array(columns)))
    assert (one.score, one.bound, one.proven) == (two.score, two.bound, two.proven)


@given(problems(largest=5))
@settings(max_examples=150, deadline=None)
def test_swapping_sides_keeps_total_bound_and_proof(problem: Problem) -> None:
    one, two = solve(problem), solve(transposed(problem))
    assert (one.score, one.bound, one.proven) == (two.score, two.bound, two.proven)


@pytest.mark.parametrize("seed", range(6))
def test_canonical_counts_survive_permutation(seed: int) -> None:
    problem = random_problem(seed, 14, 13, 3)
    rng = np.random.default_rng(seed)
    other = permuted(problem, rng.permutation(14), rng.permutation(13))
    one, two = solve(problem, ties="canonical"), solve(other, ties="canonical")
    assert one.proven
    assert two.proven
    assert preference_vector(problem, one.pairs) == preference_vector(other, two.pairs)


@pytest.mark.parametrize("seed", range(6))
def test_equal_input_gives_equal_output(seed: int) -> None:
    problem = random_problem(seed, 16, 15, 3)
    assert solve(problem) == solve(problem)


def test_a_budget_that_runs_out_leaves_a_valid_bound() -> None:
    problem = random_problem(3, 24, 24, 1)
    whole = solve(problem)
    short = solve(problem, Budget(steps=1))
    assert whole.proven
    assert not short.proven
    assert short.method == "open"
    assert short.score <= whole.score <= short.bound
    assert evaluate(problem, short.pairs) == short.score


def test_a_time_limit_is_honoured() -> None:
    short = solve(random_problem(3, 24, 24, 1), Budget(seconds=0.0))
    assert not short.proven
    assert short.bound >= short.score


@given(problems(largest=5))
@settings(max_examples=100, deadline=None)
def test_a_hint_never_changes_the_total(problem: Problem) -> None:
    rng = np.random.default_rng(0)
    favour = rng.integers(0, 1024, problem.shape)
    hinted = Problem(
        problem.reward,
        problem.links,
        problem.ordered,
        problem.preferences,
        lambda: favour,
    )
    assert solve(hinted).score == solve(problem).score


def test_nothing_in_common_is_proven_at_zero() -> None:
    nothing = np.empty(0, dtype=np.int64)
    problem = Problem(np.zeros((3, 4), dtype=np.int64), LinkPairs(*[nothing] * 5))
    found = solve(problem)
    assert (found.pairs, found.score, found.bound, found.proven) == ((), 0, 0, True)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_an_empty_side_is_proven_at_zero(shape: tuple[int, int]) -> None:
    nothing = np.empty(0, dtype=np.int64)
    problem = Problem(np.zeros(shape, dtype=np.int64), LinkPairs(*[nothing] * 5))
    assert solve(problem).proven
    assert solve(problem).score == 0


@pytest.mark.slow
def test_a_pair_of_400_nodes_is_proven() -> None:
    problem = random_problem(1, 400, 395, 150)
    found = solve(problem)
    assert found.proven
    assert evaluate(problem, found.pairs) == found.score


@pytest.mark.slow
def test_a_pair_of_400_words_in_order_is_proven() -> None:
    problem = random_problem(1, 400, 395, 150, ordered=True)
    found = solve(problem)
    assert found.proven
    assert evaluate(problem, found.pairs) == found.score
