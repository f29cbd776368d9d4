"""The best map of variables, from what tuples of variables earn together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphscore.correspondence import LinkPairs, Problem
from graphscore.similarity.base import Cell, Number
from graphscore.similarity.solving.program import solve as solve_program
from graphscore.similarity.view import Pair

Tuple = tuple[int | None, ...]
"""The variables of a proposition, field by field; ``None`` where one has none."""


def reduced(one: Tuple, two: Tuple) -> tuple[Tuple, Tuple] | None:
    """Which variable must map to which; ``None`` if no map allows it.

    >>> reduced((3, None, 3), (5, None, 5)), reduced((3, 4), (5, 5))
    (((3,), (5,)), None)
    """
    found: dict[int, int] = {}
    for mine, theirs in zip(one, two, strict=True):
        if mine is None or theirs is None:
            if mine is not theirs:
                return None
        elif mine < 0 or theirs < 0 or found.setdefault(mine, theirs) != theirs:
            return None
    if len(set(found.values())) < len(found):
        return None
    order = sorted(found)
    return tuple(order), tuple(found[each] for each in order)


Earned = dict[tuple[Tuple, Tuple], Number]
"""What pairs of variables earn when all of them are mapped."""


def best_map(earned: Earned, shape: tuple[int, int], pair: Pair) -> dict[int, int]:
    """The best one-to-one map of variables."""
    whole = all(isinstance(each, int) for each in earned.values())
    if whole and all(len(one) <= 2 for one, _ in earned):
        return _by_correspondence(earned, shape, pair)
    return _by_program(earned, pair)


def _by_correspondence(
    earned: Earned, shape: tuple[int, int], pair: Pair
) -> dict[int, int]:
    from graphscore.correspondence import solve

    reward = np.zeros(shape, dtype=np.int64)
    links: list[tuple[int, int, int, int, int]] = []
    for (one, two), amount in earned.items():
        if len(one) == 1:
            reward[one[0], two[0]] += int(amount)
        elif len(one) == 2:
            # Written in the order of the gold variables on both sides.
            links.append((one[0], one[1], two[0], two[1], amount))  # type: ignore[arg-type]
    columns = np.array(links, dtype=np.int64).reshape(-1, 5).T
    problem = Problem(reward, LinkPairs(*(np.ascontiguousarray(c) for c in columns)))
    found = solve(problem, pair.budget)
    pair.proof.steps += found.steps
    if not found.proven:
        pair.proof.proven = False
        pair.proof.gap += found.gap
    return dict(found.pairs)


def _by_program(earned: Earned, pair: Pair) -> dict[int, int]:
    """Appendix A.1, with what tuples of variables earn in place of propositions."""
    cells: dict[Cell, int] = {}
    for one, two in earned:
        for cell in zip(one, two, strict=True):
            cells.setdefault(cell, len(cells))  # type: ignore[arg-type]
    tuples = [(key, amount) for key, amount in earned.items() if key[0]]
    if not tuples:
        return {}
    first = len(cells)
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    limits: list[float] = []

    def constrain(terms: Sequence[tuple[int, float]], limit: float) -> None:
        for column, number in terms:
            rows.append(len(limits))
            columns.append(column)
            values.append(number)
        limits.append(limit)

    for number, ((one, two), _) in enumerate(tuples):
        for cell in zip(one, two, strict=True):
            constrain([(first + number, 1.0), (cells[cell], -1.0)], 0.0)  # type: ignore[index]
    for axis in (0, 1):
        members: dict[int, list[int]] = {}
        for cell, place in cells.items():
            members.setdefault(cell[axis], []).append(place)
        for places in members.values():
            if len(places) > 1:
                constrain([(place, 1.0) for place in places], 1.0)
    earns = np.array([0.0] * first + [float(amount) for _, amount in tuples])
    found = solve_program(earns, (rows, columns, values), np.array(limits), pair)
    # The constraints make a map of them; what earns nothing is left out.
    mapped = {cell for cell, place in cells.items() if found[place] > 0.5}
    best: dict[int, int] = {}
    for one, two in earned:
        group = set(zip(one, two, strict=True))
        if group <= mapped:
            best.update(group)  # type: ignore[arg-type]
    return best
