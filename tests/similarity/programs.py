"""The integer programs of appendix A, as the paper writes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

Fields = tuple[Hashable, ...]
"""The variables of a proposition."""
Row = dict[Hashable, float]


def solved(earns: dict[Hashable, float], rows: Sequence[tuple[Row, float]]) -> float:
    """The greatest sum over zeros and ones, where each row is at most its limit."""
    names = list(dict.fromkeys([*earns, *(name for row, _ in rows for name in row)]))
    if not names:
        return 0.0
    place = {name: k for k, name in enumerate(names)}
    matrix = np.zeros((len(rows) or 1, len(names)))
    for number, (row, _) in enumerate(rows):
        for name, value in row.items():
            matrix[number, place[name]] += value
    limits = np.array([limit for _, limit in rows] or [0.0])
    found = milp(
        -np.array([earns.get(name, 0.0) for name in names]),
        integrality=np.ones(len(names)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        options={"mip_rel_gap": 0.0},
    )
    assert found.status == 0, found.message
    return float(-found.fun)


def limited(size: tuple[int, int], constraint: str) -> list[tuple[Row, float]]:
    """Eq. 43 and 44: how often a gold *k* and a system *j* may be matched."""
    rows: list[tuple[Row, float]] = []
    if constraint in ("1:1", "n:1"):
        rows += [
            ({("m", k, j): 1.0 for k in range(size[0])}, 1.0) for j in range(size[1])
        ]
    if constraint in ("1:1", "1:n"):
        rows += [
            ({("m", k, j): 1.0 for j in range(size[1])}, 1.0) for k in range(size[0])
        ]
    return rows


def latent_sum(
    gold: Sequence[Fields],
    system: Sequence[Fields],
    alike: Callable[[int, int], float],
    constraint: str,
) -> float:
    """A.1, eq. 40 to 44: the best sum with latent variables."""
    earns: dict[Hashable, float] = {
        ("m", k, j): alike(k, j) for k in range(len(gold)) for j in range(len(system))
    }
    rows = limited((len(gold), len(system)), constraint)
    for k, mine in enumerate(gold):
        for j, theirs in enumerate(system):
            for x, y in zip(mine, theirs, strict=True):
                rows.append(({("m", k, j): 1.0, ("v", x, y): -1.0}, 0.0))
    left = {x for mine in gold for x in mine}
    right = {y for theirs in system for y in theirs}
    rows += [({("v", x, y): 1.0 for y in right}, 1.0) for x in left]
    rows += [({("v", x, y): 1.0 for x in left}, 1.0) for y in right]
    return solved(earns, rows)


def ordered_sum(
    size: tuple[int, int],
    before: tuple[Callable[[int, int], bool], Callable[[int, int], bool]],
    alike: Callable[[int, int], float],
    constraint: str,
) -> float:
    """A.2: the best sum that keeps an order."""
    cells = [(k, j) for k in range(size[0]) for j in range(size[1])]
    earns: dict[Hashable, float] = {("m", k, j): alike(k, j) for k, j in cells}
    rows = limited(size, constraint)
    for (k, j), (p, q) in combinations(cells, 2):
        kept = all(
            before[0](one, two) == before[1](three, four)
            for one, two, three, four in ((k, p, j, q), (p, k, q, j))
        )
        rows.append(({("m", k, j): 1.0, ("m", p, q): 1.0}, 1.0 + kept))
    return solved(earns, rows)
