"""The slow, obvious versions of the correspondence search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_array

from graphscore.correspondence import Problem, evaluate
from graphscore.correspondence.candidates import Candidates
from graphscore.correspondence.problem import SCALE, Integers

Map = tuple[tuple[int, int], ...]


def all_maps(problem: Problem) -> Iterator[Map]:
    """Every partial one-to-one map, order-preserving where the problem asks."""
    rows, columns = problem.shape

    def extend(row: int, used: frozenset[int], last: int, so_far: Map) -> Iterator[Map]:
        if row == rows:
            yield so_far
            return
        yield from extend(row + 1, used, last, so_far)
        for column in range(columns):
            if column in used or (problem.ordered and column <= last):
                continue
            yield from extend(
                row + 1, used | {column}, column, (*so_far, (row, column))
            )

    yield from extend(0, frozenset(), -1, ())


def best_by_brute_force(problem: Problem) -> tuple[int, list[Map]]:
    """The optimum and all maps that reach it."""
    best, maps = -1, []
    for each in all_maps(problem):
        worth = evaluate(problem, each)
        if worth > best:
            best, maps = worth, []
        if worth == best:
            maps.append(each)
    return best, maps


def preference_vector(problem: Problem, pairs: Map) -> tuple[int, ...]:
    """What a map earns of each preference."""
    return tuple(
        evaluate(
            Problem(
                part.reward, problem.links._replace(weight=part.weight), problem.ordered
            ),
            pairs,
        )
        for part in problem.preferences
    )


def best_by_integer_program(problem: Problem) -> int:
    """The optimum by the plain aggregated integer program over all node pairs.

    For each gold link and system node, the link pairs sum to at most the node
    match; likewise for each system link and gold node.  Orders are enforced by
    forbidding every pair of crossing matches.
    """
    rows, columns = problem.shape
    # Link pairs with the same ends (differently labelled parallel links) are
    # earned together; all others with a common gold link exclude one another.
    merged: dict[tuple[int, int, int, int], int] = {}
    for s, t, c, d, weight in zip(
        *(each.tolist() for each in problem.links), strict=True
    ):
        merged[s, t, c, d] = merged.get((s, t, c, d), 0) + weight
    cells = rows * columns
    count = len(merged)
    constraints: list[tuple[dict[int, float], float]] = []
    for row in range(rows):
        constraints.append(({row * columns + j: 1.0 for j in range(columns)}, 1.0))
    for column in range(columns):
        constraints.append(({i * columns + column: 1.0 for i in range(rows)}, 1.0))
    groups: dict[tuple[object, ...], dict[int, float]] = {}
    for k, (s, t, c, d) in enumerate(merged):
        for key, cell in (
            (("gold link, system source", s, t, c), s * columns + c),
            (("gold link, system target", s, t, d), t * columns + d),
            (("system link, gold source", c, d, s), s * columns + c),
            (("system link, gold target", c, d, t), t * columns + d),
        ):
            groups.setdefault(key, {cell: -1.0})[cells + k] = 1.0
    if problem.ordered:
        for i in range(rows):
            for j in range(columns):
                for later in range(i + 1, rows):
                    for earlier in range(j + 1):
                        constraints.append(
                            (
                                {
                                    i * columns + j: 1.0,
                                    later * columns + earlier: 1.0,
                                },
                                1.0,
                            )
                        )
    constraints.extend((row_of, 0.0) for row_of in groups.values())
    matrix = lil_array((len(constraints), cells + count))
    for number, (entries, _) in enumerate(constraints):
        for variable, value in entries.items():
            matrix[number, variable] = value
    objective = np.concatenate((problem.reward.ravel(), list(merged.values()))).astype(
        float
    )
    integrality = np.zeros(cells + count, dtype=np.int64)
    integrality[:cells] = 1
    solved = milp(
        -objective,
        integrality=integrality,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(
            matrix.tocsr(), -np.inf, np.array([limit for _, limit in constraints])
        ),
        options={"mip_rel_gap": 0.0},
    )
    assert solved.status == 0, solved.message
    return round(-solved.fun)


def bounds_through(table: Integers, target: Integers, total: int) -> Integers:
    """What no map through each pair of nodes exceeds, by the least dual potentials.

    Args:
        table: what each pair is worth.
        target: a best map: for each row its column, or -1.
        total: what it earns.
    """
    rows, columns = table.shape
    own = [int(table[i, target[i]]) if target[i] >= 0 else 0 for i in range(rows)]
    potential = np.zeros(columns, dtype=np.int64)
    while True:
        offset = [int(potential[j]) if j >= 0 else 0 for j in target]
        fresh = potential.copy()
        for i in range(rows):
            fresh = np.maximum(fresh, table[i] - own[i] + offset[i])
        if (fresh == potential).all():
            break
        potential = fresh
    left = np.array(own) - np.array(offset)
    result: Integers = total - (left[:, None] + potential[None, :] - table)
    return result


def credited_halves(
    candidates: Candidates, split: Sequence[int]
) -> list[tuple[int, list[int]]]:
    """For each candidate its credit, and the halves of couplings that it is made of.

    Half k is the first end of coupling k, half couplings + k its second end; of equal
    halves that exclude each other the first one counts.
    """
    weights = candidates.weight.tolist()
    amounts = [*split, *(w * SCALE - a for w, a in zip(weights, split, strict=True))]
    owners = [*candidates.first.tolist(), *candidates.second.tolist()]
    partners = [*candidates.second.tolist(), *candidates.first.tolist()]
    credited = []
    for candidate in range(len(candidates.gold)):
        sides = []
        for objects in (candidates.gold.tolist(), candidates.system.tolist()):
            best: dict[int, int] = {}
            for half, owner in enumerate(owners):
                end = objects[partners[half]]
                if owner == candidate and amounts[half] > amounts[best.get(end, half)]:
                    best[end] = half
                elif owner == candidate:
                    best.setdefault(end, half)
            halves = [half for half in best.values() if amounts[half] > 0]
            sides.append((sum(amounts[half] for half in halves), halves))
        credited.append(min(sides, key=itemgetter(0)))
    return credited
