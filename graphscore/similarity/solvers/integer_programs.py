"""Integer programs for what has no algorithm of its own (appendix A).

The solver is HiGHS, through scipy.  An answer is only proven if the solver says
that nothing better exists; what it could not close goes into the proof's gap.

The best map of variables, from what tuples of variables earn together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphscore.correspondence import LinkPairs, Problem
from graphscore.correspondence.assignment import one_to_one
from graphscore.similarity.base import Cell, Number, sum_exactly
from graphscore.similarity.view import Pair

if TYPE_CHECKING:
    import numpy as np

SCALE = 1024.0
"""Greatest amount after scaling for the solver."""

ENTRIES = 3_000
"""Entries of the matrix up to which the first relaxation takes well under a second."""

ENTRIES_A_STEP = 20
"""Cost of a branching node: matrix entries per step."""

CERTAIN = 1e-9
"""Tolerance of a proof by the solver, relative to its answer.

It computes in floating point.
"""


def fits(entries: int) -> bool:
    """Return true if a program is small enough for the solver to end soon.

    The solver cannot be asked to stop within its first relaxation, so larger programs
    are not handed to it.

    Args:
        entries: entries of the constraints' matrix.
    """
    return entries <= ENTRIES


def solve(
    earns: np.ndarray[Any, Any],
    table: tuple[Sequence[int], Sequence[int], Sequence[float]],
    limits: np.ndarray[Any, Any],
    pair: Pair,
    whole: int | None = None,
) -> np.ndarray[Any, Any]:
    """Maximise a sum over zeros and ones.

    Args:
        earns: what each variable earns, shape (n,).
        table: rows, columns and values of the constraints' matrix, shape (m, n).
        limits: upper limits of the constraints, shape (m,).
        pair: its budget limits the solver's nodes and time; its proof is kept.
        whole: how many variables, from the first, are 0 or 1; the others are
            anything between.  By default all.

    Returns:
        The variables, shape (n,); all 0 where the solver found nothing in time.
    """
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    if not len(earns) or not earns.max() > 0:
        return np.zeros(len(earns))
    # The solver is content within an absolute 1e-6: amounts must not be small.
    size = SCALE / float(earns.max())
    binary = np.zeros(len(earns), dtype=np.int64)
    binary[:whole] = 1
    rows, columns, values = table
    matrix = coo_array((values, (rows, columns)), shape=(len(limits), len(earns)))
    price = 1 + len(values) // ENTRIES_A_STEP
    options: dict[str, Any] = {
        "mip_rel_gap": 0.0,
        "node_limit": max(1, min(pair.budget.steps // price, 2**31 - 1)),
    }
    if pair.budget.seconds is not None:
        options["time_limit"] = pair.budget.seconds
    solution = milp(
        -earns * size,
        integrality=binary,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix.tocsr(), -np.inf, limits),
        options=options,  # type: ignore[arg-type]
    )
    best = np.zeros(len(earns)) if solution.x is None else solution.x
    best = np.where(binary == 1, np.round(best), best)
    score = float(earns @ best)
    nodes = getattr(solution, "mip_node_count", None)
    pair.proof.steps += price * max(1, int(nodes or 1))
    bound = getattr(solution, "mip_dual_bound", None)
    limit = float(earns.sum()) if bound is None else -float(bound) / size
    if limit - score > CERTAIN * max(float(earns.max()), abs(score)):
        pair.proof.proven = False
        pair.proof.gap += limit - score
    return best


Tuple = tuple[int | None, ...]
"""The variables of a proposition, field by field; ``None`` where one has none."""


def reduce_tuples(first: Tuple, second: Tuple) -> tuple[Tuple, Tuple] | None:
    """Return the pairs of variables that must be mapped; ``None`` if impossible.

    >>> reduce_tuples((3, None, 3), (5, None, 5)), reduce_tuples((3, 4), (5, 5))
    (((3,), (5,)), None)
    """
    if len(first) == 2:
        (a, b), (c, d) = first, second
        if a is not None and b is not None and c is not None and d is not None:
            # Nearly all are such: the two ends of edges.
            if min(a, b, c, d) < 0 or (a == b) != (c == d):
                return None
            if a == b:
                return (a,), (c,)
            return (first, second) if a < b else ((b, a), (d, c))
    result: dict[int, int] = {}
    for left, right in zip(first, second, strict=True):
        if left is None or right is None:
            if left is not right:
                return None
        elif left < 0 or right < 0 or result.setdefault(left, right) != right:
            return None
    if len(set(result.values())) < len(result):
        return None
    order = sorted(result)
    return tuple(order), tuple(result[variable] for variable in order)


Earned = dict[tuple[Tuple, Tuple], Number]
"""Weights of variable pairs that are mapped together."""


def best_map(earned: Earned, shape: tuple[int, int], pair: Pair) -> dict[int, int]:
    """The best one-to-one map of variables."""
    whole = all(isinstance(value, int) for value in earned.values())
    if whole and all(len(gold) <= 2 for gold, _ in earned):
        return _by_correspondence(earned, shape, pair)
    return _by_program(earned, pair)


def _by_correspondence(
    earned: Earned, shape: tuple[int, int], pair: Pair
) -> dict[int, int]:
    import numpy as np

    from graphscore.correspondence import solve

    reward = np.zeros(shape, dtype=np.int64)
    links: list[tuple[int, int, int, int, int]] = []
    for (left, right), amount in earned.items():
        if len(left) == 1:
            reward[left[0], right[0]] += int(amount)
        elif len(left) == 2:
            # Written in the order of the gold variables on both sides.
            links.append((left[0], left[1], right[0], right[1], amount))  # type: ignore[arg-type]
    columns = np.array(links, dtype=np.int64).reshape(-1, 5).T
    problem = Problem(reward, LinkPairs(*(np.ascontiguousarray(c) for c in columns)))
    result = solve(problem, pair.budget)
    pair.proof.steps += result.steps
    if not result.proven:
        pair.proof.proven = False
        pair.proof.gap += result.gap
    return dict(result.pairs)


def _by_program(earned: Earned, pair: Pair) -> dict[int, int]:
    """Appendix A.1, with what tuples of variables earn in place of propositions.

    A tuple's amount is shared out among its variables: the best assignment by these
    shares bounds every map.  Only where it does not earn that much, and the program is
    small enough, is it handed to the solver.
    """
    tuples: Tuples = [
        (tuple(zip(left, right, strict=True)), amount)  # type: ignore[arg-type]
        for (left, right), amount in earned.items()
        if left
    ]
    if not tuples:
        return {}
    chosen, bound = _by_shares(tuples)
    worth = _worth(tuples, chosen)
    pair.proof.steps += 1
    certain = CERTAIN * max(1.0, float(bound))
    cells = {cell for members, _ in tuples for cell in members}
    if bound - worth > certain:
        if fits(2 * sum(len(members) for members, _ in tuples) + 2 * len(cells)):
            chosen = _solve_program(tuples, pair)
        else:
            pair.proof.proven = False
            pair.proof.gap += bound - worth
    result: dict[int, int] = {}
    for members, _ in tuples:
        if chosen.issuperset(members):
            result.update(members)
    return result


Tuples = list[tuple[tuple[Cell, ...], Number]]
"""Pairs of variables, and what they earn when all of them are mapped."""


def _worth(tuples: Tuples, chosen: set[Cell]) -> Number:
    """Return the weight of a mapping."""
    return sum_exactly(
        amount for members, amount in tuples if chosen.issuperset(members)
    )


def _by_shares(tuples: Tuples) -> tuple[set[Cell], Number]:
    """The map that is best by shares, climbed from, and what no map exceeds."""
    shares: dict[Cell, list[Number]] = {}
    for members, amount in tuples:
        for cell in set(members):
            shares.setdefault(cell, []).append(amount / len(set(members)))
    values = {cell: sum_exactly(amounts) for cell, amounts in shares.items()}
    chosen = set(one_to_one(values))
    bound = sum_exactly(values[cell] for cell in chosen)
    worth = _worth(tuples, chosen)
    while worth < bound:
        # What each pair would earn with all others of its tuple as they are mapped.
        beside: dict[Cell, list[Number]] = {}
        for members, amount in tuples:
            missing = set(members) - chosen
            for cell in missing if len(missing) == 1 else () if missing else members:
                beside.setdefault(cell, []).append(amount)
        again = set(one_to_one({c: sum_exactly(a) for c, a in beside.items()}))
        if _worth(tuples, again) <= worth:
            break
        chosen, worth = again, _worth(tuples, again)
    return chosen, bound


def _solve_program(tuples: Tuples, pair: Pair) -> set[Cell]:
    """The best map by the integer program."""
    import numpy as np

    cells: dict[Cell, int] = {}
    for members, _ in tuples:
        for cell in members:
            cells.setdefault(cell, len(cells))
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

    for number, (members, _) in enumerate(tuples):
        for cell in members:
            constrain([(first + number, 1.0), (cells[cell], -1.0)], 0.0)
    for axis in (0, 1):
        rivals: dict[int, list[int]] = {}
        for cell, index in cells.items():
            rivals.setdefault(cell[axis], []).append(index)
        for value in rivals.values():
            if len(value) > 1:
                constrain([(index, 1.0) for index in value], 1.0)
    earns = np.array([0.0] * first + [float(amount) for _, amount in tuples])
    result = solve(earns, (rows, columns, values), np.array(limits), pair)
    # The constraints make a map of them; what earns nothing is left out.
    return {cell for cell, index in cells.items() if result[index] > 0.5}
