"""Ranking of systems: corrected p-values, ranks, clusters of equals.

Sture Holm (1979), "A Simple Sequentially Rejective Multiple Test Procedure", keeps
the chance that any of several tests finds what is not there below the level.  Clusters
are those of shared tasks (Koehn 2012, "Simulating Human Judgment in Machine
Translation Evaluation Campaigns"): a line is drawn between two systems where all above
it are better, by test, than all below.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]


def adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values of tests that are made together.

    Args:
        p_values: of the tests; ``None`` where there was none.

    Returns:
        In the same order, each at least as large as it was.

    Example:
        >>> adjusted([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    known = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    result: list[float | None] = [None] * len(p_values)
    least = 0.0
    for done, (p, place) in enumerate(known):
        least = max(least, min(1.0, (len(known) - done) * p))
        result[place] = least
    return result


def ranks_of(scores: Doubles, lowest_best: bool = False) -> npt.NDArray[np.int64]:
    """Ranks in every sample, 1 the best; equal scores share the better rank.

    Args:
        scores: shape (systems, samples); ``nan`` is worse than any number.
        lowest_best: whether the lowest score is the best.

    Returns:
        Shape (systems, samples).

    Example:
        >>> ranks_of(np.array([[0.5], [0.7], [0.5]])).ravel().tolist()
        [2, 1, 2]
    """
    worst = math.inf if lowest_best else -math.inf
    numbers = np.where(np.isnan(scores), worst, scores)
    # What differs by rounding only is equal.
    numbers = np.round(-numbers if not lowest_best else numbers, 12)
    better = numbers[None, :, :] < numbers[:, None, :]
    ranks: npt.NDArray[np.int64] = 1 + better.sum(axis=1)
    return ranks


def clusters(
    order: Sequence[int], apart: Collection[tuple[int, int]]
) -> list[list[int]]:
    """Systems in groups that cannot be told apart, best first.

    Args:
        order: the systems, best first.
        apart: pairs that differ by test: the better one, the worse one.

    Returns:
        The groups: each system of one is better, by test, than every one of the next.

    Example:
        >>> clusters([2, 0, 1], {(2, 1), (0, 1)})
        [[2, 0], [1]]
    """
    result: list[list[int]] = []
    for index, system in enumerate(order):
        above, below = order[:index], order[index:]
        if index == 0 or all((a, b) in apart for a in above for b in below):
            result.append([])
        result[-1].append(system)
    return result
